#include "rooms/materials/branch_fit.h"

#include <assert.h>
#include <math.h>

#include "rooms/materials/absorption.h"
#include "rooms/materials/branch_search.h"
#include "rooms/materials/branch_start.h"
#include "rooms/materials/material.h"

static_assert(FIT_OCTAVES == MATERIAL_OCTAVES, "a fit is of a material");

#define PI 3.14159265358979323846

/* Share of the allowed deviation: fewer branches within it are preferred to a closer fit by more. */
#define NEAR_ENOUGH 0.5
/* A fit worse than this is tried again with a peak at which the wall is soft. */
#define SOFT_ABOVE  0.98
#define SOFT_ENOUGH 0.7
/* A fit worse than this of an effective wall may have any admittance; of a soft wall any fit that misses. */
#define FREE_ABOVE 1.5
/* A least-squares fit this many times worse than the best so far is abandoned. */
#define HOPELESS 2.5
/* One branch more must lessen the sum of squares to this. */
#define FEWER 0.9
/* Weight of the absorption at one point against that of an octave's mean, in a fit of an admittance. */
#define FIT_POINT 0.3
/* Weight, over its own, of what is to count hardly: of the absorption in a search for the admittance alone.
 */
#define HARDLY 1e-3
/* A branch whose peak (its logarithm) is below this adds less than 1e-4 of absorption and is left out. */
#define DEAD (-11.5)
/* If a table's value and the mean of the straight lines differ by more tolerances than this, no mean is
 * near both. */
#define MEANS_MEET 1.8
/* The mean is then requested this far from the lines towards the table's value. */
#define MEAN_LEANS 0.4

double branch_fit_worst(const struct branch_fit *fit)
{
    return fmax(fit->worst_centre, fmax(fit->worst_mean, fit->worst_between));
}

bool branch_fit_holds(const struct branch_fit *fit)
{
    return branch_fit_worst(fit) <= 1;
}

/* ---- the problem ---- */

static double frequency_of(int k)
{
    return fit_centre(0) * pow(10, 0.3 * ((double)k / SEARCH_STEPS - 0.5));
}

/* The last octave that a view holds wholly, or -1. */
static int last_heard(const struct wall_view *view)
{
    int octave = FIT_OCTAVES - 1;
    while (view != NULL && octave >= 0 && view->top < fit_centre(octave) * pow(10, 0.15) * (1 - 1e-3))
        --octave;
    return octave;
}

/* Set the values of the targets at every point, after targets and weights are set. */
static void sample_view(struct search_problem *problem, const struct wall_view *view)
{
    const int heard = last_heard(view);
    problem->seen = view != NULL;
    for (int k = 0; k < SEARCH_POINTS && view != NULL; ++k) {
        view->at(view->grid, frequency_of(k), &problem->sight[k]);
        problem->omega[k] = 2 * PI * problem->sight[k].numerical;
        problem->conductance[k] *= problem->sight[k].factor;
        problem->weight[k] /= k > (heard + 1) * SEARCH_STEPS ? FIT_UNHEARD : 1;
    }
    for (int o = heard + 1; o < FIT_OCTAVES; ++o)
        problem->mean_weight[o] /= FIT_UNHEARD;
}

static void pose_point(struct search_problem *problem, int k, double target)
{
    const bool centre = k % problem->band == problem->band / 2;
    problem->omega[k] = 2 * PI * frequency_of(k);
    problem->target[k] = target;
    problem->conductance[k] = admittance_from_absorption(target, NULL);
    problem->weight[k] = (centre ? 1 : 0.5) / fit_tolerance(target);
}

