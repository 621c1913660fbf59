/** Receivers over an area, for maps: points of a regular grid at ear height above the floor.
 *
 * A point is kept if it is in the air of the run, at least a cell from every surface, and (over the faces of
 * a material) with nothing between it and its floor. Others, inside furniture or walls, are left out and
 * counted.
 *
 * An audience sits where audience_floor.h finds it, and seats do not count as furniture. Half a cell from a
 * surface is enough, so that heads stay above the backs of pews on a coarse grid. The default spacing is
 * the least from 1 m up, in steps of 10 cm, with AUDIENCE_POINTS at most.
 */
#ifndef SRC_RECEIVER_GRID_H
#define SRC_RECEIVER_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/scheme/stencil.h"
#include "src/base/options/room_request.h"
#include "src/setup/area/audience_floor.h"

/** Most points of one grid: they are the channels of one file, and libsndfile writes no more. */
#define RECEIVER_GRID_POINTS_MAX 1024
#define AUDIENCE_POINTS          200

/** Zeroed is empty; freed by receiver_grid_free(). */
struct receiver_grid {
    char name[OPTION_NAME_MAX];
    double spacing;                  /* from point to point in x and y [m] */
    double height;                   /* of the points above the floor [m] */
    size_t count;                    /* points */
    double (*position)[3];           /* (count) sorted by y, x, z [m]; owned */
    int64_t (*node)[3];              /* (count) air node of the run's grid nearest to each; owned */
    bool audience;                   /* where people sit */
    size_t covered, solid, confined; /* left out: an object over the floor; no air of the source; less
                                        than a cell (of an audience half of one) from a surface */
    size_t ledges;                   /* of an audience: points on stages or out of the source's sight */
    struct audience_floor floor;     /* of an audience: where people sit; owned */
};

/** Lay out `asked` and keep the points in the air. Spacing and height are those of `asked` or, if 0, those of
 * `request`. FAILURE_INPUT as receiver_area_make(), if no point is left (with the reasons), and above
 * RECEIVER_GRID_POINTS_MAX with a spacing that was tried and fits. FAILURE_CAPACITY for memory. O(points log
 * triangles). `out` is untouched on failure. */
int receiver_grid_make(const struct receiver_air *air, const struct point_request *request,
                       const struct option_grid *asked, struct receiver_grid *out, struct failure *failure);
void receiver_grid_free(struct receiver_grid *grid);

/** True if a spacing was given. Otherwise that of an audience is chosen. */
bool receiver_grid_spacing_given(const struct point_request *request, const struct option_grid *asked);

/** Spacing of the points before the air is known [m]: as given, or the least that may be chosen. */
double receiver_grid_spacing(const struct point_request *request, const struct option_grid *asked);

/** The same points on another grid of the room. FAILURE_INPUT if one of them is not in air there. */
int receiver_grid_move(const struct receiver_grid *from, const struct block_grid *grid,
                       struct receiver_grid *out, struct failure *failure);

#endif
