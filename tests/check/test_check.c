/** `transept check`: every finding shows on a model made for it, and none on a clean room. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/checked_model.h"
#include "tests/support/test_support.h"

TestSuite(check, .init = enter_folder, .fini = leave_folder);

/* What is claimed of a finding; without a severity: that there is none of its kind. */
struct claim {
    const char *kind, *severity;
    const char *member, *words; /* of the finding, or NULL */
    double value, within;       /* 0 within: not claimed */
};

/* `verdict` and claims; the report is freed. */
static void claim_all(cJSON *report, const char *verdict, const struct claim *claim, size_t count)
{
    expect_verdict(report, verdict);
    for (size_t i = 0; i < count; i++) {
        if (claim[i].severity == NULL) {
            expect_none(report, claim[i].kind);
            continue;
        }
        const cJSON *finding = expect_finding(report, claim[i].kind, claim[i].severity);
        if (claim[i].words != NULL)
            expect_in(finding, claim[i].member, claim[i].words);
        if (claim[i].within > 0)
            cr_assert(test_near(number(finding, "value"), claim[i].value, claim[i].within), "%s: %g",
                      claim[i].kind, number(finding, "value"));
    }
    cJSON_Delete(report);
}
#define CLAIM(report, verdict, ...)                                                                          \
    claim_all(report, verdict, (const struct claim[]){__VA_ARGS__},                                          \
              sizeof((const struct claim[]){__VA_ARGS__}) / sizeof(struct claim))

#define NONE(kind_)                                                                                          \
    {                                                                                                        \
        .kind = kind_                                                                                        \
    }
#define FOUND(kind_, severity_)                                                                              \
    {                                                                                                        \
        .kind = kind_, .severity = severity_                                                                 \
    }
#define SAID(kind_, severity_, member_, words_)                                                              \
    {                                                                                                        \
        .kind = kind_, .severity = severity_, .member = member_, .words = words_                             \
    }
#define WORTH(kind_, severity_, value_, within_)                                                             \
    {                                                                                                        \
        .kind = kind_, .severity = severity_, .value = value_, .within = within_                             \
    }

static const char *first_kind(const cJSON *report)
{
    return text_of(entry_of(report, "findings", 0), "kind");
}

/* ---- a clean room ---- */

Test(check, the_built_in_church_is_fit_and_has_no_finding_but_where_its_audience_sits)
{
    expect_status(RUN("room", "church", "--nave-length", "9", "--bays", "3", "--nave-width", "6",
                      "--nave-height", "4", "--transept", "none", "--aisles", "none", "--apse", "none",
                      "--chancel-length", "4", "-o", "church.obj"),
                  0);
    cJSON *report = CHECKED(0, "church.obj", "--spacing", "0.2");
    const cJSON *finding;
    cJSON_ArrayForEach(finding, cJSON_GetObjectItemCaseSensitive(report, "findings"))
    {
        /* How fine a grid was searched depends on the machine's memory; every room has cut cells. */
        const char *kind = text_of(finding, "kind");
        cr_assert(strcmp(kind, "finer_unknown") == 0 || strcmp(kind, "cut_cells") == 0 ||
                      strcmp(kind, "receiver_grid") == 0,
                  "%s", text_of(finding, "sentence"));
    }
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(report, "cavities")), 1));
    const cJSON *cavity = entry_of(report, "cavities", 0);
    cr_assert(eq(str, (char *)text_of(cavity, "name"), "main space"));
    expect_in(cavity, "points", "source pulpit, source altar");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(cavity, "taken")));
    CLAIM(report, "fit", NONE("leak"), SAID("receiver_grid", "harmless", "sentence", "where people sit: "),
          WORTH("receiver_grid", "harmless", 76, 0));
}

Test(check, where_people_sit_needs_no_receiver_and_an_area_without_points_is_missing)
{
    MODEL("hall.obj", {"parquet", {0, 0, 0}, {6, 5, 3}, 0});
    CLAIM(CHECKED(0, "hall.obj", "--fmax", "300"), "fit", NONE("no_receiver"),
          WORTH("receiver_grid", "harmless", 30, 0));
    write_text("low.yaml", "room: hall.obj\nreceiver_grids: [{name: high, height_m: 3.5}]\n");
    CLAIM(CHECKED(0, "low.yaml", "--fmax", "300"), "fit",
          SAID("receiver_grid", "missing", "sentence", "no point is left 3.5 m above the floor"));
}

