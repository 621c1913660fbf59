#include "src/json_memory.h"

#include <stdatomic.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

static void *(*source)(size_t bytes);
static atomic_bool ran_out;

static void *watched(size_t bytes)
{
    void *memory = source(bytes);
    if (memory == NULL)
        atomic_store(&ran_out, true);
    return memory;
}

void json_memory_watch(void *(*allocate)(size_t bytes))
{
    cJSON_Hooks hooks = {.malloc_fn = watched, .free_fn = free};
    source = allocate;
    atomic_store(&ran_out, false);
    cJSON_InitHooks(&hooks);
}

bool json_memory_ran_out(void)
{
    return atomic_load(&ran_out);
}
