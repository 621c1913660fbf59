/** What a run would take, before it: plan, memory, the rooms there are, and what does not fit. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "kernels/scheme/time_step.h"
#include "src/base/options/scheme_options.h"
#include "src/rays/ray_scene.h"
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"

TestSuite(plan, .init = enter_folder, .fini = leave_folder);

Test(plan, a_run_that_does_not_fit_is_status_3_with_bytes_and_the_highest_fmax)
{
    write_box("hall.obj", 900, 900, 300, true);
    expect_status(RUN("simulate", "hall.obj", "--fmax", "8000", "--absorption", "0.1", "--source", "1,1,1",
                      "--receiver", "2,2,2", "-o", "run"),
                  3);
    expect_words("err", "bytes", " Hz");
    cr_assert(not(exists("run")));
}

Test(plan, a_grid_that_may_not_fit_is_surveyed_first_and_keeps_its_spacing)
{
#if defined(__SANITIZE_ADDRESS__)
    cr_skip_test("AddressSanitizer takes more address space than the limit of this test");
#endif
    write_cube();
    space_limit = 900000000; /* the 8 M nodes take 0.1 GB; their worst case would be 0.55 GB */
    expect_status(RUN("plan", "cube.obj", "--spacing", "1.5cm", "--absorption", "0.1", "--threads", "1",
                      "--backend", "cpu", "--json"),
                  0);
    cJSON *plan = read_json("out");
    cr_assert(eq(dbl, number(plan, "spacing_m"), 0.015));
    /* Of cut cells volumes are in parts of 1/200, none is 0, and 54 m2 of wall may cut them. */
    cr_assert(test_near(number(plan, "cells_volume_m3"), 27, 54 * 0.015 / 200));
    cr_assert(lt(dbl, number(plan, "bytes_available"), 0.9e9));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(plan, "fits")));
}

static void expect_counts_of(const char *scheme)
{
    write_cube();
    expect_status(RUN("plan", CUBE, CUBE_PLACES, "--scheme", scheme, "--json"), 0);
    cJSON *plan = read_json("out");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "--scheme", scheme, "-o", "run", "--force"), 0);
    cJSON *record = read_json("run/run.json");
    static const char *const names[] = {"spacing_m",    "rate_hz",      "steps",      "box_nodes",
                                        "air_nodes",    "stored_nodes", "blocks",     "bytes_box",
                                        "bytes_blocks", "bytes_walls",  "bytes_ideal"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_assert(test_near(number(plan, names[i]), number(record, names[i]), 0), "%s", names[i]);
    cr_assert(eq(str, (char *)text_of(plan, "grid_hash"), (char *)text_of(record, "grid_hash")));
    cr_assert(eq(str, (char *)text_of(plan, "scheme"), (char *)scheme));
    cr_assert(eq(str, (char *)text_of(record, "scheme"), (char *)scheme));
    cr_assert(test_above(number(plan, "seconds_predicted"), 0));
    cr_assert(test_above(number(plan, "bytes_available"), 0));
}

Test(plan, plan_counts_what_simulate_counts)
{
    expect_counts_of("standard");
    expect_counts_of("isotropic");
}

/* What one octave more takes is the prediction of that run, and so its memory is the more exactly that. */
Test(plan, the_next_octave_is_the_one_above_the_run_and_takes_what_a_run_up_to_its_edge_does)
{
    static const struct {
        const char *fmax;
        double octave, edge;
    } expected[] = {{"60", 63, 89}, {"300", 250, 355}};
    write_cube();
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char edge[32];
        expect_status(
            RUN("plan", "cube.obj", "--absorption", "0.1", CUBE_PLACES, "--fmax", expected[i].fmax, "--json"),
            0);
        cJSON *plan = read_json("out");
        const double bytes = record_number(plan, "next_octave.bytes_peak");
        cr_assert(eq(dbl, record_number(plan, "next_octave.octave_hz"), expected[i].octave));
        cr_assert(eq(dbl, record_number(plan, "next_octave.fmax_hz"), expected[i].edge));
        cr_assert(test_above(record_number(plan, "next_octave.seconds_predicted"), 0));
        snprintf(edge, sizeof edge, "%g", expected[i].edge);
        expect_status(RUN("plan", "cube.obj", "--absorption", "0.1", CUBE_PLACES, "--fmax", edge, "--json"),
                      0);
        plan = read_json("out");
        cr_assert(test_near(bytes, number(plan, "bytes_peak"), 0.3 * bytes));
    }
    expect_status(RUN("plan", "cube.obj", "--absorption", "0.1", CUBE_PLACES, "--fmax", "300"), 0);
    expect_words("out", "the next octave, 250 Hz, needs fmax 355 Hz: ");
    expect_status(RUN("plan", "cube.obj", "--absorption", "0.1", CUBE_PLACES, "--budget", "0.2s"), 0);
    expect_words("err", " chosen: about ", "; the next octave, ");
}

