/** A triangle relative to one voxel: planes with full precision, however large and far the triangle is.
 *
 * Products of snapped corners use 128 bits and are divided once, so a plane through the voxel is right to a
 * few 2^-53 spacings. The side of the voxel's centre is exact.
 *
 * Inside geometry/cell only. */
#ifndef GEOMETRY_CELL_WALL_H
#define GEOMETRY_CELL_WALL_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/cell/convex.h"
#include "geometry/voxel/triangle_bins.h"

/** h: wider gaps beside a wall stay open (cell_parts.h gives the reason) */
#define CELL_CRACK (5.25 / LATTICE_SUBSTEPS)

struct cell_wall {
    uint32_t triangle;
    struct face_rank rank;
    int centre;           /* 1: in front of the plane, -1: behind, 0: in it */
    bool before_centre;   /* the point of the plane nearest to the centre is on the triangle or its rim */
    struct plane plane;   /* the normal is that of the front */
    struct plane edge[3]; /* at right angles to the plane; the triangle is above all three */
};

/** False if the triangle has no area. */
bool cell_wall_make(const int64_t node[3], const struct snapped_triangle *triangle, struct cell_wall *out);

/** True if the triangle meets the closed voxel. Exact. */
bool cell_wall_meets(const int64_t node[3], const struct snapped_triangle *triangle);

#endif
