/** Reads PLY, text and binary, without Assimp.
 *
 * Assimp 5.2 drops the first byte of data that begin with 0x0A, reads triangle strips as single triangles,
 * and never ends on some headers. This reader reads the elements `vertex` (x, y, z), `face` and `tristrips`
 * (the list vertex_indices or vertex_index; in strips, a number below 0 begins the next strip). Others are
 * skipped and noted.
 */
#ifndef GEOMETRY_PLY_FILE_H
#define GEOMETRY_PLY_FILE_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/model_content.h"

#define PLY_ELEMENTS_MAX 2147483648u /* 2^31 of a kind */

/** Read `size` bytes of any content, with a zero byte behind them. FAILURE_INPUT for a header without an end
 * or with an unknown type, counts above 2^31 or beyond the file's size, an incomplete list, a coordinate
 * beyond a float, a face with more than POLYGON_CORNERS_MAX corners, or a face whose vertex does not exist;
 * FAILURE_CAPACITY. Unread contents become a note. Corners are rounded to floats, as in all formats. `out`
 * must be freed even on failure. Time O(size). */
int ply_read(const char *bytes, size_t size, struct model_file *out, struct failure *failure);

#endif