/* ---- schemes and qualities ---- */

#define EMPTY "cube.obj", "--absorption", "0.1", CUBE_PLACES, "--json"

Test(plan, a_quality_sets_the_points_of_its_scheme_and_standard_is_what_is_taken)
{
    write_cube();
    for (int quality = -1; quality < QUALITIES; quality++) {
        const int scheme = (quality + 1) % SCHEMES;
        const char *const asked = quality < 0 ? "--quiet" : "--quality";
        expect_status(quality < 0
                          ? RUN("plan", EMPTY, "--fmax", "200", "--scheme", scheme_words[scheme], asked)
                          : RUN("plan", EMPTY, "--fmax", "200", "--scheme", scheme_words[scheme], asked,
                                quality_words[quality]),
                      0);
        cJSON *plan = read_json("out");
        const double points = scheme_points[scheme][quality < 0 ? QUALITY_STANDARD : quality];
        cr_assert(test_near(number(plan, "points_per_wavelength"), points, 1e-12));
        cr_assert(test_near(number(plan, "spacing_m"), 343.2 / (200 * points), 1e-12));
        const bool named = cJSON_GetObjectItem(plan, "quality") != NULL;
        cr_assert(named == (quality >= 0));
        const double limit = time_step_limit((enum scheme)scheme), share = number(plan, "courant_share");
        cr_assert(test_near(number(plan, "courant") / limit, share, 1e-9) && share <= 1);
    }
}

Test(plan, a_spacing_and_a_share_are_those_of_the_scheme)
{
    write_cube();
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        expect_status(
            RUN("plan", EMPTY, "--spacing", "0.15", "--scheme", scheme_words[scheme], "--courant", "70%"), 0);
        cJSON *plan = read_json("out");
        cr_assert(test_near(number(plan, "fmax_hz"), 343.2 / (0.15 * scheme_points[scheme][QUALITY_STANDARD]),
                            1e-9));
        cr_assert(test_near(number(plan, "courant"), 0.7 * time_step_limit((enum scheme)scheme), 1e-5));
    }
}

/* The isotropic scheme's fixed list of lambda^2, and of staircases and cells alike. */
Test(plan, the_isotropic_scheme_has_masses_at_any_walls_and_a_step_of_its_list)
{
    static const double list[] = {.60, .525, .45, .375};
    static const char *const walls[] = {"conformal", "staircase"};
    write_cube();
    for (size_t w = 0; w < 2; w++) {
        bool listed = false;
        expect_status(RUN("plan", EMPTY, "--fmax", "200", "--scheme", "isotropic", "--walls", walls[w]), 0);
        cJSON *plan = read_json("out");
        const cJSON *cells = cJSON_GetObjectItem(plan, "cut_cells");
        for (size_t l = 0; l < 4; l++)
            listed = listed || fabs(number(plan, "lambda2") - list[l]) < 3e-6;
        cr_assert(listed, "%.9g", number(plan, "lambda2"));
        cr_assert(test_near(number(cells, "lambda2_share"), number(plan, "lambda2") / 0.75, 1e-9));
        cr_assert(test_at_most(number(cells, "volume_added_percent"), 0.01));
    }
}

Test(plan, memory_of_the_isotropic_scheme_has_the_neighbours_across_edges_besides)
{
    double bytes[SCHEMES];
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        expect_status(RUN("memory", "cube", "--nodes", "64", "--scheme", scheme_words[scheme]), 0);
        char *row = read_text("out");
        cr_assert(eq(int, sscanf(strchr(row, '\n'), " cube,64,512,%*f,%*f,%lf", &bytes[scheme]), 1), "%s",
                  row);
    }
    /* Tiles apart, which the marks of nodes at walls part. */
    const double more = (bytes[SCHEME_ISOTROPIC] - bytes[SCHEME_STANDARD]) * 1048576;
    cr_assert(test_at_least(more, 513 * 48 - 2) && test_at_most(more, 513 * 48 + 64 * 512));
}

