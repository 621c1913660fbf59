#include "src/run/watch/batch_watch.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "geometry/base/failure.h"

/* ---- how fast ---- */

bool batch_rate_add(struct batch_rate *rate, uint64_t steps, double seconds)
{
    rate->seconds += seconds;
    rate->steps += steps;
    if (!(rate->seconds >= BATCH_SLOW_WINDOW))
        return false;
    const double now = (double)rate->steps / rate->seconds;
    rate->slow_seconds = now < 0.5 * rate->best ? rate->slow_seconds + rate->seconds : 0.0;
    rate->slow_at = now;
    rate->best = fmax(rate->best, now);
    rate->seconds = 0.0;
    rate->steps = 0;
    if (rate->told || !(rate->slow_seconds > BATCH_SLOW_SECONDS))
        return false;
    rate->told = true;
    return true;
}

double batch_patience(double least, uint64_t steps, double step)
{
    return fmax(least, BATCH_TIMES * (double)steps * step);
}

/* ---- no end ---- */

struct batch_watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double least, step; /* seconds: least patience; time of a step in the last batch */
    double left;        /* of the patience with the batch at hand; infinite between batches */
    double waited;
    uint64_t steps;
    bool stop;
};

static void end_program(const struct batch_watch *watch)
{
    char before[64] = "";
    if (watch->step > 0.0)
        (void)snprintf(before, sizeof before, " and took %.3g s before", (double)watch->steps * watch->step);
    (void)fprintf(
        stderr,
        "\ntransept: the device hangs: a batch of %llu steps has not ended in %.0f s%s; look in `dmesg` for "
        "lines with Xid, then reset the GPU or restart the machine; the results of this source are lost\n",
        (unsigned long long)watch->steps, watch->waited, before);
    _exit(FAILURE_OUTPUT);
}

/* A tenth of the least patience at a time, a second at most. Only time slept counts: while the process is
 * stopped, so is this. */
static void *watch_batches(void *context)
{
    struct batch_watch *watch = context;
    const double tick = fmin(1.0, 0.1 * watch->least);
    (void)pthread_mutex_lock(&watch->lock);
    while (!watch->stop) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        const double nanoseconds = (double)until.tv_nsec + 1e9 * tick;
        until.tv_sec += (time_t)(nanoseconds * 1e-9);
        until.tv_nsec = (long)fmod(nanoseconds, 1e9);
        /* Only time that was slept to its end counts: being woken means to stop. */
        if (pthread_cond_timedwait(&watch->changed, &watch->lock, &until) == 0)
            continue;
        watch->left -= tick;
        watch->waited += tick;
        if (watch->left <= 0.0)
            end_program(watch);
    }
    (void)pthread_mutex_unlock(&watch->lock);
    return NULL;
}

struct batch_watch *batch_watch_start(double least)
{
    pthread_condattr_t clock;
    struct batch_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return NULL;
    watch->least = least;
    watch->left = INFINITY;
    bool made = pthread_condattr_init(&clock) == 0;
    if (made) {
        made = pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) == 0 &&
               pthread_cond_init(&watch->changed, &clock) == 0 &&
               pthread_mutex_init(&watch->lock, NULL) == 0 &&
               pthread_create(&watch->thread, NULL, watch_batches, watch) == 0;
        (void)pthread_condattr_destroy(&clock);
    }
    if (made)
        return watch;
    free(watch);
    return NULL;
}

void batch_watch_begin(struct batch_watch *watch, uint64_t steps)
{
    if (watch == NULL)
        return;
    (void)pthread_mutex_lock(&watch->lock);
    watch->steps = steps;
    watch->waited = 0.0;
    watch->left = batch_patience(watch->least, steps, watch->step);
    (void)pthread_mutex_unlock(&watch->lock);
}

void batch_watch_end(struct batch_watch *watch, uint64_t steps, double seconds)
{
    if (watch == NULL)
        return;
    (void)pthread_mutex_lock(&watch->lock);
    watch->left = INFINITY;
    watch->step = seconds / (double)steps;
    (void)pthread_mutex_unlock(&watch->lock);
}

void batch_watch_stop(struct batch_watch *watch)
{
    if (watch == NULL)
        return;
    (void)pthread_mutex_lock(&watch->lock);
    watch->stop = true;
    (void)pthread_cond_signal(&watch->changed);
    (void)pthread_mutex_unlock(&watch->lock);
    (void)pthread_join(watch->thread, NULL);
    (void)pthread_cond_destroy(&watch->changed);
    (void)pthread_mutex_destroy(&watch->lock);
    free(watch);
}
