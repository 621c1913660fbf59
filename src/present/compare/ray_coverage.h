/** Checks figures from rays against those of waves: of two runs, in octaves that one has from rays and the
 * other from waves.
 *
 * A cell is a figure in such an octave of a pair of responses; both runs have it, and rays have an error bar.
 * Nine of ten values of waves should be within that bar. A response is one draw of an interference pattern,
 * and rays have only its mean: the floor is the root mean square of the standard deviation by interference
 * (ray_figures_interference()). No mean is nearer to single responses than that.
 */
#ifndef SRC_RAY_COVERAGE_H
#define SRC_RAY_COVERAGE_H

#include "src/present/compare/run_compare.h"

/** EDT, T30, C80, D50, G: each says something that the others do not. */
#define COVERED_FIGURES 5
extern const enum figure covered_figure[COVERED_FIGURES];

/** One figure in one octave, over the pairs; NaN of none. */
struct ray_coverage_entry {
    size_t cells, within; /* in so many the value of waves is within the error bar of rays */
    double rms;           /* of the differences [JND at the value of waves] */
    double floor;         /* [JND]; NaN: run.json does not have the interference */
};

struct ray_coverage {
    bool octave[OCTAVE_BANDS_MAX]; /* exactly one run has it from rays; as the octaves of the comparison */
    size_t cells, within;
    struct ray_coverage_entry entry[COVERED_FIGURES][OCTAVE_BANDS_MAX];
};

/** True if there is a cell. O(pairs). */
bool ray_coverage_make(const struct run_comparison *comparison, struct ray_coverage *out);

#endif
