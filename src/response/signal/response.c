#include "src/response/signal/response.h"

#include <assert.h>
#include <math.h>
#include <samplerate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scheme/dispersion.h"
#include "src/response/signal/integrator.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/warp.h"

#define PI 3.14159265358979323846

#define FMAX_LOWEST  20.0
#define FMAX_HIGHEST 20000.0 /* so that the low-pass, not the conversion to 48 kHz, shapes the spectrum */
#define RATE_LOWEST  200.0   /* libsamplerate converts by at most 256 */

#define SAMPLES_A_PERIOD 4.0 /* of fmax, at least, where the low-passed signal is decimated */

/* The highest frequency that the scheme serves in any direction [Hz], exclusive. */
static double highest_of(const struct time_step *step)
{
    return step->scheme == SCHEME_ISOTROPIC
               ? dispersion_kappa_limit(step) * step->sound_speed / (2.0 * PI * step->spacing)
               : 0.5 * step->rate;
}

int response_check(const struct time_step *step, double fmax, struct failure *failure)
{
    if (!(fmax > FMAX_LOWEST && fmax <= FMAX_HIGHEST))
        return failure_advise(failure_set(failure, FAILURE_INPUT,
                                          "fmax is %g Hz; a response needs more than %g and at most %g Hz",
                                          fmax, FMAX_LOWEST, FMAX_HIGHEST),
                              failure, ADVICE_OTHER_FMAX, 0);
    if (step->scheme == SCHEME_ISOTROPIC && !(LOW_PASS_STOP_RATIO * fmax < highest_of(step)))
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "fmax %g Hz is too high for a spacing of %g m: the low-pass ends at %g fmax, and a "
                        "wave along an axis of the isotropic scheme has %g Hz at most",
                        fmax, step->spacing, LOW_PASS_STOP_RATIO, highest_of(step)),
            failure, ADVICE_LOWER_FMAX_OR_FINER, 0);
    if (!(step->rate >= RATE_LOWEST && LOW_PASS_STOP_RATIO * fmax < highest_of(step)))
        return failure_advise(
            failure_set(
                failure, FAILURE_INPUT,
                "fmax %g Hz is too high for a simulation rate of %g Hz: the low-pass ends at %g fmax, which "
                "must lie below half the rate, and the rate must be %g Hz at least",
                fmax, step->rate, LOW_PASS_STOP_RATIO, RATE_LOWEST),
            failure, ADVICE_LOWER_FMAX_OR_FINER, 0);
    return 0;
}

/* In a run of the isotropic scheme. */
static void drive_edges(const struct time_step *step, double fmax, double edge[2])
{
    edge[0] = dispersion_numerical(step, fmax);
    edge[1] = dispersion_numerical(step, LOW_PASS_STOP_RATIO * fmax);
}

size_t response_lead(const struct time_step *step, double fmax)
{
    double edge[2];
    if (step->scheme != SCHEME_ISOTROPIC)
        return low_pass_lead(fmax, step->rate);
    drive_edges(step, fmax, edge);
    return edge[1] > edge[0] ? low_pass_sharp_lead(edge, step->rate) : 0;
}

double response_share(const struct time_step *step, double fmax)
{
    return step->scheme == SCHEME_ISOTROPIC
               ? WARP_KEPT * dispersion_stretch(step, dispersion_kappa_of(step, fmax))
               : 1.0;
}

static int design_drive(const struct time_step *step, double fmax, struct low_pass *out,
                        struct failure *failure)
{
    double edge[2];
    if (step->scheme != SCHEME_ISOTROPIC)
        return low_pass_design(fmax, step->rate, low_pass_lead(fmax, step->rate), out, failure);
    drive_edges(step, fmax, edge);
    return low_pass_sharp(edge, step->rate, out, failure);
}

int response_drive_make(const struct time_step *step, double fmax, struct response_drive *out,
                        struct failure *failure)
{
    struct low_pass filter = {0};
    TRY(response_check(step, fmax, failure));
    const size_t lead = response_lead(step, fmax), count = 2 * lead + 2;
    double *sample = malloc(count * sizeof *sample);
    int code = sample == NULL ? failure_memory(failure, count * sizeof *sample, "the drive of a source")
                              : design_drive(step, fmax, &filter, failure);
    if (code != 0) {
        free(sample);
        return code;
    }
    for (size_t n = 0; n < count; n++)
        sample[n] = (n < filter.count ? filter.tap[n] : 0.0) - (n > 0 ? filter.tap[n - 1] : 0.0);
    low_pass_free(&filter);
    *out = (struct response_drive){.lead = lead, .count = count, .sample = sample};
    return 0;
}

void response_drive_free(struct response_drive *drive)
{
    free(drive->sample);
    *drive = (struct response_drive){0};
}

/* A low-passed signal may be decimated to 4 samples a period of fmax without loss: sample 0 stays, and
 * the conversion takes a fraction of the work. Returns the new count. */
static size_t decimate_signal(double *signal, size_t count, double highest, double *rate)
{
    const size_t step = (size_t)floor(*rate / fmax(SAMPLES_A_PERIOD * highest, RATE_LOWEST));
    if (step < 2)
        return count;
    size_t kept = 0;
    for (size_t n = 0; n < count; n += step)
        signal[kept++] = signal[n];
    *rate /= (double)step;
    return kept;
}

