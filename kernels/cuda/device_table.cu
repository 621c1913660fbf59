/* The table of the CUDA files; each function is in the file of its idea. */
#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/device_table.h"

#define FUNCTION(result, name, ...) result cuda_##name(__VA_ARGS__)
#include "kernels/cuda/device_functions.h"

static constexpr struct device_table make_table()
{
    struct device_table all = {};
#define FUNCTION(result, name, ...) all.name = cuda_##name
#include "kernels/cuda/device_functions.h"
    return all;
}

const struct device_table device_cuda = make_table();
