/** JSON on standard output, and in a file. */
#ifndef SRC_PRINT_JSON_H
#define SRC_PRINT_JSON_H

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"
#include "geometry/base/whole_file.h"

/** Print a JSON object and a newline on standard output, or pass it to the listener (listener.h), and
 * free it. FAILURE_CAPACITY if memory ran out for it or for any other JSON (json_memory.h). */
int print_json(cJSON *object, struct failure *failure);

/** Stage `object` under the temporary name of `path`, like wav_stage(). FAILURE_CAPACITY as above. */
int json_stage(const cJSON *object, const char *path, struct whole_file *out, struct failure *failure);

#endif
