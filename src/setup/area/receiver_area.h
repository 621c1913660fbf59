/** The area of a receiver grid, as triangles: level faces of one or all materials, or a polygon; and a
 * regular grid of points on it. */
#ifndef SRC_RECEIVER_AREA_H
#define SRC_RECEIVER_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "src/base/options/option_types.h"

#define RECEIVER_AREA_CORNERS_MAX 1000 /* of a polygon */
#define RECEIVER_AREA_POINTS_MAX  65536

/** Zeroed is empty; freed by receiver_area_free(). */
struct receiver_area {
    size_t count;
    double (*triangle)[3][3]; /* (count) corners [m]; owned */
    uint16_t *material;       /* (count) of the mesh; owned; NULL for a polygon */
    double low[2], high[2];   /* in plan [m] */
    double size;              /* in plan [m2]; faces above one another all count */
};

/** For an audience (`asked` has no material and no corners): all faces that lie flatter than 45 degrees
 * (audience_floor.h tells on which of them people sit). Else those of the material that `asked` names.
 * Either side may be up. Names match apart from case,
 * blanks, `_`, `-` and additions of programs (surface_name_means()). Or its polygon, cut into triangles:
 * between its corners the floor's height is that of the triangles. FAILURE_INPUT for a material that is
 * absent (the nearest is named), a mesh or material without such a face, and a polygon that has fewer than 3
 * or more than RECEIVER_AREA_CORNERS_MAX corners, has no area in plan, or crosses or touches itself there;
 * FAILURE_CAPACITY for memory. */
int receiver_area_make(const struct mesh *mesh, const struct option_grid *asked, struct receiver_area *out,
                       struct failure *failure);
void receiver_area_free(struct receiver_area *area);

/** A point of the floor and the square of the grid that it is the middle of. */
struct floor_point {
    double position[3];   /* on the floor [m] */
    double face;          /* height of the face that it was found on: of a seat, above its floor [m] */
    uint16_t material;    /* of that face; 0 on a polygon */
    bool level;           /* it has no slope */
    uint32_t column, row; /* along x, along y */
};

/** Height of a triangle over x, y [m]; false beside it. A point on an edge, up to rounding, is on both sides.
 */
bool receiver_area_height(const double triangle[3][3], double x, double y, double *height);

/** The spacing [m] from which on receiver_area_points() takes so large an area; in whole `unit`s [m], 0: as
 * it is. */
double receiver_area_spacing_least(const struct receiver_area *area, double unit);

/** Points `spacing` [m] apart in x and y. As many whole squares as fit are centred in the box of the area in
 * plan (one at least), and each has a point in its middle if that lies on the area, its edge included: on
 * every floor, if several lie above one another. Sorted by row, column, height; of equal heights (to a
 * millimetre) one is kept. `*out` (`*count`) is owned by the caller.
 * FAILURE_CAPACITY for memory and, before any is taken, past about RECEIVER_AREA_POINTS_MAX points, with the
 * spacing that stays below. */
int receiver_area_points(const struct receiver_area *area, double spacing, struct floor_point **out,
                         size_t *count, struct failure *failure);

#endif
