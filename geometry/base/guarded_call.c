#define _XOPEN_SOURCE 700 /* SA_ONSTACK, si_addr */
#include "geometry/base/guarded_call.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define FIRST_PAGES 65536       /* no memory lies below (mmap_min_addr): access to a missing struct */
#define OWN_STACK   65536       /* of the handler, since the stack itself may have run out */
#define STACK_MOST  (1UL << 30) /* largest stack of a program */

static const int crash[] = {SIGSEGV, SIGABRT};
#define CRASHES (sizeof crash / sizeof *crash)

/* A signal handler cannot receive arguments, so they are here. */
struct guard {
    sigjmp_buf back;
    struct sigaction before[CRASHES];
    stack_t stack_before;
    char stack[OWN_STACK];
};
static _Thread_local struct guard *volatile guard;

/* True for an access to or just before a missing struct, or for a call that recurses without end, as the
 * error reports of HDF5 do. */
static bool is_for_want_of_memory(const struct guard *mine, int number, const siginfo_t *about)
{
    const uintptr_t at = (uintptr_t)about->si_addr, here = (uintptr_t)mine;
    const bool stack_ran_out = at < here && here - at < STACK_MOST;
    return errno == ENOMEM && (number == SIGABRT || at + FIRST_PAGES < 2 * FIRST_PAGES || stack_ran_out);
}

static void on_crash(int number, siginfo_t *about, void *unused)
{
    struct guard *mine = guard;
    (void)unused;
    if (mine != NULL && is_for_want_of_memory(mine, number, about))
        siglongjmp(mine->back, 1);
    /* Not ours: the default action follows when this returns. */
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    for (size_t c = 0; c < CRASHES; c++)
        if (crash[c] == number)
            (void)sigaction(number, mine != NULL ? &mine->before[c] : &plain, NULL);
}

/* HDF5 exits if it gets no memory for its lists. C does not define a jump out of exit(); glibc and musl hold
 * no lock during this call. */
static bool stands_by;
static void on_exit_within(void)
{
    struct guard *mine = guard;
    stands_by = false;
    if (mine != NULL)
        siglongjmp(mine->back, 1);
}

bool guarded_call(void (*call)(void *context), void *context)
{
    struct guard mine, *const around = guard;
    const int error_around = errno;
    struct sigaction catch = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    const stack_t own = {.ss_sp = mine.stack, .ss_size = sizeof mine.stack};
    (void)sigemptyset(&catch.sa_mask);
    (void)sigaltstack(&own, &mine.stack_before);
    for (size_t c = 0; c < CRASHES; c++)
        (void)sigaction(crash[c], &catch, &mine.before[c]);
    if (!stands_by)
        stands_by = atexit(on_exit_within) == 0;
    guard = &mine;
    errno = 0;
    volatile bool done = false;
    if (sigsetjmp(mine.back, 1) == 0) {
        call(context);
        done = true;
    }
    guard = around;
    const int error = errno == 0 && around != NULL ? error_around : errno;
    for (size_t c = 0; c < CRASHES; c++)
        (void)sigaction(crash[c], &mine.before[c], NULL);
    (void)sigaltstack(&mine.stack_before, NULL);
    errno = done ? error : ENOMEM;
    return done;
}
