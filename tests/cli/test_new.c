/** `transept new`: the project that it writes runs unchanged, from a mesh, a model and a built-in room. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/checked_model.h"

#include "src/cli/project_write.h"
#include "src/base/options/failure_text.h"
#include "src/setup/automatic_place.h"
#include "src/setup/room_voxelise.h"
#include "tests/support/outcome.h"

TestSuite(new, .init = enter_folder, .fini = leave_folder);

/* Short and low, whatever the project suggests. */
#define QUICK "--fmax", "60", "--duration", "0.05", "--spacing", "0.5", "--json"

static struct project *open_project(const char *path)
{
    struct project *project = NULL;
    MUST(project_open(path, NULL, &project, &failure));
    return project;
}

/* ---- what it writes runs ---- */

Test(new, a_built_in_room_becomes_a_project_that_runs)
{
    expect_status(RUN("new", "church", "-o", "church.yaml"), 0);
    expect_words("out", "transept simulate church.yaml");
    expect_status(RUN("simulate", "church.yaml", QUICK, "--source", "pulpit"), 0);
    expect_words("err", "{\"warning\":{\"message\":\"guessed: plaster_wall, window_glass");
    cJSON *record = read_json("out");
    cr_assert(exists("church/ir_pulpit_nave_back.wav"), "results go into a folder of the project's name");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(material_of(record, "pews"), "guessed")));
    cr_assert(eq(str, (char *)text_of(material_of(record, "pews"), "library_name"), "wooden pews empty"));
    cr_assert(eq(str, (char *)text_of(cJSON_GetObjectItem(record, "project"), "shape"), "church"));
}

Test(new, a_mesh_without_positions_gets_a_source_and_two_receivers_apart)
{
    write_box("hall.obj", 12, 8, 5, true);
    expect_status(RUN("new", "hall.obj", "-o", "hall.yaml", "--quiet"), 0);
    struct project *project = open_project("hall.yaml");
    const struct option_places *source = &project->value.request.points.source,
                               *receiver = &project->value.request.points.receiver;
    cr_assert(source->count == 1 && receiver->count == 2);
    cr_assert(eq(str, receiver->place[0].name, "near"));
    cr_assert(eq(str, receiver->place[1].name, "far"));
    double away[2];
    for (int r = 0; r < 2; r++) {
        const double *from = source->place[0].position, *to = receiver->place[r].position;
        away[r] = hypot(from[0] - to[0], from[1] - to[1]);
        cr_assert(test_near(to[2], 1.2, 1e-9), "ears are 1.2 m above the floor");
        cr_assert(to[0] >= 1 && to[0] <= 11 && to[1] >= 1 && to[1] <= 7, "and 1 m from every wall");
    }
    cr_assert(test_near(source->place[0].position[2], 1.5, 1e-9));
    cr_assert(away[0] > 1 && away[1] > away[0] + 2, "%g and %g m", away[0], away[1]);
    project_close(project);
    expect_status(RUN("simulate", "hall.yaml", QUICK), 0);
    cr_assert(exists("hall/ir_S1_near.wav") && exists("hall/ir_S1_far.wav"));
}

Test(new, a_real_model_becomes_a_project_that_runs)
{
    const char *model = test_shared_data("ctk_church/church.gltf");
    if (model == NULL)
        cr_skip_test("no model");
    expect_status(RUN("new", model, "-o", "ctk.yaml"), 0);
    expect_status(RUN("simulate", "ctk.yaml", QUICK), 0);
    cJSON *record = read_json("out");
    cr_assert(
        eq(str, (char *)text_of(material_of(record, "Carpet"), "library_name"), "carpet heavy on concrete"));
    cr_assert(eq(str, (char *)text_of(material_of(record, "Walls"), "library_name"), "plaster on masonry"));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(material_of(record, "Walls"), "guessed")));
}

/* ---- what it writes means what the model says ---- */

