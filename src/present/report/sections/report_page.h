/** The page of a report: one HTML file that needs no other, from the structs of report_model.h.
 *
 * Without its script it is complete: tables, drawings in SVG, players. The script, where it was bundled when
 * the program was built, reads the data that the page carries in script#transept-data and makes drawings
 * turnable and curves readable. Nothing is fetched: no address in any src or href but data: and #fragments,
 * and a Content-Security-Policy that forbids the rest.
 */
#ifndef SRC_REPORT_PAGE_H
#define SRC_REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/present/report/report_template.h"
#include "src/present/report/sections/report_runs.h"
#include "src/present/report/report_sounds.h"
#include "src/base/table/table.h"
#include "src/run_folder/run_model.h"

/** Write the page. FAILURE_CAPACITY without memory, also for the data (json_memory.h). Errors of the stream
 * are reported when it is closed. */
int report_page_write(FILE *page, const struct report *report, const struct report_sounds *sounds,
                      struct failure *failure);

/** Name, lines and logo of the sender, above the title; nothing without a letterhead. */
void report_letterhead(FILE *page, const struct report *report);

/** The sections, in this order; each writes one <section>, for all runs side by side, or nothing where it has
 * nothing to show. */
void report_summary(FILE *page, const struct report *report);
void report_places(FILE *page, const struct report *report);
void report_doubts(FILE *page, const struct report *report);
void report_room(FILE *page, const struct report *report);
void report_listen(FILE *page, const struct report *report);
void report_differences(FILE *page, const struct report *report);
void report_times(FILE *page, const struct report *report);
void report_spectrum(FILE *page, const struct report *report);
void report_maps(FILE *page, const struct report *report);
void report_energy(FILE *page, const struct report *report);
void report_surfaces(FILE *page, const struct report *report);
void report_inputs(FILE *page, const struct report *report);
void report_engineers(FILE *page, const struct report *report);
void report_words(FILE *page, const struct report *report);

/** The octave up to which a run has waves, if rays give the higher ones [Hz]. */
void report_rays_octave(FILE *page, const struct report *report, size_t run);

/** The map of a figure, of the highest octave up to 1 kHz; nothing without one.
 * `words`: what its colours mean. */
void report_map_of(FILE *page, const struct report *report, size_t run, enum figure figure,
                   const char *words);

/** Does any run have maps? Without them there is no such section. */
bool report_has_maps(const struct report *report);

/** For two runs, above the summary of each: their names and the audible differences. */
void report_two_runs(FILE *page, const struct report *report);

/** Several runs against their targets: the answer, a table, what each costs, and maps of the places that miss
 * a target. Nothing for one run. */
void report_decision(FILE *page, const struct report *report);

/** The table of targets of the only run, a part of the summary. */
void report_targets(FILE *page, const struct report *report);

/** Parts of a table of targets: what a figure of the first run should be; the value found, with the place of
 * its data. Below, what the words mean; and why a use is not judged. */
void report_target_should(struct table *table, const struct report *report, size_t index);
void report_target_value(struct table *table, const struct report_aim *aim, const char *key);
void report_target_legends(FILE *page, const struct report *report);
void report_use_why(FILE *page, const struct report *report);

/** The guesses about surfaces of one run, or of the first (REPORT_NO_RUN), one by one (`guessed` of
 * run.json). Nothing if there are none. */
void report_guesses(FILE *page, const struct report *report, size_t run);
bool report_guesses_alike(const struct report *report);

/** Reverberation times by octave: a drawing with error bars and with the limits of a requested use; a table
 * too if there are limits, if octaves up to 4 kHz are missing, or without responses. Then the cost of the
 * next octave. Part of the figures by octave. */
void report_octaves(FILE *page, const struct report *report, size_t run);

/** Figures by third octave, of the means and of one response; nothing where the run has none. Parts of the
 * figures by octave. */
void report_thirds(FILE *page, const struct report *report, size_t run);
void report_response_thirds(FILE *page, const struct report *report, size_t run, size_t index);

/** How the rays of a run fit its waves: the error of the join. Part of the figures by octave; nothing without
 * rays. */
void report_join(FILE *page, const struct report *report, size_t run);

/** Paragraphs on a room that was simulated open, or whose cracks were closed (`leaks` of run.json), a part of
 * the summary, and a table of all of them; nothing for a closed room. */
void report_leaks(FILE *page, const struct report *report, size_t run);
bool report_leaks_alike(const struct report *report);
void report_leak_table(FILE *page, const struct report *report, size_t run);

/** Below a table, the meaning of its marks. */
void report_marks_legend(FILE *page, unsigned marks);

/** The letter of one of two runs; the marks of a decay behind its time. */
void report_table_run_mark(struct table *table, size_t run);
void report_table_marks(struct table *table, unsigned marks);

/** The head of a table by octave: "octave", then their nominal frequencies [Hz], with "rays" for those that
 * are from rays in `run` (NULL: none); one of these. */
void report_octave_heads(struct table *table, const struct json_numbers *octaves,
                         const struct run_model *run);
void report_octave_head(struct table *table, int nominal, bool rays);

/** Begin the cell of a value, lighter if it is from rays. Below the table, what error bars mean,
 * and, with rays, what that means. */
void report_octave_cell(struct table *table, bool rays);
void report_rays_legend(FILE *page, bool rays, bool unsure);

/** Behind a value that is unsure; below the table, what that means. */
void report_table_unsure(struct table *table, bool unsure);
void report_unsure_legend(FILE *page, bool unsure);

/** Write a table, add it to those that are kept as CSV, and free it. `run`: -1 of both, or of none. */
void report_table_put(FILE *page, const struct report *report, struct table *table, int run);

/** The name of a response: "pulpit heard at pew". */
void report_response_name(FILE *page, const struct report *report, size_t run, size_t response);

#endif
