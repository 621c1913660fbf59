/** compare RUN RUN: differences in just noticeable differences, of records written by hand and of runs. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "geometry/base/name_text.h"
#include "src/present/compare/leak_change.h"
#include "src/present/compare/run_compare.h"
#include "src/present/compare/run_compare_json.h"
#include "src/present/compare/run_compare_print.h"
#include "src/present/compare/run_compare_words.h"
#include "src/run_folder/map_table_read.h"
#include "tests/support/program_run.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"

/* ---- records by hand ---- */

#define OCTAVES "\"octaves_hz\": [125.89254117941675, 251.18864315095797, 501.1872336272722]"
#define PLACES                                                                                               \
    "\"sources\": [{\"name\": \"pulpit\", \"position_m\": [1, 2, 1.5]}], \"receivers\": [{\"name\": "        \
    "\"front\", "                                                                                            \
    "\"position_m\": [3, 2, 1.2]}, {\"name\": \"back\", \"position_m\": [9, 2, 1.2]}]"
#define RECORD(rest) "{\"command\": \"simulate\", \"format\": 1, \"fmax_hz\": 710, " rest "}"
#define RESPONSE(receiver, figures)                                                                          \
    "{\"source\": \"pulpit\", \"receiver\": \"" receiver "\", " OCTAVES ", " figures "}"
#define TWO(front, back)                                                                                     \
    RECORD(PLACES ", \"responses\": [" RESPONSE("front", front) ", " RESPONSE("back", back) "]")
#define ONE(figures) RECORD(PLACES ", \"responses\": [" RESPONSE("front", figures) "]")

static void write_run(const char *name, const char *record)
{
    char path[80];
    cr_assert(eq(int, mkdir(name, 0777), 0));
    (void)snprintf(path, sizeof path, "%s/run.json", name);
    write_text(path, record);
}

static struct run_folder compared_folder[2];
static struct run_comparison compared;

static void read_compared(void)
{
    MUST(run_folder_read("a", &compared_folder[0], &failure));
    MUST(run_folder_read("b", &compared_folder[1], &failure));
    MUST(run_compare(&compared_folder[0], &compared_folder[1], &compared, &failure));
}

static void compare_records(const char *first, const char *second)
{
    write_run("a", first);
    write_run("b", second);
    read_compared();
}

static void leave(void)
{
    run_comparison_free(&compared);
    run_folder_free(&compared_folder[0]);
    run_folder_free(&compared_folder[1]);
    leave_folder();
}

TestSuite(run_compare, .init = enter_folder, .fini = leave);

/* An empty folder for the next line of a table. */
static void again(void)
{
    leave();
    enter_folder();
}

#define NEAR(value, expected)                                                                                \
    cr_assert(test_near(value, expected, 1e-9), "%.12g is not %.12g", value, expected)

static bool is_utf8(const char *text)
{
    char plain[NAME_TEXT_GROWTH * 600 + 1];
    name_text(text, plain);
    return strcmp(plain, text) == 0;
}

/* The change that says so, or NULL. */
static const struct run_change *change_with(const char *words)
{
    for (size_t i = 0; i < compared.changes; i++)
        if (strstr(compared.change[i].words, words) != NULL)
            return &compared.change[i];
    return NULL;
}

static const struct run_change *change_of(const char *words)
{
    const struct run_change *change = change_with(words);
    cr_assert(change != NULL, "no change has \"%s\"", words);
    return change;
}

/* The row of a figure in an octave, or (0) of its single number; one of no place where there is none. */
static const struct compared_row *row_in(const struct compared_rows *rows, enum figure figure, int octave)
{
    static const struct compared_row none = {.value = {NAN, NAN, NAN, NAN, NAN, NAN, {0, 0}}, .largest = NAN};
    for (size_t i = 0; i < rows->count; i++)
        if (rows->row[i].figure == figure && rows->row[i].octave == octave)
            return &rows->row[i];
    return &none;
}

static const struct compared_row *row_of(enum figure figure, int octave)
{
    return row_in(&compared.rows, figure, octave);
}

/* The item at `key` of the comparison as JSON. */
static void expect_json(const char *key, const char *expected)
{
    cJSON *object = test_keep(run_comparison_json(&compared));
    char *text = test_keep(cJSON_PrintUnformatted(record_at(object, key)));
    cr_assert(text != NULL && strcmp(text, expected) == 0, "%s: %s, not %s", key, text, expected);
}

/* ---- figures ---- */

/* The mean over two places carries the marks of both, and only times of a straight line do. */
Test(run_compare, marks_of_a_decay_go_with_its_times)
{
    compare_records(
        TWO("\"t30_s\": [1, 4.13, 2], \"c80_db\": [1, 1, 1], \"slope_early_s\": [null, 2.85, null], "
            "\"slope_late_s\": [null, 6.08, null]",
            "\"t30_s\": [1, 4.2, 2], \"c80_db\": [1, 1, 1], \"curvature_percent\": [0, 12, 0]"),
        TWO("\"t30_s\": [1, 3, 2], \"c80_db\": [1, 1, 1]",
            "\"t30_s\": [1, 3, 2], \"c80_db\": [1, 1, 1], \"nonlinearity_permille\": [0, 0, 11]"));
    expect_json("figures.0.first_marks", "[\"\",\"cd\",\"\"]");
    expect_json("figures.0.second_marks", "[\"\",\"\",\"u\"]");
    cJSON *object = test_keep(run_comparison_json(&compared));
    cr_assert(record_at(object, "figures.1.first_marks") == NULL);
    expect_json("pairs.0.octaves.t30_s.first_marks", "[\"\",\"d\",\"\"]");
    FILE *out = fopen("printed", "w");
    cr_assert(out != NULL);
    run_comparison_print(out, &compared);
    fclose(out);
    char *text = read_text("printed");
    cr_assert(strstr(text, " 4.17cd ") != NULL && strstr(text, " 2.00u") != NULL, "%s", text);
    cr_assert(strstr(text, "1.0cd") == NULL, "C80 is of no decay: %s", text);
}

