#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/whole_file.h"
#include "src/base/table/number_text.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/check/check_model.h"
#include "src/cli/commands.h"
#include "src/cli/project_write.h"
#include "src/base/options/failure_text.h"
#include "src/base/options/messages.h"
#include "src/run/plan/estimate.h"
#include "src/setup/project/project_input.h"
#include "src/setup/area/seat_plan.h"
#include "src/setup/automatic_place.h"
#include "src/setup/room_space.h"
#include "src/setup/room_voxelise.h"

/** A first result should be fast: fmax is the highest octave edge within this time [s]. */
#define FIRST_RUN_SECONDS 60.0

/* ---- before any work ---- */

/* "hall.yaml" -> "hall_seats.svg"; free(). */
static char *seats_path(const char *output)
{
    const int length = (int)(strrchr(output, '.') - output);
    const size_t size = (size_t)length + sizeof "_seats.svg";
    char *path = malloc(size);
    if (path != NULL)
        (void)snprintf(path, size, "%.*s_seats.svg", length, output);
    return path;
}

static int refuse_output(const struct options *options, struct failure *failure)
{
    if (options->output == NULL)
        return failure_set(failure, FAILURE_INPUT, "new needs -o FILE.yaml, the project to write");
    if (!project_is_file(options->output) || project_is_input(options->output))
        return failure_set(failure, FAILURE_INPUT, "-o %s: a project ends in .yaml or .yml", options->output);
    if (options->request.model.project != NULL)
        return failure_set(failure, FAILURE_INPUT,
                           "%s is a project already: new makes one from a mesh or a built-in room",
                           options->request.model.project->file);
    return command_refuse_existing(options->output, options->request.force, failure);
}

/* Use a built-in room, unless a file has its name. Its project is in no file yet. */
static int take_shape(struct options *options, struct project *project, struct failure *failure)
{
    const struct room_shape *shape = room_shape_find(options->subject);
    if (shape == NULL || access(options->subject, F_OK) == 0)
        return 0;
    if (options_given(options, "units") || options_given(options, "up"))
        return failure_set(failure, FAILURE_INPUT,
                           "--%s is for a mesh; the built-in %s is in metres with z up",
                           options_given(options, "units") ? "units" : "up", shape->name);
    project->shape = shape;
    project->file = (char *)options->subject; /* borrowed: it is never closed */
    room_defaults(shape, project->measure);
    options->request.model.project = project;
    return 0;
}

/* ---- positions ---- */

/* Two receivers, near and far, if the model has none. */
static int place_receivers(struct room_setup *setup, struct failure *failure)
{
    static const char *const name[] = {"near", "far"};
    static const double share[] = {1.0 / 3, 0.8};
    struct clearance tree = {0};
    double taken[1][3];
    struct room_point *grown = realloc(setup->points.point, (setup->points.sources + 2) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (setup->points.sources + 2) * sizeof *grown, "positions");
    setup->points.point = grown;
    TRY(clearance_make(&setup->model.mesh, &tree, failure));
    int code = 0;
    for (size_t r = 0; code == 0 && r < 2; r++) {
        struct automatic_wish wish = {.height = AUTOMATIC_RECEIVER_HEIGHT,
                                      .share = share[r],
                                      .apart = 2 * setup->grid.lattice.spacing,
                                      .taken_count = r,
                                      .taken = (const double(*)[3])taken,
                                      .inside = setup->request.grid.open};
        struct automatic_place place;
        memcpy(wish.from, setup->points.point[0].position, sizeof wish.from);
        if ((code = automatic_place_find(&setup->grid.packed, &tree, &wish, &place, failure)) != 0)
            break;
        struct room_point *point = &setup->points.point[setup->points.sources + r];
        *point = (struct room_point){.kind = SEED_RECEIVER};
        (void)snprintf(point->name, sizeof point->name, "%s", name[r]);
        memcpy(point->position, place.position, sizeof point->position);
        memcpy(taken[0], place.position, sizeof taken[0]);
        setup->points.receivers++;
    }
    clearance_free(&tree);
    return code;
}

/* The project asks for a map of the audience, so its cost is part of the run's. Without a known floor
 * there is no map. */
static int count_audience(struct room_setup *setup, struct failure *failure)
{
    static struct option_grid audience = {.name = "audience"};
    struct point_request asked = setup->request.points;
    struct failure why = {0};
    asked.receiver_grid = (struct option_grids){.count = 1, .grid = &audience};
    const int code = room_points_floors(&asked, &setup->model, &setup->points, &why);
    return code == 0 || code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
}

