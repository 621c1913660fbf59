#include "src/compare/run_changes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/failure.h"
#include "src/acoustics/octave_decay.h"
#include "src/base/told_apart.h"
#include "src/compare/way_change.h"

#define NAMES_MOST    6     /* in a sentence; after that "and 3 more" */
#define ALIKE         1e-6  /* relative: numbers of run.json that differ by less are the same */
#define CHANGED_SHARE 0.005 /* of absorption: half a percent point */
#define APART         0.005 /* [m] */

/* ---- the list ---- */

__attribute__((format(printf, 7, 8))) static int add(struct run_comparison *comparison, const char *key,
                                                     bool caution, const cJSON *first, const cJSON *second,
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
    *change = (struct run_change){.key = key, .caution = caution, .first = first, .second = second};
    va_list values;
    va_start(values, format);
    (void)vsnprintf(change->words, sizeof change->words, format, values);
    va_end(values);
    blot_control_characters(change->words);
    return 0;
}

static const cJSON *item_of(const struct run_comparison *comparison, int run, const char *key)
{
    return record_at(comparison->run[run]->record, key);
}

/* Of folders that are called alike, the letters that they have everywhere. */
static const char *name_of(const struct run_comparison *comparison, int run)
{
    const bool alike = strcmp(comparison->run[0]->name, comparison->run[1]->name) == 0;
    return alike ? run == 0 ? "A" : "B" : comparison->run[run]->name;
}

static const char *text_of(const cJSON *item)
{
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

#define SHORT(text) TOLD_TEXT(text, 40)
#define NAME(text)  TOLD_TEXT(text, 60)
#define LONG(text)  TOLD_TEXT(text, 200)

/* ---- numbers and words of run.json ---- */

struct watched {
    const char *key, *word, *unit;
    bool caution;
};

static const struct watched numbers[] = {
    {"air_volume_m3", "volume of the air", " m3", false},
    {"points_per_wavelength", "points per wavelength", "", false},
    {"spacing_m", "spacing of the grid", " m", false},
    {"duration_s", "length of the responses", " s", false},
    {"seal_m", "holes sealed up to", " m", false},
    {"air.temperature_c", "temperature", " C", false},
    {"air.humidity_percent", "humidity", " %", false},
    {"air.pressure_kpa", "air pressure", " kPa", false},
    {"head.yaw_deg", "yaw of the head", " degrees", false},
};

static const struct watched words[] = {
    {"version", "version of the program", "", true},
    {"air.method", "losses of the air", "", false},
    {"walls", "model of the walls", "", false},
    {"precision", "precision", "", false},
    {"interpolation", "interpolation at positions", "", false},
};

static bool alike(double first, double second)
{
    return fabs(second - first) <= ALIKE * fmax(fabs(first), fabs(second));
}

static int compare_numbers(struct run_comparison *comparison, struct failure *failure)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const struct watched *watched = &numbers[i];
        const cJSON *first = item_of(comparison, 0, watched->key),
                    *second = item_of(comparison, 1, watched->key);
        if (!cJSON_IsNumber(first) || !cJSON_IsNumber(second))
            continue;
        const double a = first->valuedouble, b = second->valuedouble;
        const struct told told = told_digits(a, b, 4);
        if (!alike(a, b))
            TRY(add(comparison, watched->key, watched->caution, first, second, failure, "%s: %s%s -> %s%s",
                    watched->word, told.first, watched->unit, told.second, watched->unit));
    }
    return 0;
}

static int compare_words(struct run_comparison *comparison, struct failure *failure)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const struct watched *watched = &words[i];
        const cJSON *first = item_of(comparison, 0, watched->key),
                    *second = item_of(comparison, 1, watched->key);
        const char *a = text_of(first), *b = text_of(second);
        if (a != NULL && b != NULL && strcmp(a, b) != 0)
            TRY(add(comparison, watched->key, watched->caution, first, second, failure, "%s: %.*s -> %.*s",
                    watched->word, LONG(a), LONG(b)));
    }
    return 0;
}

/* ---- what makes a comparison less than it seems ---- */

