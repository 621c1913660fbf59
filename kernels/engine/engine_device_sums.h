/** Sums that go through several engines (engine_sums.h) where one of them has a device. */
#ifndef KERNELS_ENGINE_DEVICE_SUMS_H
#define KERNELS_ENGINE_DEVICE_SUMS_H

#include "kernels/engine/engine_state.h"

/* As engine_energy_add() and engine_loss_add(), of what was looked at last. */
void engine_device_energy_add(const struct engine *engine, uint64_t first, uint64_t last,
                              struct engine_energy_sums *sums);
double engine_device_loss(const struct engine *engine, uint64_t entry);
void engine_device_loss_clear(struct engine *engine);
void engine_device_sums_free(struct device_sums *sums);

#endif
