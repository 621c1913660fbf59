/* Boxes whose discrete solution is known in closed form: rigid walls and lossy ones. */
#include <complex.h>
#include <math.h>

#include "tests/back_ends.h"
#include "tests/lossy_room.h"

#define PI 3.14159265358979323846

/* Value at i of the DCT-II basis vector q of length n, of unit norm. */
static double basis(int q, int64_t i, int64_t n)
{
    return cos(PI * q * ((double)i + 0.5) / (double)n) * sqrt((q == 0 ? 1.0 : 2.0) / (double)n);
}

/* What a unit kick (u at step 1, nothing at step 0) at `from` makes at `to` at step n, by summing all modes.
 */
static double rigid_response(const int64_t size[3], const int64_t from[3], const int64_t to[3],
                             double lambda2, double n)
{
    long double sum = 0.0L;
    for (int qz = 0; qz < size[2]; ++qz)
        for (int qy = 0; qy < size[1]; ++qy)
            for (int qx = 0; qx < size[0]; ++qx) {
                const int q[3] = {qx, qy, qz};
                double shape = 1.0, stiffness = 0.0;
                for (int axis = 0; axis < 3; ++axis) {
                    const double half = sin(PI * q[axis] / (2.0 * (double)size[axis]));
                    shape *= basis(q[axis], from[axis], size[axis]) * basis(q[axis], to[axis], size[axis]);
                    stiffness += half * half;
                }
                const double omega = 2.0 * asin(sqrt(lambda2 * stiffness));
                sum += shape * (omega == 0.0 ? n : sin(n * omega) / sin(omega));
            }
    return (double)sum;
}

Test(modes, a_rigid_box_follows_the_exact_discrete_solution_for_20000_steps)
{
    enum { STEPS = 20000, CHECKED = 12 };
    const int64_t size[3] = {19, 11, 9}, low[3] = {5, 0, 2};
    const int64_t kick[3] = {1, 2, 3}, ear[2][3] = {{17, 9, 8}, {7, 8, 0}};
    struct lossy_room *room = room_box(size[0], size[1], size[2], low);
    const double rigid[ROOM_MATERIALS] = {0.0};
    struct time_step step;
    struct failure failure = {0};
    cr_assert(time_step_choose(1.0, 340.0, 0.0, &step, &failure) == 0);
    for (int layout = 0; layout < 2; ++layout) {
        const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO,
                                               1};
        struct engine *engine = NULL;
        cr_assert(engine_create(&engine, &room->blocks, layout == LAYOUT_BOX ? &room->box : NULL, &step,
                                rigid, ROOM_MATERIALS, &options, &failure) == 0,
                  "%s", failure.sentence);
        const int64_t at[3] = {low[0] + kick[0], low[1] + kick[1], low[2] + kick[2]};
        engine_set(engine, 0, at, 1.0);
        double largest = 0.0;
        back_ends_run(engine, rigid, ROOM_MATERIALS, STEPS - CHECKED, NULL, NULL);
        for (int n = 0; n < CHECKED; ++n) {
            engine_run(engine, 1, NULL, NULL);
            for (int r = 0; r < 2; ++r) {
                const int64_t node[3] = {low[0] + ear[r][0], low[1] + ear[r][1], low[2] + ear[r][2]};
                const double exact =
                    rigid_response(size, kick, ear[r], step.lambda2, 1.0 + (double)engine_steps(engine));
                const double found = engine_get(engine, 0, node);
                largest = fmax(largest, fabs(exact));
                cr_assert(test_near(found, exact, 1e-10), "layout %d, step %llu: %.15g, exact %.15g", layout,
                          (unsigned long long)engine_steps(engine), found, exact);
            }
        }
        cr_assert(largest > 1.0);
        engine_free(engine);
    }
    room_free(room);
}

/* Lossy box, the same admittance on both faces of an axis: a mode cos(kappa (i - c)) z^n or, where it is odd
 * about the middle, sin(kappa (i - c)) z^n, c = (N-1)/2. There and back between the walls a wave must meet
 * itself again: e^{j kappa N} = R for even modes, -R for odd ones, with the discrete reflection coefficient
 * R = (S - W e^{j kappa/2}) / (S + W e^{-j kappa/2}), S = 2 lambda sin(kappa/2), W = g sin(omega T), at
 * z = e^{j omega T}, hence sin(omega T) = (z - 1/z) / 2j. */
struct mode {
    int q[3];               /* half waves along each axis without losses: odd modes where odd */
    double g[3];            /* of the walls across each axis */
    int steps;              /* looked at */
    double complex z;       /* factor of one step */
    double complex wave[3]; /* kappa */
};

static const int64_t lossy_size[3] = {14, 11, 17};

static double complex axis_condition(const struct mode *mode, int axis, double complex kappa,
                                     double complex z, double lambda)
{
    const double complex s = 2.0 * lambda * csin(0.5 * kappa), w = mode->g[axis] * (z - 1.0 / z) / (2.0 * I);
    const double complex turn = cexp(0.5 * I * kappa), round = cexp(I * kappa * (double)lossy_size[axis]);
    return round * (s + w / turn) - (mode->q[axis] & 1 ? -1.0 : 1.0) * (s - w * turn);
}

typedef double complex residual(const void *context, double complex unknown);

