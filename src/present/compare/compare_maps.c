#include "src/present/compare/run_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/figure_table.h"
#include "src/run_folder/map_table_read.h"

#define SAME_PLACE 1e-3 /* [m] */

/* The map of `source` in a grid called `name`, or NULL; `*grid` becomes the grid. */
static const struct record_map *find_map(const struct run_model *model, const char *name, const char *source,
                                         const struct record_grid **grid)
{
    for (size_t g = 0; g < model->grids.count; g++) {
        *grid = &model->grids.item[g];
        for (size_t m = 0; m < (*grid)->maps.count; m++) {
            const struct record_map *map = &(*grid)->maps.item[m];
            if (same_name((*grid)->name, name) && same_name(map->source, source))
                return map;
        }
    }
    return NULL;
}

/* ---- point by point ---- */

static int read_table(const struct run_folder *folder, const struct record_map *map, struct map_rows *out,
                      struct failure *failure)
{
    if (map->table == NULL || strchr(map->table, '/') != NULL)
        return failure_set(failure, FAILURE_INPUT, "%s does not name a table of its points", folder->name);
    return map_rows_read(folder, map->table, out, failure);
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

static double read_cell(const struct map_rows *rows, size_t row, size_t column)
{
    return column > 0 ? rows->value[row * rows->columns + column] : NAN;
}

static int compare_points(struct compared_grid *grid, const struct octave_list *octaves,
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
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        struct compared_row row[OCTAVE_BANDS_MAX];
        for (size_t b = 0; b < octaves->count; b++) {
            size_t column[2], spread[2], error[2];
            for (int r = 0; r < 2; r++) {
                column[r] = map_rows_column(&table[r], f, octaves->hz[b], MAP_PART_VALUE);
                spread[r] = map_rows_column(&table[r], f, octaves->hz[b], MAP_PART_SPREAD);
                error[r] = map_rows_column(&table[r], f, octaves->hz[b], MAP_PART_ERROR);
            }
            for (size_t i = 0; i < table[0].rows; i++) {
                value[i] = compared_value_make(
                    (enum figure)f, read_cell(&table[0], i, column[0]), read_cell(&table[1], i, column[1]),
                    read_cell(&table[0], i, spread[0]), read_cell(&table[1], i, spread[1]));
                compared_value_errors(&value[i], read_cell(&table[0], i, error[0]),
                                      read_cell(&table[1], i, error[1]));
                for (int r = 0; r < 2 && figure_is_marked((enum figure)f); r++)
                    value[i].marks[r] = map_rows_marks(&table[r], i, octaves->hz[b]);
            }
            row[b] = (struct compared_row){.figure = (enum figure)f, .octave = octaves->hz[b], .band = b};
            compared_row_mean(&row[b], value, table[0].rows, sizeof *value);
        }
        compared_rows_add(&grid->rows, row, octaves->count);
    }
    grid->by_point = true;
    free(value);
    return 0;
}

/* ---- means ---- */

/* A count in a record, which may have any value. */
static size_t count_of(double number)
{
    return number >= 0 && number < 1e9 ? (size_t)number : 0;
}

static void compare_means(struct compared_grid *grid, const struct octave_list *octaves)
{
    const struct recorded_figures run[2] = {figures_of_map(grid->map[0]), figures_of_map(grid->map[1])};
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        struct compared_row row[OCTAVE_BANDS_MAX];
        for (size_t b = 0; b < octaves->count; b++) {
            double points[2];
            for (int r = 0; r < 2; r++)
                points[r] = octave_number(run[r].octaves, &grid->map[r]->points.octave[f], octaves->hz[b]);
            row[b] = (struct compared_row){
                .figure = (enum figure)f,
                .octave = octaves->hz[b],
                .band = b,
                .value = compared_in_octave((enum figure)f, run, octaves->hz[b]),
                .places = count_of(fmin(points[0], points[1])),
                .largest = NAN,
            };
        }
        compared_rows_add(&grid->rows, row, octaves->count);
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
        code = compare_points(grid, &comparison->octaves, table, &why);
    map_rows_free(&table[0]);
    map_rows_free(&table[1]);
    if (code != 0 && code != FAILURE_INPUT)
        return failure_forward(failure, &why);
    if (code == FAILURE_INPUT) {
        snprintf(grid->why, sizeof grid->why, "%.*s", (int)sizeof grid->why - 1, why.sentence);
        compare_means(grid, &comparison->octaves);
    }
    return 0;
}

int compare_maps_find(struct run_comparison *comparison, struct failure *failure)
{
    const struct run_model *first = &comparison->run[0]->model, *second = &comparison->run[1]->model;
    size_t most = 1;
    for (size_t g = 0; g < first->grids.count; g++)
        most += first->grids.item[g].maps.count;
    comparison->grid = calloc(most, sizeof *comparison->grid);
    if (comparison->grid == NULL)
        return failure_memory(failure, most * sizeof *comparison->grid, "maps of two runs");
    for (size_t g = 0; g < first->grids.count; g++) {
        const struct record_grid *one = &first->grids.item[g], *other;
        for (size_t m = 0; m < one->maps.count; m++) {
            const struct record_map *map = &one->maps.item[m];
            const struct record_map *found = find_map(second, one->name, map->source, &other);
            if (found == NULL)
                continue;
            comparison->grid[comparison->grids++] = (struct compared_grid){
                .name = one->name,
                .source = map->source,
                .map = {map, found},
                .points = {count_of(one->points), count_of(other->points)},
            };
            octave_list_add(&comparison->octaves, &map->octaves, &found->octaves);
        }
    }
    return 0;
}

int compare_maps(struct run_comparison *comparison, struct failure *failure)
{
    for (size_t g = 0; g < comparison->grids; g++)
        TRY(compare_grid(comparison, &comparison->grid[g], failure));
    return 0;
}
