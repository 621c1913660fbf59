/** The tables of a page as CSV, made of the page itself: what it shows is what they hold, and a new table of
 * the page is one of them by itself.
 *
 * A file is named after its table: `data-table` of it, or else the last word of its class, and of two runs
 * "_a" or "_b" for a table of one of them: table_means_b.csv. A second one of a name ends in "_2". Texts are
 * as on the page, in its language; numbers have all their digits and a point, in the unit of the heading, and
 * are empty where they are absent. A cell with several numbers and no words has a column for each, named
 * after the heading and the number's key.
 *
 *     octave,125 Hz,125 Hz deviation
 *     T30 s,1.33012,0.102
 *
 * tables.csv lists the files with their captions.
 */
#ifndef SRC_REPORT_TABLES_H
#define SRC_REPORT_TABLES_H

#include <stdbool.h>

#include "src/record/output_folder.h"
#include "src/report/report_model.h"

#define REPORT_TABLES_LIST "tables.csv"

/** Put them into `folder`, which is held, the list last. FAILURE_OUTPUT, FAILURE_CAPACITY. */
int report_tables_put(const struct report *report, struct output_folder *folder, struct failure *failure);

/** For struct output_folder: a table of an earlier page. */
bool report_tables_name_is_ours(const char *name);

#endif
