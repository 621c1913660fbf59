/* Receivers of the pressure's derivative anywhere in a cell, in free air and beside walls. */
#include <complex.h>
#include <math.h>

#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"

#define PI 3.14159265358979323846

static const int64_t origin[3] = {0, 0, 0};

static double sum_of(const struct tap *tap, double (*field)(const double at[3]))
{
    double sum = 0.0;
    for (unsigned n = 0; n < tap->count; ++n) {
        const double at[3] = {(double)tap->node[n][0], (double)tap->node[n][1], (double)tap->node[n][2]};
        sum += tap->weight[n] * field(at);
    }
    return sum;
}

static double constant(const double at[3])
{
    (void)at;
    return 1.0;
}
static double skew(const double at[3])
{
    return 3.0 + 0.5 * at[0] - 2.0 * at[1] + 7.0 * at[2] + 0.25 * at[0] * at[1] - at[1] * at[2];
}

static struct tap make(const struct lossy_room *room, const double position[3], const int64_t base[3],
                       enum interpolation wanted, int axis)
{
    struct tap tap;
    MUST(tap_make_gradient(&room->blocks, position, base, wanted, axis, &tap, &failure));
    cr_assert(test_near(sum_of(&tap, constant), 0.0, 1e-14));
    cr_assert(tap.count >= 1 && tap.count <= TAP_NODES_MAX);
    for (unsigned n = 0; n < tap.count; ++n)
        cr_assert(block_grid_links(&room->blocks, tap.node[n]) != 0);
    return tap;
}

/* Of what is at most linear along the axis and across, anywhere, both interpolations. */
Test(gradient_tap, derivatives_of_a_bilinear_field_are_exact)
{
    struct lossy_room *room = room_box(14, 13, 12, origin);
    uint64_t random = 5;
    for (int trial = 0; trial < 200; ++trial) {
        double position[3];
        int64_t base[3];
        for (int axis = 0; axis < 3; ++axis) {
            position[axis] = test_uniform(&random, 3.0, 8.0);
            position[axis] = test_random(&random) % 3 == 0 ? round(position[axis]) : position[axis];
            base[axis] = llround(position[axis]);
        }
        const double exact[3] = {0.5 + 0.25 * position[1], -2.0 + 0.25 * position[0] - position[2],
                                 7.0 - position[1]};
        for (int axis = 0; axis < 3; ++axis) {
            const enum interpolation wanted = (enum interpolation)(trial & 1);
            const struct tap tap = make(room, position, base, wanted, axis);
            cr_assert(tap.used == wanted);
            cr_assert(test_near(sum_of(&tap, skew), exact[axis], 1e-11), "axis %d: %g for %g", axis,
                      sum_of(&tap, skew), exact[axis]);
        }
    }
    room_free(room);
}

/* exp(i k . x) through a tap, over what it is at the position itself. */
static double complex transfer(const struct tap *tap, const double wave[3], const double position[3])
{
    double complex sum = 0.0;
    for (unsigned n = 0; n < tap->count; ++n) {
        double phase = 0.0;
        for (int axis = 0; axis < 3; ++axis)
            phase += wave[axis] * ((double)tap->node[n][axis] - position[axis]);
        sum += tap->weight[n] * cexp(I * phase);
    }
    return sum;
}

/* Against the pressure's own tap at the same place, so that what the interpolation across takes from both
 * drops out. The bounds are those of tap.h. */
