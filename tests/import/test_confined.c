/* Work in a process of its own: whatever happens to it is one sentence, and nothing of it stays behind. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "geometry/base/cage.h"
#include "geometry/base/confined.h"
#include "tests/support/outcome.h"

#define MEBIBYTE (UINT64_C(1) << 20)

static struct confined_limits generous(void)
{
    return (struct confined_limits){.memory_bytes = 512 * MEBIBYTE,
                                    .answer_bytes = 16 * MEBIBYTE,
                                    .cpu_seconds = 60,
                                    .wall_seconds = 120};
}

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void assert_no_child_stays(void)
{
    errno = 0;
    cr_assert(eq(int, (int)waitpid(-1, NULL, WNOHANG), -1));
    cr_assert(eq(int, errno, ECHILD), "a child or a zombie is left");
}

static void assert_ends(confined_work *work, void *context, struct confined_limits limits, int code,
                        const char *because)
{
    struct confined_answer answer = {0};
    MUST_FAIL(confined_run(work, context, "the reader", &limits, &answer, &failure), code, because);
    cr_assert(answer.bytes == NULL && answer.size == 0);
    cr_assert(code == FAILURE_INTERRUPTED || code == FAILURE_OUTPUT ||
                  strncmp(failure.sentence, "the reader ", 11) == 0,
              "%s", failure.sentence);
    assert_no_child_stays();
}

static struct confined_answer assert_answers(confined_work *work, void *context)
{
    struct confined_answer answer = {0};
    const struct confined_limits limits = generous();
    MUST(confined_run(work, context, "the reader", &limits, &answer, &failure));
    assert_no_child_stays();
    return answer;
}

/* ---- answers ---- */

static void answer_bytes(void *context, int answer)
{
    const size_t size = *(const size_t *)context;
    unsigned char *bytes = malloc(size + 1);
    for (size_t k = 0; k < size; ++k)
        bytes[k] = (unsigned char)(k * 7 + k / 251);
    (void)confined_write(answer, bytes, size);
    free(bytes);
}

Test(confined, an_answer_arrives_byte_for_byte_whatever_its_size)
{
    static const size_t sizes[] = {0, 1, 4096, 65535, 65536, 65537, 5000000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s) {
        size_t size = sizes[s];
        struct confined_answer answer = assert_answers(answer_bytes, &size);
        cr_assert(eq(sz, answer.size, size));
        for (size_t k = 0; k < size; ++k)
            cr_assert(answer.bytes[k] == (unsigned char)(k * 7 + k / 251), "byte %zu", k);
        confined_answer_free(&answer);
    }
}

/* Past 64 KiB it no longer comes in one piece. */
Test(confined, an_answer_goes_on_into_a_file_and_is_not_kept_in_memory)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 5000000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s) {
        size_t size = sizes[s], at = 0;
        struct confined_limits limits = generous();
        struct confined_answer answer = {0};
        limits.sink = tmpfile();
        cr_assert(limits.sink != NULL);
        MUST(confined_run(answer_bytes, &size, "the reader", &limits, &answer, &failure));
        cr_assert(le(sz, answer.size, 65536));
        rewind(limits.sink);
        for (int byte; (byte = fgetc(limits.sink)) != EOF; ++at)
            cr_assert(byte == (unsigned char)(at * 7 + at / 251), "byte %zu of %zu", at, size);
        cr_assert(eq(sz, at, size));
        (void)fclose(limits.sink);
        confined_answer_free(&answer);
    }
    size_t size = 5000000;
    struct confined_limits limits = generous();
    limits.sink = fopen("/dev/full", "wb");
    cr_assert(limits.sink != NULL);
    assert_ends(answer_bytes, &size, limits, FAILURE_OUTPUT, "could not be stored");
    limits.answer_bytes = 1000000;
    limits.sink = tmpfile();
    assert_ends(answer_bytes, &size, limits, FAILURE_CAPACITY, "returned more than its limit, 1000000 bytes");
}

