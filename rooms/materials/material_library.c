#include "rooms/materials/material_library.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include "rooms/materials/material_text.h"

/* ---- the form of the file ---- */

static const cyaml_strval_t kinds[MATERIAL_KINDS] = {
    {"stone", MATERIAL_STONE},       {"plaster", MATERIAL_PLASTER}, {"wood", MATERIAL_WOOD},
    {"glass", MATERIAL_GLASS},       {"textile", MATERIAL_TEXTILE}, {"seating", MATERIAL_SEATING},
    {"audience", MATERIAL_AUDIENCE}, {"panel", MATERIAL_PANEL},     {"floor", MATERIAL_FLOOR},
    {"other", MATERIAL_OTHER},
};

const char *material_kind_name(enum material_kind kind)
{
    return kinds[kind].str;
}

/* What the file holds; its pointers are CYAML's. */
struct content {
    struct material_source *source;
    unsigned source_count;
    struct material *material;
    unsigned material_count;
};

#define MAYBE (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)
#define TEXT(key, m)                                                                                         \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER, struct material_source, m, 1, CYAML_UNLIMITED)

static const cyaml_schema_field_t source_fields[] = {
    TEXT("id", id),     TEXT("title", title),     TEXT("table", table),
    TEXT("link", link), TEXT("licence", licence), CYAML_FIELD_END,
};
static const cyaml_schema_value_t source_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct material_source, source_fields)};
static const cyaml_schema_value_t word_entry = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED)};
static const cyaml_schema_value_t value_entry = {CYAML_VALUE_FLOAT(CYAML_FLAG_STRICT, double)};
static const cyaml_schema_value_t octave_entry = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, unsigned)};

