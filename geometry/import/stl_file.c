#define _GNU_SOURCE /* memmem */
#include "geometry/import/stl_file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/utf16_text.h"
#include "geometry/import/decimal_text.h"

enum { STL_HEADER = 84, STL_TRIANGLE = 50 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static size_t word_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && !isspace((unsigned char)at[length]))
        ++length;
    return length;
}

/* Note the decimal marks of a line's numbers; Assimp reads commas as points. */
static void find_marks(const char *at, const char *end, size_t line, struct decimal_marks *marks)
{
    while (at < end) {
        double ignored;
        const size_t length = word_length(at, end);
        if (length > 0)
            (void)decimal_read(at, length, line, marks, &ignored);
        at += length > 0 ? length : 1;
    }
}

/* Assimp reads lower case only. */
static int prepare_text(char *bytes, size_t size, struct import_notes *notes, struct failure *failure)
{
    struct decimal_marks marks = {0};
    char *end = bytes + size;
    size_t line = 1;
    bool facets = false;
    for (char *at = bytes; at < end;) {
        while (at < end && is_blank(*at))
            ++at;
        char *stop = at;
        while (stop < end && !is_line_end(*stop))
            ++stop;
        const size_t first = word_length(at, stop);
        const bool named = (first == 5 && strncasecmp(at, "solid", 5) == 0) ||
                           (first == 8 && strncasecmp(at, "endsolid", 8) == 0);
        for (char *c = at; c < (named ? at + first : stop); ++c)
            *c = (char)tolower((unsigned char)*c);
        facets = facets || (first == 5 && memcmp(at, "facet", 5) == 0);
        if (first == 6 && memcmp(at, "vertex", 6) == 0)
            find_marks(at + 6, stop, line, &marks);
        line += stop < end && (*stop == '\n' || stop + 1 == end || stop[1] != '\n');
        at = stop + 1;
    }
    if (!facets)
        return failure_set(failure, FAILURE_INPUT,
                           "it is STL text without a facet: the mesh has no triangles");
    return decimal_judge(&marks, notes, failure);
}

/* Length of the text: some programs end it with zeros or Ctrl-Z. */
static size_t text_size(const char *bytes, size_t size)
{
    while (size > 0 && (bytes[size - 1] == '\0' || bytes[size - 1] == '\x1A'))
        --size;
    return memchr(bytes, 0, size) == NULL ? size : 0;
}

int stl_prepare(char *bytes, size_t *size, struct import_notes *notes, struct failure *failure)
{
    uint64_t triangles = 0;
    for (int byte = 0; *size >= STL_HEADER && byte < 4; ++byte)
        triangles |= (uint64_t)(unsigned char)bytes[80 + byte] << 8 * byte;
    const uint64_t expected = STL_HEADER + STL_TRIANGLE * triangles;
    if (*size >= STL_HEADER && *size == expected)
        return triangles > 0 ? 0 : failure_set(failure, FAILURE_INPUT, "the mesh has no triangles");
    TRY(utf16_refuse(bytes, *size, failure));
    const size_t text = text_size(bytes, *size);
    size_t first = 0;
    while (first < text && isspace((unsigned char)bytes[first]))
        ++first;
    if (text - first >= 5 && strncasecmp(bytes + first, "solid", 5) == 0) {
        *size = text;
        return prepare_text(bytes, text, notes, failure);
    }
    if (*size < STL_HEADER)
        return failure_set(
            failure, FAILURE_INPUT,
            "it is not an STL file: it does not begin with \"solid\", and a binary one has at least 84 "
            "bytes, this %zu",
            *size);
    if (triangles == 0 || *size < expected)
        return failure_set(
            failure, FAILURE_INPUT,
            "it has %llu triangles by its header, which makes %llu bytes, but the file has %zu: it is "
            "incomplete or no STL",
            (unsigned long long)triangles, (unsigned long long)expected, *size);
    const uint64_t behind = *size - expected;
    import_notes_add(notes, behind < STL_TRIANGLE ? IMPORT_HARMLESS : IMPORT_DOUBTFUL,
                     behind < STL_TRIANGLE ? NULL : "export it again, if triangles are missing",
                     "%llu bytes after the %llu triangles of its header are left out",
                     (unsigned long long)behind, (unsigned long long)triangles);
    *size = (size_t)expected;
    return 0;
}
