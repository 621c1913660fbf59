#include "rooms/materials/material_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/materials/material_names.h"
#include "rooms/materials/material_text.h"
#include "rooms/text/yaml_tree.h"

static const char *const kinds[MATERIAL_KINDS] = {
    [MATERIAL_STONE] = "stone",       [MATERIAL_PLASTER] = "plaster", [MATERIAL_WOOD] = "wood",
    [MATERIAL_GLASS] = "glass",       [MATERIAL_TEXTILE] = "textile", [MATERIAL_SEATING] = "seating",
    [MATERIAL_AUDIENCE] = "audience", [MATERIAL_PANEL] = "panel",     [MATERIAL_FLOOR] = "floor",
    [MATERIAL_SHEET] = "sheet",       [MATERIAL_OTHER] = "other",
};

const char *material_kind_name(enum material_kind kind)
{
    return kinds[kind];
}

/* ---- reading ---- */

/* The data of a library; its texts belong to the tree. */
struct content {
    struct yaml_tree *tree;
    size_t source_count, count;
    struct material_source *source; /* (source_count) */
    struct material *material;      /* (count) */
};

void material_library_free(struct material_library *library)
{
    struct content *content = library->content;
    if (content != NULL) {
        for (size_t m = 0; m < content->count; m++)
            free(content->material[m].alias);
        free(content->material);
        free(content->source);
        yaml_tree_free(content->tree);
        free(content);
    }
    *library = (struct material_library){0};
}

/* Find the values of the keys `known` of a mapping; the first `needed` are required. */
static int find_keys(const struct yaml_spot *spot, const char *const *known, size_t count, size_t needed,
                     struct yaml_spot *found, struct failure *failure)
{
    struct yaml_spot unknown;
    TRY(yaml_expect(spot, YAML_MAP, "keys and values, as in materials.yaml", failure));
    TRY(yaml_find_keys(spot, known, count, found, &unknown, failure));
    if (unknown.node != NULL)
        return yaml_refuse(&unknown, failure, "is not a key of a library of materials");
    for (size_t k = 0; k < needed; k++)
        if (found[k].node == NULL)
            return yaml_refuse(spot, failure, "has no %s", known[k]);
    return 0;
}

/* Zeroed memory for the entries of a list; none for an empty or missing list. */
static int allocate_list(const struct yaml_spot *spot, size_t size, size_t *count, void **list,
                         struct failure *failure)
{
    *count = 0;
    *list = NULL;
    if (spot->node == NULL)
        return 0;
    if (yaml_spot_kind(spot) != YAML_LIST)
        return yaml_refuse_value(spot, "a list", failure);
    *list = calloc(yaml_spot_count(spot) + 1, size);
    if (*list == NULL)
        return failure_memory(failure, yaml_spot_count(spot) * size, "a library of materials");
    *count = yaml_spot_count(spot);
    return 0;
}

static int read_source(const struct yaml_spot *spot, struct material_source *source, struct failure *failure)
{
    enum { KEYS = 5 };
    static const char *const known[KEYS] = {"id", "title", "table", "link", "licence"};
    const char **const text[KEYS] = {&source->id, &source->title, &source->table, &source->link,
                                     &source->licence};
    struct yaml_spot key[KEYS];
    TRY(find_keys(spot, known, KEYS, KEYS, key, failure));
    for (size_t k = 0; k < KEYS; k++)
        TRY(yaml_read_text(&key[k], "a text", text[k], failure));
    return 0;
}

static int read_kind(const struct yaml_spot *spot, enum material_kind *kind, struct failure *failure)
{
    for (int k = 0; k < MATERIAL_KINDS; k++)
        if (strcmp(yaml_spot_text(spot), kinds[k]) == 0) {
            *kind = (enum material_kind)k;
            return 0;
        }
    return yaml_refuse_value(
        spot, "stone, plaster, wood, glass, textile, seating, audience, panel, floor, sheet or other",
        failure);
}

static int read_aliases(const struct yaml_spot *spot, struct material *material, struct failure *failure)
{
    void *list;
    TRY(allocate_list(spot, sizeof *material->alias, &material->alias_count, &list, failure));
    material->alias = list;
    for (size_t a = 0; a < material->alias_count; a++) {
        struct yaml_spot entry;
        TRY(yaml_spot_entry(spot, a, &entry, failure));
        TRY(yaml_read_text(&entry, "a name", &material->alias[a], failure));
    }
    return 0;
}

