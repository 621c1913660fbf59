#include "geometry/base/vector.h"
#include "geometry/leak/gap.h"
#include "geometry/leak/leak.h"
#include "geometry/voxel/wall_distance.h"
#include "rooms/shapes/room_shape.h"
#include "tests/support/flooded_room.h"
#include "tests/support/holed_room.h"
#include "tests/support/test_support.h"

#define SPACING 0.05

struct scene {
    struct mesh mesh;
    struct cut_field field;
};

static void scene_cut(struct scene *scene, double spacing)
{
    const struct lattice lattice = fit(&scene->mesh, spacing);
    MUST(cut_field_make(&scene->mesh, &lattice, 2, &scene->field, &failure));
}

static void scene_free(struct scene *scene)
{
    mesh_free(&scene->mesh);
    cut_field_free(&scene->field);
}

static void node_near(const struct lattice *lattice, const double position[3], int64_t node[3])
{
    double coordinate[3];
    lattice_coordinate(lattice, position, coordinate);
    for (int axis = 0; axis < 3; ++axis)
        node[axis] = llround(coordinate[axis]);
}

/* Search from the node at a place; the path that comes back must be whole: from the seed, link by uncut link,
 * out of the box. */
static int search(const struct scene *scene, const double seed[3], struct voxel_leak *leak,
                  struct failure *why)
{
    const struct lattice *lattice = &scene->field.lattice;
    int64_t node[3], at[3], next[3];
    node_near(lattice, seed, node);
    const int code = leak_find(&scene->mesh, &scene->field, node, "source \"S1\"", leak, why);
    if (code != FAILURE_INPUT)
        return code;
    cr_assert(test_above((double)(leak->point_count), (double)(1)));
    node_near(lattice, leak->point[0], at);
    cr_assert(memcmp(at, node, sizeof at) == 0, "the path does not start at the seed's node");
    for (size_t n = 0; n + 1 < leak->point_count; ++n) {
        int steps = 0, direction = 0;
        node_near(lattice, leak->point[n + 1], next);
        for (int axis = 0; axis < 3; ++axis) {
            steps += abs((int)(next[axis] - at[axis]));
            if (next[axis] != at[axis])
                direction = 2 * axis + (next[axis] > at[axis]);
        }
        cr_assert(eq(int, steps, 1), "step %zu of the path is no link", n);
        cr_assert(not(cut_field_is_cut(&scene->field, at, (enum direction)direction)),
                  "link %zu of %zu of the path is cut", n, leak->point_count - 1);
        memcpy(at, next, sizeof at);
    }
    cr_assert(not(lattice_has(lattice, at)), "the path ends inside the box");
    return code;
}

/* A box of `high` with a hole in one face, square where it is not round. */
static void add_holed_box(struct scene *scene, const struct room_pose *pose, const double high[3], int face,
                          int round, double width, double turn, const double centre[2])
{
    double hole[32][2];
    const size_t corners = room_hole(round, width, turn, centre, hole);
    room_add_box(&scene->mesh, pose, (const double[3]){0, 0, 0}, high, face, (const double(*)[2])hole,
                 corners);
}

/* From `seed` (before the room is turned) a gap is found within `off` of `place`, and `width` wide (0: any)
 * within `tolerance`. Frees the scene. */
static void assert_gap(struct scene *scene, const struct room_pose *pose, double spacing,
                       const double seed[3], const double place[3], double off, double width,
                       double tolerance)
{
    struct voxel_leak leak;
    double turned_seed[3], turned_place[3];
    scene_cut(scene, spacing);
    room_pose_place(pose, seed, turned_seed);
    room_pose_place(pose, place, turned_place);
    cr_assert(eq(int, search(scene, turned_seed, &leak, &failure), FAILURE_INPUT));
    cr_assert(test_near(vector_distance(leak.gap, turned_place), 0, off), "%s", failure.sentence);
    cr_assert(width == 0 || test_near(leak.gap_size, width, tolerance), "%s", failure.sentence);
    voxel_leak_free(&leak);
    scene_free(scene);
}

