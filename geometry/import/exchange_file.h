/** Checks of Collada, FBX, 3DS and IFC files for content that Assimp 5.2 drops silently. */
#ifndef GEOMETRY_EXCHANGE_FILE_H
#define GEOMETRY_EXCHANGE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/import/import_notes.h"

/** Change the `size` bytes of a file, whose format is "DAE", "FBX" or "3DS", in place so that Assimp reports
 * or skips hidden parts. No length changes. Unread contents become a note. Any bytes are safe. Time O(size).
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

/** Check an IFC file and change its `size` bytes in place to a form that Assimp reads. Any bytes are safe.
 * Time O(size).
 * - Assimp reads IFC4 by the schema of IFC2x3: of 83 public files 77 failed or crashed. Other schemas than
 *   IFC2X3 are refused, as is a file that is not whole.
 * - It deletes blanks in names, and characters written as \X2\00E4\X0\. Blanks become EXCHANGE_BLANK, and
 *   characters UTF-8.
 * - It takes feet and decametres for metres. `*metres` is the unit (0: none is stated), and the prefix of an
 *   SI unit is deleted, so that coordinates stay in the file's unit.
 * - It loses statements behind a comment or another statement. Comments are deleted, and each statement
 * begins a line; FAILURE_INPUT where no blank is between two. */
int exchange_prepare_ifc(char *data, size_t size, double *metres, struct failure *failure);

#define EXCHANGE_BLANK '\x1f'

/** The elements of an IFC file that have a form, by class, and those of which faces arrived. */
#define EXCHANGE_CLASSES_MAX 64
struct exchange_elements {
    size_t count;  /* of classes */
    size_t open;   /* walls, slabs and roofs that are not closed */
    size_t filled; /* profiles with holes, which Assimp fills */
    struct {
        char name[48];
        size_t stated, found;
    } of_class[EXCHANGE_CLASSES_MAX];
    char open_names[160];
};

/** Count the elements of a prepared file. Spaces, openings, sites and elements without a body are left out.
 * Time O(size). */
void exchange_find_elements(const char *data, size_t size, struct exchange_elements *out);

/** True if `name` is that of an element's node: Class_Name_Identifier. */
bool exchange_is_element(const char *name);

/** Faces of the element `name` arrived. `gap`: the length of the sum of its faces' area vectors, which is 0
 * for a closed surface, by their area. */
void exchange_element_found(struct exchange_elements *elements, const char *name, double gap);

/** Add notes on elements without faces, on those that are not closed, and on holes. */
void exchange_note_elements(const struct exchange_elements *elements, struct import_notes *notes);

/** Assimp's log of one file. Zeroed is empty. */
struct exchange_log {
    size_t count;       /* of lines that report a loss */
    char first[200];    /* the first of them */
    char unpainted[80]; /* Collada: a geometry with faces that have no material; empty: none */
};

/** Add a line of Assimp's log, such as "Error, T0: ...", if it reports a loss. */
void exchange_log_add(struct exchange_log *log, const char *line);

#endif