/* ---- without /proc ---- */

/* A root with little else has none. In a process of its own, since there is no way back. */
static int run_without_proc(const char *root, size_t *size)
{
    const struct confined_limits limits = generous();
    struct confined_answer answer = {0};
    struct failure why = {0};
    if (chroot(root) != 0 && (unshare(CLONE_NEWUSER) != 0 || chroot(root) != 0))
        return 77;
    const int code = confined_run(answer_bytes, size, "the reader", &limits, &answer, &why);
    return code == FAILURE_CAPACITY && answer.bytes == NULL &&
                   strstr(why.sentence, "the reader was not started because its process cannot be confined "
                                        "without /proc: mount it there (mount -t proc proc /proc)") != NULL
               ? 0
               : 1;
}

Test(confined, without_proc_nothing_is_started_and_what_to_mount_is_said)
{
    char root[] = "/tmp/transept-test-XXXXXX", path[60];
    size_t size = 4096;
    int how = 0;
    cr_assert(mkdtemp(root) != NULL);
    snprintf(path, sizeof path, "%s/dev", root);
    cr_assert(eq(int, mkdir(path, 0777), 0));
    snprintf(path, sizeof path, "%s/dev/null", root); /* where its standard streams lead */
    cr_assert(eq(int, close(open(path, O_WRONLY | O_CREAT, 0666)), 0));
    const pid_t child = fork();
    if (child == 0)
        _exit(run_without_proc(root, &size));
    cr_assert(eq(int, (int)waitpid(child, &how, 0), (int)child));
    cr_assert(unlink(path) == 0 && rmdir(dirname(path)) == 0 && rmdir(root) == 0);
    if (how == W_EXITCODE(77, 0))
        fprintf(stderr, "SKIPPED: /proc cannot be taken away here (chroot, unshare)\n");
    else
        cr_assert(eq(int, how, 0));
}

/* ---- ends ---- */

static void write_to_nowhere(void *context, int answer)
{
    (void)confined_write(answer, "half", 4);
    *(volatile int *)context = 1;
}

static void raise_signal(void *context, int answer)
{
    (void)confined_write(answer, "half", 4);
    (void)raise(*(int *)context);
}

static void leave(void *context, int answer)
{
    (void)context;
    (void)confined_write(answer, "half", 4);
    _exit(7);
}

Test(confined, a_crash_is_one_sentence)
{
    static const struct {
        int number;
        const char *words;
    } ends[] = {{SIGSEGV, "SIGSEGV"},
                {SIGABRT, "SIGABRT"},
                {SIGBUS, "SIGBUS"},
                {SIGFPE, "SIGFPE"},
                {SIGUSR1, "crashed (signal"}};
    /* A sanitizer notices first and leaves with a status of its own. */
    assert_ends(write_to_nowhere, NULL, generous(), FAILURE_INPUT,
                SANITIZED ? "ended without an answer" : "crashed (a wrong memory access, SIGSEGV)");
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; ++k) {
        int number = ends[k].number;
        assert_ends(raise_signal, &number, generous(), FAILURE_INPUT, ends[k].words);
    }
    assert_ends(leave, NULL, generous(), FAILURE_INPUT, "ended without an answer (status 7)");
    /* That is nobody's crash. */
    int number = SIGKILL;
    assert_ends(raise_signal, &number, generous(), FAILURE_CAPACITY, "was killed (SIGKILL)");
}

static void turn_for_ever(void *context, int answer)
{
    (void)answer;
    for (volatile unsigned *turns = context;; ++*turns)
        ;
}

/* Waits for what never comes. */
static void sleep_for_ever(void *context, int answer)
{
    static int never;
    (void)context, (void)answer;
    for (;;)
        (void)syscall(SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, NULL);
}

