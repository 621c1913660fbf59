/** Names leaks (`leaks` of run.json) that one run has and another does not. */
#ifndef SRC_LEAK_CHANGE_H
#define SRC_LEAK_CHANGE_H

#include <stddef.h>

#include "src/run_folder/run_model.h"

/** "an opening of about 0.46 m2 at (4.00, 1.40, 1.30) m and 2 more": openings of `run` without one of `other`
 * within half a metre, or the size of either. "3 cracks, the widest 1 cm wide, at ..": sealed cracks of `run`
 * if `other` sealed none. `text` (`size` bytes) is empty if there are none, or a run does not list its leaks.
 */
void leak_change_openings(const struct run_model *run, const struct run_model *other, char *text,
                          size_t size);
void leak_change_cracks(const struct run_model *run, const struct run_model *other, char *text, size_t size);

#endif
