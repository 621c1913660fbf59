/** Receivers all over an area, for maps: points of a regular grid at ear height above the floor.
 *
 * A point stays where there is sound: in the air that the run computes, at least a cell of the run's grid
 * from every surface, and (of a material's faces) with nothing between it and its floor. What furniture or
 * walls swallow is left out and counted.
 *
 * Of an audience (audience_floor.h) seats do not count as furniture, half a cell from a surface will do, so
 * that heads stay above the backs of pews on a coarse grid, and ledges are left out. Where nobody asked for a
 * spacing it is 1 m or, in steps of 10 cm, as much more as leaves AUDIENCE_POINTS at most.
 */
#ifndef SRC_RECEIVER_GRID_H
#define SRC_RECEIVER_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "geometry/voxel/clearance.h"
#include "kernels/scheme/stencil.h"
#include "rooms/materials/surface_use.h"
#include "src/setup/room_request.h"

/** Points of one grid: they are the channels of one file, and libsndfile writes no more. */
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
    size_t covered, solid, confined; /* left out: something stands over the floor; no air of the source; less
                                        than a cell (of an audience half of one) from a surface */
    size_t ledges;                   /* of an audience */
};

/** What the points stand in. */
struct receiver_air {
    const struct clearance *tree;  /* of the room's mesh */
    const enum surface_use *use;   /* (material_count) of its materials; NULL: no audience is asked for */
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

/** Is it where people sit that is asked for? */
bool receiver_grid_is_audience(const struct option_grid *asked);

/** Was a spacing asked for? It is chosen otherwise, of an audience alone. */
bool receiver_grid_spacing_given(const struct point_request *request, const struct option_grid *asked);

/** Spacing of the points before the air is known [m]: as asked for, of one that is chosen the least. */
double receiver_grid_spacing(const struct point_request *request, const struct option_grid *asked);

/** The same points on another grid of the room. FAILURE_INPUT where one of them stands in no air there. */
int receiver_grid_move(const struct receiver_grid *from, const struct block_grid *grid,
                       struct receiver_grid *out, struct failure *failure);

#endif
