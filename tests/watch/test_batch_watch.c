/* A device that hangs ends the program with a sentence, and steps that have become slow are told once. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "geometry/base/failure.h"
#include "src/run/watch/batch_watch.h"
#include "tests/support/test_support.h"

static void sleep_for(double seconds)
{
    struct timespec pause = {.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&pause, &pause) != 0)
        ;
}

/* ---- no end ---- */

/* The status of a process that does that, and what it prints. */
static int status_of(void (*work)(void), double stopped, char *printed, size_t size)
{
    int ends[2], how = 0;
    cr_assert(eq(int, pipe(ends), 0));
    const pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], 2);
        work();
        _exit(0);
    }
    (void)close(ends[1]);
    if (stopped > 0.0) {
        sleep_for(0.3);
        (void)kill(child, SIGSTOP);
        sleep_for(stopped);
        (void)kill(child, SIGCONT);
    }
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], printed + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    printed[length] = '\0';
    (void)close(ends[0]);
    cr_assert(eq(int, (int)waitpid(child, &how, 0), (int)child));
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static void hang(void)
{
    struct batch_watch *watch = batch_watch_start(0.5);
    for (int n = 0; n < 20; ++n) {
        batch_watch_begin(watch, 50);
        batch_watch_end(watch, 50, 1e-4);
    }
    batch_watch_begin(watch, 512);
    sleep_for(100.0);
}

Test(batch_watch, a_batch_that_comes_to_no_end_ends_the_program_with_a_sentence)
{
    char printed[1000];
    cr_assert(eq(int, status_of(hang, 0.0, printed, sizeof printed), FAILURE_OUTPUT), "%s", printed);
    cr_assert(strstr(printed, "transept: the device hangs: a batch of 512 steps has not ended in ") != NULL,
              "%s", printed);
    cr_assert(strstr(printed, "and took 0.00102 s before") != NULL, "%s", printed);
}

/* For as long as the patience thrice over, in batches, between them, and in one that may take so long. */
static void work_on(void)
{
    struct batch_watch *watch = batch_watch_start(0.5);
    for (int n = 0; n < 8; ++n) {
        batch_watch_begin(watch, 4);
        sleep_for(0.1);
        batch_watch_end(watch, 4, 0.1);
    }
    for (int n = 0; n < 2; ++n) {
        batch_watch_begin(watch, 4);
        batch_watch_end(watch, 4, 1e-5);
    }
    sleep_for(0.8); /* files are written, say */
    batch_watch_begin(watch, 4);
    batch_watch_end(watch, 4, 0.1);
    batch_watch_begin(watch, 4); /* 100 times 0.1 s */
    sleep_for(0.8);
    batch_watch_end(watch, 4, 0.8);
    batch_watch_stop(watch);
}

static void work_while_stopped(void)
{
    struct batch_watch *watch = batch_watch_start(1.5);
    batch_watch_begin(watch, 4);
    sleep_for(0.5);
    batch_watch_end(watch, 4, 0.5);
    batch_watch_stop(watch);
}

Test(batch_watch, what_works_on_or_is_stopped_for_a_while_is_left_alone)
{
    char printed[1000];
    cr_assert(eq(int, status_of(work_on, 0.0, printed, sizeof printed), 0), "%s", printed);
    cr_assert(eq(str, printed, ""));
    cr_assert(eq(int, status_of(work_while_stopped, 3.0, printed, sizeof printed), 0), "%s", printed);
    cr_assert(eq(str, printed, ""));
}

Test(batch_watch, a_batch_may_take_a_minute_and_a_hundred_times_what_it_took)
{
    cr_assert(test_near(batch_patience(BATCH_PATIENCE, 1, 0.0), 60.0, 0.0));
    cr_assert(test_near(batch_patience(BATCH_PATIENCE, 512, 1e-4), 60.0, 0.0));
    cr_assert(test_near(batch_patience(BATCH_PATIENCE, 1, 30.0), 3000.0, 0.0));
}

/* ---- slower than before ---- */

/* Steps of `step` seconds for so long; how often that was told. */
static unsigned told_in(struct batch_rate *rate, double step, double seconds)
{
    unsigned told = 0;
    for (double passed = 0.0; passed < seconds; passed += 10.0 * step)
        told += batch_rate_add(rate, 10, 10.0 * step);
    return told;
}

Test(batch_watch, steps_at_less_than_half_their_rate_for_a_minute_are_told_once)
{
    struct batch_rate rate = {0};
    cr_assert(eq(u32, told_in(&rate, 0.01, 100.0), 0));
    cr_assert(eq(u32, told_in(&rate, 0.019, 100.0), 0)); /* not yet half */
    cr_assert(eq(u32, told_in(&rate, 0.021, 50.0), 0));  /* not yet a minute */
    cr_assert(eq(u32, told_in(&rate, 0.01, 20.0), 0));
    cr_assert(eq(u32, told_in(&rate, 0.03, 59.0), 0));
    cr_assert(eq(u32, told_in(&rate, 0.03, 20.0), 1));
    cr_assert(test_near(rate.best, 100.0, 1e-6));
    cr_assert(test_near(rate.slow_at, 1.0 / 0.03, 1e-6));
    cr_assert(eq(u32, told_in(&rate, 0.03, 500.0), 0));
    cr_assert(eq(u32, told_in(&rate, 0.01, 100.0) + told_in(&rate, 0.03, 500.0), 0));
}
