/* Where the points of receiver grids stand, and which of them are left out. */
#include "src/draw/map_drawing.h"
#include "src/setup/area/receiver_area.h"
#include "src/setup/receiver_grid.h"
#include "tests/support/flooded_room.h"
#include "tests/support/outcome.h"

#define H 0.2 /* of the grid [m] */

/* A hall of 8 x 6 x 5 m with a floor of its own, and what a test puts into it. */
static struct mesh mesh;
static struct block_grid air;
static struct clearance tree;
static enum surface_use use[16];

static void begin_hall(void)
{
    const uint16_t wall = solid_material(&mesh, "plaster"), floor = solid_material(&mesh, "Stone_Floor");
    const uint16_t face[6] = {wall, wall, wall, wall, floor, wall};
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){8, 6, 5}, face, -1);
}

static void leave_hall(void)
{
    clearance_free(&tree);
    block_grid_free(&air);
    mesh_free(&mesh);
}

TestSuite(receiver_grid, .init = begin_hall, .fini = leave_hall);

static void put_box(const char *name, const double low[3], const double high[3])
{
    const uint16_t m = solid_material(&mesh, name), face[6] = {m, m, m, m, m, m};
    solid_box(&mesh, NULL, low, high, face, -1);
}

static struct block_grid air_on(const struct lattice *lattice)
{
    struct block_grid grid = {0};
    struct voxels voxels = flood_room(&mesh, lattice, source_at(7.5, 5.5, 4.5));
    MUST(block_grid_pack(&voxels, &grid, &failure));
    voxels_free(&voxels);
    return grid;
}

static void finish_hall(void)
{
    const struct lattice lattice = fit(&mesh, H);
    air = air_on(&lattice);
    MUST(clearance_make(&mesh, &tree, &failure));
    struct material_library library = {0};
    MUST(material_library_load(&library, &failure));
    for (size_t m = 0; m < mesh.material_count; m++)
        use[m] = surface_use_of(&library, mesh.material[m], NULL);
    material_library_free(&library);
}

static int make(const struct option_grid *asked, struct receiver_grid *out)
{
    const struct point_request request = {.grid_spacing = 1, .grid_height = 1.2};
    static const double source[1][3] = {{7.5, 5.5, 4.5}};
    const struct receiver_air in = {.tree = &tree, .use = use, .grid = &air, .sources = 1, .source = source};
    failure = (struct failure){0};
    return receiver_grid_make(&in, &request, asked, out, &failure);
}

static struct receiver_grid made(const struct option_grid *asked)
{
    struct receiver_grid grid = {0};
    MUST(make(asked, &grid));
    return grid;
}

static void expect_place(const struct receiver_grid *grid, size_t index, double x, double y, double z)
{
    const double *at = grid->position[index];
    cr_assert(test_near(at[0], x, 1e-12) && test_near(at[1], y, 1e-12) && test_near(at[2], z, 1e-12),
              "point %zu at %.17g %.17g %.17g instead of %g %g %g", index, at[0], at[1], at[2], x, y, z);
}

#define POLYGON(...)                                                                                         \
    .corner = (double[][3]){__VA_ARGS__}, .corners = sizeof((double[][3]){__VA_ARGS__}) / (3 * sizeof(double))

/* Floor 0.1 (x - 1), as its corners have it. */
Test(receiver_grid, an_L_of_12_squares_has_a_point_in_the_middle_of_each)
{
    finish_hall();
    const struct option_grid asked = {
        .name = "L", POLYGON({1, 1, 0}, {5, 1, 0.4}, {5, 3, 0.4}, {3, 3, 0.2}, {3, 5, 0.2}, {1, 5, 0})};
    struct receiver_grid grid = made(&asked);
    cr_assert(eq(sz, grid.count, 12));
    size_t n = 0;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < (row < 2 ? 4 : 2); column++, n++)
            expect_place(&grid, n, 1.5 + column, 1.5 + row, 0.1 * (0.5 + column) + 1.2);
    char name[MAP_POINT_NAME_MAX];
    cr_assert(eq(str, (char *)map_point_name(grid.name, 11, name), "L-12"));
    for (size_t i = 0; i < grid.count; i++)
        for (int axis = 0; axis < 3; axis++)
            cr_assert(test_at_most(fabs((double)grid.node[i][axis] * H + H / 2 - grid.position[i][axis]),
                                   H / 2 + 1e-9));
    receiver_grid_free(&grid);

    /* The other way round, a height of its own, and squares that do not fill the box: a margin on both sides.
     */
    const struct option_grid turned = {
        .name = "L",
        .spacing = 1.5,
        .height = 0.7,
        POLYGON({1, 5, 0}, {3, 5, 0}, {3, 3, 0}, {5, 3, 0}, {5, 1, 0}, {1, 1, 0})};
    grid = made(&turned);
    cr_assert(eq(sz, grid.count, 3));
    expect_place(&grid, 0, 2.25, 2.25, 0.7);
    expect_place(&grid, 1, 3.75, 2.25, 0.7);
    expect_place(&grid, 2, 2.25, 3.75, 0.7);
    receiver_grid_free(&grid);
}