Test(gradient_tap, a_wave_of_10_5_points_gives_2_sin_half_kh_within_0_03_dB_and_0_014_rad)
{
    struct lossy_room *room = room_box(16, 16, 16, origin);
    uint64_t random = 8;
    double worst = 0.0, worst_phase = 0.0, worst_on_node = 0.0;
    for (int trial = 0; trial < 600; ++trial) {
        double wave[3], position[3], length = 0.0;
        int64_t base[3];
        const int axis = trial % 3;
        for (int d = 0; d < 3; ++d) {
            wave[d] = test_uniform(&random, -1.0, 1.0);
            length += wave[d] * wave[d];
            position[d] = test_uniform(&random, 4.0, 10.0);
            base[d] = llround(position[d]);
        }
        const bool on_node = trial % 2 == 0;
        if (on_node)
            position[axis] = (double)base[axis];
        for (int d = 0; d < 3; ++d)
            wave[d] *= 2.0 * PI / 10.5 / sqrt(length);
        /* The pressure's at the same place along the axis is exact where it is a node's. */
        struct tap across;
        const double on_axis[3] = {axis == 0 ? (double)base[0] : position[0],
                                   axis == 1 ? (double)base[1] : position[1],
                                   axis == 2 ? (double)base[2] : position[2]};
        MUST(tap_make(&room->blocks, on_axis, base, INTERPOLATION_CUBIC, &across, &failure));
        const struct tap tap = make(room, position, base, INTERPOLATION_CUBIC, axis);
        cr_assert(on_node ? tap.count <= 64 : tap.count == 64);
        const double complex ratio = transfer(&tap, wave, position) / transfer(&across, wave, on_axis) /
                                     (2.0 * I * sin(0.5 * wave[axis]));
        worst = fmax(worst, fabs(20.0 * log10(cabs(ratio))));
        worst_phase = fmax(worst_phase, fabs(carg(ratio)));
        if (on_node)
            worst_on_node = fmax(worst_on_node, fabs(carg(ratio)));
    }
    (void)fprintf(stderr, "gradient: %.4f dB, %.4f rad, on a node %.1e rad\n", worst, worst_phase,
                  worst_on_node);
    cr_assert(test_at_most(worst, 0.03) && test_at_most(worst_phase, 0.014) &&
              test_at_most(worst_on_node, 1e-12));
    room_free(room);
}

static double even(const double at[3])
{
    return cos(0.6 * (at[1] - 6.0)) * (1.0 + at[0] * at[0] - 0.3 * at[2]);
}

/* A mirror image of the room's other half: on the plane between them nothing comes from the side. */
Test(gradient_tap, on_a_plane_of_symmetry_it_is_0)
{
    struct lossy_room *room = room_box(13, 13, 13, origin);
    const double position[3] = {5.3, 6.0 + 1e-13, 5.8};
    const int64_t base[3] = {5, 6, 6};
    for (int wanted = 0; wanted < 2; ++wanted) {
        const struct tap tap = make(room, position, base, (enum interpolation)wanted, 1);
        cr_assert(test_near(sum_of(&tap, even), 0.0, 1e-11), "%g", sum_of(&tap, even));
    }
    room_free(room);
}

static double ramp(const double at[3])
{
    return at[0];
}

/* The wall is half a spacing beyond the first node; its link hears nothing, the next one the whole slope. */
Test(gradient_tap, towards_a_hard_wall_the_normal_part_goes_to_0_and_the_others_stay)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const double away[] = {0.0, 0.1, 0.4, 0.5, 0.75, 1.0}; /* from the wall at -0.5 and 11.5 */
    for (size_t n = 0; n < sizeof away / sizeof away[0]; ++n) {
        const double low[3] = {away[n] - 0.5, 5.3, 6.6}, high[3] = {11.5 - away[n], 5.3, 6.6};
        const int64_t low_base[3] = {0, 5, 7}, high_base[3] = {11, 5, 7};
        const struct tap first = make(room, low, low_base, INTERPOLATION_CUBIC, 0),
                         last = make(room, high, high_base, INTERPOLATION_CUBIC, 0),
                         along = make(room, low, low_base, INTERPOLATION_CUBIC, 1);
        cr_assert(first.used == INTERPOLATION_LINEAR);
        cr_assert(test_near(sum_of(&first, ramp), away[n], 1e-13), "%g from it: %g", away[n],
                  sum_of(&first, ramp));
        cr_assert(test_near(sum_of(&last, ramp), away[n], 1e-13), "%g from it: %g", away[n],
                  sum_of(&last, ramp));
        cr_assert(test_near(sum_of(&along, skew), -2.0 + 0.25 * fmax(0.0, low[0]) - low[2], 1e-12));
        if (away[n] == 0.0)
            cr_assert(first.count == 1 && first.weight[0] == 0.0);
    }
    room_free(room);
}

