#include <math.h>
#include <stdbool.h>

#include "src/compare/run_compare_grids.h"
#include "src/compare/run_compare_words.h"

/* Seven digits: more would be those of single precision. NaN is null. */
static cJSON *rounded(double value)
{
    if (!isfinite(value))
        return cJSON_CreateNull();
    const double scale = value != 0 ? pow(10, 6 - floor(log10(fabs(value)))) : 1;
    return cJSON_CreateNumber(round(value * scale) / scale);
}

static void put(cJSON *object, const char *name, cJSON *item, bool array)
{
    if (!array) {
        cJSON_AddItemToObject(object, name, item);
        return;
    }
    cJSON *list = cJSON_GetObjectItem(object, name);
    if (list == NULL)
        list = cJSON_AddArrayToObject(object, name);
    cJSON_AddItemToArray(list, item);
}

static cJSON *certain(const struct compared_value *value)
{
    const enum certainty certainty = compared_certainty(value);
    return certainty == CERTAINTY_UNKNOWN ? cJSON_CreateNull()
                                          : cJSON_CreateBool(certainty == CERTAINTY_BEYOND);
}

static void put_value(cJSON *object, const struct compared_value *value, bool array)
{
    put(object, "first", rounded(value->first), array);
    put(object, "second", rounded(value->second), array);
    put(object, "difference", rounded(value->difference), array);
    put(object, "jnds", rounded(value->jnds), array);
    put(object, "spread", rounded(value->spread), array);
    put(object, "certain", certain(value), array);
}

static void put_mean(cJSON *object, const struct compared_mean *mean, bool array)
{
    put_value(object, &mean->value, array);
    put(object, "largest_jnds", rounded(fabs(mean->largest)), array);
    put(object, "largest_at", rounded(isfinite(mean->largest) ? (double)mean->where : NAN), array);
    put(object, "noticed", cJSON_CreateNumber((double)mean->noticed), array);
    put(object, "pairs", cJSON_CreateNumber((double)mean->places), array);
}

static cJSON *figure_object(const struct figure_kind *kind, const char *name)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", name);
    cJSON_AddStringToObject(object, "word", kind->word);
    cJSON_AddStringToObject(object, "unit", kind->unit);
    cJSON_AddItemToObject(object, "jnd", rounded(kind->jnd));
    cJSON_AddBoolToObject(object, "relative", kind->relative);
    return object;
}

/* `mean` is (figures, OCTAVE_BANDS_MAX). */
static cJSON *figures_of(const struct run_comparison *comparison,
                         const struct compared_mean (*mean)[OCTAVE_BANDS_MAX], int figures)
{
    cJSON *list = cJSON_CreateArray();
    for (int f = 0; f < figures; f++) {
        bool any = false;
        for (size_t b = 0; b < comparison->bands; b++)
            any = any || isfinite(mean[f][b].value.difference);
        if (!any)
            continue;
        cJSON *object = figure_object(&figure_kind[f], figure_kind[f].name);
        for (size_t b = 0; b < comparison->bands; b++)
            put_mean(object, &mean[f][b], true);
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

/* A figure has one name, by octave and as a single number. */
static const char *single_name(int figure)
{
    return figure_kind[figure].name != NULL ? figure_kind[figure].name : figure_kind[figure].single;
}

static cJSON *singles_of(const struct run_comparison *comparison)
{
    cJSON *list = cJSON_CreateArray();
    for (int f = 0; f < ALL_FIGURES; f++) {
        if (comparison->single[f].places == 0)
            continue;
        cJSON *object = figure_object(&figure_kind[f], single_name(f));
        put_mean(object, &comparison->single[f], false);
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

static cJSON *pair_object(const struct run_comparison *comparison, const struct compared_pair *pair)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "source", pair->source);
    cJSON_AddStringToObject(object, "receiver", pair->receiver);
    cJSON_AddItemToObject(object, "source_moved_m", rounded(pair->source_moved));
    cJSON_AddItemToObject(object, "receiver_moved_m", rounded(pair->receiver_moved));
    cJSON *octaves = cJSON_AddObjectToObject(object, "octaves");
    for (int f = 0; f < OCTAVE_FIGURES; f++) {
        cJSON *figure = NULL;
        for (size_t b = 0; b < comparison->bands; b++)
            if (comparison->mean[f][b].places > 0) {
                figure = cJSON_AddObjectToObject(octaves, figure_kind[f].name);
                break;
            }
        for (size_t b = 0; figure != NULL && b < comparison->bands; b++)
            put_value(figure, &pair->octave[f][b], true);
    }
    cJSON *singles = cJSON_AddObjectToObject(object, "single_numbers");
    for (int f = 0; f < ALL_FIGURES; f++)
        if (comparison->single[f].places > 0)
            put_value(cJSON_AddObjectToObject(singles, single_name(f)), &pair->single[f],
                      false);
    return object;
}

static void add_expected(cJSON *object, const char *name, const struct compared_value *value, size_t bands)
{
    cJSON *entry = cJSON_AddObjectToObject(object, name);
    for (size_t b = 0; b < bands; b++) {
        put(entry, "first", rounded(value[b].first), true);
        put(entry, "second", rounded(value[b].second), true);
        put(entry, "difference", rounded(value[b].difference), true);
        put(entry, "jnds", rounded(value[b].jnds), true);
    }
}

static void add_alone(cJSON *object, const char *name, const cJSON *const *response, size_t count)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (size_t i = 0; i < count; i++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddItemToObject(entry, "source", cJSON_Duplicate(record_at(response[i], "source"), true));
        cJSON_AddItemToObject(entry, "receiver", cJSON_Duplicate(record_at(response[i], "receiver"), true));
        cJSON_AddItemToArray(list, entry);
    }
}

static void add_grids(cJSON *object, const struct run_comparison *comparison)
{
    cJSON *list = cJSON_AddArrayToObject(object, "grids");
    for (size_t g = 0; g < comparison->grids; g++) {
        const struct compared_grid *grid = &comparison->grid[g];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", grid->name);
        cJSON_AddStringToObject(entry, "source", grid->source);
        cJSON_AddBoolToObject(entry, "by_point", grid->by_point);
        cJSON_AddItemToObject(entry, "why",
                              grid->by_point ? cJSON_CreateNull() : cJSON_CreateString(grid->why));
        cJSON_AddNumberToObject(entry, "points_first", (double)grid->points[0]);
        cJSON_AddNumberToObject(entry, "points_second", (double)grid->points[1]);
        cJSON_AddItemToObject(entry, "figures", figures_of(comparison, grid->mean, PRESSURE_FIGURES));
        cJSON_AddItemToArray(list, entry);
    }
}

static void add_changes(cJSON *object, const struct run_comparison *comparison)
{
    cJSON *list = cJSON_AddArrayToObject(object, "changes");
    for (size_t i = 0; i < comparison->changes; i++) {
        const struct run_change *change = &comparison->change[i];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "key", change->key);
        cJSON_AddBoolToObject(entry, "caution", change->caution);
        cJSON_AddStringToObject(entry, "words", change->words);
        cJSON_AddItemToObject(entry, "first",
                              change->first != NULL ? cJSON_Duplicate(change->first, true)
                                                    : cJSON_CreateNull());
        cJSON_AddItemToObject(entry, "second",
                              change->second != NULL ? cJSON_Duplicate(change->second, true)
                                                     : cJSON_CreateNull());
        cJSON_AddItemToArray(list, entry);
    }
}

