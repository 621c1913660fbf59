/** Energy of frequency-dependent walls, and energy absorbed by each material, for engine_energy() and
 * engine_absorbed(). */
#ifndef KERNELS_ENGINE_WALL_ENERGY_H
#define KERNELS_ENGINE_WALL_ENERGY_H

#include "kernels/engine/engine_state.h"

/** Energy of the entries first .. last-1, times 2 lambda, in the units of engine_energy(). `state` is ordered
 * as step_walls.state. */
double engine_wall_energy(const struct engine *engine, const void *state, uint64_t first, uint64_t last);

/** What walls on a device hold, from a copy of their states, in the units of engine_energy(). NAN when the
 * engine is lost. */
double engine_fetched_wall_energy(struct engine *engine);

/** With a ledger: add the losses of all entries since the last call to engine->absorbed. False if the engine
 * is lost. */
bool engine_collect_losses(struct engine *engine);

/** The same of the entries on the host alone. */
void engine_collect_losses_here(struct engine *engine);

/** Set the absorbed energy to 0. */
void engine_forget_absorbed(struct engine *engine);

#endif
