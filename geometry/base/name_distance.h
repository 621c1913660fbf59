/** Edit distance of two names, for "did you mean". */
#ifndef GEOMETRY_NAME_DISTANCE_H
#define GEOMETRY_NAME_DISTANCE_H

#include <stddef.h>

/** Names of this length or longer are not compared. */
#define NAME_DISTANCE_MAX 64

/** The fewest insertions, deletions, changes and swaps of neighbours that make `b` of `a`, byte by byte;
 * NAME_DISTANCE_MAX where one of them is too long. */
size_t name_distance(const char *a, const char *b);

#endif
