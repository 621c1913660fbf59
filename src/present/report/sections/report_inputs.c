#include "src/present/report/sections/report_inputs.h"

#include <math.h>
#include <string.h>

#include "src/base/words/words.h"
#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/sections/report_page.h"
#include "src/run_folder/absorption_error.h"
#include "src/run_folder/record_error.h"

#define WIDTH  360.0
#define HEIGHT 190.0

/* ---- the data ---- */

static double share_of(double part, double all)
{
    return all > 0 ? part * part / (all * all) : NAN;
}

static size_t at_most(size_t count)
{
    return count < OCTAVE_BANDS_MAX ? count : OCTAVE_BANDS_MAX;
}

static bool fill_input(struct report_input *input, const struct run_model *model,
                       const struct loss_account *account, size_t m)
{
    const struct json_numbers *known = &model->room.materials.item[m].uncertainty;
    const size_t of_material = model->room.material_octaves.count, bars = at_most(known->count),
                 octaves = at_most(of_material > account->octaves ? of_material : account->octaves);
    double bar[OCTAVE_BANDS_MAX], share[OCTAVE_BANDS_MAX], part[OCTAVE_BANDS_MAX];
    bool any = false;
    input->material = model->room.materials.item[m].name;
    for (size_t o = 0; o < bars; o++)
        bar[o] = report_rounded(UNCERTAINTY_BAR * known->value[o], 6);
    for (size_t o = 0; o < octaves; o++) {
        share[o] = part[o] = NAN;
        if (o >= account->octaves)
            continue;
        const double all = absorption_error_relative(model, account, o);
        share[o] = report_rounded(account->share[m * account->octaves + o] * (1 - account->in_air[o]), 6);
        part[o] = report_rounded(share_of(absorption_error_part(model, account, m, o), all), 6);
        any = any || isfinite(share[o]);
    }
    return json_numbers_set(&input->bar, bar, bars) &&
           (!any || (json_numbers_set(&input->share, share, octaves) &&
                     json_numbers_set(&input->part, part, octaves)));
}

int report_inputs_add(struct report_run *run, struct failure *failure)
{
    struct loss_account account;
    TRY(loss_account_make(run->model, &account, failure));
    bool done = true;
    for (size_t m = 0; done && m < account.materials; m++) {
        struct report_input *input = report_list_add(&report_input_table, &run->inputs);
        done = input != NULL && fill_input(input, run->model, &account, m);
    }
    loss_account_free(&account);
    return done ? 0 : report_no_memory(failure);
}

/* Of the square of an error bar, what absorption has: the mean over the responses and octaves. */
static double absorption_of_bar(const struct report_run *run, enum figure figure, size_t first, size_t last)
{
    double part = 0, all = 0;
    for (size_t r = 0; r < run->model->responses.count; r++)
        for (size_t o = first; o <= last; o++) {
            const struct record_response *response = &run->model->responses.item[r];
            const double error = record_octave_error(response, figure, o);
            const double own = UNCERTAINTY_BAR * figure_values_octave(&response->absorption, figure, o);
            all += isfinite(error) ? error * error : 0;
            part += isfinite(own) ? own * own : 0;
        }
    return all > 0 ? part / all : 0;
}

const char *report_inputs_doubt(const struct report_run *run, enum figure figure, int band, bool *guessed)
{
    enum { HZ_500 = 3, HZ_1000 = 4 };
    const size_t first = band == REPORT_BAND_MIDDLE ? HZ_500 : (size_t)band,
                 last = band == REPORT_BAND_MIDDLE ? HZ_1000 : (size_t)band;
    const double absorption = absorption_of_bar(run, figure, first, last);
    for (size_t m = 0; m < run->inputs.count; m++) {
        double part = 0;
        for (size_t o = first; o <= last; o++)
            part += json_number_of(&run->inputs.item[m].part, o) / (double)(last - first + 1);
        *guessed = same_name(run->model->room.materials.item[m].uncertainty_from, "guess");
        if (part * absorption > 0.5)
            return run->inputs.item[m].material;
    }
    return NULL;
}

/* ---- the page ---- */

/* How well it is known, in words. */
static const char *known_words(const struct record_material *material)
{
    static const char *const words[][2] = {
        {"laboratory", T_LATER("as laboratories reproduce one another (ISO 12999-2)")},
        {"guess", T_LATER("a guess")},
        {"given", T_LATER("as given")}};
    for (size_t i = 0; material->uncertainty_from != NULL && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(material->uncertainty_from, words[i][0]) == 0)
            return T(words[i][1]);
    return T("not known");
}

