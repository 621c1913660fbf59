#include "src/report/sections/report_difference_tables.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "src/acoustics/figure_table.h"
#include "src/draw/html.h"

#define PLAIN 3.0 /* [JND] and more is noticed by anybody */
#define KEY   160

const cJSON *report_difference_at(const struct report *report, const char *key, ...)
{
    static const char root[] = "differences.";
    char text[KEY];
    va_list values;
    va_start(values, key);
    vsnprintf(text, sizeof text, key, values);
    va_end(values);
    return strncmp(text, root, sizeof root - 1) == 0 ? record_at(report->differences, text + sizeof root - 1)
                                                     : NULL;
}

bool report_difference_number(FILE *page, const struct report *report, int decimals, const char *key, ...)
{
    char text[KEY];
    va_list values;
    va_start(values, key);
    vsnprintf(text, sizeof text, key, values);
    va_end(values);
    return html_number(page, record_number(report_difference_at(report, "%s", text), ""), decimals, 1, "%s",
                       text);
}

bool report_difference_string(FILE *page, const struct report *report, const char *key, ...)
{
    char text[KEY];
    va_list values;
    va_start(values, key);
    vsnprintf(text, sizeof text, key, values);
    va_end(values);
    return html_string(page, record_text(report_difference_at(report, "%s", text), ""), "%s", text);
}

/* Decimals of a figure by its name in JSON. */
static int decimals_of(const char *name)
{
    for (int f = 0; name != NULL && f < ALL_FIGURES; f++)
        if ((figure_kind[f].name != NULL && strcmp(figure_kind[f].name, name) == 0) ||
            (figure_kind[f].single != NULL && strcmp(figure_kind[f].single, name) == 0))
            return figure_kind[f].decimals;
    return 2;
}

/* Where one value stands: `at`.first`tail`, at.second`tail`.. */
struct place {
    const char *at, *tail;
};

static double number_at(const struct report *report, const struct place *place, const char *name)
{
    char key[KEY];
    snprintf(key, sizeof key, "%s.%s%s", place->at, name, place->tail);
    return record_number(report_difference_at(report, "%s", key), "");
}

static bool is_uncertain(const struct report *report, const struct place *place)
{
    return cJSON_IsFalse(report_difference_at(report, "%s.certain%s", place->at, place->tail));
}

/* "+1.2 (3.4) **" */
static void put_difference(FILE *page, const struct report *report, const struct place *place, int decimals)
{
    const double difference = number_at(report, place, "difference");
    const double jnds = fabs(number_at(report, place, "jnds"));
    fputs(difference > 0 ? "+" : "", page);
    if (!report_difference_number(page, report, decimals, "%s.difference%s", place->at, place->tail))
        return;
    if (isfinite(jnds)) {
        fputs(" <small>(", page);
        report_difference_number(page, report, 1, "%s.jnds%s", place->at, place->tail);
        fprintf(page, ")%s</small>", jnds >= PLAIN ? " <b>**</b>" : jnds >= 1 ? " <b>*</b>" : "");
    }
    fputs(is_uncertain(report, place) ? " <b>?</b>" : "", page);
}

/* Where a mean hides what is noticed at single places, how many they are. */
static void put_noticed(FILE *page, const struct report *report, const struct place *place)
{
    if (!(fabs(number_at(report, place, "jnds")) < 1) || !(number_at(report, place, "noticed") > 0))
        return;
    fputs(" <small class=\"noticed\">but * at ", page);
    report_difference_number(page, report, 0, "%s.noticed%s", place->at, place->tail);
    fputs(" of ", page);
    report_difference_number(page, report, 0, "%s.pairs%s", place->at, place->tail);
    fputs("</small>", page);
}

static void put_octave_cell(FILE *page, const struct report *report, const struct place *place, int decimals,
                            int of)
{
    const double places = number_at(report, place, "pairs");
    fputs("<td>", page);
    if (isfinite(number_at(report, place, "difference"))) {
        fputs("<small class=\"both\">", page);
        report_difference_number(page, report, decimals, "%s.first%s", place->at, place->tail);
        fputs(" \xE2\x86\x92 ", page);
        report_difference_number(page, report, decimals, "%s.second%s", place->at, place->tail);
        fputs("</small> ", page);
    }
    put_difference(page, report, place, decimals);
    if (places > 0 && places < of)
        fprintf(page, " <small>%.0f of %d places</small>", places, of);
    put_noticed(page, report, place);
    fputs("</td>", page);
}

