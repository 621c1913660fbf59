/** The layer behind the open faces of a room, as an engine steps it (kernels/scheme/layer_law.h).
 *
 * The sweep takes its nodes for any others; after it each is moved by what the layer takes, as a source would
 * move it. That is worked out from u alone, which no one writes within a step, and from states that are the
 * node's own (a link's are kept at both its ends), so nodes may be taken in any order, by anybody.
 */
#ifndef KERNELS_ENGINE_LAYER_H
#define KERNELS_ENGINE_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/layer_tables.h"

struct block_grid;
struct engine;

/** Set up engine->layer for the grid's layer, and on its device; nothing where there is none. Terms of walls
 * are made already. */
int engine_make_layer(struct engine *engine, struct failure *failure);
void engine_free_layer(struct engine *engine);

/** States and losses to 0. */
void engine_zero_layer(struct engine *engine);

/** Before the sweep of these indices: what a push is told by. After it: the push. */
void engine_hold_layer(const struct engine *engine, const void *u_old, uint64_t begin, uint64_t end);
void engine_step_layer(const struct engine *engine, const void *u, void *u_new, uint64_t begin, uint64_t end);

/** What the layer took since then; counted from 0 again. False when the engine is lost. */
bool engine_collect_layer(struct engine *engine, double *absorbed);

/** Bytes of what is kept by node, at most, of a grid with that many; the branches of walls apart. */
uint64_t engine_layer_bytes_of(uint64_t nodes, unsigned real_bytes);
uint64_t engine_layer_bytes(const struct engine *engine);

/** Reals of the nodes of a block in an image: of each three states by normal and what it has lost. Nodes of
 * the blocks `from` .. `to` - 1. */
uint64_t engine_layer_reals(const struct engine *engine, uint64_t from, uint64_t to);
/** All of them in the grid's order, out of the engine or into it. FAILURE_OUTPUT when its device fails. */
int engine_layer_get(struct engine *engine, void *reals, struct failure *failure);
int engine_layer_set(struct engine *engine, const void *reals, struct failure *failure);

/** Has one of the blocks first .. last-1 a node of the layer? */
bool engine_layer_among(const struct engine *engine, uint64_t first, uint64_t last);

#endif
