#include "src/response/acoustics/speech_transmission.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/response/acoustics/decay_tail.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/band_filters.h"

#define PI             3.14159265358979323846
#define HALF_OCTAVE    1.4125375446227543 /* 10^0.15 */
#define REACH          3.9 /* the filter is 1e-5 at this times the centre, and at the centre over it */
#define RINGING        9.0 /* / bandwidth: a longer ringing holds 1e-5 of the energy */
#define INTEGRAL_STEPS 2000
#define LEAST_RANGE    30.0 /* [dB] */
#define SILENCE        1e-9 /* share of the energy in the last tenth; less counts as nothing */

const double speech_modulation[SPEECH_MODULATIONS] = {0.63, 0.8, 1.0, 1.25, 1.6, 2.0,  2.5,
                                                      3.15, 4.0, 5.0, 6.3,  8.0, 10.0, 12.5};
/* Weights of the octaves and of the redundancy of neighbours. */
static const double weight[SPEECH_OCTAVES] = {0.085, 0.127, 0.230, 0.233, 0.309, 0.224, 0.173};
static const double redundancy[SPEECH_OCTAVES - 1] = {0.085, 0.078, 0.065, 0.011, 0.047, 0.095};

static const double reception_threshold[SPEECH_OCTAVES] = {46.0, 27.0, 12.0, 6.5, 7.5, 8.0, 12.0}; /* [dB] */

/* ---- from m to indices ---- */

double speech_transfer_index(double m)
{
    const double ratio = 10.0 * log10(m / (1.0 - m));
    if (isnan(ratio))
        return NAN;
    return (fmin(fmax(ratio, -15.0), 15.0) + 15.0) / 30.0;
}

double speech_masking_slope(double level)
{
    return level < 63.0    ? 0.5 * level - 65.0
           : level < 67.0  ? 1.8 * level - 146.9
           : level < 100.0 ? 0.5 * level - 59.8
                           : -10.0;
}

static double intensity_of(double level)
{
    return pow(10.0, level / 10.0);
}

/* The factor on m in octave `k` by noise, the next lower octave (auditory masking) and the threshold of
 * reception: the intensity of speech in the sum of all four. */
static double audible_share(const struct speech_levels *levels, size_t k)
{
    const double speech = intensity_of(levels->speech[k]);
    double all = speech + intensity_of(reception_threshold[k]);
    if (levels->with_noise)
        all += intensity_of(levels->noise[k]);
    if (k > 0) {
        double below = intensity_of(levels->speech[k - 1]);
        if (levels->with_noise)
            below += intensity_of(levels->noise[k - 1]);
        all += below * intensity_of(speech_masking_slope(10.0 * log10(below)));
    }
    return speech / all;
}

double speech_index(const double mti[SPEECH_OCTAVES])
{
    double sum = 0.0;
    for (size_t k = 0; k < SPEECH_OCTAVES; k++)
        sum += weight[k] * mti[k];
    for (size_t k = 0; k + 1 < SPEECH_OCTAVES; k++)
        sum -= redundancy[k] * sqrt(mti[k] * mti[k + 1]);
    return isnan(sum) ? NAN : fmin(1.0, sum);
}

/* ---- the octave filter ---- */

static double filter_gain(double f, double centre)
{
    const double offset = (f / centre - centre / f) / (HALF_OCTAVE - 1.0 / HALF_OCTAVE);
    const double square = offset * offset, cube = square * square * square;
    return 1.0 / sqrt(1.0 + cube * cube * square); /* offset^14: seven poles on a side */
}

/* g(F), by the midpoint rule. */
static double filter_transfer(double centre, double modulation)
{
    const double low = centre / REACH, step = (centre * REACH - low) / INTEGRAL_STEPS;
    double shifted = 0.0, square = 0.0;
    for (int n = 0; n < INTEGRAL_STEPS; n++) {
        const double f = low + (n + 0.5) * step, gain = filter_gain(f, centre);
        square += gain * gain;
        if (f > modulation)
            shifted += gain * filter_gain(f - modulation, centre);
    }
    return shifted / square;
}

/* ---- an octave of a response ---- */

/* The signal that the octaves are filtered from. */
struct spectrum {
    struct fourier fourier; /* owned */
    double complex *value;  /* (length), owned */
    double rate;            /* of the samples [Hz] */
    size_t lead;            /* samples before sample 0 */
};

/* The squared envelope of an octave, decimated as far as its bandwidth allows. Its integral times a slow
 * modulation is twice that of the square. */
struct envelope {
    double *square; /* (count), borrowed */
    size_t count;
    double rate; /* [Hz] */
    double lead; /* time before sample 0 of the response [s] */
};

