/** Projects: what a file says reaches the run, the command line goes over it, and a variant over the project.
 */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include "src/base/options/scheme_options.h"
#include "src/response/signal/band_filters.h"
#include "src/setup/project/project.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"

TestSuite(project, .init = enter_folder, .fini = leave_folder);

static const char whole[] =
    "room: models/hall.obj\n"
    "units: cm\n"
    "up: y\n"
    "seal_m: 0.02\n"
    "open: true\n"
    "two_sided: {curtain: plaster}\n"
    "materials:\n"
    "  wall: marble floor\n"
    "  floor: 0.25\n"
    "  roof: {octaves: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], guessed: true}\n"
    "  pews: {audience: 0.5, scattering: {125: 0.3, 1000: 0.6}}\n"
    "materials_file: tables/own.csv\n"
    "other_surfaces: 0.07\n"
    "audience: 0.25\n"
    "walls: first-order\n"
    "air: {temperature_c: 12, humidity_percent: 60, pressure_kpa: 95, losses: fast}\n"
    "sources:\n"
    "- {name: pulpit, position: [1, -2.5, 1.5], directivity: measured.sofa, aim: [30, -5.5]}\n"
    "- altar\n"
    "together: {both: 'pulpit, altar:-3:2.5'}\n"
    "arrays: {column: column.csv}\n"
    "receivers:\n"
    "- {position: [4, 5, 1.2], look: altar}\n"
    "- {name: seat, position: [5, 5, 1.2], look: -90, dummy_head: head.obj}\n"
    "- {position: [6, 5, 1.2], dummy_head: true}\n"
    "- {position: [7, 5, 1.2], dummy_head: 0.08}\n"
    "receiver_grids:\n"
    "- {name: nave, material: pews, spacing_m: 0.7, height_m: 1.1}\n"
    "- {name: choir, corners: [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}\n"
    "fmax_hz: 500\n"
    "scheme: isotropic\n"
    "points_per_wavelength: 8\n"
    "courant: 0.5\n"
    "grid_origin_m: [0, 0.5, 1]\n"
    "interpolation: linear\n"
    "duration_s: auto\n"
    "computing: {backend: cpu, threads: 2, precision: double, layout: box, budget_s: 60, bits: any}\n"
    "outputs: {folder: runs/hall, repeat_shifted: true, bands: third, rays: on, ray_noise_percent: 2, maps: "
    "all, "
    "ambisonics: true,\n"
    "  head: kemar.sofa,\n"
    "  yaw_degrees: -30, pitch_degrees: 5, roll_degrees: 1}\n"
    "variants:\n"
    "  full: {audience: 0.8}\n"
    "  other: {room: {shape: cube, size: 4}, materials: {Floor: 0.6}}\n";

static struct project *open_project(const char *path, const char *variant)
{
    struct project *project = NULL;
    MUST(project_open(path, variant, &project, &failure));
    return project;
}

static struct options apply(struct project *project, int argc, char **argv)
{
    struct options options;
    MUST(options_parse(COMMAND_SIMULATE, "simulate", "ROOM", argc, argv, NULL, &options, &failure));
    project_apply(project, &options);
    return options;
}
#define APPLY(project, ...)                                                                                  \
    apply(project, sizeof((char *[]){"p.yaml", __VA_ARGS__}) / sizeof(char *),                               \
          (char *[]){"p.yaml", __VA_ARGS__})

static const struct surface_entry *entry_of(const struct project *project, const char *name)
{
    const struct surface_entry *entry = surface_table_find(&project->material, name, SURFACE_BY_PROJECT);
    cr_assert(entry != NULL, "%s", name);
    return entry;
}

