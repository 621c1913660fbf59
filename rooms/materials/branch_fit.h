/** Fits the branches of a wall to octave absorption from a table. */
#ifndef ROOMS_BRANCH_FIT_H
#define ROOMS_BRANCH_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "rooms/materials/branch_target.h"
#include "rooms/materials/wall_view.h"

#define FIT_ABSORPTION_MAX 0.95 /* limit of targets: a passive locally reacting wall does not exceed it */

/** |Y| from which a wall counts as soft: clearly beyond the 0.64 of the largest absorption. */
#define FIT_SOFT 2.0

/** Targets and results. Means are over an octave band, uniform in log f. */
struct branch_fit {
    size_t count; /* branches, 0 for a wall without absorption */
    struct wall_branch branch[FIT_BRANCHES_MAX];
    double target[FIT_OCTAVES];    /* the table's absorption, clamped to FIT_ABSORPTION_MAX */
    double third[FIT_THIRDS];      /* likewise of a table of thirds; else 0 */
    unsigned clamped;              /* bit i: octave i was clamped */
    double centre[FIT_OCTAVES];    /* absorption of the fit at the octave's centre */
    double mean[FIT_OCTAVES];      /* and its mean over the octave */
    double mean_third[FIT_THIRDS]; /* and over each third */
    /* The mean over the octave of the straight lines between targets. At a sharp bend it differs from the
     * table's value, and no curve near the lines has a mean near both. */
    double line_mean[FIT_OCTAVES];
    /* Largest deviations over the allowed ones; at most 1 in a good fit. */
    double worst_centre;  /* from the target, over fit_tolerance() */
    double worst_mean;    /* from the target (from line_mean where the two are more than 1.8 of it apart) */
    double worst_between; /* from fit_target_at(), over twice fit_tolerance() of it */
    double largest;  /* |Y| from 44.7 Hz to 11.2 kHz; above FIT_SOFT the wall is soft there, and reflects with
                        the opposite sign: the last resort for steeply rising absorption */
    double furthest; /* for a fit as seen: largest |seen - wanted| / |wanted| of the admittance in the audible
                        band */
};

/** Fit at most `branches_max` (1..FIT_BRANCHES_MAX) branches to the octave `absorption` (63 Hz to 8 kHz), as
 * few as stay within half of the allowed deviation everywhere; else those that come nearest. The absorption
 * that is fitted is wall_absorption_diffuse() of the complex admittance, at 24 frequencies an octave
 * from 44.7 Hz to 11.2 kHz and in octave means. Every branch passes wall_branches_check(). The same input
 * gives the same output. No memory is allocated; tens of kilobytes of stack, and milliseconds. FAILURE_INPUT
 * names octave and value of an absorption that is not within 0..MATERIAL_ABSORPTION_MAX; `fit` is then
 * untouched. A fit that misses is not a failure: see worst_... */
int branch_fit(const double absorption[FIT_OCTAVES], size_t branches_max, struct branch_fit *fit,
               struct failure *failure);

/** The same for the effective wall of a grid (wall_view.h): its absorption is fitted, and all values of `fit`
 * are for it, at true frequencies. Octaves not wholly in the band may be off by FIT_UNHEARD times as much,
 * which is not counted in worst_...; absorption that is the same at all frequencies comes within FIT_EVEN of
 * it with as many branches as needed. `view` NULL: the wall itself. With `third` (24 values, or NULL) the
 * lines run between the centres of thirds, and these count as centres; `absorption` is then the mean of each
 * three.
 *
 * Two real admittances have the same absorption, below and above the |Y| = 0.64 of the largest, and phases
 * are free. So the search starts from the branches of branch_fit() and stays near their admittance: FIT_HELD
 * of |Y| weighs as much as the allowed deviation of absorption. If the absorption misses, this weight is
 * divided by three, up to three times, and dropped if the deviation is still half more than allowed. From
 * nodes -.4 to .6 h before the wall, at 4 points and more, one absorption from .05 to .95 is seen within a
 * quarter of its admittance, to .9 h within 45 %; materials whose branches are hard (largest at most
 * FIT_SOFT) within .4. Soft ones keep their absorption and may lose their phases. */
#define FIT_UNHEARD 10.0
#define FIT_EVEN    0.01
#define FIT_HELD    0.12
int branch_fit_seen(const double absorption[FIT_OCTAVES], const double *third, size_t branches_max,
                    const struct wall_view *view, struct branch_fit *fit, struct failure *failure);

/** Fit branches whose effective absorption is that of `wanted` (wall_branches_check()). They start near
 * `wanted` and stay near its admittance. With more than FIT_BRANCHES_MAX only the absorption is used.
 * `target` is theirs at octave centres. */
void branch_fit_again(const struct wall_branch *wanted, size_t count, const struct wall_view *view,
                      struct branch_fit *fit);

/** Fit branches to the complex admittance at(wall, frequency [Hz]), Re >= 0, up to `top` [Hz], and to its
 * absorption everywhere: FIT_HELD of |Y|, or of its mean over the octave around, and FIT_HELD_LEAST weigh as
 * much as the allowed deviation of an octave's mean. `target` is the wall's absorption at octave centres. A
 * second at most. */
#define FIT_HELD_LEAST 0.01
void branch_fit_admittance(struct wall_admittance (*at)(const void *wall, double frequency), const void *wall,
                           double top, struct branch_fit *fit);

/** The largest deviation over the allowed one, of centres, means and values between; true if at most 1. */
double branch_fit_worst(const struct branch_fit *fit);
bool branch_fit_holds(const struct branch_fit *fit);

#endif
