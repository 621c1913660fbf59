/* Reverberation times that were not simulated, and what a use allows by octave: mathematics, then the page.
 */
#define _XOPEN_SOURCE 700
#include "geometry/base/failure.h"
#include "src/response/acoustics/octave_decay.h"
#include "src/run_folder/run_folder.h"
#include "rooms/materials/material.h"
#include "src/present/report/report_findings.h"
#include "src/present/report/report_ringing.h"
#include "src/present/report/report_statistics.h"
#include "src/present/report/report_targets.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/solid_mesh.h"

TestSuite(report_expected, .init = enter_folder, .fini = leave_folder);

/* ---- the share of the walls ---- */

Test(report_expected, a_simulation_that_is_the_formula_has_share_1_and_changes_nothing)
{
    cr_assert(test_near(report_walls_share(1.5, 2.0, 1.5), 1, 1e-12));
    cr_assert(test_near(report_walls_scaled(1, 2.0, 1.5), 1.5, 1e-12));
}

/* Walls alone take 2 s, the air alone 6 s: 1/2 + 1/6 = 2/3. Simulated 2.4 s: walls took 5/12 - 1/6 = 1/4,
 * half of what they should. Above, walls alone 1 s, air alone 2 s: half the walls and the air is a rate of 1.
 */
Test(report_expected, only_what_walls_take_is_scaled_and_air_takes_what_it_takes)
{
    const double share = report_walls_share(2.4, 2.0, 1.5);
    cr_assert(test_near(share, 0.5, 1e-12));
    cr_assert(test_near(report_walls_scaled(share, 1.0, 1 / 1.5), 1.0, 1e-12));
}

Test(report_expected, a_share_stays_within_its_bounds_and_a_formula_without_walls_has_none)
{
    cr_assert(test_near(report_walls_share(100, 2.0, 2.0), 1 / REPORT_SHARE_MOST, 1e-12));
    cr_assert(test_near(report_walls_share(0.01, 2.0, 2.0), REPORT_SHARE_MOST, 1e-12));
    cr_assert(isnan(report_walls_share(1, INFINITY, 2.0)) && isnan(report_walls_share(NAN, 2.0, 2.0)) &&
              isnan(report_walls_share(1, 0, 0)));
}

/* ---- a closed box ---- */

static struct run_model model;
static struct report_run made;
static const char *decays = ""; /* what the response says of its decays: ", .." */

/* 60 m3, 62 m2 of 0.2 and 32 m2 of 0.1: A = 15.6 m2, no air. `times` are T30 at 63, 125 .. Hz, NaN: dashes.
 */
static void make_box(double fmax, const double *times, size_t octaves, const char *use)
{
    static const char eight[] = "[%g,%g,%g,%g,%g,%g,%g,%g]";
    char text[4000], absorption[2][120], centres[200] = "", values[200] = "";
    double centre[OCTAVE_BANDS_MAX];
    octave_centres(24000, centre);
    for (size_t b = 0; b < octaves; b++) {
        const size_t c = strlen(centres), v = strlen(values);
        snprintf(centres + c, sizeof centres - c, "%s%.10g", b > 0 ? "," : "", centre[b]);
        if (isnan(times[b]))
            snprintf(values + v, sizeof values - v, "%snull", b > 0 ? "," : "");
        else
            snprintf(values + v, sizeof values - v, "%s%g", b > 0 ? "," : "", times[b]);
    }
    for (int m = 0; m < 2; m++) {
        const double a = m == 0 ? 0.2 : 0.1;
        snprintf(absorption[m], sizeof absorption[m], eight, a, a, a, a, a, a, a, a);
    }
    snprintf(
        text, sizeof text,
        "{\"fmax_hz\": %g, \"temperature_c\": 20, \"air\": {\"method\": \"off\", \"temperature_c\": 20, "
        "\"humidity_percent\": 50, \"pressure_kpa\": 101.325}, \"air_volume_m3\": 60, "
        "\"cells_volume_m3\": 60, \"seconds\": 10, \"bytes_peak\": 3000000, \"bytes_blocks\": 900000, "
        "\"bytes_walls\": 100000, \"materials\": [{\"name\": \"stone\", \"area_exposed_m2\": 62, "
        "\"absorption_used_octaves\": %s}, {\"name\": \"carpet\", \"area_exposed_m2\": 32, "
        "\"absorption_used_octaves\": %s}], \"sources\": [{\"name\": \"S\"}], \"responses\": [{\"source\": "
        "\"S\", \"receiver\": \"R\", \"octaves_hz\": [%s], \"t30_s\": [%s]%s}]}",
        fmax, absorption[0], absorption[1], centres, values, decays);
    cJSON *record = cJSON_Parse(text);
    cr_assert(record != NULL, "%s", text);
    cr_assert(json_read(&run_model_table, record, &model));
    cJSON_Delete(record);
    cr_assert(report_run_make(&made, &model, "run"));
    made.use = use;
    MUST(report_statistics_add(&made, &failure));
    MUST(report_targets_add(&made, &failure));
}

