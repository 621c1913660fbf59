#include "rooms/text/yaml_tree.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <yaml.h>

#include "rooms/text/table_text.h"

#define DEPTH_MAX 100 /* of brackets within brackets */

struct yaml_tree {
    char *path;
    const struct yaml_form *form;
    yaml_document_t document;
    bool loaded; /* `document` is to be freed */
};

/* ---- the file ---- */

__attribute__((format(printf, 4, 5))) static int refuse(const char *path, size_t line,
                                                        struct failure *failure, const char *format, ...)
{
    char text[1900];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return failure_at(failure_set(failure, FAILURE_INPUT, "%s", text), failure, path, line);
}

/* The message of libyaml, with its line. */
static int refuse_yaml(const struct yaml_tree *tree, const yaml_parser_t *parser, const char *bytes,
                       size_t count, struct failure *failure)
{
    const char *problem = parser->problem != NULL ? parser->problem : "unreadable";
    const size_t at = parser->problem_mark.index, line = parser->problem_mark.line + 1;
    if (parser->error == YAML_MEMORY_ERROR || errno == ENOMEM) /* the first is not always set */
        return failure_memory(failure, count, tree->form->what);
    if (parser->error == YAML_READER_ERROR)
        return refuse(tree->path, 0, failure, "this is not a text that YAML allows: %s at byte %zu", problem,
                      parser->problem_offset);
    if (parser->error == YAML_SCANNER_ERROR && at < count && bytes[at] == '\t')
        return refuse(tree->path, line, failure, "YAML is indented by blanks, and here is a tab");
    return refuse(tree->path, line, failure, "this is not YAML: %s%s%s", problem,
                  parser->context != NULL ? " " : "", parser->context != NULL ? parser->context : "");
}

/* Entries of a mapping or list; 0 of a scalar. */
static size_t count_of(const yaml_node_t *node)
{
    return node->type == YAML_MAPPING_NODE
               ? (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start)
           : node->type == YAML_SEQUENCE_NODE
               ? (size_t)(node->data.sequence.items.top - node->data.sequence.items.start)
               : 0;
}

/* The line of the first value with two places in the tree; 0 for none. */
static size_t line_of_alias(const yaml_document_t *document, bool *seen)
{
    for (const yaml_node_t *node = document->nodes.start; node < document->nodes.top; node++) {
        const bool map = node->type == YAML_MAPPING_NODE;
        for (size_t i = 0; i < (map ? 2 : 1) * count_of(node); i++) {
            const yaml_node_pair_t *pair = map ? &node->data.mapping.pairs.start[i / 2] : NULL;
            const int item = !map ? node->data.sequence.items.start[i] : i % 2 == 0 ? pair->key : pair->value;
            if (seen[item])
                return node->start_mark.line + 1;
            seen[item] = true;
        }
    }
    return 0;
}

static int refuse_alias(const struct yaml_tree *tree, struct failure *failure)
{
    const size_t nodes = (size_t)(tree->document.nodes.top - tree->document.nodes.start);
    bool *seen = calloc(nodes + 1, sizeof *seen);
    if (seen == NULL)
        return failure_memory(failure, nodes, tree->form->what);
    const size_t line = line_of_alias(&tree->document, seen);
    free(seen);
    return line == 0 ? 0 : refuse(tree->path, line, failure, "%s has no aliases (* and &)", tree->form->what);
}

/* Load one document with a mapping at its top; a second document is refused. */
static int load_document(struct yaml_tree *tree, yaml_parser_t *parser, const char *bytes, size_t count,
                         struct failure *failure)
{
    yaml_document_t second;
    yaml_parser_set_input_string(parser, (const unsigned char *)bytes, count);
    errno = 0;
    if (!yaml_parser_load(parser, &tree->document))
        return refuse_yaml(tree, parser, bytes, count, failure);
    tree->loaded = true;
    const yaml_node_t *top = yaml_document_get_root_node(&tree->document);
    if (top == NULL)
        return refuse(tree->path, 0, failure, "the file is empty; %s", tree->form->begin);
    if (top->type != YAML_MAPPING_NODE)
        return refuse(tree->path, top->start_mark.line + 1, failure, "%s", tree->form->top);
    if (!yaml_parser_load(parser, &second))
        return refuse_yaml(tree, parser, bytes, count, failure);
    const yaml_node_t *more = yaml_document_get_root_node(&second);
    const size_t line = more != NULL ? more->start_mark.line + 1 : 0;
    yaml_document_delete(&second);
    if (line != 0)
        return refuse(tree->path, line, failure, "a second document begins; %s is one", tree->form->what);
    return tree->form->no_alias ? refuse_alias(tree, failure) : 0;
}

