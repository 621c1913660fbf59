/** Coordinates in the text of a model, with a decimal point or a decimal comma. */
#ifndef GEOMETRY_DECIMAL_TEXT_H
#define GEOMETRY_DECIMAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/import_notes.h"

/** The first point and the first comma in a file's coordinates. Zeroed: none yet. */
struct decimal_marks {
    size_t point_line, comma_line; /* from 1; 0: none */
    char comma_word[24];
};

/** Read all of `word` (`length` bytes, not followed by a further digit) as a number in the range of a float.
 * Its decimal mark is kept in `marks` with its line. False for anything else, such as `1,5.2` and hexadecimal
 * numbers. */
bool decimal_read(const char *word, size_t length, size_t line, struct decimal_marks *marks, double *value);

/** Add a note if commas were read as decimal points. FAILURE_INPUT if the file has both. */
int decimal_judge(const struct decimal_marks *marks, struct import_notes *notes, struct failure *failure);

#endif
