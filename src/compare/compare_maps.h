/** The maps of two runs compared, as a part of run_compare(). */
#ifndef SRC_COMPARE_MAPS_H
#define SRC_COMPARE_MAPS_H

#include "src/compare/run_compare.h"

/** Find grids of the same name with maps from sources of the same name, and add their octaves.
 * FAILURE_CAPACITY. */
int compare_maps_find(struct run_comparison *comparison, struct failure *failure);

/** Compare them once all octaves are known: point by point where both tables can be read and have the same
 * points (to 1 mm), else their means. FAILURE_CAPACITY. */
int compare_maps(struct run_comparison *comparison, struct failure *failure);

#endif
