/** Parts of run_compare.h that its files share: values by octave, means, and the maps of two runs. */
#ifndef SRC_RUN_COMPARE_GRIDS_H
#define SRC_RUN_COMPARE_GRIDS_H

#include "src/compare/run_compare.h"

/** Where the octave called `nominal` stands in the entry's octaves_hz; -1 without. */
int compared_octave_place(const cJSON *entry, int nominal);

/** The number there of `name` and `suffix`, an array; NaN where there is none. */
double compared_number_in(const cJSON *entry, const char *name, const char *suffix, int nominal);

/** A figure of two entries that have octaves_hz, in one octave, with its spread. */
struct compared_value compared_octave_value(const struct figure_kind *kind, const cJSON *first,
                                            const cJSON *second, int nominal);

/** The mean of `count` values, each `stride` bytes after the one before. */
void compared_mean_make(struct compared_mean *mean, const struct figure_kind *kind,
                        const struct compared_value *value, size_t count, size_t stride);

/** Add the octaves that both entries have, in order and each once. */
void compared_octaves_add(struct run_comparison *comparison, const cJSON *first, const cJSON *second);

/** Find grids of the same name heard from sources of the same name, and add their octaves. FAILURE_CAPACITY.
 */
int run_compare_find_grids(struct run_comparison *comparison, struct failure *failure);

/** Compare them once all octaves are known: point by point where both tables can be read and have the same
 * points (to 1 mm), else their means. FAILURE_CAPACITY. */
int run_compare_grids(struct run_comparison *comparison, struct failure *failure);

/** Add `name` to `object`: what only that run has, of responses and maps that are compared, `octaves_hz`; in
 * octaves that both have, `figures` (`word`, `octaves_hz`, `single_number`: only it has that); and `maps`
 * (`name`, `source`) without a partner. The level of the band is left out, which only runs to one fmax share.
 * False without memory. */
bool run_compare_alone_add(cJSON *object, const char *name, const struct run_comparison *comparison, int run);

#endif