Test(check, without_absorption_a_clean_room_is_fit_and_counts_as_a_tenth_but_simulate_will_stop)
{
    MODEL("hall.obj", {"Material.001", {0, 0, 0}, {8, 6, 4}, 0});
    cJSON *report = judged(RUN("check", "hall.obj", PLACES, "--fmax", "400", "--json"), 0);
    const cJSON *material = entry_of(report, "materials", 0);
    cr_assert(test_near(number(material, "absorption"), 0.1, 1e-12));
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(material, "absorption_given")));
    cr_assert(eq(str, (char *)text_of(report, "simulate_stops"), "materials have no absorption"));
    CLAIM(report, "fit", SAID("absorption_missing", "missing", "sentence", "0.1"),
          WORTH("absorption_missing", "missing", 208, 1e-9));
    expect_status(RUN("check", "hall.obj", "--fmax", "400"), 0);
    expect_words("out", "Still to be given (simulate stops without it)\n",
                 "\nVerdict: fit\nsimulate will stop: no source is given; "
                 "materials have no absorption;",
                 "`transept new hall.obj -o");
    REFUSED("`transept new ROOM -o PROJECT.yaml`", "simulate", "hall.obj", PLACES, "-o", "run");
}

Test(check, what_new_writes_of_a_bare_model_is_fit_and_nothing_is_missing)
{
    MODEL("hall.obj", {"Material.001", {0, 0, 0}, {3, 3, 3}, 0});
    expect_status(RUN("new", "hall.obj", "-o", "hall.yaml"), 0);
    cJSON *report = judged(RUN("check", "hall.yaml", "--fmax", "400", "--json"), 0);
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(report, "simulate_stops")));
    CLAIM(report, "fit", NONE("absorption_missing"), NONE("no_source"), NONE("no_receiver"));
}

/* ---- leaks ---- */

Test(check, a_missing_ceiling_is_a_leak_with_its_path)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {8, 6, 4}, FACE_ZP});
    cJSON *report = CHECKED(1, "hall.obj", PLACES, "--fmax", "400");
    const cJSON *position = cJSON_GetObjectItem(expect_finding(report, "leak", "unfit"), "position_m");
    cr_assert(test_near(cJSON_GetArrayItem(position, 2)->valuedouble, 4, 0.3));
    expect_words("err", "unfit");
    cr_assert(exists("leak.obj"));
    const cJSON *leak = entry_of(report, "leaks", 0), *path = cJSON_GetObjectItem(leak, "path_m");
    const cJSON *first = cJSON_GetArrayItem(path, 0),
                *last = cJSON_GetArrayItem(path, cJSON_GetArraySize(path) - 1);
    cr_assert(test_near(cJSON_GetArrayItem(first, 0)->valuedouble, 2, 0.1));
    cr_assert(test_above(cJSON_GetArrayItem(last, 2)->valuedouble, 4));
    cr_assert(eq(str, (char *)text_of(leak, "file"), "leak.obj"));
    CLAIM(report, "unfit", SAID("leak", "unfit", "sentence", "source \"S1\""),
          SAID("leak", "unfit", "advice", "leak.obj"));
    /* A run refuses the same. */
    expect_status(RUN("simulate", "hall.obj", PLACES, "--fmax", "400", "--absorption", "0.1", "-o", "run"),
                  2);
}

/* The hollow body is all that is closed, and 80 times smaller than the hall. */
Test(check, an_open_hall_and_not_a_hollow_body_in_it_decides_the_grid)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {10, 8, 6}, FACE_ZP}, {NULL, {6, 5, 1}, {8, 7, 2.5}, 0});
    cJSON *report = CHECKED(1, "hall.obj");
    cr_assert(test_above(number(report, "spacing_m"), 0.15));
    expect_finding(report, "leak", "unfit");
    cJSON_Delete(report);
}

/* The end wall of a hall is short of both side walls and the ceiling. */
Test(check, all_openings_of_a_room_are_named_at_once_and_what_closes_them_does)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {8, 6, 4}, FACE_XP}, {NULL, {8, 0.22, 0}, {8, 5.83, 3.87}, 0});
    cJSON *report = CHECKED(1, "hall.obj", PLACES, "--fmax", "400");
    const cJSON *openings = expect_finding(report, "openings", "unfit"), *place;
    const char *seal = strstr(text_of(openings, "advice"), "--seal ");
    bool beside[3] = {false};
    char width[20];
    cJSON_ArrayForEach(place, cJSON_GetObjectItem(openings, "places"))
    {
        const cJSON *at = cJSON_GetObjectItem(place, "position_m");
        const double y = cJSON_GetArrayItem(at, 1)->valuedouble, z = cJSON_GetArrayItem(at, 2)->valuedouble;
        beside[0] = beside[0] || y < 0.3;
        beside[1] = beside[1] || y > 5.7;
        beside[2] = beside[2] || z > 3.7;
    }
    cr_assert(beside[0] && beside[1] && beside[2]);
    cr_assert(seal != NULL && sscanf(seal, "--seal %19[0-9.cm]", width) == 1, "%s",
              text_of(openings, "advice"));
    const cJSON *fix = cJSON_GetObjectItem(openings, "fix");
    cr_assert(eq(str, (char *)text_of(fix, "key"), "seal_m"));
    cr_assert(test_near(number(fix, "value"), atof(width) / 100, 1e-9));
    cJSON_Delete(report);
    CLAIM(CHECKED(0, "hall.obj", PLACES, "--fmax", "400", "--seal", width), "fit", NONE("leak"),
          NONE("leak_finer"));
}

