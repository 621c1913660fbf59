/* The words of a report: findings by rule, targets, pitches, numbers. */
#include "src/base/pitch_name.h"
#include "src/draw/html.h"
#include "src/run_folder/run_folder.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_findings.h"
#include "src/present/report/report_shares.h"
#include "src/present/report/report_speech.h"
#include "src/present/report/report_targets.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"

/* ---- findings ---- */

#define OCTAVES "\"octaves_hz\": [125.9, 251.2, 501.2, 1000]"

/* The run.json of a test; stays until the next is made. */
static cJSON *record;

static void parse(const char *text)
{
    cJSON_Delete(record);
    record = cJSON_Parse(text);
    cr_assert(record != NULL, "%s", text);
}

static struct run_model model;
static struct report_run made;

static void free_all(void)
{
    cJSON_Delete(record);
    report_run_free(&made);
    run_model_free(&model);
}

TestSuite(report_words, .fini = free_all);

/* A run.json of three receivers of one source; figures by octave, the same for all but where a value is
 * given. */
static void make_run(double d50, double t30, const double c80[3], double share)
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
    parse(text);
}

/* What a report has of it, in `made`. */
static void make_report(void)
{
    report_run_free(&made);
    run_model_free(&model);
    cr_assert(json_read(&run_model_table, record, &model));
    cr_assert(report_run_make(&made, &model, "run"));
    MUST(report_shares_add(&made, &failure));
    MUST(report_targets_add(&made, &failure));
    MUST(report_findings_add(&made, &failure));
}

/* The finding of one rule, or NULL. */
static const struct report_finding *find(const char *key)
{
    make_report();
    for (size_t i = 0; i < made.findings.count; i++)
        if (strcmp(made.findings.item[i].key, key) == 0)
            return &made.findings.item[i];
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
        make_run(expected[i].d50, 2, even, 0);
        const struct report_finding *finding = find("speech");
        cr_assert(finding != NULL && finding->verdict == expected[i].verdict, "%g", expected[i].d50);
    }
    make_run(0.31, 2, even, 0);
    cr_assert(eq(str, (char *)find("speech")->sentence,
                 "Speech from pulpit: poor. 31 % of the sound arrives within 50 ms (definition D50 0.31 at "
                 "500 and 1000 Hz, mean of 3 places); aim above 0.5."));
}

/* 99 bytes and a letter of two. */
Test(report_words, a_long_name_is_cut_between_its_letters)
{
    char name[110];
    memset(name, 'p', 99);
    snprintf(name + 99, sizeof name - 99, "\xC3\xA9\xC3\xA9");
    make_run(0.6, 2, (const double[3]){1, 4, 9}, 0);
    cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "responses"))
    {
        cJSON_ReplaceItemInObject(entry, "source", cJSON_CreateString(name));
        char receiver[400];
        memset(receiver, 'r', 200);
        snprintf(receiver + 200, sizeof receiver - 200, "%s", name);
        cJSON_ReplaceItemInObject(entry, "receiver", cJSON_CreateString(receiver));
    }
    cJSON_ReplaceItemInObject(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "sources"), 0), "name",
                              cJSON_CreateString(name));
    const struct report_finding *finding = find("speech");
    cr_assert(finding != NULL && strstr(finding->sentence, "ppp: good") != NULL, "%s",
              finding != NULL ? finding->sentence : "none");
    finding = find("evenness");
    cr_assert(finding != NULL && strstr(finding->sentence, "ppp, clarity (C80 at ") != NULL &&
                  strstr(finding->sentence, "times the smallest that listeners notice.") != NULL,
              "%s", finding != NULL ? finding->sentence : "none");
}

/* Give every response but the last `without` a number in place of what it has. */
static void set_all(const char *name, double value, int without)
{
    cJSON *responses = cJSON_GetObjectItem(record, "responses");
    const int count = cJSON_GetArraySize(responses);
    for (int i = 0; i < count; i++) {
        cJSON *entry = cJSON_GetArrayItem(responses, i);
        cJSON_DeleteItemFromObject(entry, name);
        cJSON_AddItemToObject(entry, name,
                              i < count - without ? cJSON_CreateNumber(value) : cJSON_CreateNull());
    }
}