/* A rotated box of 12 to 30 h with one hole of 1 to 5 h anywhere in a face. */
static void random_holed_box(uint64_t *state, struct scene *scene, double *width, double hole_centre[3],
                             double seed[3])
{
    const struct room_pose pose = room_pose_random(state);
    double high[3], local[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; ++axis)
        high[axis] = SPACING * test_uniform(state, 12, 30);
    const int face = (int)(test_random(state) % 6), round = (int)(test_random(state) % 2);
    const int axis = face / 2, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    *width = SPACING * test_uniform(state, 1, 5);
    const double border = 0.75 * *width;
    const double centre[2] = {test_uniform(state, border, high[u] - border),
                              test_uniform(state, border, high[v] - border)};
    add_holed_box(scene, &pose, high, face, round, *width, test_uniform(state, 0, 6), centre);
    local[axis] = face % 2 ? high[axis] : 0;
    local[u] = centre[0];
    local[v] = centre[1];
    room_pose_place(&pose, local, hole_centre);
    for (int n = 0; n < 3; ++n)
        local[n] = high[n] * test_uniform(state, 0.3, 0.7);
    room_pose_place(&pose, local, seed);
}

/* Asked for are 2 h for the place and h for the size; over 300 such holes they came out within 0.26 h and
 * 0.15 h. */
Test(leak, fifty_random_holes_are_found_where_they_are)
{
    uint64_t state = 20;
    int leaks = 0;
    for (int room = 0; room < 200 && leaks < 50; ++room) {
        struct scene scene = {0};
        struct voxel_leak leak;
        double width, centre[3], seed[3];
        random_holed_box(&state, &scene, &width, centre, seed);
        scene_cut(&scene, SPACING);
        const int code = search(&scene, seed, &leak, &failure);
        if (code == FAILURE_INPUT) {
            ++leaks;
            cr_assert(test_near(vector_distance(leak.gap, centre), 0, 0.5 * SPACING),
                      "room %d, hole of %g h: %g h off", room, width / SPACING,
                      vector_distance(leak.gap, centre) / SPACING);
            cr_assert(test_near(leak.gap_size, width, 0.25 * SPACING), "room %d, hole of %g h: size %g h",
                      room, width / SPACING, leak.gap_size / SPACING);
        } else {
            cr_assert(eq(int, code, 0), "%s", failure.sentence);
            cr_assert(lt(dbl, width, 2 * SPACING), "a hole of %g h lets a link through", width / SPACING);
        }
        voxel_leak_free(&leak);
        scene_free(&scene);
    }
    cr_assert(eq(int, leaks, 50));
}

Test(leak, a_closed_room_has_none)
{
    uint64_t state = 3;
    for (int room = 0; room < 5; ++room) {
        const struct room_pose pose = room_pose_random(&state);
        const double low[3] = {0, 0, 0}, high[3] = {1.1, 0.9, 0.8}, local[3] = {0.4, 0.4, 0.4};
        struct scene scene = {0};
        struct voxel_leak leak = {.point_count = 99};
        double seed[3];
        room_add_box(&scene.mesh, &pose, low, high, -1, NULL, 0);
        room_pose_place(&pose, local, seed);
        scene_cut(&scene, SPACING);
        MUST(search(&scene, seed, &leak, &failure));
        cr_assert(eq(sz, leak.point_count, 0));
        cr_assert(leak.point == NULL);
        scene_free(&scene);
    }
}

/* Two rooms behind each other, with a door in the wall between and a hole in the far room's outer wall, which
 * the inner wall hides from the seed. */
