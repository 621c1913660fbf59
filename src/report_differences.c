#include <math.h>

#include "src/acoustic_figures.h"
#include "src/html.h"
#include "src/report_page.h"

/* Decimals of a figure by its name in JSON. */
static int decimals_of(const char *name)
{
    for (int f = 0; name != NULL && f < ACOUSTIC_FIGURES; f++)
        if (strcmp(acoustic_figure_kind[f].name, name) == 0)
            return acoustic_figure_kind[f].decimals;
    return 2;
}

static void put_cell(FILE *page, const struct report *report, int figure, int octave, int decimals)
{
    const cJSON *root = report->root;
    char key[80];
    snprintf(key, sizeof key, "differences.figures.%d.jnds.%d", figure, octave);
    const double difference = fabs(record_number(root, key));
    fprintf(page, "<td class=\"%s\">", !(difference >= 1) ? "alike" : difference >= 3 ? "very" : "noticed");
    if (html_number(page, root, decimals, 1, "differences.figures.%d.difference.%d", figure, octave)) {
        fputs(" <small>(", page);
        html_number(page, root, 1, 1, "%s", key);
        fputs(")</small>", page);
    }
    fputs("</td>", page);
}

static void put_words(FILE *page, const struct report *report)
{
    const double most = fabs(record_number(report->root, "differences.largest.jnds"));
    fputs("<p>", page);
    html_count(page, report->root, "differences.matched");
    fputs(" responses have the same names in both runs and are compared, B less A. A difference of 1 in "
          "brackets is just "
          "noticed. ",
          page);
    if (!isfinite(most)) {
        fputs("There is no figure that both runs have.</p>\n", page);
        return;
    }
    fputs(most < 1 ? "None would be noticed; the largest is " : "The largest is ", page);
    html_string(page, report->root, "differences.largest.word");
    fputs(" at ", page);
    html_number(page, report->root, 0, 1, "differences.largest.octave_hz");
    fputs(" Hz, ", page);
    html_number(page, report->root, 1, 1, "differences.largest.jnds");
    fputs(" times what is just noticed.</p>\n", page);
}

/* What a listener would notice, and what was changed. */
static void put_changes(FILE *page, const struct report *report)
{
    const int count = cJSON_GetArraySize(report_at(report, "differences.changes"));
    if (report_at(report, "differences.finding") != NULL) {
        fputs("<p class=\"finding\">In short: ", page);
        html_string(page, report->root, "differences.finding");
        fputs("</p>\n", page);
    }
    if (count == 0)
        return;
    fputs("<p>What differs in the set-up, A before B:</p>\n<ul class=\"changes\">\n", page);
    for (int i = 0; i < count; i++) {
        const bool caution = cJSON_IsTrue(report_at(report, "differences.changes.%d.caution", i));
        fputs(caution ? "<li class=\"warning\">" : "<li>", page);
        html_string(page, report->root, "differences.changes.%d.words", i);
        fputs("</li>\n", page);
    }
    fputs("</ul>\n", page);
}

void report_differences(FILE *page, const struct report *report)
{
    if (report->runs < 2)
        return;
    report_section_begin(page, "differences", "Differences");
    put_changes(page, report);
    put_words(page, report);
    const cJSON *octave, *figures = report_at(report, "differences.figures");
    fputs("<table class=\"figures\">\n<caption>B less A, means over the pairs; in brackets, just noticeable "
          "differences"
          "</caption>\n<thead><tr><th scope=\"col\">octave</th>",
          page);
    cJSON_ArrayForEach(octave, report_at(report, "differences.octaves_hz"))
        fprintf(page, "<th scope=\"col\">%.0f&nbsp;Hz</th>", octave->valuedouble);
    fputs("</tr></thead>\n<tbody>\n", page);
    for (int f = 0; f < cJSON_GetArraySize(figures); f++) {
        const cJSON *figure = cJSON_GetArrayItem(figures, f);
        fputs("<tr><th scope=\"row\">", page);
        html_string(page, report->root, "differences.figures.%d.word", f);
        fputs(" ", page);
        html_text(page, record_text(figure, "unit"));
        fputs("</th>", page);
        for (int b = 0; b < cJSON_GetArraySize(record_at(figure, "difference")); b++)
            put_cell(page, report, f, b, decimals_of(record_text(figure, "name")));
        fputs("</tr>\n", page);
    }
    fputs("</tbody>\n</table>\n", page);
    report_section_end(page);
}
