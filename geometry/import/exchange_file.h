/** Checks of Collada, FBX and 3DS files for what Assimp 5.2 passes over without a word. */
#ifndef GEOMETRY_EXCHANGE_FILE_H
#define GEOMETRY_EXCHANGE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/import/import_notes.h"

/** Look through the `size` bytes of a file whose format is "DAE", "FBX" or "3DS", and change them in place
 * so that Assimp tells, or leaves out, what is hidden. No length changes. What stays unread becomes a note.
 * Any bytes are safe. Time O(size).
 * - DAE: splines, convex hulls and solids are counted; so are nodes marked as hidden.
 * - FBX: "Visibility" gets the type of a number, since Assimp skips its own type. Geometry other than meshes
 *   and lines is counted with its kinds.
 * - 3DS: a hidden object gets a chunk number that Assimp skips. */
void exchange_prepare(const char *format, char *data, size_t size, struct import_notes *notes);

/** The number of materials in the libraries of a Collada file. Assimp passes over those without an effect. */
size_t exchange_count_materials(const char *data, size_t size);

/** What Assimp said while it read. Zeroed is empty. */
struct exchange_log {
    size_t count;       /* of lines that tell of a loss */
    char first[200];    /* the first of them */
    char unpainted[80]; /* Collada: a geometry with faces that have no material; empty: none */
};

/** Judge a line of Assimp's log, such as "Error, T0: ...". */
void exchange_log_add(struct exchange_log *log, const char *line);

#endif
