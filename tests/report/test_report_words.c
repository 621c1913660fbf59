/* What a report says in words: findings by rule, targets, differences to the ear, pitches, numbers. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/pitch_name.h"
#include "src/compare/run_compare.h"
#include "src/compare/run_compare_json.h"
#include "src/draw/html.h"
#include "src/record/run_folder.h"
#include "src/report/report_figures.h"
#include "src/report/report_findings.h"
#include "src/report/report_shares.h"
#include "src/report/report_speech.h"
#include "src/report/report_targets.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/test_support.h"

/* ---- findings ---- */

#define OCTAVES "\"octaves_hz\": [125.9, 251.2, 501.2, 1000]"

/* A run.json of three receivers of one source; figures by octave, the same for all but where a value is
 * given. */
static cJSON *make_run(double d50, double t30, const double c80[3], double share)
{
    char text[3000];
    int used =
        snprintf(text, sizeof text,
                 "{\"air_volume_m3\": 2000, \"sources\": [{\"name\": \"pulpit\"}], \"runs\": "
                 "[{\"source\": \"pulpit\", \"energy\": {\"complete\": true, \"injected\": [1, 1], "
                 "\"stored\": [1, 0], "
                 "\"absorbed\": [{\"material\": \"carpet\", \"area_m2\": 10, \"share\": [0, %g]}, "
                 "{\"material\": \"stone\", \"area_m2\": 70, \"share\": [0, %g]}, "
                 "{\"material\": \"wood\", \"area_m2\": 10, \"share\": [0, %g]}, "
                 "{\"material\": \"glass\", \"area_m2\": 5, \"share\": [0, %g]}, "
                 "{\"material\": \"plaster\", \"area_m2\": 5, \"share\": [0, %g]}]}}], \"responses\": [",
                 share, (1 - share) / 4, (1 - share) / 4, (1 - share) / 4, (1 - share) / 4);
    for (int r = 0; r < 3; r++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "%s{" OCTAVES
                         ", \"source\": \"pulpit\", \"receiver\": \"seat%d\", \"d50\": [0.9, 0.9, %g, %g], "
                         "\"t30_s\": [9, 9, %g, %g], \"c80_db\": [0, 0, %g, %g]}",
                         r > 0 ? ", " : "", r, d50 - 0.1, d50 + 0.1, t30, t30, c80[r], c80[r]);
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    cJSON *run = cJSON_Parse(text);
    cr_assert(run != NULL, "%s", text);
    return run;
}

/* What a report has of it; stays until the next call. */
static const struct report_run *made_of(const cJSON *record)
{
    static struct run_model model;
    static struct report_run run;
    report_run_free(&run);
    run_model_free(&model);
    cr_assert(json_read(&run_model_table, record, &model));
    cr_assert(report_run_make(&run, &model, "run"));
    MUST(report_shares_add(&run, &failure));
    MUST(report_targets_add(&run, &failure));
    MUST(report_findings_add(&run, &failure));
    return &run;
}

/* The finding of one rule, or NULL. */
static const struct report_finding *find(const cJSON *record, const char *key)
{
    const struct report_run *run = made_of(record);
    for (size_t i = 0; i < run->findings.count; i++)
        if (strcmp(run->findings.item[i].key, key) == 0)
            return &run->findings.item[i];
    return NULL;
}

static const double even[3] = {1, 1, 1};

Test(report_words, speech_is_judged_by_d50_at_middle_frequencies)
{
    static const struct {
        double d50;
        enum report_verdict verdict;
    } expected[] = {{0.31, VERDICT_POOR}, {0.39, VERDICT_POOR}, {0.41, VERDICT_FAIR},
                    {0.49, VERDICT_FAIR}, {0.5, VERDICT_FAIR}, /* aim above it */
                    {0.51, VERDICT_GOOD}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cJSON *run = make_run(expected[i].d50, 2, even, 0);
        const struct report_finding *finding = find(run, "speech");
        cr_assert(finding != NULL && finding->verdict == expected[i].verdict, "%g", expected[i].d50);
        cJSON_Delete(run);
    }
    cJSON *run = make_run(0.31, 2, even, 0);
    cr_assert(eq(str, (char *)find(run, "speech")->sentence,
                 "Speech from pulpit: poor. 31 % of the sound arrives within 50 ms (D50 0.31 at 500 and 1000 "
                 "Hz, mean of 3 "
                 "places); aim above 0.5."));
    cJSON_Delete(run);
}

