/** What run.json tells of the ways out of a room that is not closed: rooms with holes of known place and
 * size, run by the built program. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "rooms/materials/absorption.h"
#include "src/base/json_memory.h"
#include "src/path/shortest_path.h"
#include "src/run/way_out.h"
#include "tests/support/holed_room.h"
#include "tests/support/program_run.h"

TestSuite(way_out, .init = enter_folder, .fini = leave_folder);

#define FMAX    "--fmax", "355", "--absorption", "0.1", "--duration", "0.05", "--quiet"
#define SPACING 0.0921 /* at 355 Hz, rounded up [m] */

static const double LOW[3] = {0, 0, 0}, HIGH[3] = {4, 3, 3}, SOURCE[3] = {1, 1, 1.2};

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

/* A room of 4 x 3 x 3 m with holes low..high of the faces at x = 4 and y = 3, where high is above low. */
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

Test(way_out, a_doorway_has_an_area_though_its_narrowest_place_is_found_before_it)
{
    /* The chapel of the tutorial, whose doorway of 1.2 x 2.2 m in the wall at x = 0 has no door. */
    expect_status(RUN("simulate", test_source_file("rooms/examples/tutorial/chapel_open.glb"), "--fmax",
                      "355", "--duration", "0.02", "--quiet", "--open", "-o", "run"),
                  0);
    cJSON *record = read_json("run/run.json"), *leaks = leaks_of(record), *leak = leaks->child;
    double place[3];
    cr_assert(eq(int, cJSON_GetArraySize(leaks), 1));
    read_point(cJSON_GetObjectItem(leak, "position_m"), place);
    cr_assert(test_near(place[0], 0, 0.3) && test_near(place[1], 3.5, 0.05), "%g %g", place[0], place[1]);
    cr_assert(test_near(number(leak, "gap_m"), 1.2, 0.03), "%g", number(leak, "gap_m"));
    cr_assert(test_near(number(leak, "area_m2"), 1.2 * 2.2, SPACING * (1.2 + 2.2)));
    cJSON_Delete(record);
}