static int read_extended(const struct yaml_spot *spot, struct material *material, struct failure *failure)
{
    static const struct yaml_limits octave = {.high = 1e6, .whole = true, .unit = "Hz"};
    double value[MATERIAL_OCTAVES];
    const size_t count = yaml_spot_count(spot);
    if (yaml_spot_kind(spot) != YAML_LIST || count > MATERIAL_OCTAVES)
        return yaml_refuse_value(spot, "a list of at most 8 octaves", failure);
    TRY(yaml_read_numbers(spot, &octave, count, "a list of octaves", value, failure));
    for (; material->extended_count < count; material->extended_count++)
        material->extended[material->extended_count] = (unsigned)value[material->extended_count];
    return 0;
}

static int read_combination(const struct yaml_spot *spot, bool *series, struct failure *failure)
{
    const char *word;
    TRY(yaml_read_text(spot, "parallel or series", &word, failure));
    *series = strcmp(word, "series") == 0;
    if (!*series && strcmp(word, "parallel") != 0)
        return yaml_refuse_value(
            spot, "parallel (air passes through its pores) or series (it passes by moving it)", failure);
    return 0;
}

int material_sheet_read(const struct yaml_spot *whole, const struct yaml_spot key[SHEET_KEYS],
                        struct material_sheet *sheet, struct failure *failure)
{
    static const struct yaml_limits resistance = {.low = 0, .high = 1e9, .unit = "Pa s/m"},
                                    mass = {.low = 0, .high = 1e6, .unit = "kg/m2"};
    if (key[SHEET_RESISTANCE].node == NULL && key[SHEET_MASS].node == NULL)
        return yaml_refuse(whole, failure,
                           "has no flow_resistance [Pa s/m] and no mass [kg/m2], and a sheet has one of them "
                           "at least");
    sheet->mass = INFINITY;
    if (key[SHEET_RESISTANCE].node != NULL)
        TRY(yaml_read_number(&key[SHEET_RESISTANCE], &resistance, &sheet->flow_resistance, failure));
    if (key[SHEET_MASS].node != NULL)
        TRY(yaml_read_number(&key[SHEET_MASS], &mass, &sheet->mass, failure));
    sheet->series = key[SHEET_RESISTANCE].node == NULL;
    if (key[SHEET_COMBINATION].node != NULL)
        TRY(read_combination(&key[SHEET_COMBINATION], &sheet->series, failure));
    if (sheet->series && !isfinite(sheet->mass))
        sheet->mass = 0;
    if (sheet->mass == 0 && (sheet->flow_resistance == 0 || !sheet->series))
        return yaml_refuse(whole, failure,
                           "has no effect: with a mass of 0 it moves with the air; give it a mass above 0 "
                           "kg/m2, or leave mass out if it does not move");
    if (sheet->flow_resistance == 0 && !sheet->series)
        return yaml_refuse(whole, failure,
                           "has no effect: all air passes if flow_resistance is 0 Pa s/m; give it one above "
                           "0, or combination: series");
    return 0;
}

