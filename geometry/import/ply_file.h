/** PLY, text and binary, read by code of our own.
 *
 * Assimp 5.2 drops the first byte of data that begin with 0x0A, takes triangle strips for single triangles,
 * and comes to no end on some headers. Read are the elements `vertex` (x, y, z), `face` and `tristrips` (the
 * list vertex_indices or vertex_index; in strips, numbers below 0 end one and begin the next). Others are
 * skipped and named.
 */
#ifndef GEOMETRY_PLY_FILE_H
#define GEOMETRY_PLY_FILE_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/import_notes.h"
#include "geometry/import/model_content.h"

#define PLY_ELEMENTS_MAX 2147483648u /* 2^31 of a kind */

/** `size` bytes of any content, with a zero behind them: a header with an end, known types, counts of at most
 * 2^31 whose elements fit into the rest of the file, in which every element and list is walked through;
 * corners that are numbers a float can hold; no face of more corners than a polygon may have
 * (POLYGON_CORNERS_MAX). FAILURE_INPUT. What is there and not read is added to `notes`. O(size). */
int ply_check(const char *bytes, size_t size, struct import_notes *notes, struct failure *failure);

/** Read what ply_check() let pass. Corners are floats, as in all formats. FAILURE_INPUT for a face that
 * refers to a vertex that does not exist; FAILURE_CAPACITY. `out` is to be freed whatever is returned. */
int ply_read(const char *bytes, size_t size, struct model_file *out, struct failure *failure);

#endif
