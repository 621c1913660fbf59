/** Dry sounds that the program makes, so that a room can be heard without a recording.
 *
 * They are the same samples every time, at 48 kHz, and peak at half of full scale.
 *
 * - clap: one hand clap. A burst of noise that rises within 0.3 ms and dies away with 3.5 ms, through a
 * resonance at 1.1 kHz whose skirts fall by 6 dB an octave on either side, as the air between two palms has
 * it (Repp, J. Acoust. Soc. Am. 81, 1987; Peltola et al., IEEE Trans. Audio Speech Lang. Process. 15, 2007:
 * one resonance between 0.5 and 2 kHz, decays of a few milliseconds). Half a second with the silence behind
 * it.
 * - organ: a chord of D major with its pedal, 3.2 s held, 4 s in all. Five pipes of a principal 8' and five
 * of an octave 4', each the sum of its harmonics up to 16 kHz, which fall as n^-1.3 and speak within 20 to 80
 * ms, the higher the sooner; pipes are up to 3 cents out of tune. Equal temperament on a' = 440 Hz.
 * - click: one sample, so that one hears the response itself. */
#ifndef SRC_DRY_SYNTHESIS_H
#define SRC_DRY_SYNTHESIS_H

#include <stddef.h>

#include "geometry/base/failure.h"

enum dry_word { DRY_CLAP, DRY_ORGAN, DRY_CLICK, DRY_WORDS };

/** "clap", "organ", "click". */
extern const char *const dry_word[DRY_WORDS];

/** @param out (count) mono at 48 kHz, owned by the caller; FAILURE_CAPACITY without memory. */
int dry_synthesise(enum dry_word word, float **out, size_t *count, struct failure *failure);

#endif
