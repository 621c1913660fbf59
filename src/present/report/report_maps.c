#include "src/present/report/report_maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/figure_table.h"
#include "src/run_folder/map_table_read.h"
#include "src/run_folder/record_error.h"

/* One column of a table. */
struct column {
    const struct record_grid *grid;
    const struct record_map *map;
    const struct map_rows *table;
    size_t number;
};

static double value_of(const struct column *column, size_t row)
{
    return column->table->value[row * column->table->columns + column->number];
}

/* Members that a map and an omitted map have in common. */
#define SET_HEAD(map, column)                                                                                \
    ((map)->grid = (column)->grid->name, (map)->source = (column)->map->source,                              \
     (map)->figure = (enum figure)(column)->table->column[(column)->number].figure,                          \
     (map)->octave = (column)->table->column[(column)->number].octave)

static int add_left_out(struct report_run *run, const struct column *column, size_t known,
                        struct failure *failure)
{
    struct report_map_left_out *map = report_list_add(&report_map_left_out_table, &run->maps_left_out);
    if (map == NULL)
        return report_no_memory(failure);
    SET_HEAD(map, column);
    map->known = (double)known;
    map->places = (double)column->table->rows;
    return 0;
}

static int add_map(struct report_run *run, const struct column *column, struct failure *failure)
{
    const struct map_rows *table = column->table;
    struct report_map *map = report_list_add(&report_map_table, &run->maps);
    if (map == NULL)
        return report_no_memory(failure);
    SET_HEAD(map, column);
    if (run->model->rays != NULL)
        map->from = record_rays_hold(run->model, map->octave) ? "rays" : "waves";
    map->spacing = column->grid->spacing;
    map->height = column->grid->height;
    map->points.point = malloc((table->rows + 1) * sizeof *map->points.point);
    map->values.value = malloc((table->rows + 1) * sizeof *map->values.value);
    if (map->points.point == NULL || map->values.value == NULL)
        return report_no_memory(failure);
    map->points.count = map->values.count = table->rows;
    map->marked = figure_is_marked(map->figure) ? 0 : NAN;
    for (size_t i = 0; i < table->rows; i++) {
        const unsigned marks = map_rows_marks(table, i, (int)map->octave);
        if (figure_is_marked(map->figure) && isfinite(value_of(column, i)) && marks != 0) {
            map->marked++;
            map->marks |= marks;
        }
        for (size_t axis = 0; axis < 3; axis++)
            map->points.point[i][axis] = report_rounded(table->value[i * table->columns + 1 + axis], 4);
        map->values.value[i] = report_figure_rounded(map->figure, value_of(column, i));
    }
    return 0;
}

static size_t count_known(const struct column *column)
{
    size_t known = 0;
    for (size_t i = 0; i < column->table->rows; i++)
        known += isfinite(value_of(column, i)) ? 1 : 0;
    return known;
}

static int add_columns(struct report_run *run, struct column column, struct failure *failure)
{
    const struct map_rows *table = column.table;
    for (column.number = MAP_COLUMNS_FIRST; column.number < table->columns; column.number++) {
        if (table->column[column.number].figure < 0 ||
            table->column[column.number].figure == MAP_COLUMN_MARKS ||
            table->column[column.number].part != MAP_PART_VALUE)
            continue;
        const size_t known = count_known(&column);
        if (known < REPORT_MAP_LEAST || known * REPORT_MAP_PART < table->rows)
            TRY(add_left_out(run, &column, known, failure));
        else
            TRY(add_map(run, &column, failure));
    }
    return 0;
}

static int add_table(struct report_run *run, const struct run_folder *folder, const struct record_grid *grid,
                     const struct record_map *map, struct failure *failure)
{
    if (map->table == NULL || strchr(map->table, '/') != NULL)
        return 0;
    struct map_rows table = {0};
    struct failure why = {0};
    int code = map_rows_read(folder, map->table, &table, &why);
    if (code == FAILURE_INPUT)
        code = 0;
    else if (code == 0)
        code = add_columns(run, (struct column){.grid = grid, .map = map, .table = &table}, failure);
    else
        failure_forward(failure, &why);
    map_rows_free(&table);
    return code;
}

int report_maps_add(struct report_run *run, const struct run_folder *folder, struct failure *failure)
{
    for (size_t g = 0; g < run->model->grids.count; g++) {
        const struct record_grid *grid = &run->model->grids.item[g];
        for (size_t m = 0; m < grid->maps.count; m++)
            TRY(add_table(run, folder, grid, &grid->maps.item[m], failure));
    }
    return 0;
}
