#include "src/signal/fourier.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

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
    const size_t roots = length > 1 ? length / 2 : 1;
    double complex *root = malloc(roots * sizeof *root);
    if (root == NULL)
        return failure_memory(failure, (unsigned long long)(roots * sizeof *root), "a Fourier transform");
    for (size_t n = 0; n < roots; n++) {
        const double angle = -2.0 * PI * (double)n / (double)length;
        root[n] = cos(angle) + I * sin(angle);
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

static void reorder(size_t length, double complex *value)
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

static void transform(const struct fourier *fourier, double complex *value, bool inverse)
{
    const size_t length = fourier->length;
    reorder(length, value);
    for (size_t half = 1; half < length; half *= 2) {
        const size_t stride = length / (2 * half);
        for (size_t first = 0; first < length; first += 2 * half) {
            for (size_t n = 0; n < half; n++) {
                const double complex root = fourier->root[n * stride];
                const double complex even = value[first + n];
                const double complex odd =
                    fourier_product(value[first + n + half], inverse ? conj(root) : root);
                value[first + n] = even + odd;
                value[first + n + half] = even - odd;
            }
        }
    }
}

void fourier_forward(const struct fourier *fourier, double complex *value)
{
    transform(fourier, value, false);
}

void fourier_inverse(const struct fourier *fourier, double complex *value)
{
    transform(fourier, value, true);
    const double scale = 1.0 / (double)fourier->length;
    for (size_t n = 0; n < fourier->length; n++)
        value[n] *= scale;
}