/* 99 bytes and a letter of two. */
Test(report_words, a_long_name_is_cut_between_its_letters)
{
    char name[110];
    memset(name, 'p', 99);
    snprintf(name + 99, sizeof name - 99, "\xC3\xA9\xC3\xA9");
    cJSON *run = make_run(0.6, 2, (const double[3]){1, 4, 9}, 0), *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(run, "responses"))
    {
        cJSON_ReplaceItemInObject(entry, "source", cJSON_CreateString(name));
        char receiver[400];
        memset(receiver, 'r', 200);
        snprintf(receiver + 200, sizeof receiver - 200, "%s", name);
        cJSON_ReplaceItemInObject(entry, "receiver", cJSON_CreateString(receiver));
    }
    cJSON_ReplaceItemInObject(cJSON_GetArrayItem(cJSON_GetObjectItem(run, "sources"), 0), "name",
                              cJSON_CreateString(name));
    const struct report_finding *finding = find(run, "speech");
    cr_assert(finding != NULL && strstr(finding->sentence, "ppp: good") != NULL, "%s",
              finding != NULL ? finding->sentence : "none");
    finding = find(run, "evenness");
    cr_assert(finding != NULL && strstr(finding->sentence, "ppp, clarity (C80 at ") != NULL &&
                  strstr(finding->sentence, "times the least difference that is heard.") != NULL,
              "%s", finding != NULL ? finding->sentence : "none");
    cJSON_Delete(run);
}

/* Give every response but the last `without` a number in place of what it has. */
static void set_all(cJSON *run, const char *name, double value, int without)
{
    cJSON *responses = cJSON_GetObjectItem(run, "responses");
    const int count = cJSON_GetArraySize(responses);
    for (int i = 0; i < count; i++) {
        cJSON *entry = cJSON_GetArrayItem(responses, i);
        cJSON_DeleteItemFromObject(entry, name);
        cJSON_AddItemToObject(entry, name,
                              i < count - without ? cJSON_CreateNumber(value) : cJSON_CreateNull());
    }
}

Test(report_words, speech_is_told_by_sti_where_the_run_has_it)
{
    static const struct {
        double sti;
        enum report_verdict verdict;
        const char *lead, *called;
    } expected[] = {
        {0.2, VERDICT_POOR, "Speech from pulpit: bad. The speech transmission index (STI) is 0.20 (",
         "less than 0.30 bad"},
        {0.3, VERDICT_POOR, "Speech from pulpit: poor. The", "calls 0.30 to 0.45 poor"},
        {0.52, VERDICT_FAIR, "Speech from pulpit: fair. The", "calls 0.45 to 0.60 fair"},
        {0.5996, VERDICT_FAIR, "Speech from pulpit: fair. The speech transmission index (STI) is 0.5996 (",
         "fair"},
        {0.6, VERDICT_GOOD, "Speech from pulpit: good. The", "calls 0.60 to 0.75 good"},
        {0.8, VERDICT_GOOD, "Speech from pulpit: excellent. The", "calls 0.75 and more excellent"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cJSON *run = make_run(0.31, 2, even, 0); /* D50 alone would be poor */
        set_all(run, "sti", expected[i].sti, 0);
        const struct report_finding *finding = find(run, "speech");
        cr_assert(finding != NULL && finding->verdict == expected[i].verdict, "%g", expected[i].sti);
        cr_assert(strncmp(finding->sentence, expected[i].lead, strlen(expected[i].lead)) == 0, "%s",
                  finding->sentence);
        cr_assert(strstr(finding->sentence, expected[i].called) != NULL, "%s", finding->sentence);
        cJSON_Delete(run);
    }
    cJSON *run = make_run(0.31, 2, even, 0);
    set_all(run, "sti", 0.52, 1);
    cr_assert(
        eq(str, (char *)find(run, "speech")->sentence,
           "Speech from pulpit: fair. The speech transmission index (STI) is 0.52 (mean of 2 of 3 places, "
           "without background noise); IEC 60268-16 calls 0.45 to 0.60 fair. 31 % of the sound arrives "
           "within 50 ms (D50 0.31 at 500 and 1000 Hz, mean of 3 places)."));
    cJSON_Delete(run);
}

/* A figure of the first `there` responses, at all octaves. */
static void set_octaves(cJSON *run, const char *name, double value, int there)
{
    cJSON *entry;
    int i = 0;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(run, "responses"))
    {
        const double four[4] = {value, value, value, value};
        cJSON_DeleteItemFromObject(entry, name);
        if (i++ < there)
            cJSON_AddItemToObject(entry, name, cJSON_CreateDoubleArray(four, 4));
    }
}