/* If the room lies on its side, as `check` finds it, floor and places are not set. */
static void warn_of_axes(struct room_setup *setup)
{
    struct check_report report = {0};
    check_axes(setup, &report);
    for (size_t f = 0; f < report.finding_count; f++) {
        const struct failure *what = &report.finding[f].what;
        room_warn_advise(&setup->notices, what->advice, what->advice_value, "%s%s%s%s%s%s", what->sentence,
                         what->fix[0] != '\0' ? "; " : "", what->fix, what->note[0] != '\0' ? " (" : "",
                         what->note, what->note[0] != '\0' ? ")" : "");
    }
    check_report_free(&report);
}

/* Frequency and positions, from a coarse grid of the room. */
static int survey_room(const struct room_request *request, struct room_setup *setup,
                       struct room_estimate *estimate, double *highest, struct failure *failure)
{
    progress_json_begin("model", NULL);
    TRY(room_setup_read(request, setup, failure));
    TRY(count_audience(setup, failure));
    progress_json_begin("survey", NULL);
    TRY(estimate_choose_resolution(setup, false, estimate, failure));
    *highest = setup->grid.fmax;
    progress_json_begin("grid", NULL);
    TRY(estimate_voxelise_survey(setup, failure));
    return setup->points.receivers == 0 ? place_receivers(setup, failure) : 0;
}

/* The audience as a run will find it, and its points; none if nobody can sit anywhere. */
static int find_audience(struct room_setup *setup, struct receiver_grid *audience, struct failure *failure)
{
    static const struct option_grid asked = {.name = "audience"};
    struct clearance tree = {0};
    struct failure why = {0};
    const struct receiver_air air = {.tree = &tree,
                                     .use = setup->model.use,
                                     .grid = &setup->grid.packed,
                                     .sources = 1,
                                     .source = (const double(*)[3])setup->points.point[0].position};
    TRY(clearance_make(&setup->model.mesh, &tree, failure));
    const int code = receiver_grid_make(&air, &setup->request.points, &asked, audience, &why);
    clearance_free(&tree);
    setup->points.floor_points = setup->points.floor_most = (double)audience->count;
    return code == 0 || code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
}

/* ---- names of files ---- */

/* `mesh` as seen from the folder of `output`: without that folder if it is in it, with `..` if they share
 * a part of the path, else the whole path. free() */
static int path_from(const char *output, const char *mesh, char **path, struct failure *failure)
{
    char *above = path_folder(output), *folder = above != NULL ? realpath(above, NULL) : NULL,
         *target = folder != NULL ? realpath(mesh, NULL) : NULL;
    int code = 0;
    size_t common = 0, ups = 0;
    *path = NULL;
    if (folder == NULL || target == NULL) {
        code = failure_set(failure, failure_of_errno(errno, FAILURE_OUTPUT), "%s could not be written: %s",
                           output, strerror(errno));
        goto done;
    }
    for (size_t i = 0;; i++) {
        const bool folder_ends = folder[i] == '\0' || folder[i] == '/';
        if (folder_ends && target[i] == '/')
            common = i;
        if (folder[i] == '\0' || folder[i] != target[i])
            break;
    }
    for (size_t i = common; folder[i] != '\0'; i++)
        ups += folder[i] == '/' && folder[i + 1] != '\0';
    const char *rest = common > 0 ? target + common + 1 : target;
    const size_t size = 3 * ups + strlen(rest) + 1;
    *path = calloc(size, 1);
    if (*path == NULL) {
        code = failure_memory(failure, size, "a path");
        goto done;
    }
    for (size_t u = 0; common > 0 && u < ups; u++)
        strcat(*path, "../");
    strcat(*path, rest);
done:
    free(above);
    free(folder);
    free(target);
    return code;
}

/* "hall.yaml" -> "hall": the folder for its results; free(). */
static char *name_of_results(const char *output)
{
    const char *name = path_name(output);
    const size_t length = (size_t)(strrchr(name, '.') - name);
    const bool is_dots = length == 0 || strspn(name, ".") >= length;
    return is_dots ? strdup("results") : strndup(name, length);
}

/* ---- writing ---- */

/* Read the project back before it appears: a name of the mesh can make it unreadable. */
static int write_project(const struct project_draft *draft, const char *path, struct failure *failure)
{
    struct whole_file file = {0};
    struct project *project = NULL;
    struct failure inner = {0};
    int code = whole_file_open(&file, path, failure);
    if (code == 0) {
        project_write(file.stream, draft);
        code = whole_file_settle(&file, failure);
    }
    if (code == 0 && project_open(file.temporary, NULL, &project, &inner) != 0)
        code = inner.code == FAILURE_INPUT
                   ? failure_set(failure, FAILURE_INPUT,
                                 "the names of the model make no project that could be read again (%s): "
                                 "rename them",
                                 inner.sentence)
                   : failure_forward(failure, &inner);
    if (code == 0)
        code = whole_file_commit(&file, failure);
    project_close(project);
    whole_file_abandon(&file);
    return code;
}

