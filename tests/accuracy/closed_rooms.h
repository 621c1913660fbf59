/** What the cells of a closed room add up to, against its mesh as the lattice has it: random churches and
 * random closed bodies. */
#ifndef TESTS_CLOSED_ROOMS_H
#define TESTS_CLOSED_ROOMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/lattice.h"

struct closed_room {
    struct mesh mesh; /* owned; mesh_free() */
    struct lattice lattice;
    double source[3];   /* [m] */
    size_t first, last; /* the triangles around its air: their fronts look into it */
};

/** A church of random measures, at a random angle and place on a grid of some 200,000 nodes. */
void closed_room_church(uint64_t seed, struct closed_room *out);

/** A random closed body of three kinds by its seed: the convex hull of random points, a sphere whose corners
 * are moved in and out, and such spheres inside one another with the source in a random one of them. */
void closed_room_body(uint64_t seed, struct closed_room *out);

/** Add the convex hull of points (at most 32, no four in a plane); fronts look in, materials are random ones
 * of the mesh or, where it has none yet, of three. By looking at every three points. */
void closed_room_hull(struct mesh *mesh, const double (*point)[3], unsigned points, uint64_t *state);

/** Worst differences; 0 is best. */
struct cell_sums {
    size_t cells, pieces;
    double volume, area; /* of the room's volume, of the area of one material (-) */
    double whole;        /* what a cell or an opening has beyond that of a voxel (-) */
    double parts;        /* of the volume of a voxel, the sum of its parts (-) */
    double closed; /* openings and walls of what a voxel has of the room, as a closed surface, by axis [h2] */
    double cracks; /* the same of any one part of a voxel: cracks that are closed between parts [h2] */
};

/** Voxelise with cells and add up; aborts with a line on the standard error where the voxels are not what
 * voxels_check() allows. Volume and areas are those of the triangles as they are snapped.
 * `failure` where the room cannot be voxelised. */
int cell_sums_make(const struct closed_room *room, int threads, struct cell_sums *out,
                   struct failure *failure);

/** Does all hold: sums to 1e-5, cells to 1e-6, cracks to 5e-3? With `rims`, of walls that end at others
 * without common corners, such as pillars in vaults: strips of CELL_CRACK along rims are shut in faces of
 * voxels, and what lies in crumbs between slivers of walls is in no air. */
bool cell_sums_hold(const struct cell_sums *sums, bool rims);

#endif