Test(plan, a_surface_too_small_for_a_staircase_is_warned_of_by_name_and_none_is_for_cells)
{
    write_box("coin.obj", 3, 3, 3, true);
    FILE *file = fopen("coin.obj", "a");
    cr_assert(file != NULL);
    /* Between the lines of a grid of 0.1 m that starts half a cell inside. */
    fprintf(file, "usemtl coin\nv 1.08 1.08 1.08\nv 1.12 1.08 1.08\nv 1.08 1.12 1.12\nf 9 10 11\n");
    fclose(file);
    expect_status(RUN("plan", "coin.obj", "--spacing", "0.1", "--absorption", "0.1", CUBE_PLACES), 0);
    expect_words("err", "coin: both sides of its 0.001131 m2 face the air");
    expect_no_words("err", "too small for a grid");
    expect_status(RUN("plan", "coin.obj", "--spacing", "0.1", "--absorption", "0.1", CUBE_PLACES, "--walls",
                      "staircase"),
                  0);
    expect_words("err", "too small for a grid of 0.1 m", "coin (0.00113 m2 face the air, 0 m2 in the grid)");
}

Test(plan, more_area_in_the_air_than_a_surface_has_is_said_to_be_of_both_sides)
{
    write_box("sheet.obj", 3, 3, 3, true);
    FILE *file = fopen("sheet.obj", "a");
    cr_assert(file != NULL);
    /* Two thirds of it stand in the room. */
    fprintf(file, "usemtl sheet\nv 2 1 1.53\nv 3.5 1 1.53\nv 3.5 2 1.53\nv 2 2 1.53\nf 9 10 11 12\n");
    fclose(file);
    expect_status(RUN("plan", "sheet.obj", "--spacing", "0.1", "--absorption", "0.1", CUBE_PLACES), 0);
    expect_words("err", "sheet: of its 1.5 m2, 2 m2 face the air, both sides counted");
}

Test(plan, plan_without_a_source_takes_the_largest_cavity)
{
    /* Two rooms that share no air, 3 m and 2 m wide. */
    write_text("two.obj",
               "usemtl wall\n"
               "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 0\nv 0 0 2\nv 2 0 2\nv 0 2 2\nv 2 2 2\n"
               "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n"
               "v 4 0 0\nv 7 0 0\nv 4 3 0\nv 7 3 0\nv 4 0 3\nv 7 0 3\nv 4 3 3\nv 7 3 3\n"
               "f 9 11 12 10\nf 9 10 14 13\nf 11 15 16 12\nf 9 13 15 11\nf 10 12 16 14\nf 13 14 16 15\n");
    expect_status(RUN("plan", "two.obj", "--spacing", "0.1", "--json"), 0);
    cJSON *plan = read_json("out");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(plan, "source_is_cavity")));
    cr_assert(test_near(number(plan, "air_volume_m3"), 27, 1e-9));
    const cJSON *place =
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(plan, "sources"), 0), "position_m");
    cr_assert(test_above(cJSON_GetArrayItem(place, 0)->valuedouble, 4));
    expect_words("err", "largest enclosed cavity");
}

Test(plan, plan_doubts_a_cavity_that_is_small_beside_the_model)
{
    /* A closed box of 1 m3 in a room of 90 m3, once closed and once of floor and one wall. */
    static const char walls[] =
        "usemtl wall\nv 0 0 0\nv 6 0 0\nv 0 5 0\nv 6 5 0\nv 0 0 3\nv 6 0 3\nv 0 5 3\nv 6 5 3\n"
        "v 3 2 1\nv 4 2 1\nv 3 3 1\nv 4 3 1\nv 3 2 2\nv 4 2 2\nv 3 3 2\nv 4 3 2\n"
        "f 1 3 4 2\nf 1 2 6 5\nf 9 11 12 10\nf 9 10 14 13\nf 11 15 16 12\nf 9 13 15 11\n"
        "f 10 12 16 14\nf 13 14 16 15\n";
    write_text("open.obj", walls);
    expect_status(RUN("plan", "open.obj", "--fmax", "300", "--absorption", "0.1"), 0);
    expect_words("err", "if that cavity is not the room, the room is open");
    char text[1000];
    snprintf(text, sizeof text, "%sf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n", walls);
    write_text("closed.obj", text);
    expect_status(RUN("plan", "closed.obj", "--fmax", "300", "--absorption", "0.1"), 0);
    char *err = read_text("err");
    cr_assert(strstr(err, "if that cavity") == NULL, "%s", err);
}

