/** Checks the first, the middle and the last pressures without a second engine of the room.
 *
 * Errors of 32-bit indices in a room of more than 2^31 nodes appear mostly at its far end, errors of a room
 * in parts at their borders. The content of a block after some steps depends on its neighbourhood alone, so
 * the reference back end steps that as a room of its own. */
#ifndef SRC_BENCH_FAR_END_H
#define SRC_BENCH_FAR_END_H

#include "kernels/engine/engine.h"
#include "src/bench/bench_check.h"
#include "src/bench/bench_rooms.h"

/** Most steps. */
#define BENCH_FAR_STEPS 20
/** Most blocks checked. */
#define BENCH_FAR_BLOCKS 8

/** Check that `engine`, at most BENCH_FAR_STEPS after bench_engine(.., BENCH_TEXTBOOK_COURANT, rigid) of a
 * room for which bench_room_has_textbook(), holds the reference's bits in the first, middle and last blocks
 * in memory, in either layout. Nodes that are not air must be 0. Adds to `tally`. FAILURE_ANSWER_NO names the
 * first wrong node; FAILURE_OUTPUT and FAILURE_CAPACITY as engine_failed(), FAILURE_MEMORY. O(blocks) time,
 * and that of 343 blocks on one processor for each that is checked. */
int bench_check_far_end(const struct bench_room *room, const struct engine *engine, struct bench_tally *tally,
                        struct failure *failure);

#endif
