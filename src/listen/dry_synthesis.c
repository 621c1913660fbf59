#include "src/listen/dry_synthesis.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "src/response/signal/band_filters.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/noise.h"

#define PI   3.14159265358979323846
#define RATE 48000.0
#define PEAK 0.5

const char *const dry_word[DRY_WORDS] = {"clap", "organ", "click"};

/* ---- clap ---- */

#define CLAP_SECONDS 0.5
#define CLAP_RISE    0.3e-3 /* [s] */
#define CLAP_FALL    3.5e-3 /* of the amplitude to 1/e [s] */
#define CLAP_MIDDLE  1100.0 /* [Hz] */
#define CLAP_QUALITY 1.2

/* The bilinear image of (s / q) / (s^2 + s / q + 1), s in units of the middle frequency. */
static struct biquad resonance_filter(double middle, double quality)
{
    const double w = tan(PI * middle / RATE), norm = 1.0 + w / quality + w * w;
    return (struct biquad){.b0 = w / quality / norm,
                           .b2 = -w / quality / norm,
                           .a1 = 2.0 * (w * w - 1.0) / norm,
                           .a2 = (1.0 - w / quality + w * w) / norm};
}

static void make_clap(double *sample, size_t count)
{
    struct biquad section = resonance_filter(CLAP_MIDDLE, CLAP_QUALITY);
    struct noise noise = noise_start(2007);
    for (size_t n = 0; n < count; n++) {
        const double t = (double)n / RATE;
        const double rise = t < CLAP_RISE ? 0.5 - 0.5 * cos(PI * t / CLAP_RISE) : 1.0;
        sample[n] = biquad_step(&section, rise * exp(-t / CLAP_FALL) * noise_normal(&noise));
    }
}

/* ---- organ ---- */

#define ORGAN_SECONDS 4.0
#define ORGAN_HELD    3.2     /* [s] */
#define ORGAN_FALL    0.03    /* of the amplitude to 1/e once the key is let go [s] */
#define ORGAN_HIGHEST 16000.0 /* [Hz] */
#define ORGAN_SLOPE   1.3     /* harmonics fall as n^-1.3 */
#define ORGAN_TUNING  3.0     /* [cents] */

struct pipe {
    double frequency; /* [Hz] */
    double strength;
};

/* One harmonic: a turning phasor in an envelope, each the last one times a constant. */
static void add_harmonic(double *sample, size_t count, double frequency, double strength, double phase,
                         double rise)
{
    const double complex turn = cexp(I * 2.0 * PI * frequency / RATE);
    const double approach = exp(-1.0 / (rise * RATE)), fall = exp(-1.0 / (ORGAN_FALL * RATE));
    const size_t released = (size_t)(ORGAN_HELD * RATE);
    double complex phasor = cexp(I * phase);
    double missing = 1.0, held = 1.0;
    for (size_t n = 0; n < count; n++) {
        sample[n] += strength * (1.0 - missing) * held * cimag(phasor);
        phasor = fourier_product(phasor, turn);
        missing *= approach;
        held *= n >= released ? fall : 1.0;
    }
}

static void add_pipe(double *sample, size_t count, struct pipe pipe, struct noise *noise)
{
    const double cents = ORGAN_TUNING * (2.0 * noise_uniform(noise) - 1.0);
    const double frequency = pipe.frequency * exp2(cents / 1200.0);
    for (int n = 1; n * frequency < ORGAN_HIGHEST; n++) {
        const double phase = 2.0 * PI * noise_uniform(noise);
        const double strength = pipe.strength * pow(n, -ORGAN_SLOPE);
        if (strength < 1e-4 * PEAK)
            break;
        add_harmonic(sample, count, n * frequency, strength, phase, 0.02 + 0.06 / n);
    }
}

static void make_organ(double *sample, size_t count)
{
    /* Semitones from a' = 440 Hz: D, d, a, d', f sharp'. */
    static const int tone[] = {-31, -19, -12, -7, -3};
    struct noise noise = noise_start(1987);
    for (size_t p = 0; p < sizeof tone / sizeof tone[0]; p++) {
        const double frequency = 440.0 * exp2(tone[p] / 12.0);
        add_pipe(sample, count, (struct pipe){frequency, 1.0}, &noise);
        add_pipe(sample, count, (struct pipe){2.0 * frequency, 0.5}, &noise);
    }
    /* The last sample is silent: the rest of the release fades within 10 ms. */
    for (size_t n = 0; n < 480; n++)
        sample[count - 1 - n] *= 0.5 - 0.5 * cos(PI * (double)n / 480.0);
}

int dry_synthesise(enum dry_word word, float **out, size_t *count, struct failure *failure)
{
    static const double seconds[] = {
        [DRY_CLAP] = CLAP_SECONDS, [DRY_ORGAN] = ORGAN_SECONDS, [DRY_CLICK] = 1 / RATE};
    const size_t length = (size_t)lround(seconds[word] * RATE);
    double *sample = calloc(length, sizeof *sample);
    float *made = malloc(length * sizeof *made);
    int code = 0;
    if (sample == NULL || made == NULL) {
        code = failure_memory(failure, (unsigned long long)(length * sizeof *sample), "a dry sound");
        goto done;
    }
    if (word == DRY_CLAP)
        make_clap(sample, length);
    else if (word == DRY_ORGAN)
        make_organ(sample, length);
    else
        sample[0] = 1.0;
    double peak = 0.0;
    for (size_t n = 0; n < length; n++)
        peak = fmax(peak, fabs(sample[n]));
    for (size_t n = 0; n < length; n++)
        made[n] = (float)(PEAK / peak * sample[n]);
    *out = made;
    *count = length;
    made = NULL;
done:
    free(made);
    free(sample);
    return code;
}
