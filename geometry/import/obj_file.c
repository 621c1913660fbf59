#include "geometry/import/obj_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/array_room.h"
#include "geometry/base/name_text.h"
#include "geometry/base/polygon.h"
#include "geometry/import/decimal_text.h"
#include "geometry/import/model_faces.h"
#include "geometry/mesh/marker_name.h"

/* The statement that began the current position. */
enum opened { OPENED_NONE, OPENED_BY_OBJECT, OPENED_BY_GROUP };

#define NONE             UINT32_MAX
#define NAME_BYTES_MAX   1000              /* of a material's name; the rest is cut off */
#define UNNAMED_MATERIAL "DefaultMaterial" /* as Assimp names it in an OBJ */
#define FRACTION_DIGITS  15

/* The name of a material in the file. */
struct name {
    const char *text;
    size_t length;
    uint32_t number;  /* number of its usemtl line */
    int32_t material; /* in the mesh; -1 if no wall has it yet */
};

/* Consecutive faces of one material and one position. */
struct run {
    size_t faces;
    uint32_t name;   /* number of the usemtl line; NONE: none yet */
    uint32_t marker; /* NONE: walls */
};

struct scan {
    const char *at, *end;
    size_t line; /* counted from 1 */
    size_t vertices, vertex_room;
    float (*vertex)[3]; /* owned */
    size_t values, value_room;
    uint32_t *value; /* number of corners of each face and then these, from 0; owned */
    size_t runs, run_room;
    struct run *run; /* the last one is being filled; owned */
    struct decimal_marks marks;
    uint64_t highest; /* of a face, and its line, since vertices may follow their faces */
    size_t highest_line;
    enum opened position;
    const char *position_name; /* as in the file, with its prefix */
    size_t position_length;
    uint64_t position_vertices; /* its v lines so far */
    struct mesh markers;        /* mean of the object's v lines; NaN: none */
    size_t name_count, name_room;
    struct name *name;                      /* of each usemtl line; owned */
    uint32_t *same;                         /* (name_count) the first one of that name; owned */
    size_t faces;                           /* of three corners or more */
    size_t surfaces, curves, files, others; /* unread statements */
    char other_words[120];                  /* keywords of the others, each once */
    struct model_file *out;
    struct failure *failure;
};

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

/* Length of a line end after a backslash at `at`; 0 if there is none. */
static size_t continuation_length(const char *at)
{
    if (at[0] != '\\' || (at[1] != '\n' && at[1] != '\r'))
        return 0;
    return at[1] == '\r' && at[2] == '\n' ? 3 : 2;
}

/* Move to the next word of the line; false at its end. */
static bool next_word(struct scan *scan, const char **word, size_t *length)
{
    for (;;) {
        const size_t hidden = continuation_length(scan->at);
        if (hidden == 0 && *scan->at != ' ' && *scan->at != '\t')
            break;
        scan->line += hidden > 0 ? 1 : 0;
        scan->at += hidden > 0 ? hidden : 1;
    }
    *word = scan->at;
    if (*scan->at == '#')
        return false;
    while (*scan->at != ' ' && *scan->at != '\t' && !is_line_end(*scan->at) &&
           continuation_length(scan->at) == 0)
        ++scan->at;
    *length = (size_t)(scan->at - *word);
    return *length > 0;
}

/* The rest of the line without blanks around it: a name may contain blanks and `#`. */
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

/* Move past the end of the line; a zero byte ends a line, too. */
static void skip_line(struct scan *scan)
{
    while (scan->at < scan->end && !is_line_end(*scan->at))
        ++scan->at;
    if (scan->at < scan->end) {
        scan->at += scan->at[0] == '\r' && scan->at[1] == '\n' ? 2 : 1;
        ++scan->line;
    }
}

/* The float of a number that decimal_read() read as `value`, rounded as Assimp 5.2 does: the whole part and
 * the fraction each to a float, their sum times the power of ten. It can differ from the nearest float in the
 * last places, and keeps the bits of earlier results. */
