#include "kernels/scheme/time_step.h"

#include <math.h>
#include <stdbool.h>

#include "kernels/scheme/scheme.h"

/* Steps of lambda2, or of lambda2 / 6: these bits leave room in float's 24 for exact products with small
 * integers.
 */
#define LAMBDA2_STEPS       0x1p20
#define LAMBDA2_SIXTH_STEPS 0x1p22

double time_step_limit(enum scheme scheme)
{
    return scheme == SCHEME_ISOTROPIC ? SCHEME_ISOTROPIC_COURANT_LIMIT : SCHEME_COURANT_LIMIT;
}

/* The largest multiple that is not above courant^2. */
static double round_lambda2(enum scheme scheme, double courant)
{
    if (scheme == SCHEME_ISOTROPIC)
        return 6 * (floor(courant * courant / 6 * LAMBDA2_SIXTH_STEPS) / LAMBDA2_SIXTH_STEPS);
    return floor(courant * courant * LAMBDA2_STEPS) / LAMBDA2_STEPS;
}

int time_step_choose(enum scheme scheme, double spacing, double sound_speed, double courant,
                     struct time_step *out, struct failure *failure)
{
    const bool isotropic = scheme == SCHEME_ISOTROPIC;
    const double limit = time_step_limit(scheme);
    if (!(spacing > 0.0 && isfinite(spacing)))
        return failure_set(failure, FAILURE_INPUT, "the spacing is %g m: it must be positive and finite",
                           spacing);
    if (!(sound_speed > 0.0 && isfinite(sound_speed)))
        return failure_set(failure, FAILURE_INPUT,
                           "the speed of sound is %g m/s: it must be positive and finite", sound_speed);
    if (courant == 0.0)
        courant = isotropic ? SCHEME_ISOTROPIC_COURANT_DEFAULT : SCHEME_COURANT_DEFAULT;
    /* The slack forgives the last digit of a limit that somebody typed; lambda2 is rounded down anyway. */
    if (!(courant > 0.0 && courant <= limit * (1.0 + 1e-12)))
        return failure_set(failure, FAILURE_INPUT,
                           "the Courant number is %.9g: the scheme is stable above 0 and up to %s = %.9f",
                           courant, isotropic ? "sqrt(3)/2" : "1/sqrt(3)", limit);
    const double lambda2 = round_lambda2(scheme, courant);
    if (!(lambda2 > 0.0))
        return failure_set(failure, FAILURE_INPUT,
                           "the Courant number is %g: the smallest that a run can hold is %g", courant,
                           sqrt(isotropic ? 6.0 / LAMBDA2_SIXTH_STEPS : 1.0 / LAMBDA2_STEPS));
    out->scheme = scheme;
    out->spacing = spacing;
    out->sound_speed = sound_speed;
    out->lambda2 = lambda2;
    out->courant = sqrt(lambda2);
    out->period = out->courant * spacing / sound_speed;
    out->rate = 1.0 / out->period;
    return 0;
}
