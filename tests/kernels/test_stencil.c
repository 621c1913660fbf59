/* Sources and receivers anywhere in a cell: of the pressure, then of its derivative. */
#include <complex.h>
#include <math.h>

#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"

#define PI 3.14159265358979323846

static const int64_t origin[3] = {0, 0, 0};

/* room_box() with a thin wall: links in +x from nodes at x = 5 are cut where y_from <= y < y_below. */
static struct lossy_room *room_with_wall(int64_t nodes, int64_t y_from, int64_t y_below)
{
    struct lossy_room *room = room_box(nodes, nodes, nodes, (const int64_t[3]){0, 0, 0});
    block_grid_free(&room->blocks);
    box_grid_free(&room->box);
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        room_node(room, n, node);
        if (node[0] == 5 && node[1] >= y_from && node[1] < y_below) {
            room->link[n] &= (uint8_t)~2u;
            room->link[n + 1] &= (uint8_t)~1u;
        }
    }
    room_finish(room);
    return room;
}

/* Ends the test unless the nodes of a stencil rise in (z,y,x) and are air. */
static void room_check_stencil(const struct lossy_room *room, const struct stencil *stencil)
{
    for (unsigned n = 0; n < stencil->count; ++n) {
        const int64_t *node = stencil->node[n], *before = stencil->node[n > 0 ? n - 1 : 0];
        const bool rises = node[2] != before[2]   ? node[2] > before[2]
                           : node[1] != before[1] ? node[1] > before[1]
                                                  : node[0] > before[0];
        cr_assert(block_grid_links(&room->blocks, node) != 0 && (n == 0 || rises), "node %u", n);
    }
}

static double weight_sum(const struct stencil *stencil)
{
    double sum = 0.0;
    for (unsigned n = 0; n < stencil->count; ++n)
        sum += stencil->weight[n];
    return sum;
}

static double weight_at(const struct stencil *stencil, int64_t x, int64_t y, int64_t z)
{
    for (unsigned n = 0; n < stencil->count; ++n)
        if (stencil->node[n][0] == x && stencil->node[n][1] == y && stencil->node[n][2] == z)
            return stencil->weight[n];
    return 0.0;
}

static struct stencil stencil_at(const struct lossy_room *room, const double position[3],
                                 const int64_t base[3], enum interpolation wanted)
{
    struct stencil stencil;
    MUST(stencil_make(&room->blocks, position, base, wanted, &stencil, &failure));
    return stencil;
}
#define AT(...)   ((const double[3]){__VA_ARGS__})
#define NODE(...) ((const int64_t[3]){__VA_ARGS__})

Test(stencil, on_a_node_it_is_that_node)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const int64_t at[2][3] = {{5, 6, 7}, {0, 0, 11}};
    for (int n = 0; n < 2; ++n) {
        const double position[3] = {(double)at[n][0], (double)at[n][1], (double)at[n][2]};
        const struct stencil stencil = stencil_at(room, position, at[n], INTERPOLATION_CUBIC);
        cr_assert(stencil.count == 1 && stencil.weight[0] == 1.0 && stencil.shift == 0.0);
        cr_assert(memcmp(stencil.node[0], at[n], sizeof at[n]) == 0);
    }
    room_free(room);
}

Test(stencil, cubic_weights_in_the_middle_of_a_cell_are_lagranges)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const double line[4] = {-1.0 / 16.0, 9.0 / 16.0, 9.0 / 16.0, -1.0 / 16.0};
    const struct stencil stencil = stencil_at(room, AT(5.5, 5.5, 5.5), NODE(5, 5, 6), INTERPOLATION_CUBIC);
    cr_assert(stencil.used == INTERPOLATION_CUBIC && stencil.count == 64);
    room_check_stencil(room, &stencil);
    for (int z = 0; z < 4; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x)
                cr_assert(
                    test_near(weight_at(&stencil, 4 + x, 4 + y, 4 + z), line[x] * line[y] * line[z], 1e-16));
    room_free(room);
}

Test(stencil, cubic_weights_are_exact_for_cubic_fields)
{
    struct lossy_room *room = room_box(14, 13, 12, origin);
    uint64_t random = 5;
    for (int trial = 0; trial < 200; ++trial) {
        double position[3], moment[4] = {0.0};
        int64_t base[3];
        for (int axis = 0; axis < 3; ++axis) {
            position[axis] = test_uniform(&random, 2.0, 8.0);
            base[axis] = llround(position[axis]);
        }
        const struct stencil stencil = stencil_at(room, position, base, INTERPOLATION_CUBIC);
        cr_assert(stencil.used == INTERPOLATION_CUBIC);
        room_check_stencil(room, &stencil);
        cr_assert(test_near(weight_sum(&stencil), 1.0, 1e-14));
        cr_assert(test_near(stencil.shift, 0.0, 1e-13));
        for (unsigned n = 0; n < stencil.count; ++n)
            for (int axis = 0; axis < 3; ++axis)
                moment[axis] +=
                    stencil.weight[n] * pow((double)stencil.node[n][axis] - position[axis], 1.0 + axis);
        for (int axis = 0; axis < 3; ++axis)
            cr_assert(test_near(moment[axis], 0.0, 1e-12), "axis %d: %g", axis, moment[axis]);
    }
    room_free(room);
}

