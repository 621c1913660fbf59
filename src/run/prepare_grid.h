/** From a room that was read to the grid that is stepped: the order in which resolution, air and back end are
 * found.
 */
#ifndef SRC_PREPARE_GRID_H
#define SRC_PREPARE_GRID_H

#include "src/run/plan/estimate.h"

/** Resolution (estimate_choose_resolution()), voxelising (room_voxelise()), back end
 * (estimate_choose_backend()), count the needs, and refuse them if they do not fit; print the facts. Failures
 * of these. */
int prepare_grid(struct room_setup *setup, struct room_estimate *estimate, struct room_needs *needs,
                 struct failure *failure);

#endif
