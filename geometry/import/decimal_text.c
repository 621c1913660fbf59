#include "geometry/import/decimal_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMA_WORD_MAX 64u

bool decimal_read(const char *word, size_t length, size_t line, struct decimal_marks *marks, double *value)
{
    char with_point[COMMA_WORD_MAX], *end;
    const char *comma = memchr(word, ',', length);
    if (comma != NULL) {
        if (length >= sizeof with_point || memchr(word, '.', length) != NULL)
            return false;
        memcpy(with_point, word, length);
        with_point[length] = '\0';
        with_point[comma - word] = '.';
        if (marks->comma_line == 0) {
            marks->comma_line = line;
            (void)snprintf(marks->comma_word, sizeof marks->comma_word, "%.*s", (int)length, word);
        }
        word = with_point;
    } else if (marks->point_line == 0 && memchr(word, '.', length) != NULL) {
        marks->point_line = line;
    }
    if (length == 0 || strspn(word, "0123456789+-.eE") < length)
        return false;
    *value = strtod(word, &end);
    return end == word + length && fabs(*value) <= (double)FLT_MAX;
}

int decimal_judge(const struct decimal_marks *marks, struct import_notes *notes, struct failure *failure)
{
    if (marks->comma_line == 0)
        return 0;
    if (marks->point_line > 0)
        return failure_fix(
            failure_at(
                failure_set(failure, FAILURE_INPUT,
                            "\"%s\" has a comma, and numbers in other lines (the first in line %zu) have "
                            "points: which of them is the decimal mark?",
                            marks->comma_word, marks->point_line),
                failure, NULL, marks->comma_line),
            failure, "export it with decimal points and nothing between thousands");
    import_notes_add(notes, IMPORT_HARMLESS, NULL,
                     "commas in its numbers are read as decimal points (the first in line %zu: \"%s\")",
                     marks->comma_line, marks->comma_word);
    return 0;
}
