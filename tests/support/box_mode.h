/** Modes of a box with absorbing walls, from the exact condition between the walls of each axis. */
#ifndef TESTS_BOX_MODE_H
#define TESTS_BOX_MODE_H

#include <complex.h>

#include "kernels/engine/engine.h"
#include "tests/support/test_support.h"

#define PI 3.14159265358979323846

/* Lossy box, the same admittance on both faces of an axis: a mode cos(kappa (i - c)) z^n or, where it is odd
 * about the middle, sin(kappa (i - c)) z^n, c = (N-1)/2. There and back between the walls a wave must meet
 * itself again: e^{j kappa N} = R for even modes, -R for odd ones, with the discrete reflection coefficient
 * R = (S - W e^{j kappa/2}) / (S + W e^{-j kappa/2}), S = 2 lambda sin(kappa/2), W = Y sin(omega T), at
 * z = e^{j omega T}, hence sin(omega T) = (z - 1/z) / 2j. Y is that of branches at (2/T)(z - 1)/(z + 1).
 *
 * Isotropic scheme: in a box of whole cells K = sum of L_d - 1/6 (L_x L_y + L_x L_z + L_y L_z), L_d the
 * 7-point operator of one axis, whose eigenvectors are the cosines with A_d = 4 sin^2(kappa_d / 2). Walls
 * across one axis do not commute with that axis's L_d, so modes have closed forms where all other axes are
 * rigid: there L_d only meets the factor beta = 1 - 1/6 (sum of the other two A), and S = 2 lambda beta
 * sin(kappa/2). */
struct mode {
    enum scheme scheme;
    int q[3];    /* half waves along each axis without losses: odd modes where odd */
    double g[3]; /* of the walls across each axis; with `wall` a factor of what they are */
    const struct wall_material *wall; /* (3) NULL: g alone */
    bool inertance;
    const struct time_step *step; /* with wall */
    int steps;                    /* looked at */
    double complex z;             /* factor of one step */
    double complex wave[3];       /* kappa */
};

static const int64_t lossy_size[3] = {14, 11, 17};

/* Y of the walls across an axis for what grows by z in a step. */
static inline double complex axis_admittance(const struct mode *mode, int axis, double complex z)
{
    if (mode->wall == NULL)
        return mode->g[axis];
    const struct wall_material *wall = &mode->wall[axis];
    const double complex s = 2.0 / mode->step->period * (z - 1.0) / (z + 1.0);
    double complex sum = 0.0;
    for (size_t m = 0; m < wall->branches; ++m)
        sum += 1.0 / (s * wall->branch[m].D + wall->branch[m].E + wall->branch[m].F / s);
    if (mode->inertance && wall->branches > 0)
        sum /= 1.0 + sum * s * mode->step->spacing / (2.0 * mode->step->sound_speed);
    return mode->g[axis] * sum;
}

/* beta of an axis. */
static inline double other_axes(const struct mode *mode, int axis)
{
    double sum = 0.0;
    for (int other = 0; other < 3; ++other)
        if (other != axis)
            sum += 4.0 * pow(sin(0.5 * PI * mode->q[other] / (double)lossy_size[other]), 2.0);
    return mode->scheme == SCHEME_ISOTROPIC ? 1.0 - sum / 6.0 : 1.0;
}

/* F of the scheme: -L by the A of the three axes. */
static inline double complex symbol(enum scheme scheme, const double complex a[3])
{
    const double complex mixed = a[0] * a[1] + a[0] * a[2] + a[1] * a[2];
    return a[0] + a[1] + a[2] - (scheme == SCHEME_ISOTROPIC ? mixed / 6.0 : 0.0);
}

static inline double complex axis_condition(const struct mode *mode, int axis, double complex kappa,
                                            double complex z, double lambda)
{
    const double complex s = 2.0 * lambda * other_axes(mode, axis) * csin(0.5 * kappa),
                         w = axis_admittance(mode, axis, z) * (z - 1.0 / z) / (2.0 * I);
    const double complex turn = cexp(0.5 * I * kappa), round = cexp(I * kappa * (double)lossy_size[axis]);
    return round * (s + w / turn) - (mode->q[axis] & 1 ? -1.0 : 1.0) * (s - w * turn);
}

typedef double complex residual(const void *context, double complex unknown);

/* Secant steps until they stop being felt. */
static inline double complex solve(residual *f, const void *context, double complex guess, double move)
{
    double complex a = guess, b = guess + move, fa = f(context, a), fb = f(context, b);
    for (int n = 0; n < 60 && cabs(b - a) > 1e-16 && fb != fa; ++n) {
        const double complex next = b - fb * (b - a) / (fb - fa);
        a = b;
        fa = fb;
        b = next;
        fb = f(context, b);
    }
    return b;
}

/* What the solver is asked: kappa of one axis at a given z, or z of the whole mode. */
struct question {
    const struct mode *mode;
    double lambda;
    int axis;
    double complex z;
};

static inline double complex axis_residual(const void *context, double complex kappa)
{
    const struct question *ask = context;
    return axis_condition(ask->mode, ask->axis, kappa, ask->z, ask->lambda);
}

/* kappa of every axis at z. From light walls to the ones asked for: the solution moves along with g, so that
 * the secant does not run to another mode. */
static inline void solve_axes(const struct question *ask, double complex z, double complex kappa[3])
{
    enum { STAGES = 20 };
    for (int axis = 0; axis < 3; ++axis) {
        struct mode walls = *ask->mode;
        struct question at = {&walls, ask->lambda, axis, z};
        kappa[axis] = PI * walls.q[axis] / (double)lossy_size[axis];
        for (int stage = 1; stage <= STAGES; ++stage) {
            walls.g[axis] = ask->mode->g[axis] * stage / STAGES;
            kappa[axis] = solve(axis_residual, &at, kappa[axis], 1e-4);
        }
    }
}

static inline double complex mode_residual(const void *context, double complex z)
{
    const struct question *ask = context;
    double complex kappa[3], a[3];
    solve_axes(ask, z, kappa);
    for (int axis = 0; axis < 3; ++axis)
        a[axis] = 4.0 * csin(0.5 * kappa[axis]) * csin(0.5 * kappa[axis]);
    return z - 2.0 + 1.0 / z + ask->lambda * ask->lambda * symbol(ask->mode->scheme, a);
}

static inline void solve_mode(struct mode *mode, double lambda)
{
    const struct question ask = {mode, lambda, 0, 0.0};
    double complex a[3];
    for (int axis = 0; axis < 3; ++axis)
        a[axis] = 4.0 * pow(sin(0.5 * PI * mode->q[axis] / (double)lossy_size[axis]), 2.0);
    const double stiffness = 0.25 * creal(symbol(mode->scheme, a));
    mode->z = solve(mode_residual, &ask, cexp(2.0 * I * asin(lambda * sqrt(stiffness))) * 0.999, -1e-3);
    cr_assert(cabs(mode_residual(&ask, mode->z)) < 1e-13);
    solve_axes(&ask, mode->z, mode->wave);
    for (int axis = 0; axis < 3; ++axis) {
        cr_assert(cabs(axis_condition(mode, axis, mode->wave[axis], mode->z, lambda)) < 1e-13);
        cr_assert(fabs(creal(mode->wave[axis]) * (double)lossy_size[axis] / PI - mode->q[axis]) < 0.5,
                  "the solver left mode %d of axis %d", mode->q[axis], axis);
    }
}

#endif