static void pose_problem(struct branch_fit *fit, bool thirds, struct search_problem *problem)
{
    problem->stride = 2;
    problem->band = thirds ? SEARCH_STEPS / 3 : SEARCH_STEPS;
    problem->held = false;
    for (int k = 0; k < SEARCH_POINTS; ++k) {
        const double octaves = (double)k / SEARCH_STEPS - 0.5;
        pose_point(problem, k,
                   thirds ? fit_third_line(fit->third, octaves) : fit_target_line(fit->target, octaves));
    }
    for (int o = 0; o < FIT_OCTAVES; ++o) {
        const double *line = fit->target, tolerance = fit_tolerance(fit->target[o]);
        /* of straight lines that bend at the centre: the mean of each half is the value at its quarter */
        fit->line_mean[o] = thirds
                                ? search_octave_mean(problem->target + o * SEARCH_STEPS, 1)
                                : 0.5 * (fit_target_line(line, o - 0.25) + fit_target_line(line, o + 0.25));
        const double apart = fit->target[o] - fit->line_mean[o];
        if (fabs(apart) <= MEANS_MEET * tolerance) {
            problem->mean_target[o] = fit->line_mean[o] + 0.5 * apart;
            problem->mean_weight[o] = 1 / fmax(tolerance - 0.5 * fabs(apart), 0.1 * tolerance);
        } else {
            problem->mean_target[o] = fit->line_mean[o] + copysign(MEAN_LEANS * tolerance, apart);
            problem->mean_weight[o] = 1 / tolerance;
        }
    }
}

/* Hold the effective admittance near that of the wall itself; `enough` is that of the search. */
static void hold_to(struct search_problem *problem, const struct wall_branch *plain, size_t count,
                    double enough)
{
    problem->held = count > 0;
    for (int n = 0; n < SEARCH_HELD; ++n) {
        const int k = n * SEARCH_HELD_EACH;
        const struct wall_admittance y = problem->admittance[n] =
            wall_admittance_at(plain, count, frequency_of(k));
        const bool heard = problem->weight[k] * fit_tolerance(problem->target[k]) > 0.4;
        problem->admittance_weight[n] = enough / (FIT_HELD * hypot(y.g, y.b)) / (heard ? 1 : FIT_UNHEARD);
    }
}

/* ---- the search ---- */

struct best {
    struct search_point point;
    double worst;
};

static void attempt_start(const struct search_problem *problem, struct search_point point, struct best *best)
{
    search_descend(problem, 2, 30, &point);
    if (search_worst(problem, &point) > HOPELESS * best->worst)
        return;
    search_descend(problem, 6, 30, &point);
    search_descend(problem, 16, 40, &point);
    const double worst = search_worst(problem, &point);
    if (worst < best->worst)
        *best = (struct best){point, worst};
}

/* Hard walls: add one branch at a time, until the fit is within `enough`. */
static struct best search_hard(const struct search_problem *problem, size_t branches_max, double enough)
{
    static const double sharpness[] = {0.5, 1.5};
    struct best overall = {.worst = HUGE_VAL}, fewer = overall;
    for (size_t count = 1; count <= branches_max && overall.worst > enough; ++count) {
        struct best best = {.worst = HUGE_VAL};
        if (count > 1)
            attempt_start(problem, branch_start_from(problem, &fewer.point), &best);
        for (size_t s = 0; s < sizeof sharpness / sizeof sharpness[0] && best.worst > enough; ++s)
            attempt_start(problem, branch_start_evenly(problem, count, sharpness[s]), &best);
        fewer = best;
        if (best.worst < overall.worst)
            overall = best;
    }
    return overall;
}

/* Improve `best` if possible. */
static void search_soft(const struct search_problem *problem, const double target[FIT_OCTAVES],
                        size_t branches_max, struct best *best)
{
    /* of a grid over these four, the combinations that served the steepest rows of the tables */
    static const struct soft_start soft[] = {{0.88, 4, 2, 1.5},  {0.94, 4, 1, 0.7}, {1, 4, 1, 0.7},
                                             {0.84, 5.6, 2, 1},  {0.94, 4, 1, 1.5}, {0.88, 11, 1, 1.5},
                                             {0.88, 5.6, 2, 1.5}};
    double steepest = 0;
    int below = 0;
    for (int o = 0; o + 1 < FIT_OCTAVES; ++o) {
        const double rise = (target[o + 1] - target[o]) / fit_tolerance(target[o]);
        if (rise > steepest) {
            steepest = rise;
            below = o;
        }
    }
    for (size_t s = 0; s < sizeof soft / sizeof soft[0] && best->worst > SOFT_ENOUGH; ++s)
        if (soft[s].peaks < branches_max)
            attempt_start(
                problem,
                branch_start_softly(problem, branches_max, &soft[s], fit_centre(below), target[below]), best);
}

/* ---- the result ---- */

