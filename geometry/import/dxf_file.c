#include "geometry/import/dxf_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/array_room.h"
#include "geometry/base/name_text.h"
#include "geometry/base/polygon.h"
#include "geometry/base/utf16_text.h"
#include "geometry/base/vector.h"
#include "geometry/import/decimal_text.h"
#include "geometry/import/model_faces.h"

#define NAME_BYTES_MAX 255 /* of a layer */
#define NONE           SIZE_MAX

/* Bytes of the file. */
struct word {
    const char *at;
    size_t length;
};

/* A line with a group code and the line with its value. */
struct pair {
    int code;
    size_t line; /* of the value, from 1 */
    struct word value;
};

/* A place in the file, at the line of a group code. */
struct place {
    const char *at;
    size_t line; /* number of lines before it */
};

/* An entity, a block's or section's head, or an entry of a table: from a group code 0 to the next. */
struct entity {
    struct place begin; /* behind its group code 0 */
    size_t line;
    struct word kind, name, layer;
    double corner[4][3]; /* 10 20 30, 11 21 31 .. */
    bool has_fourth;     /* corner */
    double scale[3], spacing[2], rotation, thickness, normal[3];
    long flags, colour; /* 70, 62 */
    long count[5];      /* 71 .. 75 */
    bool invisible, paper;
};

struct layer {
    struct word name;
    bool off, frozen;
    int32_t material; /* in the mesh; -1: none yet */
};

enum { BLOCK_XREF = 4, BLOCK_OVERLAY = 8 };

struct block {
    struct word name;
    struct place content;
    double base[3];
    bool external;
};

struct reading {
    struct place at;
    const char *end;
    size_t layers, layer_room, blocks, block_room;
    struct layer *layer;   /* owned */
    struct block *block;   /* in order of names once all are known; owned */
    size_t last;           /* layer that was looked for */
    struct place entities; /* `at` NULL: there are none */
    struct decimal_marks marks;
    struct model_faces faces;
    size_t hidden, thick, absent, foreign, smoothed;
    char hidden_names[160], absent_names[160], foreign_kinds[160];
    struct model_file *out;
    struct failure *failure;
};

/* The placement of a block's entities. */
struct placement {
    double matrix[3][4];
    bool reversed; /* a reflection: the corners of a face run the other way */
    size_t layer;  /* that those on layer 0 get; NONE: layer 0 itself */
    int depth;
};

/* ---- words and numbers ---- */

static bool is_word(struct word word, const char *text)
{
    return strlen(text) == word.length && strncasecmp(word.at, text, word.length) == 0;
}

static bool is_same(struct word a, struct word b)
{
    return a.length == b.length && strncasecmp(a.at, b.at, a.length) == 0;
}

/* The next line without blanks around it; false at the end of the file. */
static bool next_line(struct reading *reading, struct word *out)
{
    const char *at = reading->at.at;
    if (at >= reading->end)
        return false;
    const char *stop = at;
    while (stop < reading->end && *stop != '\n' && *stop != '\r')
        ++stop;
    reading->at.at = stop + (stop[0] == '\r' && stop[1] == '\n' ? 2 : 1);
    ++reading->at.line;
    while (at < stop && (*at == ' ' || *at == '\t'))
        ++at;
    while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t'))
        --stop;
    *out = (struct word){at, (size_t)(stop - at)};
    return true;
}

static int refuse(const struct reading *reading, size_t line, const char *what, struct word word)
{
    return failure_at(failure_set(reading->failure, FAILURE_INPUT, "\"%.*s\" is not %s: the file is damaged",
                                  (int)(word.length < 40 ? word.length : 40), word.at, what),
                      reading->failure, NULL, line);
}

static bool to_integer(struct word word, long *value)
{
    char *end;
    *value = word.length > 0 && word.length < 20 ? strtol(word.at, &end, 10) : 0;
    return word.length > 0 && word.length < 20 && end == word.at + word.length;
}

