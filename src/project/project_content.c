#include "src/project/project_content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool project_is_file(const char *path)
{
    const char *point = strrchr(path, '.');
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
    free(project->value.source.place);
    free(project->value.receiver.place);
    free(project->value.two_sided.text);
    free(project->value.look.text);
    for (size_t g = 0; g < project->value.receiver_grid.count; g++)
        free(project->value.receiver_grid.grid[g].corner);
    free(project->value.receiver_grid.grid);
    surface_table_free(&project->material);
    free(project);
}

int project_keep(struct project *project, const char *text, const char **kept, struct failure *failure)
{
    /* Doubled whenever the count is a power of two. */
    if ((project->texts & (project->texts - 1)) == 0) {
        const size_t capacity = project->texts == 0 ? 1 : 2 * project->texts;
        char **grown = realloc(project->text, capacity * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, capacity * sizeof *grown, "a project");
        project->text = grown;
    }
    char *copy = strdup(text);
    if (copy == NULL)
        return failure_memory(failure, strlen(text) + 1, "a project");
    project->text[project->texts++] = copy;
    *kept = copy;
    return 0;
}

int project_path(struct project *project, const char *text, const char **path, struct failure *failure)
{
    const char *slash = strrchr(project->file, '/');
    if (text[0] == '/' || slash == NULL)
        return project_keep(project, text, path, failure);
    const size_t folder = (size_t)(slash - project->file) + 1, size = folder + strlen(text) + 1;
    char *joined = malloc(size);
    if (joined == NULL)
        return failure_memory(failure, size, "a path");
    (void)snprintf(joined, size, "%.*s%s", (int)folder, project->file, text);
    const int code = project_keep(project, joined, path, failure);
    free(joined);
    return code;
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
