/** Reads OBJ without Assimp.
 *
 * Assimp 5.2 ends an object's name at its first space, drops vertices that no face uses, and loses lines that
 * are indented or follow a byte order mark. It gives faces before the first `usemtl` that material, adds the
 * faces of an object's second part to the object before, and has overflowed on bad indices. This reader reads
 * `v`, `f`, `usemtl`, `o` and `g`, continued lines, negative indices, `v/vt/vn`, and a remark `# File units =
 * inches` (SketchUp) or `# Units = meters` before the first corner. Other statements are listed in the notes,
 * free-form surfaces first.
 */
#ifndef GEOMETRY_OBJ_FILE_H
#define GEOMETRY_OBJ_FILE_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/model_content.h"

/** Read `size` bytes of `text` with a zero byte behind them. Any word of an `o` or `g` line can name a
 * position: SketchUp writes `g Mesh1 source:pulpit Model`. A `g` line begins an object only if it names a
 * position, other than its own object's name alone or before a `_`; it ends an object that a `g` line began.
 * A position is the centroid of its faces' corners (each place once), or of its `v` lines if it has no face.
 * FAILURE_INPUT with the line of a coordinate outside the range of a float, a face with an absent vertex, or
 * a polygon above POLYGON_CORNERS_MAX; also for more than MESH_MATERIALS_MAX materials, or a position without
 * a vertex. FAILURE_CAPACITY. `out` must be freed even on failure. Time and memory O(size). */
int obj_read(const char *text, size_t size, struct model_file *out, struct failure *failure);

#endif