Test(leak, a_hole_behind_a_door_is_distinguished_from_it)
{
    uint64_t state = 5;
    for (int turned = 0; turned < 4; ++turned) {
        const struct room_pose pose = turned == 0 ? room_pose_none() : room_pose_random(&state);
        const double centre[2] = {0.6, 0.6};
        double door[32][2];
        struct scene scene = {0};
        add_holed_box(&scene, &pose, (const double[3]){3, 1.2, 1.2}, 1, 1, 0.2, 0, centre);
        const size_t corners = room_hole(0, 0.6, 0.785398163397448, centre, door);
        room_add_panel(&scene.mesh, &pose, (const double[3]){1, 0, 0}, (const double[3]){0, 1.2, 0},
                       (const double[3]){0, 0, 1.2}, (const double(*)[2])door, corners);
        assert_gap(&scene, &pose, SPACING, (const double[3]){0.3, 0.15, 0.2}, (const double[3]){3, 0.6, 0.6},
                   0.5 * SPACING, 0.2, 0.1 * SPACING);
    }
}

/* A screen stands between the seed and a hole in the floor: no straight line leads there. */
Test(leak, the_path_goes_round_a_screen)
{
    uint64_t state = 15;
    for (int turned = 0; turned < 6; ++turned) {
        const struct room_pose pose = turned == 0 ? room_pose_none() : room_pose_random(&state);
        struct scene scene = {0};
        add_holed_box(&scene, &pose, (const double[3]){3, 1.2, 1.2}, 4, 1, 0.2, 0,
                      (const double[2]){1.75, 0.6});
        room_add_panel(&scene.mesh, &pose, (const double[3]){1.5, 0, 0}, (const double[3]){0, 1.2, 0},
                       (const double[3]){0, 0, 0.95}, NULL, 0);
        assert_gap(&scene, &pose, 0.02, (const double[3]){1.3, 0.6, 0.2}, (const double[3]){1.75, 0.6, 0},
                   0.01, 0, 0);
    }
}

Test(leak, a_seed_close_to_a_wall_is_not_taken_for_the_gap)
{
    const struct room_pose pose = room_pose_none();
    struct scene scene = {0};
    add_holed_box(&scene, &pose, (const double[3]){1.5, 1.2, 1}, 0, 1, 5 * SPACING, 0,
                  (const double[2]){0.6, 0.5});
    assert_gap(&scene, &pose, SPACING, (const double[3]){0.8, 0.6, 0.6 * SPACING},
               (const double[3]){0, 0.6, 0.5}, 0.25 * SPACING, 0, 0);
}

Test(leak, the_widest_of_several_holes_is_reported)
{
    uint64_t state = 8;
    const struct room_pose pose = room_pose_random(&state);
    const double corner[6][3] = {{0, 0, 0}, {1.5, 0, 0}, {0, 0, 0}, {0, 1.2, 0}, {0, 0, 0}, {0, 0, 1}};
    const double side[3][3] = {{1.5, 0, 0}, {0, 1.2, 0}, {0, 0, 1}};
    const double widths[6] = {2.5, 3.5, 4.7, 2, 3, 4}, centre[2] = {0.4, 0.45};
    struct scene scene = {0};
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
        double hole[32][2];
        const size_t corners = room_hole(face % 2, widths[face] * SPACING, 0.4, centre, hole);
        room_add_panel(&scene.mesh, &pose, corner[face], side[u], side[v], (const double(*)[2])hole, corners);
    }
    assert_gap(&scene, &pose, SPACING, (const double[3]){0.7, 0.6, 0.5}, (const double[3]){0.4, 0, 0.45},
               0.25 * SPACING, 4.7 * SPACING, 0.1 * SPACING);
}

/* Blocks far from walls are searched whole: a hall of 200 x 160 x 140 nodes with a door of 20 h, then a slit.
 */
