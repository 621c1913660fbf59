/** Whether memory ran out while any JSON was made or read.
 *
 * A cJSON call that gets no memory leaves its item out, and what is built on top of it goes on without: a
 * run.json or a page would lack a value and look whole. So whoever writes one asks here first: print_json(),
 * record_stage() and report_page_write().
 */
#ifndef SRC_JSON_MEMORY_H
#define SRC_JSON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/** From now on cJSON takes its memory from `allocate` (malloc) and gives it back to free(), and it is known
 * when there was none. Once, before any other thread and any item. */
void json_memory_watch(void *(*allocate)(size_t bytes));

/** Did it run out since? False where nobody watches. */
bool json_memory_ran_out(void);

#endif
