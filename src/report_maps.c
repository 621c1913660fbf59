#include "src/report_maps.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/acoustic_figures.h"
#include "src/report_response.h"

#define TABLE_MOST   ((size_t)64 << 20) /* bytes */
#define COLUMNS_MOST 512
#define FIRST        4 /* after name, x, y, z */

/* One column: which figure and octave it is. */
struct column {
    int figure, octave; /* figure -1: none of those */
};

struct table {
    char *text; /* owned; cut into fields */
    size_t columns, rows;
    struct column column[COLUMNS_MOST];
    double *value; /* (rows, columns) NaN where a field is empty; owned */
};

static void table_free(struct table *table)
{
    free(table->text);
    free(table->value);
    *table = (struct table){0};
}

/* "c80_db_500"; not "c80_db_single", nor a spread. */
static struct column column_of(const char *name)
{
    for (int f = 0; f < ACOUSTIC_FIGURES; f++) {
        const char *known = acoustic_figure_kind[f].name;
        const size_t length = strlen(known);
        if (strncmp(name, known, length) != 0 || name[length] != '_' ||
            !isdigit((unsigned char)name[length + 1]))
            continue;
        char *end = NULL;
        const long octave = strtol(name + length + 1, &end, 10);
        if (*end == '\0' && octave > 0 && octave < 100000)
            return (struct column){f, (int)octave};
    }
    return (struct column){-1, 0};
}

/* The line at `text` ended, its fields ended; returns the next line, NULL at the end. */
static char *cut_line(char *text, char **field, size_t *count)
{
    char *next = text + strcspn(text, "\n");
    const bool more = *next != '\0';
    *next = '\0';
    *count = 0;
    for (char *at = text; *count < COLUMNS_MOST; at++) {
        field[(*count)++] = at;
        at += strcspn(at, ",\r");
        if (*at != ',')
            break;
        *at = '\0';
    }
    return more ? next + 1 : NULL;
}

/* NaN where the field is empty or no number. */
static double number_of(const char *field)
{
    char *end = NULL;
    const double value = strtod(field, &end);
    return end != field && (*end == '\0' || *end == '\r') && isfinite(value) ? value : NAN;
}

/* FAILURE_INPUT where it is no such table. */
static int parse(struct table *table, struct failure *failure)
{
    char *field[COLUMNS_MOST], *line = table->text;
    size_t lines = 0;
    for (const char *c = table->text; *c != '\0'; c++)
        lines += *c == '\n';
    line = cut_line(line, field, &table->columns);
    if (table->columns <= FIRST || strcmp(field[0], "name") != 0)
        return failure_set(failure, FAILURE_INPUT, "it is no table of a receiver grid");
    for (size_t c = 0; c < table->columns; c++)
        table->column[c] = column_of(field[c]);
    table->value = malloc((lines + 1) * table->columns * sizeof *table->value);
    if (table->value == NULL)
        return failure_memory(failure, (lines + 1) * table->columns * sizeof *table->value, "a map");
    while (line != NULL && line[0] != '\0') {
        size_t count = 0;
        line = cut_line(line, field, &count);
        if (count != table->columns)
            return failure_set(failure, FAILURE_INPUT, "a line of it has %zu fields and not %zu", count,
                               table->columns);
        for (size_t c = 0; c < count; c++)
            table->value[table->rows * count + c] = number_of(field[c]);
        table->rows++;
    }
    return table->rows > 0 ? 0 : failure_set(failure, FAILURE_INPUT, "it has no points");
}

static cJSON *points_of(const struct table *table)
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

static void add_map(cJSON *maps, const cJSON *grid, const cJSON *entry, const struct table *table, size_t c)
{
    static const int decimals[ACOUSTIC_FIGURES] = {4, 4, 4, 3, 3, 4, 5, 3};
    const struct column column = table->column[c];
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
    cJSON_AddItemToObject(map, "points", points_of(table));
    cJSON *values = cJSON_AddArrayToObject(map, "values");
    for (size_t i = 0; i < table->rows; i++)
        cJSON_AddItemToArray(values,
                             report_rounded(table->value[i * table->columns + c], decimals[column.figure]));
    cJSON_AddItemToArray(maps, map);
}

static int add_table(cJSON *maps, const struct run_folder *folder, const cJSON *grid, const cJSON *entry,
                     struct failure *failure)
{
    const char *file = record_text(entry, "table");
    if (file == NULL || strchr(file, '/') != NULL)
        return 0;
    struct table table = {0};
    struct failure why = {0};
    size_t length = 0;
    char *path = run_folder_file(folder, file);
    int code = path == NULL ? failure_memory(&why, 100, "a path")
                            : run_folder_text(path, TABLE_MOST, &table.text, &length, &why);
    if (code == 0)
        code = parse(&table, &why);
    for (size_t c = FIRST; code == 0 && c < table.columns; c++) {
        bool any = false;
        for (size_t i = 0; table.column[c].figure >= 0 && i < table.rows; i++)
            any = any || isfinite(table.value[i * table.columns + c]);
        if (any)
            add_map(maps, grid, entry, &table, c);
    }
    free(path);
    table_free(&table);
    return code == 0 || code == FAILURE_INPUT
               ? 0
               : failure_set(failure, (enum failure_code)code, "%s", why.sentence);
}

int report_maps_add(cJSON *run, const struct run_folder *folder, struct failure *failure)
{
    cJSON *maps = cJSON_AddArrayToObject(run, "maps");
    const cJSON *grid, *entry;
    if (maps == NULL)
        return failure_memory(failure, 0, "maps");
    cJSON_ArrayForEach(grid, record_at(folder->record, "grids"))
        cJSON_ArrayForEach(entry, record_at(grid, "maps")) TRY(add_table(maps, folder, grid, entry, failure));
    return 0;
}
