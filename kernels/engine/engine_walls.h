/** The coefficients of wall nodes, from the materials that they touch, and the frequency-dependent walls. */
#ifndef KERNELS_ENGINE_WALLS_H
#define KERNELS_ENGINE_WALLS_H

#include "kernels/engine/engine_state.h"

/** The materials of an engine's walls: one of the two pointers, the other NULL. */
struct engine_materials {
    size_t count;
    const double *admittance;           /* (count) */
    const struct wall_materials *walls; /* walls->count is `count` */
    bool open;                          /* the room has open faces, maybe in another part */
};

/** FAILURE_INPUT for an admittance that is not finite and >= 0, a branch that wall_terms_make() refuses, or a
 * wall of a material past the table. */
int engine_check_materials(const struct engine *engine, const struct engine_materials *materials,
                           struct failure *failure);

/** True if a wall entry of the grid is an open face. O(wall entries). */
bool engine_has_open_face(const struct engine *engine);

/** True if the walls have states, or with a ledger; equal in all parts of a room. */
bool engine_walls_have_states(const struct engine_materials *materials);

/** Make engine->walls and its tables, but no array by wall entry. */
int engine_make_materials(struct engine *engine, const struct engine_materials *materials,
                          struct failure *failure);

/** Bytes of the arrays by wall entry, and on processors of the plan (step_plan.h). */
uint64_t engine_wall_bytes(const struct engine *engine);

/** On processors, after materials: make the plan for engine->advance. */
int engine_plan_steps(struct engine *engine, struct failure *failure);

/** Allocate and fill the arrays by wall entry. `states`: allocate also states and losses, without writing to
 * them. With admittances engine->wall_q has, at the first entry of each node, q = kappa / (1 + kappa) with
 * kappa = lambda/2 sum(weight g) / mass, computed in double and rounded once; 0 at its other entries. */
int engine_fill_walls(struct engine *engine, const struct engine_materials *materials, bool states,
                      struct failure *failure);

/** Set states and losses of the entries first .. last-1 to 0; `last` UINT64_MAX: up to the end of the arrays.
 */
void engine_zero_walls(struct engine *engine, uint64_t first, uint64_t last);

void engine_free_walls(struct engine *engine);

/** q of the node at a pressure index, from its stored coefficients; 0 away from walls. */
double engine_wall_q_at(const struct engine *engine, uint64_t index);

/** The first entry of the node at a pressure index; returns the number of its entries. */
unsigned engine_wall_at(const struct engine *engine, uint64_t index, uint64_t *first);

/** Copy the states of `count` entries from `first` on: plane after plane as step_walls.state has them,
 * `stride` reals apart. False if the engine is lost. */
bool engine_read_states(struct engine *engine, uint64_t first, uint64_t count, void *values, uint64_t stride);

/** Update the states of `entries` entries from `wall` on, after a source added `push` to their node. */
void engine_push_walls(const struct engine *engine, uint64_t wall, unsigned entries, double push);

#endif
