/** Mesh and blocks of a run's folder (run_geometry.h) as a report carries them. */
#ifndef SRC_REPORT_GEOMETRY_H
#define SRC_REPORT_GEOMETRY_H

#include <cjson/cJSON.h>

#include "geometry/mesh/mesh.h"
#include "src/record/run_folder.h"

/** Add `mesh` and `blocks` to `run`, as report_data.h has them; null with `mesh_why`, `blocks_why` where the
 * folder lacks the file, it is broken, or it is too large for a page. FAILURE_CAPACITY without memory.
 * @param kept zeroed; receives the mesh, also one that is too large; empty where there is none */
int report_geometry_add(cJSON *run, const struct run_folder *folder, struct mesh *kept,
                        struct failure *failure);

#endif
