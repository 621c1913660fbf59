#include "src/setup/project/project_schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rooms/text/table_text.h"
#include "src/base/options/option_values.h"
#include "src/setup/project/project_readers.h"

/* ---- keys ---- */

/* A key takes the value of an option, or has keys of its own, or a reader. The last entry of a table has
 * no name. */
struct project_key {
    const char *name;
    const char *option;             /* of the table of options, in its unit */
    const struct project_key *keys; /* of a mapping */
    const char *wanted;             /* such a mapping, in words */
    int (*read)(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure);
    bool in_variant; /* a variant may set it too */
};

enum { KEYS_MAX = 40 };

static int refuse_in_variant(const struct yaml_spot *spot, const struct project_key *key,
                             struct failure *failure)
{
    char list[400] = "";
    for (size_t k = 0; key[k].name != NULL; k++)
        if (key[k].in_variant)
            text_append(list, sizeof list, "%s%s", list[0] != '\0' ? ", " : "", key[k].name);
    return yaml_refuse(spot, failure,
                       "is the same for all variants, so that they can be compared; one may have %s", list);
}

/* ---- values of options ---- */

static int read_number(const struct option_spec *spec, const struct yaml_spot *spot, struct options *out,
                       struct failure *failure)
{
    const struct yaml_limits limits = project_limits_of(spec);
    void *const at = (char *)out + spec->at;
    double value = 0, share = 0;
    if (option_is_percent(spec, yaml_spot_text(spot), &share)) {
        if (!(share > 0 && share <= 1))
            return yaml_refuse_value(spot, "above 0% and at most 100%", failure);
    } else if (!spec->may_be_auto || strcmp(yaml_spot_text(spot), "auto") != 0)
        TRY(yaml_read_number(spot, &limits, &value, failure));
    if (spec->share_at != 0)
        *(double *)((char *)out + spec->share_at) = share;
    if (spec->kind == OPTION_COUNT)
        *(int64_t *)at = (int64_t)value;
    else
        *(double *)at = value;
    return 0;
}

static int read_option(struct project *project, const char *name, const struct yaml_spot *spot,
                       struct failure *failure)
{
    const struct option_spec *spec = project_option(name);
    void *at = (char *)&project->value + spec->at;
    const char *text = NULL;
    project->value.given[spec - option_table] = true;
    switch (spec->kind) {
    case OPTION_FLAG:
        return yaml_read_bool(spot, at, failure);
    case OPTION_WORD:
        return project_read_word(spot, spec->words, at, failure);
    case OPTION_TEXT:
        TRY(yaml_read_text(spot, "a file", &text, failure));
        return project_path(project, text, at, failure);
    case OPTION_POINT:
        ((struct option_point *)at)->given = true;
        return project_read_vector(spot, ((struct option_point *)at)->position, failure);
    default:
        return read_number(spec, spot, &project->value, failure);
    }
}

/* ---- mappings ---- */

static int read_keys(struct project_reader *reader, const struct yaml_spot *spot,
                     const struct project_key *key, struct failure *failure);

/* The key at `index`, one of those in the table `key`, and its value. */
static int read_key(struct project_reader *reader, const struct yaml_spot *spot, size_t index,
                    const struct project_key *key, struct failure *failure)
{
    struct yaml_spot entry;
    const char *known[KEYS_MAX + 1] = {NULL};
    size_t k = 0;
    TRY(yaml_spot_entry(spot, index, &entry, failure));
    for (; key[k].name != NULL && strcmp(key[k].name, entry.key) != 0; k++)
        known[k] = key[k].name;
    if (key[k].name == NULL)
        return project_refuse_key(&entry, known, failure);
    if (reader->of_variant && !key[k].in_variant)
        return refuse_in_variant(&entry, key, failure);
    if (key[k].keys != NULL)
        TRY(yaml_expect(&entry, YAML_MAP, key[k].wanted, failure));
    return key[k].option != NULL ? read_option(reader->project, key[k].option, &entry, failure)
           : key[k].keys != NULL ? read_keys(reader, &entry, key[k].keys, failure)
                                 : key[k].read(reader, &entry, failure);
}

static int read_keys(struct project_reader *reader, const struct yaml_spot *spot,
                     const struct project_key *key, struct failure *failure)
{
    int code = 0;
    ALSO(code, failure, yaml_refuse_twice(spot, &next));
    for (size_t i = 0; i < yaml_spot_count(spot); i++)
        ALSO(code, failure, read_key(reader, spot, i, key, &next));
    return code;
}

