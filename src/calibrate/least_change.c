#include "src/calibrate/least_change.h"

#include <math.h>

#define HALVINGS 200 /* more than the bits of the largest bracket */

double least_change_sum(const struct changed_value *of, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += of[i].weight * of[i].value;
    return sum;
}

/* How far a value moves for each unit of the multiplier. */
static double pace_of(const struct changed_value *of)
{
    return of->uncertainty * of->uncertainty * of->weight;
}

static double sum_at(double multiplier, struct changed_value *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        of[i].value = fmin(fmax(of[i].start + multiplier * pace_of(&of[i]), of[i].low), of[i].high);
    return least_change_sum(of, count);
}

enum least_change least_change_find(double target, struct changed_value *of, size_t count)
{
    double low = 0, high = 0; /* multipliers at which all values are at their bounds */
    for (size_t i = 0; i < count; i++)
        if (pace_of(&of[i]) > 0) {
            low = fmin(low, (of[i].low - of[i].start) / pace_of(&of[i]));
            high = fmax(high, (of[i].high - of[i].start) / pace_of(&of[i]));
        }
    if (target < sum_at(low, of, count))
        return LEAST_CHANGE_BELOW;
    if (target > sum_at(high, of, count))
        return LEAST_CHANGE_ABOVE;
    for (int n = 0; n < HALVINGS; n++) {
        const double middle = low + (high - low) / 2;
        if (sum_at(middle, of, count) < target)
            low = middle;
        else
            high = middle;
    }
    (void)sum_at(high, of, count);
    return LEAST_CHANGE_FOUND;
}