Test(run_compare, every_figure_is_counted_in_its_own_just_noticeable_difference)
{
    static const struct {
        int figure;
        double first, second, jnds;
    } known[] = {
        {FIGURE_EDT, 2, 2.2, 2},           {FIGURE_T20, 2, 1.8, -2},
        {FIGURE_T30, 1.4, 1.1, -30.0 / 7}, {FIGURE_C50, -3, -1.5, 1.5},
        {FIGURE_C80, 2, -0.5, -2.5},       {FIGURE_D50, 0.3, 0.45, 3},
        {FIGURE_TS, 0.1, 0.08, -2},        {FIGURE_G, 12, 11.25, -0.75},
        {FIGURE_LF, 0.2, 0.3, 2},          {FIGURE_LFC, 0.4, 0.3, -2},
        {FIGURE_LJ, -5, -3, NAN},          {FIGURE_MTI, 0.5, 0.56, 2},
        {FIGURE_IACC_EARLY, 0.4, 0.55, 2}, {FIGURE_IACC_LATE, 0.3, 0.15, -2},
        {FIGURE_EDT_SHARE, 1, 0.9, NAN},   {FIGURE_C80_BARRON, 0, 1, NAN},
        {FIGURE_G_BARRON, 0, -1, NAN},
    };
    enum { FIGURES = sizeof known / sizeof known[0] };
    cr_assert(eq(int, FIGURES, OCTAVE_FIGURES));
    char text[2][1600];
    for (int run = 0; run < 2; run++) {
        int used = snprintf(text[run], sizeof text[run], "%s",
                            "{\"format\": 1, \"command\": \"simulate\", \"fmax_hz\": 710, \"responses\": "
                            "[{\"source\": \"s\", "
                            "\"receiver\": \"r\", " OCTAVES);
        for (int i = 0; i < FIGURES; i++)
            used +=
                snprintf(text[run] + used, sizeof text[run] - (size_t)used, ", \"%s\": [null, %.17g, null]",
                         figure_kind[known[i].figure].name, run == 0 ? known[i].first : known[i].second);
        (void)snprintf(text[run] + used, sizeof text[run] - (size_t)used, "}]}");
    }
    compare_records(text[0], text[1]);
    cr_assert(eq(sz, compared.octaves.count, 3));
    for (int i = 0; i < FIGURES; i++) {
        const enum figure figure = (enum figure)known[i].figure;
        const struct compared_value *value = &row_of(figure, 250)->value;
        NEAR(value->first, known[i].first);
        NEAR(value->difference, known[i].second - known[i].first);
        if (isnan(known[i].jnds))
            cr_assert(isnan(value->jnds));
        else
            NEAR(value->jnds, known[i].jnds);
        cr_assert(eq(sz, row_of(figure, 125)->places, 0));
        cr_assert(isnan(row_of(figure, 125)->value.difference));
        cr_assert(isnan(row_of(figure, 500)->value.jnds));
    }
}

Test(run_compare, means_are_over_the_places_that_both_runs_have)
{
    compare_records(TWO("\"t30_s\": [2, 1, null]", "\"t30_s\": [3, 4, 5]"),
                    TWO("\"t30_s\": [2.2, 1.3, 1]", "\"t30_s\": [2.4, null, 5]"));
    cr_assert(eq(sz, compared.pairs, 2));
    const struct compared_row *row = row_of(FIGURE_T30, 125);
    cr_assert(eq(sz, row->places, 2));
    NEAR(row->value.first, 2.5);
    NEAR(row->value.second, 2.3);
    NEAR(row->value.jnds, -0.2 / 0.125);
    NEAR(row->largest, -4); /* back: 3 s to 2.4 s; front: +2 */
    cr_assert(eq(sz, row->where, 1));
    cr_assert(eq(sz, row->noticed, 2));
    row = row_of(FIGURE_T30, 250);
    cr_assert(eq(sz, row->places, 1));
    NEAR(row->value.jnds, 6);
    row = row_of(FIGURE_T30, 500);
    cr_assert(eq(sz, row->places, 1));
    NEAR(row->value.jnds, 0);
}

Test(run_compare, octaves_belong_together_by_what_they_are_called)
{
    compare_records(ONE("\"c80_db\": [1, 2, 3]"),
                    "{\"format\": 1, \"command\": \"simulate\", \"fmax_hz\": 1420, \"responses\": "
                    "[{\"source\": \"pulpit\", "
                    "\"receiver\": \"front\", \"octaves_hz\": [500, 1000, 250], \"c80_db\": [13, 14, 12]}]}");
    cr_assert(eq(sz, compared.octaves.count, 2));
    cr_assert(eq(int, compared.octaves.hz[0], 250));
    cr_assert(eq(int, compared.octaves.hz[1], 500));
    NEAR(row_of(FIGURE_C80, 250)->value.second, 12);
    NEAR(row_of(FIGURE_C80, 500)->value.jnds, 10);
    expect_json("octaves_hz", "[250,500]");
    expect_json("figures.0.name", "\"c80_db\"");
    expect_json("largest", "{\"word\":\"C80\",\"octave_hz\":250,\"jnds\":10}");
    const struct run_change *change = change_of("only 250 and 500 Hz can be compared");
    cr_assert(change->caution);
    cr_assert(eq(str, (char *)change->key, "fmax_hz"));
    expect_json("changes.0.first", "710");
    expect_json("changes.0.second", "1420");
}

Test(run_compare, what_is_no_number_is_absent_and_never_zero)
{
    compare_records(
        ONE("\"t30_s\": [1e999, 0, \"2\"], \"c80_db\": [1], \"d50\": 3, \"sti\": null"),
        ONE("\"t30_s\": [2, 1, 2], \"c80_db\": [null, 2, 3], \"d50\": [0.1, 0.2, 0.3], \"sti\": 0.5"));
    static const int octave[] = {125, 250, 500};
    for (size_t b = 0; b < 3; b++) {
        cr_assert(isnan(row_of(FIGURE_T30, octave[b])->value.jnds)); /* 5 % of 0 is none */
        cr_assert(eq(sz, row_of(FIGURE_C80, octave[b])->places, 0));
        cr_assert(eq(sz, row_of(FIGURE_D50, octave[b])->places, 0));
    }
    cr_assert(eq(sz, row_of(FIGURE_STI, 0)->places, 0));
    expect_json("figures.0.jnds", "[null,null,null]");
    expect_json("largest", "null");
}

Test(run_compare, single_numbers_are_compared_and_the_level_of_the_band_where_it_is_the_same)
{
#define SINGLES(edt, sti, level)                                                                             \
    "\"single_numbers\": {\"edt_s\": " edt ", \"why\": null}, \"lf_single\": 0.2, \"sti\": " sti             \
    ", \"strength_db\": " level
    static const struct {
        enum figure figure;
        double jnds;
    } known[] = {{FIGURE_EDT, -1}, {FIGURE_STI, 2}, {FIGURE_STRENGTH, 2}, {FIGURE_LF, 0}};
    compare_records(ONE(SINGLES("2", "0.5", "10")), ONE(SINGLES("1.9", "0.56", "12")));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        NEAR(row_of(known[i].figure, 0)->value.jnds, known[i].jnds);
    cr_assert(eq(sz, row_of(FIGURE_T30, 0)->places, 0));
    again();
    compare_records(ONE("\"strength_db\": 10"),
                    "{\"format\": 1, \"command\": \"simulate\", \"fmax_hz\": 355, \"responses\": [" RESPONSE(
                        "front", "\"strength_db\": 12") "]}");
    cr_assert(eq(sz, compared.pairs, 1));
    cr_assert(eq(sz, row_of(FIGURE_STRENGTH, 0)->places, 0));
}