Test(report_words, speech_is_judged_by_sti_where_the_run_has_it)
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
        make_run(0.31, 2, even, 0); /* D50 alone would be poor */
        set_all("sti", expected[i].sti, 0);
        const struct report_finding *finding = find("speech");
        cr_assert(finding != NULL && finding->verdict == expected[i].verdict, "%g", expected[i].sti);
        cr_assert(strncmp(finding->sentence, expected[i].lead, strlen(expected[i].lead)) == 0, "%s",
                  finding->sentence);
        cr_assert(strstr(finding->sentence, expected[i].called) != NULL, "%s", finding->sentence);
    }
    make_run(0.31, 2, even, 0); /* from rays: 0.54 to 0.62 */
    set_all("sti", 0.58, 0);
    set_all("sti_error", 0.04, 0);
    const struct report_finding *open = find("speech");
    cr_assert(open != NULL && open->verdict == VERDICT_UNSURE);
    cr_assert(strstr(open->sentence,
                     "pulpit: fair or good. The speech transmission index (STI) is 0.58 \xC2\xB1 "
                     "0.04 (") != NULL &&
                  strstr(open->sentence, "calls 0.45 to 0.60 fair and 0.60 to 0.75 good.") != NULL,
              "%s", open->sentence);
    set_all("sti_error", 0.01, 0);
    open = find("speech");
    cr_assert(open != NULL && open->verdict == VERDICT_FAIR);
    make_run(0.31, 2, even, 0);
    set_all("sti", 0.52, 1);
    cr_assert(
        eq(str, (char *)find("speech")->sentence,
           "Speech from pulpit: fair. The speech transmission index (STI) is 0.52 (mean of 2 of 3 places, "
           "without background noise); IEC 60268-16 calls 0.45 to 0.60 fair. 31 % of the sound arrives "
           "within 50 ms (definition D50 0.31 at 500 and 1000 Hz, mean of 3 places)."));
}

/* A figure of the first `there` responses, at all octaves. */
static void set_octaves(const char *name, double value, int there)
{
    cJSON *entry;
    int i = 0;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "responses"))
    {
        const double four[4] = {value, value, value, value};
        cJSON_DeleteItemFromObject(entry, name);
        if (i++ < there)
            cJSON_AddItemToObject(entry, name, cJSON_CreateDoubleArray(four, 4));
    }
}

Test(report_words, reverberation_is_given_by_a_figure_that_half_of_the_places_have)
{
    static const struct {
        int t30, t20, edt; /* how many of three places have it */
        const char *words;
    } expected[] = {{2, 3, 3, "2.0 s (reverberation time T30 at 500 and 1000 Hz, mean of 2 of 3 places)"},
                    {1, 2, 3,
                     "1.9 s (reverberation time T20 at 500 and 1000 Hz, mean of 2 of 3 places; which uses "
                     "less of the decay than T30)"},
                    {0, 1, 3,
                     "1.8 s (early decay time EDT at 500 and 1000 Hz, mean of 3 places; the early decay "
                     "time, from the first 10 dB"},
                    {0, 1, 1, "1.9 s (reverberation time T20 at 500 and 1000 Hz, 1 of 3 places; which"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        make_run(0.6, 2, even, 0);
        set_octaves("t30_s", 2.0, expected[i].t30);
        set_octaves("t20_s", 1.9, expected[i].t20);
        set_octaves("edt_s", 1.8, expected[i].edt);
        const struct report_finding *finding = find("reverberation");
        cr_assert(finding != NULL && strstr(finding->sentence, expected[i].words) != NULL, "%s",
                  finding != NULL ? finding->sentence : "none");
    }
}

Test(report_words, where_reverberation_is_not_known_the_reason_is_given)
{
    make_run(0.6, 2, even, 0);
    set_octaves("t30_s", 2.0, 0);
    cr_assert(find("reverberation") == NULL);
    cJSON_AddItemToObject(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "responses"), 1), "why",
                          cJSON_Parse("[null, null, \"EDT, T20 and T30: it ends early; C80: noise\", null]"));
    cr_assert(eq(str, (char *)find("reverberation")->sentence, "Reverberation, not known: it ends early."));
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
    make_run(0.496, 0.044, even, 0);
    cr_assert(strstr(find("speech")->sentence,
                     "49.6 % of the sound arrives within 50 ms (definition D50 0.496 at") != NULL);
    cr_assert(strstr(find("reverberation")->sentence, "stays for 0.044 s") != NULL);
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
        make_run(0.6, expected[i].t30, even, 0);
        const struct report_finding *finding = find("reverberation");
        cr_assert(finding != NULL && finding->verdict == expected[i].verdict, "%g", expected[i].t30);
        cr_assert(strstr(finding->sentence, expected[i].words) != NULL, "%s", finding->sentence);
    }
}

