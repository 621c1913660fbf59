#include "src/report/sections/report_drawing.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/acoustics/octave_decay.h"
#include "src/base/cut_text.h"
#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/report/report_page.h"

#define WIDTH     680.0
#define HEIGHT    340.0
#define LOWEST_DB (-70.0)
#define BLACK     6 /* of svg_colour() */

static bool has_curves(const cJSON *entry)
{
    return record_at(entry, "decay") != NULL;
}

static bool same_name(const cJSON *a, const cJSON *b, const char *name)
{
    const char *one = record_text(a, name), *other = record_text(b, name);
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

/* Of two runs, whether the other one has curves of the same source and receiver. */
static bool is_shared(const struct report *report, size_t run, const cJSON *entry)
{
    const cJSON *other;
    if (report->runs < 2)
        return true;
    cJSON_ArrayForEach(other, report_at(report, "runs.%zu.responses", 1 - run))
    {
        if (has_curves(other) && same_name(entry, other, "source") && same_name(entry, other, "receiver"))
            return true;
    }
    return false;
}

/* The response of A that B has too. */
static const cJSON *first_shared(const struct report *report)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, report_at(report, "runs.0.responses"))
    {
        if (has_curves(entry) && is_shared(report, 0, entry))
            return entry;
    }
    return NULL;
}

int report_drawn_response(const struct report *report, size_t run)
{
    const cJSON *shared = first_shared(report), *entry;
    int index = 0, first = -1;
    cJSON_ArrayForEach(entry, report_at(report, "runs.%zu.responses", run))
    {
        if (has_curves(entry)) {
            if (same_name(entry, shared, "source") && same_name(entry, shared, "receiver"))
                return index;
            first = first < 0 ? index : first;
        }
        index++;
    }
    return first;
}

const cJSON *report_drawn(const struct report *report, size_t run)
{
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.responses.%d", run, report_drawn_response(report, run));
    return record_at(report->root, key);
}

/* An array of numbers, owned by the caller; NULL where it is none, or without memory. */
static double *numbers(const cJSON *array, size_t *count)
{
    const cJSON *item;
    *count = 0;
    double *value = malloc(((size_t)cJSON_GetArraySize(array) + 1) * sizeof *value);
    if (value == NULL)
        return NULL;
    cJSON_ArrayForEach(item, array) value[(*count)++] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    return value;
}

static void put_curve(struct svg_plot *plot, size_t colour, const char *dashes, const cJSON *x,
                      const cJSON *y)
{
    size_t points = 0, levels = 0;
    double *at = numbers(x, &points), *value = numbers(y, &levels);
    if (at != NULL && value != NULL)
        svg_plot_line(plot, colour, dashes, 1.5, at, value, points < levels ? points : levels);
    free(at);
    free(value);
}

void report_curve_caption(FILE *page, const struct report *report, size_t run, const char *what)
{
    const int index = report_drawn_response(report, run);
    fprintf(page, "<p class=\"caption\">%s, ", what);
    html_string(page, report->root, "runs.%zu.responses.%d.source", run, index);
    fputs(" heard at ", page);
    html_string(page, report->root, "runs.%zu.responses.%d.receiver", run, index);
    if (report->runs > 1) {
        fprintf(page, ", <b class=\"run-mark of-%zu\">%c</b> ", run, 'A' + (int)run);
        html_string(page, report->root, "runs.%zu.name", run);
    }
    fputs("</p>\n", page);
}

/* ---- decays ---- */

/* The last time of all curves that are drawn, so that two runs stand on one scale. */
static double last_time(const struct report *report)
{
    double last = 0.1;
    for (size_t r = 0; r < report->runs; r++) {
        const cJSON *octave, *item;
        cJSON_ArrayForEach(octave, record_at(report_drawn(report, r), "decay"))
        {
            const cJSON *times = record_at(octave, "t_s"), *levels = record_at(octave, "level_db");
            item = cJSON_GetArrayItem(levels, 0);
            for (const cJSON *t = times != NULL ? times->child : NULL; t != NULL && item != NULL;
                 t = t->next, item = item->next)
                if (item->valuedouble >= LOWEST_DB && t->valuedouble > last)
                    last = t->valuedouble;
        }
    }
    return last;
}

