/** The wait between two steps: spins for a moment, then sleeps.
 *
 * OpenMP's own barrier may spin for milliseconds, which on a machine that also does other work keeps the
 * processor from the very thread that is waited for (measured: README.md).
 */
#ifndef KERNELS_STEP_BARRIER_H
#define KERNELS_STEP_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct step_barrier {
    _Alignas(128) _Atomic uint64_t arrived; /* of what this phase waits for */
    _Alignas(128) _Atomic uint64_t phase;   /* counts the times that all has arrived */
    pthread_mutex_t mutex;
    pthread_cond_t moved_on;
};

/** Returns 0, or the system's error number. */
int step_barrier_init(struct step_barrier *barrier);
void step_barrier_destroy(struct step_barrier *barrier);

/** Phases that have ended: how often all has arrived. What was written before those arrivals is seen. */
uint64_t step_barrier_phase(struct step_barrier *barrier);

/** Let `amount` of the `all` that this phase waits for arrive; the last of it ends the phase. Nobody arrives
 * with anything for a phase that has ended. */
void step_barrier_arrive(struct step_barrier *barrier, uint64_t amount, uint64_t all);

/** Return once that phase has ended. */
void step_barrier_await(struct step_barrier *barrier, uint64_t phase);

/** Return once `threads` threads have called; what each wrote before is seen by all after. */
void step_barrier_wait(struct step_barrier *barrier, unsigned threads);

#endif
