/** Finds the triangles of a model that the air of a room reaches. Outer leaves of walls, terrain and other
 * objects outside are not reached.
 *
 * The air is the set of nodes that a flood over uncut links reaches from the given positions. A triangle is
 * reached when
 *   1. a cut link of an air node ends on it: of all triangles it is the hit nearest to that node; or
 *   2. one of its sample points (its centroid and the middles between that and its corners) can be seen from
 *      an air node of the 4x4x4 nodes around the point: no other triangle meets the segment between them,
 *      walls snapped as for links, except within the last REACHED_BLIND of the spacing before the point.
 * The second rule is for triangles so small that no link meets them, and for niches narrower than the
 * spacing. Only the one of two coincident triangles back to back that faces the node is seen. A triangle
 * counts as a whole if a part of it is reached; `touched_area` is the area in contact with the air.
 *
 * So triangles hidden from all nearby air nodes are not reached: the outer leaf of a double wall, terrain,
 * and the far end of a slot deeper than two nodes and too narrow for one. Coincident faces with equal
 * orientation, or closer than REACHED_BLIND of the spacing, are both reached. */
#ifndef GEOMETRY_REACHED_H
#define GEOMETRY_REACHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/room/voxeliser.h"
#include "geometry/voxel/lattice.h"

/** Share of the spacing: a few of the steps that corners snap to. */
#define REACHED_BLIND (1.0 / 256)

struct reached_material {
    double area;         /* of its triangles [m2] */
    double reached_area; /* of those that are reached, whole triangles, one side [m2] */
    double touched_area; /* in contact with the air, on both sides if both are, including back sides by
                            voxelise_options.back_material: h^2 times the sum of |n.e| over the cut links of
                            air nodes that end on them; right on average, not for one triangle smaller than a
                            cell [m2] */
    size_t triangles, reached_triangles;
};

/** Arrays are owned, freed by reached_free(); zeroed is empty. */
struct reached {
    size_t triangle_count;
    bool *triangle; /* (triangle_count) of the mesh: reached? */
    size_t material_count;
    struct reached_material *material; /* (material_count) of the mesh */
    uint64_t air_nodes;
    bool leaks; /* a path leads from a position out of the model: the air then includes the outside within the
                   model's bounding box */
};

/** `position[0..count)` [m] must each be in air (seed_corners). `options` as for voxelise(); links that only
 * sealing triangles cut touch no triangle. `out` is owned by the caller on success, untouched on failure.
 * FAILURE_INPUT for a position in a wall or beyond the box; FAILURE_CAPACITY for memory; failures of
 * cut_field_make() and seal_mesh(). The result does not depend on the number of threads. Time: one
 * voxelisation, and O(log triangles) for each triangle that no link meets, about 200 times that for one that
 * is near air and hidden. */
int reached_find(const struct mesh *mesh, const struct lattice *lattice,
                 const struct voxelise_options *options, const double (*position)[3], size_t count,
                 struct reached *out, struct failure *failure);
void reached_free(struct reached *reached);

#endif
