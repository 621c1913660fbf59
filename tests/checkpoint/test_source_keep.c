/* Checkpoints that a thread writes while steps go on: of their moment, whole before the next one and before
 * the end, and none of the run's trouble when they cannot be written. Of processors, which are asked for a
 * copy here as a device is. fdopen(), which every file that is written begins with, is this file's own. */
#define _GNU_SOURCE /* RTLD_NEXT, nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#include "tests/checkpoint/kept_source.h"

TestSuite(source_keep, .init = enter_folder, .fini = leave_folder);

/* ---- files that are slow, or not to be had ---- */

static struct {
    atomic_bool waits;  /* a file is opened when the run has made a step more */
    bool waits_on;      /* also when the run is interrupted */
    atomic_int refused; /* so many files to come are not */
    atomic_uint seen;   /* steps */
    atomic_uint gone_on;
} files;

FILE *fdopen(int descriptor, const char *mode)
{
    FILE *(*real)(int, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "fdopen");
    const unsigned begin = files.seen;
    if (mode[0] == 'r')
        return real(descriptor, mode);
    if (files.refused > 0) {
        files.refused--;
        errno = ENOSPC;
        return NULL;
    }
    /* Not for ever: where steps are slow the next checkpoint is due, and waits for this one. */
    for (int n = 0; n < 1000 && files.waits && files.seen == begin; n++)
        nanosleep(&(const struct timespec){.tv_nsec = 1000000}, NULL);
    files.gone_on += files.seen != begin;
    return real(descriptor, mode);
}

static void count_step(bool stops)
{
    files.seen++;
    if (stops)
        files.waits = files.waits_on; /* no step will come */
}

static void begin(void)
{
    after_step = count_step;
    begin_source(43, 41, 30, 0.1);
}

/* ---- claims ---- */

Test(source_keep, steps_go_on_while_a_checkpoint_is_written_and_it_is_of_its_moment)
{
    begin();
    struct given whole = run_source(NULL, 0, 0);
    const uint64_t half = whole.result.steps / 2;
    struct source_keep keep = keeps(true);
    files.waits = true;
    struct given stopped = run_source(&keep, 0.03, half);
    cr_assert(stopped.result.interrupted && stopped.result.steps == half);
    cr_assert(keep.saved >= 2 && keep.copied == keep.saved && keep.failed == 0);
    cr_assert(files.gone_on >= 1, "steps waited for every file");

    /* The newest is of the state at the interrupt, or was being written then. */
    struct source_keep again = keeps(false);
    struct given rest = run_source(&again, INFINITY, 0);
    cr_assert(first_step > 1 && first_step <= half + 1, "goes on with step %llu",
              (unsigned long long)first_step);
    expect_same(&whole, &rest);
    given_free(&rest);

    /* And the one before, which was written while steps went on, is as good; where it was due at the
     * interrupt it is of the same step. */
    cr_assert(eq(int, unlink(keep.serial % 2 == 1 ? "checkpoint.1" : "checkpoint.2"), 0));
    again = keeps(true);
    rest = run_source(&again, INFINITY, 0);
    cr_assert(first_step > 1 && first_step <= half + 1, "goes on with step %llu",
              (unsigned long long)first_step);
    expect_same(&whole, &rest);
    given_free(&rest);
    given_free(&stopped);
    given_free(&whole);
    end_source();
}

Test(source_keep, what_is_being_written_when_a_run_is_interrupted_is_its_last_checkpoint)
{
    enum { STEPS = 3 };
    begin();
    struct given whole = run_source(NULL, 0, 0);
    struct source_keep keep = keeps(true);
    files.waits = files.waits_on = true;
    struct given stopped = run_source(&keep, 0.0, STEPS); /* one after every step */
    cr_assert(keep.failed == 0 && keep.saved == STEPS, "%llu checkpoints", (unsigned long long)keep.saved);
    files.waits = files.waits_on = false;
    struct source_keep again = keeps(false);
    struct given rest = run_source(&again, INFINITY, 0);
    cr_assert(first_step == STEPS + 1, "goes on with step %llu", (unsigned long long)first_step);
    expect_same(&whole, &rest);
    given_free(&rest);
    given_free(&stopped);
    given_free(&whole);
    end_source();
}

Test(source_keep, without_a_copy_steps_wait_as_ever)
{
    begin();
    struct source_keep keep = keeps(false);
    struct given stopped = run_source(&keep, 0.01, 100);
    cr_assert(keep.saved >= 1 && keep.copied == 0 && files.gone_on == 0);
    given_free(&stopped);
    end_source();
}

Test(source_keep, a_file_that_a_thread_cannot_write_costs_nothing_but_itself)
{
    begin();
    struct given whole = run_source(NULL, 0, 0);
    struct source_keep keep = keeps(true);
    files.refused = 2;
    struct given given = run_source(&keep, 0.02, 0);
    cr_assert(keep.failed == 2 && keep.saved >= 1, "%llu lost, %llu saved", (unsigned long long)keep.failed,
              (unsigned long long)keep.saved);
    cr_assert(keep.serial == keep.saved);
    expect_same(&whole, &given);
    given_free(&given);
    given_free(&whole);
    end_source();
}
