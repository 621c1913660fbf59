/** Numbers in rising order, and the one in the middle. */
#ifndef SRC_SORTED_DOUBLES_H
#define SRC_SORTED_DOUBLES_H

#include <stddef.h>

/** Put them in rising order, in place. At least one for a median; none may be NaN. */
void sort_doubles(double *value, size_t count);

/** Sort them, and return the median: of an even count the mean of the two in the middle. */
double sort_for_median(double *value, size_t count);

#endif
