/** Checks of Collada, FBX and 3DS files for what Assimp 5.2 drops silently. */
#ifndef GEOMETRY_EXCHANGE_FILE_H
#define GEOMETRY_EXCHANGE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/import/import_notes.h"

/** Change the `size` bytes of a file, whose format is "DAE", "FBX" or "3DS", in place so that Assimp reports
 * or skips what is hidden. No length changes. Unread contents become a note. Any bytes are safe. Time
 * O(size).
 * - DAE: splines, convex hulls, solids and hidden nodes are counted.
 * - FBX: "Visibility" gets the type of a number, since Assimp skips its own type. Hidden layers are counted,
 *   and geometry other than meshes and lines by its kind.
 * - 3DS: a hidden object gets a chunk number that Assimp skips. */
void exchange_prepare(const char *format, char *data, size_t size, struct import_notes *notes);

struct exchange_materials {
    size_t count;     /* in the libraries */
    char missing[80]; /* a material that a geometry uses and no library has; empty: none */
};

/** The materials of a Collada file. Assimp drops those without an effect silently, and takes the first
 * material in place of a missing one. Time O(size), and the size of the libraries for each use of a material.
 */
void exchange_find_materials(const char *data, size_t size, struct exchange_materials *out);

/** Assimp's log of one file. Zeroed is empty. */
struct exchange_log {
    size_t count;       /* of lines that report a loss */
    char first[200];    /* the first of them */
    char unpainted[80]; /* Collada: a geometry with faces that have no material; empty: none */
};

/** Add a line of Assimp's log, such as "Error, T0: ...", if it reports a loss. */
void exchange_log_add(struct exchange_log *log, const char *line);

#endif
