/** What ends a run from outside, and what is kept then. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/fault_run.h"
#include "tests/support/json_path.h"
#include "tests/support/sounds.h"

TestSuite(signals, .init = enter_folder, .fini = leave_folder);

#define LONG                                                                                                 \
    "simulate", "cube.obj", "--rays", "off", "--backend", "cpu", "--fmax", "600", "--duration", "100",       \
        "--absorption", "0.1", CUBE_PLACES, "-o", "run"
/* So that there are responses, however long they take. */
#define KEEPING LONG, "--checkpoint", "0"

/* A run that takes much longer than the test, once it prints how fast it steps: then there is something to
 * keep. */
static pid_t start_long(const char *const *argument)
{
    bool steps = false;
    write_cube();
    const pid_t child = start(NULL, argument);
    for (int i = 0; i < 600 && !steps; i++) {
        pause_for(0.1);
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
    const struct wav_sound sound = read_sound("run/ir_S1_R1.wav");
    cr_assert(test_near((double)sound.frames, record_number(record, "responses.0.samples"), 0));
    cr_assert(test_near((double)sound.frames / 48000, number(record, "duration_s"), 1e-3));
    cr_assert(lt(dbl, number(record, "duration_s"), 100));
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

Test(signals, further_signals_within_a_second_lose_nothing)
{
    const pid_t child = start_long((const char *const[]){TEST_PROGRAM, KEEPING, NULL});
    const int number[] = {SIGTERM, SIGTERM, SIGHUP, SIGINT};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        cr_assert(eq(int, kill(child, number[i]), 0));
        pause_for(0.001);
    }
    expect_status(finish(child), 130);
    expect_partial_run();
}

Test(signals, a_second_signal_after_a_second_ends_the_program_at_once)
{
    if (!fault_possible())
        return;
    /* The first file takes five seconds to be safe on the disk. */
    const pid_t child = start_long((const char *const[]){"/usr/bin/strace", "-D", "-qq", "-o", "trace", "-e",
                                                         "inject=fsync:delay_enter=5000000:when=1",
                                                         TEST_PROGRAM, KEEPING, NULL});
    cr_assert(eq(int, kill(child, SIGTERM), 0));
    pause_for(1.5);
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

Test(signals, signals_ignored_at_the_start_stay_ignored)
{
    static const char ignoring[] = "trap '' HUP INT; exec \"$0\" \"$@\"";
    const pid_t child =
        start_long((const char *const[]){"/bin/sh", "-c", ignoring, TEST_PROGRAM, LONG, NULL});
    const unsigned long long both = 1ull << (SIGHUP - 1) | 1ull << (SIGINT - 1);
    cr_assert(eq(u64, ignored_by(child) & both, both));
    cr_assert(eq(int, kill(child, SIGHUP), 0));
    cr_assert(eq(int, kill(child, SIGINT), 0));
    pause_for(0.5);
    int status = 0;
    cr_assert(eq(int, (int)waitpid(child, &status, WNOHANG), 0));
    cr_assert(eq(int, kill(child, SIGTERM), 0));
    expect_status(finish(child), 130);
}

/* Standard output and error are a pipe that is full and that nobody reads. */
static pid_t start_before_full_pipe(const char *const *argument, int pipe_end[2])
{
    static const char much[4096];
    cr_assert(eq(int, pipe(pipe_end), 0));
    const int flags = fcntl(pipe_end[1], F_GETFL);
    cr_assert(eq(int, fcntl(pipe_end[1], F_SETFL, flags | O_NONBLOCK), 0));
    while (write(pipe_end[1], much, sizeof much) > 0)
        ;
    cr_assert(eq(int, fcntl(pipe_end[1], F_SETFL, flags), 0));
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        dup2(pipe_end[1], 1);
        dup2(pipe_end[1], 2);
        execv(argument[0], (char *const *)argument);
        _exit(98);
    }
    return child;
}

Test(signals, an_interrupted_command_does_not_wait_for_who_does_not_read, .timeout = 60)
{
    static const char *const command[][8] = {{"materials"},
                                             {"plan", "cube.obj", "--fmax", "150", "--absorption", "0.1"}};
    write_cube();
    for (size_t c = 0; c < sizeof command / sizeof *command; c++) {
        int end[2], status = 0, waited = 0;
        const char *argument[10] = {TEST_PROGRAM};
        memcpy(argument + 1, command[c], sizeof command[c]);
        const pid_t child = start_before_full_pipe(argument, end);
        pause_for(2);
        cr_assert(eq(int, kill(child, SIGINT), 0));
        for (; waited < 30 && waitpid(child, &status, WNOHANG) == 0; waited++)
            pause_for(0.1);
        cr_expect(lt(int, waited, 30), "%s waits", command[c][0]);
        if (waited == 30) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
        cr_expect(eq(int, WIFEXITED(status) ? WEXITSTATUS(status) : -1, 130), "%s", command[c][0]);
        close(end[0]);
        close(end[1]);
    }
}

/* Runs the program under a limit, by a shell's word for it. */
static int run_limited(const char *limit, const char *const *argument)
{
    char line[100];
    const char *all[30] = {"/bin/bash", "-c", line};
    snprintf(line, sizeof line, "ulimit %s; exec \"$@\"", limit);
    all[3] = "bash";
    for (size_t a = 0; argument[a] != NULL && a < 25; a++)
        all[4 + a] = argument[a];
    return run(NULL, all);
}

Test(signals, the_end_of_a_limit_of_processor_time_keeps_what_was_computed)
{
    write_cube();
    expect_status(run_limited("-S -t 3", (const char *const[]){TEST_PROGRAM, LONG, NULL}), 130);
    cr_assert(exists("run/checkpoint.command") && exists("run/checkpoint.1"));
}

/* With less than 24 KiB no program at all begins here. */
Test(signals, a_small_limit_of_the_stack_is_told_or_raised_where_it_may_be)
{
    static const char *const small[] = {"-s 48", "-s 64", "-s 128", "-s 256"};
    write_cube();
    for (size_t s = 0; s < sizeof small / sizeof *small; s++) {
        expect_status(
            run_limited(small[s], (const char *const[]){TEST_PROGRAM, "plan", CUBE, CUBE_PLACES, NULL}), 3);
        expect_words("err", "limit of the stack");
    }
    expect_status(run_limited("-s 512", (const char *const[]){TEST_PROGRAM, "plan", CUBE, CUBE_PLACES, NULL}),
                  0);
    expect_status(
        run_limited("-S -s 64", (const char *const[]){TEST_PROGRAM, "plan", CUBE, CUBE_PLACES, NULL}), 0);
}
