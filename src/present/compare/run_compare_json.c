#include "src/present/compare/run_compare_json.h"

#include <math.h>

#include "src/response/acoustics/figure_table.h"
#include "src/present/compare/ray_coverage.h"
#include "src/present/compare/run_compare_words.h"
#include "src/base/table/json_values.h"

double compared_rounded(double value)
{
    if (!isfinite(value))
        return NAN;
    const double scale = value != 0 ? pow(10, 6 - floor(log10(fabs(value)))) : 1;
    return round(value * scale) / scale;
}

static cJSON *rounded(double value)
{
    return OF_NUMBER(compared_rounded(value));
}

/* The values as members of `object`, or (`array`) each at the end of the list of its name. */
static void put_values(cJSON *object, bool array, size_t count, const struct json_value value[])
{
    if (!array)
        json_put(object, count, value);
    for (size_t i = 0; array && i < count; i++) {
        cJSON *const list = cJSON_GetObjectItem(object, value[i].name);
        json_append(list != NULL ? list : json_list_in(object, value[i].name), value[i].item);
    }
}
#define PUT_VALUES(object, array, ...)                                                                       \
    put_values(object, array, sizeof((const struct json_value[]){__VA_ARGS__}) / sizeof(struct json_value),  \
               (const struct json_value[]){__VA_ARGS__})

static void put_difference(cJSON *object, const struct compared_value *value, bool array)
{
    PUT_VALUES(object, array, {"first", rounded(value->first)}, {"second", rounded(value->second)},
               {"difference", rounded(value->difference)}, {"jnds", rounded(value->jnds)});
}

/* With the marks of its decay, if the figure has them. */
static void put_value(cJSON *object, enum figure figure, const struct compared_value *value, bool array)
{
    char first[FIGURE_MARKS_MAX], second[FIGURE_MARKS_MAX];
    const enum certainty certainty = compared_certainty(value);
    put_difference(object, value, array);
    PUT_VALUES(object, array, {"spread", rounded(value->spread)}, {"error", rounded(value->error)},
               {"certain", certainty == CERTAINTY_UNKNOWN ? cJSON_CreateNull()
                                                          : OF_TRUTH(certainty == CERTAINTY_BEYOND)});
    if (figure_is_marked(figure))
        PUT_VALUES(object, array, {"first_marks", OF_TEXT(figure_marks_text(value->marks[0], first))},
                   {"second_marks", OF_TEXT(figure_marks_text(value->marks[1], second))});
}

static void put_row(cJSON *object, const struct compared_row *row)
{
    const bool array = row->octave > 0;
    put_value(object, row->figure, &row->value, array);
    PUT_VALUES(object, array, {"largest_jnds", rounded(fabs(row->largest))},
               {"largest_at", rounded(isfinite(row->largest) ? (double)row->where : NAN)},
               {"noticed", OF_NUMBER(row->noticed)}, {"pairs", OF_NUMBER(row->places)});
}

/* A figure has one name, by octave and as a single number. */
static const char *name_of(const struct compared_row *row)
{
    const struct figure_kind *kind = &figure_kind[row->figure];
    return kind->name != NULL ? kind->name : kind->single;
}

static void put_names(cJSON *object, const struct compared_row *row)
{
    const struct figure_kind *kind = &figure_kind[row->figure];
    JSON_PUT(object, {"name", OF_TEXT(name_of(row))}, {"word", OF_TEXT(kind->word)},
             {"unit", OF_TEXT(kind->unit)}, {"jnd", rounded(kind->jnd)},
             {"relative", OF_TRUTH(kind->relative)});
}

/* An object for each figure, of the rows by octave or of the single numbers. */
static cJSON *figures_of(const struct compared_rows *rows, bool single)
{
    cJSON *list = cJSON_CreateArray(), *object = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const struct compared_row *row = &rows->row[i];
        if ((row->octave == 0) != single)
            continue;
        if (row->band == 0) {
            object = json_append_object(list);
            put_names(object, row);
        }
        put_row(object, row);
    }
    return list;
}

