/** Reverberation times in octaves that were not simulated: statistics of the room's size and materials,
 * corrected by simulated times below.
 *
 * Sabine's and Eyring's formulas (statistical_reverberation.h) add walls and air: energy is lost at a rate of
 * 6 ln(10) / T, and the part of the air is the same in every room. A simulation therefore differs from a
 * formula by the part of the walls,
 *
 *     share = (6 ln(10) / T - air) / walls
 *
 * with T as it was simulated in an octave and walls and air by the formula there; and above the run T = 6
 * ln(10) / (share walls + air). `share` is that of the highest octave with both times and no mark on the
 * simulated one (figure_table.h), where sound is mixed best. It is limited to 1/4 to 4, as in
 * extension_rates.h: beyond, the formula does not describe the room. If uneven mixing makes a room ring
 * longer than the formula says, the same is assumed above. Without simulated octaves share is 1.
 *
 * T is the mean over the responses of T30 or, where fewer than half have that, of T20; never of EDT. A run
 * without responses uses the points of its maps. */
#ifndef SRC_REPORT_STATISTICS_H
#define SRC_REPORT_STATISTICS_H

#include "src/present/report/report_model.h"

/** How often the share may lie beyond 1, either way. */
#define REPORT_SHARE_MOST 4.0

/** Absorption of the walls as a share of that of the formula: from a simulated time and the
 * formula's times with and without the air [s]. NaN if the formula gives nothing or all to the walls. */
double report_walls_share(double simulated, double without_air, double with_air);

/** The time [s] of the formula with that share; with 1 it is `with_air`. */
double report_walls_scaled(double share, double without_air, double with_air);

/** Fill `statistics` of a run, whose responses are made: every octave from 63 Hz to 4 kHz, or as far as the
 * run goes. `next` is the cost of the octave above, scaled from this run: the time of its steps with the
 * fourth power of the frequency, its field and walls with the third. `why` has why there is nothing expected:
 * sound leaves the room, or the run does not record its materials or volume. FAILURE_CAPACITY without
 * memory. */
int report_statistics_add(struct report_run *run, struct failure *failure);

/** The time at middle frequencies (the mean of 500 and 1000 Hz) where not both were simulated: of what was
 * simulated and Eyring's, scaled; NaN where either is unknown [s]. */
double report_statistics_middle(const struct report_run *run);

#endif
