#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/base/progress_json.h"
#include "src/run/walk/walk_mix.h"

#define PI          3.14159265358979323846
#define MARGIN      0.2 /* on either side of a block, for the filters of octaves and for shifts [s] */
#define SHIFT_MOST  0.1 /* [s] */
#define SINC_HALF   16  /* samples on either side of a time between samples */
#define SINC_PHASES 512
#define SINC_BETA   9.0
#define BLOCK_LEAST 1.0 /* [s] */

static int make_sinc(struct walk_mix *mix, struct failure *failure)
{
    mix->sinc = malloc((SINC_PHASES + 1) * 2 * SINC_HALF * sizeof *mix->sinc);
    if (mix->sinc == NULL)
        return failure_memory(failure, (SINC_PHASES + 1) * 2 * SINC_HALF * sizeof *mix->sinc, "a table");
    for (int phase = 0; phase <= SINC_PHASES; phase++)
        for (int k = 0; k < 2 * SINC_HALF; k++) {
            const double x = (double)(k - SINC_HALF + 1) - (double)phase / SINC_PHASES, side = x / SINC_HALF;
            const double window = fabs(side) < 1.0
                                      ? bessel_i0(SINC_BETA * sqrt(1.0 - side * side)) / bessel_i0(SINC_BETA)
                                      : 0.0;
            mix->sinc[phase * 2 * SINC_HALF + k] =
                (float)(window * (fabs(x) < 1e-12              ? 1.0
                                  : fabs(x - round(x)) < 1e-12 ? 0.0
                                                               : sin(PI * x) / (PI * x)));
        }
    return 0;
}

/* A signal between its samples. */
static double read_between(const struct walk_mix *mix, const double *signal, double at)
{
    const double whole = floor(at), phase = (at - whole) * SINC_PHASES;
    const size_t low = (size_t)phase;
    const double share = phase - (double)low;
    const float *a = mix->sinc + low * 2 * SINC_HALF, *b = low < SINC_PHASES ? a + 2 * SINC_HALF : a;
    const double *from = signal + (ptrdiff_t)whole - SINC_HALF + 1;
    double sum = 0.0;
    for (int k = 0; k < 2 * SINC_HALF; k++)
        sum += ((1.0 - share) * (double)a[k] + share * (double)b[k]) * from[k];
    return sum;
}

/* The looks before and after a time [samples], and its position between them. */
static double look_at(const struct walk_mix *mix, double sample, size_t *look)
{
    const double at = fmin(fmax(sample / mix->rate * WALK_LOOKS, 0.0), (double)(mix->looks - 2));
    *look = (size_t)at;
    if (*look > mix->looks - 2)
        *look = mix->looks - 2;
    return at - (double)*look;
}

static double weight_of(const struct walk_near *near, size_t station)
{
    for (size_t i = 0; i < near->count; i++)
        if (near->station[i] == station)
            return near->weight[i];
    return 0.0;
}

/* A block of the walk, and the buffers of its transforms. */
struct block {
    ptrdiff_t base;      /* the time of sample 0 of the transforms [samples] */
    size_t first, count; /* frames that it makes */
    struct fourier fourier;
    double complex *dry, *wet, *work; /* (length) each; owned */
    double *z;                        /* (length) owned */
    float *share;                     /* of walk_band_shares(); owned */
};

static bool is_heard(const struct walk_mix *mix, const struct block *block, size_t station)
{
    size_t from, to;
    (void)look_at(mix, (double)block->first, &from);
    (void)look_at(mix, (double)(block->first + block->count), &to);
    for (size_t n = from; n <= to + 1; n++)
        if (weight_of(&mix->near[n], station) > 0.0)
            return true;
    return false;
}

/* Two octaves of one part through the response, with their gains, into z: one in the real part, one in the
 * imaginary one. */
static void add_octaves(const struct walk_mix *mix, struct block *block, int part, size_t band)
{
    const size_t length = block->fourier.length;
    for (size_t k = 0; k < length; k++) {
        const float *share = block->share + (k <= length / 2 ? k : length - k) * mix->bands + band;
        const double two = band + 1 < mix->bands ? (double)share[1] : 0.0;
        block->work[k] = fourier_product(block->wet[k], (double)share[0] + I * two);
    }
    fourier_inverse(&block->fourier, block->work);
    for (size_t n = 0; n < length; n++) {
        size_t look;
        const double share = look_at(mix, (double)(block->base + (ptrdiff_t)n), &look);
        const float *a = mix->gain + (look * WALK_PARTS + (size_t)part) * mix->bands,
                    *b = a + WALK_PARTS * mix->bands;
        block->z[n] += ((1.0 - share) * (double)a[band] + share * (double)b[band]) * creal(block->work[n]);
        if (band + 1 < mix->bands)
            block->z[n] +=
                ((1.0 - share) * (double)a[band + 1] + share * (double)b[band + 1]) * cimag(block->work[n]);
    }
}

