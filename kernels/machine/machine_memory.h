/** Free memory, and allocation of large arrays. */
#ifndef KERNELS_MACHINE_MEMORY_H
#define KERNELS_MACHINE_MEMORY_H

#include <stdint.h>

/** Bytes that this process can allocate without swapping: MemAvailable of the kernel, or the limit of a batch
 * system, container (cgroup_limits.h) or shell (ulimit -v) if that is less. Physical memory if none of these
 * is known. */
uint64_t machine_memory_available(void);

/** The same without the limit of the shell, which holds for each process: memory that processes share. */
uint64_t machine_memory_shared(void);

/** Peak of the resident bytes of this process (VmHWM of proc_pid_status(5)); 0 if unknown. */
uint64_t machine_memory_peak(void);

/** Memory for a large array: 128-byte aligned, on huge pages if the system grants them on request. It is not
 * written yet, so each page is placed near the thread that first writes it. NULL without memory; free(). */
void *machine_memory_allocate(uint64_t bytes);

/** Bytes of the largest cache; 0 if unknown. */
uint64_t machine_memory_cache(void);

/** Evict `bytes` of memory from all caches, to time a room that is larger than the caches. Does nothing on
 * processors without such an instruction. */
void machine_memory_evict(const void *memory, uint64_t bytes);

#endif