static float to_float(const char *word, size_t length, double value)
{
    static const double unit_of[FRACTION_DIGITS + 1] = {1,    1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,
                                                        1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15};
    char shown_length[32];
    const size_t sign = word[0] == '-' || word[0] == '+' ? 1 : 0;
    if (word[sign] < '0' || word[sign] > '9' || strspn(word + sign, "0123456789.") < length - sign) {
        (void)snprintf(shown_length, sizeof shown_length, "%.9g", value);
        word = shown_length;
        length = strlen(shown_length);
    }
    const char *power = memchr(word, 'e', length), *end = power != NULL ? power : word + length;
    const char *at = word + (word[0] == '-' || word[0] == '+');
    double whole = 0, fraction = 0;
    unsigned digits = 0;
    for (; at < end && *at != '.'; ++at)
        whole = 10 * whole + (*at - '0');
    for (++at; at < end && digits < FRACTION_DIGITS; ++at, ++digits)
        fraction = 10 * fraction + (*at - '0');
    volatile float sum = (float)whole; /* no sum in double here */
    sum += (float)(fraction * unit_of[digits]);
    if (power != NULL)
        sum *= powf(10, (float)strtol(power + 1, NULL, 10));
    return (word[0] == '-' ? -sum : sum) + 0; /* -0 is 0 */
}

/* Length of a word quoted in a sentence. */
static int shown_length(size_t length)
{
    return length < 60 ? (int)length : 60;
}

static int add_vertex(struct scan *scan)
{
    struct mesh *markers = &scan->markers;
    double position[3];
    void *room = array_room(scan->vertex, &scan->vertex_room, scan->vertices + 1, sizeof scan->vertex[0],
                            "vertices", scan->failure);
    if (room == NULL)
        return FAILURE_CAPACITY;
    scan->vertex = room;
    for (int axis = 0; axis < 3; ++axis) {
        const char *word = "";
        size_t length = 0;
        if (!next_word(scan, &word, &length) ||
            !decimal_read(word, length, scan->line, &scan->marks, &position[axis]))
            return failure_at(failure_set(scan->failure, FAILURE_INPUT,
                                          "%c of vertex %zu is \"%.*s\", which is not a usable number",
                                          "xyz"[axis], scan -> vertices + 1, shown_length(length), word),
                              scan->failure, NULL, scan->line);
        scan->vertex[scan->vertices][axis] = to_float(word, length, position[axis]);
    }
    ++scan->vertices;
    if (scan->position != OPENED_NONE) {
        /* A running mean, valid whenever the object ends. */
        double *mean = markers->marker[markers->marker_count - 1].position;
        const double count = (double)++scan->position_vertices;
        for (int axis = 0; axis < 3; ++axis)
            mean[axis] = count == 1 ? position[axis] : mean[axis] + (position[axis] - mean[axis]) / count;
    }
    return 0;
}

static int refuse_vertex(const struct scan *scan, size_t line, const char *word, size_t length)
{
    return failure_at(failure_set(scan->failure, FAILURE_INPUT,
                                  "a face refers to vertex \"%.*s\"; the file has vertices 1 to %zu",
                                  shown_length(length), word, scan->vertices),
                      scan->failure, NULL, line);
}

/* Read `3`, `3/1`, `3//2`, `3/1/2`, or `-1` for the last vertex so far, as the number of a vertex, from 1. */
static int read_index(struct scan *scan, const char *word, size_t length, uint64_t *index)
{
    char *parsed;
    const long long number = strtoll(word, &parsed, 10);
    const bool whole = parsed > word && (parsed == word + length || *parsed == '/');
    if (!whole || number == 0 || number < -(long long)scan->vertices)
        return refuse_vertex(scan, scan->line, word, length);
    *index = number > 0 ? (uint64_t)number : scan->vertices + 1 - (uint64_t)-number;
    if (*index > scan->highest) {
        scan->highest = *index;
        scan->highest_line = scan->line;
    }
    return 0;
}

static int put_value(struct scan *scan, uint64_t value)
{
    void *room = array_room(scan->value, &scan->value_room, scan->values + 1, sizeof scan->value[0], "faces",
                            scan->failure);
    if (room == NULL)
        return FAILURE_CAPACITY;
    scan->value = room;
    scan->value[scan->values++] = value < NONE ? (uint32_t)value : NONE;
    return 0;
}