static const struct project_key air_key[] = {
    {.name = "temperature_c", .option = "temperature", .in_variant = true},
    {.name = "humidity_percent", .option = "humidity", .in_variant = true},
    {.name = "pressure_kpa", .option = "pressure", .in_variant = true},
    {.name = "losses", .option = "air", .in_variant = true},
    {0},
};

static const struct project_key computing_key[] = {
    {.name = "backend", .option = "backend"},
    {.name = "threads", .option = "threads"},
    {.name = "precision", .option = "precision"},
    {.name = "layout", .option = "layout"},
    {.name = "budget_s", .option = "budget"},
    {.name = "bits", .option = "bits"},
    {0},
};

/* True if a path with / leads out of its folder. */
static bool leaves_folder(const char *path)
{
    long depth = 0;
    if (path[0] == '/')
        return true;
    while (*path != '\0') {
        const size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "..", 2) == 0)
            depth--;
        else if (length > 0 && !(length == 1 && path[0] == '.'))
            depth++;
        if (depth < 0)
            return true;
        path += length + (path[length] == '/');
    }
    return depth == 0;
}

static int read_output_folder(struct project_reader *reader, const struct yaml_spot *spot,
                              struct failure *failure)
{
    const char *text = NULL;
    TRY(yaml_read_text(spot, "a folder within the project's folder", &text, failure));
    if (leaves_folder(text))
        return failure_advise(yaml_refuse_value(spot, "a folder within the project's folder", failure),
                              failure, ADVICE_OUTPUT_ANYWHERE, 0);
    return read_option(reader->project, "output", spot, failure);
}

static const struct project_key outputs_key[] = {
    {.name = "folder", .read = read_output_folder},
    {.name = "bands", .option = "bands"},
    {.name = "repeat_shifted", .option = "repeat-shifted"},
    {.name = "rays", .option = "rays"},
    {.name = "ray_noise_percent", .option = "ray-noise"},
    {.name = "ambisonics", .option = "ambisonics"},
    {.name = "head", .option = "head"},
    {.name = "yaw_degrees", .option = "yaw"},
    {.name = "pitch_degrees", .option = "pitch"},
    {.name = "roll_degrees", .option = "roll"},
    {.name = "maps", .option = "maps"},
    {0},
};

static const struct project_key letterhead_key[] = {
    {.name = "name", .read = project_read_page_name},
    {.name = "lines", .read = project_read_page_lines},
    {.name = "logo", .read = project_read_page_logo},
    {0},
};

static const struct project_key report_key[] = {
    {.name = "title", .read = project_read_page_title},
    {.name = "language", .read = project_read_page_language},
    {.name = "letterhead", .keys = letterhead_key, .wanted = "name, lines or logo"},
    {0},
};

/* ---- the whole ---- */

/* Read separately, because they replace the others. */
static int skip_value(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure)
{
    (void)reader;
    (void)spot;
    (void)failure;
    return 0;
}

static const struct project_key top_key[] = {
    {.name = "room", .read = project_read_room, .in_variant = true},
    {.name = "units", .option = "units", .in_variant = true},
    {.name = "up", .option = "up", .in_variant = true},
    {.name = "seal_m", .option = "seal", .in_variant = true},
    {.name = "open", .option = "open", .in_variant = true},
    {.name = "two_sided", .read = project_read_two_sided, .in_variant = true},
    {.name = "materials", .read = project_read_materials, .in_variant = true},
    {.name = "materials_file", .option = "materials", .in_variant = true},
    {.name = "other_surfaces", .read = project_read_other_surfaces, .in_variant = true},
    {.name = "audience", .option = "audience", .in_variant = true},
    {.name = "walls", .option = "walls"},
    {.name = "air",
     .keys = air_key,
     .wanted = "temperature_c, humidity_percent, pressure_kpa or losses",
     .in_variant = true},
    {.name = "sources", .read = project_read_sources},
    {.name = "together", .read = project_read_together},
    {.name = "arrays", .read = project_read_arrays},
    {.name = "receivers", .read = project_read_receivers},
    {.name = "receiver_grids", .read = project_read_grids},
    {.name = "fmax_hz", .option = "fmax"},
    {.name = "scheme", .option = "scheme"},
    {.name = "quality", .option = "quality"},
    {.name = "points_per_wavelength", .option = "points-per-wavelength"},
    {.name = "spacing_m", .option = "spacing"},
    {.name = "courant", .option = "courant"},
    {.name = "grid_origin_m", .option = "grid-origin"},
    {.name = "interpolation", .option = "interpolation"},
    {.name = "duration_s", .option = "duration"},
    {.name = "computing", .keys = computing_key, .wanted = "backend, threads, precision, layout or budget_s"},
    {.name = "outputs", .keys = outputs_key, .wanted = "a folder, or a mapping, as in {ambisonics: true}"},
    {.name = "report", .keys = report_key, .wanted = "title, language or letterhead"},
    {.name = "variants", .read = skip_value},
    {0},
};
_Static_assert(sizeof top_key / sizeof top_key[0] <= KEYS_MAX,
               "known keys are listed in an array of KEYS_MAX");

