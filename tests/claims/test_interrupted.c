/** What Ctrl-C leaves of a run: what can be made within the second that a user waits, and what to go on from;
 * with --discard nothing. How long it takes is not timed here, where machines are busy. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/fault_run.h"
#include "tests/support/json_path.h"

TestSuite(interrupted, .init = enter_folder, .fini = leave_folder);

#define RUN_OF(...)                                                                                          \
    TEST_PROGRAM, "simulate", "cube.obj", "--fmax", "300", "--absorption", "0.2", "--threads", "1",          \
        "--source", "1,1,1", "--receiver", "2,2,2", "-o", "run", __VA_ARGS__
/* So long that it does not end by itself. */
#define LASTING(...) RUN_OF("--duration", "120", __VA_ARGS__)

/* SIGINT so long after `file` is there, and the status of the end that is waited for. */
static void interrupt_after(const char *const *command, const char *file, double wait)
{
    const pid_t child = start(NULL, command);
    for (int n = 0; n < 10000 && !exists(file); n++)
        pause_for(0.002);
    pause_for(wait);
    cr_assert(eq(int, kill(child, SIGINT), 0));
    expect_status(finish(child), 130);
}

/* 400 responses of seconds, on one thread, take minutes; so do they where only they are left out. */
Test(interrupted, an_interrupted_run_ends_within_a_second_and_keeps_its_checkpoint)
{
    write_cube();
    time_limit = 200;
    interrupt_after((const char *const[]){LASTING("--grid-spacing", "0.1", "--receiver-grid",
                                                  "floor=0.5,0.5,0;2.5,0.5,0;2.5,2.5,0;0.5,2.5,0",
                                                  "--checkpoint", "0.5s", "--source", "2,1,1,other", NULL)},
                    "run/checkpoint.2", 0.5);
    expect_words("err", "transept simulate --resume run resumes it");
    cr_assert(exists("run/checkpoint.command"));
    cr_assert(not(exists("run/ir_S1_floor.wav")));
    cr_assert(eq(sz, count_entries("run", "map_"), 0));
    cr_assert(eq(sz, count_entries("run", ".part"), 0));
    if (!exists("run/run.json")) /* a busy machine: not even the receiver's */
        return;
    cJSON *record = read_json("run/run.json");
    const char *because = text_of(record, "partial_because");
    cr_assert(strstr(because, "interrupted: the responses of S1 end after ") != NULL &&
                  strstr(because, "left undone: 1 of 1 maps; sources without a result: other") != NULL,
              "%s", because);
}

/* One that is too short for checkpoints now and then. */
Test(interrupted, a_short_run_can_go_on_too)
{
    write_cube();
    expect_status(run(NULL, (const char *const[]){RUN_OF("--duration", "2", NULL)}), 0);
    cr_assert(eq(sz, count_entries("run", "checkpoint"), 0));
    cr_assert(eq(int, rename("run", "whole"), 0));
    for (double wait = 0.0; !exists("run/checkpoint.1"); wait = 1.3 * wait + 0.01) {
        cr_assert(wait < 10, "no interrupted run has left a checkpoint");
        expect_status(run(NULL, (const char *const[]){"/bin/rm", "-rf", "run", NULL}), 0);
        const pid_t child = start(NULL, (const char *const[]){RUN_OF("--duration", "2", NULL)});
        for (int n = 0; n < 10000 && !exists("run/checkpoint.command"); n++)
            pause_for(0.002);
        cr_assert(exists("run/checkpoint.command"), "it could not go on");
        pause_for(wait);
        kill(child, SIGINT);
        (void)finish(child); /* where it came too late: 0 */
    }
    expect_status(RUN("simulate", "--resume", "run"), 0);
    expect_words("err", "resumes at step");
    cr_assert(fault_holds("run", "whole", "run.json"), "run and whole differ");
    cr_assert(eq(sz, count_entries("run", ""), count_entries("whole", "")));
}

/* Blows before and after the interruption, which is in the middle of the sound of a drum. */
Test(interrupted, a_play_goes_on_with_the_same_bytes)
{
#define PLAY                                                                                                 \
    "play", "cube.obj", "--fmax", "250", "--absorption", "0.2", "--threads", "1", "--score", "score.yaml",   \
        "--receiver", "2,2,2,ear", "--ambisonics", "--duration", "6"
    write_cube();
    write_text(
        "score.yaml",
        "drums:\n- {name: low, position: [1, 1, 1]}\n- {name: high, position: [2, 1, 1], frequency_hz: "
        "130}\nstrikes:\n- {drum: low, time_s: 0, force_n: 150}\n- {drum: high, time_s: 5.5}\n");
    expect_status(RUN(PLAY, "-o", "whole"), 0);
    interrupt_after((const char *const[]){TEST_PROGRAM, PLAY, "-o", "run", "--checkpoint", "0.005s", NULL},
                    "run/checkpoint.2", 0);
    expect_words("err", "transept play --resume run resumes it");
    cr_assert(not(exists("run/play.json")));
    expect_status(RUN("play", "--resume", "run", "--linear"), 2);
    expect_status(RUN("play", "--resume", "run", "--threads", "2"), 0);
    expect_words("err", "resumes at step");
    cr_assert(fault_holds("run", "whole", "play.json"), "run and whole differ");
    cr_assert(eq(sz, count_entries("run", ""), count_entries("whole", "")));
    cJSON *const one = read_json("whole/play.json"), *const two = read_json("run/play.json");
    cr_assert(
        eq(dbl, record_at(one, "play.work_j")->valuedouble, record_at(two, "play.work_j")->valuedouble));
    cr_assert(eq(dbl, record_at(one, "play.drums.0.tension_rise_n_per_m")->valuedouble,
                 record_at(two, "play.drums.0.tension_rise_n_per_m")->valuedouble));
}

