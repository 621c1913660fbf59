#include "src/present/report/sections/report_drawing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/present/report/report_response.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

#define WIDTH        680.0
#define WIDE_NUMBERS 104.0 /* as -0.0015, on a telephone too */
#define HEIGHT       260.0
#define LEVELS       70.0 /* below the loudest [dB] */
#define HEADROOM     1.05

/** A curve over time as two values a stretch, which are equal where there is one. */
struct stretches {
    size_t count;
    double from, step; /* middle of the first, and from one to the next [s] */
    double low[REPORT_ENVELOPE_BINS], high[REPORT_ENVELOPE_BINS];
};

static size_t read_floats(const struct report_bytes *bytes, double *value)
{
    const float *raw = bytes->data;
    const size_t count = bytes->size / sizeof *raw;
    for (size_t i = 0; i < count; i++)
        value[i] = (double)raw[i];
    return count;
}

static void read_pressure(const struct report_stretches *stretches, struct stretches *out)
{
    read_floats(&stretches->low, out->low);
    out->count = read_floats(&stretches->high, out->high);
    out->step = stretches->step;
    out->from = stretches->from + 0.5 * out->step;
}

static void read_level(const struct report_response *response, struct stretches *out)
{
    const int16_t *raw = response->envelope.data;
    out->count = response->envelope.size / sizeof *raw;
    out->step = response->step;
    out->from = response->from + 0.5 * out->step;
    for (size_t i = 0; i < out->count; i++)
        out->low[i] = out->high[i] = raw[i] > INT16_MIN ? 0.01 * raw[i] : NAN;
}

/* ---- one figure ---- */

struct kind {
    const char *id;
    enum { FIRST, WHOLE, LEVEL } of;
    const char *title, *across, *up, *what;
    const char *reading; /* how to read it */
};

static const char across[] = T_LATER("time after the emission [s]"),
                  pressure[] = T_LATER("pressure [click at 1 m]");

static const struct kind kinds[] = {
    {"waveform-figure", FIRST, T_LATER("Pressure over the first tenth of a second"), across, pressure,
     T_LATER("Beginning of the response"),
     T_LATER(
         "What arrives first when the source gives one click: the direct sound, then single reflections from "
         "walls, "
         "floor and ceiling. Late and single crests are heard as echoes, early and dense ones make the sound "
         "fuller. Pressure 1 is the click of the source 1&nbsp;m away in free field with all its frequencies "
         "in one "
         "sample, as in the WAV file of the response; a run that ends at some frequency has lower and wider "
         "crests.")},
    {"whole-figure", WHOLE, T_LATER("Pressure over the whole response"), across, pressure,
     T_LATER("The whole response"),
     T_LATER("The same click until the room is silent: the tail behind the first crests is the "
             "reverberation, and "
             "the longer it stays wide, the longer the reverberation.")},
    {"level-figure", LEVEL, T_LATER("Level over the whole response"), across, T_LATER("level [dB]"),
     T_LATER("Level of the response"),
     T_LATER(
         "The same tail as the ear counts it, in decibels below its loudest crest: every 10&nbsp;dB down is "
         "about "
         "half as "
         "loud. An even room falls along a straight line; a step down or a rise is a single strong "
         "reflection.")},
};

static void read_kind(const struct kind *kind, const struct report_response *drawn, struct stretches *out)
{
    out->count = 0;
    if (drawn != NULL && kind->of == LEVEL)
        read_level(drawn, out);
    else if (drawn != NULL)
        read_pressure(kind->of == FIRST ? drawn->waveform : drawn->whole, out);
}

/* From the lowest to the highest of a stretch and on to the next, every second time the other way round. */
static void put_line(struct svg_plot *plot, const struct stretches *curve, bool level, double *x, double *y)
{
    size_t points = 0;
    for (size_t i = 0; i < curve->count; i++)
        for (int end = 0; end < (level ? 1 : 2); end++) {
            x[points] = curve->from + (double)i * curve->step;
            y[points++] = (i + (size_t)end) % 2 == 0 ? curve->low[i] : curve->high[i];
        }
    svg_plot_line(plot, 0, NULL, 1, x, y, points);
}

static void widen_axes(const struct stretches *curve, struct svg_axis *x, double *highest)
{
    x->low = fmin(x->low, curve->from - 0.5 * curve->step);
    x->high = fmax(x->high, curve->from + ((double)curve->count - 0.5) * curve->step);
    for (size_t i = 0; i < curve->count; i++)
        *highest = fmax(*highest, fmax(fabs(curve->low[i]), fabs(curve->high[i])));
}

static void put_kind(FILE *page, const struct report *report, const struct kind *kind,
                     struct stretches *curve, double *x, double *y)
{
    struct svg_plot plot = {.page = page,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .left = kind->of == LEVEL ? 0 : WIDE_NUMBERS,
                            .x = {.low = INFINITY, .high = -INFINITY, .label = T(kind->across)},
                            .y = {.low = -LEVELS, .high = 0, .label = T(kind->up)}};
    double highest = 0;
    for (size_t r = 0; r < report->runs; r++) {
        read_kind(kind, report_drawn(report, r, NULL), curve);
        if (curve->count > 0)
            widen_axes(curve, &plot.x, &highest);
    }
    if (!(plot.x.high > plot.x.low) || !(highest > 0))
        return;
    if (kind->of != LEVEL) {
        plot.y.high = HEADROOM * highest;
        plot.y.low = -plot.y.high;
    }
    fprintf(page, "<figure id=\"%s\">\n", kind->id);
    for (size_t r = 0; r < report->runs; r++) {
        read_kind(kind, report_drawn(report, r, NULL), curve);
        if (curve->count == 0)
            continue;
        fprintf(page, "<div class=\"run-%zu\">\n", r);
        svg_plot_begin(&plot, T(kind->title));
        put_line(&plot, curve, kind->of == LEVEL, x, y);
        svg_plot_end(&plot);
        report_curve_caption(page, report, r, T(kind->what));
        fputs("</div>\n", page);
    }
    fprintf(page, "<figcaption>%s</figcaption>\n</figure>\n", T(kind->reading));
}

void report_waveform_figures(FILE *page, const struct report *report)
{
    struct stretches *curve = malloc(sizeof *curve);
    double *x = malloc(2 * REPORT_ENVELOPE_BINS * sizeof *x),
           *y = malloc(2 * REPORT_ENVELOPE_BINS * sizeof *y);
    if (curve != NULL && x != NULL && y != NULL)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            put_kind(page, report, &kinds[k], curve, x, y);
    free(curve);
    free(x);
    free(y);
}
