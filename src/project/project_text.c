#include "src/project/project_text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <yaml.h>

#include "geometry/base/regular_file.h"
#include "rooms/materials/table_text.h"
#include "src/base/byte_hash.h"
#include "src/options/options.h"

#define DEPTH_MAX 100 /* of brackets within brackets */

struct project_text {
    char *path;
    yaml_document_t document;
    bool loaded; /* `document` is to be freed */
};

/* ---- the file ---- */

/* What libyaml complains of, with the line that it names. */
static int refuse_yaml(const struct project_text *text, const yaml_parser_t *parser, const char *bytes,
                       size_t count, struct failure *failure)
{
    if (parser->error == YAML_MEMORY_ERROR || errno == ENOMEM) /* the first is not always told */
        return failure_memory(failure, 0, "a project");
    if (parser->error == YAML_READER_ERROR)
        return failure_set(failure, FAILURE_INPUT, "%s is no text that YAML allows: %s at byte %zu",
                           text->path, parser->problem != NULL ? parser->problem : "unreadable",
                           parser->problem_offset);
    const size_t at = parser->problem_mark.index;
    if (parser->error == YAML_SCANNER_ERROR && at < count && bytes[at] == '\t')
        return failure_set(failure, FAILURE_INPUT,
                           "%s, line %zu: YAML is indented by blanks, and a tabulator stands here",
                           text->path, parser->problem_mark.line + 1);
    return failure_set(failure, FAILURE_INPUT, "%s, line %zu is no YAML: %s%s%s", text->path,
                       parser->problem_mark.line + 1,
                       parser->problem != NULL ? parser->problem : "unreadable",
                       parser->context != NULL ? " " : "", parser->context != NULL ? parser->context : "");
}

/* One document with a mapping at its top, and no other behind it. */
static int load(struct project_text *text, const char *bytes, size_t count, struct failure *failure)
{
    yaml_parser_t parser;
    yaml_document_t second;
    if (!yaml_parser_initialize(&parser))
        return failure_memory(failure, 0, "a project");
    int code = 0;
    errno = 0;
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, count);
    if (!yaml_parser_load(&parser, &text->document)) {
        code = refuse_yaml(text, &parser, bytes, count, failure);
    } else {
        text->loaded = true;
        const yaml_node_t *top = yaml_document_get_root_node(&text->document);
        if (top == NULL)
            code = failure_set(failure, FAILURE_INPUT,
                               "%s is empty; a project begins with its room, as in `room: church.obj`",
                               text->path);
        else if (top->type != YAML_MAPPING_NODE)
            code = failure_set(failure, FAILURE_INPUT,
                               "%s, line %zu: a project is made of keys and values, as in `room: church.obj`",
                               text->path, top->start_mark.line + 1);
        else if (!yaml_parser_load(&parser, &second))
            code = refuse_yaml(text, &parser, bytes, count, failure);
        else {
            const yaml_node_t *more = yaml_document_get_root_node(&second);
            if (more != NULL)
                code = failure_set(failure, FAILURE_INPUT,
                                   "%s, line %zu: a second document begins; a project is one", text->path,
                                   more->start_mark.line + 1);
            yaml_document_delete(&second);
        }
    }
    yaml_parser_delete(&parser);
    return code;
}

/* libyaml's time grows with the square of the depth of brackets. Those in quotes and remarks count too; they
 * are few, or closed. */
static int refuse_depth(const char *path, const char *bytes, size_t count, struct failure *failure)
{
    size_t depth = 0, line = 1;
    for (size_t i = 0; i < count; i++) {
        line += bytes[i] == '\n';
        if (bytes[i] == '[' || bytes[i] == '{')
            depth++;
        else if ((bytes[i] == ']' || bytes[i] == '}') && depth > 0)
            depth--;
        if (depth > DEPTH_MAX)
            return failure_set(failure, FAILURE_INPUT, "%s, line %zu: more than %d brackets are open", path,
                               line, DEPTH_MAX);
    }
    return 0;
}

int project_text_open(const char *path, struct project_text **out, uint64_t *hash, struct failure *failure)
{
    char *bytes = NULL;
    size_t count = 0;
    *out = NULL;
    struct project_text *text = NULL;
    int code = regular_file_read(path, PROJECT_KIBIBYTES_MAX << 10, &bytes, &count, failure);
    if (code == 0)
        code = refuse_depth(path, bytes, count, failure);
    if (code == 0)
        code = (text = calloc(1, sizeof *text)) == NULL || (text->path = strdup(path)) == NULL
                   ? failure_memory(failure, sizeof *text, "a project")
                   : load(text, bytes, count, failure);
    *hash = hash_bytes(HASH_START, bytes, count);
    free(bytes);
    if (code == 0)
        *out = text;
    else
        project_text_close(text);
    return code;
}

