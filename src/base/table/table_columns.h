/** A table as columns of text, as a terminal shows them, and as rows of JSON. */
#ifndef SRC_TABLE_COLUMNS_H
#define SRC_TABLE_COLUMNS_H

#include <stdio.h>

#include <cjson/cJSON.h>

#include "src/base/table/table.h"

#define COLUMN_HIDDEN (-1000)

/** Row by row, without the caption. Each column has its width, and those behind the last have that one; a
 * negative width puts the text to the left, 0 leaves it as it is, COLUMN_HIDDEN leaves the column out. A
 * negative count of decimals is that of significant digits. Absent is "-", and nothing is "-0". */
void table_columns(FILE *stream, const struct table *table, size_t widths, const int width[]);

/** An object for each row below the heads, at the end of `list`: of each cell the first piece, unscaled,
 * under the name of its column; a column whose name is NULL is left out. Absent is null. */
void table_json(cJSON *list, const struct table *table, const char *const name[]);

#endif
