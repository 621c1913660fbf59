/** The transept program: finds the command and turns its failure into a sentence and an exit status. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "geometry/base/cage.h"
#include "kernels/cuda/base/device.h"
#include "kernels/engine/engine_back_ends.h"
#include "kernels/mpi/ranks.h"
#include "src/base/interrupt.h"
#include "src/base/json_memory.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/base/options/messages.h"
#include "src/rays/ray_scene.h"

/* Start the program again under its own name. The call returns if that fails. If the dynamic linker
 * started the program (AT_BASE is 0 then), /proc names the linker instead. */
static void begin_again(char **argv)
{
    char path[PATH_MAX] = "";
    if (getauxval(AT_BASE) != 0 && readlink("/proc/self/exe", path, sizeof path - 1) > 0)
        (void)execv(path, argv);
}

/* Bytes of the stack, also of every thread. A run needs 192 KiB (measured). */
#define STACK_NEEDED ((rlim_t)512 << 10)
#define STACK_USUAL  ((rlim_t)8192 << 10)

/* Raise a small limit if allowed. */
static void take_stack(char **argv)
{
    static const char sentence[] =
        "transept: the limit of the stack (ulimit -s) is below the 512 KiB that are needed: raise it, as "
        "with ulimit -s 8192\n";
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= STACK_NEEDED)
        return;
    stack.rlim_cur = stack.rlim_max < STACK_USUAL ? stack.rlim_max : STACK_USUAL;
    if (stack.rlim_cur >= STACK_NEEDED && setrlimit(RLIMIT_STACK, &stack) == 0) {
        begin_again(argv);
        return;
    }
    (void)!write(STDERR_FILENO, sentence, sizeof sentence - 1);
    _exit(FAILURE_CAPACITY);
}

/* A thread of OpenMP without work spins for about 8 ms before it sleeps. On a busy machine it takes that
 * time from the threads it waits for (measured: kernels/README.md). OpenMP reads the setting only from
 * the environment, when it is loaded. So the program starts again under its own name, which takes 9 ms. A
 * setting of the user stays. If the restart fails, only time is lost. */
static void let_idle_threads_sleep(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") == NULL && getenv("GOMP_SPINCOUNT") == NULL &&
        setenv("OMP_WAIT_POLICY", "passive", 0) == 0)
        begin_again(argv);
}

static void on_interrupt(int number);
static void on_alarm(int number);

/* A signal that the caller ignores stays ignored: an interrupt (by nohup, or by a shell for background jobs),
 * and the limit of processor time (ulimit -t), whose signal repeats every second. */
static void catch_interrupts(int flags)
{
    static const int interrupt[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = flags}, was;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof interrupt / sizeof *interrupt; i++)
        if (sigaction(interrupt[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
            sigaction(interrupt[i], &action, NULL);
}

/* True if it is a pipe that is full because it is not read. */
static bool is_stuck(int stream)
{
    struct stat there;
    struct pollfd end = {.fd = stream, .events = POLLOUT};
    return fstat(stream, &there) == 0 && S_ISFIFO(there.st_mode) && poll(&end, 1, 0) == 0;
}

/* Once interrupted, the program does not wait for a reader that does not read. Its further output goes to
 * /dev/null, and a waiting write is repeated there. */
#define STUCK_MILLISECONDS 300
static void on_alarm(int number)
{
    const int error = errno;
    (void)number;
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
        const int nowhere = is_stuck(stream) ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
        if (nowhere >= 0 && dup2(nowhere, stream) >= 0)
            (void)close(nowhere);
    }
    errno = error;
}

static void look_for_stuck_pipes(void)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    const struct timeval apart = {.tv_usec = 1000 * STUCK_MILLISECONDS};
    const struct itimerval often = {.it_interval = apart, .it_value = apart};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) == 0)
        (void)setitimer(ITIMER_REAL, &often, NULL);
}

/* Continue below the line of a running progress. */
static void end_at_once(void)
{
    static const char sentence[] = "\ntransept: interrupted; no result was written\n",
                      json[] = "\n" MESSAGE_ENDED_JSON("interrupted", "130",
                                                       "interrupted; no result was written", "null");
    const char *text = messages_are_json ? json : sentence;
    const size_t begin = isatty(STDERR_FILENO) == 1 ? 0 : 1;
    if (!is_stuck(STDERR_FILENO))
        (void)!write(STDERR_FILENO, text + begin, strlen(text + begin));
    _exit(FAILURE_INTERRUPTED);
}

/* The first interrupt lets the program save its results. One within a second of it counts as the same,
 * since an impatient user or a batch system may send several to the whole group. After that no call is
 * interrupted any more. */
