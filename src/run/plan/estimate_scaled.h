/** A room whose own grid would take minutes to find: what a run takes is counted on a coarser one and scaled.
 */
#ifndef SRC_ESTIMATE_SCALED_H
#define SRC_ESTIMATE_SCALED_H

#include "src/run/plan/estimate.h"

/** Nodes of the model's box up to which `plan` makes the run's own grid, some seconds on two cores. */
#define ESTIMATE_COUNTED_NODES 4e7

/** How far air nodes, blocks, wall nodes and bytes of blocks and box may be off then, and the time step,
 * which walls shorten on a coarse grid more than on a fine one (tests/plan/test_estimate_scaled.c). */
#define ESTIMATE_SCALED_ERROR 0.05
#define ESTIMATE_SCALED_STEP  0.27

/** room_voxelise(), or where the model's box has more than request.plan.counted nodes, on a grid of a third
 * of these: then request.plan.scaled_to is the spacing asked for, which setup->grid has again after
 * estimate_scaled_end(), once speeds are measured. Positions that only a finer grid resolves make it finer.
 */
int estimate_voxelise(struct room_setup *setup, struct failure *failure);
void estimate_scaled_end(struct room_setup *setup);

#endif
