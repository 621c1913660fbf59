/** Chooses a place for a source or a receiver without a given one.
 *
 * The place is at a given height above the level of most of the floor (the nave, not the pews) and at least
 * AUTOMATIC_CLEARANCE from every surface. If there is none, it is as clear at any height; else nearly as
 * clear as any. Candidates are up to AUTOMATIC_CANDIDATES floor nodes, spread evenly, then as many air nodes.
 * The candidate is chosen whose distance from a given point is nearest to a share of the largest such
 * distance: neither at that point nor in the remotest corner. The same room gives the same place.
 */
#ifndef SRC_AUTOMATIC_PLACE_H
#define SRC_AUTOMATIC_PLACE_H

#include <stdbool.h>

#include "blocks/block_grid.h"
#include "geometry/voxel/clearance.h"

#define AUTOMATIC_CLEARANCE       1.0 /* [m] */
#define AUTOMATIC_SOURCE_HEIGHT   1.5 /* [m] */
#define AUTOMATIC_RECEIVER_HEIGHT 1.2 /* [m] */
#define AUTOMATIC_CANDIDATES      2048

/** In an open scene a place counts only if lines from it along the axes meet a wall in at least four of the
 * six directions. If there is no such place, all in the model's bounding box count. */
struct automatic_wish {
    double height;  /* above the floor [m] */
    double from[3]; /* distances are from here [m] */
    double share;   /* of the largest distance (-) */
    double apart;   /* least distance from there, and from each of `taken`, where the air allows it [m] */
    size_t taken_count;
    const double (*taken)[3]; /* (taken_count) places of others [m]; borrowed; NULL for none */
    bool inside;              /* of an open scene: not in the air around the room, see below */
    bool from_too;            /* `from` is itself a place that may be taken: a node of the air */
};

struct automatic_place {
    double position[3]; /* [m]; to the millimetre where nothing is near, so that it can be typed */
    int64_t node[3];    /* the air node nearest to it, a corner of its cell that no wall hides */
    double clearance;   /* to the nearest triangle [m] */
};

/** @param tree of the mesh whose air `grid` holds. FAILURE_CAPACITY for memory.
 * O(blocks + candidates log triangles). */
int automatic_place_find(const struct block_grid *grid, const struct clearance *tree,
                         const struct automatic_wish *wish, struct automatic_place *out,
                         struct failure *failure);

#endif
