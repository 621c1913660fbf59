/** A table as CSV: RFC 4180, except that lines end with \n.
 *
 * Texts are as on a page, in its language; numbers have all their digits and a point, in the unit of the
 * heading, and are empty where they are absent. A cell with several numbers and no words has a column for
 * each, named after the heading and the last word of the number's key:
 *
 *     octave,125 Hz,125 Hz deviation
 *     T30 s,1.33012,0.102
 *
 * A text that a spreadsheet would read as a formula gets an apostrophe, which marks it as text: names come
 * from untrusted models. */
#ifndef SRC_TABLE_CSV_H
#define SRC_TABLE_CSV_H

#include <stdio.h>

#include "src/base/table/table.h"

/** Errors of the stream show when it is closed. */
void table_csv(FILE *out, const struct table *table);

/** The caption, as one field. */
void table_csv_caption(FILE *out, const struct table *table);

#endif
