/* The scheme as written on paper: the definition that every other back end is judged by, in float and in
 * double from one source. No SIMD, no OpenMP, no tiling, ever. */
#include "kernels/scheme/scheme.h"
#include "kernels/scheme/step.h"

#define REAL   float
#define SUFFIX f32
#include "kernels/cpu/step_reference_body.h"

#define REAL   double
#define SUFFIX f64
#include "kernels/cpu/step_reference_body.h"

const step_table step_reference = {
    {step_reference_blocks_f32, step_reference_blocks_f64},
    {step_reference_box_f32, step_reference_box_f64},
};
