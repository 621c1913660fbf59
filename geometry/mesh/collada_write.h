/** Writes a mesh as COLLADA 1.4.1 (.dae), the format that SOFA files name for the geometry of a room. */
#ifndef GEOMETRY_COLLADA_WRITE_H
#define GEOMETRY_COLLADA_WRITE_H

#include "geometry/base/whole_file.h"
#include "geometry/mesh/mesh.h"

/** Write `mesh`, which has passed mesh_check() and has a triangle, under the temporary name of `path`,
 * settled: metres, z up, one geometry whose triangles are in groups by material, with names and display
 * colours. Coordinates are exact to float. Characters that XML forbids in a name become `?`.
 * @param date of creation, required by the format: "2026-01-31T12:00:00Z"
 * @param out  zeroed
 * FAILURE_OUTPUT as whole_file_open(), FAILURE_CAPACITY for memory. */
int collada_stage(const struct mesh *mesh, const char *date, const char *path, struct whole_file *out,
                  struct failure *failure);

#endif
