#include "src/response/further/echo_criterion.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "src/response/acoustics/band_energy.h"
#include "src/response/signal/fourier.h"

#define BEFORE 0.01  /* the filtered direct sound begins before the onset [s] .. */
#define AFTER  0.001 /* .. and rises about so long: no echo yet [s] */
#define RING   0.05  /* of the filters, more than enough [s] */

const double echo_limit[ECHO_KINDS] = {[ECHO_SPEECH] = 1.0, [ECHO_MUSIC] = 1.8};

const enum figure echo_figure[ECHO_KINDS] = {
    [ECHO_SPEECH] = FIGURE_ECHO_SPEECH, [ECHO_MUSIC] = FIGURE_ECHO_MUSIC};

static const struct {
    double exponent, span, low, high; /* (-), [s], [Hz], [Hz] */
} kind_of[ECHO_KINDS] = {
    [ECHO_SPEECH] = {2.0 / 3.0, 0.009, 707.9458, 1412.538}, [ECHO_MUSIC] = {1.0, 0.014, 707.9458, 2818.383}};

/* |H(f)| of a Butterworth band-pass of second order on each side: steeper ones ring longer than the span. */
static double passed(double f, double low, double high)
{
    const double x = (f * f - low * high) / (f * (high - low));
    return 1.0 / sqrt(1.0 + x * x * x * x);
}

/* Find the steepest rise of the centre; `value` becomes the sums of the weights, and beside them (imaginary)
 * the centres. */
static void find_rise(double complex *value, size_t from, size_t count, double rate, double onset,
                      enum echo_kind kind, struct further_figures *out)
{
    const size_t span = (size_t)lround(kind_of[kind].span * rate);
    const size_t begin = sample_at(onset + AFTER, rate, count);
    double weights = 0.0, moments = 0.0, steepest = -INFINITY;
    size_t loudest = from, top = from;
    for (size_t n = from; n < count; n++) {
        const double weight = pow(fabs(creal(value[n])), kind_of[kind].exponent);
        weights += weight;
        moments += weight * ((double)n / rate - onset);
        value[n] = weight + I * (weights > 0.0 ? moments / weights : 0.0);
        if (n < begin + span || !(weights > 0.0))
            continue;
        const double rise = cimag(value[n]) - cimag(value[n - span]);
        if (rise > steepest) {
            steepest = rise;
            top = n;
        }
    }
    if (!(weights > 0.0) || !isfinite(steepest))
        return;
    for (size_t n = loudest = top - span; n <= top; n++)
        loudest = creal(value[n]) > creal(value[loudest]) ? n : loudest;
    out->single[echo_figure[kind]] = steepest / kind_of[kind].span;
    out->echo_time[kind] = (double)loudest / rate - onset;
}

int echo_criterion_make(const float *sample, size_t count, double rate, double highest, double onset,
                        struct further_figures *out, struct failure *failure)
{
    const size_t from = sample_at(onset - BEFORE, rate, count);
    const size_t length = fourier_length(count + (size_t)(2.0 * RING * rate));
    struct fourier fourier = {0};
    if (highest * BANDS_EDGE_MARGIN < kind_of[ECHO_SPEECH].high)
        return 0;
    double complex *spectrum = calloc(2 * length, sizeof *spectrum), *band = spectrum + length;
    if (spectrum == NULL)
        return failure_memory(failure, (unsigned long long)(2 * length * sizeof *spectrum), "echoes");
    const int code = fourier_make(length, &fourier, failure);
    for (size_t n = 0; code == 0 && n < count; n++)
        spectrum[n] = (double)sample[n];
    if (code == 0)
        fourier_forward(&fourier, spectrum);
    for (int kind = 0; code == 0 && kind < ECHO_KINDS; kind++) {
        if (highest * BANDS_EDGE_MARGIN < kind_of[kind].high)
            continue;
        for (size_t k = 0; k < length; k++) {
            const double f = rate * (double)(k <= length / 2 ? k : length - k) / (double)length;
            band[k] = f > 0.0 ? passed(f, kind_of[kind].low, kind_of[kind].high) * spectrum[k] : 0.0;
        }
        fourier_inverse(&fourier, band);
        find_rise(band, from, count, rate, onset, (enum echo_kind)kind, out);
    }
    fourier_free(&fourier);
    free(spectrum);
    return code;
}
