#include "src/present/compare/run_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/base/name_index.h"
#include "src/present/compare/absorption_change.h"
#include "src/run_folder/record_error.h"

/* ---- responses ---- */

bool same_name(const char *one, const char *other)
{
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

/* The names of a run's responses, by source and receiver, and of its points. */
struct names {
    const struct run_model *model;
    struct name_index responses, sources, receivers;
};

static void names_free(struct names *names)
{
    name_index_free(&names->responses);
    name_index_free(&names->sources);
    name_index_free(&names->receivers);
}

static int names_make(const struct run_model *model, struct names *out, struct failure *failure)
{
    const struct record_points *points = &model->points;
    out->model = model;
    for (size_t i = 0; i < model->responses.count; i++)
        TRY(name_index_add_pair(&out->responses, model->responses.item[i].source,
                                model->responses.item[i].receiver, i, failure));
    for (size_t i = 0; i < points->sources.count; i++)
        TRY(name_index_add(&out->sources, points->sources.item[i].name, i, failure));
    for (size_t i = 0; i < points->receivers.count; i++)
        TRY(name_index_add(&out->receivers, points->receivers.item[i].name, i, failure));
    name_index_sort(&out->responses);
    name_index_sort(&out->sources);
    name_index_sort(&out->receivers);
    return 0;
}

static const struct record_response *find_partner(const struct names *names,
                                                  const struct record_response *response)
{
    const size_t at = name_index_find_pair(&names->responses, response->source, response->receiver);
    return at != NAME_INDEX_NONE ? &names->model->responses.item[at] : NULL;
}

/* The position of the point called `name`; NULL without. */
static const double *position_of(const struct name_index *index, const struct record_point *point,
                                 const char *name)
{
    const size_t at = name_index_find(index, name);
    return at != NAME_INDEX_NONE ? point[at].position : NULL;
}

static double distance_between(const double *first, const double *second)
{
    return first != NULL && second != NULL ? vector_distance(first, second) : (double)NAN;
}

static void pair_make(struct compared_pair *pair, const struct record_response *first,
                      const struct record_response *second, const struct names names[2])
{
    const double *source[2], *receiver[2];
    *pair = (struct compared_pair){
        .response = {first, second}, .source = first->source, .receiver = first->receiver};
    for (int r = 0; r < 2; r++) {
        const struct record_points *points = &names[r].model->points;
        source[r] = position_of(&names[r].sources, points->sources.item, pair->source);
        receiver[r] = position_of(&names[r].receivers, points->receivers.item, pair->receiver);
    }
    pair->source_moved = distance_between(source[0], source[1]);
    pair->receiver_moved = distance_between(receiver[0], receiver[1]);
}

static int pair_named(struct run_comparison *comparison, const struct names names[2], struct failure *failure)
{
    const struct run_model *const model[2] = {&comparison->run[0]->model, &comparison->run[1]->model};
    for (int r = 0; r < 2; r++) {
        const size_t count = model[r]->responses.count;
        comparison->alone[r] = calloc(count + 1, sizeof *comparison->alone[r]);
        if (comparison->alone[r] == NULL)
            return failure_memory(failure, count * sizeof *comparison->alone[r], "responses of a run");
    }
    const size_t count = model[0]->responses.count;
    comparison->pair = calloc(count + 1, sizeof *comparison->pair);
    if (comparison->pair == NULL)
        return failure_memory(failure, count * sizeof *comparison->pair, "pairs of responses");
    for (size_t i = 0; i < count; i++) {
        const struct record_response *response = &model[0]->responses.item[i],
                                     *other = find_partner(&names[1], response);
        if (other == NULL) {
            comparison->alone[0][comparison->unpaired[0]++] = response;
            continue;
        }
        pair_make(&comparison->pair[comparison->pairs++], response, other, names);
        octave_list_add(&comparison->octaves, &response->octaves, &other->octaves);
    }
    for (size_t i = 0; i < model[1]->responses.count; i++)
        if (find_partner(&names[0], &model[1]->responses.item[i]) == NULL)
            comparison->alone[1][comparison->unpaired[1]++] = &model[1]->responses.item[i];
    return 0;
}

static int pair_up(struct run_comparison *comparison, struct failure *failure)
{
    struct names names[2];
    int code = 0;
    memset(names, 0, sizeof names);
    for (int r = 0; code == 0 && r < 2; r++)
        code = names_make(&comparison->run[r]->model, &names[r], failure);
    if (code == 0)
        code = pair_named(comparison, names, failure);
    for (int r = 0; r < 2; r++)
        names_free(&names[r]);
    return code;
}

/* ---- figures ---- */

/* The error bar of a difference in an octave: of rays, and of surfaces that differ. */
static void find_error(const struct absorption_change *change, const struct compared_pair *pair,
                       enum figure figure, int hz, struct compared_value *value)
{
    const double absorption = UNCERTAINTY_BAR * absorption_change_error(change, pair->response, figure, hz);
    value->error = NAN;
    compared_value_errors(value, compared_rest_of_error(pair->response[0], figure, hz),
                          compared_rest_of_error(pair->response[1], figure, hz));
    compared_value_errors(value, value->error, absorption);
}

/* Of a mean of 500 and 1000 Hz: the mean of theirs. */
static double single_error(const struct absorption_change *change, const struct compared_pair *pair,
                           enum figure figure)
{
    struct compared_value octave[2] = {compared_absent, compared_absent};
    find_error(change, pair, figure, 500, &octave[0]);
    find_error(change, pair, figure, 1000, &octave[1]);
    const double low = octave[0].error, high = octave[1].error;
    return isfinite(low) || isfinite(high) ? ((isfinite(low) ? low : 0) + (isfinite(high) ? high : 0)) / 2
                                           : NAN;
}

static void compare_pair(const struct absorption_change *change, struct compared_pair *pair,
                         const struct octave_list *octaves, bool same_band)
{
    const struct recorded_figures run[2] = {figures_of_response(pair->response[0]),
                                            figures_of_response(pair->response[1])};
    for (int f = 0; f < OCTAVE_FIGURES; f++)
        for (size_t b = 0; b < octaves->count; b++)
            pair->octave[f][b] = compared_in_octave((enum figure)f, run, octaves->hz[b]);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (size_t b = 0; b < octaves->count; b++)
            find_error(change, pair, (enum figure)f, octaves->hz[b], &pair->octave[f][b]);
    for (int f = 0; f < ALL_FIGURES; f++)
        pair->single[f] =
            f == FIGURE_STRENGTH && !same_band ? compared_absent : compared_single((enum figure)f, run);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        pair->single[f].error = single_error(change, pair, (enum figure)f);
}

static void compare_figures(struct run_comparison *comparison, const struct absorption_change *change)
{
    const struct octave_list *octaves = &comparison->octaves;
    const double fmax[2] = {run_model_highest(&comparison->run[0]->model),
                            run_model_highest(&comparison->run[1]->model)};
    const bool same_band = fabs(fmax[1] - fmax[0]) <= 1e-6 * fmax[0];
    const size_t pairs = comparison->pairs, stride = sizeof comparison->pair[0];
    for (size_t p = 0; p < pairs; p++)
        compare_pair(change, &comparison->pair[p], octaves, same_band);
    for (int f = 0; f < OCTAVE_FIGURES; f++) {
        struct compared_row row[OCTAVE_BANDS_MAX];
        for (size_t b = 0; b < octaves->count; b++) {
            row[b] = (struct compared_row){.figure = (enum figure)f, .octave = octaves->hz[b], .band = b};
            compared_row_mean(&row[b], &comparison->pair[0].octave[f][b], pairs, stride);
        }
        compared_rows_add(&comparison->rows, row, octaves->count);
    }
    for (int f = 0; f < ALL_FIGURES; f++) {
        struct compared_row row = {.figure = (enum figure)f};
        compared_row_mean(&row, &comparison->pair[0].single[f], pairs, stride);
        compared_rows_add(&comparison->rows, &row, 1);
    }
}

/* Lists of thirds begin at 50 Hz, so that the shortest holds what all have. */
static int compare_thirds(struct run_comparison *comparison, struct failure *failure)
{
    const size_t pairs = comparison->pairs;
    const struct json_numbers *shortest = NULL;
    for (size_t p = 0; p < pairs; p++)
        for (int r = 0; r < 2; r++) {
            const struct record_response *thirds = comparison->pair[p].response[r]->thirds;
            if (thirds == NULL)
                return 0;
            if (shortest == NULL || thirds->octaves.count < shortest->count)
                shortest = &thirds->octaves;
        }
    struct compared_value *value = calloc(pairs + 1, sizeof *value);
    if (value == NULL)
        return failure_memory(failure, pairs * sizeof *value, "thirds");
    if (shortest != NULL)
        octave_list_add(&comparison->thirds, shortest, shortest);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (size_t b = 0; b < comparison->thirds.count; b++) {
            struct compared_row *row = &comparison->third[f][b];
            *row = (struct compared_row){
                .figure = (enum figure)f, .octave = comparison->thirds.hz[b], .band = b};
            for (size_t p = 0; p < pairs; p++) {
                const struct recorded_figures run[2] = {
                    figures_of_response(comparison->pair[p].response[0]->thirds),
                    figures_of_response(comparison->pair[p].response[1]->thirds)};
                value[p] = compared_in_octave((enum figure)f, run, row->octave);
            }
            compared_row_mean(row, value, pairs, sizeof *value);
        }
    free(value);
    return 0;
}

static void find_rays(struct run_comparison *comparison)
{
    for (int r = 0; r < 2; r++)
        for (size_t b = 0; b < comparison->octaves.count; b++)
            comparison->rays[r][b] = record_rays_hold(&comparison->run[r]->model, comparison->octaves.hz[b]);
}

static void compare_expected(struct run_comparison *comparison)
{
    const struct run_model *first = &comparison->run[0]->model, *second = &comparison->run[1]->model;
    for (size_t b = 0; b < comparison->octaves.count; b++) {
        const int hz = comparison->octaves.hz[b];
#define EXPECTED(formula)                                                                                    \
    compared_value_make(FIGURE_T30, octave_number(&first->octaves, &first->formula, hz),                     \
                        octave_number(&second->octaves, &second->formula, hz), NAN, NAN)
        comparison->sabine[b] = EXPECTED(sabine);
        comparison->eyring[b] = EXPECTED(eyring);
    }
}

/* ---- a comparison ---- */

const struct compared_value *compared_of_pair(const struct compared_pair *pair,
                                              const struct compared_row *row)
{
    return row->octave > 0 ? &pair->octave[row->figure][row->band] : &pair->single[row->figure];
}

static int compare_all(struct run_comparison *comparison, struct failure *failure)
{
    TRY(pair_up(comparison, failure));
    TRY(compare_maps_find(comparison, failure));
    find_rays(comparison);
    struct absorption_change change;
    TRY(absorption_change_make(&comparison->run[0]->model, &comparison->run[1]->model, &change, failure));
    compare_figures(comparison, &change);
    absorption_change_free(&change);
    TRY(compare_thirds(comparison, failure));
    TRY(compare_maps(comparison, failure));
    compare_expected(comparison);
    TRY(only_one_run_find(comparison, failure));
    return run_changes_find(comparison, failure);
}

int run_compare(const struct run_folder *first, const struct run_folder *second, struct run_comparison *out,
                struct failure *failure)
{
    *out = (struct run_comparison){.run = {first, second}};
    const int code = compare_all(out, failure);
    if (code != 0)
        run_comparison_free(out);
    return code;
}

void run_comparison_free(struct run_comparison *comparison)
{
    for (size_t g = 0; g < comparison->grids; g++)
        free(comparison->grid[g].place);
    free(comparison->grid);
    free(comparison->change);
    free(comparison->pair);
    for (int r = 0; r < 2; r++) {
        free(comparison->alone[r]);
        free(comparison->only[r].map);
    }
    *comparison = (struct run_comparison){0};
}
