/* Sources and receivers anywhere in a cell. */
#include <math.h>

#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"

static const int64_t origin[3] = {0, 0, 0};

static double weight_sum(const struct tap *tap)
{
    double sum = 0.0;
    for (unsigned n = 0; n < tap->count; ++n)
        sum += tap->weight[n];
    return sum;
}

static double weight_at(const struct tap *tap, int64_t x, int64_t y, int64_t z)
{
    for (unsigned n = 0; n < tap->count; ++n)
        if (tap->node[n][0] == x && tap->node[n][1] == y && tap->node[n][2] == z)
            return tap->weight[n];
    return 0.0;
}

static struct tap tap_at(const struct lossy_room *room, const double position[3], const int64_t base[3],
                         enum interpolation wanted)
{
    struct tap tap;
    MUST(tap_make(&room->blocks, position, base, wanted, &tap, &failure));
    return tap;
}
#define AT(...)   ((const double[3]){__VA_ARGS__})
#define NODE(...) ((const int64_t[3]){__VA_ARGS__})

Test(tap, on_a_node_it_is_that_node)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const int64_t at[2][3] = {{5, 6, 7}, {0, 0, 11}};
    for (int n = 0; n < 2; ++n) {
        const double position[3] = {(double)at[n][0], (double)at[n][1], (double)at[n][2]};
        const struct tap tap = tap_at(room, position, at[n], INTERPOLATION_CUBIC);
        cr_assert(tap.count == 1 && tap.weight[0] == 1.0 && tap.shift == 0.0);
        cr_assert(memcmp(tap.node[0], at[n], sizeof at[n]) == 0);
    }
    room_free(room);
}

Test(tap, cubic_weights_in_the_middle_of_a_cell_are_lagranges)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const double line[4] = {-1.0 / 16.0, 9.0 / 16.0, 9.0 / 16.0, -1.0 / 16.0};
    const struct tap tap = tap_at(room, AT(5.5, 5.5, 5.5), NODE(5, 5, 6), INTERPOLATION_CUBIC);
    cr_assert(tap.used == INTERPOLATION_CUBIC && tap.count == 64);
    room_check_tap(room, &tap);
    for (int z = 0; z < 4; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x)
                cr_assert(
                    test_near(weight_at(&tap, 4 + x, 4 + y, 4 + z), line[x] * line[y] * line[z], 1e-16));
    room_free(room);
}

Test(tap, cubic_weights_are_exact_for_cubic_fields)
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
        const struct tap tap = tap_at(room, position, base, INTERPOLATION_CUBIC);
        cr_assert(tap.used == INTERPOLATION_CUBIC);
        room_check_tap(room, &tap);
        cr_assert(test_near(weight_sum(&tap), 1.0, 1e-14));
        cr_assert(test_near(tap.shift, 0.0, 1e-13));
        for (unsigned n = 0; n < tap.count; ++n)
            for (int axis = 0; axis < 3; ++axis)
                moment[axis] += tap.weight[n] * pow((double)tap.node[n][axis] - position[axis], 1.0 + axis);
        for (int axis = 0; axis < 3; ++axis)
            cr_assert(test_near(moment[axis], 0.0, 1e-12), "axis %d: %g", axis, moment[axis]);
    }
    room_free(room);
}

Test(tap, within_two_nodes_of_a_wall_it_is_linear)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const double coordinate[4] = {0.25, 1.25, 9.5, 10.5};
    const enum interpolation used[4] = {INTERPOLATION_LINEAR, INTERPOLATION_CUBIC, INTERPOLATION_CUBIC,
                                        INTERPOLATION_LINEAR};
    for (int n = 0; n < 4; ++n) {
        const int64_t base[3] = {5, (int64_t)coordinate[n], 5};
        const struct tap tap = tap_at(room, AT(5.25, coordinate[n], 5.5), base, INTERPOLATION_CUBIC);
        cr_assert(tap.used == used[n], "at %g", coordinate[n]);
        cr_assert(test_near(weight_sum(&tap), 1.0, 1e-15) && test_near(tap.shift, 0.0, 1e-14));
        if (used[n] == INTERPOLATION_LINEAR) {
            const double t = coordinate[n] - floor(coordinate[n]);
            cr_assert(tap.count == 8);
            cr_assert(test_near(weight_at(&tap, 5, base[1], 5), 0.75 * (1.0 - t) * 0.5, 1e-16));
            cr_assert(test_near(weight_at(&tap, 6, base[1] + 1, 6), 0.25 * t * 0.5, 1e-16));
        }
    }
    room_free(room);
}

Test(tap, linear_on_request_is_linear_everywhere)
{
    struct lossy_room *room = room_box(12, 12, 12, origin);
    const struct tap tap = tap_at(room, AT(5.25, 6.5, 5.75), NODE(5, 6, 6), INTERPOLATION_LINEAR);
    cr_assert(tap.used == INTERPOLATION_LINEAR && tap.count == 8);
    cr_assert(weight_at(&tap, 5, 6, 6) == 0.75 * 0.5 * 0.75);
    room_free(room);
}

