/** Which triangles of a model the air of a room touches, and which it never reaches: outer leaves of walls,
 * terrain, what is outside.
 *
 * The air is what a flood over uncut links reaches from the given positions. A triangle is reached when
 *   1. a cut link of an air node ends on it: of all triangles it is the hit nearest to that node; or
 *   2. one of its sample points (its centroid and the middles between that and its corners) can be seen from
 *      an air node of the 4x4x4 nodes around the point: no other triangle meets the segment between them,
 *      walls snapped as for links, but for the last REACHED_BLIND of the spacing before the point.
 * The second rule is for triangles so small that no link happens to meet them, and for niches narrower than
 * the spacing; of two that lie on each other back to back only the one that is turned to the node is seen.
 * A triangle of which a part is reached is reached as a whole; `touched_area` says how much of
 * the material the air has.
 *
 * So not reached is what other triangles hide from all air nodes nearby: the outer leaf of a double wall, a
 * terrain outside, and the far end of a slot that is deeper than two nodes and too narrow for any. Of faces
 * that lie on each other and are turned the same way, or are closer than REACHED_BLIND of the spacing, both
 * are reached.
 */
#ifndef GEOMETRY_REACHED_H
#define GEOMETRY_REACHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/room/voxeliser.h"
#include "geometry/voxel/lattice.h"

/** Of the spacing: a few of the steps that corners snap to. */
#define REACHED_BLIND (1.0 / 256)

struct reached_material {
    double area;         /* of its triangles [m2] */
    double reached_area; /* of those that are reached, whole triangles, one side [m2] */
    double touched_area; /* that the air has of them, both sides where it has both, and of what they are
                            behind by voxelise_options.back_material: h^2 times the sum of |n.e| over the cut
                            links of air nodes that end on them; right on average, not for one triangle
                            smaller than a cell [m2] */
    size_t triangles, reached_triangles;
};

/** Arrays are owned, freed by reached_free(); zeroed is empty. */
struct reached {
    size_t triangle_count;
    bool *triangle; /* (triangle_count) of the mesh: reached? */
    size_t material_count;
    struct reached_material *material; /* (material_count) of the mesh */
    uint64_t air_nodes;
    bool leaks; /* a path leads from a position out of the model: the air then includes what is outside,
                   within the model's bounding box */
};

/** `position[0..count)` [m] must each be in air (seed_corners). `options` as for voxelise(); what only
 * sealing triangles stop is not touched by anything. `out` is owned by the caller on success, untouched on
 * failure. FAILURE_INPUT for a position in a wall or beyond the box; FAILURE_CAPACITY for memory; failures of
 * cut_field_make() and seal_mesh(). The result does not depend on the number of threads. Time: one
 * voxelisation, and O(log triangles) for each triangle that no link meets, some 200 times that for one that
 * is near air and hidden. */
int reached_find(const struct mesh *mesh, const struct lattice *lattice,
                 const struct voxelise_options *options, const double (*position)[3], size_t count,
                 struct reached *out, struct failure *failure);
void reached_free(struct reached *reached);

#endif