Test(report_words, reverberation_is_told_by_a_figure_that_half_of_the_places_have)
{
    static const struct {
        int t30, t20, edt; /* how many of three places have it */
        const char *words;
    } expected[] = {
        {2, 3, 3, "2.0 s (T30 at 500 and 1000 Hz, mean of 2 of 3 places)"},
        {1, 2, 3,
         "1.9 s (T20 at 500 and 1000 Hz, mean of 2 of 3 places; which uses less of the decay than T30)"},
        {0, 1, 3,
         "1.8 s (EDT at 500 and 1000 Hz, mean of 3 places; the early decay time, from the first 10 dB"},
        {0, 1, 1, "1.9 s (T20 at 500 and 1000 Hz, 1 of 3 places; which"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cJSON *run = make_run(0.6, 2, even, 0);
        set_octaves(run, "t30_s", 2.0, expected[i].t30);
        set_octaves(run, "t20_s", 1.9, expected[i].t20);
        set_octaves(run, "edt_s", 1.8, expected[i].edt);
        const struct report_finding *finding = find(run, "reverberation");
        cr_assert(finding != NULL && strstr(finding->sentence, expected[i].words) != NULL, "%s",
                  finding != NULL ? finding->sentence : "none");
        cJSON_Delete(run);
    }
}

Test(report_words, where_no_reverberation_can_be_told_the_reason_is)
{
    cJSON *run = make_run(0.6, 2, even, 0);
    set_octaves(run, "t30_s", 2.0, 0);
    cr_assert(find(run, "reverberation") == NULL);
    cJSON_AddItemToObject(cJSON_GetArrayItem(cJSON_GetObjectItem(run, "responses"), 1), "why",
                          cJSON_Parse("[null, null, \"EDT, T20 and T30: it ends early; C80: noise\", null]"));
    cr_assert(
        eq(str, (char *)find(run, "reverberation")->sentence, "Reverberation, not known: it ends early."));
    cJSON_Delete(run);
}

Test(report_words, no_number_is_rounded_across_its_limit_or_to_nothing)
{
    static const struct {
        double value;
        int decimals;
        double low, high;
        int expected;
    } tries[] = {{0.496, 2, 0.5, INFINITY, 3},
                 {0.5, 2, 0.5, INFINITY, 2},
                 {0.49, 2, 0.5, INFINITY, 2},
                 {2.52, 1, 1.5, 2.5, 2},
                 {2.7, 1, 1.5, 2.5, 1},
                 {0.044, 1, 1.5, 2.5, 3},
                 {0.53, 1, 1.5, 2.5, 2},
                 {-1.02, 1, -1, 3, 2},
                 {0, 1, -1, 3, 1},
                 {12.26, 1, -INFINITY, INFINITY, 1}};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++)
        cr_assert(eq(int, report_decimals(tries[i].value, tries[i].decimals, tries[i].low, tries[i].high),
                     tries[i].expected),
                  "%g", tries[i].value);
    cJSON *run = make_run(0.496, 0.044, even, 0);
    cr_assert(strstr(find(run, "speech")->sentence,
                     "49.6 % of the sound arrives within 50 ms (D50 0.496 at") != NULL);
    cr_assert(strstr(find(run, "reverberation")->sentence, "stays for 0.044 s") != NULL);
    cJSON_Delete(run);
}

