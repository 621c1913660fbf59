#define _GNU_SOURCE /* memmem */
#include "geometry/import/mesh_headers.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/polygon.h"

/* ---- PLY ---- */

#define ELEMENTS_MAX   16
#define PROPERTIES_MAX 64

enum storage { STORAGE_ASCII, STORAGE_LITTLE, STORAGE_BIG };

struct property {
    unsigned count_bytes; /* of the number before a list; 0: no list */
    unsigned bytes;       /* of a value */
};

struct element {
    char name[32];
    uint64_t count;
    unsigned properties;
    struct property property[PROPERTIES_MAX];
};

struct ply {
    const char *at, *end; /* what follows the lines read so far */
    size_t line;
    int ending;        /* of the first line: LF, CR LF or CR; 0 before it */
    bool other_ending; /* the line read last ends otherwise */
    bool has_format;
    enum storage storage;
    unsigned elements;
    struct element element[ELEMENTS_MAX];
    struct failure *failure;
};

/* 0 for no type of PLY's; of lists' counts only whole numbers. */
static unsigned type_bytes(const char *type, bool whole)
{
    static const struct {
        const char *name;
        unsigned bytes;
        bool whole;
    } types[] = {{"char", 1, true},   {"uchar", 1, true},   {"short", 2, true},    {"ushort", 2, true},
                 {"int", 4, true},    {"uint", 4, true},    {"int8", 1, true},     {"uint8", 1, true},
                 {"int16", 2, true},  {"uint16", 2, true},  {"int32", 4, true},    {"uint32", 4, true},
                 {"float", 4, false}, {"double", 8, false}, {"float32", 4, false}, {"float64", 8, false}};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t)
        if (strcmp(type, types[t].name) == 0)
            return whole && !types[t].whole ? 0 : types[t].bytes;
    return 0;
}

/* The next line of the header without its end, cut to fit; false at the end of the file. */
static bool next_line(struct ply *ply, char *line, size_t capacity)
{
    const char *begin = ply->at;
    if (begin >= ply->end)
        return false;
    while (ply->at < ply->end && *ply->at != '\n' && *ply->at != '\r')
        ++ply->at;
    const size_t length = (size_t)(ply->at - begin);
    const size_t kept = length < capacity ? length : capacity - 1;
    for (size_t k = 0; k < kept; ++k)
        line[k] = isprint((unsigned char)begin[k]) ? begin[k] : ' ';
    line[kept] = '\0';
    if (ply->at == ply->end)
        return false; /* no line of a header is the file's last */
    const bool both = *ply->at == '\r' && ply->at + 1 < ply->end && ply->at[1] == '\n';
    const int ending = both ? '\r' + '\n' : *ply->at;
    ply->at += both ? 2 : 1;
    ply->other_ending = ply->ending != 0 && ending != ply->ending;
    ply->ending = ply->ending != 0 ? ply->ending : ending;
    ++ply->line;
    return true;
}

static int bad_line(const struct ply *ply, const char *line, const char *why)
{
    return failure_at(failure_set(ply->failure, FAILURE_INPUT, "the header's \"%.80s\" %s", line, why),
                      ply->failure, NULL, ply->line);
}

static int read_element(struct ply *ply, const char *line, const char *name, const char *count)
{
    if (ply->elements == ELEMENTS_MAX)
        return bad_line(ply, line, "is one element too many");
    struct element *element = &ply->element[ply->elements++];
    char *end;
    (void)snprintf(element->name, sizeof element->name, "%s", name);
    element->count = strtoull(count, &end, 10);
    if (!isdigit((unsigned char)count[0]) || *end != '\0')
        return bad_line(ply, line, "has no count");
    if (element->count > MESH_HEADERS_ELEMENTS_MAX)
        return bad_line(ply, line, "counts more than 2^31");
    return 0;
}

