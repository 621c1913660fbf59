/** Classes and colours of a map: steps of just noticeable differences, and a perceptually uniform palette. */
#ifndef SRC_MAP_SCALE_H
#define SRC_MAP_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/response/acoustics/acoustic_figures.h"

#define MAP_CLASSES_MAX 12

/** `classes` steps from low on; values beyond belong to the outermost. */
struct map_scale {
    double low, step;
    size_t classes;    /* 1 to MAP_CLASSES_MAX */
    bool below, above; /* there are values below the lowest step, above the highest */
    int differences;   /* just noticeable differences in a step */
    int decimals;      /* decimals needed to distinguish steps */
};

/** Make the scale of `count` values of a figure (NaN: absent, left out); at least one must be present. A step
 * is the figure's just noticeable difference (of times that of their mean, to two digits), or 2, 5, 10, 20..
 * of them if fewer would make more than MAP_CLASSES_MAX steps; the first begins at a whole number of steps.
 * The outermost 2 % of many values on either side do not widen the scale, which a few places near the source
 * would otherwise dominate. FAILURE_CAPACITY for memory. */
int map_scale_make(enum figure figure, const double *value, size_t count, struct map_scale *out,
                   struct failure *failure);

/** The class of a value. */
size_t map_scale_class(const struct map_scale *scale, double value);

/** "#21918c": the colour of a class, dark for the lowest, light for the highest. The palette is viridis (N.
 * Smith, S. van der Walt, 2015): lightness rises evenly, so that it reads in grey and with any colour vision.
 */
#define MAP_COLOUR_MAX 8
const char *map_scale_colour(const struct map_scale *scale, size_t index, char text[MAP_COLOUR_MAX]);

#endif