/* The next pair; remarks are skipped. */
static int next_pair(struct reading *reading, struct pair *pair)
{
    for (;;) {
        struct word code;
        long number;
        if (!next_line(reading, &code) || (code.length == 0 && reading->at.at >= reading->end))
            break;
        if (!to_integer(code, &number) || number < -5 || number > 1071)
            return refuse(reading, reading->at.line, "a group code", code);
        pair->code = (int)number;
        if (!next_line(reading, &pair->value))
            break;
        pair->line = reading->at.line;
        if (number != 999)
            return 0;
    }
    return failure_fix(failure_at(failure_set(reading->failure, FAILURE_INPUT,
                                              "the file ends before the EOF of a DXF: it is incomplete"),
                                  reading->failure, NULL, reading->at.line),
                       reading->failure, "save or copy it again");
}

static int read_real(struct reading *reading, const struct pair *pair, double *value)
{
    return decimal_read(pair->value.at, pair->value.length, pair->line, &reading->marks, value)
               ? 0
               : refuse(reading, pair->line, "a number in the range of a float", pair->value);
}

static int read_integer(const struct reading *reading, const struct pair *pair, long *value)
{
    return to_integer(pair->value, value) ? 0 : refuse(reading, pair->line, "a whole number", pair->value);
}

/* ---- entities ---- */

static int read_value(struct reading *reading, const struct pair *pair, struct entity *entity)
{
    const int code = pair->code, tens = code / 10, units = code % 10;
    if (code == 2 && entity->name.at == NULL)
        entity->name = pair->value;
    if (code == 8)
        entity->layer = pair->value;
    if (tens >= 1 && tens <= 3 && units <= 3) {
        entity->has_fourth = entity->has_fourth || units == 3;
        return read_real(reading, pair, &entity->corner[units][tens - 1]);
    }
    if (code == 39)
        return read_real(reading, pair, &entity->thickness);
    if (code >= 41 && code <= 43)
        return read_real(reading, pair, &entity->scale[code - 41]);
    if (code == 44 || code == 45)
        return read_real(reading, pair, &entity->spacing[code - 44]);
    if (code == 50)
        return read_real(reading, pair, &entity->rotation);
    if (code == 210 || code == 220 || code == 230)
        return read_real(reading, pair, &entity->normal[code / 10 - 21]);
    if (code >= 71 && code <= 75)
        return read_integer(reading, pair, &entity->count[code - 71]);
    if (code == 70)
        return read_integer(reading, pair, &entity->flags);
    if (code == 62)
        return read_integer(reading, pair, &entity->colour);
    entity->invisible = entity->invisible || (code == 60 && is_word(pair->value, "1"));
    entity->paper = entity->paper || (code == 67 && is_word(pair->value, "1"));
    return 0;
}

/* Read up to the next group code 0. The first pair of all must be one. */
static int next_entity(struct reading *reading, struct entity *entity)
{
    struct pair pair;
    *entity = (struct entity){.scale = {1, 1, 1}, .normal = {0, 0, 1}};
    TRY(next_pair(reading, &pair));
    if (pair.code != 0)
        return refuse(reading, pair.line, "the name of an entity", pair.value);
    entity->kind = pair.value;
    entity->line = pair.line;
    entity->begin = reading->at;
    while (!is_word(entity->kind, "EOF")) {
        const struct place before = reading->at;
        TRY(next_pair(reading, &pair));
        if (pair.code == 0) {
            reading->at = before;
            break;
        }
        TRY(read_value(reading, &pair, entity));
    }
    return 0;
}

/* ---- header, layers and blocks ---- */

/* $INSUNITS 0 to 24; 21 to 24 are those of the US survey. */
static const double unit_metres[] = {0,
                                     0.0254,
                                     0.3048,
                                     1609.344,
                                     1e-3,
                                     0.01,
                                     1,
                                     1000,
                                     2.54e-8,
                                     2.54e-5,
                                     0.9144,
                                     1e-10,
                                     1e-9,
                                     1e-6,
                                     0.1,
                                     10,
                                     100,
                                     1e9,
                                     149597870700.0,
                                     9.4607304725808e15,
                                     3.0856775814913673e16,
                                     1200.0 / 3937,
                                     100.0 / 3937,
                                     3600.0 / 3937,
                                     6336000.0 / 3937};

