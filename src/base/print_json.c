#include "src/base/print_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "geometry/base/name_text.h"
#include "src/base/json_memory.h"
#include "src/base/listener.h"

/* NULL if memory ran out for it or for any other item; cJSON_free() it. */
static char *print_whole(const cJSON *object)
{
    char *text = object != NULL ? cJSON_Print(object) : NULL;
    if (text == NULL || json_memory_ran_out()) {
        cJSON_free(text);
        return NULL;
    }
    /* A path may hold any bytes; JSON is UTF-8. Lines and tabs within texts are written \\n and \\t by now.
     */
    blot_all_but(text, "\n\t");
    return text;
}

int print_json(cJSON *object, struct failure *failure)
{
    char *text = print_whole(object);
    cJSON_Delete(object);
    if (text == NULL)
        return failure_memory(failure, 0, "the JSON object");
    const struct listener *listener = listener_now();
    if (listener != NULL)
        listener->answer(listener->context, text);
    else
        puts(text);
    cJSON_free(text);
    return 0;
}

int json_stage(const cJSON *object, const char *path, struct whole_file *out, struct failure *failure)
{
    char *text = print_whole(object);
    *out = (struct whole_file){0};
    if (text == NULL)
        return failure_memory(failure, 0, path);
    int code = whole_file_open(out, path, failure);
    if (code == 0) {
        fprintf(out->stream, "%s\n", text); /* an error shows when the file is settled */
        code = whole_file_settle(out, failure);
    }
    if (code != 0)
        whole_file_abandon(out);
    cJSON_free(text);
    return code;
}
