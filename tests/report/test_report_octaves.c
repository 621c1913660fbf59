/* Reverberation times by octave with the error bars of rays, and what a use allows: data, then the page. */
#define _XOPEN_SOURCE 700
#include "geometry/base/failure.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/run_folder/run_folder.h"
#include "rooms/materials/material_library.h"
#include "src/present/report/report_findings.h"
#include "src/present/report/report_ringing.h"
#include "src/present/report/report_octave_times.h"
#include "src/present/report/report_targets.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/record_of.h"
#include "tests/support/solid_mesh.h"

TestSuite(report_octaves, .init = enter_folder, .fini = leave_folder);

/* ---- a closed box ---- */

static struct run_model model;
static struct report_run made;
static const char *decays = ""; /* what the response says of its decays: ", .." */

/* Octaves from this number on are from rays, with error bars of T30 and changes by scattering [s]. */
static struct {
    size_t from;
    double error, scattering;
} rays = {OCTAVE_BANDS_MAX, 0, 0};

/* ", "from": [..], "t30_s_error": [..], .." of a response of so many octaves. */
static const char *ray_members(size_t octaves, char *text, size_t size)
{
    static const char *const name[] = {"from", "t30_s_error", "t30_s_scattering"};
    size_t used = 0;
    text[0] = '\0';
    for (size_t m = 0; m < 3 && rays.from < octaves; m++) {
        used += (size_t)snprintf(text + used, size - used, ", \"%s\": [", name[m]);
        for (size_t b = 0; b < octaves; b++) {
            const char *comma = b > 0 ? "," : "";
            if (m == 0)
                used += (size_t)snprintf(text + used, size - used, "%s\"%s\"", comma,
                                         b < rays.from ? "waves" : "rays");
            else if (b < rays.from)
                used += (size_t)snprintf(text + used, size - used, "%snull", comma);
            else
                used += (size_t)snprintf(text + used, size - used, "%s%g", comma,
                                         m == 1 ? rays.error : rays.scattering);
        }
        used += (size_t)snprintf(text + used, size - used, "]");
    }
    return text;
}

/* 60 m3, 62 m2 of 0.2 and 32 m2 of 0.1: A = 15.6 m2, no air. `times` are T30 at 63, 125 .. Hz, NaN: dashes.
 */
static void make_box(double fmax, const double *times, size_t octaves, const char *use)
{
    static const char eight[] = "[%g,%g,%g,%g,%g,%g,%g,%g]";
    char text[5000], absorption[2][120], centres[200] = "", values[200] = "", from[600], join[100] = "";
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
    if (rays.from < octaves)
        snprintf(join, sizeof join, "\"rays\": {\"octave_hz\": %.10g, \"sources\": []}, ",
                 centre[rays.from - 1]);
    snprintf(
        text, sizeof text,
        "{%s\"fmax_hz\": %g, \"temperature_c\": 20, \"air\": {\"method\": \"off\", \"temperature_c\": 20, "
        "\"humidity_percent\": 50, \"pressure_kpa\": 101.325}, \"air_volume_m3\": 60, "
        "\"cells_volume_m3\": 60, \"seconds\": 10, \"bytes_peak\": 3000000, \"bytes_blocks\": 900000, "
        "\"bytes_walls\": 100000, \"materials\": [{\"name\": \"stone\", \"area_exposed_m2\": 62, "
        "\"absorption_used_octaves\": %s}, {\"name\": \"carpet\", \"area_exposed_m2\": 32, "
        "\"absorption_used_octaves\": %s}], \"sources\": [{\"name\": \"S\"}], \"responses\": [{\"source\": "
        "\"S\", \"receiver\": \"R\", \"octaves_hz\": [%s], \"t30_s\": [%s]%s%s}]}",
        join, fmax, absorption[0], absorption[1], centres, values, decays,
        ray_members(octaves, from, sizeof from));
    record_of(text, &model);
    cr_assert(report_run_make(&made, &model, "run"));
    made.use = use;
    MUST(report_octave_times_add(&made, &failure));
    MUST(report_targets_add(&made, &failure));
}