static int add_face(struct scan *scan)
{
    const char *word;
    size_t length;
    uint32_t corners = 0;
    const size_t begin = scan->values, line = scan->line;
    TRY(put_value(scan, 0));
    while (next_word(scan, &word, &length)) {
        uint64_t index = 0;
        TRY(read_index(scan, word, length, &index));
        TRY(put_value(scan, index - 1));
        if (++corners > POLYGON_CORNERS_MAX)
            return failure_at(failure_set(scan->failure, FAILURE_INPUT,
                                          "a polygon has more than %u corners: split it",
                                          POLYGON_CORNERS_MAX),
                              scan->failure, NULL, line);
    }
    if (corners < 3) {
        scan->values = begin;
        ++scan->out->lines_and_points;
        return 0;
    }
    scan->value[begin] = corners;
    ++scan->faces;
    ++scan->run[scan->runs - 1].faces;
    return 0;
}

/* ---- materials and positions of faces ---- */

static int begin_run(struct scan *scan, uint32_t name, uint32_t marker)
{
    void *room =
        array_room(scan->run, &scan->run_room, scan->runs + 1, sizeof scan->run[0], "faces", scan->failure);
    if (room == NULL)
        return FAILURE_CAPACITY;
    scan->run = room;
    scan->run[scan->runs++] = (struct run){.name = name, .marker = marker};
    return 0;
}

static int add_material(struct scan *scan)
{
    struct name name = {.number = (uint32_t)scan->name_count, .material = -1};
    rest_of_line(scan, &name.text, &name.length);
    void *room = array_room(scan->name, &scan->name_room, scan->name_count + 1, sizeof name, "materials",
                            scan->failure);
    if (room == NULL)
        return FAILURE_CAPACITY;
    scan->name = room;
    scan->name[scan->name_count++] = name;
    return begin_run(scan, name.number, scan->run[scan->runs - 1].marker);
}

static int compare_names(const void *left, const void *right)
{
    const struct name *a = left, *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    const int order = memcmp(a->text, b->text, a->length);
    return order != 0 ? order : a->number < b->number ? -1 : a->number > b->number;
}

/* Find usemtl lines with the same name. */
static int match_names(struct scan *scan)
{
    size_t materials = 0;
    scan->same = malloc((scan->name_count + 1) * sizeof scan->same[0]);
    if (scan->same == NULL)
        return failure_memory(scan->failure, (scan->name_count + 1) * sizeof scan->same[0], "materials");
    if (scan->name_count > 0)
        qsort(scan->name, scan->name_count, sizeof scan->name[0], compare_names);
    for (size_t n = 0; n < scan->name_count; ++n) {
        const struct name *name = &scan->name[n], *before = name - 1;
        const bool again =
            n > 0 && name->length == before->length && memcmp(name->text, before->text, name->length) == 0;
        materials += again ? 0 : 1;
        scan->same[name->number] = again ? scan->same[before->number] : (uint32_t)n;
    }
    if (materials <= MESH_MATERIALS_MAX)
        return 0;
    return failure_set(scan->failure, FAILURE_INPUT,
                       "the file has %zu materials; the limit is %u: merge those that sound alike", materials,
                       MESH_MATERIALS_MAX);
}

static bool is_word(const char *word, size_t length, const char *keyword)
{
    return strlen(keyword) == length && memcmp(word, keyword, length) == 0;
}

/* Blender and others write `g source:pulpit_Mesh` in `o source:pulpit`: these are one position. */
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

/* True for "Model" and SketchUp's names of unnamed groups and components. */
static bool is_of_sketchup(const char *word, size_t length)
{
    const size_t letters = length >= 9 && memcmp(word, "Component", 9) == 0 ? 9
                           : length >= 5 && memcmp(word, "Group", 5) == 0   ? 5
                                                                            : 0;
    return is_word(word, length, "Model") ||
           (letters > 0 && strspn(word + letters, "_#0123456789") >= length - letters);
}

