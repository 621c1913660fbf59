/* The page of two runs: one scale, the same places on both sides, one band and one gain, and every
 * difference. */
#define _XOPEN_SOURCE 700
#include "src/run_folder/run_folder.h"
#include "src/present/report/report_clap.h"
#include "src/draw/map_drawing.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(two_runs, .init = enter_folder, .fini = leave_folder);

/* ---- maps ---- */

enum { POINTS = 4 };

/* A map of four points `spacing` apart. */
static char *map_of(const double *value, const double *other, double spacing)
{
    static const double source[3] = {2, 1, 1};
    double position[POINTS][3] = {{0, 0, 1}, {spacing, 0, 1}, {2 * spacing, 0, 1}, {60, 0, 1}};
    struct mesh mesh = {0};
    const struct map_drawing drawing = {
        .mesh = &mesh,
        .grid = {.name = "floor", .spacing = spacing, .height = 1.2, .count = POINTS, .position = position},
        .source = "desk",
        .source_position = source,
        .figure = FIGURE_T30,
        .octave = "500 Hz octave",
        .value = value,
        .other = other,
        .other_points = other != NULL ? POINTS : 0};
    struct text_buffer svg = {0};
    MUST(map_drawing_svg(&drawing, &svg, &failure));
    return svg.data;
}

/* The key of a map: all of its drawing from the first swatch up to the words on its values. */
static char *key_of(const double *value, const double *other)
{
    char *map = map_of(value, other, 1), *begin = strstr(map, "width=\"26\"");
    cr_assert(begin != NULL);
    char *key = strdup(begin), *end = strstr(key, ">mean");
    cr_assert(end != NULL);
    *end = '\0';
    free(map);
    return key;
}

/* Without a pointer, and on paper. */
Test(two_runs, a_map_has_its_values_in_its_cells_where_they_fit)
{
    static const double value[POINTS] = {1.25, 2.5, NAN, 3.75};
    char *coarse = map_of(value, NULL, 20), *fine = map_of(value, NULL, 1);
    cr_assert(strstr(coarse, ">1.25</text>") != NULL && strstr(coarse, ">2.50</text>") != NULL);
    cr_assert(strstr(coarse, ">nan</text>") == NULL);
    cr_assert(strstr(fine, "class=\"value\"") == NULL);
    cr_assert(strstr(fine, "<title>") != NULL, "each cell still says its value to a pointer");
    free(coarse);
    free(fine);
}

Test(two_runs, maps_side_by_side_have_one_key)
{
    static const double hard[POINTS] = {2.0, 2.1, 2.2, NAN}, soft[POINTS] = {1.0, 1.1, 1.3, 1.2};
    char *first = key_of(hard, soft), *second = key_of(soft, hard), *alone = key_of(hard, NULL);
    cr_assert(eq(str, first, second));
    cr_assert(strcmp(first, alone) != 0, "two ranges cannot have the key of one");
    free(first);
    free(second);
    free(alone);
}

/* ---- runs ---- */

static void make_run(const char *name, const char *fmax, const char *receiver)
{
    char path[140], output[140];
    write_box("hall.obj", 4, 3, 2.5, true);
    snprintf(path, sizeof path, "%s/hall.obj", folder);
    snprintf(output, sizeof output, "%s/%s", folder, name);
    expect_status(RUN("simulate", path, "--fmax", fmax, "--duration", "0.4", "--absorption", "0.2",
                      "--source", "1,1,1.5,pulpit", "--receiver", receiver, "--receiver", "3,2,1.2,pew",
                      "--receiver", "1,2,1.2,aisle", "-o", output, "--quiet"),
                  0);
}

Test(two_runs, the_same_places_are_heard_of_both_and_the_dry_sound_once)
{
    make_run("a", "180", "3.5,1,1.2,choir");
    make_run("b", "180", "3.5,2.5,1.2,door");
    struct run_folder run[2] = {{0}, {0}};
    struct report_takes takes = {0};
    MUST(run_folder_read("a", &run[0], &failure));
    MUST(run_folder_read("b", &run[1], &failure));
    MUST(report_clap_take(run, 2, run[0].path, &takes, &failure));
    cr_assert(eq(sz, takes.count, 6));
    for (size_t i = 0; i < 4; i++) {
        cr_assert(eq(str, (char *)takes.take[i].record.kind, "wet"));
        cr_assert(eq(sz, takes.take[i].run, i / 2));
        cr_assert(eq(str, (char *)takes.take[i].record.receiver, i % 2 == 0 ? "aisle" : "pew"));
    }
    cr_assert(eq(str, (char *)takes.take[4].record.kind, "dry"));
    cr_assert(eq(str, (char *)takes.take[5].record.kind, "dry_lowpassed"));
    report_takes_free(&takes);
    run_folder_free(&run[0]);
    run_folder_free(&run[1]);
}