static void add_largest(cJSON *object, const struct run_comparison *comparison)
{
    const struct compared_mean *found = NULL;
    int figure = 0;
    size_t band = 0;
    for (int f = 0; f < OCTAVE_FIGURES; f++)
        for (size_t b = 0; b < comparison->bands; b++) {
            const struct compared_mean *mean = &comparison->mean[f][b];
            if (isfinite(mean->value.jnds) &&
                (found == NULL || fabs(mean->value.jnds) > fabs(found->value.jnds))) {
                found = mean;
                figure = f;
                band = b;
            }
        }
    if (found == NULL) {
        cJSON_AddNullToObject(object, "largest");
        return;
    }
    cJSON *largest = cJSON_AddObjectToObject(object, "largest");
    cJSON_AddStringToObject(largest, "word", figure_kind[figure].word);
    cJSON_AddNumberToObject(largest, "octave_hz", comparison->octave[band]);
    cJSON_AddItemToObject(largest, "jnds", rounded(found->value.jnds));
}

cJSON *run_comparison_json(const struct run_comparison *comparison)
{
    char finding[RUN_FINDING_MAX];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "first", comparison->run[0]->name);
    cJSON_AddStringToObject(object, "second", comparison->run[1]->name);
    cJSON_AddStringToObject(object, "finding", run_finding(comparison, finding));
    cJSON_AddNumberToObject(object, "matched", (double)comparison->pairs);
    add_alone(object, "unmatched_first", comparison->alone[0], comparison->unpaired[0]);
    add_alone(object, "unmatched_second", comparison->alone[1], comparison->unpaired[1]);
    if (!run_compare_alone_add(object, "only_first", comparison, 0) ||
        !run_compare_alone_add(object, "only_second", comparison, 1)) {
        cJSON_Delete(object);
        return NULL;
    }
    cJSON_AddItemToObject(object, "octaves_hz",
                          cJSON_CreateIntArray(comparison->octave, (int)comparison->bands));
    cJSON_AddItemToObject(object, "figures", figures_of(comparison, comparison->mean, OCTAVE_FIGURES));
    cJSON_AddItemToObject(object, "single_numbers", singles_of(comparison));
    add_largest(object, comparison);
    cJSON *expected = cJSON_AddObjectToObject(object, "expected");
    add_expected(expected, "sabine_s", comparison->sabine, comparison->bands);
    add_expected(expected, "eyring_s", comparison->eyring, comparison->bands);
    cJSON *pairs = cJSON_AddArrayToObject(object, "pairs");
    for (size_t p = 0; p < comparison->pairs; p++)
        cJSON_AddItemToArray(pairs, pair_object(comparison, &comparison->pair[p]));
    add_grids(object, comparison);
    add_changes(object, comparison);
    return object;
}
