/* Reads the room of a project and the surfaces in it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rooms/layers/wall_layers.h"
#include "rooms/materials/absorption_bands.h"
#include "rooms/materials/absorption_uncertainty.h"
#include "rooms/text/table_text.h"
#include "src/base/options/option_values.h"
#include "src/setup/project/project_readers.h"

/* ---- the room ---- */

/* "nave-length" as a key: "nave_length". */
static void key_of_measure(const char *name, char key[64])
{
    (void)snprintf(key, 64, "%s", name);
    for (char *dash = key; (dash = strchr(dash, '-')) != NULL;)
        *dash = '_';
}

static int read_measure(const struct room_parameter *parameter, const struct yaml_spot *spot, double *value,
                        struct failure *failure)
{
    if (parameter->words != NULL) {
        int word = 0;
        TRY(project_read_word(spot, parameter->words, &word, failure));
        *value = word;
        return 0;
    }
    const struct yaml_limits limits = {parameter->low, parameter->high, false, parameter->whole,
                                       parameter->unit};
    return yaml_read_number(spot, &limits, value, failure);
}

static int refuse_measure(const struct room_shape *shape, const struct yaml_spot *spot,
                          struct failure *failure)
{
    char key[ROOM_PARAMETERS_MAX][64];
    const char *known[ROOM_PARAMETERS_MAX + 2] = {"shape"};
    for (size_t p = 0; p < shape->parameter_count; p++) {
        key_of_measure(shape->parameter[p].name, key[p]);
        known[p + 1] = key[p];
    }
    return project_refuse_key(spot, known, failure);
}

static int read_measure_at(struct project *project, const struct yaml_spot *spot, size_t index,
                           struct failure *failure)
{
    const struct room_shape *shape = project->shape;
    struct yaml_spot entry;
    char key[64];
    TRY(yaml_spot_entry(spot, index, &entry, failure));
    for (size_t p = 0; p < shape->parameter_count; p++) {
        key_of_measure(shape->parameter[p].name, key);
        if (strcmp(entry.key, key) == 0)
            return read_measure(&shape->parameter[p], &entry, &project->measure[p], failure);
    }
    return strcmp(entry.key, "shape") == 0 ? 0 : refuse_measure(shape, &entry, failure);
}

static int read_measures(struct project *project, const struct yaml_spot *spot, struct failure *failure)
{
    int code = 0;
    room_defaults(project->shape, project->measure);
    for (size_t i = 0; i < yaml_spot_count(spot); i++)
        ALSO(code, failure, read_measure_at(project, spot, i, &next));
    return code;
}

static int read_shape(struct project *project, const struct yaml_spot *spot, struct failure *failure)
{
    enum { SHAPES_MAX = 32 };
    const char *names[SHAPES_MAX + 1] = {NULL};
    size_t count = 0;
    int word = 0;
    const struct room_shape *all = room_shapes(&count);
    for (size_t s = 0; s < count && s < SHAPES_MAX; s++)
        names[s] = all[s].name;
    TRY(project_read_word(spot, names, &word, failure));
    project->shape = &all[word];
    return 0;
}

static int read_mesh(struct project *project, const struct yaml_spot *spot, struct failure *failure)
{
    const char *text = NULL;
    TRY(yaml_read_text(spot, "a mesh file (.obj .gltf .glb .ply .stl .dae .fbx .3ds .dxf .ifc)", &text,
                       failure));
    if (project_is_file(text))
        return yaml_refuse_value(spot, "a mesh file, not another project", failure);
    project->shape = NULL;
    return project_path(project, text, &project->value.subject, failure);
}

int project_read_room(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure)
{
    static const char wanted[] = "a mesh file, or a mapping with `mesh` or `shape`";
    static const char *const known[] = {"mesh", "shape", NULL};
    struct project *project = reader->project;
    reader->other_room = reader->of_variant;
    if (yaml_spot_kind(spot) == YAML_SCALAR) {
        if (yaml_spot_text(spot)[0] == '\0')
            return yaml_refuse_value(spot, wanted, failure);
        return read_mesh(project, spot, failure);
    }
    TRY(yaml_expect(spot, YAML_MAP, wanted, failure));
    struct yaml_spot key[2], unknown;
    const struct yaml_spot *mesh = &key[0], *shape = &key[1];
    TRY(yaml_find_keys(spot, known, 2, key, &unknown, failure));
    if (shape->node != NULL && mesh->node == NULL) {
        TRY(read_shape(project, shape, failure));
        return read_measures(project, spot, failure);
    }
    if (unknown.node != NULL)
        return project_refuse_key(&unknown, known, failure);
    if (shape->node != NULL)
        return yaml_refuse(mesh, failure, "and room.shape contradict each other: keep one");
    return read_mesh(project, mesh, failure);
}

