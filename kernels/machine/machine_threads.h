/** How many threads this process may have. */
#ifndef KERNELS_MACHINE_THREADS_H
#define KERNELS_MACHINE_THREADS_H

/** The most threads that can work at once, this one among them, up to `wanted`: so many are started and ended
 * again. Limits of processes (ulimit -u, a container's pids) or memory can leave fewer than there are
 * processors, and OpenMP ends the whole program where a thread of a team cannot be had. At least 1. Takes
 * some 20 us a thread. */
int machine_threads_available(int wanted);

/** How many threads are of use: `most`, which OpenMP takes by itself (the processors that the process may
 * run on, or OMP_NUM_THREADS), or fewer where a batch system or container grants the time of fewer
 * processors (cgroup_limits.h): more threads would only wait for one another. What the user asked for by
 * OMP_NUM_THREADS stays. */
int machine_threads_wanted(int most);

#endif