/* libyaml's time grows with the square of the depth of brackets. Brackets in quotes and comments count
 * too, but are few or closed. */
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
            return refuse(path, line, failure, "more than %d brackets are open", DEPTH_MAX);
    }
    return 0;
}

int yaml_tree_read(const char *bytes, size_t count, const char *path, const struct yaml_form *form,
                   struct yaml_tree **out, struct failure *failure)
{
    yaml_parser_t parser;
    *out = NULL;
    TRY(refuse_depth(path, bytes, count, failure));
    struct yaml_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL || (tree->path = strdup(path)) == NULL || !yaml_parser_initialize(&parser)) {
        yaml_tree_free(tree);
        return failure_memory(failure, sizeof *tree, form->what);
    }
    tree->form = form;
    const int code = load_document(tree, &parser, bytes, count, failure);
    yaml_parser_delete(&parser);
    if (code == 0)
        *out = tree;
    else
        yaml_tree_free(tree);
    return code;
}

void yaml_tree_free(struct yaml_tree *tree)
{
    if (tree == NULL)
        return;
    if (tree->loaded)
        yaml_document_delete(&tree->document);
    free(tree->path);
    free(tree);
}

/* ---- the tree ---- */

static yaml_document_t *document_of(const struct yaml_spot *spot)
{
    return (yaml_document_t *)&spot->tree->document; /* looking up nodes changes nothing */
}

struct yaml_spot yaml_tree_top(const struct yaml_tree *tree)
{
    struct yaml_spot top = {.tree = tree, .line = 1};
    top.node = yaml_document_get_root_node(document_of(&top));
    return top;
}

enum yaml_kind yaml_spot_kind(const struct yaml_spot *spot)
{
    const yaml_node_t *node = spot->node;
    return node->type == YAML_MAPPING_NODE    ? YAML_MAP
           : node->type == YAML_SEQUENCE_NODE ? YAML_LIST
                                              : YAML_SCALAR;
}

size_t yaml_spot_count(const struct yaml_spot *spot)
{
    return count_of(spot->node);
}

