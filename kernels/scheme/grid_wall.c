#include "kernels/scheme/grid_wall.h"

#include <math.h>

#include "kernels/scheme/dispersion.h"

#define PI 3.14159265358979323846

/* cos^2 of a diffuse field at this distance over that at the wall, or cosh^2. */
static double node_factor(double phase)
{
    if (fabs(phase) < 1e-4)
        return 1 - phase * fabs(phase) / 3;
    return 0.5 * (1 + (phase > 0 ? sin(2 * phase) : sinh(2 * phase)) / (2 * phase));
}

struct grid_wall_sight grid_wall_at(const struct grid_wall *wall, double frequency)
{
    const struct time_step *step = &wall->step;
    if (step->scheme != SCHEME_ISOTROPIC)
        return (struct grid_wall_sight){frequency, 1, 0};
    const double limit = dispersion_theta_limit(step) / (2 * PI * step->period);
    const double highest = fmin(GRID_WALL_EDGE * wall->fmax, dispersion_true(step, limit));
    const double within = fmin(frequency, highest), kappa = dispersion_kappa_of(step, within);
    const double theta = dispersion_theta(step, kappa);
    return (struct grid_wall_sight){
        .numerical = tan(0.5 * theta) / (PI * step->period) * (frequency / within),
        .factor = dispersion_stretch(step, kappa) / node_factor(kappa * wall->reach),
        .reactance = kappa * wall->distance,
    };
}
