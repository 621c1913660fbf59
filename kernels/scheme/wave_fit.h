/** Weights of nodes that are right for the waves of a band, in the least squares.
 *
 * Weights w of nodes x_m represent a field at a place t. The mean over a set of plane waves of
 * |sum w_m e^(j k x_m) - e^(j k t)|^2 + FLOOR |w|^2 is least if (K + FLOOR) w = b, K_mn the mean of
 * e^(j k (x_m - x_n)) and b_m that of e^(j k (x_m - t)), both functions of a distance alone. The sum of the
 * weights is also fixed at 1, so that slow fields are right. For a derivative along an axis, b_m is
 * differentiated by t and the sum is 0. FLOOR keeps weights small where waves of the band do not distinguish
 * them: it costs an error of some 1e-4 and lets K be of any rank.
 */
#ifndef KERNELS_WAVE_FIT_H
#define KERNELS_WAVE_FIT_H

#include <stdbool.h>

#include "geometry/base/failure.h"

/** Nodes at -2 .. 3 of an axis, a place at 0 <= t <= 1 between the middle two; waves of wavenumbers
 * -kappa_most to kappa_most along it. `slope`: of the derivative [1/h]. */
#define WAVE_FIT_LINE 6
void wave_fit_line(double kappa_most, double t, bool slope, double weight[WAVE_FIT_LINE]);

/** Rigid flat walls at right angles to one another, n.x = offset with n pointing out of the air [h]: the
 * field continues behind them as in a mirror. */
#define WAVE_MIRRORS_MAX 3
struct wave_mirrors {
    unsigned count;
    double normal[WAVE_MIRRORS_MAX][3], offset[WAVE_MIRRORS_MAX];
};

/** Nodes at any places [h], waves of all directions and wavenumbers up to kappa_most with their images in
 * `mirrors`. `axis`: of the derivative, or -1 for the value. `misfit` is the root of the mean square above
 * over that of the field, or of kappa_most times it for a derivative. FAILURE_CAPACITY for memory.
 * O(count^3).
 */
int wave_fit_nodes(double kappa_most, const struct wave_mirrors *mirrors, unsigned count,
                   const double (*node)[3], const double *floor, const double place[3], int axis,
                   double *weight, double *misfit, struct failure *failure);

/** The same for a multipole: that number of solid_harmonics.h with derivatives [1/h] for its coordinates, so
 * for a plane wave it is (j k)^n times the harmonic of the wave's direction, n its order, 1 or more.
 *
 * Applied to a function of the distance r alone a solid harmonic H of derivatives is H(x) ((1/r) d/dr)^n of
 * it (Hobson 1892), which of 3 j1(kr) / (kr), the mean of all waves of a ball, is 3 (-1)^n k^2n H(x) times
 * j_n+1(kr) / (kr)^(n+1).
 *
 * The target falls as k^n, and a drive that makes a pattern of it grows as k^-n (multipole_stencil.h). So
 * errors are weighted over k^n. Waves to kappa_most are a ball, those to a quarter of it the next, and so on;
 * each ball weighs 16^n times as much as the last. There are WAVE_FIT_BALLS(n): as many as double precision
 * distinguishes. `misfit` is the root of the mean over these balls of the square of the error over k^n.
 */
int wave_fit_multipole(double kappa_most, const struct wave_mirrors *mirrors, unsigned count,
                       const double (*node)[3], const double *floor, const double place[3], int number,
                       double *weight, double *misfit, struct failure *failure);

#define WAVE_FIT_BALLS(order) ((order) == 3 ? 3 : 4)

#endif
