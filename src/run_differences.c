#include "src/run_differences.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/acoustic_figures.h"
#include "src/octave_decay.h"
#include "src/report_response.h"
#include "src/run_folder.h"

/* Sums over pairs, of one figure in one octave. */
struct sums {
    int pairs;
    double first, second, largest;
};

static double number_or_nan(const cJSON *item)
{
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static const cJSON *partner(const cJSON *responses, const cJSON *response)
{
    const char *source = record_text(response, "source"), *receiver = record_text(response, "receiver");
    const cJSON *other;
    cJSON_ArrayForEach(other, responses)
    {
        const char *s = record_text(other, "source"), *r = record_text(other, "receiver");
        if (source != NULL && receiver != NULL && s != NULL && r != NULL && strcmp(s, source) == 0 &&
            strcmp(r, receiver) == 0)
            return other;
    }
    return NULL;
}

/* The value of a response in the octave that is called `nominal`. */
static double value_in(const cJSON *response, const char *name, int nominal)
{
    const cJSON *octave;
    int b = 0;
    cJSON_ArrayForEach(octave, record_at(response, "octaves_hz"))
    {
        if (cJSON_IsNumber(octave) && octave_nominal(octave->valuedouble) == nominal)
            return number_or_nan(cJSON_GetArrayItem(record_at(response, name), b));
        b++;
    }
    return NAN;
}

static double in_jnds(const struct acoustic_figure_kind *kind, double first, double second)
{
    const double step = kind->relative ? kind->jnd * first : kind->jnd;
    return (second - first) / step;
}

static struct sums add_up(const cJSON *first, const cJSON *second, const struct acoustic_figure_kind *kind,
                          int nominal)
{
    struct sums sums = {0};
    const cJSON *response;
    cJSON_ArrayForEach(response, first)
    {
        const double a = value_in(response, kind->name, nominal),
                     b = value_in(partner(second, response), kind->name, nominal);
        if (!isfinite(a) || !isfinite(b))
            continue;
        sums.pairs++;
        sums.first += a;
        sums.second += b;
        sums.largest = fmax(sums.largest, fabs(in_jnds(kind, a, b)));
    }
    return sums;
}

static void add(cJSON *figure, const char *name, double value, int decimals)
{
    cJSON *array = cJSON_GetObjectItem(figure, name);
    if (array == NULL)
        array = cJSON_AddArrayToObject(figure, name);
    cJSON_AddItemToArray(array, report_rounded(value, decimals));
}

/* Returns whether any octave has it. */
static bool compare_figure(const cJSON *first, const cJSON *second, const struct acoustic_figure_kind *kind,
                           const cJSON *octaves, cJSON *figure, cJSON **largest)
{
    const cJSON *octave;
    bool any = false;
    cJSON_AddStringToObject(figure, "name", kind->name);
    cJSON_AddStringToObject(figure, "word", kind->word);
    cJSON_AddStringToObject(figure, "unit", kind->unit);
    cJSON_AddNumberToObject(figure, "jnd", kind->jnd);
    cJSON_AddBoolToObject(figure, "relative", kind->relative);
    cJSON_ArrayForEach(octave, octaves)
    {
        const struct sums sums = add_up(first, second, kind, (int)octave->valuedouble);
        const double a = sums.pairs > 0 ? sums.first / sums.pairs : NAN,
                     b = sums.pairs > 0 ? sums.second / sums.pairs : NAN, jnds = in_jnds(kind, a, b);
        add(figure, "first", a, 5);
        add(figure, "second", b, 5);
        add(figure, "difference", b - a, 5);
        add(figure, "jnds", jnds, 3);
        add(figure, "largest_jnds", sums.pairs > 0 ? sums.largest : NAN, 3);
        add(figure, "pairs", sums.pairs, 0);
        any = any || sums.pairs > 0;
        if (isfinite(jnds) && (*largest == NULL || fabs(jnds) > fabs(record_number(*largest, "jnds")))) {
            cJSON_Delete(*largest);
            *largest = cJSON_CreateObject();
            cJSON_AddStringToObject(*largest, "word", kind->word);
            cJSON_AddNumberToObject(*largest, "octave_hz", octave->valuedouble);
            cJSON_AddItemToObject(*largest, "jnds", report_rounded(jnds, 3));
        }
    }
    return any;
}

/* What the octaves are called that both have. */
static cJSON *common_octaves(const cJSON *first, const cJSON *second)
{
    cJSON *octaves = cJSON_CreateArray();
    const cJSON *a, *b;
    cJSON_ArrayForEach(a, record_at(cJSON_GetArrayItem(first, 0), "octaves_hz"))
        cJSON_ArrayForEach(b, record_at(cJSON_GetArrayItem(second, 0), "octaves_hz"))
    {
        const int nominal = cJSON_IsNumber(a) ? octave_nominal(a->valuedouble) : -1;
        if (cJSON_IsNumber(b) && octave_nominal(b->valuedouble) == nominal)
            cJSON_AddItemToArray(octaves, cJSON_CreateNumber(nominal));
    }
    return octaves;
}

cJSON *run_differences(const cJSON *first, const cJSON *second)
{
    const cJSON *a = record_at(first, "responses"), *b = record_at(second, "responses"), *response;
    cJSON *object = cJSON_CreateObject(), *octaves = common_octaves(a, b), *largest = NULL;
    int matched = 0;
    cJSON_ArrayForEach(response, a) matched += partner(b, response) != NULL;
    cJSON_AddNumberToObject(object, "matched", matched);
    cJSON_AddItemToObject(object, "octaves_hz", octaves);
    cJSON *figures = cJSON_AddArrayToObject(object, "figures");
    for (int f = 0; f < ACOUSTIC_FIGURES && figures != NULL; f++) {
        cJSON *figure = cJSON_CreateObject();
        if (compare_figure(a, b, &acoustic_figure_kind[f], octaves, figure, &largest))
            cJSON_AddItemToArray(figures, figure);
        else
            cJSON_Delete(figure);
    }
    cJSON_AddItemToObject(object, "largest", largest != NULL ? largest : cJSON_CreateNull());
    if (figures == NULL) {
        cJSON_Delete(object);
        return NULL;
    }
    return object;
}
