/** A plot as inline SVG: two axes, lines over them, and a key of colours. No scripts, style sheets or
 * external files; classes allow styling. */
#ifndef SRC_SVG_PLOT_H
#define SRC_SVG_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct svg_axis {
    double low, high; /* low < high; of a logarithmic one both above 0 */
    bool octaves; /* logarithmic, marked at the octaves from 31.5 Hz on; over less than two at their thirds */
    const char *label;
};

struct svg_plot {
    FILE *page;           /* borrowed */
    double width, height; /* of the whole drawing [px] */
    struct svg_axis x, y;
    double left; /* of the frame [px]; 0: where numbers of three digits have room */
    size_t keys; /* so far */
};

/** Begin a drawing with its frame, grid lines and marks. `title` is the text for screen readers. */
void svg_plot_begin(struct svg_plot *plot, const char *title);
void svg_plot_end(struct svg_plot *plot);

/** A line through points; those that are not finite break it, those outside the axes are cut off.
 * @param colour index, repeated after SVG_COLOURS; @param dashes NULL: a whole line */
void svg_plot_line(struct svg_plot *plot, size_t colour, const char *dashes, double width, const double *x,
                   const double *y, size_t count);

/** An error bar, from `low` to `high`; what lies outside the axes is cut off. */
void svg_plot_bar(struct svg_plot *plot, size_t colour, double x, double low, double high);

/** What is drawn between these is lighter: values from rays. */
void svg_plot_faint_begin(struct svg_plot *plot);
void svg_plot_faint_end(struct svg_plot *plot);

/** A dot with a black rim, if it lies within the axes: the end of a stretch. And a hollow one, in its colour
 * alone: a value that no waves have. */
void svg_plot_dot(struct svg_plot *plot, size_t colour, double x, double y);
void svg_plot_hollow(struct svg_plot *plot, size_t colour, double x, double y);

/** Dashes by index, so that lines differ in grey; the first is NULL, a whole line, and after
 * SVG_DASHES they come again. */
#define SVG_DASHES 8
const char *svg_dashes(size_t index);

/** A piece of such a line for a list beside the drawing. */
void svg_swatch(FILE *page, size_t colour, const char *dashes);

/** An entry of the key, above the frame. */
void svg_plot_key(struct svg_plot *plot, size_t colour, const char *dashes, const char *label);

/** Eight colours that differ for any colour vision (M. Okabe, K. Ito, 2008), yellow left out. */
#define SVG_COLOURS 7
const char *svg_colour(size_t index);

/** The first of 1, 2, 5, 10, 20 .. times a power of ten that divides `range` into at most `most` steps. */
double svg_nice_step(double range, int most);

#endif
