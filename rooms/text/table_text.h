/** Reads text files with a table from users, line by line, as untrusted input. */
#ifndef ROOMS_TABLE_TEXT_H
#define ROOMS_TABLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "geometry/base/failure.h"

#define TABLE_BYTES_MAX 16777216 /* of a file */
#define TABLE_LINE_MAX  65536    /* bytes, with line break and end mark */

/** Separated lines; csv_open(), csv_close(). The separator is the one of comma, semicolon and tab that the
 * first line has most of. Fields may be in double quotes ("" is one "); a byte order mark, CRLF, blanks
 * around fields, empty lines and lines that begin with # are accepted. */
struct csv {
    FILE *stream;
    char separator;            /* 0: no line was read yet */
    size_t line;               /* number of the current line, from 1; 0 at the end of the file */
    char text[TABLE_LINE_MAX]; /* the current line */
    char *at;                  /* the rest of it; NULL after the last field */
};

/** Open a regular file (geometry/base/regular_file.h) of at most TABLE_BYTES_MAX. FAILURE_INPUT,
 * FAILURE_CAPACITY; `*out` is NULL then. */
int csv_open(struct csv **out, const char *path, struct failure *failure);
void csv_close(struct csv *csv);

/** Go to the next line that holds anything but blanks, separators and a note behind #; `*more` is false at
 * the end of the file. FAILURE_INPUT for a zero byte, a line that is too long, or a read error; the caller
 * adds the place. */
int csv_next_line(struct csv *csv, bool *more, struct failure *failure);

/** Go to the first line; FAILURE_INPUT for a table without one. `*field` is its first field. */
int csv_first_field(struct csv *csv, char **field, struct failure *failure);

/** The next field of the line, trimmed and without its quotes (the text is changed in place). `*field` is
 * NULL when there is none left. FAILURE_INPUT for a quote that is not closed before a separator. */
int csv_next_field(struct csv *csv, char **field, struct failure *failure);

/** Remove blanks and line breaks from both ends. */
void text_trim(const char **text, size_t *length);

/** Read a plain decimal number with nothing else but blanks around it; false for words, hexadecimal, "nan"
 * and "inf". An overflow is infinite. */
bool text_number(const char *text, size_t length, double *value);

/** The same with a decimal comma or a decimal point. */
bool text_comma_number(const char *text, size_t length, double *value);

/** Read a frequency as headings of tables have it: "125", "1,25 kHz", "8k", "1.250", "1 250" [Hz]; three
 * figures behind a mark are of a thousand. */
bool text_frequency(const char *text, double *frequency);

/** "f [Hz]", "Terzmittenfrequenz": true for the heading of a column of frequencies. */
bool text_is_of_frequencies(const char *heading);

/** Append to a list in a sentence; a list that does not fit is cut. */
__attribute__((format(printf, 3, 4))) void text_append(char *list, size_t capacity, const char *format, ...);

#endif
