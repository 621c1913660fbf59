/** The arrays of the sparse layout: the air of a room in 8x8x8 blocks, an array of structs with neighbour ids
 * and link tiles.
 *
 *   block[0]            the empty block: no links, pressure 0, every neighbour is itself
 *   block[1..blocks]    occupied blocks, numbered along a Hilbert curve: a range of ids is a compact region
 *     .neighbour[6]     -x +x -y +y -z +z; 0 where there is none, so kernels need no branch
 *     .tile --> tile[t] 512 link bytes, deduplicated; TILE_EMPTY: no links, TILE_FULL: all six everywhere
 *
 *   node    = slot x + 8y + 64z of block b, index (size_t)b * 512 + slot into a pressure array
 *   link byte: bit d set if the link in direction d is uncut; K = its population count; 0 if not air
 *
 *   wall_first[b] .. wall_first[b+1]   the entries of block b in wall[], by rising slot, then material
 *
 * Records (grid->has_records): conformal walls, and every room of the isotropic scheme. A node that is not
 * wholly air, wholly open and of mass 1 is a cut node:
 *
 *   marks[t].cut       which nodes of the blocks with tile t have a record, .wall which have wall entries
 *   cut_first[b] .. cut_first[b+1]     the records of block b in cut[] and gain[], by rising slot
 *   cut[].open         weight of the link in every direction, of CUT_WHOLE; the same at both ends
 *   gain[]             lambda^2 / (CUT_WHOLE x mass of the node): v = d + gain sum(open (u_j - u))
 *
 * Further pieces of air in a voxel are list nodes, the nodes of the last `list_blocks` blocks. Their link
 * bytes and `open` are 0, and they have no neighbours and no place. Each has a record. List node n is slot n
 * % 512 of block list_first + n / 512. Links of list nodes are in extra_node[] and extra_link[], from both
 * ends. So are a few links at merged slabs (block_grid_pack_slabs()), which may join any two nodes. A node
 * with extra links has a record. A node is air when its link byte is not 0 or marks has it in cut. */
#ifndef BLOCKS_BLOCK_LAYOUT_H
#define BLOCKS_BLOCK_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/lower_bound.h"
#include "geometry/voxel/lattice.h"

#define BLOCK_EDGE  8
#define BLOCK_NODES 512
#define TILE_EMPTY  0u
#define TILE_FULL   1u
/** Edges of a voxel: number 4 plane + 2 (second axis +) + (first axis +), planes 0 xy, 1 xz, 2 yz. */
#define EDGES           12
#define BLOCK_LINKS_ALL 0x3Fu /* link byte of a node with all six links */

/** Most blocks of a grid (7 x 10^11 nodes): the find table stays within 2^31 slots, two thirds of them in
 * use. */
#define BLOCKS_MAX UINT32_C(1431655765)

/** Bytes of the seed's own block struct in double: six ints, u, u1, char k, padded
 * (kernels/ladder/seed_layout.h). */
#define BLOCK_SEED_BYTES 8728

typedef uint32_t block_id;

struct block {
    block_id neighbour[6];
    uint32_t tile;
    int32_t place[3]; /* first node = 8 place, in lattice nodes; or BLOCK_NO_PLACE */
};
_Static_assert(sizeof(struct block) == 40, "kernels and byte accounting count 40 bytes a block");

/** One material that a node touches. A node that touches several has several entries in a row; all but the
 * first carry WALL_CONTINUES. `weight` is the effective count of cut faces: the sum over the node's cut links
 * to that material of |n.e|, n the wall's unit normal and e the link (so an axis-parallel wall weighs exactly
 * 1), times the factor of its material once wall_areas.h has brought areas to the mesh's. With conformal
 * walls `weight` is the area that the node touches, in h^2. */
struct wall {
    uint16_t slot;     /* of the node in its block; | WALL_CONTINUES */
    uint16_t material; /* mesh material, VOXELS_OPEN_FACE or VOXELS_NO_MATERIAL */
    float weight;      /* (-) */
};
#define WALL_CONTINUES 0x8000u
#define WALL_SLOT      0x01FFu
#define WALL_SCALE_MAX 4.0 /* the factor of a material lies between this and its inverse */
_Static_assert(sizeof(struct wall) == 8, "byte accounting counts 8 bytes a wall entry");