Test(run_compare, a_difference_is_certain_beyond_the_sum_of_both_spreads_or_that_of_the_one_repeated)
{
    static const struct {
        const char *first, *second;
        enum certainty certainty[3]; /* at 125, 250 and 500 Hz */
        double spread[3];
        const char *finding;
    } known[] = {
        {ONE("\"c80_db\": [0, 0, 0], \"c80_db_spread\": [2, 1, null]"),
         ONE("\"c80_db\": [3.9, 3.1, 2], \"c80_db_spread\": [2, 2, null]"),
         {CERTAINTY_WITHIN, CERTAINTY_BEYOND, CERTAINTY_UNKNOWN},
         {4, 3, NAN},
         "would notice: clearer sound (C80 at 250 Hz, 3.1 JND)"},
        {ONE("\"c80_db\": [0, 0, 0]"),
         ONE("\"c80_db\": [2, 2, 2], \"c80_db_spread\": [2.5, 0.5, 0]"),
         {CERTAINTY_WITHIN, CERTAINTY_BEYOND, CERTAINTY_BEYOND},
         {2.5, 0.5, 0},
         "not certain, since an offset of the grid changes as much: C80 at 125 Hz"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char words[RUN_FINDING_MAX];
        compare_records(known[i].first, known[i].second);
        for (size_t b = 0; b < 3; b++) {
            const struct compared_value *value = &row_of(FIGURE_C80, compared.octaves.hz[b])->value;
            cr_assert(compared_certainty(value) == known[i].certainty[b]);
            cr_assert(isnan(known[i].spread[b]) ? isnan(value->spread)
                                                : test_near(value->spread, known[i].spread[b], 1e-9));
        }
        cr_assert(strstr(run_finding(&compared, words), known[i].finding) != NULL, "%s", words);
        again();
    }
}

/* ---- rays ---- */

#define RAYS_FROM_500                                                                                        \
    "\"from\": [\"waves\", \"waves\", \"rays\"], \"single_numbers\": {\"t30_s\": null, \"why\": null}"
#define OF_RAYS(figures)                                                                                     \
    "{\"command\": \"simulate\", \"format\": 1, \"fmax_hz\": 355, \"rays\": {\"crossover_hz\": 298.5, "      \
    "\"octave_hz\": 251.2, \"sources\": []}, " PLACES ", \"responses\": [" figures "]}"
#define RAYS(receiver, figures) RESPONSE(receiver, RAYS_FROM_500 ", " figures)

/* Root of 1.5^2 + 2^2 is 2.5. */
Test(run_compare, a_difference_within_the_error_bars_of_rays_is_not_noticed)
{
    static const struct {
        const char *second;
        enum certainty certainty;
        const char *finding, *place;
    } known[] = {
        {OF_RAYS(RAYS("front", "\"c80_db\": [1, 1, 3.4], \"c80_db_error\": [null, null, 2]")),
         CERTAINTY_WITHIN, "within the error bar: C80 at 500 Hz, 2.4 JND",
         "2.4 JND higher, within its error bar"},
        {OF_RAYS(RAYS("front", "\"c80_db\": [1, 1, 3.6], \"c80_db_error\": [null, null, 2]")),
         CERTAINTY_BEYOND, "a listener would notice: clearer sound (C80 at 500 Hz, 2.6 JND)",
         "2.6 JND higher"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char words[RUN_FINDING_MAX], place[RUN_PLACE_MAX];
        compare_records(OF_RAYS(RAYS("front", "\"c80_db\": [1, 1, 1], \"c80_db_error\": [null, null, 1.5]")),
                        known[i].second);
        const struct compared_value *value = &row_of(FIGURE_C80, 500)->value;
        NEAR(value->error, 2.5);
        cr_assert(isnan(row_of(FIGURE_C80, 250)->value.error));
        cr_assert(compared_certainty(value) == known[i].certainty);
        cr_assert(strstr(run_finding(&compared, words), known[i].finding) != NULL, "%s", words);
        (void)run_place_words(&compared, 0, place);
        cr_assert(strcmp(place + strlen(place) - strlen(known[i].place), known[i].place) == 0, "%s", place);
        expect_json("figures.0.error", "[null,null,2.5]");
        expect_json("figures.0.certain.2", known[i].certainty == CERTAINTY_WITHIN ? "false" : "true");
        expect_json("from_second", "[\"waves\",\"waves\",\"rays\"]");
        expect_json("coverage", "null");
        again();
    }
}

/* Means of places keep their error; STI has its own; a single number that of its octaves. */
Test(run_compare, means_and_single_numbers_have_the_mean_error_bar)
{
    compare_records(
        TWO("\"t30_s\": [1, 1, 1], \"sti\": 0.5", "\"t30_s\": [1, 1, 1]"),
        OF_RAYS(RAYS("front",
                     "\"t30_s\": [1, 1, 1.2], \"t30_s_error\": [null, null, 0.1], "
                     "\"sti\": 0.56, \"sti_error\": 0.07") ", " RAYS("back",
                                                                     "\"t30_s\": [1, 1, 1.2], "
                                                                     "\"t30_s_error\": [null, null, 0.2]")));
    NEAR(row_of(FIGURE_T30, 500)->value.error, 0.15);
    NEAR(row_of(FIGURE_STI, 0)->value.error, 0.07);
    cr_assert(compared_certainty(&row_of(FIGURE_STI, 0)->value) == CERTAINTY_WITHIN);
    FILE *out = fopen("printed", "w");
    cr_assert(out != NULL);
    run_comparison_print(out, &compared);
    fclose(out);
    expect_words("printed", "from            A           waves    waves    waves\n",
                 "                B           waves    waves     rays\n",
                 "                JND           0.0      0.0     4.0*\n",
                 "                error                           3.0\n",
                 "STI 0.50 -> 0.56 (2.0~ JND, error bar 2.3)", "within the error bar");
}

/* T30 of waves is 4 JND above at the front and 1 JND below at the back, where bars are 3 JND: one of two. */
Test(run_compare, values_of_waves_within_the_error_bars_of_rays_are_counted)
{
#define BAR "\"t30_s_error\": [null, null, 0.15], \"t30_s_interference\": [null, null, "
    static const char waves[] =
        TWO("\"t30_s\": [1, 1, 1], \"c80_db\": [1, 1, 1]", "\"t30_s\": [1, 1, 1], \"c80_db\": [1, 1, 1]");
    static const char rays[] =
        OF_RAYS(RAYS("front", "\"t30_s\": [1, 1, 0.8], \"c80_db\": [1, 1, 1], " BAR "0.05]") ", " RAYS(
            "back", "\"t30_s\": [1, 1, 1.05], \"c80_db\": [1, 1, 1], " BAR "0.35]"));
    for (int order = 0; order < 2; order++) {
        compare_records(order == 0 ? waves : rays, order == 0 ? rays : waves);
        expect_json("coverage.octaves_hz", "[500]");
        expect_json("coverage.cells", "2");
        expect_json("coverage.within", "1");
        expect_json("coverage.figures.1.word", "\"T30\"");
        expect_json("coverage.figures.1.within", "[1]");
        expect_json("coverage.figures.1.rms_jnds", "[2.915476]"); /* root of (16 + 1) / 2 */
        expect_json("coverage.figures.1.floor_jnds", "[5]");      /* of (1 + 49) / 2 */
        expect_json("coverage.figures.2.cells", "[0]");           /* C80 has no bars */
        again();
    }
}

/* ---- in words ---- */

#define OF_SCHEME(scheme, figures)                                                                           \
    RECORD("\"scheme\": \"" scheme "\", " PLACES ", \"responses\": [" RESPONSE("front", figures) "]")

#define AT(c80) "\"c80_db\": [" c80 ", 1, 1], \"c80_db_spread\": [2, 0, 0]"

Test(run_compare, what_a_listener_notices_is_put_in_words)
{
    static const struct {
        const char *claim, *first, *second, *finding, *place, *never;
    } known[] = {
        {"a difference of one JND is noticed, with its direction",
         ONE("\"t30_s\": [2, 2, 2], \"ts_s\": [0.1, 0.1, 0.1], \"g_db\": [1, 1, 1]"),
         ONE("\"t30_s\": [1, 2.2, 1.9], \"ts_s\": [0.1, 0.13, 0.1], \"g_db\": [1, 1, 1.9]"),
         "a listener would notice: shorter reverberation (T30 at 125 Hz, 10.0 JND), less clear sound (Ts "
         "at 250 Hz, 3.0 JND), longer reverberation (T30 at 250 Hz, 2.0 JND)",
         "front: T30 at 125 Hz 2.00 s -> 1.00 s, 10.0 JND shorter", NULL},
        {"less than one JND is not noticed", ONE("\"c80_db\": [1, 2, 3]"), ONE("\"c80_db\": [1.9, 2, 2.5]"),
         "no difference on average at 125 to 500 Hz: the largest is C80 at 125 Hz, 0.9 JND; nothing above "
         "710 Hz was computed",
         NULL, NULL},
        {"below 500 Hz nothing is said of speech", ONE("\"mti\": [0.5, 0.6, 0.5]"),
         ONE("\"mti\": [0.9, 0.1, 0.51]"),
         "no difference on average at 125 to 500 Hz: the largest is MTI at 500 Hz", NULL, "speech"},
        {"from 500 Hz up it is", ONE("\"mti\": [0.5, 0.5, 0.5]"), ONE("\"mti\": [0.5, 0.5, 0.8]"),
         "speech that is easier to follow (MTI at 500 Hz, 10.0 JND); nothing above 710 Hz was computed", NULL,
         NULL},
        {"what cancels over the places is named at its place",
         TWO("\"c80_db\": [1, 1, 1]", "\"c80_db\": [1, 1, 1]"),
         TWO("\"c80_db\": [4, 1, 1]", "\"c80_db\": [-1.5, 1, 1]"),
         "the largest is C80 at 125 Hz, 0.2 JND; at single places one may: C80 at 125 Hz, 3.0 JND from "
         "pulpit to front",
         NULL, NULL},
        {"a single place within its spread is not in the finding", TWO(AT("1"), AT("1")),
         TWO(AT("4"), AT("-1.5")), "no difference on average at 125 to 500 Hz:",
         "front: C80 at 125 Hz 1.0 dB -> 4.0 dB, 3.0 JND higher, not more than by an offset of the grid",
         "at single places"},
        {"runs that are the same are alike", ONE("\"c80_db\": [1, 2, 3]"), ONE("\"c80_db\": [1, 2, 3]"),
         "alike: no figure differs at 125 to 500 Hz; nothing above 710 Hz was computed", NULL, NULL},
        {"of two schemes there is no verdict", OF_SCHEME("standard", "\"t30_s\": [2, 2, 2]"),
         OF_SCHEME("isotropic", "\"t30_s\": [1, 2.2, 1.9]"),
         "no verdict: the runs have different schemes, whose errors are part of the differences; the "
         "largest is T30 at 125 Hz, 10.0 JND",
         NULL, "listener"},
        {"of one scheme there is", OF_SCHEME("standard", "\"t30_s\": [2, 2, 2]"),
         OF_SCHEME("standard", "\"t30_s\": [1, 2.2, 1.9]"), "a listener would notice", NULL, NULL},
        {"of two schemes without a difference too", OF_SCHEME("standard", "\"t30_s\": [2, 2, 2]"),
         OF_SCHEME("isotropic", "\"t30_s\": [2, 2, 2]"), "alike: no figure differs", NULL, NULL},
        {"a place has its values and the direction of the change", ONE("\"t30_s\": [1, 1, 1.4]"),
         ONE("\"t30_s\": [1, 1, 1.1]"), "shorter reverberation",
         "front: T30 at 500 Hz 1.40 s -> 1.10 s, 4.3 JND shorter", NULL},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char finding[RUN_FINDING_MAX], place[RUN_PLACE_MAX];
        compare_records(known[i].first, known[i].second);
        run_finding(&compared, finding);
        run_place_words(&compared, 0, place);
        const struct run_change *scheme = change_with("scheme of the grid: standard -> isotropic");
        cr_assert(eq(int, scheme != NULL && scheme->caution, strstr(known[i].second, "isotropic") != NULL));
        cr_assert(strstr(finding, known[i].finding) != NULL, "%s: %s", known[i].claim, finding);
        cr_assert(known[i].place == NULL || strcmp(place, known[i].place) == 0, "%s: %s", known[i].claim,
                  place);
        cr_assert(known[i].never == NULL || strstr(finding, known[i].never) == NULL, "%s: %s", known[i].claim,
                  finding);
        again();
    }
}

/* ---- what makes a comparison less than it seems, and why runs differ ---- */

Test(run_compare, responses_without_a_partner_are_named)
{
    compare_records(TWO("\"c80_db\": [1, 2, 3]", "\"c80_db\": [1, 2, 3]"),
                    RECORD("\"responses\": [" RESPONSE("front", "\"c80_db\": [1, 2, 3]") ", " RESPONSE(
                        "gallery", "\"c80_db\": [1, 2, 3]") "]"));
    cr_assert(eq(sz, compared.pairs, 1));
    cr_assert(eq(sz, compared.unpaired[0], 1));
    cr_assert(eq(sz, compared.unpaired[1], 1));
    cr_assert(change_of("only in a: pulpit to back")->caution);
    cr_assert(change_of("only in b: pulpit to gallery")->caution);
    expect_json("unmatched_second", "[{\"source\":\"pulpit\",\"receiver\":\"gallery\"}]");
}

Test(run_compare, without_common_names_nothing_is_compared_and_the_reason_is_given)
{
    compare_records(RECORD("\"responses\": []"), ONE("\"c80_db\": [1, 2, 3]"));
    cr_assert(eq(sz, compared.pairs, 0));
    cr_assert(eq(sz, compared.octaves.count, 0));
    cr_assert(change_of("nothing can be compared")->caution);
    cr_assert(change_with("octave") == NULL, "where nothing is shared, octaves are no matter");
    char words[RUN_FINDING_MAX];
    cr_assert(eq(str, (char *)run_finding(&compared, words), "no figure is in both runs"));
}

/* One line of run.json differs, and one change says how. */
Test(run_compare, how_sources_radiate_what_sheets_let_through_and_dummy_heads_are_compared)
{
#define HEADED(heads)                                                                                        \
    RECORD("\"dummy_heads\": [" heads "], \"responses\": [" RESPONSE("front", "\"c80_db\": [1, 2, 3]") "]")
#define HEAD(radius, azimuth)                                                                                \
    "{\"name\": \"pew\", \"position_m\": [1, 2, 1.5], \"radius_m\": " radius                                 \
    ", \"look_azimuth_deg\": " azimuth "}"
#define DIRECTED(radiation, sheet)                                                                           \
    RECORD("\"materials\": [{\"name\": \"curtain\", \"area_m2\": 10" sheet                                   \
           "}], \"sources\": [{\"name\": \"pulpit\", \"position_m\": [1, 2, 1.5]" radiation                  \
           "}], \"responses\": [" RESPONSE("front", "\"c80_db\": [1, 2, 3]") "]")
#define VOICE(pattern, hash, axis)                                                                           \
    ", \"directivity\": {\"pattern\": \"" pattern "\"" hash ", \"axis\": [" axis "]}"
#define TOGETHER(gain) ", \"together\": [{\"source\": \"A\", \"gain_db\": " gain ", \"delay_ms\": 2.5}]"
#define SHEET(resistance, mass, combination)                                                                 \
    ", \"flow_resistance_pa_s_m\": " resistance mass ", \"combination\": \"" combination "\""
    static const struct {
        const char *first, *second, *words; /* NULL: no change */
    } known[] = {
        {DIRECTED("", ""), DIRECTED(VOICE("voice", "", "1, 0, 0"), ""),
         "source pulpit radiates differently: alike in all directions -> voice along (1.000, 0.000, 0.000)"},
        {DIRECTED(VOICE("voice", "", "1, 0, 0"), ""), DIRECTED(VOICE("voice", "", "0, 1, 0"), ""),
         "voice along (1.000, 0.000, 0.000) -> voice along (0.000, 1.000, 0.000)"},
        {DIRECTED(VOICE("a.sofa", ", \"hash\": \"fnv1a64:1\"", "1, 0, 0"), ""),
         DIRECTED(VOICE("a.sofa", ", \"hash\": \"fnv1a64:2\"", "1, 0, 0"), ""), "(fnv1a64:2)"},
        {DIRECTED(VOICE("voice", "", "1, 0, 0"), ""), DIRECTED(VOICE("voice", "", "1, 1e-9, 0"), ""), NULL},
        {DIRECTED(TOGETHER("0"), ""), DIRECTED(TOGETHER("-3"), ""), "A (+0 dB, 2.5 ms) -> A (-3 dB, 2.5 ms)"},
        {DIRECTED("", ""), DIRECTED("", SHEET("200", "", "parallel")),
         "curtain is another sheet: no sheet -> 200 Pa s/m, held still, parallel"},
        {DIRECTED("", SHEET("200", ", \"mass_kg_m2\": 0.5", "parallel")),
         DIRECTED("", SHEET("200", ", \"mass_kg_m2\": 0.7", "parallel")),
         "200 Pa s/m, 0.5 kg/m2, parallel -> 200 Pa s/m, 0.7 kg/m2, parallel"},
        {DIRECTED("", SHEET("200", ", \"mass_kg_m2\": 0.5", "parallel")),
         DIRECTED("", SHEET("200", ", \"mass_kg_m2\": 0.5", "series")),
         "200 Pa s/m, 0.5 kg/m2, parallel -> 200 Pa s/m, 0.5 kg/m2, series"},
        {DIRECTED("", SHEET("200", "", "parallel")), DIRECTED("", SHEET("300", "", "parallel")),
         "200 Pa s/m, held still, parallel -> 300 Pa s/m, held still, parallel"},
        {DIRECTED("", SHEET("200", "", "parallel")), DIRECTED("", SHEET("200", "", "parallel")), NULL},
        {HEADED(""), HEADED(HEAD("0.0875", "10")),
         "the dummy head pew is another: no head -> a sphere of 0.0875 m radius at (1.000, 2.000, 1.500) m, "
         "looks towards 10 degrees"},
        {HEADED(HEAD("0.0875", "10")), HEADED(HEAD("0.0875", "20")), "20 degrees"},
        {HEADED(HEAD("0.0875", "10")), HEADED(HEAD("0.0875", "10")), NULL}};
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        compare_records(known[n].first, known[n].second);
        cr_assert(eq(sz, compared.changes, known[n].words != NULL));
        if (known[n].words != NULL)
            cr_assert(not(change_of(known[n].words)->caution));
        again();
    }
}

Test(run_compare, the_set_up_is_compared_and_cautions_come_first)
{
#define SETUP(hash, absorption, seats, humidity, place, partial)                                             \
    RECORD("\"room\": {\"file\": \"m.obj\", \"mesh_hash\": \"" hash                                          \
           "\"}, \"material_octaves_hz\": [63, 125, 250, 500],"                                              \
           "\"materials\": [{\"name\": \"wall\", \"area_m2\": 10, \"audience\": " seats                      \
           ", \"absorption_used\": 0.1, \"absorption_used_octaves\": [0.5, 0.1, " absorption ", 0.1]}, "     \
           "{\"name\": \"only " hash "\"}], \"air\": {\"humidity_percent\": " humidity "}, " partial         \
           "\"sources\": [{\"name\": \"pulpit\", \"position_m\": [1, " place                                 \
           ", 1.5]}], \"responses\": [" RESPONSE("front", "\"c80_db\": [1, 2, 3]") "]")
    compare_records(
        SETUP("one", "0.1", "0", "50", "2", ""),
        SETUP("two", "0.2", "0.8", "30", "2.3", "\"partial\": true, \"partial_because\": \"interrupted\", "));
    cr_assert(change_of("source pulpit is not in the same place: 0.3 m apart")->caution);
    cr_assert(change_of("b was not finished: interrupted")->caution);
    cr_assert(not(change_of("mesh of the room differs")->caution));
    cr_assert(not(change_of("wall absorbs differently: 250 Hz 0.10 -> 0.20")->caution));
    (void)change_of("share of seats taken 0 -> 0.8");
    cr_assert(eq(str, (char *)change_of("humidity: 50 % -> 30 %")->key, "air.humidity_percent"));
    (void)change_of("surfaces only in a: only one");
    (void)change_of("surfaces only in b: only two");
    cr_assert(eq(sz, compared.changes, 8));
    cr_assert(compared.change[0].caution && compared.change[1].caution);
    NEAR(compared.pair[0].source_moved, 0.3);
    cr_assert(isnan(compared.pair[0].receiver_moved));
}

Test(run_compare, the_times_that_the_materials_let_expect_are_compared)
{
#define EXPECTED(sabine)                                                                                     \
    RECORD("\"octaves_hz\": [125.9, 251.2, 501.2], \"sabine_s\": [" sabine                                   \
           ", 1, null], \"eyring_s\": [1, 1, 1], "                                                           \
           "\"responses\": [" RESPONSE("front", "\"c80_db\": [1, 2, 3]") "]")
    compare_records(EXPECTED("2"), EXPECTED("1.5"));
    NEAR(compared.sabine[0].jnds, -5);
    NEAR(compared.eyring[2].jnds, 0);
    cr_assert(isnan(compared.sabine[2].first));
}

Test(run_compare, long_names_are_cut_between_characters)
{
    char record[3000], name[2][200] = {"x", ""}, list[2000] = "";
    for (int i = 0; i < 45; i++) {
        strcat(name[0], "\xc3\xa4");
        strcat(name[1], "\xe2\x82\xac");
    }
    for (int i = 0; i < 6; i++)
        (void)snprintf(list + strlen(list), sizeof list - strlen(list),
                       "%s{\"source\": \"%s\", \"receiver\": \"%d%s\"}", i > 0 ? ", " : "", name[0], i,
                       name[1]);
    (void)snprintf(record, sizeof record, RECORD("\"materials\": [{\"name\": \"%s\"}], \"responses\": [%s]"),
                   name[0], list);
    compare_records(record, ONE("\"d50\": []"));
    const char *surfaces = change_of("surfaces only in a: x")->words, *places = change_of(" to 5")->words;
    cr_assert(eq(sz, strlen(surfaces), strlen("surfaces only in a: x") + 58), "%s", surfaces);
    cr_assert(is_utf8(places) && strstr(places, "only in a: x") != NULL, "%s", places);
}

Test(run_compare, what_only_one_run_has_is_named)
{
#define SHARING(octaves, figures, grids)                                                                     \
    RECORD("\"responses\": [{\"source\": \"s\", \"receiver\": \"r\", \"octaves_hz\": [" octaves              \
           "], " figures "}], \"grids\": [" grids "]")
#define GRID(name) "{\"name\": \"" name "\", \"maps\": [{\"source\": \"s\", \"octaves_hz\": [126]}]}"
    compare_records(
        SHARING("126, 251", "\"t30_s\": [1, 1], \"t20_s\": [1, null], \"sti\": 0.5", GRID("nave")),
        SHARING("126, 251, 501",
                "\"t30_s\": [1, 1, 1], \"lf\": [null, 0.2, 0.3], \"single_numbers\": {\"edt_s\": 1}",
                GRID("nave") ", " GRID("choir")));
    expect_json(
        "only_first",
        "{\"octaves_hz\":[],\"figures\":[{\"word\":\"T20\",\"single_number\":false,\"octaves_hz\":[125]},"
        "{\"word\":\"STI\",\"single_number\":true,\"octaves_hz\":[]}],\"maps\":[]}");
    expect_json(
        "only_second",
        "{\"octaves_hz\":[500],\"figures\":[{\"word\":\"EDT\",\"single_number\":true,\"octaves_hz\":[]},"
        "{\"word\":\"LF\",\"single_number\":false,\"octaves_hz\":[250]}],"
        "\"maps\":[{\"name\":\"choir\",\"source\":\"s\"}]}");
}

Test(run_compare, values_that_differ_never_look_the_same)
{
#define FINE(length, volume, absorbed, seats)                                                                \
    RECORD("\"duration_s\": " length ", \"air_volume_m3\": " volume ", \"material_octaves_hz\": [250], "     \
           "\"materials\": [{\"name\": \"wall\", \"audience\": " seats                                       \
           ", \"absorption_used_octaves\": [" absorbed "]}], "                                               \
           "\"responses\": [" RESPONSE("front", "\"d50\": [null, 0.5, null]") "]")
    compare_records(FINE("1.00001", "12345.6", "0.1051", "0.5"),
                    FINE("1.00004", "12345.602", "0.1101", "0.504"));
    (void)change_of("length of the responses: 1.00001 s -> 1.00004 s");
    (void)change_of("wall absorbs differently: 250 Hz 0.105 -> 0.110");
    (void)change_of("share of seats taken 0.500 -> 0.504");
    cr_assert(eq(sz, compared.changes, 3), "volumes of one share in a million apart are the same");
}

/* Of what run.json may hold: an opening that has no place. */
Test(run_compare, openings_are_named_in_plain_digits_and_only_with_their_place)
{
    static struct record_leak leak[] = {
        {.position = {1, 2, 3}, .gap = NAN, .area = 123.4},
        {.position = {NAN, NAN, NAN}, .gap = NAN, .area = 5},
        {.sealed = true, .position = {NAN, NAN, NAN}, .gap = 0.01, .area = NAN},
    };
    const struct run_model open = {.leaks = {3, leak}}, shut = {.leaks = {0, leak}},
                           unknown = {.partial = false};
    char words[200];
    leak_change_openings(&open, &shut, words, sizeof words);
    cr_assert(eq(str, words, "an opening of about 123 m2 at (1.00, 2.00, 3.00) m"));
    leak_change_cracks(&open, &shut, words, sizeof words);
    cr_assert(eq(str, words, ""));
    leak_change_openings(&open, &unknown, words, sizeof words);
    cr_assert(eq(str, words, ""));
}

/* ---- maps ---- */

#define MAP(c80, points)                                                                                     \
    RECORD("\"responses\": [], \"grids\": [{\"name\": \"floor\", \"points\": " points                        \
           ", \"maps\": [{\"source\": \"pulpit\", \"table\": \"map.csv\", " OCTAVES                          \
           ", \"c80_db\": [null, " c80 ", null], \"c80_db_points\": [0, " points ", 0]}]}]")

static void write_maps(const char *second_table)
{
    write_run("a", MAP("2", "3"));
    write_run("b", MAP("4", "2"));
    write_text("a/map.csv",
               "name,x,y,z,c80_db_250,c80_db_single,distance_m,onset_s\n"
               "floor-1,0,0,1.2,1,,3,0.01\nfloor-2,1,0,1.2,2,,3,0.01\nfloor-3,2,0,1.2,,,3,0.01\n");
    if (second_table != NULL)
        write_text("b/map.csv", second_table);
}

Test(run_compare, maps_are_compared_point_by_point_where_the_points_are_the_same)
{
    write_maps("name,x,y,z,c80_db_250,c80_db_single,distance_m,onset_s\n"
               "floor-1,0,0,1.2,1.5,,3,0.01\nfloor-2,1,0.0009,1.2,5,,3,0.01\nfloor-3,2,0,1.2,9,,3,0.01\n");
    read_compared();
    cr_assert(eq(sz, compared.grids, 1));
    const struct compared_grid *grid = &compared.grid[0];
    cr_assert(grid->by_point, "%s", grid->why);
    const struct compared_row *row = row_in(&grid->rows, FIGURE_C80, 250);
    cr_assert(eq(sz, row->places, 2));
    cr_assert(eq(sz, row->noticed, 1));
    NEAR(row->value.first, 1.5);
    NEAR(row->value.jnds, 1.75);
    NEAR(row->largest, 3);
    cr_assert(eq(str, grid->place[row->where], "floor-2"));
    char words[RUN_FINDING_MAX];
    cr_assert(strstr(run_finding(&compared, words), "clearer sound (C80 at 250 Hz, 1.8 JND)") != NULL);
}

Test(run_compare, maps_of_other_points_are_compared_by_their_means_and_say_so)
{
    static const struct {
        const char *table, *says;
    } other[] = {
        {NULL, "could not be opened"},
        {"name,x,y,z,c80_db_250\nfloor-1,0,0,1.2,1\nfloor-2,1,0,1.2,1\n",
         "3 points in one and 2 in the other"},
        {"name,x,y,z,c80_db_250\nfloor-1,0,0,1.2,1\nfloor-2,1,0.002,1.2,5\nfloor-3,2,0,1.2,9\n",
         "point floor-2 is not in the same place"},
        {"name,x,y,z,c80_db_250\nfloor-1,nan,0,1.2,1\nfloor-2,1,0,1.2,5\nfloor-3,2,0,1.2,9\n",
         "point floor-1 is not in the same place"},
        {"name,x,y,z,c80_db_250\nfloor-1,0,0,1.2\n", "4 fields and not 5"},
        {"name,x,y,z,c80_db_250\n", "has no points"},
        {"%PDF\n", "not a table of a receiver grid"},
    };
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        write_maps(other[i].table);
        read_compared();
        const struct compared_grid *grid = &compared.grid[0];
        cr_assert(not(grid->by_point));
        cr_assert(strstr(grid->why, other[i].says) != NULL, "%s: %s", other[i].says, grid->why);
        const struct compared_row *row = row_in(&grid->rows, FIGURE_C80, 250);
        NEAR(row->value.jnds, 2);
        cr_assert(eq(sz, row->places, 2));
        cr_assert(isnan(row->largest));
        expect_json("grids.0.by_point", "false");
        again();
    }
}