static void assess_fit(const struct search_problem *problem, const struct wall_view *view,
                       struct branch_fit *fit)
{
    const int heard = last_heard(view);
    double absorption[SEARCH_POINTS];
    fit->worst_centre = fit->worst_mean = fit->worst_between = fit->largest = fit->furthest = 0;
    for (int k = 0; k < SEARCH_POINTS; ++k) {
        struct wall_admittance y = wall_admittance_at(fit->branch, fit->count, problem->omega[k] / (2 * PI));
        if (problem->seen)
            y = wall_sight_admittance(&problem->sight[k], y);
        absorption[k] = wall_absorption_diffuse(y);
        fit->largest = fmax(fit->largest, hypot(y.g, y.b));
        if (problem->seen && k % SEARCH_HELD_EACH == 0 && k <= (heard + 1) * SEARCH_STEPS) {
            const struct wall_admittance wanted = problem->admittance[k / SEARCH_HELD_EACH];
            fit->furthest =
                fmax(fit->furthest, hypot(y.g - wanted.g, y.b - wanted.b) / hypot(wanted.g, wanted.b));
        }
    }
    for (int k = 0; k <= (heard + 1) * SEARCH_STEPS; ++k) {
        const bool centre = k % problem->band == problem->band / 2;
        double *worst = centre ? &fit->worst_centre : &fit->worst_between;
        *worst = fmax(*worst, fabs(absorption[k] - problem->target[k]) * problem->weight[k]);
    }
    for (int o = 0; o < FIT_OCTAVES; ++o) {
        const double target = fit->target[o], line = fit->line_mean[o], tolerance = fit_tolerance(target);
        fit->centre[o] = absorption[o * SEARCH_STEPS + SEARCH_STEPS / 2];
        fit->mean[o] = search_octave_mean(absorption + o * SEARCH_STEPS, 1);
        for (int t = 3 * o; t < 3 * o + 3; ++t)
            fit->mean_third[t] = search_third_mean(absorption + t * (SEARCH_STEPS / 3));
        const double from = fabs(line - target) <= MEANS_MEET * tolerance ? target : line;
        if (o <= heard)
            fit->worst_mean = fmax(fit->worst_mean, fabs(fit->mean[o] - from) / tolerance);
    }
}

static void take_point(const struct search_problem *problem, const struct wall_view *view,
                       const struct search_point *point, struct branch_fit *fit)
{
    fit->count = 0;
    for (size_t m = 0; m < point->count; ++m)
        if (point->at[m][SEARCH_PEAK] > DEAD)
            fit->branch[fit->count++] = search_branch(point->at[m]);
    assess_fit(problem, view, fit);
}

/* On the whole grid: raise the power, to reduce the largest deviation, unless all are small. */
static void take_best(struct search_problem *problem, const struct wall_view *view, struct best *best,
                      struct branch_fit *fit)
{
    problem->stride = 1;
    if (search_worst(problem, &best->point) > NEAR_ENOUGH)
        search_descend(problem, 48, 60, &best->point);
    problem->stride = 2;
    best->worst = search_worst(problem, &best->point);
    take_point(problem, view, &best->point, fit);
}

static void take_better(const struct branch_fit *made, struct branch_fit *fit)
{
    if (branch_fit_worst(made) < branch_fit_worst(fit))
        *fit = *made;
}

/* Start from branches of the wall itself, and move to its effective place in small steps, so that the
 * nearest solution is followed. */
static void search_along(const struct search_problem *problem, struct search_point point, struct best *best)
{
    enum { MOVES = 6 };
    struct search_problem between = *problem;
    for (int move = 1; move <= MOVES; ++move) {
        const double part = (double)move / MOVES;
        for (int k = 0; k < SEARCH_POINTS; ++k) {
            const double own = 2 * PI * frequency_of(k);
            between.omega[k] = own * pow(problem->omega[k] / own, part);
            between.sight[k].factor = pow(problem->sight[k].factor, part);
            between.sight[k].reactance = part * problem->sight[k].reactance;
        }
        search_descend(&between, 16, 40, &point);
    }
    between.stride = 1; /* means of sharp peaks need every point */
    search_descend(&between, 16, 100, &point);
    search_descend(&between, 48, 100, &point);
    const double worst = search_worst(&between, &point);
    if (worst < best->worst)
        *best = (struct best){point, worst};
}