Test(leak, large_halls_are_searched_by_blocks)
{
    uint64_t state = 13;
    const double widths[2] = {20 * SPACING, 1.5 * SPACING};
    for (int n = 0; n < 2; ++n) {
        const struct room_pose pose = room_pose_random(&state);
        struct scene scene = {0};
        add_holed_box(&scene, &pose, (const double[3]){10, 8, 7}, 1, 0, widths[n], 0.3,
                      (const double[2]){3, 4});
        assert_gap(&scene, &pose, SPACING, (const double[3]){6, 3, 1.5}, (const double[3]){10, 3, 4},
                   0.05 * widths[n] + 0.25 * SPACING, widths[n], fmax(0.02 * widths[n], 0.1 * SPACING));
    }
}

static double inscribed_diameter(const double a[3], const double b[3], const double c[3])
{
    const double ab = vector_distance(a, b), bc = vector_distance(b, c), ca = vector_distance(c, a),
                 half = 0.5 * (ab + bc + ca);
    return 2 * sqrt(fmax(0, (half - ab) * (half - bc) * (half - ca) / half));
}

/* A face lost from a church is found, whatever its shape: the widest place in a triangle is its inscribed
 * circle, unless another wall comes closer. */
Test(leak, a_triangle_missing_from_a_church_is_found)
{
    const double spacing = 0.15;
    uint64_t state = 17;
    int leaks = 0;
    for (int n = 0; n < 16; ++n) {
        struct scene scene = {0};
        struct mesh lost = {0};
        struct clearance tree = {0};
        struct voxel_leak leak;
        double corner[3][3], seed[3];
        MUST(room_build(room_shape_find("church"), NULL, &scene.mesh, &failure));
        struct mesh *mesh = &scene.mesh;
        memcpy(seed, mesh->marker[0].position, sizeof seed);
        const size_t last = --mesh->triangle_count, gone = test_random(&state) % last;
        for (int k = 0; k < 3; ++k) {
            memcpy(corner[k], mesh->vertex[mesh->triangle[gone][k]], sizeof corner[k]);
            MUST(mesh_add_vertex(&lost, corner[k], NULL, &failure));
        }
        MUST(mesh_add_triangle(&lost, (const uint32_t[3]){0, 1, 2}, 0, &failure));
        memcpy(mesh->triangle[gone], mesh->triangle[last], sizeof mesh->triangle[0]);
        mesh->triangle_material[gone] = mesh->triangle_material[last];
        scene_cut(&scene, spacing);
        if (search(&scene, seed, &leak, &failure) == FAILURE_INPUT) {
            ++leaks;
            MUST(clearance_make(&lost, &tree, &failure));
            cr_assert(lt(dbl, clearance_at(&tree, leak.gap, INFINITY), 0.5 * spacing), "%s",
                      failure.sentence);
            const double widest = inscribed_diameter(corner[0], corner[1], corner[2]);
            cr_assert(lt(dbl, leak.gap_size, widest + 0.25 * spacing), "%s", failure.sentence);
            cr_assert(test_above(leak.gap_size, 0.5 * widest - spacing), "%s", failure.sentence);
        }
        clearance_free(&tree);
        mesh_free(&lost);
        voxel_leak_free(&leak);
        scene_free(&scene);
    }
    cr_assert(test_at_least((double)(leaks), (double)(6)));
}

/* A room of 2 x 1.2 m without a roof: the gap is where the model ends. */
Test(leak, a_missing_roof_is_a_gap_at_the_models_edge)
{
    const struct room_pose pose = room_pose_none();
    const double x[3] = {2, 0, 0}, y[3] = {0, 1.2, 0}, z[3] = {0, 0, 1}, seed[3] = {0.5, 0.6, 0.4};
    const double corner[4][3] = {{0, 0, 0}, {0, 1.2, 0}, {2, 0, 0}};
    struct scene scene = {0};
    struct voxel_leak leak;
    room_add_panel(&scene.mesh, &pose, corner[0], x, y, NULL, 0);
    room_add_panel(&scene.mesh, &pose, corner[0], x, z, NULL, 0);
    room_add_panel(&scene.mesh, &pose, corner[0], y, z, NULL, 0);
    room_add_panel(&scene.mesh, &pose, corner[1], x, z, NULL, 0);
    room_add_panel(&scene.mesh, &pose, corner[2], y, z, NULL, 0);
    scene_cut(&scene, SPACING);
    cr_assert(eq(int, search(&scene, seed, &leak, &failure), FAILURE_INPUT));
    cr_assert(test_near(leak.gap_size, 1, 0.2 + SPACING), "%s", failure.sentence);
    cr_assert(test_near(leak.gap[2], 1, SPACING), "%s", failure.sentence);
    voxel_leak_free(&leak);
    scene_free(&scene);
}