static void expect_places(const struct options *options)
{
    cr_assert(eq(sz, options->request.points.source.count, 2));
    cr_assert(eq(str, options->request.points.source.place[0].name, "pulpit"));
    cr_assert(options->request.points.source.place[0].position[1] == -2.5 &&
              !options->request.points.source.place[0].of_model);
    cr_assert(options->request.points.source.place[1].of_model);
    cr_assert(eq(str, options->request.points.source.place[1].name, "altar"));
    cr_assert(eq(sz, options->request.points.receiver.count, 4));
    cr_assert(eq(str, (char *)options->request.listening.dummy_head.text[0], "seat=site/head.obj"));
    cr_assert(eq(str, (char *)options->request.listening.dummy_head.text[1], "R3"));
    cr_assert(eq(str, (char *)options->request.listening.dummy_head.text[2], "R4=0.08"));
    cr_assert(eq(sz, options->request.listening.look.count, 2));
    cr_assert(eq(str, (char *)options->request.listening.look.text[0], "R1=altar"));
    cr_assert(eq(str, (char *)options->request.listening.look.text[1], "seat=-90"));
    cr_assert(eq(sz, options->request.radiation.directivity.count, 1));
    cr_assert(eq(str, (char *)options->request.radiation.directivity.text[0], "pulpit=site/measured.sofa"));
    cr_assert(eq(sz, options->request.radiation.aim.count, 1));
    cr_assert(eq(str, (char *)options->request.radiation.aim.text[0], "pulpit=30,-5.5"));
    cr_assert(eq(str, (char *)options->request.radiation.array.text[0], "column=site/column.csv"));
    cr_assert(eq(sz, options->request.radiation.together.count, 1));
    cr_assert(eq(str, (char *)options->request.radiation.together.text[0], "both=pulpit,altar:-3:2.5"));
    cr_assert(options->request.points.receiver.place[0].name[0] == '\0' &&
              options->request.points.receiver.place[0].position[2] == 1.2);
    const struct option_grids *grids = &options->request.points.receiver_grid;
    cr_assert(eq(sz, grids->count, 2));
    cr_assert(eq(str, (char *)grids->grid[0].material, "pews"));
    cr_assert(grids->grid[0].spacing == 0.7 && grids->grid[0].height == 1.1);
    cr_assert(grids->grid[1].corners == 3 && grids->grid[1].corner[2][1] == 1 && grids->grid[1].spacing == 0);
}

Test(project, every_value_reaches_the_option_that_it_stands_for)
{
    cr_assert(eq(int, mkdir("site", 0777), 0));
    write_text("site/p.yaml", whole);
    struct project *project = open_project("site/p.yaml", NULL);
    struct options options = APPLY(project, "--quiet");
    cr_assert(eq(str, (char *)options.subject, "site/models/hall.obj"));
    cr_assert(eq(str, (char *)options.request.surfaces.materials, "site/tables/own.csv"));
    cr_assert(eq(str, (char *)options.output, "site/runs/hall"));
    cr_assert(options.request.model.units == UNIT_CM && options.request.model.up == 1 &&
              options.request.grid.seal == 0.02 && options.request.grid.open);
    cr_assert(eq(sz, options.request.surfaces.two_sided.count, 1));
    cr_assert(eq(str, (char *)options.request.surfaces.two_sided.text[0], "curtain=plaster"));
    cr_assert(options.request.surfaces.audience == 0.25 && options_given(&options, "audience"));
    cr_assert(options.request.engine.walls == WALLS_FIRST_ORDER);
    cr_assert(options.request.model.air.temperature == 12 && options.request.model.air.humidity == 60 &&
              options.request.model.air.pressure == 95 && options.request.model.air_method == 1);
    cr_assert(options.request.grid.fmax == 500 && options.request.grid.points_per_wavelength == 8 &&
              options.request.grid.scheme == SCHEME_ISOTROPIC && options.request.grid.courant == 0.5 &&
              options.request.plan.duration == 0);
    cr_assert(options.request.grid.origin.given && options.request.grid.origin.position[1] == 0.5);
    cr_assert(options.request.engine.interpolation == 1 &&
              options.request.engine.backend == OPTION_BACKEND_CPU && options.request.engine.threads == 2);
    cr_assert(options.request.engine.precision == 1 && options.request.engine.layout == 1 &&
              options.request.plan.budget == 60);
    cr_assert(options.request.listening.yaw == -30.0 && options.request.listening.pitch == 5 &&
              options.request.listening.roll == 1 &&
              strstr(options.request.listening.head, "kemar.sofa") != NULL);
    cr_assert(options.request.plan.rays == RAYS_ON);
    cr_assert(options.request.plan.bands == BANDS_THIRD && options.request.plan.repeat_shifted &&
              options.request.listening.ambisonics && options.request.points.maps == OPTION_MAPS_ALL);
    expect_places(&options);
    options_free(&options);
    project_close(project);
}