Test(tap, corners_behind_a_wall_get_no_weight_and_the_shift_is_told)
{
    struct lossy_room *room = room_with_wall(12, 0, 12);
    const struct tap tap = tap_at(room, AT(5.25, 6.5, 6.0), NODE(5, 6, 6), INTERPOLATION_CUBIC);
    cr_assert(tap.used == INTERPOLATION_LINEAR && tap.count == 2);
    cr_assert(weight_at(&tap, 5, 6, 6) == 0.5 && weight_at(&tap, 5, 7, 6) == 0.5);
    cr_assert(test_near(tap.shift, 0.25, 1e-15));
    room_free(room);
}

Test(tap, a_corner_joined_the_long_way_round_keeps_its_weight)
{
    /* The wall ends at y = 7: (6,6,6) is reached from (5,6,6) through (5,7,6) and (6,7,6), inside the cell.
     */
    struct lossy_room *room = room_with_wall(12, 0, 7);
    const struct tap tap = tap_at(room, AT(5.25, 6.5, 6.0), NODE(5, 6, 6), INTERPOLATION_CUBIC);
    cr_assert(tap.used == INTERPOLATION_LINEAR && tap.count == 4);
    cr_assert(weight_at(&tap, 6, 6, 6) == 0.125 && weight_at(&tap, 5, 7, 6) == 0.375);
    room_free(room);
}

Test(tap, the_long_way_round_may_lead_back_down)
{
    /* The wall starts at y = 7: (5,7,6) is reached from (6,7,6) through (6,6,6) and (5,6,6). */
    struct lossy_room *room = room_with_wall(12, 7, 12);
    const struct tap tap = tap_at(room, AT(5.75, 6.5, 6.0), NODE(6, 7, 6), INTERPOLATION_CUBIC);
    cr_assert(tap.used == INTERPOLATION_LINEAR && tap.count == 4);
    cr_assert(weight_at(&tap, 5, 7, 6) == 0.125 && weight_at(&tap, 6, 6, 6) == 0.375);
    room_free(room);
}

Test(tap, wild_geometry_keeps_weights_positive_with_sum_one)
{
    struct lossy_room *room = room_ragged(51, 20, 20, 20, 0.3, 0.2, 0);
    uint64_t random = 6;
    for (int trial = 0; trial < 2000; ++trial) {
        const size_t n = (size_t)(test_random(&random) % room_size(room));
        struct tap tap;
        int64_t base[3];
        double position[3];
        room_node(room, n, base);
        for (int axis = 0; axis < 3; ++axis)
            position[axis] = (double)base[axis] + test_uniform(&random, -1.0, 1.0);
        const int code = tap_make(&room->blocks, position, base, INTERPOLATION_CUBIC, &tap, &failure);
        cr_assert(code == 0 ? room->link[n] != 0 : room->link[n] == 0);
        if (code != 0)
            continue;
        room_check_tap(room, &tap);
        cr_assert(test_near(weight_sum(&tap), 1.0, 1e-14));
        cr_assert(tap.shift >= 0.0 && tap.shift <= 2.0);
        for (unsigned k = 0; k < tap.count; ++k)
            cr_assert(tap.used == INTERPOLATION_CUBIC ||
                      (tap.weight[k] >= 0.0 && tap.weight[k] <= 1.0 + 1e-15));
    }
    room_free(room);
}

Test(tap, a_base_that_is_not_air_or_no_corner_of_the_cell_is_refused)
{
    struct lossy_room *room = room_box(6, 6, 6, origin);
    struct tap tap;
    const double position[3] = {2.3, 2.3, 2.3}, outside[3] = {-0.4, 2.3, 2.3}, broken[3] = {NAN, 2.3, 2.3};
    const int64_t far[3] = {4, 2, 2}, solid[3] = {-1, 2, 2}, near_wall[3] = {0, 2, 2};
    MUST_FAIL(tap_make(&room->blocks, position, far, INTERPOLATION_CUBIC, &tap, &failure), FAILURE_INPUT,
              "corner");
    MUST_FAIL(tap_make(&room->blocks, outside, solid, INTERPOLATION_CUBIC, &tap, &failure), FAILURE_INPUT,
              "not air");
    cr_assert(tap_make(&room->blocks, broken, near_wall, INTERPOLATION_CUBIC, &tap, &failure) ==
              FAILURE_INPUT);
    /* Between the last node and its wall there is air: the node is there, half a cell of shift at most. */
    MUST(tap_make(&room->blocks, outside, near_wall, INTERPOLATION_CUBIC, &tap, &failure));
    cr_assert(test_near(tap.shift, 0.4, 1e-12));
    room_free(room);
}