static int read_header(struct reading *reading, struct place begin)
{
    struct pair pair;
    bool is_unit = false;
    reading->at = begin;
    do {
        TRY(next_pair(reading, &pair));
        if (is_unit && pair.code == 70) {
            long unit;
            TRY(read_integer(reading, &pair, &unit));
            if (unit >= 0 && (size_t)unit < sizeof unit_metres / sizeof unit_metres[0])
                reading->out->unit = unit_metres[unit];
        }
        is_unit = pair.code == 9 && is_word(pair.value, "$INSUNITS");
    } while (pair.code != 0);
    return 0;
}

/* The layer of that name, which is added if the table has none. */
static int find_layer(struct reading *reading, struct word name, size_t *out)
{
    *out = reading->last;
    if (*out < reading->layers && is_same(reading->layer[*out].name, name))
        return 0;
    for (*out = 0; *out < reading->layers && !is_same(reading->layer[*out].name, name);)
        ++*out;
    reading->last = *out;
    if (*out < reading->layers)
        return 0;
    struct layer *layer = array_room(reading->layer, &reading->layer_room, reading->layers + 1, sizeof *layer,
                                     "the layers of a drawing", reading->failure);
    if (layer == NULL)
        return FAILURE_CAPACITY;
    reading->layer = layer;
    layer[reading->layers++] = (struct layer){.name = name, .material = -1};
    return 0;
}

static int read_layer(struct reading *reading, const struct entity *entity)
{
    size_t number;
    TRY(find_layer(reading, entity->name, &number));
    reading->layer[number].frozen = (entity->flags & 1) != 0;
    reading->layer[number].off = entity->colour < 0;
    return 0;
}

static int add_block(struct reading *reading, const struct entity *entity)
{
    struct block *block = array_room(reading->block, &reading->block_room, reading->blocks + 1, sizeof *block,
                                     "the blocks of a drawing", reading->failure);
    if (block == NULL)
        return FAILURE_CAPACITY;
    reading->block = block;
    block += reading->blocks++;
    *block = (struct block){.name = entity->name,
                            .content = reading->at,
                            .external = (entity->flags & (BLOCK_XREF | BLOCK_OVERLAY)) != 0};
    memcpy(block->base, entity->corner[0], sizeof block->base);
    return 0;
}

