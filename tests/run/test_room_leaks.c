/** `leaks` of run.json, of a room that is not closed: rooms with holes of known place and size, run by the
 * built program. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "rooms/materials/absorption.h"
#include "src/setup/path/shortest_path.h"
#include "tests/support/holed_room.h"
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"

TestSuite(room_leaks, .init = enter_folder, .fini = leave_folder);

#define FMAX    "--fmax", "622", "--absorption", "0.1", "--duration", "0.05", "--quiet"
#define PLACES  "--source", "1,1,1.2,S1", "--receiver", "3,2,1.2"
#define SPACING 0.0921 /* at 622 Hz, rounded up [m] */

static const double LOW[3] = {0, 0, 0}, HIGH[3] = {4, 3, 3}, SOURCE[3] = {1, 1, 1.2};

/* Low and high corner of holes, in y and z of the face at x = 4, in x and z of the one at y = 3. */
static const double END[2][2] = {{1, 1}, {1.8, 1.6}}, SIDE[2][2] = {{0.5, 0.5}, {1, 1}},
                    CRACK[2][2] = {{1, 1.3}, {1.8, 1.31}};

/* Of the test; every test is a process of its own. */
static struct mesh mesh;

/* Add a rectangle with a hole (NULL: none), whose corners are counted from `corner` on. */
static void add_panel(const double corner[3], const double side_u[3], const double side_v[3],
                      const double (*hole)[2])
{
    const struct room_pose pose = room_pose_none();
    double corners[4][2];
    for (size_t c = 0; hole != NULL && c < 4; c++) {
        corners[c][0] = hole[c == 1 || c == 2][0];
        corners[c][1] = hole[c >= 2][1];
    }
    room_add_panel(&mesh, &pose, corner, side_u, side_v, (const double(*)[2])corners, hole != NULL ? 4 : 0);
}

/* A room of 4 x 3 x 3 m with holes in two of its faces. */
static void make_room(const double (*end)[2], const double (*side)[2])
{
    mesh_free(&mesh);
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
        double corner[3] = {0, 0, 0}, side_u[3] = {0, 0, 0}, side_v[3] = {0, 0, 0};
        if (face % 2)
            corner[axis] = HIGH[axis];
        side_u[u] = HIGH[u];
        side_v[v] = HIGH[v];
        add_panel(corner, side_u, side_v, face == 1 ? end : face == 3 ? side : NULL);
    }
}

static void write_mesh(void)
{
    FILE *file = fopen("room.obj", "w");
    cr_assert(file != NULL);
    fputs("o room\nusemtl wall\n", file);
    for (size_t v = 0; v < mesh.vertex_count; v++)
        fprintf(file, "v %.9g %.9g %.9g\n", mesh.vertex[v][0], mesh.vertex[v][1], mesh.vertex[v][2]);
    for (size_t t = 0; t < mesh.triangle_count; t++)
        fprintf(file, "f %u %u %u\n", mesh.triangle[t][0] + 1, mesh.triangle[t][1] + 1,
                mesh.triangle[t][2] + 1);
    fclose(file);
}

static cJSON *read_record(const char *path, int leaks)
{
    cJSON *record = read_json(path);
    cr_assert(eq(int, cJSON_GetArraySize(record_at(record, "leaks")), leaks));
    return record;
}

/* The record of a run of that room, which has so many leaks. */
#define SIMULATE(leaks, results, ...)                                                                        \
    (write_mesh(), expect_status(RUN("simulate", "room.obj", FMAX, PLACES, "-o", results, __VA_ARGS__), 0),  \
     read_record(results "/run.json", leaks))

static void read_point(const cJSON *record, const char *key, double point[3])
{
    const cJSON *item = record_at(record, key);
    cr_assert(eq(int, cJSON_GetArraySize(item), 3));
    for (int axis = 0; axis < 3; axis++)
        point[axis] = cJSON_GetArrayItem(item, axis)->valuedouble;
}

