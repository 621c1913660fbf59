#include "src/response/acoustics/lateral_figures.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/response/acoustics/band_energy.h"
#include "src/response/signal/ambisonic_response.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/band_filters.h"
#include "src/base/words/words.h"

#define PI 3.14159265358979323846

#define LOWEST_CENTRE 63.0957 /* the octave that rings longest [Hz] */

/* The two signals, one after the other, and the limits between their parts as samples. */
struct sides {
    float *pressure, *lateral;
    size_t begin, limit_5, limit_80, count;
    double rate, highest, onset;
};

static int split_sides(const float *frames, double source, struct sides *sides, struct failure *failure)
{
    const size_t count = sides->count;
    const double c = cos(source * PI / 180.0), s = sin(source * PI / 180.0);
    sides->pressure = malloc((2 * count + 1) * sizeof *sides->pressure);
    if (sides->pressure == NULL)
        return failure_memory(failure, (unsigned long long)(2 * count * sizeof *sides->pressure),
                              "lateral energies");
    sides->lateral = sides->pressure + count;
    for (size_t n = 0; n < count; n++) {
        const float *frame = frames + n * AMBISONIC_CHANNELS;
        sides->pressure[n] = frame[AMBISONIC_W];
        sides->lateral[n] = (float)(c * (double)frame[AMBISONIC_Y] - s * (double)frame[AMBISONIC_X]);
    }
    return 0;
}

/* Sum of |p_L p| over each octave of the part from 5 to 80 ms. A real filter passes both as the real and
 * the imaginary part of one signal. */
static int sum_products(const struct sides *sides, const struct lateral_figures *octaves, double *product,
                        struct failure *failure)
{
    const size_t from = sides->limit_5, to = sides->limit_80;
    const size_t ring = (size_t)ceil(2.0 * band_ringing(BANDS_OCTAVE, LOWEST_CENTRE) * sides->rate);
    const size_t length = fourier_length(to - from + 2 * ring);
    struct fourier fourier = {0};
    double complex *both = calloc(2 * length, sizeof *both);
    if (both == NULL)
        return failure_memory(failure, (unsigned long long)(2 * length * sizeof *both), "lateral energies");
    double complex *octave = both + length;
    const int code = fourier_make(length, &fourier, failure);
    if (code == 0) {
        for (size_t n = from; n < to; n++)
            both[n - from + ring] = (double)sides->lateral[n] + I * (double)sides->pressure[n];
        fourier_forward(&fourier, both);
    }
    for (size_t b = 0; code == 0 && b < octaves->bands; b++) {
        for (size_t k = 0; k < length; k++) {
            const double f = sides->rate * (double)(k <= length / 2 ? k : length - k) / (double)length;
            octave[k] = f > 0.0 && f <= sides->highest
                            ? sqrt(band_energy_passed(BANDS_OCTAVE, f, octaves->octave[b].centre)) * both[k]
                            : 0.0;
        }
        fourier_inverse(&fourier, octave);
        product[b] = 0.0;
        for (size_t n = 0; n < length; n++)
            product[b] += fabs(creal(octave[n]) * cimag(octave[n]));
    }
    fourier_free(&fourier);
    free(both);
    return code;
}

