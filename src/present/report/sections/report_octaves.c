/* Reverberation times by octave, of waves and of rays, with those that the requested use allows; and how the
 * rays fit the waves. */
#include <math.h>

#include "src/response/acoustics/octave_edges.h"
#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

#define WIDTH  680.0
#define HEIGHT 300.0

enum { BLUE = 0, ORANGE = 1, BLACK = 6 }; /* of svg_colour() */
#define DASHED svg_dashes(1)
#define DOTTED svg_dashes(2)

static const struct report_octave_times *times_of(const struct report *report, size_t run)
{
    return report->run[run].octave_times;
}

/* ---- the table ---- */

static void add_limits(struct table *table, const char *word, const struct json_numbers *values,
                       size_t octaves, size_t run, const char *key)
{
    TABLE_ROW_WORDS(table, T(word));
    for (size_t b = 0; b < octaves; b++)
        TABLE_NUMBER_CELL(table, json_number_of(values, b), 2, 1, "runs.%zu.tolerance.%s.%zu", run, key, b);
}

static void add_times(struct table *table, const struct report_octave_times *of, size_t run)
{
    TABLE_ROW_WORDS(table, T("time"));
    for (size_t b = 0; b < of->octaves.count; b++) {
        const double error = json_number_of(&of->error, b);
        const char *marks = json_text_of(&of->marks, b);
        report_octave_cell(table, same_name(json_text_of(&of->from, b), "rays"));
        if (table_number(table, json_number_of(&of->time, b), 2, 1, "runs.%zu.octave_times.time_s.%zu", run,
                         b) &&
            marks != NULL)
            table_marks(table, marks);
        if (!isfinite(error))
            continue;
        table_words(table, " \xC2\xB1");
        table_number(table, error, 2, 1, "runs.%zu.octave_times.time_s_error.%zu", run, b);
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

static bool has_times(const struct report_octave_times *of)
{
    for (size_t b = 0; b < of->time.count; b++)
        if (isfinite(of->time.value[b]))
            return true;
    return false;
}

static void put_table(FILE *page, const struct report *report, size_t run)
{
    const struct report_octave_times *of = times_of(report, run);
    const struct report_tolerance *tolerance = report->run[run].tolerance;
    const size_t octaves = of->octaves.count;
    struct table table;
    if (tolerance == NULL && (!has_times(of) || (!of->missing && report->run[run].responses.count > 0)))
        return;
    table_begin(&table, "figures");
    table_name(&table, "octave_times");
    table_words(&table,
                T("Reverberation time in seconds by octave: the mean of T30, or where few responses have "
                  "it of T20"));
    report_octave_heads(&table, &of->octaves, report->run[run].model);
    add_times(&table, of, run);
    if (tolerance != NULL) {
        add_limits(&table, T_LATER("at least"), &tolerance->low, octaves, run, "low_s");
        add_limits(&table, T_LATER("at most"), &tolerance->high, octaves, run, "high_s");
        add_verdicts(&table, tolerance, octaves, run);
    }
    report_table_put(page, report, &table, (int)run);
}

/* ---- the drawing ---- */

static double largest_of(const struct json_numbers *numbers, const struct json_numbers *above, double most)
{
    for (size_t i = 0; i < numbers->count; i++) {
        const double more = json_number_of(above, i);
        if (isfinite(numbers->value[i]))
            most = fmax(most, numbers->value[i] + (isfinite(more) ? more : 0));
    }
    return most;
}

/* The octaves of the waves, dots on a line; or those of the rays with their error bars, lighter: hollow dots
 * on dashes, which begin at the last octave of the waves. */
static void put_times(struct svg_plot *plot, const struct report_octave_times *of, bool rays)
{
    double time[OCTAVE_BANDS_MAX];
    const size_t count = of->octaves.count;
    bool any = false;
    for (size_t b = 0; b < count; b++) {
        const bool mine = same_name(json_text_of(&of->from, b), rays ? "rays" : "waves");
        const bool next = rays && b + 1 < count && same_name(json_text_of(&of->from, b + 1), "rays");
        time[b] = mine || next ? json_number_of(&of->time, b) : NAN;
        any = any || (mine && isfinite(time[b]));
    }
    if (!any)
        return;
    if (rays)
        svg_plot_faint_begin(plot);
    svg_plot_line(plot, BLUE, rays ? DASHED : NULL, 1.8, of->octaves.value, time, count);
    for (size_t b = 0; b < count; b++) {
        const double error = json_number_of(&of->error, b);
        if (!same_name(json_text_of(&of->from, b), rays ? "rays" : "waves"))
            continue;
        if (isfinite(error))
            svg_plot_bar(plot, BLUE, of->octaves.value[b], time[b] - error, time[b] + error);
        if (rays)
            svg_plot_hollow(plot, BLUE, of->octaves.value[b], time[b]);
        else
            svg_plot_dot(plot, BLUE, of->octaves.value[b], time[b]);
    }
    svg_plot_key(plot, BLUE, rays ? DASHED : NULL, rays ? T("rays") : T("waves"));
    if (rays)
        svg_plot_faint_end(plot);
}

/* T30 by third, or T20 where most have no T30; nothing without thirds. */
static const struct json_numbers *third_times(const struct run_model *model)
{
    const struct record_means *thirds = model->means != NULL ? model->means->thirds : NULL;
    size_t known = 0;
    if (thirds == NULL)
        return NULL;
    const struct json_numbers *time = &thirds->mean.octave[FIGURE_T30];
    for (size_t b = 0; b < time->count; b++)
        known += isfinite(time->value[b]);
    return 2 * known >= time->count ? time : &thirds->mean.octave[FIGURE_T20];
}

static void put_thirds(struct svg_plot *plot, const struct run_model *model)
{
    const struct json_numbers *time = third_times(model);
    if (time == NULL || time->count == 0)
        return;
    const struct json_numbers *centre = &model->means->thirds->octaves;
    svg_plot_line(plot, ORANGE, NULL, 1.2, centre->value, time->value, time->count);
    for (size_t b = 0; b < time->count; b++)
        if (isfinite(time->value[b]))
            svg_plot_dot(plot, ORANGE, centre->value[b], time->value[b]);
    svg_plot_key(plot, ORANGE, NULL, T("thirds"));
}

static void put_limit(struct svg_plot *plot, const struct json_numbers *octaves,
                      const struct json_numbers *limit, const char *label)
{
    svg_plot_line(plot, BLACK, DOTTED, 1.8, octaves->value, limit->value,
                  limit->count < octaves->count ? limit->count : octaves->count);
    svg_plot_key(plot, BLACK, DOTTED, label);
}

static void put_drawing(FILE *page, const struct report *report, size_t run)
{
    static const struct json_numbers nothing = {0};
    const struct report_octave_times *of = times_of(report, run);
    const struct report_tolerance *tolerance = report->run[run].tolerance;
    double most = largest_of(&of->time, &of->error, 0);
    if (tolerance != NULL)
        most = largest_of(&tolerance->high, &nothing, most);
    if (third_times(report->run[run].model) != NULL)
        most = largest_of(third_times(report->run[run].model), &nothing, most);
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
    svg_plot_begin(&plot, T("Reverberation time by octave, with error bars"));
    put_thirds(&plot, report->run[run].model);
    put_times(&plot, of, false);
    put_times(&plot, of, true);
    if (tolerance != NULL) {
        put_limit(&plot, &of->octaves, &tolerance->low, T("at least"));
        put_limit(&plot, &of->octaves, &tolerance->high, T("at most"));
    }
    svg_plot_end(&plot);
}

/* ---- all ---- */

void report_octaves(FILE *page, const struct report *report, size_t run)
{
    const struct report_octave_times *of = times_of(report, run);
    if (of == NULL)
        return;
    REPORT_FILL(page, report, run, REPORT_TEMPLATE(octave_times), {"table", .part = put_table},
                {"drawing", .part = put_drawing}, {"missing", .holds = of->missing && has_times(of)});
}

void report_join(FILE *page, const struct report *report, size_t run)
{
    const struct record_rays *rays = report->run[run].model->rays;
    char octave[16], level[16], decay[16];
    bool far_apart = false;
    if (rays == NULL || rays->sources.count == 0 || !(rays->octave > 0))
        return;
    for (size_t s = 0; s < rays->sources.count; s++)
        far_apart = far_apart || fabs(rays->sources.item[s].level) > FIGURE_JOIN_LEVEL_MOST ||
                    fabs(rays->sources.item[s].decay) > FIGURE_JOIN_DECAY_MOST;
    snprintf(octave, sizeof octave, "%d", band_nominal(rays->octave));
    snprintf(level, sizeof level, "%.0f", FIGURE_JOIN_LEVEL_MOST);
    snprintf(decay, sizeof decay, "%.0f", FIGURE_JOIN_DECAY_MOST);
    REPORT_FILL(page, report, run, REPORT_TEMPLATE(join), {"octave", .text = octave},
                {"far_apart", .holds = far_apart}, {"level", .text = level}, {"decay", .text = decay});
}