static int read_material(const struct yaml_spot *spot, struct material *material, struct failure *failure)
{
    enum { NAME, KIND, NEEDED, ABSORPTION = NEEDED, SOURCE, ROW, PAIR, ALIASES, EXTENDED };
    enum { SCATTERING = EXTENDED + 1, SCATTERING_SOURCE, SCATTERING_ROW, SHEET, KEYS = SHEET + SHEET_KEYS };
    static const char *const known[KEYS] = {
        "name",
        "kind",
        "absorption",
        "source",
        "row",
        "pair",
        "aliases",
        "extended",
        "scattering",
        "scattering_source",
        "scattering_row",
        "flow_resistance",
        "mass",
        "combination",
    };
    static const struct yaml_limits any = {0};
    const char **const text[] = {[NAME] = &material->name,
                                 [SOURCE] = &material->source_id,
                                 [ROW] = &material->row,
                                 [PAIR] = &material->pair_name,
                                 [SCATTERING_SOURCE] = &material->scattering_source_id,
                                 [SCATTERING_ROW] = &material->scattering_row};
    struct yaml_spot key[KEYS];
    TRY(find_keys(spot, known, KEYS, NEEDED, key, failure));
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        if (text[k] != NULL && key[k].node != NULL)
            TRY(yaml_read_text(&key[k], "a text", text[k], failure));
    if (key[SCATTERING].node != NULL)
        TRY(scattering_read(&key[SCATTERING], &material->scattering, failure));
    else if (key[SCATTERING_SOURCE].node != NULL)
        return yaml_refuse(&key[SCATTERING_SOURCE], failure,
                           "is the source of no scattering: give that, too");
    TRY(read_kind(&key[KIND], &material->kind, failure));
    if (material->kind == MATERIAL_SHEET) {
        if (key[ABSORPTION].node != NULL)
            return yaml_refuse(
                &key[ABSORPTION], failure,
                "is not for a sheet, whose absorption follows from its flow_resistance and mass");
        TRY(material_sheet_read(spot, &key[SHEET], &material->sheet, failure));
        sheet_absorption(&material->sheet, material->absorption);
        return read_aliases(&key[ALIASES], material, failure);
    }
    for (int k = SHEET; k < KEYS; k++)
        if (key[k].node != NULL)
            return yaml_refuse(&key[k], failure, "is only for materials of kind sheet");
    if (key[ABSORPTION].node == NULL)
        return yaml_refuse(spot, failure, "has no absorption");
    TRY(yaml_read_numbers(&key[ABSORPTION], &any, MATERIAL_OCTAVES,
                          "a list of 8 absorptions, at 63 to 8000 Hz", material->absorption, failure));
    TRY(read_aliases(&key[ALIASES], material, failure));
    return key[EXTENDED].node != NULL ? read_extended(&key[EXTENDED], material, failure) : 0;
}

static int read_content(struct content *content, struct failure *failure)
{
    enum { MATERIALS, NEEDED, SOURCES = NEEDED, KEYS };
    static const char *const known[KEYS] = {"materials", "sources"};
    const struct yaml_spot top = yaml_tree_top(content->tree);
    struct yaml_spot key[KEYS], entry;
    void *list;
    TRY(find_keys(&top, known, KEYS, NEEDED, key, failure));
    TRY(allocate_list(&key[SOURCES], sizeof *content->source, &content->source_count, &list, failure));
    content->source = list;
    for (size_t s = 0; s < content->source_count; s++) {
        TRY(yaml_spot_entry(&key[SOURCES], s, &entry, failure));
        TRY(read_source(&entry, &content->source[s], failure));
    }
    TRY(yaml_expect(&key[MATERIALS], YAML_LIST, "a list of materials", failure));
    TRY(allocate_list(&key[MATERIALS], sizeof *content->material, &content->count, &list, failure));
    content->material = list;
    for (size_t m = 0; m < content->count; m++) {
        TRY(yaml_spot_entry(&key[MATERIALS], m, &entry, failure));
        TRY(read_material(&entry, &content->material[m], failure));
    }
    return 0;
}

static int load_content(const char *text, size_t bytes, const char *where, struct content *content,
                        struct failure *failure)
{
    static const struct yaml_form form = {
        .what = "a library of materials",
        .begin = "a library of materials has a list of them, `materials:`",
        .top = "this is not a library of materials, which has a list `materials:`",
        .no_alias = true,
    };
    TRY(yaml_tree_read(text, bytes, where, &form, &content->tree, failure));
    return read_content(content, failure);
}

/* ---- checks, and pointers from one entry to another ---- */

/* The first and the last octave that the source has. */
static int check_extended(const struct material *material, struct failure *failure)
{
    bool given[MATERIAL_OCTAVES];
    size_t first = MATERIAL_OCTAVES, last = 0;
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
        given[o] = !material_is_extended(material, o);
        first = given[o] && first == MATERIAL_OCTAVES ? o : first;
        last = given[o] ? o : last;
    }
    for (size_t e = 0; e < material->extended_count; e++) {
        size_t o = 0;
        while (o < MATERIAL_OCTAVES && material_octave[o] != material->extended[e])
            o++;
        if (o == MATERIAL_OCTAVES)
            return failure_set(failure, FAILURE_INPUT,
                               "%u in extended is not one of the octaves 63 to 8000 Hz",
                               material->extended[e]);
        if (first == MATERIAL_OCTAVES || (o > first && o < last))
            return failure_set(failure, FAILURE_INPUT,
                               "extended may name octaves below or above those of the source, not %u Hz",
                               material->extended[e]);
        const size_t neighbour = o < first ? first : last;
        if (material->absorption[o] != material->absorption[neighbour])
            return failure_set(failure, FAILURE_INPUT,
                               "%u Hz is extended, so it must repeat the %g of %u Hz, not say %g",
                               material_octave[o], material->absorption[neighbour],
                               material_octave[neighbour], material->absorption[o]);
    }
    return 0;
}