static int compare_bands(struct run_comparison *comparison, struct failure *failure)
{
    const cJSON *first = item_of(comparison, 0, "fmax_hz"), *second = item_of(comparison, 1, "fmax_hz");
    const double a = first->valuedouble, b = second->valuedouble;
    char octaves[160];
    int used = snprintf(octaves, sizeof octaves, comparison->bands > 0 ? "only " : "no octave is in both");
    for (size_t o = 0; o < comparison->bands; o++)
        used += snprintf(octaves + used, sizeof octaves - (size_t)used, "%s%d",
                         o == 0                       ? ""
                         : o + 1 == comparison->bands ? " and "
                                                      : ", ",
                         comparison->octave[o]);
    if (comparison->bands > 0)
        snprintf(octaves + used, sizeof octaves - (size_t)used, " Hz can be compared");
    const struct told told = told_digits(a, b, 4);
    const bool shared = comparison->pairs > 0 || comparison->grids > 0;
    if (!alike(a, b))
        return add(comparison, "fmax_hz", true, first, second, failure,
                   "highest frequency: %s Hz -> %s Hz%s%s", told.first, told.second, shared ? "; " : "",
                   shared ? octaves : "");
    if (shared && comparison->bands == 0)
        return add(comparison, "octaves_hz", true, NULL, NULL, failure,
                   "no octave can be compared: there is none below %.4g Hz in both", a);
    return 0;
}

static int compare_partial(struct run_comparison *comparison, struct failure *failure)
{
    for (int r = 0; r < 2; r++) {
        const char *because = text_of(item_of(comparison, r, "partial_because"));
        const char *why = because != NULL ? because : "it does not say why";
        if (cJSON_IsTrue(item_of(comparison, r, "partial")))
            TRY(add(comparison, "partial", true, item_of(comparison, 0, "partial"),
                    item_of(comparison, 1, "partial"), failure, "%.*s was not finished: %.*s",
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
        const char *source = record_text(comparison->alone[run][i], "source"),
                   *receiver = record_text(comparison->alone[run][i], "receiver");
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
        TRY(add(comparison, "responses", true, NULL, NULL, failure, "only in %.*s: %s",
                SHORT(name_of(comparison, r)), names));
    }
    if (comparison->pairs == 0 && comparison->grids == 0)
        TRY(add(comparison, "responses", true, NULL, NULL, failure,
                "nothing can be compared: no source and receiver have the same names in both"));
    return 0;
}

static int add_moved(struct run_comparison *comparison, const char *key, const char *kind, const char *name,
                     double distance, struct failure *failure)
{
    return distance > APART
               ? add(comparison, key, true, NULL, NULL, failure,
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
    const cJSON *first = item_of(comparison, 0, "room.mesh_hash"),
                *second = item_of(comparison, 1, "room.mesh_hash");
    const char *a = text_of(first), *b = text_of(second);
    if (a == NULL || b == NULL || strcmp(a, b) == 0)
        return 0;
    const char *from = text_of(item_of(comparison, 0, "room.file")),
               *to = text_of(item_of(comparison, 1, "room.file"));
    if (from != NULL && to != NULL && strcmp(from, to) != 0)
        return add(comparison, "room", false, item_of(comparison, 0, "room"), item_of(comparison, 1, "room"),
                   failure, "the room is another mesh: %.*s -> %.*s", LONG(from), LONG(to));
    return add(comparison, "room", false, item_of(comparison, 0, "room"), item_of(comparison, 1, "room"),
               failure, "the room is another mesh");
}

static const cJSON *material_called(const cJSON *materials, const char *name)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, materials)
    {
        const char *called = record_text(entry, "name");
        if (called != NULL && strcmp(called, name) == 0)
            return entry;
    }
    return NULL;
}

static double absorption_at(const struct run_comparison *comparison, int run, const cJSON *material,
                            int octave)
{
    int place = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, item_of(comparison, run, "material_octaves_hz"))
    {
        if (cJSON_IsNumber(entry) && fabs(entry->valuedouble - octave) < 1) {
            const cJSON *item = cJSON_GetArrayItem(record_at(material, "absorption_used_octaves"), place);
            return cJSON_IsNumber(item) ? item->valuedouble : NAN;
        }
        place++;
    }
    return NAN;
}

/* "absorption at 63 Hz 0.10 -> 0.60, 125 Hz 0.10 -> 0.58" in the octaves compared; empty where none changed.
 */