/* `band` (as long as the spectrum) is overwritten; the envelope lies in it. */
static int filter_octave(const struct spectrum *spectrum, double centre, double complex *band,
                         struct envelope *out, struct failure *failure)
{
    const size_t length = spectrum->fourier.length;
    const double bin = spectrum->rate / (double)length;
    const size_t first = (size_t)ceil(centre / REACH / bin);
    const size_t last = (size_t)fmin(floor(centre * REACH / bin), (double)(length / 2 - 1));
    struct fourier fourier = {0};
    const size_t count = fourier_length(last - first + 1);
    TRY(fourier_make(count, &fourier, failure));
    for (size_t n = 0; n < count; n++) {
        const size_t at = first + n;
        band[n] = at <= last ? spectrum->value[at] * filter_gain((double)at * bin, centre) : 0.0;
    }
    fourier_inverse(&fourier, band);
    fourier_free(&fourier);
    double *square = (double *)band;
    for (size_t n = 0; n < count; n++) /* nothing is read ahead of it any more */
        square[n] = creal(band[n]) * creal(band[n]) + cimag(band[n]) * cimag(band[n]);
    *out = (struct envelope){.square = square,
                             .count = count,
                             .rate = bin * (double)count,
                             .lead = (double)spectrum->lead / spectrum->rate};
    return 0;
}

/* The part of an envelope that is the room's. */
struct stretch {
    size_t begin, end; /* samples of the envelope */
    double floor;      /* noise in each */
};

static double energy_between(const struct envelope *envelope, size_t begin, size_t end)
{
    double energy = 0.0;
    for (size_t n = begin; n < end; n++)
        energy += envelope->square[n];
    return energy;
}

/* Returns the range [dB]: all energy over the missing energy after the end. 0 if nothing dies away. */
static double find_stretch(const struct envelope *envelope, double centre, double onset, double length,
                           double *window, struct stretch *out)
{
    const double bandwidth = band_width(BANDS_OCTAVE, centre), ring = band_ringing(BANDS_OCTAVE, centre);
    const size_t start = (size_t)((envelope->lead + onset) * envelope->rate);
    const size_t end = (size_t)((envelope->lead + length) * envelope->rate);
    const size_t edge = (size_t)(fmax(0.0, length - onset - ring) * envelope->rate) + start;
    out->begin =
        (size_t)(fmax(0.0, envelope->lead + fmax(onset, 0.0) - RINGING / bandwidth) * envelope->rate);
    out->end = end;
    out->floor = 0.0;
    const double total = energy_between(envelope, out->begin, end);
    const size_t tenth = (edge - start) / 10 + 1;
    if (edge > start && energy_between(envelope, edge - tenth, edge) <= SILENCE * total) {
        out->end = envelope->count;
        return total > 0.0 ? -10.0 * log10(SILENCE) : 0.0;
    }
    const size_t width = (size_t)ceil(envelope->rate / bandwidth), windows = (edge - start) / width;
    for (size_t i = 0; i < windows; i++)
        window[i] = energy_between(envelope, start + i * width, start + (i + 1) * width);
    struct decay_tail tail = {0};
    decay_tail_fit(window, windows, bandwidth * (double)width / envelope->rate, &tail);
    if (!tail.found)
        return 0.0;
    const double crossing = decay_tail_crossing(&tail);
    double reach = (double)(end - start) / (double)width;
    if (crossing < (double)windows) {
        reach = fmax(0.0, crossing);
        out->floor = tail.floor / (double)width;
        out->end = start + (size_t)(reach * (double)width);
    }
    const double missing = tail.level * exp(-tail.fall * reach) / (1.0 - exp(-tail.fall));
    const double energy =
        energy_between(envelope, out->begin, out->end) - out->floor * (double)(out->end - out->begin);
    return energy > missing ? 10.0 * log10(energy / missing) : 0.0;
}

/* |integral of (square - floor) exp(-2 pi j F t)|; F 0: the energy. */
static double modulated_energy(const struct envelope *envelope, const struct stretch *stretch,
                               double modulation)
{
    const double complex turn = cexp(-2.0 * PI * I * modulation / envelope->rate);
    double complex sum = 0.0;
    /* Horner's rule from the end: every term is turned as often as its index after the beginning. */
    for (size_t n = stretch->end; n-- > stretch->begin;)
        sum = fourier_product(sum, turn) + (envelope->square[n] - stretch->floor);
    return cabs(sum);
}

static void index_octave(const struct speech_levels *levels, size_t k, struct speech_octave *out)
{
    const double factor = levels != NULL && levels->with_speech ? audible_share(levels, k) : 1.0;
    out->mti = 0.0;
    for (size_t i = 0; i < SPEECH_MODULATIONS; i++)
        out->mti += speech_transfer_index(factor * out->transfer[i]) / SPEECH_MODULATIONS;
}

