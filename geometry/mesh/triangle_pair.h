/** Tests if two triangles cross, exactly on integer coordinates (definition: intersections.h).
 *
 * Inside intersections.c and its tests only. */
#ifndef GEOMETRY_TRIANGLE_PAIR_H
#define GEOMETRY_TRIANGLE_PAIR_H

#include <stdbool.h>

/** Largest magnitude of a coordinate, an integer held in a double: a volume of differences is then below
 * 2^126. */
#define TRIANGLE_PAIR_LIMIT 0x1p40

/** Corners in integer steps. */
struct triangle_corners {
    double at[3][3];
};

/** Sign of the volume of (a, b, c, d): positive where d lies on the side of the plane from which a, b, c run
 * counterclockwise. Exact. */
int triangle_pair_side(const double a[3], const double b[3], const double c[3], const double d[3]);

/** True if the triangle has an area. Exact. */
bool triangle_pair_has_area(const struct triangle_corners *triangle);

/** The intersection of two triangles with an area. */
struct triangle_meeting {
    bool crosses;
    bool one_plane;
    double middle[3]; /* of the common part, in steps; rounded */
    double length; /* of the segment, or the longest side of the overlap's bounding box, in steps; rounded */
};

/** Exact for tolerance 0; else as in intersections.h, `tolerance` in steps. */
void triangle_pair_test(const struct triangle_corners *first, const struct triangle_corners *second,
                        double tolerance, struct triangle_meeting *out);

#endif
