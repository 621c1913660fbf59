#include "src/commands.h"

#include <stdlib.h>

#include "src/json_memory.h"

volatile sig_atomic_t interrupt_seen, interrupt_ends;

int print_json(cJSON *object, struct failure *failure)
{
    char *text = object != NULL ? cJSON_Print(object) : NULL;
    cJSON_Delete(object);
    if (text == NULL || json_memory_ran_out()) {
        cJSON_free(text);
        return failure_memory(failure, 0, "the JSON object");
    }
    puts(text);
    cJSON_free(text);
    return 0;
}
