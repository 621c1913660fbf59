/** A room whose own grid would take minutes to find: what a run takes is counted on a coarser one and scaled.
 */
#ifndef SRC_ESTIMATE_SCALED_H
#define SRC_ESTIMATE_SCALED_H

#include "src/run/plan/estimate.h"

/** Nodes of the model's box up to which `plan` makes the run's own grid: some seconds on two cores. */
#define ESTIMATE_COUNTED_NODES 4e7

/** Largest relative errors of air nodes, blocks, wall nodes and bytes of blocks and box, and of the time
 * step, which walls shorten more on a coarse grid (tests/plan/test_estimate_scaled.c). */
#define ESTIMATE_SCALED_ERROR 0.05
#define ESTIMATE_SCALED_STEP  0.27

/** room_voxelise(). If the model's box has more than request.plan.counted nodes, the grid has a third of
 * these. Positions that only a finer grid resolves make it finer. request.plan.scaled_to is then the
 * requested spacing. setup->grid has it again after estimate_scaled_end(), when speeds are measured. */
int estimate_voxelise(struct room_setup *setup, struct failure *failure);
void estimate_scaled_end(struct room_setup *setup);

#endif