/* The longest line that is there, over the range that it was fitted to: thin and black, with a dot at each
 * end, so that it is no curve's dashes. */
static void put_fit(struct svg_plot *plot, size_t colour, const cJSON *fits)
{
    const cJSON *fit = cJSON_GetArrayItem(fits, cJSON_GetArraySize(fits) - 1);
    if (fit == NULL)
        return;
    const double slope = record_number(fit, "slope_db_per_s"), level = record_number(fit, "intercept_db");
    const double x[2] = {record_number(fit, "from_s"), record_number(fit, "to_s")};
    const double y[2] = {level + slope * x[0], level + slope * x[1]};
    svg_plot_line(plot, BLACK, NULL, 1.2, x, y, 2);
    for (int end = 0; end < 2; end++)
        svg_plot_dot(plot, colour, x[end], y[end]);
}

static void put_decays(FILE *page, const struct report *report, size_t run, double last)
{
    const cJSON *octave;
    struct svg_plot plot = {.page = page,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .x = {.low = 0, .high = last, .label = "time after the direct sound [s]"},
                            .y = {.low = LOWEST_DB, .high = 0, .label = "level [dB]"}};
    size_t b = 0;
    svg_plot_begin(
        &plot, "Decay of sound by octave, with the straight lines that reverberation times are taken from");
    cJSON_ArrayForEach(octave, record_at(report_drawn(report, run), "decay"))
    {
        put_curve(&plot, b, svg_dashes(b), record_at(octave, "t_s"), record_at(octave, "level_db"));
        put_fit(&plot, b, record_at(octave, "fits"));
        b++;
    }
    svg_plot_end(&plot);
}

/* "500 Hz: T30 1.23 s, read from 0.05 to 0.64 s". */
static void put_decay_key(FILE *page, const struct report *report, size_t run)
{
    const cJSON *entry = report_drawn(report, run), *octave;
    const int index = report_drawn_response(report, run);
    size_t b = 0;
    fputs("<ul class=\"key caption decays\">\n", page);
    cJSON_ArrayForEach(octave, record_at(entry, "decay"))
    {
        char key[80];
        const int last = cJSON_GetArraySize(record_at(octave, "fits")) - 1;
        snprintf(key, sizeof key, "octaves_hz.%zu", b);
        fputs("<li>", page);
        svg_swatch(page, b, svg_dashes(b));
        fprintf(page, " %d&nbsp;Hz: ", octave_nominal(record_number(entry, key)));
        snprintf(key, sizeof key, "fits.%d.figure", last);
        const char *figure = last >= 0 ? record_text(octave, key) : NULL;
        if (figure == NULL) {
            fputs("no straight stretch to read a time from", page);
        } else {
            fprintf(page, "%s ",
                    strcmp(figure, "edt") == 0   ? "EDT"
                    : strcmp(figure, "t20") == 0 ? "T20"
                                                 : "T30");
            html_number(page, report->root, 2, 1, "runs.%zu.responses.%d.%s_s.%zu", run, index, figure, b);
            fputs("&nbsp;s, read from ", page);
            html_number(page, report->root, -3, 1, "runs.%zu.responses.%d.decay.%zu.fits.%d.from_s", run,
                        index, b, last);
            fputs(" to ", page);
            html_number(page, report->root, -3, 1, "runs.%zu.responses.%d.decay.%zu.fits.%d.to_s", run, index,
                        b, last);
            fputs("&nbsp;s", page);
        }
        fputs("</li>\n", page);
        b++;
    }
    fputs("</ul>\n", page);
}

