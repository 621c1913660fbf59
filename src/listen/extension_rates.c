#include "src/listen/extension_rates.h"

#include <math.h>

#define FIRST_OCTAVE 1000.0 * 0.0630957 /* 10^-1.2 kHz: the octave of 63 Hz */
#define MOST_TAKEN   0.99               /* mean absorption: -ln(1 - 1) is infinite */
#define LEAST_WALLS  0.1                /* of the measured loss: air alone cannot cause all of it */

/* w(f). */
static double taken_at(const struct extension_rates *rates, double f)
{
    const double octave = log10(f / (FIRST_OCTAVE)) / 0.3, last = OCTAVE_BANDS_MAX - 1;
    const double within = fmin(fmax(octave, 0.0), last);
    const int below = (int)fmin(within, last - 1.0);
    const double share = within - below;
    return (1.0 - share) * rates->taken[below] + share * rates->taken[below + 1];
}

double extension_air(const struct extension_rates *rates, double f)
{
    return rates->lossy ? 2.0 * air_losses_damping(&rates->air, f) : 0.0;
}

/* w by octave, or 1 where the run has no surfaces on record. */
static void read_materials(const struct run_losses *losses, struct extension_rates *out)
{
    double least = INFINITY;
    for (int b = 0; b < OCTAVE_BANDS_MAX; b++) {
        double area = 0.0, absorbing = 0.0;
        for (size_t s = 0; losses != NULL && s < losses->surface_count; s++) {
            area += losses->surface[s].area;
            absorbing += losses->surface[s].area * losses->surface[s].absorption[b];
        }
        out->taken[b] = area > 0.0 ? -log1p(-fmin(absorbing / area, MOST_TAKEN)) : 0.0;
        least = fmin(least, out->taken[b]);
    }
    out->materials = least > 0.0;
    for (int b = 0; b < OCTAVE_BANDS_MAX && !out->materials; b++)
        out->taken[b] = 1.0;
}

void extension_rates_make(const struct run_losses *losses, double middle, double measured,
                          struct extension_rates *out)
{
    static const struct air usual = {.temperature = 20.0, .humidity = 50.0, .pressure = 101.325};
    *out = (struct extension_rates){.lossy = losses == NULL || losses->lossy};
    air_losses_make(losses != NULL ? &losses->air : &usual, &out->air);
    read_materials(losses, out);
    out->walls = fmax(measured - extension_air(out, middle), LEAST_WALLS * measured);
    out->before = taken_at(out, middle);
}

double extension_walls(const struct extension_rates *rates, double f)
{
    return taken_at(rates, f) / rates->before;
}

double extension_rate(const struct extension_rates *rates, double f)
{
    return rates->walls * extension_walls(rates, f) + extension_air(rates, f);
}
