/** Numbers of threads. */
#ifndef KERNELS_MACHINE_THREADS_H
#define KERNELS_MACHINE_THREADS_H

/** Number of threads that this process can run at once, itself included, up to `wanted`; at least 1. Starts
 * and ends that many, about 20 us each. Limits (ulimit -u, the pids of a container) or memory may allow fewer
 * threads than processors, and OpenMP ends the program if it cannot start a thread. */
int machine_threads_available(int wanted);

/** Useful number of threads: `most`, the default of OpenMP (the processors that the process may run on, or
 * OMP_NUM_THREADS), or fewer if a batch system or container grants the time of fewer processors
 * (cgroup_limits.h). A number from OMP_NUM_THREADS is not reduced. */
int machine_threads_wanted(int most);

#endif
