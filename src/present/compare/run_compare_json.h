/** A comparison of two runs as JSON. */
#ifndef SRC_RUN_COMPARE_JSON_H
#define SRC_RUN_COMPARE_JSON_H

#include <cjson/cJSON.h>

#include "src/present/compare/run_compare.h"

/** The whole comparison as JSON, owned by the caller; NULL without memory. Absent values are null.
 *
 *     first, second  names of the folders
 *     finding     what a listener would notice, in words
 *     matched     how many pairs of responses there are
 *     unmatched_first, unmatched_second   source, receiver of responses without a partner
 *     only_first, only_second   what only one run has: `octaves_hz`; in octaves that both have, `figures`
 *                 (`word`, `octaves_hz`, `single_number`); and `maps` (`name`, `source`) without a partner
 *     octaves_hz  nominal octaves that both runs have
 *     from_first, from_second   of each octave `waves` or `rays`
 *     figures     of each that both have: `name` (in JSON), `word`, `unit`, `jnd`, `relative`, and by
 *                 octave: `first`, `second` (means), `difference`, `jnds`, `largest_jnds` (of one pair,
 *                 without sign), `largest_at` (its number in `pairs`), `noticed` (so many pairs by 1 JND
 *                 or more), `pairs`, `spread`, `error` (bar of the difference, if a figure is from
 *                 rays), `certain` (beyond both; null: not known)
 *
 *     single_numbers   likewise, each one number
 *
 *     largest     the figure and octave whose mean differs by the most: `word`, `octave_hz`, `jnds`; or null
 *
 *     coverage    in octaves that one run has from rays and the other from waves (ray_coverage.h):
 *                 `octaves_hz`, `cells`, `within`, and `figures` with `cells`, `within`, `rms_jnds`,
 *                 `floor_jnds` by octave; null: no such octave
 *
 *     expected    `sabine_s` and `eyring_s`: first, second, difference, jnds by octave
 *
 *     pairs       every pair: source, receiver, source_moved_m, receiver_moved_m, octaves of each figure
 *                 and single numbers
 *
 *     grids       name, source, by_point, why, points_first, points_second and figures as above
 *
 *     changes     key, caution, words, first, second */
cJSON *run_comparison_json(const struct run_comparison *comparison);

/** A number as that JSON has it: rounded to seven digits, the precision of a float. NaN if it is not finite.
 */
double compared_rounded(double value);

#endif
