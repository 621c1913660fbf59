/** The optimiser of branch_fit.c: branches whose absorption comes near targets on a fixed grid of
 * frequencies. */
#ifndef ROOMS_BRANCH_SEARCH_H
#define ROOMS_BRANCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "rooms/materials/branch_target.h"
#include "rooms/materials/wall_view.h"

#define SEARCH_STEPS 24 /* grid steps an octave, four times a whole number */
#define SEARCH_POINTS                                                                                        \
    (FIT_OCTAVES * SEARCH_STEPS + 1) /* from the lower edge of the first octave to the upper of the last */
#define SEARCH_HELD_EACH 4           /* interval of points at which admittances are compared */
#define SEARCH_HELD      ((SEARCH_POINTS - 1) / SEARCH_HELD_EACH + 1)
/* One a point, one an octave mean, two a point with a fixed admittance. */
#define SEARCH_RESIDUALS (SEARCH_POINTS + FIT_OCTAVES + 2 * SEARCH_HELD)

/** Targets and allowed deviations, set by branch_fit.c. */
struct search_problem {
    int stride;                  /* 1, or 2 for every second point only */
    int band;                    /* steps of a band with a target: of an octave, or of a third */
    double omega[SEARCH_POINTS]; /* at which the branches respond [1/s]; on a grid the numerical one */
    bool seen;                   /* by a grid, through `sight`; else the wall itself */
    struct wall_sight sight[SEARCH_POINTS];
    double target[SEARCH_POINTS], weight[SEARCH_POINTS];       /* absorption; 1 / allowed deviation */
    double mean_target[FIT_OCTAVES], mean_weight[FIT_OCTAVES]; /* the same of octave means */
    double conductance[SEARCH_POINTS]; /* real admittance of branches that absorb `target` */
    /* Two admittances have the same absorption, one on either side of the 0.64 of the largest, and more with
     * other phases. If `held`, the effective admittance stays near one; weight 1 / allowed distance. */
    bool held;
    struct wall_admittance admittance[SEARCH_HELD];
    double admittance_weight[SEARCH_HELD];
};

/** A branch by the shape of its curve; each limit of `shape` is a pure resistance, mass or spring. */
enum { SEARCH_PEAK, SEARCH_PLACE, SEARCH_SHAPE, SEARCH_PARAMETERS };
/** Logarithms of 1/E (height of the conductance at resonance), of sqrt(F/D) [1/s] (its place) and of sqrt(D
 * F)/E (sharpness). */
struct search_point {
    size_t count;
    double at[FIT_BRANCHES_MAX][SEARCH_PARAMETERS];
};

/** Mean over an octave of the values at every stride-th point of its part of the grid, edges included, by
 * Simpson's rule. */
double search_octave_mean(const double value[SEARCH_STEPS + 1], int stride);

/** The same over a third: value[SEARCH_STEPS / 3 + 1], every point. */
double search_third_mean(const double value[SEARCH_STEPS / 3 + 1]);

/** Absorption on the grid, at every stride-th point. */
void search_absorption(const struct search_problem *problem, const struct search_point *point,
                       double absorption[SEARCH_POINTS]);

/** Largest weighted residual. */
double search_worst(const struct search_problem *problem, const struct search_point *point);

/** Sum of the squares of all weighted residuals. */
double search_sum(const struct search_problem *problem, const struct search_point *point);

/** Improve `point` by Levenberg-Marquardt on the sum of |weighted residual|^power (power even, 2 for least
 * squares, higher powers weight the largest), at most `iterations` steps, each of which reduces the sum.
 * Parameters stay within limits that keep D, E and F finite. */
void search_descend(const struct search_problem *problem, int power, int iterations,
                    struct search_point *point);

struct wall_branch search_branch(const double at[SEARCH_PARAMETERS]);

/** The inverse, as near as the limits allow. */
void search_from_branch(const struct wall_branch *branch, double at[SEARCH_PARAMETERS]);

#endif
