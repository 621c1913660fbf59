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
#define SEARCH_HELD_EACH 4           /* admittances are looked at in every so many points */
#define SEARCH_HELD      ((SEARCH_POINTS - 1) / SEARCH_HELD_EACH + 1)
/* One a point, one an octave mean, two a point of which the admittance is held. */
#define SEARCH_RESIDUALS (SEARCH_POINTS + FIT_OCTAVES + 2 * SEARCH_HELD)

/** Targets and the deviations that are allowed, all given by branch_fit.c. */
struct search_problem {
    int stride;                  /* 1, or 2 to look at every second point only */
    double omega[SEARCH_POINTS]; /* at which the branches answer [1/s]; seen from a grid the numerical one */
    bool seen;                   /* from a grid, through `sight`; else as they are */
    struct wall_sight sight[SEARCH_POINTS];
    double target[SEARCH_POINTS], weight[SEARCH_POINTS];       /* absorption; 1 / allowed deviation */
    double mean_target[FIT_OCTAVES], mean_weight[FIT_OCTAVES]; /* the same of octave means */
    double conductance[SEARCH_POINTS]; /* real admittance of branches that absorb `target` */
    /* Two admittances absorb the same, one on either side of the 0.64 of the most absorption, and more at
     * other phases. Where `held`, what is seen is kept near one; weight 1 / allowed distance. */
    bool held;
    struct wall_admittance admittance[SEARCH_HELD];
    double admittance_weight[SEARCH_HELD];
};

/** A branch by what its curve looks like; each limit of `shape` is a pure resistance, mass or spring. */
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

/** Absorption on the grid, at every stride-th point. */
void search_absorption(const struct search_problem *problem, const struct search_point *point,
                       double absorption[SEARCH_POINTS]);

/** Largest weighted residual. */
double search_worst(const struct search_problem *problem, const struct search_point *point);

/** Improve `point` by Levenberg-Marquardt on the sum of |weighted residual|^power (power even, 2 for least
 * squares, more to press on the largest), at most `iterations` steps, each of which lessens the sum.
 * Parameters stay within limits that keep D, E and F finite. */
void search_descend(const struct search_problem *problem, int power, int iterations,
                    struct search_point *point);

struct wall_branch search_branch(const double at[SEARCH_PARAMETERS]);

/** The other way, as near as the limits allow. */
void search_from_branch(const struct wall_branch *branch, double at[SEARCH_PARAMETERS]);

#endif
