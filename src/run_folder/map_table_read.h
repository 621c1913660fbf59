/** Reads the table of a receiver grid (map_table.h). */
#ifndef SRC_MAP_TABLE_READ_H
#define SRC_MAP_TABLE_READ_H

#include <stdbool.h>

#include "src/response/acoustics/acoustic_figures.h"
#include "src/run_folder/run_folder.h"

#define MAP_COLUMNS_MOST  2048
#define MAP_COLUMNS_FIRST 4 /* name, x, y, z come before the figures */

#define MAP_MARKS        "marks_" /* of the columns of marks: marks_500 */
#define MAP_SPREAD       "_spread"
#define MAP_ERROR        "_error"
#define MAP_COLUMN_MARKS ALL_FIGURES

enum map_part {
    MAP_PART_VALUE,
    MAP_PART_SPREAD, /* of that figure, between the run and its repetition */
    MAP_PART_ERROR   /* its error bar, from rays */
};

struct map_column {
    int figure; /* enum figure; -1: none in an octave; MAP_COLUMN_MARKS: values are of enum figure_mark */
    int octave; /* its nominal frequency [Hz] */
    enum map_part part;
};

/** Zeroed is empty, freed by map_rows_free(). */
struct map_rows {
    char *text;        /* owned; cut into fields */
    const char **name; /* (rows) of the points, in `text`; owned */
    size_t columns, rows;
    struct map_column column[MAP_COLUMNS_MOST];
    double *value; /* (rows, columns) NaN: empty or not a number; x, y, z [m] are columns 1 to 3; owned */
};

/** Read `file` of the folder. FAILURE_INPUT names the fault: it cannot be read, is larger than 64 MB, is not
 * such a table, has a line of another length, or has no points. FAILURE_CAPACITY without memory. */
int map_rows_read(const struct run_folder *folder, const char *file, struct map_rows *out,
                  struct failure *failure);
void map_rows_free(struct map_rows *rows);

/** The marks of a decay at a point in an octave; 0 without such a column or mark. */
unsigned map_rows_marks(const struct map_rows *rows, size_t row, int octave);

/** The column of a part of a figure in an octave; 0: absent. */
size_t map_rows_column(const struct map_rows *rows, int figure, int octave, enum map_part part);

#endif
