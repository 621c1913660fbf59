#include "src/compare/run_compare_grids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/map_table_read.h"

#define SAME_PLACE 1e-3 /* [m] */

/* The map of `source` in the grid called `name`, or NULL. `grid` becomes the grid. */
static const cJSON *find_map(const cJSON *record, const char *name, const char *source, const cJSON **grid)
{
    const cJSON *entry, *map;
    cJSON_ArrayForEach(entry, record_at(record, "grids"))
    {
        const char *called = record_text(entry, "name");
        if (called == NULL || strcmp(called, name) != 0)
            continue;
        *grid = entry;
        cJSON_ArrayForEach(map, record_at(entry, "maps"))
        {
            const char *from = record_text(map, "source");
            if (from != NULL && strcmp(from, source) == 0)
                return map;
        }
    }
    return NULL;
}

/* ---- point by point ---- */

static int read_table(const struct run_folder *folder, const cJSON *map, struct map_rows *out,
                      struct failure *failure)
{
    const char *file = record_text(map, "table");
    if (file == NULL || strchr(file, '/') != NULL)
        return failure_set(failure, FAILURE_INPUT, "%s names no table of its points", folder->name);
    return map_rows_read(folder, file, out, failure);
}

static int same_points(const struct map_rows *first, const struct map_rows *second, struct failure *failure)
{
    if (first->rows != second->rows)
        return failure_set(failure, FAILURE_INPUT, "there are %zu points in one and %zu in the other",
                           first->rows, second->rows);
    for (size_t i = 0; i < first->rows; i++)
        for (size_t axis = 1; axis <= 3; axis++) {
            const double apart =
                second->value[i * second->columns + axis] - first->value[i * first->columns + axis];
            if (!(fabs(apart) <= SAME_PLACE))
                return failure_set(failure, FAILURE_INPUT, "point %s is not in the same place",
                                   first->name[i]);
        }
    return 0;
}

static double cell(const struct map_rows *rows, size_t row, size_t column)
{
    return column > 0 ? rows->value[row * rows->columns + column] : NAN;
}

static int compare_points(const struct run_comparison *comparison, struct compared_grid *grid,
                          const struct map_rows table[2], struct failure *failure)
{
    struct compared_value *value = calloc(table[0].rows, sizeof *value);
    grid->place = calloc(table[0].rows, sizeof *grid->place);
    if (value == NULL || grid->place == NULL) {
        free(value);
        return failure_memory(failure, table[0].rows * (sizeof *value + sizeof *grid->place), "a map");
    }
    for (size_t i = 0; i < table[0].rows; i++)
        snprintf(grid->place[i], sizeof grid->place[i], "%s", table[0].name[i]);
    for (int f = 0; f < ACOUSTIC_FIGURES; f++)
        for (size_t b = 0; b < comparison->bands; b++) {
            size_t column[2], spread[2];
            for (int r = 0; r < 2; r++) {
                column[r] = map_rows_column(&table[r], f, comparison->octave[b], false);
                spread[r] = map_rows_column(&table[r], f, comparison->octave[b], true);
            }
            for (size_t i = 0; i < table[0].rows; i++)
                value[i] = compared_value_make(&compared_kind[f], cell(&table[0], i, column[0]),
                                               cell(&table[1], i, column[1]), cell(&table[0], i, spread[0]),
                                               cell(&table[1], i, spread[1]));
            compared_mean_make(&grid->mean[f][b], &compared_kind[f], value, table[0].rows, sizeof *value);
        }
    grid->by_point = true;
    free(value);
    return 0;
}

/* ---- means ---- */

static void compare_means(const struct run_comparison *comparison, struct compared_grid *grid)
{
    const cJSON *const *map = grid->map;
    for (int f = 0; f < ACOUSTIC_FIGURES; f++)
        for (size_t b = 0; b < comparison->bands; b++) {
            const int octave = comparison->octave[b];
            const char *name = acoustic_figure_kind[f].name;
            const double points = fmin(compared_number_in(map[0], name, "_points", octave),
                                       compared_number_in(map[1], name, "_points", octave));
            struct compared_mean *mean = &grid->mean[f][b];
            *mean = (struct compared_mean){
                .value = compared_octave_value(&compared_kind[f], map[0], map[1], octave), .largest = NAN};
            mean->places = points >= 0 && points < 1e9 ? (size_t)points : 0;
        }
}

static int compare_grid(const struct run_comparison *comparison, struct compared_grid *grid,
                        struct failure *failure)
{
    struct map_rows table[2] = {{0}, {0}};
    struct failure why = {0};
    int code = 0;
    for (int r = 0; code == 0 && r < 2; r++)
        code = read_table(comparison->run[r], grid->map[r], &table[r], &why);
    if (code == 0)
        code = same_points(&table[0], &table[1], &why);
    if (code == 0)
        code = compare_points(comparison, grid, table, &why);
    map_rows_free(&table[0]);
    map_rows_free(&table[1]);
    if (code != 0 && code != FAILURE_INPUT)
        return failure_forward(failure, &why);
    if (code == FAILURE_INPUT) {
        snprintf(grid->why, sizeof grid->why, "%.*s", (int)sizeof grid->why - 1, why.sentence);
        compare_means(comparison, grid);
    }
    return 0;
}

int run_compare_find_grids(struct run_comparison *comparison, struct failure *failure)
{
    const cJSON *const record[2] = {comparison->run[0]->record, comparison->run[1]->record};
    const cJSON *entry, *first, *grids = record_at(record[0], "grids");
    size_t most = 0;
    cJSON_ArrayForEach(entry, grids) most += (size_t)cJSON_GetArraySize(record_at(entry, "maps"));
    if (most == 0)
        return 0;
    comparison->grid = calloc(most, sizeof *comparison->grid);
    if (comparison->grid == NULL)
        return failure_memory(failure, most * sizeof *comparison->grid, "maps of two runs");
    cJSON_ArrayForEach(entry, grids) cJSON_ArrayForEach(first, record_at(entry, "maps"))
    {
        const char *name = record_text(entry, "name"), *source = record_text(first, "source");
        const cJSON *other = NULL;
        const cJSON *second =
            name != NULL && source != NULL ? find_map(record[1], name, source, &other) : NULL;
        if (second == NULL)
            continue;
        struct compared_grid *grid = &comparison->grid[comparison->grids++];
        *grid = (struct compared_grid){.name = name, .source = source, .map = {first, second}};
        compared_octaves_add(comparison, first, second);
        const double points[2] = {record_number(entry, "points"), record_number(other, "points")};
        for (int r = 0; r < 2; r++)
            grid->points[r] = points[r] >= 0 && points[r] < 1e9 ? (size_t)points[r] : 0;
    }
    return 0;
}

int run_compare_grids(struct run_comparison *comparison, struct failure *failure)
{
    for (size_t g = 0; g < comparison->grids; g++)
        TRY(compare_grid(comparison, &comparison->grid[g], failure));
    return 0;
}