Test(stencil, within_two_nodes_of_a_wall_it_is_linear)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const double coordinate[4] = {0.25, 1.25, 9.5, 10.5};
    const enum interpolation used[4] = {INTERPOLATION_LINEAR, INTERPOLATION_CUBIC, INTERPOLATION_CUBIC,
                                        INTERPOLATION_LINEAR};
    for (int n = 0; n < 4; ++n) {
        const int64_t base[3] = {5, (int64_t)coordinate[n], 5};
        const struct stencil stencil =
            stencil_at(room, AT(5.25, coordinate[n], 5.5), base, INTERPOLATION_CUBIC);
        cr_assert(stencil.used == used[n], "at %g", coordinate[n]);
        cr_assert(test_near(weight_sum(&stencil), 1.0, 1e-15) && test_near(stencil.shift, 0.0, 1e-14));
        if (used[n] == INTERPOLATION_LINEAR) {
            const double t = coordinate[n] - floor(coordinate[n]);
            cr_assert(stencil.count == 8);
            cr_assert(test_near(weight_at(&stencil, 5, base[1], 5), 0.75 * (1.0 - t) * 0.5, 1e-16));
            cr_assert(test_near(weight_at(&stencil, 6, base[1] + 1, 6), 0.25 * t * 0.5, 1e-16));
        }
    }
    room_free(room);
}

Test(stencil, linear_on_request_is_linear_everywhere)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const struct stencil stencil = stencil_at(room, AT(5.25, 6.5, 5.75), NODE(5, 6, 6), INTERPOLATION_LINEAR);
    cr_assert(stencil.used == INTERPOLATION_LINEAR && stencil.count == 8);
    cr_assert(weight_at(&stencil, 5, 6, 6) == 0.75 * 0.5 * 0.75);
    room_free(room);
}