static int read_property(struct ply *ply, const char *line, int words, char word[5][32])
{
    if (ply->elements == 0)
        return bad_line(ply, line, "belongs to no element");
    struct element *element = &ply->element[ply->elements - 1];
    if (element->properties == PROPERTIES_MAX)
        return bad_line(ply, line, "is one property too many");
    struct property *property = &element->property[element->properties++];
    const bool list = strcmp(word[1], "list") == 0;
    property->count_bytes = list ? type_bytes(word[2], true) : 0;
    property->bytes = type_bytes(word[list ? 3 : 1], false);
    if (property->bytes == 0 || (list && property->count_bytes == 0) || words < (list ? 5 : 3))
        return bad_line(ply, line, "has an unknown type or no name");
    return 0;
}

static int read_format(struct ply *ply, const char *line, const char *name)
{
    static const char *const names[3] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int storage = 0; storage < 3; ++storage)
        if (strcmp(name, names[storage]) == 0) {
            ply->storage = (enum storage)storage;
            ply->has_format = true;
            return 0;
        }
    return bad_line(ply, line, "names an unknown format");
}

static int read_header(struct ply *ply)
{
    char line[200];
    if (!next_line(ply, line, sizeof line) || strcmp(line, "ply") != 0)
        return failure_set(ply->failure, FAILURE_INPUT, "it is no PLY: its first line is not \"ply\"");
    while (next_line(ply, line, sizeof line)) {
        char word[5][32] = {"", "", "", "", ""};
        const int words =
            sscanf(line, "%31s %31s %31s %31s %31s", word[0], word[1], word[2], word[3], word[4]);
        /* Assimp 5.2 never comes to the end of some such headers. */
        if (ply->other_ending)
            return bad_line(ply, line, "ends with another kind of line break than the first line");
        if (strcmp(line, "end_header") == 0)
            return ply->has_format
                       ? 0
                       : failure_set(ply->failure, FAILURE_INPUT, "its header has no format line");
        if (strcmp(word[0], "format") == 0)
            TRY(read_format(ply, line, word[1]));
        else if (strcmp(word[0], "element") == 0)
            TRY(read_element(ply, line, word[1], word[2]));
        else if (strcmp(word[0], "property") == 0)
            TRY(read_property(ply, line, words, word));
        else if (words > 0 && strcmp(word[0], "comment") != 0 && strcmp(word[0], "obj_info") != 0)
            return bad_line(ply, line, "is no line of a PLY header: is the end_header line missing?");
    }
    return failure_set(ply->failure, FAILURE_INPUT,
                       "it has no end_header line: the file is incomplete or no PLY");
}

/* Of text, a value takes a digit and a blank, but for the last of the file. */
static int check_counts(const struct ply *ply)
{
    const uint64_t left = (uint64_t)(ply->end - ply->at) + (ply->storage == STORAGE_ASCII ? 1 : 0);
    uint64_t needed = 0;
    for (unsigned e = 0; e < ply->elements; ++e) {
        const struct element *element = &ply->element[e];
        uint64_t bytes = 0;
        for (unsigned p = 0; p < element->properties; ++p) {
            const struct property *property = &element->property[p];
            bytes += ply->storage == STORAGE_ASCII ? 2
                     : property->count_bytes > 0   ? property->count_bytes
                                                   : property->bytes;
        }
        needed += element->count * (bytes == 0 ? 1 : bytes);
        if (needed > left)
            return failure_set(
                ply->failure, FAILURE_INPUT,
                "its header promises %llu elements \"%s\", which take at least %llu bytes with "
                "those before; the file has %llu after the header",
                (unsigned long long)element->count, element->name, (unsigned long long)needed,
                (unsigned long long)left);
    }
    return 0;
}

static uint64_t number_at(const struct ply *ply, const char *at, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned k = 0; k < bytes; ++k) {
        const unsigned byte = (unsigned char)at[ply->storage == STORAGE_BIG ? k : bytes - 1 - k];
        number = number << 8 | byte;
    }
    return number;
}

/* Past the next number of the text; false at the end of the file. `*number` is 0 for what begins with no
 * digit. */
static bool next_value(const struct ply *ply, const char **at, uint64_t *number)
{
    *number = 0;
    while (*at < ply->end && isspace((unsigned char)**at))
        ++*at;
    if (*at == ply->end)
        return false;
    for (; *at < ply->end && isdigit((unsigned char)**at); ++*at)
        if (*number <= UINT32_MAX)
            *number = 10 * *number + (uint64_t)(**at - '0');
    while (*at < ply->end && !isspace((unsigned char)**at))
        ++*at;
    return true;
}