static void judge_octave(const struct envelope *envelope, double onset, double length, double *window,
                         const struct speech_levels *levels, size_t k, struct speech_octave *out)
{
    struct stretch stretch;
    const double range = find_stretch(envelope, out->centre, onset, length, window, &stretch);
    if (!(range >= LEAST_RANGE)) {
        if (range > 0.0)
            snprintf(
                out->why, sizeof out->why,
                "the sound decays by %.1f dB before the response %s, and modulation transfer needs %g dB%s",
                range, stretch.floor > 0.0 ? "levels off" : "ends", LEAST_RANGE,
                stretch.floor > 0.0 ? ": there is noise, or the response is too short"
                                    : ": a longer run is needed");
        else
            snprintf(out->why, sizeof out->why,
                     "no decay is found after the direct sound: a longer run may show one");
        return;
    }
    const double all = modulated_energy(envelope, &stretch, 0.0);
    for (size_t i = 0; i < SPEECH_MODULATIONS; i++) {
        const double m = modulated_energy(envelope, &stretch, speech_modulation[i]) / all;
        out->transfer[i] = fmin(1.0, m / filter_transfer(out->centre, speech_modulation[i]));
    }
    index_octave(levels, k, out);
}

static void set_absent(double highest, struct speech_transmission *out)
{
    *out = (struct speech_transmission){.sti = NAN};
    for (size_t k = 0; k < SPEECH_OCTAVES; k++) {
        out->octave[k].mti = NAN;
        for (size_t i = 0; i < SPEECH_MODULATIONS; i++)
            out->octave[k].transfer[i] = NAN;
        snprintf(out->octave[k].why, sizeof out->octave[k].why, "the octave reaches above %.5g Hz", highest);
    }
}

static void judge_speech(double highest, struct speech_transmission *out)
{
    double mti[SPEECH_OCTAVES];
    for (size_t k = 0; k < SPEECH_OCTAVES; k++) {
        const struct speech_octave *octave = &out->octave[k];
        mti[k] = octave->mti;
        if (out->why[0] != '\0' || octave->why[0] == '\0')
            continue;
        if (octave->centre == 0.0)
            snprintf(
                out->why, sizeof out->why,
                "STI needs the octaves 125 Hz to 8 kHz, up to 11300 Hz, and this response ends at %.5g Hz",
                highest);
        else
            snprintf(out->why, sizeof out->why, "octave %d Hz: %s", band_nominal(octave->centre),
                     octave->why);
    }
    if (out->why[0] == '\0')
        out->sti = speech_index(mti);
}

int speech_transmission_make(const float *sample, size_t count, double rate, double highest, double onset,
                             const struct speech_levels *levels, struct speech_transmission *out,
                             struct failure *failure)
{
    assert(1.02 * highest < rate / 2.0);
    set_absent(highest, out);
    double centre[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(highest, centre);
    if (bands < 2) {
        judge_speech(highest, out);
        return 0;
    }
    struct spectrum spectrum = {.rate = rate};
    spectrum.lead = (size_t)ceil(RINGING / band_width(BANDS_OCTAVE, centre[1]) * rate);
    const size_t length = fourier_length(count + 2 * spectrum.lead);
    double complex *band = malloc(length * sizeof *band);
    double *window = malloc(length * sizeof *window);
    spectrum.value = calloc(length, sizeof *spectrum.value);
    int code = fourier_make(length, &spectrum.fourier, failure);
    if (code == 0 && (band == NULL || window == NULL || spectrum.value == NULL))
        code = failure_memory(failure, 40ULL * length, "the modulation transfer");
    if (code != 0)
        goto done;
    bool silent = true;
    for (size_t n = 0; n < count; n++) {
        spectrum.value[spectrum.lead + n] = (double)sample[n];
        silent = silent && sample[n] == 0.0F;
    }
    fourier_forward(&spectrum.fourier, spectrum.value);
    for (size_t k = 0; code == 0 && k < SPEECH_OCTAVES && k + 1 < bands; k++) {
        struct speech_octave *octave = &out->octave[k];
        struct envelope envelope;
        octave->centre = centre[k + 1];
        octave->why[0] = '\0';
        code = filter_octave(&spectrum, octave->centre, band, &envelope, failure);
        if (code == 0)
            judge_octave(&envelope, onset, (double)count / rate, window, levels, k, octave);
        if (silent)
            snprintf(octave->why, sizeof octave->why, "the response is silent");
    }
    if (code == 0)
        judge_speech(highest, out);
done:
    free(band);
    free(window);
    free(spectrum.value);
    fourier_free(&spectrum.fourier);
    return code;
}