static void free_box(void)
{
    report_run_free(&made);
    run_model_free(&model);
}

Test(report_octaves, a_time_has_its_source_and_of_rays_its_error_bar)
{
    rays.from = 2;
    rays.error = 0.1;
    make_box(177, (const double[]){1, 2, 3, 4, 5, 6, 7}, 7, NULL);
    const struct report_octave_times *of = made.octave_times;
    cr_assert(of->octaves.count == 7 && !of->missing);
    for (size_t b = 0; b < 7; b++) {
        cr_assert(eq(dbl, of->time.value[b], (double)b + 1));
        cr_assert(eq(str, of->from.text[b], b < 2 ? "waves" : "rays"));
        cr_assert(isfinite(of->error.value[b]) == (b >= 2));
    }
    cr_assert(eq(dbl, of->error.value[6], 0.1));
    free_box();
}

Test(report_octaves, without_rays_the_octaves_above_are_missing)
{
    make_box(355, (const double[]){1, 2, 3}, 3, NULL);
    const struct report_octave_times *of = made.octave_times;
    cr_assert(of->octaves.count == 7 && of->missing && of->error.value == NULL);
    for (size_t b = 0; b < 7; b++) {
        cr_assert(isfinite(of->time.value[b]) == (b < 3));
        cr_assert(eq(int, of->from.text[b] != NULL, b < 3));
    }
    cr_assert(strstr(made.targets_why, "Simulate with rays") != NULL, "%s", made.targets_why);
    cr_assert(isnan(made.targets.item[0].value));
    free_box();
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

Test(report_octaves, the_card_and_the_target_say_that_a_time_describes_no_decay)
{
    decays = TWO_SLOPES;
    make_box(1420, (const double[]){4, 4, 4, 4.13, 4.13}, 5, "speech");
    MUST(report_findings_add(&made, &failure));
    const struct report_finding *found = finding_of("reverberation");
    cr_assert(found != NULL &&
                  strstr(found->sentence, "not straight, mark cd: 2.9 s at first, then 6.1 s from "
                                          "\xE2\x88\x92"
                                          "22 dB on") != NULL,
              "%s", found->sentence);
    cr_assert(eq(str, made.targets.item[0].marks, "cd"));
    cr_assert(eq(str, (char *)json_text_of(&made.octave_times->marks, 3), "cd"));
    cr_assert(json_text_of(&made.octave_times->marks, 2) == NULL);
    free_box();
    decays = "";
}

/* An absorbing ceiling over bare walls, turned in plan; and the same with a treated wall of each pair. */
Test(report_octaves, flat_parallel_walls_that_ring_under_an_absorbing_ceiling_are_told)
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

Test(report_octaves, the_next_octave_takes_the_fourth_power_of_time_and_the_third_of_the_field)
{
    make_box(177.5, (const double[]){1, 1}, 2, NULL);
    const struct report_octave_times *of = made.octave_times;
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

/* Music in 60 m3: 0.87 s, met from 0.696 to 1.044 s. 500 Hz is from waves, so that the error bar of the mean
 * is half of that of 1 kHz. */
Test(report_octaves, a_target_is_unsure_where_the_error_bar_reaches_its_limit)
{
    static const struct {
        double time, bar;
        const char *verdict;
    } row[] = {
        {0.9, 0, "met"},        {0.9, 0.14, "met"},    {0.9, 0.15, "unsure"},
        {1.2, 0.15, "not met"}, {1.2, 0.16, "unsure"}, {0.6, 0.09, "not met"},
        {0.6, 0.1, "unsure"},   {0.4, 0.8, "unsure"}, /* its error bar holds all that the target allows */
        {0.87, 0.2, "unsure"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double t = row[i].time;
        rays.from = row[i].bar > 0 ? 4 : OCTAVE_BANDS_MAX;
        rays.error = 2 * row[i].bar;
        make_box(710, (const double[]){t, t, t, t, t}, 5, NULL);
        const struct report_aim *aim = aim_of("music");
        cr_assert(eq(str, (char *)aim->verdict, (char *)row[i].verdict), "%g +- %g", t, row[i].bar);
        cr_assert(row[i].bar > 0 ? fabs(aim->error - row[i].bar) < 1e-4 : isnan(aim->error));
        free_box();
    }
}

/* 2 JND of 1 s are 0.1 s. */
Test(report_octaves, a_time_that_scattering_changes_much_is_called_unsure_with_the_reason)
{
    for (int unsure = 0; unsure < 2; unsure++) {
        rays.from = 4;
        rays.error = 0.15;
        rays.scattering = unsure ? 0.11 : 0.09;
        make_box(710, (const double[]){1, 1, 1, 1, 1}, 5, "music");
        MUST(report_findings_add(&made, &failure));
        const char *sentence = finding_of("reverberation")->sentence;
        cr_assert(made.targets.item[0].unsure == unsure);
        cr_assert(eq(int,
                     strstr(sentence, "It is unsure: how surfaces scatter is not known, and with this uneven "
                                      "absorption") != NULL,
                     unsure),
                  "%s", sentence);
        free_box();
    }
}

/* lg 200 = 2.30103, lg 1000 = 3, lg 5000 = 3.69897; two decimals. NaN: not of this volume. */
Test(report_octaves, the_groups_of_din_18041_have_their_times_and_volumes)
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

Test(report_octaves, what_din_18041_allows_is_narrow_at_middle_octaves_and_wider_beside_them)
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
    static const char *const verdict[] = {"too long", "met", "too long", NULL};
    for (size_t b = 0; b < 4; b++)
        cr_assert(same_name(allowed->verdict.text[b], verdict[b]) || allowed->verdict.text[b] == verdict[b]);
    for (size_t i = 0; i < made.targets.count; i++)
        cr_assert(eq(str, (char *)made.targets.item[i].target->use, "speech"));
    free_box();
    rays.from = 1;
    rays.error = 0.05;
    make_box(89, (const double[]){0.95, 0.75, 0.72}, 3, "speech"); /* to 0.754, and to 0.624 s */
    cr_assert(eq(str, made.tolerance->verdict.text[1], "unsure"));
    cr_assert(eq(str, made.tolerance->verdict.text[2], "too long"));
    free_box();
    rays.from = OCTAVE_BANDS_MAX;
    make_box(355, (const double[]){0.95, 0.75, 0.67}, 3, "sport"); /* less than 200 m3 */
    cr_assert(made.tolerance == NULL && made.targets.count == 0);
    cr_assert(made.use_why != NULL);
    free_box();
}

/* 0.161 V (1/T - 1/T') / 0.7 with 60 m3: from 3 s to 1.044 s it takes 8.6 m2. */
Test(report_octaves, too_long_a_time_says_how_much_to_add)
{
    make_box(1420, (const double[]){3, 3, 3, 3, 3}, 5, NULL);
    MUST(report_findings_add(&made, &failure));
    const struct report_finding *found = &made.findings.item[0];
    cr_assert(eq(str, (char *)found->plain, "The room is too reverberant."));
    cr_assert(strstr(found->advice, "add about 10 m\xC2\xB2 of a surface that absorbs 70 %") != NULL, "%s",
              found->advice);
    cr_assert(strstr(found->advice, "this run has no STI") != NULL);
    free_box();
}

/* In an exponential decay m = 1 / sqrt(1 + (2 pi F T / 13.8)^2): its STI is 0.357 for 3 s and 0.578 for 1.044
 * s.
 */
Test(report_octaves, advice_names_the_hard_surfaces_and_the_index_of_speech)
{
    decays = ", \"sti\": 0.45";
    make_box(1420, (const double[]){3, 3, 3, 3, 3}, 5, NULL);
    struct record_material *const material = model.room.materials.item;
    for (size_t m = 0; m < 2; m++) {
        material[m].absorption_used = m == 0 ? 0.03 : 0.6;
        material[m].area = m == 0 ? 62 : 100;
    }
    struct report_finding found = {0};
    report_absorber_advise(&made, 3, 1.044, &found);
    cr_assert(strstr(found.advice, "reflected: stone (62 m\xC2\xB2).") != NULL, "%s", found.advice);
    cr_assert(strstr(found.advice, "STI of about 0.67 instead of 0.45") != NULL, "%s", found.advice);
    material[0].area = 5;
    report_absorber_advise(&made, 3, 1.044, &found);
    cr_assert(strstr(found.advice, "too small for it: stone (5 m\xC2\xB2).") != NULL, "%s", found.advice);
    decays = "";
    free_box();
}

Test(report_octaves, the_absorbers_of_the_advice_absorb_as_much_as_it_says)
{
    enum { HZ_500 = 3, HZ_1000 = 4 };
    struct material_library library = {0};
    MUST(material_library_load(&library, &failure));
    for (int a = 0; a < REPORT_ABSORBERS; a++) {
        const struct material *const material = material_library_find(&library, report_absorber[a]);
        cr_assert(material != NULL && strcmp(material->name, report_absorber[a]) == 0);
        const double mean = (material->absorption[HZ_500] + material->absorption[HZ_1000]) / 2;
        cr_expect(epsilon_eq(dbl, mean, REPORT_ABSORBER, 0.06), "%s", report_absorber[a]);
    }
    material_library_free(&library);
}

/* 0.87 s in 60 m3, and a fifth either way: 0.70 to 1.04 s. */
Test(report_octaves, the_finding_is_of_the_use_that_was_asked_for)
{
    static const struct {
        const char *use, *words;
        double time, error;
    } expected[] = {
        {"music", "Reverberation: good. Sound stays for 0.9 s (", 0.9, 0},
        {"music", "within the 0.7 to 1.0 s recommended for the use music.", 0.9, 0},
        {"music", "Reverberation: good. Sound stays for 0.9 \xC2\xB1 0.1 s (", 0.9, 0.1},
        {"music", "Reverberation: unsure. Sound stays for 0.9 \xC2\xB1 0.2 s (", 0.9, 0.2},
        {"music", ", and its error bar reaches a limit of the 0.7 to 1.0 s recommended", 0.9, 0.2},
        {NULL, "within the 0.7 to 1.0 s recommended for churches.", 0.9, 0.1},
        {"sport", "Reverberation, not judged: sound stays for 0.9 s", 0.9, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const double t = expected[i].time;
        rays.from = expected[i].error > 0 ? 3 : OCTAVE_BANDS_MAX;
        rays.error = expected[i].error;
        make_box(1420, (const double[]){t, t, t, t, t}, 5, expected[i].use);
        MUST(report_findings_add(&made, &failure));
        cr_assert(eq(sz, made.findings.count, 1));
        cr_assert(strstr(made.findings.item[0].sentence, expected[i].words) != NULL, "%s",
                  made.findings.item[0].sentence);
        free_box();
    }
}

/* ---- a run and its page ---- */

static void make_page(void)
{
    expect_status(RUN("report", "run", "--use", "worship", "--force"), 0);
}

static void simulate_cube(void)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--fmax", "177", "--absorption", "0.15", CUBE_PLACES,
                      "--receiver-grid", "nave=0.5,0.5,0;2.5,0.5,0;2.5,2.5,0;0.5,2.5,0", "--grid-spacing",
                      "0.5", "-o", "run", "--quiet"),
                  0);
}

