/** Triangles gathered into patches that are seen or hidden alike: those of one plane that share sides, and
 * small ones with the neighbour that they bend least towards, until a patch is large enough.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_FACE_PATCHES_H
#define GEOMETRY_FACE_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"

/** Freed by face_patches_free(); zeroed is empty. */
struct face_patches {
    uint32_t *first; /* (triangle_count) the triangle that the patch of a triangle is named by */
    uint8_t *turned; /* (triangle_count) its front is on the side of that triangle's back */
    double *size;    /* (triangle_count) of the patch, at the triangle it is named by */
};

/** Gather the triangles of `mesh`: `size` (triangle_count) adds up over a patch, and one below `least` joins
 * a neighbour while it has any. Neighbours share a side that no third triangle has; windings need not agree.
 * The same for any order of work. FAILURE_CAPACITY for memory. O(triangles log triangles). */
int face_patches_make(const struct mesh *mesh, const double *size, double least, struct face_patches *out,
                      struct failure *failure);
void face_patches_free(struct face_patches *patches);

#endif
