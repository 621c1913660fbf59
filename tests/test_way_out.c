/** What run.json tells of the ways out of a room that is not closed: rooms with holes of known place and
 * size, run by the built program. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "src/taut_path.h"
#include "tests/holed_room.h"
#include "tests/program_run.h"

TestSuite(way_out, .init = enter_folder, .fini = leave_folder);

#define FMAX    "--fmax", "355", "--absorption", "0.1", "--duration", "0.05", "--quiet"
#define SPACING 0.0921 /* at 355 Hz, rounded up [m] */

static const double LOW[3] = {0, 0, 0}, HIGH[3] = {4, 3, 2.5}, SOURCE[3] = {1, 1, 1.2};

static void write_mesh(const char *path, const struct mesh *mesh)
{
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    fputs("o room\nusemtl wall\n", file);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        fprintf(file, "v %.9g %.9g %.9g\n", mesh->vertex[v][0], mesh->vertex[v][1], mesh->vertex[v][2]);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        fprintf(file, "f %u %u %u\n", mesh->triangle[t][0] + 1, mesh->triangle[t][1] + 1,
                mesh->triangle[t][2] + 1);
    fclose(file);
}

/* A room of 4 x 3 x 2.5 m with holes low..high of the faces at x = 4 and y = 3, where high is above low. */
static void make_room(struct mesh *mesh, const double end[2][2], const double side[2][2])
{
    const struct room_pose pose = room_pose_none();
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
        const double(*hole)[2] = face == 1 ? end : face == 3 ? side : NULL;
        double corner[3] = {0, 0, 0}, side_u[3] = {0, 0, 0}, side_v[3] = {0, 0, 0}, corners[4][2];
        if (face % 2)
            corner[axis] = HIGH[axis];
        side_u[u] = HIGH[u];
        side_v[v] = HIGH[v];
        const size_t count = hole != NULL && hole[1][0] > hole[0][0] ? 4 : 0;
        for (size_t c = 0; c < count; c++) {
            corners[c][0] = hole[c == 1 || c == 2][0];
            corners[c][1] = hole[c >= 2][1];
        }
        room_add_panel(mesh, &pose, corner, side_u, side_v, (const double(*)[2])corners, count);
    }
}

static cJSON *leaks_of(cJSON *record)
{
    cJSON *leaks = cJSON_GetObjectItemCaseSensitive(record, "leaks");
    cr_assert(cJSON_IsArray(leaks), "run.json tells of no leaks");
    return leaks;
}

static void read_point(const cJSON *item, double point[3])
{
    cr_assert(eq(int, cJSON_GetArraySize(item), 3));
    for (int axis = 0; axis < 3; axis++)
        point[axis] = cJSON_GetArrayItem(item, axis)->valuedouble;
}

