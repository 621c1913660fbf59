#include "src/compare/run_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/run_changes.h"
#include "src/compare/run_compare_grids.h"

#define TIMES(word, name, single)                                                                            \
    {                                                                                                        \
        {word, name, "s", 2, JND_TIME, true}, single, "longer", "shorter", HEARD_REVERBERATION, 1            \
    }

const struct compared_kind compared_kind[COMPARED_FIGURES] = {
    [FIGURE_EDT] = TIMES("EDT", "edt_s", "single_numbers.edt_s"),
    [FIGURE_T20] = TIMES("T20", "t20_s", NULL),
    [FIGURE_T30] = TIMES("T30", "t30_s", "single_numbers.t30_s"),
    [FIGURE_C50] =
        {{"C50", "c50_db", "dB", 1, JND_CLARITY, false}, NULL, "higher", "lower", HEARD_CLARITY, 1},
    [FIGURE_C80] = {{"C80", "c80_db", "dB", 1, JND_CLARITY, false},
                    "single_numbers.c80_db",
                    "higher",
                    "lower",
                    HEARD_CLARITY,
                    1},
    [FIGURE_D50] =
        {{"D50", "d50", "", 2, JND_D50, false}, "single_numbers.d50", "higher", "lower", HEARD_CLARITY, 1},
    [FIGURE_TS] =
        {{"Ts", "ts_s", "s", 3, JND_TS, false}, "single_numbers.ts_s", "later", "earlier", HEARD_CLARITY, -1},
    [FIGURE_G] =
        {{"G", "g_db", "dB", 1, JND_G, false}, "single_numbers.g_db", "louder", "quieter", HEARD_LOUDNESS, 1},
    [COMPARED_LF] = {{"LF", "lf", "", 2, JND_LF, false}, "lf_single", "higher", "lower", HEARD_WIDTH, 1},
    [COMPARED_LFC] = {{"LFC", "lfc", "", 2, JND_LF, false}, "lfc_single", "higher", "lower", HEARD_WIDTH, 1},
    [COMPARED_LJ] = {{"LJ", "lj_db", "dB", 1, NAN, false}, "lj_single_db", "higher", "lower", HEARD_WIDTH, 1},
    [COMPARED_MTI] = {{"MTI", "mti", "", 2, JND_STI, false}, NULL, "higher", "lower", HEARD_SPEECH, 1},
    [COMPARED_STI] = {{"STI", NULL, "", 2, JND_STI, false}, "sti", "higher", "lower", HEARD_SPEECH, 1},
    [COMPARED_LEVEL] = {{"level of the band", NULL, "dB", 1, JND_G, false},
                        "strength_db",
                        "louder",
                        "quieter",
                        HEARD_LOUDNESS,
                        1},
};

/* ---- one value ---- */

static const struct compared_value absent = {NAN, NAN, NAN, NAN, NAN};

static double add_spreads(double first, double second)
{
    if (!isfinite(first))
        return isfinite(second) ? second : NAN;
    return isfinite(second) ? first + second : first;
}

struct compared_value compared_value_make(const struct compared_kind *kind, double first, double second,
                                          double first_spread, double second_spread)
{
    struct compared_value value = absent;
    value.first = isfinite(first) ? first : NAN;
    value.second = isfinite(second) ? second : NAN;
    value.difference = value.second - value.first;
    value.spread = add_spreads(first_spread, second_spread);
    const double step = kind->figure.relative ? kind->figure.jnd * value.first : kind->figure.jnd;
    value.jnds = step > 0 ? value.difference / step : NAN;
    return value;
}

enum certainty compared_certainty(const struct compared_value *value)
{
    if (!isfinite(value->difference) || !isfinite(value->spread))
        return CERTAINTY_UNKNOWN;
    return fabs(value->difference) > value->spread ? CERTAINTY_BEYOND : CERTAINTY_WITHIN;
}

/* ---- means ---- */

static void mean_begin(struct compared_mean *mean)
{
    *mean = (struct compared_mean){.value = {0, 0, 0, 0, NAN}, .largest = NAN};
}

static void mean_add(struct compared_mean *mean, const struct compared_value *value, size_t where)
{
    if (!isfinite(value->difference))
        return;
    mean->places++;
    mean->value.first += value->first;
    mean->value.second += value->second;
    mean->value.spread = add_spreads(mean->value.spread, value->spread);
    if (fabs(value->jnds) >= 1)
        mean->noticed++;
    if (isfinite(value->jnds) && !(fabs(value->jnds) <= fabs(mean->largest))) {
        mean->largest = value->jnds;
        mean->where = where;
    }
}