Test(check, the_leak_path_of_a_room_is_shown_without_a_source)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {8, 6, 4}, FACE_XP}, {NULL, {8, 0, 0}, {8, 6, 3}, 0});
    CLAIM(CHECKED(1, "hall.obj", "--fmax", "400"), "unfit", WORTH("leak", "unfit", 1, 0.15),
          FOUND("not_enclosed", "unfit"), NONE("no_source"));
}

/* Lattice lines of 50 mm stand at 1.025 and 1.075 m: none meets the slot. */
Test(check, a_seal_that_nothing_needed_says_so)
{
    write_box("hall.obj", 4, 3, 3, true);
    CLAIM(CHECKED(0, "hall.obj", "--seal", "2.5cm", "--fmax", "100"), "fit",
          SAID("sealed", "harmless", "sentence", "No crack up to 2.5 cm wide had to be closed on this grid"));
}

Test(check, tight_at_50_mm_and_leaking_at_5_mm_is_reported_and_the_seal_that_is_advised_closes_it)
{
    write_slotted_hall("hall.obj", 1.04, 1.06);
    cJSON *report = CHECKED(0, "hall.obj", PLACES, "--spacing", "5cm");
    const char *advice =
        strstr(text_of(expect_finding(report, "leak_finer", "doubtful"), "advice"), "--seal ");
    char width[32] = "";
    cr_assert(advice != NULL && sscanf(advice, "--seal %31[0-9.cm]", width) == 1);
    width[strcspn(width, "m") + 1] = '\0';
    cr_assert(test_near(number(report, "finer_spacing_m"), 0.005, 1e-9));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(entry_of(report, "leaks", 0), "finer")));
    cr_assert(exists("leak.obj"));
    CLAIM(report, "fit with doubts", NONE("leak"), SAID("leak_finer", "doubtful", "sentence", "5 mm"),
          WORTH("leak_finer", "doubtful", 0.02, 0.003));
    CLAIM(CHECKED(0, "hall.obj", PLACES, "--spacing", "5cm", "--seal", width), "fit", NONE("leak_finer"));
}

/* The missing ceiling is 8 x 6 m: 16 x 12 nodes stand in the squares of 0.5 m under it. */
Test(check, an_open_scene_is_no_leak_and_has_the_area_of_its_open_faces_as_plan_has_it)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {8, 6, 4}, FACE_ZP});
    cJSON *report =
        CHECKED(0, "hall.obj", PLACES, "--spacing", "0.5", "--grid-origin", "0.25,0.25,0.25", "--open");
    cr_assert(test_near(number(report, "open_face_links"), 16 * 12, 0));
    cr_assert(test_near(number(report, "open_face_area_m2"), 48, 1e-12));
    expect_status(RUN("plan", "hall.obj", PLACES, "--spacing", "0.5", "--absorption", "0.1", "--grid-origin",
                      "0.25,0.25,0.25", "--open", "--json"),
                  0);
    cJSON *plan = read_json("out");
    cr_assert(test_near(number(plan, "open_face_area_m2"), number(report, "open_face_area_m2"), 1e-12));
    expect_none(report, "leak");
    expect_finding(report, "open_scene", "harmless");
    cJSON_Delete(report);
    report = CHECKED(1, "hall.obj", PLACES, "--spacing", "0.5");
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(report, "open_face_area_m2")));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(report, "sealed_links")));
    cJSON_Delete(report);
}

/* ---- units, axes, place ---- */

Test(check, a_model_in_another_unit_is_reported_and_not_checked_on_the_grid_that_was_asked_for)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {8000, 6000, 4000}, 0});
    cJSON *report = CHECKED(1, "hall.obj");
    cr_assert(eq(str, (char *)first_kind(report), "units"));
    CLAIM(report, "unfit", SAID("units", "unfit", "advice", "--units mm"),
          WORTH("units", "unfit", 8000, 1e-6));
    CLAIM(CHECKED(0, "hall.obj", "--fmax", "400", "--units", "mm", PLACES), "fit", NONE("units"));
    /* 10^11 nodes at 355 Hz would take minutes; at 60 Hz they are 6 x 10^8, where the answer needs 10^6. */
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {600, 500, 300}, 0});
    report = CHECKED(1, "hall.obj", "--fmax", "60");
    cr_assert(test_above(number(report, "spacing_m"), 1));
    CLAIM(report, "unfit", SAID("units", "unfit", "advice", "--units cm"));
}

/* 8 m long, 6 m wide, 4 m high, with y up. */
static void write_lying_hall(const char *path, const char *floor)
{
    MODEL(path, {"plaster", {0, 0, -6}, {8, 4, 0}, 4}, {floor, {0, 0, -6}, {8, 0, 0}, 0});
}

