/** Which leak paths and openings (`leaks` of run.json) one run has and another has not. */
#ifndef SRC_LEAK_CHANGE_H
#define SRC_LEAK_CHANGE_H

#include <stddef.h>

#include "src/run_folder/run_model.h"

/** "an opening of about 0.46 m2 at (4.00, 1.40, 1.30) m and 2 more": the openings of `run` with none of
 * `other` nearby (within half a metre, or the size of either); or "3 cracks, the widest 1 cm wide, at ..":
 * the closed cracks of a run, where the other has closed none. Empty where there are none, or where either
 * does not list its leaks. Into `text` of `size` bytes. */
void leak_change_openings(const struct run_model *run, const struct run_model *other, char *text,
                          size_t size);
void leak_change_cracks(const struct run_model *run, const struct run_model *other, char *text, size_t size);

#endif
