#include "src/octave_energy.h"

#include <math.h>
#include <stdlib.h>

#include "src/fourier.h"
#include "src/octave_filters.h"

#define LOWEST_CENTRE 63.0957 /* the octave that rings longest [Hz] */
#define FAR           40.0    /* bandwidths from the middle: 128 dB down */

double octave_energy_passed(double f, double centre)
{
    const double x = (f * f - centre * centre) / (f * octave_bandwidth(centre));
    const double x2 = x * x, x4 = x2 * x2;
    return 1.0 / (1.0 + x4 * x4);
}

double octave_energy_of_impulse(double centre, double rate, double highest)
{
    enum { STEPS = 20000 };
    const double end = fmin(highest, FAR * centre), width = end / STEPS;
    double sum = 0.0;
    for (int n = 0; n < STEPS; n++)
        sum += octave_energy_passed(((double)n + 0.5) * width, centre);
    return 2.0 * sum * width / rate;
}

/* One octave of the transform of x + j t x. */
static void add_up(const double complex *spectrum, size_t length, double rate, double highest, double centre,
                   double *energy, double *moment)
{
    const double width = rate / (double)length, end = fmin(highest, FAR * centre);
    double squares = 0.0, times = 0.0;
    for (size_t k = 1; k < length / 2 && (double)k * width <= end; k++) {
        const double complex plus = spectrum[k], minus = conj(spectrum[length - k]);
        const double complex x = 0.5 * (plus + minus), tx = -0.5 * I * (plus - minus);
        const double weight = octave_energy_passed((double)k * width, centre);
        squares += weight * (creal(x) * creal(x) + cimag(x) * cimag(x));
        times += weight * (creal(x) * creal(tx) + cimag(x) * cimag(tx));
    }
    *energy = 2.0 * squares / (double)length;
    *moment = 2.0 * times / (double)length;
}

int octave_energy_make(const float *sample, size_t from, size_t to, double rate, double highest, double zero,
                       struct octave_energy *out, struct failure *failure)
{
    double centre[OCTAVE_BANDS_MAX];
    *out = (struct octave_energy){.bands = octave_centres(highest, centre)};
    if (from >= to || out->bands == 0)
        return 0;
    /* Nothing may ring around the circle of the transform back into the stretch. */
    const size_t ring = (size_t)ceil(2.0 * octave_ringing(LOWEST_CENTRE) * rate);
    const size_t length = fourier_length(to - from + ring);
    struct fourier fourier = {0};
    double complex *value = calloc(length, sizeof *value);
    if (value == NULL)
        return failure_memory(failure, (unsigned long long)(length * sizeof *value), "the octaves' energies");
    const int code = fourier_make(length, &fourier, failure);
    if (code == 0) {
        for (size_t n = from; n < to; n++) {
            const double x = (double)sample[n], t = (double)n / rate - zero;
            value[n - from] = x + I * (t * x);
        }
        fourier_forward(&fourier, value);
        for (size_t b = 0; b < out->bands; b++)
            add_up(value, length, rate, highest, centre[b], &out->energy[b], &out->moment[b]);
    }
    fourier_free(&fourier);
    free(value);
    return code;
}
