/** The layer behind the open faces of a room, as an engine steps it (kernels/scheme/layer_law.h).
 *
 * The step first updates these nodes like all others, then adds the loss of the layer to each, like a source.
 * The loss depends only on u, which is constant within a step, and on states of the node itself (those of a
 * link are kept at both ends). So any thread may step any node in any order.
 */
#ifndef KERNELS_ENGINE_LAYER_H
#define KERNELS_ENGINE_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/layer_tables.h"

struct block_grid;
struct engine;

/** Make engine->layer for the layer of the grid, if it has one. The terms of walls must exist. */
int engine_make_layer(struct engine *engine, struct failure *failure);
void engine_free_layer(struct engine *engine);

/** Set states and losses to 0. */
void engine_zero_layer(struct engine *engine);

/** Around the update of these indices: keep the values before it, then add the loss of the layer. */
void engine_hold_layer(const struct engine *engine, const void *u_old, uint64_t begin, uint64_t end);
void engine_step_layer(const struct engine *engine, const void *u, void *u_new, uint64_t begin, uint64_t end);

/** Add the energy that the layer absorbed since the last call to `absorbed`. False if the engine is lost. */
bool engine_collect_layer(struct engine *engine, double *absorbed);

/** Upper bound of the bytes of so many nodes, without branches of walls; and the bytes of an engine. */
uint64_t engine_layer_bytes_of(uint64_t nodes, unsigned real_bytes);
uint64_t engine_layer_bytes(const struct engine *engine);

/** Reals in an image of the nodes of the blocks `from` .. `to` - 1: three states a normal, and the loss. */
uint64_t engine_layer_reals(const struct engine *engine, uint64_t from, uint64_t to);
/** Read or write all of them, in the order of the grid. FAILURE_OUTPUT if the device fails. */
int engine_layer_get(struct engine *engine, void *reals, struct failure *failure);
int engine_layer_set(struct engine *engine, const void *reals, struct failure *failure);

/** True if one of the blocks first .. last-1 has a node of the layer. */
bool engine_layer_among(const struct engine *engine, uint64_t first, uint64_t last);

#endif