static struct search_point point_of(const struct wall_branch *branch, size_t count)
{
    struct search_point point = {.count = count};
    for (size_t m = 0; m < count; ++m)
        search_from_branch(&branch[m], point.at[m]);
    return point;
}

/* Near the branches of the wall itself: add one at a time, until the fit is within `enough`. */
static struct best search_near(const struct search_problem *problem, struct search_point start,
                               size_t branches_max, double enough)
{
    struct best overall = {start, HUGE_VAL}, fewer;
    attempt_start(problem, start, &overall);
    fewer = overall;
    for (size_t more = start.count + 1; more <= branches_max && overall.worst > enough; ++more) {
        struct best best = {.worst = HUGE_VAL};
        attempt_start(problem, branch_start_from(problem, &fewer.point), &best);
        fewer = best;
        if (best.worst < overall.worst)
            overall = best;
    }
    if (overall.worst > SOFT_ABOVE)
        search_along(problem, start, &overall);
    return overall;
}

static void fit_plainly(struct search_problem *problem, size_t branches_max, struct branch_fit *fit)
{
    struct best best = search_hard(problem, branches_max, NEAR_ENOUGH);
    struct branch_fit softer = *fit;
    take_best(problem, NULL, &best, fit);
    if (branch_fit_worst(fit) > SOFT_ABOVE && branches_max > 1) {
        search_soft(problem, fit->target, branches_max, &best);
        take_best(problem, NULL, &best, &softer);
        take_better(&softer, fit);
    }
}

static void hold_looser(struct search_problem *problem, double times)
{
    for (int n = 0; n < SEARCH_HELD; ++n)
        problem->admittance_weight[n] /= times;
}

/* Start from `start`, whose admittance is held. If the absorption misses, hold it less, from there and
 * from `start`; at last drop it and search anew: absorption has priority over phases. */
static void fit_near(struct search_problem *problem, const struct wall_view *view, struct search_point start,
                     size_t branches_max, double enough, double free_above, struct branch_fit *fit)
{
    enum { LOOSER = 3, ROUNDS = 3 };
    struct best best = search_near(problem, start, branches_max, enough);
    struct branch_fit freer = *fit;
    take_best(problem, view, &best, fit);
    for (int round = 0; round < ROUNDS && branch_fit_worst(fit) > SOFT_ABOVE; ++round) {
        hold_looser(problem, LOOSER);
        struct best from = {.worst = HUGE_VAL};
        attempt_start(problem, best.point, &from);
        take_best(problem, view, &from, &freer);
        take_better(&freer, fit);
        if (branch_fit_worst(fit) <= SOFT_ABOVE)
            return;
        search_along(problem, start, &from);
        take_best(problem, view, &from, &freer);
        take_better(&freer, fit);
        best = from;
    }
    if (branch_fit_worst(fit) > free_above) {
        problem->held = false;
        best = search_hard(problem, branches_max, enough);
        search_soft(problem, fit->target, branches_max, &best);
        take_best(problem, view, &best, &freer);
        take_better(&freer, fit);
    }
}

int branch_fit(const double absorption[FIT_OCTAVES], size_t branches_max, struct branch_fit *fit,
               struct failure *failure)
{
    return branch_fit_seen(absorption, NULL, branches_max, NULL, fit, failure);
}