static void add_pair(cJSON *list, const struct run_comparison *comparison, const struct compared_pair *pair)
{
    cJSON *object = json_append_object(list), *figure = NULL;
    JSON_PUT(object, {"source", OF_TEXT(pair->source)}, {"receiver", OF_TEXT(pair->receiver)},
             {"source_moved_m", rounded(pair->source_moved)},
             {"receiver_moved_m", rounded(pair->receiver_moved)});
    cJSON *octaves = json_object_in(object, "octaves"), *singles = json_object_in(object, "single_numbers");
    for (size_t i = 0; i < comparison->rows.count; i++) {
        const struct compared_row *row = &comparison->rows.row[i];
        if (row->band == 0)
            figure = json_object_in(row->octave > 0 ? octaves : singles, name_of(row));
        put_value(figure, row->figure, compared_of_pair(pair, row), row->octave > 0);
    }
}

static void add_expected(cJSON *object, const char *name, const struct compared_value *value, size_t bands)
{
    cJSON *entry = json_object_in(object, name);
    for (size_t b = 0; b < bands; b++)
        put_difference(entry, &value[b], true);
}

static void add_alone(cJSON *object, const char *name, const struct record_response *const *response,
                      size_t count)
{
    cJSON *list = json_list_in(object, name);
    for (size_t i = 0; i < count; i++)
        JSON_PUT(json_append_object(list), {"source", OF_TEXT(response[i]->source)},
                 {"receiver", OF_TEXT(response[i]->receiver)});
}

static cJSON *octaves_of(const struct octave_list *octaves)
{
    return cJSON_CreateIntArray(octaves->hz, (int)octaves->count);
}

static cJSON *from_of(const struct run_comparison *comparison, int run)
{
    const char *from[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < comparison->octaves.count; b++)
        from[b] = comparison->rays[run][b] ? "rays" : "waves";
    return OF_TEXTS(comparison->octaves.count, from);
}

static void add_thirds(cJSON *object, const struct run_comparison *comparison)
{
    if (comparison->thirds.count == 0)
        return;
    cJSON *thirds = json_object_in(object, "thirds"), *list = NULL;
    JSON_PUT(thirds, {"nominal_hz", octaves_of(&comparison->thirds)});
    list = json_list_in(thirds, "figures");
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        cJSON *figure = json_append_object(list);
        put_names(figure, &comparison->third[f][0]);
        for (size_t b = 0; b < comparison->thirds.count; b++)
            put_row(figure, &comparison->third[f][b]);
    }
}

static void add_only(cJSON *object, const char *name, const struct only_one_run *only)
{
    cJSON *entry = json_object_in(object, name);
    JSON_PUT(entry, {"octaves_hz", octaves_of(&only->octaves)});
    cJSON *figures = json_list_in(entry, "figures"), *maps = json_list_in(entry, "maps");
    for (size_t i = 0; i < only->figures; i++) {
        const struct only_figure *figure = &only->figure[i];
        JSON_PUT(json_append_object(figures), {"word", OF_TEXT(figure_kind[figure->figure].word)},
                 {"single_number", OF_TRUTH(figure->single)}, {"octaves_hz", octaves_of(&figure->octaves)});
    }
    for (size_t i = 0; i < only->maps; i++)
        JSON_PUT(json_append_object(maps), {"name", OF_TEXT(only->map[i].grid)},
                 {"source", OF_TEXT(only->map[i].source)});
}

static void add_grids(cJSON *object, const struct run_comparison *comparison)
{
    cJSON *list = json_list_in(object, "grids");
    for (size_t g = 0; g < comparison->grids; g++) {
        const struct compared_grid *grid = &comparison->grid[g];
        JSON_PUT(json_append_object(list), {"name", OF_TEXT(grid->name)}, {"source", OF_TEXT(grid->source)},
                 {"by_point", OF_TRUTH(grid->by_point)}, {"why", OF_TEXT(grid->by_point ? NULL : grid->why)},
                 {"points_first", OF_NUMBER(grid->points[0])}, {"points_second", OF_NUMBER(grid->points[1])},
                 {"figures", figures_of(&grid->rows, false)});
    }
}

static void add_changes(cJSON *object, const struct run_comparison *comparison)
{
    static const char *const name[2] = {"first", "second"};
    cJSON *list = json_list_in(object, "changes");
    for (size_t i = 0; i < comparison->changes; i++) {
        const struct run_change *change = &comparison->change[i];
        cJSON *entry = json_append_object(list);
        JSON_PUT(entry, {"key", OF_TEXT(change->key)}, {"caution", OF_TRUTH(change->caution)},
                 {"words", OF_TEXT(change->words)});
        for (int r = 0; r < 2; r++)
            JSON_PUT(entry, {name[r],
                             change->value[r] != NULL ? json_item(&change->field, change->value[r]) : NULL});
    }
}

