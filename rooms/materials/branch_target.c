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

static double line_at(const double *target, int count, double at)
{
    const double within = fmax(0, fmin(count - 1, at));
    const int below = within < count - 2 ? (int)within : count - 2;
    return target[below] + (within - below) * (target[below + 1] - target[below]);
}

double fit_target_line(const double target[FIT_OCTAVES], double octaves)
{
    return line_at(target, FIT_OCTAVES, octaves);
}

double fit_third_line(const double third[FIT_THIRDS], double octaves)
{
    return line_at(third, FIT_THIRDS, 3 * octaves + 1);
}

double fit_target_at(const double target[FIT_OCTAVES], double frequency)
{
    return fit_target_line(target, log10(frequency / fit_centre(0)) / 0.3);
}
