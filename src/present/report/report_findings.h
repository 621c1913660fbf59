/** What a run shows, in plain words: at most three findings, chosen by rule from its figures.
 *
 * - speech: STI (speech transmission index) of the source that is understood worst, mean over its receivers,
 *   where the run has it (report_speech.h): good and excellent are good, fair is fair, poor and bad are poor.
 *   Else D50 likewise, at middle frequencies (500 and 1000 Hz), against report_targets.h: good above the
 *   target, fair up to two just noticeable differences below, else poor.
 * - reverberation: the mean T30, else T20, else EDT (report_reverberation_of()) against the target of the
 *   use that was asked for, else for worship: good within it, fair up to four just noticeable differences (20
 * %) beyond, else poor. Where no response has any of them, a note has the reason.
 * - evenness: over three or more receivers of one source, the figure of EDT, C80 and G whose range is the
 *   most just noticeable differences: good up to three, fair up to six, else poor.
 *   Where a run does not show both 500 and 1000 Hz, these three are notes of what its highest octave shows:
 *   targets and just noticeable differences hold at middle frequencies.
 * - surface: the one that takes the largest share of the sound (report_shares.h), where that is a quarter or
 *   more: a note. Where more than 5 % was still in the room when the run ended, that is in the sentence.
 * - slopes: how many responses die away in two slopes in some octave: a note, before the surface.
 * - ringing: in its place, and first of all, where flat parallel walls do it (report_ringing.h): poor where
 *   the second slope begins within what T30 is taken from, else a note.
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

#endif
