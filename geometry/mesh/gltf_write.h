/** Writes a mesh as glTF 2.0: JSON with the buffer embedded, or binary (GLB). */
#ifndef GEOMETRY_GLTF_WRITE_H
#define GEOMETRY_GLTF_WRITE_H

#include <stdbool.h>

#include "geometry/base/whole_file.h"
#include "geometry/mesh/mesh.h"

/** As mesh_write() describes; `mesh` has passed mesh_check() and has a triangle. A primitive per material
 * with float positions (the y axis up), 32-bit indices and a two-sided material; a node per marker. Bytes of
 * a name that are not UTF-8 become `_`. FAILURE_OUTPUT also if the buffer would exceed the 4 GiB of GLB. */
int gltf_write(const struct mesh *mesh, const char *path, bool binary, struct failure *failure);

/** The same under the temporary name of `path`, settled, so that it can be committed with other files. */
int gltf_stage(const struct mesh *mesh, const char *path, bool binary, struct whole_file *out,
               struct failure *failure);

#endif
