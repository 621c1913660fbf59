/** From a table's octave absorption to the branches of a wall that has it. */
#ifndef ROOMS_BRANCH_FIT_H
#define ROOMS_BRANCH_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "rooms/materials/branch_target.h"
#include "rooms/materials/wall_view.h"

#define FIT_ABSORPTION_MAX                                                                                   \
    0.95 /* targets above it are taken as it: a passive locally reacting wall gets no further */

/** |Y| from which a wall counts as soft: clearly beyond the 0.64 of the most absorption. */
#define FIT_SOFT 2.0

/** What was wanted and what came out. Means are over an octave band, uniformly in log f. */
struct branch_fit {
    size_t count; /* branches, 0 for a wall that absorbs nothing */
    struct wall_branch branch[FIT_BRANCHES_MAX];
    double target[FIT_OCTAVES]; /* the table's absorption, clamped to FIT_ABSORPTION_MAX */
    unsigned clamped;           /* bit i: octave i was clamped */
    double centre[FIT_OCTAVES]; /* absorption of the fit at the octave's centre */
    double mean[FIT_OCTAVES];   /* and its mean over the octave */
    /* The mean of the targets' straight lines over the octave. Where a table bends sharply it differs from
     * the table's value, and no curve near the lines has a mean near both. */
    double line_mean[FIT_OCTAVES];
    /* Largest deviations over what is allowed; at most 1: as it should be. */
    double worst_centre;  /* from the target, over fit_tolerance() */
    double worst_mean;    /* from the target (from line_mean where the two are more than 1.8 of it apart) */
    double worst_between; /* from fit_target_at(), over twice fit_tolerance() of it */
    double largest; /* |Y| from 44.7 Hz to 11.2 kHz; above FIT_SOFT the wall is soft there, and reflects with
                     * the opposite sign: the last resort where absorption rises steeply */
    double
        furthest; /* of a fit as seen: largest |seen - wanted| / |wanted| of the admittance that is heard */
};

/** Fit at most `branches_max` (1..FIT_BRANCHES_MAX) branches to the octave `absorption` (63 Hz to 8 kHz), and
 * no more than it takes to stay within half of what is allowed everywhere; else those that come nearest. The
 * absorption that is fitted is wall_absorption_diffuse() of the complex admittance, at 24 frequencies an
 * octave from 44.7 Hz to 11.2 kHz and in octave means. Every branch passes wall_branches_check(). The same
 * input gives the same output. No memory is allocated; tens of kilobytes of stack, and milliseconds.
 * FAILURE_INPUT names octave and value of an absorption that is not within 0..MATERIAL_ABSORPTION_MAX; `fit`
 * is then untouched. That a fit misses is no failure: see worst_... */
int branch_fit(const double absorption[FIT_OCTAVES], size_t branches_max, struct branch_fit *fit,
               struct failure *failure);

/** The same as a grid sees the wall (wall_view.h): the absorption that is fitted is that of what is seen, and
 * all that `fit` says is of it, at true frequencies. Octaves that are not heard whole may be off by
 * FIT_UNHEARD times as much, which is not counted in worst_...; absorption that is the same at all
 * frequencies comes within FIT_EVEN of it in as many branches as that takes. NULL: as it is.
 *
 * Two admittances absorb the same, below and above the |Y| = 0.64 of the most absorption, and phases have a
 * choice of their own. So the search starts from the branches of branch_fit() and is held to their
 * admittance: FIT_HELD of |Y| counts as much as what it may miss of the absorption. What misses the
 * absorption then is held three times looser, up to three times over, and anew and not at all only when it is
 * still missed by half more than it may. From nodes -.4 to .6 h before the wall, at 4 points and more, one
 * absorption from .05 to .95 is seen within a quarter of its admittance, to .9 h within 45 %; materials whose
 * branches are hard (largest at most FIT_SOFT) within .4. Soft ones keep their absorption and may lose their
 * phases. */
#define FIT_UNHEARD 10.0
#define FIT_EVEN    0.01
#define FIT_HELD    0.12
int branch_fit_seen(const double absorption[FIT_OCTAVES], size_t branches_max, const struct wall_view *view,
                    struct branch_fit *fit, struct failure *failure);

/** Branches that are seen to absorb what `wanted` (wall_branches_check()) do as they are, sought near those
 * and held to their admittance likewise; of more than FIT_BRANCHES_MAX anew, by their absorption alone.
 * `target` is theirs at octave centres. */
void branch_fit_again(const struct wall_branch *wanted, size_t count, const struct wall_view *view,
                      struct branch_fit *fit);

/** The largest deviation over what is allowed, of centres, means and what lies between; and is it at most 1?
 */
double branch_fit_worst(const struct branch_fit *fit);
bool branch_fit_holds(const struct branch_fit *fit);

#endif
