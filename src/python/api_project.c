#include <cjson/cJSON.h>

#include "src/setup/project/project.h"
#include "src/python/api_process.h"
#include "src/python/transept.h"
#include "src/base/table/json_values.h"

static char *words_of(const struct project *project)
{
    cJSON *object = cJSON_CreateObject(), *list = json_list_in(object, "variants");
    for (size_t v = 0; v < project->variants; v++)
        json_append(list, cJSON_CreateString(project->variant[v]));
    JSON_PUT(object, {"title", OF_TEXT(project->page.title)});
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return text;
}

int transept_project_read(const char *path, const char *text, const struct listener *listener, char **json,
                          struct failure *failure)
{
    struct project *project = NULL;
    int code = api_process_begin(text, listener, failure);
    if (code == 0)
        code = project_open(path, NULL, &project, failure);
    api_process_end();
    if (code != 0)
        return code;
    *json = words_of(project);
    project_close(project);
    return *json != NULL ? 0 : failure_memory(failure, 0, "a project");
}
