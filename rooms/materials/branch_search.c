#include "rooms/materials/branch_search.h"

#include <math.h>

#define UNKNOWNS   (FIT_BRANCHES_MAX * SEARCH_PARAMETERS)
#define GIVE_UP_AT 1e9  /* damping, over the diagonal: with more the step is too small to matter */
#define ENOUGH     1e-4 /* a step that lessens the sum by less than this part ends the search */

/* Peak 1e-7..100, resonance 4 Hz..120 kHz, sharpness 0.001 (a resistance over the whole band)..12. */
static const double lowest[SEARCH_PARAMETERS] = {-16.1, 3.2, -6.9};
static const double highest[SEARCH_PARAMETERS] = {4.6, 13.5, 2.5};

struct wall_branch search_branch(const double at[SEARCH_PARAMETERS])
{
    const double e = exp(-at[SEARCH_PEAK]), reactance = e * exp(at[SEARCH_SHAPE]);
    const double place = exp(at[SEARCH_PLACE]);
    return (struct wall_branch){.D = reactance / place, .E = e, .F = reactance * place};
}

/* Simpson's rule. */
static double mean_over(const double *value, int steps, int stride)
{
    double sum = value[0] + value[steps];
    for (int k = stride, factor = 4; k < steps; k += stride, factor = 6 - factor)
        sum += factor * value[k];
    return sum * stride / (3 * steps);
}

double search_octave_mean(const double value[SEARCH_STEPS + 1], int stride)
{
    return mean_over(value, SEARCH_STEPS, stride);
}

double search_third_mean(const double value[SEARCH_STEPS / 3 + 1])
{
    return mean_over(value, SEARCH_STEPS / 3, 1);
}

void search_from_branch(const struct wall_branch *branch, double at[SEARCH_PARAMETERS])
{
    /* branches without a resonance get one at the limits */
    const double mass = fmax(branch->D, branch->E * 1e-9), spring = fmax(branch->F, branch->E * 1e-3);
    const double value[SEARCH_PARAMETERS] = {-log(branch->E), 0.5 * log(spring / mass),
                                             0.5 * log(mass * spring) - log(branch->E)};
    for (int p = 0; p < SEARCH_PARAMETERS; ++p)
        at[p] = fmax(lowest[p], fmin(highest[p], value[p]));
}

/* By the branches' own admittance instead of the effective one. */
static struct wall_admittance slope_of_own(const struct wall_sight *sight, struct wall_admittance own,
                                           struct wall_admittance by)
{
    const struct wall_admittance change = wall_sight_slope(sight, own);
    return (struct wall_admittance){by.g * change.g + by.b * change.b, by.b * change.g - by.g * change.b};
}

/* Response of the branches at one frequency. */
struct answer {
    double omega;
    struct wall_admittance y[FIT_BRANCHES_MAX], sum, seen;
};

static void answer_at(const struct search_problem *problem, int k, const struct wall_branch *branch,
                      size_t count, struct answer *answer)
{
    const double omega = answer->omega = problem->omega[k];
    struct wall_admittance sum = {0}, *y = answer->y;
    for (size_t m = 0; m < count; ++m) {
        const double e = branch[m].E, x = omega * branch[m].D - branch[m].F / omega;
        const double square = e * e + x * x;
        y[m] = (struct wall_admittance){e / square, -x / square};
        sum.g += y[m].g;
        sum.b += y[m].b;
    }
    answer->sum = sum;
    answer->seen = problem->seen ? wall_sight_admittance(&problem->sight[k], sum) : sum;
}

/* Derivatives by the parameters, from the derivatives `by` by the branches' own admittance. */
static void slopes_by(const struct answer *answer, const struct wall_branch *branch, size_t count,
                      struct wall_admittance by, double *slope)
{
    const struct wall_admittance *y = answer->y;
    for (size_t m = 0; m < count; ++m) {
        const double mass = answer->omega * branch[m].D, spring = branch[m].F / answer->omega;
        /* y^2; with y = 1/(E + j X): dy/d(peak) = y, dy/d(place) = j y^2 (mass + spring),
         * dy/d(shape) = -j y^2 (mass - spring) */
        const double re = y[m].g * y[m].g - y[m].b * y[m].b, im = 2 * y[m].g * y[m].b;
        double *of = slope + m * SEARCH_PARAMETERS;
        of[SEARCH_PEAK] = by.g * y[m].g + by.b * y[m].b;
        of[SEARCH_PLACE] = (mass + spring) * (by.b * re - by.g * im);
        of[SEARCH_SHAPE] = (mass - spring) * (by.g * im - by.b * re);
    }
}

