/** Times rooms stepped in parts next to the same room in one part.
 *
 *   bench_parts()            the chosen rooms, schemes and precisions, in `bench`
 *   bench_parts_engine()     a room in the parts of any link (kernels/parts/engine_in_parts.h)
 *   bench_parts_time()       the two engines in turns
 *
 * Both take turns in short rounds, so that other load slows both; the median of the rounds' shares counts.
 * Before that both step the same field, and their hashes must agree. */
#ifndef SRC_BENCH_PARTS_H
#define SRC_BENCH_PARTS_H

#include "kernels/parts/engine_in_parts.h"
#include "src/bench/bench_rooms.h"

struct bench;

/** Result for a room in parts. */
struct bench_parts_speed {
    double seconds, seconds_one; /* of a step, best of the rounds: in parts, in one */
    double share;                /* median over rounds: seconds_one / (seconds x `singles`) */
    uint64_t bytes;              /* sent by all parts in a step */
};

/** An engine of the room in the parts of `link`, which it takes as engine_in_parts() does, its field filled
 * as that of bench_engine(). `hard`: no wall absorbs. `bytes` receives what all parts send in a step. */
int bench_parts_engine(const struct bench_room *room, const struct engine_options *options, bool hard,
                       struct part_link *link, struct engine **out, uint64_t *bytes, struct failure *failure);

/** Step both for about `seconds`, in turns. `singles`: the total power of the parts in units of that of
 * `one`; 1 if `one` has all threads. FAILURE_ANSWER_NO if the two differ, FAILURE_INTERRUPTED. */
int bench_parts_time(struct engine *one, struct engine *parts, unsigned singles, double seconds,
                     struct bench_parts_speed *out, struct failure *failure);

/** In bench->own.parts parts in this process, or one in each rank of MPI; prints a line, or an object of
 * JSON, for each case. */
int bench_parts(struct bench *bench, struct failure *failure);

/** True if parts are to be measured. */
bool bench_wants_parts(const struct bench *bench);

#endif
