/** --repeat-shifted: the second grid really is the first one offset by half a cell, and every figure says how
 * far the two are apart. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(repeat_shifted, .init = enter_folder, .fini = leave_folder);

/* Have two responses the same samples? */
static bool same_waves(const char *a, const char *b)
{
    struct wav_sound one = read_sound(a), two = read_sound(b);
    const bool same =
        one.frames == two.frames && memcmp(one.sample, two.sample, one.frames * sizeof *one.sample) == 0;
    return same;
}

/* A figure of the repeated run has the spread between the two. */
static void expect_spread(const cJSON *both, const cJSON *first, const cJSON *offset, const char *key)
{
    char spread[80];
    const int name = (int)strcspn(key, "/"); /* the place in an array goes behind the name */
    snprintf(spread, sizeof spread, "%.*s_spread%s", name, key, key[name] == '/' ? key + name + 1 : "");
    char plain[80];
    snprintf(plain, sizeof plain, "%.*s%s", name, key, key[name] == '/' ? key + name + 1 : "");
    cr_assert(test_near(record_number(both, spread),
                        fabs(record_number(first, plain) - record_number(offset, plain)), 1e-9),
              "%s", spread);
}

Test(repeat_shifted, the_second_grid_is_the_first_offset_by_half_a_cell_along_every_axis)
{
    write_box("hall.obj", 4.1, 3.3, 2.7, true);
#define HALL                                                                                                 \
    "hall.obj", "--fmax", "350", "--duration", "0.5", "--absorption", "0.4", "--source", "1,1,1",            \
        "--receiver", "2,2,2", "--receiver", "3.1,1,1.2,pew"
    expect_status(RUN("simulate", HALL, "--repeat-shifted", "-o", "both"), 0);
    cr_assert(eq(sz, count_entries("both", ""), 7));
    cJSON *both = read_json("both/run.json");
    /* The corner of the room is the origin, so node 0 is at h/2, and at h with the offset. */
    char origin[100];
    const double h = number(both, "spacing_m");
    snprintf(origin, sizeof origin, "%.17g,%.17g,%.17g", h, h, h);
    expect_status(RUN("simulate", HALL, "--grid-origin", origin, "-o", "offset"), 0);
    expect_status(RUN("simulate", HALL, "-o", "first"), 0);
    cr_assert(same_waves("both/ir_S1_R1.wav", "first/ir_S1_R1.wav"));
    cr_assert(same_waves("both/ir_S1_pew.wav", "first/ir_S1_pew.wav"));
    cr_assert(same_waves("both/shifted_ir_S1_R1.wav", "offset/ir_S1_R1.wav"));
    cr_assert(same_waves("both/shifted_ir_S1_pew.wav", "offset/ir_S1_pew.wav"));
    cr_assert(not(same_waves("both/ir_S1_R1.wav", "both/shifted_ir_S1_R1.wav")));

    cJSON *first = read_json("first/run.json"), *offset = read_json("offset/run.json");
    cr_assert(eq(str, (char *)text_of(both, "grid_hash"), (char *)text_of(first, "grid_hash")));
    cr_assert(
        eq(str, (char *)record_text(both, "shifted_grid.grid_hash"), (char *)text_of(offset, "grid_hash")));
    /* Every figure of both runs, and its spread; 63 and 125 Hz lie below 350 Hz. */
    static const char *const key[] = {
        "air_nodes",           "air_volume_m3",       "responses.0.strength_db", "responses.0.path_m",
        "responses.0.onset_s", "responses.0.g_db/.0", "responses.0.g_db/.1",     "responses.1.strength_db",
        "responses.1.path_m",  "responses.1.onset_s", "responses.1.g_db/.1"};
    for (size_t k = 0; k < sizeof key / sizeof *key; k++)
        expect_spread(both, first, offset, key[k]);
    cr_assert(test_above(number(both, "air_nodes_spread"), 0));
    for (int r = 0; r < 2; r++) {
        const cJSON *entry = cJSON_GetArrayItem(record_at(both, "responses"), r);
        cr_assert(test_above(number(entry, "strength_db_spread"), 0));
        cr_assert(eq(int, cJSON_GetArraySize(record_at(entry, "g_db_spread")), 2));
    }
    cr_assert(record_at(first, "responses.0.strength_db_spread") == NULL);
}

Test(repeat_shifted, a_later_run_takes_the_responses_of_the_offset_grid_away)
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
        expect_status(both ? RUN("plan", CUBE, CUBE_PLACES, "--waves-only", "--json", "--repeat-shifted")
                           : RUN("plan", CUBE, CUBE_PLACES, "--waves-only", "--json"),
                      0);
        cJSON *record = read_json("out");
        peak[both] = number(record, "bytes_peak");
        steps[both] = number(record, "steps");
        seconds[both] = number(record, "seconds_predicted_steps") * number(record, "node_updates_per_second");
    }
    /* The second grid has tiles of 512 bytes and walls of 8, beside the first one's. */
    cr_assert(peak[1] - peak[0] > 10000, "%.17g %.17g", peak[0], peak[1]);
    cr_assert(test_near(steps[1], steps[0], 0));
    /* Updates of both runs, whatever the speed that was measured. */
    cr_assert(test_near(seconds[1] / seconds[0], 2, 1e-9), "%g", seconds[1] / seconds[0]);
}

/* A room lower than a cell: the first grid has one layer of nodes in it, the offset one none. */
Test(repeat_shifted, what_is_wrong_with_the_offset_grid_is_reported_before_anything_is_written)
{
    const double h = 343.2 / (10.5 * 200);
    write_box("low.obj", 20.4 * h, 20.4 * h, 0.9 * h, true);
    char place[100], other[100];
    snprintf(place, sizeof place, "%.17g,%.17g,%.17g", 4.5 * h, 4.5 * h, 0.5 * h);
    snprintf(other, sizeof other, "%.17g,%.17g,%.17g", 9.5 * h, 4.5 * h, 0.5 * h);
#define LOW                                                                                                  \
    "low.obj", "--scheme", "standard", "--fmax", "200", "--duration", "0.1", "--absorption", "0.1",          \
        "--source", place, "--receiver", other
    expect_status(RUN("simulate", LOW, "-o", "first"), 0);
    expect_status(RUN("simulate", LOW, "--repeat-shifted", "-o", "both"), 2);
    expect_words("err", "on the grid offset by half a cell: source \"S1\"");
    cr_assert(not(exists("both")));
}
