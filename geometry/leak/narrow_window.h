/** The surroundings of one block, 24 nodes a side, as bits. For narrow.c only. */
#ifndef GEOMETRY_NARROW_WINDOW_H
#define GEOMETRY_NARROW_WINDOW_H

#include <stdint.h>

#include "geometry/voxel/voxels.h"

#define WINDOW_SIDE 24
#define WINDOW_PARTS                                                                                         \
    8 /* parts of the air distinguished in one window; air of further ones counts as narrow */

/* One bit a node, in rows of 32 along x; a rim of empty rows lies around the 24 x 24 rows of the window, so
 * that every row has its four neighbours one or WINDOW_STRIDE entries away. */
#define WINDOW_STRIDE (WINDOW_SIDE + 2)
#define WINDOW_ROWS   (WINDOW_STRIDE * WINDOW_STRIDE)
typedef uint32_t window_bits[WINDOW_ROWS];

static inline int window_row(int z, int y)
{
    return (z + 1) * WINDOW_STRIDE + y + 1;
}

/** The block of interest is at 8..15 along every axis. Bit n of link[a] is the link from node n to the next
 * one along axis a. */
struct narrow_window {
    window_bits air;
    window_bits link[3];    /* uncut, both ends in the window */
    window_bits opening[3]; /* links of narrow openings whose low end is in the block */
    int parts;
    window_bits part[WINDOW_PARTS]; /* the parts of the air (narrow.h), apart from each other */
};

/** Load the air around voxels->block[index]. */
void narrow_window_load(const struct voxels *voxels, size_t index, struct narrow_window *window);

/** Find parts and openings; returns the number of links in `opening`, which is unset if 0. */
unsigned narrow_window_search(struct narrow_window *window);

#endif
