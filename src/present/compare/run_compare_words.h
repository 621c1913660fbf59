/** Writes the findings of a comparison in words. */
#ifndef SRC_RUN_COMPARE_WORDS_H
#define SRC_RUN_COMPARE_WORDS_H

#include "src/present/compare/run_compare.h"

#define RUN_FINDING_MAX 1000
#define RUN_PLACE_MAX   320

/** The differences that a listener would notice, in a sentence or two. For every aspect of sound
 * (reverberation, clarity, loudness, width, speech) and either direction it names the figure whose mean
 * differs most, if that is at least 1 JND and certain (compared_certainty()); maps count only if there are no
 * pairs of responses. Runs of different schemes get no verdict but the largest difference. If the octaves end
 * below 4 kHz, the text names them, and the frequency above which nothing was computed. Speech is left out
 * below 500 Hz. Returns `text`. */
const char *run_finding(const struct run_comparison *comparison, char text[RUN_FINDING_MAX]);

/** "S1 to nave_middle: T30 at 500 Hz 1.40 s -> 1.10 s, 4.3 JND shorter": the largest difference of a pair;
 * without the source if there is only one. Empty without a difference. */
const char *run_place_words(const struct run_comparison *comparison, size_t pair, char text[RUN_PLACE_MAX]);

#endif
