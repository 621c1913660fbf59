#include "geometry/import/obj_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/polygon.h"
#include "geometry/base/text_buffer.h"
#include "geometry/import/decimal_text.h"
#include "geometry/import/model_content.h"
#include "geometry/mesh/marker_name.h"

/* What opened the position that the lines belong to. */
enum opened { OPENED_NONE, OPENED_BY_OBJECT, OPENED_BY_GROUP };

/* Of a material, as in the file. */
struct name {
    const char *text;
    size_t length;
};

struct scan {
    const char *at, *end;
    size_t line; /* counted from 1 */
    uint64_t vertices;
    struct decimal_marks marks;
    uint64_t highest; /* index of a face, and its line: vertices may follow their faces */
    size_t highest_line;
    enum opened position;
    const char *position_name; /* as in the file, with its prefix */
    size_t position_length;
    uint64_t position_vertices; /* v lines of it so far */
    struct obj_text *out;
    struct text_buffer vertex_text, rest; /* Assimp wants the vertices before the faces that use them */
    size_t name_count;
    struct name *name;                      /* of each usemtl line; owned */
    size_t surfaces, curves, files, others; /* statements that are not read */
    char other_words[120];                  /* those of the others, each once */
    struct failure *failure;
};

void obj_text_free(struct obj_text *plain)
{
    free(plain->text);
    mesh_free(&plain->markers);
    *plain = (struct obj_text){0};
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

/* Length of the line end that a backslash hides at `at`, 0 when there is none. */
static size_t continuation(const char *at)
{
    if (at[0] != '\\' || (at[1] != '\n' && at[1] != '\r'))
        return 0;
    return at[1] == '\r' && at[2] == '\n' ? 3 : 2;
}

/* To the next word of the line; false at its end. */
static bool next_word(struct scan *scan, const char **word, size_t *length)
{
    for (;;) {
        const size_t hidden = continuation(scan->at);
        if (hidden == 0 && *scan->at != ' ' && *scan->at != '\t')
            break;
        scan->line += hidden > 0 ? 1 : 0;
        scan->at += hidden > 0 ? hidden : 1;
    }
    *word = scan->at;
    if (*scan->at == '#')
        return false;
    while (*scan->at != ' ' && *scan->at != '\t' && !is_line_end(*scan->at) && continuation(scan->at) == 0)
        ++scan->at;
    *length = (size_t)(scan->at - *word);
    return *length > 0;
}

/* The rest of the line without blanks around it: a name may hold blanks and `#`. */
static void rest_of_line(struct scan *scan, const char **text, size_t *length)
{
    while (*scan->at == ' ' || *scan->at == '\t')
        ++scan->at;
    *text = scan->at;
    while (!is_line_end(*scan->at))
        ++scan->at;
    *length = (size_t)(scan->at - *text);
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t'))
        --*length;
}

/* Past the end of the line; a zero inside the file ends a line as well. */
static void skip_line(struct scan *scan)
{
    while (scan->at < scan->end && !is_line_end(*scan->at))
        ++scan->at;
    if (scan->at < scan->end) {
        scan->at += scan->at[0] == '\r' && scan->at[1] == '\n' ? 2 : 1;
        ++scan->line;
    }
}

/* Assimp's reader does not see a number that begins with a point; a plain one is handed on as it is. */
static int put_number(struct scan *scan, const char *word, size_t length, double value)
{
    const size_t sign = word[0] == '-' || word[0] == '+' ? 1 : 0;
    const bool plain =
        word[sign] >= '0' && word[sign] <= '9' && strspn(word + sign, "0123456789.") >= length - sign;
    TRY(text_put(&scan->vertex_text, " ", 1, scan->failure));
    if (plain)
        return text_put(&scan->vertex_text, word, length, scan->failure);
    /* nine digits identify a float */
    return text_print(&scan->vertex_text, scan->failure, "%.9g", value);
}

/* Bytes of a word that a sentence quotes. */
static int shown(size_t length)
{
    return length < 60 ? (int)length : 60;
}

static int add_vertex(struct scan *scan)
{
    struct mesh *markers = &scan->out->markers;
    double position[3];
    TRY(text_put(&scan->vertex_text, "v", 1, scan->failure));
    for (int axis = 0; axis < 3; ++axis) {
        const char *word = "";
        size_t length = 0;
        if (!next_word(scan, &word, &length) ||
            !decimal_read(word, length, scan->line, &scan->marks, &position[axis]))
            return failure_at(
                failure_set(scan->failure, FAILURE_INPUT,
                            "%c of vertex %llu is \"%.*s\", which is no number that can be used", "xyz"[axis],
                            (unsigned long long)scan -> vertices + 1, shown(length), word),
                scan->failure, NULL, scan->line);
        TRY(put_number(scan, word, length, position[axis]));
    }
    ++scan->vertices;
    if (scan->position != OPENED_NONE) {
        /* A running mean: right whenever the object ends. */
        double *mean = markers->marker[markers->marker_count - 1].position;
        const double count = (double)++scan->position_vertices;
        for (int axis = 0; axis < 3; ++axis)
            mean[axis] = count == 1 ? position[axis] : mean[axis] + (position[axis] - mean[axis]) / count;
    }
    return text_put(&scan->vertex_text, "\n", 1, scan->failure);
}

static int no_such_vertex(const struct scan *scan, size_t line, const char *word, size_t length)
{
    return failure_at(failure_set(scan->failure, FAILURE_INPUT,
                                  "a face refers to vertex \"%.*s\"; the file has vertices 1 to %llu",
                                  shown(length), word, (unsigned long long)scan->vertices),
                      scan->failure, NULL, line);
}

/* `3`, `3/1`, `3//2`, `3/1/2`, or `-1` for the last vertex so far: the vertex, counted from 1. */
static int read_index(struct scan *scan, const char *word, size_t length, uint64_t *index)
{
    char *parsed;
    const long long number = strtoll(word, &parsed, 10);
    const bool whole = parsed > word && (parsed == word + length || *parsed == '/');
    if (!whole || number == 0 || number < -(long long)scan->vertices)
        return no_such_vertex(scan, scan->line, word, length);
    *index = number > 0 ? (uint64_t)number : scan->vertices + 1 - (uint64_t)-number;
    if (*index > scan->highest) {
        scan->highest = *index;
        scan->highest_line = scan->line;
    }
    return 0;
}

static int add_face(struct scan *scan)
{
    const char *word;
    size_t length, corners = 0;
    const size_t begin = scan->rest.size, line = scan->line;
    TRY(text_put(&scan->rest, "f", 1, scan->failure));
    while (next_word(scan, &word, &length)) {
        uint64_t index = 0;
        TRY(read_index(scan, word, length, &index));
        TRY(text_print(&scan->rest, scan->failure, " %llu", (unsigned long long)index));
        if (++corners > POLYGON_CORNERS_MAX)
            return failure_at(failure_set(scan->failure, FAILURE_INPUT,
                                          "a polygon has more than %u corners: split it",
                                          POLYGON_CORNERS_MAX),
                              scan->failure, NULL, line);
    }
    if (corners < 3) {
        scan->rest.size = begin;
        ++scan->out->lines_and_points;
        return 0;
    }
    ++scan->out->faces;
    return text_put(&scan->rest, "\n", 1, scan->failure);
}

static int remember_name(struct scan *scan, const char *text, size_t length)
{
    const size_t count = scan->name_count;
    if (count == 0 || (count >= 16 && (count & (count - 1)) == 0)) {
        const size_t capacity = count == 0 ? 16 : 2 * count;
        struct name *grown = realloc(scan->name, capacity * sizeof *grown);
        if (grown == NULL)
            return failure_memory(scan->failure, capacity * sizeof *grown, "the materials of an OBJ file");
        scan->name = grown;
    }
    scan->name[scan->name_count++] = (struct name){text, length};
    return 0;
}

static int compare_names(const void *left, const void *right)
{
    const struct name *a = left, *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return memcmp(a->text, b->text, a->length);
}

static int check_materials(struct scan *scan)
{
    size_t materials = 0;
    if (scan->name_count <= MESH_MATERIALS_MAX)
        return 0;
    qsort(scan->name, scan->name_count, sizeof scan->name[0], compare_names);
    for (size_t n = 0; n < scan->name_count; ++n)
        materials += n == 0 || compare_names(&scan->name[n - 1], &scan->name[n]) != 0 ? 1 : 0;
    if (materials <= MESH_MATERIALS_MAX)
        return 0;
    return failure_set(scan->failure, FAILURE_INPUT,
                       "the file has %zu materials; the limit is %u: merge those that sound alike", materials,
                       MESH_MATERIALS_MAX);
}

static int add_material(struct scan *scan)
{
    const char *name;
    size_t length;
    rest_of_line(scan, &name, &length);
    TRY(remember_name(scan, name, length));
    ++scan->out->parts;
    if (length == 0)
        return text_print(&scan->rest, scan->failure, "usemtl %s\n", MODEL_DEFAULT_MATERIAL);
    TRY(text_put(&scan->rest, "usemtl ", 7, scan->failure));
    TRY(text_put(&scan->rest, name, length, scan->failure));
    return text_put(&scan->rest, "\n", 1, scan->failure);
}

static bool is_word(const char *word, size_t length, const char *keyword)
{
    return strlen(keyword) == length && memcmp(word, keyword, length) == 0;
}

/* Blender and others write `g source:pulpit_Mesh` inside `o source:pulpit`: one position, not two. */
static bool repeats_position(const struct scan *scan, const char *name, size_t length)
{
    const size_t of_position = scan->position_length;
    return length >= of_position && memcmp(name, scan->position_name, of_position) == 0 &&
           (length == of_position || name[of_position] == '_');
}

/* The last word of a name. */
static size_t last_word(const char *name, size_t length, const char **word)
{
    size_t begin = length;
    while (begin > 0 && name[begin - 1] != ' ' && name[begin - 1] != '\t')
        --begin;
    *word = name + begin;
    return length - begin;
}

/* "Model", or what SketchUp calls groups and components that have no name. */
static bool is_of_sketchup(const char *word, size_t length)
{
    const size_t letters = length >= 9 && memcmp(word, "Component", 9) == 0 ? 9
                           : length >= 5 && memcmp(word, "Group", 5) == 0   ? 5
                                                                            : 0;
    return is_word(word, length, "Model") ||
           (letters > 0 && strspn(word + letters, "_#0123456789") >= length - letters);
}

/* Where a name holds a word that begins with `source:` or `receiver:`: the position's own part of it, which
 * begins with that and goes on to the end. SketchUp writes `g Mesh1 source:pulpit Group3 Model`, with the
 * groups that it is in behind it; these are left out. False where there is none. */
static bool find_position(const char **name, size_t *length, enum marker_kind *kind)
{
    const char *word;
    size_t at = 0;
    while (at < *length && marker_prefix(*name + at, *length - at, kind) == 0) {
        while (at < *length && (*name)[at] != ' ' && (*name)[at] != '\t')
            ++at;
        while (at < *length && ((*name)[at] == ' ' || (*name)[at] == '\t'))
            ++at;
    }
    if (at == *length)
        return false;
    *name += at;
    *length -= at;
    for (size_t last;
         at > 0 && (last = last_word(*name, *length, &word)) < *length && is_of_sketchup(word, last);) {
        *length -= last;
        while (*length > 0 && ((*name)[*length - 1] == ' ' || (*name)[*length - 1] == '\t'))
            --*length;
    }
    return true;
}

static int add_object(struct scan *scan, enum opened by)
{
    const char *name;
    size_t length;
    enum marker_kind kind;
    struct mesh *markers = &scan->out->markers;
    rest_of_line(scan, &name, &length);
    if (find_position(&name, &length, &kind)) {
        /* SketchUp writes a group for each part of a position, too. */
        if (by == OPENED_BY_GROUP && scan->position != OPENED_NONE && repeats_position(scan, name, length))
            return 0;
        char clean[256];
        const size_t prefix = marker_prefix(name, length, &kind);
        marker_clean_name(name + prefix, length - prefix, kind, clean, sizeof clean);
        TRY(text_print(&scan->rest, scan->failure, "o %s:%zu\n", marker_kind_name(kind),
                       markers->marker_count));
        TRY(mesh_add_marker(markers, kind, clean, (double[3]){NAN, NAN, NAN}, scan->failure));
        scan->position = by;
        scan->position_name = name;
        scan->position_length = length;
        scan->position_vertices = 0;
        ++scan->out->parts;
        return 0;
    }
    if (scan->position == OPENED_NONE || (by == OPENED_BY_GROUP && scan->position == OPENED_BY_OBJECT))
        return 0;
    scan->position = OPENED_NONE;
    ++scan->out->parts;
    return text_print(&scan->rest, scan->failure, "o wall%zu\n", markers->marker_count);
}

/* ---- statements that are not read ---- */

static bool is_one_of(const char *word, size_t length, const char *const *list)
{
    while (*list != NULL && !is_word(word, length, *list))
        ++list;
    return *list != NULL;
}

static void count_unread(struct scan *scan, const char *word, size_t length)
{
    static const char *const silent[] = {/* looks, and what belongs to a free-form surface or curve */
                                         "vt",    "vn",   "vp",   "s",    "mtllib", "usemap", "cstype",
                                         "deg",   "bmat", "step", "parm", "trim",   "hole",   "scrv",
                                         "curv2", "sp",   "end",  "con",  "ctech",  "stech",  NULL};
    static const char *const surfaces[] = {"surf", "bzp", "bsp", "cdp", NULL};
    static const char *const curves[] = {"curv", "cdc", NULL};
    static const char *const files[] = {"call", "csh", NULL};
    char *words = scan->other_words, shown_word[24];
    if (is_one_of(word, length, silent))
        return;
    if (is_one_of(word, length, surfaces)) {
        ++scan->surfaces;
    } else if (is_one_of(word, length, curves)) {
        ++scan->curves;
    } else if (is_one_of(word, length, files)) {
        ++scan->files;
    } else {
        ++scan->others;
        (void)snprintf(shown_word, sizeof shown_word, "`%.*s`", length < 20 ? (int)length : 20, word);
        const size_t used = strlen(words);
        if (strstr(words, shown_word) == NULL && used + strlen(shown_word) + 3 < sizeof scan->other_words)
            (void)snprintf(words + used, sizeof scan->other_words - used, "%s%s", used > 0 ? ", " : "",
                           shown_word);
    }
}

static void note_unread(const struct scan *scan)
{
    struct import_notes *notes = &scan->out->notes;
    if (scan->surfaces > 0)
        import_notes_add(notes, IMPORT_INCOMPLETE, "save the model as polygon mesh",
                         "%zu free-form surface%s (`surf`) %s left out: only polygons are read",
                         scan->surfaces, scan->surfaces == 1 ? "" : "s",
                         scan->surfaces == 1 ? "was" : "were");
    if (scan->files > 0)
        import_notes_add(notes, IMPORT_INCOMPLETE, "save the model as one file",
                         "%zu line%s that would read other files or run commands (`call`, `csh`) %s left out",
                         scan->files, scan->files == 1 ? "" : "s", scan->files == 1 ? "was" : "were");
    if (scan->curves > 0)
        import_notes_add(notes, IMPORT_HARMLESS, NULL,
                         "%zu free-form curve%s (`curv`), which ha%s no area, left out", scan->curves,
                         scan->curves == 1 ? "" : "s", scan->curves == 1 ? "s" : "ve");
    if (scan->others > 0)
        import_notes_add(notes, IMPORT_HARMLESS, NULL, "%zu line%s that %s not read: %s", scan->others,
                         scan->others == 1 ? "" : "s", scan->others == 1 ? "is" : "are", scan->other_words);
}

/* "# File units = inches": the unit, or 0. */
static double unit_in_remark(const char *remark, size_t length)
{
    static const struct {
        const char *word;
        double metres;
    } unit[] = {{"in", 0.0254}, {"inches", 0.0254},     {"ft", 0.3048}, {"feet", 0.3048},
                {"mm", 0.001},  {"millimeters", 0.001}, {"cm", 0.01},   {"centimeters", 0.01},
                {"m", 1},       {"meters", 1}};
    char text[64], word[16];
    (void)snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), remark);
    if (sscanf(text, "# File units = %15s", word) != 1 && sscanf(text, "# Units = %15s", word) != 1)
        return 0;
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++)
        if (strcasecmp(word, unit[u].word) == 0)
            return unit[u].metres;
    return 0;
}