/* The parent sees the end of the answer, but not of the child. */
static void close_and_sleep(void *context, int answer)
{
    (void)close(answer);
    sleep_for_ever(context, answer);
}

static void write_for_ever(void *context, int answer)
{
    static const char zeros[4096];
    (void)context;
    while (confined_write(answer, zeros, sizeof zeros) == 0)
        ;
}

Test(confined, what_comes_to_no_end_is_ended)
{
    unsigned turns = 0;
    struct confined_limits limits = generous();
    limits.cpu_seconds = 1;
    assert_ends(turn_for_ever, &turns, limits, FAILURE_CAPACITY,
                "not end within its limit, 1 s of processor time");
    limits = generous();
    limits.wall_seconds = 0.3;
    const double began = seconds_now();
    assert_ends(turn_for_ever, &turns, limits, FAILURE_CAPACITY, "not end within its limit, 0.3 s");
    assert_ends(sleep_for_ever, NULL, limits, FAILURE_CAPACITY, "not end within its limit, 0.3 s");
    assert_ends(close_and_sleep, NULL, limits, FAILURE_CAPACITY, "not end within its limit, 0.3 s");
    cr_assert(lt(dbl, seconds_now() - began, 20));
    limits = generous();
    limits.answer_bytes = 100000;
    assert_ends(write_for_ever, NULL, limits, FAILURE_CAPACITY, "returned more than its limit, 100000 bytes");
}

/* Takes and touches memory until there is no more, and answers how much there was. */
static void eat_memory(void *context, int answer)
{
    enum { BITE = 1 << 20 };
    uint64_t eaten = 0;
    const uint64_t enough = *(const uint64_t *)context;
    for (char *bite; eaten < enough && (bite = malloc(BITE)) != NULL; eaten += BITE)
        memset(bite, 1, BITE);
    if (SANITIZED) /* there the parent looks, so stay to be seen */
        sleep_for_ever(NULL, answer);
    (void)confined_write(answer, &eaten, sizeof eaten);
}

Test(confined, memory_ends_at_its_limit)
{
    uint64_t wanted = 400 * MEBIBYTE;
    struct confined_limits limits = generous();
    limits.memory_bytes = 100 * MEBIBYTE;
    if (SANITIZED) {
        assert_ends(eat_memory, &wanted, limits, FAILURE_CAPACITY, "more memory than its limit, 0.0977 GiB");
        return;
    }
    struct confined_answer answer = {0};
    const int status = confined_run(eat_memory, &wanted, "the reader", &limits, &answer, &failure);
    assert_no_child_stays();
    if (status != 0) { /* the parent looked just then */
        cr_assert(strstr(failure.sentence, "more memory than its limit") != NULL, "%s", failure.sentence);
        return;
    }
    /* What the heap had reserved before the fork, up to 64 MiB of a thread's arena, comes on top. */
    uint64_t eaten;
    cr_assert(eq(sz, answer.size, sizeof eaten));
    memcpy(&eaten, answer.bytes, sizeof eaten);
    cr_assert(eaten > 50 * MEBIBYTE && eaten < 200 * MEBIBYTE, "%llu MiB",
              (unsigned long long)(eaten / MEBIBYTE));
    confined_answer_free(&answer);
}

/* ---- files ---- */

struct attempts {
    int of_parent;                            /* a descriptor that the parent has open */
    int open_file, read_parent, write_stdout; /* errno, 0: it went well */
};

static void reach_out(void *context, int answer)
{
    char byte;
    struct attempts *attempts = context;
    attempts->open_file = open("/dev/null", O_RDONLY) < 0 ? errno : 0;
    attempts->read_parent = read(attempts->of_parent, &byte, 1) < 0 ? errno : 0;
    struct stat about;
    attempts->write_stdout = fstat(1, &about) == 0 && S_ISCHR(about.st_mode) ? 0 : EIO;
    (void)confined_write(answer, attempts, sizeof *attempts);
}

