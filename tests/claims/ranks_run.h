/** Running the program in several processes of MPI, and ending them. Needs a program with MPI, and its
 * mpirun; more processes than processors are welcome. */
#ifndef TESTS_RANKS_RUN_H
#define TESTS_RANKS_RUN_H

#include "tests/support/fault_run.h"

/* With what the two that Debian has ask for before they start more ranks than there are processors, as root.
 */
static inline void enter_ranks(void)
{
    enter_folder();
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    /* Open MPI leaves memory behind in modules that are gone when a sanitizer looks for it. */
    setenv("ASAN_OPTIONS", "detect_leaks=0", 0);
    time_limit = 300;
}

/* The program's own MPI must start it: Debian has two side by side, and each leaves the other's processes
 * alone, every one a rank 0. */
static const char *mpirun = "mpirun";

static inline bool can_run(const char *name)
{
    char command[80];
    (void)snprintf(command, sizeof command, "command -v %s", name);
    return run("mpirun-out", (const char *const[]){"/usr/bin/env", "sh", "-c", command, NULL}) == 0;
}

/* Is there MPI, in the program and beside it? */
static inline bool have_ranks(void)
{
    expect_status(RUN("--version"), 0);
    char *version = read_text("out");
    const bool built = strstr(version, "\nmpi: no") == NULL;
    const char *const own = strstr(version, "\nmpi: MPICH") != NULL ? "mpirun.mpich" : "mpirun.openmpi";
    if (built && can_run(own))
        mpirun = own;
    const bool there = built && can_run(mpirun);
    if (!there)
        fprintf(stderr, "SKIPPED: %s\n", built ? "mpirun is not installed" : "built without MPI");
    return there;
}

#define MPIRUN(n, ...)                                                                                       \
    run(NULL, (const char *const[]){"/usr/bin/env", mpirun, "-n", n, TEST_PROGRAM, __VA_ARGS__, NULL})

/* The process of that rank below mpirun, from its environment; 0: none yet. MPICH has a process in between.
 */
static inline pid_t rank_of(pid_t launcher, const char *rank)
{
    char command[400];
    (void)snprintf(command, sizeof command,
                   "own=$(cat /proc/%d/task/*/children); for c in $own; do own=\"$own $(cat "
                   "/proc/$c/task/*/children)\"; done; for p in $own; do tr '\\0' '\\n' </proc/$p/environ | "
                   "grep -qE '^(OMPI_COMM_WORLD_RANK|PMI_RANK)=%s$' && echo $p && exit 0; done; exit 1",
                   (int)launcher, rank);
    /* Not by run(), which would empty the file that mpirun writes its errors to. */
    FILE *const shell = popen(command, "r");
    cr_assert(shell != NULL);
    char text[40] = "";
    const pid_t found = fgets(text, sizeof text, shell) != NULL ? (pid_t)strtol(text, NULL, 10) : 0;
    (void)pclose(shell);
    return found;
}

/* Open MPI kills what is left of a job a second after the first of it has died, or after a signal: on a busy
 * machine that is too soon for a word. At first all is as users have it, then it has to wait. */
static inline void wait_longer(int tries)
{
    if (tries == 2)
        setenv("OMPI_MCA_odls_base_sigkill_timeout", "8", 1);
}

#endif
