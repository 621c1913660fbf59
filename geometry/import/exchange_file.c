#define _GNU_SOURCE /* memmem */
#include "geometry/import/exchange_file.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FIX_TRIANGLES "convert it to triangles, or export .glb or .obj"

/* The rest of a file, or of a part of it. */
struct span {
    char *at, *end;
};

static size_t bytes_left(const struct span *span)
{
    return (size_t)(span->end - span->at);
}

/* Move past the next `word` of `size` bytes; false if there is none. */
static bool find_word(struct span *span, const void *word, size_t size)
{
    char *found = memmem(span->at, bytes_left(span), word, size);
    span->at = found == NULL ? span->end : found + size;
    return found != NULL;
}

static bool starts_with(const struct span *span, const void *word, size_t size)
{
    return bytes_left(span) >= size && memcmp(span->at, word, size) == 0;
}

static void skip_blanks(struct span *span)
{
    while (span->at < span->end && isspace((unsigned char)*span->at))
        ++span->at;
}

/* A number of four bytes. */
static size_t read_length(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;
    return byte[0] | (size_t)byte[1] << 8 | (size_t)byte[2] << 16 | (size_t)byte[3] << 24;
}

/* ---- Collada ---- */

/* Move past the name of the next tag; false if there is none. The name of an end tag begins with '/'. */
static bool next_tag(struct span *span, const char **name, size_t *length)
{
    while (find_word(span, "<", 1)) {
        if (starts_with(span, "!--", 3)) {
            (void)find_word(span, "-->", 3);
            continue;
        }
        *name = span->at;
        while (span->at < span->end && strchr(" \t\r\n>", *span->at) == NULL)
            ++span->at;
        *length = (size_t)(span->at - *name);
        return true;
    }
    return false;
}