static int measure_sides(const struct sides *sides, double reference, const struct acoustic_figures *pressure,
                         struct lateral_figures *out, struct failure *failure)
{
    struct band_energy early, side, late;
    double product[OCTAVE_BANDS_MAX];
    TRY(band_energy_make(BANDS_OCTAVE, sides->pressure, sides->begin, sides->limit_80, sides->rate,
                         sides->highest, sides->onset, &early, failure));
    TRY(band_energy_make(BANDS_OCTAVE, sides->lateral, sides->limit_5, sides->limit_80, sides->rate,
                         sides->highest, sides->onset, &side, failure));
    TRY(band_energy_make(BANDS_OCTAVE, sides->lateral, sides->limit_80, sides->count, sides->rate,
                         sides->highest, sides->onset, &late, failure));
    TRY(sum_products(sides, out, product, failure));
    for (size_t b = 0; b < out->bands; b++) {
        struct lateral_octave *octave = &out->octave[b];
        if (!(early.energy[b] > 0.0)) {
            snprintf(octave->why, sizeof octave->why,
                     "LF, LFC and LJ: " SAID("no sound within 80 ms of the onset"));
            continue;
        }
        octave->lf = side.energy[b] / early.energy[b];
        octave->lfc = product[b] / early.energy[b];
        if (b < pressure->bands && pressure->octave[b].late) {
            octave->lf = octave->lfc = NAN;
            snprintf(octave->why, sizeof octave->why,
                     "LF, LFC and LJ: " SAID("its sound begins later than the onset"));
            continue;
        }
        const double at_10_m =
            reference * reference *
            band_energy_of_impulse(BANDS_OCTAVE, octave->centre, sides->rate, sides->highest);
        if (!(at_10_m > 0.0))
            snprintf(octave->why, sizeof octave->why, "LJ: " SAID("the level of the source is not known"));
        else if (b >= pressure->bands || isnan(pressure->octave[b].c80) || !(late.energy[b] > 0.0))
            snprintf(octave->why, sizeof octave->why,
                     "LJ: " SAID("the sound after 80 ms is not known well enough, as for C80"));
        else
            octave->lj = 10.0 * log10(late.energy[b] / at_10_m);
    }
    return 0;
}

/* Means over 125 to 1000 Hz; NaN if one of the four is NaN. */
static void make_single(struct lateral_figures *out)
{
    enum { HZ_125 = 1, HZ_1000 = 4 };
    double lf = 0.0, lfc = 0.0, lj = 0.0;
    for (size_t b = HZ_125; b <= HZ_1000; b++) {
        const bool there = b < out->bands;
        lf += 0.25 * (there ? out->octave[b].lf : NAN);
        lfc += 0.25 * (there ? out->octave[b].lfc : NAN);
        lj += 0.25 * (there ? pow(10.0, 0.1 * out->octave[b].lj) : NAN);
    }
    out->lf = lf;
    out->lfc = lfc;
    out->lj = 10.0 * log10(lj);
}

int lateral_figures_make(const float *frames, size_t count, double rate, double highest, double onset,
                         double source, double reference, const struct acoustic_figures *pressure,
                         struct lateral_figures *out, struct failure *failure)
{
    struct sides sides = {.begin = sample_at(onset - LOW_PASS_REACH / highest, rate, count),
                          .limit_5 = sample_at(onset + 0.005, rate, count),
                          .limit_80 = sample_at(onset + 0.08, rate, count),
                          .count = count,
                          .rate = rate,
                          .highest = highest,
                          .onset = onset};
    double centre[OCTAVE_BANDS_MAX];
    *out = (struct lateral_figures){.bands = octave_centres(highest, centre)};
    const char *why = isnan(source)
                          ? "LF, LFC and LJ: " SAID("the source is straight above or below, so that side and "
                                                    "front cannot be distinguished")
                      : (onset + 0.08) * rate > (double)count
                          ? "LF, LFC and LJ: " SAID("the response ends less than 80 ms after the onset")
                          : "";
    for (size_t b = 0; b < out->bands; b++) {
        out->octave[b] = (struct lateral_octave){.centre = centre[b], .lf = NAN, .lfc = NAN, .lj = NAN};
        snprintf(out->octave[b].why, sizeof out->octave[b].why, "%s", why);
    }
    int code = why[0] == '\0' ? split_sides(frames, source, &sides, failure) : 0;
    if (code == 0 && why[0] == '\0')
        code = measure_sides(&sides, reference, pressure, out, failure);
    free(sides.pressure);
    make_single(out);
    return code;
}

double lateral_figure_of(const struct lateral_octave *octave, enum figure figure)
{
    return figure == FIGURE_LF ? octave->lf : figure == FIGURE_LFC ? octave->lfc : octave->lj;
}

double lateral_figure_single(const struct lateral_figures *figures, enum figure figure)
{
    return figure == FIGURE_LF ? figures->lf : figure == FIGURE_LFC ? figures->lfc : figures->lj;
}
