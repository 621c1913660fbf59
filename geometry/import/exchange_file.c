#define _GNU_SOURCE /* memmem */
#include "geometry/import/exchange_file.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* ---- IFC ---- */

#define FIX_IFC "Blender with the add-on Bonsai, or FreeCAD, opens IFC and exports .glb or .obj"

/* Move past a string in quotes, at its first quote; a quote in it is doubled. */
static void skip_string(struct span *span)
{
    ++span->at;
    (void)find_word(span, "'", 1);
}

/* Read `digits` hexadecimal digits. */
static bool read_code(struct span *text, int digits, uint32_t *code)
{
    char word[9], *end;
    if (bytes_left(text) < (size_t)digits)
        return false;
    memcpy(word, text->at, (size_t)digits);
    word[digits] = '\0';
    *code = isxdigit((unsigned char)word[0]) ? (uint32_t)strtoul(word, &end, 16) : 0;
    if (!isxdigit((unsigned char)word[0]) || end != word + digits)
        return false;
    text->at += digits;
    return true;
}

/* A character as UTF-8; an invalid one, or one that would end the string, as `?`. At most as long as its
 * digits. */
static char *put_character(char *to, uint32_t code)
{
    if (code < 0x20 || code == '\'' || code == '\\' || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        code = '?';
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)(0xff00u >> (more + 1) | code >> 6 * more);
    for (int k = more - 1; k >= 0; --k)
        *to++ = (char)(0x80u | (code >> 6 * k & 0x3fu));
    return to;
}

/* Write the characters of \X\E4, \X2\00E400FC\X0\ and \X4\000000E4\X0\ as UTF-8, and blanks as
 * EXCHANGE_BLANK. The text becomes shorter; Assimp deletes the blanks that fill it. */
static void decode_string(struct span text)
{
    char *to = text.at;
    while (text.at < text.end) {
        const bool utf16 = starts_with(&text, "\\X2\\", 4), utf32 = starts_with(&text, "\\X4\\", 4);
        const bool single = starts_with(&text, "\\X\\", 3);
        uint32_t code, low;
        if (!utf16 && !utf32 && !single) {
            *to++ = *text.at == ' ' ? EXCHANGE_BLANK : *text.at;
            ++text.at;
            continue;
        }
        text.at += single ? 3 : 4;
        if (single && read_code(&text, 2, &code))
            to = put_character(to, code);
        while (!single && read_code(&text, utf16 ? 4 : 8, &code)) {
            struct span behind = text;
            if (utf16 && code >= 0xd800 && code < 0xdc00 && read_code(&behind, 4, &low) && low >= 0xdc00 &&
                low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                text = behind;
            }
            to = put_character(to, code);
        }
        text.at += starts_with(&text, "\\X0\\", 4) ? 4 : 0;
    }
    memset(to, ' ', (size_t)(text.end - to));
}

/* If a statement follows the `;` of another in its line, begin a line for it. */
static int begin_line(struct span *span, struct failure *failure)
{
    char *const first = span->at;
    while (span->at < span->end && (*span->at == ' ' || *span->at == '\t'))
        ++span->at;
    if (!starts_with(span, "#", 1))
        return 0;
    if (span->at == first)
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "two of its statements share a line, at \"%.*s\", which is not read",
                                       (int)(bytes_left(span) < 40 ? bytes_left(span) : 40), first),
                           failure, "write each statement on a line of its own, or " FIX_IFC);
    *first = '\n';
    return 0;
}

static int separate_statements(struct span span, struct failure *failure)
{
    while (span.at < span.end) {
        if (*span.at == '\'') {
            char *const first = span.at + 1;
            skip_string(&span);
            if (span.at > first)
                decode_string((struct span){first, span.at - 1});
        } else if (starts_with(&span, "/*", 2)) {
            char *const comment = span.at;
            (void)find_word(&span, "*/", 2);
            memset(comment, ' ', (size_t)(span.at - comment));
            span.at = comment;
            TRY(begin_line(&span, failure));
        } else if (*span.at++ == ';') {
            TRY(begin_line(&span, failure));
        }
    }
    return 0;
}

/* A statement `#number = NAME(arguments)`; `arguments` begins behind the bracket. */
struct statement {
    struct span name, arguments;
};

