/** PLY and STL: does what the header promises fit into the file? Looked at before Assimp, which believes it.
 */
#ifndef GEOMETRY_MESH_HEADERS_H
#define GEOMETRY_MESH_HEADERS_H

#include <stddef.h>

#include "geometry/base/failure.h"

#define MESH_HEADERS_ELEMENTS_MAX 2147483648u /* 2^31 of a kind */

/** A PLY of `size` bytes (any content): a header with an end, known types, counts of at most 2^31 whose
 * elements fit into the rest of the file, in which every element and list is walked through; no list that
 * belongs to a face has more corners than a polygon may (POLYGON_CORNERS_MAX). FAILURE_INPUT. O(size). */
int ply_check(const char *bytes, size_t size, struct failure *failure);

/** An STL of `size` bytes: text that begins with "solid" and has a facet, or exactly the 84 + 50 n bytes of
 * its n triangles. FAILURE_INPUT. O(size). */
int stl_check(const char *bytes, size_t size, struct failure *failure);

#endif
