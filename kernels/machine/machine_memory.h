/** How much memory a run may still take, and memory for pressures. */
#ifndef KERNELS_MACHINE_MEMORY_H
#define KERNELS_MACHINE_MEMORY_H

#include <stdint.h>

/** Bytes that this process can still get without swapping: what the kernel calls available, less where a
 * batch system or container (cgroup_limits.h) or the shell (ulimit -v) allows less. Physical memory where
 * none of that is known. */
uint64_t machine_memory_available(void);

/** The same without the limit of the shell, which is each process's own: what all of this group share. */
uint64_t machine_memory_shared(void);

/** Most bytes that this process has held in memory at once so far (VmHWM of proc_pid_status(5)); 0 where the
 * system does not say. */
uint64_t machine_memory_peak(void);

/** Memory for a large array: 128-byte aligned, on huge pages where the system grants them on request, not
 * touched yet, so that each page lands near the thread that first writes it. NULL when it cannot be had;
 * free(). */
void *machine_memory_allocate(uint64_t bytes);

/** Bytes of the largest cache, or 0 where the system does not say. */
uint64_t machine_memory_cache(void);

/** Put `bytes` of memory out of every cache of this processor, so that the next read of them goes to memory:
 * for timing what a room larger than the caches will see. Does nothing on processors without such an
 * instruction. */
void machine_memory_evict(const void *memory, uint64_t bytes);

#endif
