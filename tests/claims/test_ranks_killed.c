/** Several processes that share a room, of which one is killed, or all: who it was is said and how to go on,
 * and what goes on, in any number of processes, leaves what one leaves that nobody killed. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/claims/ranks_run.h"

TestSuite(ranks_killed, .init = enter_ranks, .fini = leave_folder);

#define ALONE(fmax)                                                                                          \
    "simulate", "cube.obj", "--fmax", fmax, "--absorption", "0.2", "--threads", "1", "--source", "1,1,1",    \
        "--receiver", "2,2,2", "-o", "run"
#define ROOM                                                                                                 \
    ALONE("300"), "--duration", "2", "--source", "2,1.5,1.2", "--receiver-grid",                             \
        "floor=0.5,0.5,0;2.5,0.5,0;2.5,2.5,0;0.5,2.5,0"
/* Longer than the second that Open MPI waits before it hands a signal on; its responses are short, so that
 * they are written within the time that an interrupt leaves. */
#define LASTING ALONE("600"), "--duration", "4"
#define RESUME  "simulate", "--resume", "run"
#define OFTEN   "--checkpoint", "0.05s"

/* A kill or signal that comes too late finds nothing to end: then all is tried anew. */
#define TRIES 10

static void remove_run(void)
{
    expect_status(run("rm-out", (const char *const[]){"/bin/rm", "-rf", "run", NULL}), 0);
}

static void make_whole(void)
{
    write_cube();
    expect_status(RUN(ROOM, "--checkpoint", "0"), 0);
    cr_assert(eq(int, rename("run", "whole"), 0));
}

static void expect_whole(void)
{
    cr_assert(not(exists("run/checkpoint.command")));
    cr_assert(fault_holds("run", "whole", "run.json"), "run and whole differ");
    cr_assert(eq(sz, count_entries("run", ""), count_entries("whole", "")));
}

/* What the killed job has kept is used: of the source in work, or of one that had ended by then. */
static void expect_resumed(void)
{
    const char *const err = read_text("err");
    cr_assert(strstr(err, "resumes at step") != NULL || strstr(err, "was computed before") != NULL, "%s",
              err);
}

/* ---- waiting ---------------------------------------------------------------------------------------------
 */

/* The job, at a time when it has written a checkpoint since; 0: it has come to its end before. */
static pid_t start_until_checkpoint(const char *const *command)
{
    const long long before = newest_checkpoint();
    const pid_t job = start("job-out", command);
    int status = 0;
    while (newest_checkpoint() <= before) {
        if (waitpid(job, &status, WNOHANG) == job) {
            expect_status(WIFEXITED(status) ? WEXITSTATUS(status) : 99, 0);
            return 0;
        }
        pause_for(0.002);
    }
    return job;
}

static bool is_there(pid_t process)
{
    char path[40];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    if (!exists(path))
        return false;
    char *const text = read_text(path);
    const bool runs = strstr(text, ") Z") == NULL;
    return runs;
}

/* Kills one rank, or with -1 mpirun and all of them, and waits for all to have ended. */
static void end_ranks(pid_t job, int ranks, int victim)
{
    pid_t process[4];
    int status = 0;
    cr_assert(ranks <= 4);
    for (int rank = 0; rank < ranks; rank++) {
        char name[12];
        (void)snprintf(name, sizeof name, "%d", rank);
        process[rank] = rank_of(job, name);
    }
    if (victim < 0)
        (void)kill(job, SIGKILL);
    for (int rank = 0; rank < ranks; rank++)
        if (process[rank] > 0 && (victim < 0 || victim == rank))
            (void)kill(process[rank], SIGKILL);
    cr_assert(eq(int, (int)waitpid(job, &status, 0), (int)job));
    for (int rank = 0; rank < ranks; rank++)
        while (process[rank] > 0 && is_there(process[rank]))
            pause_for(0.002);
}

#define JOB(n, ...) ((const char *const[]){"/usr/bin/env", mpirun, "-n", n, TEST_PROGRAM, __VA_ARGS__, NULL})

/* ---- one rank --------------------------------------------------------------------------------------------
 */

/* Until the rank that was killed in a job of three is told: mpirun gives the others one second for it, which
 * on a busy machine may be over before they run at all. Leaves an unfinished run. */