static void free_box(void)
{
    report_run_free(&made);
    run_model_free(&model);
}

/* 24 ln(10) / c V / A; Eyring's A = -S ln(1 - mean absorption) */
#define SABINE (24 * 2.302585092994046 / 343.2 * 60 / 15.6)
#define EYRING (24 * 2.302585092994046 / 343.2 * 60 / (-94 * log1p(-15.6 / 94)))

Test(report_expected, sabine_and_eyring_of_a_closed_box_are_exact_in_seven_octaves)
{
    make_box(355, (const double[]){SABINE, SABINE, SABINE}, 3, NULL);
    const struct report_statistics *of = made.statistics;
    cr_assert(of->octaves.count == 7 && of->missing && of->why == NULL);
    for (size_t b = 0; b < 7; b++) {
        cr_assert(test_near(of->sabine.value[b], SABINE, 1e-4));
        cr_assert(test_near(of->eyring.value[b], EYRING, 1e-4), "%g", of->eyring.value[b]);
        cr_assert(isnan(of->sabine_scaled.value[b]) == (b < 3), "what was simulated stays what it is");
    }
    cr_assert(test_near(of->sabine_scaled.value[6], SABINE, 1e-3),
              "a simulation that agrees changes nothing");
    cr_assert(test_near(of->eyring_scaled.value[6], SABINE, 1e-3),
              "Eyring's is brought to what was simulated");
    free_box();
}

