/** One signature for every back end: advance part of a room by one step, in place.
 *
 * A step reads u (step n) around each node and u_old (step n-1) at the node only, so step n+1 is written over
 * u_old, and any split of the room into disjoint ranges may be stepped at once. Ranges are counted in units:
 *
 *   blocks   unit = block id, 1 .. blocks            pressure index = id * 512 + slot
 *   box      unit = row of the haloed box, counted from row (y,z) = (-1,0): unit / (nodes_y+2) is z, rows
 * with y = -1 and y = nodes_y are halo and stay 0
 *
 * Wall nodes and cut nodes are updated with their unit. Bits are those of step_reference.
 */
#ifndef KERNELS_STEP_H
#define KERNELS_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "geometry/base/lower_bound.h"
#include "kernels/scheme/step_node.h"

/** Index in `material` of a wall entry's material. */
static inline unsigned step_wall_row(const struct step_walls *walls, uint16_t material)
{
    return material < VOXELS_NO_MATERIAL ? material
                                         : walls->materials + (material == VOXELS_NO_MATERIAL ? 1u : 0u);
}

/** The data of a room that a step needs; borrowed. */
struct step_room {
    const struct block_grid *blocks;
    const struct box_grid *box; /* NULL when blocks are stepped */
    const void *wall_q; /* (walls of the layout) in the run's real: q = kappa / (1 + kappa) at a node's first
                           entry; NULL with `walls` */
    double lambda2;
    const struct step_walls *walls; /* NULL: wall_q is all that is needed */
    const struct step_plan *plan;   /* kernels/cpu/step_plan.h; the reference and devices need none */
    bool fetchless;                 /* sweeps over blocks do not prefetch the next block */
};

/** Units first .. last-1. `u` and `u_old` point at index 0 of the layout's pressure arrays. */
typedef void step_function(const struct step_room *room, const void *u, void *u_old, uint64_t first,
                           uint64_t last);

/** The four versions that every back end brings, by layout and precision (enum layout, enum precision). */
typedef step_function *step_table[2][2];

extern const step_table step_reference;
extern const step_table step_portable;
#if defined(__x86_64__)
extern const step_table step_avx2;
extern const step_table step_avx512;
#endif

/** Units of a layout: blocks run over first = 1 .. last, a box over 0 .. last. */
static inline uint64_t step_first_unit(const struct step_room *room)
{
    return room->box == NULL ? 1 : 0;
}
static inline uint64_t step_last_unit(const struct step_room *room)
{
    if (room->box == NULL)
        return (uint64_t)room->blocks->blocks + 1;
    return (uint64_t)room->box->nodes[2] * (uint64_t)(room->box->nodes[1] + 2);
}

/** Pressure index of the first node of a unit. */
static inline uint64_t step_unit_index(const struct step_room *room, uint64_t unit)
{
    if (room->box == NULL)
        return unit * BLOCK_NODES;
    const uint64_t row = (uint64_t)room->box->nodes[0] + 2;
    return ((uint64_t)room->box->nodes[1] + 2) * row + unit * row;
}

/** First entry of box->wall at or past a pressure index. O(log walls). */
static inline uint64_t step_box_wall_from(const struct box_grid *box, uint64_t index)
{
    uint64_t low = 0, high = box->walls;
    LOWER_BOUND(low, high, at, (box->wall[at].node & ~BOX_WALL_CONTINUES) < index);
    return low;
}

/** True if the node in that slot of a block of a conformal grid is a cut node. */
static inline bool step_block_is_cut(const struct block_grid *grid, uint64_t id, unsigned slot)
{
    return (grid->marks[grid->block[id].tile].cut[slot >> 6] >> (slot & 63u) & 1u) != 0;
}

/** First record of a cut node of the box at or past a pressure index. O(log cuts). */
static inline uint64_t step_box_record_from(const struct box_grid *box, uint64_t index)
{
    uint64_t low = 0, high = box->cuts;
    LOWER_BOUND(low, high, at, box->cut_node[at] < index);
    return low;
}

/** First of box->extra_node at or past a pressure index. O(log nodes). */
static inline uint64_t step_box_extra_from(const struct box_grid *box, uint64_t index)
{
    uint64_t low = 0, high = box->extra_nodes;
    LOWER_BOUND(low, high, at, box->extra_node[at].node < index);
    return low;
}

/** Pressure index of the neighbour of a node. The node's link that way must be uncut. */
static inline uint64_t step_block_neighbour(const struct block *block, uint64_t id, unsigned slot,
                                            unsigned direction)
{
    static const unsigned stride[3] = {1, 8, 64};
    const unsigned axis = direction >> 1, step = stride[axis], at = slot / step & 7u;
    if (direction & 1u)
        return at < 7 ? id * BLOCK_NODES + slot + step
                      : (uint64_t)block->neighbour[direction] * BLOCK_NODES + slot - 7 * step;
    return at > 0 ? id * BLOCK_NODES + slot - step
                  : (uint64_t)block->neighbour[direction] * BLOCK_NODES + slot + 7 * step;
}
static inline uint64_t step_box_neighbour(const struct box_grid *box, uint64_t index, unsigned direction)
{
    const uint64_t row = (uint64_t)box->nodes[0] + 2, plane = row * ((uint64_t)box->nodes[1] + 2);
    const uint64_t step = direction < 2 ? 1 : direction < 4 ? row : plane;
    return direction & 1u ? index + step : index - step;
}

/** Pressure index of the node across an edge, in a grid for the isotropic scheme; in the empty block where
 * there is none. */
static inline uint64_t step_block_across(const struct block_grid *grid, uint64_t id, unsigned slot,
                                         unsigned edge)
{
    unsigned beyond;
    const uint64_t to = block_slot_across(slot, edge, &beyond);
    const uint64_t block = beyond == 0            ? id
                           : beyond <= DIRECTIONS ? grid->block[id].neighbour[beyond - 1]
                                                  : grid->edge[id][beyond - 1 - DIRECTIONS];
    return block * BLOCK_NODES + to;
}
/** The same in the box, of a node that is air. */
static inline uint64_t step_box_across(const struct box_grid *box, uint64_t index, unsigned edge)
{
    return step_box_neighbour(box, step_box_neighbour(box, index, edge_first_direction(edge)),
                              edge_second_direction(edge));
}

#endif