static void put_row(FILE *page, const struct report *report, const char *at, const char *word,
                    const char *unit, int decimals, int of)
{
    fputs("<tr><th scope=\"row\">", page);
    html_text(page, word);
    fputs(unit[0] != '\0' ? " " : "", page);
    html_text(page, unit);
    fputs("</th>", page);
    for (int b = 0; b < cJSON_GetArraySize(report_difference_at(report, "differences.octaves_hz")); b++) {
        char tail[16];
        snprintf(tail, sizeof tail, ".%d", b);
        put_octave_cell(page, report, &(struct place){at, tail}, decimals, of);
    }
    fputs("</tr>\n", page);
}

static void begin_table(FILE *page, const struct report *report)
{
    const cJSON *octave;
    fputs("</caption>\n<thead><tr><th scope=\"col\">octave</th>", page);
    cJSON_ArrayForEach(octave, report_difference_at(report, "differences.octaves_hz"))
        fprintf(page, "<th scope=\"col\">%.0f&nbsp;Hz</th>", octave->valuedouble);
    fputs("</tr></thead>\n<tbody>\n", page);
}

void report_difference_table(FILE *page, const struct report *report, const char *at, int of, bool expected,
                             const char *what)
{
    static const char *const formula[2][2] = {{"sabine_s", "Sabine"}, {"eyring_s", "Eyring"}};
    char key[KEY];
    fprintf(page, "<table class=\"figures differences\">\n<caption>%s", what);
    begin_table(page, report);
    for (int f = 0; f < cJSON_GetArraySize(report_difference_at(report, "%s", at)); f++) {
        const cJSON *figure = report_difference_at(report, "%s.%d", at, f);
        snprintf(key, sizeof key, "%s.%d", at, f);
        put_row(page, report, key, record_text(figure, "word"), record_text(figure, "unit"),
                decimals_of(record_text(figure, "name")), of);
    }
    for (int e = 0; expected && e < 2; e++) {
        snprintf(key, sizeof key, "differences.expected.%s", formula[e][0]);
        put_row(page, report, key, formula[e][1], "s", 2, 0);
    }
    fputs("</tbody>\n</table>\n", page);
}

void report_difference_pair(FILE *page, const struct report *report, int pair)
{
    const cJSON *figure;
    fputs("<table class=\"figures differences\">\n<caption>", page);
    report_difference_string(page, report, "differences.pairs.%d.source", pair);
    fputs(" heard at ", page);
    report_difference_string(page, report, "differences.pairs.%d.receiver", pair);
    begin_table(page, report);
    cJSON_ArrayForEach(figure, report_difference_at(report, "differences.figures"))
    {
        const char *name = record_text(figure, "name");
        char key[KEY];
        snprintf(key, sizeof key, "differences.pairs.%d.octaves.%s", pair, name);
        put_row(page, report, key, record_text(figure, "word"), record_text(figure, "unit"),
                decimals_of(name), 0);
    }
    fputs("</tbody>\n</table>\n", page);
}

void report_difference_singles(FILE *page, const struct report *report)
{
    const int count = cJSON_GetArraySize(report_difference_at(report, "differences.single_numbers"));
    if (count == 0)
        return;
    fputs(
        "<table class=\"singles\">\n<caption>Single numbers, means over the places</caption>\n<thead><tr><th "
        "scope=\"col\">figure</th><th scope=\"col\">A</th><th scope=\"col\">B</th><th scope=\"col\">B less A "
        "(JND)</th></tr></thead>\n<tbody>\n",
        page);
    for (int i = 0; i < count; i++) {
        char at[KEY];
        const cJSON *figure = report_difference_at(report, "differences.single_numbers.%d", i);
        const char *unit = record_text(figure, "unit");
        const int decimals = decimals_of(record_text(figure, "name"));
        snprintf(at, sizeof at, "differences.single_numbers.%d", i);
        fputs("<tr><th scope=\"row\">", page);
        report_difference_string(page, report, "%s.word", at);
        fprintf(page, " %s</th><td>", unit);
        report_difference_number(page, report, decimals, "%s.first", at);
        fputs("</td><td>", page);
        report_difference_number(page, report, decimals, "%s.second", at);
        fputs("</td><td>", page);
        put_difference(page, report, &(struct place){at, ""}, decimals);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody>\n</table>\n", page);
}