int project_read_base(struct project_reader *reader, struct failure *failure)
{
    const struct yaml_spot top = yaml_tree_top(reader->tree);
    const struct project *project = reader->project;
    int code = 0;
    ALSO(code, failure, read_keys(reader, &top, top_key, &next));
    if (code == 0 && project->value.subject == NULL && project->shape == NULL)
        return failure_set(failure, FAILURE_INPUT,
                           "%s names no room: it needs `room: FILE` with a mesh, or `room:` with a `shape` "
                           "(cube, sphere, cross, church)",
                           project->file);
    return code;
}

int project_read_variant(struct project_reader *reader, const struct yaml_spot *variant,
                         struct failure *failure)
{
    struct surface_table *table = &reader->project->material;
    const size_t audience = (size_t)(project_option("audience") - option_table);
    const bool of_base = reader->project->value.given[audience];
    reader->of_variant = true;
    reader->other_room = false;
    /* A variant's audience for all seats replaces the project's for some. */
    reader->project->value.given[audience] = false;
    /* Entries that remain so are the project's own. */
    for (size_t e = 0; e < table->count; e++)
        table->entry[e].may_miss = true;
    TRY(yaml_expect(variant, YAML_MAP, "a mapping with what it changes, as in {audience: 0.8}", failure));
    TRY(read_keys(reader, variant, top_key, failure));
    for (size_t e = 0; e < table->count; e++) {
        struct surface_entry *entry = &table->entry[e];
        if (entry->may_miss && reader->project->value.given[audience])
            entry->audience = NAN;
        entry->may_miss = entry->may_miss && reader->other_room;
    }
    reader->project->value.given[audience] |= of_base;
    return 0;
}

const char *project_variant_name(const char *key, char name[OPTION_NAME_MAX])
{
    (void)snprintf(name, OPTION_NAME_MAX, "%s", key);
    for (char *c = name; *c != '\0'; c++)
        if (*c == ' ')
            *c = '_';
    return name;
}

/* True if an earlier entry of the mapping has the same name. */
static int refuse_same_name(const struct yaml_spot *variants, size_t index, const char *name,
                            struct failure *failure)
{
    struct yaml_spot entry;
    char other[OPTION_NAME_MAX];
    for (size_t i = 0; i < index; i++) {
        TRY(yaml_spot_entry(variants, i, &entry, failure));
        if (strcasecmp(project_variant_name(entry.key, other), name) != 0)
            continue;
        const char *first = entry.key;
        TRY(yaml_spot_entry(variants, index, &entry, failure));
        return yaml_refuse(&entry, failure,
                           "would have the same folder as %.100s, %s: blanks become _, and some disks ignore "
                           "the case of letters",
                           first, name);
    }
    return 0;
}

int project_find_variants(const struct yaml_tree *tree, struct yaml_spot *spot, struct failure *failure)
{
    const struct yaml_spot top = yaml_tree_top(tree);
    struct yaml_spot entry;
    *spot = (struct yaml_spot){0};
    for (size_t i = 0; i < yaml_spot_count(&top); i++) {
        if (yaml_spot_entry(&top, i, &entry, NULL) == 0 && strcmp(entry.key, "variants") == 0)
            *spot = entry;
    }
    if (spot->node == NULL)
        return 0;
    TRY(project_expect(spot, YAML_MAP, PROJECT_VARIANTS_MAX, "names of variants, each with what it changes",
                       failure));
    int code = 0;
    for (size_t i = 0; i < yaml_spot_count(spot); i++) {
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        char name[OPTION_NAME_MAX];
        project_variant_name(entry.key, name);
        if (strlen(entry.key) >= OPTION_NAME_MAX || !option_name_is_valid(name) ||
            strcmp(name, PROJECT_ALL) == 0 || strcasecmp(name, PROJECT_BASE) == 0)
            ALSO(code, failure,
                 yaml_refuse(
                     &entry, &next,
                     "is not a name of a variant; expected 1 to 63 letters, digits, blanks, _ or -, but not "
                     "%s or %s, because results go into a folder of that name",
                     PROJECT_ALL, PROJECT_BASE));
        else
            ALSO(code, failure, refuse_same_name(spot, i, name, &next));
    }
    return code;
}
