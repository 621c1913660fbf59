#include "src/rays/ray_figures.h"

#include <math.h>

#define REFERENCE 0.01 /* 1 / (10 m)^2 */

struct curve {
    const struct ray_energy *energy;
    size_t part, receiver;
    int octave;
    double start, direct, whole;
};

static double energy_at(const struct curve *curve, size_t bin)
{
    return ray_energy_at(curve->energy, curve->part, curve->receiver, bin, curve->octave);
}

/* Energy of up to `after` behind the direct sound, which it includes. */
static double early_energy(const struct curve *curve, double after)
{
    const double end = (curve->start + after) / curve->energy->bin;
    double sum = curve->direct;
    for (size_t b = 0; b < curve->energy->bins && (double)b < end; b++)
        sum += energy_at(curve, b) * fmin(1, end - (double)b);
    return sum;
}

static double centre_time(const struct curve *curve)
{
    double sum = 0;
    for (size_t b = 0; b < curve->energy->bins; b++)
        sum += energy_at(curve, b) * fmax(0, ((double)b + 0.5) * curve->energy->bin - curve->start);
    return sum / curve->whole;
}

/* The line through the level between two levels below its start [dB]. */
static double reverberation_time(const struct curve *curve, double from, double to)
{
    double left = curve->whole, n = 0, x = 0, y = 0, xx = 0, xy = 0;
    bool reached = false;
    for (size_t b = 0; b < curve->energy->bins && !reached; b++) {
        const double t = (double)b * curve->energy->bin - curve->start,
                     level = 10 * log10(left / curve->whole);
        reached = !(level >= to);
        if (t >= 0 && level <= from && !reached) {
            n++;
            x += t;
            y += level;
            xx += t * t;
            xy += t * level;
        }
        if (t <= 0 && t + curve->energy->bin > 0)
            left -= curve->direct;
        left -= energy_at(curve, b);
    }
    const double slope = (n * xy - x * y) / (n * xx - x * x);
    return reached && n > 2 && slope < 0 ? -60 / slope : NAN;
}

void ray_figures_make(const struct ray_energy *energy, size_t part, size_t receiver, struct ray_figures *out)
{
    for (int o = 0; o < RAY_OCTAVES; o++) {
        struct curve curve = {.energy = energy,
                              .part = part,
                              .receiver = receiver,
                              .octave = o,
                              .start = energy->arrival[receiver],
                              .direct = energy->direct[receiver][o]};
        curve.whole = curve.direct;
        size_t first = energy->bins;
        for (size_t b = energy->bins; b-- > 0;) {
            curve.whole += energy_at(&curve, b);
            first = energy_at(&curve, b) > 0 ? b : first;
        }
        if (!isfinite(curve.start))
            curve.start = (double)first * energy->bin;
        const double at_50 = early_energy(&curve, 0.05), at_80 = early_energy(&curve, 0.08);
        out->value[FIGURE_EDT][o] = reverberation_time(&curve, 0, -10);
        out->value[FIGURE_T20][o] = reverberation_time(&curve, -5, -25);
        out->value[FIGURE_T30][o] = reverberation_time(&curve, -5, -35);
        out->value[FIGURE_C50][o] = 10 * log10(at_50 / (curve.whole - at_50));
        out->value[FIGURE_C80][o] = 10 * log10(at_80 / (curve.whole - at_80));
        out->value[FIGURE_D50][o] = at_50 / curve.whole;
        out->value[FIGURE_TS][o] = centre_time(&curve);
        out->value[FIGURE_G][o] = 10 * log10(curve.whole / REFERENCE);
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            if (!isfinite(out->value[f][o]))
                out->value[f][o] = NAN;
    }
}

void ray_figures_noise(const struct ray_energy *energy, size_t receiver, struct ray_figures *out)
{
    struct ray_figures part[RAY_PARTS];
    for (size_t p = 0; p < RAY_PARTS; p++)
        ray_figures_make(energy, p, receiver, &part[p]);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (int o = 0; o < RAY_OCTAVES; o++) {
            double mean = 0, square = 0;
            for (size_t p = 0; p < RAY_PARTS; p++)
                mean += part[p].value[f][o] / RAY_PARTS;
            for (size_t p = 0; p < RAY_PARTS; p++)
                square += (part[p].value[f][o] - mean) * (part[p].value[f][o] - mean);
            out->value[f][o] = sqrt(square / (RAY_PARTS * (RAY_PARTS - 1)));
        }
}

double ray_figure_steps(enum figure figure, double one, double other)
{
    const struct figure_kind *kind = &figure_kind[figure];
    return (other - one) / (kind->relative ? kind->jnd * fabs(one) : kind->jnd);
}
