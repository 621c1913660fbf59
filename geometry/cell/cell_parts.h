/** Cuts one voxel exactly by the triangles that pass through it.
 *
 * The voxel of node n is the cube of one spacing around it. Triangles are those of the sub-lattice of
 * lattice.h (LATTICE_SUBSTEPS to a spacing). Parts are the rest of the cube with all of them as walls. Two
 * points belong to one part if a path inside the voxel joins them without crossing a triangle. Any set of
 * triangles is accepted: sheets that end in the voxel, crossing shells, duplicates, slivers. Lengths here are
 * in spacings, from the voxel's centre: coordinates -1/2 .. 1/2, areas in h^2, volumes in h^3.
 *
 * Method: a binary space partition by the planes of the triangles (and, if there are many, by planes through
 * the middle of the rest) makes convex pieces. Two pieces are joined if they share a part of a plane that no
 * triangle of that plane covers. Openings between two pieces, or two groups of them that are already joined,
 * are summed; less than CELL_OPENING_LEAST is closed, unless it is a good part of the surface of a crumb.
 *
 * Cracks are closed, too. Snapping to odd sub-steps moves a coordinate by up to 17/16 sub-steps (lattice.h),
 * so a point by sqrt(3) times that, and a rim that lay on another wall is up to twice as far from it: 3.7
 * sub-steps. If a wall may be that near to a rim, the plane of the rim's wall also divides the space beside
 * the rim. So does the plane through the rim at right angles, unless another wall continues from the rim. In
 * one of the two planes the distance to the other wall is at most sqrt(2) times as long, whatever the angle;
 * openings there up to CELL_CRACK wide are closed. Crumbs between cracks go to the side to which they are
 * most open; near rims their area in faces of the voxel is left out, so that faces may lack strips of that
 * width. Walls outside the voxel are not considered: a rim along a face of voxels, within a crack of it, may
 * still leak. Planes that are within 1e-8 of each other over a triangle are one, as are sheets that cross at
 * so small an angle; else areas and volumes are right to some 1e-15. The number of planes is limited. Beyond
 * it, the remaining triangles are walls inside their piece, which sees both of their sides; only hundreds of
 * crossing sheets reach the limit.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_CELL_PARTS_H
#define GEOMETRY_CELL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/cell/cell_wall.h"
#include "geometry/voxel/lattice.h"
#include "geometry/voxel/triangle_bins.h"

#define CELL_OPENING_LEAST 1e-6 /* h^2: smaller ones are due to rounding */

/** The area of one side of one triangle that one part sees. */
struct cell_patch {
    uint32_t triangle;
    bool back;           /* the side from which its corners run clockwise */
    double area;         /* [h^2] */
    double projected[3]; /* area x |n.e| by axis [h^2] */
    double moment[3];    /* integral of the coordinate along the axis over projected[axis] [h^3] */
};

/** Convex, in a face of the voxel: corners (u, v) are the coordinates along axes (axis + 1) % 3, (axis + 2)
 * % 3. */
struct cell_polygon {
    uint8_t face;            /* enum direction */
    uint32_t first, corners; /* into corner[] */
};

struct cell_part {
    double volume;
    double face[DIRECTIONS]; /* area in every face of the voxel */
    bool holds_centre;       /* decided exactly; false for all parts if the centre lies on a triangle */
    uint32_t first_patch, patches;
    uint32_t first_polygon, polygons;
};

/** Reused from voxel to voxel: arrays grow. Zeroed is empty; cell_parts_free(). */
struct cell_parts {
    size_t parts, patches, polygons, corners;
    struct cell_part *part; /* by falling volume */
    struct cell_patch *patch;
    struct cell_polygon *polygon;
    double (*corner)[2];
    struct cell_memory *memory; /* of the partition */
    size_t part_room, patch_room, polygon_room, corner_room;
};

/** Cut the voxel of `node` by the triangles `index[0..count)` of `snapped`; triangles outside it have no
 * effect. In one plane the smaller face hides the larger one (coplanar.h), then a front hides a back, then
 * the lower index. Without triangles in it the voxel is one part. Parts of less than 1e-15 are left out.
 * FAILURE_CAPACITY for memory. Deterministic. `index` rises or not; corners are at most 2^30 + 2^11 sub-steps
 * from the node. About 1 us for one triangle, 2 us for two, 20 us for a dozen, 6 us each for a hundred and
 * more of a surface. */
int cell_parts_cut(const int64_t node[3], const struct snapped_triangle *snapped, const uint32_t *index,
                   size_t count, struct cell_parts *out, struct failure *failure);
void cell_parts_free(struct cell_parts *parts);

/** True if the triangle meets the closed cube of the voxel. Exact. */
bool cell_meets(const int64_t node[3], const struct snapped_triangle *triangle);

/** Area in which part `a` of one voxel meets part `b` of the next in `direction` [h^2]: the same number seen
 * from `b`, bit for bit. */
double cell_opening(const struct cell_parts *from, size_t a, enum direction direction,
                    const struct cell_parts *to, size_t b);

#endif