Test(report_words, reverberation_is_judged_by_the_target_for_churches)
{
    static const struct {
        double t30;
        enum report_verdict verdict;
        const char *words;
    } expected[] = {{1.1, VERDICT_POOR, "shorter than"},
                    {1.3, VERDICT_FAIR, "shorter than"},
                    {2.0, VERDICT_GOOD, "within"},
                    {2.9, VERDICT_FAIR, "longer than"},
                    {3.1, VERDICT_POOR, "longer than"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cJSON *run = make_run(0.6, expected[i].t30, even, 0);
        const struct report_finding *finding = find(run, "reverberation");
        cr_assert(finding != NULL && finding->verdict == expected[i].verdict, "%g", expected[i].t30);
        cr_assert(strstr(finding->sentence, expected[i].words) != NULL, "%s", finding->sentence);
        cJSON_Delete(run);
    }
}

/* A run up to 250 Hz: two octaves of each figure. */
static cJSON *make_low_run(void)
{
    cJSON *run = make_run(0.31, 9, even, 0), *response, *array;
    cJSON_ArrayForEach(response, record_at(run, "responses"))
        cJSON_ArrayForEach(array, response) while (cJSON_GetArraySize(array) > 2)
            cJSON_DeleteItemFromArray(array, 2);
    return run;
}

Test(report_words, a_run_below_middle_frequencies_is_described_and_not_judged)
{
    cJSON *run = make_low_run();
    const struct report_finding *finding = find(run, "speech");
    cr_assert(finding != NULL && finding->verdict == VERDICT_NOTE);
    cr_assert(
        eq(str, (char *)finding->sentence,
           "Speech from pulpit, not judged: 90 % of the sound arrives within 50 ms (D50 0.90 at 250 Hz, "
           "mean of 3 places)."));
    finding = find(run, "reverberation");
    cr_assert(finding != NULL && finding->verdict == VERDICT_NOTE);
    cr_assert(eq(str, (char *)finding->sentence,
                 "Reverberation, not judged: sound stays for 9.0 s (T30 at 250 Hz, mean of 3 places)."));
    finding = find(run, "evenness");
    cr_assert(finding != NULL && finding->verdict == VERDICT_NOTE);
    cr_assert(strstr(finding->sentence, "Evenness, not judged. From pulpit, ") == finding->sentence, "%s",
              finding->sentence);
    cJSON_Delete(run);
}

Test(report_words, evenness_counts_just_noticeable_differences_between_places)
{
    cJSON *run = make_run(0.6, 2, (const double[]){-3, 1, 4.5}, 0);
    const struct report_finding *finding = find(run, "evenness");
    cr_assert(finding != NULL && finding->verdict == VERDICT_POOR);
    cr_assert(strstr(finding->sentence, "clarity (C80 at 500 and 1000 Hz) is \xE2\x88\x92"
                                        "3.0 dB at seat0 and 4.5 dB at seat2: "
                                        "8 times the least difference that is heard.") != NULL,
              "%s", finding->sentence);
    cJSON_Delete(run);
}

/* A run of which only its account of energy is known: nothing is judged, and notes have room. */
static cJSON *make_account(double share)
{
    cJSON *run = make_run(0.3, 9, even, share);
    cJSON_DeleteItemFromObject(run, "responses");
    return run;
}

Test(report_words, a_surface_that_takes_a_quarter_of_the_sound_is_named)
{
    cJSON *run = make_account(0.41);
    const struct report_finding *finding = find(run, "surface");
    cr_assert(finding != NULL &&
              strstr(finding->sentence, "carpet absorbs 41 % of the sound with 10 % of the area") != NULL);
    cJSON_Delete(run);
    run = make_account(0.24);
    cr_assert(find(run, "surface") == NULL);
    cJSON_Delete(run);
}

Test(report_words, shares_of_surfaces_and_of_what_is_left_add_up_to_one)
{
    cJSON *run = make_account(0.41);
    /* The balance is off by 2 %, and an eighth is still in the room. */
    cJSON *energy = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(run, "runs"), 0), "energy");
    cJSON_ReplaceItemInObject(energy, "stored", cJSON_CreateDoubleArray((const double[]){1, 0.1275}, 2));
    cJSON *surface;
    cJSON_ArrayForEach(surface, cJSON_GetObjectItem(energy, "absorbed"))
    {
        const double share = strcmp(record_text(surface, "material"), "stone") == 0 ? 0.6375 : 0.06375;
        cJSON_ReplaceItemInObject(surface, "share", cJSON_CreateDoubleArray((const double[]){0, share}, 2));
    }
    const struct report_account *account = &made_of(run)->energy.item[0];
    cr_assert(eq(str, (char *)account->surfaces.item[0].material, "stone"), "the greatest first");
    cr_assert(test_near(account->surfaces.item[0].share, 0.625, 1e-12));
    cr_assert(test_near(account->surfaces.item[4].share, 0.0625, 1e-12));
    cr_assert(test_near(account->stored, 0.125, 1e-12));
    cr_assert(test_near(account->rest, -0.02, 1e-12));
    cr_assert(eq(
        str, (char *)find(run, "surface")->sentence,
        "The surface stone has absorbed 62 % of the sound so far, with 70 % of the area; 12 % was still in "
        "the room when the run ended."));
    cJSON_Delete(run);
}

