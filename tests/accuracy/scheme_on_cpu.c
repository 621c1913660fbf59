#include "tests/accuracy/scheme_on_cpu.h"

#include "kernels/scheme/scheme.h"

void scheme_on_cpu_f32(size_t count, const float (*argument)[10], float *out)
{
    for (size_t n = 0; n < count; ++n) {
        const float *a = argument[n];
        out[n] =
            scheme_update_f32(a[6], a[7], scheme_sum_f32(a[0], a[1], a[2], a[3], a[4], a[5]), a[8], a[9]);
    }
}

void scheme_on_cpu_f64(size_t count, const double (*argument)[10], double *out)
{
    for (size_t n = 0; n < count; ++n) {
        const double *a = argument[n];
        out[n] =
            scheme_update_f64(a[6], a[7], scheme_sum_f64(a[0], a[1], a[2], a[3], a[4], a[5]), a[8], a[9]);
    }
}
