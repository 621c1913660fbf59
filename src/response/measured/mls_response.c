#include "src/response/measured/mls_response.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "src/response/signal/fourier.h"

#define BEFORE 0.05 /* of the largest sample [s] */
#define ALIKE  1e-3 /* two values of a sequence */
#define SPREAD 1e-2 /* most of the autocorrelation beside its middle, of that: a true one has 1/P */

/* Taps by order; bit t - 1 is tap t. */
static const uint32_t taps[MLS_ORDER_MOST + 1] = {
    [8] = 0xb8,     [9] = 0x110,    [10] = 0x240,   [11] = 0x500,    [12] = 0x829,
    [13] = 0x100d,  [14] = 0x2015,  [15] = 0x6000,  [16] = 0xd008,   [17] = 0x12000,
    [18] = 0x20400, [19] = 0x40023, [20] = 0x90000, [21] = 0x140000, [22] = 0x300000};

int mls_make(int order, float **out, struct failure *failure)
{
    if (order < MLS_ORDER_LEAST || order > MLS_ORDER_MOST)
        return failure_set(failure, FAILURE_INPUT,
                           "a sequence of order %d is not known: give %d to %d, or the file that was played",
                           order, MLS_ORDER_LEAST, MLS_ORDER_MOST);
    const uint32_t period = (UINT32_C(1) << order) - 1;
    float *sequence = malloc(period * sizeof *sequence);
    if (sequence == NULL)
        return failure_memory(failure, period * sizeof *sequence, "a sequence");
    uint32_t state = period;
    for (uint32_t n = 0; n < period; n++) {
        sequence[n] = (state >> (order - 1) & 1) != 0 ? -1.0F : 1.0F;
        const uint32_t fed = (uint32_t)__builtin_parity(state & taps[order]);
        state = (state << 1 | fed) & period;
    }
    *out = sequence;
    return 0;
}

/* ---- circular correlation ---- */

/* c of `sequence` with every period of `value` (period): (length) at least 3 periods; one of the inputs is
 * the transform of the sequence. */
static void correlate(const struct fourier *fourier, const double complex *sequence, double complex *value,
                      size_t period)
{
    for (size_t n = period; n < fourier->length; n++)
        value[n] = n < 2 * period ? value[n - period] : 0.0;
    fourier_forward(fourier, value);
    for (size_t k = 0; k < fourier->length; k++)
        value[k] = fourier_product(conj(sequence[k]), value[k]);
    fourier_inverse(fourier, value);
}

static int transform_sequence(const float *sequence, size_t period, struct fourier *fourier,
                              double complex **out, struct failure *failure)
{
    const size_t length = fourier_length(3 * period);
    *out = calloc(2 * length, sizeof **out);
    if (*out == NULL)
        return failure_memory(failure, (unsigned long long)(2 * length * sizeof **out), "a sequence");
    TRY(fourier_make(length, fourier, failure));
    for (size_t n = 0; n < period; n++)
        (*out)[n] = (double)sequence[n];
    fourier_forward(fourier, *out);
    return 0;
}

/* True if the first `period` samples correlate with themselves as a sequence does. */
static int is_sequence(const float *sample, size_t period, bool *is, struct failure *failure)
{
    struct fourier fourier = {0};
    double complex *spectrum = NULL;
    double beside = 0.0;
    const int code = transform_sequence(sample, period, &fourier, &spectrum, failure);
    if (code == 0) {
        double complex *value = spectrum + fourier.length;
        for (size_t n = 0; n < period; n++)
            value[n] = (double)sample[n];
        correlate(&fourier, spectrum, value, period);
        for (size_t k = 1; k < period; k++)
            beside = fmax(beside, fabs(creal(value[k]) / creal(value[0])));
    }
    *is = code == 0 && beside < SPREAD + 1.0 / (double)period;
    fourier_free(&fourier);
    free(spectrum);
    return code;
}

static bool repeats(const float *sample, size_t count, size_t period)
{
    for (size_t n = period; n < count; n++)
        if ((sample[n] > 0.0F) != (sample[n - period] > 0.0F))
            return false;
    return true;
}