Test(plan, auto_chooses_an_octave_edge_within_the_budget_and_more_time_gives_no_lower_one)
{
    write_cube();
    double before = 0;
    static const char *const budgets[] = {"1ms", "2s", "1h"};
    for (int i = 0; i < 3; i++) {
        expect_status(RUN("plan", "cube.obj", "--absorption", "0.1", "--duration", "1", "--budget",
                          budgets[i], "--json"),
                      0);
        cJSON *plan = read_json("out");
        const double fmax = number(plan, "fmax_hz");
        bool edge = false;
        static const double edges[] = {177, 355, 710, 1420, 2840, 5680, 11300};
        for (int e = 0; e < 7; e++)
            edge |= fmax == edges[e];
        cr_assert(edge, "%g", fmax);
        cr_assert(test_at_least(fmax, before));
        cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(plan, "fmax_automatic")));
        if (i == 0) {
            cr_assert(eq(dbl, fmax, 177));
            expect_words("err", "longer than the budget");
        }
        before = fmax;
    }
    cr_assert(test_above(before, 177));
}

/* Of one thread, 5 s for rays; a cube's waves to 177 Hz take some ms. */
Test(plan, the_budget_is_also_for_rays)
{
    if (rays_are_absent())
        cr_skip_test("SKIPPED: built without Embree");
    write_cube();
    expect_status(RUN("plan", "cube.obj", "--absorption", "0.1", CUBE_PLACES, "--threads", "1", "--budget",
                      "2.5s", "--rays", "off"),
                  0);
    char *err = read_text("err");
    cr_assert(strstr(err, "longer than the budget") == NULL, "%s", err);
    expect_status(RUN("plan", "cube.obj", "--absorption", "0.1", CUBE_PLACES, "--threads", "1", "--budget",
                      "2.5s", "--rays", "on"),
                  0);
    expect_words("err", "even 177 Hz take about ", "longer than the budget");
}

Test(plan, the_choice_has_a_time_for_every_edge_of_an_octave)
{
    if (rays_are_absent())
        cr_skip_test("SKIPPED: built without Embree");
    write_cube();
    expect_status(RUN("plan", CUBE, CUBE_PLACES, "--rays", "on", "--json"), 0);
    const cJSON *plan = read_json("out"), *list = record_at(plan, "choices");
    const double rays = number(plan, "seconds_predicted_rays");
    cr_assert(eq(int, cJSON_GetArraySize(list), 7));
    cr_assert(test_above(rays, 0));
    double before = rays;
    for (int e = 0; e < 7; e++) {
        const double seconds = number(cJSON_GetArrayItem(list, e), "seconds_predicted");
        cr_assert(test_above(seconds, before));
        before = seconds;
        cr_assert(eq(int, cJSON_GetArraySize(record_at(cJSON_GetArrayItem(list, e), "nominal_hz")), e + 2));
    }
    /* 1000 Hz end at 1420, 8 kHz at 11360. */
    cr_assert(eq(int, cJSON_GetArraySize(record_at(list, "0.judges")), 1));
    cr_assert(eq(int, cJSON_GetArraySize(record_at(list, "3.judges")), 2));
    cr_assert(eq(int, cJSON_GetArraySize(record_at(list, "5.judges")), 2));
    cr_assert(eq(int, cJSON_GetArraySize(record_at(list, "6.judges")), 3));
    cr_assert(eq(int, cJSON_GetArraySize(record_at(plan, "judges")), 1));
    expect_status(RUN("plan", CUBE, CUBE_PLACES, "--rays", "on"), 0);
    expect_words("out", "of these for rays: about ", "waves to 177 Hz and rays: ", "; to 710 Hz: ");
}

Test(plan, plan_answers_where_not_even_finding_the_air_fits)
{
    write_box("hall.obj", 900, 900, 300, true);
    expect_status(RUN("plan", "hall.obj", "--fmax", "8000", "--absorption", "0.1"), 0);
    expect_words("out", "does not fit");
}

