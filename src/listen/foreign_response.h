/** Finds and repairs faults in a response of unknown origin; every command that takes one calls
 * foreign_mend() first. Onset: foreign_onset.h. */
#ifndef SRC_FOREIGN_RESPONSE_H
#define SRC_FOREIGN_RESPONSE_H

#include <stdbool.h>

#include "src/response/signal/wav_file.h"

/** Below this highest frequency the rule of 20 dB finds an early onset [Hz]: by 0.85 ms at 1420, 3.5 at 355.
 */
#define FOREIGN_ONSET_BAND 4000.0

/** True if no run.json beside the file names it. FAILURE_CAPACITY without memory. */
int foreign_is(const char *path, bool *out, struct failure *failure);

/** Faults of a recording, in the channel with the largest fault (from 1); zeroed: none found. */
struct foreign_damage {
    double offset; /* removed offset */
    int offset_channel;
    size_t clipped;                  /* samples at one largest value, as from an overloaded input */
    double clipped_at, clipped_time; /* that value; when it is first reached [s] */
    int clipped_channel;
};

/** Find both in all channels, and remove constant offsets of converters: the mean of the last tenth (at least
 * 0.1 s), if that dominates there. Cut with the response, an offset would be a step with energy in the lowest
 * octaves. A file shorter than 0.2 s is unchanged.
 *
 * Clipped: eight or more samples of a channel at its largest or at its least value (to 2e-5), two or more in
 * a row in several places; or four in a row whose neighbours are lower by 1 %, unlike any peak of a response.
 * Not tested if the largest value is less than 200 quantisation steps. */
void foreign_mend(struct wav_sound *sound, struct foreign_damage *out);

/** The same for the recording of a sweep or a sequence, whose slow crests are round and flat to 2e-5 for many
 * samples: clipped are three in a row or more whose neighbours on both sides are lower by four times that, or
 * by two quantisation steps, in two places or more. */
void foreign_mend_recording(struct wav_sound *sound, struct foreign_damage *out);

/** The `n`th warning (from 0) about faults of `path`. False after the last. */
#define FOREIGN_SENTENCE 4400
bool foreign_tell(const struct foreign_damage *damage, const char *path, int n, char text[FOREIGN_SENTENCE]);

/** The highest usable frequency at a rate, 0.49 of it [Hz]. */
double foreign_carried(double rate);

/** The frequency at which the spectrum of a response clearly ends, above which no value comes within 40 dB of
 * the octave below it, in sixths of an octave, from 100 Hz on. `*out` is foreign_carried() if there is no
 * such end [Hz]. FAILURE_CAPACITY without memory: 16 bytes a sample, up to the next power of two. */
int foreign_highest(const float *sample, size_t count, double rate, double *out, struct failure *failure);

#endif
