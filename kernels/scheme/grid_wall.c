#include "kernels/scheme/grid_wall.h"

#include <complex.h>
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

/* 1 - chi kappa^2 Y^2 of a slanting wall. */
static double shade_factor(const struct wall_material *own, double kappa, double frequency)
{
    double complex sum = 0;
    for (size_t n = 0; own != NULL && n < own->branches; n++) {
        const struct wall_branch *const branch = &own->branch[n];
        const double omega = 2 * PI * frequency;
        sum += 1 / (branch->E + I * (omega * branch->D - branch->F / omega));
    }
    const double square = fmin(fmax(creal(sum * sum), -GRID_WALL_SHADE_MOST), GRID_WALL_SHADE_MOST);
    return 1 - GRID_WALL_SHADE * kappa * kappa * square;
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
        .factor = dispersion_stretch(step, kappa) /
                  (node_factor(kappa * wall->reach) * shade_factor(wall->slanting, kappa, within)),
        .reactance = kappa * wall->distance,
    };
}
