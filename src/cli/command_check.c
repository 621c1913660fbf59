#include <stdio.h>
#include <string.h>

#include "geometry/voxel/wall_surface.h"
#include "src/base/interrupt.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/base/progress_line.h"
#include "src/check/check_words.h"
#include "src/cli/commands.h"
#include "src/cli/request_from_options.h"

static int show_progress(void *context, const char *what, struct failure *failure)
{
    struct progress_line *line = context;
    const double now = progress_clock();
    progress_json_begin(what, NULL);
    if (line->stream != NULL && (line->terminal || progress_line_due(line, now)))
        progress_line_show(line, now, what);
    return room_interrupted(failure);
}

/* Before any work. */
static int refuse_existing(const struct options *options, struct failure *failure)
{
    const char *path = options->voxels;
    if (path == NULL)
        return 0;
    const char *ending = strrchr(path, '.');
    if (ending == NULL || strcmp(ending, ".ply") != 0)
        return failure_set(failure, FAILURE_INPUT, "--voxels %s: the name must end in .ply", path);
    return command_refuse_existing(path, options->force, failure);
}

/* In which axes a PLY stands as the model does in a modeller that imports both: z up, as Blender takes every
 * PLY and shows every format; those of the model where that is a PLY itself. */
static enum up_axis ply_up(const struct mesh_import_facts *facts)
{
    return strcmp(facts->format, "PLY") == 0 ? facts->up : UP_Z;
}

static int write_voxels(struct room_check *check, const char *path, struct failure *failure)
{
    const struct voxel_surface_axes axes = {check->setup.model.facts.metres_per_unit,
                                            ply_up(&check->setup.model.facts)};
    const struct mesh *mesh = &check->setup.model.mesh;
    const bool cells = check->voxels.cells;
    struct voxel_surface_size size = {0};
    if (cells)
        TRY(wall_surface_write(&check->voxels, mesh, check->setup.model.back_material, &axes, path, &size,
                               failure));
    else if (check->voxels.air_nodes > 0)
        TRY(voxel_surface_write(&check->voxels, mesh, &axes, path, &size, failure));
    struct check_finding *finding =
        check_report_add(&check->report, CHECK_HARMLESS, CHECK_VOXELS, "%s ", path);
    finding->value = (double)size.squares;
    if (check->voxels.air_nodes > 0)
        check_finding_say(
            finding,
            "shows the surface of the stored air, as a run sees the walls: %llu %s, coloured by material",
            (unsigned long long)size.squares, cells ? "polygons" : "squares");
    else
        check_finding_say(finding, "was not written: there is no closed air whose surface it could show");
    check_report_sort(&check->report);
    return check_report_complete(&check->report, failure);
}

int command_check(const struct options *options, struct failure *failure)
{
    struct room_check check = {0};
    struct progress_line line;
    interrupt_ends = 1;
    int code = refuse_existing(options, failure);
    if (code != 0)
        return code;
    progress_line_start(&line, options->quiet ? NULL : stderr, progress_clock());
    const struct room_request request = request_from_options(options);
    code = room_check_run(&request, show_progress, &line, &check, failure);
    if (code == 0 && options->voxels != NULL) {
        (void)show_progress(&line, "writing the surface of the air", NULL);
        interrupt_ends = 0;
        code = write_voxels(&check, options->voxels, failure);
    }
    if (line.terminal && line.unfinished)
        progress_line_show(&line, progress_clock(), "done");
    progress_line_end(&line);
    if (code == 0 && options->json)
        code = print_json(check_make_json(&check), failure);
    else if (code == 0)
        check_print_words(stdout, &check, options->quiet);
    if (code == 0 && check_report_worst(&check.report) == CHECK_UNFIT) {
        char why[CHECK_WHY_MAX];
        code = failure_set(failure, FAILURE_ANSWER_NO, "%s is unfit: %s", options->subject,
                           check_report_why(&check.report, why));
    }
    room_check_free(&check);
    return code;
}