int mls_find(const float *sample, size_t count, size_t *period, struct failure *failure)
{
    const float size = count > 0 ? fabsf(sample[0]) : 0.0F;
    for (size_t n = 0; n < count; n++)
        if (!(size > 0.0F) || !(fabsf(fabsf(sample[n]) - size) <= (float)ALIKE * size))
            return failure_set(
                failure, FAILURE_INPUT,
                "the sequence has samples of more than two values (sample %zu is %g, the first %g): "
                "give the file that was played, one period or several",
                n, (double)sample[n], (double)sample[0]);
    for (int order = MLS_ORDER_LEAST; order <= MLS_ORDER_MOST; order++) {
        bool is = false;
        *period = ((size_t)1 << order) - 1;
        if (*period > count)
            break;
        if (repeats(sample, count, *period))
            TRY(is_sequence(sample, *period, &is, failure));
        if (is)
            return 0;
    }
    return failure_set(
        failure, FAILURE_INPUT,
        "no period of 2^n - 1 samples is found in the %zu of the sequence: give the file that was "
        "played, one period or several",
        count);
}

/* ---- the response ---- */

/* One channel: `value` (length) becomes its response over one period, not turned. */
static void respond(const struct fourier *fourier, const double complex *sequence, double size,
                    const float *frames, size_t channels, size_t first, size_t periods, size_t period,
                    double complex *value)
{
    double sum = 0.0;
    for (size_t n = 0; n < period; n++) {
        double mean = 0.0;
        for (size_t p = first; p < first + periods; p++)
            mean += (double)frames[(p * period + n) * channels] / (double)periods;
        value[n] = mean;
    }
    correlate(fourier, sequence, value, period);
    for (size_t k = 0; k < period; k++)
        sum += creal(value[k]) / size;
    for (size_t k = 0; k < period; k++)
        value[k] = (creal(value[k]) / size + sum) / ((double)(period + 1) * size);
}

int mls_response_make(const float *sequence, size_t period, const float *frames, size_t recorded,
                      size_t channels, double rate, size_t *averaged, float **out, struct failure *failure)
{
    const size_t there = recorded / period, first = there > 1 ? 1 : 0, periods = there - first;
    const double size = fabs((double)sequence[0]);
    if (there == 0)
        return failure_set(
            failure, FAILURE_INPUT,
            "the recording has %zu samples and a period of the sequence %zu: record two periods at "
            "least",
            recorded, period);
    struct fourier fourier = {0};
    double complex *spectrum = NULL;
    float *response = malloc(period * channels * sizeof *response);
    double largest = 0.0;
    size_t top = 0;
    int code = response == NULL ? failure_memory(failure, period * channels * sizeof *response, "a response")
                                : transform_sequence(sequence, period, &fourier, &spectrum, failure);
    for (size_t c = 0; code == 0 && c < channels; c++) {
        double complex *value = spectrum + fourier.length;
        respond(&fourier, spectrum, size, frames + c, channels, first, periods, period, value);
        for (size_t k = 0; k < period; k++) {
            response[k * channels + c] = (float)creal(value[k]);
            if (fabs(creal(value[k])) > largest) {
                largest = fabs(creal(value[k]));
                top = k;
            }
        }
    }
    if (code == 0 && !(largest > 0.0))
        code = failure_set(failure, FAILURE_INPUT, "the recording is silent");
    float *turned = code == 0 ? malloc(period * channels * sizeof *turned) : NULL;
    if (code == 0 && turned == NULL)
        code = failure_memory(failure, period * channels * sizeof *turned, "a response");
    const size_t before = (size_t)fmin(BEFORE * rate, 0.25 * (double)period);
    for (size_t n = 0; code == 0 && n < period; n++)
        for (size_t c = 0; c < channels; c++)
            turned[n * channels + c] = response[((top + period - before + n) % period) * channels + c];
    if (code == 0) {
        *out = turned;
        if (averaged != NULL)
            *averaged = periods;
    }
    fourier_free(&fourier);
    free(spectrum);
    free(response);
    return code;
}
