/** Both layouts of one room, stepped in turns and compared with each other.
 *
 * Two engines of the same room, options and taps, one in blocks and one in a bounding box, step the same
 * numbers of steps. Compared are every output sample of every receiver, and a hash of the whole field
 * (engine_hash) every LAYOUT_PAIR_HASH_STEPS steps and after the last one. Equal means equal bits, except
 * signed zero. A value that is not finite equals nothing, not even itself.
 *
 * A pulse needs hundreds of steps to cross a large room. Until it arrives, both fields are 0 for any links
 * and walls. So layout_pair_excite() first adds the same weak noise to every node of both: each link and each
 * wall coefficient has an effect from the first step on.
 *
 * Time: the layouts take turns in short batches of about LAYOUT_PAIR_BATCH_SECONDS, or two steps, so that
 * other load on the machine affects both. They alternate in which one begins a turn. The first step of a
 * batch finds the caches full of the other layout and is not timed. A layout's seconds per step are the
 * median over its batches. Nothing but engine_run() is timed: no hash, no comparison.
 */
#ifndef SRC_LAYOUT_PAIR_H
#define SRC_LAYOUT_PAIR_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "geometry/base/failure.h"
#include "kernels/engine/engine.h"

#define LAYOUT_PAIR_HASH_STEPS    100
#define LAYOUT_PAIR_BATCH_SECONDS 0.05

/** Everything is borrowed. */
struct layout_pair {
    const struct block_grid *grid; /* that both engines were made from */
    struct engine *engine[2];      /* by enum layout */
    size_t sources, receivers;     /* taps, the same in both */
};

struct layout_pair_settings {
    uint64_t steps;                         /* at least 1 */
    const char *const *receiver_name;       /* (receivers) for the sentence */
    FILE *progress;                         /* NULL: quiet */
    const volatile sig_atomic_t *interrupt; /* set by Ctrl-C; may be NULL */
};

struct layout_pair_result {
    bool identical;
    uint64_t steps;             /* done by both */
    uint64_t samples, hashes;   /* compared, the one that differed included */
    uint64_t hash;              /* of the blocks' field when it was last compared */
    size_t batches;             /* of each layout that were timed */
    double seconds_per_step[2]; /* median over the batches, by enum layout [s] */
};

/** Put the same noise on every air node of both engines: u = u_old, a multiple of 2^-16 below 2^-7 that
 * depends on the node's coordinates alone. O(air), threads. On a device through a copy of both levels on
 * the host; if that fails, layout_pair_run() fails. */
void layout_pair_excite(const struct layout_pair *pair);

/** Step both engines from their present state, all sources driven at once with 1 in step 0 and -1 in step 1.
 * That signal contains every frequency of the lattice.
 * @return 0 when all is identical; FAILURE_ANSWER_NO with one sentence that names the step and the receiver,
 * or the step, the two hashes and the first node that differs; FAILURE_CAPACITY for memory; FAILURE_OUTPUT
 * when a device failed; FAILURE_INTERRUPTED. `out` is always filled as far as the run went. Memory:
 * layout_pair_bytes(). */
int layout_pair_run(const struct layout_pair *pair, const struct layout_pair_settings *settings,
                    struct layout_pair_result *out, struct failure *failure);

/** Bytes that layout_pair_run() allocates. */
double layout_pair_bytes(uint64_t steps, size_t sources, size_t receivers);

#endif
