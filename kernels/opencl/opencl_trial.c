#include "kernels/opencl/opencl_trial.h"

#include <math.h>

/* By the spacing of numbers at 1 and the least normal number. */
#define TRIAL(real, suffix, fused, spacing, least)                                                           \
    const real opencl_trial_##suffix[OPENCL_TRIALS][3] = {                                                   \
        {1 + (spacing), 1 + (spacing), -1 - 2 * (spacing)},                                                  \
        {1 + (spacing), 1 - (spacing), -1},                                                                  \
        {(least) / 4, 3, (least) / 8},                                                                       \
        {(least) * (1 + (spacing)), (real)0.5, 0},                                                           \
        {(least) * (real)1.5, 1, -(least)},                                                                  \
        {(real)0.1, (real)0.3, (real)-0.03}};                                                                \
    bool opencl_trial_holds_##suffix(const real(*out)[3])                                                    \
    {                                                                                                        \
        bool same = true;                                                                                    \
        for (int n = 0; n < OPENCL_TRIALS; ++n) {                                                            \
            const real *const in = opencl_trial_##suffix[n];                                                 \
            same = same && out[n][0] == in[0] * in[1] + in[2] && out[n][1] == fused(in[0], in[1], in[2]) &&  \
                   out[n][2] == in[0] + in[2];                                                               \
        }                                                                                                    \
        return same;                                                                                         \
    }
TRIAL(float, f32, fmaf, 1.1920929e-7F, 1.17549435e-38F)
TRIAL(double, f64, fma, 2.2204460492503131e-16, 2.2250738585072014e-308)