/* Secant steps until they stop being felt. */
static double complex solve(residual *f, const void *context, double complex guess, double move)
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

static double complex axis_residual(const void *context, double complex kappa)
{
    const struct question *ask = context;
    return axis_condition(ask->mode, ask->axis, kappa, ask->z, ask->lambda);
}

/* kappa of every axis at z. From light walls to the ones asked for: the solution moves along with g, so that
 * the secant does not run to another mode. */
static void solve_axes(const struct question *ask, double complex z, double complex kappa[3])
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

static double complex mode_residual(const void *context, double complex z)
{
    const struct question *ask = context;
    double complex kappa[3], sum = z - 2.0 + 1.0 / z;
    solve_axes(ask, z, kappa);
    for (int axis = 0; axis < 3; ++axis)
        sum += 4.0 * ask->lambda * ask->lambda * csin(0.5 * kappa[axis]) * csin(0.5 * kappa[axis]);
    return sum;
}

static void solve_mode(struct mode *mode, double lambda)
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

static double complex mode_shape(const struct mode *mode, const int64_t place[3])
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
static void set_mode(struct engine *engine, const struct lossy_room *room, const struct mode *mode,
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
static double complex amplitude(const struct engine *real, const struct engine *imaginary,
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

/* Decay rate -ln|z| and frequency arg z over `steps` steps, and the whole field at the end. */
static void check_mode(const struct lossy_room *room, const struct mode *mode, const struct time_step *step,
                       const struct engine_options *options)
{
    const double table[ROOM_MATERIALS] = {0.0, mode->g[0], mode->g[1], mode->g[2]};
    struct failure failure = {0};
    struct engine *engine[2] = {NULL, NULL};
    for (int part = 0; part < 2; ++part) {
        cr_assert(engine_create(&engine[part], &room->blocks,
                                options->layout == LAYOUT_BOX ? &room->box : NULL, step, table,
                                ROOM_MATERIALS, options, &failure) == 0,
                  "%s", failure.sentence);
        set_mode(engine[part], room, mode, part == 0 ? 1.0 : -I);
    }
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
    engine_free(engine[0]);
    engine_free(engine[1]);
}

Test(modes, a_lossy_box_decays_as_the_exact_condition_says)
{
    struct mode mode[] = {
        {.q = {2, 2, 4}, .g = {0.03, 0.02, 0.01}, .steps = 1500},
        {.q = {1, 0, 3},
         .g = {0.03, 0.02, 0.01},
         .steps = 1500}, /* odd, and level along y but for its walls */
        {.q = {0, 1, 2}, .g = {0.0, 0.3, 0.15}, .steps = 150},
        {.q = {3, 2, 7}, .g = {0.3, 0.0, 0.5}, .steps = 60}, /* as thick curtains */
    };
    const int64_t low[3] = {0, 3, 6};
    struct lossy_room *room = room_box(lossy_size[0], lossy_size[1], lossy_size[2], low);
    struct time_step step;
    struct failure failure = {0};
    cr_assert(time_step_choose(1.0, 340.0, 0.0, &step, &failure) == 0);
    for (size_t m = 0; m < sizeof mode / sizeof *mode; ++m) {
        solve_mode(&mode[m], step.courant);
        struct back_ends all = {.mask = BACK_ENDS_ALL, .one_precision = true, .precision = PRECISION_DOUBLE};
        while (back_ends_next(&all))
            check_mode(room, &mode[m], &step, &all.options);
    }
    room_free(room);
}

Test(modes, the_first_samples_of_a_source_are_the_lattice_green_function)
{
    /* In free air u[1] = lambda2/h at the source, u[2] its neighbours lambda2^2/h, and by hand at the source
     * u[2] = 2 u[1] + lambda2 (-6 u[1]). */
    const int64_t low[3] = {0, 0, 0}, node[3] = {9, 9, 9}, next[3] = {10, 9, 9};
    struct lossy_room *room = room_box(20, 20, 20, low);
    struct failure failure = {0};
    struct tap at, beside;
    const double position[3] = {9.0, 9.0, 9.0}, position_beside[3] = {10.0, 9.0, 9.0};
    cr_assert(tap_make(&room->blocks, position, node, INTERPOLATION_CUBIC, &at, &failure) == 0);
    cr_assert(tap_make(&room->blocks, position_beside, next, INTERPOLATION_CUBIC, &beside, &failure) == 0);
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, 0.5, &all.options);
        cr_assert(engine_add_source(engine, &at, NULL, &failure) == 0);
        cr_assert(engine_add_receiver(engine, &at, NULL, &failure) == 0);
        cr_assert(engine_add_receiver(engine, &beside, NULL, &failure) == 0);
        const double drive[4] = {1.0, 0.0, 0.0, 0.0};
        double heard[2][4];
        engine_run(engine, 4, drive, heard[0]);
        cr_assert(heard[0][0] == 0.0 && heard[0][1] == 0.25 && heard[0][2] == 2.0 * 0.25 - 0.25 * 6.0 * 0.25,
                  "%s", engine_description(engine));
        cr_assert(heard[1][0] == 0.0 && heard[1][1] == 0.0 && heard[1][2] == 0.25 * 0.25, "%s",
                  engine_description(engine));
        engine_free(engine);
    }
    room_free(room);
}
