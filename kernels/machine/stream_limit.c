#include "kernels/machine/stream_limit.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/machine/machine_memory.h"

#define PART_MULTIPLE 128u

#if defined(__x86_64__)
#define EVERY_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EVERY_WIDTH
#endif

/* The memory is streamed as either type: it contains zeros, which are 0 in both. */
typedef float __attribute__((may_alias)) stream_single_t;
typedef double __attribute__((may_alias)) stream_double_t;

EVERY_WIDTH static void stream_single(const stream_single_t *restrict u, stream_single_t *restrict u_old,
                                      uint64_t count)
{
    for (uint64_t n = 0; n < count; ++n)
        u_old[n] = u[n] + u[n] - u_old[n];
}

EVERY_WIDTH static void stream_double(const stream_double_t *restrict u, stream_double_t *restrict u_old,
                                      uint64_t count)
{
    for (uint64_t n = 0; n < count; ++n)
        u_old[n] = u[n] + u[n] - u_old[n];
}

/* Parts are divided among the threads that exist, always in the same way. */
static void zero_parts(const struct stream_limit *limit)
{
    const uint64_t part = limit->bytes / (uint64_t)limit->threads;
#pragma omp parallel for num_threads(limit->threads) schedule(static)
    for (int t = 0; t < limit->threads; ++t) {
        memset((char *)limit->u + part * (uint64_t)t, 0, (size_t)part);
        memset((char *)limit->u_old + part * (uint64_t)t, 0, (size_t)part);
    }
}

int stream_limit_create(struct stream_limit *limit, uint64_t bytes, int threads, struct failure *failure)
{
    const uint64_t multiple = PART_MULTIPLE * (uint64_t)threads;
    *limit = (struct stream_limit){.bytes = bytes / multiple * multiple, .threads = threads};
    limit->u = machine_memory_allocate(limit->bytes);
    limit->u_old = machine_memory_allocate(limit->bytes);
    if (limit->u == NULL || limit->u_old == NULL) {
        stream_limit_free(limit);
        return failure_memory(failure, 2 * bytes, "the streaming limit");
    }
    zero_parts(limit);
    return 0;
}

void stream_limit_free(struct stream_limit *limit)
{
    free(limit->u);
    free(limit->u_old);
    *limit = (struct stream_limit){0};
}

double stream_limit_pass(const struct stream_limit *limit, enum precision precision, int passes)
{
    const uint64_t part = limit->bytes / (uint64_t)limit->threads;
    const double start = omp_get_wtime();
#pragma omp parallel num_threads(limit->threads)
    for (int pass = 0; pass < passes; ++pass) {
#pragma omp for schedule(static)
        for (int t = 0; t < limit->threads; ++t) {
            const void *u = (char *)limit->u + part * (uint64_t)t;
            void *u_old = (char *)limit->u_old + part * (uint64_t)t;
            if (precision == PRECISION_SINGLE)
                stream_single(u, u_old, part / sizeof(float));
            else
                stream_double(u, u_old, part / sizeof(double));
        }
    }
    return (omp_get_wtime() - start) / passes;
}

double stream_limit_nodes(const struct stream_limit *limit, enum precision precision)
{
    return (double)limit->bytes / (precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double));
}