int branch_fit_seen(const double absorption[FIT_OCTAVES], const double *third, size_t branches_max,
                    const struct wall_view *view, struct branch_fit *fit, struct failure *failure)
{
    struct branch_fit made = {0};
    struct search_problem problem = {0};
    double most = 0, least = HUGE_VAL;
    if (branches_max < 1 || branches_max > FIT_BRANCHES_MAX)
        return failure_set(failure, FAILURE_INPUT, "a fit has 1 to %d branches, not %zu", FIT_BRANCHES_MAX,
                           branches_max);
    for (int o = 0; o < FIT_OCTAVES; ++o) {
        if (!(absorption[o] >= 0 && absorption[o] <= MATERIAL_ABSORPTION_MAX))
            return failure_set(
                failure, FAILURE_INPUT,
                "the absorption %g at %u Hz must lie from 0 (reflects all) to %g (the most that "
                "reverberation rooms give)",
                absorption[o], material_octave[o], MATERIAL_ABSORPTION_MAX);
        made.target[o] = fmin(absorption[o], FIT_ABSORPTION_MAX);
        made.clamped |= absorption[o] > FIT_ABSORPTION_MAX ? 1u << o : 0;
        most = fmax(most, made.target[o]);
        least = fmin(least, made.target[o]);
    }
    if (third != NULL) { /* the mean of three equal ones may differ from them in the last bit */
        most = 0;
        least = HUGE_VAL;
    }
    for (int t = 0; third != NULL && t < FIT_THIRDS; ++t) {
        made.third[t] = fmin(third[t], FIT_ABSORPTION_MAX);
        made.clamped |= third[t] > FIT_ABSORPTION_MAX ? 1u << t / 3 : 0;
        most = fmax(most, made.third[t]);
        least = fmin(least, made.third[t]);
    }
    pose_problem(&made, third != NULL, &problem);
    sample_view(&problem, view);
    if (most > 0 && view != NULL) {
        const double even = 0.5 * FIT_EVEN * most / fit_tolerance(most); /* as points between are weighted */
        TRY(branch_fit_seen(absorption, third, branches_max, NULL, fit, failure));
        hold_to(&problem, fit->branch, fit->count, most > least ? NEAR_ENOUGH : even);
        fit_near(&problem, view, point_of(fit->branch, fit->count), branches_max,
                 most > least ? NEAR_ENOUGH : even, fit->largest > FIT_SOFT ? SOFT_ABOVE : FREE_ABOVE, &made);
    } else if (most > least) {
        fit_plainly(&problem, branches_max, &made);
    } else {
        made.count = most > 0 ? 1 : 0; /* a resistance, exactly, or a rigid wall */
        made.branch[0].E = most > 0 ? 1 / admittance_from_absorption(most, NULL) : 0;
        assess_fit(&problem, view, &made);
    }
    *fit = made;
    return 0;
}

/* The absorption of `wanted`, at all points, without the bends of lines, is the target between the octaves
 * and of the means. */
static void pose_admittance(const struct wall_admittance *wanted, struct branch_fit *fit,
                            struct search_problem *problem)
{
    problem->stride = 2;
    problem->band = SEARCH_STEPS;
    problem->held = false;
    for (int k = 0; k < SEARCH_POINTS; ++k)
        pose_point(problem, k, wall_absorption_diffuse(wanted[k]));
    for (int o = 0; o < FIT_OCTAVES; ++o) {
        fit->target[o] = problem->target[o * SEARCH_STEPS + SEARCH_STEPS / 2];
        fit->line_mean[o] = problem->mean_target[o] =
            search_octave_mean(problem->target + o * SEARCH_STEPS, 1);
        problem->mean_weight[o] = 1 / fit_tolerance(fit->line_mean[o]);
    }
}

void branch_fit_again(const struct wall_branch *wanted, size_t count, const struct wall_view *view,
                      struct branch_fit *fit)
{
    struct search_problem problem = {0};
    struct wall_admittance own[SEARCH_POINTS];
    *fit = (struct branch_fit){0};
    for (int k = 0; k < SEARCH_POINTS; ++k)
        own[k] = wall_admittance_at(wanted, count, frequency_of(k));
    pose_admittance(own, fit, &problem);
    sample_view(&problem, view);
    if (count > FIT_BRANCHES_MAX) {
        struct best best = search_hard(&problem, FIT_BRANCHES_MAX, NEAR_ENOUGH);
        take_best(&problem, view, &best, fit);
        return;
    }
    hold_to(&problem, wanted, count, NEAR_ENOUGH);
    fit_near(&problem, view, point_of(wanted, count), FIT_BRANCHES_MAX, NEAR_ENOUGH, FREE_ABOVE, fit);
}