/* ---- surfaces ---- */

#define MATERIALS_MAX 4096

static const struct yaml_limits share = {.low = 0, .high = 1, .unit = ""};
static const struct yaml_limits absorption = {
    .low = 0, .high = ABSORPTION_GIVEN_MAX, .unit = "(laboratories find more than 1; write 35 % as 0.35)"};

/* The keys of a material. */
enum {
    LIBRARY,
    ABSORPTION,
    OCTAVES,
    SCATTERING,
    AUDIENCE,
    GUESSED,
    BUILD,
    KIND,
    SHEET,
    MATERIAL_KEYS = SHEET + SHEET_KEYS
};
static const char *const material_key[MATERIAL_KEYS + 1] = {
    "library", "absorption", "octaves",         "scattering", "audience",    "guessed",
    "build",   "kind",       "flow_resistance", "mass",       "combination", NULL,
};

static int read_library(struct project_reader *reader, const struct yaml_spot *spot,
                        struct surface_entry *entry, struct failure *failure)
{
    static const char wanted[] =
        "a name of the material library, also with how well it is known, as oak door +- 0.05";
    const char *text = NULL;
    char name[ABSORPTION_NAME_MAX];
    double uncertainty;
    entry->form = SURFACE_NAMED;
    TRY(yaml_read_text(spot, wanted, &text, failure));
    if (!absorption_read_name(text, name, &uncertainty))
        return yaml_refuse_value(spot, wanted, failure);
    entry->stated = !isnan(uncertainty);
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        entry->uncertainty[o] = uncertainty;
    return project_keep(reader->project, &entry->library, failure, "%s", name);
}

/* `church.yaml, line 12: "panel"` for warnings. */
#define WHERE_MAX 300
static void write_place(const struct project_reader *reader, const struct yaml_spot *spot, const char *name,
                        char where[WHERE_MAX])
{
    const char *file = reader->project->file, *slash = strrchr(file, '/');
    (void)snprintf(where, WHERE_MAX, "%.100s, line %zu: \"%.100s\"", slash == NULL ? file : slash + 1,
                   spot->line, name);
}

/* A number, as 0.3, or with its uncertainty, 0.3 +- 0.05; NaN: without. */
static int read_known(const struct yaml_spot *spot, double *value, double *uncertainty,
                      struct failure *failure)
{
    size_t width;
    const char *text = yaml_spot_text(spot), *plus = absorption_plus_minus(text, &width);
    *uncertainty = NAN;
    if (plus == NULL)
        return yaml_read_number(spot, &absorption, value, failure);
    return text_number(text, (size_t)(plus - text), value) && *value >= 0 && *value <= ABSORPTION_GIVEN_MAX &&
                   absorption_read_bar(plus + width, false, uncertainty)
               ? 0
               : yaml_refuse_value(spot, "an absorption from 0 to 1 and how well it is known, as 0.3 +- 0.05",
                                   failure);
}

/* A number, or a mapping of octaves or third octaves: {125: 0.2, 250: 0.4}. */
static int read_absorption(struct project_reader *reader, const struct yaml_spot *spot, const char *name,
                           struct surface_entry *entry, struct failure *failure)
{
    struct surface_table *table = &reader->project->material;
    char where[WHERE_MAX], centre[ABSORPTION_BANDS][8];
    const char *known[ABSORPTION_BANDS];
    struct yaml_spot key[ABSORPTION_BANDS], unknown;
    struct absorption_bands bands = {.given = 0};
    double value = 0, uncertainty = NAN;
    write_place(reader, spot, name, where);
    if (yaml_spot_kind(spot) != YAML_MAP) {
        TRY(read_known(spot, &value, &uncertainty, failure));
        entry->form = SURFACE_NUMBER;
        entry->stated = !isnan(uncertainty);
        value = absorption_at_most_one(value, 0, where, table);
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
            entry->absorption[o] = value;
            entry->uncertainty[o] = uncertainty;
        }
        return 0;
    }
    for (size_t b = 0; b < ABSORPTION_BANDS; b++) {
        (void)snprintf(centre[b], sizeof centre[b], "%u", absorption_band[b]);
        known[b] = centre[b];
    }
    TRY(yaml_find_keys(spot, known, ABSORPTION_BANDS, key, &unknown, failure));
    if (unknown.node != NULL)
        return yaml_refuse(
            &unknown, failure,
            "is not an octave (63, 125, 250, .. 8000 Hz) or a third octave (50, 63, 80, .. 10000 Hz)");
    for (size_t b = 0; b < ABSORPTION_BANDS; b++)
        if (key[b].node != NULL) {
            TRY(read_known(&key[b], &bands.value[b], &bands.uncertainty[b], failure));
            bands.given |= 1u << b;
            bands.stated |= !isnan(bands.uncertainty[b]) ? 1u << b : 0;
        }
    if (bands.given == 0)
        return yaml_refuse(spot, failure, "has no octave: give it as {125: 0.2, 1000: 0.6}");
    absorption_of_bands(&bands, absorption_bands_are_thirds(bands.given), where, entry, table);
    return 0;
}

