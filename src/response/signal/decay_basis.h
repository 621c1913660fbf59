/** Expresses exp(-g t) as a short sum of products, so that a spectrum whose lines decay at different rates
 * needs a few Fourier transforms instead of one per sample:
 *
 *     exp(-g t) = sum over k of weight_k(t) exp(-g time_k),   0 <= g t <= gmax tmax
 *
 * Found by adaptive cross approximation with full pivoting (Bebendorf, Numerische Mathematik 86, 2000) on a
 * logarithmic raster of g and t. Ranks for a deviation of 1e-6: 5 at gmax tmax = 1, 9 at 10, 16 at 100, 23 at
 * 1000. The weights stay small (their magnitudes add up to 8 at most, as measured). */
#ifndef SRC_DECAY_BASIS_H
#define SRC_DECAY_BASIS_H

#include <stddef.h>

#include "geometry/base/failure.h"

#define DECAY_BASIS_DEVIATION 1e-6 /* largest absolute deviation of the sum from exp(-g t) */
#define DECAY_BASIS_RANK      48   /* enough for gmax tmax = 1e6 */

struct decay_basis {
    size_t rank;
    double time[DECAY_BASIS_RANK]; /* [s] */
    double rate[DECAY_BASIS_RANK]; /* the other arms of the crosses [1/s] */
    /* Lower triangles of the cross approximation u v: u_l(rate_k), v_l(time_k). */
    double at_rate[DECAY_BASIS_RANK][DECAY_BASIS_RANK];
    double at_time[DECAY_BASIS_RANK][DECAY_BASIS_RANK];
};

/** @param gmax [1/s], >= 0; @param tmax [s], > 0. FAILURE_CAPACITY without memory (0.5 MB while it runs); 3
 * ms. */
int decay_basis_make(double gmax, double tmax, struct decay_basis *out, struct failure *failure);

/** weight_k(t) for 0 <= t <= tmax, to `weight` (rank). O(rank^2). */
void decay_basis_weights(const struct decay_basis *basis, double t, double *weight);

#endif