/* As older programs write it: "cafe" with an accent in one byte. */
Test(new, a_name_in_latin_1_is_written_in_utf8_here_and_in_run_json)
{
    write_box("hall.obj", 5, 5, 4, true);
    expect_status(system("sed -i 's/^usemtl.*/usemtl caf\\xe9/' hall.obj && grep -q usemtl hall.obj"), 0);
    expect_status(RUN("new", "hall.obj", "-o", "hall.yaml"), 0);
    expect_words("hall.yaml", "\"caf\xc3\xa9\":  # 130 m2, 100 % of all");
    expect_status(RUN("simulate", "hall.yaml", QUICK), 0);
    cJSON *record = read_json("out");
    cr_assert(material_of(record, "caf\xc3\xa9") != NULL);
}

Test(new, names_are_read_back_whatever_they_hold)
{
    static const char *const name[] = {"Wall: left, right",
                                       "no",
                                       "12",
                                       "#1",
                                       "{a}",
                                       "say \"oak\"",
                                       "back\\slash",
                                       "true",
                                       "~",
                                       "- x",
                                       "Ma\xc3\xbc"
                                       "er",
                                       "a = b"};
    enum { NAMES = sizeof name / sizeof name[0] };
    FILE *file = fopen("odd.obj", "w");
    cr_assert(file != NULL);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %d %d %d\n", i & 1 ? 4 : 0, i & 2 ? 4 : 0, i & 4 ? 4 : 0);
    static const int face[NAMES][3] = {{1, 3, 4}, {1, 4, 2}, {1, 2, 6}, {1, 6, 5}, {3, 7, 8}, {3, 8, 4},
                                       {1, 5, 7}, {1, 7, 3}, {2, 4, 8}, {2, 8, 6}, {5, 6, 8}, {5, 8, 7}};
    for (int f = 0; f < NAMES; f++)
        fprintf(file, "usemtl %s\nf %d %d %d\n", name[f], face[f][0], face[f][1], face[f][2]);
    fclose(file);
    expect_status(RUN("new", "odd.obj", "-o", "odd.yaml"), 0);
    struct project *project = open_project("odd.yaml");
    for (int n = 0; n < NAMES; n++) {
        const struct surface_entry *entry =
            surface_table_find(&project->material, name[n], SURFACE_BY_PROJECT);
        cr_assert(entry != NULL && strcmp(entry->name, name[n]) == 0 && entry->guessed, "%s", name[n]);
    }
    project_close(project);
    expect_status(RUN("plan", "odd.yaml", "--fmax", "60"), 0);
}

Test(new, the_mesh_is_named_as_the_project_sees_it)
{
    cr_assert(mkdir("models", 0777) == 0 && mkdir("models/old", 0777) == 0);
    write_box("models/hall.obj", 4, 4, 4, true);
    static const struct {
        const char *output, *mesh, *seen;
    } place[] = {{"a.yaml", "models/hall.obj", "\nroom: models/hall.obj "},
                 {"models/old/a.yaml", "./models/../models/hall.obj", "\nroom: \"../hall.obj\" "}};
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
        expect_status(RUN("new", place[i].mesh, "-o", place[i].output), 0);
        expect_words(place[i].output, place[i].seen);
        expect_status(RUN("plan", place[i].output, "--fmax", "60"), 0);
    }
}

Test(new, units_axes_cracks_and_positions_of_the_model_are_kept)
{
    FILE *file = fopen("marked.obj", "w");
    cr_assert(file != NULL);
    fputs("o room\nusemtl oak\n", file);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %d %d %d\n", i & 1 ? 500 : 0, i & 2 ? 300 : 0, i & 4 ? 400 : 0);
    fputs("f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n", file);
    fputs("o receiver:seat 3\nv 120 120 120\nv 121 120 120\nv 120 121 120\nf 9 10 11\n", file);
    fclose(file);
    expect_status(RUN("new", "marked.obj", "-o", "p.yaml", "--units", "cm", "--up", "y", "--seal", "1cm"), 0);
    struct project *project = open_project("p.yaml");
    cr_assert(project->value.request.model.units == UNIT_CM && project->value.request.model.up == 1 &&
              project->value.request.grid.seal == 0.01);
    cr_assert(project->value.request.points.receiver.count == 1 &&
              project->value.request.points.receiver.place[0].of_model);
    cr_assert(eq(str, project->value.request.points.receiver.place[0].name, "seat_3"));
    cr_assert(project->value.request.points.source.count == 1 &&
              project->value.request.points.source.place[0].position[2] == 1.5);
    project_close(project);
    expect_status(RUN("simulate", "p.yaml", QUICK, "-o", "run"), 0);
}

