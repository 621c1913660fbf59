#include "src/present/report/report_seats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/present/report/report_figures.h"
#include "src/run_folder/map_table_read.h"

/* Seats while they are added up: `value` and `error` are sums over `sources` and over `bars` of them. */
struct sums {
    struct report_seats *seats;
    double *sources, *bars; /* (count) owned */
};

static bool grow(double **list, size_t width, size_t from, size_t count)
{
    double *grown = realloc(*list, (count + 1) * width * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown + from * width, 0, (count - from) * width * sizeof *grown);
    *list = grown;
    return true;
}

static int add_seats(struct sums *sums, size_t more, struct failure *failure)
{
    struct report_seats *seats = sums->seats;
    const size_t from = seats->count, count = from + more;
    double *position = (double *)seats->position;
    const bool placed = grow(&position, 3, from, count);
    seats->position = (double(*)[3])position;
    if (!placed || !grow(&seats->value, 1, from, count) || !grow(&seats->error, 1, from, count) ||
        !grow(&sums->sources, 1, from, count) || !grow(&sums->bars, 1, from, count))
        return report_no_memory(failure);
    seats->count = count;
    return 0;
}

static void add_value(struct sums *sums, size_t seat, double value, double error)
{
    if (!isfinite(value))
        return;
    sums->seats->value[seat] += value;
    sums->seats->error[seat] += isfinite(error) ? error : 0;
    sums->sources[seat]++;
    sums->bars[seat] += isfinite(error);
}

/* The mean of the octaves of 500 and 1000 Hz in a row; NaN where one is absent, but for `part` an error
 * bar. */
static double middle_of(const struct map_rows *rows, size_t row, enum figure figure, enum map_part part)
{
    double sum = 0, count = 0;
    for (int octave = 500; octave <= 1000; octave += 500) {
        const size_t column = map_rows_column(rows, figure, octave, part);
        const double value = column > 0 ? rows->value[row * rows->columns + column] : NAN;
        sum += isfinite(value) ? value : 0;
        count += isfinite(value);
    }
    return count == 2 || (part == MAP_PART_ERROR && count == 1) ? sum / 2 : NAN;
}

/* The maps of a grid have the same points. */
static int add_map(struct sums *sums, const struct map_rows *rows, enum figure figure, size_t first,
                   struct failure *failure)
{
    struct report_seats *seats = sums->seats;
    if (seats->count == first)
        TRY(add_seats(sums, rows->rows, failure));
    for (size_t i = 0; i < rows->rows && first + i < seats->count; i++) {
        memcpy(seats->position[first + i], &rows->value[i * rows->columns + 1], sizeof *seats->position);
        add_value(sums, first + i, middle_of(rows, i, figure, MAP_PART_VALUE),
                  middle_of(rows, i, figure, MAP_PART_ERROR));
    }
    return 0;
}

static int add_grids(struct sums *sums, const struct report_run *run, enum figure figure,
                     struct failure *failure)
{
    for (size_t g = 0; g < run->model->grids.count; g++) {
        const struct record_grid *grid = &run->model->grids.item[g];
        const size_t first = sums->seats->count;
        for (size_t m = 0; m < grid->maps.count; m++) {
            const char *table = grid->maps.item[m].table;
            struct map_rows rows = {0};
            struct failure why = {0};
            if (table == NULL || strchr(table, '/') != NULL)
                continue;
            int code = map_rows_read(run->folder, table, &rows, &why);
            if (code == 0)
                code = add_map(sums, &rows, figure, first, &why);
            map_rows_free(&rows);
            if (code != 0 && code != FAILURE_INPUT)
                return failure_forward(failure, &why);
        }
    }
    return 0;
}

static int add_receivers(struct sums *sums, const struct report_run *run, enum figure figure,
                         struct failure *failure)
{
    for (size_t p = 0; p < run->points.count; p++) {
        const struct report_point *point = &run->points.item[p];
        if (point->is_source)
            continue;
        const size_t seat = sums->seats->count;
        TRY(add_seats(sums, 1, failure));
        memcpy(sums->seats->position[seat], point->position, sizeof point->position);
        for (size_t i = 0; i < run->responses.count; i++) {
            double error;
            const struct report_response *response = &run->responses.item[i];
            const double value = report_figure_of(response, figure, REPORT_BAND_MIDDLE, &error);
            if (same_name(response->record->receiver, point->name))
                add_value(sums, seat, value, error);
        }
    }
    return 0;
}

int report_seats_read(const struct report_run *run, enum figure figure, struct report_seats *out,
                      struct failure *failure)
{
    struct sums sums = {.seats = out};
    *out = (struct report_seats){0};
    int code = add_grids(&sums, run, figure, failure);
    if (code == 0 && out->count == 0)
        code = add_receivers(&sums, run, figure, failure);
    for (size_t i = 0; code == 0 && i < out->count; i++) {
        out->value[i] =
            sums.sources[i] > 0 ? report_figure_rounded(figure, out->value[i] / sums.sources[i]) : NAN;
        out->error[i] = sums.bars[i] > 0 ? out->error[i] / sums.sources[i] : NAN;
    }
    free(sums.sources);
    free(sums.bars);
    if (code != 0)
        report_seats_free(out);
    return code;
}
