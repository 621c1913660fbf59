#include "src/cli/commands.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/machine/machine_threads.h"
#include "src/base/progress_json.h"
#include "src/base/progress_line.h"
#include "src/base/options/messages.h"
#include "src/setup/project/project.h"

int command_take_project(struct options *options, struct project **out, struct failure *failure)
{
    const char *variant = options->variant, *room = options->subject;
    *out = NULL;
    if (room == NULL || !project_is_file(room))
        return variant == NULL ? 0
                               : failure_set(failure, FAILURE_INPUT,
                                             "--variant %.100s is for a project (.yaml), and %s is not one",
                                             variant, room != NULL ? room : "the room");
    if (variant != NULL && strcmp(variant, PROJECT_ALL) == 0)
        return failure_set(failure, FAILURE_INPUT, "--variant all is for simulate: name one of the variants");
    TRY(project_open(room, variant, out, failure));
    project_apply(*out, options);
    return 0;
}

void command_show_progress(const struct options *options)
{
    const bool json = options->progress == OPTION_PROGRESS_JSON;
    progress_line_hide(json);
    progress_json_to(json ? stderr : NULL);
}

int command_refuse_existing(const char *path, bool force, struct failure *failure)
{
    struct stat there;
    return !force && lstat(path, &there) == 0
               ? failure_fix(failure_about(failure_set(failure, FAILURE_INPUT, "%s exists", path), failure,
                                           SUBJECT_FILE, path),
                             failure, "--force replaces it")
               : 0;
}

/* Every bit is the same on any number of threads, so where fewer can be had there are fewer. */
void command_take_threads(void)
{
    const int wanted = machine_threads_wanted(omp_get_max_threads()),
              available = machine_threads_available(wanted);
    if (available < wanted)
        message_warning(stderr, "see `ulimit -u` and memory", "only %d of %d threads can be started",
                        available, wanted);
    if (available < omp_get_max_threads())
        omp_set_num_threads(available);
}
