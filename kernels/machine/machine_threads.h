/** How many threads this process may have. */
#ifndef KERNELS_MACHINE_THREADS_H
#define KERNELS_MACHINE_THREADS_H

/** The most threads that can work at once, this one among them, up to `wanted`: so many are started and ended
 * again. Limits of processes (ulimit -u, a container's pids) or memory can leave fewer than there are
 * processors, and OpenMP ends the whole program where a thread of a team cannot be had. At least 1. Takes
 * some 20 us a thread. */
int machine_threads_available(int wanted);

#endif
