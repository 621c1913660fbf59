#include "src/present/report/sections/report_page.h"

#include "src/response/acoustics/octave_edges.h"
#include "src/base/json_memory.h"
#include "src/draw/html.h"
#include "src/draw/table_html.h"
#include "src/present/report/report_text.h"
#include "src/present/report/sections/report_tables.h"
#include "src/base/words/words.h"
#include "src/run_folder/record_error.h"

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

void report_octave_heads(struct table *table, const struct json_numbers *octaves, const struct run_model *run)
{
    TABLE_HEADS(table, T("octave"));
    for (size_t b = 0; b < octaves->count; b++)
        report_octave_head(table, band_nominal(octaves->value[b]),
                           run != NULL && record_rays_hold(run, octaves->value[b]));
}

void report_octave_head(struct table *table, int nominal, bool rays)
{
    char text[32];
    snprintf(text, sizeof text, "%d&nbsp;Hz", nominal);
    table_head(table);
    table_words(table, text);
    if (!rays)
        return;
    table_words(table, " ");
    table_markup(table, "<small>");
    table_words(table, T("rays"));
    table_markup(table, "</small>");
}

void report_octave_cell(struct table *table, bool rays)
{
    table_cell(table, rays ? "rays" : NULL);
}

void report_table_unsure(struct table *table, bool unsure)
{
    if (!unsure)
        return;
    table_words(table, " ");
    table_markup(table, "<b>");
    table_words(table, "?");
    table_markup(table, "</b>");
}

void report_unsure_legend(FILE *page, bool unsure)
{
    char most[32];
    if (!unsure)
        return;
    snprintf(most, sizeof most, "%.0f", FIGURE_UNSURE);
    fputs("<p class=\"why\"><b>?</b>: ", page);
    fprintf(
        page,
        T("unsure: half or twice the scattering changes it by more than %s just noticeable differences. How "
          "surfaces scatter is not known, and the absorption is distributed unevenly."),
        most);
    fputs("</p>\n", page);
}

void report_rays_legend(FILE *page, bool rays, bool unsure)
{
    fprintf(page, "<p class=\"why\">%s%s%s</p>\n",
            rays ? T("Lighter, headed rays: octaves above those of the waves, computed by rays.") : "",
            rays ? " " : "",
            T("\xC2\xB1 is the error bar: nine of ten responses of such a room are within it."));
    report_unsure_legend(page, unsure);
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

static void put_style(FILE *page, const struct report *report)
{
    (void)report;
    fwrite(report_style, 1, report_style_bytes, page);
}

/* JSON in a script element, freed. */
static void put_json(FILE *page, const char *id, const cJSON *data)
{
    char *const text = cJSON_PrintUnformatted(data);
    fprintf(page, "<script type=\"application/json\" id=\"%s\">", id);
    html_json(page, text != NULL ? text : "");
    fputs("</script>\n", page);
    cJSON_free(text);
}

static void put_data(FILE *page, const struct report *report)
{
    put_json(page, "transept-data", report->data);
}

static void put_script(FILE *page, const struct report *report)
{
    cJSON *const words = words_of_script();
    (void)report;
    if (report_script_bytes > 0) {
        if (words != NULL)
            put_json(page, "transept-words", words);
        fputs("<script>\n", page);
        fwrite(report_script, 1, report_script_bytes, page);
        fputs("\n</script>\n", page);
    }
    cJSON_Delete(words);
}

static void put_page(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(page),
                {"language", .text = words_code[words_language()]}, {"version", .text = TRANSEPT_VERSION},
                {"has_maps", .holds = report_has_maps(report)}, {"style", .section = put_style},
                {"letterhead", .section = report_letterhead}, {"decision", .section = report_decision},
                {"summary", .section = report_summary}, {"places", .section = report_places},
                {"doubts", .section = report_doubts}, {"room", .section = report_room},
                {"listen", .section = report_listen}, {"differences", .section = report_differences},
                {"times", .section = report_times}, {"spectrum", .section = report_spectrum},
                {"maps", .section = report_maps}, {"energy", .section = report_energy},
                {"surfaces", .section = report_surfaces}, {"inputs", .section = report_inputs},
                {"run", .section = report_engineers}, {"words", .section = report_words},
                {"data", .section = put_data}, {"script", .section = put_script});
}

int report_page_write(FILE *page, const struct report *report, const struct report_sounds *sounds,
                      struct failure *failure)
{
    cJSON *const data = report_json(report);
    struct report filled = *report;
    filled.data = data;
    filled.sounds = sounds;
    if (data != NULL && !json_memory_ran_out())
        put_page(page, &filled);
    cJSON_Delete(data);
    return data == NULL || json_memory_ran_out() ? report_no_memory(failure) : 0;
}
