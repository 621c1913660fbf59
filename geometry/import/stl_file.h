/** Checks an STL file and changes it to a form that Assimp reads. */
#ifndef GEOMETRY_STL_FILE_H
#define GEOMETRY_STL_FILE_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/import_notes.h"

/** `bytes` (`*size` of them) must be text that begins with "solid" and has a facet, in any case, or a binary
 * file with at least the 84 + 50 n bytes of its n triangles. Text becomes lower case in place, except the
 * name behind "solid". In a binary file `*size` becomes the size of the triangles, and further bytes are
 * noted. FAILURE_INPUT. O(size). */
int stl_prepare(char *bytes, size_t *size, struct import_notes *notes, struct failure *failure);

#endif
