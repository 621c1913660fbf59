/** --repeat-shifted: the second grid really is the first one moved by half a cell, and every figure says how
 * far the two are apart. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(repeat_shifted, .init = enter_folder, .fini = leave_folder);

static void expect_equal_waves(const char *a, const char *b)
{
    float *sample[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    int rate = 0;
    sample[0] = read_mono(a, &count[0], &rate);
    sample[1] = read_mono(b, &count[1], &rate);
    cr_assert(eq(sz, count[0], count[1]));
    cr_assert(eq(int, memcmp(sample[0], sample[1], count[0] * sizeof(float)), 0), "%s is not %s", a, b);
    free(sample[0]);
    free(sample[1]);
}

static bool same_waves(const char *a, const char *b)
{
    char *one = read_text(a), *two = read_text(b);
    const bool same = memcmp(one, two, 1000) == 0;
    free(one);
    free(two);
    return same;
}

Test(repeat_shifted, the_second_grid_is_the_first_moved_by_half_a_cell_along_every_axis)
{
    write_box("hall.obj", 4.1, 3.3, 2.7, true);
    const char *const room[] = {"hall.obj", "--fmax", "200", "--duration", "0.1", "--absorption", "0.1"};
#define HALL room[0], room[1], room[2], room[3], room[4], room[5], room[6], "--source", "1,1,1"
    expect_status(RUN("simulate", HALL, "--receiver", "2,2,2", "--receiver", "3.1,1,1.2,pew",
                      "--repeat-shifted", "-o", "both"),
                  0);
    cr_assert(eq(sz, count_entries("both", ""), 7));
    cJSON *both = read_json("both/run.json");
    /* The corner of the room is the origin, so node 0 stands at h/2, and moved at h. */
    char origin[100];
    const double h = number(both, "spacing_m");
    snprintf(origin, sizeof origin, "%.17g,%.17g,%.17g", h, h, h);
    expect_status(RUN("simulate", HALL, "--receiver", "2,2,2", "--receiver", "3.1,1,1.2,pew", "--grid-origin",
                      origin, "-o", "moved"),
                  0);
    expect_status(RUN("simulate", HALL, "--receiver", "2,2,2", "--receiver", "3.1,1,1.2,pew", "-o", "first"),
                  0);
    expect_equal_waves("both/ir_S1_R1.wav", "first/ir_S1_R1.wav");
    expect_equal_waves("both/ir_S1_pew.wav", "first/ir_S1_pew.wav");
    expect_equal_waves("both/shifted_ir_S1_R1.wav", "moved/ir_S1_R1.wav");
    expect_equal_waves("both/shifted_ir_S1_pew.wav", "moved/ir_S1_pew.wav");
    cr_assert(not(same_waves("both/ir_S1_R1.wav", "both/shifted_ir_S1_R1.wav")));

    cJSON *first = read_json("first/run.json"), *moved = read_json("moved/run.json");
    cr_assert(eq(str, (char *)text_of(both, "grid_hash"), (char *)text_of(first, "grid_hash")));
    const cJSON *grid = cJSON_GetObjectItem(both, "shifted_grid");
    cr_assert(eq(str, (char *)text_of(grid, "grid_hash"), (char *)text_of(moved, "grid_hash")));
    /* Every figure of both runs, and its spread. */
    static const char *const of_run[] = {"air_nodes", "air_volume_m3"};
    static const char *const of_response[] = {"strength_db", "path_m", "onset_s"};
    char spread[80];
    for (size_t i = 0; i < sizeof of_run / sizeof of_run[0]; i++) {
        const double apart = fabs(number(first, of_run[i]) - number(moved, of_run[i]));
        snprintf(spread, sizeof spread, "%s_spread", of_run[i]);
        cr_assert(test_near(number(both, spread), apart, 1e-9), "%s", spread);
    }
    cr_assert(test_above(number(both, "air_nodes_spread"), 0));
    for (int r = 0; r < 2; r++) {
        const cJSON *a = cJSON_GetArrayItem(cJSON_GetObjectItem(first, "responses"), r);
        const cJSON *b = cJSON_GetArrayItem(cJSON_GetObjectItem(moved, "responses"), r);
        const cJSON *c = cJSON_GetArrayItem(cJSON_GetObjectItem(both, "responses"), r);
        for (size_t i = 0; i < sizeof of_response / sizeof of_response[0]; i++) {
            const double apart = fabs(number(a, of_response[i]) - number(b, of_response[i]));
            snprintf(spread, sizeof spread, "%s_spread", of_response[i]);
            cr_assert(test_near(number(c, spread), apart, 1e-9), "%s", spread);
        }
        cr_assert(test_above(number(c, "strength_db_spread"), 0));
        const cJSON *octaves = cJSON_GetObjectItem(c, "g_db_spread");
        const int bands = cJSON_GetArraySize(cJSON_GetObjectItem(c, "octaves_hz"));
        cr_assert(eq(int, bands, 2)); /* 63 and 125 Hz lie below 200 Hz */
        cr_assert(eq(int, cJSON_GetArraySize(octaves), bands));
        for (int n = 0; n < bands; n++) {
            const char *name = "g_db";
            const double one = cJSON_GetArrayItem(cJSON_GetObjectItem(a, name), n)->valuedouble;
            const double two = cJSON_GetArrayItem(cJSON_GetObjectItem(b, name), n)->valuedouble;
            cr_assert(test_near(cJSON_GetArrayItem(octaves, n)->valuedouble, fabs(one - two), 1e-9));
        }
        cr_assert(cJSON_GetObjectItem(a, "strength_db_spread") == NULL);
    }
    cJSON_Delete(both);
    cJSON_Delete(first);
    cJSON_Delete(moved);
}