Test(check, a_model_whose_file_is_not_all_read_is_judged_by_what_is_left_out)
{
    write_box("hall.obj", 12, 8, 5, true);
    FILE *file = fopen("hall.obj", "a");
    (void)fputs("curv 0 1 1 2\n", file);
    (void)fclose(file);
    CLAIM(CHECKED(0, "hall.obj", "--fmax", "177"), "fit",
          SAID("unread", "harmless", "sentence", "1 free-form curve (`curv`)"));
    file = fopen("hall.obj", "a");
    (void)fputs("cstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 2 3 4\nend\n", file);
    (void)fclose(file);
    CLAIM(CHECKED(1, "hall.obj", "--fmax", "177"), "unfit",
          SAID("unread", "unfit", "sentence", "1 free-form surface (`surf`) was left out"));
}

Test(check, an_upright_floor_or_positions_outside_give_away_the_wrong_axis)
{
    write_lying_hall("hall.obj", "Oak_Floor");
    CLAIM(CHECKED(0, "hall.obj", "--fmax", "400"), "fit with doubts",
          SAID("axes", "doubtful", "sentence", "Oak_Floor"), SAID("axes", "doubtful", "advice", "--up y"));
    CLAIM(CHECKED(0, "hall.obj", "--fmax", "400", "--up", "y", PLACES), "fit", NONE("axes"));
    write_lying_hall("hall.obj", "oak");
    cJSON *report = CHECKED(1, "hall.obj", "--fmax", "400", PLACES);
    cr_assert(eq(str, (char *)first_kind(report), "axes")); /* the cause before what follows from it */
    CLAIM(report, "unfit", SAID("axes", "unfit", "advice", "--up y"), FOUND("point_outside", "unfit"));
}

Test(check, a_model_far_from_the_origin_is_doubtful)
{
    MODEL("hall.obj", {"plaster", {40000, 0, 0}, {40008, 6, 4}, 0});
    CLAIM(CHECKED(0, "hall.obj", "--fmax", "400"), "fit with doubts",
          WORTH("far_from_origin", "doubtful", 40008 * ldexp(1, -24), 1e-9));
}

/* ---- positions ---- */

Test(check, a_source_in_a_wall_or_outside_makes_a_room_unfit)
{
    write_hall("hall.obj");
    CLAIM(CHECKED(1, "hall.obj", "--fmax", "400", "--source", "0,2,1.5,a", "--source", "-3,2,1.5,b",
                  "--receiver", "5,3,1.2"),
          "unfit", SAID("point_in_wall", "unfit", "sentence", "\"a\""),
          SAID("point_outside", "unfit", "sentence", "\"b\""), NONE("leak"));
    CLAIM(CHECKED(1, "hall.obj", "--fmax", "400", "--source", "2,2,1.5", "--receiver", "5,3,9"), "unfit",
          SAID("point_outside", "unfit", "sentence", "Receiver \"R1\""));
}

Test(check, positions_without_air_in_common_make_a_room_unfit)
{
    MODEL("two.obj", {"plaster", {0, 0, 0}, {5, 5, 3}, 0}, {NULL, {6, 0, 0}, {9, 3, 3}, 0});
    CLAIM(CHECKED(1, "two.obj", "--fmax", "400", "--source", "2,2,1.5", "--receiver", "7,1,1"), "unfit",
          SAID("point_in_other_cavity", "unfit", "sentence", "\"R1\""));
    expect_status(RUN("simulate", "two.obj", "--absorption", "0.1", "--fmax", "400", "--source", "2,2,1.5",
                      "--receiver", "7,1,1", "-o", "run"),
                  2);
    /* Both in the smaller one: a run goes through, if that is what is meant. */
    cJSON *report = CHECKED(0, "two.obj", "--fmax", "400", "--source", "8,2,1.5", "--receiver", "7,1,1");
    cr_assert(test_near(number(report, "air_volume_m3"), 27, 1.5));
    CLAIM(report, "fit with doubts", FOUND("source_in_side_cavity", "doubtful"));
}

Test(check, without_a_source_the_largest_closed_space_is_taken_and_reported)
{
    MODEL("two.obj", {"plaster", {0, 0, 0}, {3, 3, 3}, 0}, {NULL, {6, 0, 0}, {11, 5, 3}, 0});
    cJSON *report = CHECKED(0, "two.obj", "--fmax", "400");
    expect_place(expect_finding(report, "no_source", "missing"), 8.5, 2.5, 1.5, 1.1);
    cr_assert(test_near(number(entry_of(report, "cavities", 0), "volume_m3"), 75, 4));
    cr_assert(test_near(number(entry_of(report, "cavities", 1), "volume_m3"), 27, 2));
    /* Both might be meant. */
    CLAIM(report, "fit with doubts", NONE("no_receiver"),
          SAID("which_room", "doubtful", "sentence", "around 7."), WORTH("which_room", "doubtful", 2, 1e-9));
    CLAIM(CHECKED(0, "two.obj", "--fmax", "400", "--source", "8.5,2.5,1.5"), "fit", NONE("which_room"));
}

