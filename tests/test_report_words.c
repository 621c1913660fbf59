/* What a report says in words: findings by rule, targets, differences to the ear, pitches, numbers. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/html.h"
#include "src/pitch_name.h"
#include "src/report_findings.h"
#include "src/report_targets.h"
#include "src/run_compare.h"
#include "src/run_folder.h"
#include "tests/test_support.h"

/* ---- findings ---- */

#define OCTAVES "\"octaves_hz\": [125.9, 251.2, 501.2, 1000]"

/* Three receivers of one source; figures by octave, the same for all but where a value is given. */
static cJSON *make_run(double d50, double t30, const double c80[3], double share)
{
    char text[3000];
    int used = snprintf(
        text, sizeof text,
        "{\"run\": {\"air_volume_m3\": 2000, \"sources\": [{\"name\": \"pulpit\"}], \"runs\": "
        "[{\"energy\": {\"absorbed\": [{\"material\": \"carpet\", \"area_m2\": 10, \"share\": [0, %g]}, "
        "{\"material\": \"stone\", \"area_m2\": 90, \"share\": [0, %g]}]}}]}, \"responses\": [",
        share, 0.2 * (1 - share));
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

/* The finding of one rule, or NULL. */
static const struct report_finding *find(const cJSON *run, const char *key)
{
    static struct report_finding found[REPORT_FINDINGS];
    const size_t count = report_findings_make(run, found);
    for (size_t i = 0; i < count; i++)
        if (strcmp(found[i].key, key) == 0)
            return &found[i];
    return NULL;
}

static const double even[3] = {1, 1, 1};

Test(report_words, speech_is_judged_by_d50_at_middle_frequencies)
{
    static const struct {
        double d50;
        enum report_verdict verdict;
    } expected[] = {{0.31, VERDICT_POOR},
                    {0.39, VERDICT_POOR},
                    {0.41, VERDICT_FAIR},
                    {0.49, VERDICT_FAIR},
                    {0.51, VERDICT_GOOD}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cJSON *run = make_run(expected[i].d50, 2, even, 0);
        const struct report_finding *finding = find(run, "speech");
        cr_assert(finding != NULL && finding->verdict == expected[i].verdict, "%g", expected[i].d50);
        cJSON_Delete(run);
    }
    cJSON *run = make_run(0.31, 2, even, 0);
    cr_assert(eq(str, (char *)find(run, "speech")->sentence,
                 "Speech from pulpit: poor. 31 % of the sound comes within 50 ms (D50 0.31 at 500 and 1000 "
                 "Hz, mean of 3 "
                 "places); aim above 0.5."));
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
    cr_assert(eq(str, (char *)finding->sentence,
                 "Speech from pulpit: not to be judged by this run, which does not show 500 and 1000 Hz. At "
                 "250 Hz, 90 % of the sound comes within 50 ms (D50 0.90, mean of 3 places); at middle "
                 "frequencies aim above 0.5."));
    finding = find(run, "reverberation");
    cr_assert(finding != NULL && finding->verdict == VERDICT_NOTE);
    cr_assert(
        eq(str, (char *)finding->sentence,
           "Reverberation: not to be judged by this run, which does not show 500 and 1000 Hz. At 250 Hz, "
           "sound stays for 9.0 s (T30); at middle frequencies 1.5 to 2.5 s are recommended for "
           "churches."));
    cJSON_Delete(run);
}

Test(report_words, evenness_counts_just_noticeable_differences_between_places)
{
    cJSON *run = make_run(0.6, 2, (const double[]){-3, 1, 4.5}, 0);
    const struct report_finding *finding = find(run, "evenness");
    cr_assert(finding != NULL && finding->verdict == VERDICT_POOR);
    cr_assert(strstr(finding->sentence,
                     "C80 (500 and 1000 Hz) is -3.0 dB at seat0 and 4.5 dB at seat2, 8 times") != NULL,
              "%s", finding->sentence);
    cJSON_Delete(run);
}

Test(report_words, a_surface_that_takes_a_quarter_of_the_sound_is_named)
{
    cJSON *run = make_run(0.3, 9, even, 0.41);
    const struct report_finding *finding = find(run, "surface");
    cr_assert(finding != NULL &&
              strstr(finding->sentence, "carpet takes 41 % of the sound with 10 % of the area") != NULL);
    cJSON_Delete(run);
    run = make_run(0.3, 9, even, 0.24);
    cr_assert(find(run, "surface") == NULL);
    cJSON_Delete(run);
}

Test(report_words, at_most_three_findings_and_the_worst_first)
{
    struct report_finding found[REPORT_FINDINGS];
    cJSON *run = make_run(0.6, 9, even, 0.41);
    cr_assert(eq(sz, report_findings_make(run, found), 3));
    cr_assert(eq(str, (char *)found[0].key, "reverberation"));
    cr_assert(eq(str, (char *)found[1].key, "surface"));
    cr_assert(eq(str, (char *)found[2].key, "speech"));
    cJSON_Delete(run);
    run = cJSON_Parse("{\"run\": {}, \"responses\": []}");
    cr_assert(eq(sz, report_findings_make(run, found), 0));
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
    const struct report_target *speech = report_target_find("t30_s", "speech", 1000);
    cr_assert(speech != NULL && report_target_limits(speech, 1000, &low, &high));
    cr_assert(test_near(low, 0.97, 1e-12) && test_near(high, 0.97, 1e-12)); /* 0.37 x 3 - 0.14 */
    cr_assert(report_target_find("t30_s", "speech", 5001) == NULL);
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
    struct failure failure = {0};
    const struct run_folder first = {.name = (char[]){"a"}, .record = a},
                            second = {.name = (char[]){"b"}, .record = b};
    cr_assert(run_compare(&first, &second, &comparison, &failure) == 0, "%s", failure.sentence);
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

/* What is written, owned by the caller. */
static char *written(const cJSON *root, int decimals, double scale, const char *key)
{
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    html_number(page, root, decimals, scale, "%s", key);
    fclose(page);
    return text;
}

Test(report_words, numbers_say_where_they_come_from)
{
    cJSON *root = cJSON_Parse("{\"a\": [7839.8, -0.04, null], \"b\": 0.0784321}");
    static const struct {
        const char *key;
        int decimals;
        double scale;
        const char *expected;
    } tries[] = {
        {"a.0", -3, 1, "<data data-key=\"a.0\" value=\"7839.8000000000002\">7840</data>"},
        {"a.1", 1, 1, "<data data-key=\"a.1\" value=\"-0.040000000000000001\">0.0</data>"},
        {"a.1", 2, 1,
         "<data data-key=\"a.1\" value=\"-0.040000000000000001\">\xE2\x88\x92"
         "0.04</data>"},
        {"b", -3, 100, "<data data-key=\"b\" value=\"0.078432100000000005\" data-scale=\"100\">7.84</data>"},
        {"a.2", 1, 1, "<span class=\"absent\" data-key=\"a.2\">\xE2\x80\x93</span>"},
        {"c.d", 1, 1, "<span class=\"absent\" data-key=\"c.d\">\xE2\x80\x93</span>"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        char *text = written(root, tries[i].decimals, tries[i].scale, tries[i].key);
        cr_assert(eq(str, text, (char *)tries[i].expected));
        free(text);
    }
    cJSON_Delete(root);
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