static void mean_end(struct compared_mean *mean, const struct compared_kind *kind)
{
    const double n = (double)mean->places;
    if (mean->places == 0)
        mean->value = absent;
    else
        mean->value = compared_value_make(kind, mean->value.first / n, mean->value.second / n,
                                          mean->value.spread / n, NAN);
}

void compared_mean_make(struct compared_mean *mean, const struct compared_kind *kind,
                        const struct compared_value *value, size_t count, size_t stride)
{
    mean_begin(mean);
    for (size_t i = 0; i < count; i++)
        mean_add(mean, (const struct compared_value *)((const char *)value + i * stride), i);
    mean_end(mean, kind);
}

/* ---- responses ---- */

/* The place of the octave that is called `nominal`, -1 without. */
int compared_octave_place(const cJSON *entry, int nominal)
{
    const cJSON *octave;
    int b = 0;
    cJSON_ArrayForEach(octave, record_at(entry, "octaves_hz"))
    {
        if (cJSON_IsNumber(octave) && octave->valuedouble > 0 &&
            octave_nominal(octave->valuedouble) == nominal)
            return b;
        b++;
    }
    return -1;
}

double compared_number_in(const cJSON *entry, const char *name, const char *suffix, int nominal)
{
    char key[48];
    const int place = compared_octave_place(entry, nominal);
    snprintf(key, sizeof key, "%s%s", name, suffix);
    const cJSON *item = place < 0 ? NULL : cJSON_GetArrayItem(record_at(entry, key), place);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : NAN;
}

struct compared_value compared_octave_value(const struct compared_kind *kind, const cJSON *first,
                                            const cJSON *second, int nominal)
{
    const char *name = kind->figure.name;
    return compared_value_make(kind, compared_number_in(first, name, "", nominal),
                               compared_number_in(second, name, "", nominal),
                               compared_number_in(first, name, "_spread", nominal),
                               compared_number_in(second, name, "_spread", nominal));
}

static struct compared_value single_value(const struct compared_kind *kind, const cJSON *first,
                                          const cJSON *second)
{
    char spread[64];
    if (kind->single == NULL)
        return absent;
    snprintf(spread, sizeof spread, "%s_spread", kind->single);
    return compared_value_make(kind, record_number(first, kind->single), record_number(second, kind->single),
                               record_number(first, spread), record_number(second, spread));
}

