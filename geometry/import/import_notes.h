/** Notes on content of a model file that is not read.
 *
 * The code for a format adds them. mesh_import_facts carries them to the program, which prints them, and to
 * `check`, which judges by their weight.
 */
#ifndef GEOMETRY_IMPORT_NOTES_H
#define GEOMETRY_IMPORT_NOTES_H

#include <stddef.h>

#include "geometry/base/failure.h"

enum import_weight {
    IMPORT_HARMLESS,   /* nothing of the room's shape is lost */
    IMPORT_DOUBTFUL,   /* part of its shape may be lost */
    IMPORT_INCOMPLETE, /* part of its shape is lost */
};

#define IMPORT_NOTES_MAX 8

struct import_note {
    enum import_weight weight;
    char what[360]; /* a sentence without its full stop; no control characters */
    char fix[120];  /* the remedy; empty: none needed */
};

/** Zeroed is empty. */
struct import_notes {
    size_t count;
    struct import_note note[IMPORT_NOTES_MAX];
};

/** Add a note; `fix` may be NULL. If IMPORT_NOTES_MAX exist, the last one is replaced if it weighs less. */
__attribute__((format(printf, 4, 5))) void import_notes_add(struct import_notes *notes,
                                                            enum import_weight weight, const char *fix,
                                                            const char *format, ...);

/** FAILURE_INPUT for a model without triangles: the sentence has the heaviest note, if any is above
 * IMPORT_HARMLESS. */
int import_notes_no_triangles(const struct import_notes *notes, struct failure *failure);

#endif
