/** Areas of walls in the grid against those of the mesh. */
#ifndef SRC_ROOM_AREAS_H
#define SRC_ROOM_AREAS_H

#include "src/setup/room_setup.h"

/** Bring the areas of the materials in `packed` to those of the mesh that face air (wall_areas.h), or only
 * measure them: with first-order walls, and with conformal ones, which have exactly what faces air. `out` is
 * owned by the caller. FAILURE_CAPACITY for memory. */
int room_rescale_areas(const struct room_setup *setup, struct block_grid *packed,
                       const struct voxel_findings *findings, struct wall_areas *out,
                       struct failure *failure);

/** Print what conformal walls made of the grid, with a warning where much volume was added; which surfaces
 * face air with a part or with both sides, and warn of those whose area the grid cannot carry. */
void room_print_areas(struct room_setup *setup);

#endif
