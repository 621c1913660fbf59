#include "kernels/machine/machine_threads.h"

#include <pthread.h>
#include <stdlib.h>

#include "kernels/machine/cgroup_limits.h"

/* Locked by the caller, so that the started threads stay. */
static void *wait_for(void *gate)
{
    (void)pthread_mutex_lock(gate);
    (void)pthread_mutex_unlock(gate);
    return NULL;
}

int machine_threads_available(int wanted)
{
    int others = 0;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread = wanted > 1 ? malloc((size_t)(wanted - 1) * sizeof *thread) : NULL;
    if (thread == NULL)
        return 1;
    (void)pthread_mutex_lock(&gate);
    while (others < wanted - 1 && pthread_create(&thread[others], NULL, wait_for, &gate) == 0)
        others++;
    (void)pthread_mutex_unlock(&gate);
    for (int t = 0; t < others; t++)
        (void)pthread_join(thread[t], NULL);
    free(thread);
    return others + 1;
}

int machine_threads_wanted(int most)
{
    const int granted = getenv("OMP_NUM_THREADS") == NULL ? cgroup_processors("") : most;
    return granted < most ? granted : most;
}