/* Start `number` of `count` branches: places, heights and sharpnesses of an additive sequence (Weyl's). */
static struct search_point start_spread(size_t count, size_t number)
{
    struct search_point point = {.count = count};
    for (size_t m = 0; m < count; ++m) {
        const double n = (double)(number * FIT_BRANCHES_MAX + m + 1);
        const double part[SEARCH_PARAMETERS] = {fmod(n * 0.8191725134, 1), fmod(n * 0.6710436067, 1),
                                                fmod(n * 0.5497004779, 1)};
        point.at[m][SEARCH_PEAK] = 4 * part[0] - 3;
        point.at[m][SEARCH_PLACE] = log(2 * PI * 100) + log(200) * part[1];
        point.at[m][SEARCH_SHAPE] = 3.5 * part[2] - 1.5;
    }
    return point;
}

static void attempt_held(const struct search_problem *problem, struct search_point point, struct best *best)
{
    search_descend(problem, 2, 200, &point);
    const double sum = search_sum(problem, &point);
    if (sum < best->worst)
        *best = (struct best){point, sum};
}

/* First by the admittance alone, since absorption has two for each value: one branch after another, each
 * where the admittance is furthest from the held one, and from starts of all of them. */
static struct best search_held(const struct search_problem *problem, size_t branches_max)
{
    enum { SPREAD = 10 };
    static const double sharpness[] = {0.2, 0.7, 2.0, 6.0};
    struct search_problem *const alone = &(struct search_problem){0};
    *alone = *problem;
    for (int k = 0; k < SEARCH_POINTS; ++k)
        alone->weight[k] *= HARDLY;
    for (int o = 0; o < FIT_OCTAVES; ++o)
        alone->mean_weight[o] *= HARDLY;
    struct best overall = {.worst = HUGE_VAL}, fewer = overall;
    for (size_t count = 1; count <= branches_max; ++count) {
        struct best best = {.worst = HUGE_VAL};
        for (size_t s = 0; s < sizeof sharpness / sizeof sharpness[0]; ++s)
            attempt_held(alone, branch_start_nearer(problem, &fewer.point, sharpness[s]), &best);
        for (size_t s = 0; s < SPREAD; ++s)
            attempt_held(alone, start_spread(count, s), &best);
        fewer = best;
        search_descend(problem, 2, 100, &best.point);
        best.worst = search_sum(problem, &best.point);
        if (best.worst < FEWER * overall.worst)
            overall = best;
    }
    return overall;
}

/* Mean over the octave around a point. */
static double mean_around(const double value[SEARCH_POINTS], int k)
{
    const int first = k < SEARCH_STEPS / 2 ? 0 : k - SEARCH_STEPS / 2;
    const int last = k + SEARCH_STEPS / 2 < SEARCH_POINTS ? k + SEARCH_STEPS / 2 : SEARCH_POINTS - 1;
    double sum = 0;
    for (int n = first; n <= last; ++n)
        sum += value[n];
    return sum / (last - first + 1);
}

void branch_fit_admittance(struct wall_admittance (*at)(const void *wall, double frequency), const void *wall,
                           double top, struct branch_fit *fit)
{
    struct search_problem problem = {0};
    struct wall_admittance wanted[SEARCH_POINTS];
    double size[SEARCH_POINTS];
    *fit = (struct branch_fit){0};
    for (int k = 0; k < SEARCH_POINTS; ++k)
        wanted[k] = at(wall, frequency_of(k));
    pose_admittance(wanted, fit, &problem);
    problem.held = true;
    /* narrow dips of a wall weigh as what is around them */
    for (int k = 0; k < SEARCH_POINTS; ++k) {
        problem.weight[k] = FIT_POINT / fit_tolerance(mean_around(problem.target, k));
        size[k] = hypot(wanted[k].g, wanted[k].b);
    }
    for (int o = 0; o < FIT_OCTAVES; ++o)
        problem.mean_weight[o] = 1 / fit_tolerance(fit->line_mean[o]);
    for (int n = 0; n < SEARCH_HELD; ++n) {
        const int k = n * SEARCH_HELD_EACH;
        problem.admittance[n] = wanted[k];
        const double most = fmax(size[k], fmin(mean_around(size, k), 1));
        problem.admittance_weight[n] =
            (frequency_of(k) > top ? HARDLY : 1) / (FIT_HELD * most + FIT_HELD_LEAST);
    }
    struct best best = search_held(&problem, FIT_BRANCHES_MAX);
    problem.stride = 1;
    search_descend(&problem, 2, 100, &best.point);
    take_point(&problem, NULL, &best.point, fit);
}
