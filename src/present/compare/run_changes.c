#include "src/present/compare/run_compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/failure.h"
#include "rooms/text/table_text.h"
#include "src/base/cut_text.h"
#include "src/base/name_index.h"
#include "src/present/compare/distinct_numbers.h"
#include "src/present/compare/leak_change.h"
#include "src/present/compare/setup_change.h"
#include "src/base/words/words.h"

#define NAMES_MOST    6     /* in a sentence; after that "and 3 more" */
#define ALIKE         1e-6  /* relative: numbers of run.json that differ by less are the same */
#define CHANGED_SHARE 0.005 /* of absorption: half a percent point */
#define APART         0.005 /* [m] */

/* ---- the list ---- */

/* While it is made: if memory ran out, `code` has the failure, and nothing more is added. */
struct list {
    struct run_comparison *comparison;
    const struct run_model *model[2];
    const char
        *name[2]; /* of the runs; of folders that are called alike, the letters that they have everywhere */
    struct name_index materials[2];
    struct failure *failure;
    int code;
};

/* Members of both models; each may be NULL. */
struct changed {
    struct json_field field; /* kind and table */
    const void *first, *second;
};

static const struct changed no_values = {.first = NULL};

__attribute__((format(printf, 5, 6))) static void add(struct list *list, const char *key, bool caution,
                                                      struct changed values, const char *format, ...)
{
    struct run_comparison *comparison = list->comparison;
    struct run_change *grown =
        list->code == 0 ? realloc(comparison->change, (comparison->changes + 1) * sizeof *grown) : NULL;
    if (grown == NULL) {
        list->code =
            failure_memory(list->failure, (comparison->changes + 1) * sizeof *grown, "a list of changes");
        return;
    }
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
}

static bool are_alike(double first, double second)
{
    return fabs(second - first) <= ALIKE * fmax(fabs(first), fabs(second));
}

static bool texts_differ(const char *first, const char *second)
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
    {OF_RUN(NUMBER, "air_volume_m3", size.air_volume), T_LATER("volume of the air"), " m3", false},
    {OF_RUN(NUMBER, "points_per_wavelength", room.points_per_wavelength), T_LATER("points per wavelength"),
     "", false},
    {OF_RUN(NUMBER, "spacing_m", room.spacing), T_LATER("spacing of the grid"), " m", false},
    {OF_RUN(NUMBER, "duration_s", duration), T_LATER("length of the responses"), " s", false},
    {OF_RUN(NUMBER, "seal_m", room.seal), T_LATER("cracks sealed up to"), " m", false},
    {OF_AIR(NUMBER, "air.temperature_c", temperature), T_LATER("temperature"), " C", false},
    {OF_AIR(NUMBER, "air.humidity_percent", humidity), T_LATER("humidity"), " %", false},
    {OF_AIR(NUMBER, "air.pressure_kpa", pressure), T_LATER("air pressure"), " kPa", false},
    {OF_HEAD(NUMBER, "head.yaw_deg", yaw), T_LATER("yaw of the head"), " degrees", false},
    {OF_RUN(TEXT, "version", room.version), T_LATER("version of the program"), "", true},
    {OF_AIR(TEXT, "air.method", method), T_LATER("losses of the air"), "", false},
    {OF_RUN(TEXT, "scheme", room.scheme), T_LATER("scheme of the grid"), "", true},
    {OF_RUN(TEXT, "walls", room.walls), T_LATER("model of the walls"), "", false},
    {OF_RUN(TEXT, "precision", room.precision), T_LATER("precision"), "", false},
    {OF_RUN(TEXT, "interpolation", room.interpolation), T_LATER("interpolation at positions"), "", false},
};

/* The member in that model, or NULL. */
static const void *member_of(const struct run_model *model, const struct watched *entry)
{
    const void *const part[] = {[PART_RUN] = model, [PART_AIR] = model->air, [PART_HEAD] = model->head};
    const char *from = part[entry->part];
    return from != NULL ? from + entry->field.at : NULL;
}

static void compare_watched(struct list *list, const struct watched *entry)
{
    const struct changed values = {entry->field, member_of(list->model[0], entry),
                                   member_of(list->model[1], entry)};
    if (values.first == NULL || values.second == NULL)
        return;
    if (entry->field.kind == JSON_TEXT) {
        const char *a = *(char *const *)values.first, *b = *(char *const *)values.second;
        if (texts_differ(a, b))
            add(list, entry->field.name, entry->caution, values, "%s: %.*s -> %.*s", T(entry->word), LONG(a),
                LONG(b));
        return;
    }
    const double a = *(const double *)values.first, b = *(const double *)values.second;
    const struct distinct_numbers numbers = distinct_digits(a, b, 4);
    if (!isnan(a) && !isnan(b) && !are_alike(a, b))
        add(list, entry->field.name, entry->caution, values, "%s: %s%s -> %s%s", T(entry->word),
            numbers.first, entry->unit, numbers.second, entry->unit);
}

