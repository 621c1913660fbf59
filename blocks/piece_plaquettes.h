/** Plaquettes of list nodes, and what their cubes need. Private to blocks/.
 *
 * Beside a thin wall that divides voxels, part of the nodes are list nodes. With dense ones alone in
 * plaquettes
 * (../plaquettes.h) the operator there is the seven-point one, whose shortest waves need up to three times
 * the mass at the usual lambda^2; it was borrowed from the air around, and a screen of no thickness was off
 * by 3 dB at fmax, .3 with these plaquettes (tests/ACCURACY.md, Diffraction).
 *
 * A cycle is four nodes, one in each voxel of a square of four, with links between them all. It is a
 * plaquette with the b of ../plaquettes.h if one is a list node and no node is in two cycles of its square. A
 * link is then in four plaquettes at most, as in the open, and the proof that K is positive semidefinite
 * holds as it is. Cycles in the layer of an open scene (kernels/engine/engine_layer.h) are left out, and the
 * few with a node that has no record. In
 *
 *   -b/6 (u00 - u10 - u01 + u11)^2 = -b/6 (sum over its links) (u_i - u_j)^2 + b/6 (sum over its diagonals)
 * ..
 *
 * all are differences between two nodes, so they are written as extra links: `crossed` of a link is the sum
 * of b of such plaquettes with it, less that of those of which it is a diagonal, and its weight is open -
 * crossed / 6.
 *
 * A cube that has a voxel with list nodes is the sum of its connected parts. A part with one node a voxel,
 * all of whose cycles are plaquettes, is a cube as in ../cube_bound.h, and else its rows are summed. */
#ifndef BLOCKS_PIECE_PLAQUETTES_H
#define BLOCKS_PIECE_PLAQUETTES_H

#include "blocks/block_layout.h"

/** Add extra links for these plaquettes to a grid that block_grid_widen() has given the others, where it has
 * list nodes. FAILURE_CAPACITY for memory; the grid is then untouched. O(list nodes log). */
int piece_plaquettes_add(struct block_grid *grid, struct failure *failure);

/** A cube with list nodes in its voxels, in the numbers of a block (cube_needs.c). */
struct piece_cube {
    block_id block;
    uint32_t cube;
};
/** The sum over such cubes of the need of a node (cube_needs.h). */
struct piece_need {
    uint64_t node, need; /* block x 512 + slot */
};

/** Owned, freed by piece_needs_free(); zeroed is empty. */
struct piece_needs {
    uint64_t cubes, nodes;
    struct piece_cube *cube; /* (cubes) rising; a cube is in the list of each block that it has corners in */
    struct piece_need *node; /* (nodes) rising */
};

/** Of an isotropic grid. Extra links of list nodes are counted here, others are not. FAILURE_CAPACITY for
 * memory. */
int piece_needs_make(const struct block_grid *grid, struct piece_needs *out, struct failure *failure);
void piece_needs_free(struct piece_needs *needs);

#endif
