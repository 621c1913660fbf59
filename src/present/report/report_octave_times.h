/** The reverberation time of a run in every octave, and what one more octave of waves would take.
 *
 * It is the mean over the responses of T30 or, where fewer than half have that, of T20; never of EDT. A run
 * without responses uses the points of its maps. */
#ifndef SRC_REPORT_OCTAVE_TIMES_H
#define SRC_REPORT_OCTAVE_TIMES_H

#include "src/present/report/report_model.h"

/** Fill `octave_times` of a run, whose responses are made: every octave from 63 Hz to 4 kHz, or as far as the
 * run goes; an octave that it does not reach has no time, and is `missing`. Times from rays have their error
 * bar (record_error.h). `next` is the cost of the next octave of waves, scaled from this run: the time of its
 * steps with the fourth power of the frequency, its field and walls with the third. FAILURE_CAPACITY without
 * memory. */
int report_octave_times_add(struct report_run *run, struct failure *failure);

#endif
