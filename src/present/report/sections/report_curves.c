#include "src/present/report/sections/report_drawing.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/octave_edges.h"
#include "src/base/cut_text.h"
#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"
#include "src/run_folder/record_error.h"

#define WIDTH     680.0
#define HEIGHT    340.0
#define LOWEST_DB (-70.0)
#define BLACK     6 /* of svg_colour() */

static bool has_curves(const struct report_response *response)
{
    return response->decays.item != NULL;
}

static bool same_places(const struct report_response *a, const struct report_response *b)
{
    return same_name(a->record->source, b->record->source) &&
           same_name(a->record->receiver, b->record->receiver);
}

/* The first with curves: of the places of `like`, or of any where it is NULL; or NULL. */
static const struct report_response *find_drawable(const struct report_run *run,
                                                   const struct report_response *like)
{
    for (size_t i = 0; i < run->responses.count; i++) {
        const struct report_response *response = &run->responses.item[i];
        if (has_curves(response) && (like == NULL || same_places(response, like)))
            return response;
    }
    return NULL;
}

/* The response of A that B has too; of one run the first. NULL without one. */
static const struct report_response *first_shared(const struct report *report)
{
    const struct report_run *a = &report->run[0];
    if (report->runs < 2)
        return find_drawable(a, NULL);
    for (size_t i = 0; i < a->responses.count; i++) {
        const struct report_response *response = &a->responses.item[i];
        if (has_curves(response) && find_drawable(&report->run[1], response) != NULL)
            return response;
    }
    return NULL;
}

const struct report_response *report_drawn(const struct report *report, size_t run, size_t *index)
{
    const struct report_response *shared = first_shared(report), *found = NULL;
    if (shared != NULL)
        found = find_drawable(&report->run[run], shared);
    if (found == NULL)
        found = find_drawable(&report->run[run], NULL);
    if (found != NULL && index != NULL)
        *index = (size_t)(found - report->run[run].responses.item);
    return found;
}

static void put_curve(struct svg_plot *plot, size_t colour, const char *dashes, const struct json_numbers *x,
                      const struct json_numbers *y)
{
    svg_plot_line(plot, colour, dashes, 1.5, x->value, y->value, x->count < y->count ? x->count : y->count);
}

void report_curve_caption(FILE *page, const struct report *report, size_t run, const char *what)
{
    size_t index = 0;
    report_drawn(report, run, &index);
    fprintf(page, "<p class=\"caption\">%s, ", what);
    report_response_name(page, report, run, index);
    if (report->runs > 1) {
        fputs(", ", page);
        report_run_mark(page, run);
        fputs(" ", page);
        report_run_name(page, report, run);
    }
    fputs("</p>\n", page);
}

/* ---- decays ---- */

static double last_time_of(const struct report_response *response, double last)
{
    for (size_t b = 0; b < response->decays.count; b++) {
        const struct report_decay *decay = &response->decays.item[b];
        for (size_t i = 0; i < decay->level.count; i++)
            if (decay->level.value[i] >= LOWEST_DB)
                last = fmax(last, decay->time.value[i]);
    }
    return last;
}

/* The last time of all curves: all are drawn on one scale. */
static double last_time(const struct report *report)
{
    double last = 0.1;
    for (size_t r = 0; r < report->runs; r++)
        for (size_t i = 0; i < report->run[r].responses.count; i++)
            last = last_time_of(&report->run[r].responses.item[i], last);
    return last;
}

/* The longest line that is there, over the range that it was fitted to: thin and black, with a dot at each
 * end, so that it does not look like the dashes of a curve. */
static const struct report_fit *longest_fit(const struct report_decay *decay)
{
    return decay->fits.count > 0 ? &decay->fits.item[decay->fits.count - 1] : NULL;
}

/* Octaves from rays are always dashed. */
static const char *dashes_of(const struct report_response *response, size_t band)
{
    return svg_dashes(record_is_from_rays(response->record, band) ? 1 + band % (SVG_DASHES - 1) : band);
}

static void put_fit(struct svg_plot *plot, size_t colour, const struct report_fit *fit)
{
    if (fit == NULL)
        return;
    const double x[2] = {fit->from, fit->to};
    const double y[2] = {fit->intercept + fit->slope * x[0], fit->intercept + fit->slope * x[1]};
    svg_plot_line(plot, BLACK, NULL, 1.2, x, y, 2);
    for (int end = 0; end < 2; end++)
        svg_plot_dot(plot, colour, x[end], y[end]);
}