Test(report_words, at_most_three_findings_the_worst_first_and_notes_where_room_is_left)
{
    static const char *const expected[] = {"reverberation", "speech", "evenness"}; /* no surface, a note */
    cJSON *run = make_run(0.6, 9, even, 0.41);
    set_octaves(run, "slope_late_s", 4, 1);
    const struct report_run *made = made_of(run);
    cr_assert(eq(sz, made->findings.count, 3));
    for (size_t i = 0; i < 3; i++)
        cr_assert(eq(str, (char *)made->findings.item[i].key, (char *)expected[i]));
    cJSON_Delete(run);
    run = cJSON_Parse("{\"responses\": []}");
    cr_assert(eq(sz, made_of(run)->findings.count, 0));
    cJSON_Delete(run);
}

/* ---- targets ---- */

Test(report_words, every_target_has_a_source_and_holds_where_it_says)
{
    double low, high;
    for (size_t i = 0; i < report_target_count; i++) {
        const struct report_target *target = &report_target[i];
        cr_assert(target->title[0] != '\0' && strchr(target->link, '.') != NULL &&
                  strstr(target->link, "//") == NULL);
        cr_assert(report_target_limits(target, fmax(target->volume_low, 1), &low, &high) && low <= high);
        cr_assert(not(report_target_limits(target, NAN, &low, &high)));
    }
    const struct report_target *speech = report_target_find(FIGURE_T30, "speech", 1000);
    cr_assert(speech != NULL && report_target_limits(speech, 1000, &low, &high));
    cr_assert(test_near(low, 0.97, 1e-12) && test_near(high, 0.97, 1e-12)); /* 0.37 x 3 - 0.14 */
    cr_assert(report_target_find(FIGURE_T30, "speech", 5001) == NULL);
}

/* What a run has for a target; NULL where that does not hold. */
static const struct report_aim *find_target(const struct report_run *run, enum figure figure, const char *use)
{
    for (size_t i = 0; i < run->targets.count; i++)
        if (run->targets.item[i].target->figure == figure &&
            strcmp(run->targets.item[i].target->use, use) == 0)
            return &run->targets.item[i];
    return NULL;
}

