#include "src/response/diffuse/decay_law.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Early energy, the direct sound included, and late energy. */
static void split(const struct decay_law *law, double limit, double *early, double *late)
{
    const double c = law->sound_speed, T = law->time, k = 6 * log(10) / T;
    const double reverberant = 1600 * PI * c * T / (24 * log(10) * law->volume) * exp(-k * law->distance / c);
    *late = reverberant * exp(-k * limit);
    *early = 100 / (law->distance * law->distance) + reverberant - *late;
}

double decay_law_figure(const struct decay_law *law, enum figure figure)
{
    double early, late;
    split(law,
          figure == FIGURE_C80                        ? 0.08
          : figure == FIGURE_G || figure == FIGURE_TS ? 0
                                                      : 0.05,
          &early, &late);
    switch (figure) {
    case FIGURE_EDT:
    case FIGURE_T20:
    case FIGURE_T30:
        return law->time;
    case FIGURE_C50:
    case FIGURE_C80:
        return 10 * log10(early / late);
    case FIGURE_D50:
        return early / (early + late);
    case FIGURE_TS:
        return law->time / (6 * log(10)) * late / (early + late);
    case FIGURE_G:
        return 10 * log10(early + late);
    default:
        return NAN;
    }
}

double decay_law_slope(const struct decay_law *law, enum figure figure)
{
    const double step = 1e-4;
    struct decay_law less = *law, more = *law;
    less.time *= exp(-step);
    more.time *= exp(step);
    return (decay_law_figure(&more, figure) - decay_law_figure(&less, figure)) / (2 * step);
}
