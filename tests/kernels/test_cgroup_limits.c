/* Limits that a batch system or container sets on a group of processes, or on one above it. The tree that is
 * read is made here: proc/self/cgroup, proc/self/mountinfo and what they lead to. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include <limits.h>

#include "kernels/machine/cgroup_limits.h"

TestSuite(cgroup_limits, .init = enter_folder, .fini = leave_folder);

#define V2_MOUNT "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
#define V1_MOUNT                                                                                             \
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n32 31 0:32 / /sys/fs/cgroup/memory rw - cgroup "       \
    "cgroup "                                                                                                \
    "rw,memory\n33 31 0:33 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"

/* A file and the folders above it. */
static void put(const char *path, const char *text)
{
    char above[200];
    for (const char *slash = path; (slash = strchr(slash, '/')) != NULL; slash++) {
        snprintf(above, sizeof above, "%.*s", (int)(slash - path), path);
        (void)mkdir(above, 0777);
    }
    write_text(path, text);
}

static void put_process(const char *groups, const char *mounts)
{
    put("proc/self/cgroup", groups);
    put("proc/self/mountinfo", mounts);
}

#define SLURM "sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/"

Test(cgroup_limits, the_limit_of_a_job_counts_for_a_step_far_below_it)
{
    put_process("0::/system.slice/slurmstepd.scope/job_7/step_0/user/task_0\n", V2_MOUNT);
    put(SLURM "step_0/user/task_0/memory.max", "max\n");
    put(SLURM "step_0/user/task_0/memory.current", "500\n");
    put(SLURM "memory.max", "4000000\n");
    put(SLURM "memory.current", "1000000\n");
    put(SLURM "step_0/memory.max", "9000000\n");
    put(SLURM "step_0/memory.current", "1000000\n");
    put(SLURM "cpu.max", "250000 100000\n");
    put(SLURM "step_0/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/system.slice/cpu.max", "800000 100000\n");
    cr_assert(cgroup_memory_left(".") == 3000000);
    cr_assert(eq(int, cgroup_processors("."), 3)); /* two and a half */
}

Test(cgroup_limits, what_slows_a_group_down_is_a_limit_and_pages_of_files_are_no_use)
{
    put_process("0::/user.slice/run.scope\n", V2_MOUNT);
    put("sys/fs/cgroup/user.slice/run.scope/memory.max", "8000000\n");
    put("sys/fs/cgroup/user.slice/run.scope/memory.high", "6000000\n");
    put("sys/fs/cgroup/user.slice/run.scope/memory.current", "5000000\n");
    put("sys/fs/cgroup/user.slice/run.scope/memory.stat",
        "anon 1000000\nfile 4000000\ninactive_file 3500000\n");
    cr_assert(cgroup_memory_left(".") == 4500000);
    put("sys/fs/cgroup/user.slice/run.scope/memory.current", "9900000\n");
    cr_assert(cgroup_memory_left(".") == 0);
}

Test(cgroup_limits, groups_of_the_first_version_count_too_wherever_they_are_mounted)
{
    put_process("9:name=systemd:/\n4:memory:/slurm/uid_5/job_7\n2:cpu,cpuacct:/slurm\n0::/\n", V1_MOUNT);
    put("sys/fs/cgroup/memory/slurm/uid_5/memory.limit_in_bytes", "2000000\n");
    put("sys/fs/cgroup/memory/slurm/uid_5/memory.usage_in_bytes", "1500000\n");
    put("sys/fs/cgroup/memory/slurm/uid_5/memory.stat", "inactive_file 1\ntotal_inactive_file 100000\n");
    put("sys/fs/cgroup/memory/slurm/uid_5/job_7/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/slurm/uid_5/job_7/memory.usage_in_bytes", "1500000\n");
    put("sys/fs/cgroup/cpu/slurm/cpu.cfs_quota_us", "50000\n");
    put("sys/fs/cgroup/cpu/slurm/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    cr_assert(cgroup_memory_left(".") == 600000);
    cr_assert(eq(int, cgroup_processors("."), 1));
}

/* Without a namespace of its own a container sees its group by its full name, and only that part mounted. */
Test(cgroup_limits, a_container_sees_its_own_part_of_the_tree)
{
    put_process("0::/docker/abc/inner\n",
                "30 23 0:26 /docker/abc /mnt/c\\040group rw - cgroup2 cgroup2 rw\n");
    put("mnt/c group/memory.max", "5000\n");
    put("mnt/c group/memory.current", "1000\n");
    put("mnt/c group/inner/memory.max", "9000\n");
    put("mnt/c group/inner/memory.current", "1000\n");
    cr_assert(cgroup_memory_left(".") == 4000);
    put_process("0::/../../elsewhere\n", "30 23 0:26 / /mnt/c\\040group rw - cgroup2 cgroup2 rw\n");
    cr_assert(cgroup_memory_left(".") == 4000);
}

Test(cgroup_limits, without_groups_or_limits_there_is_none)
{
    cr_assert(cgroup_memory_left(".") == UINT64_MAX);
    cr_assert(eq(int, cgroup_processors("."), INT_MAX));
    put_process("0::/a\nno line of it\n", V2_MOUNT "x\n - \n");
    put("sys/fs/cgroup/a/memory.max", "max\n");
    put("sys/fs/cgroup/a/memory.current", "7\n");
    put("sys/fs/cgroup/a/cpu.max", "max 100000\n");
    cr_assert(cgroup_memory_left(".") == UINT64_MAX);
    cr_assert(eq(int, cgroup_processors("."), INT_MAX));
}