Test(check, a_closed_room_on_large_terrain_is_a_room)
{
    MODEL("hall.obj", {"stone", {0, 0, 0}, {6, 5, 3}, 0}, {"terrain", {-32, -32, -0.1}, {38, 38, -0.1}, 0});
    CLAIM(CHECKED(0, "hall.obj", "--fmax", "300"), "fit", NONE("not_enclosed"),
          FOUND("unreached_surfaces", "harmless"));
}

/* ---- closed spaces ---- */

static void expect_cavity(const cJSON *report, const char *name, double volume)
{
    const cJSON *cavity;
    cJSON_ArrayForEach(cavity, cJSON_GetObjectItemCaseSensitive(report, "cavities"))
    {
        if (strcmp(text_of(cavity, "name"), name) == 0) {
            cr_assert(test_near(number(cavity, "volume_m3"), volume, 0.1 * volume), "%s: %g m3", name,
                      number(cavity, "volume_m3"));
            return;
        }
    }
    cr_fail("there is no %s", name);
}

Test(check, closed_spaces_are_named_by_what_they_look_like)
{
    MODEL("house.obj", {"stone", {0, 0, 0}, {10, 8, 5}, 0},   /* the hall */
          {"brick", {-0.3, -0.3, -0.3}, {10.3, 8.3, 5.3}, 0}, /* its outer leaf */
          {NULL, {0, 0, 5.3}, {10, 8, 7.3}, 0},               /* under the roof */
          {NULL, {0, 0, -3}, {10, 8, -0.3}, 0},               /* the crypt */
          {NULL, {11, 0, 0}, {14, 4, 3}, 0},                  /* the vestry */
          {NULL, {4, 4, 0.5}, {5, 5, 1.5}, 0} /* a chest */);
    cJSON *report = CHECKED(0, "house.obj", "--spacing", "0.1", PLACES);
    expect_cavity(report, "main space", 400 - 1);
    expect_cavity(report, "between wall leaves", 10.6 * 8.6 * 5.6 - 400);
    expect_cavity(report, "roof void", 160);
    expect_cavity(report, "crypt or floor void", 216);
    expect_cavity(report, "side room", 36);
    expect_cavity(report, "inside a closed body", 1);
    expect_in(entry_of(report, "cavities", 0), "points", "source S1");
    CLAIM(report, "fit", NONE("leak"));
}

/* ---- edges and faces ---- */

Test(check, edges_and_faces_that_are_odd_are_counted_and_harmless)
{
    struct model model = model_open("hall.obj");
    model_material(&model, "plaster");
    model_box(&model, AT(0, 0, 0), AT(8, 6, 4), 0);
    /* A screen of 3 x 2 m on its own, and a wall between floor and ceiling that shares its lower edge. */
    model_panel(&model, 0, 3, 2, 1, 5, 3);
    model_panel(&model, 2, 0, 0, 0, 8, 6);                          /* the floor again */
    fprintf(model.file, "v 1 1 1\nv 2 2 2\nv 1 1 1\nf -1 -2 -3\n"); /* a corner twice */
    model.vertices += 3;
    model_box(&model, AT(6, 1, 1), AT(7, 2, 2), 0);
    model_box(&model, AT(6.5, 1.5, 1.5), AT(7.5, 2.5, 2.5), 0); /* through one another */
    model_panel(&model, 0, 6, 1, 0.5, 2, 1);                    /* a fin under an edge of a body */
    fclose(model.file);
    cJSON *report = CHECKED(0, "hall.obj", "--spacing", "0.1", PLACES);
    expect_place(expect_finding(report, "open_edges", "harmless"), 3, 3.5, 1,
                 1e-6); /* one of the two longest */
    const cJSON *crossing = expect_finding(report, "intersecting_faces", "harmless");
    cr_assert(test_above(number(crossing, "value"), 5));
    const cJSON *at = cJSON_GetObjectItem(crossing, "position_m");
    for (int axis = 0; axis < 3; axis++) /* where the bodies are in one another */
        cr_assert(test_near(cJSON_GetArrayItem(at, axis)->valuedouble, axis == 0 ? 6.75 : 1.75, 0.26));
    CLAIM(report, "fit", WORTH("open_edges", "harmless", 4 + 3, 1e-9),
          WORTH("nonmanifold_edges", "harmless", 1, 1e-9), WORTH("duplicate_faces", "harmless", 2, 1e-9),
          WORTH("degenerate_faces", "harmless", 1, 1e-9));
}

/* ---- surfaces ---- */