/** The open part of a voxel, in parts of CUT_WHOLE, rounded to the nearest, equal from both ends of a link.
 */
struct cut_cell {
    uint8_t open[6];
    uint8_t volume;
    uint8_t reserved; /* 0 */
};
#define CUT_WHOLE 200 /* a whole face or voxel; up to 255 / 200 for cells that absorb their neighbours */
_Static_assert(sizeof(struct cut_cell) == 8, "byte accounting counts 8 bytes and a gain a cut node");

/** Nodes of a tile, by plane z, bit x + 8y. Tiles with equal links and different marks are two tiles. */
struct tile_marks {
    uint64_t cut[BLOCK_EDGE];  /* have a record */
    uint64_t wall[BLOCK_EDGE]; /* have wall entries; a part of cut */
};

/** Links of one node beyond those in its record. */
struct extra_node {
    uint32_t block;
    uint16_t slot;
    uint16_t links;
    uint64_t first; /* index into extra_link */
};
struct extra_link {
    uint32_t block; /* of the other end */
    uint16_t slot;
    int16_t crossed;     /* in 6 CUT_WHOLE, subtracted: piece_plaquettes.h. 7 points: 0 */
    uint8_t open;        /* of CUT_WHOLE; 0 only where `crossed` is not */
    uint8_t reserved[3]; /* 0 */
};
_Static_assert(sizeof(struct extra_link) == 12, "byte accounting counts 12 bytes an end of an extra link");

/** A voxel whose node was merged with another: the voxel of a sliver (cut_slivers.h). */
struct merged_node {
    int32_t place[3]; /* of its block, which need not be in the grid */
    uint16_t slot;    /* in that block */
    uint16_t into;    /* slot in .. */
    uint32_t block;   /* .. this block of the grid */
};

/** A link, from its low end, that a permeable sheet cuts. All other code treats the link as open; the sheet
 * resists the flow on it (kernels/engine/engine_sheets.h). */
struct sheet_link {
    uint32_t block;    /* of the low end */
    uint16_t slot;     /* of that node in its block */
    uint16_t material; /* mesh material */
    float layers;      /* of the sheet's resistance and mass (-) */
    uint8_t axis;      /* to the other end */
    uint8_t share;     /* of CUT_WHOLE: largest weight of plaquettes with this link (isotropic operator) */
    uint8_t sheets; /* number of sheets in `layers`, the sum of their 1 / |n.e|: 1, or 2 closer together than
                       a link */
    uint8_t reserved; /* 0 */
};
_Static_assert(sizeof(struct sheet_link) == 16, "byte accounting counts 16 bytes a link that a sheet cuts");

/** The law of one layer of a sheet at normal incidence, in the units of a step (kernels/scheme/sheet_law.h).
 * All values >= 0. pores_mass INFINITY: the sheet does not move. All 0, or pores_mass 0: the sheet has no
 * effect. */
struct sheet_law {
    double resistance, mass;             /* R_s, m_s, in series with all of the flow */
    double pores_resistance, pores_mass; /* R_p, m_p: resistance and mass of the flow through the pores,
                                            parallel to the motion of the sheet */
};

/** How far the links of a node of another part are open [of CUT_WHOLE]. */
struct ghost_opening {
    uint64_t index; /* its pressure index in a ghost */
    uint8_t open[DIRECTIONS];
};

/** Arrays are owned, freed by block_grid_free(); a zeroed grid is empty and may be freed. */
struct block_grid {
    struct lattice lattice;
    uint32_t blocks; /* occupied, those of further pieces included; ids are 1 .. blocks */
    uint32_t ghosts; /* in a part of a room (parts/part_grid.h): further blocks that only hold pressures */
    struct block *block; /* (blocks + 1) */
    uint32_t tiles;
    uint8_t (*tile)[BLOCK_NODES]; /* (tiles, 512) */
    uint64_t *wall_first;         /* (blocks + 2) */
    uint64_t walls;
    struct wall *wall; /* (walls) */
    uint64_t wall_nodes;
    uint64_t air_nodes;
    int64_t air_low[3], air_high[3]; /* bounding box of the air, inclusive lattice nodes */
    uint32_t find_slots;             /* power of two: open-addressing table place -> id */
    block_id *find_table;            /* (find_slots) 0 = free */

