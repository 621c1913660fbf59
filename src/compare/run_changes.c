#include "src/compare/run_changes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/failure.h"
#include "src/base/cut_text.h"
#include "src/compare/distinct_numbers.h"
#include "src/compare/leak_change.h"

#define NAMES_MOST    6     /* in a sentence; after that "and 3 more" */
#define ALIKE         1e-6  /* relative: numbers of run.json that differ by less are the same */
#define CHANGED_SHARE 0.005 /* of absorption: half a percent point */
#define APART         0.005 /* [m] */

/* ---- the list ---- */

/* Members of both models; each NULL where there is none. */
struct changed {
    struct json_field field; /* kind and table */
    const void *first, *second;
};

static const struct changed no_values = {.first = NULL};

__attribute__((format(printf, 6, 7))) static int add(struct run_comparison *comparison, const char *key,
                                                     bool caution, struct changed values,
                                                     struct failure *failure, const char *format, ...)
{
    struct run_change *grown =
        realloc(comparison->change, (comparison->changes + 1) * sizeof *comparison->change);
    if (grown == NULL)
        return failure_memory(failure, (comparison->changes + 1) * sizeof *grown, "a list of changes");
    comparison->change = grown;
    size_t at = comparison->changes++;
    while (caution && at > 0 && !grown[at - 1].caution)
        at--;
    memmove(&grown[at + 1], &grown[at], (comparison->changes - 1 - at) * sizeof *grown);
    struct run_change *change = &grown[at];
    *change = (struct run_change){
        .key = key, .caution = caution, .field = values.field, .value = {values.first, values.second}};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(change->words, sizeof change->words, format, arguments);
    va_end(arguments);
    blot_control_characters(change->words);
    return 0;
}

static const struct run_model *model_of(const struct run_comparison *comparison, int run)
{
    return &comparison->run[run]->model;
}

/* Of folders that are called alike, the letters that they have everywhere. */
static const char *name_of(const struct run_comparison *comparison, int run)
{
    const bool alike = strcmp(comparison->run[0]->name, comparison->run[1]->name) == 0;
    return alike ? run == 0 ? "A" : "B" : comparison->run[run]->name;
}

static bool alike(double first, double second)
{
    return fabs(second - first) <= ALIKE * fmax(fabs(first), fabs(second));
}

static bool differ(const char *first, const char *second)
{
    return first != NULL && second != NULL && strcmp(first, second) != 0;
}

#define SHORT(text) CUT_TEXT(text, 40)
#define NAME(text)  CUT_TEXT(text, 60)
#define LONG(text)  CUT_TEXT(text, 200)

/* ---- numbers and words of run.json ---- */

enum part { PART_RUN, PART_AIR, PART_HEAD };

struct watched {
    enum part part; /* the struct that the member is of */
    struct json_field field;
    const char *word, *unit;
    bool caution;
};

#define OF_RUN(kind, key, member)  PART_RUN, JSON_FIELD_##kind(key, struct run_model, member, JSON_NULL)
#define OF_AIR(kind, key, member)  PART_AIR, JSON_FIELD_##kind(key, struct record_air, member, JSON_NULL)
#define OF_HEAD(kind, key, member) PART_HEAD, JSON_FIELD_##kind(key, struct record_head, member, JSON_NULL)

static const struct watched watched[] = {
    {OF_RUN(NUMBER, "air_volume_m3", size.air_volume), "volume of the air", " m3", false},
    {OF_RUN(NUMBER, "points_per_wavelength", room.points_per_wavelength), "points per wavelength", "", false},
    {OF_RUN(NUMBER, "spacing_m", room.spacing), "spacing of the grid", " m", false},
    {OF_RUN(NUMBER, "duration_s", duration), "length of the responses", " s", false},
    {OF_RUN(NUMBER, "seal_m", room.seal), "cracks sealed up to", " m", false},
    {OF_AIR(NUMBER, "air.temperature_c", temperature), "temperature", " C", false},
    {OF_AIR(NUMBER, "air.humidity_percent", humidity), "humidity", " %", false},
    {OF_AIR(NUMBER, "air.pressure_kpa", pressure), "air pressure", " kPa", false},
    {OF_HEAD(NUMBER, "head.yaw_deg", yaw), "yaw of the head", " degrees", false},
    {OF_RUN(TEXT, "version", room.version), "version of the program", "", true},
    {OF_AIR(TEXT, "air.method", method), "losses of the air", "", false},
    {OF_RUN(TEXT, "walls", room.walls), "model of the walls", "", false},
    {OF_RUN(TEXT, "precision", room.precision), "precision", "", false},
    {OF_RUN(TEXT, "interpolation", room.interpolation), "interpolation at positions", "", false},
};

