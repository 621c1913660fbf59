#include "src/bench/bench_measure.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/interrupt.h"
#include "src/base/progress_line.h"
#include "src/base/sorted_doubles.h"
#include "src/run/plan/step_time.h"
#include "src/setup/room_setup.h"

/* Least duration of a turn, long compared with the waits of threads [s]. */
#define TURN_SECONDS 0.03
#define ROUNDS_MOST  1000

static double turns_for(double seconds)
{
    return ceil(TURN_SECONDS / fmax(seconds, 1e-6));
}

int bench_measure(const struct stream_limit *limit, enum precision precision, struct engine *const engine[2],
                  const double nodes[2], double seconds, struct bench_speed speed[2], struct failure *failure)
{
    static const enum layout order[2] = {LAYOUT_BLOCKS, LAYOUT_BOX};
    double *share[2], fastest = INFINITY, limit_rate = 0;
    int code = 0, rounds = 0;
    share[0] = malloc(2 * ROUNDS_MOST * sizeof **share);
    if (share[0] == NULL)
        return failure_memory(failure, 2 * ROUNDS_MOST * sizeof **share, "measured shares");
    share[1] = share[0] + ROUNDS_MOST;

    /* The first steps and one pass of the limit are not counted: they choose how the blocks are stepped, and
     * determine how many steps make a turn. */
    const struct engine *const blocks = engine[LAYOUT_BLOCKS];
    const uint64_t trial = blocks != NULL ? engine_trial_left(blocks) : 0, first = trial > 0 ? trial : 1;
    for (int i = 0; i < 2; i++)
        if (engine[order[i]] != NULL)
            fastest = fmin(fastest, step_time(engine[order[i]], first, NULL, NULL));
    const uint64_t pass = blocks != NULL ? engine_pass(blocks) : 1;
    const uint64_t steps = ((uint64_t)turns_for(fastest) + pass - 1) / pass * pass;
    const int passes = (int)turns_for(stream_limit_pass(limit, precision, 1));
    const double streamed = stream_limit_nodes(limit, precision);
    for (int i = 0; i < 2; i++)
        speed[i].seconds_per_step = INFINITY;

    const double end = progress_clock() + seconds;
    while (rounds < BENCH_ROUNDS_LEAST || (rounds < ROUNDS_MOST && progress_clock() < end)) {
        for (int i = 0; i < 2; i++) {
            const enum layout layout = order[i];
            if (engine[layout] == NULL)
                continue;
            if ((code = interrupt_stop(failure)) != 0)
                goto done;
            const double rate = streamed / stream_limit_pass(limit, precision, passes);
            const double step = step_time(engine[layout], steps, NULL, NULL);
            limit_rate = fmax(limit_rate, rate);
            speed[layout].seconds_per_step = fmin(speed[layout].seconds_per_step, step);
            share[layout][rounds] = nodes[layout] / step / rate;
        }
        rounds++;
    }
    for (int i = 0; i < 2; i++) {
        if (engine[i] == NULL)
            continue;
        speed[i].limit = limit_rate;
        speed[i].median_share = sort_for_median(share[i], (size_t)rounds);
    }
done:
    free(share[0]);
    return code;
}
