/* madvise() is outside POSIX: glibc shows it under this name. */
#define _DEFAULT_SOURCE

#include "kernels/machine/machine_memory.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernels/machine/cgroup_limits.h"

#define ALIGNMENT 128u
#define HUGE_PAGE (UINT64_C(2) << 20)

/* The number in the first line of a file; UINT64_MAX if there is none. */
static uint64_t read_number(const char *path)
{
    uint64_t number = UINT64_MAX;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return UINT64_MAX;
    if (fscanf(file, "%" SCNu64, &number) != 1)
        number = UINT64_MAX;
    (void)fclose(file);
    return number;
}

/* Bytes of a line "NAME: number kB"; UINT64_MAX if there is none. */
static uint64_t read_kibibytes(const char *path, const char *name)
{
    uint64_t bytes = UINT64_MAX;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return bytes;
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        uint64_t kibibytes;
        if (strncmp(line, name, strlen(name)) == 0 &&
            sscanf(line + strlen(name), ": %" SCNu64, &kibibytes) == 1)
            bytes = kibibytes * 1024;
    }
    (void)fclose(file);
    return bytes;
}

static uint64_t kernel_available(void)
{
    uint64_t bytes = read_kibibytes("/proc/meminfo", "MemAvailable");
    if (bytes == UINT64_MAX) {
        const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        if (pages > 0 && page > 0)
            bytes = (uint64_t)pages * (uint64_t)page;
    }
    return bytes;
}

static uint64_t get_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t machine_memory_shared(void)
{
    return get_least(kernel_available(), cgroup_memory_left(""));
}

uint64_t machine_memory_peak(void)
{
    const uint64_t bytes = read_kibibytes("/proc/self/status", "VmHWM");
    return bytes == UINT64_MAX ? 0 : bytes;
}

uint64_t machine_memory_available(void)
{
    uint64_t bytes = machine_memory_shared();
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
        const uint64_t pages = read_number("/proc/self/statm"), page = (uint64_t)sysconf(_SC_PAGESIZE);
        const uint64_t used = pages != UINT64_MAX ? pages * page : 0;
        bytes = get_least(bytes, space.rlim_cur > used ? space.rlim_cur - used : 0);
    }
    return bytes;
}

void *machine_memory_allocate(uint64_t bytes)
{
    const uint64_t alignment = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;
    if (bytes > SIZE_MAX - alignment)
        return NULL;
    const size_t rounded = (size_t)((bytes + alignment - 1) / alignment * alignment);
    void *memory = aligned_alloc((size_t)alignment, rounded > 0 ? rounded : (size_t)alignment);
#ifdef MADV_HUGEPAGE
    /* Only advice: without huge pages there are more page walks. */
    if (memory != NULL && alignment == HUGE_PAGE)
        (void)madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    return memory;
}

uint64_t machine_memory_cache(void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long level3 = sysconf(_SC_LEVEL3_CACHE_SIZE), level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return level3 > 0 ? (uint64_t)level3 : level2 > 0 ? (uint64_t)level2 : 0;
#else
    return 0;
#endif
}

void machine_memory_evict(const void *memory, uint64_t bytes)
{
#if defined(__x86_64__)
    enum { LINE = 64 };
    const char *line = memory;
    for (uint64_t at = 0; at < bytes; at += LINE)
        _mm_clflush(line + at);
    _mm_mfence();
#else
    (void)memory;
    (void)bytes;
#endif
}
