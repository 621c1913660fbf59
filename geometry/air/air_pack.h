/** Converts a flood to voxels: the blocks that hold air, their cut links, and the wall at each of these.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_AIR_PACK_H
#define GEOMETRY_AIR_PACK_H

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/flood.h"
#include "geometry/voxel/voxels.h"

/** Pack the air of `flood`.
 * @param[in] mesh   whose triangles the hits of both fields name
 * @param[in] back   (material_count) the material behind every material of the mesh; NULL: the same
 * @param[in] plain NULL, or the cuts of the mesh without the ribbons of geometry/leak/seal.h in flood->field.
 * Then a link that only flood->field cuts is cut only if it leads out of the air
 * @param[out] out   owned by the caller (voxels_free), untouched on failure
 * FAILURE_CAPACITY for memory. O(blocks + cut links), threads; the result does not depend on their number. */
int air_pack(const struct mesh *mesh, const uint16_t *back, const struct flood *flood,
             const struct cut_field *plain, int threads, struct voxels *out, struct failure *failure);

#endif