/* Absorption at one point of the grid; its derivatives by the parameters too, unless `slope` is NULL. */
static double absorption_at(const struct search_problem *problem, int k, const struct wall_branch *branch,
                            size_t count, double *slope)
{
    struct answer answer;
    answer_at(problem, k, branch, count, &answer);
    if (slope == NULL)
        return wall_absorption_diffuse(answer.seen);
    struct wall_admittance by;
    const double absorption = wall_absorption_slope(answer.seen, &by);
    if (problem->seen)
        by = slope_of_own(&problem->sight[k], answer.sum, by);
    slopes_by(&answer, branch, count, by, slope);
    return absorption;
}

static void to_branches(const struct search_point *point, struct wall_branch branch[FIT_BRANCHES_MAX])
{
    for (size_t m = 0; m < point->count; ++m)
        branch[m] = search_branch(point->at[m]);
}

void search_absorption(const struct search_problem *problem, const struct search_point *point,
                       double absorption[SEARCH_POINTS])
{
    struct wall_branch branch[FIT_BRANCHES_MAX];
    to_branches(point, branch);
    for (int k = 0; k < SEARCH_POINTS; k += problem->stride)
        absorption[k] = absorption_at(problem, k, branch, point->count, NULL);
}

#define FIRST_HELD (SEARCH_POINTS + FIT_OCTAVES)

/* Residuals of points come first, then those of the means, then those of held admittances. */
static int next_residual(const struct search_problem *problem, int k)
{
    if (!problem->held && k == FIRST_HELD - 1)
        return SEARCH_RESIDUALS;
    return k < SEARCH_POINTS - 1 ? k + problem->stride : k + 1;
}

/* Weighted residuals times `scale`. */
static void weigh_residuals(const struct search_problem *problem, const double absorption[SEARCH_POINTS],
                            double scale, double residual[SEARCH_RESIDUALS])
{
    for (int k = 0; k < SEARCH_POINTS; k += problem->stride)
        residual[k] = scale * (absorption[k] - problem->target[k]) * problem->weight[k];
    for (int o = 0; o < FIT_OCTAVES; ++o) {
        const double mean = search_octave_mean(absorption + o * SEARCH_STEPS, problem->stride);
        residual[SEARCH_POINTS + o] = scale * (mean - problem->mean_target[o]) * problem->mean_weight[o];
    }
}

/* The held admittances' residuals times `scale`, and their derivatives unless `row` is NULL. */
static void hold_admittances(const struct search_problem *problem, const struct search_point *point,
                             double scale, double residual[SEARCH_RESIDUALS], double (*row)[UNKNOWNS])
{
    struct wall_branch branch[FIT_BRANCHES_MAX];
    to_branches(point, branch);
    for (int n = 0; n < SEARCH_HELD && problem->held; ++n) {
        const int k = n * SEARCH_HELD_EACH, at = FIRST_HELD + 2 * n;
        const struct wall_admittance wanted = problem->admittance[n];
        const double weight = scale * problem->admittance_weight[n];
        struct answer answer;
        answer_at(problem, k, branch, point->count, &answer);
        residual[at] = weight * (answer.seen.g - wanted.g);
        residual[at + 1] = weight * (answer.seen.b - wanted.b);
        if (row == NULL)
            continue;
        const struct wall_admittance g = {weight, 0}, b = {0, weight};
        slopes_by(&answer, branch, point->count,
                  problem->seen ? slope_of_own(&problem->sight[k], answer.sum, g) : g, row[at]);
        slopes_by(&answer, branch, point->count,
                  problem->seen ? slope_of_own(&problem->sight[k], answer.sum, b) : b, row[at + 1]);
    }
}

double search_worst(const struct search_problem *problem, const struct search_point *point)
{
    double absorption[SEARCH_POINTS], residual[SEARCH_RESIDUALS], worst = 0;
    search_absorption(problem, point, absorption);
    weigh_residuals(problem, absorption, 1, residual);
    hold_admittances(problem, point, 1, residual, NULL);
    for (int k = 0; k < SEARCH_RESIDUALS; k = next_residual(problem, k))
        worst = fmax(worst, fabs(residual[k]));
    return worst;
}

/* |r|^n for n >= 1 */
static double raise_power(double r, int n)
{
    double product = 1;
    for (r = fabs(r); n > 0; n /= 2, r *= r)
        if (n % 2 == 1)
            product *= r;
    return product;
}

static double sum_of_powers(const struct search_problem *problem, const struct search_point *point, int power,
                            double scale)
{
    double absorption[SEARCH_POINTS], residual[SEARCH_RESIDUALS], sum = 0;
    search_absorption(problem, point, absorption);
    weigh_residuals(problem, absorption, scale, residual);
    hold_admittances(problem, point, scale, residual, NULL);
    for (int k = 0; k < SEARCH_RESIDUALS; k = next_residual(problem, k))
        sum += raise_power(residual[k], power);
    return sum;
}

