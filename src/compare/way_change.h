/** Which ways out (`leaks` of run.json, way_out.h) one run has and another has not. */
#ifndef SRC_WAY_CHANGE_H
#define SRC_WAY_CHANGE_H

#include <cjson/cJSON.h>
#include <stddef.h>

/** "an opening of about 0.46 m2 at (4.00, 1.40, 1.30) m and 2 more": the openings of `record` with none of
 * `other` nearby (within half a metre, or the size of either); or "3 cracks, the widest 1 cm wide, at ..":
 * the closed cracks of a record, where the other has closed none. Empty where there are none, or where either
 * does not tell of its leaks. Into `text` of `size` bytes. */
void way_change_openings(const cJSON *record, const cJSON *other, char *text, size_t size);
void way_change_cracks(const cJSON *record, const cJSON *other, char *text, size_t size);

#endif
