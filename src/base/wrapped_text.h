/** Text for a terminal. */
#ifndef SRC_WRAPPED_TEXT_H
#define SRC_WRAPPED_TEXT_H

#include <stdio.h>

#define PRINT_COLUMNS 100

/** Print words and a newline, in lines of at most PRINT_COLUMNS, all but the first indented; the cursor is at
 * column `indent`. */
void print_wrapped(FILE *stream, const char *text, int indent);

#endif
