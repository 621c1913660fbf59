/** Does an engine still compute what the reference does? Memory that flips a bit, a card or a processor that
 * miscalculates, show nowhere else: the field stays finite, and small changes of it pass for sound.
 *
 * Around one step that nothing drives: before it, what some blocks and their neighbours hold (u, u_old, the
 * states of walls) is copied; after it, the reference (step_reference.c) steps the copy, and every bit of
 * these blocks must be the same, signed zero excepted. Works for every back end, layout and precision,
 * because they all promise those bits; of a box too, whose nodes are looked up. What is found is that the
 * blocks that were looked at went wrong in that step. A room is gone through in random order: a lasting fault
 * is met soon, a flip that happened once most likely is not, and only changes the sound as much as it does.
 */
#ifndef KERNELS_ENGINE_RECHECK_H
#define KERNELS_ENGINE_RECHECK_H

#include <stdbool.h>

#include "kernels/engine/engine.h"

#define RECHECK_BLOCKS 8u   /* in a row */
#define RECHECK_SHARE  0.01 /* of the time at most */

struct engine_recheck;

/** Steps between two checks so that they take RECHECK_SHARE of the time at most, by what both cost at best;
 * the same for equal rooms, back ends and numbers of threads. At least 64. */
uint64_t engine_recheck_apart(const struct engine *engine);

/** Which blocks a check at this step is of: `count` from *first on. */
uint32_t engine_recheck_range(const struct engine *engine, block_id *first);

/** Copy what a step of RECHECK_BLOCKS blocks reads, chosen by the number of steps done
 * (engine_recheck_range()). NULL when there is no memory for it, the engine is lost, or one of the blocks has
 * a node that a sheet moves: then nothing is checked. Some hundred kilobytes. Of an engine in parts every
 * part has a check of its own, with blocks of its own. */
struct engine_recheck *engine_recheck_begin(const struct engine *engine);

/** After engine_run() of one step without a drive. FAILURE_SIMULATION where a value differs: step, block,
 * place, both values, and what to do. FAILURE_OUTPUT as engine_failed(). Frees `check`, which may be NULL: 0
 * then. */
int engine_recheck_end(struct engine_recheck *check, const struct engine *engine, struct failure *failure);

/** One that is not ended: nothing is compared. NULL is accepted. */
void engine_recheck_drop(struct engine_recheck *check);

#endif