static double apart(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* The path begins at the source, passes the place, ends outside the box, and no wall of the mesh stands in
 * it. Returns how many points it has. */
static int check_path(const struct mesh *mesh, const cJSON *leak, const double high[3])
{
    const cJSON *path = cJSON_GetObjectItem(leak, "path_m");
    const int count = cJSON_GetArraySize(path);
    double place[3], point[3], before[3];
    bool passed = false, out = false;
    read_point(cJSON_GetObjectItem(leak, "position_m"), place);
    cr_assert(cJSON_IsArray(path) && count >= 3);
    read_point(cJSON_GetArrayItem(path, 0), before);
    cr_assert(test_near(apart(before, SOURCE), 0, 1e-6));
    for (int p = 1; p < count; p++) {
        read_point(cJSON_GetArrayItem(path, p), point);
        passed = passed || apart(point, place) < 1e-9;
        for (size_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t *corner = mesh->triangle[t];
            cr_assert(not(segment_meets_triangle(before, point, mesh->vertex[corner[0]],
                                                 mesh->vertex[corner[1]], mesh->vertex[corner[2]])),
                      "the way passes a wall between %g %g %g and %g %g %g", before[0], before[1], before[2],
                      point[0], point[1], point[2]);
        }
        memcpy(before, point, sizeof before);
    }
    for (int axis = 0; axis < 3; axis++)
        out = out || point[axis] > high[axis] || point[axis] < LOW[axis];
    cr_assert(passed && out, "passed %d, out %d", passed, out);
    return count;
}

#define PLACES "--source", "1,1,1.2,S1", "--receiver", "3,2,1.2"

Test(way_out, an_open_run_tells_where_the_hole_is_how_wide_and_how_large)
{
    struct mesh mesh = {0};
    make_room(&mesh, (const double[2][2]){{1, 1}, {1.8, 1.6}}, (const double[2][2]){{0, 0}, {0, 0}});
    write_mesh("hole.obj", &mesh);
    expect_status(RUN("simulate", "hole.obj", FMAX, PLACES, "--open", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json"), *leaks = leaks_of(record), *leak = leaks->child;
    double place[3];
    cr_assert(eq(int, cJSON_GetArraySize(leaks), 1));
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(leak, "sealed")));
    cr_assert(eq(str, (char *)text_of(leak, "from"), "S1"));
    read_point(cJSON_GetObjectItem(leak, "position_m"), place);
    /* Of a hole 0.8 m long and 0.6 m high every place on its middle line is as narrow as the others. */
    cr_assert(test_near(place[0], 4, SPACING) && test_near(place[1], 1.4, 0.1 + 0.02) &&
                  test_near(place[2], 1.3, 0.02),
              "%g %g %g", place[0], place[1], place[2]);
    cr_assert(test_near(number(leak, "gap_m"), 0.6, 0.01));
    cr_assert(test_near(number(leak, "area_m2"), number(record, "open_face_area_m2"), 1e-12));
    /* Every side of it is known to a spacing. */
    cr_assert(test_near(number(leak, "area_m2"), 0.48, SPACING * (0.8 + 0.6)));
    /* It is seen from the source. */
    cr_assert(eq(int, check_path(&mesh, leak, HIGH), 3));
    cJSON_Delete(record);
    mesh_free(&mesh);
}

Test(way_out, the_way_is_taut_round_a_wall_and_through_none)
{
    struct mesh mesh = {0};
    const struct room_pose pose = room_pose_none();
    make_room(&mesh, (const double[2][2]){{0.2, 1}, {0.8, 1.6}}, (const double[2][2]){{0, 0}, {0, 0}});
    /* A wall across the room at x = 2, which leaves the last metre along y open. */
    room_add_panel(&mesh, &pose, (const double[3]){2, 0, 0}, (const double[3]){0, 2, 0},
                   (const double[3]){0, 0, 2.5}, NULL, 0);
    write_mesh("hole.obj", &mesh);
    expect_status(RUN("simulate", "hole.obj", FMAX, PLACES, "--open", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json"), *leak = leaks_of(record)->child;
    double length = 0, before[3], point[3];
    const int count = check_path(&mesh, leak, HIGH);
    const cJSON *path = cJSON_GetObjectItem(leak, "path_m");
    for (int p = 1; p < count; p++) {
        read_point(cJSON_GetArrayItem(path, p - 1), before);
        read_point(cJSON_GetArrayItem(path, p), point);
        length += apart(before, point);
        double place[3];
        read_point(cJSON_GetObjectItem(leak, "position_m"), place);
        if (apart(point, place) < 1e-9)
            break;
    }
    /* From the source round the edge (2, 2) and on to the hole, all but level. */
    const double straight = hypot(1, 1) + hypot(2, 1.5);
    cr_assert(test_at_least(length, straight - 0.05) && test_at_most(length, straight + 0.1), "%g", length);
    cJSON_Delete(record);
    mesh_free(&mesh);
}

Test(way_out, every_opening_of_a_room_that_fills_its_box_is_told)
{
    struct mesh mesh = {0};
    make_room(&mesh, (const double[2][2]){{1, 1}, {1.8, 1.6}}, (const double[2][2]){{0.5, 0.5}, {1, 1}});
    write_mesh("hole.obj", &mesh);
    expect_status(RUN("simulate", "hole.obj", FMAX, PLACES, "--open", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json"), *leaks = leaks_of(record), *leak;
    bool end = false, side = false;
    double area = 0;
    cr_assert(eq(int, cJSON_GetArraySize(leaks), 2));
    cJSON_ArrayForEach(leak, leaks)
    {
        double place[3];
        read_point(cJSON_GetObjectItem(leak, "position_m"), place);
        end = end || apart(place, (const double[3]){4, 1.4, 1.3}) < 0.1 + SPACING;
        side = side || apart(place, (const double[3]){0.75, 3, 0.75}) < SPACING;
        area += number(leak, "area_m2");
        check_path(&mesh, leak, HIGH);
    }
    cr_assert(end && side);
    cr_assert(test_near(area, number(record, "open_face_area_m2"), 1e-12));
    cJSON_Delete(record);
    mesh_free(&mesh);
}

Test(way_out, of_a_hole_inside_the_box_no_area_is_told)
{
    struct mesh mesh = {0};
    const struct room_pose pose = room_pose_none();
    make_room(&mesh, (const double[2][2]){{1, 1}, {1.8, 1.6}}, (const double[2][2]){{0, 0}, {0, 0}});
    /* Something stands outside, 2 m away, so that the box around the model is larger than the room. */
    room_add_panel(&mesh, &pose, (const double[3]){6, 0, 0}, (const double[3]){0, 0.5, 0},
                   (const double[3]){0, 0, 0.5}, NULL, 0);
    write_mesh("hole.obj", &mesh);
    expect_status(RUN("simulate", "hole.obj", FMAX, PLACES, "--open", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json"), *leaks = leaks_of(record), *leak = leaks->child;
    double place[3];
    cr_assert(eq(int, cJSON_GetArraySize(leaks), 1));
    read_point(cJSON_GetObjectItem(leak, "position_m"), place);
    cr_assert(test_near(place[0], 4, 0.05), "%g", place[0]);
    cr_assert(test_near(number(leak, "gap_m"), 0.6, 0.01));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(leak, "area_m2")));
    check_path(&mesh, leak, (const double[3]){6, 3, 2.5});
    cJSON_Delete(record);
    mesh_free(&mesh);
}

Test(way_out, a_crack_that_was_sealed_is_told_with_the_way_through_it)
{
    struct mesh mesh = {0};
    make_room(&mesh, (const double[2][2]){{1, 1.3}, {1.8, 1.31}}, (const double[2][2]){{0, 0}, {0, 0}});
    write_mesh("crack.obj", &mesh);
    /* A node in the plane of the crack, so that the grid sees it. */
    expect_status(RUN("simulate", "crack.obj", FMAX, PLACES, "--grid-origin", "0,0,1.305", "-o", "leaky"), 2);
    expect_status(RUN("simulate", "crack.obj", FMAX, PLACES, "--grid-origin", "0,0,1.305", "--seal", "2cm",
                      "-o", "run"),
                  0);
    cJSON *record = read_json("run/run.json"), *leaks = leaks_of(record), *leak = leaks->child;
    double place[3];
    cr_assert(eq(int, cJSON_GetArraySize(leaks), 1));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(leak, "sealed")));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(leak, "area_m2")));
    cr_assert(test_near(number(leak, "gap_m"), 0.01, 0.001));
    read_point(cJSON_GetObjectItem(leak, "position_m"), place);
    cr_assert(test_near(place[0], 4, 0.01) && test_near(place[1], 1.4, 0.4) &&
                  test_near(place[2], 1.305, 0.005),
              "%g %g %g", place[0], place[1], place[2]);
    check_path(&mesh, leak, HIGH);
    cJSON_Delete(record);
    mesh_free(&mesh);
}

Test(way_out, of_an_open_run_that_was_sealed_too_both_are_told)
{
    struct mesh mesh = {0};
    make_room(&mesh, (const double[2][2]){{1, 1.3}, {1.8, 1.31}}, (const double[2][2]){{0.5, 0.5}, {1, 1}});
    write_mesh("both.obj", &mesh);
    expect_status(RUN("simulate", "both.obj", FMAX, PLACES, "--grid-origin", "0,0,1.305", "--seal", "2cm",
                      "--open", "-o", "run"),
                  0);
    cJSON *record = read_json("run/run.json"), *leaks = leaks_of(record);
    double place[3];
    cr_assert(eq(int, cJSON_GetArraySize(leaks), 2));
    const cJSON *open = cJSON_GetArrayItem(leaks, 0), *sealed = cJSON_GetArrayItem(leaks, 1);
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(open, "sealed")));
    read_point(cJSON_GetObjectItem(open, "position_m"), place);
    cr_assert(test_near(place[1], 3, SPACING));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(sealed, "sealed")));
    read_point(cJSON_GetObjectItem(sealed, "position_m"), place);
    cr_assert(test_near(place[0], 4, SPACING));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(sealed, "path_m")));
    cJSON_Delete(record);
    mesh_free(&mesh);
}

Test(way_out, a_closed_room_has_none_whether_it_may_be_open_or_not)
{
    struct mesh mesh = {0};
    make_room(&mesh, (const double[2][2]){{0, 0}, {0, 0}}, (const double[2][2]){{0, 0}, {0, 0}});
    write_mesh("closed.obj", &mesh);
    expect_status(RUN("simulate", "closed.obj", FMAX, PLACES, "-o", "plain"), 0);
    expect_status(RUN("simulate", "closed.obj", FMAX, PLACES, "--open", "--seal", "2cm", "-o", "run"), 0);
    static const char *const file[] = {"plain/run.json", "run/run.json"};
    for (int i = 0; i < 2; i++) {
        cJSON *record = read_json(file[i]);
        cr_assert(eq(int, cJSON_GetArraySize(leaks_of(record)), 0));
        cJSON_Delete(record);
    }
    mesh_free(&mesh);
}
