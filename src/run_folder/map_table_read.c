#include "src/run_folder/map_table_read.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/regular_file.h"
#include "src/response/acoustics/figure_table.h"

#define BYTES_MOST ((size_t)64 << 20)

void map_rows_free(struct map_rows *rows)
{
    free(rows->text);
    free(rows->name);
    free(rows->value);
    *rows = (struct map_rows){0};
}

/* "c80_db_500", "c80_db_500_spread" and "c80_db_500_error"; not "c80_db_single". */
static struct map_column column_of(const char *name)
{
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        const char *known = figure_kind[f].name;
        const size_t length = strlen(known);
        if (strncmp(name, known, length) != 0 || name[length] != '_' ||
            !isdigit((unsigned char)name[length + 1]))
            continue;
        char *end = NULL;
        const long octave = strtol(name + length + 1, &end, 10);
        const enum map_part part = strcmp(end, MAP_SPREAD) == 0  ? MAP_PART_SPREAD
                                   : strcmp(end, MAP_ERROR) == 0 ? MAP_PART_ERROR
                                                                 : MAP_PART_VALUE;
        if ((*end == '\0' || part != MAP_PART_VALUE) && octave > 0 && octave < 100000)
            return (struct map_column){f, (int)octave, part};
    }
    const size_t marks = strlen(MAP_MARKS);
    if (strncmp(name, MAP_MARKS, marks) == 0 && isdigit((unsigned char)name[marks]))
        return (struct map_column){MAP_COLUMN_MARKS, atoi(name + marks), MAP_PART_VALUE};
    return (struct map_column){-1, 0, MAP_PART_VALUE};
}

/* The line at `text` ended, its fields ended; returns the next line, NULL at the end. */
static char *cut_line(char *text, char **field, size_t *count)
{
    char *next = text + strcspn(text, "\n");
    const bool more = *next != '\0';
    *next = '\0';
    *count = 0;
    for (char *at = text; *count < MAP_COLUMNS_MOST; at++) {
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

/* `lines` of the text are more than enough rows. */
static int parse_lines(struct map_rows *rows, size_t lines, const char *file, struct failure *failure)
{
    char *field[MAP_COLUMNS_MOST], *line = cut_line(rows->text, field, &rows->columns);
    if (rows->columns <= MAP_COLUMNS_FIRST || strcmp(field[0], "name") != 0)
        return failure_set(failure, FAILURE_INPUT, "%s is not a table of a receiver grid", file);
    for (size_t c = 0; c < rows->columns; c++)
        rows->column[c] = column_of(field[c]);
    rows->value = malloc(lines * rows->columns * sizeof *rows->value);
    rows->name = malloc(lines * sizeof *rows->name);
    if (rows->value == NULL || rows->name == NULL)
        return failure_memory(failure, lines * rows->columns * sizeof *rows->value, "a map");
    while (line != NULL && line[0] != '\0') {
        size_t count = 0;
        line = cut_line(line, field, &count);
        if (count != rows->columns)
            return failure_at(
                failure_set(failure, FAILURE_INPUT, "%zu fields and not %zu", count, rows->columns), failure,
                file, rows->rows + 2);
        for (size_t c = 0; c < count; c++)
            rows->value[rows->rows * count + c] = rows->column[c].figure == MAP_COLUMN_MARKS
                                                      ? figure_marks_read(field[c])
                                                      : number_of(field[c]);
        rows->name[rows->rows++] = field[0];
    }
    return rows->rows > 0 ? 0 : failure_set(failure, FAILURE_INPUT, "%s has no points", file);
}

int map_rows_read(const struct run_folder *folder, const char *file, struct map_rows *out,
                  struct failure *failure)
{
    struct map_rows rows = {0};
    size_t length = 0, lines = 1;
    char *path = run_folder_file(folder, file);
    int code = path == NULL ? failure_memory(failure, strlen(file), "a path")
                            : regular_file_read(path, BYTES_MOST, &rows.text, &length, failure);
    for (size_t i = 0; code == 0 && i < length; i++)
        lines += rows.text[i] == '\n';
    if (code == 0)
        code = parse_lines(&rows, lines, file, failure);
    free(path);
    if (code != 0) {
        map_rows_free(&rows);
        return code;
    }
    *out = rows;
    return 0;
}

unsigned map_rows_marks(const struct map_rows *rows, size_t row, int octave)
{
    const size_t column = map_rows_column(rows, MAP_COLUMN_MARKS, octave, MAP_PART_VALUE);
    return column > 0 ? (unsigned)rows->value[row * rows->columns + column] : 0;
}

size_t map_rows_column(const struct map_rows *rows, int figure, int octave, enum map_part part)
{
    for (size_t c = MAP_COLUMNS_FIRST; c < rows->columns; c++)
        if (rows->column[c].figure == figure && rows->column[c].octave == octave &&
            rows->column[c].part == part)
            return c;
    return 0;
}
