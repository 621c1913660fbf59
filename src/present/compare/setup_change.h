/** Words for differences of sources, sheets and dummy heads between two runs. */
#ifndef SRC_SETUP_CHANGE_H
#define SRC_SETUP_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run_folder/run_model.h"

#define SETUP_CHANGE_MAX 240

/** True if they differ; `text` then describes both: "voice along (0.500, 0.866, 0.000)", "alike in all
 * directions", "A, B (-3 dB, 2.5 ms)"; of files that are called alike their hashes. Axes of which one is not
 * known are alike, and so are those less than 0.01 apart. */
bool source_change(const struct record_point *first, const struct record_point *second,
                   char text[2][SETUP_CHANGE_MAX]);

/** "20 Pa s/m, 0.5 kg/m2, parallel", "no sheet". */
bool sheet_change(const struct record_material *first, const struct record_material *second,
                  char text[2][SETUP_CHANGE_MAX]);

/** "a sphere of 0.0875 m radius at (0.430, 0.500, 0.500) m, looks towards 10 degrees" (from +x towards +y).
 */
void head_words(const struct record_dummy_head *head, char text[SETUP_CHANGE_MAX]);

/** One of both may be NULL: "no head". */
bool head_change(const struct record_dummy_head *first, const struct record_dummy_head *second,
                 char text[2][SETUP_CHANGE_MAX]);

#endif
