/** What a wall sends back, measured in a duct.
 *
 * A duct of finite length with rigid sides carries one transverse mode, which no wall across the duct can
 * turn into another: two plane waves that meet its ends at one angle per frequency. Both ends absorb, so a
 * bump at rest dies out altogether, and the Fourier sum of every node over all time is exact for any real
 * frequency. Nodes that were silent at the start then hold A e^{-jkx} + B e^{jkx} to the last digits: both
 * are fitted, and R = B / A has no error but rounding.
 */
#ifndef TESTS_DUCT_WAVES_H
#define TESTS_DUCT_WAVES_H

#include <criterion/criterion.h>

#include <complex.h>
#include <math.h>
#include <stdint.h>

#define PI 3.14159265358979323846
#ifndef DUCT_LENGTH
#define DUCT_LENGTH 30 /* nodes */
#define DUCT_SILENT 18 /* from here to the wall nothing moves at the start */
#endif
#ifndef DUCT_STEPS
#define DUCT_STEPS 10000
#endif

/** Where the field starts: binomial coefficients, which hold next to nothing of the shortest waves (those
 * hardly move and never die), at rest and 0 at the wall (a moving start, or one that touches an absorbing
 * wall, leaves a pressure that stays). */
static inline double duct_start(int64_t i)
{
    double value = i >= 1 && i < DUCT_SILENT ? ldexp(1.0, -(DUCT_SILENT - 2)) : 0.0;
    for (int64_t n = 1; n < i && i < DUCT_SILENT; ++n)
        value *= (double)(DUCT_SILENT - 1 - n) / (double)n;
    return value;
}

static inline double complex duct_fourier(const double *sample, double omega)
{
    const double complex turn = cexp(-I * omega);
    double complex sum = 0.0;
    for (int n = DUCT_STEPS - 1; n >= 0; --n) /* Horner */
        sum = sum * turn + sample[n];
    return sum;
}

/** The waves A e^{-jkx} and B e^{jkx} that fit the nodes first .. last-1 best, x from `origin`: out[0] and
 * out[1]. */
static inline void duct_fit(const double *output, int first, int last, double omega, double k, double origin,
                            double complex out[2])
{
    double complex right[2] = {0.0, 0.0}, mixed = 0.0;
    for (int i = first; i < last; ++i) {
        const double x = i - origin;
        const double complex pressure = duct_fourier(output + (size_t)i * DUCT_STEPS, omega);
        right[0] += cexp(I * k * x) * pressure;
        right[1] += cexp(-I * k * x) * pressure;
        mixed += cexp(2.0 * I * k * x);
    }
    /* Normal equations: [count, mixed; conj(mixed), count] (A, B) = right. */
    const double count = last - first, determinant = count * count - creal(mixed * conj(mixed));
    out[0] = (count * right[0] - mixed * right[1]) / determinant;
    out[1] = (count * right[1] - conj(mixed) * right[0]) / determinant;
}

/** R at a wall's plane, `wall` nodes from the first, from the two waves that fit the silent nodes best. Ends
 * the test where they do not make the field.
 * @param output (DUCT_LENGTH, DUCT_STEPS); @param k along the duct [1/h], @param omega of a step */
static inline double complex duct_reflection(const double *output, double omega, double k, double wall)
{
    double complex wave[2];
    double largest = 0.0, residue = 0.0;
    duct_fit(output, DUCT_SILENT, DUCT_LENGTH, omega, k, wall, wave);
    for (int i = DUCT_SILENT; i < DUCT_LENGTH; ++i) {
        const double x = i - wall;
        const double complex pressure = duct_fourier(output + (size_t)i * DUCT_STEPS, omega);
        largest = fmax(largest, cabs(pressure));
        residue = fmax(residue, cabs(pressure - (wave[0] * cexp(-I * k * x) + wave[1] * cexp(I * k * x))));
    }
    residue /= largest;
    cr_assert(residue < 1e-9, "two waves of wavenumber %g do not make the field: %g is left", k, residue);
    return wave[1] / wave[0];
}

/** Nothing is left of the field at the end. */
static inline void duct_must_die(const double *output)
{
    double largest = 0.0, last = 0.0;
    for (int i = 0; i < DUCT_LENGTH; ++i)
        for (int n = 0; n < DUCT_STEPS; ++n) {
            const double level = fabs(output[i * DUCT_STEPS + n]);
            cr_assert(isfinite(level));
            largest = fmax(largest, level);
            if (n >= DUCT_STEPS - 100)
                last = fmax(last, level);
        }
    cr_assert(largest > 0.1 && last < 1e-10 * largest, "%g of %g is left after %d steps", last, largest,
              DUCT_STEPS);
}

#endif
