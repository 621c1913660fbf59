/** What frequency-dependent walls hold, and what each material has absorbed: engine_energy() and
 * engine_absorbed() come here. */
#ifndef KERNELS_ENGINE_WALL_ENERGY_H
#define KERNELS_ENGINE_WALL_ENERGY_H

#include "kernels/engine/engine_state.h"

/** What the entries first .. last-1 hold: over 2 lambda that is in the units of engine_energy(). From
 * `state`, laid out as step_walls.state. */
double engine_wall_energy(const struct engine *engine, const void *state, uint64_t first, uint64_t last);

/** With a ledger: add what every entry has lost since the last call, on the device or on this machine, to
 * engine->absorbed. False when the engine is lost. */
bool engine_collect_losses(struct engine *engine);

/** Nothing has been absorbed yet. */
void engine_forget_absorbed(struct engine *engine);

#endif
