#include "geometry/import/ply_file.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/polygon.h"
#include "geometry/import/decimal_text.h"
#include "geometry/import/model_faces.h"

#define ELEMENTS_MAX   16
#define PROPERTIES_MAX 64

enum storage { STORAGE_ASCII, STORAGE_LITTLE, STORAGE_BIG };

enum number { NUMBER_UNSIGNED, NUMBER_SIGNED, NUMBER_REAL };

struct property {
    unsigned count_bytes; /* of the count before a list; 0: not a list */
    unsigned bytes;       /* of a value */
    enum number number;
};

enum role { ROLE_NONE, ROLE_VERTEX, ROLE_FACE, ROLE_STRIPS };

struct element {
    char name[32];
    uint64_t count;
    enum role role;
    unsigned place[3]; /* properties x, y, z of a vertex; PROPERTIES_MAX: absent */
    unsigned corners;  /* list of vertices; PROPERTIES_MAX: absent */
    bool has_materials;
    unsigned properties;
    struct property property[PROPERTIES_MAX];
};

struct ply {
    const char *begin, *at, *end; /* `at`: behind the lines read so far */
    size_t line;
    int ending; /* of the first line: LF, CR LF or CR; 0 before it */
    bool has_format;
    enum storage storage;
    unsigned elements;
    struct element element[ELEMENTS_MAX];
    struct decimal_marks marks;
    struct failure *failure;
};

/* The values of one element that are read. */
struct row {
    double place[3];
    const char *corners; /* the values of the list */
    uint64_t corner_count;
};

/* The bytes of a type; 0 for an unknown one, and for real numbers if `whole`. */
static unsigned find_type(const char *type, bool whole, enum number *number)
{
    static const struct {
        const char *name[2];
        unsigned bytes;
        enum number number;
    } types[] = {{{"char", "int8"}, 1, NUMBER_SIGNED},   {{"uchar", "uint8"}, 1, NUMBER_UNSIGNED},
                 {{"short", "int16"}, 2, NUMBER_SIGNED}, {{"ushort", "uint16"}, 2, NUMBER_UNSIGNED},
                 {{"int", "int32"}, 4, NUMBER_SIGNED},   {{"uint", "uint32"}, 4, NUMBER_UNSIGNED},
                 {{"float", "float32"}, 4, NUMBER_REAL}, {{"double", "float64"}, 8, NUMBER_REAL}};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t)
        if (strcmp(type, types[t].name[0]) == 0 || strcmp(type, types[t].name[1]) == 0) {
            *number = types[t].number;
            return whole && *number == NUMBER_REAL ? 0 : types[t].bytes;
        }
    return 0;
}

/* Read the next line of the header without its end, cut to fit; false at the end of the file. */
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
        return false; /* a header's line is never the file's last */
    /* If lines end in CR alone, an LF behind the last one belongs to the data. */
    const bool both = *ply->at == '\r' && ply->ending != '\r' && ply->at + 1 < ply->end && ply->at[1] == '\n';
    if (ply->ending == 0)
        ply->ending = both ? '\r' + '\n' : *ply->at;
    ply->at += both ? 2 : 1;
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
    element->role = strcmp(name, "vertex") == 0                                       ? ROLE_VERTEX
                    : strcmp(name, "face") == 0                                       ? ROLE_FACE
                    : strcmp(name, "tristrips") == 0 || strcmp(name, "tristrip") == 0 ? ROLE_STRIPS
                                                                                      : ROLE_NONE;
    element->corners = element->place[0] = element->place[1] = element->place[2] = PROPERTIES_MAX;
    element->count = strtoull(count, &end, 10);
    if (!isdigit((unsigned char)count[0]) || *end != '\0')
        return bad_line(ply, line, "has no count");
    if (element->count > PLY_ELEMENTS_MAX)
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
    const unsigned number = element->properties++;
    struct property *property = &element->property[number];
    const bool list = strcmp(word[1], "list") == 0;
    enum number ignored;
    property->count_bytes = list ? find_type(word[2], true, &ignored) : 0;
    property->bytes = find_type(word[list ? 3 : 1], false, &property->number);
    if (property->bytes == 0 || (list && property->count_bytes == 0) || words < (list ? 5 : 3))
        return bad_line(ply, line, "has an unknown type or no name");
    const char *name = word[list ? 4 : 2];
    if (list && (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
        element->corners = number;
    for (int axis = 0; axis < 3; ++axis)
        if (!list && name[0] == "xyz"[axis] && name[1] == '\0')
            element->place[axis] = number;
    element->has_materials = element->has_materials || strncmp(name, "material_ind", 12) == 0;
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
        return failure_set(ply->failure, FAILURE_INPUT,
                           "it is not a PLY file: its first line is not \"ply\"");
    while (next_line(ply, line, sizeof line)) {
        char word[5][32] = {"", "", "", "", ""};
        const int words =
            sscanf(line, "%31s %31s %31s %31s %31s", word[0], word[1], word[2], word[3], word[4]);
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
            return bad_line(ply, line, "is not a line of a PLY header: is the end_header line missing?");
    }
    return failure_set(ply->failure, FAILURE_INPUT,
                       "it has no end_header line: the file is incomplete or not a PLY file");
}

/* In text a value takes a digit and a blank; the file's last one needs no blank. */
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
            return failure_set(ply->failure, FAILURE_INPUT,
                               "its header states %llu elements \"%s\", which take at least %llu bytes with "
                               "those before; the file has %llu after the header",
                               (unsigned long long)element->count, element->name, (unsigned long long)needed,
                               (unsigned long long)left);
    }
    return 0;
}

