/** Finds the enclosed cavities of a room's cuts, and a clear place in one of them.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_CAVITY_LIST_H
#define GEOMETRY_CAVITY_LIST_H

#include "geometry/leak/room_cuts.h"
#include "geometry/voxel/clearance.h"
#include "geometry/voxel/flood.h"

/** A cavity on the list: any node of it, and its size. */
struct found_cavity {
    int64_t node[3];
    uint64_t air_nodes;
};

/** The largest cavities so far, largest first; equals stay in order of discovery. */
struct cavity_list {
    size_t limit, count;
    struct found_cavity *cavity; /* (limit + 1) */
    size_t all_count;            /* including those not listed */
    uint64_t all_air_nodes;
};

/** Flood every cavity that the flood has not reached, one after the other, and list them. `flood` should hold
 * the air from outside (flood_from_outside()) unless the scene is open. FAILURE_CAPACITY for memory. */
int cavity_list_find(struct flood *flood, struct cavity_list *list, struct failure *failure);

/** Move `node`, of the only cavity in `flood`, to a node of it that is clear of walls. That is the node with
 * the largest distance to a triangle, among those in the blocks furthest from walls (decimated if there are
 * many). FAILURE_CAPACITY for memory. O(block positions of the box). */
int cavity_clear_node(const struct flood *flood, const struct clearance *tree, int64_t node[3],
                      struct failure *failure);

#endif
