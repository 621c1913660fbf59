/** Limits of Linux control groups, which batch systems, systemd and containers set, often on a parent of the
 * group of the process.
 *
 * All visible groups count, from that of the process up to the root, of version 1 and 2, wherever they are
 * mounted (Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
 */
#ifndef KERNELS_CGROUP_LIMITS_H
#define KERNELS_CGROUP_LIMITS_H

#include <stdint.h>

/** Bytes that this process can allocate before one of its groups reaches a limit (memory.max, memory.high,
 * memory.limit_in_bytes). File pages that the kernel can reclaim count as free. UINT64_MAX without a limit.
 * Some 20 file reads.
 * @param root "" for this machine; for tests a folder with proc/ and the mounted groups */
uint64_t cgroup_memory_left(const char *root);

/** Number of processors whose time the groups grant (cpu.max, cpu.cfs_quota_us), rounded up, at least 1;
 * INT_MAX without a limit. */
int cgroup_processors(const char *root);

#endif