static void on_interrupt(int number)
{
    const int error = errno;
    if (interrupt_ends)
        end_at_once();
    if (!interrupt_seen) {
        interrupt_note();
        catch_interrupts(SA_RESTART);
        look_for_stuck_pipes();
    } else if (interrupt_age() > 1.0 && number != SIGXCPU) {
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = error;
}

/* An opened file takes the lowest free number. If the program is started without one of the standard
 * streams, a WAV would get that number, and with it all printed text. So /dev/null takes the place,
 * opened in the other direction, so that its use is still an error. */
static void hold_standard_streams(void)
{
    for (int stream = 0; stream < 3; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream)
            _exit(FAILURE_OUTPUT);
}

static void set_up_signals(void)
{
    catch_interrupts(0);
    /* A reader that goes away (`| head`) must not end a run that still writes files. A file that may not
     * grow is a write error. */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

/* A library without memory or thread (OpenMP, for its teams) ends the program with status 1, which would
 * mean a negative result. */
static bool main_has_ended;

static void end_for_library(void)
{
#define ENDED_BY_LIBRARY "ended by a library that found no memory or no thread"
#define FEWER_THREADS    "use fewer --threads or a lower --fmax, or a machine with more memory"
    static const char sentence[] = "transept: " ENDED_BY_LIBRARY ": " FEWER_THREADS "\n",
                      json[] = MESSAGE_ENDED_JSON("capacity", "3", ENDED_BY_LIBRARY, "\"" FEWER_THREADS "\"");
    const char *text = messages_are_json ? json : sentence;
    if (main_has_ended)
        return;
    (void)!write(STDERR_FILENO, text, strlen(text));
    _exit(FAILURE_CAPACITY);
}

/* If mpirun or srun starts several processes, the first one is the program and the others work for it. */
static bool is_helper(int *argc, char ***argv, int *status, struct failure *failure)
{
    if (ranks_table == NULL || !ranks_table->expected())
        return false;
    *status = ranks_table->start(argc, argv, failure);
    if (*status != FAILURE_NONE || ranks_table->own() == 0)
        return false;
    command_take_threads();
    *status = ranks_table->serve();
    return true;
}

static int run_command(int argc, char **argv, struct failure *failure)
{
    const char *nearest = NULL;
    const struct command *command = command_find(argv[1], &nearest);
    if (command != NULL) {
        command_take_threads();
        return command->start != NULL
                   ? command->start(command, argc - 2, argv + 2, failure)
                   : command_with_options(command, argc - 2, argv + 2, NULL, command->run, failure);
    }
    const int code = failure_set(failure, FAILURE_INPUT, "there is no command %s", argv[1]);
    return nearest != NULL ? failure_fix(code, failure, "did you mean %s?", nearest)
                           : failure_fix(code, failure, "transept --help lists them");
}

/* True if standard output has no reader any more (`| head`). poll() reports a pipe without a reader, but no
 * full disk. It is used because stdio may report the error of a write much later. */
static bool reader_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/* The state of standard output after a command has its answer. A reader that stops early is not a failure to
 * report; the status is that of a program that SIGPIPE ends. */
static int close_output(int status, struct failure *failure)
{
    if (status != FAILURE_NONE && status != FAILURE_ANSWER_NO)
        return status;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    const int error = errno;
    if (interrupt_seen)
        return failure_set(failure, FAILURE_INTERRUPTED, "interrupted");
    if (reader_is_gone())
        return status == FAILURE_NONE ? 128 + SIGPIPE : status;
    return failure_set(failure, FAILURE_OUTPUT, "standard output could not be written: %s", strerror(error));
}

/* What the program was built with, and the devices that --device numbers. */
static void print_version(void)
{
    const struct device_table *const cuda = back_ends_built.device[BACKEND_CUDA],
                                     *const opencl = back_ends_built.device[BACKEND_OPENCL];
    struct device device;
    struct failure failure = {0};
    printf("transept %s\ncuda: %s\nmpi: %s%s\nrays: %s\ncage: %s\n", TRANSEPT_VERSION,
           device_toolkit(cuda) != NULL ? device_toolkit(cuda) : "no",
           ranks_table != NULL ? ranks_table->library : "no",
           ranks_table != NULL && ranks_table->nccl() > 0 ? ", with NCCL" : "",
           rays_are_absent() ? "no" : "Embree", cage_words(cage_parts()));
    if (device_find(opencl, &device, &failure) != 0)
        printf("opencl: no (%s)\n", failure.sentence);
    for (unsigned n = 0; n < device_count(opencl); n++)
        if (device_find_card(opencl, n, &device, &failure) == 0)
            printf("opencl: device %u, %s, OpenCL %s\n", n, device.name, device.driver);
}

int main(int argc, char **argv)
{
    struct failure failure = {0};
    int status = FAILURE_NONE;
    take_stack(argv);
    let_idle_threads_sleep(argv);
    hold_standard_streams();
    set_up_signals();
    if (argc < 2) {
        help_overview(stderr);
        return FAILURE_INPUT;
    }
    messages_are_json = messages_ask_json(argc - 1, argv + 1);
    (void)atexit(end_for_library);
    json_memory_watch(malloc);
    if (is_helper(&argc, &argv, &status, &failure)) {
        main_has_ended = true;
        return status;
    }
    if (status != FAILURE_NONE)
        ; /* reported below */
    else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        help_overview(stdout);
    else if (strcmp(argv[1], "--version") == 0)
        print_version();
    else
        status = run_command(argc, argv, &failure);
    if (status == FAILURE_NONE && json_memory_ran_out())
        status = failure_memory(&failure, 0, "the tables that were printed");
    if (status == FAILURE_NONE || status == FAILURE_ANSWER_NO)
        progress_json_end();
    status = close_output(status, &failure);
    message_failure(stderr, &failure);
    if (ranks_table != NULL)
        ranks_table->end(status);
    main_has_ended = true;
    return status;
}
