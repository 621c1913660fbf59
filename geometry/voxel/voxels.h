/** The air of a room, block by block: the output of the voxeliser and the input of blocks/.
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
 *
 * Cells (conformal walls, geometry/cell/air_cells.h). A voxel is the cube of one spacing around its node.
 * With `cells` every voxel that holds air of the room has a node, even if its centre is not air. Its pieces
 * are its open parts; the node is the piece that holds the centre if that is air, else the largest. `air`
 * holds the voxels with a node; a link is cut if no opening joins the two nodes. There are no contacts.
 * detail[m].first_cell, cell_count --> cell[..] are the voxels that are not wholly air and wholly open.
 * Further pieces of air in a voxel are in piece[], and every opening that has one of them at an end, in
 * opening[]. Lengths are in spacings here: areas in h^2, volumes in h^3. */
#ifndef GEOMETRY_VOXELS_H
#define GEOMETRY_VOXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/voxel/lattice.h"

#define VOXELS_OPEN_AIR    UINT32_MAX /* voxel_block.detail of a block of open air */
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
    uint32_t cell_count;    /* 0 without cells */
    uint64_t first_cell;    /* index into cell */
    uint64_t first_area;    /* index into area: those of the block's cells, in their order */
};

/** One end of a cut link: the wall that the air node touches there (the hit nearest to the node). */
struct voxel_contact {
    uint16_t slot;     /* x + 8y + 64z of the air node in its block */
    uint16_t material; /* of the mesh, or VOXELS_OPEN_FACE, VOXELS_NO_MATERIAL */
    uint8_t direction;
    uint8_t reserved; /* 0 */
    uint16_t cosine;  /* |n.e| of the wall's unit normal and the link, in units of 1 / VOXELS_COSINE_ONE
                         (rounded); VOXELS_COSINE_ONE for a face of an open scene */
};

/** One piece of air in one voxel. */
struct voxel_cell {
    float
        open[DIRECTIONS]; /* openings to the neighbours' nodes; equal from both sides; 0 of a further piece */
    float volume;
    uint16_t slot;  /* of the voxel in its block */
    uint16_t areas; /* entries in area, at most VOXELS_AREAS_MAX */
};
#define VOXELS_AREAS_MAX 6

/** Area of one material that a piece touches. */
struct voxel_area {
    float area;
    uint16_t material; /* of the mesh, or VOXELS_OPEN_FACE */
    uint16_t reserved; /* 0 */
};

/** A further piece of air in a voxel, which has a node. */
struct voxel_piece {
    struct voxel_cell cell; /* open[] is 0: openings are in opening[] */
    uint32_t block;         /* of its voxel: index into block */
    uint32_t reserved;      /* 0 */
    uint64_t first_area;
};

/** An opening between two pieces of neighbouring voxels, at least one of them a further piece. Each end is
 * block index x 512 + slot of a node, or VOXELS_PIECE | index into piece. */
struct voxel_opening {
    uint64_t end[2];
    float open;
    uint32_t reserved; /* 0 */
};
#define VOXELS_PIECE (UINT64_C(1) << 63)

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

    bool cells; /* the fields below are filled in */
    size_t cell_count;
    struct voxel_cell *cell; /* per detail in rising order of slot */
    size_t area_count;
    struct voxel_area *area; /* per cell by rising material; those of pieces last */
    size_t piece_count;
    struct voxel_piece *piece; /* in rising order of block, slot, then of falling volume */
    size_t opening_count;
    struct voxel_opening *opening; /* rising in (end[0], end[1]), each once, end[0] < end[1] */
};

void voxels_free(struct voxels *voxels);

/** Count the nodes of air and find their bounding box, from blocks and details. */
void voxels_measure(struct voxels *voxels);

/** Heap bytes held. */
uint64_t voxels_bytes(const struct voxels *voxels);

/** Index of the block at `place`, or SIZE_MAX. Binary search, O(log block_count). */
size_t voxels_find(const struct voxels *voxels, const int32_t place[3]);

/** Index of the first block at `place` or after it in the order of the list, block_count past the last. The
 * blocks of a row along x follow one another from there. O(log block_count). */
size_t voxels_find_from(const struct voxels *voxels, const int32_t place[3]);

/** True if the node is air; true if its link in `direction` is cut. Nodes outside every block are not air. */
int voxels_is_air(const struct voxels *voxels, const int64_t node[3]);
int voxels_is_cut(const struct voxels *voxels, const int64_t node[3], enum direction direction);

/** Validate voxels and name the first fault: order, symmetry of cuts, cuts towards non-air, contacts or cells
 * compared with cuts, counts. FAILURE_INPUT. O(blocks). */
int voxels_check(const struct voxels *voxels, struct failure *failure);

#endif
