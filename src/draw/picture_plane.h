/** A plane of a room's nodes, the content of a slice.
 *
 * The plane is one layer of nodes across x, y or z; a pixel is a node. It is oriented as a plan or an
 * elevation: across is x (y for a plane across x), up is z (y for a plane across z). It spans the bounding
 * box of the air and a margin of one node, so that the surrounding walls are visible. */
#ifndef SRC_PICTURE_PLANE_H
#define SRC_PICTURE_PLANE_H

#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "kernels/engine/engine.h"

/** Zeroed is empty; owned, freed by picture_plane_free(). */
struct picture_plane {
    int axis;        /* that it is across: 0 x, 1 y, 2 z */
    int across, up;  /* the axes to the right and up */
    int64_t layer;   /* node along `axis` */
    double position; /* of that layer [m] */
    int64_t low[2];  /* first node across and up */
    size_t size[2];  /* nodes across and up */
    uint8_t *links;  /* (size[1], size[0]) link byte, block_grid.h; 0: no air. Bottom row first */
    float *value;    /* likewise; NaN without air */
    size_t blocks;   /* that the plane goes through */
    uint32_t *block; /* (blocks) their ids, rising */
};

/** The layer of nodes nearest to `position` [m] along `axis`. FAILURE_INPUT if it is beyond the air or holds
 * none: names the limits. FAILURE_CAPACITY for memory. O(blocks). */
int picture_plane_make(const struct block_grid *grid, int axis, double position, struct picture_plane *out,
                       struct failure *failure);

/** How the pressure follows from the engine's u. */
struct picture_pressure {
    double factor; /* of u, or with `rises` .. */
    bool rises;    /* .. of its gain in the last step: u is a velocity potential (drum.h) */
};

/** The pressures of a block. */
void picture_read_block(const struct engine *engine, uint32_t block, const struct picture_pressure *pressure,
                        double values[BLOCK_NODES]);

/** Fill plane->value with the pressure, rounded to float. Reads the plane's blocks and no others. The engine
 * steps `grid`, in either layout. FAILURE_OUTPUT as engine_failed(). */
int picture_plane_read(struct picture_plane *plane, const struct block_grid *grid,
                       const struct engine *engine, const struct picture_pressure *pressure,
                       struct failure *failure);

void picture_plane_free(struct picture_plane *plane);

#endif
