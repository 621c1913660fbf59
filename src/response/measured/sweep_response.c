#include "src/response/measured/sweep_response.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "src/response/signal/fourier.h"

#define REGULAR  0.1  /* of the largest power */
#define STRAIGHT 0.02 /* rms of ln f off a line: the sweep is exponential */
#define OCTAVE   0.69 /* ln 2: less is no sweep */
#define POINTS   64   /* of that line */
#define LEAST    0.1  /* of a response [s] */
#define BEFORE   0.05 /* most that is kept before its largest sample [s] */
#define AUDIBLE  1e-3 /* of the largest sample: a sweep begins and ends there */

/* ---- the sweep ---- */

struct stretch {
    size_t first, last;
};

static struct stretch sounding_part(const float *sample, size_t count)
{
    struct stretch part = {0, 0};
    float largest = 0.0F;
    for (size_t n = 0; n < count; n++)
        largest = fmaxf(largest, fabsf(sample[n]));
    while (part.first < count && !(fabsf(sample[part.first]) > (float)AUDIBLE * largest))
        part.first++;
    for (part.last = count;
         part.last > part.first && !(fabsf(sample[part.last - 1]) > (float)AUDIBLE * largest);)
        part.last--;
    return part;
}

/* Mean frequency between the zero crossings next to `from` and `to`, with its time; NaN if there are fewer
 * than two. [Hz], samples */
static double crossing_frequency(const float *sample, size_t from, size_t to, double rate, double *time)
{
    double first = NAN, last = NAN;
    size_t crossings = 0;
    for (size_t n = from; n + 1 < to; n++) {
        const double a = (double)sample[n], b = (double)sample[n + 1];
        if ((a < 0.0) == (b < 0.0))
            continue;
        last = (double)n + a / (a - b);
        first = crossings++ == 0 ? last : first;
    }
    *time = 0.5 * (first + last);
    return crossings > 1 ? 0.5 * (double)(crossings - 1) * rate / (last - first) : (double)NAN;
}

void sweep_facts_find(const float *sample, size_t count, double rate, struct sweep_facts *out)
{
    const struct stretch part = sounding_part(sample, count);
    const size_t length = part.last - part.first;
    double n = 0.0, t_sum = 0.0, f_sum = 0.0, tt = 0.0, tf = 0.0, ff = 0.0;
    *out = (struct sweep_facts){
        .rise = NAN, .low = NAN, .high = NAN, .length = (double)length / rate, .noise = NAN};
    for (int k = 0; k < SWEEP_HARMONICS; k++)
        out->harmonic[k] = NAN;
    /* The low end has few crossings, and both ends may be faded. */
    for (size_t i = POINTS / 8; i < POINTS - POINTS / 16; i++) {
        double time;
        const double f = crossing_frequency(sample, part.first + i * length / POINTS,
                                            part.first + (i + 2) * length / POINTS, rate, &time);
        if (!isfinite(f))
            continue;
        const double t = time / rate, y = log(f);
        n += 1.0;
        t_sum += t;
        f_sum += y;
        tt += t * t;
        tf += t * y;
        ff += y * y;
    }
    const double t_square = tt - t_sum * t_sum / n, both = tf - t_sum * f_sum / n;
    const double slope = both / t_square, left = ff - f_sum * f_sum / n - slope * both;
    if (!(n > POINTS / 2.0) || !(slope * out->length > OCTAVE) || !(sqrt(fmax(left, 0.0) / n) < STRAIGHT))
        return;
    const double middle = f_sum / n - slope * t_sum / n;
    out->exponential = true;
    out->rise = 1.0 / slope;
    out->low = exp(middle + slope * (double)part.first / rate);
    out->high = exp(middle + slope * (double)part.last / rate);
}

/* ---- deconvolution ---- */

/* What turns the spectrum of a recording into that of the response, in place of the spectrum of the sweep. */
static void invert(double complex *spectrum, size_t length, bool exponential)
{
    double largest = 0.0;
    for (size_t k = 1; k <= length / 2; k++) {
        const double power = creal(spectrum[k] * conj(spectrum[k]));
        largest = fmax(largest, exponential ? power * (double)k : power);
    }
    spectrum[0] = 0.0;
    for (size_t k = 1; k < length; k++) {
        const double line = (double)(k <= length / 2 ? k : length - k);
        const double floor = REGULAR * (exponential ? largest / line : largest);
        spectrum[k] = conj(spectrum[k]) / fmax(creal(spectrum[k] * conj(spectrum[k])), floor);
    }
}

/* What comes before time 0 is at the end of the transform. */
static double sample_of(const double complex *value, size_t length, long n)
{
    return creal(value[n < 0 ? (size_t)((long)length + n) : (size_t)n]);
}

static double energy_between(const double complex *value, size_t length, double from, double to)
{
    double sum = 0.0;
    for (long n = lround(from); n < lround(to); n++) {
        const double x = sample_of(value, length, n);
        sum += x * x;
    }
    return sum;
}

/* The energy around each harmonic's arrival over that of the response, which begins at sample `begin` and
 * ends at `end`. */
