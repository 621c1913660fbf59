/** Whether memory ran out while any JSON was made or read.
 *
 * A cJSON call without memory leaves its item out, and the rest is built without it: a run.json or a page
 * would lack a value and look complete. So every writer checks here first: print_json(), json_stage(),
 * report_page_write(), and main() for tables on standard output.
 */
#ifndef SRC_JSON_MEMORY_H
#define SRC_JSON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"

/** From now on cJSON and json_memory_take() take memory from `allocate` (malloc) and return it to free(),
 * and a lack of memory is recorded. Call it once, before any other thread and any item. */
void json_memory_watch(void *(*allocate)(size_t bytes));

/** True if memory ran out since. False without json_memory_watch(). */
bool json_memory_ran_out(void);

/** Zeroed bytes for data that becomes JSON, for free(); NULL without memory. */
void *json_memory_take(size_t bytes);

/** Read a JSON file of at most `most` bytes; `*out` is the caller's, cJSON_Delete(). FAILURE_INPUT for a
 * file that is not regular (geometry/base/regular_file.h), longer or not JSON; FAILURE_CAPACITY if memory
 * ran out. */
int json_file_read(const char *path, uint64_t most, cJSON **out, struct failure *failure);

#endif
