#include "src/present/report/sections/report_page.h"

#include "src/response/acoustics/octave_decay.h"
#include "src/base/json_memory.h"
#include "src/draw/html.h"
#include "src/draw/table_html.h"
#include "src/present/report/report_text.h"
#include "src/present/report/sections/report_tables.h"
#include "src/base/words/words.h"

/* Nothing from anywhere else; what is in the page itself may be shown, heard and run. */
#define POLICY                                                                                               \
    "default-src 'none'; img-src data: blob:; media-src data: blob:; style-src 'unsafe-inline'; script-src " \
    "'unsafe-inline'; base-uri 'none'; form-action 'none'"

void report_section_begin(FILE *page, const char *id, const char *title)
{
    fprintf(page, "\n<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", id, id,
            id, title);
}

void report_section_end(FILE *page)
{
    fputs("</section>\n", page);
}

void report_run_begin(FILE *page, const struct report *report, size_t run)
{
    if (report->runs < 2)
        return;
    if (run == 0)
        fputs("<div class=\"runs\">\n", page);
    fprintf(page, "<div class=\"run run-%zu\">\n<h3><span class=\"run-mark\">%c</span> ", run,
            'A' + (int)run);
    report_run_name(page, report, run);
    fputs("</h3>\n", page);
}

void report_run_end(FILE *page, const struct report *report)
{
    fputs(report->runs > 1 ? "</div>\n" : "", page);
}

void report_every_run(FILE *page, const struct report *report, report_part part)
{
    for (size_t r = 0; r < report->runs; r++) {
        report_run_begin(page, report, r);
        part(page, report, r);
        report_run_end(page, report);
    }
    report_run_end(page, report); /* of what stands beside each other */
}

void report_section(FILE *page, const struct report *report, const char *id, const char *title,
                    const char *lead, report_part part)
{
    report_section_begin(page, id, title);
    fprintf(page, "<p>%s</p>\n", lead);
    report_every_run(page, report, part);
    report_section_end(page);
}

void report_run_mark(FILE *page, size_t run)
{
    fprintf(page, "<b class=\"run-mark of-%zu\">%c</b>", run, 'A' + (int)run);
}

void report_run_name(FILE *page, const struct report *report, size_t run)
{
    html_string(page, report->run[run].name, "runs.%zu.name", run);
}

void report_marks_legend(FILE *page, unsigned marks)
{
    char text[FIGURE_MARKS_MAX];
    if (marks == 0)
        return;
    fputs("<p class=\"why\">", page);
    for (unsigned i = 0; i < FIGURE_MARKS; i++)
        if ((marks >> i & 1) != 0) {
            fprintf(page, "<b>%s</b>: ", figure_marks_text(1u << i, text));
            html_text(page, T(figure_mark_words[i]));
            fputs(". ", page);
        }
    fputs("</p>\n", page);
}

void report_octave_heads(struct table *table, const struct json_numbers *octaves)
{
    TABLE_HEADS(table, T("octave"));
    for (size_t b = 0; b < octaves->count; b++)
        report_octave_head(table, octave_nominal(octaves->value[b]));
}

void report_octave_head(struct table *table, int nominal)
{
    char text[32];
    snprintf(text, sizeof text, "%d&nbsp;Hz", nominal);
    table_head(table);
    table_words(table, text);
}

void report_table_run_mark(struct table *table, size_t run)
{
    char text[60];
    snprintf(text, sizeof text, "<b class=\"run-mark of-%zu\">", run);
    table_markup(table, text);
    table_words(table, run == 0 ? "A" : "B");
    table_markup(table, "</b>");
}

void report_table_marks(struct table *table, unsigned marks)
{
    char text[FIGURE_MARKS_MAX];
    table_marks(table, figure_marks_text(marks, text));
}

void report_table_put(FILE *page, const struct report *report, struct table *table, int run)
{
    table_html(page, table);
    if (report->tables != NULL)
        report_tables_add(report->tables, table, report->runs > 1 ? run : -1);
    table_free(table);
}

void report_response_name(FILE *page, const struct report *report, size_t run, size_t response)
{
    const struct record_response *record = report->run[run].responses.item[response].record;
    html_string(page, record->source, "runs.%zu.responses.%zu.source", run, response);
    fputs(T(" heard at "), page);
    html_string(page, record->receiver, "runs.%zu.responses.%zu.receiver", run, response);
}

