/** Discrete Fourier transform in double precision, for lengths that are powers of two.
 *
 * KissFFT as Debian builds it is single precision; a response is filtered in double.
 */
#ifndef SRC_FOURIER_H
#define SRC_FOURIER_H

#include <complex.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** Roots of unity of one length; zeroed is empty. */
struct fourier {
    size_t length;        /* power of two */
    double complex *root; /* (length / 2) exp(-2 pi j n / length); owned */
};

/** @param length a power of two; FAILURE_CAPACITY without memory. */
int fourier_make(size_t length, struct fourier *out, struct failure *failure);
void fourier_free(struct fourier *fourier);

/** In place: X[k] = sum x[n] exp(-2 pi j n k / length). O(length log length), no memory. */
void fourier_forward(const struct fourier *fourier, double complex *value);

/** In place, the inverse of fourier_forward (with the factor 1 / length). */
void fourier_inverse(const struct fourier *fourier, double complex *value);

/** a b, without the tests for infinities that C prescribes and that cost several times the product. */
static inline double complex fourier_product(double complex a, double complex b)
{
    return creal(a) * creal(b) - cimag(a) * cimag(b) + I * (creal(a) * cimag(b) + cimag(a) * creal(b));
}

/** Smallest power of two that is at least `count`. */
size_t fourier_length(size_t count);

#endif
