/** Coordinates in the text of a model, with a decimal point or a decimal comma. */
#ifndef GEOMETRY_DECIMAL_TEXT_H
#define GEOMETRY_DECIMAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/import_notes.h"

/** Where a file first has a point and a comma in its coordinates; zeroed: nowhere yet. */
struct decimal_marks {
    size_t point_line, comma_line; /* from 1; 0: none */
    char comma_word[24];
};

/** Read the whole of `word` (`length` bytes, something else or a zero behind them) as a number that a float
 * can hold. The mark it has is kept in `marks` with its line. False for anything else, `1,5.2` and
 * hexadecimal included. */
bool decimal_read(const char *word, size_t length, size_t line, struct decimal_marks *marks, double *value);

/** Note that commas were read as decimal points. FAILURE_INPUT where the file has both. */
int decimal_judge(const struct decimal_marks *marks, struct import_notes *notes, struct failure *failure);

#endif