/* At 250 Hz walls took half of what they should. What they took below does not count. */
Test(report_expected, a_time_that_describes_no_decay_puts_nothing_right)
{
    static const struct {
        const char *decays, *marks;
    } row[] = {{", \"slope_early_s\": [null, null, 1], \"slope_late_s\": [null, null, 6], "
                "\"slope_crossing_db\": [null, null, -22]",
                "d"},
               {", \"curvature_percent\": [0, 0, 20]", "c"},
               {", \"nonlinearity_permille\": [0, 0, 20]", "u"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        decays = row[i].decays;
        make_box(355, (const double[]){5 * SABINE, 2 * SABINE, 4 * SABINE}, 3, NULL);
        cr_assert(eq(str, (char *)json_text_of(&made.statistics->marks, 2), (char *)row[i].marks));
        cr_assert(json_text_of(&made.statistics->marks, 1) == NULL);
        cr_assert(eq(dbl, made.statistics->scaled_at, 125), "by the highest that has no mark");
        cr_assert(test_near(made.statistics->sabine_share, 0.5, 1e-3));
        free_box();
    }
    decays = ", \"nonlinearity_permille\": [20, 20, 20]";
    make_box(355, (const double[]){5 * SABINE, 2 * SABINE, 4 * SABINE}, 3, NULL);
    cr_assert(isnan(made.statistics->scaled_at) && test_near(made.statistics->sabine_share, 1, 1e-12));
    free_box();
    decays = "";
}

static const struct report_finding *finding_of(const char *key)
{
    for (size_t i = 0; i < made.findings.count; i++)
        if (strcmp(made.findings.item[i].key, key) == 0)
            return &made.findings.item[i];
    return NULL;
}

#define TWO_SLOPES                                                                                           \
    ", \"curvature_percent\": [0, 0, 0, 15, 15], \"slope_early_s\": [null, null, null, 2.85, 2.85], "        \
    "\"slope_late_s\": [null, null, null, 6.08, 6.08], \"slope_crossing_db\": [null, null, null, -22, -22]"

Test(report_expected, the_card_and_the_target_say_that_a_time_describes_no_decay)
{
    decays = TWO_SLOPES;
    make_box(1420, (const double[]){4, 4, 4, 4.13, 4.13}, 5, "speech");
    MUST(report_findings_add(&made, &failure));
    const struct report_finding *found = finding_of("reverberation");
    cr_assert(found != NULL && strstr(found->sentence, "marked cd: 2.9 s at first, then 6.1 s from "
                                                       "\xE2\x88\x92"
                                                       "22 dB on") != NULL,
              "%s", found->sentence);
    cr_assert(eq(str, made.targets.item[0].marks, "cd"));
    cr_assert(eq(dbl, made.statistics->scaled_at, 250));
    free_box();
    decays = "";
}

/* An absorbing ceiling over bare walls, turned in plan; and the same with a treated wall of each pair. */
Test(report_expected, flat_parallel_walls_that_ring_under_an_absorbing_ceiling_are_told)
{
    const struct solid_pose pose = solid_pose_make(0.4, 0, (const double[3]){1, 2, 0});
    for (int treated = 0; treated < 2; treated++) {
        const uint16_t by_face[6] = {0, (uint16_t)treated, 0, (uint16_t)treated, 0, 1};
        struct report_ringing ringing;
        decays = TWO_SLOPES;
        make_box(1420, (const double[]){4, 4, 4, 4.13, 4.13}, 5, NULL);
        for (int m = 0; m < 2; m++)
            for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
                model.room.materials.item[m].octaves_used.value[o] = m == 0 ? 0.03 : 0.8;
        cr_assert(json_numbers_set(&model.room.material_octaves,
                                   (const double[]){63, 125, 250, 500, 1000, 2000, 4000, 8000}, 8));
        (void)solid_material(&made.shape, "stone");
        (void)solid_material(&made.shape, "carpet");
        solid_box(&made.shape, &pose, (const double[3]){0, 0, 0}, (const double[3]){5, 4, 3}, by_face, -1);
        const bool rings = report_ringing_find(&made, &ringing);
        cr_assert(rings == (treated == 0));
        if (rings) {
            cr_assert(test_near(ringing.hard, 0.03, 1e-9) && test_near(ringing.soft, 0.415, 1e-9));
            cr_assert(eq(str, (char *)ringing.material, "carpet"));
            MUST(report_findings_add(&made, &failure));
            cr_assert(eq(str, (char *)made.findings.item[0].key, "ringing"));
            cr_assert(made.findings.item[0].verdict == VERDICT_POOR);
        }
        free_box();
    }
    decays = "";
}

Test(report_expected, the_highest_octave_that_has_a_time_puts_the_formulas_right)
{
    make_box(355, (const double[]){5 * SABINE, 4 * SABINE, 2 * SABINE}, 3, NULL);
    cr_assert(test_near(made.statistics->sabine_share, 0.5, 1e-3));
    cr_assert(test_near(made.statistics->sabine_scaled.value[4], 2 * SABINE, 4e-3));
    cr_assert(eq(dbl, made.statistics->scaled_at, 250));
    free_box();
    make_box(355, (const double[]){2 * SABINE, NAN, NAN}, 3, NULL);
    cr_assert(test_near(made.statistics->sabine_share, 0.5, 1e-3));
    cr_assert(eq(dbl, made.statistics->scaled_at, 63));
    free_box();
    make_box(355, (const double[]){NAN, NAN, NAN}, 3, NULL);
    cr_assert(made.statistics->sabine_share == 1 && isnan(made.statistics->scaled_at));
    free_box();
}

Test(report_expected, the_next_octave_takes_the_fourth_power_of_time_and_the_third_of_the_field)
{
    make_box(177.5, (const double[]){1, 1}, 2, NULL);
    const struct report_statistics *of = made.statistics;
    cr_assert(of->next_octave == 250 && of->next_fmax == 355);
    cr_assert(test_near(of->next_seconds, 160, 1e-9));
    cr_assert(test_near(of->next_bytes, 10000000, 1)); /* 2 MB that stay, and 8 times 1 MB */
    free_box();
}

/* ---- judging ---- */

static const struct report_aim *aim_of(const char *use)
{
    for (size_t i = 0; i < made.targets.count; i++)
        if (made.targets.item[i].target->figure == FIGURE_T30 &&
            strcmp(made.targets.item[i].target->use, use) == 0)
            return &made.targets.item[i];
    return NULL;
}

Test(report_expected, times_by_statistics_are_held_against_a_target_provisionally_only)
{
    make_box(355, (const double[]){0.9, 0.9, 0.9}, 3, NULL); /* music in 60 m3: 0.87 s */
    const struct report_aim *aim = aim_of("music");
    cr_assert(aim != NULL && isnan(aim->value));
    cr_assert(eq(str, (char *)aim->verdict, "not known"));
    cr_assert(test_near(aim->expected, 0.9, 2e-3));
    cr_assert(eq(str, (char *)aim->expected_verdict, "provisionally met"));
    cr_assert(eq(str, (char *)aim_of("worship")->expected_verdict, "provisionally not met"));
    for (size_t i = 0; i < made.targets.count; i++) {
        const bool timed = made.targets.item[i].target->figure == FIGURE_T30;
        cr_assert(timed == (made.targets.item[i].expected_verdict != NULL));
    }
    free_box();
    make_box(1420, (const double[]){0.9, 0.9, 0.9, 0.9, 0.9}, 5, NULL);
    aim = aim_of("music");
    cr_assert(eq(str, (char *)aim->verdict, "met"));
    cr_assert(aim->expected_verdict == NULL && isnan(aim->expected));
    free_box();
    make_box(710, (const double[]){0.9, 0.9, 0.9, 1.2}, 4, NULL); /* 500 Hz is simulated, 1000 Hz is not */
    const double above = made.statistics->eyring_scaled.value[4];
    cr_assert(test_near(aim_of("music")->expected, 0.5 * (1.2 + above), 1e-3));
    free_box();
}

/* lg 200 = 2.30103, lg 1000 = 3, lg 5000 = 3.69897; two decimals. NaN: not of this volume. */
Test(report_expected, the_groups_of_din_18041_have_their_times_and_volumes)
{
    static const struct {
        const char *use;
        double at_200, at_1000, at_5000;
    } expected[] = {{"music", 1.11, NAN, NAN},
                    {"speech", 0.71, 0.97, NAN},
                    {"teaching", 0.57, 0.79, NAN},
                    {"inclusive", 0.46, NAN, NAN},
                    {"sport", 0.73, 1.25, 1.77}};
    static const double volume[] = {200, 1000, 5000};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const double times[] = {expected[i].at_200, expected[i].at_1000, expected[i].at_5000};
        for (size_t v = 0; v < 3; v++) {
            double low, high;
            const struct report_target *target = report_target_find(FIGURE_T30, expected[i].use, volume[v]);
            const bool holds = target != NULL, should = !isnan(times[v]);
            cr_assert(holds == should, "%s at %g m3", expected[i].use, volume[v]);
            if (target == NULL)
                continue;
            cr_assert(report_target_limits(target, volume[v], &low, &high) && low == high);
            cr_assert(test_near(low, times[v], 1e-9), "%s at %g m3: %g", expected[i].use, volume[v], low);
        }
    }
    double low, high;
    const struct report_target *hall = report_target_find(FIGURE_T30, "sport", 10000);
    cr_assert(report_target_limits(hall, 10000, &low, &high) && low == 2.0 && high == 2.0);
}

