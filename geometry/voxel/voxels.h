/** The air of a room, block by block: what the voxeliser makes and blocks/ packs.
 *
 * The lattice is cut into blocks of 8x8x8 nodes; block (0,0,0) starts at node (0,0,0). Only blocks that hold
 * air are listed, in rising order of (z,y,x) of their place. A bit set of 512 nodes is eight uint64 planes,
 * one per z, bit = x + 8y.
 *
 *   blocks[n]  place, detail --+      detail == VOXELS_OPEN_AIR: all 512 nodes are air, no link is cut
 *                              v
 *   detail[m]  air[8]  cut[6][8]  first_contact, contact_count --> contact[..]
 *
 * A link joins two neighbouring nodes. It is cut from both ends or from neither (cut is symmetric, also
 * across blocks). A link from an air node to a node that is not air is always cut.
 */
#ifndef GEOMETRY_VOXELS_H
#define GEOMETRY_VOXELS_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/voxel/lattice.h"

#define VOXELS_OPEN_AIR    UINT32_MAX /* voxel_block.detail of a block of nothing but air */
#define VOXELS_OPEN_FACE   UINT16_MAX /* material of the absorbing outer face of an open scene */
#define VOXELS_COSINE_ONE  32768
#define VOXELS_NO_MATERIAL (UINT16_MAX - 1u) /* a cut link without a wall behind it: rigid */

struct voxel_block {
    int32_t place[3]; /* first node = 8 place */
    uint32_t detail;  /* index into detail, or VOXELS_OPEN_AIR */
};

struct voxel_detail {
    uint64_t air[8];        /* nodes that are air */
    uint64_t cut[6][8];     /* by direction: air nodes whose link that way is cut; subset of air */
    uint64_t first_contact; /* index into contact */
    uint32_t contact_count; /* cut links of this block, at most 6 x 512 */
};

/** One end of a cut link: which wall the air node touches there (the hit nearest to the node). */
struct voxel_contact {
    uint16_t slot;     /* x + 8y + 64z of the air node in its block */
    uint16_t material; /* of the mesh, or VOXELS_OPEN_FACE, VOXELS_NO_MATERIAL */
    uint8_t direction;
    uint8_t reserved; /* 0 */
    uint16_t cosine;  /* |n.e| of the wall's unit normal and the link, in units of 1 / VOXELS_COSINE_ONE
                         (rounded); VOXELS_COSINE_ONE for a face of an open scene */
};

/** Arrays are owned and freed by voxels_free(); a zeroed struct is empty and may be freed. */
struct voxels {
    struct lattice lattice;
    size_t block_count;
    struct voxel_block *block; /* (block_count), rising in (z,y,x) */
    size_t detail_count;
    struct voxel_detail *detail;
    size_t contact_count;
    struct voxel_contact *contact; /* per detail in rising order of slot, then direction */
    uint64_t air_nodes;
    int64_t air_low[3], air_high[3]; /* bounding box of the air, inclusive node coordinates */
};

void voxels_free(struct voxels *voxels);

/** Heap bytes held. */
uint64_t voxels_bytes(const struct voxels *voxels);

/** Index of the block at `place`, or SIZE_MAX. Binary search, O(log block_count). */
size_t voxels_find(const struct voxels *voxels, const int32_t place[3]);

/** Index of the first block at `place` or after it in the order of the list, block_count past the last. The
 * blocks of a row along x follow one another from there. O(log block_count). */
size_t voxels_find_from(const struct voxels *voxels, const int32_t place[3]);

/** Is the node air, and is its link in `direction` cut? Nodes outside every block are not air. */
int voxels_is_air(const struct voxels *voxels, const int64_t node[3]);
int voxels_is_cut(const struct voxels *voxels, const int64_t node[3], enum direction direction);

/** Validator that explains: order, symmetry of cuts, cuts towards non-air, contacts against cuts, counts.
 * FAILURE_INPUT with the first thing found wrong. O(blocks). */
int voxels_check(const struct voxels *voxels, struct failure *failure);

#endif
