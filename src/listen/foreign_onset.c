#include "src/listen/foreign_onset.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/response/signal/band_filters.h"

#define PI 3.14159265358979323846

#define WITHIN      0.1   /* of the largest sample: the rule of 20 dB */
#define NEAR        0.35  /* likewise: 9 dB, the sound itself */
#define LEFT        0.5   /* of the largest sample by a high-pass, at least */
#define LOW         4.0   /* power of what comes before with the low frequencies, over that without */
#define APART       0.005 /* of arrivals of low and of high frequencies, at most [s] */
#define LASTING     0.08  /* of the largest sample: noise at the end that matters */
#define ABOVE       2.0   /* of the largest sample of that noise: a threshold */
#define HIGHEST     0.8   /* of the largest sample: no threshold is above */
#define AS_LOUD     0.3   /* of the noise at the end (rms): least level before the sound */
#define EDGE        0.002 /* of the sound: does not count as being before it [s] */
#define RISES       20.0  /* in mean power, 13 dB */
#define RISEN       0.02  /* after the rise, for its power [s] */
#define DOUBTFUL    0.02  /* between the first sound and the rise, at least [s] */
#define CERTAIN     0.05  /* likewise, if the first is not sound of the room [s] */
#define EARLY       0.08  /* of C80 [s] */
#define EARLY_LEAST 0.03  /* of the energy: what comes within that, or the sound is not that of a room */
#define REFINED     0.005 /* before the first sample within 9 dB: where the rise begins, at most [s] */

static double largest_of(const double *x, size_t from, size_t to)
{
    double largest = 0.0;
    for (size_t n = from; n < to; n++)
        largest = fmax(largest, fabs(x[n]));
    return largest;
}

static double mean_power(const double *x, size_t from, size_t to)
{
    double sum = 0.0;
    for (size_t n = from; n < to; n++)
        sum += x[n] * x[n];
    return to > from ? sum / (double)(to - from) : 0.0;
}

static size_t first_of(const double *x, size_t from, size_t count, double threshold)
{
    size_t n = from;
    while (n < count && fabs(x[n]) < threshold)
        n++;
    return n;
}

/* Butterworth of second order (bilinear), twice, as if the first sample had been there for ever: hum that the
 * file cuts into has no step there. */
static void high_pass(const float *sample, size_t count, double rate, double edge, double *out)
{
    const double k = tan(PI * edge / rate), norm = 1.0 / (1.0 + sqrt(2.0) * k + k * k);
    struct biquad filter[2];
    filter[0] = filter[1] = (struct biquad){.b0 = norm,
                                            .b1 = -2.0 * norm,
                                            .b2 = norm,
                                            .a1 = 2.0 * (k * k - 1.0) * norm,
                                            .a2 = (1.0 - sqrt(2.0) * k + k * k) * norm};
    for (size_t n = 0; n < count; n++)
        out[n] = biquad_step(&filter[1], biquad_step(&filter[0], (double)sample[n] - (double)sample[0]));
}

/* The signal that decides: the response itself, or the response after a high-pass. */
struct heard_band {
    double *x, *other; /* owned */
    double largest;
    size_t onset;
};

static void pass_low_by(const float *sample, size_t count, double rate, struct heard_band *band,
                        struct foreign_onset *out)
{
    static const double edge[] = {44.6, 89.1, 177.8}; /* lower edges of the octaves from 63 Hz on */
    const double whole = band->largest;
    for (int e = 0; e < 3 && edge[e] < 0.25 * rate; e++) {
        high_pass(sample, count, rate, edge[e], band->other);
        const double largest = largest_of(band->other, 0, count);
        const size_t onset = first_of(band->other, 0, count, WITHIN * largest);
        if (largest < LEFT * whole || (double)onset <= (double)band->onset + APART * rate ||
            mean_power(band->x, band->onset, onset) < LOW * mean_power(band->other, band->onset, onset))
            continue;
        double *const kept = band->x;
        band->x = band->other;
        band->other = kept;
        band->largest = largest;
        band->onset = onset;
        out->before = BEFORE_LOW;
    }
}

