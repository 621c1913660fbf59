/** A comparison of two runs in words. */
#ifndef SRC_RUN_COMPARE_WORDS_H
#define SRC_RUN_COMPARE_WORDS_H

#include "src/present/compare/run_compare.h"

#define RUN_FINDING_MAX 1000
#define RUN_PLACE_MAX   320

/** What a listener would notice, in a sentence or two: of every aspect of sound (reverberation, clarity,
 * loudness, width, speech) and in either direction the figure whose mean differs most, where that is 1 JND or
 * more and not within the spread; of maps only where there are no pairs of responses. No verdict where the
 * runs have different schemes, and then the largest difference alone. Where the octaves end below 4 kHz it
 * says which they are and that nothing above was computed; of speech it says nothing below 500 Hz. Returns
 * `text`. */
const char *run_finding(const struct run_comparison *comparison, char text[RUN_FINDING_MAX]);

/** "S1 to nave_middle: T30 at 500 Hz 1.40 s -> 1.10 s, 4.3 JND shorter": the largest difference of a pair;
 * the receiver alone where there is one source. Empty where there is none. */
const char *run_place_words(const struct run_comparison *comparison, size_t pair, char text[RUN_PLACE_MAX]);

#endif
