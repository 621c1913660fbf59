#include "src/response/signal/fourier.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

#define SHORT         2048                  /* values of a transform that fits the nearest cache */
#define FOURIER_REACH (0.5 * FOURIER_CELLS) /* of the window, in cells */
/* Shape of the window, for a grid twice as fine: pi REACH (2 - 1/2), reduced so that its stop band holds. */
#define FOURIER_SHAPE (0.98 * PI * FOURIER_REACH * 1.5)

size_t fourier_length(size_t count)
{
    size_t length = 1;
    while (length < count)
        length *= 2;
    return length;
}

int fourier_make(size_t length, struct fourier *out, struct failure *failure)
{
    assert(length > 0 && (length & (length - 1)) == 0);
    double complex *root = malloc(length * sizeof *root);
    if (root == NULL)
        return failure_memory(failure, (unsigned long long)(length * sizeof *root), "a Fourier transform");
    for (size_t half = 1; half < length; half *= 2)
        for (size_t n = 0; n < half; n++) {
            const double angle = -PI * (double)n / (double)half;
            root[half + n] = cos(angle) + I * sin(angle);
        }
    out->length = length;
    out->root = root;
    return 0;
}

void fourier_free(struct fourier *fourier)
{
    free(fourier->root);
    *fourier = (struct fourier){0};
}

static void reorder_bits(size_t length, double complex *value)
{
    for (size_t n = 1, reversed = 0; n < length; n++) {
        size_t bit = length >> 1;
        for (; reversed & bit; bit >>= 1)
            reversed ^= bit;
        reversed ^= bit;
        if (n < reversed) {
            const double complex other = value[n];
            value[n] = value[reversed];
            value[reversed] = other;
        }
    }
}

/* Join two transformed halves. */
static inline void join_halves(const double complex *root, double complex *value, size_t half, bool inverse)
{
    for (size_t n = 0; n < half; n++) {
        const double complex even = value[n];
        const double complex odd = fourier_product(value[n + half], inverse ? conj(root[n]) : root[n]);
        value[n] = even + odd;
        value[n + half] = even - odd;
    }
}

/* Depth first, so that short transforms stay in the caches. */
static void transform_part(const double complex *root, double complex *value, size_t length, bool inverse)
{
    if (length <= SHORT)
        for (size_t half = 1; half < length; half *= 2)
            for (size_t first = 0; first < length; first += 2 * half)
                join_halves(root + half, value + first, half, inverse);
    else {
        transform_part(root, value, length / 2, inverse);
        transform_part(root, value + length / 2, length / 2, inverse);
        join_halves(root + length / 2, value, length / 2, inverse);
    }
}

static void transform_values(const struct fourier *fourier, double complex *value, bool inverse)
{
    reorder_bits(fourier->length, value);
    transform_part(fourier->root, value, fourier->length, inverse);
}

void fourier_forward(const struct fourier *fourier, double complex *value)
{
    transform_values(fourier, value, false);
}

void fourier_inverse(const struct fourier *fourier, double complex *value)
{
    transform_values(fourier, value, true);
    const double scale = 1.0 / (double)fourier->length;
    for (size_t n = 0; n < fourier->length; n++)
        value[n] *= scale;
}

double bessel_i0(double x)
{
    double term = 1.0, sum = 1.0;
    for (int n = 1; term > 1e-18 * sum; n++) {
        term *= (0.5 * x / n) * (0.5 * x / n);
        sum += term;
    }
    return sum;
}

/* ---- any angles ---- */

void fourier_angles_free(struct fourier_angles *at)
{
    fourier_free(&at->fine);
    free(at->level);
    free(at->cell);
    free(at->weight);
    free(at->turn);
    *at = (struct fourier_angles){0};
}

/* The window's transform, `n` samples from the middle. */
static double window_transform(double n, size_t length)
{
    const double place = 2.0 * PI * FOURIER_REACH * n / (double)length;
    const double root = sqrt(FOURIER_SHAPE * FOURIER_SHAPE - place * place);
    return 2.0 * FOURIER_REACH * sinh(root) / root;
}

