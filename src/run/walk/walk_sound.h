/** The sound for a walking listener, from either kind of walk. Input: the dry sound, and the frames at the
 * rate that their band needs. Output: at 48 kHz, and at two ears.
 *
 * Frames of four channels are AmbiX (ambisonic_response.h) in the axes of the room: X is +x, Y is +y, for any
 * direction of the listener. The level is that of responses: the dry sound at 1 m from the source. At time 0
 * the source begins and the listener starts. */
#ifndef SRC_WALK_SOUND_H
#define SRC_WALK_SOUND_H

#include "src/listen/dry_sound.h"
#include "src/response/signal/head_filters.h"
#include "src/run/walk/walk_path.h"

/** Zeroed is empty; freed by walk_sound_free(). */
struct walk_sound {
    double rate; /* [Hz] */
    size_t frames;
    size_t channels; /* 1, or AMBISONIC_CHANNELS */
    float *sample;   /* (frames, channels) owned */
};
void walk_sound_free(struct walk_sound *sound);

/** Number of repetitions of the dry sound until the listener has arrived (once, or repeatedly; a sound under
 * a second every second), and their end [s]. */
size_t walk_dry_times(const struct dry_sound *dry, const struct walk_path *path, double *seconds);

/** The dry sound with its repetitions, converted to `rate` [Hz]: sample n is at n / rate.
 * @param out (count) owned by the caller (free), silent where the sound ends FAILURE_INPUT, FAILURE_OUTPUT as
 * dry_sound_read(); FAILURE_CAPACITY. */
int walk_dry_at(struct dry_sound *dry, size_t times, double rate, size_t count, double **out,
                struct failure *failure);

/** Convert the frames to RESPONSE_RATE, in place. FAILURE_CAPACITY; FAILURE_OUTPUT if conversion fails. */
int walk_sound_convert(struct walk_sound *sound, struct failure *failure);

/** The direction in which the listener looks. */
struct walk_look {
    enum { WALK_LOOKS_AHEAD, WALK_LOOKS_AT_SOURCE, WALK_LOOKS_TO } kind;
    double source[3]; /* [m] */
    double azimuth;   /* of WALK_LOOKS_TO [degrees, from +x towards +y] */
};

/** Render four channels at RESPONSE_RATE for two ears.
 * @param source its place, for WALK_LOOKS_AT_SOURCE; @param out (frames, EARS) owned by the caller
 * FAILURE_CAPACITY. */
int walk_sound_ears(const struct walk_sound *sound, const struct walk_path *path,
                    const struct walk_look *look, const struct head_filters *filters, float **out,
                    struct failure *failure);

#endif
