/* syscall() */
#define _GNU_SOURCE /* pipe2 */
#include "geometry/base/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "geometry/base/cage.h"

#define CHECK_MILLISECONDS 20
#define FIRST_CAPACITY     65536
#define GIBIBYTE           (1.0 / 1073741824.0)

/* ---- in the child ---- */

int confined_write(int answer, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        const ssize_t written = write(answer, from, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return -1;
        from += written;
        size -= (size_t)written;
    }
    return 0;
}

/* Reset the parent's handlers: an interrupt ends the child, and the parent sees that. Ignored signals stay
 * ignored. */
static void reset_handlers(void)
{
    sigset_t none;
    struct sigaction plain = {.sa_handler = SIG_DFL}, was;
    sigemptyset(&plain.sa_mask);
    for (int number = 1; number < 65; ++number) {
        const bool interrupts = number == SIGINT || number == SIGTERM || number == SIGHUP;
        if (!interrupts || (sigaction(number, NULL, &was) == 0 && was.sa_handler != SIG_IGN))
            (void)sigaction(number, &plain, NULL); /* some cannot be set, and need no reset */
    }
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Descriptors of the work. */
enum { ANSWER = 3, FILE_TO_READ = CONFINED_DESCRIPTOR };

/* Redirect standard streams to /dev/null; close everything else but `answer` and, if not 0, `file`. */
static int keep_only(int answer, int file)
{
    const int nowhere = open("/dev/null", O_RDWR);
    /* Move them out of each other's way first. */
    const int high_answer = fcntl(answer, F_DUPFD, 10), high_file = file != 0 ? fcntl(file, F_DUPFD, 10) : -1;
    if (nowhere < 0 || high_answer < 0 || (file != 0 && high_file < 0) || dup2(nowhere, 0) < 0 ||
        dup2(nowhere, 1) < 0 || (!SANITIZED && dup2(nowhere, 2) < 0) || dup2(high_answer, ANSWER) < 0 ||
        (file != 0 && dup2(high_file, FILE_TO_READ) < 0))
        return -1;
    const unsigned first = file != 0 ? FILE_TO_READ + 1 : ANSWER + 1;
    if (syscall(SYS_close_range, first, ~0u, 0u) == 0)
        return 0;
    struct rlimit descriptors; /* kernels before 5.9 */
    if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0)
        return -1;
    const rlim_t end = descriptors.rlim_cur < 65536 ? descriptors.rlim_cur : 65536;
    for (rlim_t descriptor = first; descriptor < end; ++descriptor)
        (void)close((int)descriptor);
    return 0;
}

/* Never raises a limit that the user set lower. */
static int set_limit(int which, rlim_t soft, rlim_t hard)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) != 0)
        return -1;
    if (limit.rlim_max == RLIM_INFINITY || hard < limit.rlim_max)
        limit.rlim_max = hard;
    if (limit.rlim_cur == RLIM_INFINITY || soft < limit.rlim_cur)
        limit.rlim_cur = soft;
    if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    return setrlimit(which, &limit);
}

static bool read_small_file(const char *path, char *text, size_t size)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const ssize_t length = read(descriptor, text, size - 1);
    (void)close(descriptor);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Resident bytes from /proc/PID/statm; 0 if unknown. */