static void find_harmonics(const double complex *value, size_t length, long begin, size_t top, size_t end,
                           double rate, struct sweep_facts *facts)
{
    const double whole = energy_between(value, length, (double)begin, (double)end);
    for (int k = 0; k < SWEEP_HARMONICS; k++) {
        const double at = (double)top - facts->rise * log(k + 2.0) * rate;
        const double next = facts->rise * log((k + 3.0) / (k + 2.0)) * rate;
        const double energy =
            energy_between(value, length, at - 0.5 * next, fmin(at + 0.5 * next, (double)begin));
        facts->harmonic[k] = fmax(facts->harmonic[k], 10.0 * log10(energy / whole));
    }
}

/* The channel with the largest sample decides where all begin. */
struct place {
    size_t top, end;
    long begin; /* may be before the recording: what rings before the sound is in the transform */
    double largest;
};

static void deconvolve(const struct fourier *fourier, const double complex *inverse, const float *frames,
                       size_t recorded, size_t channels, size_t channel, double complex *value)
{
    for (size_t n = 0; n < fourier->length; n++)
        value[n] = n < recorded ? (double)frames[n * channels + channel] : 0.0;
    fourier_forward(fourier, value);
    for (size_t k = 0; k < fourier->length; k++)
        value[k] = fourier_product(value[k], inverse[k]);
    fourier_inverse(fourier, value);
}

static void place_response(const double complex *value, const struct sweep_facts *facts, double rate,
                           struct place *place)
{
    for (size_t n = 0; n < place->end; n++)
        if (fabs(creal(value[n])) > place->largest) {
            place->largest = fabs(creal(value[n]));
            place->top = n;
        }
    const double before = facts->exponential ? fmin(BEFORE, 0.5 * facts->rise * log(2.0)) : BEFORE;
    place->begin = (long)place->top - (long)(before * rate);
}

static double noise_of(const float *sample, size_t count, size_t channels)
{
    double sum = 0.0, largest = 0.0;
    const size_t from = count - count / 10;
    for (size_t n = 0; n < count * channels; n++)
        largest = fmax(largest, fabs((double)sample[n]));
    for (size_t n = from * channels; n < count * channels; n++)
        sum += (double)sample[n] * (double)sample[n];
    return 10.0 * log10(sum / (double)((count - from) * channels)) - 20.0 * log10(largest);
}

/* `inverse` and `value` have the length of the transform. */
static int make_channels(const struct fourier *fourier, const double complex *inverse, double complex *value,
                         const float *frames, size_t recorded, size_t channels, double rate,
                         const struct place *limit, struct sweep_facts *facts, float **out,
                         size_t *out_frames, struct failure *failure)
{
    struct place place = *limit;
    for (size_t c = 0; c < channels; c++) {
        deconvolve(fourier, inverse, frames, recorded, channels, c, value);
        place_response(value, facts, rate, &place);
    }
    if (!(place.largest > 0.0))
        return failure_set(failure, FAILURE_INPUT, "the recording is silent");
    const size_t count = (size_t)((long)place.end - place.begin);
    if ((double)(place.end - place.top) < LEAST * rate)
        return failure_set(failure, FAILURE_INPUT,
                           "the recording ends %.3g s after the sweep, before the room has answered: go on "
                           "recording until it is silent",
                           (double)(place.end - place.top) / rate);
    float *response = malloc(count * channels * sizeof *response);
    if (response == NULL)
        return failure_memory(failure, count * channels * sizeof *response, "a response");
    for (size_t c = 0; c < channels; c++) {
        if (channels > 1)
            deconvolve(fourier, inverse, frames, recorded, channels, c, value);
        if (facts->exponential)
            find_harmonics(value, fourier->length, place.begin, place.top, place.end, rate, facts);
        for (size_t n = 0; n < count; n++)
            response[n * channels + c] = (float)sample_of(value, fourier->length, place.begin + (long)n);
    }
    facts->noise = noise_of(response, count, channels);
    *out = response;
    *out_frames = count;
    return 0;
}

int sweep_response_make(const float *sweep, size_t count, const float *frames, size_t recorded,
                        size_t channels, double rate, struct sweep_facts *facts, float **out,
                        size_t *out_frames, struct failure *failure)
{
    sweep_facts_find(sweep, count, rate, facts);
    const size_t sounding = sounding_part(sweep, count).last;
    if (sounding == 0)
        return failure_set(failure, FAILURE_INPUT, "the sweep is silent");
    if (recorded <= sounding)
        return failure_set(
            failure, FAILURE_INPUT,
            "the recording is %.4g s long and the sweep %.4g s: record the whole sweep, and the "
            "room until it is silent",
            (double)recorded / rate, (double)sounding / rate);
    const size_t length = fourier_length(recorded + count);
    struct fourier fourier = {0};
    double complex *inverse = calloc(2 * length, sizeof *inverse), *value = inverse + length;
    if (inverse == NULL)
        return failure_memory(failure, (unsigned long long)(2 * length * sizeof *inverse), "a sweep");
    int code = fourier_make(length, &fourier, failure);
    if (code == 0) {
        for (size_t n = 0; n < count; n++)
            inverse[n] = (double)sweep[n];
        fourier_forward(&fourier, inverse);
        invert(inverse, length, facts->exponential);
        const struct place limit = {.end = recorded - sounding};
        code = make_channels(&fourier, inverse, value, frames, recorded, channels, rate, &limit, facts, out,
                             out_frames, failure);
    }
    fourier_free(&fourier);
    free(inverse);
    return code;
}
