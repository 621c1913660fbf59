/** Sorts numbers, and finds their median. */
#ifndef SRC_SORTED_DOUBLES_H
#define SRC_SORTED_DOUBLES_H

#include <stddef.h>

/** Sort in rising order, in place. None may be NaN; a median needs at least one. */
void sort_doubles(double *value, size_t count);

/** Sort them, and return the median; for an even count the mean of the middle two. */
double sort_for_median(double *value, size_t count);

#endif
