/** The coefficients of wall nodes, from the materials that they touch, and the frequency-dependent walls. */
#ifndef KERNELS_ENGINE_WALLS_H
#define KERNELS_ENGINE_WALLS_H

#include "kernels/engine/engine_state.h"

/** What an engine's walls are made of: one of two, the other NULL. */
struct engine_materials {
    size_t count;
    const double *admittance;           /* (count) */
    const struct wall_materials *walls; /* count again */
};

/** FAILURE_INPUT for an admittance that is not finite and >= 0, a branch that wall_terms_make() refuses, or a
 * wall of a material past the table. */
int engine_check_materials(const struct engine *engine, const struct engine_materials *materials,
                           struct failure *failure);

/** Has any wall of this engine states or an energy account? */
bool engine_walls_have_states(const struct engine *engine, const struct wall_materials *walls);

/** Set up engine->walls and the tables beside it but allocate no array by wall entry. */
int engine_make_materials(struct engine *engine, const struct wall_materials *walls, struct failure *failure);

/** Bytes of the arrays by wall entry. */
uint64_t engine_wall_bytes(const struct engine *engine);

/** Allocate and fill them. `states`: also states and losses, which are not touched. With admittances, q =
 * kappa / (1 + kappa), kappa = lambda/2 sum(weight g) / the node's mass, goes into engine->wall_q at each
 * node's first entry, worked out in double and rounded once; 0 at the others. */
int engine_fill_walls(struct engine *engine, const struct engine_materials *materials, bool states,
                      struct failure *failure);

/** Zero the states and losses of the entries first .. last-1; `last` UINT64_MAX: and what lies past them. */
void engine_zero_walls(struct engine *engine, uint64_t first, uint64_t last);

void engine_free_walls(struct engine *engine);

/** q of the node at a pressure index as its stored coefficients make it; 0 away from walls. */
double engine_wall_q_at(const struct engine *engine, uint64_t index);

/** First entry of the node at a pressure index and, returned, how many it has. */
unsigned engine_wall_at(const struct engine *engine, uint64_t index, uint64_t *first);

/** A source has moved a node with `entries` entries from `wall` on. */
void engine_push_walls(const struct engine *engine, uint64_t wall, unsigned entries, double push);

#endif