    bool has_records; /* nodes at walls have records: the fields below are filled in; else 0 and NULL */
    double lambda2;   /* for which the gains are made; 0: no gains yet (cut_masses.h) */
    struct tile_marks *marks; /* (tiles) */
    uint64_t *cut_first;      /* (blocks + 2) */
    uint64_t cuts;
    struct cut_cell *cut; /* (cuts) */
    float *gain;          /* (cuts) */
    uint32_t list_blocks; /* the last of `blocks` */
    uint64_t list_nodes;
    int64_t (*list_voxel)[3]; /* (list_nodes) the voxel of each */
    uint64_t list_before;     /* in a part: pieces of the first node's voxel that belong to an earlier part */
    uint64_t extra_nodes, extra_links;
    struct extra_node *extra_node; /* (extra_nodes) rising in (block, slot) */
    struct extra_link *extra_link; /* (extra_links) per node rising in (block, slot) */
    uint64_t merged;
    struct merged_node *merged_node; /* (merged) rising in (z,y,x) of place, then slot */

    uint8_t layer[DIRECTIONS]; /* planes of nodes at each face of the lattice's box that absorb the sound of
                                  an open scene (kernels/engine/engine_layer.h); 0: none */
    uint64_t ghost_opens;      /* in a part: nodes of ghosts beside own nodes of the layer */
    struct ghost_opening *ghost_open; /* (ghost_opens) rising */

    uint64_t sheets;          /* links that sheets cut: sheet_links.h */
    struct sheet_link *sheet; /* (sheets) rising in (block, slot, axis); NULL without. In a part: all links
                                 with an end in it; the last begin in ghosts */
    uint32_t laws;            /* block_grid_give_laws(); 0: no laws yet */
    struct sheet_law *law;    /* (laws) by mesh material; 0 for materials that are not sheets */

    bool isotropic;          /* for the 19-point operator (plaquettes.h); then staircases have records too */
    block_id (*edge)[EDGES]; /* (blocks + 1) the block across each edge; 0 where there is none */
    uint8_t (*plaquette)[EDGES]; /* (cuts) b of the plaquette towards the node across each edge, of CUT_WHOLE;
                                    0 without that node. All four of its nodes have the same */
};

void block_grid_free(struct block_grid *grid);

#define BLOCK_NO_PLACE INT32_MIN /* place[] of a block of list nodes */

/** The first block of list nodes; blocks + 1 without any. */
static inline block_id block_list_first(const struct block_grid *grid)
{
    return grid->blocks - grid->list_blocks + 1;
}

/** True if the node is air. */
static inline bool block_is_air(const struct block_grid *grid, block_id b, unsigned slot)
{
    const uint32_t tile = grid->block[b].tile;
    return grid->tile[tile][slot] != 0 ||
           (grid->marks != NULL && (grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1) != 0);
}

/** Depth of a lattice node in the layer behind a face of an open scene, from 1; 0 outside the layer. Nodes of
 * cells that a wall cuts may lie one beyond the lattice, at closed faces too. */
static inline int64_t block_layer_depth(const struct block_grid *grid, const int64_t node[3], int d)
{
    const int64_t planes = grid->layer[d],
                  within = d % 2 == 0 ? node[d / 2] : grid->lattice.nodes[d / 2] - 1 - node[d / 2];
    return within >= planes ? 0 : within < 0 ? planes : planes - within;
}
/** True if the node is in any layer. */
static inline bool block_in_layer(const struct block_grid *grid, const int64_t node[3])
{
    bool in = false;
    for (int d = 0; d < DIRECTIONS; d++)
        in = in || block_layer_depth(grid, node, d) > 0;
    return in;
}
static inline bool block_has_layer(const struct block_grid *grid)
{
    bool has = false;
    for (int d = 0; d < DIRECTIONS; d++)
        has = has || grid->layer[d] > 0;
    return has;
}

