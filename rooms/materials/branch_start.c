#include "rooms/materials/branch_start.h"

#include <math.h>

#define PI 3.14159265358979323846

struct search_point branch_start_evenly(const struct search_problem *problem, size_t count, double sharpness)
{
    struct search_point point = {.count = count};
    double shape[FIT_BRANCHES_MAX][SEARCH_POINTS], rest[SEARCH_POINTS], height[FIT_BRANCHES_MAX] = {0};
    for (size_t m = 0; m < count; ++m) {
        const double octaves = FIT_OCTAVES * ((double)m + 0.5) / (double)count - 0.5;
        const double place = 2 * PI * fit_centre(0) * pow(10, 0.3 * octaves);
        for (int k = 0; k < SEARCH_POINTS; k += problem->stride) {
            const double ratio = problem->omega[k] / place, x = sharpness * (ratio - 1 / ratio);
            shape[m][k] = problem->weight[k] / (1 + x * x);
        }
        point.at[m][SEARCH_PLACE] = log(place);
        point.at[m][SEARCH_SHAPE] = log(sharpness);
    }
    for (int k = 0; k < SEARCH_POINTS; k += problem->stride)
        rest[k] = problem->weight[k] * problem->conductance[k];
    for (int sweep = 0; sweep < 30; ++sweep)
        for (size_t m = 0; m < count; ++m) {
            double along = 0, square = 0;
            for (int k = 0; k < SEARCH_POINTS; k += problem->stride) {
                along += shape[m][k] * rest[k];
                square += shape[m][k] * shape[m][k];
            }
            const double next = fmax(0, height[m] + along / square);
            for (int k = 0; k < SEARCH_POINTS; k += problem->stride)
                rest[k] += (height[m] - next) * shape[m][k];
            height[m] = next;
        }
    for (size_t m = 0; m < count; ++m)
        point.at[m][SEARCH_PEAK] = log(fmax(height[m], 1e-4));
    return point;
}

struct search_point branch_start_from(const struct search_problem *problem, const struct search_point *fewer)
{
    struct search_point point = *fewer;
    double absorption[SEARCH_POINTS], most = -HUGE_VAL;
    int at = 0;
    search_absorption(problem, fewer, absorption);
    for (int k = 0; k < SEARCH_POINTS; k += problem->stride) {
        const double lack = (problem->target[k] - absorption[k]) * problem->weight[k];
        if (lack > most) {
            most = lack;
            at = k;
        }
    }
    double *added = point.at[point.count++];
    added[SEARCH_PEAK] = log(fmax(0.125 * (problem->target[at] - absorption[at]), 1e-4));
    added[SEARCH_PLACE] = log(problem->omega[at]);
    added[SEARCH_SHAPE] = log(2.0);
    return point;
}

struct search_point branch_start_nearer(const struct search_problem *problem,
                                        const struct search_point *fewer, double sharpness)
{
    struct wall_admittance rest[SEARCH_HELD];
    double most = 0;
    struct search_point point = *fewer;
    double *added = point.at[point.count++];
    added[SEARCH_PEAK] = log(1e-4);
    added[SEARCH_PLACE] = log(problem->omega[SEARCH_POINTS / 2]);
    added[SEARCH_SHAPE] = log(sharpness);
    for (int n = 0; n < SEARCH_HELD; ++n) {
        rest[n] = problem->admittance[n];
        for (size_t m = 0; m < fewer->count; ++m) {
            const struct wall_branch branch = search_branch(fewer->at[m]);
            const struct wall_admittance y =
                wall_admittance_at(&branch, 1, problem->omega[n * SEARCH_HELD_EACH] / (2 * PI));
            rest[n].g -= y.g;
            rest[n].b -= y.b;
        }
    }
    /* places up to two octaves beside the band: there a branch is a spring or a mass */
    for (int step = -2 * SEARCH_STEPS; step < SEARCH_POINTS + 2 * SEARCH_STEPS; step += SEARCH_STEPS / 6) {
        const double place = problem->omega[0] * pow(10, 0.3 * step / SEARCH_STEPS);
        double along = 0, square = 0;
        for (int n = 0; n < SEARCH_HELD; ++n) {
            const double ratio = problem->omega[n * SEARCH_HELD_EACH] / place;
            const double x = sharpness * (ratio - 1 / ratio), weight = problem->admittance_weight[n];
            const double height = weight * weight / (1 + x * x);
            along += height * (rest[n].g - x * rest[n].b);
            square += height;
        }
        if (along > 0 && along * along / square > most) {
            most = along * along / square;
            added[SEARCH_PEAK] = log(fmax(along / square, 1e-6));
            added[SEARCH_PLACE] = log(place);
        }
    }
    return point;
}

struct search_point branch_start_softly(const struct search_problem *problem, size_t count,
                                        const struct soft_start *soft, double centre, double absorption)
{
    struct search_point point = branch_start_evenly(problem, count - soft->peaks, soft->beside);
    /* absorption 8 g / (3 |Y|^2) of soft walls */
    const double peak = 8 / (3 * fmax(absorption, 0.02)), place = 2 * PI * soft->place * centre;
    const double first = soft->peaks == 1 ? peak : 0.5 * peak;
    for (size_t n = 0; n < soft->peaks; ++n) {
        double *added = point.at[point.count++];
        added[SEARCH_PEAK] = log(n == 0 ? first : 1.6 * first);
        added[SEARCH_PLACE] = log(n == 0 ? place : 1.065 * place);
        added[SEARCH_SHAPE] = log(n == 0 ? soft->sharpness : 1.6 * soft->sharpness);
    }
    return point;
}