void project_text_close(struct project_text *text)
{
    if (text == NULL)
        return;
    if (text->loaded)
        yaml_document_delete(&text->document);
    free(text->path);
    free(text);
}

/* ---- the tree ---- */

static yaml_document_t *document_of(const struct project_spot *spot)
{
    return (yaml_document_t *)&spot->text->document; /* looking nodes up changes nothing */
}

struct project_spot project_text_top(const struct project_text *text)
{
    struct project_spot top = {.text = text, .line = 1};
    top.node = yaml_document_get_root_node(document_of(&top));
    return top;
}

enum project_kind project_spot_kind(const struct project_spot *spot)
{
    const yaml_node_t *node = spot->node;
    return node->type == YAML_MAPPING_NODE    ? PROJECT_MAP
           : node->type == YAML_SEQUENCE_NODE ? PROJECT_LIST
                                              : PROJECT_SCALAR;
}

size_t project_spot_count(const struct project_spot *spot)
{
    const yaml_node_t *node = spot->node;
    if (node->type == YAML_MAPPING_NODE)
        return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    if (node->type == YAML_SEQUENCE_NODE)
        return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    return 0;
}

const char *project_spot_text(const struct project_spot *spot)
{
    const yaml_node_t *node = spot->node;
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

int project_spot_entry(const struct project_spot *spot, size_t index, struct project_spot *entry,
                       struct failure *failure)
{
    const yaml_node_t *node = spot->node;
    *entry = (struct project_spot){.text = spot->text};
    if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_t *value =
            yaml_document_get_node(document_of(spot), node->data.sequence.items.start[index]);
        entry->node = value;
        entry->line = value->start_mark.line + 1;
        (void)snprintf(entry->path, sizeof entry->path, "%.300s[%zu]", spot->path, index + 1);
        return 0;
    }
    const yaml_node_pair_t *pair = &node->data.mapping.pairs.start[index];
    const yaml_node_t *key = yaml_document_get_node(document_of(spot), pair->key);
    entry->node = yaml_document_get_node(document_of(spot), pair->value);
    entry->line = key->start_mark.line + 1;
    if (key->type != YAML_SCALAR_NODE ||
        strlen((const char *)key->data.scalar.value) != key->data.scalar.length)
        return failure_set(failure, FAILURE_INPUT, "%s, line %zu: a key must be a text", spot->text->path,
                           entry->line);
    entry->key = (const char *)key->data.scalar.value;
    (void)snprintf(entry->path, sizeof entry->path, "%.200s%s%.180s", spot->path,
                   spot->path[0] != '\0' ? "." : "", entry->key);
    return 0;
}

/* ---- sentences ---- */

int project_refuse(const struct project_spot *spot, struct failure *failure, const char *format, ...)
{
    char text[1400];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return failure_set(failure, FAILURE_INPUT, "%s, line %zu: %s%s%s", spot->text->path, spot->line,
                       spot->path, spot->path[0] != '\0' ? " " : "", text);
}

int project_refuse_value(const struct project_spot *spot, const char *wanted, struct failure *failure)
{
    switch (project_spot_kind(spot)) {
    case PROJECT_LIST:
        return project_refuse(spot, failure, "is a list of %zu; expected %s", project_spot_count(spot),
                              wanted);
    case PROJECT_MAP:
        return project_refuse(spot, failure, "is a mapping of %zu; expected %s", project_spot_count(spot),
                              wanted);
    case PROJECT_SCALAR:
        break;
    }
    const char *text = project_spot_text(spot);
    if (text[0] == '\0')
        return project_refuse(spot, failure, "is empty; expected %s", wanted);
    return project_refuse(spot, failure, "is %.200s; expected %s", text, wanted);
}

int project_expect(const struct project_spot *spot, enum project_kind kind, const char *wanted,
                   struct failure *failure)
{
    const bool fine =
        project_spot_kind(spot) == kind && (kind == PROJECT_SCALAR || project_spot_count(spot) > 0);
    return fine ? 0 : project_refuse_value(spot, wanted, failure);
}

/* A key and its place in the mapping. */
struct placed_key {
    const char *key;
    size_t index;
};