/* ---- the command ---- */

static void expect_narrow(const char *path)
{
    char *text = read_text(path);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        cr_assert(strlen(line) <= 100, "%zu columns: %s", strlen(line), line);
}

Test(run_compare, what_is_no_run_is_refused_in_a_sentence)
{
    write_run("a", ONE("\"c80_db\": [1, 2, 3]"));
    write_run("nan", ONE("\"c80_db\": [NaN, 2, 3]"));
    write_run("other", "{\"command\": \"plan\", \"fmax_hz\": 100, \"responses\": []}");
    cr_assert(mkdir("empty", 0777) == 0 && mkdir("two", 0777) == 0 && mkdir("two/none", 0777) == 0 &&
              mkdir("five", 0777) == 0);
    static const char *const within[] = {"two/full", "two/base", "five/e", "five/d",
                                         "five/c",   "five/b",   "five/a"};
    for (size_t i = 0; i < sizeof within / sizeof within[0]; i++)
        write_run(within[i], ONE("\"c80_db\": [1, 2, 3]"));
    write_cube();
    static const struct {
        const char *argument[4], *says;
    } wrong[] = {
        {{"a", "absent"}, "absent could not be read: No such file"},
        {{"a", "empty"}, "empty is not the folder of a run: there is no run.json in it"},
        {{"a", "two"}, "two is not the folder of a run, but holds some: base, full; give one"},
        {{"a", "five"}, "five is not the folder of a run, but holds some: a, b, c and others; give one"},
        {{"a", "cube.obj"}, "cube.obj is not the folder of a run"},
        {{"cube.obj", "a"}, "cube.obj is not the folder of a run"},
        {{"a", "nan"}, "nan/run.json is not JSON"},
        {{"a", "other"}, "other/run.json is not of a run"},
        {{"a"}, "a is one: give what to compare it with"},
        {{"a/run.json"}, "is one: "},
        {{"a", "a", "--fmax", "100"}, "--fmax is for compare ROOM"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *const *argument = wrong[i].argument;
        expect_status(run(NULL, (const char *const[]){TEST_PROGRAM, "compare", argument[0], argument[1],
                                                      argument[2], argument[3], NULL}),
                      2);
        expect_words("err", wrong[i].says);
    }
}

Test(run_compare, every_further_run_is_compared_with_the_first_and_the_status_is_0)
{
    write_run("a", ONE("\"t30_s\": [1, 1, 1]"));
    write_run("b", ONE("\"t30_s\": [2, 0.9999, 1]"));
    write_run("c", ONE("\"t30_s\": [1, 3, 1]"));
    expect_status(RUN("compare", "a/run.json", "b/", "c", "--json"), 0);
    cJSON *object = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(object, "comparisons")), 2));
    NEAR(record_number(object, "comparisons.0.figures.0.jnds.0"), 20);
    NEAR(record_number(object, "comparisons.1.figures.0.jnds.1"), 40);
    cr_assert(eq(str, (char *)record_text(object, "comparisons.1.first"), "a"));
    cr_assert(eq(str, (char *)record_text(object, "comparisons.1.second"), "c"));
    expect_status(RUN("compare", "a", "b", "--json", "--language", "de"), 0);
    cr_assert(strstr(record_text(read_json("out"), "comparisons.0.finding"), "längerer Nachhall") != NULL);
    expect_status(RUN("compare", "a", "b"), 0);
    expect_words("out",
                 "A listener would notice: longer reverberation (T30 at 125 Hz, 20.0 JND); nothing above");
    expect_words("out", "front: T30 at 125 Hz 1.00 s -> 2.00 s, 20.0 JND longer",
                 "20.0*      0.0      0.0\n");
    expect_narrow("out");
}