Test(two_runs, the_page_begins_with_both_runs_and_what_is_not_shared)
{
    make_run("a", "180", "3.5,1,1.2,choir");
    make_run("b", "360", "3.5,2.5,1.2,door");
    expect_status(RUN("report", "a", "b"), 0);
    const char *page = "a/report_b.html";
    cr_assert(eq(sz, count_in(page, "Two runs are compared"), 1));
    cr_assert(eq(sz, count_in(page, "data-key=\"differences.finding\""), 1));
    cr_assert(eq(sz, count_in(page, ">only in a: pulpit to choir<"), 1));
    cr_assert(eq(sz, count_in(page, ">only in b: pulpit to door<"), 1));
    cr_assert(eq(sz, count_in(page, "has: the octave of "), 1), "250 Hz is in b alone");
    cr_assert(eq(sz, count_in(page, "data-key=\"differences.pairs.1.octaves.edt_s.jnds.0\""), 1));
    cr_assert(eq(sz, count_in(page, "data-key=\"audio.band_hz\""), 1));
    cr_assert(eq(sz, count_in(page, "<audio"), 6));
}

Test(two_runs, of_runs_that_share_nothing_one_sentence_says_so)
{
    make_run("a", "180", "3.5,1,1.2,choir");
    write_box("other.obj", 4, 3, 2.5, true);
    expect_status(RUN("simulate", "other.obj", "--fmax", "180", "--duration", "0.3", "--absorption", "0.2",
                      "--source", "1,1,1.5,organ", "--receiver", "3,2,1.2,loft", "-o", "b", "--quiet"),
                  0);
    expect_status(RUN("report", "a", "b"), 0);
    cr_assert(eq(sz, count_in("a/report_b.html", "nothing in them can be compared"), 1));
    cr_assert(eq(sz, count_in("a/report_b.html", "class=\"figures differences\""), 0));
}

Test(two_runs, folders_of_one_name_differ_by_their_letters)
{
    cr_assert(mkdir("one", 0777) == 0 && mkdir("other", 0777) == 0);
    make_run("one/run", "180", "3.5,1,1.2,choir");
    make_run("other/run", "180", "3.5,2.5,1.2,door");
    expect_status(RUN("report", "one/run", "other/run", "-o", "page.html"), 0);
    cr_assert(eq(sz, count_in("page.html", ">only in A: pulpit to choir<"), 1));
    cr_assert(eq(sz, count_in("page.html", ">only in B: pulpit to door<"), 1));
}

/* At the second place clarity is 1.5 dB higher, at the first as much lower. */
static void write_clarities(const char *name, double first, double second)
{
    char record[600], path[80];
    cr_assert(eq(int, mkdir(name, 0777), 0));
    snprintf(record, sizeof record,
             "{\"command\": \"simulate\", \"format\": 1, \"fmax_hz\": 180, \"responses\": ["
             "{\"source\": \"s\", \"receiver\": \"r1\", \"octaves_hz\": [126], \"c80_db\": [%g]}, "
             "{\"source\": \"s\", \"receiver\": \"r2\", \"octaves_hz\": [126], \"c80_db\": [%g]}]}",
             first, second);
    snprintf(path, sizeof path, "%s/run.json", name);
    write_text(path, record);
}

Test(two_runs, a_mean_that_hides_what_is_noticed_says_at_how_many_places)
{
    write_clarities("a", 2, 2);
    write_clarities("b", 0.5, 3.5);
    expect_status(RUN("report", "a", "b"), 0);
    cr_assert(eq(sz, count_in("a/report_b.html", "data-key=\"differences.figures.0.noticed.0\""), 1));
    write_clarities("c", 3.5, 3.5);
    expect_status(RUN("report", "a", "c"), 0);
    cr_assert(eq(sz, count_in("a/report_c.html", "class=\"noticed\""), 0));
}

Test(two_runs, what_is_the_same_of_both_is_written_once)
{
    make_run("a", "180", "3.5,1,1.2,choir");
    make_run("b", "180", "3.5,2.5,1.2,door");
    make_run("c", "360", "3.5,2.5,1.2,door");
    expect_status(RUN("report", "a", "b"), 0);
    cr_assert(eq(sz, count_in("a/report_b.html", "<p class=\"what\">"), 1));
    cr_assert(eq(sz, count_in("a/report_b.html", "<table class=\"decision\""), 1));
    cr_assert(eq(sz, count_in("a/report_b.html", "<ol class=\"findings\">"), 2));
    expect_status(RUN("report", "a", "c"), 0);
    cr_assert(eq(sz, count_in("a/report_c.html", "<p class=\"what\">"), 1));
    cr_assert(eq(sz, count_in("a/report_c.html", "<table class=\"decision\""), 1));
    expect_status(RUN("report", "a", "a", "-o", "same.html"), 0);
    cr_assert(eq(sz, count_in("same.html", "<ol class=\"findings\">"), 1));
}
