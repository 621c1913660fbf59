/** Reads DXF text, without Assimp.
 *
 * Assimp 5.2 reads no unit, layer names only as names of meshes, and no layer that is off or frozen. It
 * ignores the rotation of block references, moves a block before it scales it, and drops the rest of a block
 * from its first reference to another on. It takes negative vertex numbers of polyface meshes, which mark
 * invisible edges, for zero, so that faces lose corners, and reads polygon meshes as lines. Checks that
 * refuse all this would refuse most drawings, so this reader takes its place.
 *
 * - 3DFACE, POLYLINE (polyface and polygon mesh) and MESH become faces. The layer is the material's name; a
 *   face on layer 0 in a block has that of the block reference.
 * - INSERT: scale, rotation, extrusion direction, rows and columns, blocks in blocks.
 * - $INSUNITS is the unit; z is up.
 * - Invisible entities, and layers that are off or frozen, are left out and noted. Paper space is left out.
 * - Solids and surfaces of ACIS, objects of other programs, lines with a thickness, and references to absent
 *   or external blocks are noted as lost. Other lines, texts and fills are counted as lines and points.
 * - DXF has no positions: the names of layers and blocks cannot contain `:`.
 */
#ifndef GEOMETRY_DXF_FILE_H
#define GEOMETRY_DXF_FILE_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/model_content.h"

#define DXF_DEPTH_MAX 32 /* of blocks in blocks */

/** Read `size` bytes of `text` with a zero byte behind them. FAILURE_INPUT, with the line, for a binary file,
 * one that ends before EOF, an invalid group code or number, a coordinate beyond a float, a face with an
 * absent vertex, a polygon mesh without its rows and columns, a MESH face above POLYGON_CORNERS_MAX corners,
 * and blocks deeper than DXF_DEPTH_MAX; FAILURE_CAPACITY. Corners are rounded to floats, as in all formats.
 * `out` must be freed even on failure. Time O(size), and that of each block for each reference to it. */
int dxf_read(const char *text, size_t size, struct model_file *out, struct failure *failure);

#endif