static bool same_text(const cJSON *a, const cJSON *b, const char *key)
{
    const char *one = record_text(a, key), *other = record_text(b, key);
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

static const cJSON *partner(const cJSON *responses, const cJSON *response)
{
    const cJSON *other;
    cJSON_ArrayForEach(other, responses)
    {
        if (same_text(other, response, "source") && same_text(other, response, "receiver"))
            return other;
    }
    return NULL;
}

static double moved(const struct run_comparison *comparison, const char *list, const char *name)
{
    double square = 0;
    const cJSON *position[2] = {NULL, NULL}, *entry;
    for (int r = 0; r < 2; r++)
        cJSON_ArrayForEach(entry, record_at(comparison->run[r]->record, list))
        {
            const char *text = record_text(entry, "name");
            if (position[r] == NULL && text != NULL && strcmp(text, name) == 0)
                position[r] = record_at(entry, "position_m");
        }
    static const char *const axis[3] = {"0", "1", "2"};
    for (int d = 0; d < 3; d++) {
        const double apart = record_number(position[1], axis[d]) - record_number(position[0], axis[d]);
        square += apart * apart;
    }
    return sqrt(square);
}

void compared_octaves_add(struct run_comparison *comparison, const cJSON *first, const cJSON *second)
{
    const cJSON *octave;
    cJSON_ArrayForEach(octave, record_at(first, "octaves_hz"))
    {
        if (!cJSON_IsNumber(octave) || !(octave->valuedouble > 0))
            continue;
        const int nominal = octave_nominal(octave->valuedouble);
        size_t b = 0;
        while (b < comparison->bands && comparison->octave[b] < nominal)
            b++;
        if ((b < comparison->bands && comparison->octave[b] == nominal) ||
            comparison->bands == OCTAVE_BANDS_MAX || compared_octave_place(second, nominal) < 0)
            continue;
        memmove(&comparison->octave[b + 1], &comparison->octave[b],
                (comparison->bands - b) * sizeof comparison->octave[0]);
        comparison->octave[b] = nominal;
        comparison->bands++;
    }
}

static int pair_up(struct run_comparison *comparison, struct failure *failure)
{
    const cJSON *list[2], *response;
    size_t count[2];
    for (int r = 0; r < 2; r++) {
        list[r] = record_at(comparison->run[r]->record, "responses");
        count[r] = (size_t)cJSON_GetArraySize(list[r]);
        comparison->alone[r] = calloc(count[r] + 1, sizeof *comparison->alone[r]);
        if (comparison->alone[r] == NULL)
            return failure_memory(failure, count[r] * sizeof *comparison->alone[r], "responses of a run");
    }
    comparison->pair = calloc(count[0] + 1, sizeof *comparison->pair);
    if (comparison->pair == NULL)
        return failure_memory(failure, count[0] * sizeof *comparison->pair, "pairs of responses");
    cJSON_ArrayForEach(response, list[0])
    {
        const cJSON *other = partner(list[1], response);
        if (other == NULL) {
            comparison->alone[0][comparison->unpaired[0]++] = response;
            continue;
        }
        struct compared_pair *pair = &comparison->pair[comparison->pairs++];
        pair->response[0] = response;
        pair->response[1] = other;
        pair->source = record_text(response, "source");
        pair->receiver = record_text(response, "receiver");
        pair->source_moved = moved(comparison, "sources", pair->source);
        pair->receiver_moved = moved(comparison, "receivers", pair->receiver);
        compared_octaves_add(comparison, response, other);
    }
    cJSON_ArrayForEach(response, list[1])
    {
        if (partner(list[0], response) == NULL)
            comparison->alone[1][comparison->unpaired[1]++] = response;
    }
    return 0;
}

static void compare_figures(struct run_comparison *comparison)
{
    const double fmax[2] = {record_number(comparison->run[0]->record, "fmax_hz"),
                            record_number(comparison->run[1]->record, "fmax_hz")};
    const bool same_band = fabs(fmax[1] - fmax[0]) <= 1e-6 * fmax[0];
    for (size_t p = 0; p < comparison->pairs; p++) {
        struct compared_pair *pair = &comparison->pair[p];
        for (int f = 0; f < COMPARED_BY_OCTAVE; f++)
            for (size_t b = 0; b < comparison->bands; b++)
                pair->octave[f][b] = compared_octave_value(&compared_kind[f], pair->response[0],
                                                           pair->response[1], comparison->octave[b]);
        for (int f = 0; f < COMPARED_FIGURES; f++)
            pair->single[f] = f == COMPARED_LEVEL && !same_band
                                  ? absent
                                  : single_value(&compared_kind[f], pair->response[0], pair->response[1]);
    }
    const size_t stride = sizeof comparison->pair[0];
    for (int f = 0; f < COMPARED_FIGURES; f++) {
        for (size_t b = 0; f < COMPARED_BY_OCTAVE && b < comparison->bands; b++)
            compared_mean_make(&comparison->mean[f][b], &compared_kind[f], &comparison->pair[0].octave[f][b],
                               comparison->pairs, stride);
        compared_mean_make(&comparison->single[f], &compared_kind[f], &comparison->pair[0].single[f],
                           comparison->pairs, stride);
    }
}

static void compare_expected(struct run_comparison *comparison)
{
    const cJSON *first = comparison->run[0]->record, *second = comparison->run[1]->record;
    const struct compared_kind *kind = &compared_kind[FIGURE_T30];
    for (size_t b = 0; b < comparison->bands; b++) {
        const int octave = comparison->octave[b];
        comparison->sabine[b] =
            compared_value_make(kind, compared_number_in(first, "sabine_s", "", octave),
                                compared_number_in(second, "sabine_s", "", octave), NAN, NAN);
        comparison->eyring[b] =
            compared_value_make(kind, compared_number_in(first, "eyring_s", "", octave),
                                compared_number_in(second, "eyring_s", "", octave), NAN, NAN);
    }
}

/* ---- a comparison ---- */

int run_compare(const struct run_folder *first, const struct run_folder *second, struct run_comparison *out,
                struct failure *failure)
{
    struct run_comparison comparison = {.run = {first, second}};
    int code = pair_up(&comparison, failure);
    if (code == 0)
        code = run_compare_find_grids(&comparison, failure);
    if (code == 0) {
        compare_figures(&comparison);
        code = run_compare_grids(&comparison, failure);
    }
    if (code == 0) {
        compare_expected(&comparison);
        code = run_changes_find(&comparison, failure);
    }
    if (code != 0) {
        run_comparison_free(&comparison);
        return code;
    }
    *out = comparison;
    return 0;
}

void run_comparison_free(struct run_comparison *comparison)
{
    for (size_t g = 0; g < comparison->grids; g++)
        free(comparison->grid[g].place);
    free(comparison->grid);
    free(comparison->change);
    free(comparison->pair);
    free(comparison->alone[0]);
    free(comparison->alone[1]);
    *comparison = (struct run_comparison){0};
}