static uint64_t resident_bytes(const char *statm)
{
    char text[128];
    unsigned long long pages = 0;
    if (!read_small_file(statm, text, sizeof text) || sscanf(text, "%*u %llu", &pages) != 1)
        return 0;
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* RLIMIT_DATA counts private writable memory. The address space is limited only loosely, because the caller's
 * allocator may have reserved some without using it. At the limit Linux no longer enforces RLIMIT_DATA when
 * reserved memory becomes writable. */
#define RESERVED_BYTES (UINT64_C(256) << 20)
static int limit_memory(uint64_t bytes)
{
    char text[4096];
    unsigned long long space = 0, data = 0;
    if (!read_small_file("/proc/self/status", text, sizeof text))
        return -1;
    const char *at_space = strstr(text, "\nVmSize:"), *at_data = strstr(text, "\nVmData:");
    if (at_space == NULL || at_data == NULL || sscanf(at_space, "\nVmSize: %llu", &space) != 1 ||
        sscanf(at_data, "\nVmData: %llu", &data) != 1)
        return -1;
    const rlim_t space_most = 1024 * space + 2 * bytes + RESERVED_BYTES;
    return set_limit(RLIMIT_AS, space_most, space_most) |
           set_limit(RLIMIT_DATA, 1024 * data + bytes, 1024 * data + bytes);
}

static int set_limits(const struct confined_limits *limits)
{
    const rlim_t seconds = (rlim_t)ceil(limits->cpu_seconds);
    const rlim_t descriptors = limits->file != 0 ? FILE_TO_READ + 2 : 0;
    if (!SANITIZED && limit_memory(limits->memory_bytes) != 0)
        return -1;
    if (cage_close_files(limits->file != 0 ? FILE_TO_READ : -1) !=
        0) /* /proc stays unused from here on, but the descriptor stays */
        return -1;
    return set_limit(RLIMIT_CPU, seconds, seconds + 1) | set_limit(RLIMIT_CORE, 0, 0) |
           set_limit(RLIMIT_FSIZE, 0, 0) | set_limit(RLIMIT_NOFILE, descriptors, descriptors);
}

/* Exit statuses of a child that failed before the work; Linux gives them no meaning. */
enum {
    CHILD_DONE = 0,
    CHILD_WITHOUT_PROC = 116,
    CHILD_UNLIMITED = 117,
    CHILD_REFUSED = 118,
    CHILD_WITHOUT_MEMORY = 119
};

/* Without memory libseccomp crashes, frees twice or loops. Each of these ends here. */
static void end_without_memory(int number)
{
    (void)number;
    _exit(errno == ENOMEM ? CHILD_WITHOUT_MEMORY : CHILD_UNLIMITED);
}

#define SECONDS_TO_MAKE 1 /* of processor time; it takes less than a thousandth */
static void make_calls(bool opens, struct cage_calls *calls)
{
    static const int ends[] = {SIGSEGV, SIGBUS, SIGABRT, SIGVTALRM};
    const struct sigaction end = {.sa_handler = end_without_memory}, plain = {.sa_handler = SIG_DFL};
    const struct itimerval most = {.it_value.tv_sec = SECONDS_TO_MAKE}, none = {0};
    for (size_t n = 0; n < sizeof ends / sizeof *ends; n++)
        (void)sigaction(ends[n], &end, NULL);
    (void)setitimer(ITIMER_VIRTUAL, &most, NULL);
    if (cage_make_calls(opens, calls) != 0)
        end_without_memory(0);
    (void)setitimer(ITIMER_VIRTUAL, &none, NULL);
    for (size_t n = 0; n < sizeof ends / sizeof *ends; n++)
        (void)sigaction(ends[n], &plain, NULL);
}

static void run_as_child(confined_work *work, void *context, int answer, pid_t parent,
                         const struct confined_limits *limits)
{
    struct cage_calls calls = {0};
    reset_handlers();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    /* The size limit of core files does not apply if cores are piped to a program. */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (getppid() != parent) /* the parent died before the death signal was set */
        _exit(CHILD_UNLIMITED);
    if (keep_only(answer, limits->file) != 0)
        _exit(CHILD_UNLIMITED);
    if (access("/proc/self/status", R_OK) != 0)
        _exit(CHILD_WITHOUT_PROC);
    make_calls(limits->file != 0, &calls);
    if (set_limits(limits) != 0 || cage_close_calls(&calls, ANSWER, CHILD_REFUSED) != 0)
        _exit(CHILD_UNLIMITED);
    work(context, ANSWER);
    _exit(CHILD_DONE);
}

/* ---- in the parent ---- */

void confined_answer_free(struct confined_answer *answer)
{
    free(answer->bytes);
    *answer = (struct confined_answer){0};
}

static double clock_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct watch {
    const struct confined_limits *limits;
    const char *who;
    pid_t child;
    double began;
    uint64_t bytes_at_start; /* resident, as the child began: the caller's own */
    char statm[64];
    struct failure *failure;
};

static bool is_interrupted(const struct watch *watch)
{
    return watch->limits->interrupted != NULL && *watch->limits->interrupted != 0;
}

int confined_out_of_memory(const char *who, const struct confined_limits *limits, struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY,
                       "%s needed more memory than its limit, %.3g GiB: export the model again, or simpler",
                       who, (double)limits->memory_bytes * GIBIBYTE);
}

static int too_long(const struct watch *watch)
{
    return failure_set(watch->failure, FAILURE_CAPACITY,
                       "%s did not end within its limit, %g s: export the model again, or simpler",
                       watch->who, watch->limits->wall_seconds);
}

