#include <stdio.h>
#include <string.h>

#include "geometry/mesh/gltf_write.h"
#include "geometry/voxel/wall_surface.h"
#include "src/base/interrupt.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/base/progress_line.h"
#include "src/base/words/words.h"
#include "src/check/check_words.h"
#include "src/cli/commands.h"
#include "src/setup/area/seat_plan.h"
#include "src/setup/project/project.h"

/* A check that takes longer than this prints findings as they come [s]. */
#define TELL_AFTER 5.0

struct shown {
    struct progress_line line;
    double start; /* [s] */
    size_t told;  /* findings */
    const char *what;
    const char *mesh; /* file that is not written yet; or NULL */
};

/* Findings that were not printed yet, in the order in which they come. */
static void tell_findings(struct shown *shown, const struct room_check *check, double now)
{
    const struct check_report *const report = &check->report;
    char text[CHECK_TEXT_MAX];
    if (now - shown->start < TELL_AFTER)
        return;
    for (; shown->told < report->finding_count; shown->told++) {
        const struct check_finding *const finding = &report->finding[shown->told];
        if (finding->severity != CHECK_UNFIT && finding->severity != CHECK_DOUBTFUL)
            continue;
        progress_line_end(&shown->line);
        fprintf(shown->line.stream, "found: %s\n", check_finding_sentence(finding, text));
    }
}

static int show_progress(void *context, const struct room_check *check, const char *what, double share,
                         struct failure *failure)
{
    enum { WIDTH = 20 };
    struct shown *const shown = context;
    struct progress_line *const line = &shown->line;
    const double now = progress_clock();
    char bar[WIDTH + 1], text[WIDTH + 100];
    if (shown->what == NULL || strcmp(shown->what, what) != 0)
        progress_json_begin(what, NULL);
    shown->what = what;
    if (shown->mesh != NULL && check->setup.model.mesh.triangle_count > 0) {
        TRY(gltf_write(&check->setup.model.mesh, shown->mesh, true, failure));
        shown->mesh = NULL;
    }
    if (line->stream != NULL)
        tell_findings(shown, check, now);
    if (line->stream != NULL && (line->terminal || progress_line_due(line, now))) {
        for (int n = 0; n < WIDTH; n++)
            bar[n] = n < (int)(share * WIDTH + 0.5) ? '#' : '.';
        bar[WIDTH] = '\0';
        snprintf(text, sizeof text, "[%s] %3.0f %%  %s", bar, 100 * share, what);
        progress_line_show(line, now, text);
    }
    return interrupt_stop(failure);
}

static int refuse_file(const struct options *options, const char *option, const char *path,
                       const char *wanted, struct failure *failure)
{
    if (path == NULL)
        return 0;
    const char *ending = strrchr(path, '.');
    if (ending == NULL || strcmp(ending, wanted) != 0)
        return failure_set(failure, FAILURE_INPUT, "--%s %s: the name must end in %s", option, path, wanted);
    return command_refuse_existing(path, options->request.force, failure);
}

/* Before any work starts. */
static int refuse_existing(const struct options *options, struct failure *failure)
{
    TRY(refuse_file(options, "voxels", options->voxels, ".ply", failure));
    TRY(refuse_file(options, "mesh", options->mesh, ".glb", failure));
    return refuse_file(options, "seats", options->seats, ".svg", failure);
}

/* The axes of a PLY that a modeller shows in the same place as the model: z up, since Blender takes every
 * PLY so and shows every format so. If the model is a PLY itself, its own axes. */
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
        check_finding_say(finding,
                          "shows the surface of the air in the grid of a run: %llu %s, coloured by material",
                          (unsigned long long)size.squares, cells ? "polygons" : "squares");
    else
        check_finding_say(finding, "was not written: there is no closed air whose surface it could show");
    check_report_sort(&check->report);
    return check_report_complete(&check->report, failure);
}

int command_check(const struct options *options, struct failure *failure)
{
    struct room_check check = {0};
    struct shown shown = {.start = progress_clock(), .mesh = options->mesh};
    TRY(refuse_existing(options, failure));
    progress_line_start(&shown.line, options->request.quiet ? NULL : stderr, progress_clock());
    const struct room_request request = options->request;
    int code = room_check_run(&request, show_progress, &shown, &check, failure);
    if (code == 0 && options->voxels != NULL) {
        (void)show_progress(&shown, &check, "writing the surface of the air", 1, NULL);
        code = write_voxels(&check, options->voxels, failure);
    }
    if (code == 0 && options->seats != NULL) { /* in the language of the project's page */
        words_set(
            words_language_of(request.model.project != NULL ? request.model.project->page.language : NULL));
        code = seat_plan_write(&check.audience, &check.setup.model.mesh, check.setup.points.sources,
                               (const double(*)[3])check.place, options->seats, failure);
        words_set(WORDS_ENGLISH);
    }
    if (shown.line.terminal && shown.line.unfinished)
        progress_line_show(&shown.line, progress_clock(), code == 0 ? "done" : "ended");
    progress_line_end(&shown.line);
    if (code == FAILURE_INTERRUPTED && !options->json)
        check_print_interrupted(stdout, &check);
    if (code == 0 && options->json)
        code = print_json(check_make_json(&check), failure);
    else if (code == 0)
        check_print_words(stdout, &check, options->request.quiet);
    if (code == 0 && check_report_worst(&check.report) == CHECK_UNFIT) {
        char why[CHECK_WHY_MAX];
        code = failure_set(failure, FAILURE_ANSWER_NO, "%s is unfit: %s", options->subject,
                           check_report_why(&check.report, why));
    }
    room_check_free(&check);
    return code;
}
