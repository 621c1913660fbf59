/** What a value of an option must be, whoever gave it: within the limits of its table. */
#ifndef TESTS_OPTION_CLAIMS_H
#define TESTS_OPTION_CLAIMS_H

#include <math.h>

#include "src/base/options/option_values.h"
#include "src/base/options/options.h"
#include "tests/fuzz/fuzz_claims.h"

static inline void claim_number(const struct option_spec *spec, bool given, double value)
{
    if (!given && isnan(value)) /* an option without a default */
        return;
    CLAIM(isfinite(value));
    if (spec->low == 0 && spec->high == 0)
        return;
    const bool none =
        value == 0 && (!given || spec->may_be_auto); /* `auto`, or an option without a default */
    CLAIM(none || (value >= spec->low && value <= spec->high && !(spec->above_low && value == spec->low)));
}

static inline void claim_places(const struct option_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        const struct option_place *place = &places->place[i];
        CLAIM(place->name[0] == '\0' || option_name_is_valid(place->name));
        CLAIM(!place->of_model || place->name[0] != '\0');
        for (int axis = 0; axis < 3; axis++)
            CLAIM(fabs(place->position[axis]) <= 1e6);
    }
}

static inline void claim_grids(const struct option_grids *grids)
{
    for (size_t i = 0; i < grids->count; i++) {
        const struct option_grid *grid = &grids->grid[i];
        CLAIM(option_name_is_valid(grid->name));
        CLAIM(grid->material == NULL || grid->corners == 0);
        for (size_t c = 0; c < grid->corners; c++)
            for (int axis = 0; axis < 3; axis++)
                CLAIM(fabs(grid->corner[c][axis]) <= 1e6);
    }
}

static inline void claim_value(const struct option_spec *spec, bool given, const void *at)
{
    switch (spec->kind) {
    case OPTION_NUMBER:
    case OPTION_FREQUENCY:
    case OPTION_LENGTH:
    case OPTION_TIME:
        claim_number(spec, given, *(const double *)at);
        break;
    case OPTION_COUNT:
        claim_number(spec, given, (double)*(const int64_t *)at);
        break;
    case OPTION_COUNTS: {
        const struct option_counts *counts = at;
        for (size_t i = 0; i < counts->count; i++)
            CLAIM((double)counts->value[i] >= spec->low && (double)counts->value[i] <= spec->high);
        break;
    }
    case OPTION_WORD: {
        size_t words = 0;
        while (spec->words[words] != NULL)
            words++;
        CLAIM(*(const int *)at >= 0 && (size_t) * (const int *)at < words);
        break;
    }
    case OPTION_OCTAVES:
        for (int i = 0; i < OPTION_OCTAVES_COUNT; i++)
            claim_number(spec, given, ((const struct option_octaves *)at)->value[i]);
        break;
    case OPTION_POINT:
        for (int axis = 0; axis < 3; axis++)
            CLAIM(fabs(((const struct option_point *)at)->position[axis]) <= 1e6);
        break;
    case OPTION_PLACES:
        claim_places(at);
        break;
    case OPTION_GRIDS:
        claim_grids(at);
        break;
    case OPTION_FLAG:
    case OPTION_TEXT:
    case OPTION_TEXTS:
        break;
    }
}

#endif