static void add_channel(const struct walk_mix *mix, struct block *block, size_t station, size_t channel,
                        float *out)
{
    const struct walk_loaded *of = &mix->loaded[station];
    const size_t length = block->fourier.length;
    memset(block->z, 0, length * sizeof *block->z);
    for (int p = 0; p < WALK_PARTS; p++) {
        for (size_t n = 0; n < length; n++)
            block->wet[n] = n < of->frames ? (double)of->part[p][n * mix->channels + channel] : 0.0;
        fourier_forward(&block->fourier, block->wet);
        for (size_t k = 0; k < length; k++)
            block->wet[k] = fourier_product(block->wet[k], block->dry[k]);
        for (size_t b = 0; b < mix->bands; b += 2)
            add_octaves(mix, block, p, b);
    }
    for (size_t n = 0; n < block->count; n++) {
        const double time = (double)(block->first + n);
        size_t look;
        const double share = look_at(mix, time, &look);
        const struct walk_near *a = &mix->near[look], *b = a + 1;
        const double weight = (1.0 - share) * weight_of(a, station) + share * weight_of(b, station);
        if (weight == 0.0)
            continue;
        double place[3];
        walk_path_place(mix->path, mix->path->speed * time / mix->rate, place);
        const double arrives = vector_distance(place, mix->field->source) / mix->field->sound_speed +
                               (1.0 - share) * a->late + share * b->late;
        const double shift = fmin(fmax(of->onset - arrives, -SHIFT_MOST), SHIFT_MOST);
        out[n * mix->channels + channel] +=
            (float)(weight * read_between(mix, block->z, time - (double)block->base + shift * mix->rate));
    }
}

static void make_block(const struct walk_mix *mix, struct block *block, const double *dry, size_t dry_count,
                       struct walk_sound *out)
{
    const size_t length = block->fourier.length;
    for (size_t n = 0; n < length; n++) {
        const ptrdiff_t at = block->base + (ptrdiff_t)n;
        block->dry[n] = at >= 0 && (size_t)at < dry_count ? dry[at] : 0.0;
    }
    fourier_forward(&block->fourier, block->dry);
    for (size_t i = 0; i < mix->field->stations; i++)
        for (size_t c = 0; mix->loaded[i].used && c < mix->channels && is_heard(mix, block, i); c++)
            add_channel(mix, block, i, c, out->sample + block->first * mix->channels);
}

int walk_make_blocks(struct walk_mix *mix, const double *dry, size_t dry_count,
                     const volatile sig_atomic_t *stop, struct walk_sound *out, struct failure *failure)
{
    const size_t margin = (size_t)(MARGIN * mix->rate) + SINC_HALF, before = mix->longest + margin;
    const size_t least = (size_t)(BLOCK_LEAST * mix->rate);
    struct block block = {0};
    TRY(make_sinc(mix, failure));
    TRY(fourier_make(fourier_length(before + margin + (mix->longest > least ? mix->longest : least)),
                     &block.fourier, failure));
    const size_t length = block.fourier.length, step = length - before - margin;
    block.dry = malloc(3 * length * sizeof *block.dry);
    block.z = malloc(length * sizeof *block.z);
    int code = walk_band_shares(mix, length, &block.share, failure);
    if (block.dry == NULL || block.z == NULL)
        code = failure_memory(failure, 56 * length, "a block of sound");
    if (code == 0) {
        block.wet = block.dry + length;
        block.work = block.wet + length;
    }
    for (size_t first = 0; code == 0 && first < out->frames; first += step) {
        progress_json_show((double)first / (double)out->frames);
        block.first = first;
        block.count = out->frames - first < step ? out->frames - first : step;
        block.base = (ptrdiff_t)first - (ptrdiff_t)before;
        if (*stop != 0)
            code = failure_interrupted(failure);
        else
            make_block(mix, &block, dry, dry_count, out);
    }
    free(block.dry);
    free(block.share);
    free(block.z);
    fourier_free(&block.fourier);
    return code;
}
