/** The C headers that a step on a device needs, made fit for C++. */
#ifndef KERNELS_GPU_HEADERS_CUH
#define KERNELS_GPU_HEADERS_CUH

#ifndef _Static_assert
#define _Static_assert static_assert /* the headers are C */
#endif
extern "C" {
#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "geometry/base/failure.h"
#include "kernels/scheme/engine_kinds.h"
#include "kernels/scheme/engine_parts.h"
#include "kernels/scheme/step.h"
#include "kernels/scheme/time_step.h"
}

#endif