static int compare_blocks(const void *left, const void *right)
{
    const struct word a = ((const struct block *)left)->name, b = ((const struct block *)right)->name;
    const int order = strncasecmp(a.at, b.at, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

/* Find the unit, the layers, the blocks and the entities. Sections with other contents are passed over. */
static int read_sections(struct reading *reading)
{
    struct entity entity;
    bool skipped = false;
    do {
        if (skipped) {
            struct pair pair;
            TRY(next_pair(reading, &pair));
            skipped = pair.code != 0 || !is_word(pair.value, "ENDSEC");
            entity.kind = pair.value;
            continue;
        }
        TRY(next_entity(reading, &entity));
        if (is_word(entity.kind, "LAYER"))
            TRY(read_layer(reading, &entity));
        if (is_word(entity.kind, "BLOCK"))
            TRY(add_block(reading, &entity));
        if (!is_word(entity.kind, "SECTION"))
            continue;
        const struct place behind = reading->at;
        if (is_word(entity.name, "HEADER"))
            TRY(read_header(reading, entity.begin));
        reading->at = behind;
        if (is_word(entity.name, "ENTITIES"))
            reading->entities = behind;
        skipped = !is_word(entity.name, "HEADER") && !is_word(entity.name, "TABLES") &&
                  !is_word(entity.name, "BLOCKS") && !is_word(entity.name, "ENTITIES");
    } while (skipped || !is_word(entity.kind, "EOF"));
    if (reading->blocks > 0)
        qsort(reading->block, reading->blocks, sizeof *reading->block, compare_blocks);
    return 0;
}

/* ---- placing ---- */

/* The x and y axes of a plane with that normal: DXF's "arbitrary axis algorithm". */
static bool find_axes(const double normal[3], double axis[3][3])
{
    static const double up[3] = {0, 0, 1}, side[3] = {0, 1, 0};
    const double length = vector_length(normal);
    if (!(length > 0))
        return false;
    for (int k = 0; k < 3; ++k)
        axis[2][k] = normal[k] / length;
    vector_cross(fabs(axis[2][0]) < 1.0 / 64 && fabs(axis[2][1]) < 1.0 / 64 ? side : up, axis[2], axis[0]);
    const double across = vector_length(axis[0]);
    for (int k = 0; k < 3; ++k)
        axis[0][k] /= across;
    vector_cross(axis[2], axis[0], axis[1]);
    return true;
}

/* The sine and cosine of an angle in degrees, exact for quarter turns. */
static void find_turn(double degrees, double *cosine, double *sine)
{
    static const double quarter[5] = {0, 1, 0, -1, 0};
    const double turn = fmod(degrees, 360) / 90, positive = turn < 0 ? turn + 4 : turn;
    const bool exact = positive == floor(positive) && positive <= 4;
    *sine = exact ? quarter[(int)positive % 4] : sin(degrees * (3.14159265358979323846 / 180));
    *cosine = exact ? quarter[(int)positive % 4 + 1] : cos(degrees * (3.14159265358979323846 / 180));
}

/* From a block's coordinates to the drawing's, for the reference `insert` and its item in the array of rows
 * and columns: axes times (turn times (scale times (p - base) + offset) + position). */
static bool place_block(const struct placement *parent, const struct entity *insert, const double base[3],
                        const double offset[2], struct placement *out)
{
    double axis[3][3], cosine, sine, local[3][4];
    if (!find_axes(insert->normal, axis))
        return false;
    find_turn(insert->rotation, &cosine, &sine);
    const double turn[3][3] = {{cosine, -sine, 0}, {sine, cosine, 0}, {0, 0, 1}};
    for (int row = 0; row < 3; ++row) {
        local[row][3] = insert->corner[0][row] + turn[row][0] * offset[0] + turn[row][1] * offset[1];
        for (int column = 0; column < 3; ++column) {
            local[row][column] = turn[row][column] * insert->scale[column];
            local[row][3] -= local[row][column] * base[column];
        }
    }
    for (int column = 0; column < 4; ++column) {
        double world[3];
        for (int row = 0; row < 3; ++row)
            world[row] = axis[0][row] * local[0][column] + axis[1][row] * local[1][column] +
                         axis[2][row] * local[2][column];
        for (int row = 0; row < 3; ++row)
            out->matrix[row][column] =
                vector_dot(parent->matrix[row], world) + (column == 3 ? parent->matrix[row][3] : 0);
    }
    const bool mirrored = (insert->scale[0] < 0) ^ (insert->scale[1] < 0) ^ (insert->scale[2] < 0);
    out->reversed = parent->reversed != mirrored;
    out->depth = parent->depth + 1;
    return true;
}

static int add_corner(const struct reading *reading, const struct placement *placement, const double at[3])
{
    double position[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double *row = placement->matrix[axis];
        /* Floats, as mesh_import.h explains; volatile, as in assimp_read.c. */
        volatile float rounded = (float)(vector_dot(row, at) + row[3]);
        position[axis] = (double)rounded;
        if (!isfinite(position[axis]))
            return failure_set(reading->failure, FAILURE_INPUT,
                               "a block reference places a corner at %g, which no float holds",
                               vector_dot(row, at) + row[3]);
    }
    return mesh_add_vertex(&reading->out->mesh, position, NULL, reading->failure);
}

/* ---- faces from entities ---- */

/* Append `name` to a list for a sentence, once. */
static void add_name(char *names, size_t room, struct word name)
{
    const size_t used = strlen(names);
    char shown[64];
    (void)snprintf(shown, sizeof shown, "%.*s", (int)(name.length < 60 ? name.length : 60), name.at);
    if (strstr(names, shown) == NULL && used + strlen(shown) + 3 < room)
        (void)snprintf(names + used, room - used, "%s%s", used > 0 ? ", " : "", shown);
}

static int find_own_layer(struct reading *reading, const struct placement *placement,
                          const struct entity *entity, size_t *layer)
{
    if (placement->layer != NONE && (entity->layer.at == NULL || is_word(entity->layer, "0"))) {
        *layer = placement->layer;
        return 0;
    }
    const struct word zero = {"0", 1};
    return find_layer(reading, entity->layer.at == NULL ? zero : entity->layer, layer);
}

static int find_material(struct reading *reading, size_t number, uint16_t *material)
{
    struct layer *layer = &reading->layer[number];
    if (layer->material < 0) {
        char name[NAME_BYTES_MAX + 1], text[NAME_TEXT_GROWTH * NAME_BYTES_MAX + 1];
        (void)snprintf(name, sizeof name, "%.*s",
                       (int)(layer->name.length < NAME_BYTES_MAX ? layer->name.length : NAME_BYTES_MAX),
                       layer->name.at);
        name_text(name, text);
        TRY(mesh_add_material(&reading->out->mesh, text[0] != '\0' ? text : MODEL_DEFAULT_MATERIAL, material,
                              reading->failure));
        layer->material = *material;
    }
    *material = (uint16_t)layer->material;
    return 0;
}

static int add_face(struct reading *reading, const struct placement *placement, size_t layer,
                    const unsigned *index, size_t count, size_t base)
{
    uint16_t material;
    TRY(find_material(reading, layer, &material));
    return model_faces_add(&reading->faces, index, count, base, material, placement->reversed);
}

static int read_3dface(struct reading *reading, const struct placement *placement, size_t layer,
                       const struct entity *entity)
{
    static const unsigned index[4] = {0, 1, 2, 3};
    const size_t base = reading->out->mesh.vertex_count;
    const size_t count = entity->has_fourth && !vector_equal(entity->corner[3], entity->corner[2]) ? 4 : 3;
    for (size_t k = 0; k < count; ++k)
        TRY(add_corner(reading, placement, entity->corner[k]));
    return add_face(reading, placement, layer, index, count, base);
}

static int refuse_vertex(const struct reading *reading, long number, size_t count, size_t line)
{
    return failure_at(failure_set(reading->failure, FAILURE_INPUT,
                                  "a face refers to vertex %ld, and its mesh has %zu: the file is damaged",
                                  number, count),
                      reading->failure, NULL, line);
}

/* Add a face of a polyface mesh. Its vertices are counted from 1, and a minus marks an invisible edge. */
static int add_mesh_face(struct reading *reading, const struct placement *placement, size_t layer,
                         const struct entity *face, size_t base)
{
    unsigned index[4];
    size_t count = 0;
    const size_t vertices = reading->out->mesh.vertex_count - base;
    if (face->layer.at != NULL)
        TRY(find_own_layer(reading, placement, face, &layer));
    for (int k = 0; k < 4; ++k) {
        const long number = labs(face->count[k]);
        if (number == 0)
            continue;
        if ((unsigned long)number > vertices)
            return refuse_vertex(reading, number, vertices, face->line);
        index[count++] = (unsigned)number - 1;
    }
    return add_face(reading, placement, layer, index, count, base);
}

/* Join the vertices of a polygon mesh, rows by columns. */
static int add_grid(struct reading *reading, const struct placement *placement, size_t layer,
                    const struct entity *polyline, size_t base)
{
    const int smooth = polyline->count[4] != 0 ? 2 : 0;
    const long rows = polyline->count[smooth], columns = polyline->count[smooth + 1];
    const size_t vertices = reading->out->mesh.vertex_count - base;
    if (rows < 2 || columns < 2 || rows > 32767 || columns > 32767 || (size_t)(rows * columns) != vertices)
        return failure_at(failure_set(reading->failure, FAILURE_INPUT,
                                      "a polygon mesh of %ld by %ld vertices has %zu: the file is damaged",
                                      rows, columns, vertices),
                          reading->failure, NULL, polyline->line);
    const long last_row = rows - ((polyline->flags & 1) == 0), last = columns - ((polyline->flags & 32) == 0);
    for (long row = 0; row < last_row; ++row)
        for (long column = 0; column < last; ++column) {
            const long next_row = (row + 1) % rows, next = (column + 1) % columns;
            const unsigned index[4] = {(unsigned)(row * columns + column), (unsigned)(row * columns + next),
                                       (unsigned)(next_row * columns + next),
                                       (unsigned)(next_row * columns + column)};
            TRY(add_face(reading, placement, layer, index, 4, base));
        }
    return 0;
}

enum { POLYLINE_GRID = 16, POLYLINE_FACES = 64, VERTEX_CONTROL = 16, VERTEX_PLACE = 64, VERTEX_FACE = 128 };

/* Read the vertices behind a POLYLINE, up to its SEQEND. Without `placement` they are passed over. */
static int read_polyline(struct reading *reading, const struct placement *placement, size_t layer,
                         const struct entity *polyline)
{
    const size_t base = reading->out->mesh.vertex_count;
    const bool is_grid = (polyline->flags & POLYLINE_GRID) != 0;
    const bool is_faces = (polyline->flags & POLYLINE_FACES) != 0;
    for (;;) {
        struct entity vertex;
        const struct place before = reading->at;
        TRY(next_entity(reading, &vertex));
        if (!is_word(vertex.kind, "VERTEX")) {
            if (!is_word(vertex.kind, "SEQEND"))
                reading->at = before;
            break;
        }
        if (placement == NULL || (!is_grid && !is_faces) ||
            (is_grid && (vertex.flags & VERTEX_CONTROL) != 0 && polyline->count[4] != 0))
            continue;
        if (is_faces && (vertex.flags & (VERTEX_FACE | VERTEX_PLACE)) == VERTEX_FACE)
            TRY(add_mesh_face(reading, placement, layer, &vertex, base));
        else
            TRY(add_corner(reading, placement, vertex.corner[0]));
    }
    return placement != NULL && is_grid ? add_grid(reading, placement, layer, polyline, base) : 0;
}

/* Read a MESH: its vertices (92, then 10 20 30), and a list of `93` numbers (90), those of corners before
 * each face's corners. */
static int read_mesh(struct reading *reading, const struct placement *placement, size_t layer,
                     const struct entity *entity)
{
    int status = 0;
    unsigned index[POLYGON_CORNERS_MAX];
    double corner[3] = {0, 0, 0};
    long level = 0, vertices = 0, numbers = 0, wanted = 0, count = 0;
    const size_t base = reading->out->mesh.vertex_count;
    const struct place behind = reading->at;
    reading->at = entity->begin;
    for (struct pair pair; status == 0 && reading->at.at < behind.at;) {
        long number = 0;
        TRY(next_pair(reading, &pair));
        if (pair.code >= 90 && pair.code <= 93)
            TRY(read_integer(reading, &pair, &number));
        if (pair.code == 91)
            level = number;
        if (pair.code == 92)
            vertices = number;
        if (pair.code == 93)
            numbers = number;
        if (pair.code == 10 || pair.code == 20 || pair.code == 30)
            TRY(read_real(reading, &pair, &corner[pair.code / 10 - 1]));
        if (pair.code == 30 && vertices-- > 0)
            status = add_corner(reading, placement, corner);
        if (pair.code != 90 || numbers-- <= 0)
            continue;
        const size_t known = reading->out->mesh.vertex_count - base;
        if (wanted == 0 && (number < 0 || number > (long)POLYGON_CORNERS_MAX))
            return refuse(reading, pair.line, "a number of corners", pair.value);
        if (wanted > 0 && (number < 0 || (size_t)number >= known))
            return refuse_vertex(reading, number, known, pair.line);
        if (wanted == 0) {
            wanted = number;
            count = 0;
            continue;
        }
        index[count++] = (unsigned)number;
        if (count == wanted) {
            status = add_face(reading, placement, layer, index, (size_t)count, base);
            wanted = 0;
        }
    }
    reading->smoothed += level > 0;
    return status;
}

static int read_block(struct reading *reading, struct placement *placement);

static int read_insert(struct reading *reading, const struct placement *placement, size_t layer,
                       const struct entity *insert)
{
    const struct block wanted = {.name = insert->name};
    const struct block *block =
        insert->name.at == NULL || reading->blocks == 0
            ? NULL
            : bsearch(&wanted, reading->block, reading->blocks, sizeof wanted, compare_blocks);
    if (block == NULL || block->external) {
        ++reading->absent;
        add_name(reading->absent_names, sizeof reading->absent_names, insert->name);
        return 0;
    }
    if (placement->depth == DXF_DEPTH_MAX)
        return failure_fix(
            failure_at(failure_set(reading->failure, FAILURE_INPUT,
                                   "its blocks lie more than %d deep in one another, or contain themselves",
                                   DXF_DEPTH_MAX),
                       reading->failure, NULL, insert->line),
            reading->failure, "explode the blocks");
    const long columns = insert->flags > 1 ? insert->flags : 1,
               rows = insert->count[0] > 1 ? insert->count[0] : 1;
    const struct place behind = reading->at;
    for (long row = 0; row < rows; ++row)
        for (long column = 0; column < columns; ++column) {
            struct placement inner = {.layer = layer};
            const double offset[2] = {(double)column * insert->spacing[0], (double)row * insert->spacing[1]};
            if (!place_block(placement, insert, block->base, offset, &inner))
                return failure_at(failure_set(reading->failure, FAILURE_INPUT,
                                              "a block reference has an extrusion direction of length 0"),
                                  reading->failure, NULL, insert->line);
            reading->at = block->content;
            TRY(read_block(reading, &inner));
            ++reading->out->instances;
        }
    reading->at = behind;
    return 0;
}

/* Solids and surfaces that only other programs can read. */
static bool is_foreign(struct word kind)
{
    static const char *const kinds[] = {"3DSOLID", "BODY", "REGION", "ACAD_PROXY_ENTITY"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
        if (is_word(kind, kinds[k]))
            return true;
    return (kind.length >= 7 && strncasecmp(kind.at + kind.length - 7, "SURFACE", 7) == 0) ||
           (kind.length >= 4 && strncasecmp(kind.at, "AEC_", 4) == 0);
}

static int read_content(struct reading *reading, const struct placement *placement,
                        const struct entity *entity)
{
    size_t layer;
    const bool is_insert = is_word(entity->kind, "INSERT"), is_polyline = is_word(entity->kind, "POLYLINE");
    const bool is_parts = is_polyline && (entity->flags & (POLYLINE_GRID | POLYLINE_FACES)) != 0;
    const bool is_face = is_word(entity->kind, "3DFACE"), is_mesh = is_word(entity->kind, "MESH");
    const bool foreign = is_foreign(entity->kind);
    const bool is_wall = is_insert || is_parts || is_face || is_mesh || foreign || entity->thickness != 0;
    TRY(find_own_layer(reading, placement, entity, &layer));
    const bool hidden =
        entity->invisible || reading->layer[layer].frozen || (reading->layer[layer].off && !is_insert);
    const bool used = is_wall && !hidden && !entity->paper;
    if (is_wall && hidden && !entity->paper) {
        ++reading->hidden;
        add_name(reading->hidden_names, sizeof reading->hidden_names, reading->layer[layer].name);
    }
    if (is_polyline)
        TRY(read_polyline(reading, used && is_parts ? placement : NULL, layer, entity));
    if (!is_wall)
        ++reading->out->lines_and_points;
    if (!used || is_parts)
        return 0;
    if (is_insert)
        return read_insert(reading, placement, layer, entity);
    if (is_face)
        return read_3dface(reading, placement, layer, entity);
    if (is_mesh)
        return read_mesh(reading, placement, layer, entity);
    reading->thick += !foreign;
    if (foreign) {
        ++reading->foreign;
        add_name(reading->foreign_kinds, sizeof reading->foreign_kinds, entity->kind);
    }
    return 0;
}

/* Read entities up to the end of the block or of the section. */
static int read_block(struct reading *reading, struct placement *placement)
{
    for (;;) {
        struct entity entity;
        TRY(next_entity(reading, &entity));
        if (is_word(entity.kind, "ENDBLK") || is_word(entity.kind, "ENDSEC") || is_word(entity.kind, "EOF"))
            return 0;
        TRY(read_content(reading, placement, &entity));
    }
}

/* ---- the whole ---- */

static void add_notes(const struct reading *reading)
{
    struct import_notes *notes = &reading->out->notes;
    if (reading->foreign > 0)
        import_notes_add(
            notes, IMPORT_INCOMPLETE, "export it as 3DFACE or polyface meshes, or as .obj or .stl",
            "%zu solid%s or surface%s without faces in the file (%s) cannot be read", reading->foreign,
            reading->foreign == 1 ? "" : "s", reading->foreign == 1 ? "" : "s", reading->foreign_kinds);
    if (reading->absent > 0)
        import_notes_add(notes, IMPORT_INCOMPLETE, "bind external references, and export it again",
                         "%zu block reference%s to blocks that the file does not contain: %s",
                         reading->absent, reading->absent == 1 ? " is" : "s are", reading->absent_names);
    if (reading->thick > 0)
        import_notes_add(notes, IMPORT_INCOMPLETE, "convert them to faces",
                         "%zu line%s with a thickness, which makes a wall in the drawing, %s not read",
                         reading->thick, reading->thick == 1 ? "" : "s", reading->thick == 1 ? "is" : "are");
    if (reading->smoothed > 0)
        import_notes_add(notes, IMPORT_DOUBTFUL, "convert it to faces, if the form matters",
                         "%zu mesh%s smoothed in the drawing, and the coarse form is used", reading->smoothed,
                         reading->smoothed == 1 ? " is" : "es are");
    if (reading->hidden > 0)
        import_notes_add(notes, IMPORT_HARMLESS, NULL,
                         "%zu object%s left out, invisible or on a layer that is off or frozen: %s",
                         reading->hidden, reading->hidden == 1 ? "" : "s", reading->hidden_names);
}

static int read_drawing(struct reading *reading)
{
    struct placement world = {
        .matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .layer = NONE, .depth = 0};
    TRY(read_sections(reading));
    if (reading->entities.at != NULL) {
        reading->at = reading->entities;
        TRY(read_block(reading, &world));
    }
    add_notes(reading);
    return decimal_judge(&reading->marks, &reading->out->notes, reading->failure);
}

int dxf_read(const char *text, size_t size, struct model_file *out, struct failure *failure)
{
    int status;
    struct reading reading = {.at = {text, 0}, .end = text + size, .out = out, .failure = failure};
    if (size >= 18 && memcmp(text, "AutoCAD Binary DXF", 18) == 0)
        return failure_fix(failure_set(failure, FAILURE_INPUT, "it is a binary DXF"), failure,
                           "save it as text (ASCII) DXF");
    TRY(utf16_refuse(text, size, failure));
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        reading.at.at += 3;
    if ((status = model_faces_begin(&reading.faces, out, failure)) == 0)
        status = read_drawing(&reading);
    model_faces_end(&reading.faces);
    free(reading.layer);
    free(reading.block);
    return status;
}
