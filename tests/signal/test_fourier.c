/* Transforms at given angles against the sum that they stand for. */
#include <complex.h>

#include "src/response/signal/fourier.h"
#include "tests/support/outcome.h"

#define PI 3.14159265358979323846

static double complex sum_at(const double *x, size_t count, double angle)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += x[n] * cexp(-I * angle * (double)n);
    return sum;
}

/* Noise, whose transform is as large everywhere. */
static double worst(size_t count, size_t angles, uint64_t seed)
{
    double *x = malloc((2 * count + angles + 1) * sizeof *x), *angle = x + 2 * count;
    double complex *got = malloc((2 * angles + 1) * sizeof *got);
    for (size_t n = 0; n < 2 * count; n++)
        x[n] = test_uniform(&seed, -1.0, 1.0);
    for (size_t k = 0; k < angles; k++)
        angle[k] = k == 0 ? 0.0 : k == 1 ? PI : test_uniform(&seed, 0.0, PI);
    struct fourier_angles at = {0};
    MUST(fourier_angles_make(count, angle, angles, &at, &failure));
    MUST(fourier_angles_transform(&at, x, x + count, got, got + angles, &failure));
    double most = 0.0, largest = 0.0;
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < angles; k++) {
            const double complex wanted = sum_at(x + s * count, count, angle[k]);
            most = fmax(most, cabs(got[s * angles + k] - wanted));
            largest = fmax(largest, cabs(wanted));
        }
    /* One alone is the same. */
    MUST(fourier_angles_transform(&at, x, NULL, got + angles, NULL, &failure));
    for (size_t k = 0; k < angles; k++)
        cr_assert(cabs(got[angles + k] - got[k]) <= 1e-11 * largest);
    fourier_angles_free(&at);
    free(x);
    free(got);
    return most / largest;
}

Test(fourier, at_any_angles_it_is_the_sum_to_1e11)
{
    static const size_t counts[] = {1, 2, 7, 100, 4096, 5000, 16383};
    double most = 0.0;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        most = fmax(most, worst(counts[c], 200, 3 + c));
    (void)fprintf(stderr, "transforms at 200 angles: %.1e of the largest off\n", most);
    cr_assert(most < 1e-11, "%g", most);
}