Test(leak, the_sentence_says_what_to_do)
{
    const double widths[2] = {0.06, 0.4};
    for (int n = 0; n < 2; ++n) {
        const struct room_pose pose = room_pose_none();
        const double seed[3] = {0.7, 0.6, 0.5};
        struct scene scene = {0};
        struct voxel_leak leak;
        add_holed_box(&scene, &pose, (const double[3]){1.5, 1.2, 1}, 0, 0, widths[n], 0.785398163397448,
                      (const double[2]){0.6, 0.5});
        scene_cut(&scene, 0.02);
        MUST_FAIL(search(&scene, seed, &leak, &failure), FAILURE_INPUT, "source \"S1\"");
        cr_assert(strstr(failure.sentence, n == 0 ? "6.0 cm" : "40.0 cm") != NULL, "%s", failure.sentence);
        cr_assert(strstr(failure.fix, "door") != NULL && strstr(failure.fix, "face") != NULL);
        cr_assert(failure.advice == ADVICE_OPEN_OR_SEAL);
        cr_assert(eq(int, failure.advice_value > 0, n == 0), "%g m", failure.advice_value);
        voxel_leak_free(&leak);
        scene_free(&scene);
    }
}

/* Distances to a box from outside and inside have a closed form. */
Test(leak, clearance_is_the_distance_to_the_nearest_face)
{
    uint64_t state = 4;
    const struct room_pose pose = room_pose_random(&state);
    const double low[3] = {0, 0, 0}, high[3] = {2, 1, 0.7};
    struct mesh mesh = {0};
    struct clearance tree = {0};
    room_add_box(&mesh, &pose, low, high, -1, NULL, 0);
    MUST(clearance_make(&mesh, &tree, &failure));
    for (int n = 0; n < 2000; ++n) {
        double local[3], place[3], outside = 0, inside = INFINITY;
        for (int axis = 0; axis < 3; ++axis) {
            local[axis] = test_uniform(&state, -0.5, high[axis] + 0.5);
            const double past = fmax(0, fmax(-local[axis], local[axis] - high[axis]));
            outside += past * past;
            inside = fmin(inside, fmin(local[axis], high[axis] - local[axis]));
        }
        room_pose_place(&pose, local, place);
        const double expected = outside > 0 ? sqrt(outside) : inside;
        cr_assert(test_near(clearance_at(&tree, place, INFINITY), expected, 1e-12));
        cr_assert(test_near(clearance_at(&tree, place, 0.1), fmin(expected, 0.1), 1e-12));
    }
    clearance_free(&tree);
    mesh_free(&mesh);
}

/* Level 1 has a cut link; level n + 1 is a step from level n: along axes for even n, any of 26 paths for odd
 * n. */