static double apart(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* The path of a leak begins at the source, passes its place, ends outside the box, and meets no triangle of
 * the mesh. Returns how many points it has; `*length` is how long it is as far as that place. */
static int check_path(const cJSON *leak, const double high[3], double *length)
{
    const cJSON *path = record_at(leak, "path_m");
    const int count = cJSON_GetArraySize(path);
    double place[3], point[3], before[3], walked = 0;
    bool passed = false, out = false;
    read_point(leak, "position_m", place);
    cr_assert(cJSON_IsArray(path) && count >= 3);
    read_point(cJSON_GetArrayItem(path, 0), "", before);
    cr_assert(test_near(apart(before, SOURCE), 0, 1e-6));
    for (int p = 1; p < count; p++) {
        read_point(cJSON_GetArrayItem(path, p), "", point);
        walked += passed ? 0 : apart(before, point);
        passed = passed || apart(point, place) < 1e-9;
        cr_assert(segment_is_clear(&mesh, before, point), "it passes a wall between %g %g %g and %g %g %g",
                  before[0], before[1], before[2], point[0], point[1], point[2]);
        memcpy(before, point, sizeof before);
    }
    for (int axis = 0; axis < 3; axis++)
        out = out || point[axis] > high[axis] || point[axis] < LOW[axis];
    cr_assert(passed && out, "passed %d, out %d", passed, out);
    if (length != NULL)
        *length = walked;
    return count;
}

static void expect_place(const cJSON *record, const char *key, const double expected[3],
                         const double tolerance[3])
{
    double place[3];
    read_point(record, key, place);
    for (int axis = 0; axis < 3; axis++)
        cr_assert(test_near(place[axis], expected[axis], tolerance[axis]), "%s.%d: %g", key, axis,
                  place[axis]);
}
#define EXPECT_PLACE(record, key, x, y, z, dx, dy, dz)                                                       \
    expect_place(record, key, (const double[3]){x, y, z}, (const double[3]){dx, dy, dz})
#define ANY 100.0

Test(room_leaks, an_open_run_says_where_the_hole_is_how_wide_and_how_large)
{
    make_room(END, NULL);
    cJSON *record = SIMULATE(1, "run", "--open");
    const cJSON *leak = record_at(record, "leaks.0");
    cr_assert(cJSON_IsFalse(record_at(leak, "sealed")));
    cr_assert(eq(str, (char *)text_of(leak, "from"), "S1"));
    /* Of a hole 0.8 m long and 0.6 m high every place on its middle line is as narrow as the others. */
    EXPECT_PLACE(leak, "position_m", 4, 1.4, 1.3, SPACING, 0.1 + 0.02, 0.02);
    cr_assert(test_near(number(leak, "gap_m"), 0.6, 0.01));
    cr_assert(test_near(number(leak, "area_m2"), number(record, "open_face_area_m2"), 1e-12));
    /* Every side of it is known to a spacing. */
    cr_assert(test_near(number(leak, "area_m2"), 0.48, SPACING * (0.8 + 0.6)));
    /* It is seen from the source. */
    cr_assert(eq(int, check_path(leak, HIGH, NULL), 3));
}

Test(room_leaks, a_doorway_has_an_area_though_its_narrowest_place_is_found_before_it)
{
    /* The chapel of the tutorial, whose doorway of 1.2 x 2.2 m in the wall at x = 0 has no door. */
    expect_status(RUN("simulate", test_source_file("rooms/examples/tutorial/chapel_open.glb"), "--fmax",
                      "622", "--duration", "0.02", "--quiet", "--open", "-o", "run"),
                  0);
    cJSON *record = read_record("run/run.json", 1);
    EXPECT_PLACE(record, "leaks.0.position_m", 0, 3.5, 0, 0.3, 0.05, ANY);
    cr_assert(test_near(record_number(record, "leaks.0.gap_m"), 1.2, 0.03));
    cr_assert(test_near(record_number(record, "leaks.0.area_m2"), 1.2 * 2.2, SPACING * (1.2 + 2.2)));
}

Test(room_leaks, the_path_is_the_shortest_round_a_wall_and_through_none)
{
    make_room((const double[2][2]){{0.2, 1}, {0.8, 1.6}}, NULL);
    /* A wall across the room at x = 2, which leaves the last metre along y open. */
    add_panel((const double[3]){2, 0, 0}, (const double[3]){0, 2, 0}, (const double[3]){0, 0, 3}, NULL);
    cJSON *record = SIMULATE(1, "run", "--open");
    double length;
    check_path(record_at(record, "leaks.0"), HIGH, &length);
    /* From the source round the edge (2, 2) and on to the hole, all but level. */
    const double straight = hypot(1, 1) + hypot(2, 1.5);
    cr_assert(test_at_least(length, straight - 0.05) && test_at_most(length, straight + 0.1), "%g", length);
}

Test(room_leaks, every_opening_of_a_room_that_fills_its_box_is_listed)
{
    make_room(END, SIDE);
    cJSON *record = SIMULATE(2, "run", "--open");
    const cJSON *leak;
    bool end = false, side = false;
    double area = 0;
    cJSON_ArrayForEach(leak, record_at(record, "leaks"))
    {
        double place[3];
        read_point(leak, "position_m", place);
        end = end || apart(place, (const double[3]){4, 1.4, 1.3}) < 0.1 + SPACING;
        side = side || apart(place, (const double[3]){0.75, 3, 0.75}) < SPACING;
        area += number(leak, "area_m2");
        check_path(leak, HIGH, NULL);
    }
    cr_assert(end && side);
    cr_assert(test_near(area, number(record, "open_face_area_m2"), 1e-12));
}

/* Something outside of the wall with the hole makes the box around the model larger than the room. */
Test(room_leaks, a_hole_inside_the_box_has_no_area)
{
    static const double outside[] = {6, 4.1};
    for (int i = 0; i < 2; i++) {
        make_room(END, NULL);
        add_panel((const double[3]){outside[i], 0, 0}, (const double[3]){0, 0.5, 0},
                  (const double[3]){0, 0, 0.5}, NULL);
        cJSON *record = SIMULATE(1, "run", "--open", "--force");
        EXPECT_PLACE(record, "leaks.0.position_m", 4, 0, 0, 0.05, ANY, ANY);
        cr_assert(test_near(record_number(record, "leaks.0.gap_m"), 0.6, 0.01));
        cr_assert(cJSON_IsNull(record_at(record, "leaks.0.area_m2")), "%g m outside", outside[i]);
        check_path(record_at(record, "leaks.0"), (const double[3]){outside[i], 3, 3}, NULL);
    }
}

Test(room_leaks, the_area_of_a_window_is_not_that_of_a_narrower_hole_before_it)
{
    make_room((const double[2][2]){{0.5, 0.5}, {2.5, 2.5}}, NULL);
    add_panel((const double[3]){2, 0, 0}, (const double[3]){0, 3, 0}, (const double[3]){0, 0, 3},
              (const double[2][2]){{1.2, 1}, {1.8, 1.6}});
    cJSON *record = SIMULATE(1, "run", "--open");
    EXPECT_PLACE(record, "leaks.0.position_m", 2, 0, 0, 0.05, ANY, ANY);
    cr_assert(cJSON_IsNull(record_at(record, "leaks.0.area_m2")));
    check_path(record_at(record, "leaks.0"), HIGH, NULL);
}

/* A node in the plane of the crack, so that the grid sees it. */
#define SEES_CRACK "--grid-origin", "0,0,1.305"

Test(room_leaks, a_crack_that_was_sealed_is_listed_with_the_path_through_it)
{
    make_room(CRACK, NULL);
    write_mesh();
    expect_status(RUN("simulate", "room.obj", FMAX, PLACES, SEES_CRACK, "-o", "leaky"), 2);
    cJSON *record = SIMULATE(1, "run", SEES_CRACK, "--seal", "2cm");
    const cJSON *leak = record_at(record, "leaks.0");
    cr_assert(cJSON_IsTrue(record_at(leak, "sealed")));
    cr_assert(cJSON_IsNull(record_at(leak, "area_m2")));
    cr_assert(test_near(number(leak, "gap_m"), 0.01, 0.001));
    EXPECT_PLACE(leak, "position_m", 4, 1.4, 1.305, 0.01, 0.4, 0.005);
    check_path(leak, HIGH, NULL);
}

Test(room_leaks, of_an_open_run_that_was_sealed_too_both_are_listed)
{
    make_room(CRACK, SIDE);
    cJSON *record = SIMULATE(2, "run", SEES_CRACK, "--seal", "2cm", "--open");
    cr_assert(cJSON_IsFalse(record_at(record, "leaks.0.sealed")));
    EXPECT_PLACE(record, "leaks.0.position_m", 0, 3, 0, ANY, SPACING, ANY);
    cr_assert(cJSON_IsTrue(record_at(record, "leaks.1.sealed")));
    EXPECT_PLACE(record, "leaks.1.position_m", 4, 0, 0, SPACING, ANY, ANY);
    cr_assert(cJSON_IsNull(record_at(record, "leaks.1.path_m")));
}

Test(room_leaks, a_closed_room_has_none_whether_it_may_be_open_or_not)
{
    make_room(NULL, NULL);
    (void)SIMULATE(0, "plain", "--force");
    (void)SIMULATE(0, "run", "--open", "--seal", "2cm");
}

/* ---- in the report and between runs ---- */

/* The first section of its page. */
static char *summary_of(const char *results)
{
    char path[40];
    expect_status(RUN("report", results), 0);
    snprintf(path, sizeof path, "%s/report.html", results);
    char *page = read_text(path), *from = strstr(page, "id=\"summary\""), *to = strstr(page, "</section>");
    cr_assert(from != NULL && to != NULL && from < to);
    *to = '\0';
    memmove(page, from, strlen(from) + 1);
    return page;
}

Test(room_leaks, the_summary_describes_an_opening_in_plain_words_and_judges_nothing_by_volume)
{
    make_room(END, NULL);
    (void)SIMULATE(1, "open", "--open");
    make_room(NULL, NULL);
    (void)SIMULATE(0, "shut", "--force");
    char *open = summary_of("open"), *shut = summary_of("shut");
    static const char *const of_open[] = {"is not closed", "runs.0.run.leaks.0.area_m2",
                                          "runs.0.run.leaks.0.position_m.2", "nine tenths", "D50"},
                             *const not_of_open[] = {"--" /* an option */, "where music is made",
                                                     "of this size"};
    for (int i = 0; i < 5; i++)
        cr_assert(strstr(open, of_open[i]) != NULL, "no \"%s\" in %s", of_open[i], open);
    for (int i = 0; i < 3; i++)
        cr_assert(strstr(open, not_of_open[i]) == NULL, "\"%s\" in %s", not_of_open[i], open);
    cr_assert(strstr(shut, "where music is made") != NULL && strstr(shut, "of this size") != NULL &&
                  strstr(shut, "is not closed") == NULL,
              "%s", shut);
}

Test(room_leaks, the_faces_of_the_box_take_up_nine_tenths_of_what_comes_from_all_sides)
{
    cr_assert(test_near(absorption_from_admittance(1), 0.9, 0.05));
}

/* The words of the change of `leaks` between two runs must hold these (NULL: there is no such change), and
 * not those. */
static void expect_change(const char *a, const char *b, const char *words, const char *not_words)
{
    const char *found = NULL;
    const cJSON *change;
    expect_status(RUN("compare", a, b, "--json"), 0);
    cJSON *comparison = read_json("out");
    cr_assert(cJSON_IsObject(record_at(comparison, "comparisons.0")));
    cJSON_ArrayForEach(change, record_at(comparison, "comparisons.0.changes"))
    {
        if (strcmp(text_of(change, "key"), "leaks") == 0)
            found = text_of(change, "words");
    }
    cr_assert(eq(int, found != NULL, words != NULL), "%s", found != NULL ? found : "no change");
    cr_assert(words == NULL || (strstr(found, words) != NULL && strstr(found, not_words) == NULL), "%s",
              found);
}

Test(room_leaks, of_two_runs_an_opening_that_one_has_is_a_change_and_one_that_both_have_is_not)
{
    make_room(END, SIDE);
    (void)SIMULATE(2, "airy", "--open");
    make_room(END, NULL);
    (void)SIMULATE(1, "end", "--open");
    (void)SIMULATE(1, "coarse", "--open", "--fmax", "250");
    expect_change("airy", "end", "only in airy: an opening", "(4.00");
    expect_change("airy", "end", "(0.7", "(4.00");
    expect_change("coarse", "end", NULL, NULL);
}

Test(room_leaks, of_two_runs_cracks_that_one_had_closed_are_a_change)
{
    make_room(CRACK, NULL);
    (void)SIMULATE(1, "mended", SEES_CRACK, "--seal", "2cm");
    make_room(NULL, NULL);
    (void)SIMULATE(0, "shut", "--force");
    expect_change("shut", "mended", "closed only in mended: 1 crack, 1 cm wide", "opening");
}