/* End the child if it exceeds a limit while it works. */
static int check_child(const struct watch *watch)
{
    if (is_interrupted(watch))
        return failure_interrupted(watch->failure);
    if (clock_now() - watch->began > watch->limits->wall_seconds)
        return too_long(watch);
    const uint64_t bytes = resident_bytes(watch->statm);
    if (bytes > watch->bytes_at_start && bytes - watch->bytes_at_start > watch->limits->memory_bytes)
        return confined_out_of_memory(watch->who, watch->limits, watch->failure);
    return 0;
}

static int grow_answer(const struct watch *watch, struct confined_answer *answer, size_t *capacity)
{
    if (answer->size < *capacity)
        return 0;
    const size_t larger = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    unsigned char *grown = realloc(answer->bytes, larger);
    if (grown == NULL)
        return failure_memory(watch->failure, larger, "the data of the model");
    answer->bytes = grown;
    *capacity = larger;
    return 0;
}

/* Pass received bytes on; keep a copy of the last of them. */
static int write_to_sink(const struct watch *watch, struct confined_answer *answer)
{
    FILE *sink = watch->limits->sink;
    if (sink == NULL || fwrite(answer->bytes, 1, answer->size, sink) == answer->size)
        return 0;
    return failure_set(watch->failure, FAILURE_OUTPUT, "the data from %s could not be stored: %s", watch->who,
                       strerror(errno));
}

/* Read until the child has closed its end. */
static int receive_answer(const struct watch *watch, int descriptor, struct confined_answer *answer)
{
    size_t capacity = 0;
    uint64_t passed = 0;
    double checked = watch->began;
    for (;;) {
        struct pollfd ready = {.fd = descriptor, .events = POLLIN};
        const int count = poll(&ready, 1, CHECK_MILLISECONDS);
        /* A child that never stops writing must not prevent checks. */
        if (count <= 0 || clock_now() - checked > 1e-3 * CHECK_MILLISECONDS) {
            TRY(check_child(watch));
            checked = clock_now();
        }
        if (count <= 0)
            continue;
        if (watch->limits->sink != NULL && answer->size > 0 && answer->size == capacity) {
            TRY(write_to_sink(watch, answer));
            passed += answer->size;
            answer->size = 0;
        }
        TRY(grow_answer(watch, answer, &capacity));
        const ssize_t got = read(descriptor, answer->bytes + answer->size, capacity - answer->size);
        if (got == 0)
            return write_to_sink(watch, answer);
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return failure_set(watch->failure, FAILURE_OUTPUT, "the answer of %s could not be read: %s",
                               watch->who, strerror(errno));
        answer->size += got > 0 ? (size_t)got : 0;
        if (passed + answer->size > watch->limits->answer_bytes)
            return failure_set(
                watch->failure, FAILURE_CAPACITY,
                "%s returned more than its limit, %llu bytes: export the model again, or simpler", watch->who,
                (unsigned long long)watch->limits->answer_bytes);
    }
}

/* A child that closed its end may still run. */
static int wait_for_end(const struct watch *watch, int *how)
{
    long nanoseconds = 50000;
    for (;;) {
        const pid_t ended = waitpid(watch->child, how, WNOHANG);
        if (ended == watch->child)
            return 0;
        if (ended < 0 && errno != EINTR) {
            *how = 0; /* the caller ignores SIGCHLD: only the answer shows the end */
            return 0;
        }
        TRY(check_child(watch));
        const struct timespec pause = {.tv_nsec = nanoseconds};
        (void)nanosleep(&pause, NULL);
        nanoseconds = nanoseconds < 10000000 ? 2 * nanoseconds : nanoseconds;
    }
}

