/** The flat drawings of a report: plan, decay curves, spectra, bars of energy. */
#ifndef SRC_REPORT_DRAWING_H
#define SRC_REPORT_DRAWING_H

#include <stdio.h>

#include "src/present/report/report_model.h"

/** figure#decay-figure: of the first response of every run with curves, the level of every octave and the
 * straight lines of T30 (or the longest that is there). */
void report_decay_figure(FILE *page, const struct report *report);

/** The same curves of one response, for the details of each; nothing of the response that is drawn already.
 */
void report_response_decays(FILE *page, const struct report *report, size_t run, size_t index);

/** For a colour of 0 to 1: lines on white are drawn darker than walls, so that they are seen. */
#define REPORT_PLAN_SHADE 200

/** The walls of a run cut at ear height, seen from above, with sources and receivers: each of these with the
 * name and colour of its worst STI. */
void report_plan_figure(FILE *page, const struct report *report, size_t run);

/** A small plan with the places of a cell, drawn by whether they meet the target; the worst one has a ring.
 */
void report_seat_plan(FILE *page, const struct report_run *run, const struct report_cell *cell);

/** figure#waveform-figure, figure#whole-figure, figure#level-figure: of the same responses the pressure of
 * the first tenth of a second, that of all of it, and its level. */
void report_waveform_figures(FILE *page, const struct report *report);

/** The response of a run that is drawn, and its number: the first with curves, for two runs the first that
 * both have. NULL if none. */
const struct report_response *report_drawn(const struct report *report, size_t run, size_t *index);

/** The line below its drawing, "Decay by octave, pulpit heard at pew". */
void report_curve_caption(FILE *page, const struct report *report, size_t run, const char *what);

#endif
