/** The findings of a run, in plain words: at most three, chosen by rule from its figures.
 *
 * - speech: STI (speech transmission index) of the source that is understood worst, mean over its receivers,
 *   where the run has it (report_speech.h): good and excellent are good, fair is fair, poor and bad are poor.
 *   Else D50 likewise, at middle frequencies (500 and 1000 Hz), against report_targets.h: good above the
 *   target, fair up to two just noticeable differences below, else poor.
 * - reverberation: the mean T30, else T20, else EDT (report_reverberation_of()) against the target of the
 *   requested use, else for worship: good within it, fair up to four just noticeable differences (20 %)
 *   beyond, else poor. If no response has any of them, a note has the reason.
 *   Speech and reverberation are unsure if the error bar of rays allows more than one verdict.
 * - evenness: over three or more receivers of one source, the figure of EDT, C80 and G whose range is the
 *   most just noticeable differences: good up to three, fair up to six, else poor. If a run lacks 500 or
 *   1000 Hz, these three are notes on its highest octave: targets and just noticeable differences hold at
 *   middle frequencies.
 * - surface: the one with the largest share of the sound (report_shares.h), if that is a quarter or more: a
 *   note. It says if more than 5 % was still in the room when the run ended.
 * - slopes: how many responses die away in two slopes in some octave: a note, before the surface.
 * - ringing: instead of slopes, and first of all, if flat parallel walls cause it (report_ringing.h): poor if
 *   the second slope begins within the range of T30, else a note.
 *
 * Each has a sentence without figures (`plain`). Poor and fair ones have an `advice`; that of reverberation
 * is by Sabine's formula (report_absorber.c).
 *
 * Poor ones come first, then fair and good ones, and notes where room is left; within those the order above.
 */
#ifndef SRC_REPORT_FINDINGS_H
#define SRC_REPORT_FINDINGS_H

#include "src/present/report/report_model.h"

#define REPORT_FINDINGS 3

/** Fill `findings` of a run that has its responses and `energy` (report_shares.h). FAILURE_CAPACITY without
 * memory. */
int report_findings_add(struct report_run *run, struct failure *failure);

/** What an absorber absorbs that is worth building, and materials of the library that absorb as much of the
 * sound at 500 and 1000 Hz, on the mean and within 0.06. */
#define REPORT_ABSORBER  0.7
#define REPORT_ABSORBERS 3
extern const char *const report_absorber[REPORT_ABSORBERS];

/** The advice on a reverberation of `mean` that should be `aim` [s]: by Sabine's formula how much to add or
 * to take away; to add, of what, on which surfaces (the largest that absorb little, without floors and seats,
 * as the late sound comes from all sides), and the STI then: that of the run, plus what it changes by in an
 * exponential decay. */
void report_absorber_advise(const struct report_run *run, double mean, double aim,
                            struct report_finding *out);

#endif
