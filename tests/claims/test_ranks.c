/** A room on several processes that mpirun starts: the same results, each told once, and an end for all.
 * Needs a program with MPI, and its mpirun; more processes than processors are welcome. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/claims/ranks_run.h"
#include "tests/support/json_path.h"

#define SMALL                                                                                                \
    "simulate", "cube.obj", "--fmax", "300", "--duration", "0.05", "--absorption", "0.1", "--threads", "1",  \
        "--quiet", CUBE_PLACES

TestSuite(ranks, .init = enter_ranks, .fini = leave_folder);

static void expect_same_file(const char *one, const char *other)
{
    struct stat status;
    cr_assert(stat(one, &status) == 0 && status.st_size > 1000);
    cr_assert(run("cmp-out", (const char *const[]){"/usr/bin/env", "cmp", one, other, NULL}) == 0,
              "%s is not %s", other, one);
}

/* A gauze across most of it, from part to part. */
static void write_cube_with_gauze(void)
{
    write_cube();
    FILE *const file = fopen("cube.obj", "a");
    cr_assert(file != NULL);
    (void)fprintf(file, "usemtl sheet_of_gauze\nv 1.2 0 0.2\nv 1.7 3 0.2\nv 1.7 3 2.8\nv 1.2 0 2.8\n"
                        "f -4 -3 -2 -1\n");
    cr_assert(eq(int, fclose(file), 0));
}

/* Sources and ears of the cube are in different parts of it, or between them. */
static void same_results(const char *const *more)
{
    static const char *const count[] = {"2", "3"};
    write_cube_with_gauze();
    expect_status(run(NULL, (const char *const[]){TEST_PROGRAM, SMALL, "-o", "one", more[0], more[1], more[2],
                                                  more[3], NULL}),
                  0);
    char *alone = read_text("one/run.json");
    cr_assert(strstr(alone, "flow_resistance_pa_s_m") != NULL, "the gauze is no sheet");
    for (int n = 0; n < 2; n++) {
        expect_status(MPIRUN(count[n], SMALL, "--force", "-o", "several", more[0], more[1], more[2], more[3]),
                      0);
        expect_same_file("one/ir_S1_R1.wav", "several/ir_S1_R1.wav");
        char *record = read_text("several/run.json"), words[40];
        (void)snprintf(words, sizeof words, "cpu in %s ranks", count[n]);
        cr_assert(strstr(record, words) != NULL, "run.json has no \"%s\"", words);
    }
}

Test(ranks, two_and_three_write_what_one_writes)
{
    if (have_ranks())
        same_results((const char *const[]){"--scheme", "isotropic", "--walls", "conformal"});
}

Test(ranks, two_and_three_write_what_one_writes_with_staircases_in_double_precision)
{
    if (have_ranks())
        same_results((const char *const[]){"--precision", "double", "--walls", "staircase"});
}

/* Drums whose air is in different parts, and ears between them. */
Test(ranks, two_and_three_play_what_one_plays)
{
#define PLAYED                                                                                               \
    "play", "cube.obj", "--fmax", "250", "--duration", "0.2", "--absorption", "0.1", "--threads", "1",       \
        "--score", "score.yaml", "--ambisonics", "--receiver", "1.5,1.5,1.5,ear"
    if (!have_ranks())
        return;
    write_cube();
    write_text("score.yaml", "drums:\n- {name: mid, position: [1.5, 2, 1.5]}\n- {position: [1, 1, 1]}\n"
                             "strikes:\n- {drum: mid, time_s: 0.01}\n");
    expect_status(RUN(PLAYED, "-o", "one"), 0);
    expect_status(MPIRUN("2", PLAYED, "-o", "two"), 0);
    expect_status(MPIRUN("3", PLAYED, "-o", "three"), 0);
    expect_words("err", "cpu in 3 ranks");
    expect_words("one/play.json", "within the steps");
    expect_words("three/play.json", "within the steps");
    expect_same_file("one/heard_ear.wav", "two/heard_ear.wav");
    expect_same_file("one/heard_ear_ambix.wav", "three/heard_ear_ambix.wav");
}