/* The member in that model, or NULL. */
static const void *member_of(const struct run_model *model, const struct watched *entry)
{
    const void *const part[] = {[PART_RUN] = model, [PART_AIR] = model->air, [PART_HEAD] = model->head};
    const char *from = part[entry->part];
    return from != NULL ? from + entry->field.at : NULL;
}

static int compare_watched(struct run_comparison *comparison, const struct watched *entry,
                           struct failure *failure)
{
    const struct changed values = {entry->field, member_of(model_of(comparison, 0), entry),
                                   member_of(model_of(comparison, 1), entry)};
    if (values.first == NULL || values.second == NULL)
        return 0;
    if (entry->field.kind == JSON_TEXT) {
        const char *a = *(char *const *)values.first, *b = *(char *const *)values.second;
        return differ(a, b) ? add(comparison, entry->field.name, entry->caution, values, failure,
                                  "%s: %.*s -> %.*s", entry->word, LONG(a), LONG(b))
                            : 0;
    }
    const double a = *(const double *)values.first, b = *(const double *)values.second;
    if (isnan(a) || isnan(b) || alike(a, b))
        return 0;
    const struct distinct_numbers numbers = distinct_digits(a, b, 4);
    return add(comparison, entry->field.name, entry->caution, values, failure, "%s: %s%s -> %s%s",
               entry->word, numbers.first, entry->unit, numbers.second, entry->unit);
}

/* ---- what makes a comparison less than it seems ---- */

static int compare_bands(struct run_comparison *comparison, struct failure *failure)
{
    const struct octave_list *octave = &comparison->octaves;
    const double *first = &model_of(comparison, 0)->room.fmax, *second = &model_of(comparison, 1)->room.fmax;
    char octaves[160];
    int used = snprintf(octaves, sizeof octaves, octave->count > 0 ? "only " : "no octave is in both");
    for (size_t o = 0; o < octave->count; o++)
        used += snprintf(octaves + used, sizeof octaves - (size_t)used, "%s%d",
                         o == 0                   ? ""
                         : o + 1 == octave->count ? " and "
                                                  : ", ",
                         octave->hz[o]);
    if (octave->count > 0)
        snprintf(octaves + used, sizeof octaves - (size_t)used, " Hz can be compared");
    const struct distinct_numbers numbers = distinct_digits(*first, *second, 4);
    const bool shared = comparison->pairs > 0 || comparison->grids > 0;
    if (!alike(*first, *second))
        return add(comparison, "fmax_hz", true, (struct changed){{.kind = JSON_NUMBER}, first, second},
                   failure, "highest frequency: %s Hz -> %s Hz%s%s", numbers.first, numbers.second,
                   shared ? "; " : "", shared ? octaves : "");
    if (shared && octave->count == 0)
        return add(comparison, "octaves_hz", true, no_values, failure,
                   "no octave can be compared: there is none below %.4g Hz in both", *first);
    return 0;
}

static int compare_partial(struct run_comparison *comparison, struct failure *failure)
{
    const struct changed values = {
        {.kind = JSON_BOOL}, &model_of(comparison, 0)->partial, &model_of(comparison, 1)->partial};
    for (int r = 0; r < 2; r++) {
        const char *because = model_of(comparison, r)->partial_because;
        const char *why = because != NULL ? because : "it does not say why";
        if (model_of(comparison, r)->partial)
            TRY(add(comparison, "partial", true, values, failure, "%.*s was not finished: %.*s",
                    NAME(name_of(comparison, r)), LONG(why)));
    }
    return 0;
}

/* "S1 to R2, S1 to R3 and 4 more" */
static void name_alone(const struct run_comparison *comparison, int run, char *text, size_t size)
{
    const size_t count = comparison->unpaired[run];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && i < NAMES_MOST && used < size; i++) {
        const char *source = comparison->alone[run][i]->source,
                   *receiver = comparison->alone[run][i]->receiver;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%.*s to %.*s", i > 0 ? ", " : "",
                             SHORT(source != NULL ? source : "?"), SHORT(receiver != NULL ? receiver : "?"));
    }
    if (count > NAMES_MOST && used < size)
        snprintf(text + used, size - used, " and %zu more", count - NAMES_MOST);
}