Test(confined, nothing_can_be_opened_or_reached)
{
    struct attempts attempts = {0};
    attempts.of_parent = open("/dev/zero", O_RDONLY);
    cr_assert(test_at_least((double)(attempts.of_parent), (double)(0)));
    struct confined_answer answer = assert_answers(reach_out, &attempts);
    cr_assert(eq(sz, answer.size, sizeof attempts));
    memcpy(&attempts, answer.bytes, sizeof attempts);
    cr_assert(attempts.open_file == EACCES || attempts.open_file == EMFILE, "%d", attempts.open_file);
    cr_assert(eq(int, attempts.read_parent, EBADF));
    cr_assert(eq(int, attempts.write_stdout, 0), "standard output is no device");
    confined_answer_free(&answer);
    (void)close(attempts.of_parent);
}

/* ---- what a reader has no business with ---- */

#define VICTIM_TEXT "mine"

struct victim {
    pid_t parent;
    char path[64], other[64];
    volatile char held[8]; /* in the parent's memory */
};

static void attempt_unlink(const struct victim *victim)
{
    (void)unlink(victim->path);
}
static void attempt_rename(const struct victim *victim)
{
    (void)rename(victim->path, victim->other);
}
static void attempt_execute(const struct victim *victim)
{
    char touch[] = "/usr/bin/touch", *arguments[] = {touch, (char *)victim->other, NULL}, *none[] = {NULL};
    (void)execve(touch, arguments, none);
}
static void attempt_write(const struct victim *victim)
{
    const int file = open(victim->path, O_WRONLY | O_TRUNC);
    (void)!write(file, "yours", 5);
}
static void attempt_append(const struct victim *victim)
{
    (void)open(victim->path, O_RDWR | O_APPEND);
}
static void attempt_create(const struct victim *victim)
{
    (void)open(victim->other, O_RDONLY | O_CREAT, 0600);
}
static void attempt_open_otherwise(const struct victim *victim)
{
    const uint64_t how[3] = {O_RDONLY};
    (void)syscall(SYS_openat2, AT_FDCWD, victim->path, how, sizeof how);
}
static void attempt_socket(const struct victim *victim)
{
    (void)victim;
    (void)socket(AF_UNIX, SOCK_STREAM, 0);
}
static void attempt_kill(const struct victim *victim)
{
    (void)kill(victim->parent, SIGUSR2);
}
static void attempt_thread_kill(const struct victim *victim)
{
    (void)syscall(SYS_tgkill, victim->parent, victim->parent, SIGUSR2);
}
static void attempt_trace(const struct victim *victim)
{
    (void)ptrace(PTRACE_ATTACH, victim->parent, NULL, NULL);
}
static void attempt_write_memory(const struct victim *victim)
{
    char yours[] = "hers";
    const struct iovec from = {yours, 4}, to = {(void *)victim->held, 4};
    (void)process_vm_writev(victim->parent, &from, 1, &to, 1, 0);
}
static void attempt_fork(const struct victim *victim)
{
    (void)victim;
    (void)fork();
}
static void attempt_code(const struct victim *victim)
{
    (void)victim;
    (void)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void attempt_limits(const struct victim *victim)
{
    struct rlimit limit = {0};
    (void)prlimit(victim->parent, RLIMIT_CPU, &limit, NULL);
}
static void attempt_link(const struct victim *victim)
{
    (void)symlink(victim->path, victim->other);
}
static void attempt_mode(const struct victim *victim)
{
    (void)chmod(victim->path, 0777);
}

struct attempt {
    const char *call; /* as the sentence may name it; aarch64 has only the newer ones */
    const char *newer;
    void (*make)(const struct victim *victim);
    const struct victim *victim;
};

static void make_attempt(void *context, int answer)
{
    const struct attempt *attempt = context;
    attempt->make(attempt->victim);
    (void)confined_write(answer, "it went on", 10);
}

Test(confined, what_no_reader_needs_ends_it_and_is_named)
{
    static const struct attempt attempts[] = {
        {"unlink", "unlinkat", attempt_unlink, NULL},
        {"rename", "renameat", attempt_rename, NULL},
        {"execve", NULL, attempt_execute, NULL},
        {"open", "openat", attempt_write, NULL},
        {"open", "openat", attempt_append, NULL},
        {"open", "openat", attempt_create, NULL},
        {"openat2", NULL, attempt_open_otherwise, NULL},
        {"socket", NULL, attempt_socket, NULL},
        {"kill", NULL, attempt_kill, NULL},
        {"tgkill", NULL, attempt_thread_kill, NULL},
        {"ptrace", NULL, attempt_trace, NULL},
        {"process_vm_writev", NULL, attempt_write_memory, NULL},
        {"clone", "clone3", attempt_fork, NULL},
        {"mmap", NULL, attempt_code, NULL},
        {"prlimit64", NULL, attempt_limits, NULL},
        {"symlink", "symlinkat", attempt_link, NULL},
        {"chmod", "fchmodat", attempt_mode, NULL},
    };
    struct victim victim = {.parent = getpid(), .held = VICTIM_TEXT};
    (void)snprintf(victim.path, sizeof victim.path, "/tmp/transept-victim-%ld", (long)getpid());
    (void)snprintf(victim.other, sizeof victim.other, "/tmp/transept-other-%ld", (long)getpid());
    if (!(cage_parts() & CAGE_SECCOMP)) {
        (void)fprintf(stderr, "SKIPPED: this build or kernel has no list of calls\n");
        return;
    }
    (void)signal(SIGUSR2, SIG_DFL);
    for (size_t k = 0; k < sizeof attempts / sizeof attempts[0]; ++k) {
        struct attempt attempt = attempts[k];
        char text[16] = "", words[64], newer[64];
        attempt.victim = &victim;
        FILE *file = fopen(victim.path, "w");
        (void)fputs(VICTIM_TEXT, file);
        (void)fclose(file);
        assert_ends(make_attempt, &attempt, generous(), FAILURE_INPUT, "its sandbox forbids");
        (void)snprintf(words, sizeof words, "the system call %s, ", attempt.call);
        (void)snprintf(newer, sizeof newer, "the system call %s, ",
                       attempt.newer != NULL ? attempt.newer : "-");
        cr_assert(strstr(failure.sentence, words) != NULL || strstr(failure.sentence, newer) != NULL,
                  "%s: %s", attempt.call, failure.sentence);
        file = fopen(victim.path, "r");
        cr_assert(file != NULL, "%s removed a file", attempt.call);
        (void)!fgets(text, sizeof text, file);
        (void)fclose(file);
        cr_assert(eq(str, text, VICTIM_TEXT), "%s changed a file", attempt.call);
        cr_assert(access(victim.other, F_OK) != 0, "%s made a file", attempt.call);
        cr_assert(memcmp((const char *)victim.held, VICTIM_TEXT, 4) == 0, "%s wrote into its parent",
                  attempt.call);
    }
    (void)unlink(victim.path);
}

/* What the list would refuse, tried with Landlock alone. */
Test(confined, landlock_alone_closes_every_folder)
{
    char path[64];
    const unsigned parts = cage_parts();
    (void)snprintf(path, sizeof path, "/tmp/transept-victim-%ld", (long)getpid());
    if (!(parts & CAGE_LANDLOCK)) {
        (void)fprintf(stderr, "SKIPPED: this kernel has no Landlock\n");
        return;
    }
    const int file = open(path, O_CREAT | O_WRONLY, 0600);
    cr_assert(test_at_least((double)file, 0.0));
    const pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        const int closed = cage_close_files(-1);
        const bool shut = closed == 0 && open(path, O_RDONLY) < 0 && errno == EACCES && unlink(path) < 0 &&
                          errno == EACCES && open("/", O_RDONLY | O_DIRECTORY) < 0 && errno == EACCES;
        _exit(shut ? 0 : 1);
    }
    int how = -1;
    cr_assert(eq(int, (int)waitpid(child, &how, 0), (int)child));
    cr_assert(eq(int, how, 0), "something could be opened or removed");
    (void)close(file);
    (void)unlink(path);
}

