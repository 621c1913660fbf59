#include "kernels/scheme/time_step.h"

#include <math.h>

#include "kernels/scheme/scheme.h"

/* Steps of lambda2: 20 bits leave room in float's 24 for exact products with small integers. */
#define LAMBDA2_STEPS 0x1p20

int time_step_choose(double spacing, double sound_speed, double courant, struct time_step *out,
                     struct failure *failure)
{
    if (!(spacing > 0.0 && isfinite(spacing)))
        return failure_set(failure, FAILURE_INPUT, "the spacing is %g m: it must be positive and finite",
                           spacing);
    if (!(sound_speed > 0.0 && isfinite(sound_speed)))
        return failure_set(failure, FAILURE_INPUT,
                           "the speed of sound is %g m/s: it must be positive and finite", sound_speed);
    if (courant == 0.0)
        courant = SCHEME_COURANT_DEFAULT;
    /* The slack forgives the last digit of a limit that somebody typed; lambda2 is rounded down anyway. */
    if (!(courant > 0.0 && courant <= SCHEME_COURANT_LIMIT * (1.0 + 1e-12)))
        return failure_set(
            failure, FAILURE_INPUT,
            "the Courant number is %.9g: the scheme is stable above 0 and up to 1/sqrt(3) = %.9f", courant,
            SCHEME_COURANT_LIMIT);
    const double lambda2 = floor(courant * courant * LAMBDA2_STEPS) / LAMBDA2_STEPS;
    if (!(lambda2 > 0.0))
        return failure_set(failure, FAILURE_INPUT,
                           "the Courant number is %g: the smallest that a run can hold is 2^-10 = %g",
                           courant, sqrt(1.0 / LAMBDA2_STEPS));
    out->spacing = spacing;
    out->sound_speed = sound_speed;
    out->lambda2 = lambda2;
    out->courant = sqrt(lambda2);
    out->period = out->courant * spacing / sound_speed;
    out->rate = 1.0 / out->period;
    return 0;
}
