/** A map as a drawing: the plan of a room with one figure at the points of a receiver grid. */
#ifndef SRC_MAP_DRAWING_H
#define SRC_MAP_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/text_buffer.h"
#include "geometry/mesh/mesh.h"
#include "src/base/options/option_types.h"
#include "src/response/acoustics/acoustic_figures.h"

/** The points of a map's values: those of a receiver grid. All borrowed. */
struct map_points {
    const char *name;      /* of the grid */
    double spacing;        /* from point to point in x and y [m] */
    double height;         /* of the points above the floor [m] */
    size_t count;          /* points */
    double (*position)[3]; /* (count) [m] */
};

/** "pews-17": the name of point `index` of a grid in tables. Into `name`, returned. */
#define MAP_POINT_NAME_MAX (OPTION_NAME_MAX + 24)
const char *map_point_name(const char *grid, size_t index, char name[MAP_POINT_NAME_MAX]);

/** All borrowed. */
struct map_drawing {
    const struct mesh *mesh; /* of the room */
    struct map_points grid;
    const char *source;            /* its name */
    const double *source_position; /* [m] */
    enum figure figure;
    const char *octave;  /* "500 Hz octave" */
    const double *value; /* (points) NaN where absent */
    const char *why;     /* the reason for the first; NULL: none is absent */
    const double *other; /* (other_points) values of maps beside this one, on whose scale both are;
                            NULL: none */
    size_t other_points;
    bool inside; /* of a page, whose style has the colours and which has the pattern `absent` */
};

/** Append one SVG 1.1 document, text as text, no scripts, no style sheets, nothing fetched. In plan, x to the
 * right and y up: the room cut at the height of the points, a square of the grid for each point, in the
 * colour of its class (map_scale.h) and with its value as a tool tip, or hatched where it has none; the
 * source, a scale bar, coordinates, and a legend. If points lie above one another, as on a gallery, each
 * level has its own plan. `inside`: an SVG element without title and legend, and after it the legend as a
 * list of HTML, whose letters stay as large as those of the page. FAILURE_CAPACITY for memory. O(triangles +
 * points). */
int map_drawing_svg(const struct map_drawing *map, struct text_buffer *out, struct failure *failure);

#endif
