/** The voxels with triangles, block by block, and the flood's air in them.
 *
 * A block of voxels consists of the cubes around the nodes of the block of the same place. Voxels outside the
 * lattice's box, around nodes -1 and on its far side, are included if triangles meet them.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_CELL_FIELD_H
#define GEOMETRY_CELL_FIELD_H

#include "geometry/leak/room_cuts.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/flood.h"
#include "geometry/voxel/triangle_bins.h"

#define VOXEL_SHIFT (LATTICE_SUBSTEPS / 2) /* from a voxel's low corner to its node */

/** Owned, freed by cell_field_free(); zeroed is empty. */
struct cell_field {
    const struct room_cuts *room; /* borrowed */
    const struct flood *flood;
    struct triangle_bins bins; /* of blocks of voxels; without `snapped` */
    uint64_t (*met)[8];        /* (bins.block_count) voxels that triangles meet */
    bool *wanted;              /* (bins.block_count) the block is to be cut; set by others */
    size_t block_count;        /* places with air of the flood or wanted */
    int32_t (*block)[3];       /* (block_count) rising in (z,y,x); made by others */
};

/** Bin the triangles and find the voxels that they meet; marks as `wanted` blocks with air of the flood and
 * blocks that share a face with such. FAILURE_CAPACITY. */
int cell_field_make(const struct room_cuts *room, const struct flood *flood, int threads,
                    struct cell_field *out, struct failure *failure);
void cell_field_free(struct cell_field *field);

/** Index of the bin of a place; SIZE_MAX if no triangle meets the block. */
size_t cell_field_bin(const struct cell_field *field, const int32_t place[3]);

/** Index into block[], or SIZE_MAX. */
size_t cell_field_block(const struct cell_field *field, const int32_t place[3]);

/** Air of the flood in the block at any place, also outside the box. */
void cell_field_air(const struct cell_field *field, const int32_t place[3], uint64_t air[8]);

/** A block and the 26 around it. Coordinates are those of voxels in the block, -8 .. 15. */
struct cell_window {
    int32_t place[3];
    size_t bin[27];
    uint64_t air[27][8], met[27][8];
};
#define CELL_WINDOW_MIDDLE 13

void cell_window_look(const struct cell_field *field, const int32_t place[3], struct cell_window *out);

/** Number of a neighbouring block in the window, by the coordinates of a voxel. */
static inline int cell_window_block(const int at[3])
{
    return ((at[2] + 8) >> 3) * 9 + ((at[1] + 8) >> 3) * 3 + ((at[0] + 8) >> 3);
}

static inline unsigned cell_slot(const int at[3])
{
    return (unsigned)(at[0] & 7) | (unsigned)(at[1] & 7) << 3 | (unsigned)(at[2] & 7) << 6;
}

static inline bool cell_window_air(const struct cell_window *window, const int at[3])
{
    return block_bits_has(window->air[cell_window_block(at)], cell_slot(at));
}

static inline bool cell_window_met(const struct cell_window *window, const int at[3])
{
    return block_bits_has(window->met[cell_window_block(at)], cell_slot(at));
}

static inline void cell_window_node(const struct cell_window *window, const int at[3], int64_t node[3])
{
    for (int axis = 0; axis < 3; axis++)
        node[axis] = 8 * (int64_t)window->place[axis] + at[axis];
}

#endif
