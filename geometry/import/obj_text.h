/** The text of an OBJ file, checked and made plain before Assimp reads it.
 *
 * Assimp 5.2's reader ends an object's name at its first space, drops vertices that no face uses, loses lines
 * that are indented or follow a byte order mark, puts the faces of an object that is opened a second time
 * into the one before, and has overflowed on bad indices. What it gets is therefore written anew, with
 * nothing but
 *
 *     v x y z       the numbers as in the file
 *     f i j k ..    after all v lines: indices into them, counted from 1 and known to exist
 *     usemtl NAME
 *     o source:7    a position (`receiver:7` likewise): marker 7 of the list; its faces follow
 *     o wall7       walls again
 *
 * A remark `# File units = inches`, as SketchUp writes it, or `# Units = meters` is understood. Other
 * comments, continued lines, negative indices, `v/vt/vn`, carriage returns and extra numbers on a v line are
 * resolved.
 */
#ifndef GEOMETRY_OBJ_TEXT_H
#define GEOMETRY_OBJ_TEXT_H

#include <stddef.h>

#include "geometry/import/import_notes.h"
#include "geometry/mesh/mesh.h"

/** Owned, freed by obj_text_free(); zeroed is empty. */
struct obj_text {
    char *text; /* what Assimp reads, and a zero behind it */
    size_t size;
    struct mesh markers;       /* only its markers: name and centroid of the v lines inside the object, in the
                                  file's unit and axes, NaN when there are none */
    size_t faces;              /* of three corners or more */
    size_t lines_and_points;   /* left out */
    double unit;               /* [m] that a remark before the first corner states; 0: none does */
    size_t parts;              /* usemtl and o lines: each begins a mesh of Assimp's */
    struct import_notes notes; /* statements that are not read, free-form surfaces first */
};
void obj_text_free(struct obj_text *plain);

/** Read `size` bytes of `text` with a zero behind them. A position is named by any word of an `o`
 * or `g` line: SketchUp writes `g Mesh1 source:pulpit Model`. A `g` line counts as an object only when it
 * names a position (and does not repeat the name of the one it is in, alone or before a `_`) or ends one that
 * a `g` line began. FAILURE_INPUT with the line of a coordinate that is no number a float can hold, of a face
 * that refers to a vertex that does not exist, of a polygon past POLYGON_CORNERS_MAX, or that there are more
 * than MESH_MATERIALS_MAX materials. */
int obj_text_prepare(const char *text, size_t size, struct obj_text *out, struct failure *failure);

#endif
