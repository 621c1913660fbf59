/** Whether memory ran out while any JSON was made or read.
 *
 * A cJSON call that gets no memory leaves its item out, and what is built on top of it goes on without: a
 * run.json or a page would lack a value and look whole. So whoever writes one asks here first: print_json(),
 * json_stage(), report_page_write(), and main() for tables on standard output.
 */
#ifndef SRC_JSON_MEMORY_H
#define SRC_JSON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"

/** From now on cJSON and json_memory_take() take memory from `allocate` (malloc) and give it back to free(),
 * and it is known when there was none. Once, before any other thread and any item. */
void json_memory_watch(void *(*allocate)(size_t bytes));

/** Did it run out since? False where nobody watches. */
bool json_memory_ran_out(void);

/** So many bytes of it for what is to be JSON, zeroed, for free(); NULL where there is none. */
void *json_memory_take(size_t bytes);

/** Read a JSON file of at most `most` bytes; `*out` is the caller's, cJSON_Delete(). FAILURE_INPUT for what
 * is no file (geometry/base/regular_file.h), longer or no JSON; FAILURE_CAPACITY where memory ran out. */
int json_file_read(const char *path, uint64_t most, cJSON **out, struct failure *failure);

#endif