const char *yaml_spot_text(const struct yaml_spot *spot)
{
    const yaml_node_t *node = spot->node;
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

int yaml_spot_entry(const struct yaml_spot *spot, size_t index, struct yaml_spot *entry,
                    struct failure *failure)
{
    const yaml_node_t *node = spot->node;
    *entry = (struct yaml_spot){.tree = spot->tree};
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
        return refuse(spot->tree->path, entry->line, failure, "a key must be a text");
    entry->key = (const char *)key->data.scalar.value;
    (void)snprintf(entry->path, sizeof entry->path, "%.200s%s%.180s", spot->path,
                   spot->path[0] != '\0' ? "." : "", entry->key);
    return 0;
}

/* ---- sentences ---- */

int yaml_refuse(const struct yaml_spot *spot, struct failure *failure, const char *format, ...)
{
    char text[1400];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return refuse(spot->tree->path, spot->line, failure, "%s%s%s", spot->path,
                  spot->path[0] != '\0' ? " " : "", text);
}

int yaml_refuse_value(const struct yaml_spot *spot, const char *wanted, struct failure *failure)
{
    const bool scalar = yaml_spot_kind(spot) == YAML_SCALAR;
    if (!scalar && yaml_spot_count(spot) == 0)
        return yaml_refuse(spot, failure, "is empty; expected %s, or nothing of that name", wanted);
    switch (yaml_spot_kind(spot)) {
    case YAML_LIST:
        return yaml_refuse(spot, failure, "is a list of %zu; expected %s", yaml_spot_count(spot), wanted);
    case YAML_MAP:
        return yaml_refuse(spot, failure, "is a mapping of %zu; expected %s", yaml_spot_count(spot), wanted);
    case YAML_SCALAR:
        break;
    }
    const char *text = yaml_spot_text(spot);
    if (text[0] == '\0')
        return yaml_refuse(spot, failure, "is empty; expected %s", wanted);
    return yaml_refuse(spot, failure, "is %.200s; expected %s", text, wanted);
}

int yaml_expect(const struct yaml_spot *spot, enum yaml_kind kind, const char *wanted,
                struct failure *failure)
{
    const bool fine = yaml_spot_kind(spot) == kind && (kind == YAML_SCALAR || yaml_spot_count(spot) > 0);
    return fine ? 0 : yaml_refuse_value(spot, wanted, failure);
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

int yaml_refuse_twice(const struct yaml_spot *spot, struct failure *failure)
{
    const yaml_node_t *node = spot->node;
    const size_t count = yaml_spot_count(spot);
    struct placed_key *placed = calloc(count + 1, sizeof *placed);
    size_t keys = 0, first = 0, second = SIZE_MAX;
    if (placed == NULL)
        return failure_memory(failure, count * sizeof *placed, spot->tree->form->what);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *key =
            yaml_document_get_node(document_of(spot), node->data.mapping.pairs.start[i].key);
        if (key->type == YAML_SCALAR_NODE)
            placed[keys++] = (struct placed_key){(const char *)key->data.scalar.value, i};
    }
    qsort(placed, keys, sizeof *placed, compare_keys);
    /* The first of several in the file is reported. */
    for (size_t k = 1; k < keys; k++)
        if (strcasecmp(placed[k - 1].key, placed[k].key) == 0 && placed[k].index < second) {
            first = placed[k - 1].index;
            second = placed[k].index;
        }
    free(placed);
    if (second == SIZE_MAX)
        return 0;
    struct yaml_spot earlier, later;
    TRY(yaml_spot_entry(spot, first, &earlier, failure));
    TRY(yaml_spot_entry(spot, second, &later, failure));
    return yaml_refuse(&later, failure, "occurs twice, first in line %zu: keep one", earlier.line);
}

int yaml_find_keys(const struct yaml_spot *spot, const char *const *known, size_t count,
                   struct yaml_spot *found, struct yaml_spot *unknown, struct failure *failure)
{
    *unknown = (struct yaml_spot){0};
    for (size_t k = 0; k < count; k++)
        found[k] = *unknown;
    TRY(yaml_refuse_twice(spot, failure));
    for (size_t i = 0; i < yaml_spot_count(spot); i++) {
        struct yaml_spot entry;
        size_t k = 0;
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        while (k < count && strcmp(known[k], entry.key) != 0)
            k++;
        if (k < count)
            found[k] = entry;
        else if (unknown->node == NULL)
            *unknown = entry;
    }
    return 0;
}

/* ---- scalars ---- */

int yaml_read_text(const struct yaml_spot *spot, const char *wanted, const char **out,
                   struct failure *failure)
{
    const yaml_node_t *node = spot->node;
    *out = yaml_spot_text(spot);
    if ((*out)[0] == '\0' || strlen(*out) != node->data.scalar.length)
        return yaml_refuse_value(spot, wanted, failure);
    return 0;
}

/* "a number above 0 and at most 10 m" */
static void word_limits(const struct yaml_limits *limits, char *text, size_t size)
{
    const char *what = limits->whole ? "a whole number" : "a number";
    if (limits->low == 0 && limits->high == 0)
        (void)snprintf(text, size, "%s", what);
    else
        (void)snprintf(text, size, "%s %s %.6g and at most %.6g%s%s", what,
                       limits->above_low ? "above" : "of at least", limits->low, limits->high,
                       limits->unit[0] != '\0' ? " " : "", limits->unit);
}

int yaml_read_number(const struct yaml_spot *spot, const struct yaml_limits *limits, double *out,
                     struct failure *failure)
{
    const char *text = yaml_spot_text(spot);
    bool fine = text_number(text, strlen(text), out) && isfinite(*out);
    if (fine && !(limits->low == 0 && limits->high == 0))
        fine = (limits->above_low ? *out > limits->low : *out >= limits->low) && *out <= limits->high;
    if (fine && (!limits->whole || *out == floor(*out)))
        return 0;
    char wanted[240];
    word_limits(limits, wanted, sizeof wanted);
    return yaml_refuse_value(spot, wanted, failure);
}

int yaml_read_bool(const struct yaml_spot *spot, bool *out, struct failure *failure)
{
    const char *text = yaml_spot_text(spot);
    *out = strcmp(text, "true") == 0;
    return *out || strcmp(text, "false") == 0 ? 0 : yaml_refuse_value(spot, "true or false", failure);
}

int yaml_read_numbers(const struct yaml_spot *spot, const struct yaml_limits *limits, size_t count,
                      const char *wanted, double *out, struct failure *failure)
{
    if (yaml_spot_kind(spot) != YAML_LIST || yaml_spot_count(spot) != count)
        return yaml_refuse_value(spot, wanted, failure);
    int code = 0;
    for (size_t i = 0; i < count; i++) {
        struct yaml_spot one;
        TRY(yaml_spot_entry(spot, i, &one, failure));
        ALSO(code, failure, yaml_read_number(&one, limits, &out[i], &next));
    }
    return code;
}
