#include "src/present/compare/compared_rows.h"

#include <math.h>
#include <string.h>

#include "src/run_folder/absorption_error.h"
#include "src/response/acoustics/figure_table.h"
#include "src/run_folder/figure_record.h"
#include "src/run_folder/record_error.h"

/* ---- one value ---- */

const struct compared_value compared_absent = {NAN, NAN, NAN, NAN, NAN, NAN, {0, 0}};

static double add_spreads(double first, double second)
{
    if (!isfinite(first))
        return isfinite(second) ? second : NAN;
    return isfinite(second) ? first + second : first;
}

struct compared_value compared_value_make(enum figure figure, double first, double second,
                                          double first_spread, double second_spread)
{
    const struct figure_kind *kind = &figure_kind[figure];
    struct compared_value value = compared_absent;
    value.first = isfinite(first) ? first : NAN;
    value.second = isfinite(second) ? second : NAN;
    value.difference = value.second - value.first;
    value.spread = add_spreads(first_spread, second_spread);
    const double step = kind->relative ? kind->jnd * value.first : kind->jnd;
    value.jnds = step > 0 ? value.difference / step : NAN;
    return value;
}

void compared_value_errors(struct compared_value *value, double first, double second)
{
    if (isfinite(first) || isfinite(second))
        value->error = hypot(isfinite(first) ? first : 0, isfinite(second) ? second : 0);
}

double compared_rest_of_error(const struct record_response *response, enum figure figure, int hz)
{
    const double all = octave_number(&response->octaves, &response->error.octave[figure], hz);
    const double part = octave_number(&response->octaves, &response->absorption.octave[figure], hz);
    const double rest = all * all - UNCERTAINTY_BAR * part * UNCERTAINTY_BAR * part;
    return !isfinite(part) ? all : rest > 1e-9 * all * all ? sqrt(rest) : NAN;
}

bool compared_is_within_error(const struct compared_value *value)
{
    return fabs(value->difference) <= value->error;
}

enum certainty compared_certainty(const struct compared_value *value)
{
    if (!isfinite(value->difference) || (!isfinite(value->spread) && !isfinite(value->error)))
        return CERTAINTY_UNKNOWN;
    return compared_is_within_error(value) || fabs(value->difference) <= value->spread ? CERTAINTY_WITHIN
                                                                                       : CERTAINTY_BEYOND;
}

/* ---- octaves ---- */

/* The place of the octave that is called `hz`; `centres->count` without. */
static size_t place_of(const struct json_numbers *centres, int hz)
{
    size_t i = 0;
    while (i < centres->count && !(centres->value[i] > 0 && band_nominal(centres->value[i]) == hz))
        i++;
    return i;
}

void octave_list_add(struct octave_list *list, const struct json_numbers *first,
                     const struct json_numbers *second)
{
    for (size_t i = 0; i < first->count; i++) {
        if (!(first->value[i] > 0))
            continue;
        const int hz = band_nominal(first->value[i]);
        size_t b = 0;
        while (b < list->count && list->hz[b] < hz)
            b++;
        if ((b < list->count && list->hz[b] == hz) || list->count == OCTAVE_BANDS_MAX ||
            place_of(second, hz) == second->count)
            continue;
        memmove(&list->hz[b + 1], &list->hz[b], (list->count - b) * sizeof list->hz[0]);
        list->hz[b] = hz;
        list->count++;
    }
}

double octave_number(const struct json_numbers *centres, const struct json_numbers *numbers, int hz)
{
    const size_t place = place_of(centres, hz);
    return place < centres->count ? json_number_of(numbers, place) : NAN;
}

struct recorded_figures figures_of_response(const struct record_response *response)
{
    return (struct recorded_figures){&response->octaves, &response->figures, &response->spread,
                                     &response->error,   response,           NULL};
}

struct recorded_figures figures_of_map(const struct record_map *map)
{
    return (struct recorded_figures){&map->octaves, &map->mean, &map->spread, &map->error, NULL, &map->marks};
}

/* Marks of the decay in the octave with nominal frequency `hz`. */
static unsigned marks_of(const struct recorded_figures *run, int hz)
{
    const size_t place = place_of(run->octaves, hz);
    const char *text = run->marks != NULL ? json_text_of(run->marks, place) : NULL;
    if (run->response != NULL)
        return record_marks(run->response, place);
    return text != NULL ? figure_marks_read(text) : 0;
}

struct compared_value compared_in_octave(enum figure figure, const struct recorded_figures run[2], int hz)
{
    double value[2], spread[2], error[2];
    for (int r = 0; r < 2; r++) {
        value[r] = octave_number(run[r].octaves, &run[r].value->octave[figure], hz);
        spread[r] = octave_number(run[r].octaves, &run[r].spread->octave[figure], hz);
        error[r] = octave_number(run[r].octaves, &run[r].error->octave[figure], hz);
    }
    struct compared_value made = compared_value_make(figure, value[0], value[1], spread[0], spread[1]);
    compared_value_errors(&made, error[0], error[1]);
    for (int r = 0; r < 2 && figure_is_marked(figure); r++)
        made.marks[r] = marks_of(&run[r], hz);
    return made;
}

struct compared_value compared_single(enum figure figure, const struct recorded_figures run[2])
{
    struct compared_value made =
        compared_value_make(figure, run[0].value->single[figure], run[1].value->single[figure],
                            run[0].spread->single[figure], run[1].spread->single[figure]);
    compared_value_errors(&made, record_single_error(run[0].response, figure),
                          record_single_error(run[1].response, figure));
    for (int r = 0; r < 2 && figure_is_marked(figure); r++)
        made.marks[r] = marks_of(&run[r], 500) | marks_of(&run[r], 1000);
    return made;
}

/* ---- rows ---- */

bool compared_is_repeated(const struct compared_row *row)
{
    return row->octave == 0 && row->figure < OCTAVE_FIGURES;
}

void compared_row_mean(struct compared_row *row, const struct compared_value *value, size_t count,
                       size_t stride)
{
    double first = 0, second = 0, spread = NAN, error = NAN;
    unsigned marks[2] = {0, 0};
    row->places = row->noticed = row->where = 0;
    row->largest = NAN;
    for (size_t i = 0; i < count; i++) {
        const struct compared_value *at = (const struct compared_value *)((const char *)value + i * stride);
        if (!isfinite(at->difference))
            continue;
        row->places++;
        first += at->first;
        second += at->second;
        marks[0] |= at->marks[0];
        marks[1] |= at->marks[1];
        spread = add_spreads(spread, at->spread);
        error = add_spreads(error, at->error);
        row->noticed += fabs(at->jnds) >= 1;
        if (isfinite(at->jnds) && !(fabs(at->jnds) <= fabs(row->largest))) {
            row->largest = at->jnds;
            row->where = i;
        }
    }
    const double n = (double)row->places;
    row->value = row->places == 0 ? compared_absent
                                  : compared_value_make(row->figure, first / n, second / n, spread / n, NAN);
    compared_value_errors(&row->value, error / n, NAN);
    memcpy(row->value.marks, marks, sizeof marks);
}

void compared_rows_add(struct compared_rows *rows, const struct compared_row *row, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || isfinite(row[i].value.difference);
    if (!any)
        return;
    memcpy(&rows->row[rows->count], row, count * sizeof *row);
    rows->count += count;
}
