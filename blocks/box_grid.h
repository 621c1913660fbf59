/** The bounding-box layout: dense arrays over the box of the air with one layer of halo, and a link byte a
 * node.
 *
 *   index = ((z+1) (nodes_y+2) + (y+1)) (nodes_x+2) + (x+1),   (x,y,z) = node - low,  x fastest
 *
 * The yardstick that the sparse layout is measured against; a complete layout that every back end can step.
 */
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

struct box_grid {
    int64_t low[3];   /* lattice node of (x,y,z) = 0 */
    int64_t nodes[3]; /* without halo */
    uint64_t length;  /* product of nodes + 2 */
    uint8_t *links;   /* (length); halo 0 */
    uint64_t walls;
    struct box_wall *wall;
    uint64_t wall_nodes;
    uint64_t air_nodes;
};

/** Index of (x,y,z) = node - low; -1 and nodes[] reach the halo. */
static inline uint64_t box_index(const struct box_grid *box, int64_t x, int64_t y, int64_t z)
{
    return ((uint64_t)(z + 1) * (uint64_t)(box->nodes[1] + 2) + (uint64_t)(y + 1)) *
               (uint64_t)(box->nodes[0] + 2) +
           (uint64_t)(x + 1);
}

void box_grid_free(struct box_grid *grid);

/** The box of the air of a grid that block_grid_check() accepts. `out` untouched on failure; FAILURE_CAPACITY
 * with the bytes when memory does not hold it. */
int box_grid_from_blocks(const struct block_grid *grid, struct box_grid *out, struct failure *failure);

/** Index of a lattice node in the box arrays, or UINT64_MAX outside the box (halo excluded). */
uint64_t box_grid_index(const struct box_grid *grid, const int64_t node[3]);

/** Hash of a field over the air, the same for both layouts (node coordinates and bits; -0 counts as +0). */
uint64_t block_field_hash(const struct block_grid *grid, unsigned real_bytes, const void *field);
uint64_t box_field_hash(const struct box_grid *grid, unsigned real_bytes, const void *field);

#endif
