/** The content of a model file, in its own unit and axes. */
#ifndef GEOMETRY_MODEL_CONTENT_H
#define GEOMETRY_MODEL_CONTENT_H

#include <stddef.h>

#include "geometry/import/import_notes.h"
#include "geometry/mesh/mesh.h"

enum up_axis { UP_AUTO, UP_Y, UP_Z };

#define MODEL_DEFAULT_MATERIAL "default" /* surfaces without a material in the file */

/** Zeroed is empty; `mesh` is freed by mesh_free(). */
struct model_file {
    struct mesh mesh;        /* triangles and markers (mesh_import.h); neither welded nor checked */
    size_t polygons;         /* faces of more than three corners */
    size_t instances;        /* node x mesh pairs */
    size_t lines_and_points; /* faces of one or two corners */
    double unit;             /* as the file states [m]; 0: none */
    enum up_axis up;         /* as the file states; UP_AUTO: none */
    struct import_notes notes;
};

#endif
