#include <math.h>
#include <string.h>

#include "src/compare/run_compare_grids.h"

/* The octaves that a run has in pairs of responses or in maps that both have, in order. */
static size_t octaves_of(const struct run_comparison *comparison, int run, int octave[OCTAVE_BANDS_MAX])
{
    struct run_comparison found = {0};
    for (size_t p = 0; p < comparison->pairs; p++)
        compared_octaves_add(&found, comparison->pair[p].response[run], comparison->pair[p].response[run]);
    for (size_t g = 0; g < comparison->grids; g++)
        compared_octaves_add(&found, comparison->grid[g].map[run], comparison->grid[g].map[run]);
    memcpy(octave, found.octave, found.bands * sizeof octave[0]);
    return found.bands;
}

static bool has_octave(const struct run_comparison *comparison, int octave)
{
    for (size_t b = 0; b < comparison->bands; b++)
        if (comparison->octave[b] == octave)
            return true;
    return false;
}

/* Whether a run has the figure in some pair, in one octave or (0) as a single number. */
static bool has_figure(const struct run_comparison *comparison, int run, int figure, int octave)
{
    const struct figure_kind *kind = &figure_kind[figure];
    for (size_t p = 0; p < comparison->pairs; p++) {
        const cJSON *response = comparison->pair[p].response[run];
        const double value = octave > 0 ? compared_number_in(response, kind->name, "", octave)
                             : kind->single != NULL ? record_number(response, kind->single)
                                                    : NAN;
        if (isfinite(value))
            return true;
    }
    return false;
}

/* `item` to the list, which is made with its first; false without memory. */
static bool append(cJSON **list, cJSON *item)
{
    if (*list == NULL)
        *list = cJSON_CreateArray();
    if (cJSON_AddItemToArray(*list, item))
        return true;
    cJSON_Delete(item);
    return false;
}

static bool add_figure(cJSON *figures, const struct run_comparison *comparison, int run, int figure)
{
    cJSON *octaves = NULL, *entry = NULL;
    bool added = true,
         single = has_figure(comparison, run, figure, 0) && !has_figure(comparison, 1 - run, figure, 0);
    for (size_t b = 0; figure < OCTAVE_FIGURES && b < comparison->bands; b++) {
        const int octave = comparison->octave[b];
        if (has_figure(comparison, run, figure, octave) && !has_figure(comparison, 1 - run, figure, octave))
            added = append(&octaves, cJSON_CreateNumber(octave)) && added;
    }
    if (octaves == NULL && !single)
        return added;
    entry = cJSON_CreateObject();
    added = cJSON_AddStringToObject(entry, "word", figure_kind[figure].word) != NULL && added;
    added = cJSON_AddBoolToObject(entry, "single_number", single) != NULL && added;
    if (octaves == NULL)
        octaves = cJSON_CreateArray();
    if (!cJSON_AddItemToObject(entry, "octaves_hz", octaves)) {
        cJSON_Delete(octaves);
        added = false;
    }
    return cJSON_AddItemToArray(figures, entry) && added;
}

static bool is_in_both(const struct run_comparison *comparison, const cJSON *map)
{
    for (size_t g = 0; g < comparison->grids; g++)
        if (comparison->grid[g].map[0] == map || comparison->grid[g].map[1] == map)
            return true;
    return false;
}

static bool add_maps(cJSON *maps, const struct run_comparison *comparison, int run)
{
    const cJSON *grid, *map;
    cJSON_ArrayForEach(grid, record_at(comparison->run[run]->record, "grids"))
        cJSON_ArrayForEach(map, record_at(grid, "maps"))
    {
        const char *name = record_text(grid, "name"), *source = record_text(map, "source");
        if (name == NULL || source == NULL || is_in_both(comparison, map))
            continue;
        cJSON *entry = cJSON_CreateObject();
        if (cJSON_AddStringToObject(entry, "name", name) == NULL ||
            cJSON_AddStringToObject(entry, "source", source) == NULL || !cJSON_AddItemToArray(maps, entry)) {
            cJSON_Delete(entry);
            return false;
        }
    }
    return true;
}

bool run_compare_alone_add(cJSON *object, const char *name, const struct run_comparison *comparison, int run)
{
    int octave[OCTAVE_BANDS_MAX];
    const size_t bands = octaves_of(comparison, run, octave);
    cJSON *entry = cJSON_AddObjectToObject(object, name);
    cJSON *octaves = cJSON_AddArrayToObject(entry, "octaves_hz"),
          *figures = cJSON_AddArrayToObject(entry, "figures"), *maps = cJSON_AddArrayToObject(entry, "maps");
    bool added = octaves != NULL && figures != NULL && maps != NULL;
    for (size_t b = 0; added && b < bands; b++)
        if (!has_octave(comparison, octave[b]))
            added = cJSON_AddItemToArray(octaves, cJSON_CreateNumber(octave[b]));
    for (int f = 0; added && f < ALL_FIGURES; f++)
        added = f == FIGURE_STRENGTH || add_figure(figures, comparison, run, f);
    return added && add_maps(maps, comparison, run);
}