static void kill_until_told(int victim, const char *const *command, const char *words)
{
    char who[60];
    (void)snprintf(who, sizeof who, "rank %d of 3 (process ", victim);
    for (int tries = 0; tries < TRIES; tries++) {
        remove_run();
        wait_longer(tries);
        const pid_t job = start_until_checkpoint(command);
        if (job == 0)
            continue;
        end_ranks(job, 3, victim);
        char *const err = read_text("err");
        const char *const told = strstr(err, who);
        const bool sound = told != NULL && strstr(told, "has ended") != NULL && strstr(told, words) != NULL &&
                           strstr(told + 1, who) == NULL && exists("run/checkpoint.command");
        if (sound)
            return;
    }
    cr_assert(false, "nobody has said that rank %d was killed, or not how to go on", victim);
}

Test(ranks_killed, one_that_is_killed_is_named_and_what_is_there_goes_on)
{
    if (!have_ranks())
        return;
    make_whole();
    kill_until_told(1, JOB("3", ROOM, OFTEN), "transept simulate --resume run resumes it");
    expect_status(RUN(RESUME), 0); /* in one process */
    expect_resumed();
    expect_whole();
}

Test(ranks_killed, another_rank_reports_the_death_of_rank_0)
{
    if (!have_ranks())
        return;
    make_whole();
    kill_until_told(0, JOB("3", ROOM, OFTEN),
                    "transept simulate --resume run resumes it from the newest checkpoint");
    expect_status(run(NULL, JOB("2", RESUME)), 0);
    expect_resumed();
    expect_whole();
}

/* Nothing was kept, and that is said. */
Test(ranks_killed, a_job_without_checkpoints_must_be_run_again)
{
    if (!have_ranks())
        return;
    write_cube();
    for (int victim = 0; victim < 2; victim++) {
        bool told = false;
        for (int tries = 0; tries < TRIES && !told; tries++) {
            remove_run();
            wait_longer(tries);
            const pid_t job = start("job-out", JOB("2", ROOM, "--duration", "100", "--checkpoint", "0"));
            while (!exists("run"))
                pause_for(0.002);
            end_ranks(job, 2, victim);
            char *const err = read_text("err");
            told = strstr(err, "run it again, with --checkpoint 1min") != NULL;
        }
        cr_assert(told, "nobody has said that rank %d was killed", victim);
        cr_assert(not(exists("run/run.json")));
    }
}

/* ---- all of them -----------------------------------------------------------------------------------------
 */

/* In one process, then in 3 ranks, then in 2, then in one process with the other layout and the reference. */
Test(ranks_killed, a_job_that_is_killed_goes_on_in_any_number_of_processes)
{
    if (!have_ranks())
        return;
    make_whole();
    bool killed = false;
    for (int tries = 0; tries < TRIES && !killed; tries++) {
        remove_run();
        const pid_t one = start_until_checkpoint((const char *const[]){TEST_PROGRAM, ROOM, OFTEN, NULL});
        if (one == 0)
            continue;
        end_ranks(one, 0, -1);
        const pid_t three = start_until_checkpoint(JOB("3", RESUME, OFTEN));
        if (three == 0)
            continue;
        end_ranks(three, 3, -1);
        const pid_t two = start_until_checkpoint(JOB("2", RESUME, OFTEN));
        if (two == 0)
            continue;
        end_ranks(two, 2, -1);
        killed = true;
    }
    cr_assert(killed, "every kill came too late");
    expect_status(RUN(RESUME, "--layout", "box", "--backend", "reference"), 0);
    expect_resumed();
    expect_whole();
}

/* ---- interrupted -----------------------------------------------------------------------------------------
 */

Test(ranks_killed, an_interrupted_job_keeps_what_it_has_and_can_go_on)
{
    bool kept = false;
    if (!have_ranks())
        return;
    write_cube();
    expect_status(RUN(LASTING, "--checkpoint", "0"), 0);
    cr_assert(eq(int, rename("run", "whole"), 0));
    for (int tries = 0; tries < TRIES && !kept; tries++) {
        int status = 0;
        remove_run();
        const pid_t job = start_until_checkpoint(JOB("2", LASTING, OFTEN));
        if (job == 0)
            continue;
        cr_assert(eq(int, kill(job, SIGTERM), 0));
        cr_assert(eq(int, (int)waitpid(job, &status, 0), (int)job));
        char *const err = read_text("err");
        /* Responses only where there was time for them. */
        kept = strstr(err, "transept: interrupted; ") != NULL &&
               strstr(err, "; transept simulate --resume run resumes it") != NULL;
        if (!kept)
            fprintf(stderr, "try %d: %s\n", tries, err);
    }
    cr_assert(kept, "no job has kept what it had");
    expect_status(RUN(RESUME), 0);
    expect_words("err", "resumes at step");
    expect_whole();
}
