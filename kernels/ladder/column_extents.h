/** A room as columns of nodes along z, each with the stretches of it that are air (J. J. Lopez, D. Carnicero,
 * N. Ferrando, J. Escolano, Math. Comput. Model. 57, 2013): 8 bytes a stretch in place of a byte a node. A
 * link is open where both its ends are air, so a wall is at least a node thick, and all walls have one
 * admittance.
 *
 *   column = (y + 1) (nodes_x + 2) + x + 1, (x,y,z) from the low corner of the air: a ring without air
 *            lies around
 *   run[begin[column]] .. run[begin[column + 1] - 1], rising in z
 */
#ifndef KERNELS_LADDER_COLUMN_EXTENTS_H
#define KERNELS_LADDER_COLUMN_EXTENTS_H

#include "blocks/block_grid.h"
#include "kernels/scheme/engine_kinds.h"

struct column_run {
    int32_t low, past; /* z */
};

struct column_extents {
    int64_t nodes[3];       /* of the air's box */
    uint64_t columns;       /* with the ring */
    uint32_t *begin;        /* (columns + 1) */
    struct column_run *run; /* (begin[columns]) */
};

/** Of a grid without records. FAILURE_INPUT for a wall between two nodes of air, FAILURE_CAPACITY without
 * memory. O(stored nodes). */
int column_extents_make(const struct block_grid *grid, struct column_extents *out, struct failure *failure);
void column_extents_free(struct column_extents *extents);

/** q of a node by its number of cut links, as an engine has it with admittance `g` everywhere. */
void column_losses(double lambda2, double g, double q[7]);

/** One step of some columns on a processor: pressures in columns, z fastest, (columns, column_pitch()), 0
 * where there is no air and in the first and last place of a column; node z is at place z + 1. The bits of
 * step_reference. */
uint64_t column_pitch(const struct column_extents *extents);
void column_step(const struct column_extents *extents, enum precision precision, double lambda2,
                 const double q[7], const void *u, void *u_old, uint64_t first, uint64_t past);

#endif
