/** The C headers that the CUDA files need, made fit for C++. */
#ifndef KERNELS_DEVICE_HEADERS_CUH
#define KERNELS_DEVICE_HEADERS_CUH

#ifndef _Static_assert
#define _Static_assert static_assert /* the headers are C */
#endif
extern "C" {
#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "geometry/failure.h"
#include "kernels/device.h"
#include "kernels/device_engine.h"
#include "kernels/engine.h"
#include "kernels/engine_parts.h"
#include "kernels/step.h"
}

#endif