/* A run up to 250 Hz: two octaves of each figure. */
static void make_low_run(void)
{
    make_run(0.31, 9, even, 0);
    cJSON *response, *array;
    cJSON_ArrayForEach(response, record_at(record, "responses"))
        cJSON_ArrayForEach(array, response) while (cJSON_GetArraySize(array) > 2)
            cJSON_DeleteItemFromArray(array, 2);
}

Test(report_words, a_run_below_middle_frequencies_is_described_and_not_judged)
{
    make_low_run();
    const struct report_finding *finding = find("speech");
    cr_assert(finding != NULL && finding->verdict == VERDICT_NOTE);
    cr_assert(eq(str, (char *)finding->sentence,
                 "Speech from pulpit, not judged: 90 % of the sound arrives within 50 ms (definition D50 "
                 "0.90 at 250 Hz, "
                 "mean of 3 places)."));
    finding = find("reverberation");
    cr_assert(finding != NULL && finding->verdict == VERDICT_NOTE);
    cr_assert(eq(str, (char *)finding->sentence,
                 "Reverberation, not judged: sound stays for 9.0 s (reverberation time T30 at 250 Hz, mean "
                 "of 3 places)."));
    finding = find("evenness");
    cr_assert(finding != NULL && finding->verdict == VERDICT_NOTE);
    cr_assert(strstr(finding->sentence, "Evenness, not judged. From pulpit, ") == finding->sentence, "%s",
              finding->sentence);
}

Test(report_words, evenness_counts_just_noticeable_differences_between_places)
{
    make_run(0.6, 2, (const double[]){-3, 1, 4.5}, 0);
    const struct report_finding *finding = find("evenness");
    cr_assert(finding != NULL && finding->verdict == VERDICT_POOR);
    cr_assert(strstr(finding->sentence, "clarity (C80 at 500 and 1000 Hz) is \xE2\x88\x92"
                                        "3.0 dB at seat0 and 4.5 dB at seat2. This difference "
                                        "is 8 times the smallest that listeners notice.") != NULL,
              "%s", finding->sentence);
}

/* A run of which only its account of energy is known: nothing is judged, and notes have room. */
static void make_account(double share)
{
    make_run(0.3, 9, even, share);
    cJSON_DeleteItemFromObject(record, "responses");
}

Test(report_words, a_surface_that_takes_a_quarter_of_the_sound_is_named)
{
    make_account(0.41);
    const struct report_finding *finding = find("surface");
    cr_assert(finding != NULL &&
              strstr(finding->sentence, "carpet absorbs 41 % of the sound with 10 % of the area") != NULL);
    make_account(0.24);
    cr_assert(find("surface") == NULL);
}

Test(report_words, shares_of_surfaces_and_of_what_is_left_add_up_to_one)
{
    make_account(0.41);
    /* The balance is off by 2 %, and an eighth is still in the room. */
    cJSON *energy = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "runs"), 0), "energy");
    cJSON_ReplaceItemInObject(energy, "stored", cJSON_CreateDoubleArray((const double[]){1, 0.1275}, 2));
    cJSON *surface;
    cJSON_ArrayForEach(surface, cJSON_GetObjectItem(energy, "absorbed"))
    {
        const double share = strcmp(record_text(surface, "material"), "stone") == 0 ? 0.6375 : 0.06375;
        cJSON_ReplaceItemInObject(surface, "share", cJSON_CreateDoubleArray((const double[]){0, share}, 2));
    }
    make_report();
    const struct report_account *account = &made.energy.item[0];
    cr_assert(eq(str, (char *)account->surfaces.item[0].material, "stone"), "the greatest first");
    cr_assert(test_near(account->surfaces.item[0].share, 0.625, 1e-12));
    cr_assert(test_near(account->surfaces.item[4].share, 0.0625, 1e-12));
    cr_assert(test_near(account->stored, 0.125, 1e-12));
    cr_assert(test_near(account->rest, -0.02, 1e-12));
    cr_assert(eq(
        str, (char *)find("surface")->sentence,
        "The surface stone has absorbed 62 % of the sound so far, with 70 % of the area; 12 % was still in "
        "the room when the run ended."));
}

