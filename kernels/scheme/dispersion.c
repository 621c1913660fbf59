#include "kernels/scheme/dispersion.h"

#include <math.h>

#define PI 3.14159265358979323846

#define ISOTROPIC_KAPPA_LIMIT 2.7202314996332344 /* F is 4 here, and rises up to kappa = 3.3 */

static double square_of(double x)
{
    return x * x;
}

double dispersion_symbol(double kappa)
{
    const double axis = square_of(2.0 * sin(0.5 * kappa)); /* A of a wave along an axis */
    const double each =
        square_of(2.0 * sin(0.5 * sqrt(0.5) * kappa)); /* the two of one along a face's diagonal */
    return 0.5 * (axis + 2.0 * each - each * each / 6.0);
}

double dispersion_symbol_slope(double kappa)
{
    if (kappa == 0.0)
        return 1.0;
    const double part = sqrt(0.5) * kappa, each = square_of(2.0 * sin(0.5 * part));
    const double axis_slope = sin(kappa) / kappa;                        /* dA / d(kappa^2) */
    const double diagonal_slope = (1.0 - each / 6.0) * sin(part) / part; /* of 2 A - A^2 / 6 */
    return 0.5 * (axis_slope + diagonal_slope);
}

double dispersion_kappa_limit(const struct time_step *step)
{
    return step->scheme == SCHEME_ISOTROPIC ? ISOTROPIC_KAPPA_LIMIT : PI / step->courant;
}

double dispersion_theta_limit(const struct time_step *step)
{
    return step->scheme == SCHEME_ISOTROPIC ? 2.0 * asin(step->courant) : PI;
}

/* Angles just past the limit by rounding are its own. */
static double angle_of_symbol(const struct time_step *step, double symbol)
{
    return 2.0 * asin(fmin(0.5 * step->courant * sqrt(symbol), 1.0));
}

double dispersion_theta(const struct time_step *step, double kappa)
{
    if (!(kappa >= 0.0 && kappa <= dispersion_kappa_limit(step)))
        return NAN;
    return step->scheme == SCHEME_ISOTROPIC ? angle_of_symbol(step, dispersion_symbol(kappa))
                                            : step->courant * kappa;
}

double dispersion_kappa(const struct time_step *step, double theta)
{
    if (!(theta >= 0.0 && theta <= dispersion_theta_limit(step)))
        return NAN;
    if (step->scheme != SCHEME_ISOTROPIC)
        return theta / step->courant;
    /* The root of F is concave in kappa and below it, so Newton's steps from there never pass the solution.
     */
    const double root = 2.0 * sin(0.5 * theta) / step->courant;
    double kappa = root;
    for (int round = 0; round < 20 && kappa > 0.0; round++) {
        const double reached = sqrt(dispersion_symbol(kappa));
        const double move = (root - reached) * reached / (kappa * dispersion_symbol_slope(kappa));
        kappa += move;
        if (!(fabs(move) > 1e-15 * kappa))
            break;
    }
    return fmin(kappa, ISOTROPIC_KAPPA_LIMIT);
}

double dispersion_stretch(const struct time_step *step, double kappa)
{
    if (step->scheme != SCHEME_ISOTROPIC || kappa == 0.0)
        return 1.0;
    const double theta = dispersion_theta(step, kappa);
    return step->courant * kappa * dispersion_symbol_slope(kappa) / sin(theta);
}

double dispersion_kappa_of(const struct time_step *step, double frequency)
{
    return 2.0 * PI * frequency * step->spacing / step->sound_speed;
}

double dispersion_numerical(const struct time_step *step, double frequency)
{
    if (step->scheme != SCHEME_ISOTROPIC)
        return frequency;
    return dispersion_theta(step, dispersion_kappa_of(step, frequency)) * step->rate / (2.0 * PI);
}

double dispersion_true(const struct time_step *step, double numerical)
{
    if (step->scheme != SCHEME_ISOTROPIC)
        return numerical;
    return dispersion_kappa(step, 2.0 * PI * numerical / step->rate) * step->sound_speed /
           (2.0 * PI * step->spacing);
}
