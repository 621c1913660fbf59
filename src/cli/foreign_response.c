#include "src/cli/foreign_response.h"

#include <math.h>
#include <stdlib.h>

#include "src/signal/fourier.h"

#define LOWEST    50.0     /* of the spectrum [Hz] */
#define STEP      1.122462 /* a sixth of an octave */
#define OCTAVE    6        /* steps */
#define BANDS_MAX 80
#define ENDED     1e-4 /* of the power in the octave below */
#define OFFSET    0.25 /* of the power at the end of a response: more is no sound */

double foreign_carried(double rate)
{
    return 0.49 * rate;
}

double foreign_onset(const float *sample, size_t count, double rate)
{
    float largest = 0.0F;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(sample[i]));
    while (n < count && fabsf(sample[n]) < 0.1F * largest)
        n++;
    return (double)n / rate;
}

double foreign_take_offset(float *sample, size_t count, double rate)
{
    const size_t last = (size_t)fmax(0.1 * rate, 0.1 * (double)count);
    double sum = 0.0, squares = 0.0;
    if (last == 0 || (double)count < 0.2 * rate || last > count)
        return 0.0;
    for (size_t n = count - last; n < count; n++) {
        sum += (double)sample[n];
        squares += (double)sample[n] * (double)sample[n];
    }
    const double mean = sum / (double)last;
    if (!(mean * mean > OFFSET * squares / (double)last))
        return 0.0;
    for (size_t n = 0; n < count; n++)
        sample[n] = (float)((double)sample[n] - mean);
    return mean;
}

/* Mean power of the lines in each band; returns how many bands there are. */
static size_t band_powers(const double complex *spectrum, size_t length, double rate, double power[BANDS_MAX])
{
    size_t bands = 0;
    const double width = rate / (double)length;
    for (double low = LOWEST; bands < BANDS_MAX && low * STEP <= foreign_carried(rate); low *= STEP) {
        size_t lines = 0;
        power[bands] = 0.0;
        for (size_t k = (size_t)ceil(low / width); (double)k * width < low * STEP; k++, lines++)
            power[bands] += creal(spectrum[k]) * creal(spectrum[k]) + cimag(spectrum[k]) * cimag(spectrum[k]);
        if (lines == 0) /* the response is too short to separate them */
            return 0;
        power[bands++] /= (double)lines;
    }
    return bands;
}

static double end_of(const double *power, size_t bands, double rate)
{
    for (size_t b = OCTAVE; b < bands; b++) {
        double below = 0.0, above = 0.0;
        for (size_t i = b - OCTAVE; i < b; i++)
            below += power[i] / OCTAVE;
        for (size_t i = b; i < bands; i++)
            above = fmax(above, power[i]);
        if (above < ENDED * below)
            return LOWEST * pow(STEP, (double)b - 1.0); /* the flank lies in the band before */
    }
    return foreign_carried(rate);
}

int foreign_highest(const float *sample, size_t count, double rate, double *out, struct failure *failure)
{
    const size_t length = fourier_length(count + 2);
    struct fourier fourier = {0};
    double complex *value = calloc(length, sizeof *value);
    if (value == NULL)
        return failure_memory(failure, (unsigned long long)(length * sizeof *value), "a spectrum");
    const int code = fourier_make(length, &fourier, failure);
    if (code == 0) {
        double power[BANDS_MAX];
        for (size_t n = 0; n < count; n++)
            value[n] = (double)sample[n];
        fourier_forward(&fourier, value);
        *out = end_of(power, band_powers(value, length, rate, power), rate);
    }
    fourier_free(&fourier);
    free(value);
    return code;
}