Test(stencil, corners_behind_a_wall_get_no_weight_unless_a_way_round_it_stays_in_the_cell)
{
    static const struct {
        int64_t wall_from, wall_below; /* in y, between x = 5 and 6 */
        double x;
        int64_t base[3];
        unsigned count;
        int64_t node[2][3];
        double weight[2], shift;
    } cases[] = {
        {0, 12, 5.25, {5, 6, 6}, 2, {{5, 6, 6}, {5, 7, 6}}, {0.5, 0.5}, 0.25},
        /* The wall ends at y = 7: (6,6,6) is reached from (5,6,6) through (5,7,6) and (6,7,6). */
        {0, 7, 5.25, {5, 6, 6}, 4, {{6, 6, 6}, {5, 7, 6}}, {0.125, 0.375}, 0.0},
        /* It starts at y = 7: (5,7,6) is reached from (6,7,6) through (6,6,6) and (5,6,6). */
        {7, 12, 5.75, {6, 7, 6}, 4, {{5, 7, 6}, {6, 6, 6}}, {0.125, 0.375}, 0.0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct lossy_room *room = room_with_wall(12, cases[c].wall_from, cases[c].wall_below);
        const struct stencil stencil =
            stencil_at(room, AT(cases[c].x, 6.5, 6.0), cases[c].base, INTERPOLATION_CUBIC);
        cr_assert(stencil.used == INTERPOLATION_LINEAR && stencil.count == cases[c].count, "case %zu", c);
        for (int n = 0; n < 2; ++n) {
            const int64_t *node = cases[c].node[n];
            cr_assert(weight_at(&stencil, node[0], node[1], node[2]) == cases[c].weight[n], "case %zu", c);
        }
        cr_assert(test_near(stencil.shift, cases[c].shift, 1e-15), "case %zu", c);
        room_free(room);
    }
}

Test(stencil, wild_geometry_gives_air_nodes_in_order_and_weights_of_sum_1_or_0)
{
    struct lossy_room *room = room_ragged(51, 20, 20, 20, 0.3, 0.2, 0);
    uint64_t random = 6;
    for (int trial = 0; trial < 3000; ++trial) {
        const size_t n = (size_t)(test_random(&random) % room_size(room));
        struct stencil stencil;
        int64_t base[3];
        double position[3];
        room_node(room, n, base);
        for (int axis = 0; axis < 3; ++axis)
            position[axis] = (double)base[axis] + test_uniform(&random, -1.0, 1.0);
        for (int gradient = 0; gradient < 2; ++gradient) {
            const int code =
                gradient
                    ? stencil_make_gradient(&room->blocks, position, base, INTERPOLATION_CUBIC, trial % 3,
                                            &stencil, &failure)
                    : stencil_make(&room->blocks, position, base, INTERPOLATION_CUBIC, &stencil, &failure);
            cr_assert(code == (room->link[n] != 0 ? 0 : FAILURE_INPUT));
            if (code != 0)
                continue;
            double size = 0.0;
            for (unsigned k = 0; k < stencil.count; ++k)
                size += fabs(stencil.weight[k]);
            room_check_stencil(room, &stencil);
            cr_assert(test_near(weight_sum(&stencil), gradient ? 0.0 : 1.0, 1e-14));
            cr_assert(stencil.shift >= 0.0 && stencil.shift <= 2.0);
            cr_assert(gradient ? test_at_most(size, 8.0)
                               : stencil.used == INTERPOLATION_CUBIC || test_near(size, 1.0, 1e-14));
        }
    }
    room_free(room);
}

Test(stencil, a_base_that_is_not_air_or_no_corner_of_the_cell_is_refused)
{
    struct lossy_room *room = room_box(6, 6, 6, origin);
    struct stencil stencil;
    const double position[3] = {2.3, 2.3, 2.3}, outside[3] = {-0.4, 2.3, 2.3}, broken[3] = {NAN, 2.3, 2.3};
    const int64_t far[3] = {4, 2, 2}, solid[3] = {-1, 2, 2}, near_wall[3] = {0, 2, 2};
    MUST_FAIL(stencil_make(&room->blocks, position, far, INTERPOLATION_CUBIC, &stencil, &failure),
              FAILURE_INPUT, "corner");
    MUST_FAIL(stencil_make(&room->blocks, outside, solid, INTERPOLATION_CUBIC, &stencil, &failure),
              FAILURE_INPUT, "not air");
    cr_assert(stencil_make(&room->blocks, broken, near_wall, INTERPOLATION_CUBIC, &stencil, &failure) ==
              FAILURE_INPUT);
    /* Between the last node and its wall there is air: the node is there, half a cell of shift at most. */
    MUST(stencil_make(&room->blocks, outside, near_wall, INTERPOLATION_CUBIC, &stencil, &failure));
    cr_assert(test_near(stencil.shift, 0.4, 1e-12));
    room_free(room);
}

/* ---- the gradient ---- */

static double sum_of(const struct stencil *stencil, double (*field)(const double at[3]))
{
    double sum = 0.0;
    for (unsigned n = 0; n < stencil->count; ++n) {
        const double at[3] = {(double)stencil->node[n][0], (double)stencil->node[n][1],
                              (double)stencil->node[n][2]};
        sum += stencil->weight[n] * field(at);
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

static struct stencil gradient_at(const struct lossy_room *room, const double position[3],
                                  const int64_t base[3], enum interpolation wanted, int axis)
{
    struct stencil stencil;
    MUST(stencil_make_gradient(&room->blocks, position, base, wanted, axis, &stencil, &failure));
    cr_assert(test_near(sum_of(&stencil, constant), 0.0, 1e-14));
    cr_assert(stencil.count >= 1 && stencil.count <= STENCIL_NODES_MAX);
    for (unsigned n = 0; n < stencil.count; ++n)
        cr_assert(block_grid_links(&room->blocks, stencil.node[n]) != 0);
    return stencil;
}

/* Of what is at most linear along the axis and across, anywhere, both interpolations. */
Test(stencil, derivatives_of_a_bilinear_field_are_exact)
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
            const struct stencil stencil = gradient_at(room, position, base, wanted, axis);
            cr_assert(stencil.used == wanted);
            cr_assert(test_near(sum_of(&stencil, skew), exact[axis], 1e-11), "axis %d: %g for %g", axis,
                      sum_of(&stencil, skew), exact[axis]);
        }
    }
    room_free(room);
}

/* exp(i k . x) through a stencil, over what it is at the position itself. */
static double complex transfer(const struct stencil *stencil, const double wave[3], const double position[3])
{
    double complex sum = 0.0;
    for (unsigned n = 0; n < stencil->count; ++n) {
        double phase = 0.0;
        for (int axis = 0; axis < 3; ++axis)
            phase += wave[axis] * ((double)stencil->node[n][axis] - position[axis]);
        sum += stencil->weight[n] * cexp(I * phase);
    }
    return sum;
}

/* Against the pressure's own stencil at the same place, so that what the interpolation across takes from both
 * drops out. The bounds are those of stencil.h. */
