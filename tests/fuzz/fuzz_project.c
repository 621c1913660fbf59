/* Projects: a file of any bytes is a project whose every value is within its option's limits, with each of
 * its variants, or a sentence that names the file.
 *
 *   tools/fuzz 600 project  # build with clang and run for ten minutes */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/base/options/option_values.h"
#include "src/setup/project/project.h"
#include "tests/fuzz/option_claims.h"

static void claim_project(const struct project *project)
{
    for (size_t i = 0; i < option_table_count; i++)
        if (project->value.given[i]) {
            const void *at = (const char *)&project->value + option_table[i].at;
            const char *const *text = at;
            claim_value(&option_table[i], true, at);
            CLAIM(option_table[i].kind != OPTION_TEXT || (*text != NULL && (*text)[0] != '\0'));
        }
    for (size_t g = 0; g < project->value.receiver_grid.count; g++) {
        const struct option_grid *grid = &project->value.receiver_grid.grid[g];
        CLAIM((grid->material != NULL) != (grid->corners > 0));
    }
    for (size_t e = 0; e < project->material.count; e++) {
        const struct surface_entry *entry = &project->material.entry[e];
        CLAIM(entry->giver == SURFACE_BY_PROJECT && (entry->name == NULL || entry->name[0] != '\0'));
        CLAIM((entry->form == SURFACE_NAMED) == (entry->library != NULL));
        CLAIM(isnan(entry->audience) || (entry->audience >= 0 && entry->audience <= 1));
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
            CLAIM(entry->absorption[o] >= 0 && entry->absorption[o] <= 1);
    }
    CLAIM((project->shape != NULL) || project->value.subject != NULL);
    for (size_t p = 0; project->shape != NULL && p < project->shape->parameter_count; p++)
        CLAIM(project->measure[p] >= project->shape->parameter[p].low &&
              project->measure[p] <= project->shape->parameter[p].high);
}

/* Its values in options that the command line left alone, and freed apart. */
static void claim_application(struct project *project)
{
    struct failure failure = {0};
    struct options options;
    char room[] = "p.yaml", *argument[] = {room};
    CLAIM(options_parse(COMMAND_SIMULATE, "simulate", "ROOM", 1, argument, NULL, &options, &failure) == 0);
    const size_t sources = project->value.source.count;
    project_apply(project, &options);
    CLAIM(options.subject != NULL && options.source.count == sources);
    for (size_t i = 0; i < option_table_count; i++)
        CLAIM(options.given[i] == project->value.given[i]);
    options_free(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct failure failure = {0};
    struct project *project = NULL;
    char path[64];
    const int file = memfd_create("project", MFD_CLOEXEC);
    CLAIM(file >= 0 && write(file, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);

    const int code = project_open(path, NULL, &project, &failure);
    claim_outcome(code, &failure);
    CLAIM((code == 0) == (project != NULL));
    CLAIM(code != FAILURE_INPUT || strcmp(failure.file, path) == 0 ||
          strncmp(failure.sentence, path, strlen(path)) == 0);
    if (project != NULL) {
        claim_project(project);
        claim_application(project);
        CLAIM(project->variants <= 64);
    }
    for (size_t v = 0; project != NULL && v < project->variants; v++) {
        struct project *variant = NULL;
        CLAIM(project_open(path, project->variant[v], &variant, &failure) == 0);
        claim_project(variant);
        CLAIM(strcmp(variant->name, project->variant[v]) == 0);
        project_close(variant);
    }
    project_close(project);
    close(file);
    return 0;
}