Test(receiver_grid, points_follow_a_sloping_material_at_the_height_of_the_ears)
{
    const uint16_t ramp = solid_material(&mesh, "Ramp.001");
    const double corner[4][3] = {{1, 1, 0}, {1, 5, 0}, {7, 5, 2}, {7, 1, 2}}; /* its face turned down */
    solid_quad(&mesh, NULL, corner, ramp);
    /* A face of the same material that is steeper than 45 degrees is no floor. */
    const double steep[4][3] = {{7, 1, 2}, {7.5, 1, 3.5}, {7.5, 5, 3.5}, {7, 5, 2}};
    solid_quad(&mesh, NULL, steep, ramp);
    finish_hall();
    const struct option_grid asked = {.name = "seats", .material = "ramp"};
    struct receiver_grid grid = made(&asked);
    cr_assert(eq(sz, grid.count, 24));
    for (size_t n = 0; n < 24; n++)
        expect_place(&grid, n, 1.5 + (double)(n % 6), 1.5 + (double)(n / 6),
                     (0.5 + (double)(n % 6)) / 3 + 1.2);
    receiver_grid_free(&grid);
}

Test(receiver_grid, a_gallery_and_the_floor_below_it_both_have_points)
{
    put_box("Stone_Floor", (const double[3]){1, 1, 2.5}, (const double[3]){4, 5, 2.7});
    finish_hall();
    const struct option_grid asked = {.name = "all", .material = "stone floor"};
    struct receiver_grid grid = made(&asked);
    /* The underside of the gallery has its own top over it. */
    cr_assert(eq(sz, grid.count, 48 + 12));
    cr_assert(eq(sz, grid.covered, 12));
    cr_assert(eq(sz, grid.solid + grid.confined, 0));
    expect_place(&grid, 0, 0.5, 0.5, 1.2);
    expect_place(&grid, 9, 1.5, 1.5, 1.2);
    expect_place(&grid, 10, 1.5, 1.5, 3.9);
    receiver_grid_free(&grid);
}

Test(receiver_grid, what_furniture_and_walls_swallow_is_left_out_and_counted)
{
    put_box("pew", (const double[3]){5, 2, 0}, (const double[3]){6, 4, 0.9});
    put_box("cupboard", (const double[3]){2, 2, 0}, (const double[3]){3, 3, 2});
    put_box("lamp", (const double[3]){1.65, 0.45, 1.1}, (const double[3]){1.75, 0.55, 1.3});
    finish_hall();
    const struct option_grid floor = {.name = "floor", .material = "Stone_Floor"};
    struct receiver_grid grid = made(&floor);
    cr_assert(eq(sz, grid.covered, 2), "under the pew");
    cr_assert(eq(sz, grid.solid, 1), "in the cupboard");
    cr_assert(eq(sz, grid.confined, 1), "0.15 m beside the lamp");
    cr_assert(eq(sz, grid.count, 44));
    for (size_t i = 0; i < grid.count; i++)
        cr_assert(test_at_least(clearance_at(&tree, grid.position[i], 1), H));
    receiver_grid_free(&grid);
    /* Nor do they stand in the source, which is 7.5 m along, 5.5 m across and 4.5 m high. */
    const struct option_grid high = {.name = "high", .height = 4.45, .material = "Stone_Floor"};
    grid = made(&high);
    cr_assert(eq(sz, grid.confined, 1), "at the source");
    receiver_grid_free(&grid);
    /* On a polygon people sit where the pew stands, 1.2 m above its corners. */
    const struct option_grid polygon = {.name = "floor", POLYGON({0, 0, 0}, {8, 0, 0}, {8, 6, 0}, {0, 6, 0})};
    grid = made(&polygon);
    cr_assert(eq(sz, grid.covered, 0));
    cr_assert(eq(sz, grid.solid, 1), "in the cupboard");
    cr_assert(eq(sz, grid.confined, 1));
    cr_assert(eq(sz, grid.count, 46));
    receiver_grid_free(&grid);
}

/* ---- where people sit ---- */

static const struct option_grid audience = {.name = "audience"};

/* Of the points over x, y in the box, as many as `count`, each with its ears at z. */
static void expect_over(const struct receiver_grid *grid, const double low[2], const double high[2],
                        size_t count, double z)
{
    size_t found = 0;
    for (size_t i = 0; i < grid->count; i++) {
        const double *at = grid->position[i];
        if (at[0] < low[0] || at[0] > high[0] || at[1] < low[1] || at[1] > high[1])
            continue;
        cr_assert(test_near(at[2], z, 1e-12), "ears at %g instead of %g m", at[2], z);
        found++;
    }
    cr_assert(eq(sz, found, count), "over %g..%g, %g..%g", low[0], high[0], low[1], high[1]);
}