static void pass_noise_by(size_t count, double rate, struct heard_band *band, struct foreign_onset *out)
{
    const size_t last = (size_t)fmax(0.1 * rate, 0.1 * (double)count);
    if ((double)count < 0.2 * rate)
        return;
    const double noise = largest_of(band->x, count - last, count);
    if (noise < LASTING * band->largest)
        return;
    const double threshold = fmin(fmax(ABOVE * noise, WITHIN * band->largest), HIGHEST * band->largest);
    const size_t onset = first_of(band->x, band->onset, count, threshold), edge = (size_t)(EDGE * rate);
    if (onset <= band->onset + edge)
        return;
    const double before = mean_power(band->x, 0, onset - edge);
    if (before < AS_LOUD * AS_LOUD * mean_power(band->x, count - last, count))
        return;
    band->onset = onset;
    out->before = BEFORE_NOISE;
}

static void pass_weaker_by(size_t count, double rate, struct heard_band *band, struct foreign_onset *out)
{
    const size_t first = band->onset, rise = first_of(band->x, first, count, NEAR * band->largest);
    const size_t edge = (size_t)(EDGE * rate), refined = (size_t)(REFINED * rate);
    if ((double)(rise - first) < DOUBTFUL * rate)
        return;
    const size_t after = rise + (size_t)(RISEN * rate);
    if (mean_power(band->x, rise - edge, after < count ? after : count) <
        RISES * mean_power(band->x, first, rise - edge))
        return;
    if ((double)(rise - first) < CERTAIN * rate) {
        out->before = out->before == BEFORE_NOTHING ? BEFORE_PERHAPS : out->before;
        out->rise = (double)rise / rate;
        return;
    }
    const double weaker = largest_of(band->x, first, rise - refined);
    band->onset = first_of(band->x, rise - refined, count, fmax(WITHIN * band->largest, 1.2 * weaker));
    band->onset = band->onset < rise ? band->onset : rise;
    out->before = BEFORE_WEAKER;
}

static bool is_late(size_t count, double rate, const struct heard_band *band)
{
    const size_t end = band->onset + (size_t)(EARLY * rate);
    if (end >= count)
        return false;
    const double early = mean_power(band->x, band->onset, end) * (double)(end - band->onset);
    return early < EARLY_LEAST * (early + mean_power(band->x, end, count) * (double)(count - end));
}

int foreign_onset_find(const float *sample, size_t count, double rate, struct foreign_onset *out,
                       struct failure *failure)
{
    struct heard_band band = {.x = malloc((count + 1) * sizeof *band.x),
                              .other = malloc((count + 1) * sizeof *band.other)};
    *out = (struct foreign_onset){0};
    int code = 0;
    if (band.x == NULL || band.other == NULL)
        code = failure_memory(failure, 2ULL * (count + 1) * sizeof *band.x, "the onset of a response");
    if (code == 0) {
        for (size_t n = 0; n < count; n++)
            band.x[n] = (double)sample[n];
        band.largest = largest_of(band.x, 0, count);
    }
    if (code == 0 && band.largest > 0.0) {
        band.onset = first_of(band.x, 0, count, WITHIN * band.largest);
        out->first = (double)band.onset / rate;
        pass_low_by(sample, count, rate, &band, out);
        pass_noise_by(count, rate, &band, out);
        pass_weaker_by(count, rate, &band, out);
        out->time = (double)band.onset / rate;
        if (is_late(count, rate, &band))
            out->before = BEFORE_RISING;
    }
    free(band.x);
    free(band.other);
    return code;
}

void foreign_onset_tell(const struct foreign_onset *onset, char text[FOREIGN_ONSET_TEXT])
{
    const char *what = onset->before == BEFORE_LOW     ? "hum or rumble below 178 Hz"
                       : onset->before == BEFORE_NOISE ? "noise that lasts"
                                                       : "weaker sound, as the pre-response of a sweep,";
    text[0] = '\0';
    if (onset->before == BEFORE_PERHAPS)
        snprintf(text, FOREIGN_ONSET_TEXT,
                 "the onset is taken at %.4f s, but the level rises by 13 dB or more only at %.4f s: it may "
                 "be a pre-response, and early figures may be wrong",
                 onset->time, onset->rise);
    else if (onset->before == BEFORE_RISING)
        snprintf(text, FOREIGN_ONSET_TEXT,
                 "the onset is taken at %.4f s, but less than 3 %% of the energy comes within 80 ms: the "
                 "response may be reversed in time or wrapped around, and early figures are wrong then",
                 onset->time);
    else if (onset->before != BEFORE_NOTHING)
        snprintf(text, FOREIGN_ONSET_TEXT,
                 "%s comes within 20 dB of the largest sample from %.4f s on; the onset is taken at %.4f s, "
                 "where the level rises above it",
                 what, onset->first, onset->time);
}
