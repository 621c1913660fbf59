#include "src/present/compare/run_compare.h"

#include <math.h>
#include <stdlib.h>

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

/* Has only this run the figure, in an octave that both have or (0) as a single number? */
static bool is_only_in(const struct run_comparison *comparison, int run, int figure, int octave)
{
    bool has[2] = {false, false};
    for (size_t p = 0; p < comparison->pairs; p++)
        for (int r = 0; r < 2; r++) {
            const struct record_response *response = comparison->pair[p].response[r];
            const struct figure_values *figures = &response->figures;
            const double value = octave > 0
                                     ? octave_number(&response->octaves, &figures->octave[figure], octave)
                                     : figures->single[figure];
            has[r] = has[r] || isfinite(value);
        }
    return has[run] && !has[1 - run];
}

static void find_figures(struct run_comparison *comparison, int run)
{
    struct only_one_run *only = &comparison->only[run];
    for (int f = 0; f < ALL_FIGURES; f++) {
        struct only_figure *entry = &only->figure[only->figures];
        *entry = (struct only_figure){.figure = (enum figure)f, .single = is_only_in(comparison, run, f, 0)};
        for (size_t b = 0; f < OCTAVE_FIGURES && b < comparison->octaves.count; b++)
            if (is_only_in(comparison, run, f, comparison->octaves.hz[b]))
                entry->octaves.hz[entry->octaves.count++] = comparison->octaves.hz[b];
        /* The level of the band is compared of runs to one fmax only. */
        only->figures += f != FIGURE_STRENGTH && (entry->single || entry->octaves.count > 0);
    }
}

static bool is_in_both(const struct run_comparison *comparison, const struct record_map *map)
{
    for (size_t g = 0; g < comparison->grids; g++)
        if (comparison->grid[g].map[0] == map || comparison->grid[g].map[1] == map)
            return true;
    return false;
}

static int find_maps(struct run_comparison *comparison, int run, struct failure *failure)
{
    const struct run_model *model = &comparison->run[run]->model;
    struct only_one_run *only = &comparison->only[run];
    size_t most = 0;
    for (size_t g = 0; g < model->grids.count; g++)
        most += model->grids.item[g].maps.count;
    only->map = calloc(most + 1, sizeof *only->map);
    if (only->map == NULL)
        return failure_memory(failure, most * sizeof *only->map, "maps of a run");
    for (size_t g = 0; g < model->grids.count; g++) {
        const struct record_grid *grid = &model->grids.item[g];
        for (size_t m = 0; m < grid->maps.count; m++) {
            const struct record_map *map = &grid->maps.item[m];
            if (grid->name != NULL && map->source != NULL && !is_in_both(comparison, map))
                only->map[only->maps++] = (struct only_map){grid->name, map->source};
        }
    }
    return 0;
}

int only_one_run_find(struct run_comparison *comparison, struct failure *failure)
{
    for (int r = 0; r < 2; r++) {
        const struct octave_list all = octaves_of(comparison, r);
        struct octave_list *octaves = &comparison->only[r].octaves;
        for (size_t b = 0; b < all.count; b++)
            if (!has_octave(&comparison->octaves, all.hz[b]))
                octaves->hz[octaves->count++] = all.hz[b];
        find_figures(comparison, r);
        TRY(find_maps(comparison, r, failure));
    }
    return 0;
}
