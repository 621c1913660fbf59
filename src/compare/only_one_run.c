#include "src/compare/only_one_run.h"

#include <math.h>

/* The octaves that a run has in pairs of responses or in maps that both have, in order. */
static struct octave_list octaves_of(const struct run_comparison *comparison, int run)
{
    struct octave_list found = {0};
    for (size_t p = 0; p < comparison->pairs; p++) {
        const struct json_numbers *octaves = &comparison->pair[p].response[run]->octaves;
        octave_list_add(&found, octaves, octaves);
    }
    for (size_t g = 0; g < comparison->grids; g++) {
        const struct json_numbers *octaves = &comparison->grid[g].map[run]->octaves;
        octave_list_add(&found, octaves, octaves);
    }
    return found;
}

static bool has_octave(const struct octave_list *octaves, int hz)
{
    for (size_t b = 0; b < octaves->count; b++)
        if (octaves->hz[b] == hz)
            return true;
    return false;
}

/* Has only this run the figure, in an octave that both have or (0) as a single number? Single numbers of a
 * pressure response are means of its octaves, which say it. */
static bool is_only_in(const struct run_comparison *comparison, int run, int figure, int octave)
{
    bool has[2] = {false, false};
    for (size_t p = 0; p < comparison->pairs; p++)
        for (int r = 0; r < 2; r++) {
            const struct record_response *response = comparison->pair[p].response[r];
            const struct figure_values *figures = &response->figures;
            const double value = octave > 0
                                     ? octave_number(&response->octaves, &figures->octave[figure], octave)
                                 : figure < PRESSURE_FIGURES ? NAN
                                                             : figures->single[figure];
            has[r] = has[r] || isfinite(value);
        }
    return has[run] && !has[1 - run];
}

/* Take over `item`; false without memory. */
static bool append(cJSON *list, cJSON *item)
{
    if (cJSON_AddItemToArray(list, item))
        return true;
    cJSON_Delete(item);
    return false;
}

static bool add_figure(cJSON *figures, const struct run_comparison *comparison, int run, int figure)
{
    const bool single = is_only_in(comparison, run, figure, 0);
    int octave[OCTAVE_BANDS_MAX], count = 0;
    for (size_t b = 0; figure < OCTAVE_FIGURES && b < comparison->octaves.count; b++)
        if (is_only_in(comparison, run, figure, comparison->octaves.hz[b]))
            octave[count++] = comparison->octaves.hz[b];
    if (count == 0 && !single)
        return true;
    cJSON *entry = cJSON_CreateObject(), *octaves = cJSON_CreateIntArray(octave, count);
    const bool added = cJSON_AddStringToObject(entry, "word", figure_kind[figure].word) != NULL &&
                       cJSON_AddBoolToObject(entry, "single_number", single) != NULL;
    if (!cJSON_AddItemToObject(entry, "octaves_hz", octaves)) {
        cJSON_Delete(octaves);
        cJSON_Delete(entry);
        return false;
    }
    return append(figures, entry) && added;
}

static bool is_in_both(const struct run_comparison *comparison, const struct record_map *map)
{
    for (size_t g = 0; g < comparison->grids; g++)
        if (comparison->grid[g].map[0] == map || comparison->grid[g].map[1] == map)
            return true;
    return false;
}

static bool add_maps(cJSON *maps, const struct run_comparison *comparison, int run)
{
    const struct run_model *model = &comparison->run[run]->model;
    for (size_t g = 0; g < model->grids.count; g++) {
        const struct record_grid *grid = &model->grids.item[g];
        for (size_t m = 0; m < grid->maps.count; m++) {
            const struct record_map *map = &grid->maps.item[m];
            if (grid->name == NULL || map->source == NULL || is_in_both(comparison, map))
                continue;
            cJSON *entry = cJSON_CreateObject();
            const bool added = cJSON_AddStringToObject(entry, "name", grid->name) != NULL &&
                               cJSON_AddStringToObject(entry, "source", map->source) != NULL;
            if (!append(maps, entry) || !added)
                return false;
        }
    }
    return true;
}

bool only_one_run_add(cJSON *object, const char *name, const struct run_comparison *comparison, int run)
{
    const struct octave_list octave = octaves_of(comparison, run);
    cJSON *entry = cJSON_AddObjectToObject(object, name);
    cJSON *octaves = cJSON_AddArrayToObject(entry, "octaves_hz"),
          *figures = cJSON_AddArrayToObject(entry, "figures"), *maps = cJSON_AddArrayToObject(entry, "maps");
    bool added = octaves != NULL && figures != NULL && maps != NULL;
    for (size_t b = 0; added && b < octave.count; b++)
        if (!has_octave(&comparison->octaves, octave.hz[b]))
            added = append(octaves, cJSON_CreateNumber(octave.hz[b]));
    for (int f = 0; added && f < ALL_FIGURES; f++)
        added = f == FIGURE_STRENGTH || add_figure(figures, comparison, run, f);
    return added && add_maps(maps, comparison, run);
}