Test(way_out, the_way_is_taut_round_a_wall_and_through_none)
{
    struct mesh mesh = {0};
    const struct room_pose pose = room_pose_none();
    make_room(&mesh, (const double[2][2]){{0.2, 1}, {0.8, 1.6}}, (const double[2][2]){{0, 0}, {0, 0}});
    /* A wall across the room at x = 2, which leaves the last metre along y open. */
    room_add_panel(&mesh, &pose, (const double[3]){2, 0, 0}, (const double[3]){0, 2, 0},
                   (const double[3]){0, 0, 3}, NULL, 0);
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

/* Something stands outside of the wall with the hole, so that the box around the model is larger than the
 * room. */
static void expect_no_area(double outside)
{
    struct mesh mesh = {0};
    const struct room_pose pose = room_pose_none();
    make_room(&mesh, (const double[2][2]){{1, 1}, {1.8, 1.6}}, (const double[2][2]){{0, 0}, {0, 0}});
    room_add_panel(&mesh, &pose, (const double[3]){outside, 0, 0}, (const double[3]){0, 0.5, 0},
                   (const double[3]){0, 0, 0.5}, NULL, 0);
    write_mesh("hole.obj", &mesh);
    expect_status(RUN("simulate", "hole.obj", FMAX, PLACES, "--open", "--force", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json"), *leaks = leaks_of(record), *leak = leaks->child;
    double place[3];
    cr_assert(eq(int, cJSON_GetArraySize(leaks), 1));
    read_point(cJSON_GetObjectItem(leak, "position_m"), place);
    cr_assert(test_near(place[0], 4, 0.05), "%g", place[0]);
    cr_assert(test_near(number(leak, "gap_m"), 0.6, 0.01));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(leak, "area_m2")), "%g m outside", outside);
    check_path(&mesh, leak, (const double[3]){outside, 3, 3});
    cJSON_Delete(record);
    mesh_free(&mesh);
}

Test(way_out, of_a_hole_inside_the_box_no_area_is_told)
{
    expect_no_area(6);
    expect_no_area(4.1);
}

Test(way_out, the_area_of_a_window_is_not_told_for_a_narrower_hole_before_it)
{
    struct mesh mesh = {0};
    const struct room_pose pose = room_pose_none();
    make_room(&mesh, (const double[2][2]){{0.5, 0.5}, {2.5, 2.5}}, (const double[2][2]){{0, 0}, {0, 0}});
    room_add_panel(&mesh, &pose, (const double[3]){2, 0, 0}, (const double[3]){0, 3, 0},
                   (const double[3]){0, 0, 3},
                   (const double[4][2]){{1.2, 1}, {1.8, 1}, {1.8, 1.6}, {1.2, 1.6}}, 4);
    write_mesh("two.obj", &mesh);
    expect_status(RUN("simulate", "two.obj", FMAX, PLACES, "--open", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json"), *leak = leaks_of(record)->child;
    double place[3];
    read_point(cJSON_GetObjectItem(leak, "position_m"), place);
    cr_assert(test_near(place[0], 2, 0.05), "%g", place[0]);
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(leak, "area_m2")));
    check_path(&mesh, leak, HIGH);
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

/* ---- without memory ---- */

static long allowed;

static void *scarce(size_t bytes)
{
    return allowed-- > 0 ? malloc(bytes) : NULL;
}

Test(way_out, without_memory_for_the_record_there_is_none_and_nothing_is_lost)
{
    double path[3][3] = {{1, 1, 1}, {4, 1, 1}, {5, 1, 1}};
    struct way_out way[2] = {
        {.from = "S1", .position = {4, 1, 1}, .width = 0.6, .area = 0.4, .points = 3, .point = path},
        {.sealed = true, .position = {0, 1, 1}, .width = 0.01, .area = NAN}};
    const struct ways_out ways = {.count = 2, .way = way};
    struct run_model model;
    long limit = 0;
    bool whole = false;
    for (; !whole && limit < 1000; limit++) {
        allowed = limit;
        json_memory_watch(scarce);
        run_model_clear(&model);
        whole = ways_out_record(&model, &ways);
        if (!whole)
            run_model_free(&model);
        cr_assert(eq(int, json_memory_ran_out(), !whole));
    }
    cr_assert(limit > 3 && whole, "%ld", limit);
    cr_assert(eq(sz, model.leaks.count, 2));
    cr_assert(eq(str, model.leaks.item[0].from, "S1"));
    cr_assert(model.leaks.item[0].path.count == 3 && model.leaks.item[0].path.point[1][0] == 4);
    cr_assert(model.leaks.item[1].from == NULL && model.leaks.item[1].path.point == NULL);
    run_model_free(&model);
}

/* ---- what is said of them ---- */

static void run_and_report(const char *model, const char *results, bool open)
{
    if (open)
        expect_status(RUN("simulate", model, FMAX, PLACES, "--open", "-o", results), 0);
    else
        expect_status(RUN("simulate", model, FMAX, PLACES, "-o", results), 0);
    expect_status(RUN("report", results), 0);
}

/* From one section of the page to the next. */
static char *summary_of(const char *path)
{
    char *page = read_text(path), *from = strstr(page, "id=\"summary\""), *to = strstr(page, "</section>");
    cr_assert(from != NULL && to != NULL && from < to);
    *to = '\0';
    memmove(page, from, strlen(from) + 1);
    return page;
}

Test(way_out, the_summary_tells_of_an_opening_in_plain_words_and_judges_nothing_by_volume)
{
    struct mesh mesh = {0}, closed = {0};
    make_room(&mesh, (const double[2][2]){{1, 1}, {1.8, 1.6}}, (const double[2][2]){{0, 0}, {0, 0}});
    make_room(&closed, (const double[2][2]){{0, 0}, {0, 0}}, (const double[2][2]){{0, 0}, {0, 0}});
    write_mesh("hole.obj", &mesh);
    write_mesh("closed.obj", &closed);
    run_and_report("hole.obj", "open", true);
    run_and_report("closed.obj", "shut", false);
    char *open = summary_of("open/report.html"), *shut = summary_of("shut/report.html");
    cr_assert(strstr(open, "is not closed") != NULL && strstr(open, "runs.0.run.leaks.0.area_m2") != NULL &&
                  strstr(open, "runs.0.run.leaks.0.position_m.2") != NULL &&
                  strstr(open, "nine tenths") != NULL,
              "%s", open);
    cr_assert(strstr(open, "--") == NULL, "an option stands in the summary: %s", open);
    cr_assert(strstr(open, "D50") != NULL && strstr(open, "parish halls") == NULL &&
                  strstr(open, "of this size") == NULL,
              "%s", open);
    cr_assert(strstr(shut, "parish halls") != NULL && strstr(shut, "of this size") != NULL &&
                  strstr(shut, "is not closed") == NULL,
              "%s", shut);
    free(open);
    free(shut);
    mesh_free(&mesh);
    mesh_free(&closed);
}

Test(way_out, the_faces_of_the_box_take_up_nine_tenths_of_what_comes_from_all_sides)
{
    cr_assert(test_near(absorption_from_admittance(1), 0.9, 0.05));
}

/* The sentence of the first change of `leaks`, or NULL. */
static const char *change_of(const cJSON *comparison)
{
    const cJSON *change;
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(comparison, "comparisons"), 0);
    cr_assert(cJSON_IsObject(first));
    cJSON_ArrayForEach(change, cJSON_GetObjectItem(first, "changes"))
    {
        if (strcmp(text_of(change, "key"), "leaks") == 0)
            return text_of(change, "words");
    }
    return NULL;
}

Test(way_out, of_two_runs_an_opening_that_one_has_is_told_and_one_that_both_have_is_not)
{
    struct mesh mesh = {0};
    make_room(&mesh, (const double[2][2]){{1, 1}, {1.8, 1.6}}, (const double[2][2]){{0.5, 0.5}, {1, 1}});
    write_mesh("two.obj", &mesh);
    mesh_free(&mesh);
    make_room(&mesh, (const double[2][2]){{1, 1}, {1.8, 1.6}}, (const double[2][2]){{0, 0}, {0, 0}});
    write_mesh("one.obj", &mesh);
    mesh_free(&mesh);
    expect_status(RUN("simulate", "two.obj", FMAX, PLACES, "--open", "-o", "airy"), 0);
    expect_status(RUN("simulate", "one.obj", FMAX, PLACES, "--open", "-o", "end"), 0);
    expect_status(RUN("simulate", "one.obj", "--fmax", "250", "--absorption", "0.1", "--duration", "0.05",
                      "--quiet", PLACES, "--open", "-o", "coarse"),
                  0);
    expect_status(RUN("compare", "airy", "end", "--json"), 0);
    cJSON *comparison = read_json("out");
    const char *words = change_of(comparison);
    cr_assert(words != NULL && strstr(words, "only in airy: an opening") != NULL &&
                  strstr(words, "(0.7") != NULL && strstr(words, "(4.00") == NULL,
              "%s", words != NULL ? words : "not told");
    cJSON_Delete(comparison);
    expect_status(RUN("compare", "coarse", "end", "--json"), 0);
    comparison = read_json("out");
    words = change_of(comparison);
    cr_assert(words == NULL, "%s", words);
    cJSON_Delete(comparison);
}

Test(way_out, of_two_runs_cracks_that_one_had_closed_are_told)
{
    struct mesh mesh = {0};
    make_room(&mesh, (const double[2][2]){{1, 1.3}, {1.8, 1.31}}, (const double[2][2]){{0, 0}, {0, 0}});
    write_mesh("crack.obj", &mesh);
    mesh_free(&mesh);
    make_room(&mesh, (const double[2][2]){{0, 0}, {0, 0}}, (const double[2][2]){{0, 0}, {0, 0}});
    write_mesh("closed.obj", &mesh);
    mesh_free(&mesh);
    expect_status(RUN("simulate", "crack.obj", FMAX, PLACES, "--grid-origin", "0,0,1.305", "--seal", "2cm",
                      "-o", "mended"),
                  0);
    expect_status(RUN("simulate", "closed.obj", FMAX, PLACES, "-o", "shut"), 0);
    expect_status(RUN("compare", "shut", "mended", "--json"), 0);
    cJSON *comparison = read_json("out");
    const char *words = change_of(comparison);
    cr_assert(words != NULL && strstr(words, "closed only in mended: 1 crack, 1 cm wide") != NULL, "%s",
              words != NULL ? words : "not told");
    cJSON_Delete(comparison);
}