/* The statement whose number, or the blanks behind it, begin at `at`. */
static bool read_statement(struct span at, struct statement *out)
{
    while (at.at < at.end && isdigit((unsigned char)*at.at))
        ++at.at;
    skip_blanks(&at);
    if (!starts_with(&at, "=", 1))
        return false;
    ++at.at;
    skip_blanks(&at);
    out->name.at = at.at;
    while (at.at < at.end && isalnum((unsigned char)*at.at))
        ++at.at;
    out->name.end = at.at;
    skip_blanks(&at);
    out->arguments = (struct span){at.at + 1, at.end};
    return starts_with(&at, "(", 1);
}

/* Move to the next statement; false if there is none. */
static bool next_statement(struct span *all, struct statement *out)
{
    while (find_word(all, "\n#", 2))
        if (read_statement(*all, out))
            return true;
    return false;
}

/* Move past the next argument; false behind the last one. */
static bool next_argument(struct span *arguments, struct span *out)
{
    int depth = 0;
    skip_blanks(arguments);
    out->at = out->end = arguments->at;
    while (arguments->at < arguments->end && *arguments->at != ';') {
        const char c = *arguments->at;
        if (depth == 0 && (c == ',' || c == ')'))
            break;
        depth += (c == '(') - (c == ')');
        if (c == '\'')
            skip_string(arguments);
        else
            ++arguments->at;
    }
    out->end = arguments->at;
    arguments->at += starts_with(arguments, ",", 1) ? 1 : 0;
    return bytes_left(out) > 0;
}

/* The argument with that number, from 0; empty if there is none. */
static struct span argument_of(const struct statement *statement, int number)
{
    struct span arguments = statement->arguments, argument = {arguments.end, arguments.end};
    for (int k = 0; k <= number; ++k)
        if (!next_argument(&arguments, &argument))
            return (struct span){arguments.end, arguments.end};
    return argument;
}

/* The statement that `reference`, such as #12, refers to. */
static bool find_statement(struct span all, struct span reference, struct statement *out)
{
    char wanted[24];
    const int length =
        snprintf(wanted, sizeof wanted, "\n%.*s",
                 (int)(bytes_left(&reference) < 20 ? bytes_left(&reference) : 20), reference.at);
    while (length > 2 && wanted[1] == '#' && find_word(&all, wanted, (size_t)length)) {
        struct span behind = all;
        skip_blanks(&behind);
        if (starts_with(&behind, "=", 1))
            return read_statement(behind, out);
    }
    return false;
}

static double read_real(struct span span)
{
    char digits[40];
    (void)snprintf(digits, sizeof digits, "%.*s", (int)(bytes_left(&span) < 39 ? bytes_left(&span) : 39),
                   span.at);
    return strtod(digits, NULL);
}

/* The power of ten of an SI prefix such as .MILLI., which is deleted. */
static double take_prefix(struct span prefix)
{
    static const struct {
        const char *name;
        double factor;
    } prefixes[] = {{".KILO.", 1e3},   {".HECTO.", 1e2},  {".DECA.", 10},    {".DECI.", 0.1},
                    {".CENTI.", 0.01}, {".MILLI.", 1e-3}, {".MICRO.", 1e-6}, {"$", 1}};
    for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; ++k)
        if (starts_with(&prefix, prefixes[k].name, strlen(prefixes[k].name))) {
            memset(prefix.at, ' ', bytes_left(&prefix));
            *prefix.at = '$';
            return prefixes[k].factor;
        }
    return 0;
}

/* The length of the unit that `reference` refers to, in metres; 0: it is not one of length. */
static double read_length_unit(struct span all, struct span reference)
{
    static const char length_unit[] = ".LENGTHUNIT.";
    struct statement unit, measure;
    if (!find_statement(all, reference, &unit))
        return 0;
    const struct span kind = argument_of(&unit, 1);
    if (!starts_with(&kind, length_unit, sizeof length_unit - 1))
        return 0;
    if (is_tag(unit.name.at, bytes_left(&unit.name), "IFCSIUNIT"))
        return take_prefix(argument_of(&unit, 2));
    /* IFCCONVERSIONBASEDUNIT refers to an IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(number), unit). */
    if (!find_statement(all, argument_of(&unit, 3), &measure))
        return 0;
    struct span number = argument_of(&measure, 0);
    if (!find_word(&number, "(", 1))
        return 0;
    const struct span base = argument_of(&measure, 1);
    struct statement si;
    if (!find_statement(all, base, &si) || !is_tag(si.name.at, bytes_left(&si.name), "IFCSIUNIT"))
        return 0;
    return read_real(number) * take_prefix(argument_of(&si, 2));
}

