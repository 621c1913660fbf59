/** Does a device round as C does? What the kernel try_rounding (lists.cl) is given, and whether its answers
 * are those of C: a b + c rounded twice, fma(a, b, c), a + c. The inputs tell apart products that are joined
 * with sums, sums of fma that are rounded twice, and subnormal inputs, products or sums that become 0. */
#ifndef KERNELS_OPENCL_TRIAL_H
#define KERNELS_OPENCL_TRIAL_H

#include <stdbool.h>

#define OPENCL_TRIALS 6

extern const float opencl_trial_f32[OPENCL_TRIALS][3]; /* a, b, c */
extern const double opencl_trial_f64[OPENCL_TRIALS][3];

bool opencl_trial_holds_f32(const float (*out)[3]);
bool opencl_trial_holds_f64(const double (*out)[3]);

#endif