static int compare_keys(const void *a, const void *b)
{
    const struct placed_key *x = a, *y = b;
    const int order = strcasecmp(x->key, y->key);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

int project_refuse_twice(const struct project_spot *spot, struct failure *failure)
{
    const yaml_node_t *node = spot->node;
    const size_t count = project_spot_count(spot);
    struct placed_key *placed = calloc(count + 1, sizeof *placed);
    size_t keys = 0, first = 0, second = SIZE_MAX;
    if (placed == NULL)
        return failure_memory(failure, count * sizeof *placed, "the keys of a project");
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *key =
            yaml_document_get_node(document_of(spot), node->data.mapping.pairs.start[i].key);
        if (key->type == YAML_SCALAR_NODE)
            placed[keys++] = (struct placed_key){(const char *)key->data.scalar.value, i};
    }
    qsort(placed, keys, sizeof *placed, compare_keys);
    /* Of several, what comes first in the file is told. */
    for (size_t k = 1; k < keys; k++)
        if (strcasecmp(placed[k - 1].key, placed[k].key) == 0 && placed[k].index < second) {
            first = placed[k - 1].index;
            second = placed[k].index;
        }
    free(placed);
    if (second == SIZE_MAX)
        return 0;
    struct project_spot earlier, later;
    TRY(project_spot_entry(spot, first, &earlier, failure));
    TRY(project_spot_entry(spot, second, &later, failure));
    return project_refuse(&later, failure, "stands there twice, first in line %zu: keep one", earlier.line);
}

/* ---- scalars ---- */

int project_read_text(const struct project_spot *spot, const char *wanted, const char **out,
                      struct failure *failure)
{
    const yaml_node_t *node = spot->node;
    *out = project_spot_text(spot);
    if ((*out)[0] == '\0' || strlen(*out) != node->data.scalar.length)
        return project_refuse_value(spot, wanted, failure);
    return 0;
}

/* "a number above 0 and at most 10 m" */
static void say_limits(const struct project_limits *limits, char *text, size_t size)
{
    const char *what = limits->whole ? "a whole number" : "a number";
    if (limits->low == 0 && limits->high == 0)
        (void)snprintf(text, size, "%s", what);
    else
        (void)snprintf(text, size, "%s %s %.6g and at most %.6g%s%s", what,
                       limits->above_low ? "above" : "of at least", limits->low, limits->high,
                       limits->unit[0] != '\0' ? " " : "", limits->unit);
}

int project_read_number(const struct project_spot *spot, const struct project_limits *limits, double *out,
                        struct failure *failure)
{
    const char *text = project_spot_text(spot);
    bool fine = text_number(text, strlen(text), out) && isfinite(*out);
    if (fine && !(limits->low == 0 && limits->high == 0))
        fine = (limits->above_low ? *out > limits->low : *out >= limits->low) && *out <= limits->high;
    if (fine && (!limits->whole || *out == floor(*out)))
        return 0;
    char wanted[160];
    say_limits(limits, wanted, sizeof wanted);
    return project_refuse_value(spot, wanted, failure);
}

int project_read_bool(const struct project_spot *spot, bool *out, struct failure *failure)
{
    const char *text = project_spot_text(spot);
    *out = strcmp(text, "true") == 0;
    return *out || strcmp(text, "false") == 0 ? 0 : project_refuse_value(spot, "true or false", failure);
}

int project_read_word(const struct project_spot *spot, const char *const *words, int *out,
                      struct failure *failure)
{
    const char *text = project_spot_text(spot);
    char list[300] = "";
    size_t count = 0;
    for (; words[count] != NULL; count++) {
        if (strcmp(words[count], text) == 0) {
            *out = (int)count;
            return 0;
        }
        text_append(list, sizeof list, "%s%s", count == 0 ? "one of " : ", ", words[count]);
    }
    const char *nearest = options_nearest(text, words, count);
    if (nearest != NULL)
        text_append(list, sizeof list, " (did you mean %s?)", nearest);
    return project_refuse_value(spot, list, failure);
}

int project_read_numbers(const struct project_spot *spot, const struct project_limits *limits, size_t count,
                         const char *wanted, double *out, struct failure *failure)
{
    if (project_spot_kind(spot) != PROJECT_LIST || project_spot_count(spot) != count)
        return project_refuse_value(spot, wanted, failure);
    for (size_t i = 0; i < count; i++) {
        struct project_spot one;
        TRY(project_spot_entry(spot, i, &one, failure));
        TRY(project_read_number(&one, limits, &out[i], failure));
    }
    return 0;
}
