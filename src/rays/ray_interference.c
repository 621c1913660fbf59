#include "src/rays/ray_interference.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The mean of e^(-2 pi j f t) over the frequencies f of each octave. */
static void mean_phase(double time, double complex mean[RAY_OCTAVES])
{
    const double ratio = 1.9952623149688795; /* 10^0.3, an octave of ray_octave_centre() */
    double turn = -2.0 * PI * time * ray_octave_centre(0) / sqrt(ratio);
    double complex low = cexp(I * turn);
    for (int o = 0; o < RAY_OCTAVES; o++, turn *= ratio) {
        const double complex high = cexp(I * turn * ratio);
        mean[o] = fabs(turn) > 1e-6 ? (high - low) / (I * turn * (ratio - 1.0)) : 1.0;
        low = high;
    }
}

void ray_interference(size_t count, const double complex (*pressure)[RAY_OCTAVES], const double *time,
                      double over[RAY_OCTAVES])
{
    double each[RAY_OCTAVES] = {0.0}, all[RAY_OCTAVES];
    double complex mean[RAY_OCTAVES];
    for (size_t n = 0; n < count; n++)
        for (int o = 0; o < RAY_OCTAVES; o++)
            each[o] += creal(pressure[n][o] * conj(pressure[n][o]));
    for (int o = 0; o < RAY_OCTAVES; o++)
        all[o] = each[o];
    for (size_t n = 0; count <= RAY_INTERFERE_MOST && n < count; n++)
        for (size_t m = 0; m < n; m++) {
            if (!isfinite(time[n] - time[m]))
                continue;
            mean_phase(time[n] - time[m], mean);
            for (int o = 0; o < RAY_OCTAVES; o++)
                all[o] += 2.0 * creal(pressure[n][o] * conj(pressure[m][o]) * mean[o]);
        }
    for (int o = 0; o < RAY_OCTAVES; o++)
        over[o] = each[o] > 0.0 ? fmax(all[o], 0.0) / each[o] : 1.0;
}
