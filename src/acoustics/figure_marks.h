/** What a reader must know of a decay beside its reverberation time: it is printed behind T30, or behind the
 * time that stands in for it, wherever that is written. */
#ifndef SRC_FIGURE_MARKS_H
#define SRC_FIGURE_MARKS_H

#include <stdbool.h>

#include "src/acoustics/figure_table.h"

/** A decay is called curved or uneven above these (ISO 3382-2, annex B). */
#define REVERBERATION_CURVATURE    10.0 /* [%] */
#define REVERBERATION_NONLINEARITY 10.0 /* [per mille] */

enum figure_mark {
    FIGURE_CURVED = 1,    /* c: T30 is more than a tenth above T20 */
    FIGURE_UNEVEN = 2,    /* u: farther from a straight line than the standard allows */
    FIGURE_TWO_SLOPES = 4 /* d: as in coupled rooms */
};

#define FIGURE_MARKS_MAX 4

/** Of `enum figure_mark`; a curvature or nonlinearity that is NaN marks nothing. */
unsigned figure_marks(double curvature, double nonlinearity, bool two_slopes);

/** "cud", "d", ""; and back. */
const char *figure_marks_text(unsigned marks, char text[FIGURE_MARKS_MAX]);
unsigned figure_marks_read(const char *text);

/** Does a figure carry the marks of its decay? T20 and T30 do. */
bool figure_is_marked(enum figure figure);

#endif
