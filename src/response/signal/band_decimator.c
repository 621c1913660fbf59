#include "src/response/signal/band_decimator.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "src/response/signal/fourier.h"

#define PI     3.14159265358979323846
#define LENGTH 8.0 /* times the width of the edge: what a window of four cosines needs */

/* Blackman-Harris, side lobes of -92 dB (Harris, Proc. IEEE 66, 1978), 0 <= place <= 1. */
static double window_at(double place)
{
    const double angle = 2.0 * PI * place;
    return 0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2.0 * angle) - 0.01168 * cos(3.0 * angle);
}

int band_decimator_make(double rate, double pass, double stop, struct band_decimator *out,
                        struct failure *failure)
{
    assert(pass > 0.0 && pass < stop && stop < 0.5 * rate);
    const size_t half = (size_t)ceil(0.5 * LENGTH / (stop - pass) * rate), count = 2 * half + 1;
    double *tap = malloc(count * sizeof *tap);
    if (tap == NULL)
        return failure_memory(failure, (unsigned long long)(count * sizeof *tap), "a filter");
    const double cutoff = (pass + stop) / rate; /* of half the rate */
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) {
        const double n = (double)k - (double)half;
        tap[k] = (n == 0.0 ? cutoff : sin(PI * cutoff * n) / (PI * n)) *
                 window_at(((double)k + 0.5) / (double)count);
        sum += tap[k];
    }
    for (size_t k = 0; k < count; k++)
        tap[k] /= sum;
    *out = (struct band_decimator){
        .count = count, .step = (size_t)fmax(1.0, floor(rate / (pass + stop))), .rate = rate, .tap = tap};
    return 0;
}

void band_decimator_free(struct band_decimator *decimator)
{
    free(decimator->tap);
    *decimator = (struct band_decimator){0};
}

size_t band_decimator_outputs(const struct band_decimator *decimator, size_t count)
{
    return count < decimator->count ? 0 : (count - decimator->count) / decimator->step + 1;
}

void band_decimator_apply(const struct band_decimator *decimator, const double complex *value, double centre,
                          size_t outputs, double complex *out)
{
    const double complex turn = cexp(-2.0 * PI * I * centre / decimator->rate);
    for (size_t m = 0; m < outputs; m++) {
        const double complex *from = value + m * decimator->step;
        double complex sum = 0.0;
        for (size_t k = decimator->count; k-- > 0;)
            sum = fourier_product(sum, turn) + decimator->tap[k] * from[k];
        const double periods = centre * (double)(m * decimator->step) / decimator->rate;
        out[m] = fourier_product(sum, cexp(-2.0 * PI * I * (periods - floor(periods))));
    }
}

double complex band_decimator_gain(const struct band_decimator *decimator, double complex s, double centre)
{
    const double complex turn = cexp((s - 2.0 * PI * I * centre) / decimator->rate);
    double complex sum = 0.0;
    for (size_t k = decimator->count; k-- > 0;)
        sum = fourier_product(sum, turn) + decimator->tap[k];
    return sum;
}