Test(check, surfaces_that_no_air_reaches_are_reported_by_material)
{
    MODEL("hall.obj", {"stone", {0, 0, 0}, {8, 6, 4}, 0}, {"brick", {-0.5, -0.5, -0.5}, {8.5, 6.5, 4.5}, 0},
          {"terrain", {-20, -20, -0.5}, {30, 30, -0.5}, 0});
    cJSON *report = CHECKED(0, "hall.obj", "--spacing", "0.1", PLACES);
    const double brick = 2 * (9 * 7 + 9 * 5 + 7 * 5);
    static const char *const names[] = {"stone", "brick", "terrain"};
    const double whole[] = {208, brick, 2500}, reached[] = {208, 0, 0};
    for (int m = 0; m < 3; m++) {
        const cJSON *material = entry_of(report, "materials", m);
        cr_assert(eq(str, (char *)text_of(material, "name"), (char *)names[m]));
        cr_assert(test_near(number(material, "area_m2"), whole[m], 1e-3));
        cr_assert(test_near(number(material, "reached_area_m2"), reached[m], 1e-3));
    }
    CLAIM(report, "fit",
          SAID("unreached_surfaces", "harmless", "sentence",
               "2500 m2 of \"terrain\" (all of it), 286 m2 of \"brick\" (all of it)"),
          WORTH("unreached_surfaces", "harmless", brick + 2500, 1e-6 * 2500));
}

Test(check, a_material_that_the_list_misses_stops_simulate_and_its_likely_name_is_given)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {8, 6, 4}, FACE_ZP}, {"ceilling", {0, 0, 4}, {8, 6, 4}, 0});
    write_text("list.csv", "material,500\nplaster,0.05\nceiling,0.3\n");
    cJSON *report =
        judged(RUN("check", "hall.obj", "--materials", "list.csv", "--fmax", "400", PLACES, "--json"), 0);
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(entry_of(report, "materials", 0), "absorption_given")));
    CLAIM(report, "fit",
          SAID("absorption_missing", "missing", "sentence",
               "\"ceilling\" (48 m2; \"ceiling\" is given and matches no surface)"),
          WORTH("absorption_missing", "missing", 48, 1e-9));
}

Test(check, spaces_of_a_kind_are_counted_in_words)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {6, 5, 3}, 0}, {NULL, {1, 1, 1}, {1.5, 1.5, 1.5}, 0},
          {NULL, {4, 1, 1}, {4.5, 1.5, 1.5}, 0}, {NULL, {1, 4, 1}, {1.5, 4.5, 1.5}, 0},
          {NULL, {4, 4, 1}, {4.5, 4.5, 1.5}, 0});
    expect_status(RUN("check", "hall.obj", PLACES, "--spacing", "0.1", "--absorption", "0.1"), 0);
    expect_words("out", "4 spaces (inside a closed body), 0.125 to 0.125 m3 each");
}

/* ---- openings ---- */

/* Two rooms of 4 x 5 x 3 m with a wall between them that has a slot from floor to ceiling. */
static void write_joined_rooms(const char *path, double width)
{
    MODEL(path, {"plaster", {0, 0, 0}, {8, 5, 3}, 0}, {NULL, {4, 0, 0}, {4, 2.5 - width / 2, 3}, 0},
          {NULL, {4, 2.5 + width / 2, 0}, {4, 5, 3}, 0});
}

Test(check, a_narrow_opening_is_reported_with_the_frequency_that_resolves_it)
{
    write_joined_rooms("rooms.obj", 0.4);
    cJSON *report = CHECKED(0, "rooms.obj", "--spacing", "0.2", "--source", "2,2,1", "--receiver", "6,2,1");
    const cJSON *finding = expect_finding(report, "narrow_openings", "doubtful");
    expect_place(finding, 4, 2.5, 1.5, 0.4);
    const char *advice = strstr(text_of(finding, "advice"), "--fmax ");
    cr_assert(advice != NULL);
    char fmax_text[32];
    snprintf(fmax_text, sizeof fmax_text, "%.0f", strtod(advice + strlen("--fmax "), NULL));
    CLAIM(report, "fit with doubts", WORTH("narrow_openings", "doubtful", 0.4, 0.11));
    CLAIM(CHECKED(0, "rooms.obj", "--fmax", fmax_text, "--source", "2,2,1", "--receiver", "6,2,1"), "fit",
          NONE("narrow_openings"));
}

/* ---- the report ---- */

static int rank(const char *severity)
{
    return strcmp(severity, "unfit") == 0 ? 0 : strcmp(severity, "doubtful") == 0 ? 1 : 2;
}

/* Everything at once: what matters comes first. */
Test(check, findings_come_in_the_order_of_their_importance)
{
    MODEL("hall.obj", {"floor", {0, 0, 0}, {8, 6, 4}, FACE_XP}, {NULL, {3, 2, 1}, {3, 5, 3}, 0},
          {NULL, {3, 2, 1}, {3, 5, 3}, 0});
    cJSON *report = CHECKED(1, "hall.obj", "--fmax", "400", "--source", "2,2,1.5", "--source", "-4,2,1.5");
    int before = 0;
    const cJSON *finding;
    cr_assert(cJSON_GetArraySize(cJSON_GetObjectItem(report, "findings")) >= 4);
    cJSON_ArrayForEach(finding, cJSON_GetObjectItem(report, "findings"))
    {
        const int now = rank(text_of(finding, "severity"));
        cr_assert(before <= now, "%s comes too late", text_of(finding, "kind"));
        before = now;
    }
    cr_assert(eq(str, (char *)first_kind(report), "leak"));
    cr_assert(eq(str, (char *)text_of(entry_of(report, "findings", 2), "kind"), "point_outside"));
    cr_assert(eq(str, (char *)text_of(report, "why"), "it is not closed; a position is outside"));
    cJSON_Delete(report);
}