static int read_octaves(struct project_reader *reader, const struct yaml_spot *spot, const char *name,
                        struct surface_entry *entry, struct failure *failure)
{
    char where[WHERE_MAX];
    static const char wanted[] = "a list of 8 absorptions, at 63 to 8000 Hz";
    entry->form = SURFACE_OCTAVES;
    if (yaml_spot_kind(spot) != YAML_LIST || yaml_spot_count(spot) != MATERIAL_OCTAVES)
        return yaml_refuse_value(spot, wanted, failure);
    int code = 0;
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
        struct yaml_spot octave;
        TRY(yaml_spot_entry(spot, o, &octave, failure));
        ALSO(code, failure, read_known(&octave, &entry->absorption[o], &entry->uncertainty[o], &next));
        entry->stated = entry->stated || !isnan(entry->uncertainty[o]);
    }
    if (code != 0)
        return code;
    write_place(reader, spot, name, where);
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        entry->absorption[o] = absorption_at_most_one(entry->absorption[o], material_octave[o], where,
                                                      &reader->project->material);
    return 0;
}

/* Layers as a text or a list of texts. Their branches are fitted once a room has them (room_walls.c). */
static int read_build(struct project_reader *reader, const struct yaml_spot *spot,
                      struct surface_entry *entry, struct failure *failure)
{
    static const char wanted[] = "layers from the room on: [mineral wool 50 mm 8 kPa s/m2, air 200 mm]";
    char text[1000] = "";
    struct wall_layers layers;
    struct failure why = {0};
    TRY(yaml_expect(spot, yaml_spot_kind(spot) == YAML_LIST ? YAML_LIST : YAML_SCALAR, wanted, failure));
    if (yaml_spot_kind(spot) == YAML_SCALAR)
        text_append(text, sizeof text, "%s", yaml_spot_text(spot));
    for (size_t i = 0; i < yaml_spot_count(spot); i++) {
        struct yaml_spot layer;
        const char *words = NULL;
        TRY(yaml_spot_entry(spot, i, &layer, failure));
        TRY(yaml_read_text(&layer, wanted, &words, failure));
        text_append(text, sizeof text, "%s;", words);
    }
    if (wall_layers_read(text, &layers, &why) != 0)
        return yaml_refuse(spot, failure, "cannot be built: %s", why.sentence);
    entry->form = SURFACE_BRANCHES;
    return project_keep(reader->project, &entry->build, failure, "%s", text);
}

/* `kind: sheet` is allowed, as in a library. */
static int read_sheet(const struct yaml_spot *spot, const struct yaml_spot key[MATERIAL_KEYS],
                      struct surface_entry *entry, struct failure *failure)
{
    static const char *const kind[] = {"sheet", NULL};
    int word, code = 0;
    entry->form = SURFACE_SHEET;
    if (key[KIND].node != NULL)
        ALSO(code, failure, project_read_word(&key[KIND], kind, &word, &next));
    ALSO(code, failure, material_sheet_read(spot, &key[SHEET], &entry->sheet, &next));
    return code;
}

static int read_entry(struct project_reader *reader, const struct yaml_spot *spot,
                      struct surface_entry *entry, struct failure *failure)
{
    struct yaml_spot key[MATERIAL_KEYS];
    int code = 0;
    ALSO(code, failure, project_find_keys(spot, material_key, key, &next));
    bool sheet = false;
    for (size_t k = KIND; k < MATERIAL_KEYS; k++)
        sheet = sheet || key[k].node != NULL;
    const int ways = (key[LIBRARY].node != NULL) + (key[ABSORPTION].node != NULL) +
                     (key[OCTAVES].node != NULL) + (key[BUILD].node != NULL) + sheet;
    if (ways > 1)
        ALSO(code, failure,
             yaml_refuse(spot, &next,
                         "has more than one of library, absorption, octaves, build and what makes a sheet "
                         "(flow_resistance, mass): keep one"));
    if (sheet)
        ALSO(code, failure, read_sheet(spot, key, entry, &next));
    if (key[AUDIENCE].node != NULL && ways > 0 && key[LIBRARY].node == NULL)
        ALSO(code, failure,
             yaml_refuse(&key[AUDIENCE], &next,
                         "is for seats of the library, not for an absorption that is given: leave one out"));
    if (key[ABSORPTION].node != NULL)
        ALSO(code, failure, read_absorption(reader, &key[ABSORPTION], spot->key, entry, &next));
    if (key[OCTAVES].node != NULL)
        ALSO(code, failure, read_octaves(reader, &key[OCTAVES], spot->key, entry, &next));
    if (key[BUILD].node != NULL)
        ALSO(code, failure, read_build(reader, &key[BUILD], entry, &next));
    if (key[LIBRARY].node != NULL)
        ALSO(code, failure, read_library(reader, &key[LIBRARY], entry, &next));
    if (ways == 0) {
        entry->form = SURFACE_NAMED;
        ALSO(code, failure, project_keep(reader->project, &entry->library, &next, "%s", spot->key));
    }
    if (key[SCATTERING].node != NULL)
        ALSO(code, failure, scattering_read(&key[SCATTERING], &entry->scattering, &next));
    if (key[AUDIENCE].node != NULL)
        ALSO(code, failure, yaml_read_number(&key[AUDIENCE], &share, &entry->audience, &next));
    if (key[GUESSED].node != NULL)
        ALSO(code, failure, yaml_read_bool(&key[GUESSED], &entry->guessed, &next));
    return code;
}