static int compare_names(struct run_comparison *comparison, struct failure *failure)
{
    char names[560];
    for (int r = 0; r < 2; r++) {
        if (comparison->unpaired[r] == 0)
            continue;
        name_alone(comparison, r, names, sizeof names);
        TRY(add(comparison, "responses", true, no_values, failure, "only in %.*s: %s",
                SHORT(name_of(comparison, r)), names));
    }
    if (comparison->pairs == 0 && comparison->grids == 0)
        TRY(add(comparison, "responses", true, no_values, failure,
                "nothing can be compared: no source and receiver have the same names in both"));
    return 0;
}

static int add_moved(struct run_comparison *comparison, const char *key, const char *kind, const char *name,
                     double distance, struct failure *failure)
{
    return distance > APART
               ? add(comparison, key, true, no_values, failure,
                     "%s %.*s is not in the same place: %.3g m apart", kind, NAME(name), distance)
               : 0;
}

/* Each name once. */
static int compare_places(struct run_comparison *comparison, struct failure *failure)
{
    for (size_t p = 0; p < comparison->pairs; p++) {
        const struct compared_pair *pair = &comparison->pair[p];
        bool source_new = true, receiver_new = true;
        for (size_t q = 0; q < p; q++) {
            source_new = source_new && strcmp(comparison->pair[q].source, pair->source) != 0;
            receiver_new = receiver_new && strcmp(comparison->pair[q].receiver, pair->receiver) != 0;
        }
        if (source_new)
            TRY(add_moved(comparison, "sources", "source", pair->source, pair->source_moved, failure));
        if (receiver_new)
            TRY(add_moved(comparison, "receivers", "receiver", pair->receiver, pair->receiver_moved,
                          failure));
    }
    return 0;
}

/* ---- the room ---- */

static int compare_room(struct run_comparison *comparison, struct failure *failure)
{
    const struct record_mesh *first = model_of(comparison, 0)->room.mesh,
                             *second = model_of(comparison, 1)->room.mesh;
    if (first == NULL || second == NULL || !differ(first->mesh_hash, second->mesh_hash))
        return 0;
    const struct changed values = {{.kind = JSON_PART, .table = &record_mesh_table}, first, second};
    if (differ(first->file, second->file))
        return add(comparison, "room", false, values, failure, "the mesh of the room differs: %.*s -> %.*s",
                   LONG(first->file), LONG(second->file));
    return add(comparison, "room", false, values, failure, "the mesh of the room differs");
}

static const struct record_material *material_called(const struct run_model *model, const char *name)
{
    for (size_t i = 0; name != NULL && i < model->room.materials.count; i++) {
        const struct record_material *material = &model->room.materials.item[i];
        if (material->name != NULL && strcmp(material->name, name) == 0)
            return material;
    }
    return NULL;
}

static double absorption_at(const struct run_model *model, const struct record_material *material, int hz)
{
    const struct json_numbers *octaves = &model->room.material_octaves;
    for (size_t i = 0; i < octaves->count; i++)
        if (fabs(octaves->value[i] - hz) < 1)
            return json_number_of(&material->octaves_used, i);
    return NAN;
}

/* "63 Hz 0.10 -> 0.60, 125 Hz 0.10 -> 0.58" in the octaves compared; empty where none changed. */
static void absorption_words(const struct run_comparison *comparison, const struct record_material *first,
                             const struct record_material *second, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t b = 0; b < comparison->octaves.count && used < size; b++) {
        const int hz = comparison->octaves.hz[b];
        const double value = absorption_at(model_of(comparison, 0), first, hz),
                     other = absorption_at(model_of(comparison, 1), second, hz);
        const struct distinct_numbers numbers = distinct_decimals(value, other, 2);
        if (fabs(other - value) >= CHANGED_SHARE)
            used += (size_t)snprintf(text + used, size - used, "%s%d Hz %s -> %s", used == 0 ? "" : ", ", hz,
                                     numbers.first, numbers.second);
    }
    const double a = first->absorption_used, b = second->absorption_used;
    const struct distinct_numbers numbers = distinct_decimals(a, b, 2);
    if (used == 0 && fabs(b - a) >= CHANGED_SHARE)
        snprintf(text, size, "500 Hz %s -> %s", numbers.first, numbers.second);
}

