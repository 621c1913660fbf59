/* A source and a receiver anywhere in a cell against the same two on nodes: what the interpolation costs.
 * That taps give their positions back exactly for cubic fields is in test_tap, that source and receiver may
 * change places in test_reciprocity, and levels and times at 1 to 10 m in test_calibration.
 *
 * A pair that is moved as a whole keeps its separation, so all that changes is how the taps pass a wave: each
 * axis by |sum w_j e^{jk(j - t)}|^2, a real number below 1, so no time is lost. In the middle of a cell and
 * along an axis that is (9 cos(k/2) - cos(3k/2))^2 / 64 with cubic weights, cos^2(k/2) with linear ones. */
#include <complex.h>

#include "kernels/engine/engine.h"
#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"

#define PI    3.14159265358979323846
#define NODES 64
#define PAIRS 4
#define MOVES 12

/* Receiver less source, in cells: no wall answers before the sound has passed. */
static const double separation[PAIRS][3] = {{11, 0, 0}, {0, -8, 8}, {6, 6, -6}, {-9, 4, 5}};
static const double points[2] = {10.5, 21.0};

/* The response at the frequencies of `points` along an axis from `source` to the end of each pair. */
static void record(const struct lossy_room *room, const double source[3], enum interpolation interpolation,
                   double complex response[PAIRS][2])
{
    enum { STEPS = 76 };
    static double heard[PAIRS][STEPS];
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = room_engine(room, 0.0, &options);
    struct time_step step;
    double drive[STEPS] = {1.0, -1.0};
    MUST(time_step_choose(SCHEME_STANDARD, 1.0, 340.0, 0.0, &step, &failure));
    for (int end = -1; end < PAIRS; ++end) {
        double position[3];
        int64_t base[3];
        struct stencil tap;
        for (int axis = 0; axis < 3; ++axis) {
            position[axis] = source[axis] + (end < 0 ? 0.0 : separation[end][axis]);
            base[axis] = (int64_t)floor(position[axis]);
        }
        MUST(stencil_make(&room->blocks, position, base, interpolation, &tap, &failure));
        const int code =
            end < 0 ? engine_add_source(engine, &tap, &failure) : engine_add_receiver(engine, &tap, &failure);
        cr_assert(code == 0, "%s", failure.sentence);
    }
    back_ends_run(engine, room_admittance, ROOM_MATERIALS, STEPS, drive, heard[0]);
    for (int pair = 0; pair < PAIRS; ++pair)
        for (int p = 0; p < 2; ++p) {
            const double turn = 2.0 * asin(step.courant * sin(PI / points[p]));
            response[pair][p] = 0.0;
            for (int n = 0; n < STEPS; ++n) {
                const double x = 2.0 * (n + 0.5) / STEPS - 1.0,
                             fade = x < 0.0 ? 1.0 : 0.5 + 0.5 * cos(PI * x);
                response[pair][p] += fade * heard[pair][n] * cexp(-I * turn * n);
            }
        }
    engine_free(engine);
}

/* Least and largest level and largest phase against the same pairs on nodes, over random moves. */
static void move(enum interpolation interpolation, double level[2][2], double phase[2])
{
    const int64_t low[3] = {0, 0, 0};
    struct lossy_room *room = room_box(NODES, NODES, NODES, low);
    const double middle = NODES / 2;
    double complex on_node[PAIRS][2], moved[PAIRS][2];
    uint64_t random = 4;
    record(room, (const double[3]){middle, middle, middle}, interpolation, on_node);
    for (int trial = 0; trial < MOVES; ++trial) {
        double source[3];
        for (int axis = 0; axis < 3; ++axis) /* the worst place first */
            source[axis] = middle + (trial == 0 ? 0.5 : test_uniform(&random, 0.0, 1.0));
        record(room, source, interpolation, moved);
        for (int pair = 0; pair < PAIRS; ++pair)
            for (int p = 0; p < 2; ++p) {
                const double complex ratio = moved[pair][p] / on_node[pair][p];
                const double decibel = 20.0 * log10(cabs(ratio));
                cr_assert(isfinite(decibel));
                level[p][0] = fmin(level[p][0], decibel);
                level[p][1] = fmax(level[p][1], decibel);
                phase[p] = fmax(phase[p], fabs(carg(ratio)));
            }
    }
    room_free(room);
    for (int p = 0; p < 2; ++p)
        (void)fprintf(stderr, "%s, %.1f points per wavelength: %+.4f to %+.4f dB, %.1e rad\n",
                      interpolation == INTERPOLATION_CUBIC ? "cubic" : "linear", points[p], level[p][0],
                      level[p][1], phase[p]);
}

/* A hundredth of a cell is 0.006 rad at 10.5 points per wavelength. */
Test(anywhere, cubic_taps_cost_less_than_0_06_dB_and_a_hundredth_of_a_cell_at_10_5_points_per_wavelength)
{
    double level[2][2] = {{0.0}}, phase[2] = {0.0};
    move(INTERPOLATION_CUBIC, level, phase);
    cr_assert(level[0][0] > -0.06 && level[0][1] < 0.02, "%g to %g dB", level[0][0], level[0][1]);
    cr_assert(level[1][0] > -0.02 && level[1][1] < 0.01, "%g to %g dB", level[1][0], level[1][1]);
    cr_assert(phase[0] < 0.01 * 2.0 * PI / points[0] && phase[1] < 0.01 * 2.0 * PI / points[1],
              "%g and %g rad", phase[0], phase[1]);
}

/* Twice 20 lg cos(k/2) along an axis: -0.79 dB at 10.5 points per wavelength, a quarter of that at 21. */
Test(anywhere, linear_taps_cost_0_8_dB_in_the_middle_of_a_cell_at_10_5_points_per_wavelength)
{
    double level[2][2] = {{0.0}}, phase[2] = {0.0};
    move(INTERPOLATION_LINEAR, level, phase);
    for (int p = 0; p < 2; ++p) {
        const double loss = 40.0 * log10(cos(PI / points[p]));
        cr_assert(test_near(level[p][0], loss, 0.03) && level[p][1] < 0.01, "%g to %g dB, not %g",
                  level[p][0], level[p][1], loss);
        cr_assert(phase[p] < 0.03 * 2.0 * PI / points[p], "%g rad", phase[p]);
    }
}
