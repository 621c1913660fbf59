/** The bounding-box layout: dense arrays over the box of the air with one layer of halo, and a link byte a
 * node.
 *
 *   index = ((z+1) (nodes_y+2) + (y+1)) (nodes_x+2) + (x+1),   (x,y,z) = node - low,  x fastest
 *
 * The sparse layout is compared with this one. Every back end can step it. */
#ifndef BLOCKS_BOX_GRID_H
#define BLOCKS_BOX_GRID_H

#include "blocks/block_grid.h"

/** As struct wall, with the node's index in the box arrays. Entries by rising node, then material. */
struct box_wall {
    uint64_t node; /* | BOX_WALL_CONTINUES for all but the first entry of a node */
    uint16_t material;
    uint16_t reserved; /* 0 */
    float weight;
};
#define BOX_WALL_CONTINUES (UINT64_C(1) << 63)
_Static_assert(sizeof(struct box_wall) == 16, "byte accounting counts 16 bytes a box wall entry");

/** As struct extra_node and extra_link of block_layout.h, by index in the box arrays. */
struct box_extra_node {
    uint64_t node, first;
    uint32_t links;
    uint32_t reserved; /* 0 */
};
struct box_extra_link {
    uint64_t node;
    int16_t crossed;
    uint8_t open;
    uint8_t reserved[5]; /* 0 */
};

/** With conformal walls the list nodes of the grid follow the box's planes. List node n is (x,y) = (n %
 * nodes_x, n / nodes_x % nodes_y) of plane list_plane + n / (nodes_x nodes_y), and nodes[2] counts these
 * planes too. */
struct box_grid {
    int64_t low[3];   /* lattice node of (x,y,z) = 0 */
    int64_t nodes[3]; /* without halo */
    uint64_t length;  /* product of nodes + 2 */
    uint8_t *links;   /* (length); halo 0 */
    uint64_t walls;
    struct box_wall *wall;
    uint64_t wall_nodes;
    uint64_t air_nodes;

    bool has_records; /* the fields below are filled in */
    uint64_t cuts;
    uint64_t *cut_node;          /* (cuts) index of every cut node, rising */
    struct cut_cell *cut;        /* (cuts) */
    float *gain;                 /* (cuts) */
    bool isotropic;              /* as in the grid */
    uint8_t (*plaquette)[EDGES]; /* (cuts) as in the grid; NULL otherwise */
    int64_t list_plane;          /* nodes[2] without list nodes */
    uint64_t list_nodes;
    int64_t (*list_voxel)[3]; /* (list_nodes) as in the grid */
    uint64_t extra_nodes, extra_links;
    struct box_extra_node *extra_node; /* (extra_nodes) rising in node */
    struct box_extra_link *extra_link; /* (extra_links) per node in the grid's order of (block, slot) */
};

/** Index of (x,y,z) = node - low; -1 and nodes[] reach the halo. */
static inline uint64_t box_index(const struct box_grid *box, int64_t x, int64_t y, int64_t z)
{
    return ((uint64_t)(z + 1) * (uint64_t)(box->nodes[1] + 2) + (uint64_t)(y + 1)) *
               (uint64_t)(box->nodes[0] + 2) +
           (uint64_t)(x + 1);
}

void box_grid_free(struct box_grid *grid);

/** Make the box of the air of a grid that block_grid_check() accepts. `out` is untouched on failure;
 * FAILURE_CAPACITY, with the bytes, if memory does not suffice. */
int box_grid_from_blocks(const struct block_grid *grid, struct box_grid *out, struct failure *failure);

/** Index of a lattice node in the box arrays, or UINT64_MAX outside the box (halo and list planes excluded).
 */
uint64_t box_grid_index(const struct box_grid *grid, const int64_t node[3]);

/** Index of list node n in the box arrays. */
uint64_t box_grid_list_index(const struct box_grid *grid, uint64_t n);

/** Index in the box arrays of a node, list nodes included, of the grid from which the box was made.
 * UINT64_MAX outside the box. */
uint64_t box_grid_block_index(const struct box_grid *grid, const struct block_grid *of, block_id b,
                              unsigned slot);

/** Hash of a field over the air, the same for both layouts (node coordinates and bits; -0 counts as +0). */
uint64_t block_field_hash(const struct block_grid *grid, unsigned real_bytes, const void *field);
uint64_t box_field_hash(const struct box_grid *grid, unsigned real_bytes, const void *field);

#endif
