/** Finds differences of two JSON trees, and names them by their path. */
#ifndef SRC_JSON_DIFFERENCE_H
#define SRC_JSON_DIFFERENCE_H

#include <stddef.h>

#include <cjson/cJSON.h>

#define JSON_DIFFERENCE_MAX 600

/** The first difference in the order of `now` as "materials[2].absorption was 0.1 and is 0.2", cut where it
 * does not fit, and behind it " (and 3 more)". Returns how many there are; 0: `text` is empty. Entries of a
 * list with a `name` are matched by it. A list or object that only one side has counts once. */
size_t json_difference(const cJSON *was, const cJSON *now, char text[JSON_DIFFERENCE_MAX]);

#endif