/* With --discard there is no time of grace: a signal at the first sound ends it before the second. */
Test(interrupted, a_play_that_writes_its_sounds_sees_a_signal)
{
#define SHORT                                                                                                \
    TEST_PROGRAM, "play", "cube.obj", "--fmax", "250", "--absorption", "0.2", "--threads", "1", "--drum",    \
        "1,1,1", "--receiver", "2,2,2,ear", "--receiver", "2,1,2,other", "--duration", "0.1", "-o"
    struct fault_call call[FAULT_CALLS_MAX];
    char option[100];
    if (!fault_possible())
        return;
    write_cube();
    cr_assert(fault_calls("renameat", "heard_", (const char *const[]){SHORT, "whole", NULL}, call) > 1);
    snprintf(option, sizeof option, "inject=%s:signal=SIGINT:when=%d", call[0].name, call[0].number);
    expect_status(fault_trace((const char *const[]){"-e", option, NULL},
                              (const char *const[]){SHORT, "run", "--discard", NULL}),
                  130);
    expect_words("err", "nothing of it is left");
    cr_assert(not(exists("run")));
}

Test(interrupted, a_discarded_run_leaves_nothing)
{
    const char *const lasting[] = {LASTING("--discard", "--checkpoint", "0.05s", NULL)};
    const char *const replacing[] = {LASTING("--discard", "--checkpoint", "0.05s", "--force", NULL)};
    write_cube();
    interrupt_after(lasting, "run/checkpoint.2", 0.1);
    expect_words("err", "nothing of it is left");
    expect_no_words("err", "--resume");
    cr_assert(not(exists("run")));
    /* A folder that was there stays, and what is in it. */
    cr_assert(eq(int, mkdir("run", 0777), 0));
    interrupt_after(lasting, "run/checkpoint.2", 0.1);
    cr_assert(exists("run"));
    cr_assert(eq(sz, count_entries("run", ""), 0));
    expect_status(run(NULL, (const char *const[]){RUN_OF("--duration", "0.1", "--force", NULL)}), 0);
    expect_status(run(NULL, (const char *const[]){"/bin/cp", "-r", "run", "before", NULL}), 0);
    write_text("run/notes.txt", "mine");
    write_text("before/notes.txt", "mine");
    interrupt_after(replacing, "run/checkpoint.2", 0.1);
    cr_assert(fault_holds("run", "before", ""), "what was there has changed");
    cr_assert(eq(sz, count_entries("run", ""), count_entries("before", "")));
}

Test(interrupted, results_that_force_is_to_replace_stay_until_there_are_new_ones)
{
    const char *const replacing[] = {LASTING("--checkpoint", "0.05s", "--force", NULL)},
                      *const discarding[] = {LASTING("--discard", "--force", NULL)};
    write_cube();
    expect_status(run(NULL, (const char *const[]){RUN_OF("--duration", "0.1", NULL)}), 0);
    write_text("run/checkpoint.notes", "mine");
    expect_status(run(NULL, (const char *const[]){"/bin/cp", "-r", "run", "before", NULL}), 0);
    interrupt_after(replacing, "run/checkpoint.2", 0.3);
    expect_words("err", "the results of the earlier run stay", "transept simulate --resume run");
    expect_status(run(NULL, discarding), 2);
    expect_words("err", "give one of them");
    expect_status(run(NULL, (const char *const[]){"/bin/sh", "-c", "rm run/checkpoint.[12c]*", NULL}), 0);
    cr_assert(fault_holds("run", "before", ""), "what was there has changed");
}

/* The checkpoints of who began it are the user's. */
Test(interrupted, a_discarded_run_leaves_what_it_went_on_from)
{
    write_cube();
    interrupt_after((const char *const[]){LASTING("--checkpoint", "0.05s", "--force", NULL)},
                    "run/checkpoint.2", 0.0);
    interrupt_after((const char *const[]){TEST_PROGRAM, "simulate", "--resume", "run", "--discard", NULL},
                    "run/checkpoint.2", 0.5);
    cr_assert(exists("run/checkpoint.command") && exists("run/checkpoint.1"));
    expect_status(
        run(NULL, (const char *const[]){TEST_PROGRAM, "simulate", "--resume", "run", "--fmax", "2", NULL}),
        2);
}