/* A thin wall cuts the links from x = 5 to 6: a receiver before it hears nothing of what is behind it. */
Test(gradient_tap, behind_a_thin_wall_nothing_is_heard)
{
    struct lossy_room *room = room_with_wall(12, 0, 12);
    const double position[3] = {5.2, 6.5, 6.25};
    const int64_t base[3] = {5, 6, 6};
    for (int axis = 0; axis < 3; ++axis) {
        const struct tap tap = make(room, position, base, INTERPOLATION_CUBIC, axis);
        for (unsigned k = 0; k < tap.count; ++k)
            cr_assert(tap.node[k][0] <= 5);
        if (axis == 0)
            cr_assert(test_near(sum_of(&tap, ramp), 0.3, 1e-13), "%g", sum_of(&tap, ramp));
        else
            cr_assert(test_near(sum_of(&tap, skew), axis == 1 ? -2.0 + 0.25 * 5.0 - 6.25 : 7.0 - 6.5, 1e-12));
    }
    room_free(room);
}

Test(gradient_tap, wild_geometry_gives_air_nodes_in_order_and_weights_of_sum_0)
{
    struct lossy_room *room = room_ragged(51, 20, 20, 20, 0.3, 0.2, 0);
    uint64_t random = 6;
    for (int trial = 0; trial < 3000; ++trial) {
        const size_t n = (size_t)(test_random(&random) % room_size(room));
        struct tap tap;
        int64_t base[3];
        double position[3];
        room_node(room, n, base);
        for (int axis = 0; axis < 3; ++axis)
            position[axis] = (double)base[axis] + test_uniform(&random, -1.0, 1.0);
        const int code =
            tap_make_gradient(&room->blocks, position, base, INTERPOLATION_CUBIC, trial % 3, &tap, &failure);
        cr_assert(code == 0 ? room->link[n] != 0 : code == FAILURE_INPUT && room->link[n] == 0);
        if (code != 0)
            continue;
        double sum = 0.0, size = 0.0;
        for (unsigned k = 0; k < tap.count; ++k) {
            sum += tap.weight[k];
            size += fabs(tap.weight[k]);
        }
        room_check_tap(room, &tap);
        cr_assert(test_near(sum, 0.0, 1e-14) && test_at_most(size, 8.0));
    }
    room_free(room);
}

/* A sound is heard, on every back end alike, as the sum that the tap says; also by one that hears nothing. */
Test(gradient_tap, every_back_end_hears_the_same_weighted_sum)
{
    enum { STEPS = 40, EARS = 5 };
    struct lossy_room *room = room_box(20, 16, 16, origin);
    double first[EARS * STEPS];
    struct back_ends all = {.mask = BACK_ENDS_ALL, .one_precision = true, .precision = PRECISION_SINGLE};
    bool begun = false;
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, 0.0, &all.options);
        struct tap source, ear[EARS];
        const double said[3] = {12.3, 7.7, 8.1}, heard[3] = {7.4, 8.0, 6.6}, wall[3] = {-0.5, 8.0, 8.2};
        const int64_t said_base[3] = {12, 8, 8}, base[3] = {7, 8, 7}, wall_base[3] = {0, 8, 8};
        MUST(tap_make(&room->blocks, said, said_base, INTERPOLATION_CUBIC, &source, &failure));
        for (int axis = 0; axis < 3; ++axis)
            ear[axis] = make(room, heard, base, INTERPOLATION_CUBIC, axis);
        ear[3] = make(room, wall, wall_base, INTERPOLATION_CUBIC, 0);
        ear[4] = make(room, wall, wall_base, INTERPOLATION_CUBIC, 2);
        MUST(engine_add_source(engine, &source, NULL, &failure));
        for (int r = 0; r < EARS; ++r)
            MUST(engine_add_receiver(engine, &ear[r], NULL, &failure));
        double drive[STEPS] = {1.0, -1.0}, output[EARS * STEPS], last[EARS];
        engine_run(engine, STEPS - 1, drive, output);
        for (int r = 0; r < EARS; ++r) {
            last[r] = 0.0;
            for (unsigned k = 0; k < ear[r].count; ++k)
                last[r] += ear[r].weight[k] * engine_get(engine, 0, ear[r].node[k]);
        }
        engine_run(engine, 1, NULL, output + EARS * (STEPS - 1));
        for (int r = 0; r < EARS; ++r)
            cr_assert(output[EARS * (STEPS - 1) + r] == last[r], "%s", engine_description(engine));
        cr_assert(last[0] != 0.0 && last[3] == 0.0);
        if (!begun)
            memcpy(first, output, sizeof first);
        for (int n = 0; n < EARS * STEPS; ++n)
            cr_assert(output[n] == first[n], "%s: sample %d", engine_description(engine), n);
        begun = true;
        engine_free(engine);
    }
    room_free(room);
}
