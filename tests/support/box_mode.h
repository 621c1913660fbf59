/** Modes of a box with absorbing walls, from the exact condition between the walls of each axis. */
#ifndef TESTS_BOX_MODE_H
#define TESTS_BOX_MODE_H

#include <complex.h>
#include <math.h>

#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"

#define PI 3.14159265358979323846

/* Value at i of the DCT-II basis vector q of length n, of unit norm. */
static inline double basis(int q, int64_t i, int64_t n)
{
    return cos(PI * q * ((double)i + 0.5) / (double)n) * sqrt((q == 0 ? 1.0 : 2.0) / (double)n);
}

/* Lossy box, the same admittance on both faces of an axis: a mode cos(kappa (i - c)) z^n or, where it is odd
 * about the middle, sin(kappa (i - c)) z^n, c = (N-1)/2. There and back between the walls a wave must meet
 * itself again: e^{j kappa N} = R for even modes, -R for odd ones, with the discrete reflection coefficient
 * R = (S - W e^{j kappa/2}) / (S + W e^{-j kappa/2}), S = 2 lambda sin(kappa/2), W = Y sin(omega T), at
 * z = e^{j omega T}, hence sin(omega T) = (z - 1/z) / 2j. Y is that of branches at (2/T)(z - 1)/(z + 1). */
struct mode {
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

static inline double complex axis_condition(const struct mode *mode, int axis, double complex kappa,
                                            double complex z, double lambda)
{
    const double complex s = 2.0 * lambda * csin(0.5 * kappa),
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
    double complex kappa[3], sum = z - 2.0 + 1.0 / z;
    solve_axes(ask, z, kappa);
    for (int axis = 0; axis < 3; ++axis)
        sum += 4.0 * ask->lambda * ask->lambda * csin(0.5 * kappa[axis]) * csin(0.5 * kappa[axis]);
    return sum;
}

static inline void solve_mode(struct mode *mode, double lambda)
{
    const struct question ask = {mode, lambda, 0, 0.0};
    double stiffness = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        stiffness += pow(sin(0.5 * PI * mode->q[axis] / (double)lossy_size[axis]), 2.0);
    mode->z = solve(mode_residual, &ask, cexp(2.0 * I * asin(lambda * sqrt(stiffness))) * 0.999, -1e-3);
    cr_assert(cabs(mode_residual(&ask, mode->z)) < 1e-13);
    solve_axes(&ask, mode->z, mode->wave);
    for (int axis = 0; axis < 3; ++axis) {
        cr_assert(cabs(axis_condition(mode, axis, mode->wave[axis], mode->z, lambda)) < 1e-13);
        cr_assert(fabs(creal(mode->wave[axis]) * (double)lossy_size[axis] / PI - mode->q[axis]) < 0.5,
                  "the solver left mode %d of axis %d", mode->q[axis], axis);
    }
}

static inline double complex mode_shape(const struct mode *mode, const int64_t place[3])
{
    double complex shape = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double from_middle = (double)place[axis] - 0.5 * ((double)lossy_size[axis] - 1.0);
        shape *=
            mode->q[axis] & 1 ? csin(mode->wave[axis] * from_middle) : ccos(mode->wave[axis] * from_middle);
    }
    return shape;
}

/* The real part of the mode turned by `turn`, in u and u_old. */
static inline void set_mode(struct engine *engine, const struct lossy_room *room, const struct mode *mode,
                            double complex turn)
{
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3], place[3];
        room_node(room, n, node);
        for (int axis = 0; axis < 3; ++axis)
            place[axis] = node[axis] - room->low[axis];
        const double complex value = turn * mode_shape(mode, place);
        engine_set(engine, 0, node, creal(value));
        engine_set(engine, 1, node, creal(value / mode->z));
    }
}

/* Amplitude of the mode in the field of two engines, one started with it and one with it a quarter turn on:
 * together u = real part + j imaginary part, projected onto the shape without losses. */
static inline double complex amplitude(const struct engine *real, const struct engine *imaginary,
                                       const struct lossy_room *room, const struct mode *mode)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        double weight = 1.0;
        room_node(room, n, node);
        for (int axis = 0; axis < 3; ++axis)
            weight *= basis(mode->q[axis], node[axis] - room->low[axis], lossy_size[axis]);
        sum += weight * (engine_get(real, 0, node) + I * engine_get(imaginary, 0, node));
    }
    return sum;
}

/* Decay rate -ln|z| and frequency arg z over `steps` steps, and the whole field at the end, of two engines
 * that were started with the mode and with it a quarter turn on. */
static inline void follow_mode(const struct lossy_room *room, const struct mode *mode,
                               struct engine *const engine[2])
{
    const struct engine_options *const options = &engine[0]->options;
    const double complex before = amplitude(engine[0], engine[1], room, mode);
    for (int part = 0; part < 2; ++part) {
        engine_run(engine[part], (uint64_t)mode->steps, NULL, NULL);
        back_ends_sound(engine[part]);
    }
    const double complex factor = amplitude(engine[0], engine[1], room, mode) / before;

    const double rate = -log(cabs(factor)) / mode->steps, exact = -log(cabs(mode->z));
    cr_assert(exact > 1e-4 && exact * mode->steps > 0.5, "the mode decays by %g a step: no test", exact);
    cr_assert(test_near(rate, exact, 1e-9 * exact),
              "mode (%d,%d,%d), layout %d: decays by %.15g, exact %.15g", mode->q[0], mode->q[1], mode->q[2],
              (int)options->layout, rate, exact);
    const double complex whole = cexp(clog(mode->z) * (double)mode->steps);
    const double turned = carg(factor / whole) / mode->steps;
    cr_assert(test_near(turned, 0.0, 1e-9 * carg(mode->z)), "mode (%d,%d,%d), layout %d: turns %g too far",
              mode->q[0], mode->q[1], mode->q[2], (int)options->layout, turned);
    double worst = 0.0;
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3], place[3];
        room_node(room, n, node);
        for (int axis = 0; axis < 3; ++axis)
            place[axis] = node[axis] - room->low[axis];
        const double found = engine_get(engine[0], 0, node);
        cr_assert(isfinite(found));
        worst = fmax(worst, fabs(found - creal(whole * mode_shape(mode, place))));
    }
    cr_assert(worst <= 1e-9 * cabs(whole), "mode (%d,%d,%d), layout %d: off by %g of it after %d steps",
              mode->q[0], mode->q[1], mode->q[2], (int)options->layout, worst / cabs(whole), mode->steps);
}

#endif
