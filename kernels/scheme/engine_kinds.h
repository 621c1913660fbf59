/** The ways to step a room; all produce the same bits. */
#ifndef KERNELS_ENGINE_KINDS_H
#define KERNELS_ENGINE_KINDS_H

#include <stdbool.h>

enum layout { LAYOUT_BLOCKS, LAYOUT_BOX };
enum precision { PRECISION_SINGLE, PRECISION_DOUBLE };
enum backend { BACKEND_REFERENCE, BACKEND_CPU, BACKEND_CUDA, BACKEND_OPENCL, BACKENDS };
enum simd { SIMD_AUTO, SIMD_PORTABLE, SIMD_AVX2, SIMD_AVX512 };

/** True if the field is on a device (../cuda/device_table.h). */
static inline bool backend_is_device(enum backend backend)
{
    return backend >= BACKEND_CUDA;
}

/** A choice of them. */
struct engine_options {
    enum layout layout;
    enum precision precision;
    enum backend backend;
    enum simd simd; /* SIMD_AUTO: the widest this processor has; FAILURE_CAPACITY for one that it lacks */
    int threads; /* 0: all processors; the reference always runs on one. of a device: for work on the host */
};

#endif
