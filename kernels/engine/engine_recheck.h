/** Compare the steps of an engine with the reference. Nothing else shows a flipped bit in memory or a
 * processor that miscalculates: the field stays finite, and a small change sounds plausible.
 *
 * A check takes one step without a drive. Before it, some blocks and their neighbours are copied (u, u_old,
 * states of walls). After it, the reference (step_reference.c) steps the copy, and every bit of these blocks
 * must be equal, except the sign of zero. All back ends, layouts and precisions have these bits. Blocks are
 * chosen in random order: a lasting fault is found soon; a single flip is most likely missed.
 */
#ifndef KERNELS_ENGINE_RECHECK_H
#define KERNELS_ENGINE_RECHECK_H

#include <stdbool.h>

#include "kernels/engine/engine.h"

#define RECHECK_BLOCKS 8u   /* in a row */
#define RECHECK_SHARE  0.01 /* of the time at most */

struct engine_recheck;

/** Steps between two checks so that they take at most RECHECK_SHARE of the time, by estimated costs. Equal
 * for equal rooms, back ends and numbers of threads. At least 64. */
uint64_t engine_recheck_apart(const struct engine *engine);

/** The blocks of a check at this step: the returned number of them, from *first on. */
uint32_t engine_recheck_range(const struct engine *engine, block_id *first);

/** Copy the values that a step of engine_recheck_range() reads: some hundred kilobytes. NULL: nothing is
 * checked, because there is no memory, the engine is lost, or a sheet, layer or port changes a node of
 * these blocks. In a room in parts every part checks blocks of its own, unless the room has a port. */
struct engine_recheck *engine_recheck_begin(const struct engine *engine);

/** Compare, after engine_run() of one step without a drive. FAILURE_SIMULATION if a value differs, with step,
 * block, place, both values and advice. FAILURE_OUTPUT as engine_failed(). Frees `check`; NULL gives 0. */
int engine_recheck_end(struct engine_recheck *check, const struct engine *engine, struct failure *failure);

/** Free a check without comparing. NULL is accepted. */
void engine_recheck_drop(struct engine_recheck *check);

#endif