void report_decay_figure(FILE *page, const struct report *report)
{
    const double last = last_time(report);
    bool any = false;
    for (size_t r = 0; r < report->runs; r++)
        any = any || cJSON_GetArraySize(record_at(report_drawn(report, r), "decay")) > 0;
    if (!any)
        return;
    fputs("<figure id=\"decay-figure\">\n", page);
    for (size_t r = 0; r < report->runs; r++) {
        if (report_drawn_response(report, r) < 0)
            continue;
        fprintf(page, "<div class=\"run-%zu\">\n", r);
        put_decays(page, report, r, last);
        put_decay_key(page, report, r);
        report_curve_caption(page, report, r, "Decay by octave");
        fputs("</div>\n", page);
    }
    fputs(
        "<figcaption>How the sound of each octave dies away once its source is silent: a steep fall is a dry "
        "room, a flat one a room that rings on. The thin black line between two dots is the stretch that the "
        "reverberation time is read from; continued over 60&nbsp;dB it takes that time. Where a curve bends "
        "away "
        "from its line, the sound falls in more than one way.</figcaption>\n</figure>\n",
        page);
}

/* ---- spectra ---- */

static void widen(const cJSON *array, double *low, double *high)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, array) if (cJSON_IsNumber(item))
    {
        *low = fmin(*low, item->valuedouble);
        *high = fmax(*high, item->valuedouble);
    }
}

void report_spectrum_figure(FILE *page, const struct report *report)
{
    double f[2] = {INFINITY, 0}, level[2] = {INFINITY, -INFINITY};
    for (size_t r = 0; r < report->runs; r++) {
        widen(record_at(report_drawn(report, r), "spectrum.f_hz"), &f[0], &f[1]);
        widen(record_at(report_drawn(report, r), "spectrum.level_db"), &level[0], &level[1]);
    }
    if (!(f[1] > f[0]) || !(level[1] >= level[0]))
        return;
    level[1] = 10 * ceil(level[1] / 10 + 1e-9);
    level[0] = fmax(10 * floor(level[0] / 10), level[1] - 80);
    struct svg_plot plot = {.page = page,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .x = {.low = f[0], .high = f[1], .octaves = true, .label = "frequency [Hz]"},
                            .y = {.low = level[0], .high = level[1], .label = "level [dB]"}};
    fputs("<figure id=\"spectrum-figure\">\n", page);
    svg_plot_begin(&plot, "Spectrum of a response in bands of a 24th of an octave");
    for (size_t r = 0; r < report->runs; r++) {
        const cJSON *entry = report_drawn(report, r);
        const char *name = record_text(report_at(report, "runs.%zu", r), "name");
        char label[80];
        snprintf(label, sizeof label, "%c %.*s", 'A' + (int)r, CUT_TEXT(name != NULL ? name : "", 40));
        /* B is dashed: grey paper tells them too. */
        const char *dashes = svg_dashes(r);
        put_curve(&plot, r, dashes, record_at(entry, "spectrum.f_hz"), record_at(entry, "spectrum.level_db"));
        if (report->runs > 1)
            svg_plot_key(&plot, r, dashes, label);
    }
    svg_plot_end(&plot);
    for (size_t r = 0; r < report->runs; r++)
        if (report_drawn_response(report, r) >= 0)
            report_curve_caption(page, report, r, "Spectrum in bands of a 24th of an octave");
    fputs(
        "<figcaption>How loud the room makes each pitch at one place, low ones to the left; 0&nbsp;dB is the "
        "source "
        "itself 1&nbsp;m away in the open. Single peaks at low frequencies are modes of the room, pitches "
        "that "
        "boom; "
        "dips are pitches that are missing there. Higher up, and in a large room almost everywhere, both run "
        "together, and only the general course of the curve counts.</figcaption>\n</figure>\n",
        page);
}

void report_spectrum(FILE *page, const struct report *report)
{
    report_section_begin(page, "spectrum", "Spectrum");
    report_spectrum_figure(page, report);
    report_section_end(page);
}
