/** --walls conformal from a model to a record: the same bytes in both layouts, what run.json says of the
 * cells, and what compare makes of other walls. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(conformal_run, .init = enter_folder, .fini = leave_folder);

/* A hall whose roof slopes, 6 x 4 m and 3 to 4 m high: 84 m3. */
static void write_hall(void)
{
    write_text("hall.obj", "v 0 0 0\nv 6 0 0\nv 6 4 0\nv 0 4 0\nv 0 0 3\nv 6 0 4\nv 6 4 4\nv 0 4 3\n"
                           "usemtl floor\nf 1 2 3 4\nusemtl roof\nf 8 7 6 5\n"
                           "usemtl wall\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n");
}
#define HALL                                                                                                 \
    "simulate", "hall.obj", "--fmax", "200", "--duration", "0.1", "--source", "1,1,1", "--receiver",         \
        "2,2,2", "--receiver", "5,3,3.7,up"
#define STANDARD  "--scheme", "standard"
#define CONFORMAL STANDARD, "--walls", "conformal"
#define LOSSY     "--absorption", "0.1"

static void expect_same_waves(const char *a, const char *b)
{
    struct wav_sound one = read_sound(a), two = read_sound(b);
    const size_t bytes = one.frames * sizeof *one.sample;
    cr_assert(one.frames == two.frames && memcmp(one.sample, two.sample, bytes) == 0, "%s, %s", a, b);
}

Test(conformal_run, blocks_box_and_reference_write_the_same_responses)
{
    write_hall();
    expect_status(RUN(HALL, LOSSY, CONFORMAL, "--backend", "cpu", "-o", "blocks"), 0);
    expect_status(RUN(HALL, LOSSY, CONFORMAL, "--backend", "cpu", "--layout", "box", "-o", "box"), 0);
    expect_status(RUN(HALL, LOSSY, CONFORMAL, "--backend", "reference", "-o", "reference"), 0);
    expect_same_waves("blocks/ir_S1_R1.wav", "box/ir_S1_R1.wav");
    expect_same_waves("blocks/ir_S1_up.wav", "box/ir_S1_up.wav");
    expect_same_waves("blocks/ir_S1_up.wav", "reference/ir_S1_up.wav");
    expect_status(
        RUN("compare", "hall.obj", "--fmax", "200", "--absorption", "0.1", CONFORMAL, "--steps", "300"), 0);
}

Test(conformal_run, the_record_has_volume_and_areas_of_the_walls_where_they_are)
{
    write_hall();
    expect_status(RUN(HALL, LOSSY, CONFORMAL, "--backend", "cpu", "--repeat-shifted", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json");
    cr_assert(eq(str, (char *)text_of(record, "walls"), "conformal"));
    /* Vertices lie on a sub-lattice: 1/512 of a spacing of 0.16 m beside each wall at most. */
    cr_assert(test_near(record_number(record, "cut_cells.volume_m3"), 84, 0.04));
    cr_assert(
        test_near(number(record, "cells_volume_m3"), record_number(record, "cut_cells.volume_m3"), 1e-6));
    static const struct {
        const char *name;
        double area;
    } surface[] = {{"floor", 24}, {"roof", 24.331}, {"wall", 70}};
    for (size_t s = 0; s < sizeof surface / sizeof *surface; s++) {
        const cJSON *material = material_of(record, surface[s].name);
        cr_assert(test_near(number(material, "area_exposed_m2"), surface[s].area, 5e-4 * surface[s].area));
        cr_assert(cJSON_GetObjectItem(material, "area_factor") == NULL);
        cr_assert(cJSON_GetObjectItem(material, "area_staircase_m2") == NULL);
    }
    for (int d = 0; d < 3; d++)
        cr_assert(test_near(cJSON_GetArrayItem(record_at(record, "box_size_m"), d)->valuedouble,
                            (const double[]){6, 4, 4}[d], 1e-9));
    const double lambda2 = number(record, "lambda2");
    cr_assert(test_near(record_number(record, "cut_cells.lambda2_share"), 3 * lambda2, 1e-12));
    cr_assert(test_near(number(record, "courant_share"), sqrt(3 * lambda2), 1e-12));
    cr_assert(test_at_most(record_number(record, "cut_cells.volume_added_percent"), 0.01));
    cr_assert(test_at_most(record_number(record, "shifted_grid.cut_cells.volume_added_percent"), 0.01));
    cr_assert(test_above(record_number(record, "cut_cells.volume_lent_m3"), 0.01));
    cr_assert(test_above(record_number(record, "cut_cells.nodes"), 1000));
    cr_assert(test_at_most(fabs(record_number(record, "runs.0.energy.imbalance")), 1e-5));
}

Test(conformal_run, between_hard_walls_the_mean_of_the_masses_stays_where_the_source_left_it)
{
    /* Else the run ends with status 4: in double precision next to nothing is allowed. */
    write_hall();
    static const char *const layout[] = {"blocks", "box"};
    for (int l = 0; l < 2; l++)
        expect_status(RUN(HALL, CONFORMAL, "--absorption", "0", "--precision", "double", "--backend", "cpu",
                          "--layout", layout[l], "--force", "-o", "hard"),
                      0);
    cJSON *record = read_json("hard/run.json");
    cr_assert(test_above(record_number(record, "runs.0.mean_pressure_end"), 1e-5));
    cr_assert(test_at_most(record_number(record, "runs.0.energy_rise"), 1e-10));
}

/* Shares of the limit of lambda^2 are tried from .9 down: in a cube of 11 cells, whose walls leave slivers of
 * voxels on three sides, that one adds too much. */
Test(conformal_run, the_time_step_is_the_largest_that_needs_hardly_any_volume_or_what_is_asked_for)
{
    static const struct {
        const char *fmax, *courant;
        double share;
        bool warned;
    } plan[] = {{"177", NULL, 0.9, false},
                {"120", NULL, 0.8, false},
                {"177", "97.5%", 0.9506, true},
                {"177", "60%", 0.36, false}};
    write_cube();
    for (size_t p = 0; p < sizeof plan / sizeof *plan; p++) {
        expect_status(RUN("plan", "cube.obj", LOSSY, CONFORMAL, "--json", "--fmax", plan[p].fmax,
                          plan[p].courant != NULL ? "--courant" : NULL, plan[p].courant),
                      0);
        cJSON *record = read_json("out");
        cr_assert(test_near(record_number(record, "cut_cells.lambda2_share"), plan[p].share, 1e-4), "%zu", p);
        cr_assert(test_near(number(record, "courant_share"), sqrt(plan[p].share), 1e-4), "%zu", p);
        const bool much = record_number(record, "cut_cells.volume_added_percent") > 0.01;
        cr_assert(much == plan[p].warned, "%zu", p);
        if (plan[p].warned)
            expect_words("err", "small cells at the walls needed additional volume");
        else
            expect_no_words("err", "needed additional volume");
    }
}

Test(conformal_run, compare_and_report_name_other_walls)
{
    write_hall();
    expect_status(RUN(HALL, LOSSY, STANDARD, "-o", "conformal"), 0); /* the default */
    expect_status(RUN(HALL, LOSSY, STANDARD, "--walls", "staircase", "-o", "staircase"), 0);
    expect_status(RUN("compare", "staircase", "conformal"), 0);
    expect_words("out", "model of the walls: staircase -> conformal");
    expect_status(RUN("report", "staircase", "conformal", "-o", "page.html"), 0);
    expect_words("page.html", "Walls are where the model has them",
                 "Walls are along the faces of the grid's cells, and their areas");
}
