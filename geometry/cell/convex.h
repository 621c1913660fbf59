/** Convex polygons in and around one voxel, cut by planes.
 *
 * Lengths are in spacings from the voxel's centre. Corners within CONVEX_TOUCH of a plane lie in it, which is
 * far more than rounding errors and far less than relevant lengths. Cuts are only by given planes, not along
 * lines through computed corners, so short sides are harmless.
 *
 * Inside geometry/cell only. */
#ifndef GEOMETRY_CONVEX_H
#define GEOMETRY_CONVEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONVEX_TOUCH       1e-14
#define CONVEX_CORNERS_MAX 64u /* further corners are left out: a polygon with so many is nearly round */

struct plane {
    double normal[3]; /* unit */
    double offset;    /* normal . x of its points */
};

struct convex {
    uint32_t corners;
    double corner[CONVEX_CORNERS_MAX][3];
};

/* A view of a polygon. */
struct outline {
    const double (*corner)[3];
    uint32_t corners;
};

static inline struct outline convex_outline(const struct convex *polygon)
{
    return (struct outline){polygon->corner, polygon->corners};
}

enum { CONVEX_BELOW = 1, CONVEX_ABOVE = 2 };

void convex_copy(struct convex *to, struct outline from);

/** Sides of the plane with corners: CONVEX_BELOW | CONVEX_ABOVE; 0: all corners lie in it. */
int convex_sides(const struct plane *plane, struct outline polygon);

/** Distance of the corner that is farthest from the plane. */
double convex_reach(const struct plane *plane, struct outline polygon);

/** Side with most of a polygon that touches one plane: CONVEX_BELOW or CONVEX_ABOVE. */
int convex_main_side(const struct plane *plane, struct outline polygon);

/** The same; if corners are on both sides, also the parts below and above the plane. Both keep the order of
 * corners. Neither may be the polygon itself. */
int convex_split(const struct plane *plane, struct outline polygon, struct convex *below,
                 struct convex *above);

/** Keep the part on `side` of the plane, or in it. False if that is empty. */
bool convex_keep(struct convex *polygon, const struct plane *plane, int side);

/** The plane's section of the voxel; no corners if it misses the voxel. */
void convex_section(const struct plane *plane, struct convex *out);

/** Area of a polygon with the given normal; and with `moment`, the integral of the position over it. */
double convex_area(const double normal[3], struct outline polygon);
double convex_moment(const double normal[3], struct outline polygon, double moment[3]);

/** Common area of two convex polygons of one plane. */
double convex_common(const double (*a)[2], size_t a_corners, const double (*b)[2], size_t b_corners);

#endif
