#include "src/draw/decay_drawing.h"

#include <math.h>

#include "src/base/words/words.h"
#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/response/acoustics/octave_edges.h"

#define WIDTH  400.0 /* of a plot [px] */
#define HEIGHT 250.0
#define LOWEST -60.0 /* level [dB] */

static const struct decay_trace *trace_of(const struct decay_pair *pair, int which, size_t band)
{
    return band < pair->bands[which] && pair->trace[which][band].count > 1 ? &pair->trace[which][band] : NULL;
}

/* The time at which both have ended, or have fallen to the lowest level. */
static double end_of(const struct decay_pair *pair, size_t band)
{
    double end = 0.0;
    for (int which = 0; which < 2; which++) {
        const struct decay_trace *trace = trace_of(pair, which, band);
        for (size_t i = 0; trace != NULL && i < trace->count; i++)
            if (trace->level[i] >= LOWEST)
                end = fmax(end, (double)i * trace->step);
    }
    return end;
}

static void draw_octave(FILE *page, const struct decay_pair *pair, const char *const name[2], size_t band)
{
    const double end = end_of(pair, band), step = svg_nice_step(end, 6);
    char title[40];
    struct svg_plot plot = {.page = page,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .x = {.low = 0.0, .high = step * ceil(end / step), .label = T("time [s]")},
                            .y = {.low = LOWEST, .high = 0.0, .label = T("level [dB]")}};
    snprintf(title, sizeof title, "%d Hz", band_nominal(1000.0 * pow(10.0, 0.3 * ((double)band - 4.0))));
    fprintf(page, "<figure><figcaption>%s</figcaption>\n", title);
    svg_plot_begin(&plot, title);
    for (int which = 0; which < 2; which++) {
        const struct decay_trace *trace = trace_of(pair, which, band);
        double time[DECAY_TRACE_POINTS];
        if (trace == NULL)
            continue;
        for (size_t i = 0; i < trace->count; i++)
            time[i] = (double)i * trace->step;
        svg_plot_line(&plot, (size_t)which, svg_dashes((size_t)which), 1.8, time, trace->level, trace->count);
        svg_plot_key(&plot, (size_t)which, svg_dashes((size_t)which), name[which]);
    }
    svg_plot_end(&plot);
    fputs("</figure>\n", page);
}

void decay_drawing_page(FILE *page, const char *title, const char *const name[2],
                        const struct decay_pair *pair, size_t pairs)
{
    fprintf(page,
            "<!DOCTYPE html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width\">\n<title>",
            words_code[words_language()]);
    html_text(page, title);
    fputs("</title>\n<style>body{font-family:sans-serif;margin:1em "
          "auto;max-width:84em}figure{display:inline-block;"
          "margin:.5em}figcaption{text-align:center}</style></head>\n<body><h1>",
          page);
    html_text(page, title);
    fprintf(page, "</h1>\n<p>%s</p>\n",
            T("Level of the backward integral of each octave over the time after the direct sound of each "
              "response."));
    for (size_t p = 0; p < pairs; p++) {
        fputs("<h2>", page);
        html_text(page, pair[p].title);
        fputs("</h2>\n", page);
        for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
            if (trace_of(&pair[p], 0, b) != NULL || trace_of(&pair[p], 1, b) != NULL)
                draw_octave(page, &pair[p], name, b);
    }
    fputs("</body></html>\n", page);
}