/* The unit of length in the file's list of units. Each reference costs a search of the file, so that their
 * number is limited; files have about ten. */
#define UNITS_MAX 64

static double find_length_unit(struct span all)
{
    struct span rest = all, reference;
    struct statement statement;
    while (next_statement(&rest, &statement)) {
        if (!is_tag(statement.name.at, bytes_left(&statement.name), "IFCUNITASSIGNMENT"))
            continue;
        double metres = 0;
        struct span list = argument_of(&statement, 0);
        list.at += starts_with(&list, "(", 1) ? 1 : 0;
        for (int k = 0; k < UNITS_MAX && metres == 0 && next_argument(&list, &reference); ++k)
            metres = read_length_unit(all, reference);
        return metres;
    }
    return 0;
}

int exchange_prepare_ifc(char *data, size_t size, double *metres, struct failure *failure)
{
    const struct span all = {data, data + size};
    struct span schema = all, end = all;
    if (!starts_with(&all, "ISO-10303-21;", 13) || !find_word(&schema, "FILE_SCHEMA", 11) ||
        !find_word(&schema, "'", 1))
        return failure_set(failure, FAILURE_INPUT, "it is not an IFC file: it does not name its schema");
    if (!starts_with(&schema, "IFC2X3", 6)) {
        const char *stop = memchr(schema.at, '\'', bytes_left(&schema));
        const size_t length = stop == NULL ? 0 : (size_t)(stop - schema.at);
        return failure_fix(failure_set(failure, FAILURE_INPUT, "its schema is %.*s, and only IFC2X3 is read",
                                       (int)(length < 30 ? length : 30), schema.at),
                           failure, "export IFC2x3, .glb or .obj; " FIX_IFC);
    }
    if (!find_word(&end, "END-ISO-10303-21;", 17))
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "the file ends before its END-ISO-10303-21: it is incomplete"),
                           failure, "save or copy it again");
    TRY(separate_statements(all, failure));
    *metres = find_length_unit(all);
    return 0;
}

/* True for products with a form: an identifier of 22 letters, a reference to an owner, and as the seventh
 * argument another. Others
 * with such arguments, and those that are no walls, are left out. */
static bool is_element(const struct statement *statement)
{
    static const char *const others[] = {"IFCREL",  "IFCSPACE",   "IFCOPENING",    "IFCANNOTATION",
                                         "IFCGRID", "IFCVIRTUAL", "IFCSTRUCTURAL", "IFCDISTRIBUTIONPORT",
                                         "IFCSITE"};
    const struct span identifier = argument_of(statement, 0), owner = argument_of(statement, 1);
    const struct span form = argument_of(statement, 6);
    if (bytes_left(&identifier) != 24 || !starts_with(&identifier, "'", 1) || !starts_with(&owner, "#", 1) ||
        !starts_with(&form, "#", 1))
        return false;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k)
        if (starts_with(&statement->name, others[k], strlen(others[k])))
            return false;
    return true;
}

/* The class of that name, which is added; beyond EXCHANGE_CLASSES_MAX the last one. */
static size_t find_class(struct exchange_elements *elements, const char *name, size_t length)
{
    size_t k = 0;
    if (length >= sizeof elements->of_class[0].name)
        length = sizeof elements->of_class[0].name - 1;
    while (k < elements->count && (strncasecmp(elements->of_class[k].name, name, length) != 0 ||
                                   elements->of_class[k].name[length] != '\0'))
        ++k;
    if (k < elements->count || k == EXCHANGE_CLASSES_MAX)
        return k < EXCHANGE_CLASSES_MAX ? k : k - 1;
    memcpy(elements->of_class[k].name, name, length);
    ++elements->count;
    return k;
}