/* ---- the one file ---- */

static void read_file_twice(void *context, int answer)
{
    char text[2][8] = {"", ""};
    const char *other = context;
    for (int k = 0; k < 2; ++k) {
        FILE *file = fopen(CONFINED_FILE, "rb");
        if (file == NULL || fread(text[k], 1, 4, file) != 4 || fseek(file, 1, SEEK_SET) != 0)
            return;
        (void)fclose(file);
    }
    const bool shut = open(other, O_RDONLY) < 0;
    (void)confined_write(answer, text, sizeof text);
    (void)confined_write(answer, &shut, sizeof shut);
}

Test(confined, one_file_can_be_given_to_be_opened_and_read)
{
    char path[64], other[64];
    (void)snprintf(path, sizeof path, "/tmp/transept-given-%ld", (long)getpid());
    (void)snprintf(other, sizeof other, "/tmp/transept-secret-%ld", (long)getpid());
    for (int k = 0; k < 2; ++k) {
        FILE *file = fopen(k == 0 ? path : other, "wb");
        cr_assert(file != NULL);
        (void)fputs("file", file);
        (void)fclose(file);
    }
    struct confined_limits limits = generous();
    struct confined_answer answer = {0};
    limits.file = open(path, O_RDONLY);
    MUST(confined_run(read_file_twice, other, "the reader", &limits, &answer, &failure));
    cr_assert(eq(sz, answer.size, 17));
    cr_assert(memcmp(answer.bytes, "file\0\0\0\0file\0\0\0\0", 16) == 0);
    cr_assert(answer.bytes[16] == 1 || !(cage_parts() & CAGE_LANDLOCK), "another file could be read");
    confined_answer_free(&answer);
    (void)close(limits.file);
    (void)unlink(path);
    (void)unlink(other);
}