/* Check that no name of `material` means an earlier one, and none of its own is repeated. */
static int check_names(const struct material_library *library, const struct material *material,
                       struct failure *failure)
{
    char folded[MATERIAL_NAME_MAX];
    struct material alone = *material;
    struct material_library before = {.count = (size_t)(material - library->material),
                                      .material = library->material};
    for (size_t n = 0; n <= material->alias_count; n++) {
        const char *name = n == 0 ? material->name : material->alias[n - 1];
        if (!material_name_fold(name, strlen(name), folded))
            return failure_set(failure, FAILURE_INPUT, "the name '%s' must have 1 to %d characters", name,
                               MATERIAL_NAME_MAX - 1);
        const struct material *other = material_library_find(&before, name);
        alone.alias_count = n > 0 ? n - 1 : 0;
        if (other == NULL && n > 0 &&
            material_library_find(&(struct material_library){.count = 1, .material = &alone}, name) != NULL)
            other = material;
        if (other != NULL)
            return failure_set(failure, FAILURE_INPUT, "the name %s means %s already", name, other->name);
    }
    return 0;
}

static int find_source(const struct material_library *library, const char *id,
                       const struct material_source **source, struct failure *failure)
{
    for (size_t s = 0; id != NULL && s < library->source_count; s++)
        if (strcmp(library->source[s].id, id) == 0)
            *source = &library->source[s];
    if (id != NULL && *source == NULL)
        return failure_set(failure, FAILURE_INPUT, "there is no source %s in its list", id);
    return 0;
}

/* Read its names, its values and its sources. */
static int check_material(const struct material_library *library, struct material *material,
                          struct failure *failure)
{
    TRY(check_names(library, material, failure));
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        if (!(material->absorption[o] >= 0 && material->absorption[o] <= MATERIAL_ABSORPTION_MAX))
            return failure_set(failure, FAILURE_INPUT,
                               "absorption %g at %u Hz must lie from 0 to %g; " MATERIAL_ABOVE_ONE,
                               material->absorption[o], material_octave[o], MATERIAL_ABSORPTION_MAX);
    TRY(check_extended(material, failure));
    TRY(find_source(library, material->source_id, &material->source, failure));
    return find_source(library, material->scattering_source_id, &material->scattering_source, failure);
}

static int link_pair(const struct material_library *library, struct material *material,
                     struct failure *failure)
{
    if (material->pair_name == NULL)
        return 0;
    const struct material *pair = material->pair = material_library_find(library, material->pair_name);
    if (pair == NULL)
        return failure_set(failure, FAILURE_INPUT, "there is no material %s to make a pair with",
                           material->pair_name);
    if (pair->pair_name == NULL || material_library_find(library, pair->pair_name) != material)
        return failure_set(failure, FAILURE_INPUT, "its pair %s does not name it in turn", pair->name);
    const enum material_kind both[] = {material->kind, pair->kind};
    if (!(both[0] == MATERIAL_SEATING && both[1] == MATERIAL_AUDIENCE) &&
        !(both[0] == MATERIAL_AUDIENCE && both[1] == MATERIAL_SEATING))
        return failure_set(failure, FAILURE_INPUT, "a pair is one of kind seating and one of kind audience");
    return 0;
}

int material_library_read(const char *text, size_t bytes, const char *where, struct material_library *library,
                          struct failure *failure)
{
    struct content *content = calloc(1, sizeof *content);
    if (content == NULL)
        return failure_memory(failure, sizeof *content, "a library of materials");
    int code = load_content(text, bytes, where, content, failure);
    struct material_library read = {.count = content->count,
                                    .material = content->material,
                                    .source_count = content->source_count,
                                    .source = content->source,
                                    .content = content};
    struct failure why = {0};
    for (size_t i = 0; code == 0 && i < 2 * read.count; i++) {
        struct material *material = &content->material[i % read.count];
        code = i < read.count ? check_material(&read, material, &why) : link_pair(&read, material, &why);
        if (code != 0)
            failure_at(failure_wrap(failure, &why, "%s: ", material->name), failure, where, 0);
    }
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