/* libsamplerate begins at the first input sample, which is output sample 0 at any ratio. It holds back
 * the end of its filter, hence the silence appended to the input. Channels are independent of one
 * another, to the bit. `out` (out_count, channels). */
static int convert_rate(double *const *signal, size_t channels, size_t count, double rate, float *out,
                        size_t out_count, struct failure *failure)
{
    const double ratio = RESPONSE_RATE / rate;
    const size_t silence = 256 + (size_t)(256.0 / fmin(ratio, 1.0));
    float *in = calloc((count + silence) * channels, sizeof *in);
    if (in == NULL)
        return failure_memory(failure, (unsigned long long)((count + silence) * channels * sizeof *in),
                              "rate conversion");
    for (size_t n = 0; n < count; n++)
        for (size_t c = 0; c < channels; c++)
            in[n * channels + c] = (float)signal[c][n];
    SRC_DATA data = {.data_in = in,
                     .data_out = out,
                     .input_frames = (long)(count + silence),
                     .output_frames = (long)out_count,
                     .src_ratio = ratio};
    const int error = src_simple(&data, SRC_SINC_BEST_QUALITY, (int)channels);
    free(in);
    if (error != 0 || data.output_frames_gen != (long)out_count)
        return failure_set(failure, FAILURE_OUTPUT, "converting %llu samples from %g to %d Hz failed: %s",
                           (unsigned long long)count, rate, RESPONSE_RATE,
                           error != 0 ? src_strerror(error) : "libsamplerate gave fewer samples than asked");
    return 0;
}

/* From the engine's output to the sound after the emission, at the engine's rate. `roots` are made if
 * they are empty and needed. */
static int begin_at_emission(const struct response_chain *chain, double *signal, size_t count, double first,
                             bool gradient, struct low_pass_roots *roots, struct failure *failure)
{
    const double rate = chain->step.rate;
    const size_t lead = response_lead(&chain->step, chain->fmax);
    struct integrator integrator;
    integrator_make(rate, &integrator);
    if (gradient) {
        integrator_run_twice(&integrator, signal, count);
        integrator_over_cosine(signal, count);
    } else {
        integrator_run(&integrator, signal, count);
    }
    if (first * rate < (double)lead) {
        struct low_pass later = {0};
        if (roots->level == NULL)
            TRY(low_pass_roots_make(chain->fmax, rate, roots, failure));
        TRY(low_pass_change_lead(roots, (size_t)(first * rate), &later, failure));
        const int code = low_pass_apply(&later, signal, count, failure);
        low_pass_free(&later);
        TRY(code);
    }
    const size_t whole = lead + chain->longer;
    memmove(signal, signal + whole, (count - whole) * sizeof *signal);
    return 0;
}

static int check_output(const double *raw, size_t count, double first, struct failure *failure)
{
    if (!(first >= 0.0))
        return failure_set(failure, FAILURE_INPUT, "sound cannot arrive %g s after its emission", first);
    for (size_t n = 0; n < count; n++)
        if (!isfinite(raw[n]))
            return failure_set(failure, FAILURE_SIMULATION, "the pressure at a receiver is %g at step %llu",
                               raw[n], (unsigned long long)n);
    return 0;
}

/* From the engine's output in `signal` (count) to a calibrated band, damped by the air and decimated: *left
 * samples at *rate. `roots` as above. */
static int make_band(const struct response_chain *chain, double *signal, size_t count, double first,
                     bool gradient, struct low_pass_roots *roots, size_t *left, double *rate,
                     struct failure *failure)
{
    TRY(begin_at_emission(chain, signal, count, first, gradient, roots, failure));
    const double calibration =
        4.0 * PI * (gradient ? chain->step.sound_speed : chain->step.rate) / RESPONSE_RATE;
    *left = count - response_chain_lead(chain);
    *rate = chain->step.rate;
    for (size_t n = 0; n < *left; n++)
        signal[n] *= calibration;
    *left = decimate_signal(signal, *left, chain->fmax, rate);
    return air_filter(chain->method, chain->air, *rate, chain->fmax, signal, *left, failure);
}

size_t response_samples(const struct response_chain *chain, size_t count)
{
    const size_t lead = response_chain_lead(chain);
    const double steps =
        response_share(&chain->step, chain->fmax) * (double)(count > lead ? count - lead : 0);
    return (size_t)ceil(steps * RESPONSE_RATE / chain->step.rate);
}

