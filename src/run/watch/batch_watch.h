/** Detects a batch of steps that does not end, and steps that have become slow.
 *
 * A device may hang; calls to the driver may then never return. So a separate thread counts the seconds of a
 * batch, not counting time in which this process is stopped (by Ctrl-Z or a scheduler). After BATCH_PATIENCE
 * seconds, or BATCH_TIMES times the expected time, if that is more, it prints one sentence and ends the
 * program with FAILURE_OUTPUT. Only this code and the commands end the process.
 *
 * A GPU or a processor that is too hot, or shared, continues at a fraction of its rate. One warning is given
 * when steps have taken more than twice as long as before for more than BATCH_SLOW_SECONDS. */
#ifndef SRC_BATCH_WATCH_H
#define SRC_BATCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#define BATCH_PATIENCE     60.0
#define BATCH_TIMES        100.0
#define BATCH_SLOW_SECONDS 60.0
#define BATCH_SLOW_WINDOW  5.0 /* window of a rate, in seconds of stepping */

/** The rate of steps. Starts zeroed. */
struct batch_rate {
    double seconds; /* of the window so far */
    uint64_t steps;
    double best;                  /* rate of the fastest window [steps/s] */
    double slow_seconds, slow_at; /* time below half of that, and the rate of the last window */
    bool told;
};

/** Add the time of a batch. True once, when the rate has been below half of `best` for long enough: the two
 * rates are rate->best and rate->slow_at. */
bool batch_rate_add(struct batch_rate *rate, uint64_t steps, double seconds);

/** Time limit for a batch of so many steps [s], if a step took `step` seconds before (0: unknown). */
double batch_patience(double least, uint64_t steps, double step);

struct batch_watch;

/** Start watching for batches that hang for `least` seconds or more. NULL without memory or a thread: then
 * nothing is watched, and all calls below accept NULL. */
struct batch_watch *batch_watch_start(double least);
void batch_watch_stop(struct batch_watch *watch);

/** Around a batch. */
void batch_watch_begin(struct batch_watch *watch, uint64_t steps);
void batch_watch_end(struct batch_watch *watch, uint64_t steps, double seconds);

#endif
