/** Rooms stepped in parts, beside the same room in one part: how much of the speed of all is left?
 *
 *   bench_parts()            the rooms, schemes and precisions that are wanted, in `bench`
 *   bench_parts_engine()     a room in the parts of any link (kernels/parts/engine_in_parts.h)
 *   bench_parts_time()       the two engines in turns
 *
 * Both take turns in short rounds, so that a busy machine slows both alike; the median of the rounds' shares
 * counts. Before that both step the same field, which must have the same hash.
 */
#ifndef SRC_BENCH_PARTS_H
#define SRC_BENCH_PARTS_H

#include "kernels/parts/engine_in_parts.h"
#include "src/bench/bench_rooms.h"

struct bench;

/** What was measured of a room in parts. */
struct bench_parts_speed {
    double seconds, seconds_one; /* of a step, best of the rounds: in parts, in one */
    double share;                /* median over rounds: seconds_one / (seconds x `singles`) */
    uint64_t bytes;              /* that all parts send in a step */
};

/** An engine of the room in the parts of `link`, which it takes as engine_in_parts() does, its field filled
 * as that of bench_engine(). `hard`: no wall absorbs. `bytes` receives what all parts send in a step. */
int bench_parts_engine(const struct bench_room *room, const struct engine_options *options, bool hard,
                       struct part_link *link, struct engine **out, uint64_t *bytes, struct failure *failure);

/** Step both for about `seconds`, in turns. `singles`: how many times the power of `one` the parts have
 * together; 1 where `one` has all threads. FAILURE_ANSWER_NO where the two differ, FAILURE_INTERRUPTED. */
int bench_parts_time(struct engine *one, struct engine *parts, unsigned singles, double seconds,
                     struct bench_parts_speed *out, struct failure *failure);

/** In bench->own.parts parts in this process, or one in each rank of MPI; prints a line, or an object of
 * JSON, for each case. */
int bench_parts(struct bench *bench, struct failure *failure);

/** Are parts wanted? */
bool bench_wants_parts(const struct bench *bench);

#endif