Test(stencil, a_wave_of_10_5_points_gives_2_sin_half_kh_within_0_03_dB_and_0_014_rad)
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
        struct stencil across;
        const double on_axis[3] = {axis == 0 ? (double)base[0] : position[0],
                                   axis == 1 ? (double)base[1] : position[1],
                                   axis == 2 ? (double)base[2] : position[2]};
        MUST(stencil_make(&room->blocks, on_axis, base, INTERPOLATION_CUBIC, &across, &failure));
        const struct stencil stencil = gradient_at(room, position, base, INTERPOLATION_CUBIC, axis);
        cr_assert(on_node ? stencil.count <= 64 : stencil.count == 64);
        const double complex ratio = transfer(&stencil, wave, position) / transfer(&across, wave, on_axis) /
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
Test(stencil, on_a_plane_of_symmetry_it_is_0)
{
    struct lossy_room *room = room_box(13, 13, 13, origin);
    const double position[3] = {5.3, 6.0 + 1e-13, 5.8};
    const int64_t base[3] = {5, 6, 6};
    for (int wanted = 0; wanted < 2; ++wanted) {
        const struct stencil stencil = gradient_at(room, position, base, (enum interpolation)wanted, 1);
        cr_assert(test_near(sum_of(&stencil, even), 0.0, 1e-11), "%g", sum_of(&stencil, even));
    }
    room_free(room);
}

static double ramp(const double at[3])
{
    return at[0];
}

/* The wall is half a spacing beyond the first node; its link has none of the slope, the next one all of it.
 */
Test(stencil, towards_a_hard_wall_the_normal_part_goes_to_0_and_the_others_stay)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const double away[] = {0.0, 0.1, 0.4, 0.5, 0.75, 1.0}; /* from the wall at -0.5 and 11.5 */
    for (size_t n = 0; n < sizeof away / sizeof away[0]; ++n) {
        const double low[3] = {away[n] - 0.5, 5.3, 6.6}, high[3] = {11.5 - away[n], 5.3, 6.6};
        const int64_t low_base[3] = {0, 5, 7}, high_base[3] = {11, 5, 7};
        const struct stencil first = gradient_at(room, low, low_base, INTERPOLATION_CUBIC, 0),
                             last = gradient_at(room, high, high_base, INTERPOLATION_CUBIC, 0),
                             along = gradient_at(room, low, low_base, INTERPOLATION_CUBIC, 1);
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

/* A thin wall cuts the links from x = 5 to 6: a receiver before it samples nothing of what is behind it. */
Test(stencil, nothing_behind_a_thin_wall_counts)
{
    struct lossy_room *room = room_with_wall(12, 0, 12);
    const double position[3] = {5.2, 6.5, 6.25};
    const int64_t base[3] = {5, 6, 6};
    for (int axis = 0; axis < 3; ++axis) {
        const struct stencil stencil = gradient_at(room, position, base, INTERPOLATION_CUBIC, axis);
        for (unsigned k = 0; k < stencil.count; ++k)
            cr_assert(stencil.node[k][0] <= 5);
        if (axis == 0)
            cr_assert(test_near(sum_of(&stencil, ramp), 0.3, 1e-13), "%g", sum_of(&stencil, ramp));
        else
            cr_assert(
                test_near(sum_of(&stencil, skew), axis == 1 ? -2.0 + 0.25 * 5.0 - 6.25 : 7.0 - 6.5, 1e-12));
    }
    room_free(room);
}

/* Every back end samples the sum that the stencil makes; also of one without any weight. */
Test(stencil, every_back_end_samples_the_same_weighted_sum)
{
    enum { STEPS = 40, EARS = 5 };
    struct lossy_room *room = room_box(20, 16, 16, origin);
    double first[EARS * STEPS];
    struct back_ends all = {.mask = BACK_ENDS_ALL, .one_precision = true, .precision = PRECISION_SINGLE};
    bool begun = false;
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, 0.0, &all.options);
        struct stencil source, ear[EARS];
        const double source_at[3] = {12.3, 7.7, 8.1}, receiver_at[3] = {7.4, 8.0, 6.6},
                     wall[3] = {-0.5, 8.0, 8.2};
        const int64_t source_base[3] = {12, 8, 8}, base[3] = {7, 8, 7}, wall_base[3] = {0, 8, 8};
        MUST(stencil_make(&room->blocks, source_at, source_base, INTERPOLATION_CUBIC, &source, &failure));
        for (int axis = 0; axis < 3; ++axis)
            ear[axis] = gradient_at(room, receiver_at, base, INTERPOLATION_CUBIC, axis);
        ear[3] = gradient_at(room, wall, wall_base, INTERPOLATION_CUBIC, 0);
        ear[4] = gradient_at(room, wall, wall_base, INTERPOLATION_CUBIC, 2);
        MUST(engine_add_source(engine, &source, &failure));
        for (int r = 0; r < EARS; ++r)
            MUST(engine_add_receiver(engine, &ear[r], &failure));
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
