/** Discrete Fourier transform in double precision, for lengths that are powers of two; and at arbitrary
 * angles.
 *
 * KissFFT as built by Debian has single precision only. */
#ifndef SRC_FOURIER_H
#define SRC_FOURIER_H

#include <complex.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** Roots of unity of one length; zeroed is empty. */
struct fourier {
    size_t length; /* power of two */
    /* (length) of each power of two: exp(-pi j n / half) at half + n for n below half; owned. Separate tables
     * are read in order, twice as fast in long transforms as one table with strides. */
    double complex *root;
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

#define FOURIER_CELLS 12 /* of the fine grid that make one value: 6 on either side */

/** Common data of the transforms of signals of one length at given angles. The signal, divided by the
 * transform of a Kaiser-Bessel window, is transformed at least twice as finely as it is long, and a value is
 * the sum of FOURIER_CELLS of those, weighted with the window (Beatty, Nishimura and Pauly, IEEE Trans. Med.
 * Imaging 24, 2005). Zeroed is empty; only read by transforms, so that threads may share it. */
struct fourier_angles {
    size_t count, angles;
    struct fourier fine;  /* owned */
    double *level;        /* (count) one over the window's transform; owned */
    size_t *cell;         /* (angles) the first of a value's; owned */
    double *weight;       /* (angles, FOURIER_CELLS); owned */
    double complex *turn; /* (angles) from the middle of the signal to its sample 0; owned */
};

/** @param angle (angles) of a sample [rad], 0 to pi; borrowed for the call
 * FAILURE_CAPACITY without memory. About 150 bytes an angle and 40 to 72 a sample. */
int fourier_angles_make(size_t count, const double *angle, size_t angles, struct fourier_angles *out,
                        struct failure *failure);
void fourier_angles_free(struct fourier_angles *at);

/** X[k] = sum over n of x[n] exp(-j angle[k] n) of two real signals (count) at once, to 1e-11 of the largest
 * value. `second` may be NULL, with its values. O(count log count + angles); 32 to 64 bytes a sample while it
 * runs. FAILURE_CAPACITY without memory.
 * @param out_first,out_second (angles) */
int fourier_angles_transform(const struct fourier_angles *at, const double *first, const double *second,
                             double complex *out_first, double complex *out_second, struct failure *failure);

/** Modified Bessel function of order 0, by its power series. */
double bessel_i0(double x);

/** Smallest power of two that is at least `count`. */
size_t fourier_length(size_t count);

#endif