Test(report_words, targets_say_where_of_how_many_and_whether_they_are_met)
{
    cJSON *record = make_run(0.496, 2.5, even, 0);
    const struct report_run *run = made_of(record);
    const struct report_aim *aim = find_target(run, FIGURE_D50, "speech");
    cr_assert(run->targets_why == NULL);
    cr_assert(eq(str, (char *)aim->verdict, "not met"));
    cr_assert(eq(str, (char *)aim->octaves, "500 and 1000 Hz"));
    cr_assert(eq(str, (char *)aim->count, "mean of 3 places"));
    cr_assert(eq(str, (char *)find_target(run, FIGURE_T30, "worship")->verdict, "met"));
    cr_assert(eq(str, (char *)find_target(run, FIGURE_T30, "speech")->verdict, "not met"));
    cJSON_Delete(record);
    record = make_run(0.5, 1.2, even, 0);
    set_octaves(record, "t30_s", 9, 0);
    set_octaves(record, "edt_s", 1.2, 2);
    set_octaves(record, "c80_db", 0, 0);
    cJSON_AddItemToObject(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "responses"), 0), "why",
                          cJSON_Parse("[null, null, \"T30: too short; C50, C80 and D50: it ends\", null]"));
    run = made_of(record);
    cr_assert(eq(str, (char *)find_target(run, FIGURE_D50, "speech")->verdict, "not met"), "aim above");
    aim = find_target(run, FIGURE_T30, "speech"); /* about 1.08 s at 2000 m3 */
    cr_assert(eq(int, aim->found, FIGURE_EDT));
    cr_assert(eq(str, (char *)aim->count, "mean of 2 of 3 places"));
    cr_assert(eq(str, (char *)aim->verdict, "met"));
    aim = find_target(run, FIGURE_C80, "music");
    cr_assert(eq(str, (char *)aim->verdict, "not known"));
    cr_assert(eq(str, (char *)aim->why, "it ends"));
    cJSON_Delete(record);
}

Test(report_words, a_run_that_ends_too_low_says_once_which_run_would_do)
{
    cJSON *record = make_low_run();
    cJSON_AddNumberToObject(record, "fmax_hz", 355);
    const struct report_run *run = made_of(record);
    cr_assert(eq(str, run->targets_why,
                 "Not judged: this simulation ends at 355 Hz, and rooms are judged at 500 and 1000 Hz. A run "
                 "up to 1420 Hz reaches them."));
    for (size_t i = 0; i < run->targets.count; i++)
        cr_assert(run->targets.item[i].why[0] == '\0' && isnan(run->targets.item[i].value));
    cJSON_Delete(record);
}

Test(report_words, no_target_says_a_word_twice)
{
    for (size_t i = 0; i < report_target_count; i++) {
        char text[200], *rest = NULL;
        const char *seen[40];
        size_t count = 0;
        snprintf(text, sizeof text, "%s", report_target[i].words);
        for (char *word = strtok_r(text, " ,;:()", &rest); word != NULL;
             word = strtok_r(NULL, " ,;:()", &rest)) {
            for (size_t k = 0; strlen(word) > 4 && k < count; k++)
                cr_assert(strcmp(seen[k], word) != 0, "%s: %s", report_target[i].words, word);
            seen[count++] = word;
        }
    }
}

/* ---- differences ---- */

