/** What a model file holds, in its own unit and axes: the only module that calls Assimp.
 *
 * It takes a path and returns plain arrays, so that it can run in a process of its own, away from everything
 * else.
 */
#ifndef GEOMETRY_MODEL_FILE_H
#define GEOMETRY_MODEL_FILE_H

#include <stddef.h>

#include "geometry/mesh.h"

/** Zeroed is empty; `mesh` is freed by mesh_free(). */
struct model_file {
    struct mesh mesh; /* triangles and markers as mesh_import.h describes them; nothing welded or checked */
    size_t polygons;  /* faces of more than three corners */
    size_t instances; /* node x mesh pairs */
    size_t lines_and_points; /* faces of one or two corners */
};

/** Read `path`; `format` is its name for sentences, "OBJ" among others. FAILURE_INPUT for a file that is
 * missing, no regular file, over 4 GiB, or that Assimp cannot read. `out` is untouched on failure. */
int model_file_read(const char *path, const char *format, struct model_file *out, struct failure *failure);

#endif
