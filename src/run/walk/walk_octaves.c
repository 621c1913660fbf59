#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/walk/walk_mix.h"

#define PI         3.14159265358979323846
#define FIRST_EDGE 88.388 /* of the bands: octaves from here on [Hz] */
#define GAIN_MOST  4.0

size_t walk_bands(double rate)
{
    size_t bands = 1;
    while (bands < WALK_BANDS && FIRST_EDGE * pow(2.0, (double)bands - 1.0) < 0.5 * rate)
        bands++;
    return bands;
}

/* The share of frequency f that is below an edge: cosine over a third of an octave. */
static double share_below(double f, double edge)
{
    const double x = f > 0.0 ? fmin(fmax(0.5 + 3.0 * log2(f / edge), 0.0), 1.0) : 0.0;
    return pow(cos(0.5 * PI * x), 2.0);
}

static double band_share(const struct walk_mix *mix, size_t band, double f)
{
    const double over = band > 0 ? share_below(f, FIRST_EDGE * pow(2.0, (double)band - 1.0)) : 0.0;
    const double under = band + 1 < mix->bands ? share_below(f, FIRST_EDGE * pow(2.0, (double)band)) : 1.0;
    return under - over;
}

int walk_band_shares(const struct walk_mix *mix, size_t length, float **out, struct failure *failure)
{
    float *share = malloc((length / 2 + 1) * mix->bands * sizeof *share);
    if (share == NULL)
        return failure_memory(failure, (length / 2 + 1) * mix->bands * sizeof *share, "octaves");
    for (size_t k = 0; k <= length / 2; k++)
        for (size_t b = 0; b < mix->bands; b++)
            share[k * mix->bands + b] = (float)band_share(mix, b, mix->rate * (double)k / (double)length);
    *out = share;
    return 0;
}

static int transform_lines(struct walk_mix *mix, struct walk_loaded *of, struct failure *failure)
{
    const size_t length = mix->lines.length;
    for (int p = 0; p < WALK_PARTS; p++) {
        double complex *line = of->line[p] = calloc(length, sizeof *line);
        if (line == NULL)
            return failure_memory(failure, length * sizeof *line, "responses along the walk");
        for (size_t n = 0; n < of->frames; n++)
            line[n] = (double)of->part[p][n * mix->channels];
        fourier_forward(&mix->lines, line);
        for (size_t k = 0; k <= length / 2; k++) {
            const double angle = 2.0 * PI * (double)k * mix->rate / (double)length * of->onset;
            line[k] = fourier_product(line[k], cos(angle) + I * sin(angle));
        }
        /* The rest is its mirror image. */
        double complex *const half = realloc(line, (length / 2 + 1) * sizeof *half);
        if (half != NULL)
            of->line[p] = half;
    }
    return 0;
}

/* Product of two responses in one octave, aligned; both parts. */
static double product_of(struct walk_mix *mix, size_t i, size_t j, int part, size_t band)
{
    const size_t a = mix->number[i], b = mix->number[j];
    double *known = mix->product + ((a * mix->used + b) * WALK_PARTS + (size_t)part) * mix->bands;
    if (!isnan(known[band]))
        return known[band];
    const double complex *x = mix->loaded[i].line[part], *y = mix->loaded[j].line[part];
    memset(known, 0, mix->bands * sizeof *known);
    for (size_t k = 0; k <= mix->lines.length / 2; k++) {
        const double both = creal(x[k]) * creal(y[k]) + cimag(x[k]) * cimag(y[k]);
        for (size_t n = 0; n < mix->bands; n++) {
            const double share = (double)mix->line_share[k * mix->bands + n];
            known[n] += share * share * both;
        }
    }
    memcpy(mix->product + ((b * mix->used + a) * WALK_PARTS + (size_t)part) * mix->bands, known,
           mix->bands * sizeof *known);
    return known[band];
}

static double gain_of(struct walk_mix *mix, const struct walk_near *near, int part, size_t band)
{
    double sum = 0.0, wanted = 0.0;
    for (size_t i = 0; i < near->count; i++) {
        const size_t station = near->station[i];
        const double nearer = part == 0 ? mix->loaded[station].distance / near->distance : 1.0;
        for (size_t j = 0; j < near->count; j++)
            sum += near->weight[i] * near->weight[j] * product_of(mix, station, near->station[j], part, band);
        wanted += near->weight[i] * nearer * nearer * product_of(mix, station, station, part, band);
    }
    return near->count > 1 && sum > 0.0 ? fmin(sqrt(wanted / sum), GAIN_MOST) : 1.0;
}

int walk_find_gains(struct walk_mix *mix, struct failure *failure)
{
    const size_t stations = mix->field->stations;
    mix->number = calloc(stations, sizeof *mix->number);
    for (size_t i = 0; mix->number != NULL && i < stations; i++)
        if (mix->loaded[i].used)
            mix->number[i] = mix->used++;
    const size_t products = mix->used * mix->used * WALK_PARTS * mix->bands;
    mix->product = malloc((products + 1) * sizeof *mix->product);
    if (mix->number == NULL || mix->product == NULL)
        return failure_memory(failure, products * sizeof *mix->product, "responses along the walk");
    for (size_t n = 0; n < products; n++)
        mix->product[n] = NAN;
    TRY(fourier_make(fourier_length(mix->longest), &mix->lines, failure));
    TRY(walk_band_shares(mix, mix->lines.length, &mix->line_share, failure));
    for (size_t i = 0; i < stations; i++)
        if (mix->loaded[i].used)
            TRY(transform_lines(mix, &mix->loaded[i], failure));
    for (size_t n = 0; n < mix->looks; n++)
        for (int p = 0; p < WALK_PARTS; p++)
            for (size_t b = 0; b < mix->bands; b++)
                mix->gain[(n * WALK_PARTS + (size_t)p) * mix->bands + b] =
                    (float)gain_of(mix, &mix->near[n], p, b);
    for (size_t i = 0; i < stations; i++)
        for (int p = 0; p < WALK_PARTS; p++) {
            free(mix->loaded[i].line[p]);
            mix->loaded[i].line[p] = NULL;
        }
    return 0;
}
