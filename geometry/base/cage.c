/* syscall() */
#define _GNU_SOURCE
#include "geometry/base/cage.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "geometry/base/sanitized.h"

/* A sanitizer's reports need more calls. Its heap, unlike that of glibc, does not survive a fork beside other
 * threads, which making the list needs. */
#define HAS_SECCOMP (TRANSEPT_SECCOMP && !SANITIZED)

#if HAS_SECCOMP
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#endif

/* ---- Landlock: linux/landlock.h of Debian 12 ends at version 2 ---- */

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif
#define ASK_VERSION  1u
#define PATH_BENEATH 1           /* a kind of rule, .. */
#define READ_FILE    UINT64_C(4) /* .. and a right */

/* struct landlock_ruleset_attr as of version 6; earlier kernels know the first or the first two. */
struct ruleset {
    uint64_t files, net, scoped;
};

/* struct landlock_path_beneath_attr */
struct __attribute__((packed)) file_rule {
    uint64_t allowed;
    int32_t file;
};

static int landlock_version(void)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, ASK_VERSION);
    return version < 0 ? 0 : (int)version;
}

/* All rights that a version can deny; each version added some bits. */
static struct ruleset deny_all(int version, size_t *size)
{
    const unsigned file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    *size = (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(uint64_t);
    return (struct ruleset){.files = (UINT64_C(1) << file_rights) - 1,
                            .net = version >= 4 ? 3 : 0,
                            .scoped = version >= 6 ? 3 : 0};
}

int cage_close_files(int file)
{
    size_t size;
    const int version = landlock_version();
    if (version == 0)
        return 0;
    const struct ruleset all = deny_all(version, &size);
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0u);
    if (rules < 0)
        return -1;
    const struct file_rule rule = {.allowed = READ_FILE, .file = file};
    long status = file < 0 ? 0 : syscall(SYS_landlock_add_rule, rules, PATH_BENEATH, &rule, 0u);
    if (status == 0)
        status = syscall(SYS_landlock_restrict_self, rules, 0u);
    (void)close(rules);
    return status == 0 ? 0 : -1;
}

/* ---- seccomp ---- */

#if HAS_SECCOMP

/* Allowed with any arguments. libseccomp leaves out calls that a machine does not have (open on aarch64). */
static const int harmless[] = {
    /* memory, but not as code */
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    /* open descriptors: the pipe */
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(pread64),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    /* locks and thread data */
    SCMP_SYS(futex),
    SCMP_SYS(sched_yield),
    SCMP_SYS(gettid),
    SCMP_SYS(getpid),
    /* number of processors and amount of memory, for malloc() and qsort() */
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sysinfo),
    /* clocks that need a call, and seeds */
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getrandom),
    /* abort(), own signal handlers, exit */
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack), /* guarded_call.h */
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

#define MASKED(argument, mask, value) SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, mask, value)
#define WRITING                       (O_ACCMODE | O_CREAT | O_TRUNC)

/* Calls allowed with some arguments only. Returns 0 or a negative error number. */
static int allow_with_arguments(scmp_filter_ctx filter, bool opens)
{
    const scmp_datum_t self = (scmp_datum_t)getpid();
    const uint32_t open_for_reading = opens ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EACCES);
    int status = 0;
#define RULE(action, call, ...)                                                                              \
    if (status == 0)                                                                                         \
    status = seccomp_rule_add(filter, action, SCMP_SYS(call), __VA_ARGS__)
    RULE(SCMP_ACT_ALLOW, mmap, 1, MASKED(2, PROT_EXEC, 0));
    RULE(SCMP_ACT_ALLOW, mprotect, 1, MASKED(2, PROT_EXEC, 0));
    RULE(SCMP_ACT_ALLOW, tgkill, 1, SCMP_CMP(0, SCMP_CMP_EQ, self));
    RULE(SCMP_ACT_ALLOW, ioctl, 1, SCMP_CMP(1, SCMP_CMP_EQ, TCGETS));             /* isatty() */
    RULE(SCMP_ACT_ALLOW, newfstatat, 1, MASKED(3, AT_EMPTY_PATH, AT_EMPTY_PATH)); /* fstat() of glibc 2.33 */
    /* The C library looks for processors, messages and character sets, and continues without them. */
    RULE(open_for_reading, open, 1, MASKED(1, WRITING, O_RDONLY));
    RULE(open_for_reading, openat, 1, MASKED(2, WRITING, O_RDONLY));
#undef RULE
    return status;
}

static int refused_report, refused_status;

/* Runs in the thread that made the call. */
static void refuse_call(int number, siginfo_t *info, void *context)
{
    const int call = info->si_syscall;
    (void)number, (void)context;
    (void)!write(refused_report, &call, sizeof call);
    _exit(refused_status);
}

/* Libseccomp 2.5 writes its program only to descriptors. */
static int export_program(scmp_filter_ctx filter, struct cage_calls *out)
{
    int end[2];
    if (pipe2(end, O_CLOEXEC | O_NONBLOCK) != 0)
        return -errno;
    int error = seccomp_export_bpf(filter, end[1]);
    const ssize_t got = error == 0 ? read(end[0], out->program, sizeof out->program) : -1;
    if (got <= 0 || (size_t)got == sizeof out->program)
        error = error != 0 ? error : -EOVERFLOW;
    out->bytes = error == 0 ? (size_t)got : 0;
    (void)close(end[0]);
    (void)close(end[1]);
    return error;
}

int cage_make_calls(bool opens, struct cage_calls *out)
{
    errno = 0;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    int error =
        filter == NULL ? -ENOMEM : seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    for (size_t k = 0; error == 0 && k < sizeof harmless / sizeof harmless[0]; ++k)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, harmless[k], 0);
    if (error == 0)
        error = allow_with_arguments(filter, opens);
    if (error == 0)
        error = export_program(filter, out);
    seccomp_release(filter);
    if (error == -ENOMEM)
        errno = ENOMEM;
    return error == 0 && errno != ENOMEM ? 0 : -1; /* without memory it leaves calls out */
}

int cage_close_calls(const struct cage_calls *calls, int report, int status)
{
    struct sigaction action = {.sa_sigaction = refuse_call, .sa_flags = SA_SIGINFO};
    const struct sock_fprog program = {.len = (unsigned short)(calls->bytes / sizeof(struct sock_filter)),
                                       .filter = (struct sock_filter *)calls->program};
    refused_report = report;
    refused_status = status;
    sigfillset(&action.sa_mask);
    return sigaction(SIGSYS, &action, NULL) | prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static unsigned has_seccomp(void)
{
    const uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &action) == 0 ? CAGE_SECCOMP : 0;
}

void cage_call_name(int number, char name[32])
{
    char *known = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
    (void)snprintf(name, 32, known != NULL ? "%s" : "number %.0s%d", known != NULL ? known : "", number);
    free(known);
}

#else

int cage_make_calls(bool opens, struct cage_calls *out)
{
    (void)opens, (void)out;
    return 0;
}

int cage_close_calls(const struct cage_calls *calls, int report, int status)
{
    (void)calls, (void)report, (void)status;
    return 0;
}

static unsigned has_seccomp(void)
{
    return 0;
}

void cage_call_name(int number, char name[32])
{
    (void)snprintf(name, 32, "number %d", number);
}

#endif

/* ---- which parts ---- */

unsigned cage_parts(void)
{
    return has_seccomp() | (landlock_version() > 0 ? CAGE_LANDLOCK : 0);
}

const char *cage_words(unsigned parts)
{
    static const char *const words[] = {"no", "seccomp", "landlock", "seccomp, landlock"};
    return words[parts & 3u];
}