Test(report_octaves, the_page_of_a_run_without_rays_says_how_to_have_the_octaves_above)
{
    simulate_cube();
    expect_status(RUN("report", "run", "--use", "opera"), 2);
    expect_words("err", "--use opera is not one of: church, worship, concerts, organ, choir, music, speech");
    make_page();
    expect_words("run/report.html", "This run does not reach the octaves that are dashes.",
                 "Simulate with rays, which add them",
                 "Simulating the next octave, 250&nbsp;Hz, needs a run up to 355&nbsp;Hz");
    const char *page = read_text("run/report.html");
    cr_assert(strstr(page, "class=\"rays\"") == NULL && strstr(page, "id=\"transept-data\"") != NULL);
}

/* 125 Hz as if it were from rays. */
static void put_rays(cJSON *record, double level, double scattering)
{
    static const char *const ours[] = {"from", "t30_s_error", "t30_s_scattering"};
    cJSON *response = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "responses"), 0);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        cJSON_DeleteItemFromObject(response, ours[i]);
    cJSON_DeleteItemFromObject(record, "rays");
    cJSON *from = cJSON_AddArrayToObject(response, "from");
    cJSON *error = cJSON_AddArrayToObject(response, "t30_s_error");
    cJSON *change = cJSON_AddArrayToObject(response, "t30_s_scattering");
    cJSON *join = cJSON_AddObjectToObject(record, "rays");
    cJSON_AddItemToArray(from, cJSON_CreateString("waves"));
    cJSON_AddItemToArray(from, cJSON_CreateString("rays"));
    cJSON_AddItemToArray(error, cJSON_CreateNull());
    cJSON_AddItemToArray(error, cJSON_CreateNumber(0.123));
    cJSON_AddItemToArray(change, cJSON_CreateNull());
    cJSON_AddItemToArray(change, cJSON_CreateNumber(scattering));
    cJSON_AddNumberToObject(join, "crossover_hz", 74.5);
    cJSON_AddNumberToObject(join, "octave_hz", 63.0957);
    cJSON *source = cJSON_CreateObject();
    cJSON_AddItemToArray(cJSON_AddArrayToObject(join, "sources"), source);
    cJSON_AddStringToObject(source, "source", "S1");
    cJSON_AddNumberToObject(source, "level_db", level);
    cJSON_AddNumberToObject(source, "decay_jnd", -0.5);
    char *text = cJSON_Print(record);
    FILE *file = fopen("run/run.json", "w");
    cr_assert(file != NULL && fprintf(file, "%s\n", text) > 0 && fclose(file) == 0);
    cJSON_free(text);
}