/* ---- limits of a comparison ---- */

static void compare_bands(struct list *list)
{
    const struct octave_list *octave = &list->comparison->octaves;
    const double *first = &list->model[0]->room.fmax, *second = &list->model[1]->room.fmax;
    const bool shared = list->comparison->pairs > 0 || list->comparison->grids > 0;
    char octaves[200] = "";
    if (shared)
        text_append(octaves, sizeof octaves, "%s",
                    octave->count > 0 ? T("; only ") : T("; no octave is in both"));
    for (size_t o = 0; shared && o < octave->count; o++)
        text_append(octaves, sizeof octaves, "%s%d%s",
                    o == 0                   ? ""
                    : o + 1 == octave->count ? T(" and ")
                                             : ", ",
                    octave->hz[o], o + 1 == octave->count ? T(" Hz can be compared") : "");
    const struct distinct_numbers numbers = distinct_digits(*first, *second, 4);
    if (!are_alike(*first, *second))
        add(list, "fmax_hz", true, (struct changed){{.kind = JSON_NUMBER}, first, second},
            T("highest frequency: %s Hz -> %s Hz%s"), numbers.first, numbers.second, octaves);
    else if (shared && octave->count == 0)
        add(list, "octaves_hz", true, no_values,
            T("no octave can be compared: there is none below %s Hz in both"),
            words_number("%.4g", *first).text);
}

static void compare_partial(struct list *list)
{
    const struct changed values = {{.kind = JSON_BOOL}, &list->model[0]->partial, &list->model[1]->partial};
    for (int r = 0; r < 2; r++) {
        const char *because = list->model[r]->partial_because;
        const char *why = because != NULL ? because : T("it gives no reason");
        if (list->model[r]->partial)
            add(list, "partial", true, values, T("%.*s was not finished: %.*s"), NAME(list->name[r]),
                LONG(why));
    }
}

/* "S1 to R2, S1 to R3 and 4 more" */
static void name_alone(const struct run_comparison *comparison, int run, char *text, size_t size)
{
    const size_t count = comparison->unpaired[run];
    text[0] = '\0';
    for (size_t i = 0; i < count && i < NAMES_MOST; i++) {
        const struct record_response *response = comparison->alone[run][i];
        text_append(text, size, T("%s%.*s to %.*s"), i > 0 ? ", " : "",
                    SHORT(response->source != NULL ? response->source : "?"),
                    SHORT(response->receiver != NULL ? response->receiver : "?"));
    }
    if (count > NAMES_MOST)
        text_append(text, size, T(" and %zu more"), count - NAMES_MOST);
}

static void compare_names(struct list *list)
{
    char names[560];
    for (int r = 0; r < 2; r++) {
        name_alone(list->comparison, r, names, sizeof names);
        if (names[0] != '\0')
            add(list, "responses", true, no_values, T("only in %.*s: %s"), SHORT(list->name[r]), names);
    }
    if (list->comparison->pairs == 0 && list->comparison->grids == 0)
        add(list, "responses", true, no_values,
            T("nothing can be compared: no source and receiver have the same names in both"));
}

static void add_moved(struct list *list, const char *key, const char *kind, const char *name, double distance)
{
    if (distance > APART)
        add(list, key, true, no_values, T("%s %.*s is not in the same place: %s m apart"), T(kind),
            NAME(name), words_number("%.3g", distance).text);
}

/* Each name once. */
static void compare_places(struct list *list)
{
    const struct compared_pair *pair = list->comparison->pair;
    const size_t pairs = list->comparison->pairs;
    struct name_index sources = {0}, receivers = {0};
    if (pairs == 0)
        return;
    int code = name_index_make(&pair[0].source, sizeof *pair, pairs, &sources, list->failure);
    if (code == 0)
        code = name_index_make(&pair[0].receiver, sizeof *pair, pairs, &receivers, list->failure);
    for (size_t p = 0; code == 0 && p < pairs; p++) {
        if (name_index_find(&sources, pair[p].source) == p)
            add_moved(list, "sources", T_LATER("source"), pair[p].source, pair[p].source_moved);
        if (name_index_find(&receivers, pair[p].receiver) == p)
            add_moved(list, "receivers", T_LATER("receiver"), pair[p].receiver, pair[p].receiver_moved);
    }
    list->code = list->code == 0 ? code : list->code;
    name_index_free(&sources);
    name_index_free(&receivers);
}

