/** What can be found in a response of unknown origin, and what is mended in it: every command that takes one
 * calls foreign_mend() first. When sound arrives: foreign_onset.h. */
#ifndef SRC_FOREIGN_RESPONSE_H
#define SRC_FOREIGN_RESPONSE_H

#include <stdbool.h>

#include "src/signal/wav_file.h"

/** Below this highest frequency the rule of 20 dB comes early [Hz]: by 0.85 ms at 1420, 3.5 at 355. */
#define FOREIGN_ONSET_BAND 4000.0

/** Is it none of the files that a run.json beside it names? FAILURE_CAPACITY without memory. */
int foreign_is(const char *path, bool *out, struct failure *failure);

/** What a recording may have suffered, in the channel where it is worst (from 1); zeroed: nothing seen. */
struct foreign_damage {
    double offset; /* that was removed */
    int offset_channel;
    size_t clipped; /* samples that stand at one largest value, as where an input was overloaded */
    double clipped_at;
    int clipped_channel;
};

/** Looks for both in all channels, and takes off constant offsets, as converters leave them: the mean of the
 * last tenth (at least 0.1 s), where it is most of what is there. Cut with the response, it would be a step
 * with sound in the lowest octaves. A file shorter than 0.2 s keeps its own.
 *
 * Clipped: eight or more samples of a channel at its largest or at its least value (to 2e-5), two or more in
 * a row in several places; or four in a row whose neighbours are lower by 1 % at once, as no peak of a
 * response is. Not looked for where the largest value is less than 200 steps of a channel's numbers. */
void foreign_mend(struct wav_sound *sound, struct foreign_damage *out);

/** The `n`th sentence (from 0) of what `path` has suffered, to be warned of. False behind the last. */
#define FOREIGN_SENTENCE 4400
bool foreign_tell(const struct foreign_damage *damage, const char *path, int n, char text[FOREIGN_SENTENCE]);

/** The highest frequency that a rate carries here, 0.49 of it [Hz]. */
double foreign_carried(double rate);

/** Where the spectrum of a response obviously ends: the frequency above which nothing is left that comes
 * within 40 dB of the octave below it, in sixths of an octave, from 100 Hz on. `*out` is foreign_carried()
 * where it does not [Hz]. FAILURE_CAPACITY without memory: 16 bytes a sample, up to the next power of two. */
int foreign_highest(const float *sample, size_t count, double rate, double *out, struct failure *failure);

#endif
