/** JSON on standard output. */
#ifndef SRC_PRINT_JSON_H
#define SRC_PRINT_JSON_H

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"

/** Print a JSON object and a newline on standard output, and free it. FAILURE_CAPACITY when memory ran out
 * for it or any other (json_memory.h). */
int print_json(cJSON *object, struct failure *failure);

#endif
