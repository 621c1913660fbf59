/** Writes a mesh as OBJ + MTL, glTF or GLB, and a path as OBJ lines. */
#ifndef GEOMETRY_MESH_WRITE_H
#define GEOMETRY_MESH_WRITE_H

#include "geometry/mesh/mesh.h"

/** Write `mesh` to `path`; the ending decides: .obj (with a .mtl of the same stem beside it), .gltf (one
 * file, buffer embedded) or .glb. OBJ is z up in metres, doubles printed to 17 digits; glTF is y up in metres
 * and holds floats, as its standard asks. Reading any of them back with mesh_import() gives the coordinates
 * rounded to float.
 *
 * OBJ has an object per material (blanks in object names, not in materials' names, become `_`), glTF one mesh
 * with a primitive per material; materials without triangles are left out. A colour for each comes from words
 * in its name, or from the name's hash. Markers are `source:NAME`, `receiver:NAME`: nodes in glTF, in OBJ
 * small octahedra whose centroid is the position. Files appear whole or not at all (whole_file.h); of OBJ and
 * MTL both are on disk before either gets its name, and the MTL gets it first. FAILURE_INPUT for another
 * ending or a mesh that is empty or broken, FAILURE_OUTPUT when writing fails. */
int mesh_write(const struct mesh *mesh, const char *path, struct failure *failure);

/** Write a polyline (`count` >= 2 points, in the axes of the caller) as an OBJ of line elements under the
 * object name `name`. FAILURE_OUTPUT when writing fails. */
int mesh_write_path(const char *path, const char *name, const double (*point)[3], size_t count,
                    struct failure *failure);

#endif