Test(report_words, at_most_three_findings_the_worst_first_and_notes_where_room_is_left)
{
    static const char *const expected[] = {"reverberation", "speech", "evenness"}; /* no surface, a note */
    make_run(0.6, 9, even, 0.41);
    set_octaves("slope_late_s", 4, 1);
    make_report();
    cr_assert(eq(sz, made.findings.count, 3));
    for (size_t i = 0; i < 3; i++)
        cr_assert(eq(str, (char *)made.findings.item[i].key, (char *)expected[i]));
    parse("{\"responses\": []}");
    make_report();
    cr_assert(eq(sz, made.findings.count, 0));
}

/* ---- targets ---- */

Test(report_words, every_target_has_a_source_and_holds_where_it_says)
{
    double low, high;
    for (size_t i = 0; i < report_target_count; i++) {
        const struct report_target *target = &report_target[i];
        cr_assert(target->title[0] != '\0');
        cr_assert(target->link == NULL
                      ? strstr(target->title, "not read") != NULL
                      : strchr(target->link, '.') != NULL && strstr(target->link, "//") == NULL);
        cr_assert(report_target_limits(target, fmax(target->volume_low, 1), &low, &high) && low <= high);
        cr_assert(not(report_target_limits(target, NAN, &low, &high)));
    }
    const struct report_target *speech = report_target_find(FIGURE_T30, "speech", 1000);
    cr_assert(speech != NULL && report_target_limits(speech, 1000, &low, &high));
    cr_assert(test_near(low, 0.97, 1e-12) && test_near(high, 0.97, 1e-12)); /* 0.37 x 3 - 0.14 */
    cr_assert(report_target_find(FIGURE_T30, "speech", 5001) == NULL);
}

Test(report_words, a_chapel_should_be_less_reverberant_than_a_church)
{
    static const struct {
        const char *use;
        double volume, low, high;
    } expected[] = {{"worship", 500, 1.28, 1.28}, /* 0.45 lg V + 0.07 */
                    {"worship", 8000, 1.5, 2.5},    {"concerts", 500, 1.28, 1.28},
                    {"concerts", 8000, 1.65, 1.65}, /* 0.5 lg V - 0.3 */
                    {"concerts", 20000, 1.8, 2.2},  {"organ", 8000, 1.5, 3.0},
                    {"choir", 1000, 1.36, 1.36}, /* 6 (0.012 V^(1/3) + 0.107) */
                    {"choir", 8000, 2.08, 2.08}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double low, high;
        const struct report_target *target =
            report_target_find(FIGURE_T30, expected[i].use, expected[i].volume);
        cr_assert(target != NULL && report_target_limits(target, expected[i].volume, &low, &high));
        cr_assert(test_near(low, expected[i].low, 1e-9) && test_near(high, expected[i].high, 1e-9), "%g, %g",
                  low, high);
    }
}

/* What a run has for a target; NULL where that does not hold. */
static const struct report_aim *find_target(enum figure figure, const char *use)
{
    for (size_t i = 0; i < made.targets.count; i++)
        if (made.targets.item[i].target->figure == figure &&
            strcmp(made.targets.item[i].target->use, use) == 0)
            return &made.targets.item[i];
    return NULL;
}