Test(project, a_courant_number_may_be_a_share)
{
    write_text("p.yaml", "room: hall.obj\nwalls: staircase\ncourant: 50%\n");
    struct project *project = open_project("p.yaml", NULL);
    struct options options = APPLY(project, "--quiet");
    cr_assert(options.request.engine.walls == WALLS_STAIRCASE && options_given(&options, "walls"));
    cr_assert(options.request.grid.courant == 0 && options.request.grid.courant_share == 0.5);
    options_free(&options);
    project_close(project);
    static const char *const bad[][2] = {
        {"courant: 101%", "above 0% and at most 100%"},
        {"courant: 0%", "above 0% and at most 100%"},
        {"spacing_m: 50%", "a number above 0 and at most 10 m"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[80];
        snprintf(text, sizeof text, "room: hall.obj\n%s\n", bad[i][0]);
        write_text("p.yaml", text);
        MUST_FAIL(project_open("p.yaml", NULL, &project, &failure), FAILURE_INPUT, bad[i][1]);
    }
}

Test(project, every_option_of_simulate_has_a_key)
{
    /* `whole` has every key but two: spacing_m and quality take the place of another. The rest is of the
     * command line: what the program says and overwrites, the variant, how a run is saved and gone on with,
     * the cards of the machine; materials and grids say by themselves what --absorption, --scattering and
     * --grid-* say for all. */
    static const char *const without[] = {"spacing",    "quality",      "force",       "json",       "quiet",
                                          "help",       "leak",         "variant",     "checkpoint", "resume",
                                          "absorption", "grid-spacing", "grid-height", "devices",    "device",
                                          "discard",    "progress",     "scattering",  "waves-only", "watch"};
    write_text("p.yaml", whole);
    struct project *project = open_project("p.yaml", NULL);
    for (size_t i = 0; i < option_table_count; i++) {
        bool found = project->value.given[i] || (option_table[i].commands & COMMAND_SIMULATE) == 0;
        for (size_t w = 0; !found && w < sizeof without / sizeof without[0]; w++)
            found = strcmp(option_table[i].name, without[w]) == 0;
        cr_expect(found, "--%s has no key of a project: see \"A new option\" in src/base/options/README.md",
                  option_table[i].name);
    }
    project_close(project);
}

Test(project, materials_are_names_numbers_octaves_or_seats)
{
    write_text("p.yaml", whole);
    struct project *project = open_project("p.yaml", NULL);
    const struct surface_entry *wall = entry_of(project, "wall"), *floor = entry_of(project, "floor"),
                               *roof = entry_of(project, "roof"), *pews = entry_of(project, "pews");
    cr_assert(wall->form == SURFACE_NAMED && !wall->guessed && isnan(wall->audience));
    cr_assert(eq(str, (char *)wall->library, "marble floor"));
    cr_assert(floor->form == SURFACE_NUMBER && floor->absorption[7] == 0.25);
    cr_assert(roof->form == SURFACE_OCTAVES && roof->absorption[2] == 0.3 && roof->guessed);
    cr_assert(pews->form == SURFACE_NAMED && pews->audience == 0.5);
    cr_assert(eq(str, (char *)pews->library, "pews"));
    cr_assert(pews->scattering.octave[0] == 0.3 && pews->scattering.octave[8] == 0.6);
    cr_assert(wall->scattering.given == 0);
    cr_assert(surface_table_fallback(&project->material)->absorption[3] == 0.07);
    project_close(project);
}

Test(project, every_form_of_absorption_takes_its_uncertainty)
{
    const double bar = 0.1 / 1.645;
    write_text("p.yaml", "room: {shape: cube}\nother_surfaces: 0.1 +- 0.1\nmaterials:\n"
                         "  wall: 0.2 +- 0.1\n  roof: {absorption: {125: 0.1 +- 0.1, 500: 0.2}}\n"
                         "  floor: {octaves: [0.1, 0.2 +- 0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]}\n"
                         "  door: oak door +- 0.1\n  seats: {library: pews +- 0.1, audience: 0.5}\n");
    struct project *project = open_project("p.yaml", NULL);
    const struct surface_entry *wall = entry_of(project, "wall"), *floor = entry_of(project, "floor"),
                               *roof = entry_of(project, "roof"), *door = entry_of(project, "door"),
                               *seats = entry_of(project, "seats");
    cr_assert(door->form == SURFACE_NAMED && strcmp(door->library, "oak door") == 0);
    cr_assert(door->stated && test_near(door->uncertainty[0], bar, 1e-12));
    cr_assert(seats->stated && seats->audience == 0.5 && strcmp(seats->library, "pews") == 0);
    cr_assert(wall->stated && wall->absorption[5] == 0.2 && test_near(wall->uncertainty[5], bar, 1e-12));
    cr_assert(roof->stated && test_near(roof->uncertainty[0], bar, 1e-12) && isnan(roof->uncertainty[3]));
    cr_assert(floor->stated && test_near(floor->uncertainty[1], bar, 1e-12) && isnan(floor->uncertainty[0]));
    cr_assert(floor->absorption[7] == 0.8 && surface_table_fallback(&project->material)->stated);
    project_close(project);
}

Test(project, what_is_behind_a_name_of_the_library_is_the_error_bar_of_the_surface)
{
    write_text("p.yaml", "room: {shape: cube, size: 4}\nmaterials: {plaster_wall: oak door +- 0.1}\n");
    (void)RUN("check", "p.yaml", "--fmax", "60", "--receiver", "1,1,1", "--source", "2,2,2", "--json");
    const cJSON *object = read_json("out"), *material;
    size_t found = 0;
    cJSON_ArrayForEach(material, record_at(object, "materials"))
    {
        const cJSON *bars = cJSON_GetObjectItem(material, "absorption_error_octaves");
        const bool given = strcmp(record_text(material, "absorption_uncertainty_from"), "given") == 0;
        found += given;
        cr_assert(eq(int, cJSON_GetArraySize(bars), 8));
        cr_assert(given == (strcmp(record_text(material, "name"), "plaster_wall") == 0));
        cr_assert(test_near(cJSON_GetArrayItem(bars, 7)->valuedouble, 0.1, 1e-9) == given);
    }
    cr_assert(eq(sz, found, 1));
}

Test(project, absorption_is_also_a_mapping_of_third_octaves_and_values_above_1_are_told)
{
    write_text(
        "p.yaml",
        "room: {shape: cube, size: 4}\n"
        "materials:\n"
        "  stone_floor: {absorption: {100: 0.25, 125: 0.5, 160: 0.75, 200: 1.25, 250: 1.25, 315: 1}}\n");
    struct project *project = open_project("p.yaml", NULL);
    const struct surface_entry *floor = entry_of(project, "stone_floor");
    cr_assert(floor->form == SURFACE_OCTAVES && floor->absorption[1] == 0.5 && floor->absorption[2] == 0.95);
    project_close(project);
    (void)RUN("plan", "p.yaml", "--fmax", "60", "--receiver", "1,1,1", "--source", "2,2,2");
    expect_words("err",
                 "p.yaml, line 3: \"stone_floor\" absorbs 1.167 at 250 Hz; values above 1 count as 0.95");
}

Test(project, the_command_line_goes_over_the_project)
{
    write_text("p.yaml", whole);
    struct project *project = open_project("p.yaml", NULL);
    struct options options =
        APPLY(project, "--fmax", "200", "--spacing", "0.5", "--source", "7,7,7", "--audience", "1",
              "--two-sided", "a=b", "-o", "elsewhere", "--materials", "x.csv", "--temperature", "20");
    cr_assert(options.request.grid.fmax == 200 && options.request.grid.spacing == 0.5);
    cr_assert(options_given(&options, "points-per-wavelength") == false, "--spacing takes its place");
    cr_assert(options.request.points.source.count == 1 &&
              options.request.points.source.place[0].position[0] == 7);
    cr_assert(options.request.points.receiver.count == 4 &&
              options.request.points.receiver.place[0].position[0] == 4);
    cr_assert(options.request.surfaces.audience == 1 && isnan(entry_of(project, "pews")->audience));
    cr_assert(eq(str, (char *)options.request.surfaces.two_sided.text[0], "a=b"));
    cr_assert(eq(str, (char *)options.output, "elsewhere"));
    cr_assert(options.request.model.air.temperature == 20, "also where it is the default");
    cr_assert(project->material.file_first, "as --materials is given");
    options_free(&options);
    project_close(project);
}

Test(project, one_of_spacing_points_and_quality_makes_the_others_void)
{
    static char *const command_line[][2] = {
        {"--spacing", "0.5"}, {"--points-per-wavelength", "9"}, {"--quality", "draft"}};
    static const char *const of_project[] = {"spacing_m: 0.1", "points_per_wavelength: 8", "quality: fine"};
    for (size_t l = 0; l < 3; l++)
        for (size_t p = 0; p < 3; p++) {
            char text[80];
            (void)snprintf(text, sizeof text, "room: hall.obj\n%s\n", of_project[p]);
            write_text("p.yaml", text);
            struct project *project = open_project("p.yaml", NULL);
            struct options options = APPLY(project, command_line[l][0], command_line[l][1]);
            cr_assert(options.request.grid.spacing == (l == 0 ? 0.5 : 0) &&
                          options.request.grid.points_per_wavelength == (l == 1 ? 9 : 0) &&
                          options.request.grid.quality == (l == 2 ? QUALITY_DRAFT : QUALITY_STANDARD),
                      "%s %s", command_line[l][0], of_project[p]);
            cr_assert(options_given(&options, "quality") == (l == 2));
            options_free(&options);
            project_close(project);
        }
    write_text("p.yaml", "room: hall.obj\nquality: fine\n");
    struct project *project = open_project("p.yaml", NULL);
    struct options options = APPLY(project, "--quiet");
    cr_assert(options.request.grid.quality == QUALITY_FINE && options_given(&options, "quality"));
    options_free(&options);
    project_close(project);
}

/* Whatever the scheme of choice is. */
Test(project, spacing_and_height_of_the_command_line_go_over_those_of_its_grids)
{
    static const char text[] =
        "room: hall.obj\nfmax_hz: 200\nother_surfaces: 0.1\nsources: [{name: s, position: [1, "
        "1, 1]}]\nreceiver_grids: [{name: g, corners: [[1, 1, 0], [7, 1, 0], [7, 6, 0], [1, "
        "6, 0]], spacing_m: 1, height_m: 1.5}]\n";
    write_text("p.yaml", text);
    write_box("hall.obj", 8, 7, 6, true);
    double points[3], height[3];
    static const char *const more[3][2] = {
        {"--spacing", "0.3"}, {"--grid-spacing", "2"}, {"--grid-height", "0.9"}};
    for (int i = 0; i < 3; i++) {
        expect_status(RUN("plan", "p.yaml", "--json", more[i][0], more[i][1]), 0);
        cJSON *said = read_json("out");
        const cJSON *grid = cJSON_GetArrayItem(cJSON_GetObjectItem(said, "grids"), 0);
        points[i] = number(grid, "points");
        height[i] = number(grid, "height_m");
    }
    cr_assert(test_above(points[0], 2 * points[1]) && points[2] == points[0]);
    cr_assert(height[0] == 1.5 && height[1] == 1.5 && height[2] == 0.9);
}

Test(project, a_variant_changes_what_it_names_and_nothing_else)
{
    write_text("p.yaml", whole);
    struct project *full = open_project("p.yaml", "full"), *other = open_project("p.yaml", "other"),
                   *base = open_project("p.yaml", PROJECT_BASE);
    cr_assert(eq(str, full->name, "full"));
    cr_assert(eq(str, base->name, ""));
    cr_assert(eq(sz, full->variants, 2));
    cr_assert(eq(str, full->variant[1], "other"));
    cr_assert(full->value.request.surfaces.audience == 0.8 && full->value.request.grid.fmax == 500);
    cr_assert(isnan(entry_of(full, "pews")->audience), "all seats are taken as the variant says");
    cr_assert(entry_of(base, "pews")->audience == 0.5 && base->value.request.surfaces.audience == 0.25);
    cr_assert(entry_of(full, "wall")->may_miss == false, "the room is the same");
    cr_assert(other->shape != NULL && other->measure[0] == 4 && base->shape == NULL);
    cr_assert(entry_of(other, "floor")->absorption[0] == 0.6 && !entry_of(other, "floor")->may_miss);
    cr_assert(entry_of(other, "wall")->may_miss, "another room may lack it");
    cr_assert(entry_of(other, "pews")->audience == 0.5);
    project_close(full);
    project_close(other);
    project_close(base);
}

/* ---- runs ---- */

#define REST                                                                                                 \
    "\nfmax_hz: 60\nduration_s: 0.1\nsources: [{name: s, position: [1, 1, 1]}]\n"                            \
    "receivers: [{name: r, position: [2, 2, 2]}]\n"
#define SMALL "room: cube.obj" REST

Test(project, a_built_in_room_needs_no_mesh_and_the_record_says_what_it_was)
{
    write_text("p.yaml", "room: {shape: cube, size: 4}" REST
                         "materials:\n  stone_floor: {absorption: 0.2, scattering: 0.3, guessed: true}\n"
                         "variants: {soft: {materials: {stone_floor: 0.5}}}\n");
    expect_status(RUN("plan", "p.yaml", "--json"), 0);
    cJSON *record = read_json("out");
    const cJSON *project = cJSON_GetObjectItem(record, "project");
    cr_assert(eq(str, (char *)text_of(project, "file"), "p.yaml"));
    cr_assert(strncmp(text_of(project, "hash"), "fnv1a64:", 8) == 0);
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(project, "variant")));
    cr_assert(eq(str, (char *)text_of(project, "shape"), "cube"));
    cr_assert(number(cJSON_GetObjectItem(project, "measures"), "size") == 4);
    const cJSON *wall = material_of(record, "stone_floor");
    cr_assert(eq(str, (char *)text_of(wall, "origin"), "project"));
    cr_assert(number(wall, "absorption") == 0.2);
    const cJSON *scattering = cJSON_GetObjectItem(wall, "scattering_octaves");
    cr_assert(eq(int, cJSON_GetArraySize(scattering), SCATTERING_OCTAVES));
    cr_assert(cJSON_GetArrayItem(scattering, 8)->valuedouble == 0.3);
    cr_assert(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "scattering_octaves_hz"), 8)->valuedouble ==
              16000);
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(wall, "guessed")));
    expect_words("err", "\"message\":\"guessed: stone_floor");
    expect_status(RUN("plan", "p.yaml", "--json", "--variant", "soft"), 0);
    record = read_json("out");
    cr_assert(eq(str, (char *)text_of(cJSON_GetObjectItem(record, "project"), "variant"), "soft"));
    cr_assert(number(material_of(record, "stone_floor"), "absorption") == 0.5);
    cr_assert(cJSON_GetObjectItem(material_of(record, "stone_floor"), "scattering_octaves") == NULL);
    cr_assert(cJSON_GetObjectItem(record, "scattering_octaves_hz") == NULL);
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(material_of(record, "stone_floor"), "guessed")));
}

