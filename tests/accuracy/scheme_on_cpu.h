/** The node update over arrays, compiled as C: what the GPU's bits are compared with. */
#ifndef TESTS_SCHEME_ON_CPU_H
#define TESTS_SCHEME_ON_CPU_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Each case is ten reals: six differences (x- x+ y- y+ z- z+), u, u_old, lambda2, q. `out` holds `count`. */
void scheme_on_cpu_f32(size_t count, const float (*argument)[10], float *out);
void scheme_on_cpu_f64(size_t count, const double (*argument)[10], double *out);

#ifdef __cplusplus
}
#endif

#endif