static void put_decays(FILE *page, const struct report_response *drawn, double last)
{
    struct svg_plot plot = {.page = page,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .x = {.low = 0, .high = last, .label = T("time after the direct sound [s]")},
                            .y = {.low = LOWEST_DB, .high = 0, .label = T("level [dB]")}};
    svg_plot_begin(
        &plot,
        T("Decay of sound by octave, with the straight lines that reverberation times are taken from"));
    for (size_t b = 0; b < drawn->decays.count; b++) {
        const struct report_decay *decay = &drawn->decays.item[b];
        const bool rays = record_is_from_rays(drawn->record, b);
        if (rays)
            svg_plot_faint_begin(&plot);
        put_curve(&plot, b, dashes_of(drawn, b), &decay->time, &decay->level);
        if (rays)
            svg_plot_faint_end(&plot);
        else
            put_fit(&plot, b, longest_fit(decay));
    }
    svg_plot_end(&plot);
}

/* "T30 1.23 s, read from 0.05 to 0.64 s". */
static void put_fit_words(FILE *page, const struct report_response *drawn, size_t run, size_t index, size_t b)
{
    const struct report_decay *decay = &drawn->decays.item[b];
    const struct report_fit *fit = longest_fit(decay);
    if (fit == NULL) {
        fputs(T("no straight stretch to read a time from"), page);
        return;
    }
    const struct figure_kind *kind = &figure_kind[fit->figure];
    const size_t last = decay->fits.count - 1;
    fprintf(page, "%s ", kind->word);
    html_number(page, json_number_of(report_response_octaves(drawn, fit->figure), b), kind->decimals, 1,
                "runs.%zu.responses.%zu.%s.%zu", run, index, kind->name, b);
    fputs(T("&nbsp;s, read from "), page);
    html_number(page, fit->from, -3, 1, "runs.%zu.responses.%zu.decay.%zu.fits.%zu.from_s", run, index, b,
                last);
    fputs(T(" to "), page);
    html_number(page, fit->to, -3, 1, "runs.%zu.responses.%zu.decay.%zu.fits.%zu.to_s", run, index, b, last);
    fputs("&nbsp;s", page);
}

/* "T30 1.23 ± 0.10 s, from rays": of the energy along rays, which the curve is one chance of. */
static void put_ray_words(FILE *page, const struct report_response *drawn, size_t run, size_t index, size_t b)
{
    static const enum figure figure[] = {FIGURE_T30, FIGURE_T20, FIGURE_EDT};
    size_t f = 0;
    while (f < 3 && !isfinite(json_number_of(report_response_octaves(drawn, figure[f]), b)))
        f++;
    if (f == 3) {
        fputs(T("no time, from rays"), page);
        return;
    }
    const struct figure_kind *kind = &figure_kind[figure[f]];
    const double error = record_octave_error(drawn->record, figure[f], b);
    fprintf(page, "%s ", kind->word);
    html_number(page, json_number_of(report_response_octaves(drawn, figure[f]), b), kind->decimals, 1,
                "runs.%zu.responses.%zu.%s.%zu", run, index, kind->name, b);
    if (isfinite(error)) {
        fputs(" \xC2\xB1 ", page);
        html_number(page, error, kind->decimals, 1, "runs.%zu.responses.%zu.%s_error.%zu", run, index,
                    kind->name, b);
    }
    fputs(T("&nbsp;s, from rays"), page);
}

static void put_decay_key(FILE *page, const struct report_response *drawn, size_t run, size_t index)
{
    fputs("<ul class=\"key caption decays\">\n", page);
    for (size_t b = 0; b < drawn->decays.count; b++) {
        const bool rays = record_is_from_rays(drawn->record, b);
        fputs(rays ? "<li class=\"rays\">" : "<li>", page);
        svg_swatch(page, b, dashes_of(drawn, b));
        fprintf(page, " %d&nbsp;Hz: ", band_nominal(json_number_of(&drawn->record->octaves, b)));
        (rays ? put_ray_words : put_fit_words)(page, drawn, run, index, b);
        fputs("</li>\n", page);
    }
    fputs("</ul>\n", page);
}

void report_response_decays(FILE *page, const struct report *report, size_t run, size_t index)
{
    const struct report_response *response = &report->run[run].responses.item[index];
    if (response->decays.count == 0 || response == report_drawn(report, run, NULL))
        return;
    fputs("<figure class=\"decays\">\n", page);
    put_decays(page, response, last_time(report));
    put_decay_key(page, response, run, index);
    fputs("</figure>\n", page);
}

