#include "kernels/scheme/wave_fit.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/scheme/solid_harmonics.h"

#define LINE_FLOOR 1e-9

/* Solve (K, 1; 1', 0) (w, mu) = (b, sum) in place: w in b. K is symmetric and positive definite, its lower
 * half is read and written over. Returns b'w + mu sum, b as it was. `one` is room for n values. */
static double solve_system(unsigned n, double *k, double *b, double sum, double *one)
{
    double inner = 0.0, total = 0.0, ones = 0.0, sum_found = 0.0;
    for (unsigned j = 0; j < n; j++) { /* Cholesky: K = L L' */
        for (unsigned i = j; i < n; i++) {
            double s = k[i * n + j];
            for (unsigned m = 0; m < j; m++)
                s -= k[i * n + m] * k[j * n + m];
            k[i * n + j] = i == j ? sqrt(s) : s / k[j * n + j];
        }
    }
    for (unsigned i = 0; i < n; i++) { /* L^-1 b and L^-1 1 */
        one[i] = 1.0;
        for (unsigned m = 0; m < i; m++) {
            b[i] -= k[i * n + m] * b[m];
            one[i] -= k[i * n + m] * one[m];
        }
        b[i] /= k[i * n + i];
        one[i] /= k[i * n + i];
        inner += b[i] * b[i];
        total += b[i] * one[i];
        ones += one[i] * one[i];
    }
    const double mu = (total - sum) / ones;
    for (unsigned i = 0; i < n; i++)
        b[i] -= mu * one[i];
    for (unsigned i = n; i-- > 0;) {
        for (unsigned m = i + 1; m < n; m++)
            b[i] -= k[m * n + i] * b[m];
        b[i] /= k[i * n + i];
        sum_found += b[i];
    }
    for (unsigned i = 0; i < n; i++) /* the remainder after rounding */
        b[i] += (sum - sum_found) / n;
    return inner - mu * total + mu * sum;
}

/* Mean of e^(j k x) over -1 < k < 1, and its derivative. */
static double line_mean(double x)
{
    return fabs(x) < 1e-2 ? 1.0 - x * x / 6.0 : sin(x) / x;
}
static double line_slope(double x)
{
    return fabs(x) < 1e-2 ? -x / 3.0 + x * x * x / 30.0 : (x * cos(x) - sin(x)) / (x * x);
}

void wave_fit_line(double kappa_most, double t, bool slope, double weight[WAVE_FIT_LINE])
{
    double k[WAVE_FIT_LINE * WAVE_FIT_LINE], one[WAVE_FIT_LINE];
    for (int m = 0; m < WAVE_FIT_LINE; m++) {
        for (int n = 0; n < WAVE_FIT_LINE; n++)
            k[m * WAVE_FIT_LINE + n] = line_mean(kappa_most * (m - n)) + (m == n ? LINE_FLOOR : 0.0);
        const double x = kappa_most * (t - (m - 2));
        weight[m] = slope ? line_slope(x) : line_mean(x);
    }
    (void)solve_system(WAVE_FIT_LINE, k, weight, slope ? 0.0 : 1.0, one);
    for (int m = 0; slope && m < WAVE_FIT_LINE; m++)
        weight[m] *= kappa_most;
}

/* Mean of e^(j k.x) over |k| < 1 at |x| = r, and its derivative by r over r. */
static double ball_mean(double r)
{
    const double s = r * r;
    return r < 0.1 ? 1.0 - s / 10.0 * (1.0 - s / 28.0 * (1.0 - s / 54.0))
                   : 3.0 * (sin(r) - r * cos(r)) / (s * r);
}
static double ball_slope(double r)
{
    const double s = r * r;
    return r < 0.1 ? -0.2 * (1.0 - s / 14.0 * (1.0 - s / 36.0))
                   : 3.0 * ((s - 3.0) * sin(r) + 3.0 * r * cos(r)) / (s * s * r);
}

/* The mirror image of a point in those planes of which bits are set. */
static void reflect_point(const struct wave_mirrors *mirrors, unsigned bits, const double from[3],
                          double to[3])
{
    for (int d = 0; d < 3; d++)
        to[d] = from[d];
    for (unsigned p = 0; p < mirrors->count; p++) {
        if (!(bits >> p & 1u))
            continue;
        double beyond = -mirrors->offset[p];
        for (int d = 0; d < 3; d++)
            beyond += mirrors->normal[p][d] * to[d];
        for (int d = 0; d < 3; d++)
            to[d] -= 2.0 * beyond * mirrors->normal[p][d];
    }
}

/* Mean over waves and their images of the field at `node` times that at `place`, differentiated by an axis of
 * the latter unless that is -1. */
static double mean_product(double kappa, const struct wave_mirrors *mirrors, const double node[3],
                           const double place[3], int axis)
{
    double sum = 0.0;
    for (unsigned bits = 0; bits < 1u << mirrors->count; bits++) {
        double image[3], square = 0.0;
        reflect_point(mirrors, bits, node, image);
        for (int d = 0; d < 3; d++)
            square += (place[d] - image[d]) * (place[d] - image[d]);
        const double r = kappa * sqrt(square);
        sum += axis < 0 ? ball_mean(r) : kappa * (place[axis] - image[axis]) * ball_slope(r);
    }
    return sum;
}

