/** Receivers all over an area, for maps: points of a regular grid at ear height above the floor.
 *
 * A point stays where there is sound: in the air that the run computes, at least a cell of the run's grid
 * from every surface, and (of a material's faces) with nothing between it and its floor. What furniture or
 * walls swallow is left out and counted.
 */
#ifndef SRC_RECEIVER_GRID_H
#define SRC_RECEIVER_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "geometry/voxel/clearance.h"
#include "kernels/scheme/stencil.h"
#include "src/setup/room_request.h"

/** Points of one grid: they are the channels of one file, and libsndfile writes no more. */
#define RECEIVER_GRID_POINTS_MAX 1024

/** Zeroed is empty; freed by receiver_grid_free(). */
struct receiver_grid {
    char name[OPTION_NAME_MAX];
    double spacing;                  /* from point to point in x and y [m] */
    double height;                   /* of the points above the floor [m] */
    size_t count;                    /* points */
    double (*position)[3];           /* (count) sorted by y, x, z [m]; owned */
    int64_t (*node)[3];              /* (count) air node of the run's grid nearest to each; owned */
    size_t covered, solid, confined; /* left out: something stands over the floor; no air of the source; less
                                        than a cell from a surface */
};

/** What the points stand in. */
struct receiver_air {
    const struct clearance *tree;  /* of the room's mesh */
    const struct block_grid *grid; /* the run's */
    size_t sources;
    const double (*source)[3]; /* (sources) positions [m]: less than a cell from one no point is kept */
};

/** Lay out `asked` and keep what stands in the air. Spacing and height are those of `asked` or, where that is
 * 0, `request`'. FAILURE_INPUT as receiver_area_make(), where no point is left (with what became of them),
 * and past RECEIVER_GRID_POINTS_MAX with a spacing that fits, tried. FAILURE_CAPACITY for memory. O(points
 * log triangles). `out` is untouched on failure. */
int receiver_grid_make(const struct receiver_air *air, const struct point_request *request,
                       const struct option_grid *asked, struct receiver_grid *out, struct failure *failure);
void receiver_grid_free(struct receiver_grid *grid);

/** The same points on another grid of the room. FAILURE_INPUT where one of them stands in no air there. */
int receiver_grid_move(const struct receiver_grid *from, const struct block_grid *grid,
                       struct receiver_grid *out, struct failure *failure);

/** "pews-17": what point `index` is called in tables. Into `name`, returned. */
#define RECEIVER_GRID_NAME_MAX (OPTION_NAME_MAX + 24)
const char *receiver_grid_name(const struct receiver_grid *grid, size_t index,
                               char name[RECEIVER_GRID_NAME_MAX]);

#endif
