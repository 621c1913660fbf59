/** Measures loudness and peaks of a sound by libebur128 (EBU R 128, ITU-R BS.1770-4).
 *
 * One channel counts as played by two loudspeakers, two as left and right. If there are more (ambisonics),
 * only the first, the pressure, counts. Peaks are those of all channels. */
#ifndef SRC_LOUDNESS_H
#define SRC_LOUDNESS_H

#include <math.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** The measured quantity; each takes time. */
enum loudness_what { LOUDNESS_PEAK, LOUDNESS_LUFS };

/** Zeroed is empty; freed by loudness_free(). */
struct loudness_meter {
    void *state; /* of libebur128 */
    enum loudness_what what;
    size_t channels;
};

/** A ratio of pressures as a level [dB]. */
static inline double loudness_decibels(double ratio)
{
    return 20.0 * log10(ratio);
}

/** Reason for NaN in lufs. */
#define LOUDNESS_WHY "shorter than 0.4 s, or nowhere louder than -70 LUFS"

struct loudness {
    double lufs; /* integrated, gated; NaN if nothing passes the gate (under 0.4 s, or below -70 LUFS), and
                    with LOUDNESS_PEAK */
    double peak; /* true peak: of the signal sampled four times as often, never below its samples; 1 is full
                    scale; NaN with LOUDNESS_LUFS */
};

/** @param rate [Hz]; FAILURE_CAPACITY without memory. */
int loudness_begin(struct loudness_meter *meter, enum loudness_what what, size_t channels, int rate,
                   struct failure *failure);

/** Add (frames, channels). FAILURE_CAPACITY without memory. */
int loudness_add(struct loudness_meter *meter, const double *sample, size_t frames, struct failure *failure);

/** Result for all added frames. */
int loudness_end(const struct loudness_meter *meter, struct loudness *out, struct failure *failure);
void loudness_free(struct loudness_meter *meter);

#endif