Test(ranks, messages_come_once)
{
    if (!have_ranks())
        return;
    write_cube();
    expect_status(MPIRUN("3", "plan", "cube.obj", "--fmax", "300", "--absorption", "0.1", CUBE_PLACES), 0);
    cr_assert(eq(sz, count_in("err", "cube.obj: OBJ") + count_in("out", "cube.obj: OBJ"), 1));
    expect_status(MPIRUN("3", "simulate", "cube.obj", "--fmax", "none", "-o", "run"), 2);
    cr_assert(eq(sz, count_in("err", "transept: --fmax"), 1));
    expect_status(MPIRUN("2", SMALL, "-o", "run", "--layout", "box"), 2);
    cr_assert(eq(sz, count_in("err", "2 processes step a room in blocks"), 1));
    cr_assert(exists("run/run.json") == false);
}

/* Counted before the run, and held in it; the program itself and MPI come on top. */
Test(ranks, each_holds_what_was_predicted_and_no_more_than_the_program_beside)
{
    if (!have_ranks())
        return;
    write_cube();
    expect_status(MPIRUN("3", "plan", "cube.obj", "--fmax", "900", "--absorption", "0.1", CUBE_PLACES), 0);
    cr_assert(eq(sz, count_in("out", "3 ranks on "), 1));
    expect_status(MPIRUN("3", "simulate", "cube.obj", "--fmax", "900", "--duration", "0.002", "--absorption",
                         "0.1", "--threads", "1", "--quiet", CUBE_PLACES, "-o", "run"),
                  0);
    cJSON *record = read_json("run/run.json");
    const cJSON *rank = NULL, *ranks = record_at(record, "ranks");
    cr_assert(eq(int, cJSON_GetArraySize(ranks), 3));
    cJSON_ArrayForEach(rank, ranks)
    {
        const double predicted = number(rank, "bytes_predicted"), peak = number(rank, "bytes_peak");
        cr_assert(predicted > 1e6 && peak > predicted && peak < predicted + 100e6);
    }
}

Test(ranks, bench_times_them_beside_one_part)
{
    if (!have_ranks())
        return;
    expect_status(MPIRUN("2", "bench", "--nodes", "24", "--shape", "cube", "--scheme", "isotropic",
                         "--precision", "single", "--time", "0.1", "--threads", "1"),
                  0);
    cr_assert(eq(sz, count_in("out", "of one part"), 1));
    cr_assert(eq(sz, count_in("err", "2 ranks of 1 thread each"), 1));
}

/* As the mpirun of another MPI starts it: every process would take itself for the whole program. */
Test(ranks, one_that_finds_no_other_says_so_and_writes_nothing)
{
    if (!have_ranks())
        return;
    write_cube();
    expect_status(run(NULL, (const char *const[]){"/usr/bin/env", "SLURM_STEP_NUM_TASKS=2", TEST_PROGRAM,
                                                  SMALL, "-o", "run", NULL}),
                  2);
    cr_assert(eq(sz, count_in("err", "this is one of 2 processes that were started together"), 1));
    cr_assert(eq(sz, count_in("err", "sees no other"), 1));
    cr_assert(not(exists("run")));
}

Test(ranks, one_that_is_killed_ends_all)
{
    pid_t victim = 0;
    if (!have_ranks())
        return;
    write_cube();
    const pid_t job = start(
        "job-out", (const char *const[]){"/usr/bin/env", mpirun, "-n", "2", TEST_PROGRAM, "simulate",
                                         "cube.obj", "--fmax", "400", "--duration", "100", "--absorption",
                                         "0.1", "--threads", "1", CUBE_PLACES, "-o", "run", NULL});
    bool steps = false;
    for (int n = 0; n < 1200 && !steps; n++) {
        const struct timespec pause = {.tv_nsec = 100000000};
        nanosleep(&pause, NULL);
        steps = exists("run");
    }
    cr_assert(steps);
    victim = rank_of(job, "1");
    cr_assert(victim > 0 && kill(victim, SIGKILL) == 0);
    int status = 0;
    const pid_t ended = waitpid(job, &status, 0);
    cr_assert(ended == job);
    const bool told = WIFEXITED(status) && WEXITSTATUS(status) != 0;
    cr_assert(told);
    cr_assert(exists("run/run.json") == false);
}

/* Open MPI would start a daemon, which makes a folder and takes it away some time later. */
Test(ranks, a_launcher_that_does_not_speak_to_this_mpi_leaves_nothing_behind)
{
    if (!have_ranks())
        return;
    cr_assert(eq(int, mkdir("temporary", 0777), 0));
    setenv("TMPDIR", "temporary", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    expect_status(RUN("--version"), 2);
    cr_assert(eq(sz, count_entries("temporary", ""), 0));
}