static const cyaml_schema_field_t material_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct material, name, 1, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_COUNT("aliases", MAYBE, struct material, alias, alias_count, &word_entry, 0,
                               CYAML_UNLIMITED),
    CYAML_FIELD_ENUM("kind", CYAML_FLAG_STRICT, struct material, kind, kinds, MATERIAL_KINDS),
    CYAML_FIELD_SEQUENCE_FIXED("absorption", CYAML_FLAG_DEFAULT, struct material, absorption, &value_entry,
                               MATERIAL_OCTAVES),
    CYAML_FIELD_SEQUENCE_COUNT("extended", MAYBE, struct material, extended, extended_count, &octave_entry, 0,
                               MATERIAL_OCTAVES),
    CYAML_FIELD_STRING_PTR("source", MAYBE, struct material, source_id, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("row", MAYBE, struct material, row, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("pair", MAYBE, struct material, pair_name, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t material_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct material, material_fields)};

static const cyaml_schema_field_t content_fields[] = {
    CYAML_FIELD_SEQUENCE("sources", MAYBE, struct content, source, &source_entry, 0, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("materials", CYAML_FLAG_POINTER, struct content, material, &material_entry, 1,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t content_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct content, content_fields)};

/* ---- reading ---- */

/* The first thing that CYAML complains of, and the two innermost places that it names. */
struct complaint {
    char what[300], place[200];
    int places;
};

static void note(cyaml_log_t level, void *context, const char *format, va_list values)
{
    struct complaint *complaint = context;
    const size_t used = strlen(complaint->place);
    char line[300];
    (void)level;
    (void)vsnprintf(line, sizeof line, format, values);
    line[strcspn(line, "\n")] = '\0';
    if (line[0] != '\0' && line[strlen(line) - 1] == '.')
        line[strlen(line) - 1] = '\0';
    const char *begin = strncmp(line, "Load: ", 6) == 0 ? line + 6 : line;
    begin += strspn(begin, " ");
    if (complaint->what[0] == '\0')
        (void)snprintf(complaint->what, sizeof complaint->what, "%s", begin);
    else if (strncmp(begin, "in ", 3) == 0 && complaint->places++ < 2)
        (void)snprintf(complaint->place + used, sizeof complaint->place - used, ", %s", begin);
}

static void configure(cyaml_config_t *config, struct complaint *complaint)
{
    *config = (cyaml_config_t){.log_fn = complaint != NULL ? note : NULL,
                               .log_ctx = complaint,
                               .log_level = CYAML_LOG_ERROR,
                               .mem_fn = cyaml_mem,
                               .flags = CYAML_CFG_NO_ALIAS};
}

void material_library_free(struct material_library *library)
{
    cyaml_config_t config;
    configure(&config, NULL);
    if (library->content != NULL)
        (void)cyaml_free(&config, &content_schema, library->content, 0);
    *library = (struct material_library){0};
}

static int load_content(const char *text, size_t bytes, const char *where, struct content **content,
                        struct failure *failure)
{
    struct complaint complaint = {.what = ""};
    cyaml_config_t config;
    configure(&config, &complaint);
    void *data = NULL;
    errno = 0;
    const cyaml_err_t error =
        cyaml_load_data((const uint8_t *)text, bytes, &config, &content_schema, &data, NULL);
    *content = data;
    if (error == CYAML_ERR_OOM || (error != CYAML_OK && errno == ENOMEM)) /* libyaml's is told as no YAML */
        return failure_memory(failure, bytes, "a library of materials");
    if (error != CYAML_OK || data == NULL)
        return failure_set(failure, FAILURE_INPUT, "%s is no library of materials: %s%s", where,
                           complaint.what[0] != '\0' ? complaint.what : "there is nothing in it",
                           complaint.place);
    return 0;
}

/* ---- checks, and pointers from one entry to another ---- */

/* Of the octaves that the source has: the first and the last. */
static int check_extended(const struct material *material, const char *where, struct failure *failure)
{
    bool given[MATERIAL_OCTAVES];
    size_t first = MATERIAL_OCTAVES, last = 0;
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
        given[o] = !material_is_extended(material, o);
        first = given[o] && first == MATERIAL_OCTAVES ? o : first;
        last = given[o] ? o : last;
    }
    for (unsigned e = 0; e < material->extended_count; e++) {
        size_t o = 0;
        while (o < MATERIAL_OCTAVES && material_octave[o] != material->extended[e])
            o++;
        if (o == MATERIAL_OCTAVES)
            return failure_set(failure, FAILURE_INPUT,
                               "%s, %s: %u in extended is none of the octaves 63 to 8000 Hz", where,
                               material->name, material->extended[e]);
        if (first == MATERIAL_OCTAVES || (o > first && o < last))
            return failure_set(
                failure, FAILURE_INPUT,
                "%s, %s: extended may name octaves below or above those of the source, not %u Hz", where,
                material->name, material->extended[e]);
        const size_t neighbour = o < first ? first : last;
        if (material->absorption[o] != material->absorption[neighbour])
            return failure_set(failure, FAILURE_INPUT,
                               "%s, %s: %u Hz is extended, so it must repeat the %g of %u Hz, not say %g",
                               where, material->name, material_octave[o], material->absorption[neighbour],
                               material_octave[neighbour], material->absorption[o]);
    }
    return 0;
}

static int check_values(const struct material *material, const char *where, struct failure *failure)
{
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        if (!(material->absorption[o] >= 0 && material->absorption[o] <= MATERIAL_ABSORPTION_MAX))
            return failure_set(failure, FAILURE_INPUT, "%s, %s: absorption %g at %u Hz must lie from 0 to %g",
                               where, material->name, material->absorption[o], material_octave[o],
                               MATERIAL_ABSORPTION_MAX);
    return check_extended(material, where, failure);
}

/* That no name of `material` means one before it, nor a name of its own twice. */
static int check_names(const struct material_library *library, const struct material *material,
                       const char *where, struct failure *failure)
{
    char folded[MATERIAL_NAME_MAX];
    struct material alone = *material;
    struct material_library before = {.count = (size_t)(material - library->material),
                                      .material = library->material};
    for (unsigned n = 0; n <= material->alias_count; n++) {
        const char *name = n == 0 ? material->name : material->alias[n - 1];
        if (!material_name_fold(name, strlen(name), folded))
            return failure_set(failure, FAILURE_INPUT, "%s, %s: the name '%s' must have 1 to %d characters",
                               where, material->name, name, MATERIAL_NAME_MAX - 1);
        const struct material *other = material_library_find(&before, name);
        alone.alias_count = n > 0 ? n - 1 : 0;
        if (other == NULL && n > 0 &&
            material_library_find(&(struct material_library){.count = 1, .material = &alone}, name) != NULL)
            other = material;
        if (other != NULL)
            return failure_set(failure, FAILURE_INPUT, "%s, %s: the name %s means %s already", where,
                               material->name, name, other->name);
    }
    return 0;
}

static int link_source(const struct content *content, struct material *material, const char *where,
                       struct failure *failure)
{
    for (unsigned s = 0; material->source_id != NULL && s < content->source_count; s++)
        if (strcmp(content->source[s].id, material->source_id) == 0)
            material->source = &content->source[s];
    if (material->source_id != NULL && material->source == NULL)
        return failure_set(failure, FAILURE_INPUT, "%s, %s: there is no source %s in its list", where,
                           material->name, material->source_id);
    return 0;
}

static int link_pair(const struct material_library *library, struct material *material, const char *where,
                     struct failure *failure)
{
    if (material->pair_name == NULL)
        return 0;
    const struct material *pair = material->pair = material_library_find(library, material->pair_name);
    if (pair == NULL)
        return failure_set(failure, FAILURE_INPUT, "%s, %s: there is no material %s to make a pair with",
                           where, material->name, material->pair_name);
    if (pair->pair_name == NULL || material_library_find(library, pair->pair_name) != material)
        return failure_set(failure, FAILURE_INPUT, "%s, %s: its pair %s does not name it in turn", where,
                           material->name, pair->name);
    const enum material_kind both[] = {material->kind, pair->kind};
    if (!(both[0] == MATERIAL_SEATING && both[1] == MATERIAL_AUDIENCE) &&
        !(both[0] == MATERIAL_AUDIENCE && both[1] == MATERIAL_SEATING))
        return failure_set(failure, FAILURE_INPUT,
                           "%s, %s: a pair is one of kind seating and one of kind audience", where,
                           material->name);
    return 0;
}

int material_library_read(const char *text, size_t bytes, const char *where, struct material_library *library,
                          struct failure *failure)
{
    struct content *content = NULL;
    int code = load_content(text, bytes, where, &content, failure);
    struct material_library read = {.content = content};
    if (code == 0)
        read = (struct material_library){.count = content->material_count,
                                         .material = content->material,
                                         .source_count = content->source_count,
                                         .source = content->source,
                                         .content = content};
    for (size_t m = 0; code == 0 && m < read.count; m++)
        if ((code = check_names(&read, &content->material[m], where, failure)) == 0 &&
            (code = check_values(&content->material[m], where, failure)) == 0)
            code = link_source(content, &content->material[m], where, failure);
    for (size_t m = 0; code == 0 && m < read.count; m++)
        code = link_pair(&read, &content->material[m], where, failure);
    if (code == 0)
        *library = read;
    else
        material_library_free(&read);
    return code;
}

int material_library_load(struct material_library *library, struct failure *failure)
{
    return material_library_read(material_text, material_text_bytes, "the material library", library,
                                 failure);
}