Test(report_expected, what_din_18041_allows_is_narrow_at_middle_octaves_and_wider_beside_them)
{
    static const double shares[7][2] = {{0.5, 1.7}, {0.65, 1.45}, {0.8, 1.2}, {0.8, 1.2},
                                        {0.8, 1.2}, {0.8, 1.2},   {0.65, 1.2}};
    make_box(355, (const double[]){0.95, 0.75, 0.67}, 3, "speech"); /* 0.52 s in 60 m3 */
    const struct report_tolerance *allowed = made.tolerance;
    cr_assert(allowed != NULL && made.use_why == NULL && strstr(allowed->title, "as quoted by") != NULL);
    for (size_t b = 0; b < 7; b++) {
        cr_assert(test_near(allowed->low.value[b], 0.52 * shares[b][0], 1e-4));
        cr_assert(test_near(allowed->high.value[b], 0.52 * shares[b][1], 1e-4));
    }
    static const char *const verdict[] = {"too long", "met", "too long", "provisionally too long"};
    for (size_t b = 0; b < 4; b++)
        cr_assert(eq(str, allowed->verdict.text[b], (char *)verdict[b]));
    for (size_t i = 0; i < made.targets.count; i++)
        cr_assert(eq(str, (char *)made.targets.item[i].target->use, "speech"));
    free_box();
    make_box(355, (const double[]){0.95, 0.75, 0.67}, 3, "sport"); /* less than 200 m3 */
    cr_assert(made.tolerance == NULL && made.targets.count == 0);
    cr_assert(made.use_why != NULL);
    free_box();
}