/* Find the part of a name from a word that begins with `source:` or `receiver:` to the end; false if there is
 * none. SketchUp writes `g Mesh1 source:pulpit Group3 Model`, where the enclosing groups follow; these are
 * cut off. */
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
    struct mesh *markers = &scan->markers;
    const uint32_t material = scan->run[scan->runs - 1].name;
    rest_of_line(scan, &name, &length);
    if (find_position(&name, &length, &kind)) {
        /* SketchUp writes a group for each part of a position. */
        if (by == OPENED_BY_GROUP && scan->position != OPENED_NONE && repeats_position(scan, name, length))
            return 0;
        char clean[256];
        const size_t prefix = marker_prefix(name, length, &kind);
        marker_clean_name(name + prefix, length - prefix, kind, clean, sizeof clean);
        TRY(begin_run(scan, material, (uint32_t)markers->marker_count));
        TRY(mesh_add_marker(markers, kind, clean, (double[3]){NAN, NAN, NAN}, scan->failure));
        scan->position = by;
        scan->position_name = name;
        scan->position_length = length;
        scan->position_vertices = 0;
        return 0;
    }
    if (scan->position == OPENED_NONE || (by == OPENED_BY_GROUP && scan->position == OPENED_BY_OBJECT))
        return 0;
    scan->position = OPENED_NONE;
    return begin_run(scan, material, NONE);
}

/* ---- unread statements ---- */

static bool is_one_of(const char *word, size_t length, const char *const *list)
{
    while (*list != NULL && !is_word(word, length, *list))
        ++list;
    return *list != NULL;
}