static int compare_material(struct run_comparison *comparison, const struct record_material *first,
                            const struct record_material *second, struct failure *failure)
{
    const struct changed values = {{.kind = JSON_PART, .table = &record_material_table}, first, second};
    char absorption[320];
    absorption_words(comparison, first, second, absorption, sizeof absorption);
    if (absorption[0] != '\0')
        TRY(add(comparison, "materials", false, values, failure, "%.*s absorbs differently: %s",
                NAME(first->name), absorption));
    const struct distinct_numbers area = distinct_digits(first->area, second->area, 4);
    if (fabs(second->area - first->area) > 1e-3 * fmax(first->area, second->area))
        TRY(add(comparison, "materials", false, values, failure, "%.*s has another area: %s m2 -> %s m2",
                NAME(first->name), area.first, area.second));
    const struct distinct_numbers taken = distinct_digits(first->audience, second->audience, 2);
    if (fabs(second->audience - first->audience) > ALIKE)
        TRY(add(comparison, "materials", false, values, failure, "%.*s: share of seats taken %s -> %s",
                NAME(first->name), taken.first, taken.second));
    return 0;
}

/* Materials of one run that the other lacks, in one sentence. */
static int name_materials_alone(struct run_comparison *comparison, int run, struct failure *failure)
{
    const struct run_model *model = model_of(comparison, run), *other = model_of(comparison, 1 - run);
    char names[480] = "";
    size_t count = 0, used = 0;
    for (size_t i = 0; i < model->room.materials.count; i++) {
        const char *name = model->room.materials.item[i].name;
        if (name == NULL || material_called(other, name) != NULL)
            continue;
        if (count++ < NAMES_MOST)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", count > 1 ? ", " : "",
                                     NAME(name));
    }
    if (count > NAMES_MOST)
        snprintf(names + used, sizeof names - used, " and %zu more", count - NAMES_MOST);
    const void *list = &model->room.materials;
    const struct changed values = {
        {.kind = JSON_LIST, .table = &record_material_table}, run == 0 ? list : NULL, run == 1 ? list : NULL};
    return count == 0 ? 0
                      : add(comparison, "materials", false, values, failure, "surfaces only in %.*s: %s",
                            NAME(name_of(comparison, run)), names);
}

static int compare_materials(struct run_comparison *comparison, struct failure *failure)
{
    const struct run_model *first = model_of(comparison, 0), *second = model_of(comparison, 1);
    for (size_t i = 0; i < first->room.materials.count; i++) {
        const struct record_material *material = &first->room.materials.item[i],
                                     *other = material_called(second, material->name);
        if (other != NULL)
            TRY(compare_material(comparison, material, other, failure));
    }
    TRY(name_materials_alone(comparison, 0, failure));
    return name_materials_alone(comparison, 1, failure);
}

/* Where only one run lets sound out, or had closed a crack. */
static int compare_leaks(struct run_comparison *comparison, struct failure *failure)
{
    static const struct {
        void (*put)(const struct run_model *run, const struct run_model *other, char *text, size_t size);
        const char *words;
    } kind[] = {{leak_change_openings, "sound gets out only"}, {leak_change_cracks, "closed only"}};
    const struct changed values = {{.kind = JSON_LIST, .table = &record_leak_table},
                                   &model_of(comparison, 0)->leaks,
                                   &model_of(comparison, 1)->leaks};
    for (int r = 0; r < 2; r++)
        for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++) {
            char leaks[400];
            kind[k].put(model_of(comparison, r), model_of(comparison, 1 - r), leaks, sizeof leaks);
            if (leaks[0] != '\0')
                TRY(add(comparison, "leaks", false, values, failure, "%s in %.*s: %s", kind[k].words,
                        NAME(name_of(comparison, r)), leaks));
        }
    return 0;
}

int run_changes_find(struct run_comparison *comparison, struct failure *failure)
{
    TRY(compare_bands(comparison, failure));
    TRY(compare_partial(comparison, failure));
    TRY(compare_names(comparison, failure));
    TRY(compare_places(comparison, failure));
    TRY(compare_room(comparison, failure));
    TRY(compare_materials(comparison, failure));
    TRY(compare_leaks(comparison, failure));
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++)
        TRY(compare_watched(comparison, &watched[i], failure));
    return 0;
}
