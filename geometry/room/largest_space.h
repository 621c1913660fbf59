/** Finds the largest space of a model, closed or with a path out of it. A church with an open door is a
 * space, the air around it is not.
 *
 * The search uses a coarse grid of LARGEST_SPACE_NODES in the model's bounding box. Closed air is a space. In
 * air with a path to the outside, a node counts if its lattice lines meet a wall in at least four of the six
 * directions. Connected nodes of this kind form a space if the one deepest inside also counts as inside for
 * the voxeliser (seed_stands_inside()), in an open scene as well. */
#ifndef GEOMETRY_LARGEST_SPACE_H
#define GEOMETRY_LARGEST_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/room/voxeliser.h"

#define LARGEST_SPACE_NODES 5e5

struct largest_space {
    double volume;          /* of its cells, approximate [m3]; 0 without a space */
    double position[3];     /* the node of it that is most steps away from walls and leak paths [m] */
    bool open;              /* a path leads from it out of the model, on this grid */
    bool holds_place;       /* one of the places is in it */
    struct lattice lattice; /* of the search */
};

/** Spaces of `least` [m3] or less are ignored. `options` as for voxelise().
 * @param[in] place  (place_count) positions to find [m]; may be NULL if there is none
 * FAILURE_CAPACITY for memory; failures of room_cuts_make(). Time: one voxelisation of that grid, a tenth of
 * a second, and O(triangles). */
int largest_space_find(const struct mesh *mesh, const struct voxelise_options *options,
                       const double (*place)[3], size_t place_count, double least, struct largest_space *out,
                       struct failure *failure);

#endif