/* The reverberation time of a level curve, of the line through -5 to -35 dB. */
static double time_of_decay(const cJSON *decay)
{
    const double step = number(decay, "step_s");
    double n = 0, t = 0, l = 0, tt = 0, tl = 0;
    int i = 0;
    const cJSON *level;
    cJSON_ArrayForEach(level, cJSON_GetObjectItem(decay, "level_db"))
    {
        const double time = step * i++, value = level->valuedouble;
        if (value <= -5 && value >= -35) {
            n++;
            t += time;
            l += value;
            tt += time * time;
            tl += time * value;
        }
    }
    return -60 * (n * tt - t * t) / (n * tl - t * l);
}

Test(run_compare, responses_are_compared_by_what_the_run_says_and_measured_ones_by_their_own_figures)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--source", "1,1,1", "--receiver", "2,2.2,1.2,far",
                      "--receiver", "2,0.7,1.2,near", "--receiver-grid",
                      "seats=0.5,0.5,0;2.5,0.5,0;2.5,2.5,0;0.5,2.5,0", "--grid-spacing", "1", "--fmax", "177",
                      "--absorption", "0.2", "--waves-only", "-o", "run"),
                  0);
    const cJSON *record = read_json("run/run.json");
    expect_status(RUN("compare", "run/ir_S1_far.wav", "run/ir_S1_near.wav", "--json"), 0);
    const cJSON *places = read_json("out");
    for (int b = 0; b < 2; b++) {
        char path[80];
        double t30[2];
        for (int r = 0; r < 2; r++) {
            (void)snprintf(path, sizeof path, "responses.%d.t30_s.%d", r, b);
            t30[r] = record_number(record, path);
            (void)snprintf(path, sizeof path, "comparisons.0.%s.%d",
                           r == 0 ? "decays_first" : "decays_second", b);
            cr_assert(test_near(time_of_decay(record_at(places, path)), t30[r], 0.02 * t30[r]));
        }
        (void)snprintf(path, sizeof path, "comparisons.0.pairs.0.octaves.t30_s.jnds.%d", b);
        cr_assert(test_near(record_number(places, path), (t30[1] - t30[0]) / (0.05 * t30[0]), 1e-5));
    }
    expect_status(RUN("compare", "run/ir_S1_far.wav", "run/ir_S1_seats.wav@2", "--json"), 0);
    static struct map_rows rows;
    MUST(run_folder_read("run", &compared_folder[0], &failure));
    MUST(map_rows_read(&compared_folder[0], "map_S1_seats.csv", &rows, &failure));
    const double ts = rows.value[rows.columns + map_rows_column(&rows, FIGURE_TS, 125, MAP_PART_VALUE)];
    cr_assert(test_near(record_number(read_json("out"), "comparisons.0.pairs.0.octaves.ts_s.second.1"), ts,
                        1e-6 * ts));
    map_rows_free(&rows);

    expect_status(system("cp run/ir_S1_far.wav measured.wav"), 0);
    expect_status(RUN("compare", "run/ir_S1_far.wav", "measured.wav", "--json"), 0);
    const cJSON *measured = read_json("out");
    cr_assert(fabs(record_number(measured, "comparisons.0.pairs.0.octaves.t30_s.jnds.1")) < 0.2);
    cr_assert(eq(int, cJSON_GetArraySize(record_at(measured, "comparisons.0.changes")), 1)); /* fmax_hz */
    expect_status(RUN("compare", "run/ir_S1_far.wav", "run/ir_S1_seats.wav"), 2);
    expect_words("err", "channels, and one is compared");
    expect_status(RUN("compare", "run/ir_S1_far.wav", "run"), 2);
    expect_words("err", "compare runs with runs, and responses with responses");
}

