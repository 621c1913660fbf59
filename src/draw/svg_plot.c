#include "src/draw/svg_plot.h"

#include <math.h>

#include "src/draw/html.h"
#include "src/base/words/words.h"

#define LEFT   (plot->left > 0 ? plot->left : 58.0)
#define RIGHT  14.0
#define TOP    34.0
#define BOTTOM 46.0

const char *svg_colour(size_t index)
{
    static const char *const colour[SVG_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#56B4E9", "#E69F00", "#000000"};
    return colour[index % SVG_COLOURS];
}

double svg_nice_step(double range, int most)
{
    double step = pow(10, floor(log10(range / most)));
    static const double factor[] = {1, 2, 5, 10, 20};
    for (int i = 0; i < 5; i++)
        if (range / (step * factor[i]) <= most + 1e-9)
            return step * factor[i];
    return step * 50;
}

static double share_of_axis(const struct svg_axis *axis, double value)
{
    return axis->octaves ? log(value / axis->low) / log(axis->high / axis->low)
                         : (value - axis->low) / (axis->high - axis->low);
}

static double x_of(const struct svg_plot *plot, double value)
{
    return LEFT + share_of_axis(&plot->x, value) * (plot->width - LEFT - RIGHT);
}

static double y_of(const struct svg_plot *plot, double value)
{
    return plot->height - BOTTOM - share_of_axis(&plot->y, value) * (plot->height - TOP - BOTTOM);
}

/* A line over the plot at a value of the x axis (`across`) or the y axis, and the value beside it. */
static void put_mark(struct svg_plot *plot, bool across, double value)
{
    const double at = across ? x_of(plot, value) : y_of(plot, value), low = plot->height - BOTTOM;
    fprintf(plot->page, "<path class=\"grid\" d=\"M%.1f %.1f%c%.1f\" stroke=\"#ddd\"/>", across ? at : LEFT,
            across ? TOP : at, across ? 'V' : 'H', across ? low : plot->width - RIGHT);
    fprintf(plot->page, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", across ? at : LEFT - 6,
            across ? low + 16 : at + 4, across ? "middle" : "end",
            words_number("%.5g", fabs(value) < 1e-9 ? 0 : value).text);
}

static void put_marks(struct svg_plot *plot, bool across)
{
    static const double third[] = {20,   25,   31.5, 40,   50,   63,   80,   100,   125,   160,
                                   200,  250,  315,  400,  500,  630,  800,  1000,  1250,  1600,
                                   2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000, 12500, 16000};
    const struct svg_axis *axis = across ? &plot->x : &plot->y;
    if (axis->octaves) {
        const bool few = axis->high < 4 * axis->low;
        for (size_t i = few ? 0 : 2; i < sizeof third / sizeof third[0]; i += few ? 1 : 3)
            if (third[i] >= axis->low && third[i] <= axis->high)
                put_mark(plot, across, third[i]);
        return;
    }
    const double step = svg_nice_step(axis->high - axis->low, across ? 10 : 8);
    for (double n = ceil(axis->low / step - 1e-9); n * step <= axis->high + 1e-9 * step; n++)
        put_mark(plot, across, n * step);
}

void svg_plot_begin(struct svg_plot *plot, const char *title)
{
    FILE *page = plot->page;
    plot->keys = 0;
    fprintf(page,
            "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\"><title>",
            plot->width, plot->height, plot->width, plot->height);
    html_text(page, title);
    fputs("</title>\n", page);
    put_marks(plot, true);
    put_marks(plot, false);
    fprintf(page,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#888\"/>\n",
            LEFT, TOP, plot->width - LEFT - RIGHT, plot->height - TOP - BOTTOM);
    fprintf(page, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", 0.5 * (LEFT + plot->width - RIGHT),
            plot->height - 10);
    html_text(page, plot->x.label);
    fprintf(page, "</text>\n<text transform=\"translate(14 %.1f) rotate(-90)\" text-anchor=\"middle\">",
            0.5 * (TOP + plot->height - BOTTOM));
    html_text(page, plot->y.label);
    fputs("</text>\n", page);
}

void svg_plot_end(struct svg_plot *plot)
{
    fputs("</svg>\n", plot->page);
}

static bool is_inside(const struct svg_axis *axis, double value)
{
    return value >= axis->low && value <= axis->high;
}

static void put_dashes(FILE *page, const char *dashes)
{
    if (dashes != NULL)
        fprintf(page, " stroke-dasharray=\"%s\"", dashes);
}

/* Points outside the x range are left out. Lines are clipped at the top and bottom. */
void svg_plot_line(struct svg_plot *plot, size_t colour, const char *dashes, double width, const double *x,
                   const double *y, size_t count)
{
    FILE *page = plot->page;
    bool drawing = false;
    fprintf(
        page,
        "<path class=\"line\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-linejoin=\"round\"",
        svg_colour(colour), width);
    put_dashes(page, dashes);
    fputs(" d=\"", page);
    for (size_t i = 0; i < count; i++) {
        const bool there = isfinite(x[i]) && isfinite(y[i]) && is_inside(&plot->x, x[i]);
        const bool inside = there && is_inside(&plot->y, y[i]);
        const bool linked = i > 0 && there && isfinite(x[i - 1]) && isfinite(y[i - 1]) &&
                            is_inside(&plot->x, x[i - 1]) && inside != is_inside(&plot->y, y[i - 1]);
        if (linked) {
            const double outer = inside ? y[i - 1] : y[i];
            const double level = outer < plot->y.low ? plot->y.low : plot->y.high;
            const double part = (level - y[i - 1]) / (y[i] - y[i - 1]);
            fprintf(page, "%c%.1f %.1f", inside ? 'M' : 'L', x_of(plot, x[i - 1] + part * (x[i] - x[i - 1])),
                    y_of(plot, level));
            drawing = inside;
        }
        if (inside)
            fprintf(page, "%c%.1f %.1f", drawing ? 'L' : 'M', x_of(plot, x[i]), y_of(plot, y[i]));
        drawing = inside;
    }
    fputs("\"/>\n", page);
}

static void put_dot(struct svg_plot *plot, const char *class, const char *fill, const char *rim, double x,
                    double y)
{
    if (isfinite(x) && isfinite(y) && is_inside(&plot->x, x) && is_inside(&plot->y, y))
        fprintf(plot->page,
                "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\" stroke=\"%s\"/>\n", class,
                x_of(plot, x), y_of(plot, y), fill, rim);
}

void svg_plot_dot(struct svg_plot *plot, size_t colour, double x, double y)
{
    put_dot(plot, "end", svg_colour(colour), "#000", x, y);
}

void svg_plot_hollow(struct svg_plot *plot, size_t colour, double x, double y)
{
    put_dot(plot, "hollow", "#fff", svg_colour(colour), x, y);
}

void svg_plot_bar(struct svg_plot *plot, size_t colour, double x, double low, double high)
{
    const double from = fmax(low, plot->y.low), to = fmin(high, plot->y.high);
    if (isfinite(low) && isfinite(high) && from <= to && is_inside(&plot->x, x))
        fprintf(plot->page,
                "<path class=\"bar\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" "
                "d=\"M%.1f %.1fV%.1fm-4 0h8M%.1f %.1fh8\"/>\n",
                svg_colour(colour), x_of(plot, x), y_of(plot, from), y_of(plot, to), x_of(plot, x) - 4,
                y_of(plot, from));
}

void svg_plot_faint_begin(struct svg_plot *plot)
{
    fputs("<g class=\"rays\" opacity=\"0.6\">\n", plot->page);
}

void svg_plot_faint_end(struct svg_plot *plot)
{
    fputs("</g>\n", plot->page);
}

const char *svg_dashes(size_t index)
{
    static const char *const dashes[SVG_DASHES] = {NULL,   "8 4",         "2 3", "10 3 2 3",
                                                   "16 4", "6 2 1 2 1 2", "4 2", "14 3 4 3"};
    return dashes[index % SVG_DASHES];
}

void svg_swatch(FILE *page, size_t colour, const char *dashes)
{
    fprintf(page,
            "<svg width=\"48\" height=\"10\" aria-hidden=\"true\"><path d=\"M0 5h48\" fill=\"none\" "
            "stroke=\"%s\" stroke-width=\"2.5\"",
            svg_colour(colour));
    put_dashes(page, dashes);
    fputs("/></svg>", page);
}

void svg_plot_key(struct svg_plot *plot, size_t colour, const char *dashes, const char *label)
{
    const double x = LEFT + 92.0 * (double)plot->keys++;
    fprintf(plot->page, "<path d=\"M%.1f 16h22\" fill=\"none\" stroke=\"%s\" stroke-width=\"3\"", x,
            svg_colour(colour));
    put_dashes(plot->page, dashes);
    fprintf(plot->page, "/><text x=\"%.1f\" y=\"20\">", x + 27);
    html_text(plot->page, label);
    fputs("</text>\n", plot->page);
}