Test(check, json_holds_one_object_with_everything)
{
    static const char *const names[] = {
        "program",           "version",         "command",   "room",          "materials", "fmax_hz",
        "spacing_m",         "sources",         "receivers", "warnings",      "verdict",   "why",
        "checked_spacing_m", "finer_spacing_m", "air_nodes", "air_volume_m3", "findings",  "cavities",
        "cavities_further",  "leaks",           "grids",     "paths"};
    static const char *const of_finding[] = {"severity",   "kind",  "sentence", "advice",
                                             "position_m", "value", "unit",     "places"};
    write_hall("hall.obj");
    cJSON *report = judged(RUN("check", "hall.obj", "--fmax", "400", "--json"), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_assert(cJSON_HasObjectItem(report, names[i]), "%s is missing", names[i]);
    for (size_t i = 0; i < sizeof of_finding / sizeof of_finding[0]; i++)
        cr_assert(cJSON_HasObjectItem(entry_of(report, "findings", 0), of_finding[i]), "%s", of_finding[i]);
    cr_assert(eq(str, (char *)text_of(report, "command"), "check"));
    cr_assert(test_near(number(report, "checked_spacing_m"), number(report, "spacing_m"), 1e-12));
    cr_assert(test_near(number(report, "air_volume_m3"), 192, 5));
    char *err = read_text("err");
    cr_assert(eq(str, err, ""));
}

Test(check, json_has_the_points_of_receiver_grids_and_what_stands_in_straight_paths)
{
    MODEL("hall.obj", {"plaster", {0, 0, 0}, {8, 6, 4}, 0}, {"screen", {4, 2, 0}, {4, 4, 2}, 0});
    write_text("hall.yaml", "room: hall.obj\nfmax_hz: 200\nsources: [{name: S, position: [2, 3, 1]}]\n"
                            "receivers: [{name: A, position: [6, 3, 1]}, {name: B, position: [6, 3, 3.5]}]\n"
                            "receiver_grids: [{name: seats, material: plaster, spacing_m: 2}]\n");
    cJSON *report = CHECKED(0, "hall.yaml");
    const cJSON *grid = entry_of(report, "grids", 0), *path = entry_of(report, "paths", 0);
    const cJSON *points = cJSON_GetObjectItem(grid, "positions_m"),
                *obstacle = entry_of(path, "obstacles", 0);
    cr_assert(eq(int, cJSON_GetArraySize(points), (int)number(grid, "points")));
    cr_assert(test_above((double)cJSON_GetArraySize(points), 5.0));
    cr_assert(test_near(cJSON_GetArrayItem(cJSON_GetArrayItem(points, 0), 2)->valuedouble,
                        number(grid, "height_m"), 1e-9));
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(path, "obstacles")), 1));
    cr_assert(eq(str, (char *)text_of(obstacle, "material"), "screen"));
    for (int axis = 0; axis < 3; axis++)
        cr_assert(
            test_near(cJSON_GetArrayItem(cJSON_GetObjectItem(obstacle, "position_m"), axis)->valuedouble,
                      ((const double[]){4, 3, 1})[axis], 1e-9));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(entry_of(report, "paths", 1), "clear")));
    cJSON_Delete(report);
}

Test(check, words_end_with_the_verdict_and_quiet_leaves_findings_only)
{
    write_slotted_hall("hall.obj", 1, 1.5);
    expect_status(RUN("check", "hall.obj", PLACES, "--fmax", "400"), 1);
    char *text = read_text("out");
    cr_assert(strstr(text, "Must be corrected") != NULL);
    cr_assert(strstr(text, "Materials") != NULL);
    cr_assert(eq(str, strstr(text, "\nVerdict: "), "\nVerdict: unfit: it is not closed\n"));
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        cr_assert(strcspn(line, "\n") <= 100, "%.*s", (int)strcspn(line, "\n"), line);
    expect_status(RUN("check", "hall.obj", PLACES, "--fmax", "400", "--quiet"), 1);
    text = read_text("out");
    cr_assert(strstr(text, "Must be corrected") != NULL);
    cr_assert(strstr(text, "Verdict: unfit") != NULL);
    cr_assert(strstr(text, "Materials") == NULL);
    cr_assert(strstr(text, "checked on a grid") == NULL);
}