static void count_unread(struct scan *scan, const char *word, size_t length)
{
    static const char *const silent[] = {/* appearance, and parts of free-form surfaces and curves */
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

/* The unit in "# File units = inches", or 0. */
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

/* ---- making the model ---- */

static int check_scan(struct scan *scan)
{
    if (scan->highest > scan->vertices) {
        char number[32];
        const int length = snprintf(number, sizeof number, "%llu", (unsigned long long)scan->highest);
        return refuse_vertex(scan, scan->highest_line, number, (size_t)length);
    }
    TRY(match_names(scan));
    note_unread(scan);
    return decimal_judge(&scan->marks, &scan->out->notes, scan->failure);
}

static int name_material(const struct scan *scan, uint32_t name, uint16_t *material)
{
    struct mesh *mesh = &scan->out->mesh;
    char raw[NAME_BYTES_MAX + 1], text[NAME_TEXT_GROWTH * NAME_BYTES_MAX + 1];
    if (name == NONE)
        return mesh_add_material(mesh, MODEL_DEFAULT_MATERIAL, material, scan->failure);
    struct name *from = &scan->name[scan->same[name]];
    if (from->material < 0) {
        (void)snprintf(raw, sizeof raw, "%.*s",
                       from->length < NAME_BYTES_MAX ? (int)from->length : NAME_BYTES_MAX, from->text);
        const bool named = raw[0] != '\0' && strcmp(raw, UNNAMED_MATERIAL) != 0;
        name_text(raw, text);
        TRY(mesh_add_material(mesh, named ? text : MODEL_DEFAULT_MATERIAL, material, scan->failure));
        from->material = *material;
    }
    *material = (uint16_t)from->material;
    return 0;
}

/* Turn the corners of a run's faces, at `value`, into vertices of the mesh, which are added at their first
 * use. */
static int place_corners(const struct scan *scan, const struct run *run, uint32_t *value, uint32_t *placed,
                         struct mesh *mesh)
{
    for (size_t f = 0; f < run->faces; ++f)
        for (uint32_t left = *value++; left > 0; --left, ++value) {
            const float *at = scan->vertex[*value];
            if (placed[*value] == NONE)
                TRY(mesh_add_vertex(mesh, (double[3]){(double)at[0], (double)at[1], (double)at[2]},
                                    &placed[*value], scan->failure));
            *value = placed[*value];
        }
    return 0;
}
static int add_walls(const struct scan *scan, const struct run *run, uint32_t *value, uint32_t *placed,
                     struct model_faces *faces)
{
    uint16_t material;
    TRY(name_material(scan, run->name, &material));
    TRY(place_corners(scan, run, value, placed, &scan->out->mesh));
    for (size_t f = 0; f < run->faces; ++f, value += *value + 1)
        TRY(model_faces_add(faces, value + 1, *value, 0, material, false));
    return 0;
}

/* Place a position at the corners of its faces, in `places`, or at its v lines if it has no face. */
static int add_position(const struct scan *scan, uint32_t number, struct mesh *places)
{
    bool found;
    struct mesh_marker *marker = &scan->markers.marker[number];
    TRY(model_places_mean(places, marker->position, &found, scan->failure));
    if (isnan(marker->position[0]))
        return failure_set(scan->failure, FAILURE_INPUT,
                           "the object %s:%s has no vertex: give it one at the place of the %s",
                           marker_kind_name(marker->kind), marker->name, marker_kind_name(marker->kind));
    return mesh_add_marker(&scan->out->mesh, marker->kind, marker->name, marker->position, scan->failure);
}

static int add_runs(const struct scan *scan, uint32_t *placed, struct model_faces *faces)
{
    int status = 0;
    uint32_t *value = scan->value;
    struct mesh places = {0};
    for (size_t r = 0; status == 0 && r < scan->runs; ++r) {
        const struct run *run = &scan->run[r];
        uint32_t *begin = value;
        for (size_t f = 0; f < run->faces; ++f)
            value += *value + 1;
        if (run->marker == NONE) {
            status = run->faces == 0 ? 0 : add_walls(scan, run, begin, placed, faces);
            continue;
        }
        for (; status == 0 && begin < value; ++begin)
            for (uint32_t left = *begin; status == 0 && left > 0; --left) {
                const float *at = scan->vertex[*++begin];
                status = mesh_add_vertex(&places, (double[3]){(double)at[0], (double)at[1], (double)at[2]},
                                         NULL, scan->failure);
            }
        if (status == 0 && (r + 1 == scan->runs || scan->run[r + 1].marker != run->marker)) {
            status = add_position(scan, run->marker, &places);
            mesh_free(&places);
        }
    }
    mesh_free(&places);
    return status;
}

static int make_model(const struct scan *scan)
{
    int status;
    struct model_faces faces = {0};
    uint32_t *placed = malloc((scan->vertices + 1) * sizeof placed[0]);
    if (placed == NULL) {
        status = failure_memory(scan->failure, (scan->vertices + 1) * sizeof placed[0], "vertices");
    } else if ((status = model_faces_begin(&faces, scan->out, scan->failure)) == 0) {
        memset(placed, 0xFF, scan->vertices * sizeof placed[0]);
        status = add_runs(scan, placed, &faces);
    }
    model_faces_end(&faces);
    free(placed);
    return status;
}

static bool holds_control_characters(const char *bytes, size_t size)
{
    for (size_t k = 0; k < size; ++k)
        if ((unsigned char)bytes[k] < 0x20 && strchr("\t\n\v\f\r", bytes[k]) == NULL)
            return true;
    return memchr(bytes, 0, size) != NULL;
}

int obj_read(const char *text, size_t size, struct model_file *out, struct failure *failure)
{
    struct scan scan = {.at = text, .end = text + size, .line = 1, .out = out, .failure = failure};
    int status = begin_run(&scan, NONE, NONE);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        scan.at += 3;
    while (status == 0 && scan.at < scan.end) {
        status = read_line(&scan);
        skip_line(&scan);
    }
    if (status == 0)
        status = check_scan(&scan);
    if (status == 0 && scan.faces == 0 && holds_control_characters(text, size))
        status = failure_set(failure, FAILURE_INPUT,
                             "the mesh has no triangles: the file is binary, and OBJ is text");
    out->instances = 1;
    if (status == 0 && scan.faces > 0)
        status = make_model(&scan);
    free(scan.vertex);
    free(scan.value);
    free(scan.run);
    free(scan.name);
    free(scan.same);
    mesh_free(&scan.markers);
    return status;
}
