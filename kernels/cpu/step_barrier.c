#include "kernels/cpu/step_barrier.h"

/* Reads of the phase before sleeping: some tens of microseconds, more than the time between two threads with
 * equal shares on an idle machine. */
#define LOOKS 2000

int step_barrier_init(struct step_barrier *barrier)
{
    atomic_init(&barrier->arrived, 0);
    atomic_init(&barrier->phase, 0);
    const int error = pthread_mutex_init(&barrier->mutex, NULL);
    if (error != 0)
        return error;
    const int second = pthread_cond_init(&barrier->moved_on, NULL);
    if (second != 0)
        (void)pthread_mutex_destroy(&barrier->mutex);
    return second;
}

void step_barrier_destroy(struct step_barrier *barrier)
{
    (void)pthread_cond_destroy(&barrier->moved_on);
    (void)pthread_mutex_destroy(&barrier->mutex);
}

static void pause_thread(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

uint64_t step_barrier_phase(struct step_barrier *barrier)
{
    return atomic_load_explicit(&barrier->phase, memory_order_acquire);
}

void step_barrier_arrive(struct step_barrier *barrier, uint64_t amount, uint64_t all)
{
    if (amount == 0 ||
        atomic_fetch_add_explicit(&barrier->arrived, amount, memory_order_acq_rel) + amount != all)
        return;
    atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
    /* Under the mutex, so that no thread starts to wait between its last look and this. */
    (void)pthread_mutex_lock(&barrier->mutex);
    (void)atomic_fetch_add_explicit(&barrier->phase, 1, memory_order_release);
    (void)pthread_cond_broadcast(&barrier->moved_on);
    (void)pthread_mutex_unlock(&barrier->mutex);
}

void step_barrier_await(struct step_barrier *barrier, uint64_t phase)
{
    for (int look = 0; look < LOOKS; ++look) {
        if (step_barrier_phase(barrier) != phase)
            return;
        pause_thread();
    }
    (void)pthread_mutex_lock(&barrier->mutex);
    while (step_barrier_phase(barrier) == phase)
        (void)pthread_cond_wait(&barrier->moved_on, &barrier->mutex);
    (void)pthread_mutex_unlock(&barrier->mutex);
}

void step_barrier_wait(struct step_barrier *barrier, unsigned threads)
{
    const uint64_t phase = step_barrier_phase(barrier);
    step_barrier_arrive(barrier, 1, threads);
    step_barrier_await(barrier, phase);
}
