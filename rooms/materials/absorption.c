#include "rooms/materials/absorption.h"

#include <math.h>
#include <stddef.h>

#define SERIES_FROM  16.0 /* where the formula has lost two of its digits and the series needs few terms */
#define SERIES_TERMS 16   /* 16^-16 is below the last bit */

double absorption_from_admittance(double admittance)
{
    const double g = admittance;
    if (!(g > 0))
        return 0;
    if (g < SERIES_FROM)
        return 8 * g * (1 + g / (1 + g) - 2 * g * log1p(1 / g));
    /* For soft walls the bracket cancels to order 1/g^2; in x = 1/g it is the sum over k >= 2 of
     * (-1)^k x^k (k-1)/(k+1). */
    const double x = 1 / g;
    double sum = 0;
    for (int k = SERIES_TERMS; k >= 2; --k)
        sum = (double)(k - 1) / (double)(k + 1) - x * sum;
    return 8 * x * sum;
}

double admittance_from_absorption(double absorption, bool *clamped)
{
    if (clamped != NULL)
        *clamped = absorption > ABSORPTION_MAX;
    if (!(absorption > 0))
        return 0;
    if (absorption >= ABSORPTION_MAX)
        return ABSORPTION_MAX_AT;
    /* The function rises up to the maximum, so bisection cannot fail; it is fast enough. */
    double low = 0, high = ABSORPTION_MAX_AT;
    for (;;) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            return middle;
        if (absorption_from_admittance(middle) < absorption)
            low = middle;
        else
            high = middle;
    }
}