/* The entry of the same name, ignoring case, among the first `count`: its index, or `count`. */
static size_t find_entry(const struct surface_table *table, size_t count, const char *name)
{
    size_t e = 0;
    while (e < count && (table->entry[e].name == NULL || strcasecmp(table->entry[e].name, name) != 0))
        e++;
    return e;
}

/* @param before entries of the table that are not of this mapping: one of the same name is replaced */
static int read_material(struct project_reader *reader, const struct yaml_spot *spot, size_t before,
                         struct failure *failure)
{
    static const char wanted[] =
        "a name of the library, an absorption from 0 to 1, or a mapping with library, absorption or octaves";
    struct surface_table *table = &reader->project->material;
    struct surface_entry entry = {.giver = SURFACE_BY_PROJECT, .audience = NAN};
    if (spot->key[0] == '\0')
        return yaml_refuse(spot, failure, "has an entry without a name");
    TRY(project_keep(reader->project, &entry.where, failure, "%s", spot->path));
    entry.file = reader->project->file;
    entry.line = spot->line;
    if (yaml_spot_kind(spot) == YAML_SCALAR) {
        const char *value = yaml_spot_text(spot);
        if (value[0] == '\0')
            return yaml_refuse_value(spot, wanted, failure);
        TRY(absorption_is_number(value) ? read_absorption(reader, spot, spot->key, &entry, failure)
                                        : read_library(reader, spot, &entry, failure));
    } else {
        TRY(yaml_expect(spot, YAML_MAP, wanted, failure));
        TRY(read_entry(reader, spot, &entry, failure));
    }
    const size_t e = find_entry(table, before, spot->key);
    if (e == before)
        return surface_table_append(table, &entry, spot->key, strlen(spot->key), failure);
    entry.name = table->entry[e].name;
    table->entry[e] = entry;
    return 0;
}

int project_read_materials(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure)
{
    const size_t before = reader->project->material.count;
    TRY(project_expect(spot, YAML_MAP, MATERIALS_MAX, "the materials of the mesh, each with what it absorbs",
                       failure));
    int code = 0;
    for (size_t i = 0; i < yaml_spot_count(spot); i++) {
        struct yaml_spot entry;
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        ALSO(code, failure, read_material(reader, &entry, before, &next));
    }
    return code;
}

int project_read_other_surfaces(struct project_reader *reader, const struct yaml_spot *spot,
                                struct failure *failure)
{
    struct surface_table *table = &reader->project->material;
    struct surface_entry entry = {.giver = SURFACE_BY_PROJECT, .audience = NAN};
    TRY(read_absorption(reader, spot, "other_surfaces", &entry, failure));
    for (size_t e = 0; e < table->count; e++)
        if (table->entry[e].name == NULL) {
            table->entry[e] = entry;
            return 0;
        }
    return surface_table_append(table, &entry, NULL, 0, failure);
}

int project_read_two_sided(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure)
{
    struct option_texts *texts = &reader->project->value.request.surfaces.two_sided;
    TRY(project_expect(spot, YAML_MAP, MATERIALS_MAX,
                       "surfaces of the room, each with the material behind it", failure));
    project_give(reader->project, "two-sided");
    option_texts_free(texts);
    int code = 0;
    for (size_t i = 0; i < yaml_spot_count(spot); i++) {
        struct yaml_spot entry;
        const char *back = NULL, *pair = NULL;
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        ALSO(code, failure, yaml_read_text(&entry, "the material behind", &back, &next));
        if (back == NULL)
            continue;
        TRY(project_keep(reader->project, &pair, failure, "%s=%s", entry.key, back));
        TRY(option_text_add_at(pair, reader->project->file, entry.line, texts, failure));
    }
    return code;
}