/* What `plan` says of the wall's absorption at 500 Hz, and where from. */
static double planned(const char *origin, const char *option, const char *value)
{
    expect_status(
        option != NULL ? RUN("plan", "p.yaml", "--json", option, value) : RUN("plan", "p.yaml", "--json"), 0);
    cJSON *record = read_json("out");
    cr_assert(eq(str, (char *)text_of(material_of(record, "wall"), "origin"), (char *)origin));
    const double absorption = number(material_of(record, "wall"), "absorption");
    return absorption;
}

Test(project, its_materials_come_behind_the_command_line_and_before_its_own_file)
{
    write_cube();
    write_text("own.csv", "material,500\nwall,0.3\n");
    write_text("p.yaml", SMALL "materials_file: own.csv\nmaterials:\n  wall: 0.2\n");
    cr_assert(planned("project", NULL, NULL) == 0.2);
    cr_assert(planned("option", "--absorption", "wall=0.4") == 0.4);
    cr_assert(planned("file", "--materials", "own.csv") == 0.3);
    write_text("p.yaml", SMALL "materials_file: own.csv\nother_surfaces: 0.2\n");
    cr_assert(planned("file", NULL, NULL) == 0.3);
    write_text("p.yaml", SMALL "other_surfaces: 0.2\n");
    write_text("own.csv", "material,500\nroof,0.3\n");
    const double fallback = planned("fallback", NULL, NULL);
    cr_assert(fallback == 0.2);
    cr_assert(planned("fallback", "--absorption", "0.4") == 0.4, "and is no contradiction");
}