#define OVER(...) ((const double[2]){__VA_ARGS__})

Test(receiver_grid, an_audience_sits_on_floor_and_pews_and_on_no_table_altar_or_organ)
{
    put_box("Kirchenbank", (const double[3]){1, 1, 0}, (const double[3]){3, 5, 0.95});
    put_box("oak table", (const double[3]){4, 0.2, 0.7}, (const double[3]){6, 1.8, 0.8});
    put_box("Organ Pipes", (const double[3]){4, 4, 0}, (const double[3]){6, 6, 3});
    put_box("Marble", (const double[3]){7, 2, 0}, (const double[3]){8, 4, 1.05}); /* as many floors are */
    finish_hall();
    struct receiver_grid grid = made(&audience);
    cr_assert(eq(dbl, grid.spacing, 1));
    expect_over(&grid, OVER(1, 1), OVER(3, 5), 8, 1.2);
    expect_over(&grid, OVER(4, 0), OVER(6, 2), 0, 0);
    expect_over(&grid, OVER(4, 4), OVER(6, 6), 0, 0);
    expect_over(&grid, OVER(7, 2), OVER(8, 4), 0, 0);
    cr_assert(eq(sz, grid.count, 48 - 4 - 4 - 2));
    receiver_grid_free(&grid);
}

Test(receiver_grid, seats_are_heard_from_the_floor_beneath_whatever_that_is_made_of)
{
    put_box("plaster", (const double[3]){0.5, 0.5, 0.2}, (const double[3]){3.5, 5.5, 0.4}); /* a platform */
    put_box("chairs", (const double[3]){1, 1, 0.8}, (const double[3]){3, 5, 0.9});
    put_box("seats", (const double[3]){5, 1, 2.5}, (const double[3]){7, 5, 2.55}); /* with no floor near */
    finish_hall();
    struct receiver_grid grid = made(&audience);
    expect_over(&grid, OVER(1, 1), OVER(3, 5), 8, 0.4 + 1.2);
    size_t high = 0;
    for (size_t i = 0; i < grid.count; i++)
        high += test_near(grid.position[i][2], 2.5 + 1.2, 1e-12);
    cr_assert(eq(sz, high, 8));
    receiver_grid_free(&grid);
}

Test(receiver_grid, an_audience_drawn_as_a_block_sits_on_the_floor_beside_it)
{
    mesh_free(&mesh);
    const uint16_t wall = solid_material(&mesh, "plaster"), floor = solid_material(&mesh, "Stone_Floor"),
                   people = solid_material(&mesh, "audience");
    const uint16_t of_hall[6] = {wall, wall, wall, wall, floor, wall},
                   of_block[6] = {people, people, people, people, wall, people};
    /* The block's own bottom, which counts as no floor, lies deep below. */
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){8, 6, 5}, of_hall, -1);
    solid_box(&mesh, NULL, (const double[3]){2, 1, -3}, (const double[3]){6, 5, 0.8}, of_block, -1);
    for (size_t t = 0; t < mesh.triangle_count; t++)
        if (mesh.triangle_material[t] == floor)
            mesh.triangle_material[t] = people; /* and the floor under it is not told apart */
    const double low[3] = {0, 0, 0}, high[3] = {1.9, 6, 5};
    solid_panel(&mesh, NULL, 2, 0, (const double[2]){low[0], low[1]}, (const double[2]){high[0], high[1]},
                floor);
    finish_hall();
    struct receiver_grid grid = made(&audience);
    expect_over(&grid, OVER(2, 1), OVER(6, 5), 16, 1.2);
    receiver_grid_free(&grid);
}

Test(receiver_grid, an_audience_of_a_large_hall_has_at_most_200_points_unless_a_spacing_is_given)
{
    mesh_free(&mesh);
    const uint16_t wall = solid_material(&mesh, "plaster"), floor = solid_material(&mesh, "Stone_Floor");
    const uint16_t face[6] = {wall, wall, wall, wall, floor, wall};
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){30, 21, 5}, face, -1);
    finish_hall();
    struct receiver_grid grid = made(&audience);
    cr_assert(eq(dbl, grid.spacing, 1.8));
    cr_assert(eq(sz, grid.count, 16 * 11));
    receiver_grid_free(&grid);
    const struct option_grid asked = {.name = "audience", .spacing = 1};
    grid = made(&asked);
    cr_assert(eq(sz, grid.count, 30 * 21));
    receiver_grid_free(&grid);
}

