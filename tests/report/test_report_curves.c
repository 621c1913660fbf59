/** The curves of a page: true to the response's file, distinct in grey. */
#define _XOPEN_SOURCE 700
#include "geometry/base/base64.h"
#include "src/draw/svg_plot.h"
#include "src/run_folder/run_folder.h"
#include "src/present/report/report_response.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(report_curves, .init = enter_folder, .fini = leave_folder);

/* ---- waveforms ---- */

/* Every sample of `count` from `first` on lies in its stretch, and both ends of a stretch are samples of it.
 */
static void check_stretches(const struct report_stretches *made, const char *name, const float *sample,
                            size_t first, size_t count)
{
    const float *low = made->low.data, *high = made->high.data;
    const size_t stretches = made->low.size / sizeof *low, width = (size_t)lround(made->step * 48000);
    cr_assert(eq(sz, made->high.size, made->low.size));
    cr_assert(eq(sz, (size_t)lround(made->from * 48000), first));
    cr_assert(eq(sz, stretches, (count + width - 1) / width), "%s", name);
    for (size_t s = 0; s < stretches; s++) {
        float least = INFINITY, most = -INFINITY;
        for (size_t n = s * width; n < (s + 1) * width && n < count; n++) {
            least = fminf(least, sample[first + n]);
            most = fmaxf(most, sample[first + n]);
        }
        cr_assert(low[s] == least && high[s] == most, "%s: stretch %zu of %zu", name, s, stretches);
    }
}

/* The curves of a response with an empty record. */
static struct report_response *make_curves(const float *sample, size_t count, double onset)
{
    static struct record_response record;
    struct report_response *response = json_make(&report_response_table);
    json_clear(&record_response_table, &record);
    response->record = &record;
    MUST(report_response_add(response, sample, count, 355, onset, 50, &failure));
    return response;
}

static void free_curves(struct report_response *response)
{
    json_free_members(&report_response_table, response);
    free(response);
}

Test(report_curves, every_stretch_of_a_waveform_has_the_extremes_of_the_file)
{
    static const size_t length[] = {30, 799, 800, 801, 4799, 5000, 24001};
    float sample[24001];
    uint64_t state = 3;
    for (size_t n = 0; n < 24001; n++) /* single crests between small ones, which decimation would lose */
        sample[n] = (float)((double)(test_random(&state) % 2001) - 1000) * (n % 97 == 0 ? 1e-3F : 1e-6F);
    for (size_t i = 0; i < sizeof length / sizeof length[0]; i++)
        for (int late = 0; late < 2; late++) {
            const double onset = late * 0.02, from = fmax(0, onset - 0.1 * REPORT_WAVEFORM) * 48000;
            const size_t first = (size_t)from < length[i] ? (size_t)from : length[i];
            const size_t there = length[i] - first, most = (size_t)(REPORT_WAVEFORM * 48000);
            struct report_response *response = make_curves(sample, length[i], onset);
            check_stretches(response->whole, "whole", sample, 0, length[i]);
            check_stretches(response->waveform, "waveform", sample, first, there < most ? there : most);
            free_curves(response);
        }
}

Test(report_curves, a_spectrum_begins_where_a_response_is_right)
{
    float sample[4800] = {[100] = 1};
    struct report_response *response = make_curves(sample, 4800, 0.002);
    cr_assert(eq(dbl, response->spectrum->frequency.value[0], 30),
              "response.h documents from where it is right");
    free_curves(response);
}

/* RFC 4648, section 10. */
Test(report_curves, base64_is_that_of_its_standard)
{
    static const char *const expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t size = 0; size <= 6; size++) {
        char *text = base64_text("foobar", size);
        cr_assert(eq(str, text, (char *)expected[size]));
        free(text);
    }
    char *high = base64_text("\xFB\xFF\xBE", 3);
    cr_assert(eq(str, high, "+/++"));
    free(high);
}

/* ---- drawings ---- */

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

static char *make_page(const char *fmax_hz)
{
    expect_status(RUN("room", "cube", "-o", "cube.obj", "--quiet"), 0);
    expect_status(RUN("simulate", "cube.obj", "--fmax", fmax_hz, "--source", "0.7,0.8,1.5", "--receiver",
                      "2,2,1.2", "-o", "run", "--quiet"),
                  0);
    expect_status(RUN("report", "run"), 0);
    return read_text("run/report.html");
}

Test(report_curves, decays_differ_in_grey_and_their_lines_end_in_dots)
{
    char *page = make_page("360");
    char *begin = strstr(page, "<figure id=\"decay-figure\">");
    cr_assert(begin != NULL);
    *strstr(begin, "</figure>") = '\0';
    const size_t octaves = count_of(begin, "<li>"), lines = count_of(begin, "s, read from ");
    cr_assert(eq(sz, octaves, 3));
    cr_assert(lines > 0);
    cr_assert(eq(sz, count_of(begin, "class=\"line\""), octaves + lines));
    cr_assert(eq(sz, count_of(begin, "circle class=\"end\""), 2 * lines));
    cr_assert(eq(sz, count_of(begin, "<figcaption>"), 1));
    char dashes[60]; /* of the second octave, in the drawing and in the key */
    snprintf(dashes, sizeof dashes, "stroke-dasharray=\"%s\"", svg_dashes(1));
    cr_assert(eq(sz, count_of(begin, dashes), 2));
    for (size_t a = 0; a < SVG_DASHES; a++)
        for (size_t b = 0; b < a; b++)
            cr_assert(svg_dashes(b) == NULL || strcmp(svg_dashes(a), svg_dashes(b)) != 0);
}

Test(report_curves, responses_are_drawn_without_script_and_decays_only_where_there_are_octaves)
{
    char *page = make_page("70");
    static const char *const figure[] = {"waveform-figure", "whole-figure", "level-figure",
                                         "spectrum-figure"};
    for (int i = 0; i < 4; i++) {
        char words[60];
        snprintf(words, sizeof words, "<figure id=\"%s\">", figure[i]);
        char *begin = strstr(page, words);
        cr_assert(begin != NULL, "%s", figure[i]);
        char *end = strstr(begin, "</figure>");
        *end = '\0';
        cr_assert(eq(sz, count_of(begin, "class=\"line\""), 1), "%s", figure[i]);
        cr_assert(eq(sz, count_of(begin, "<figcaption>"), 1), "%s", figure[i]);
        /* Below the axis two marks at least and its name; that of the other axis is beside it. */
        cr_assert(count_of(begin, "text-anchor=\"middle\"") >= 4, "%s has too few marks", figure[i]);
        *end = '<';
    }
    cr_assert(strstr(page, "id=\"decay-figure\"") == NULL);
}