/* As SketchUp writes one: inches, told in a remark, y up on request, a group for every part. */
Test(new, a_model_that_states_its_unit_is_taken_in_it_and_the_project_says_so)
{
    write_box("plain.obj", 158, 118, 106, true);
    expect_status(
        system(
            "(printf '# Alias OBJ Model File\\r\\n# File units = inches\\r\\n'; cat plain.obj) > hall.obj"),
        0);
    expect_status(RUN("new", "hall.obj", "-o", "hall.yaml"), 0);
    expect_words("hall.yaml", "units: in ");
    expect_status(RUN("check", "hall.yaml"), 0);
    expect_words("out", "OBJ in inches");
    RUN("check", "hall.obj", "--absorption", "0.1");
    expect_words("out", "OBJ in inches (as it says)", "4.0132 m long");
    RUN("check", "hall.obj", "--absorption", "0.1", "--units", "mm");
    expect_words("out", "OBJ in millimetres");
}

Test(new, a_model_in_another_unit_is_warned_of)
{
    write_box("hall.obj", 12000, 8000, 5000, true);
    RUN("new", "hall.obj", "-o", "hall.yaml");
    expect_words("err", "warning: the model measures", "--units mm");
    expect_status(RUN("new", "hall.obj", "-o", "hall.yaml", "--force", "--units", "mm"), 0);
    expect_words("hall.yaml", "units: mm", "12 x 8 x 5 m");
    expect_no_words("err", "warning");
}

/* ---- places ---- */

/* A cross of four arms without an end wall; the air in each of its four corners is more than the room's. */
static void write_open_cross(const char *path)
{
    static const double outline[12][2] = {{28, 0},  {32, 0},  {32, 28}, {60, 28}, {60, 32}, {32, 32},
                                          {32, 60}, {28, 60}, {28, 32}, {0, 32},  {0, 28},  {28, 28}};
    FILE *file = fopen(path, "w");
    for (int level = 0; level < 2; level++)
        for (int c = 0; c < 12; c++)
            (void)fprintf(file, "v %g %g %d\n", outline[c][0], outline[c][1], 5 * level);
    (void)fputs(
        "usemtl floor\nf 12 11 10 9 8 7 6 5 4 3 2 1\nusemtl ceiling\nf 13 14 15 16 17 18 19 20 21 22 23 24\n"
        "usemtl brick\n",
        file);
    for (int c = 1; c < 12; c++) /* not the first, an end */
        (void)fprintf(file, "f %d %d %d %d\n", c + 1, (c + 1) % 12 + 1, (c + 1) % 12 + 13, c + 13);
    (void)fclose(file);
}

/* Is every position of the project in the air over one of these rectangles, below `height`? */
static void expect_places(const char *path, const double rectangle[][4], size_t count, double height)
{
    struct project *project = open_project(path);
    const struct option_places *places[] = {&project->value.request.points.source,
                                            &project->value.request.points.receiver};
    for (int kind = 0; kind < 2; kind++)
        for (size_t p = 0; p < places[kind]->count; p++) {
            const double *at = places[kind]->place[p].position;
            bool in = false;
            for (size_t r = 0; r < count; r++)
                in = in || (at[0] > rectangle[r][0] && at[1] > rectangle[r][1] && at[0] < rectangle[r][2] &&
                            at[1] < rectangle[r][3]);
            cr_assert(in && at[2] > 0 && at[2] < height, "%g, %g, %g m", at[0], at[1], at[2]);
        }
    project_close(project);
}

