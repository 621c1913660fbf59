/** Gathers triangles into patches of equal visibility: triangles of one plane that share sides, and small
 * ones joined with the neighbour at the smallest angle, until a patch is large enough.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_FACE_PATCHES_H
#define GEOMETRY_FACE_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"

/** Freed by face_patches_free(); zeroed is empty. */
struct face_patches {
    uint32_t *first; /* (triangle_count) the triangle that names the patch of a triangle */
    uint8_t *turned; /* (triangle_count) its front is on the side of that triangle's back */
    double *size;    /* (triangle_count) of the patch, at the triangle that names it */
};

/** Gather the triangles of `mesh`. `size` (triangle_count) is summed over a patch; a patch below `least`
 * joins a neighbour while it has any. Neighbours share a side with no third triangle; windings need not
 * agree. Deterministic. FAILURE_CAPACITY for memory. O(triangles log triangles). */
int face_patches_make(const struct mesh *mesh, const double *size, double least, struct face_patches *out,
                      struct failure *failure);
void face_patches_free(struct face_patches *patches);

#endif
