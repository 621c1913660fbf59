/** Targets of figures, by use and volume, each from a page that was read (in a stored copy of November 2026).
 * If that page quotes a standard or a book, both are named, and only the page was read.
 *
 * Targets of reverberation times hold at middle frequencies (500 and 1000 Hz), and those of DIN 18041:2016 by
 * octave too, within the shares of `allowed`. Nothing is listed here without a source; a use or volume that
 * no source covers has no target. Not listed because their figures could not be read: ISO 23591:2021 (rooms
 * for musicians to rehearse in), of which only scope and divisions are public, and the guide to the acoustics
 * of churches of the Italian bishops' conference, which has graphs. DIN 18041 itself is not for churches (C.
 * Nocke, DIN 18041 - a German view, 2016); its speech and music apply to parish halls. No page was found that
 * gives churches a time by their volume: below 1000 m3, where 1.5 to 2.5 s do not suit, they have that of
 * music.
 *
 * Two are less certain. `organ` has the times of Swiss churches with more than ten organ concerts a year,
 * full: the page gives them for 125 Hz (3 s) and 4000 Hz (1.5 s), between which they fall, says that they
 * agree with the literature, and names no volume. `choir` has the formula r (0.012 V^(1/3) + 0.107) of
 * Stephens and Bate with r = 6 (5 is for orchestras, 4 for speech) as it is handed on: neither the book nor a
 * page that quotes it could be read. At 1000 m3 it is 1.36 s, where DIN 18041 has 1.42 s for music.
 */
#ifndef SRC_REPORT_TARGETS_H
#define SRC_REPORT_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/present/report/report_model.h"

extern const struct report_target report_target[];
extern const size_t report_target_count;

/** The limits of a target in a room of `volume` [m3]: equal where it is one value. False where it does not
 * hold. */
bool report_target_limits(const struct report_target *target, double volume, double *low, double *high);

/** How far from a target that is one value still meets it: a fifth, four just noticeable differences. */
#define REPORT_TARGET_WITHIN 0.2

/** Does a value meet a target? With two limits: between them, both included. With one limit: beyond it, not
 * on it. If both are one value: within a fifth of it (four just noticeable differences of a time). */
bool report_target_met(double low, double high, double value);

/** Is a limit within the error bar of the value, so that it may be met or not? Never if `error` is NaN. */
bool report_target_is_unsure(double low, double high, double value, double error);

/** "met", "not met", "unsure": a limit is within the error bar; "not known": the value is NaN. */
const char *report_target_verdict(double low, double high, double value, double error);

/** The first target of a figure and use that holds, or NULL. */
const struct report_target *report_target_find(enum figure figure, const char *use, double volume);

/** Fill `targets` of a run with those of its `use` (none requested: those that are not `asked`) that hold at
 * its report_room_volume(). Each has the limits and the run's value: `found` (the target's figure, or the one
 * in its place), the mean over the responses (NaN if absent) with its error bar, octaves and number of
 * responses in words, and whether it is met, not met or unsure, or `why` that is not known. A run without 500
 * and 1000 Hz has no values: `targets_why` gives that reason once, and which run would do (with maps alone:
 * that it has no receiver). Else it is NULL. For a requested use, `tolerance` has the limits by octave and
 * whether they are met, and `use_why` that its time does not hold at this volume. The run's octave_times must
 * be there.
 * FAILURE_CAPACITY without memory. */
int report_targets_add(struct report_run *run, struct failure *failure);

#endif
