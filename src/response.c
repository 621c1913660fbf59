#include "src/response.h"

#include <math.h>
#include <samplerate.h>
#include <stdlib.h>
#include <string.h>

#include "src/integrator.h"
#include "src/low_pass.h"

#define PI 3.14159265358979323846

#define FMAX_LOWEST  20.0
#define FMAX_HIGHEST 20000.0 /* so that the low-pass, not the conversion to 48 kHz, shapes the spectrum */
#define RATE_LOWEST  200.0   /* libsamplerate converts by at most 256 */

#define SAMPLES_A_PERIOD 4.0 /* of fmax, at least, where the low-passed signal is thinned */

/* What counts as silence before the first sound, relative to the largest sample. Its spectrum is below 0.001
 * dB of the whole, so it does not matter if the low-pass cuts the ringing of that. */
#define SILENCE 1e-4

int response_check(double rate, double fmax, struct failure *failure)
{
    if (!(fmax > FMAX_LOWEST && fmax <= FMAX_HIGHEST))
        return failure_set(failure, FAILURE_INPUT,
                           "fmax is %g Hz; a response needs more than %g and at most %g Hz: change --fmax",
                           fmax, FMAX_LOWEST, FMAX_HIGHEST);
    if (!(rate >= RATE_LOWEST && LOW_PASS_STOP_RATIO * fmax < 0.5 * rate))
        return failure_set(
            failure, FAILURE_INPUT,
            "fmax %g Hz is too high for a simulation rate of %g Hz: the low-pass ends at %g fmax, "
            "which must lie below half the rate, and the rate must be %g Hz at least; lower --fmax "
            "or use a finer --spacing",
            fmax, rate, LOW_PASS_STOP_RATIO, RATE_LOWEST);
    return 0;
}

static size_t count_silent(const double *signal, size_t count)
{
    double largest = 0.0;
    for (size_t n = 0; n < count; n++)
        largest = fmax(largest, fabs(signal[n]));
    size_t silent = 0;
    while (silent < count && fabs(signal[silent]) <= SILENCE * largest)
        silent++;
    return silent;
}

/* What is low-passed may be thinned to 4 samples a period of fmax without loss: sample 0 stays, and the
 * conversion has a fraction of the work. Returns the new count. */
static size_t thin(double *signal, size_t count, double fmax, double *rate)
{
    const size_t step = (size_t)floor(
        *rate / (SAMPLES_A_PERIOD * fmax > RATE_LOWEST ? SAMPLES_A_PERIOD * fmax : RATE_LOWEST));
    if (step < 2)
        return count;
    size_t kept = 0;
    for (size_t n = 0; n < count; n += step)
        signal[kept++] = signal[n];
    *rate /= (double)step;
    return kept;
}

/* libsamplerate begins at the first input sample, which is output sample 0 whatever the ratio. It holds back
 * what its filter has not seen the end of, hence the silence appended to the input. */
static int convert(const double *signal, size_t count, double rate, float *out, size_t out_count,
                   struct failure *failure)
{
    const double ratio = RESPONSE_RATE / rate;
    const size_t silence = 256 + (size_t)(256.0 / fmin(ratio, 1.0));
    float *in = calloc(count + silence, sizeof *in);
    if (in == NULL)
        return failure_memory(failure, (unsigned long long)((count + silence) * sizeof *in),
                              "rate conversion");
    for (size_t n = 0; n < count; n++)
        in[n] = (float)signal[n];
    SRC_DATA data = {.data_in = in,
                     .data_out = out,
                     .input_frames = (long)(count + silence),
                     .output_frames = (long)out_count,
                     .src_ratio = ratio};
    const int error = src_simple(&data, SRC_SINC_BEST_QUALITY, 1);
    free(in);
    if (error != 0 || data.output_frames_gen != (long)out_count)
        return failure_set(failure, FAILURE_OUTPUT, "converting %llu samples from %g to %d Hz failed: %s",
                           (unsigned long long)count, rate, RESPONSE_RATE,
                           error != 0 ? src_strerror(error) : "libsamplerate gave fewer samples than asked");
    return 0;
}

int response_make(const double *raw, size_t count, double rate, double fmax, float **out, size_t *out_count,
                  struct failure *failure)
{
    return response_make_in_air(raw, count, rate, fmax, AIR_OFF, NULL, out, out_count, failure);
}

int response_make_in_air(const double *raw, size_t count, double rate, double fmax, enum air_method method,
                         const struct air *air, float **out, size_t *out_count, struct failure *failure)
{
    TRY(response_check(rate, fmax, failure));
    for (size_t n = 0; n < count; n++)
        if (!isfinite(raw[n]))
            return failure_set(failure, FAILURE_SIMULATION, "the pressure at a receiver is %g at step %llu",
                               raw[n], (unsigned long long)n);
    const size_t converted_count = (size_t)ceil((double)count * RESPONSE_RATE / rate);
    double *signal = malloc((count + 1) * sizeof *signal);
    float *converted = calloc(converted_count + 1, sizeof *converted);
    struct low_pass filter = {0};
    int code = 0;
    if (signal == NULL || converted == NULL) {
        code = failure_memory(
            failure, (unsigned long long)(count * sizeof *signal + converted_count * sizeof *converted),
            "a response");
        goto done;
    }
    struct integrator integrator;
    integrator_make(rate, &integrator);
    memcpy(signal, raw, count * sizeof *signal);
    integrator_run(&integrator, signal, count);

    if ((code = low_pass_design(fmax, rate, count_silent(signal, count), &filter, failure)) ||
        (code = low_pass_apply(&filter, signal, count, failure)))
        goto done;

    const double calibration = 4.0 * PI * rate / RESPONSE_RATE;
    for (size_t n = 0; n < count; n++)
        signal[n] *= calibration;
    const size_t thinned = thin(signal, count, fmax, &rate);
    if ((code = air_filter(method, air, rate, fmax, signal, thinned, failure)))
        goto done;
    if (count > 0 && (code = convert(signal, thinned, rate, converted, converted_count, failure)))
        goto done;
    *out = converted;
    *out_count = converted_count;
    converted = NULL;
done:
    low_pass_free(&filter);
    free(converted);
    free(signal);
    return code;
}
