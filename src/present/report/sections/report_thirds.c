/* Figures by third octave, with frequencies down the rows: the means of a run, and each response. */
#include <math.h>

#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"
#include "src/response/signal/band_filters.h"

/* What a table is of, and the place of its values in the data. */
struct thirds {
    const struct json_numbers *centres;
    const struct figure_values *values;
    const struct json_texts *marks;
    char key[80];
};

static void put_thirds(FILE *page, const struct report *report, size_t run, const struct thirds *of,
                       struct table *table)
{
    unsigned marks = 0;
    TABLE_HEADS(table, T("third"));
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        table_head(table);
        table_explained(table, T(figure_kind[f].word), T(figure_kind[f].meaning));
        table_words(table, figure_kind[f].unit[0] != '\0' ? " " : "");
        table_words(table, figure_kind[f].unit);
    }
    for (size_t b = 0; b < of->centres->count; b++) {
        const char *own = json_text_of(of->marks, b);
        table_row(table, NULL);
        report_octave_head(table, band_nominal(of->centres->value[b]), false);
        marks |= own != NULL ? figure_marks_read(own) : 0;
        for (int f = 0; f < PRESSURE_FIGURES; f++) {
            table_cell(table, NULL);
            if (table_number(table, figure_values_octave(of->values, (enum figure)f, b),
                             figure_kind[f].decimals, 1, "%s.%s.%zu", of->key, figure_kind[f].name, b) &&
                figure_is_marked((enum figure)f) && own != NULL)
                table_marks(table, own);
        }
    }
    report_table_put(page, report, table, (int)run);
    report_marks_legend(page, marks);
}

void report_thirds(FILE *page, const struct report *report, size_t run)
{
    const struct record_means *means = report->run[run].model->means;
    const struct record_means *thirds = means != NULL ? means->thirds : NULL;
    struct table table;
    if (thirds == NULL || thirds->octaves.count == 0)
        return;
    struct thirds of = {&thirds->octaves, &thirds->mean, &thirds->marks, ""};
    snprintf(of.key, sizeof of.key, "runs.%zu.run.means.thirds", run);
    table_begin(&table, "figures");
    table_name(&table, "thirds");
    table_words(&table, T("Means by third octave"));
    put_thirds(page, report, run, &of, &table);
    if (report->run[run].model->rays != NULL)
        fprintf(page, "<p class=\"why\">%s</p>\n",
                T("Thirds end with the waves: rays are traced in octaves, and a third of them would be the "
                  "octave's figure once more."));
}

void report_response_thirds(FILE *page, const struct report *report, size_t run, size_t index)
{
    const struct record_response *record = report->run[run].responses.item[index].record;
    const struct record_response *thirds = record->thirds;
    struct table table;
    if (thirds == NULL || thirds->octaves.count == 0)
        return;
    struct thirds of = {&thirds->octaves, &thirds->figures, &thirds->marks, ""};
    snprintf(of.key, sizeof of.key, "runs.%zu.responses.%zu.thirds", run, index);
    table_begin(&table, "figures");
    table_name(&table, "thirds_%s_%s", record->source, record->receiver);
    table_string(&table, record->source, "runs.%zu.responses.%zu.source", run, index);
    table_words(&table, T(" heard at "));
    table_string(&table, record->receiver, "runs.%zu.responses.%zu.receiver", run, index);
    table_words(&table, T(", by third octave"));
    put_thirds(page, report, run, &of, &table);
}
