/** How two runs differ to the ear: the figures of responses with the same names, in just noticeable
 * differences. */
#ifndef SRC_RUN_DIFFERENCES_H
#define SRC_RUN_DIFFERENCES_H

#include <cjson/cJSON.h>

/** Compare the responses of two runs, as run.json or a report has them. Responses belong together where
 * source and receiver have the same names; octaves by what they are called.
 *
 * The result, owned by the caller; NULL without memory:
 *
 *     matched     how many pairs of responses there are
 *     octaves_hz  those that both runs have, as they are called
 *     figures     of each that both have: `name` (in JSON), `word`, `unit`, `jnd`, `relative`, and by octave
 *                 `first`, `second` (means over the pairs that have it in both), `difference` (second -
 * first), `jnds` (the difference over the just noticeable one, of a relative figure 5 % of the first),
 *                 `largest_jnds` (of one pair, without sign) and `pairs`
 *     largest     the figure and octave whose mean differs by the most: `word`, `octave_hz`, `jnds`; or null
 *
 * Absent values are null. */
cJSON *run_differences(const cJSON *first, const cJSON *second);

#endif
