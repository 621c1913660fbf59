#include "src/response/acoustics/loss_sensitivity.h"

#include <math.h>

#define ROUNDS 1000
#define CLOSE  1e-12
#define LINES  48 /* frequencies of an octave */

double loss_in_air(const struct air_losses *losses, double centre, double time)
{
    double sum = 0, left = 0;
    for (int i = 0; i < LINES; i++) {
        const double f = centre * sqrt(0.5) * (1 + (i + 0.5) / LINES);
        const double rate = 2 * air_losses_damping(losses, f), energy = exp(-rate * time / 3);
        sum += rate * energy;
        left += energy;
    }
    return sum / left;
}

double loss_sensitivity(const struct loss_octave *octave, double share, double absorption)
{
    const double rate = 6 * log(10) / octave->time, surfaces = fmax(rate - octave->air, 0);
    const double x = surfaces / octave->reflections, mixing = x > 0 ? expm1(x) / x : 1;
    return absorption > 0 ? -surfaces / rate * share / absorption * mixing : 0;
}

/* share (surfaces, octaves) holds S w alpha; each octave is made to add up to 1 in `sum`, not in place. */
static double sum_octave(const double *value, size_t surfaces, size_t octaves, size_t octave)
{
    double sum = 0;
    for (size_t s = 0; s < surfaces; s++)
        sum += value[s * octaves + octave];
    return sum;
}

static double sum_of(const double *value, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    return sum;
}

static void divide_octaves(double *share, size_t surfaces, size_t octaves)
{
    for (size_t o = 0; o < octaves; o++) {
        const double sum = sum_octave(share, surfaces, octaves, o);
        for (size_t s = 0; s < surfaces; s++)
            share[s * octaves + o] = sum > 0 ? share[s * octaves + o] / sum : 0;
    }
}

/* Scales the exposure of each surface by what it took over what it takes by `share`; the largest change. */
static double scale_exposures(const double *whole, const double *weight, size_t surfaces, size_t octaves,
                              double *share)
{
    const double all = sum_of(whole, surfaces), band = sum_of(weight, octaves);
    double largest = 0;
    for (size_t s = 0; s < surfaces; s++) {
        double taken = 0;
        for (size_t o = 0; o < octaves; o++)
            taken += weight[o] / band * share[s * octaves + o];
        const double factor = taken > 0 ? whole[s] / all / taken : 0;
        largest = taken > 0 ? fmax(largest, fabs(factor - 1)) : largest;
        for (size_t o = 0; o < octaves; o++)
            share[s * octaves + o] *= factor;
    }
    return largest;
}

void loss_shares_by_octave(const double *whole, const double *weight, const double *area,
                           const double *absorption, size_t surfaces, size_t octaves, double *share)
{
    for (size_t i = 0; i < surfaces * octaves; i++)
        share[i] = area[i / octaves] * absorption[i];
    double change = 1;
    for (int round = 0; round < ROUNDS && change > CLOSE; round++) {
        divide_octaves(share, surfaces, octaves);
        change = scale_exposures(whole, weight, surfaces, octaves, share);
    }
    divide_octaves(share, surfaces, octaves);
}
