/** What the layer behind an open face sends back, by exact discrete theory, for a wave of which the operators
 * along the face are numbers.
 *
 * With A = 4 sin^2(k/2) of each axis, a = 1/6 on the isotropic scheme and 0 on the other, node j of the
 * layer, counted from the room, follows
 *
 *   (lambda^2 tau - 4 sin^2(omega T/2) + j d_j sin(omega T)) u_j = lambda^2 [ m (u_j+1 - 2 u_j + u_j-1)
 *       + n_j c (l_j+1 (u_j+1 - u_j) - l_j (u_j - u_j-1)) ]
 *
 * tau = A_1 + A_2 - a A_1 A_2 along the face, c = 1 - s a (A_1 + A_2) the share of the normal part that is
 * filtered, m what of it is not, l and n 1 + H of links and nodes; the last one ends at an admittance of 1.
 */
#ifndef TESTS_LAYER_THEORY_H
#define TESTS_LAYER_THEORY_H

#include <complex.h>
#include <math.h>

#include "kernels/scheme/layer_law.h"

struct layer_wave {
    enum scheme scheme;
    double courant;
    double along[2]; /* A_1, A_2 */
    double turn;     /* omega T */
};

static inline double layer_theory_products(const struct layer_wave *wave)
{
    return wave->scheme == SCHEME_ISOTROPIC ? 1.0 / 6.0 : 0.0;
}

static inline double complex layer_theory_filter(const struct scheme_filter_f64 *filter, double turn)
{
    return 1.0 + filter->now + filter->then / (cexp(I * turn) - filter->keep);
}

/** Flow into the layer over u of the last node of the room, as lambda^2 times it counts there. */
static inline double complex layer_theory_flow(const struct layer_wave *wave)
{
    const double q = wave->courant * wave->courant, a = layer_theory_products(wave), *const t = wave->along;
    const double whole = 1.0 - a * (t[0] + t[1]), c = 1.0 - LAYER_SHARE_ALONE * a * (t[0] + t[1]);
    const double still = q * (t[0] + t[1] - a * t[0] * t[1]) - 4.0 * pow(sin(0.5 * wave->turn), 2.0);
    double complex beyond = 0.0, next = 1.0; /* u_j+1 / u_j, and what its link counts */
    for (unsigned j = LAYER_CELLS; j >= 1; --j) {
        const struct scheme_layer_f64 terms = layer_terms(wave->scheme, j, wave->courant);
        const double complex node = layer_theory_filter(&terms.node, wave->turn);
        const double complex in = whole - c + node * c * layer_theory_filter(&terms.link[0], wave->turn);
        const double complex out =
            j == LAYER_CELLS ? 0.0 : whole - c + node * c * layer_theory_filter(&terms.link[1], wave->turn);
        const double lost = layer_damping(wave->scheme, j) + (j == LAYER_CELLS ? wave->courant : 0.0);
        beyond = q * in / (still + I * sin(wave->turn) * lost + q * (in + out * (1.0 - beyond)));
        const struct scheme_filter_f64 *const link = &terms.link[0];
        next = layer_theory_filter(link, wave->turn);
    }
    return (whole - c + c * next) * (1.0 - beyond);
}

/** Real part of the layer's admittance for the wave, 1 being that of air: what it takes. */
static inline double layer_theory_takes(const struct layer_wave *wave)
{
    return cimag(layer_theory_flow(wave)) * wave->courant / sin(wave->turn);
}

/** R at the face, half a spacing from the last node of the room, of a wave with that wavenumber along the
 * normal. */
static inline double complex layer_theory_reflection(const struct layer_wave *wave, double normal)
{
    const double a = layer_theory_products(wave), *const t = wave->along;
    const double whole = 1.0 - a * (t[0] + t[1]), q = wave->courant * wave->courant;
    const double still = q * (t[0] + t[1] - a * t[0] * t[1]) - 4.0 * pow(sin(0.5 * wave->turn), 2.0);
    /* u before the last node over u there. */
    const double complex before = still / (q * whole) + 1.0 + layer_theory_flow(wave) / whole;
    const double complex at_node = (cexp(I * normal) - before) / (before - cexp(-I * normal));
    return at_node * cexp(I * normal);
}

/** A wave at an angle from the normal, `around` it from the first axis along the face, of so many points a
 * wavelength. Returns the wavenumber along the normal. */
static inline double layer_theory_wave(enum scheme scheme, double courant, double points, double angle,
                                       double around, struct layer_wave *wave)
{
    const double k = 2.0 * 3.14159265358979323846 / points, normal = k * cos(angle);
    const double t[2] = {k * sin(angle) * cos(around), k * sin(angle) * sin(around)};
    *wave = (struct layer_wave){.scheme = scheme, .courant = courant};
    for (int n = 0; n < 2; ++n)
        wave->along[n] = 4.0 * pow(sin(0.5 * t[n]), 2.0);
    const double a = 4.0 * pow(sin(0.5 * normal), 2.0), *const b = wave->along;
    const double f = a + b[0] + b[1] - layer_theory_products(wave) * (a * b[0] + a * b[1] + b[0] * b[1]);
    wave->turn = 2.0 * asin(0.5 * courant * sqrt(f));
    return normal;
}

#endif
