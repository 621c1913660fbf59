#include "src/setup/project/project_content.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/path_text.h"
#include "src/setup/project/project_input.h"

bool project_is_file(const char *path)
{
    const char *point = strrchr(path, '.');
    if (project_is_input(path))
        return true;
    return point != NULL && (strcasecmp(point, ".yaml") == 0 || strcasecmp(point, ".yml") == 0);
}

void project_close(struct project *project)
{
    if (project == NULL)
        return;
    for (size_t t = 0; t < project->texts; t++)
        free(project->text[t]);
    free(project->text);
    free(project->file);
    free(project->variant);
    options_free(&project->value);
    surface_table_free(&project->material);
    free(project);
}

int project_keep(struct project *project, const char **kept, struct failure *failure, const char *format, ...)
{
    /* Doubled whenever the count is a power of two. */
    if ((project->texts & (project->texts - 1)) == 0) {
        const size_t capacity = project->texts == 0 ? 1 : 2 * project->texts;
        char **grown = realloc(project->text, capacity * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, capacity * sizeof *grown, "a project");
        project->text = grown;
    }
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, values) + 1;
    char *text = malloc(size);
    if (text != NULL)
        (void)vsnprintf(text, size, format, again);
    va_end(again);
    va_end(values);
    if (text == NULL)
        return failure_memory(failure, size, "a project");
    project->text[project->texts++] = text;
    *kept = text;
    return 0;
}

int project_path(struct project *project, const char *text, const char **path, struct failure *failure)
{
    const size_t folder = text[0] == '/' ? 0 : (size_t)(path_name(project->file) - project->file);
    return project_keep(project, path, failure, "%.*s%s", (int)folder, project->file, text);
}

const struct option_spec *project_option(const char *name)
{
    for (size_t i = 0; i < option_table_count; i++)
        if ((option_table[i].commands & COMMAND_SIMULATE) != 0 && strcmp(option_table[i].name, name) == 0)
            return &option_table[i];
    return NULL;
}

void project_give(struct project *project, const char *option)
{
    project->value.given[project_option(option) - option_table] = true;
}