/* The absorption that was asked for with its error bars, and that of the wall in the run. */
static void draw_curve(FILE *page, const struct record_room *room, const struct record_material *material)
{
    const struct json_numbers *octaves = &room->material_octaves, *asked = &material->octaves_asked;
    double most = 0.1;
    if (octaves->count == 0 || asked->count != octaves->count)
        return;
    for (size_t o = 0; o < asked->count; o++) {
        const double bar = UNCERTAINTY_BAR * json_number_of(&material->uncertainty, o);
        most = fmax(most, asked->value[o] + (isfinite(bar) ? bar : 0));
    }
    struct svg_plot plot = {.page = page,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .x = {.low = 44, .high = 11300, .octaves = true, .label = T("octave [Hz]")},
                            .y = {.low = 0, .high = fmin(1.05 * most, 1.2), .label = T("absorption")}};
    svg_plot_begin(&plot, T("Absorption by octave, with its error bars"));
    svg_plot_line(&plot, 0, NULL, 1.8, octaves->value, asked->value, asked->count);
    svg_plot_line(&plot, 1, svg_dashes(1), 1.4, octaves->value, material->octaves_used.value,
                  material->octaves_used.count);
    for (size_t o = 0; o < asked->count; o++) {
        const double bar = UNCERTAINTY_BAR * json_number_of(&material->uncertainty, o);
        if (isfinite(bar))
            svg_plot_bar(&plot, 0, octaves->value[o], fmax(asked->value[o] - bar, 0), asked->value[o] + bar);
        svg_plot_dot(&plot, 0, octaves->value[o], asked->value[o]);
    }
    svg_plot_key(&plot, 0, NULL, T("asked for"));
    svg_plot_key(&plot, 1, svg_dashes(1), T("in the run"));
    svg_plot_end(&plot);
}

static void put_numbers(FILE *page, const struct report *report, size_t run, size_t m)
{
    const struct run_model *model = report->run[run].model;
    const struct record_material *material = &model->room.materials.item[m];
    const struct report_input *input = &report->run[run].inputs.item[m];
    const struct json_numbers *octaves = &model->room.material_octaves;
    struct table table;
    table_begin(&table, "inputs");
    table_name(&table, "inputs_%s", material->name);
    report_octave_heads(&table, octaves, NULL);
    TABLE_ROW_WORDS(&table, T("absorption"));
    for (size_t o = 0; o < octaves->count; o++) {
        const double bar = json_number_of(&input->bar, o);
        TABLE_NUMBER_CELL(&table, json_number_of(&material->octaves_asked, o), 2, 1,
                          "runs.%zu.run.materials.%zu.absorption_octaves.%zu", run, m, o);
        if (!isfinite(bar))
            continue;
        table_words(&table, " \xC2\xB1 ");
        table_number(&table, bar, 2, 1, "runs.%zu.inputs.%zu.bar.%zu", run, m, o);
    }
    if (input->share.count > 0) {
        TABLE_ROW_WORDS(&table, T("share of the loss %"));
        for (size_t o = 0; o < octaves->count; o++)
            TABLE_NUMBER_CELL(&table, json_number_of(&input->share, o), 0, 100,
                              "runs.%zu.inputs.%zu.share.%zu", run, m, o);
        TABLE_ROW_WORDS(&table, T("share of the uncertainty of T %"));
        for (size_t o = 0; o < octaves->count; o++)
            TABLE_NUMBER_CELL(&table, json_number_of(&input->part, o), 0, 100, "runs.%zu.inputs.%zu.part.%zu",
                              run, m, o);
    }
    report_table_put(page, report, &table, (int)run);
}

static void put_curve(FILE *page, const struct report *report, size_t run, size_t m)
{
    const struct record_room *room = &report->run[run].model->room;
    draw_curve(page, room, &room->materials.item[m]);
}

static void put_known(FILE *page, const struct report *report, size_t run, size_t m)
{
    html_text(page, known_words(&report->run[run].model->room.materials.item[m]));
}

void report_inputs(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(inputs), {"curve", .item = put_curve},
                {"known", .item = put_known}, {"numbers", .item = put_numbers});
}