/* Sources that are called alike, those that sound in others among them. */
static void compare_radiation(struct list *list)
{
    const struct record_points *first = &list->model[0]->points, *second = &list->model[1]->points;
    for (size_t i = 0; i < first->sources.count; i++)
        for (size_t j = 0; j < second->sources.count; j++) {
            const struct record_point *a = &first->sources.item[i], *b = &second->sources.item[j];
            char text[2][SETUP_CHANGE_MAX];
            if (same_name(a->name, b->name) && source_change(a, b, text))
                add(list, "sources", false,
                    (struct changed){{.kind = JSON_PART, .table = &record_point_table}, a, b},
                    T("source %.*s radiates differently: %s -> %s"), NAME(a->name), text[0], text[1]);
        }
}

static const struct record_dummy_head *head_called(const struct run_model *model, const char *name)
{
    for (size_t h = 0; h < model->points.heads.count; h++)
        if (same_name(model->points.heads.item[h].name, name))
            return &model->points.heads.item[h];
    return NULL;
}

static void compare_heads(struct list *list)
{
    for (int run = 0; run < 2; run++)
        for (size_t h = 0; h < list->model[run]->points.heads.count; h++) {
            const char *name = list->model[run]->points.heads.item[h].name;
            const struct record_dummy_head *const of[] = {head_called(list->model[0], name),
                                                          head_called(list->model[1], name)};
            char text[2][SETUP_CHANGE_MAX];
            if (of[run] != NULL && (run == 0 || of[0] == NULL) && head_change(of[0], of[1], text))
                add(list, "dummy_heads", false,
                    (struct changed){{.kind = JSON_PART, .table = &record_dummy_head_table}, of[0], of[1]},
                    T("the dummy head %.*s is another: %s -> %s"), NAME(name), text[0], text[1]);
        }
}

/* ---- the room ---- */

static void compare_room(struct list *list)
{
    const struct record_mesh *first = list->model[0]->room.mesh, *second = list->model[1]->room.mesh;
    if (first == NULL || second == NULL || !texts_differ(first->mesh_hash, second->mesh_hash))
        return;
    const struct changed values = {{.kind = JSON_PART, .table = &record_mesh_table}, first, second};
    if (texts_differ(first->file, second->file))
        add(list, "room", false, values, T("the mesh of the room differs: %.*s -> %.*s"), LONG(first->file),
            LONG(second->file));
    else
        add(list, "room", false, values, "%s", T("the mesh of the room differs"));
}

static const struct record_material *material_called(const struct list *list, int run, const char *name)
{
    const size_t i = name_index_find(&list->materials[run], name);
    return i != NAME_INDEX_NONE ? &list->model[run]->room.materials.item[i] : NULL;
}

static int index_materials(struct list *list)
{
    for (int run = 0; run < 2; run++) {
        const struct record_room *room = &list->model[run]->room;
        for (size_t i = 0; i < room->materials.count; i++)
            TRY(name_index_add(&list->materials[run], room->materials.item[i].name, i, list->failure));
        name_index_sort(&list->materials[run]);
    }
    return 0;
}

static double absorption_at(const struct run_model *model, const struct record_material *material, int hz)
{
    const struct json_numbers *octaves = &model->room.material_octaves;
    for (size_t i = 0; i < octaves->count; i++)
        if (fabs(octaves->value[i] - hz) < 1)
            return json_number_of(&material->octaves_used, i);
    return NAN;
}

static void add_absorption(char *text, size_t size, int hz, double first, double second)
{
    const struct distinct_numbers numbers = distinct_decimals(first, second, 2);
    if (fabs(second - first) >= CHANGED_SHARE)
        text_append(text, size, "%s%d Hz %s -> %s", text[0] == '\0' ? "" : ", ", hz, numbers.first,
                    numbers.second);
}

