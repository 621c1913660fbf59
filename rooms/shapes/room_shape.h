/** Parametric rooms: cube, sphere, cross and church, watertight by construction, with named materials and
 * positions. */
#ifndef ROOMS_ROOM_SHAPE_H
#define ROOMS_ROOM_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/mesh/mesh.h"

/** One option of a shape, as the command line shows it. Static storage. */
struct room_parameter {
    const char *name;         /* "nave-length" */
    const char *description;  /* one line */
    const char *unit;         /* "m", "deg", "" */
    double standard;          /* default */
    double low, high;         /* limits, inclusive */
    bool whole;               /* whole numbers only */
    const char *const *words; /* NULL for a number; else NULL-ended choices, the value being their index */
};

struct room_shape {
    const char *name; /* "church" */
    const char *description;
    size_t parameter_count; /* at most ROOM_PARAMETERS_MAX; the last one is `turn` in every shape */
    const struct room_parameter *parameter;
};

#define ROOM_PARAMETERS_MAX 64

/** All shapes, ended by count. */
const struct room_shape *room_shapes(size_t *count);
const struct room_shape *room_shape_find(const char *name); /* NULL when there is none */

/** Fill `value` (parameter_count) with the defaults. */
void room_defaults(const struct room_shape *shape, double *value);

/** Set one option from text: "nave-length" "32", or "roof" "vaulted". FAILURE_INPUT names the option and its
 * limits or choices, and for an unknown name all options; `value` is then unchanged. */
int room_set(const struct room_shape *shape, double *value, const char *name, const char *text,
             struct failure *failure);

/** Build a room. `value` holds parameter_count values in the order of the shape's table (NULL: all defaults).
 * Markers (sources and receivers) are part of the mesh: in a church 1.5 m and 1.2 m above the floor and at
 * least 1 m from every surface, in the other rooms in proportion to the size. `turn` rotates the finished
 * room, positions included, about the z axis of the shape's own coordinates (the corner of the cube, the
 * middle of the church's west wall), counter-clockwise seen from above; quarters of a turn are exact. The
 * counter-clockwise sides of triangles face the air. FAILURE_INPUT names the option, its value and the limit,
 * also if options contradict one another (columns without a gap between them). `out` is owned by the caller
 * and untouched on failure. */
int room_build(const struct room_shape *shape, const double *value, struct mesh *out,
               struct failure *failure);

#endif
