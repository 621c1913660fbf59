/** The coefficients of wall nodes, from the materials that they touch. */
#ifndef KERNELS_ENGINE_WALLS_H
#define KERNELS_ENGINE_WALLS_H

#include "kernels/engine_state.h"

/** Wall entries of the layout that is stepped. */
uint64_t engine_wall_count(const struct engine *engine);

/** FAILURE_INPUT for an admittance that is not finite and >= 0, or a wall of a material past the table. */
int engine_check_materials(const struct engine *engine, const double *admittance, size_t material_count,
                           struct failure *failure);

/** q = kappa / (1 + kappa), kappa = lambda/2 sum(weight g), into engine->wall_q at each node's first entry,
 * worked out in double and rounded once; 0 at the others. */
void engine_fill_wall_q(struct engine *engine, const double *admittance);

/** The stored q of the node at a pressure index; 0 away from walls. */
double engine_wall_q_at(const struct engine *engine, uint64_t index);

#endif