/* Isotropic scheme: true frequencies at 48 kHz first, then air absorption. */
static int warp_group(const struct response_chain *chain, const double *const *raw, size_t channels,
                      size_t count, const double *first, bool gradient, double *const *signal, float *out,
                      size_t samples, struct failure *failure)
{
    struct warp own = {0};
    if (chain->warp == NULL)
        TRY(warp_make(&chain->step, chain->fmax, response_chain_lead(chain), count, RESPONSE_RATE, &own,
                      failure));
    const struct warp *warp = chain->warp != NULL ? chain->warp : &own;
    assert(warp->steps == count && warp->fmax == chain->fmax);
    int code = 0;
    for (size_t c = 0; code == 0 && c < channels; c += 2) { /* two share a transform */
        code = response_check_time(chain);
        if (code == 0)
            code = warp_apply(warp, raw + c, channels - c < 2 ? 1 : 2, first + c, gradient, signal + c,
                              samples, failure);
    }
    warp_free(&own);
    for (size_t c = 0; code == 0 && c < channels; c++) {
        code = air_filter(chain->method, chain->air, RESPONSE_RATE, chain->fmax, signal[c], samples, failure);
        for (size_t n = 0; code == 0 && n < samples; n++)
            out[n * channels + c] = (float)signal[c][n];
    }
    return code;
}

/* Standard scheme: the band at its own rate, then converted. */
static int convert_group(const struct response_chain *chain, const double *const *raw, size_t channels,
                         size_t count, const double *first, bool gradient, double *const *signal, float *out,
                         size_t samples, struct failure *failure)
{
    double rate = chain->step.rate;
    size_t left = 0;
    struct low_pass_roots roots = {0};
    int code = 0;
    for (size_t c = 0; code == 0 && c < channels; c++) {
        memcpy(signal[c], raw[c], count * sizeof *signal[c]);
        code = response_check_time(chain);
        if (code == 0)
            code = make_band(chain, signal[c], count, first[c], gradient, &roots, &left, &rate, failure);
    }
    if (code == 0)
        code = response_check_time(chain);
    if (code == 0)
        code = convert_rate(signal, channels, left, rate, out, samples, failure);
    low_pass_roots_free(&roots);
    return code;
}

static int make_group(const struct response_chain *chain, const double *const *raw, size_t channels,
                      size_t count, const double *first, bool gradient, float *out, struct failure *failure)
{
    assert(channels <= RESPONSE_GROUP);
    const bool warped = chain->step.scheme == SCHEME_ISOTROPIC;
    TRY(response_check(&chain->step, chain->fmax, failure));
    for (size_t c = 0; c < channels; c++)
        TRY(check_output(raw[c], count, first[c], failure));
    const size_t samples = response_samples(chain, count), room = warped ? samples : count;
    if (samples == 0)
        return 0;
    double *signal[RESPONSE_GROUP] = {NULL};
    int code = 0;
    for (size_t c = 0; code == 0 && c < channels; c++) {
        signal[c] = malloc(room * sizeof *signal[c]);
        if (signal[c] == NULL)
            code = failure_memory(failure, (unsigned long long)(room * sizeof *signal[c]), "a response");
    }
    if (code == 0)
        code = (warped ? warp_group : convert_group)(chain, raw, channels, count, first, gradient, signal,
                                                     out, samples, failure);
    for (size_t c = 0; c < channels; c++)
        free(signal[c]);
    return code;
}

int response_make_group(const struct response_chain *chain, const double *const *raw, size_t channels,
                        size_t count, const double *first, float *out, struct failure *failure)
{
    return make_group(chain, raw, channels, count, first, false, out, failure);
}

int response_make_gradient(const struct response_chain *chain, const double *const *raw, size_t channels,
                           size_t count, double first, float *out, struct failure *failure)
{
    const double all[RESPONSE_GROUP] = {first, first, first, first};
    return make_group(chain, raw, channels, count, all, true, out, failure);
}

int response_make(const struct response_chain *chain, const double *raw, size_t count, double first,
                  float **out, size_t *out_count, struct failure *failure)
{
    TRY(response_check(&chain->step, chain->fmax, failure));
    const size_t samples = response_samples(chain, count);
    float *converted = calloc(samples + 1, sizeof *converted);
    if (converted == NULL)
        return failure_memory(failure, (unsigned long long)(samples * sizeof *converted), "a response");
    const int code = response_make_group(chain, &raw, 1, count, &first, converted, failure);
    if (code != 0) {
        free(converted);
        return code;
    }
    *out = converted;
    *out_count = samples;
    return 0;
}

int response_of_sound(double *signal, size_t count, double rate, double fmax, float **out, size_t *out_count,
                      struct failure *failure)
{
    const size_t samples = count > 0 ? (size_t)((double)(count - 1) * RESPONSE_RATE / rate) + 1 : 0;
    struct low_pass filter = {0};
    for (size_t n = 0; n < count; n++)
        if (!isfinite(signal[n]))
            return failure_set(failure, FAILURE_SIMULATION, "the sound is not finite at step %zu", n);
    float *converted = calloc(samples + 1, sizeof *converted);
    if (converted == NULL)
        return failure_memory(failure, samples * sizeof *converted, "a sound");
    int code = low_pass_design(fmax, rate, low_pass_lead(fmax, rate), &filter, failure);
    if (code == 0)
        code = low_pass_apply(&filter, signal, count, failure);
    if (code == 0)
        code = convert_rate(&signal, 1, count, rate, converted, samples, failure);
    low_pass_free(&filter);
    if (code != 0) {
        free(converted);
        return code;
    }
    *out = converted;
    *out_count = samples;
    return 0;
}
