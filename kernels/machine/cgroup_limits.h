/** What a group of processes may use of a machine (cgroups, Linux): batch systems, systemd and containers set
 * such limits, often on a group above that of the process itself.
 *
 * All groups from that of the process up to the root that can be seen count, of version 1 and 2, wherever
 * they are mounted (Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
 */
#ifndef KERNELS_CGROUP_LIMITS_H
#define KERNELS_CGROUP_LIMITS_H

#include <stdint.h>

/** Bytes that this process can still take before a group of it is at a limit (memory.max, memory.high,
 * memory.limit_in_bytes); pages of files that the kernel would give up first do not count as taken.
 * UINT64_MAX without any limit. Some 20 file reads.
 * @param root "" for this machine; a folder that holds proc/ and what is mounted, for tests */
uint64_t cgroup_memory_left(const char *root);

/** Processors' worth of time that the groups grant (cpu.max, cpu.cfs_quota_us), rounded up, at least 1;
 * INT_MAX without any limit. */
int cgroup_processors(const char *root);

#endif
