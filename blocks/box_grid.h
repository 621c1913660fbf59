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
    struct lattice lattice;
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

/** Step to the neighbour in the + direction of an axis. */
static inline uint64_t box_stride(const struct box_grid *box, int axis)
{
    const uint64_t row = (uint64_t)(box->nodes[0] + 2);
    return axis == 0 ? 1 : axis == 1 ? row : row * (uint64_t)(box->nodes[1] + 2);
}

/** Allocate zeroed link bytes for box->nodes and set length. FAILURE_CAPACITY. */
int box_grid_allocate(struct box_grid *box, struct failure *failure);

void box_grid_free(struct box_grid *grid);

/** Which wall a node touches at a cut link; `cosine` in units of 1 / VOXELS_COSINE_ONE. */
typedef void box_wall_at(void *context, const int64_t node[3], enum direction direction, uint16_t *material,
                         uint16_t *cosine);

/** A box from bare link bytes: any geometry at all, without a mesh.
 * @param low     lattice node of links[0]
 * @param nodes   extent of `links` (nodes[2], nodes[1], nodes[0]), x fastest, no halo; borrowed
 * @param links   bits 0..5 as in block_grid.h; a link counts when both its ends have it, so links out of
 *                the array or towards a byte of 0 are cut. Nodes that keep any link are the air
 * @param wall_at called for every cut link of an air node, by rising node, then direction; NULL: material 0,
 *                cosine 1
 * @param out     the tight box of the air; spacing 1 m, origin (0,0,0); owned by the caller, untouched on
 *                failure
 * FAILURE_INPUT without air, FAILURE_CAPACITY for memory. */
int box_grid_from_links(const int64_t low[3], const int64_t nodes[3], const uint8_t *links,
                        box_wall_at *wall_at, void *context, struct box_grid *out, struct failure *failure);

/** Exact converters: from(to(g)) gives g back bit for bit, numbering included. The grid given must be one
 * that its check accepts. `out` untouched on failure; FAILURE_CAPACITY with the bytes when memory does not
 * hold it.
 */
int box_grid_from_blocks(const struct block_grid *grid, struct box_grid *out, struct failure *failure);
int block_grid_from_box(const struct box_grid *grid, struct block_grid *out, struct failure *failure);

/** Index of a lattice node in the box arrays, or UINT64_MAX outside the box (halo excluded). */
uint64_t box_grid_index(const struct box_grid *grid, const int64_t node[3]);

/** Copy one field of `real_bytes` (4 or 8) a node between the layouts. Values at nodes that are not air are
 * written as 0. `blocks_field` holds (blocks + 1) x 512 values, `box_field` `length` values. */
void field_to_box(const struct block_grid *blocks, const struct box_grid *box, unsigned real_bytes,
                  const void *blocks_field, void *box_field);
void field_to_blocks(const struct block_grid *blocks, const struct box_grid *box, unsigned real_bytes,
                     const void *box_field, void *blocks_field);

/** Hash of a field over the air, the same for both layouts (node coordinates and bits; -0 counts as +0). */
uint64_t block_field_hash(const struct block_grid *grid, unsigned real_bytes, const void *field);
uint64_t box_field_hash(const struct box_grid *grid, unsigned real_bytes, const void *field);

/** Validator that explains: empty halo, symmetric links, walls exactly at the nodes with cut links, counts.
 */
int box_grid_check(const struct box_grid *grid, struct failure *failure);

/** Equal to block_grid_hash() of the same room. */
uint64_t box_grid_hash(const struct box_grid *grid);

#endif