static void print_words(const struct project_draft *draft, const char *path, const char *seats)
{
    const struct room_setup *setup = draft->setup;
    const struct room_needs needs = estimate_needs(setup, draft->estimate, draft->fmax);
    char time[32], hertz[32], map[80] = "", words[AUDIENCE_WORDS_MAX];
    if (draft->audience.count > 0)
        snprintf(map, sizeof map, " and a map of %zu points", draft->audience.count);
    printf("%s: %zu material%s, all guessed; %zu source%s, %zu receiver%s%s; to %s Hz, about %s\n",
           PATH_SHOWN(path), setup->model.mesh.material_count,
           setup->model.mesh.material_count == 1 ? "" : "s", setup->points.sources,
           setup->points.sources == 1 ? "" : "s", setup->points.receivers,
           setup->points.receivers == 1 ? "" : "s", map, format_hertz(draft->fmax, hertz),
           format_seconds(needs.seconds, time));
    if (draft->audience.count > 0)
        printf("people sit on %s: see %s\n",
               audience_floor_words(&draft->audience.floor, &setup->model.mesh, words), PATH_SHOWN(seats));
    printf("check the guesses in it, then: transept simulate %s\n", PATH_SHOWN(path));
}

/* Draw where people sit, next to the project. */
static int write_seats(const struct project_draft *draft, const char *path, struct failure *failure)
{
    return draft->audience.count == 0
               ? 0
               : seat_plan_write(&draft->audience, &draft->setup->model.mesh, 1,
                                 (const double(*)[3])draft->setup->points.point[0].position, path, failure);
}

/* Most options that a failure names are options of a run. */
static int take_own_advice(int code, struct failure *failure)
{
    char advice[ADVICE_TEXT_MAX], fix[sizeof failure->fix];
    if (code == 0 || failure->advice == ADVICE_NONE)
        return code;
    (void)snprintf(fix, sizeof fix, "%s", failure->fix);
    advice_text_for(COMMAND_NEW, failure->advice, failure->advice_value, advice);
    return failure_advise(failure_fix(code, failure, "%s%s%s", fix, fix[0] != '\0' ? ", or " : "", advice),
                          failure, ADVICE_NONE, 0);
}

int command_new(const struct options *given, struct failure *failure)
{
    struct options own = *given, *options = &own;
    struct project shape = {0};
    struct room_setup setup = {0};
    struct room_estimate estimate = {0};
    struct project_draft draft = {.setup = &setup, .estimate = &estimate};
    char *room = NULL, *folder = NULL;
    const bool quiet = options->request.quiet;
    TRY(refuse_output(options, failure));
    interrupt_ends = 1;
    TRY(take_shape(options, &shape, failure));
    char *const seats = seats_path(options->output);
    if (seats == NULL)
        return failure_memory(failure, strlen(options->output), "a path");
    int code = command_refuse_existing(seats, options->request.force, failure);
    options->request.quiet = true; /* notices of a run are not printed here */
    options->request.plan.budget = FIRST_RUN_SECONDS;
    options->request.plan.joins_rays = true;
    struct room_request request = options->request;
    request.silent = true;
    if (code == 0)
        code = survey_room(&request, &setup, &estimate, &draft.fmax, failure);
    if (code == 0)
        code = find_audience(&setup, &draft.audience, failure);
    /* Warn of a wrong unit here too, since nothing else would be right. */
    const struct mesh_import_facts *facts = &setup.model.facts;
    if (facts->warning[0] != '\0') {
        char advice[ADVICE_TEXT_MAX];
        message_warning(stderr, advice_text(facts->advice, facts->likely_unit, advice), "%s", facts->warning);
    }
    if (code == 0) {
        setup.notices.silent = false;
        setup.notices.quiet = quiet;
        setup.notices.command = COMMAND_NEW;
        room_model_say_unread(&setup.notices, facts);
        warn_of_axes(&setup);
        room_space_print(&setup);
    }
    if (code == 0 && options->request.model.project == NULL)
        code = path_from(options->output, options->subject, &room, failure);
    if (code == 0 && (folder = name_of_results(options->output)) == NULL)
        code = failure_memory(failure, strlen(options->output), "a path");
    draft.room = room;
    draft.folder = folder;
    interrupt_ends = 0;
    if (code == 0)
        code = write_project(&draft, options->output, failure);
    if (code == 0)
        code = write_seats(&draft, seats, failure);
    if (code == 0 && options->json)
        code = print_json(project_draft_json(&draft, options->output), failure);
    else if (code == 0 && !quiet)
        print_words(&draft, options->output, seats);
    free(seats);
    free(room);
    free(folder);
    receiver_grid_free(&draft.audience);
    room_setup_free(&setup);
    return take_own_advice(code, failure);
}