Test(leak, wall_distances_are_those_of_their_definition)
{
    enum { SIDE = 80 };
    static uint8_t level[SIDE][SIDE][SIDE];
    uint64_t state = 6;
    const struct room_pose pose = room_pose_random(&state);
    const double low[3] = {0, 0, 0}, high[3] = {1.5, 1.3, 1.1};
    struct scene scene = {0};
    struct wall_distance walls = {0};
    room_add_box(&scene.mesh, &pose, low, high, -1, NULL, 0);
    scene_cut(&scene, SPACING);
    MUST(wall_distance_make(&scene.field, &walls, &failure));
    const int64_t *nodes = scene.field.lattice.nodes;
    for (int axis = 0; axis < 3; ++axis)
        cr_assert(lt(i64, nodes[axis] + 16, SIDE));
    for (int z = 0; z < SIDE; ++z) {
        for (int y = 0; y < SIDE; ++y) {
            for (int x = 0; x < SIDE; ++x) {
                const int64_t node[3] = {x - 8, y - 8, z - 8};
                for (int direction = 0; direction < DIRECTIONS; ++direction)
                    level[z][y][x] |= cut_field_is_cut(&scene.field, node, (enum direction)direction);
            }
        }
    }
    for (int reached = 1; reached + 1 < WALL_LEVELS; ++reached) {
        for (int n = 0; n < SIDE * SIDE * SIDE; ++n) {
            const int x = n % SIDE, y = n / SIDE % SIDE, z = n / SIDE / SIDE;
            for (int around = 0; level[z][y][x] == 0 && around < 27; ++around) {
                const int dx = around % 3 - 1, dy = around / 3 % 3 - 1, dz = around / 9 - 1;
                const bool along = abs(dx) + abs(dy) + abs(dz) == 1;
                if ((along || reached % 2 == 1) && x + dx >= 0 && x + dx < SIDE && y + dy >= 0 &&
                    y + dy < SIDE && z + dz >= 0 && z + dz < SIDE && level[z + dz][y + dy][x + dx] == reached)
                    level[z][y][x] = (uint8_t)(reached + 1);
            }
        }
    }
    size_t near_nodes = 0;
    for (size_t n = 0; n < walls.near_count; ++n) {
        for (unsigned slot = 0; slot < 512; ++slot) {
            const int x = 8 * walls.near[n].place[0] + (int)(slot & 7) + 8;
            const int y = 8 * walls.near[n].place[1] + (int)(slot >> 3 & 7) + 8;
            const int z = 8 * walls.near[n].place[2] + (int)(slot >> 6) + 8;
            const int expected = level[z][y][x] == 0 ? WALL_LEVELS : level[z][y][x];
            cr_assert(eq(int, walls.level[n][slot], expected), "node (%d, %d, %d)", x - 8, y - 8, z - 8);
            near_nodes += expected < WALL_LEVELS;
            level[z][y][x] = 0;
        }
    }
    cr_assert(test_above((double)(near_nodes), (double)(1000)));
    for (int n = 0; n < SIDE * SIDE * SIDE; ++n) /* all others are far */
        cr_assert(eq(int, level[n / SIDE / SIDE][n / SIDE % SIDE][n % SIDE], 0));
    wall_distance_free(&walls);
    scene_free(&scene);
}

Test(leak, the_trough_is_where_a_way_narrows_most)
{
    const double door_then_hole[9] = {1, 2, 0.9, 1.5, 5, 3, 0.5, 2, 4};
    const double from_a_wall[6] = {0.1, 0.5, 2, 1, 1.5, 3};
    const double never[4] = {0.5, 1, 0.95, 2};
    cr_assert(eq(sz, gap_trough(door_then_hole, 9, 0), 6));
    cr_assert(eq(sz, gap_trough(from_a_wall, 6, 0), 3));
    cr_assert(eq(sz, gap_trough(never, 4, 0), 4));
}

Test(leak, no_gap_is_printed_as_0_cm)
{
    static const struct {
        double size;
        const char *text;
    } gap[] = {
        {0, "less than 0.1 mm"}, {1e-4, "0.1 mm"}, {9.9e-3, "9.9 mm"}, {0.2, "20.0 cm"}, {1.5, "1.50 m"}};
    for (size_t n = 0; n < sizeof gap / sizeof *gap; ++n) {
        char text[LEAK_WIDTH_MAX];
        cr_assert(eq(str, (char *)leak_width(gap[n].size, text), (char *)gap[n].text));
    }
}