Test(run_compare, variants_of_a_project_say_what_was_changed)
{
    write_cube();
    write_text(
        "p.yaml",
        "room: cube.obj\nfmax_hz: 180\nduration_s: 0.4\nsources: [{name: s, position: [1, 1, 1]}]\n"
        "receivers: [{name: r, position: [2, 2, 2]}, {name: q, position: [2.2, 0.7, 1.2]}]\n"
        "materials: {wall: 0.1}\noutputs: {folder: runs}\nvariants:\n  soft: {materials: {wall: 0.6}}\n");
    expect_status(RUN("simulate", "p.yaml", "--variant", "all"), 0);
    expect_status(RUN("compare", "runs/base", "runs/soft"), 0);
    expect_words("out", "A  base: p.yaml, to 180 Hz, 2 responses", "B  soft: p.yaml, variant soft, to 180 Hz",
                 "wall absorbs differently: 63 Hz 0.1", "shorter reverberation", "quieter");
    expect_narrow("out");
    expect_status(RUN("compare", "runs/base", "runs/soft", "--json"), 0);
    cJSON *object = read_json("out"), *base = read_json("runs/base/run.json"),
          *soft = read_json("runs/soft/run.json");
    /* One figure by hand: C80 at 63 Hz of the second response. */
    const double jnds =
        record_number(soft, "responses.1.c80_db.0") - record_number(base, "responses.1.c80_db.0");
    cr_assert(isfinite(jnds));
    cr_assert(test_near(record_number(object, "comparisons.0.pairs.1.octaves.c80_db.jnds.0"), jnds, 1e-5));
    expect_status(RUN("compare", "runs/base", "runs/base"), 0);
    expect_words("out", "The runs are alike: no figure differs at 63 to 125 Hz; nothing above",
                 "the set-up of both is the same");
}