Test(receiver_grid, a_room_without_a_name_has_its_audience_on_the_floor)
{
    for (size_t m = 0; m < mesh.material_count; m++)
        strcpy(mesh.material[m], "plaster");
    finish_hall();
    struct receiver_grid grid = made(&audience);
    expect_over(&grid, OVER(0, 0), OVER(8, 6), 48, 1.2);
    receiver_grid_free(&grid);
}

Test(receiver_grid, what_is_no_area_or_has_no_point_is_refused_with_the_reason)
{
    const struct {
        struct option_grid asked;
        const char *words;
    } refused[] = {
        {{.name = "a", .material = "stone flor"}, "did you mean \"Stone_Floor\"?"},
        {{.name = "a", .material = "velvet"},
         "no surface of the model is called \"velvet\"; `transept check` lists them"},
        {{.name = "a", POLYGON({1, 1, 0}, {2, 1, 0})}, "has 2 corners; it needs 3 to 1000"},
        {{.name = "a", POLYGON({1, 1, 0}, {2, 2, 0}, {3, 3, 0})}, "its area in plan is only"},
        {{.name = "bow", POLYGON({1, 1, 0}, {3, 3, 0}, {3, 1, 0}, {1, 3, 0})},
         "receiver grid bow: the polygon crosses or touches itself: its side from corner 1 meets that from "
         "corner 3"},
        {{.name = "a", POLYGON({1, 1, 0}, {5, 1, 0}, {5, 4, 0}, {3, 1, 0}, {1, 4, 0})},
         "crosses or touches itself"},
        {{.name = "a", POLYGON({20, 1, 0}, {22, 1, 0}, {22, 3, 0}, {20, 3, 0})},
         "no point is left 1.2 m above the floor: 0 are covered by something over the floor, 4 are not in "
         "the air of the source"},
        {{.name = "thin", POLYGON({1, 1, 0}, {5, 1, 0}, {5, 1.1, 0}, {1.1, 1.1, 0}, {1.1, 5, 0}, {1, 5, 0})},
         "no point of a grid of 1 m lies on the area: use a smaller spacing"},
    };
    finish_hall();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct receiver_grid grid = {0};
        MUST_FAIL(make(&refused[i].asked, &grid), FAILURE_INPUT, refused[i].words);
        cr_assert(grid.count == 0 && grid.position == NULL);
    }
}

Test(receiver_grid, more_than_1024_points_are_refused_with_a_spacing_that_fits)
{
    finish_hall();
    struct option_grid asked = {.name = "fine", .material = "Stone_Floor", .spacing = 0.2};
    struct receiver_grid grid = {0};
    cr_assert(eq(int, make(&asked, &grid), FAILURE_INPUT));
    /* 40 x 30 squares, the outermost 0.1 m from a wall */
    const char *const words = "has 1064 points at a spacing of 0.2 m; a file takes 1024: a spacing of ";
    const char *const at = strstr(failure.sentence, words);
    cr_assert(at != NULL, "%s", failure.sentence);
    size_t points = 0;
    cr_assert(eq(int, sscanf(at + strlen(words), "%lf m fits (%zu points)", &asked.spacing, &points), 2));
    grid = made(&asked);
    cr_assert(eq(sz, grid.count, points));
    cr_assert(points > 900 && points <= 1024, "%zu", points);
    receiver_grid_free(&grid);
    asked.spacing = 0.001;
    MUST_FAIL(make(&asked, &grid), FAILURE_CAPACITY,
              "48 m2 at a spacing of 0.001 m are about 4.8e+07 points; use a spacing of at least 0.03 m");
}

Test(receiver_grid, the_same_points_are_laid_on_an_offset_grid)
{
    finish_hall();
    const struct option_grid asked = {.name = "floor", .material = "Stone_Floor"};
    struct receiver_grid grid = made(&asked), moved = {0};
    struct lattice lattice;
    const double origin[3] = {H, H, H};
    cr_assert(eq(
        int, lattice_fit((const double[3]){0, 0, 0}, (const double[3]){8, 6, 5}, H, origin, &lattice, NULL),
        0));
    struct block_grid other = air_on(&lattice);
    MUST(receiver_grid_move(&grid, &other, &moved, &failure));
    cr_assert(eq(sz, moved.count, 48));
    cr_assert(memcmp(moved.position, grid.position, 48 * sizeof *grid.position) == 0);
    for (size_t i = 0; i < moved.count; i++) {
        struct stencil tap;
        MUST(stencil_make(&other, moved.position[i], moved.node[i], INTERPOLATION_CUBIC, &tap, &failure));
    }
    receiver_grid_free(&moved);
    grid.position[7][2] = -1;
    MUST_FAIL(receiver_grid_move(&grid, &other, &moved, &failure), FAILURE_INPUT,
              "point floor-8 of a receiver grid");
    receiver_grid_free(&grid);
    block_grid_free(&other);
}