/* Past `count` values. */
static bool skip_values(const struct ply *ply, const char **at, uint64_t count, unsigned bytes)
{
    uint64_t ignored;
    if (ply->storage == STORAGE_ASCII) {
        while (count > 0 && next_value(ply, at, &ignored))
            --count;
        return count == 0;
    }
    if (count > (uint64_t)(ply->end - *at) / bytes)
        return false;
    *at += count * bytes;
    return true;
}

/* The number before a list. */
static bool read_count(const struct ply *ply, const char **at, unsigned bytes, uint64_t *count)
{
    if (ply->storage == STORAGE_ASCII)
        return next_value(ply, at, count);
    if ((size_t)(ply->end - *at) < bytes)
        return false;
    *count = number_at(ply, *at, bytes);
    *at += bytes;
    return true;
}

static int walk_element(const struct ply *ply, const struct element *element, const char **at)
{
    const bool faces = strcmp(element->name, "face") == 0;
    for (uint64_t number = 0; number < element->count; ++number)
        for (unsigned p = 0; p < element->properties; ++p) {
            const struct property *property = &element->property[p];
            uint64_t values = 1;
            const bool counted =
                property->count_bytes == 0 || read_count(ply, at, property->count_bytes, &values);
            if (counted && faces && values > POLYGON_CORNERS_MAX)
                return failure_set(ply->failure, FAILURE_INPUT,
                                   "face %llu of %llu has a list of %llu values; the limit is %u",
                                   (unsigned long long)number + 1, (unsigned long long)element->count,
                                   (unsigned long long)values, POLYGON_CORNERS_MAX);
            if (!counted || !skip_values(ply, at, values, property->bytes))
                return failure_set(ply->failure, FAILURE_INPUT, "the file ends within %s %llu of %llu",
                                   element->name, (unsigned long long)number + 1,
                                   (unsigned long long)element->count);
        }
    return 0;
}

int ply_check(const char *bytes, size_t size, struct failure *failure)
{
    struct ply ply = {.at = bytes, .end = bytes + size, .failure = failure};
    TRY(read_header(&ply));
    TRY(check_counts(&ply));
    const char *at = ply.at;
    for (unsigned e = 0; e < ply.elements; ++e)
        TRY(walk_element(&ply, &ply.element[e], &at));
    return 0;
}

/* ---- STL ---- */

enum { STL_HEADER = 84, STL_TRIANGLE = 50 };

int stl_check(const char *bytes, size_t size, struct failure *failure)
{
    uint64_t triangles = 0;
    for (int byte = 0; size >= STL_HEADER && byte < 4; ++byte)
        triangles |= (uint64_t)(unsigned char)bytes[80 + byte] << 8 * byte;
    if (size >= STL_HEADER && size == STL_HEADER + STL_TRIANGLE * triangles)
        return triangles > 0 ? 0 : failure_set(failure, FAILURE_INPUT, "the mesh has no triangles");
    size_t first = 0;
    while (first < size && isspace((unsigned char)bytes[first]))
        ++first;
    if (size - first >= 5 && memcmp(bytes + first, "solid", 5) == 0 && memchr(bytes, 0, size) == NULL)
        return memmem(bytes, size, "facet", 5) != NULL
                   ? 0
                   : failure_set(failure, FAILURE_INPUT,
                                 "it is STL text without a facet: the mesh has no "
                                 "triangles");
    if (size < STL_HEADER)
        return failure_set(failure, FAILURE_INPUT,
                           "it is no STL: it does not begin with \"solid\", and a binary one has at least 84 "
                           "bytes, this %zu",
                           size);
    return failure_set(
        failure, FAILURE_INPUT,
        "it has %llu triangles by its header, which makes %llu bytes, but the file has %zu: it is "
        "incomplete or no STL",
        (unsigned long long)triangles, (unsigned long long)(STL_HEADER + STL_TRIANGLE * triangles), size);
}
