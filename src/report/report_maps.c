#include "src/report/report_maps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/report_response.h"
#include "src/run/map_table_read.h"

static cJSON *points_of(const struct map_rows *table)
{
    cJSON *points = cJSON_CreateArray();
    for (size_t i = 0; i < table->rows; i++) {
        cJSON *point = cJSON_CreateArray();
        for (size_t axis = 0; axis < 3; axis++)
            cJSON_AddItemToArray(point, report_rounded(table->value[i * table->columns + 1 + axis], 4));
        cJSON_AddItemToArray(points, point);
    }
    return points;
}

static void add_map(cJSON *maps, const cJSON *grid, const cJSON *entry, const struct map_rows *table,
                    size_t c)
{
    static const int decimals[ACOUSTIC_FIGURES] = {4, 4, 4, 3, 3, 4, 5, 3};
    const struct map_column column = table->column[c];
    const struct acoustic_figure_kind *kind = &acoustic_figure_kind[column.figure];
    cJSON *map = cJSON_CreateObject();
    cJSON_AddItemToObject(map, "grid", cJSON_Duplicate(record_at(grid, "name"), true));
    cJSON_AddItemToObject(map, "source", cJSON_Duplicate(record_at(entry, "source"), true));
    cJSON_AddStringToObject(map, "figure", kind->name);
    cJSON_AddNumberToObject(map, "octave_hz", column.octave);
    cJSON_AddStringToObject(map, "unit", kind->unit);
    cJSON_AddNumberToObject(map, "jnd", kind->jnd);
    cJSON_AddBoolToObject(map, "relative", kind->relative);
    cJSON_AddItemToObject(map, "spacing_m", cJSON_Duplicate(record_at(grid, "spacing_m"), true));
    cJSON_AddItemToObject(map, "height_m", cJSON_Duplicate(record_at(grid, "height_m"), true));
    cJSON_AddItemToObject(map, "points", points_of(table));
    cJSON *values = cJSON_AddArrayToObject(map, "values");
    for (size_t i = 0; i < table->rows; i++)
        cJSON_AddItemToArray(values,
                             report_rounded(table->value[i * table->columns + c], decimals[column.figure]));
    cJSON_AddItemToArray(maps, map);
}

static size_t count_known(const struct map_rows *table, size_t c)
{
    size_t known = 0;
    for (size_t i = 0; i < table->rows; i++)
        known += isfinite(table->value[i * table->columns + c]);
    return known;
}

static void add_left_out(cJSON *left_out, const cJSON *grid, const cJSON *entry, const struct map_rows *table,
                         size_t c, size_t known)
{
    cJSON *map = cJSON_CreateObject();
    cJSON_AddItemToObject(map, "grid", cJSON_Duplicate(record_at(grid, "name"), true));
    cJSON_AddItemToObject(map, "source", cJSON_Duplicate(record_at(entry, "source"), true));
    cJSON_AddStringToObject(map, "word", acoustic_figure_kind[table->column[c].figure].word);
    cJSON_AddNumberToObject(map, "octave_hz", table->column[c].octave);
    cJSON_AddNumberToObject(map, "known", (double)known);
    cJSON_AddNumberToObject(map, "places", (double)table->rows);
    cJSON_AddItemToArray(left_out, map);
}

static int add_table(cJSON *maps, cJSON *left_out, const struct run_folder *folder, const cJSON *grid,
                     const cJSON *entry, struct failure *failure)
{
    const char *file = record_text(entry, "table");
    if (file == NULL || strchr(file, '/') != NULL)
        return 0;
    struct map_rows table = {0};
    struct failure why = {0};
    const int code = map_rows_read(folder, file, &table, &why);
    for (size_t c = MAP_COLUMNS_FIRST; code == 0 && c < table.columns; c++) {
        if (table.column[c].figure < 0 || table.column[c].spread)
            continue;
        const size_t known = count_known(&table, c);
        if (known < REPORT_MAP_LEAST || known * REPORT_MAP_PART < table.rows)
            add_left_out(left_out, grid, entry, &table, c, known);
        else
            add_map(maps, grid, entry, &table, c);
    }
    map_rows_free(&table);
    return code == 0 || code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
}

int report_maps_add(cJSON *run, const struct run_folder *folder, struct failure *failure)
{
    cJSON *maps = cJSON_AddArrayToObject(run, "maps"),
          *left_out = cJSON_AddArrayToObject(run, "maps_left_out");
    const cJSON *grid, *entry;
    if (maps == NULL || left_out == NULL)
        return failure_memory(failure, 0, "maps");
    cJSON_ArrayForEach(grid, record_at(folder->record, "grids"))
        cJSON_ArrayForEach(entry, record_at(grid, "maps"))
            TRY(add_table(maps, left_out, folder, grid, entry, failure));
    return 0;
}