/* 0.87 s in 60 m3, and a fifth either way: 0.70 to 1.04 s. */
Test(report_expected, the_finding_is_of_the_use_that_was_asked_for)
{
    static const struct {
        const char *use, *words;
        double time;
    } expected[] = {{"music", "Reverberation: good. Sound stays for 0.9 s", 0.9},
                    {"music", "within the 0.7 to 1.0 s recommended for the use music.", 0.9},
                    {NULL, "shorter than the 1.5 to 2.5 s recommended for churches.", 0.9},
                    {"sport", "Reverberation, not judged: sound stays for 0.9 s", 0.9}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const double t = expected[i].time;
        make_box(1420, (const double[]){t, t, t, t, t}, 5, expected[i].use);
        MUST(report_findings_add(&made, &failure));
        cr_assert(eq(sz, made.findings.count, 1));
        cr_assert(strstr(made.findings.item[0].sentence, expected[i].words) != NULL, "%s",
                  made.findings.item[0].sentence);
        free_box();
    }
}

/* ---- a run and its page ---- */

Test(report_expected, the_page_of_a_run_has_its_formulas_and_marks_what_was_not_simulated)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--fmax", "177", "--absorption", "0.15", CUBE_PLACES, "-o",
                      "run", "--quiet"),
                  0);
    expect_status(RUN("report", "run", "--use", "choir"), 2);
    expect_words("err", "--use choir is not one of: church, worship, concerts, music, speech");
    expect_status(RUN("report", "run"), 0);
    cJSON *record = read_json("run/run.json");
    char *page = read_text("run/report.html");
    const char *begin = strstr(page, "id=\"transept-data\">") + strlen("id=\"transept-data\">");
    cJSON *data = cJSON_ParseWithLength(begin, (size_t)(strstr(begin, "</script>") - begin));
    for (int b = 0; b < 2; b++) {
        char from[40], to[60];
        snprintf(from, sizeof from, "sabine_s.%d", b);
        snprintf(to, sizeof to, "runs.0.statistics.%s", from);
        const double recorded = record_number(record, from);
        cr_assert(test_near(record_number(data, to), recorded, 1e-3 * recorded), "%s", from);
    }
    cr_assert(strstr(page, "class=\"statistic\"") != NULL && strstr(page, "class=\"hollow\"") != NULL &&
              strstr(page, ">provisionally not met<") != NULL);
    cr_assert(strstr(page, "Simulating the next octave, 250&nbsp;Hz, needs a run up to 355&nbsp;Hz") != NULL);
    cJSON_Delete(data);
}

Test(report_expected, times_put_right_by_the_63_Hz_octave_alone_are_called_a_first_guess)
{
    static const char words[] = "In that octave a few modes decide";
    write_cube();
    for (int wide = 0; wide < 2; wide++) {
        expect_status(RUN("simulate", "cube.obj", "--fmax", wide ? "177" : "89", "--absorption", "0.15",
                          "--duration", "1", CUBE_PLACES, "-o", "run", "--quiet", "--force"),
                      0);
        expect_status(RUN("report", "run", "--force"), 0);
        char *page = read_text("run/report.html");
        cr_assert(eq(int, strstr(page, words) != NULL, !wide));
    }
}
