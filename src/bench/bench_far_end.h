/** The check that needs no second engine: are the first, the middle and the last pressures of a room right?
 *
 * A room of more than 2^31 nodes is stepped wrong where an index was kept in 32 bits, and mostly at its far
 * end. What a block holds after a few steps depends on its neighbourhood alone, so it is worked out on the
 * host in a window around the block, whatever the size of the room.
 */
#ifndef SRC_BENCH_FAR_END_H
#define SRC_BENCH_FAR_END_H

#include "kernels/engine/engine.h"
#include "src/bench/bench_check.h"
#include "src/bench/bench_rooms.h"

/** Most steps: the window around a block is so many nodes wider on all sides. */
#define BENCH_FAR_STEPS 4
/** Most blocks that are checked. */
#define BENCH_FAR_BLOCKS 8

/** Does `engine`, at most BENCH_FAR_STEPS after bench_engine(.., BENCH_TEXTBOOK_COURANT, rigid), hold what
 * the textbook recurrence gives, where it knows, in the blocks that are first, in the middle and last in
 * memory, in either layout? Nodes that are no air must be 0. Adds to `tally`. FAILURE_ANSWER_NO names the
 * first node that is wrong; FAILURE_OUTPUT and FAILURE_CAPACITY as engine_failed(). O(blocks) time, copies
 * BENCH_FAR_BLOCKS blocks. */
int bench_check_far_end(const struct bench_room *room, const struct engine *engine, struct bench_tally *tally,
                        struct failure *failure);

#endif
