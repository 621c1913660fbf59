/* Plans become closed meshes that enclose exactly their cells, however the cells meet. */
#include "rooms/shapes/floor_plan.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/outcome.h"

static const struct plan_finish finish = {
    .floor = "floor", .ceiling = "ceiling", .wall = "wall", .riser = "riser"};

static struct mesh raise_plan(struct floor_plan *plan)
{
    struct mesh mesh = {0};
    MUST(floor_plan_raise(plan, &mesh, &failure));
    floor_plan_free(plan);
    return mesh;
}

Test(floor_plan, ceilings_that_cross_meet_in_a_common_corner)
{
    /* Over the common edge of length 1 one ceiling rises from 2 to 4 m and the other falls from 4 to 2 m: two
     * triangles of wall with a base of 2 m and a height of 0.5 m stand between them, and eighteen around. */
    struct floor_plan plan = {0};
    floor_plan_rectangle(&plan, 0, 0, 1, 1, 0, (const double[4]){2, 2, 4, 4}, &finish);
    floor_plan_rectangle(&plan, 1, 0, 2, 1, 0, (const double[4]){4, 4, 2, 2}, &finish);
    struct mesh mesh = raise_plan(&plan);
    cr_expect(is_watertight(&mesh));
    cr_expect(test_near(enclosed_volume(&mesh), 6, 1e-9));
    cr_expect(test_near(area_of_material(&mesh, "wall"), 19, 1e-9));
    mesh_free(&mesh);
}

Test(floor_plan, a_step_shows_its_riser_and_a_face_replaces_wall)
{
    struct floor_plan plan = {0};
    floor_plan_rectangle(&plan, 0, 0, 4, 4, 0, (const double[4]){3, 3, 3, 3}, &finish);
    floor_plan_rectangle(&plan, 4, 1, 6, 3, 0.5, (const double[4]){3, 3, 3, 3}, &finish);
    /* A pane with a slanted head in the south wall, and one in the opening, where there is no wall. */
    floor_plan_face(&plan, (const double[2]){1, 0}, (const double[2]){3, 0}, 1, 2, 2.5, "glass");
    floor_plan_face(&plan, (const double[2]){4, 1.5}, (const double[2]){4, 2.5}, 1, 2, 2, "glass");
    struct mesh mesh = raise_plan(&plan);
    cr_expect(is_watertight(&mesh));
    cr_expect(test_near(enclosed_volume(&mesh), 48 + 4 * 2.5, 1e-9));
    cr_expect(test_near(area_of_material(&mesh, "glass"), 2.5, 1e-9));
    cr_expect(test_near(area_of_material(&mesh, "riser"), 2 * 0.5, 1e-9));
    cr_expect(test_near(area_of_material(&mesh, "wall"), 14 * 3 + 6 * 2.5 - 2.5, 1e-9));
    mesh_free(&mesh);
}

Test(floor_plan, faces_above_one_another_keep_their_heights_in_either_order)
{
    for (int order = 0; order < 2; ++order) {
        struct floor_plan plan = {0};
        floor_plan_rectangle(&plan, 0, 0, 4, 4, 0, (const double[4]){9, 9, 9, 9}, &finish);
        for (int i = 0; i < 2; ++i) {
            const bool door = (i == 0) == (order == 0);
            floor_plan_face(&plan, (const double[2]){door ? 1 : 0.5, 0}, (const double[2]){door ? 3 : 3.5, 0},
                            door ? 0 : 4, door ? 3 : 8, door ? 3 : 8, door ? "door" : "glass");
        }
        struct mesh mesh = raise_plan(&plan);
        cr_expect(is_watertight(&mesh));
        cr_expect(test_near(area_of_material(&mesh, "door"), 6, 1e-9));
        cr_expect(test_near(area_of_material(&mesh, "glass"), 12, 1e-9));
        mesh_free(&mesh);
    }
}

/* Cut a rectangle in two until the pieces are small; every piece is a cell with its own sloping ceiling and
 * its own floor, or is left out. Pieces meet along parts of edges, with ceilings that cross. */
static double add_pieces(struct floor_plan *plan, uint64_t *state, double x0, double y0, double x1, double y1)
{
    const double longer = fmax(x1 - x0, y1 - y0);
    if (longer > 2 && (longer > 8 || test_uniform(state, 0, 1) < 0.8)) {
        const double part = test_uniform(state, 0.25, 0.75);
        /* Whole steps of the plan, so that the sum of volumes is exact but for rounding of heights. */
        if (x1 - x0 == longer) {
            const double x = floor((x0 + part * longer) * 64) / 64;
            return add_pieces(plan, state, x0, y0, x, y1) + add_pieces(plan, state, x, y0, x1, y1);
        }
        const double y = floor((y0 + part * longer) * 64) / 64;
        return add_pieces(plan, state, x0, y0, x1, y) + add_pieces(plan, state, x0, y, x1, y1);
    }
    if (test_uniform(state, 0, 1) < 0.15)
        return 0;
    const double floor_height = floor(test_uniform(state, 0, 4)) / 4;
    const double base = 3 + floor(test_uniform(state, 0, 3)),
                 slope[2] = {test_uniform(state, -0.2, 0.2), test_uniform(state, -0.2, 0.2)};
    const double dx = slope[0] * (x1 - x0) / 2, dy = slope[1] * (y1 - y0) / 2;
    const double ceiling[4] = {base - dx - dy, base + dx - dy, base + dx + dy, base - dx + dy};
    floor_plan_rectangle(plan, x0, y0, x1, y1, floor_height, ceiling, &finish);
    return (x1 - x0) * (y1 - y0) * (base - floor_height);
}

Test(floor_plan, random_plans_are_closed_and_enclose_the_sum_of_their_cells)
{
    uint64_t state = 5;
    for (int i = 0; i < 200; ++i) {
        struct floor_plan plan = {0};
        const double volume = add_pieces(&plan, &state, 0, 0, 20, 16);
        struct mesh mesh = raise_plan(&plan);
        struct mesh_census census;
        cr_assert(mesh_count_oddities(&mesh, &census, NULL) == 0);
        cr_assert(is_watertight(&mesh), "plan %d of seed 5", i);
        cr_assert(census.duplicate == 0, "plan %d of seed 5", i);
        cr_assert(test_near(enclosed_volume(&mesh), volume, 320 * 0.5 / FLOOR_PLAN_STEPS),
                  "plan %d of seed 5: %g", i, enclosed_volume(&mesh) - volume);
        mesh_free(&mesh);
    }
}
