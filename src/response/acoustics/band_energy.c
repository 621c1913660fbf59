#include "src/response/acoustics/band_energy.h"

#include <math.h>
#include <stdlib.h>

#include "src/response/signal/fourier.h"
#include "src/response/signal/band_filters.h"

#define FAR 40.0 /* bandwidths from the middle: 128 dB down */

double band_energy_passed(enum band_kind kind, double f, double centre)
{
    const double x = (f * f - centre * centre) / (f * band_width(kind, centre));
    const double x2 = x * x, x4 = x2 * x2;
    return 1.0 / (1.0 + x4 * x4);
}

double band_energy_of_impulse(enum band_kind kind, double centre, double rate, double highest)
{
    enum { STEPS = 4000 };
    const double end = fmin(highest, FAR * centre), width = end / STEPS;
    double sum = 0.0;
    for (int n = 0; n < STEPS; n++)
        sum += band_energy_passed(kind, ((double)n + 0.5) * width, centre);
    return 2.0 * sum * width / rate;
}

static double dot_product(double complex a, double complex b)
{
    return creal(a) * creal(b) + cimag(a) * cimag(b);
}

/* For one band of the transform of a + j b, both real: the energy of a, that of b, and their product. */
static void energies_of(const struct fourier *fourier, const double complex *spectrum, double rate,
                        double highest, enum band_kind kind, double centre, double sum[3])
{
    const size_t length = fourier->length;
    const double width = rate / (double)length, end = fmin(highest, FAR * centre);
    sum[0] = sum[1] = sum[2] = 0.0;
    for (size_t k = 1; k < length / 2 && (double)k * width <= end; k++) {
        const double complex plus = spectrum[k], minus = conj(spectrum[length - k]);
        const double complex a = 0.5 * (plus + minus), b = -0.5 * I * (plus - minus);
        const double weight = band_energy_passed(kind, (double)k * width, centre);
        sum[0] += weight * dot_product(a, a);
        sum[1] += weight * dot_product(b, b);
        sum[2] += weight * dot_product(a, b);
    }
    for (int i = 0; i < 3; i++)
        sum[i] *= 2.0 / (double)length;
}

/* A response, and the roots of the previous transform, which the next may use again. */
struct work {
    const float *sample;
    double rate, highest, zero;
    struct bands bands;
    struct fourier fourier;
};

struct stretch {
    size_t from, to;
};

/* The transform must be long enough that no ringing wraps around into the stretch. */
static size_t length_of(const struct work *work, struct stretch stretch)
{
    const double longest = band_ringing(work->bands.kind, work->bands.centre[0]);
    const size_t ring = (size_t)ceil(2.0 * longest * work->rate);
    return fourier_length(stretch.to - stretch.from + ring);
}

/* Compute one stretch with its moment; or with a `second` one, whose transform is as long, both without. */
static int transform_stretch(struct work *work, struct stretch first, const struct stretch *second,
                             struct band_energy *out, struct band_energy *second_out, struct failure *failure)
{
    const size_t length = length_of(work, first);
    double complex *value = calloc(length, sizeof *value);
    double sum[3];
    int code = value == NULL ? failure_memory(failure, (unsigned long long)(length * sizeof *value),
                                              "the energies of bands")
                             : 0;
    if (code == 0 && work->fourier.length != length) {
        fourier_free(&work->fourier);
        code = fourier_make(length, &work->fourier, failure);
    }
    for (size_t n = first.from; code == 0 && n < first.to; n++) {
        const double x = (double)work->sample[n], t = (double)n / work->rate - work->zero;
        value[n - first.from] = x + I * (second == NULL ? t * x : 0.0);
    }
    for (size_t n = 0; code == 0 && second != NULL && n < second->to - second->from; n++)
        value[n] += I * (double)work->sample[second->from + n];
    if (code == 0)
        fourier_forward(&work->fourier, value);
    for (size_t b = 0; code == 0 && b < work->bands.count; b++) {
        energies_of(&work->fourier, value, work->rate, work->highest, work->bands.kind, work->bands.centre[b],
                    sum);
        out->energy[b] = sum[0];
        if (second == NULL)
            out->moment[b] = sum[2];
        else
            second_out->energy[b] = sum[1];
    }
    free(value);
    return code;
}

static int measure_stretch(struct work *work, struct stretch stretch, struct band_energy *out,
                           struct failure *failure)
{
    return stretch.from < stretch.to ? transform_stretch(work, stretch, NULL, out, NULL, failure) : 0;
}

/* Compute both together if their transforms are as long. */
static int measure_pair(struct work *work, struct stretch first, struct stretch second,
                        struct band_energy out[2], struct failure *failure)
{
    if (first.from < first.to && second.from < second.to && length_of(work, first) == length_of(work, second))
        return transform_stretch(work, first, &second, &out[0], &out[1], failure);
    TRY(measure_stretch(work, first, &out[0], failure));
    return measure_stretch(work, second, &out[1], failure);
}

int band_energy_make(enum band_kind kind, const float *sample, size_t from, size_t to, double rate,
                     double highest, double zero, struct band_energy *out, struct failure *failure)
{
    struct work work = {.sample = sample, .rate = rate, .highest = highest, .zero = zero};
    bands_make(kind, highest, &work.bands);
    *out = (struct band_energy){.bands = work.bands.count};
    const int code = out->bands > 0 ? measure_stretch(&work, (struct stretch){from, to}, out, failure) : 0;
    fourier_free(&work.fourier);
    return code;
}

static size_t clamp_between(size_t from, size_t cut, size_t to)
{
    return cut < from ? from : cut > to ? to : cut;
}

int band_energy_cut(enum band_kind kind, const float *sample, size_t from, const size_t cut[2], size_t move,
                    size_t to, double rate, double highest, double zero, struct band_parts *out,
                    struct failure *failure)
{
    struct work work = {.sample = sample, .rate = rate, .highest = highest, .zero = zero};
    bands_make(kind, highest, &work.bands);
    const struct band_energy none = {.bands = work.bands.count};
    *out = (struct band_parts){none, {none, none}, {none, none}, {none, none}, {none, none}};
    if (from >= to || none.bands == 0)
        return 0;
    const size_t a = clamp_between(from, cut[0], to), b = clamp_between(from, cut[1], to);
    int code = measure_stretch(&work, (struct stretch){from, to}, &out->whole, failure);
    if (code == 0)
        code = measure_pair(&work, (struct stretch){a, to}, (struct stretch){b, to}, out->late, failure);
    if (code == 0)
        code = measure_pair(&work, (struct stretch){from, a}, (struct stretch){from, b}, out->early, failure);
    for (int c = 0; code == 0 && c < 2; c++) {
        const size_t sooner = clamp_between(from, cut[c] > move ? cut[c] - move : 0, to);
        const size_t later = clamp_between(from, cut[c] + move, to);
        struct band_energy both[2] = {none, none};
        code =
            measure_pair(&work, (struct stretch){from, sooner}, (struct stretch){from, later}, both, failure);
        out->sooner[c] = both[0];
        out->later[c] = both[1];
    }
    fourier_free(&work.fourier);
    return code;
}
