/** A batch of steps that comes to no end, and steps that have become slow.
 *
 * A device may hang: the thread that waits for it then waits in the driver for ever, and no call to the
 * driver can be trusted to return. So a thread of its own counts the seconds of a batch, in which this
 * process runs (one that is stopped, by Ctrl-Z or a scheduler, is not waited for), and after BATCH_PATIENCE
 * seconds, or BATCH_TIMES times what the steps took before, if that is more, it prints one sentence and ends
 * the program with FAILURE_OUTPUT. It is the one place below the commands that does so: nobody is left to
 * return to.
 *
 * A card or a processor that is too hot, or shared, goes on at a fraction of its rate. When steps have taken
 * more than twice as long as they did for more than BATCH_SLOW_SECONDS, that is said once.
 */
#ifndef SRC_BATCH_WATCH_H
#define SRC_BATCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#define BATCH_PATIENCE     60.0
#define BATCH_TIMES        100.0
#define BATCH_SLOW_SECONDS 60.0
#define BATCH_SLOW_WINDOW  5.0 /* rates are those of so many seconds of stepping */

/** How fast steps are. Starts zeroed. */
struct batch_rate {
    double seconds; /* of the window so far */
    uint64_t steps;
    double best; /* rate of the fastest window [steps/s] */
    double slow_seconds,
        slow_at; /* how long it has been below half of that, and the rate of the last window */
    bool told;
};

/** A batch took so long. True once, when the rate has been below half of `best` for long enough: the two
 * rates are rate->best and rate->slow_at. */
bool batch_rate_add(struct batch_rate *rate, uint64_t steps, double seconds);

/** Seconds that a batch of so many steps is waited for, when a step took `step` seconds before (0: unknown).
 */
double batch_patience(double least, uint64_t steps, double step);

struct batch_watch;

/** Start watching for batches that hang for `least` seconds or more. NULL without memory or a thread: nothing
 * is watched then, and all calls below take that. */
struct batch_watch *batch_watch_start(double least);
void batch_watch_stop(struct batch_watch *watch);

/** Around a batch. */
void batch_watch_begin(struct batch_watch *watch, uint64_t steps);
void batch_watch_end(struct batch_watch *watch, uint64_t steps, double seconds);

#endif