Test(check, voxels_are_written_whole_and_never_over_another_file)
{
    write_hall("hall.obj");
    /* 40 x 30 x 20 cells. */
    CLAIM(CHECKED(0, "hall.obj", PLACES, "--spacing", "0.2", "--walls", "staircase", "--voxels", "air.ply"),
          "fit", WORTH("voxels", "harmless", 2 * (40 * 30 + 40 * 20 + 30 * 20), 1e-9));
    expect_words("air.ply", "element face 5200\n");
    write_text("other.ply", "mine");
    expect_status(RUN("check", "hall.obj", PLACES, "--fmax", "400", "--voxels", "other.ply"), 2);
    expect_words("err", "--force");
    expect_words("other.ply", "mine");
    expect_status(RUN("check", "hall.obj", PLACES, "--fmax", "400", "--voxels", "other.txt"), 2);
    expect_status(RUN("check", "hall.obj", PLACES, "--fmax", "400", "--voxels", "other.ply", "--force"), 0);
    expect_words("other.ply", "element vertex");
    /* Without closed air there is nothing to show. */
    write_slotted_hall("leaking.obj", 1, 1.5);
    CLAIM(CHECKED(1, "leaking.obj", PLACES, "--fmax", "400", "--voxels", "none.ply"), "unfit",
          SAID("voxels", "harmless", "sentence", "not written"));
    cr_assert(not(exists("none.ply")));
}

Test(check, mesh_is_the_model_as_it_was_read)
{
    /* In centimetres, so that a file in the model's own units would be another room. */
    static const char small_room[] =
        "v 0 0 0\nv 300 0 0\nv 300 200 0\nv 0 200 0\nv 0 0 150\nv 300 0 150\nv 300 200 150\nv 0 200 150\n"
        "usemtl floor\nf 4 3 2 1\nusemtl ceiling\nf 5 6 7 8\n"
        "usemtl wall\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    write_text("box.obj", small_room);
    const cJSON *read =
        CHECKED(0, "box.obj", "--units", "cm", "--up", "z", "--fmax", "400", "--mesh", "read.glb");
    const cJSON *again = CHECKED(0, "read.glb", "--fmax", "400");
    const cJSON *room = cJSON_GetObjectItem(read, "room"), *same = cJSON_GetObjectItem(again, "room");
    cr_assert(eq(dbl, number(again, "air_volume_m3"), number(read, "air_volume_m3")));
    cr_assert(cJSON_Compare(cJSON_GetObjectItem(room, "high_m"), cJSON_GetObjectItem(same, "high_m"), true));
    for (const char *const *name = (const char *const[]){"floor", "ceiling", "wall", NULL}; *name != NULL;
         name++)
        cr_assert(eq(dbl, number(material_of(again, *name), "area_m2"),
                     number(material_of(read, *name), "area_m2")),
                  "%s", *name);
    expect_status(RUN("check", "box.obj", "--units", "cm", "--fmax", "400", "--mesh", "read.glb"), 2);
    expect_words("err", "--force");
}

Test(check, conformal_walls_have_cells_with_the_volume_and_areas_of_the_room)
{
    /* 3 x 2 x 1.5 m, turned by 30 degrees. */
    write_text("box.obj", "v 0 0 0\nv 2.59807621 1.5 0\nv 1.59807621 3.23205081 0\nv -1 1.73205081 0\n"
                          "v 0 0 1.5\nv 2.59807621 1.5 1.5\nv 1.59807621 3.23205081 1.5\n"
                          "v -1 1.73205081 1.5\nusemtl floor\nf 4 3 2 1\nusemtl ceiling\nf 5 6 7 8\n"
                          "usemtl wall\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    cJSON *report = judged(RUN("check", "box.obj", "--up", "z", "--fmax", "400", "--json", "--walls",
                               "conformal", "--voxels", "walls.ply"),
                           0);
    /* Vertices are on a sub-lattice: a spacing of 82 mm / 1024 to either side. */
    cr_assert(test_near(number(report, "cells_volume_m3"), 9, 2e-3));
    const struct {
        const char *name;
        double area;
    } surface[] = {{"floor", 6}, {"ceiling", 6}, {"wall", 15}};
    for (size_t s = 0; s < sizeof surface / sizeof *surface; s++)
        cr_assert(test_near(number(material_of(report, surface[s].name), "touched_area_m2"), surface[s].area,
                            5e-4 * surface[s].area),
                  "%s", surface[s].name);
    const cJSON *cells = cJSON_GetObjectItem(report, "cut_cells");
    cr_assert(test_above(number(cells, "nodes"), 1000));
    cr_assert(eq(dbl, number(cells, "pieces"), 0));
    expect_words("walls.ply", "property float volume\n");
    report =
        judged(RUN("check", "box.obj", "--up", "z", "--fmax", "400", "--json", "--walls", "staircase"), 0);
    cr_assert(cJSON_GetObjectItem(report, "cut_cells") == NULL);
}

Test(check, what_cannot_be_read_is_bad_input_and_no_answer)
{
    expect_status(RUN("check", "missing.obj"), 2);
    expect_words("err", "missing.obj");
    write_text("broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    expect_status(RUN("check", "broken.obj", "--json"), 2);
    char *out = read_text("out");
    cr_assert(eq(str, out, ""));
    write_hall("hall.obj");
    expect_status(RUN("check", "hall.obj", "--absorption", "nothing=0.1"), 2);
}