static void put_head(FILE *page, const struct report *report)
{
    fprintf(page, "<!DOCTYPE html>\n<html lang=\"%s\">\n", words_code[words_language()]);
    fputs("<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"transept " TRANSEPT_VERSION "\">\n<title>",
          page);
    html_text(page, report->title);
    fputs("</title>\n<style>\n", page);
    fwrite(report_style, 1, report_style_bytes, page);
    fputs("\n</style>\n</head>\n", page);
}

static void put_navigation(FILE *page, const struct report *report)
{
    static const char *const section[][2] = {{"summary", T_LATER("Summary")},
                                             {"differences", T_LATER("Differences")},
                                             {"room", T_LATER("Room")},
                                             {"listen", T_LATER("Listen")},
                                             {"times", T_LATER("Figures")},
                                             {"spectrum", T_LATER("Spectrum")},
                                             {"maps", T_LATER("Maps")},
                                             {"energy", T_LATER("Energy")},
                                             {"surfaces", T_LATER("Surfaces")},
                                             {"engineers", T_LATER("For engineers")},
                                             {"words", T_LATER("What words mean")}};
    fprintf(page, "<nav aria-label=\"%s\"><ul>\n", T("Sections"));
    for (size_t i = 0; i < sizeof section / sizeof section[0]; i++) {
        if ((strcmp(section[i][0], "differences") == 0 && report->runs < 2) ||
            (strcmp(section[i][0], "maps") == 0 && !report_has_maps(report)))
            continue;
        fprintf(page, "<li><a href=\"#%s\">%s</a></li>\n", section[i][0], T(section[i][1]));
    }
    fputs("</ul></nav>\n", page);
}

static void put_sections(FILE *page, const struct report *report, const struct report_sounds *sounds)
{
    report_summary(page, report);
    report_differences(page, report);
    report_room(page, report);
    report_listen(page, report, sounds);
    report_times(page, report);
    report_spectrum(page, report);
    report_maps(page, report);
    report_energy(page, report);
    report_surfaces(page, report);
    report_engineers(page, report);
    report_words(page, report);
}

static void put_page(FILE *page, const struct report *report, const struct report_sounds *sounds)
{
    put_head(page, report);
    fprintf(page, "<body>\n<a class=\"skip\" href=\"#summary\">%s</a>\n<header>\n", T("To the summary"));
    report_letterhead(page, report);
    fputs("<h1>", page);
    html_string(page, report->title, "title");
    fputs("</h1>\n", page);
    put_navigation(page, report);
    fputs("</header>\n<main>\n", page);
    put_sections(page, report, sounds);
    fputs("</main>\n<footer><p>", page);
    fprintf(page, T("Made by transept %s. This page is complete: nothing in it is fetched from elsewhere."),
            TRANSEPT_VERSION);
    fputs("</p></footer>\n<script type=\"application/json\" id=\"transept-data\">", page);
}

/* What the script says, by its English. */
static void put_script_words(FILE *page)
{
    const struct words_table words = words_of_script();
    if (words.count == 0 || report_script_bytes == 0)
        return;
    fputs("<script type=\"application/json\" id=\"transept-words\">", page);
    for (size_t i = 0; i < words.count; i++)
        fprintf(page, "%s\"%s\":\"%s\"", i > 0 ? "," : "{", words.pair[i].english, words.pair[i].other);
    fputs("}</script>\n", page);
}

int report_page_write(FILE *page, const struct report *report, const struct report_sounds *sounds,
                      struct failure *failure)
{
    cJSON *data = report_json(report);
    char *text = data != NULL && !json_memory_ran_out() ? cJSON_PrintUnformatted(data) : NULL;
    cJSON_Delete(data);
    if (text == NULL)
        return failure_memory(failure, 0, "the data of a report");
    put_page(page, report, sounds);
    html_json(page, text);
    cJSON_free(text);
    fputs("</script>\n", page);
    put_script_words(page);
    if (report_script_bytes > 0) {
        fputs("<script>\n", page);
        fwrite(report_script, 1, report_script_bytes, page);
        fputs("\n</script>\n", page);
    }
    fputs("</body>\n</html>\n", page);
    return json_memory_ran_out() ? failure_memory(failure, 0, "the tables of a report") : 0;
}