Test(project, every_command_takes_a_project_where_it_takes_a_mesh)
{
    write_cube();
    write_text("p.yaml", SMALL "materials: {wall: 0.2}\noutputs: {folder: run}\n");
    expect_status(RUN("check", "p.yaml"), 0);
    expect_status(RUN("compare", "p.yaml", "--steps", "5"), 0);
    expect_status(RUN("bench", "p.yaml", "--arrays", "0.05", "--time", "0.01"), 0);
    expect_status(RUN("simulate", "p.yaml"), 0);
    cr_assert(exists("run/ir_s_r.wav"));
    cJSON *record = read_json("run/run.json");
    cr_assert(eq(str, (char *)text_of(cJSON_GetObjectItem(record, "project"), "file"), "p.yaml"));
    cr_assert(number(record, "fmax_hz") == 60);
}

/* ---- the page of it, and the examples ---- */

/* Write every block of YAML on the page that begins with `room:`, as NAME0.yaml, NAME1.yaml..; how many. */
static size_t write_blocks(const char *page)
{
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, "```yaml\n")) != NULL;) {
        at += 8;
        const size_t indent = strspn(at, " ");
        char name[32];
        cr_assert(strstr(at, "```") != NULL && strncmp(at + indent, "room:", 5) == 0, "a block is a project");
        (void)snprintf(name, sizeof name, "block%zu.yaml", count++);
        FILE *file = fopen(name, "w");
        while (strncmp(at + strspn(at, " "), "```", 3) != 0) {
            const size_t length = strcspn(at, "\n") + 1;
            if (length > indent)
                fwrite(at + indent, length - indent, 1, file);
            at += length;
        }
        fclose(file);
    }
    return count;
}