/* ---- memory and room ---- */

Test(plan, memory_prints_the_table_of_the_seed)
{
    expect_status(RUN("memory", "sphere,cross", "--nodes", "8,88"), 0);
    char *out = read_text("out");
    static const char *const lines[] = {
        "shape,nodes,blocks,seed_blocks_MiB,box_MiB,blocks_fp32_MiB,blocks_fp64_MiB,ideal_MiB,excess_ratio\n",
        "\nsphere,8,1,0.008324,0.008301,", "\nsphere,88,937,7.799278,11.048340,",
        "\ncross,8,5,0.041618,0.074707,", "\ncross,88,6655,55.394020,99.435059,"};
    for (int i = 0; i < 5; i++)
        cr_assert(strstr(out, lines[i]) != NULL, "%s is missing in %s", lines[i], out);
    /* 5 488^3 nodes of 17 bytes are 9420.6 MiB: the thesis' 34.2 for this row is a slip. */
    expect_status(RUN("memory", "cross", "--nodes", "488"), 0);
    expect_words("out", ",9420.598145,290.1\n");
    expect_status(RUN("memory", "cube,pyramid", "--nodes", "8"), 2);
    out = read_text("out");
    cr_assert(eq(str, out, ""));
    expect_status(RUN("memory", "cube"), 2);
    expect_words("err", "--nodes");
}

Test(plan, every_room_is_written_and_replaced_only_with_force)
{
    static const char *const shapes[] = {"cube", "sphere", "cross", "church"};
    static const char *const endings[] = {"obj", "glb", "gltf", "obj"};
    for (int i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s.%s", shapes[i], endings[i]);
        expect_status(RUN("room", shapes[i], "-o", path), 0);
        expect_words("out", "--source ", "m2");
        expect_status(RUN("room", shapes[i], "-o", path), 2);
        expect_words("err", "--force");
        expect_status(RUN("room", shapes[i], "-o", path, "--force"), 0);
    }
    expect_status(RUN("room", "chruch", "-o", "x.obj"), 2);
    expect_words("err", "did you mean church");
    expect_status(RUN("room", "church", "-o", "x.stl"), 2);
    expect_status(RUN("room", "church", "-o", "x.obj", "--nave-lenght", "30"), 2);
    expect_words("err", "did you mean --nave-length?");
    expect_status(RUN("room", "church"), 2);
    cr_assert(eq(sz, count_entries(".", "x."), 0));
}

/* Ended `after` so many seconds of work on 10^9 nodes, of which some loops look at no flag. */
static void assert_ends_at_once(double after, const char *const *argument)
{
    const struct timespec wait = {.tv_sec = (time_t)after, .tv_nsec = (long)(1e9 * fmod(after, 1))};
    struct timespec before, behind;
    const pid_t child = start(NULL, argument);
    nanosleep(&wait, NULL);
    clock_gettime(CLOCK_MONOTONIC, &before);
    cr_assert(eq(int, kill(child, SIGTERM), 0));
    expect_status(finish(child), 130);
    clock_gettime(CLOCK_MONOTONIC, &behind);
    const double seconds =
        (double)(behind.tv_sec - before.tv_sec) + 1e-9 * (double)(behind.tv_nsec - before.tv_nsec);
    cr_assert(lt(dbl, seconds, 1), "%s", argument[1]);
    expect_words("err", "transept: interrupted; no result was written\n");
}

#define FINE "cube.obj", "--fmax", "11000", "--absorption", "0.1", CUBE_PLACES

Test(plan, an_interrupt_ends_what_has_written_nothing_at_once_whatever_it_is_at)
{
    write_cube();
    assert_ends_at_once(0.3, (const char *const[]){TEST_PROGRAM, "plan", FINE, NULL});
    assert_ends_at_once(1.2, (const char *const[]){TEST_PROGRAM, "plan", FINE, NULL});
    assert_ends_at_once(0.6, (const char *const[]){TEST_PROGRAM, "check", FINE, NULL});
    assert_ends_at_once(
        0.6, (const char *const[]){TEST_PROGRAM, "simulate", FINE, "-o", "run", "--duration", "0.1", NULL});
    cr_assert(not(exists("run")));
}