/* ---- what is left ---- */

static void say(void *context, int answer)
{
    (void)fprintf((FILE *)context, "child\n");
    (void)printf("child\n");
    (void)confined_write(answer, "ok", 2);
}

static volatile int *exits; /* shared with the child */

static void count_exit(void)
{
    ++*exits;
}

Test(confined, nothing_is_written_twice)
{
    exits = mmap(NULL, sizeof *exits, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(exits != MAP_FAILED);
    *exits = 0;
    cr_assert(eq(int, atexit(count_exit), 0));
    char path[64], text[64] = "";
    (void)snprintf(path, sizeof path, "/tmp/transept-confined-%ld.txt", (long)getpid());
    FILE *file = fopen(path, "w+");
    cr_assert(file != NULL);
    (void)fprintf(file, "parent\n"); /* in the buffer at the fork */
    struct confined_answer answer = assert_answers(say, file);
    (void)fflush(file);
    rewind(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    (void)unlink(path);
    cr_assert(eq(sz, length, 7));
    cr_assert(eq(str, text, "parent\n"));
    cr_assert(eq(int, *exits, 0), "the child ran what the caller leaves for its own end");
    confined_answer_free(&answer);
}

static size_t open_descriptors(void)
{
    size_t count = 0;
    DIR *listing = opendir("/proc/self/fd");
    cr_assert(listing != NULL);
    while (readdir(listing) != NULL)
        ++count;
    (void)closedir(listing);
    return count;
}

Test(confined, many_runs_leave_no_descriptor_behind)
{
    size_t size = 1000;
    int number = SIGKILL;
    const size_t before = open_descriptors();
    for (int k = 0; k < 20; ++k) {
        struct confined_answer answer = assert_answers(answer_bytes, &size);
        confined_answer_free(&answer);
        assert_ends(raise_signal, &number, generous(), FAILURE_CAPACITY, "killed");
    }
    cr_assert(eq(sz, open_descriptors(), before));
}

/* ---- other threads and signals ---- */

static volatile sig_atomic_t stop_allocating, interrupt_flag;

static void *allocate_meanwhile(void *context)
{
    (void)context;
    while (!stop_allocating)
        free(malloc(100));
    return NULL;
}

Test(confined, the_heap_works_though_other_threads_use_it_at_the_fork)
{
    pthread_t thread[3];
    size_t size = 100000;
    for (int k = 0; k < 3; ++k)
        cr_assert(eq(int, pthread_create(&thread[k], NULL, allocate_meanwhile, NULL), 0));
    for (int k = 0; k < 50; ++k) {
        struct confined_answer answer = assert_answers(answer_bytes, &size);
        cr_assert(eq(sz, answer.size, size));
        confined_answer_free(&answer);
    }
    stop_allocating = 1;
    for (int k = 0; k < 3; ++k)
        cr_assert(eq(int, pthread_join(thread[k], NULL), 0));
}

static void set_flag(int number)
{
    (void)number;
    interrupt_flag = 1;
}

Test(confined, an_interrupt_ends_the_child_at_once)
{
    int number = SIGINT;
    struct confined_limits limits = generous();
    const double began = seconds_now();
    limits.interrupted = &interrupt_flag;
    limits.wall_seconds = 15;
    /* Ctrl-C at a terminal reaches the child as well. */
    assert_ends(raise_signal, &number, limits, FAILURE_INTERRUPTED, "interrupted");
    struct sigaction action = {.sa_handler = set_flag};
    const struct itimerval soon = {.it_value = {.tv_usec = 100000}};
    cr_assert(eq(int, sigaction(SIGALRM, &action, NULL), 0));
    cr_assert(eq(int, setitimer(ITIMER_REAL, &soon, NULL), 0));
    assert_ends(sleep_for_ever, NULL, limits, FAILURE_INTERRUPTED, "interrupted");
    cr_assert(eq(int, interrupt_flag, 1));
    assert_ends(sleep_for_ever, NULL, limits, FAILURE_INTERRUPTED, "interrupted");
    cr_assert(lt(dbl, seconds_now() - began, 20));
}

static void tell_and_sleep(void *context, int answer)
{
    *(volatile pid_t *)context = getpid();
    sleep_for_ever(NULL, answer);
}

Test(confined, the_child_dies_with_its_parent)
{
    volatile pid_t *child =
        mmap(NULL, sizeof *child, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(child != MAP_FAILED);
    *child = 0;
    cr_assert(eq(int, prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0)); /* orphans come here */
    const pid_t parent = fork();
    if (parent == 0) {
        struct confined_answer answer = {0};
        const struct confined_limits limits = generous();
        (void)confined_run(tell_and_sleep, (void *)child, "the reader", &limits, &answer, NULL);
        _exit(0);
    }
    const struct timespec moment = {.tv_nsec = 1000000};
    while (*child == 0)
        (void)nanosleep(&moment, NULL);
    const pid_t orphan = *child;
    int how = 0;
    cr_assert(eq(int, kill(parent, SIGKILL), 0));
    cr_assert(eq(int, (int)waitpid(parent, &how, 0), (int)parent));
    pid_t ended = 0;
    for (const double began = seconds_now(); ended == 0 && seconds_now() - began < 20;) {
        ended = waitpid(orphan, &how, WNOHANG);
        (void)nanosleep(&moment, NULL);
    }
    if (ended == 0)
        (void)kill(orphan, SIGKILL);
    cr_assert(eq(int, (int)ended, (int)orphan), "it goes on without its parent");
    const int ended_by = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    cr_assert(eq(int, ended_by, SIGKILL));
}
