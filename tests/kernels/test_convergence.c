/* Second order, as the scheme promises: halving the spacing at one Courant number quarters the distance to
 * the continuous field of a point source, q(t - r/c) / (4 pi r).
 *
 * The order is that of the whole chain of a run: drive sample n enters pressure n + 1 and output sample n is
 * pressure n. One step more or less anywhere in it leaves first order. Three directions, because along the
 * space diagonal the lattice has next to no error and would show nothing.
 *
 * Free field is a rigid box whose walls answer only after the last sample that is looked at. */
#include "tests/support/back_ends.h"
#include "tests/support/test_support.h"
#include "tests/support/walled_box.h"

#define PI          3.14159265358979323846
#define SOUND_SPEED 343.2
#define DISTANCE    1.0 /* source to receivers [m] */
#define PULSE       1.0 /* of the drive, length in space [m] */
#define AFTER       0.1 /* looked at behind the pulse, for what the lattice delays [m] */
#define RECEIVERS   3

#if defined(__SANITIZE_ADDRESS__)
#define FINEST 50
#else
#define FINEST 100
#endif

/* Pythagorean, so that at 25 cells a metre and its multiples each receiver is a node. */
static const double direction[RECEIVERS][3] = {{1.0, 0.0, 0.0}, {0.6, 0.8, 0.0}, {0.36, 0.48, 0.8}};

/* d/dt sin^6, but for its factor: five times differentiable, no steady pressure. */
static double drive_at(double time)
{
    const double phase = PI * time * SOUND_SPEED / PULSE;
    return phase <= 0.0 || phase >= PI ? 0.0 : pow(sin(phase), 5.0) * cos(phase);
}

/* Cells from the source to the walls before and behind it along an axis, so far that every echo travels more
 * than `path` metres to each receiver. */
static void choose_reach(int axis, double path, double cells, int64_t *before, int64_t *behind)
{
    double low = 0.0, high = 0.0;
    for (int r = 0; r < RECEIVERS; ++r) {
        const double along = DISTANCE * direction[r][axis];
        const double most = sqrt(path * path - DISTANCE * DISTANCE + along * along);
        low = fmax(low, 0.5 * (most - along));
        high = fmax(high, 0.5 * (most + along));
    }
    *before = (int64_t)ceil(low * cells) + 2;
    *behind = (int64_t)ceil(high * cells) + 2;
}

/* Relative L2 distance in time from the continuous field, for each receiver. */
static void measure(enum scheme scheme, int cells, enum layout layout, double error[RECEIVERS])
{
    const double path = DISTANCE + PULSE + AFTER;
    const struct time_step step = time_step_for(scheme, 1.0 / cells, SOUND_SPEED, 0.0);
    int64_t source[3], nodes[3];
    for (int axis = 0; axis < 3; ++axis) {
        int64_t behind;
        choose_reach(axis, path, cells, &source[axis], &behind);
        nodes[axis] = source[axis] + behind + 1;
    }
    struct walled_box *room = walled_box_for(nodes, walled_box_rigid, &step);
    const struct engine_options options = {layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 2};
    struct engine *engine = walled_box_engine(room, &step, NULL, 0, &options);
    struct stencil stencil = walled_box_stencil(source);
    MUST(engine_add_source(engine, &stencil, &failure));
    for (int r = 0; r < RECEIVERS; ++r) {
        int64_t node[3];
        for (int axis = 0; axis < 3; ++axis)
            node[axis] = source[axis] + llround(DISTANCE * direction[r][axis] * cells);
        stencil = walled_box_stencil(node);
        MUST(engine_add_receiver(engine, &stencil, &failure));
    }

    const size_t steps = (size_t)(path / SOUND_SPEED * step.rate);
    double *drive = malloc(steps * sizeof *drive), *output = malloc(RECEIVERS * steps * sizeof *output);
    cr_assert(drive != NULL && output != NULL);
    for (size_t n = 0; n < steps; ++n)
        drive[n] = drive_at((double)n * step.period);
    back_ends_run(engine, NULL, 0, steps, drive, output);
    for (int r = 0; r < RECEIVERS; ++r) {
        double difference = 0.0, total = 0.0;
        for (size_t n = 0; n < steps; ++n) {
            const double exact =
                drive_at((double)n * step.period - DISTANCE / SOUND_SPEED) / (4.0 * PI * DISTANCE);
            difference += pow(output[(size_t)r * steps + n] - exact, 2.0);
            total += exact * exact;
        }
        error[r] = sqrt(difference / total);
    }
    free(drive);
    free(output);
    engine_free(engine);
    walled_box_free(room);
}

TEST_SCHEMES(convergence, a_point_source_in_free_air_converges_at_second_order)
{
    double coarse[RECEIVERS], fine[RECEIVERS];
    enum layout layout = LAYOUT_BLOCKS;
    (void)fprintf(stderr, "free field at 1 m: cells a metre, L2 error (order) in three directions\n");
    for (int cells = 25; cells <= (scheme == SCHEME_STANDARD ? FINEST : 50); cells *= 2) {
        measure(scheme, cells, layout, fine);
        (void)fprintf(stderr, "  %3d", cells);
        for (int r = 0; r < RECEIVERS; ++r)
            (void)fprintf(stderr, "  %.2e (%.2f)", fine[r], cells == 25 ? 0.0 : log2(coarse[r] / fine[r]));
        (void)fprintf(stderr, "\n");
        for (int r = 0; r < RECEIVERS; ++r) {
            cr_assert(fine[r] < 0.1, "receiver %d at %d cells a metre is %g off", r, cells, fine[r]);
            cr_assert(cells == 25 || test_near(log2(coarse[r] / fine[r]), 2.0, 0.1),
                      "receiver %d: order %.3f from %d to %d cells a metre", r, log2(coarse[r] / fine[r]),
                      cells / 2, cells);
            coarse[r] = fine[r];
        }
        layout = layout == LAYOUT_BLOCKS ? LAYOUT_BOX : LAYOUT_BLOCKS; /* they take turns */
    }
}