static bool is_tag(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* Move past the next attribute of a tag; false if there is none. */
static bool next_attribute(struct span *tag, struct span *name, struct span *value)
{
    skip_blanks(tag);
    name->at = tag->at;
    while (tag->at < tag->end && strchr("=>/ \t\r\n", *tag->at) == NULL)
        ++tag->at;
    name->end = tag->at;
    skip_blanks(tag);
    if (bytes_left(name) == 0 || !starts_with(tag, "=", 1))
        return false;
    ++tag->at;
    skip_blanks(tag);
    if (!starts_with(tag, "\"", 1) && !starts_with(tag, "'", 1))
        return false;
    const char quote = *tag->at++;
    value->at = tag->at;
    if (!find_word(tag, &quote, 1))
        return false;
    value->end = tag->at - 1;
    return true;
}

/* Empty if the tag has no such attribute. */
static struct span attribute_of(struct span tag, const char *wanted)
{
    struct span name, value;
    while (next_attribute(&tag, &name, &value))
        if (is_tag(name.at, bytes_left(&name), wanted))
            return value;
    return (struct span){tag.end, tag.end};
}

/* The materials of the file `all`, with an empty `id`, or those with that identifier. */
static size_t count_materials(struct span all, struct span id)
{
    size_t length, count = 0;
    const char *name;
    bool inside = false;
    while (next_tag(&all, &name, &length)) {
        if (is_tag(name, length, "library_materials"))
            inside = true;
        else if (is_tag(name, length, "/library_materials"))
            inside = false;
        if (!inside || !is_tag(name, length, "material"))
            continue;
        const struct span own = attribute_of(all, "id");
        count += bytes_left(&id) == 0 ||
                 (bytes_left(&own) == bytes_left(&id) && memcmp(own.at, id.at, bytes_left(&id)) == 0);
    }
    return count;
}

/* The part of a file that has its libraries of materials. */
static struct span find_libraries(struct span all)
{
    struct span libraries = {all.end, all.end};
    const char *name;
    size_t length;
    while (next_tag(&all, &name, &length)) {
        if (is_tag(name, length, "library_materials") && libraries.at == all.end)
            libraries.at = (char *)(uintptr_t)name - 1;
        else if (is_tag(name, length, "/library_materials"))
            libraries.end = all.at;
    }
    return libraries;
}

void exchange_find_materials(const char *data, size_t size, struct exchange_materials *out)
{
    struct span all = {(char *)(uintptr_t)data, (char *)(uintptr_t)data + size};
    const struct span libraries = find_libraries(all);
    size_t length;
    const char *name;
    *out = (struct exchange_materials){.count = count_materials(libraries, (struct span){NULL, NULL})};
    while (next_tag(&all, &name, &length)) {
        if (!is_tag(name, length, "instance_material"))
            continue;
        struct span target = attribute_of(all, "target");
        target.at += starts_with(&target, "#", 1) ? 1 : 0;
        if (bytes_left(&target) > 0 && count_materials(libraries, target) == 0) {
            const size_t length_shown =
                bytes_left(&target) < sizeof out->missing ? bytes_left(&target) : sizeof out->missing - 1;
            memcpy(out->missing, target.at, length_shown);
            return;
        }
    }
}

static void prepare_collada(struct span span, struct import_notes *notes)
{
    static const struct {
        const char *tag, *what;
    } kinds[] = {
        {"spline", "splines"}, {"convex_mesh", "convex hulls"}, {"brep", "solids with curved faces"}};
    size_t count[sizeof kinds / sizeof kinds[0]] = {0}, hidden = 0, length;
    const char *name;
    while (next_tag(&span, &name, &length)) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
            count[k] += is_tag(name, length, kinds[k].tag) ? 1 : 0;
        if (!is_tag(name, length, "visibility") || !find_word(&span, ">", 1))
            continue;
        skip_blanks(&span);
        hidden += starts_with(&span, "0", 1) || starts_with(&span, "false", 5) ? 1 : 0;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
        if (count[k] > 0)
            import_notes_add(notes, IMPORT_INCOMPLETE, FIX_TRIANGLES, "its %s are not read (%zu of <%s>)",
                             kinds[k].what, count[k], kinds[k].tag);
    if (hidden > 0)
        import_notes_add(notes, IMPORT_DOUBTFUL, "delete what is hidden, or export .glb or .obj",
                         "%zu node%s marked as hidden (<visibility>), which is not read: %s part of the room",
                         hidden, hidden == 1 ? " is" : "s are", hidden == 1 ? "it is" : "they are");
}

/* ---- FBX ---- */

/* Move past a string. In text it is "word", after an optional comma; in a binary file it is S, the length in
 * four bytes, and the word. */
static bool read_string(struct span *span, bool binary, char **word, size_t *length)
{
    if (binary) {
        if (bytes_left(span) < 5 || *span->at != 'S')
            return false;
        *length = read_length(span->at + 1);
        span->at += 5;
        if (*length > bytes_left(span))
            return false;
        *word = span->at;
        span->at += *length;
        return true;
    }
    skip_blanks(span);
    if (starts_with(span, ",", 1))
        ++span->at;
    skip_blanks(span);
    if (!starts_with(span, "\"", 1))
        return false;
    *word = ++span->at;
    if (!find_word(span, "\"", 1))
        return false;
    *length = (size_t)(span->at - 1 - *word);
    return true;
}

/* Assimp does not read properties of the type "Visibility", so the type becomes "double". In binary files the
 * empty string behind it gets the four spare bytes. */
static void retype_visibility(struct span span, bool binary)
{
    static const char old_binary[] = "S\x0a\0\0\0VisibilityS\0\0\0\0";
    static const char new_binary[] = "S\x06\0\0\0doubleS\x04\0\0\0    ";
    static const char old_name[] = "S\x0a\0\0\0Visibility";
    _Static_assert(sizeof old_binary == sizeof new_binary, "the file keeps its length");
    while (binary ? find_word(&span, old_name, sizeof old_name - 1)
                  : find_word(&span, "\"Visibility\"", 12)) {
        struct span after = span;
        char *word;
        size_t length;
        if (binary && starts_with(&span, old_binary, sizeof old_binary - 1))
            memcpy(span.at, new_binary, sizeof new_binary - 1);
        else if (!binary && read_string(&after, false, &word, &length) && length == 10 &&
                 memcmp(word, "Visibility", 10) == 0)
            memcpy(word - 1, "    \"double\"", 12);
    }
}

/* Count geometry other than meshes, their shapes and lines, which Assimp drops. */
static void count_geometry(struct span span, bool binary, struct import_notes *notes)
{
    size_t count = 0;
    char kinds[160] = "";
    while (binary ? find_word(&span, "\x08GeometryL", 10) : find_word(&span, "Geometry:", 9)) {
        struct span record = span;
        char *word;
        size_t length;
        if (binary && bytes_left(&record) < 8)
            return;
        record.at += binary ? 8 : 0;
        while (!binary && record.at < record.end && strchr("-0123456789 \t", *record.at) != NULL)
            ++record.at;
        if (!read_string(&record, binary, &word, &length) || !read_string(&record, binary, &word, &length))
            continue;
        if (is_tag(word, length, "Mesh") || is_tag(word, length, "Shape") || is_tag(word, length, "Line"))
            continue;
        ++count;
        char kind[40];
        (void)snprintf(kind, sizeof kind, "%.*s", (int)(length < sizeof kind ? length : sizeof kind - 1),
                       word);
        const size_t used = strlen(kinds);
        if (strstr(kinds, kind) == NULL && used + strlen(kind) + 3 < sizeof kinds)
            (void)snprintf(kinds + used, sizeof kinds - used, "%s%s", used > 0 ? ", " : "", kind);
    }
    if (count > 0)
        import_notes_add(notes, IMPORT_INCOMPLETE, FIX_TRIANGLES, "%zu surface%s or curve%s not read: %s",
                         count, count == 1 ? "" : "s", count == 1 ? " is" : "s are", kinds);
}

/* From the name of a record's kind to the record's end; empty if the file is broken. In text the braces close
 * there. A binary record begins with the place of its end, 12 bytes (24 from version 7500 on) before the
 * length of the name. */
static struct span rest_of_layer(const char *begin, const struct span *span, bool binary)
{
    struct span layer = {span->at, span->at};
    int depth = 0;
    if (binary) {
        const size_t at = (size_t)(span->at - begin), name = sizeof "CollectionExclusive";
        const size_t head = at < 27 ? 0 : read_length(begin + 23) >= 7500 ? 24 : 12;
        const size_t end = head == 0 || at < 27 + name + head ? 0 : read_length(span->at - name - head);
        layer.end += end > at && end - at <= bytes_left(span) ? end - at : 0;
        return layer;
    }
    for (; layer.end < span->end && (*layer.end != '}' || depth > 1); ++layer.end)
        depth += (*layer.end == '{') - (*layer.end == '}');
    return layer;
}

/* True if the record has the property "Show" with the value 0. */
static bool is_layer_hidden(struct span layer, bool binary)
{
    char *word;
    size_t length;
    if (!(binary ? find_word(&layer, "S\x04\0\0\0Show", 9) : find_word(&layer, "\"Show\"", 6)))
        return false;
    for (int k = 0; k < 3; ++k) /* two names of its type, and its flags */
        if (!read_string(&layer, binary, &word, &length))
            return false;
    if (binary)
        return starts_with(&layer, "I\0\0\0\0", 5) || starts_with(&layer, "C\0", 2);
    skip_blanks(&layer);
    layer.at += starts_with(&layer, ",", 1) ? 1 : 0;
    skip_blanks(&layer);
    return starts_with(&layer, "0", 1);
}

static void count_hidden_layers(struct span span, bool binary, struct import_notes *notes)
{
    size_t hidden = 0;
    const char *begin = span.at;
    while (binary ? find_word(&span,
                              "\x13"
                              "CollectionExclusive",
                              20)
                  : find_word(&span, "CollectionExclusive:", 20))
        hidden += is_layer_hidden(rest_of_layer(begin, &span, binary), binary) ? 1 : 0;
    if (hidden > 0)
        import_notes_add(notes, IMPORT_DOUBTFUL, "delete what is hidden, or export .glb or .obj",
                         "%zu layer%s hidden, which is not read: what lies in %s is part of the room", hidden,
                         hidden == 1 ? " is" : "s are", hidden == 1 ? "it" : "them");
}

static void prepare_fbx(struct span span, struct import_notes *notes)
{
    const bool binary = starts_with(&span, "Kaydara FBX Binary", 18);
    retype_visibility(span, binary);
    count_geometry(span, binary, notes);
    count_hidden_layers(span, binary, notes);
}

/* ---- 3DS ---- */

/* A chunk: its number in two bytes, its length with these six bytes in four, the content. */
enum { CHUNK_HEAD = 6, CHUNK_EDITOR = 0x3D3D, CHUNK_OBJECT = 0x4000, CHUNK_HIDDEN = 0x4010 };

/* Move `span` past the next chunk and set `chunk` to its content; false if no whole chunk follows. */
static bool next_chunk(struct span *span, unsigned *number, struct span *chunk)
{
    if (bytes_left(span) < CHUNK_HEAD)
        return false;
    const unsigned char *head = (const unsigned char *)span->at;
    const size_t size = read_length(span->at + 2);
    if (size < CHUNK_HEAD || size > bytes_left(span))
        return false;
    *number = head[0] | (unsigned)head[1] << 8;
    *chunk = (struct span){span->at + CHUNK_HEAD, span->at + size};
    span->at += size;
    return true;
}

static bool is_hidden(struct span object)
{
    unsigned number;
    struct span content;
    if (!find_word(&object, "", 1)) /* its name, with the zero */
        return false;
    while (next_chunk(&object, &number, &content))
        if (number == CHUNK_HIDDEN)
            return true;
    return false;
}

static void prepare_3ds(struct span span, struct import_notes *notes)
{
    unsigned number;
    size_t hidden = 0;
    char names[120] = "";
    struct span main_chunk, editor, object;
    if (!next_chunk(&span, &number, &main_chunk))
        return;
    while (next_chunk(&main_chunk, &number, &editor)) {
        if (number != CHUNK_EDITOR)
            continue;
        while (next_chunk(&editor, &number, &object)) {
            if (number != CHUNK_OBJECT || !is_hidden(object))
                continue;
            object.at[1 - CHUNK_HEAD] = '\x7f'; /* Assimp skips this number */
            const size_t used = strlen(names);
            if (++hidden <= 3)
                (void)snprintf(names + used, sizeof names - used, "%s\"%.30s\"", hidden > 1 ? ", " : "",
                               object.at);
        }
    }
    if (hidden > 0)
        import_notes_add(notes, IMPORT_HARMLESS, NULL, "%zu hidden object%s left out: %s", hidden,
                         hidden == 1 ? "" : "s", names);
}

void exchange_prepare(const char *format, char *data, size_t size, struct import_notes *notes)
{
    const struct span span = {data, data + size};
    if (strcmp(format, "DAE") == 0)
        prepare_collada(span, notes);
    else if (strcmp(format, "FBX") == 0)
        prepare_fbx(span, notes);
    else
        prepare_3ds(span, notes);
}

/* ---- Assimp's log ---- */

void exchange_log_add(struct exchange_log *log, const char *line)
{
    static const char *const harmless[] = {"no material assigned",
                                           "UV",
                                           "texture",
                                           "normal",
                                           "tangent",
                                           "color",
                                           "camera",
                                           "light",
                                           "animation"};
    static const char *const losses[] = {"Unable to find geometry", "overflow", "duplicate object id"};
    static const char unpainted[] = "No material specified for subgroup";
    const char *text = strstr(line, ": "); /* after "Error, T0" */
    if (text == NULL)
        return;
    text += 2;
    if (strstr(text, unpainted) != NULL) {
        const char *geometry = strstr(text, "in geometry <");
        geometry = geometry == NULL ? "" : geometry + 13;
        (void)snprintf(log->unpainted, sizeof log->unpainted, "%.*s", (int)strcspn(geometry, ">\n"),
                       geometry);
        return;
    }
    bool lost = strncmp(line, "Error", 5) == 0;
    for (size_t k = 0; k < sizeof harmless / sizeof harmless[0]; ++k)
        lost = lost && strstr(text, harmless[k]) == NULL;
    for (size_t k = 0; k < sizeof losses / sizeof losses[0]; ++k)
        lost = lost || strstr(text, losses[k]) != NULL;
    if (lost && log->count++ == 0)
        (void)snprintf(log->first, sizeof log->first, "%.*s", (int)strcspn(text, "\n"), text);
}
