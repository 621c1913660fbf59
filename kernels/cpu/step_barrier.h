/** The wait between two steps: spins for a moment, then sleeps.
 *
 * OpenMP's own barrier may spin for milliseconds. On a busy machine this takes the processor from the thread
 * that is waited for (measured: README.md).
 */
#ifndef KERNELS_STEP_BARRIER_H
#define KERNELS_STEP_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct step_barrier {
    _Alignas(128) _Atomic uint64_t arrived; /* arrivals that this phase waits for */
    _Alignas(128) _Atomic uint64_t phase;   /* number of ended phases */
    pthread_mutex_t mutex;
    pthread_cond_t moved_on;
};

/** Returns 0, or the system's error number. */
int step_barrier_init(struct step_barrier *barrier);
void step_barrier_destroy(struct step_barrier *barrier);

/** Number of ended phases. The caller sees all that was written before their arrivals. */
uint64_t step_barrier_phase(struct step_barrier *barrier);

/** Add `amount` arrivals to this phase, which ends after `all` of them. No arrival may be for an ended
 * phase. */
void step_barrier_arrive(struct step_barrier *barrier, uint64_t amount, uint64_t all);

/** Return once that phase has ended. */
void step_barrier_await(struct step_barrier *barrier, uint64_t phase);

/** Return once `threads` threads have called; each then sees what the others wrote before. */
void step_barrier_wait(struct step_barrier *barrier, unsigned threads);

#endif