double search_sum(const struct search_problem *problem, const struct search_point *point)
{
    return sum_of_powers(problem, point, 2, 1);
}

struct normal {
    double matrix[UNKNOWNS][UNKNOWNS], gradient[UNKNOWNS];
};

/* Newton's matrix and gradient of the sum, over `power`, without the absorption's second derivatives. */
static double make_normal(const struct search_problem *problem, const struct search_point *point, int power,
                          double scale, struct normal *normal)
{
    double absorption[SEARCH_POINTS], residual[SEARCH_RESIDUALS], row[SEARCH_RESIDUALS][UNKNOWNS];
    struct wall_branch branch[FIT_BRANCHES_MAX];
    const size_t n = point->count * SEARCH_PARAMETERS;
    to_branches(point, branch);
    for (int k = 0; k < SEARCH_POINTS; k += problem->stride)
        absorption[k] = absorption_at(problem, k, branch, point->count, row[k]);
    weigh_residuals(problem, absorption, scale, residual);
    for (int o = 0; o < FIT_OCTAVES; ++o)
        for (size_t i = 0; i < n; ++i) {
            double column[SEARCH_STEPS + 1];
            for (int k = 0; k <= SEARCH_STEPS; k += problem->stride)
                column[k] = row[o * SEARCH_STEPS + k][i];
            row[SEARCH_POINTS + o][i] =
                scale * problem->mean_weight[o] * search_octave_mean(column, problem->stride);
        }
    for (int k = 0; k < SEARCH_POINTS; k += problem->stride)
        for (size_t i = 0; i < n; ++i)
            row[k][i] *= scale * problem->weight[k];
    hold_admittances(problem, point, scale, residual, row);
    *normal = (struct normal){0};
    double sum = 0;
    for (int k = 0; k < SEARCH_RESIDUALS; k = next_residual(problem, k)) {
        const double bend = raise_power(residual[k], power - 2), pull = bend * residual[k];
        sum += pull * residual[k];
        for (size_t i = 0; i < n; ++i) {
            normal->gradient[i] += pull * row[k][i];
            const double factor = (power - 1) * bend * row[k][i];
            for (size_t j = 0; j <= i; ++j)
                normal->matrix[i][j] += factor * row[k][j];
        }
    }
    return sum;
}

/* Solve (matrix + damping diag(matrix)) step = -gradient by Cholesky; false when it is not positive. */
static bool solve_step(const struct normal *normal, size_t n, double damping, double step[UNKNOWNS])
{
    double factor[UNKNOWNS][UNKNOWNS], largest = 0;
    for (size_t i = 0; i < n; ++i)
        largest = fmax(largest, normal->matrix[i][i]);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j) {
            double value = normal->matrix[i][j];
            if (i == j)
                value += damping * fmax(value, 1e-9 * largest);
            for (size_t k = 0; k < j; ++k)
                value -= factor[i][k] * factor[j][k];
            if (i == j && !(value > 0))
                return false;
            factor[i][j] = i == j ? sqrt(value) : value / factor[j][j];
        }
    for (size_t i = 0; i < n; ++i) {
        double value = -normal->gradient[i];
        for (size_t k = 0; k < i; ++k)
            value -= factor[i][k] * step[k];
        step[i] = value / factor[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; ++k)
            step[i] -= factor[k][i] * step[k];
        step[i] /= factor[i][i];
    }
    return true;
}

static void take_step(const struct search_point *from, const double step[UNKNOWNS], struct search_point *to)
{
    to->count = from->count;
    for (size_t m = 0; m < from->count; ++m)
        for (int p = 0; p < SEARCH_PARAMETERS; ++p) {
            const double by = fmax(-1.0, fmin(1.0, step[m * SEARCH_PARAMETERS + (size_t)p]));
            to->at[m][p] = fmax(lowest[p], fmin(highest[p], from->at[m][p] + by));
        }
}

void search_descend(const struct search_problem *problem, int power, int iterations,
                    struct search_point *point)
{
    struct normal normal;
    double damping = 1e-2;
    const double worst = search_worst(problem, point),
                 scale = worst > 0 ? 1 / worst : 1; /* keeps powers in range */
    const size_t n = point->count * SEARCH_PARAMETERS;
    for (int i = 0; i < iterations; ++i) {
        const double before = make_normal(problem, point, power, scale, &normal);
        double after = before, step[UNKNOWNS];
        while (!(after < before)) {
            struct search_point next;
            if (solve_step(&normal, n, damping, step)) {
                take_step(point, step, &next);
                after = sum_of_powers(problem, &next, power, scale);
            }
            if (after < before) {
                *point = next;
                damping = fmax(damping / 5, 1e-9);
            } else if ((damping *= 4) > GIVE_UP_AT)
                return;
        }
        if (after > (1 - ENOUGH) * before)
            return;
    }
}
