/** Start values of the search for branches (branch_fit.c). */
#ifndef ROOMS_BRANCH_START_H
#define ROOMS_BRANCH_START_H

#include "rooms/materials/branch_search.h"

/** `count` peaks at equal distances over the band, all of one sharpness, with the heights that bring the
 * conductance nearest to problem->conductance (weighted least squares, heights >= 0, by coordinates). */
struct search_point branch_start_evenly(const struct search_problem *problem, size_t count, double sharpness);

/** `fewer` and one small branch more, at the largest deficit of absorption. */
struct search_point branch_start_from(const struct search_problem *problem, const struct search_point *fewer);

/** `fewer` and one branch more, of that sharpness: the one that brings the admittance nearest to the held
 * one. */
struct search_point branch_start_nearer(const struct search_problem *problem,
                                        const struct search_point *fewer, double sharpness);

/** One or two sharp peaks of so high conductance that the wall is soft there and therefore absorbs little. */
struct soft_start {
    double place;     /* of the first peak, over `centre` (-) */
    double sharpness; /* of the first peak (-) */
    size_t peaks;     /* 1 or 2 */
    double beside;    /* sharpness of the other branches (-) */
};

/** For absorption that rises faster than peaks on a hard wall can: soft peaks near `centre` [Hz], that of the
 * octave below the rise, where the target is `absorption`; the others as evenly as possible. count > peaks.
 */
struct search_point branch_start_softly(const struct search_problem *problem, size_t count,
                                        const struct soft_start *soft, double centre, double absorption);

#endif
