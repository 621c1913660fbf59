/** Running the program with one system call that fails, or that it is killed at: strace's fault injection, on
 * the thread that reads and writes files. */
#ifndef TESTS_FAULT_RUN_H
#define TESTS_FAULT_RUN_H

#include "tests/support/program_run.h"

#define FAULT_CALLS_MAX 400
#define FAULT_ARGUMENTS 40

/* One call that the program made on a file below the place that fault_calls() was asked about. */
struct fault_call {
    char name[16];
    int number; /* among the calls of that name, from 1 */
};

static inline int fault_wait(pid_t child)
{
    int status = 0;
    cr_assert(eq(int, (int)waitpid(child, &status, 0), (int)child));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* `strace OPTION.. PROGRAM..`; its status is the program's, or 128 + the signal that ended it. */
static inline int fault_trace(const char *const *option, const char *const *program)
{
    /* A sanitizer cannot look for leaks in a program that is traced. */
    const char *argument[FAULT_ARGUMENTS] = {
        "/usr/bin/strace", "-qq", "-y", "-o", "trace", "-E", "ASAN_OPTIONS=detect_leaks=0"};
    size_t count = 7;
    for (; *option != NULL; option++)
        argument[count++] = *option;
    for (; *program != NULL && count + 1 < FAULT_ARGUMENTS; program++)
        argument[count++] = *program;
    cr_assert(eq(ptr, (void *)*program, NULL));
    return fault_wait(start(NULL, argument));
}

/* Can faults be injected here? Says so once where not. */
static inline bool fault_possible(void)
{
    if (exists("/usr/bin/strace") &&
        fault_trace((const char *const[]){"-e", "inject=getppid:error=EIO", NULL},
                    (const char *const[]){"/bin/true", NULL}) == 0)
        return true;
    fprintf(stderr,
            "SKIPPED: no system call can be made to fail here (Debian: strace, and leave to trace)\n");
    return false;
}

/* The calls named in `names` ("rename,fsync") that `program` makes on anything whose path holds `where`, in
 * their order; the program must end well. Reading a model opens and closes files in /proc as often as it
 * takes time: the numbers of these calls differ a little from run to run. */
static inline size_t fault_calls(const char *names, const char *where, const char *const *program,
                                 struct fault_call call[FAULT_CALLS_MAX])
{
    char option[100];
    snprintf(option, sizeof option, "trace=%.90s", names);
    expect_status(fault_trace((const char *const[]){"-e", option, NULL}, program), 0);
    FILE *trace = fopen("trace", "r");
    cr_assert(trace != NULL);
    struct fault_call seen[16] = {{"", 0}}; /* how often each name stood there so far */
    size_t count = 0;
    char line[4096];
    while (fgets(line, sizeof line, trace) != NULL) {
        const size_t length = strcspn(line, "(");
        size_t s = 0;
        if (line[0] == '-') /* a signal */
            continue;
        while (seen[s].name[0] != '\0' &&
               (strncmp(seen[s].name, line, length) != 0 || seen[s].name[length] != '\0'))
            s++;
        cr_assert(s + 1 < sizeof seen / sizeof *seen && length < sizeof seen[s].name);
        memcpy(seen[s].name, line, length);
        seen[s].number++;
        if (strstr(line, where) == NULL)
            continue;
        cr_assert(count < FAULT_CALLS_MAX);
        call[count++] = seen[s];
    }
    fclose(trace);
    return count;
}

/* Run `program` with the call treated as `how` says: "error=EIO", "signal=KILL". */
static inline int fault_run(const struct fault_call *call, const char *how, const char *const *program)
{
    char option[100];
    snprintf(option, sizeof option, "inject=%.15s:%.40s:when=%d", call->name, how, call->number);
    return fault_trace((const char *const[]){"-e", option, NULL}, program);
}

/* ---- waiting ---- */

static inline void pause_for(double seconds)
{
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&pause, NULL);
}

/* When the newest checkpoint of the folder "run" was written [ns]; 0: there is none. */
static inline long long newest_checkpoint(void)
{
    static const char *const name[] = {"run/checkpoint.1", "run/checkpoint.2"};
    long long at = 0;
    for (int n = 0; n < 2; n++) {
        struct stat there;
        if (stat(name[n], &there) == 0) {
            const long long when = there.st_mtim.tv_sec * 1000000000LL + there.st_mtim.tv_nsec;
            at = when > at ? when : at;
        }
    }
    return at;
}

/* ---- what stands in a folder ---- */

/* Is every file of the folder `of` in the folder `in` too, byte for byte, but for those named `except`? */
static inline bool fault_holds(const char *in, const char *of, const char *except)
{
    bool holds = true;
    DIR *listing = opendir(of);
    cr_assert(listing != NULL);
    for (const struct dirent *entry; holds && (entry = readdir(listing)) != NULL;) {
        char path[2][600];
        if (entry->d_name[0] == '.' || (except != NULL && strcmp(entry->d_name, except) == 0))
            continue;
        snprintf(path[0], sizeof path[0], "%s/%s", in, entry->d_name);
        snprintf(path[1], sizeof path[1], "%s/%s", of, entry->d_name);
        holds = same_file(path[0], path[1]);
    }
    closedir(listing);
    return holds;
}

/* `to` is made anew with the files of `from`. */
static inline void fault_copy(const char *from, const char *to)
{
    cr_assert(eq(int, run(NULL, (const char *const[]){"/bin/rm", "-rf", to, NULL}), 0));
    cr_assert(eq(int, run(NULL, (const char *const[]){"/bin/cp", "-r", from, to, NULL}), 0));
}

#endif