static void compare_material(struct list *list, const struct record_material *first,
                             const struct record_material *second)
{
    const struct changed values = {{.kind = JSON_PART, .table = &record_material_table}, first, second};
    const struct octave_list *octaves = &list->comparison->octaves;
    char absorption[320] = ""; /* "63 Hz 0.10 -> 0.60, 125 Hz 0.10 -> 0.58" in the octaves compared */
    for (size_t b = 0; b < octaves->count; b++)
        add_absorption(absorption, sizeof absorption, octaves->hz[b],
                       absorption_at(list->model[0], first, octaves->hz[b]),
                       absorption_at(list->model[1], second, octaves->hz[b]));
    if (absorption[0] == '\0')
        add_absorption(absorption, sizeof absorption, 500, first->absorption_used, second->absorption_used);
    if (absorption[0] != '\0')
        add(list, "materials", false, values, T("%.*s absorbs differently: %s"), NAME(first->name),
            absorption);
    const struct distinct_numbers area = distinct_digits(first->area, second->area, 4);
    if (fabs(second->area - first->area) > 1e-3 * fmax(first->area, second->area))
        add(list, "materials", false, values, T("%.*s has another area: %s m2 -> %s m2"), NAME(first->name),
            area.first, area.second);
    char sheet[2][SETUP_CHANGE_MAX];
    if (sheet_change(first, second, sheet))
        add(list, "materials", false, values, T("%.*s is another sheet: %s -> %s"), NAME(first->name),
            sheet[0], sheet[1]);
    const struct distinct_numbers taken = distinct_digits(first->audience, second->audience, 2);
    if (fabs(second->audience - first->audience) > ALIKE)
        add(list, "materials", false, values, T("%.*s: share of seats taken %s -> %s"), NAME(first->name),
            taken.first, taken.second);
}

/* Materials of one run that the other lacks, in one sentence. */
static void name_materials_alone(struct list *list, int run)
{
    const struct run_model *model = list->model[run];
    char names[480] = "";
    size_t count = 0;
    for (size_t i = 0; i < model->room.materials.count; i++) {
        const char *name = model->room.materials.item[i].name;
        if (name == NULL || material_called(list, 1 - run, name) != NULL)
            continue;
        if (count++ < NAMES_MOST)
            text_append(names, sizeof names, "%s%.*s", count > 1 ? ", " : "", NAME(name));
    }
    if (count > NAMES_MOST)
        text_append(names, sizeof names, T(" and %zu more"), count - NAMES_MOST);
    const void *all = &model->room.materials;
    const struct changed values = {
        {.kind = JSON_LIST, .table = &record_material_table}, run == 0 ? all : NULL, run == 1 ? all : NULL};
    if (count > 0)
        add(list, "materials", false, values, T("surfaces only in %.*s: %s"), NAME(list->name[run]), names);
}

static void compare_materials(struct list *list)
{
    const struct record_room *first = &list->model[0]->room;
    const int code = index_materials(list);
    list->code = list->code == 0 ? code : list->code;
    for (size_t i = 0; list->code == 0 && i < first->materials.count; i++) {
        const struct record_material *material = &first->materials.item[i],
                                     *other = material_called(list, 1, material->name);
        if (other != NULL)
            compare_material(list, material, other);
    }
    name_materials_alone(list, 0);
    name_materials_alone(list, 1);
    for (int run = 0; run < 2; run++)
        name_index_free(&list->materials[run]);
}

/* Compare openings, and cracks closed, that only one run has. */
static void compare_leaks(struct list *list)
{
    static const struct {
        void (*put)(const struct run_model *run, const struct run_model *other, char *text, size_t size);
        const char *words;
    } kind[] = {{leak_change_openings, T_LATER("sound gets out only in %.*s: %s")},
                {leak_change_cracks, T_LATER("closed only in %.*s: %s")}};
    const struct changed values = {
        {.kind = JSON_LIST, .table = &record_leak_table}, &list->model[0]->leaks, &list->model[1]->leaks};
    for (int r = 0; r < 2; r++)
        for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++) {
            char leaks[400];
            kind[k].put(list->model[r], list->model[1 - r], leaks, sizeof leaks);
            if (leaks[0] != '\0')
                add(list, "leaks", false, values, T(kind[k].words), NAME(list->name[r]), leaks);
        }
}

int run_changes_find(struct run_comparison *comparison, struct failure *failure)
{
    const struct run_folder *const *run = comparison->run;
    const bool alike = strcmp(run[0]->name, run[1]->name) == 0;
    struct list list = {.comparison = comparison,
                        .model = {&run[0]->model, &run[1]->model},
                        .name = {alike ? "A" : run[0]->name, alike ? "B" : run[1]->name},
                        .failure = failure};
    compare_bands(&list);
    compare_partial(&list);
    compare_names(&list);
    compare_places(&list);
    compare_radiation(&list);
    compare_heads(&list);
    compare_room(&list);
    compare_materials(&list);
    compare_leaks(&list);
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++)
        compare_watched(&list, &watched[i]);
    return list.code;
}