/* ---- values ---- */

static uint64_t bits_at(const struct ply *ply, const char *at, unsigned bytes)
{
    uint64_t bits = 0;
    for (unsigned k = 0; k < bytes; ++k) {
        const unsigned byte = (unsigned char)at[ply->storage == STORAGE_BIG ? k : bytes - 1 - k];
        bits = bits << 8 | byte;
    }
    return bits;
}

static double binary_value(const struct ply *ply, const char *at, const struct property *property)
{
    const uint64_t bits = bits_at(ply, at, property->bytes);
    const uint64_t sign = UINT64_C(1) << (8 * property->bytes - 1);
    if (property->number == NUMBER_UNSIGNED || (property->number == NUMBER_SIGNED && (bits & sign) == 0))
        return (double)bits;
    if (property->number == NUMBER_SIGNED)
        return (double)bits - 2 * (double)sign;
    double wide;
    float narrow;
    const uint32_t low = (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return property->bytes == 4 ? (double)narrow : wide;
}

/* Read the next word of the text; false at the end of the file. */
static bool next_value(const struct ply *ply, const char **at, const char **word, size_t *length)
{
    while (*at < ply->end && isspace((unsigned char)**at))
        ++*at;
    *word = *at;
    while (*at < ply->end && !isspace((unsigned char)**at))
        ++*at;
    *length = (size_t)(*at - *word);
    return *length > 0;
}

/* Move past `count` values. */
static bool skip_values(const struct ply *ply, const char **at, uint64_t count, unsigned bytes)
{
    const char *word;
    size_t length;
    if (ply->storage == STORAGE_ASCII) {
        while (count > 0 && next_value(ply, at, &word, &length))
            --count;
        return count == 0;
    }
    if (count > (uint64_t)(ply->end - *at) / bytes)
        return false;
    *at += count * bytes;
    return true;
}

/* Read the count of a list; text without a digit gives 0. */
static bool read_count(const struct ply *ply, const char **at, unsigned bytes, uint64_t *count)
{
    const char *word;
    size_t length;
    if (ply->storage == STORAGE_ASCII) {
        *count = 0;
        if (!next_value(ply, at, &word, &length))
            return false;
        for (; length > 0 && isdigit((unsigned char)*word) && *count <= UINT32_MAX; ++word, --length)
            *count = 10 * *count + (uint64_t)(*word - '0');
        return true;
    }
    if ((size_t)(ply->end - *at) < bytes)
        return false;
    *count = bits_at(ply, *at, bytes);
    *at += bytes;
    return true;
}

/* Searched only for a decimal mark or a mistake. */
static size_t line_of(const struct ply *ply, const char *at)
{
    size_t line = 1;
    for (const char *c = ply->begin; c < at; ++c)
        line += *c == '\n' || (*c == '\r' && c[1] != '\n');
    return line;
}

/* Read a coordinate. `*usable` is true if it is within the range of a float. */
static bool read_place(struct ply *ply, const char **at, const struct property *property, double *value,
                       bool *usable)
{
    const char *word = *at;
    size_t length;
    if (ply->storage != STORAGE_ASCII) {
        if (!skip_values(ply, at, 1, property->bytes))
            return false;
        *value = binary_value(ply, word, property);
        *usable = fabs(*value) <= (double)FLT_MAX;
        return true;
    }
    if (!next_value(ply, at, &word, &length))
        return false;
    const bool has_new_mark = (ply->marks.comma_line == 0 && memchr(word, ',', length) != NULL) ||
                              (ply->marks.point_line == 0 && memchr(word, '.', length) != NULL);
    *usable = decimal_read(word, length, has_new_mark ? line_of(ply, word) : 0, &ply->marks, value);
    return true;
}

/* ---- elements ---- */

static int refuse_place(const struct ply *ply, uint64_t number, int axis, double value, const char *at)
{
    const bool text = ply->storage == STORAGE_ASCII;
    char shown[40];
    const size_t length = text ? strcspn(at, " \t\r\n") : 0;
    if (text)
        (void)snprintf(shown, sizeof shown, "\"%.*s\"", length < 30 ? (int)length : 30, at);
    else
        (void)snprintf(shown, sizeof shown, "%g", value);
    const int code =
        failure_set(ply->failure, FAILURE_INPUT, "%c of vertex %llu is %s, which is not a usable number",
                    "xyz"[axis], (unsigned long long)number + 1, shown);
    return failure_at(code, ply->failure, NULL, text ? line_of(ply, at) : 0);
}

static int read_row(struct ply *ply, const struct element *element, uint64_t number, const char **at,
                    struct row *row)
{
    for (unsigned p = 0; p < element->properties; ++p) {
        const struct property *property = &element->property[p];
        const char *begin = *at;
        uint64_t values = 1;
        bool whole, usable = true;
        int axis = 0;
        while (axis < 3 && (element->role != ROLE_VERTEX || element->place[axis] != p))
            ++axis;
        if (axis < 3) {
            whole = read_place(ply, at, property, &row->place[axis], &usable);
            while (begin < *at && isspace((unsigned char)*begin) && ply->storage == STORAGE_ASCII)
                ++begin;
        } else {
            whole = property->count_bytes == 0 || read_count(ply, at, property->count_bytes, &values);
            if (whole && element->role == ROLE_FACE && values > POLYGON_CORNERS_MAX)
                return failure_set(ply->failure, FAILURE_INPUT,
                                   "face %llu of %llu has a list of %llu values; the limit is %u",
                                   (unsigned long long)number + 1, (unsigned long long)element->count,
                                   (unsigned long long)values, POLYGON_CORNERS_MAX);
            if (p == element->corners) {
                row->corners = *at;
                row->corner_count = values;
            }
            whole = whole && skip_values(ply, at, values, property->bytes);
        }
        if (!whole)
            return failure_set(ply->failure, FAILURE_INPUT, "the file ends within %s %llu of %llu",
                               element->name, (unsigned long long)number + 1,
                               (unsigned long long)element->count);
        if (!usable)
            return refuse_place(ply, number, axis, row->place[axis], begin);
    }
    return 0;
}

static int check_properties(const struct ply *ply, const struct element *element)
{
    const bool faces = element->role == ROLE_FACE || element->role == ROLE_STRIPS;
    if (element->count == 0)
        return 0;
    for (int axis = 0; element->role == ROLE_VERTEX && axis < 3; ++axis)
        if (element->place[axis] == PROPERTIES_MAX)
            return failure_set(ply->failure, FAILURE_INPUT, "its vertices have no property %c", "xyz"[axis]);
    if (faces && element->corners == PROPERTIES_MAX)
        return failure_set(ply->failure, FAILURE_INPUT, "its element \"%s\" has no list vertex_indices",
                           element->name);
    return 0;
}

static void note_elements(const struct ply *ply, struct import_notes *notes)
{
    char others[200] = "";
    bool materials = false;
    for (unsigned e = 0; e < ply->elements; ++e) {
        const struct element *element = &ply->element[e];
        const size_t used = strlen(others);
        materials = materials || (element->count > 0 && element->has_materials);
        if (element->role != ROLE_NONE || element->count == 0)
            continue;
        if (element->corners != PROPERTIES_MAX)
            import_notes_add(notes, IMPORT_INCOMPLETE, "save it with faces",
                             "%llu elements \"%s\", which join vertices, are not read",
                             (unsigned long long)element->count, element->name);
        else if (strcmp(element->name, "material") != 0)
            (void)snprintf(others + used, sizeof others - used, "%s%llu \"%s\"", used > 0 ? ", " : "",
                           (unsigned long long)element->count, element->name);
    }
    if (others[0] != '\0')
        import_notes_add(notes, IMPORT_HARMLESS, NULL, "elements other than faces are left out: %s", others);
    if (materials)
        import_notes_add(notes, IMPORT_HARMLESS, "OBJ and glTF keep materials by name",
                         "its faces have materials by number, which are not read: all faces are \"%s\"",
                         MODEL_DEFAULT_MATERIAL);
}

/* ---- reading ---- */

struct reading {
    struct ply ply;
    struct model_faces faces;
    unsigned *corner; /* (POLYGON_CORNERS_MAX) of the current face */
    uint16_t material;
    uint64_t vertices; /* number in all elements */
};

static int add_vertices(struct reading *reading, const struct element *element, const struct row *row)
{
    double position[3];
    (void)element;
    for (int axis = 0; axis < 3; ++axis)
        position[axis] = (double)(float)row->place[axis];
    return mesh_add_vertex(&reading->faces.model->mesh, position, NULL, reading->ply.failure);
}

/* Read the next number of a list: a vertex, or -1 at the end of a strip. */
static int read_corner(struct reading *reading, const struct property *property, const char **at, bool strip,
                       int64_t *corner)
{
    struct ply *ply = &reading->ply;
    const char *word = *at;
    size_t length = 0;
    double value;
    if (ply->storage == STORAGE_ASCII) {
        struct decimal_marks ignored = {0};
        (void)next_value(ply, at, &word, &length);
        if (!decimal_read(word, length, 0, &ignored, &value))
            return failure_set(ply->failure, FAILURE_INPUT,
                               "the model is broken: a face refers to vertex \"%.*s\"; export it again",
                               length < 30 ? (int)length : 30, word);
    } else {
        value = binary_value(ply, word, property);
        *at += property->bytes;
    }
    *corner = -1;
    if (strip && (value < 0 || value == (double)UINT32_MAX))
        return 0;
    if (!(value >= 0 && value < (double)reading->vertices && value == floor(value)))
        return failure_set(
            ply->failure, FAILURE_INPUT,
            "the model is broken: a face refers to vertex %.10g where only %llu exist; export it "
            "again",
            value, (unsigned long long)reading->vertices);
    *corner = (int64_t)value;
    return 0;
}

static int add_polygon(struct reading *reading, const struct element *element, const struct row *row)
{
    const char *at = row->corners;
    for (uint64_t c = 0; c < row->corner_count; ++c) {
        int64_t index = -1;
        TRY(read_corner(reading, &element->property[element->corners], &at, false, &index));
        reading->corner[c] = (unsigned)index;
    }
    return model_faces_add(&reading->faces, reading->corner, (size_t)row->corner_count, 0, reading->material,
                           false);
}

/* Every corner from the third on makes a triangle with the two before it; every second triangle is reversed.
 * A repeated corner makes none. */
static int add_strips(struct reading *reading, const struct element *element, const struct row *row)
{
    unsigned last[3] = {0};
    uint64_t length = 0;
    const char *at = row->corners;
    for (uint64_t c = 0; c < row->corner_count; ++c) {
        int64_t index = -1;
        TRY(read_corner(reading, &element->property[element->corners], &at, true, &index));
        if (index < 0) {
            length = 0;
            continue;
        }
        last[0] = last[1];
        last[1] = last[2];
        last[2] = (unsigned)index;
        if (++length >= 3 && last[0] != last[1] && last[1] != last[2] && last[0] != last[2])
            TRY(model_faces_add(&reading->faces, last, 3, 0, reading->material, length % 2 == 0));
    }
    return 0;
}

/* Faces may come before their vertices, so one pass reads vertices and another faces. */
static int read_elements(struct reading *reading, bool vertices)
{
    static int (*const add[])(struct reading *, const struct element *, const struct row *) = {
        [ROLE_VERTEX] = add_vertices, [ROLE_FACE] = add_polygon, [ROLE_STRIPS] = add_strips};
    struct ply *ply = &reading->ply;
    const char *at = ply->at;
    for (unsigned e = 0; e < ply->elements; ++e) {
        const struct element *element = &ply->element[e];
        const bool wanted = element->role != ROLE_NONE && (element->role == ROLE_VERTEX) == vertices;
        for (uint64_t number = 0; number < element->count; ++number) {
            struct row row;
            TRY(read_row(ply, element, number, &at, &row));
            if (wanted)
                TRY(add[element->role](reading, element, &row));
        }
    }
    return 0;
}

/* The first pass checks all elements. */
static int read_body(struct reading *reading)
{
    struct ply *ply = &reading->ply;
    TRY(check_counts(ply));
    for (unsigned e = 0; e < ply->elements; ++e) {
        TRY(check_properties(ply, &ply->element[e]));
        if (ply->element[e].role == ROLE_VERTEX)
            reading->vertices += ply->element[e].count;
    }
    TRY(read_elements(reading, true));
    TRY(decimal_judge(&ply->marks, &reading->faces.model->notes, ply->failure));
    note_elements(ply, &reading->faces.model->notes);
    return read_elements(reading, false);
}

int ply_read(const char *bytes, size_t size, struct model_file *out, struct failure *failure)
{
    struct reading reading = {.ply = {.begin = bytes, .at = bytes, .end = bytes + size, .failure = failure}};
    TRY(read_header(&reading.ply));
    TRY(mesh_add_material(&out->mesh, MODEL_DEFAULT_MATERIAL, &reading.material, failure));
    out->instances = 1;
    TRY(model_faces_begin(&reading.faces, out, failure));
    reading.corner = malloc(POLYGON_CORNERS_MAX * sizeof reading.corner[0]);
    const int status = reading.corner != NULL
                           ? read_body(&reading)
                           : failure_memory(failure, POLYGON_CORNERS_MAX * sizeof reading.corner[0],
                                            "the corners of a polygon");
    free(reading.corner);
    model_faces_end(&reading.faces);
    return status;
}
