/* Reverberation times in all octaves up to 4 kHz: simulated, expected above by statistics, and allowed for
 * the requested use. */
#include <math.h>

#include "src/response/acoustics/octave_decay.h"
#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

#define WIDTH  680.0
#define HEIGHT 300.0

enum { BLUE = 0, ORANGE = 1, GREEN = 2, BLACK = 6 }; /* of svg_colour() */
#define DASHED svg_dashes(1)
#define DOTTED svg_dashes(2)

static const struct report_statistics *statistics_of(const struct report *report, size_t run)
{
    return report->run[run].statistics;
}

/* ---- the table ---- */

static void add_row(struct table *table, const char *class, const char *word,
                    const struct json_numbers *values, size_t octaves, size_t run, const char *key,
                    const struct json_texts *marks)
{
    table_row(table, class);
    table_head(table);
    table_words(table, T(word));
    for (size_t b = 0; b < octaves; b++) {
        const char *mark = marks != NULL ? json_text_of(marks, b) : NULL;
        table_cell(table, NULL);
        if (table_number(table, json_number_of(values, b), 2, 1, "runs.%zu.%s.%zu", run, key, b) &&
            mark != NULL)
            table_marks(table, mark);
    }
}

static void add_verdicts(struct table *table, const struct report_tolerance *tolerance, size_t octaves,
                         size_t run)
{
    table_row(table, "verdicts");
    table_head(table);
    table_words(table, T("met?"));
    for (size_t b = 0; b < octaves; b++)
        TABLE_WORD_CELL(table, json_text_of(&tolerance->verdict, b), "runs.%zu.tolerance.verdicts.%zu", run,
                        b);
}

static void put_table(FILE *page, const struct report *report, size_t run)
{
    const struct report_statistics *of = statistics_of(report, run);
    const struct report_tolerance *tolerance = report->run[run].tolerance;
    const size_t octaves = of->octaves.count;
    struct table table;
    table_begin(&table, "figures");
    table_name(&table, "statistics");
    table_words(
        &table,
        T("Reverberation time in seconds by octave; simulated: the mean of T30, or where few responses "
          "have it of T20"));
    report_octave_heads(&table, &of->octaves);
    add_row(&table, NULL, T_LATER("simulated"), &of->simulated, octaves, run, "statistics.simulated_s",
            &of->marks);
    if (of->missing && of->why == NULL) {
        add_row(&table, "statistic", T_LATER("by Sabine"), &of->sabine_scaled, octaves, run,
                "statistics.sabine_scaled_s", NULL);
        add_row(&table, "statistic", T_LATER("by Eyring"), &of->eyring_scaled, octaves, run,
                "statistics.eyring_scaled_s", NULL);
    }
    if (tolerance != NULL) {
        add_row(&table, NULL, T_LATER("at least"), &tolerance->low, octaves, run, "tolerance.low_s", NULL);
        add_row(&table, NULL, T_LATER("at most"), &tolerance->high, octaves, run, "tolerance.high_s", NULL);
        add_verdicts(&table, tolerance, octaves, run);
    }
    report_table_put(page, report, &table, (int)run);
}

/* ---- the drawing ---- */

static double largest_of(const struct json_numbers *numbers, double most)
{
    for (size_t i = 0; i < numbers->count; i++)
        most = isfinite(numbers->value[i]) ? fmax(most, numbers->value[i]) : most;
    return most;
}

static void put_line(struct svg_plot *plot, size_t colour, const char *dashes,
                     const struct json_numbers *octaves, const struct json_numbers *times,
                     void (*mark)(struct svg_plot *plot, size_t colour, double x, double y),
                     const char *label)
{
    svg_plot_line(plot, colour, dashes, 1.8, octaves->value, times->value,
                  times->count < octaves->count ? times->count : octaves->count);
    for (size_t b = 0; mark != NULL && b < times->count; b++)
        mark(plot, colour, octaves->value[b], times->value[b]);
    svg_plot_key(plot, colour, dashes, T(label));
}

static void put_drawing(FILE *page, const struct report *report, size_t run)
{
    const struct report_statistics *of = statistics_of(report, run);
    const struct report_tolerance *tolerance = report->run[run].tolerance;
    double most = largest_of(&of->simulated, 0);
    most = largest_of(&of->sabine_scaled, largest_of(&of->eyring_scaled, most));
    if (tolerance != NULL)
        most = largest_of(&tolerance->high, most);
    if (!(most > 0))
        return;
    struct svg_plot plot = {.page = page,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .x = {.low = 44,
                                  .high = 1.42 * of->octaves.value[of->octaves.count - 1],
                                  .octaves = true,
                                  .label = T("octave [Hz]")},
                            .y = {.low = 0, .high = 1.1 * most, .label = T("reverberation time [s]")}};
    svg_plot_begin(&plot, T("Reverberation time by octave: simulated, and by statistics for other octaves"));
    put_line(&plot, BLUE, NULL, &of->octaves, &of->simulated, svg_plot_dot, T_LATER("simulated"));
    if (of->missing && of->why == NULL) {
        put_line(&plot, ORANGE, DASHED, &of->octaves, &of->sabine_scaled, svg_plot_hollow,
                 T_LATER("by Sabine"));
        put_line(&plot, GREEN, DASHED, &of->octaves, &of->eyring_scaled, svg_plot_hollow,
                 T_LATER("by Eyring"));
    }
    if (tolerance != NULL) {
        put_line(&plot, BLACK, DOTTED, &of->octaves, &tolerance->low, NULL, T_LATER("at least"));
        put_line(&plot, BLACK, DOTTED, &of->octaves, &tolerance->high, NULL, T_LATER("at most"));
    }
    svg_plot_end(&plot);
}

/* ---- all ---- */

/* Below this frequency sound is not mixed, so absorption there does not predict that above [Hz]. */
#define WELL_MIXED 125.0

void report_expected(FILE *page, const struct report *report, size_t run)
{
    const struct report_statistics *of = statistics_of(report, run);
    if (of == NULL || (!of->missing && report->run[run].tolerance == NULL))
        return;
    bool marked = false;
    for (size_t b = 0; b < of->marks.count; b++)
        marked = marked || of->marks.text[b] != NULL;
    REPORT_FILL(page, report, run, REPORT_TEMPLATE(expected), {"table", .part = put_table},
                {"drawing", .part = put_drawing}, {"missing", .holds = of->missing},
                {"marked", .holds = marked}, {"few_modes", .holds = of->scaled_at < WELL_MIXED});
}
