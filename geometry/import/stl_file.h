/** STL: does what the header promises fit into the file? Looked at, and made what Assimp understands, before
 * it reads a byte. */
#ifndef GEOMETRY_STL_FILE_H
#define GEOMETRY_STL_FILE_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/import_notes.h"

/** `*size` bytes: text that begins with "solid" and has a facet, in letters of any case, or a binary file
 * that holds at least the 84 + 50 n bytes of its n triangles. Text gets small letters in place, but for the
 * name behind "solid"; of a binary file `*size` becomes what the triangles take, and what is behind them is
 * noted. FAILURE_INPUT. O(size). */
int stl_prepare(char *bytes, size_t *size, struct import_notes *notes, struct failure *failure);

#endif
