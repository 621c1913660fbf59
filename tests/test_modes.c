/* Boxes whose discrete solution is known in closed form: rigid walls and lossy ones. */
#include <complex.h>
#include <math.h>

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
        engine_run(engine, STEPS - CHECKED, NULL, NULL);
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

/* Lossy box, the same admittance on both faces of an axis: an even mode cos(kappa (i - c)) z^n, c = (N-1)/2.
 * Beyond a wall stands no node: the missing link lambda2 (u_-1 - u_0) is what the wall term must make up for,
 * lambda2 (psi(-1) - psi(0)) + kappa_w (z - 1/z) psi(0) = 0 with kappa_w = lambda g / 2. */
static double complex axis_condition(double complex kappa, double complex z, double size, double lambda,
                                     double g)
{
    const double centre = 0.5 * (size - 1.0);
    return lambda * lambda * (ccos(kappa * (centre + 1.0)) - ccos(kappa * centre)) +
           0.5 * lambda * g * (z - 1.0 / z) * ccos(kappa * centre);
}

/* Secant steps until they stop being felt. */
static double complex solve_axis(double complex guess, double complex z, double size, double lambda, double g)
{
    double complex a = guess, b = guess + 1e-3;
    double complex fa = axis_condition(a, z, size, lambda, g), fb = axis_condition(b, z, size, lambda, g);
    for (int n = 0; n < 60 && cabs(b - a) > 1e-16 && fb != fa; ++n) {
        const double complex next = b - fb * (b - a) / (fb - fa);
        a = b;
        fa = fb;
        b = next;
        fb = axis_condition(b, z, size, lambda, g);
    }
    return b;
}

static double complex dispersion(double complex z, const double complex start[3], const int64_t size[3],
                                 double lambda, const double g[3], double complex kappa[3])
{
    double complex sum = z - 2.0 + 1.0 / z;
    for (int axis = 0; axis < 3; ++axis) {
        kappa[axis] = solve_axis(start[axis], z, (double)size[axis], lambda, g[axis]);
        const double complex half = csin(0.5 * kappa[axis]);
        sum += 4.0 * lambda * lambda * half * half;
    }
    return sum;
}

Test(modes, a_lossy_box_decays_as_the_exact_condition_says)
{
    enum { STEPS = 1500 };
    const int64_t size[3] = {14, 11, 17}, low[3] = {0, 3, 6};
    const int q[3] = {2, 2, 4};
    struct lossy_room *room = room_box(size[0], size[1], size[2], low);
    const double g[3] = {0.03, 0.02, 0.01};
    const double table[ROOM_MATERIALS] = {0.0, g[0], g[1], g[2]};
    struct time_step step;
    struct failure failure = {0};
    cr_assert(time_step_choose(1.0, 340.0, 0.0, &step, &failure) == 0);

    double complex start[3], kappa[3];
    double stiffness = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        start[axis] = PI * q[axis] / (double)size[axis];
        stiffness += pow(sin(creal(start[axis]) / 2.0), 2.0);
    }
    double complex a = cexp(I * 2.0 * asin(sqrt(step.lambda2 * stiffness))), b = a * (1.0 - 1e-3);
    double complex fa = dispersion(a, start, size, step.courant, g, kappa);
    double complex fb = dispersion(b, start, size, step.courant, g, kappa);
    for (int n = 0; n < 60 && cabs(b - a) > 1e-16 && fb != fa; ++n) {
        const double complex next = b - fb * (b - a) / (fb - fa);
        a = b;
        fa = fb;
        b = next;
        fb = dispersion(b, start, size, step.courant, g, kappa);
    }
    cr_assert(cabs(fb) < 1e-14);
    const double rate = log(cabs(b));
    cr_assert(rate < -1e-3 && rate > -0.1, "the mode decays by %g a step: no test", rate);

    for (int layout = 0; layout < 2; ++layout) {
        const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO,
                                               2};
        struct engine *engine = NULL;
        cr_assert(engine_create(&engine, &room->blocks, layout == LAYOUT_BOX ? &room->box : NULL, &step,
                                table, ROOM_MATERIALS, &options, &failure) == 0,
                  "%s", failure.sentence);
        for (int pass = 0; pass < 2; ++pass) {
            const double scale = exp(rate * (double)engine_steps(engine));
            double worst = 0.0;
            for (size_t n = 0; n < room_size(room); ++n) {
                int64_t node[3];
                double complex shape = 1.0;
                room_node(room, n, node);
                for (int axis = 0; axis < 3; ++axis)
                    shape *= ccos(kappa[axis] *
                                  ((double)(node[axis] - low[axis]) - 0.5 * ((double)size[axis] - 1.0)));
                if (pass == 0) {
                    engine_set(engine, 1, node, creal(shape / b));
                    engine_set(engine, 0, node, creal(shape));
                } else {
                    const double exact = creal(shape * cexp(clog(b) * (double)STEPS)),
                                 found = engine_get(engine, 0, node);
                    cr_assert(isfinite(found));
                    worst = fmax(worst, fabs(found - exact));
                }
            }
            if (pass == 0)
                engine_run(engine, STEPS, NULL, NULL);
            else
                cr_assert(worst <= 1e-9 * scale, "layout %d: off by %g of the mode after %d steps", layout,
                          worst / scale, STEPS);
        }
        engine_free(engine);
    }
    room_free(room);
}

Test(modes, the_first_samples_of_a_source_are_the_lattice_green_function)
{
    /* In free air u[1] = lambda2/h at the source, u[2] its neighbours lambda2^2/h, and by hand at the source
     * u[2] = 2 u[1] + lambda2 (-6 u[1]). */
    const int64_t low[3] = {0, 0, 0}, node[3] = {9, 9, 9}, next[3] = {10, 9, 9};
    struct lossy_room *room = room_box(20, 20, 20, low);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = room_engine(room, 0.5, &options);
    struct failure failure = {0};
    struct tap at, beside;
    const double position[3] = {9.0, 9.0, 9.0}, position_beside[3] = {10.0, 9.0, 9.0};
    cr_assert(tap_make(&room->blocks, position, node, INTERPOLATION_CUBIC, &at, &failure) == 0);
    cr_assert(tap_make(&room->blocks, position_beside, next, INTERPOLATION_CUBIC, &beside, &failure) == 0);
    cr_assert(engine_add_source(engine, &at, NULL, &failure) == 0);
    cr_assert(engine_add_receiver(engine, &at, NULL, &failure) == 0);
    cr_assert(engine_add_receiver(engine, &beside, NULL, &failure) == 0);
    const double drive[4] = {1.0, 0.0, 0.0, 0.0};
    double heard[2][4];
    engine_run(engine, 4, drive, heard[0]);
    cr_assert(heard[0][0] == 0.0 && heard[0][1] == 0.25 && heard[0][2] == 2.0 * 0.25 - 0.25 * 6.0 * 0.25);
    cr_assert(heard[1][0] == 0.0 && heard[1][1] == 0.0 && heard[1][2] == 0.25 * 0.25);
    engine_free(engine);
    room_free(room);
}
