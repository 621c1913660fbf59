/** The devices of OpenCL: their list, one that is open, and memory and kernels on it.
 *
 * `card` is the number of a device in the order of platforms and their devices, GPUs and accelerators before
 * processors. A device is opened once in a process and kept: a context, a program for every kind of room. A
 * device that does not round as C does (no subnormals, products joined with sums) is refused, since its
 * fields would have other bits, unless the request allows any.
 */
#ifndef KERNELS_OPENCL_DEVICE_H
#define KERNELS_OPENCL_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/cuda/base/device.h"
#include "kernels/opencl/opencl_loader.h"

/** The kinds of rooms that have a program of their own. */
struct opencl_kind {
    bool twofold; /* double precision */
    bool isotropic, box;
};

/** The least that steps need of a device: step.cl. */
#define OPENCL_GROUP_LEAST 256
#define OPENCL_LOCAL_LEAST 25600

/** Blocks that a group of work items steps in a row, by the bytes of a real: 26 kB of local memory. */
static inline unsigned opencl_run(unsigned real)
{
    return 16 / real;
}

/** Number of devices; 0 without OpenCL. */
unsigned opencl_count(void);

/** Has it double precision? False past the last device too. */
bool opencl_has_double(unsigned card);

/** Is it a GPU, and not a processor? */
bool opencl_is_gpu(unsigned card);

/** Properties of a device; free memory is all that it has, since OpenCL does not say. FAILURE_CAPACITY where
 * it cannot be used. */
int opencl_find_card(unsigned card, struct device *out, struct failure *failure);

/** A device that is open, borrowed. FAILURE_CAPACITY where it cannot be used, or not now. */
int opencl_open(unsigned card, const struct opencl_card **out, struct failure *failure);

/** The program for a kind of room; made at its first use, which takes up to some seconds, or taken from the
 * cache (opencl_cache.h). Kept by the process. `same`: the device rounds as C does (opencl_trial.h).
 * FAILURE_CAPACITY where it has no double; FAILURE_OUTPUT with the first words of the compiler. */
int opencl_build(unsigned card, struct opencl_kind kind, opencl_program *out, bool *same,
                 struct failure *failure);

/** Turn an error of OpenCL (0: none) into FAILURE_OUTPUT, as that of a lost device or a fault of the program,
 * or into FAILURE_CAPACITY where memory does not suffice.
 * @param what   "the device's memory" */
int opencl_check(int32_t error, const char *what, struct failure *failure);

#endif