Test(repeat_shifted, a_later_run_takes_the_moved_responses_away)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "--repeat-shifted", "-o", "run"), 0);
    write_text("run/notes.txt", "mine");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "--force", "-o", "run"), 0);
    cr_assert(not(exists("run/shifted_ir_S1_R1.wav")));
    cr_assert(exists("run/ir_S1_R1.wav") && exists("run/notes.txt"));
}

Test(repeat_shifted, plan_counts_both_runs)
{
    write_cube();
    double peak[2], steps[2], seconds[2];
    for (int both = 0; both < 2; both++) {
        expect_status(both ? RUN("plan", CUBE, CUBE_PLACES, "--json", "--repeat-shifted")
                           : RUN("plan", CUBE, CUBE_PLACES, "--json"),
                      0);
        cJSON *record = read_json("out");
        peak[both] = number(record, "bytes_peak");
        steps[both] = number(record, "steps");
        seconds[both] = number(record, "seconds_predicted") * number(record, "node_updates_per_second");
        cJSON_Delete(record);
    }
    /* The second grid has tiles of 512 bytes and walls of 8, which stand beside the first one's. */
    cr_assert(peak[1] - peak[0] > 10000, "%.17g %.17g", peak[0], peak[1]);
    cr_assert(test_near(steps[1], steps[0], 0));
    /* Updates of both runs, whatever the speed that was measured. */
    cr_assert(test_near(seconds[1] / seconds[0], 2, 1e-9), "%g", seconds[1] / seconds[0]);
}

/* A room lower than a cell: the first grid has one layer of nodes in it, the moved one none. */
Test(repeat_shifted, what_is_wrong_with_the_moved_grid_is_said_before_anything_is_written)
{
    const double h = 343.2 / (10.5 * 200);
    write_box("low.obj", 20.4 * h, 20.4 * h, 0.9 * h, true);
    char place[100], heard[100];
    snprintf(place, sizeof place, "%.17g,%.17g,%.17g", 4.5 * h, 4.5 * h, 0.5 * h);
    snprintf(heard, sizeof heard, "%.17g,%.17g,%.17g", 9.5 * h, 4.5 * h, 0.5 * h);
    const char *const room[] = {"low.obj", "--fmax", "200", "--duration", "0.1", "--absorption", "0.1"};
    expect_status(RUN("simulate", room[0], room[1], room[2], room[3], room[4], room[5], room[6], "--source",
                      place, "--receiver", heard, "-o", "first"),
                  0);
    expect_status(RUN("simulate", room[0], room[1], room[2], room[3], room[4], room[5], room[6], "--source",
                      place, "--receiver", heard, "--repeat-shifted", "-o", "both"),
                  2);
    expect_words("err", "on the grid offset by half a cell: source \"S1\"");
    cr_assert(not(exists("both")));
}
