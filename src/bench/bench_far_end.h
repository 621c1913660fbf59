/** The check that needs no second engine of the room: are the first, the middle and the last pressures right?
 *
 * A room of more than 2^31 nodes is stepped wrong where an index was kept in 32 bits, and mostly at its far
 * end; a room in parts where they meet. What a block holds after some steps depends on its neighbourhood
 * alone, so the reference back end steps that as a room of its own.
 */
#ifndef SRC_BENCH_FAR_END_H
#define SRC_BENCH_FAR_END_H

#include "kernels/engine/engine.h"
#include "src/bench/bench_check.h"
#include "src/bench/bench_rooms.h"

/** Most steps. */
#define BENCH_FAR_STEPS 20
/** Most blocks that are checked. */
#define BENCH_FAR_BLOCKS 8

/** Does `engine`, at most BENCH_FAR_STEPS after bench_engine(.., BENCH_TEXTBOOK_COURANT, rigid) of a room for
 * which bench_room_has_textbook(), hold the reference's bits in the blocks that are first, in the middle and
 * last in memory, in either layout? Nodes that are no air must be 0. Adds to `tally`. FAILURE_ANSWER_NO names
 * the first node that is wrong; FAILURE_OUTPUT and FAILURE_CAPACITY as engine_failed(), FAILURE_MEMORY.
 * O(blocks) time, and that of 343 blocks on one processor for each that is checked. */
int bench_check_far_end(const struct bench_room *room, const struct engine *engine, struct bench_tally *tally,
                        struct failure *failure);

#endif