static void place_angle(struct fourier_angles *at, size_t k, double angle)
{
    const size_t length = at->fine.length;
    const double place = angle * (double)length / (2.0 * PI), low = floor(place) - (FOURIER_REACH - 1.0);
    const double from_middle = angle * (double)(at->count / 2);
    at->cell[k] = (size_t)((long long)low + (long long)length) & (length - 1);
    for (int c = 0; c < FOURIER_CELLS; c++) {
        const double away = (place - (low + c)) / FOURIER_REACH;
        at->weight[k * FOURIER_CELLS + (size_t)c] =
            bessel_i0(FOURIER_SHAPE * sqrt(fmax(0.0, 1.0 - away * away)));
    }
    at->turn[k] = cos(from_middle) - I * sin(from_middle);
}

int fourier_angles_make(size_t count, const double *angle, size_t angles, struct fourier_angles *out,
                        struct failure *failure)
{
    struct fourier_angles at = {.count = count, .angles = angles};
    const size_t length = fourier_length(2 * (count > FOURIER_CELLS ? count : FOURIER_CELLS));
    at.level = malloc((count + 1) * sizeof *at.level);
    at.cell = malloc((angles + 1) * sizeof *at.cell);
    at.weight = malloc((angles * FOURIER_CELLS + 1) * sizeof *at.weight);
    at.turn = malloc((angles + 1) * sizeof *at.turn);
    int code = at.level == NULL || at.cell == NULL || at.weight == NULL || at.turn == NULL
                   ? failure_memory(failure, angles * (FOURIER_CELLS + 3) * sizeof(double),
                                    "a Fourier transform at given frequencies")
                   : fourier_make(length, &at.fine, failure);
    if (code != 0) {
        fourier_angles_free(&at);
        return code;
    }
    for (size_t n = 0; n < count; n++)
        at.level[n] = 1.0 / window_transform((double)n - (double)(count / 2), length);
    for (size_t k = 0; k < angles; k++) {
        assert(angle[k] >= 0.0 && angle[k] <= PI);
        place_angle(&at, k, angle[k]);
    }
    *out = at;
    return 0;
}

/* The value at angle k and its negative. */
static void collect_pair(const struct fourier_angles *at, const double complex *fine, size_t k,
                         double complex value[2])
{
    const size_t mask = at->fine.length - 1;
    const double *weight = at->weight + k * FOURIER_CELLS;
    value[0] = value[1] = 0.0;
    for (size_t c = 0; c < FOURIER_CELLS; c++) {
        const size_t m = (at->cell[k] + c) & mask;
        value[0] += weight[c] * fine[m];
        value[1] += weight[c] * fine[(0 - m) & mask];
    }
}

int fourier_angles_transform(const struct fourier_angles *at, const double *first, const double *second,
                             double complex *out_first, double complex *out_second, struct failure *failure)
{
    const size_t length = at->fine.length, middle = at->count / 2;
    double complex *fine = calloc(length, sizeof *fine), value[2];
    if (fine == NULL)
        return failure_memory(failure, length * sizeof *fine, "a Fourier transform at given frequencies");
    for (size_t n = 0; n < at->count; n++)
        fine[(n - middle) & (length - 1)] =
            at->level[n] * first[n] + (second != NULL ? I * (at->level[n] * second[n]) : 0.0);
    fourier_forward(&at->fine, fine);
    /* Both are real, so each has conjugate values at the negative of an angle. */
    for (size_t k = 0; k < at->angles; k++) {
        collect_pair(at, fine, k, value);
        out_first[k] = fourier_product(0.5 * (value[0] + conj(value[1])), at->turn[k]);
        if (second != NULL)
            out_second[k] = fourier_product(-0.5 * I * (value[0] - conj(value[1])), at->turn[k]);
    }
    free(fine);
    return 0;
}
