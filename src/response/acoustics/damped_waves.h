/** Finds the common damped waves of several records.
 *
 *     x_r[n] = sum over m of amplitude_rm z_m^n,   r = 0 .. records - 1, n = 0 .. count - 1
 *
 * The windows of all records span a space of as many dimensions as there are waves, and a step in time maps
 * it onto itself with the eigenvalues z_m (the matrix pencil: Hua and Sarkar, IEEE Trans. ASSP 38, 1990; in
 * this form ESPRIT: Roy and Kailath, IEEE Trans. ASSP 37, 1989). Exact if a record is such a sum, however
 * close the waves; otherwise the resolution depends on the rest of the record. Amplitudes are those of least
 * squares. Linear algebra is LAPACK's. */
#ifndef SRC_DAMPED_WAVES_H
#define SRC_DAMPED_WAVES_H

#include <complex.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** Owned, freed by damped_waves_free(); zeroed is empty. */
struct damped_waves {
    size_t count, records;
    double complex *z;         /* (count) factor of one sample */
    double complex *amplitude; /* (count, records) at sample 0 */
};

/** @param value  (records, count) samples, one record after the other
 * @param weakest singular values below this share of the largest are ignored, 0 to 1 Fewer than 8 samples or
 * silence: none. At most a third of `count` waves of one record, half of it of several. FAILURE_CAPACITY
 * without memory. O(count^3 + count^2 records). */
int damped_waves_find(const double complex *value, size_t count, size_t records, double weakest,
                      struct damped_waves *out, struct failure *failure);
void damped_waves_free(struct damped_waves *waves);

#endif
