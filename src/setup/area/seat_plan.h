/** Draws where people sit, before anything runs. */
#ifndef SRC_SEAT_PLAN_H
#define SRC_SEAT_PLAN_H

#include "src/setup/receiver_grid.h"

/** Write an SVG 1.1 document, text as text, nothing fetched. In plan, x to the right and y up: the room cut
 * at the ears over the largest floor and through its seats, each part of `grid->floor` in the colour of its
 * verdict, the listeners, the sources, a scale bar, and in words the area, height and material of each part.
 * FAILURE_INPUT if `grid` is of no audience; FAILURE_OUTPUT. O(triangles + samples).
 * @param source (sources) positions [m] */
int seat_plan_write(const struct receiver_grid *grid, const struct mesh *mesh, size_t sources,
                    const double (*source)[3], const char *path, struct failure *failure);

#endif