Test(report_octaves, values_from_rays_are_drawn_apart_with_error_bars_and_the_error_of_the_join)
{
    static const char unsure[] = "<b>?</b>: unsure: half or twice the scattering", bar[] = "class=\"bar\"",
                      warning[] = "more than 2&nbsp;dB or 3&nbsp;JND";
    simulate_cube();
    for (int poor = 0; poor < 2; poor++) {
        put_rays(read_json("run/run.json"), poor ? 2.1 : 1.9, poor ? 1.0 : 0.001);
        make_page();
        expect_words("run/report.html", "<small>rays</small></th>", "<td class=\"rays\">", " \xC2\xB1<data",
                     ">0.12</data>", "Lighter, headed rays:", "<li class=\"rays\">",
                     "&nbsp;s, from rays</li>", "<g class=\"rays\" opacity", bar, "class=\"hollow\"",
                     "the octave of 63&nbsp;Hz", "octaves above 63&nbsp;Hz are computed by rays",
                     "measured error of the join in this room", "\"octave_hz\":125,\"from\":\"rays\"",
                     "\"octave_hz\":63,\"from\":\"waves\"");
        const char *page = read_text("run/report.html");
        cr_assert(eq(int, strstr(page, unsure) != NULL, poor));
        cr_assert(eq(int, strstr(page, warning) != NULL, poor));
        cr_assert(strstr(page, "Simulate with rays, which add") != NULL, "250 Hz is not there");
    }
}