int wave_fit_nodes(double kappa_most, const struct wave_mirrors *mirrors, unsigned count,
                   const double (*node)[3], const double *floor, const double place[3], int axis,
                   double *weight, double *misfit, struct failure *failure)
{
    const size_t values = (size_t)count * (count + 1);
    double *const k = malloc(values * sizeof *k);
    if (k == NULL)
        return failure_memory(failure, values * sizeof *k, "the weights of a source or receiver");
    for (unsigned m = 0; m < count; m++) {
        for (unsigned n = 0; n <= m; n++)
            k[(size_t)m * count + n] = mean_product(kappa_most, mirrors, node[m], node[n], -1);
        k[(size_t)m * count + m] += floor[m];
        weight[m] = mean_product(kappa_most, mirrors, node[m], place, axis);
    }
    const double known = solve_system(count, k, weight, axis < 0 ? 1.0 : 0.0, k + (size_t)count * count);
    free(k);
    double all = axis < 0 ? mean_product(kappa_most, mirrors, place, place, -1) : 0.2, small = 0.0;
    for (unsigned m = 0; m < count; m++)
        small += floor[m] * weight[m] * weight[m];
    *misfit = sqrt(fmax(0.0, (all - known - small) / all));
    for (unsigned m = 0; axis >= 0 && m < count; m++)
        weight[m] *= kappa_most;
    return 0;
}

/* ---- multipoles ---------------------------------------------------------------------------------------- */

/* j_n+1(r) / r^(n+1): by its power series while that is short, then by recursion from n = 0. */
static double bessel_quotient(int n, double r)
{
    const double square = r * r;
    if (r < 5.0) {
        double term = 1.0, sum;
        for (int k = 1; k <= n + 1; k++)
            term /= 2.0 * k + 1.0;
        sum = term;
        for (int k = 1; fabs(term) > 1e-17 * fabs(sum) && k < 60; k++) {
            term *= -0.5 * square / (k * (2.0 * (n + 1 + k) + 1.0));
            sum += term;
        }
        return sum;
    }
    double before = sin(r) / r, now = (before - cos(r)) / r, power = r;
    for (int k = 1; k <= n; k++) {
        const double next = (2.0 * k + 1.0) / r * now - before;
        before = now;
        now = next;
        power *= r;
    }
    return now / power;
}

/* Over the balls kappa, kappa / 4 ..: the mean over waves and their images of the field at `node` times that
 * at `place`, or times its multipole over kappa^n there. */
static double balls_product(double kappa, const struct wave_mirrors *mirrors, const double node[3],
                            const double place[3], int order, int number)
{
    double sum = 0.0;
    for (unsigned bits = 0; bits < 1u << mirrors->count; bits++) {
        double image[3], away[3], harmonic[HARMONICS], square = 0.0, weight = 1.0, ball = kappa;
        reflect_point(mirrors, bits, node, image);
        for (int d = 0; d < 3; d++) {
            away[d] = place[d] - image[d];
            square += away[d] * away[d];
        }
        if (number > 0)
            solid_harmonics(away, harmonic);
        for (int b = 0; b < WAVE_FIT_BALLS(order); b++) {
            const double r = ball * sqrt(square);
            if (number == 0)
                sum += weight * 3.0 * bessel_quotient(0, r);
            else /* the ball's (ball / kappa)^n twice, and its weight, cancel */
                sum += 3.0 * (order % 2 == 0 ? 1.0 : -1.0) * harmonic[number] * pow(kappa, order) *
                       bessel_quotient(order, r);
            ball /= 4.0;
            weight *= pow(16.0, order);
        }
    }
    return sum;
}

/* The mean over a ball of k^2n H^2 over kappa^2n, at a place without walls. */
static double multipole_square(int order)
{
    const double pi = acos(-1.0);
    return 3.0 / (2.0 * order + 3.0) / (4.0 * pi);
}

int wave_fit_multipole(double kappa_most, const struct wave_mirrors *mirrors, unsigned count,
                       const double (*node)[3], const double *floor, const double place[3], int number,
                       double *weight, double *misfit, struct failure *failure)
{
    const int order = harmonic_order(number);
    const size_t values = (size_t)count * (count + 1);
    double *const k = malloc(values * sizeof *k);
    if (k == NULL)
        return failure_memory(failure, values * sizeof *k, "the weights of a source with a direction");
    for (unsigned m = 0; m < count; m++) {
        for (unsigned n = 0; n <= m; n++)
            k[(size_t)m * count + n] = balls_product(kappa_most, mirrors, node[m], node[n], order, 0);
        k[(size_t)m * count + m] += floor[m];
        weight[m] = balls_product(kappa_most, mirrors, node[m], place, order, number);
    }
    const double known = solve_system(count, k, weight, 0.0, k + (size_t)count * count);
    free(k);
    const double all = WAVE_FIT_BALLS(order) * multipole_square(order);
    double small = 0.0;
    for (unsigned m = 0; m < count; m++)
        small += floor[m] * weight[m] * weight[m];
    *misfit = sqrt(fmax(0.0, (all - known - small) / all));
    for (unsigned m = 0; m < count; m++)
        weight[m] *= pow(kappa_most, order);
    return 0;
}