Test(report_words, differences_are_second_less_first_over_the_noticeable_one)
{
    cJSON *a =
        cJSON_Parse("{\"fmax_hz\": 360, \"responses\": [{\"source\": \"s\", \"receiver\": \"r\", "
                    "\"octaves_hz\": [125.9, 251.2], "
                    "\"t30_s\": [2, null], \"c80_db\": [1, 2]}, {\"source\": \"s\", \"receiver\": \"x\", "
                    "\"octaves_hz\": [125.9, 251.2], \"t30_s\": [9, 9], \"c80_db\": [9, 9]}]}");
    cJSON *b = cJSON_Parse("{\"fmax_hz\": 360, \"responses\": [{\"source\": \"s\", \"receiver\": \"r\", "
                           "\"octaves_hz\": [63.1, 125.9, 251.2], "
                           "\"t30_s\": [7, 2.3, 2.2], \"c80_db\": [7, 0.5, 4.5]}]}");
    struct run_comparison comparison = {0};
    struct run_folder first = {.name = (char[]){"a"}}, second = {.name = (char[]){"b"}};
    cr_assert(json_read(&run_model_table, a, &first.model) && json_read(&run_model_table, b, &second.model));
    MUST(run_compare(&first, &second, &comparison, &failure));
    cJSON *found = run_comparison_json(&comparison);
    cr_assert(eq(dbl, record_number(found, "matched"), 1));
    cr_assert(eq(dbl, record_number(found, "octaves_hz.0"), 125));
    cr_assert(eq(dbl, record_number(found, "octaves_hz.1"), 250));
    cr_assert(eq(str, (char *)record_text(found, "figures.0.name"), "t30_s"));
    cr_assert(test_near(record_number(found, "figures.0.jnds.0"), 3, 1e-9)); /* 0.3 s over 5 % of 2 s */
    cr_assert(isnan(record_number(found, "figures.0.jnds.1")));
    cr_assert(test_near(record_number(found, "figures.1.difference.1"), 2.5, 1e-9));
    cr_assert(test_near(record_number(found, "figures.1.jnds.0"), -0.5, 1e-9));
    cr_assert(eq(str, (char *)record_text(found, "largest.word"), "T30"));
    cJSON_Delete(found);
    run_comparison_free(&comparison);
    run_model_free(&first.model);
    run_model_free(&second.model);
    cJSON_Delete(a);
    cJSON_Delete(b);
}

/* ---- pitches and numbers ---- */

Test(report_words, pitches_are_those_of_a_piano)
{
    static const struct {
        double frequency;
        const char *words;
    } expected[] = {
        {440, "A4, one octave above middle C"},   {261.6, "C4, near middle C"},
        {523.3, "C5, one octave above middle C"}, {1420, "F6, two octaves and a half above middle C"},
        {65.4, "C2, two octaves below middle C"}, {355, "F4, half an octave above middle C"}};
    char text[PITCH_NAME_MAX];
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_assert(eq(str, (char *)pitch_name(expected[i].frequency, text), (char *)expected[i].words));
}

Test(report_words, numbers_say_where_they_come_from)
{
    static const struct {
        double value;
        int decimals;
        double scale;
        const char *expected;
    } tries[] = {
        {7839.8, -3, 1, "<data data-key=\"a.0\" value=\"7839.8000000000002\">7840</data>"},
        {-0.04, 1, 1, "<data data-key=\"a.0\" value=\"-0.040000000000000001\">0.0</data>"},
        {-0.04, 2, 1,
         "<data data-key=\"a.0\" value=\"-0.040000000000000001\">\xE2\x88\x92"
         "0.04</data>"},
        {0.0784321, -3, 100,
         "<data data-key=\"a.0\" value=\"0.078432100000000005\" data-scale=\"100\">7.84</data>"},
        {NAN, 1, 1, "<span class=\"absent\" data-key=\"a.0\">\xE2\x80\x93</span>"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *page = open_memstream(&text, &size);
        html_number(page, tries[i].value, tries[i].decimals, tries[i].scale, "a.%d", 0);
        fclose(page);
        cr_assert(eq(str, text, (char *)tries[i].expected));
        free(text);
    }
}

Test(report_words, text_is_never_markup)
{
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    html_text(page, "<b> & \"it's\" \x01\xFF\xC3\xA9");
    fclose(page);
    cr_assert(eq(str, text, "&lt;b&gt; &amp; &quot;it&#39;s&quot; ??\xC3\xA9"));
    free(text);
}

Test(report_words, a_number_and_its_unit_stand_on_one_line)
{
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    html_text(page, "5 % in 2 s, (3 dB) at 4 sources of 7 mice, 6 m\xC2\xB2 or 1.5 kHz; T30 s, 8 m");
    fclose(page);
    cr_assert(
        eq(str, text,
           "5&nbsp;% in 2&nbsp;s, (3&nbsp;dB) at 4 sources of 7 mice, 6&nbsp;m\xC2\xB2 or 1.5&nbsp;kHz; "
           "T30&nbsp;s, 8&nbsp;m"));
    free(text);
}
