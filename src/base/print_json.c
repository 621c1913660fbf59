#include "src/base/print_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/json_memory.h"

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