static void add_largest(cJSON *object, const struct compared_rows *rows)
{
    const struct compared_row *found = NULL;
    for (size_t i = 0; i < rows->count && rows->row[i].octave > 0; i++) {
        const struct compared_row *row = &rows->row[i];
        if (isfinite(row->value.jnds) && (found == NULL || fabs(row->value.jnds) > fabs(found->value.jnds)))
            found = row;
    }
    if (found == NULL)
        JSON_PUT(object, {"largest", NULL});
    else
        JSON_PUT(json_object_in(object, "largest"), {"word", OF_TEXT(figure_kind[found->figure].word)},
                 {"octave_hz", OF_NUMBER(found->octave)}, {"jnds", rounded(found->value.jnds)});
}

static void add_coverage(cJSON *object, const struct run_comparison *comparison)
{
    struct ray_coverage coverage;
    if (!ray_coverage_make(comparison, &coverage)) {
        JSON_PUT(object, {"coverage", NULL});
        return;
    }
    cJSON *entry = json_object_in(object, "coverage"), *octaves = json_list_in(entry, "octaves_hz");
    JSON_PUT(entry, {"cells", OF_NUMBER(coverage.cells)}, {"within", OF_NUMBER(coverage.within)});
    cJSON *figures = json_list_in(entry, "figures");
    for (size_t b = 0; b < comparison->octaves.count; b++)
        if (coverage.octave[b])
            json_append(octaves, OF_NUMBER(comparison->octaves.hz[b]));
    for (size_t f = 0; f < COVERED_FIGURES; f++) {
        cJSON *figure = json_append_object(figures);
        JSON_PUT(figure, {"name", OF_TEXT(figure_kind[covered_figure[f]].name)},
                 {"word", OF_TEXT(figure_kind[covered_figure[f]].word)});
        for (size_t b = 0; b < comparison->octaves.count; b++) {
            const struct ray_coverage_entry *of = &coverage.entry[f][b];
            if (coverage.octave[b])
                PUT_VALUES(figure, true, {"cells", OF_NUMBER(of->cells)}, {"within", OF_NUMBER(of->within)},
                           {"rms_jnds", rounded(of->rms)}, {"floor_jnds", rounded(of->floor)});
        }
    }
}

cJSON *run_comparison_json(const struct run_comparison *comparison)
{
    char finding[RUN_FINDING_MAX];
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(
        object, {"first", OF_TEXT(comparison->run[0]->name)}, {"second", OF_TEXT(comparison->run[1]->name)},
        {"finding", OF_TEXT(run_finding(comparison, finding))}, {"matched", OF_NUMBER(comparison->pairs)});
    add_alone(object, "unmatched_first", comparison->alone[0], comparison->unpaired[0]);
    add_alone(object, "unmatched_second", comparison->alone[1], comparison->unpaired[1]);
    add_only(object, "only_first", &comparison->only[0]);
    add_only(object, "only_second", &comparison->only[1]);
    JSON_PUT(object, {"octaves_hz", octaves_of(&comparison->octaves)},
             {"nominal_hz", octaves_of(&comparison->octaves)}, {"from_first", from_of(comparison, 0)},
             {"from_second", from_of(comparison, 1)}, {"figures", figures_of(&comparison->rows, false)},
             {"single_numbers", figures_of(&comparison->rows, true)});
    add_thirds(object, comparison);
    add_largest(object, &comparison->rows);
    add_coverage(object, comparison);
    cJSON *expected = json_object_in(object, "expected");
    add_expected(expected, "sabine_s", comparison->sabine, comparison->octaves.count);
    add_expected(expected, "eyring_s", comparison->eyring, comparison->octaves.count);
    cJSON *pairs = json_list_in(object, "pairs");
    for (size_t p = 0; p < comparison->pairs; p++)
        add_pair(pairs, comparison, &comparison->pair[p]);
    add_grids(object, comparison);
    add_changes(object, comparison);
    return object;
}
