/** Wall entries of the layout that an engine steps, by their number in it. */
#ifndef KERNELS_ENGINE_WALL_ENTRIES_H
#define KERNELS_ENGINE_WALL_ENTRIES_H

#include "kernels/engine/engine_state.h"

/** True if the entry has the same node as the one before it. */
static inline bool wall_continues(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return box != NULL ? (box->wall[wall].node & BOX_WALL_CONTINUES) != 0
                       : (engine->room.blocks->wall[wall].slot & WALL_CONTINUES) != 0;
}

/** Number of a mesh material, or VOXELS_OPEN_FACE, VOXELS_NO_MATERIAL. */
static inline uint16_t wall_material(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return box != NULL ? box->wall[wall].material : engine->room.blocks->wall[wall].material;
}

/** Effective number of cut faces. */
static inline double wall_weight(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return (double)(box != NULL ? box->wall[wall].weight : engine->room.blocks->wall[wall].weight);
}

#endif
