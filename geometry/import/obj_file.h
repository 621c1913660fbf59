/** OBJ, read by code of our own.
 *
 * Assimp 5.2 ends an object's name at its first space, drops vertices that no face uses, loses lines that are
 * indented or follow a byte order mark, gives faces before the first `usemtl` that material, puts the faces
 * of an object that is opened a second time into the one before, and has overflowed on bad indices. Read are
 * `v`, `f`, `usemtl`, `o` and `g`; continued lines, negative indices and `v/vt/vn` are understood, as is a
 * remark `# File units = inches` (SketchUp) or `# Units = meters` before the first corner. Other statements
 * are named in the notes, free-form surfaces first.
 */
#ifndef GEOMETRY_OBJ_FILE_H
#define GEOMETRY_OBJ_FILE_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/model_content.h"

/** Read `size` bytes of `text` with a zero behind them. A position is named by any word of an `o`
 * or `g` line: SketchUp writes `g Mesh1 source:pulpit Model`. A `g` line counts as an object only when it
 * names a position (and does not repeat the name of the one it is in, alone or before a `_`) or ends one that
 * a `g` line began. A position is the centroid of its faces' corners (each place once), without faces that of
 * its `v` lines. FAILURE_INPUT with the line of a coordinate that is no number a float can hold, of a face
 * that refers to a vertex that does not exist, of a polygon past POLYGON_CORNERS_MAX; for more than
 * MESH_MATERIALS_MAX materials, or a position without a vertex. FAILURE_CAPACITY. `out` is to be freed
 * whatever is returned. Time and memory O(size). */
int obj_read(const char *text, size_t size, struct model_file *out, struct failure *failure);

#endif
