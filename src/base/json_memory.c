#include "src/base/json_memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/regular_file.h"

static void *(*source)(size_t bytes) = malloc;
static atomic_bool ran_out;

static void *allocate_watched(size_t bytes)
{
    void *memory = source(bytes);
    if (memory == NULL)
        atomic_store(&ran_out, true);
    return memory;
}

void json_memory_watch(void *(*allocate)(size_t bytes))
{
    cJSON_Hooks hooks = {.malloc_fn = allocate_watched, .free_fn = free};
    source = allocate;
    atomic_store(&ran_out, false);
    cJSON_InitHooks(&hooks);
}

bool json_memory_ran_out(void)
{
    return atomic_load(&ran_out);
}

void *json_memory_take(size_t bytes)
{
    void *memory = allocate_watched(bytes);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

int json_file_read(const char *path, uint64_t most, cJSON **out, struct failure *failure)
{
    char *text = NULL;
    size_t length = 0;
    TRY(regular_file_read(path, most, &text, &length, failure));
    *out = cJSON_ParseWithLength(text, length);
    free(text);
    if (*out != NULL)
        return 0;
    if (json_memory_ran_out())
        return failure_memory(failure, length, path);
    return failure_set(failure, FAILURE_INPUT, "%s is not JSON", path);
}