static void absorption_words(const struct run_comparison *comparison, const cJSON *const material[2],
                             char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t b = 0; b < comparison->bands && used < size; b++) {
        const int octave = comparison->octave[b];
        const double first = absorption_at(comparison, 0, material[0], octave),
                     second = absorption_at(comparison, 1, material[1], octave);
        const struct told told = told_decimals(first, second, 2);
        if (fabs(second - first) >= CHANGED_SHARE)
            used += (size_t)snprintf(text + used, size - used, "%s%d Hz %s -> %s", used == 0 ? "" : ", ",
                                     octave, told.first, told.second);
    }
    const double first = record_number(material[0], "absorption_used"),
                 second = record_number(material[1], "absorption_used");
    const struct told told = told_decimals(first, second, 2);
    if (used == 0 && fabs(second - first) >= CHANGED_SHARE)
        snprintf(text, size, "500 Hz %s -> %s", told.first, told.second);
}

static int compare_material(struct run_comparison *comparison, const cJSON *first, const cJSON *second,
                            struct failure *failure)
{
    const cJSON *const material[2] = {first, second};
    const char *name = record_text(first, "name");
    char absorption[320];
    absorption_words(comparison, material, absorption, sizeof absorption);
    if (absorption[0] != '\0')
        TRY(add(comparison, "materials", false, first, second, failure, "%.*s absorbs otherwise: %s",
                NAME(name), absorption));
    const double a = record_number(first, "area_m2"), b = record_number(second, "area_m2");
    const struct told area = told_digits(a, b, 4);
    if (fabs(b - a) > 1e-3 * fmax(a, b))
        TRY(add(comparison, "materials", false, first, second, failure,
                "%.*s has another area: %s m2 -> %s m2", NAME(name), area.first, area.second));
    const double seats = record_number(first, "audience"), full = record_number(second, "audience");
    const struct told taken = told_digits(seats, full, 2);
    if (fabs(full - seats) > ALIKE)
        TRY(add(comparison, "materials", false, first, second, failure, "%.*s: share of seats taken %s -> %s",
                NAME(name), taken.first, taken.second));
    return 0;
}

/* Materials of one run that the other lacks, in one sentence. */
static int name_materials_alone(struct run_comparison *comparison, int run, struct failure *failure)
{
    const cJSON *other = item_of(comparison, 1 - run, "materials"), *entry;
    char names[480] = "";
    size_t count = 0, used = 0;
    cJSON_ArrayForEach(entry, item_of(comparison, run, "materials"))
    {
        const char *name = record_text(entry, "name");
        if (name == NULL || material_called(other, name) != NULL)
            continue;
        if (count++ < NAMES_MOST)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", count > 1 ? ", " : "",
                                     NAME(name));
    }
    if (count > NAMES_MOST)
        snprintf(names + used, sizeof names - used, " and %zu more", count - NAMES_MOST);
    return count == 0
               ? 0
               : add(comparison, "materials", false, run == 0 ? item_of(comparison, 0, "materials") : NULL,
                     run == 1 ? item_of(comparison, 1, "materials") : NULL, failure,
                     "surfaces only in %.*s: %s", NAME(name_of(comparison, run)), names);
}

static int compare_materials(struct run_comparison *comparison, struct failure *failure)
{
    const cJSON *second = item_of(comparison, 1, "materials"), *entry;
    cJSON_ArrayForEach(entry, item_of(comparison, 0, "materials"))
    {
        const char *name = record_text(entry, "name");
        const cJSON *other = name != NULL ? material_called(second, name) : NULL;
        if (other != NULL)
            TRY(compare_material(comparison, entry, other, failure));
    }
    TRY(name_materials_alone(comparison, 0, failure));
    return name_materials_alone(comparison, 1, failure);
}

/* What one run lets sound out by, or had closed, and the other not. */
static int compare_ways_out(struct run_comparison *comparison, struct failure *failure)
{
    const cJSON *const first = item_of(comparison, 0, "leaks"), *const second =
                                                                    item_of(comparison, 1, "leaks");
    for (int r = 0; r < 2; r++) {
        const cJSON *record = comparison->run[r]->record, *other = comparison->run[1 - r]->record;
        char ways[400];
        way_change_openings(record, other, ways, sizeof ways);
        if (ways[0] != '\0')
            TRY(add(comparison, "leaks", false, first, second, failure, "sound gets out only in %.*s: %s",
                    NAME(name_of(comparison, r)), ways));
        way_change_cracks(record, other, ways, sizeof ways);
        if (ways[0] != '\0')
            TRY(add(comparison, "leaks", false, first, second, failure, "closed only in %.*s: %s",
                    NAME(name_of(comparison, r)), ways));
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
    TRY(compare_ways_out(comparison, failure));
    TRY(compare_numbers(comparison, failure));
    return compare_words(comparison, failure);
}
