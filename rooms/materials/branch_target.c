#include "rooms/materials/branch_target.h"

#include <math.h>

double fit_centre(int octave)
{
    return 1000 * pow(10, 0.3 * (octave - 4));
}

double fit_tolerance(double target)
{
    return fmin(0.02, fmax(0.002, 0.05 * target));
}

double fit_target_line(const double target[FIT_OCTAVES], double octaves)
{
    const double within = fmax(0, fmin(FIT_OCTAVES - 1, octaves));
    const int below = within < FIT_OCTAVES - 2 ? (int)within : FIT_OCTAVES - 2;
    return target[below] + (within - below) * (target[below + 1] - target[below]);
}

double fit_target_at(const double target[FIT_OCTAVES], double frequency)
{
    return fit_target_line(target, log10(frequency / fit_centre(0)) / 0.3);
}
