#include "geometry/voxel/lattice.h"
#include "tests/support/outcome.h"

static struct lattice fit(const double low[3], const double high[3], double spacing, const double *phase)
{
    struct lattice lattice = {0};
    MUST(lattice_fit(low, high, spacing, phase, &lattice, &failure));
    return lattice;
}

Test(lattice, a_room_of_whole_cells_has_one_node_a_cell_from_half_a_cell_in)
{
    for (int cells = 1; cells <= 300; cells++) {
        const double spacing = 0.1 / 3, low[3] = {-1.7, 0, 123.4};
        const double high[3] = {low[0] + cells * spacing, cells * spacing, low[2] + cells * spacing};
        const struct lattice lattice = fit(low, high, spacing, NULL);
        for (int axis = 0; axis < 3; axis++) {
            cr_assert(eq(i64, lattice.nodes[axis], cells));
            cr_assert(test_near(lattice.origin[axis], low[axis] + spacing / 2, 1e-12));
        }
    }
}

Test(lattice, a_phase_moves_nodes_onto_the_walls)
{
    const double low[3] = {0.5, 0.5, 0.5}, high[3] = {3.5, 3.5, 3.5}, phase[3] = {0, -7.3, 100};
    const struct lattice lattice = fit(low, high, 0.1, phase);
    for (int axis = 0; axis < 3; axis++) {
        cr_assert(eq(i64, lattice.nodes[axis], 31));
        cr_assert(test_near(lattice.origin[axis], 0.5, 1e-12));
    }
}

Test(lattice, the_origin_is_congruent_to_the_phase_and_the_nodes_cover_the_box)
{
    uint64_t state = 1;
    for (int trial = 0; trial < 2000; trial++) {
        double low[3], high[3], phase[3];
        const double spacing = test_uniform(&state, 0.01, 0.3);
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = test_uniform(&state, -20, 20);
            high[axis] = low[axis] + test_uniform(&state, 0, 10);
            phase[axis] = test_uniform(&state, -5, 5);
        }
        const struct lattice lattice = fit(low, high, spacing, phase);
        for (int axis = 0; axis < 3; axis++) {
            const double steps = (lattice.origin[axis] - phase[axis]) / spacing;
            cr_assert(test_near(steps, round(steps), 1e-9));
            cr_assert(lattice.origin[axis] >= low[axis] - 1e-4 * spacing);
            cr_assert(lattice.origin[axis] < low[axis] + spacing);
            /* The last node is the last one below the snapped wall. */
            const int64_t wall = lattice_snap(&lattice, axis, high[axis]);
            cr_assert(lattice.nodes[axis] == 1 || (lattice.nodes[axis] - 1) * LATTICE_SUBSTEPS < wall);
            cr_assert(lattice.nodes[axis] * LATTICE_SUBSTEPS > wall);
        }
    }
}

Test(lattice, walls_snap_to_the_nearest_odd_sub_step_and_ties_go_up)
{
    const struct lattice lattice = {.spacing = 1024, .origin = {0, 0, 0}, .nodes = {8, 8, 8}};
    cr_assert(eq(i64, lattice_snap(&lattice, 0, 0), 1));
    cr_assert(eq(i64, lattice_snap(&lattice, 0, 2), 3));
    cr_assert(eq(i64, lattice_snap(&lattice, 0, -2), -1));
    cr_assert(eq(i64, lattice_snap(&lattice, 0, 1024), 1025));
    uint64_t state = 2;
    for (int trial = 0; trial < 10000; trial++) {
        const double position = test_uniform(&state, -5000, 5000);
        const int64_t snapped = lattice_snap(&lattice, 1, position);
        cr_assert(eq(i64, llabs(snapped % 2), 1));
        cr_assert(fabs((double)snapped - position) <= 1.0625, "%.17g snapped to %lld", position,
                  (long long)snapped);
    }
}

Test(lattice, a_wall_on_a_node_snaps_the_same_way_from_single_precision)
{
    /* Node 300 of a grid of 0.1 m, as a float and as a double may write it. */
    const struct lattice lattice = {.spacing = 0.1, .origin = {0, 0, 0}, .nodes = {400, 400, 400}};
    cr_assert(eq(i64, lattice_snap(&lattice, 0, 30.0), 300 * 1024 + 1));
    cr_assert(eq(i64, lattice_snap(&lattice, 0, nextafter(30.0, 0)), 300 * 1024 + 1));
    cr_assert(eq(i64, lattice_snap(&lattice, 0, nextafterf(30.0f, 0)), 300 * 1024 + 1));
    cr_assert(eq(i64, lattice_snap(&lattice, 0, nextafterf(30.0f, 100)), 300 * 1024 + 1));
}

Test(lattice, position_and_coordinate_are_inverse)
{
    const struct lattice lattice = {.spacing = 0.023, .origin = {-3, 4, 55}, .nodes = {10, 10, 10}};
    double position[3], coordinate[3];
    lattice_position(&lattice, (const int64_t[3]){7, -1, 900}, position);
    cr_assert(test_near(position[1], 4 - 0.023, 1e-12));
    lattice_coordinate(&lattice, position, coordinate);
    cr_assert(test_near(coordinate[0], 7, 1e-9));
    cr_assert(test_near(coordinate[2], 900, 1e-9));
    cr_assert(eq(i64, lattice_substep(&lattice, 2, position[2]), 900 * 1024));
}

Test(lattice, what_cannot_be_gridded_is_refused_with_its_reason)
{
    const double low[3] = {0, 0, 0}, high[3] = {100, 10, 10}, wild[3] = {0, NAN, 0};
    struct lattice lattice = {.spacing = -7};
    cr_assert(eq(int, lattice_fit(low, high, 0, NULL, &lattice, &failure), FAILURE_INPUT));
    cr_assert(eq(int, lattice_fit(low, high, NAN, NULL, &lattice, &failure), FAILURE_INPUT));
    cr_assert(eq(int, lattice_fit(low, wild, 0.1, NULL, &lattice, &failure), FAILURE_INPUT));
    cr_assert(eq(int, lattice_fit(low, high, 0.1, wild, &lattice, &failure), FAILURE_INPUT));
    MUST_FAIL(lattice_fit(low, high, 1e-5, NULL, &lattice, &failure), FAILURE_CAPACITY, "1048576");
    cr_assert(eq(dbl, lattice.spacing, -7));
}