void exchange_find_elements(const char *data, size_t size, struct exchange_elements *out)
{
    static const char *const holed[] = {"IFCARBITRARYPROFILEDEFWITHVOIDS", "IFCRECTANGLEHOLLOWPROFILEDEF",
                                        "IFCCIRCLEHOLLOWPROFILEDEF"};
    struct span all = {(char *)(uintptr_t)data, (char *)(uintptr_t)data + size};
    struct statement statement;
    *out = (struct exchange_elements){0};
    while (next_statement(&all, &statement)) {
        for (size_t k = 0; k < sizeof holed / sizeof holed[0]; ++k)
            out->filled += is_tag(statement.name.at, bytes_left(&statement.name), holed[k]) ? 1 : 0;
        if (is_element(&statement))
            ++out->of_class[find_class(out, statement.name.at, bytes_left(&statement.name))].stated;
    }
}

bool exchange_is_element(const char *name)
{
    const size_t length = strlen(name);
    return strncmp(name, "Ifc", 3) == 0 && length > 26 && name[length - 23] == '_';
}

void exchange_element_found(struct exchange_elements *elements, const char *name, double gap)
{
    static const char *const solid[] = {"IfcWall", "IfcSlab", "IfcRoof"};
    const size_t used = strlen(elements->open_names);
    const char *own = name + strcspn(name, "_") + 1; /* up to the identifier behind it */
    const size_t length = strlen(own) > 23 ? strlen(own) - 23 : 0;
    ++elements->of_class[find_class(elements, name, strcspn(name, "_"))].found;
    for (size_t k = 0; k < sizeof solid / sizeof solid[0]; ++k)
        if (strncmp(name, solid[k], strlen(solid[k])) == 0 && gap > 1e-3 && ++elements->open <= 3)
            (void)snprintf(elements->open_names + used, sizeof elements->open_names - used, "%s\"%.*s\"",
                           used > 0 ? ", " : "", (int)(length < 45 ? length : 45), own);
    for (char *c = elements->open_names; *c != '\0'; ++c)
        *c = *c == EXCHANGE_BLANK ? ' ' : *c;
}

void exchange_note_elements(const struct exchange_elements *elements, struct import_notes *notes)
{
    size_t lost = 0, stated = 0;
    char names[200] = "";
    for (size_t k = 0; k < elements->count; ++k) {
        const size_t of = elements->of_class[k].stated, found = elements->of_class[k].found;
        const size_t used = strlen(names);
        stated += of;
        if (found >= of)
            continue;
        lost += of - found;
        (void)snprintf(names + used, sizeof names - used, "%s%zu of %zu %s", used > 0 ? ", " : "", of - found,
                       of, elements->of_class[k].name);
    }
    if (lost > 0)
        import_notes_add(notes, IMPORT_INCOMPLETE, FIX_IFC, "%zu of its %zu elements have no faces: %s", lost,
                         stated, names);
    if (elements->filled > 0)
        import_notes_add(notes, IMPORT_INCOMPLETE, FIX_IFC,
                         "%zu of its profiles, such as those of window frames, %s holes, which are filled",
                         elements->filled, elements->filled == 1 ? "has" : "have");
    if (elements->open > 0)
        import_notes_add(notes, IMPORT_INCOMPLETE, FIX_IFC,
                         "%zu of its walls, slabs and roofs are not closed, so parts of them are lost: %s",
                         elements->open, elements->open_names);
}

/* ---- Assimp's log ---- */

void exchange_log_add(struct exchange_log *log, const char *line)
{
    static const char *const harmless[] = {
        "no material assigned", "UV", "texture", "normal", "tangent", "color", "camera", "light", "animation",
        /* IFC: the first comes with openings that are cut correctly, and the last are lines and texts. */
        "failed to generate all window caps", "unknown IfcUnit", "type is IfcPolyline",
        "type is IfcGeometric", "type is IfcTrimmedCurve", "type is IfcCompositeCurve", "type is IfcCircle",
        "type is IfcText", "type is IfcAnnotation"};
    static const char *const losses[] = {"Unable to find geometry", "overflow", "duplicate object id",
                                         "Omitting half space"};
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
    bool lost = strncmp(line, "Error", 5) == 0 || strstr(text, "skipping unknown Ifc") != NULL;
    for (size_t k = 0; k < sizeof harmless / sizeof harmless[0]; ++k)
        lost = lost && strstr(text, harmless[k]) == NULL;
    for (size_t k = 0; k < sizeof losses / sizeof losses[0]; ++k)
        lost = lost || strstr(text, losses[k]) != NULL;
    if (lost && log->count++ == 0)
        (void)snprintf(log->first, sizeof log->first, "%.*s", (int)strcspn(text, "\n"), text);
}
