#include "src/draw/map_scale.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/sorted_doubles.h"

#define NEARLY    1e-9 /* of a step: a value on its edge belongs to the upper one, up to rounding */
#define OUTERMOST 0.02 /* share of the values */

/* Rounded to two digits, so that a step can be read: 0.0987 becomes 0.099. */
static double two_digits(double value)
{
    const double unit = pow(10, floor(log10(value)) - 1);
    return round(value / unit) * unit;
}

/* 1, 2, 5, 10, 20.. */
static int next_multiple(int multiple)
{
    int ten = 1;
    while (multiple / ten >= 10)
        ten *= 10;
    return multiple / ten == 2 ? 5 * ten : 2 * multiple;
}

static int decimals_of(double step)
{
    int decimals = 0;
    for (double shown = step; decimals < 4 && fabs(shown - round(shown)) > 1e-6; shown *= 10)
        decimals++;
    return decimals;
}

int map_scale_make(enum figure figure, const double *value, size_t count, struct map_scale *out,
                   struct failure *failure)
{
    const struct figure_kind *kind = &figure_kind[figure];
    double *sorted = calloc(count + 1, sizeof *sorted), sum = 0;
    size_t present = 0;
    if (sorted == NULL)
        return failure_memory(failure, count * sizeof *sorted, "the scale of a map");
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(value[i]))
            continue;
        sorted[present++] = value[i];
        sum += value[i];
    }
    assert(present > 0);
    sort_doubles(sorted, present);
    const size_t beyond = (size_t)(OUTERMOST * (double)present);
    const double low = sorted[beyond], high = sorted[present - 1 - beyond];
    const double difference =
        kind->relative ? two_digits(fmax(kind->jnd * fabs(sum / (double)present), 1e-6)) : kind->jnd;
    struct map_scale scale = {.differences = 1};
    for (;; scale.differences = next_multiple(scale.differences)) {
        scale.step = scale.differences * difference;
        const double first = floor(low / scale.step + NEARLY),
                     classes = floor(high / scale.step + NEARLY) - first + 1;
        scale.low = first * scale.step;
        scale.classes = (size_t)fmin(classes, 1e9);
        if (scale.classes <= MAP_CLASSES_MAX)
            break;
    }
    scale.decimals = decimals_of(scale.step);
    scale.below = sorted[0] < scale.low - NEARLY * scale.step;
    scale.above = sorted[present - 1] >= scale.low + ((double)scale.classes + NEARLY) * scale.step;
    free(sorted);
    *out = scale;
    return 0;
}

size_t map_scale_class(const struct map_scale *scale, double value)
{
    const double index = floor((value - scale->low) / scale->step + NEARLY);
    return (size_t)fmin(fmax(index, 0), (double)scale->classes - 1);
}

const char *map_scale_colour(const struct map_scale *scale, size_t index, char text[MAP_COLOUR_MAX])
{
    static const unsigned char viridis[9][3] = {{68, 1, 84},    {71, 45, 123},  {59, 82, 139},
                                                {44, 114, 142}, {33, 145, 140}, {40, 174, 128},
                                                {94, 201, 98},  {173, 220, 48}, {253, 231, 37}};
    const double at = scale->classes > 1 ? 8.0 * (double)index / (double)(scale->classes - 1) : 4.0;
    const int below = (int)fmin(floor(at), 7);
    unsigned rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] =
            (unsigned)lround(viridis[below][c] + (at - below) * (viridis[below + 1][c] - viridis[below][c]));
    snprintf(text, MAP_COLOUR_MAX, "#%02x%02x%02x", rgb[0] & 255u, rgb[1] & 255u, rgb[2] & 255u);
    return text;
}
