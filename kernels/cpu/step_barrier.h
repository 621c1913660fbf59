/** The wait between two steps: spins for a moment, then sleeps.
 *
 * OpenMP's own barrier may spin for milliseconds, which on a machine that also does other work keeps the
 * processor from the very thread that is waited for (measured: README.md).
 */
#ifndef KERNELS_STEP_BARRIER_H
#define KERNELS_STEP_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>

struct step_barrier {
    _Alignas(128) atomic_uint arrived; /* threads waiting for this phase to end */
    _Alignas(128) atomic_uint phase;   /* counts the times that all have arrived */
    pthread_mutex_t mutex;
    pthread_cond_t moved_on;
};

/** Returns 0, or the system's error number. */
int step_barrier_init(struct step_barrier *barrier);
void step_barrier_destroy(struct step_barrier *barrier);

/** Return once `threads` threads have called; what each wrote before is seen by all after. */
void step_barrier_wait(struct step_barrier *barrier, unsigned threads);

#endif