static int read_line(struct scan *scan)
{
    const char *word;
    size_t length;
    if (!next_word(scan, &word, &length)) {
        rest_of_line(scan, &word, &length);
        if (scan->vertices == 0 && scan->out->unit == 0)
            scan->out->unit = unit_in_remark(word, length);
        return 0;
    }
    if (is_word(word, length, "v"))
        return add_vertex(scan);
    if (is_word(word, length, "f") || is_word(word, length, "fo"))
        return add_face(scan);
    if (is_word(word, length, "usemtl"))
        return add_material(scan);
    if (is_word(word, length, "o"))
        return add_object(scan, OPENED_BY_OBJECT);
    if (is_word(word, length, "g"))
        return add_object(scan, OPENED_BY_GROUP);
    if (is_word(word, length, "l") || is_word(word, length, "p"))
        ++scan->out->lines_and_points;
    else
        count_unread(scan, word, length);
    return 0;
}

int obj_text_prepare(const char *text, size_t size, struct obj_text *out, struct failure *failure)
{
    int status = 0;
    struct obj_text plain = {0};
    struct scan scan = {.at = text, .end = text + size, .line = 1, .out = &plain, .failure = failure};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        scan.at += 3;
    while (status == 0 && scan.at < scan.end) {
        status = read_line(&scan);
        skip_line(&scan);
    }
    if (status == 0 && scan.highest > scan.vertices) {
        char number[32];
        const int length = snprintf(number, sizeof number, "%llu", (unsigned long long)scan.highest);
        status = no_such_vertex(&scan, scan.highest_line, number, (size_t)length);
    }
    if (status == 0)
        status = check_materials(&scan);
    note_unread(&scan);
    if (status == 0)
        status = decimal_judge(&scan.marks, &plain.notes, failure);
    if (status == 0 && scan.rest.size > 0)
        status = text_put(&scan.vertex_text, scan.rest.data, scan.rest.size, failure);
    free(scan.rest.data);
    free(scan.name);
    plain.text = scan.vertex_text.data;
    plain.size = scan.vertex_text.size;
    if (status != 0) {
        obj_text_free(&plain);
        return status;
    }
    *out = plain;
    return 0;
}