static void put_run_decays(FILE *page, const struct report *report, size_t run)
{
    size_t index = 0;
    const struct report_response *drawn = report_drawn(report, run, &index);
    if (drawn == NULL)
        return;
    fprintf(page, "<div class=\"run-%zu\">\n", run);
    put_decays(page, drawn, last_time(report));
    put_decay_key(page, drawn, run, index);
    report_curve_caption(page, report, run, T("Decay by octave"));
    fputs("</div>\n", page);
}

void report_decay_figure(FILE *page, const struct report *report)
{
    bool any = false;
    for (size_t r = 0; r < report->runs; r++) {
        const struct report_response *drawn = report_drawn(report, r, NULL);
        any = any || (drawn != NULL && drawn->decays.count > 0);
    }
    if (any)
        REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(decay), {"decay", .part = put_run_decays});
}

/* ---- spectra ---- */

static void widen_range(const struct json_numbers *numbers, double *low, double *high)
{
    for (size_t i = 0; i < numbers->count; i++) {
        *low = fmin(*low, numbers->value[i]);
        *high = fmax(*high, numbers->value[i]);
    }
}

/* The axes that hold the spectra of all runs; false without any. */
static bool find_axes(const struct report *report, double f[2], double level[2])
{
    f[0] = level[0] = INFINITY;
    f[1] = 0;
    level[1] = -INFINITY;
    for (size_t r = 0; r < report->runs; r++) {
        const struct report_response *drawn = report_drawn(report, r, NULL);
        if (drawn == NULL)
            continue;
        widen_range(&drawn->spectrum->frequency, &f[0], &f[1]);
        widen_range(&drawn->spectrum->level, &level[0], &level[1]);
    }
    level[1] = 10 * ceil(level[1] / 10 + 1e-9);
    level[0] = fmax(10 * floor(level[0] / 10), level[1] - 80);
    return f[1] > f[0] && isfinite(level[1]);
}

/* Lighter and dashed above the join. */
static void put_run_spectrum(struct svg_plot *plot, size_t run, const struct report_spectrum *spectrum,
                             const struct run_model *model)
{
    const double from = model->rays != NULL ? model->rays->crossover : INFINITY;
    const size_t count =
        spectrum->frequency.count < spectrum->level.count ? spectrum->frequency.count : spectrum->level.count;
    const double *f = spectrum->frequency.value, *level = spectrum->level.value;
    size_t waves = 0;
    while (waves < count && !(f[waves] > from))
        waves++;
    svg_plot_line(plot, run, svg_dashes(run), 1.5, f, level, waves);
    if (waves == count)
        return;
    const size_t begin = waves > 0 ? waves - 1 : 0;
    svg_plot_faint_begin(plot);
    svg_plot_line(plot, run, svg_dashes(run + 2), 1.5, f + begin, level + begin, count - begin);
    svg_plot_faint_end(plot);
}

static void put_spectra(FILE *page, const struct report *report)
{
    double f[2], level[2];
    if (!find_axes(report, f, level))
        return;
    struct svg_plot plot = {.page = page,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .x = {.low = f[0], .high = f[1], .octaves = true, .label = T("frequency [Hz]")},
                            .y = {.low = level[0], .high = level[1], .label = T("level [dB]")}};
    svg_plot_begin(&plot, T("Spectrum of a response in bands of a 24th of an octave"));
    for (size_t r = 0; r < report->runs; r++) {
        const struct report_response *drawn = report_drawn(report, r, NULL);
        char label[80];
        snprintf(label, sizeof label, "%c %.*s", 'A' + (int)r, CUT_TEXT(report->run[r].name, 40));
        /* B is dashed: they differ in grey too. */
        const char *dashes = svg_dashes(r);
        if (drawn != NULL)
            put_run_spectrum(&plot, r, drawn->spectrum, report->run[r].model);
        if (report->runs > 1)
            svg_plot_key(&plot, r, dashes, label);
    }
    svg_plot_end(&plot);
}

static void put_spectrum_caption(FILE *page, const struct report *report, size_t run)
{
    if (report_drawn(report, run, NULL) != NULL)
        report_curve_caption(page, report, run, T("Spectrum in bands of a 24th of an octave"));
}

void report_spectrum(FILE *page, const struct report *report)
{
    double f[2], level[2];
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(spectrum),
                {"drawn", .holds = find_axes(report, f, level)}, {"drawing", .section = put_spectra},
                {"caption", .part = put_spectrum_caption});
}
