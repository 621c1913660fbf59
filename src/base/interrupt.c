#include "src/base/interrupt.h"

#include <stdatomic.h>
#include <time.h>

#include "geometry/base/failure.h"

volatile sig_atomic_t interrupt_seen, interrupt_ends;

static _Atomic long long first; /* [ms] of a clock that only runs forward */
static double grace = INTERRUPT_GRACE;

static long long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000LL * now.tv_sec + now.tv_nsec / 1000000;
}

void interrupt_note(void)
{
    first = milliseconds();
    interrupt_seen = 1;
}

void interrupt_forget(void)
{
    interrupt_seen = 0;
    interrupt_ends = 0;
    grace = INTERRUPT_GRACE;
}

double interrupt_age(void)
{
    return interrupt_seen ? 1e-3 * (double)(milliseconds() - first) : 0.0;
}

void interrupt_leaves_nothing(void)
{
    grace = 0.0;
}

bool interrupt_overdue(void)
{
    return interrupt_seen && interrupt_age() >= grace;
}

int interrupt_stop(struct failure *failure)
{
    return interrupt_seen ? failure_interrupted(failure) : 0;
}

int interrupt_check(void)
{
    return interrupt_overdue() ? FAILURE_INTERRUPTED : 0;
}
