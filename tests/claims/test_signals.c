/** What ends a run from outside, and what is kept then. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/fault_run.h"

TestSuite(signals, .init = enter_folder, .fini = leave_folder);

#define LONG                                                                                                 \
    "simulate", "cube.obj", "--fmax", "400", "--duration", "100", "--absorption", "0.1", CUBE_PLACES, "-o",  \
        "run"
/* So that there are responses, however long they take. */
#define KEEPING LONG, "--checkpoint", "0"

static void wait_a_little(int tenths)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    for (int i = 0; i < tenths; i++)
        nanosleep(&pause, NULL);
}

/* A run that takes much longer than the test, once it prints how fast it steps: then there is something to
 * keep. */
static pid_t start_long(const char *const *argument)
{
    bool steps = false;
    write_cube();
    const pid_t child = start(NULL, argument);
    for (int i = 0; i < 600 && !steps; i++) {
        wait_a_little(1);
        char *err = exists("err") ? read_text("err") : NULL;
        steps = err != NULL && strstr(err, "node/s") != NULL;
        free(err);
    }
    cr_assert(steps);
    return child;
}

static void expect_partial_run(void)
{
    cJSON *record = read_json("run/run.json");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(record, "partial")));
    cJSON_Delete(record);
    cr_assert(exists("run/ir_S1_R1.wav"));
    cr_assert(eq(sz, count_entries("run", ".transept-"), 0));
}

Test(signals, a_hangup_keeps_what_was_computed)
{
    const pid_t child = start_long((const char *const[]){TEST_PROGRAM, LONG, NULL});
    cr_assert(eq(int, kill(child, SIGHUP), 0));
    expect_status(finish(child), 130);
    cr_assert(exists("run/checkpoint.command") && exists("run/checkpoint.1"));
    cr_assert(eq(sz, count_entries("run", ".transept-"), 0));
}

Test(signals, again_within_a_second_they_lose_nothing_of_what_the_first_one_kept)
{
    const pid_t child = start_long((const char *const[]){TEST_PROGRAM, KEEPING, NULL});
    const int number[] = {SIGTERM, SIGTERM, SIGHUP, SIGINT};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        const struct timespec pause = {.tv_nsec = 1000000};
        cr_assert(eq(int, kill(child, number[i]), 0));
        nanosleep(&pause, NULL);
    }
    expect_status(finish(child), 130);
    expect_partial_run();
}

Test(signals, after_more_than_a_second_another_one_ends_it_at_once)
{
    if (!fault_possible())
        return;
    /* The first file takes five seconds to be safe on the disk. */
    const pid_t child = start_long((const char *const[]){"/usr/bin/strace", "-D", "-qq", "-o", "trace", "-e",
                                                         "inject=fsync:delay_enter=5000000:when=1",
                                                         TEST_PROGRAM, KEEPING, NULL});
    cr_assert(eq(int, kill(child, SIGTERM), 0));
    wait_a_little(15);
    cr_assert(eq(int, kill(child, SIGTERM), 0));
    cr_assert(eq(int, fault_wait(child), 128 + SIGTERM));
}

/* The signals that a process ignores, a bit each, the first of signal 1. */
static unsigned long long ignored_by(pid_t process)
{
    char path[64], line[200];
    unsigned long long bits = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *status = fopen(path, "r");
    cr_assert(status != NULL);
    while (fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "SigIgn: %llx", &bits) == 1)
            break;
    fclose(status);
    return bits;
}

Test(signals, that_were_ignored_when_it_began_stay_ignored)
{
    static const char ignoring[] = "trap '' HUP INT; exec \"$0\" \"$@\"";
    const pid_t child =
        start_long((const char *const[]){"/bin/sh", "-c", ignoring, TEST_PROGRAM, LONG, NULL});
    const unsigned long long both = 1ull << (SIGHUP - 1) | 1ull << (SIGINT - 1);
    cr_assert(eq(u64, ignored_by(child) & both, both));
    cr_assert(eq(int, kill(child, SIGHUP), 0));
    cr_assert(eq(int, kill(child, SIGINT), 0));
    wait_a_little(5);
    int status = 0;
    cr_assert(eq(int, (int)waitpid(child, &status, WNOHANG), 0));
    cr_assert(eq(int, kill(child, SIGTERM), 0));
    expect_status(finish(child), 130);
}
