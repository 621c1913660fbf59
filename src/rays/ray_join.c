#include "src/rays/ray_join.h"

#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/diffuse/random_sound.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/response.h"

static_assert(RAY_OCTAVES == OCTAVE_BANDS_MAX, "random sound has the octaves of rays");

#define DECAY_60 13.815510557964274 /* ln(10^6) */
#define PERIODS  24                 /* of fx in which the filters ring */

int ray_join_octave(double fmax)
{
    double centre[OCTAVE_BANDS_MAX];
    return (int)octave_centres(fmax, centre) - 1;
}

struct ray_join_difference ray_join_compare(const struct band_figures *waves, const struct ray_figures *rays,
                                            int octave)
{
    const bool long_range = isfinite(waves->times.t30) && isfinite(rays->value[FIGURE_T30][octave]);
    const enum figure decay = long_range ? FIGURE_T30 : FIGURE_T20;
    const double wave_time = acoustic_figure_of(waves, decay), ray_time = rays->value[decay][octave];
    return (struct ray_join_difference){
        .level = rays->value[FIGURE_G][octave] - waves->g,
        .decay = ray_figure_steps(decay, wave_time, ray_time),
        .rate = DECAY_60 * (1 / wave_time - 1 / ray_time),
    };
}

void ray_join_errors(const struct band_figures *const waves[], const struct ray_figures *rays, size_t pairs,
                     int octave, double out[PRESSURE_FIGURES])
{
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        double sum = 0, count = 0;
        for (size_t p = 0; p < pairs; p++) {
            const double steps = ray_figure_steps(
                (enum figure)f, acoustic_figure_of(waves[p], (enum figure)f), rays[p].value[f][octave]);
            if (isfinite(steps)) {
                sum += steps * steps;
                count++;
            }
        }
        out[f] = count > 0 ? sqrt(sum / count) : 0;
    }
}

struct ray_join_check ray_join_check_make(const struct ray_join_difference *pair, size_t pairs)
{
    struct ray_join_check out = {0};
    for (size_t p = 0; p < pairs; p++) {
        if (isfinite(pair[p].level)) {
            out.levels++;
            out.level += pair[p].level;
        }
        if (isfinite(pair[p].decay)) {
            out.decays++;
            out.decay += pair[p].decay;
            out.rate += pair[p].rate;
        }
    }
    out.level = out.levels > 0 ? out.level / (double)out.levels : NAN;
    out.decay = out.decays > 0 ? out.decay / (double)out.decays : NAN;
    out.rate = out.decays > 0 ? out.rate / (double)out.decays : NAN;
    out.far_apart = fabs(out.level) > FIGURE_JOIN_LEVEL_MOST || fabs(out.decay) > FIGURE_JOIN_DECAY_MOST;
    return out;
}

void ray_join_correction(double level, int octave, double out[RAY_OCTAVES])
{
    for (int o = 0; o < RAY_OCTAVES; o++)
        out[o] = isfinite(level) ? -level * fmin(1, ray_octave_centre(octave) / ray_octave_centre(o)) : 0;
}

void ray_join_decay(double rate, double spread, int octave, double out[RAY_OCTAVES])
{
    const double share = 1 / (1 + spread * spread / (RAY_JOIN_SPREAD * RAY_JOIN_SPREAD));
    for (int o = 0; o < RAY_OCTAVES; o++)
        out[o] = isfinite(rate * share)
                     ? rate * share * fmin(1, ray_octave_centre(octave) / ray_octave_centre(o))
                     : 0;
}

/* ---- filters ---- */

enum part { WAVE, RANDOM, COHERENT, PARTS };

static double weight_of(enum part part, double below)
{
    return part == WAVE ? below : part == RANDOM ? sqrt(1 - below * below) : 1 - below;
}

/* Two channels of one part as one complex signal. */
static void load_pair(const float *sample, size_t count, size_t channels, size_t channel, double complex *out)
{
    for (size_t n = 0; n < count; n++) {
        const float *const frame = &sample[n * channels];
        out[n] = (channel < channels ? (double)frame[channel] : 0) +
                 I * (channel + 1 < channels ? (double)frame[channel + 1] : 0);
    }
}

/* Filters are real: a line and its negative have one weight. */
static void add_part(const struct fourier *fourier, enum part part, double middle,
                     const double complex *spectrum, double complex *sum)
{
    const size_t length = fourier->length;
    for (size_t k = 0; k <= length / 2; k++) {
        const double f = (double)k * RESPONSE_RATE / (double)length;
        const double weight = weight_of(part, octave_crossover(f, middle));
        sum[k] += weight * spectrum[k];
        if (k > 0 && 2 * k < length)
            sum[length - k] += weight * spectrum[length - k];
    }
}

static void join_pair(const struct ray_join_parts *parts, const struct fourier *fourier, size_t count,
                      size_t channel, double complex *signal, double complex *sum, float *out)
{
    const size_t bytes = fourier->length * sizeof *sum;
    const double middle = parts->fmax * exp2(-OCTAVE_CROSSOVER_WIDTH / 2);
    const struct {
        const float *sample;
        size_t count, channels;
    } of[PARTS] = {{parts->wave, parts->wave_count < count ? parts->wave_count : count, parts->wave_channels},
                   {parts->random, count, parts->channels},
                   {parts->coherent, count, parts->channels}};
    memset(sum, 0, bytes);
    for (enum part part = 0; part < PARTS; part++) {
        if (channel >= of[part].channels)
            continue;
        memset(signal, 0, bytes);
        load_pair(of[part].sample, of[part].count, of[part].channels, channel, signal);
        fourier_forward(fourier, signal);
        add_part(fourier, part, middle, signal, sum);
    }
    fourier_inverse(fourier, sum);
    for (size_t n = 0; n < count; n++) {
        out[n * parts->channels + channel] = (float)creal(sum[n]);
        if (channel + 1 < parts->channels)
            out[n * parts->channels + channel + 1] = (float)cimag(sum[n]);
    }
}

int ray_join_make(const struct ray_join_parts *parts, size_t count, float *out, struct failure *failure)
{
    struct fourier fourier = {0};
    TRY(fourier_make(fourier_length(count + (size_t)(PERIODS * RESPONSE_RATE / parts->fmax)), &fourier,
                     failure));
    double complex *signal = malloc(fourier.length * sizeof *signal),
                   *sum = malloc(fourier.length * sizeof *sum);
    const int code = signal == NULL || sum == NULL
                         ? failure_memory(failure, 2 * fourier.length * sizeof *sum, "joining responses")
                         : 0;
    for (size_t c = 0; code == 0 && c < parts->channels; c += 2)
        join_pair(parts, &fourier, count, c, signal, sum, out);
    free(signal);
    free(sum);
    fourier_free(&fourier);
    return code;
}
