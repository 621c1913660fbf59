/** Paints a slice: pressures in colours, walls dark, written as PNG.
 *
 * Colours go from blue (below the pressure at rest) over white to red (above it): the scale RdBu of C.
 * Brewer's ColorBrewer, whose ends stay apart for all common kinds of colour blindness. Linear, or
 * logarithmic on either side: white at PAINT_RANGE dB below full colour and less. Nodes that are not air are
 * dark, and so is a line between two air nodes whose link a wall cuts. Every node is a square of `zoom` x
 * `zoom` pixels. Right and up are right and up of the plane (picture_plane.h). */
#ifndef SRC_PICTURE_PAINT_H
#define SRC_PICTURE_PAINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "geometry/base/whole_file.h"
#include "src/draw/picture_legend.h"
#include "src/draw/picture_plane.h"

#define PAINT_RANGE 40.0 /* of the logarithmic scale [dB] */
#define PAINT_LEAST 800  /* pixels across by default: as many or more */

enum paint_scale { PAINT_DECIBELS, PAINT_LINEAR };

struct picture_paint {
    enum paint_scale scale;
    double full;                         /* pressure that has full colour, and more than it has */
    unsigned zoom;                       /* pixels a node along an edge, >= 1 */
    const struct picture_legend *legend; /* below the picture; NULL: none */
    size_t curves;
    const double *curve; /* (curves, zoom x plane.size[0]) of lines in the colour of walls: how far above the
                            picture's lower edge they are in each column of pixels [nodes]; NaN: no line */
};

/** Pixels a node so that `size` nodes across make at least `least` pixels. */
unsigned picture_zoom(size_t size, size_t least);

/** Size of the picture with the strip of its legend. A film's frames have even numbers of pixels, as encoders
 * require, by an extra dark row or column. */
void picture_size(const struct picture_plane *plane, const struct picture_paint *paint, size_t size[2]);

/** The pressures at LEGEND_TICKS places of the scale, evenly from its one end to the other, for a legend. */
void picture_legend_ticks(const struct picture_paint *paint, struct picture_legend *legend);

/** Place of a pressure on the scale, -1 (full blue) to 1 (full red); 0 for NaN. */
double picture_shade(const struct picture_paint *paint, double pressure);

/** A text that the file carries (PNG tEXt): keyword (1 to 79 Latin letters) and its text. */
struct picture_text {
    const char *key, *text;
};

/** Paint plane->value into `stream`. `path` is its name in a failure. FAILURE_OUTPUT, FAILURE_CAPACITY. */
int picture_put(FILE *stream, const struct picture_plane *plane, const struct picture_paint *paint,
                const struct picture_text *text, size_t texts, const char *path, struct failure *failure);

/** Paint plane->value and write it under the temporary name of `path`, settled; as wav_stage().
 * FAILURE_OUTPUT, FAILURE_CAPACITY. */
int picture_stage(const char *path, const struct picture_plane *plane, const struct picture_paint *paint,
                  const struct picture_text *text, size_t texts, struct whole_file *out,
                  struct failure *failure);

#endif
