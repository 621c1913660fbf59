/** The C headers that the CUDA files need, made fit for C++. */
#ifndef KERNELS_DEVICE_HEADERS_CUH
#define KERNELS_DEVICE_HEADERS_CUH

#include "kernels/cuda/step/gpu_headers.cuh"
extern "C" {
#include "kernels/cuda/base/device.h"
#include "kernels/cuda/base/device_request.h"
}

#endif