Test(new, positions_of_an_open_scene_are_in_the_room_and_the_project_runs)
{
    static const double arms[2][4] = {{0, 28, 60, 32}, {28, 0, 32, 60}}, porch[1][4] = {{17, 18, 23, 22}};
    write_open_cross("cross.obj");
    expect_status(RUN("new", "cross.obj", "--open", "-o", "cross.yaml"), 0);
    expect_places("cross.yaml", arms, 2, 5);
    expect_status(RUN("simulate", "cross.yaml", QUICK), 0);
    /* On ground that is 60 times larger, and without one of its walls. */
    MODEL("porch.obj", {"ground", {0, 0, 0}, {40, 40, 0}, 0},
          {"brick", {17, 18, 0}, {23, 22, 3}, FACE_XP | 16});
    expect_status(RUN("new", "porch.obj", "--open", "-o", "porch.yaml"), 0);
    expect_places("porch.yaml", porch, 1, 3);
}

Test(new, a_place_that_is_taken_is_not_given_again)
{
    write_box("hall.obj", 12, 8, 5, true);
    char *argument[] = {"hall.obj", "--fmax", "100", "--quiet"};
    struct options options;
    struct room_setup setup = {0};
    struct clearance tree = {0};
    MUST(options_parse(COMMAND_PLAN, "plan", "ROOM", 4, argument, NULL, &options, &failure));
    const struct room_request request = options.request;
    MUST(room_setup_read(&request, &setup, &failure));
    MUST(room_grid_resolution(&request, &setup.model, 100, &setup.grid, &failure));
    MUST(room_voxelise(&setup, &failure));
    MUST(clearance_make(&setup.model.mesh, &tree, &failure));
    double taken[3][3];
    for (size_t t = 0; t < 3; t++) {
        struct automatic_wish wish = {
            .height = 1.2, .share = 0.5, .apart = 2, .taken_count = t, .taken = (const double(*)[3])taken};
        struct automatic_place place;
        memcpy(wish.from, setup.points.point[0].position, sizeof wish.from);
        MUST(automatic_place_find(&setup.grid.packed, &tree, &wish, &place, &failure));
        memcpy(taken[t], place.position, sizeof taken[t]);
        for (size_t other = 0; other < t; other++)
            cr_assert(hypot(taken[t][0] - taken[other][0], taken[t][1] - taken[other][1]) >= 2);
    }
    clearance_free(&tree);
    room_setup_free(&setup);
    options_free(&options);
}

/* ---- what it refuses ---- */

Test(new, it_replaces_nothing_unasked_and_leaves_nothing_behind)
{
    write_cube();
    write_text("mine.yaml", "# mine\n");
    REFUSED("mine.yaml exists; --force", "new", "cube.obj", "-o", "mine.yaml");
    expect_words("mine.yaml", "# mine");
    expect_status(RUN("new", "cube.obj", "-o", "mine.yaml", "--force"), 0);
    expect_words("mine.yaml", "room: cube.obj");
    REFUSED("mine.yaml is a project already", "new", "mine.yaml", "-o", "p.yaml");
    REFUSED("-o FILE.yaml", "new", "cube.obj");
    REFUSED(".yaml or .yml", "new", "cube.obj", "-o", "p.txt");
    expect_status(RUN("new", "chruch", "-o", "p.yaml"), 2);
    REFUSED("built-in church is in metres", "new", "church", "--units", "cm", "-o", "p.yaml");
    write_box("open.obj", 3, 3, 3, false);
    expect_status(RUN("new", "open.obj", "-o", "p.yaml"), 2);
    expect_status(RUN("new", "cube.obj", "-o", "absent/p.yaml"), 5);
    cr_assert(eq(sz, count_entries(".", "p."), 0));
}