Test(report_words, targets_say_where_of_how_many_and_whether_they_are_met)
{
    make_run(0.496, 2.5, even, 0);
    make_report();
    const struct report_aim *aim = find_target(FIGURE_D50, "speech");
    cr_assert(made.targets_why == NULL);
    cr_assert(eq(str, (char *)aim->verdict, "not met"));
    cr_assert(eq(str, (char *)aim->octaves, "500 and 1000 Hz"));
    cr_assert(eq(str, (char *)aim->count, "mean of 3 places"));
    cr_assert(eq(str, (char *)find_target(FIGURE_T30, "worship")->verdict, "met"));
    cr_assert(eq(str, (char *)find_target(FIGURE_T30, "speech")->verdict, "not met"));
    make_run(0.5, 1.2, even, 0);
    set_octaves("t30_s", 9, 0);
    set_octaves("edt_s", 1.2, 2);
    set_octaves("c80_db", 0, 0);
    cJSON_AddItemToObject(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "responses"), 0), "why",
                          cJSON_Parse("[null, null, \"T30: too short; C50, C80 and D50: it ends\", null]"));
    make_report();
    cr_assert(eq(str, (char *)find_target(FIGURE_D50, "speech")->verdict, "not met"), "aim above");
    aim = find_target(FIGURE_T30, "speech"); /* about 1.08 s at 2000 m3 */
    cr_assert(eq(int, aim->found, FIGURE_EDT));
    cr_assert(eq(str, (char *)aim->count, "mean of 2 of 3 places"));
    cr_assert(eq(str, (char *)aim->verdict, "met"));
    aim = find_target(FIGURE_C80, "music");
    cr_assert(eq(str, (char *)aim->verdict, "not known"));
    cr_assert(eq(str, (char *)aim->why, "it ends"));
}

/* ---- pitches and numbers ---- */

Test(report_words, pitches_are_those_of_a_piano_and_between_two_keys_that_of_the_nearer)
{
    static const struct {
        double frequency;
        const char *words;
    } expected[] = {
        {440, "A4, one octave above middle C"},   {261.6, "C4, near middle C"},
        {523.3, "C5, one octave above middle C"}, {1420, "F6, two octaves and a half above middle C"},
        {65.4, "C2, two octaves below middle C"}, {355, "F4, half an octave above middle C"}};
    static const char *const name[12] = {"C",        "C sharp ", "D",       "E flat ", "E",       "F",
                                         "F sharp ", "G",        "A flat ", "A",       "B flat ", "B"};
    char text[PITCH_NAME_MAX], start[20];
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_assert(eq(str, (char *)pitch_name(expected[i].frequency, text), (char *)expected[i].words));
    for (int key = 21; key <= 108; key++)
        for (int off = -1; off <= 1; off++) {
            snprintf(start, sizeof start, "%s%d,", name[key % 12], key / 12 - 1);
            pitch_name(440 * pow(2, (key - 69 + 0.49 * off) / 12), text);
            cr_assert(strncmp(text, start, strlen(start)) == 0, "%s, not %s", text, start);
        }
}

static char *html;
static size_t html_size;

static FILE *begin_html(void)
{
    free(html);
    return open_memstream(&html, &html_size);
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
        FILE *page = begin_html();
        html_number(page, tries[i].value, tries[i].decimals, tries[i].scale, "a.%d", 0);
        fclose(page);
        cr_assert(eq(str, html, (char *)tries[i].expected));
    }
    free(html);
}

#define QUOTES "\" onevil=\"1\" ' onevil='1' --> ]]>"

Test(report_words, text_is_never_markup_and_a_number_keeps_its_unit_on_its_line)
{
    static const char *const tries[][2] = {
        {"<b> & \"it's\" \x01\xFF\xC3\xA9", "&lt;b&gt; &amp; &quot;it&#39;s&quot; ??\xC3\xA9"},
        {"5 % in 2 s, (3 dB) at 4 sources of 7 mice, 6 m\xC2\xB2 or 1.5 kHz; T30 s, 8 m",
         "5&nbsp;% in 2&nbsp;s, (3&nbsp;dB) at 4 sources of 7 mice, 6&nbsp;m\xC2\xB2 or 1.5&nbsp;kHz; "
         "T30&nbsp;s, 8&nbsp;m"},
        {"nave_front of a_b.obj, page_id=84", "nave front of a_b.obj, page_id=84"}};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        FILE *page = begin_html();
        html_text(page, tries[i][0]);
        fclose(page);
        cr_assert(eq(str, html, (char *)tries[i][1]));
    }
    FILE *page = begin_html();
    html_number(page, 1, 1, 1, "%s", QUOTES);
    html_string(page, NULL, "%s", QUOTES);
    html_count(page, 1, "%s<evil>", QUOTES);
    fclose(page);
    cr_assert(strstr(html, "\" onevil") == NULL && strstr(html, "<evil") == NULL, "%s", html);
    free(html);
}