/** First of extra_node in a block or past it. O(log nodes). */
static inline uint64_t block_extra_from(const struct block_grid *grid, uint64_t b)
{
    uint64_t low = 0, high = grid->extra_nodes;
    LOWER_BOUND(low, high, at, grid->extra_node[at].block < b);
    return low;
}

/** First of sheet in a block or past it. O(log sheets). */
static inline uint64_t block_sheet_from(const struct block_grid *grid, uint64_t b)
{
    uint64_t low = 0, high = grid->sheets;
    LOWER_BOUND(low, high, at, grid->sheet[at].block < b);
    return low;
}

/** Record of a node that is marked in marks[].cut: the rank of its node. */
static inline uint64_t block_cut_record(const struct block_grid *grid, block_id b, unsigned slot)
{
    const uint64_t *const cut = grid->marks[grid->block[b].tile].cut;
    uint64_t record = grid->cut_first[b];
    for (unsigned z = 0; z < slot >> 6; z++)
        record += (uint64_t)__builtin_popcountll(cut[z]);
    return record + (uint64_t)__builtin_popcountll(cut[slot >> 6] & ((UINT64_C(1) << (slot & 63)) - 1));
}

/** How far a link of a node is open, of CUT_WHOLE. */
static inline unsigned block_opening(const struct block_grid *grid, block_id b, unsigned slot, unsigned d)
{
    const uint32_t tile = grid->block[b].tile;
    if (grid->marks != NULL && (grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1) != 0)
        return grid->cut[block_cut_record(grid, b, slot)].open[d];
    return grid->tile[tile][slot] >> d & 1 ? CUT_WHOLE : 0;
}

/** A gain is lambda^2 / (this x mass). */
static inline double block_gain_parts(const struct block_grid *grid)
{
    return grid->isotropic ? 6.0 * CUT_WHOLE : CUT_WHOLE;
}

/** First and second axis of an edge's plane, and whether it is on their + side. */
static inline unsigned edge_first_axis(unsigned edge)
{
    return edge < 8 ? 0 : 1;
}
static inline unsigned edge_second_axis(unsigned edge)
{
    return edge < 4 ? 1 : 2;
}
static inline unsigned edge_first_direction(unsigned edge)
{
    return 2 * edge_first_axis(edge) + (edge & 1);
}
static inline unsigned edge_second_direction(unsigned edge)
{
    return 2 * edge_second_axis(edge) + (edge >> 1 & 1);
}

/** Slot of node coordinates within a block. */
static inline unsigned block_slot(int64_t x, int64_t y, int64_t z)
{
    return (unsigned)(x & 7) | (unsigned)(y & 7) << 3 | (unsigned)(z & 7) << 6;
}

/** Slot of the neighbour in a direction, wrapped into the next block at a face; then `leaves` is true. */
static inline unsigned block_slot_beside(unsigned slot, unsigned d, bool *leaves)
{
    const unsigned shift = 3 * (d / 2), at = slot >> shift & 7, to = (d & 1 ? at + 1 : at + 7) & 7;
    *leaves = at == (d & 1 ? 7u : 0u);
    return (slot & ~(7u << shift)) | to << shift;
}

/** Slot of the node across an edge, wrapped; `beyond`: which block it is in, 0 this one, 1 + d a neighbour, 7
 * + e one across an edge. */
static inline unsigned block_slot_across(unsigned slot, unsigned edge, unsigned *beyond)
{
    const unsigned first = edge_first_direction(edge), second = edge_second_direction(edge);
    bool leaves_first, leaves_second;
    const unsigned to =
        block_slot_beside(block_slot_beside(slot, first, &leaves_first), second, &leaves_second);
    *beyond = leaves_first && leaves_second ? 7 + edge
              : leaves_first                ? 1 + first
              : leaves_second               ? 1 + second
                                            : 0;
    return to;
}

/** Node of the lattice in that slot of a block. */
static inline void block_node(const struct block *block, unsigned slot, int64_t node[3])
{
    for (int axis = 0; axis < 3; axis++)
        node[axis] = (int64_t)block->place[axis] * BLOCK_EDGE + (slot >> (3 * axis) & 7);
}

#endif