Test(project, the_page_of_it_is_right_and_names_every_key)
{
    char *page = read_text(test_source_file("rooms/PROJECT.md"));
    const size_t blocks = write_blocks(page);
    cr_assert(mkdir("models", 0777) == 0);
    write_text("models/logo.png", "\x89PNG\r\n\x1A\n and more");
    cr_assert(eq(sz, blocks, 2));
    project_close(open_project("block0.yaml", "extended"));
    struct project *church = open_project("block1.yaml", NULL);
    cr_assert(church->measure[0] != 0 && strcmp(church->shape->name, "church") == 0);
    project_close(church);
    static const char *const beneath[] = {"xyzzyxyzzy: 1",
                                          "air: {xyzzyxyzzy: 1}",
                                          "computing: {xyzzyxyzzy: 1}",
                                          "outputs: {xyzzyxyzzy: 1}",
                                          "report: {xyzzyxyzzy: 1}",
                                          "report: {letterhead: {xyzzyxyzzy: 1}}",
                                          "materials: {a: {xyzzyxyzzy: 1}}",
                                          "receivers: [{xyzzyxyzzy: 1}]",
                                          "receiver_grids: [{xyzzyxyzzy: 1}]",
                                          "room: {xyzzyxyzzy: 1}"};
    for (size_t b = 0; b < sizeof beneath / sizeof beneath[0]; b++) {
        struct project *project = NULL;
        write_text("keys.yaml", beneath[b]);
        cr_assert(eq(int, project_open("keys.yaml", NULL, &project, &failure), 2));
        char *list = strstr(failure.sentence, "the keys here are ");
        cr_assert(list != NULL, "%s", failure.sentence);
        for (char *save = NULL, *key = strtok_r(list + 18, ", ", &save); key != NULL;
             key = strtok_r(NULL, ", ", &save)) {
            char wanted[80];
            (void)snprintf(wanted, sizeof wanted, "%s:", key);
            cr_assert(strstr(page, wanted) != NULL || strcmp(key, "shape") == 0 || strcmp(key, "mesh") == 0,
                      "%s is not on the page", key);
        }
    }
}

Test(project, every_example_runs_with_every_variant)
{
    static const char *const name[] = {"church", "hall", "chapel"};
    for (size_t n = 0; n < 3; n++) {
        char relative[64];
        (void)snprintf(relative, sizeof relative, "rooms/examples/%s.yaml", name[n]);
        const char *file = test_source_file(relative);
        expect_status(RUN("simulate", file, "--variant", "all", "-o", name[n], "--spacing", "0.7", "--fmax",
                          "60", "--duration", "0.02", "--backend", "cpu"),
                      0);
        char record[64];
        (void)snprintf(record, sizeof record, "%s/base/run.json", name[n]);
        cr_assert(exists(record));
        char *printed = read_text("err");
        cr_assert(strstr(printed, "guessed") == NULL && strstr(printed, "no absorption") == NULL, "%s",
                  printed);
    }
}