static void kill_and_wait(pid_t child)
{
    (void)kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Name of a signal; `other` if it has none here. */
static const char *signal_words(int number, char other[32])
{
    static const struct {
        int number;
        const char *words;
    } known[] = {{SIGSEGV, "a wrong memory access, SIGSEGV"},
                 {SIGBUS, "a wrong memory access, SIGBUS"},
                 {SIGABRT, "it gave up, SIGABRT"},
                 {SIGFPE, "a division by zero, SIGFPE"},
                 {SIGILL, "a broken instruction, SIGILL"},
                 {SIGSYS, "a system call that its sandbox forbids, SIGSYS"}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k)
        if (known[k].number == number)
            return known[k].words;
    (void)snprintf(other, 32, "signal %d", number);
    return other;
}

/* The number of a forbidden call ends the answer. */
static int explain_refusal(const struct watch *watch, const struct confined_answer *answer)
{
    int number = -1;
    char call[32] = "unknown";
    if (answer->size >= sizeof number) {
        memcpy(&number, answer->bytes + answer->size - sizeof number, sizeof number);
        cage_call_name(number, call);
    }
    return failure_set(
        watch->failure, FAILURE_INPUT,
        "%s made the system call %s, which its sandbox forbids: the file is broken or malicious", watch->who,
        call);
}

static int explain_end(const struct watch *watch, int how, const struct confined_answer *answer)
{
    if (WIFEXITED(how) && WEXITSTATUS(how) == CHILD_DONE)
        return 0;
    if (WIFEXITED(how) && WEXITSTATUS(how) == CHILD_UNLIMITED)
        return failure_set(watch->failure, FAILURE_CAPACITY,
                           "%s was not started because the limits of its process (memory, processor time, "
                           "files) could not be set, or its system calls could not be restricted",
                           watch->who);
    if (WIFEXITED(how) && WEXITSTATUS(how) == CHILD_WITHOUT_PROC)
        return failure_set(
            watch->failure, FAILURE_CAPACITY,
            "%s was not started because its process cannot be confined without /proc: mount it there (mount "
            "-t proc proc /proc)",
            watch->who);
    if (WIFEXITED(how) && WEXITSTATUS(how) == CHILD_WITHOUT_MEMORY)
        return failure_set(watch->failure, FAILURE_CAPACITY,
                           "%s was not started because there was no memory to confine its process",
                           watch->who);
    if (WIFEXITED(how) && WEXITSTATUS(how) == CHILD_REFUSED)
        return explain_refusal(watch, answer);
    if (WIFEXITED(how))
        return failure_set(watch->failure, FAILURE_INPUT,
                           "%s ended without an answer (status %d): the input is most likely broken; export "
                           "it again, or in another format",
                           watch->who, WEXITSTATUS(how));
    const int number = WTERMSIG(how);
    if (number == SIGINT || number == SIGTERM || number == SIGHUP)
        return failure_interrupted(watch->failure);
    if (number == SIGXCPU)
        return failure_set(
            watch->failure, FAILURE_CAPACITY,
            "%s did not end within its limit, %g s of processor time: export the model again, or simpler",
            watch->who, ceil(watch->limits->cpu_seconds));
    if (number == SIGKILL)
        return failure_set(
            watch->failure, FAILURE_CAPACITY,
            "%s was killed (SIGKILL), which the system does when memory runs out: export the model simpler, "
            "or end other programs",
            watch->who);
    char other[32];
    return failure_set(watch->failure, FAILURE_INPUT,
                       "%s crashed (%s): the input is most likely broken; export it again, or in another "
                       "format",
                       watch->who, signal_words(number, other));
}

int confined_run(confined_work *work, void *context, const char *who, const struct confined_limits *limits,
                 struct confined_answer *answer, struct failure *failure)
{
    int status, how = 0, ends[2];
    struct confined_answer got = {0};
    const pid_t parent = getpid();
    struct watch watch = {.limits = limits, .who = who, .began = clock_now(), .failure = failure};
    if (is_interrupted(&watch))
        return failure_interrupted(failure);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return failure_set(failure, FAILURE_CAPACITY, "a pipe for %s could not be created: %s", who,
                           strerror(errno));
    watch.child = fork();
    if (watch.child == 0)
        run_as_child(work, context, ends[1], parent, limits);
    (void)close(ends[1]);
    if (watch.child < 0) {
        status = failure_set(failure, FAILURE_CAPACITY, "a process for %s could not be started: %s", who,
                             strerror(errno));
        goto done;
    }
    (void)snprintf(watch.statm, sizeof watch.statm, "/proc/%ld/statm", (long)watch.child);
    /* The child shares the parent's pages, so this is also its size at the start. */
    watch.bytes_at_start = resident_bytes("/proc/self/statm");
    status = receive_answer(&watch, ends[0], &got);
    if (status == 0)
        status = wait_for_end(&watch, &how);
    if (status != 0) {
        kill_and_wait(watch.child);
        goto done;
    }
    if ((status = explain_end(&watch, how, &got)) == 0) {
        *answer = got;
        got = (struct confined_answer){0};
    }
done:
    (void)close(ends[0]);
    confined_answer_free(&got);
    return status;
}
