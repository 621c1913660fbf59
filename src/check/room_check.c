#include "src/check/room_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/leak/fine_leak.h"
#include "geometry/room/largest_space.h"
#include "kernels/machine/machine_memory.h"
#include "src/base/interrupt.h"
#include "src/check/check_model.h"
#include "src/run/plan/estimate.h"
#include "src/setup/room_space.h"

/* ---- the grid ---- */

/* Take a grid other than the run's. */
static int take_spacing(struct room_setup *setup, double spacing, struct failure *failure)
{
    struct room_grid *grid = &setup->grid;
    TRY(room_grid_spacing(&setup->request, &setup->model, spacing, grid, failure));
    grid->points_per_wavelength = room_points_per_wavelength(&setup->request.grid);
    grid->fmax = setup->model.sound_speed / (grid->points_per_wavelength * spacing);
    return 0;
}

/* True if a space larger than the largest closed one exists. It is then probably the room, and it is open. */
static int find_open_space(const struct room_check *check, double closed, bool *found,
                           struct failure *failure)
{
    struct largest_space largest = {0};
    const int code = largest_space_find(&check->setup.model.mesh, &check->voxelise, NULL, 0,
                                        closed * (1 + ROOM_SPACE_MARGIN), &largest, failure);
    *found = largest.volume > 0 && largest.open;
    return code;
}

/* Write the points that a survey of the room with `spacing` finds in usable air into `good`, whose array
 * holds all points. FAILURE_INPUT if nothing is enclosed, or if without such points the closed space is
 * smaller than an open one. */
static int find_good_points(const struct room_check *check, double spacing, struct room_points *good,
                            struct failure *failure)
{
    const struct room_setup *setup = &check->setup;
    const size_t count = setup->points.sources + setup->points.receivers;
    struct lattice lattice;
    struct cavity_map map = {0};
    TRY(room_lattice(&setup->request.grid, &setup->model, spacing, &lattice, failure));
    TRY(cavity_map_make(&setup->model.mesh, &lattice, &check->voxelise, CHECK_CAVITIES,
                        (const double(*)[3])check->place, count, &map, failure));
    const int32_t home = check_home(&setup->points, &map);
    bool open_space = false;
    int code =
        map.count > 0 ? 0 : failure_set(failure, FAILURE_INPUT, "nothing is enclosed at %g m", spacing);
    if (code == 0 && home < 0)
        code = find_open_space(check, map.cavity[0].volume, &open_space, failure);
    if (open_space)
        code = failure_set(failure, FAILURE_INPUT, "the largest space is not closed at %g m", spacing);
    for (size_t i = 0; i < count && home >= 0; i++)
        if (map.place_cavity[i] == home) {
            good->point[good->sources + good->receivers] = setup->points.point[i];
            *(i < setup->points.sources ? &good->sources : &good->receivers) += 1;
        }
    cavity_map_free(&map);
    return code;
}

/* Choose the resolution as `simulate` would for the good points, or without any for the largest cavity. */
static int choose_as_a_run(struct room_check *check, double survey_spacing, struct failure *failure)
{
    struct room_setup *setup = &check->setup;
    const struct room_points all = setup->points;
    struct room_points good = all;
    struct room_estimate estimate = {0};
    const size_t bytes = (all.sources + all.receivers + 2) * sizeof *good.point;
    good.sources = good.receivers = 0;
    good.point = malloc(bytes);
    if (good.point == NULL)
        return failure_memory(failure, bytes, "positions");
    int code = find_good_points(check, survey_spacing, &good, failure);
    if (code == 0) {
        setup->points = good;
        code = estimate_choose_resolution(setup, false, &estimate, failure);
        setup->points = all;
    }
    free(good.point);
    return code;
}

static void report_coarser(struct check_report *report, const struct failure *why)
{
    char spacing[CHECK_LENGTH_MAX], asked[CHECK_LENGTH_MAX];
    struct check_finding *finding = check_report_add(
        report, CHECK_DOUBTFUL, CHECK_SPACING,
        "the model was checked on a grid of %s instead of the run's %s: %s",
        check_length(report->spacing, spacing), check_length(report->spacing_asked, asked), why->sentence);
    struct failure *what = &finding->what;
    finding->value = report->spacing;
    failure_fix(0, what, "%s", why->fix);
    failure_advise(0, what, why->advice != ADVICE_NONE ? why->advice : ADVICE_FMAX_THAT_FITS,
                   why->advice_value);
    (void)snprintf(what->note, sizeof what->note, "these findings are of the coarser grid");
}

/* The requested or chosen spacing, or a coarser one if that does not fit this machine. */
static int choose_grid(struct room_check *check, struct failure *failure)
{
    struct room_setup *setup = &check->setup;
    struct check_report *report = &check->report;
    const struct grid_request *request = &setup->request.grid;
    const bool given = request->fmax > 0 || request->spacing > 0,
               wrong_unit = setup->model.facts.likely_unit > 0;
    const double survey = room_spacing_of_nodes(&setup->model, ESTIMATE_SURVEY_NODES);
    struct failure why = {0};
    int code =
        given ? room_grid_resolution(&setup->request, &setup->model, request->fmax, &setup->grid, &why) : 0;
    if (code == FAILURE_INPUT) /* options contradict one another */
        return failure_forward(failure, &why);
    report->spacing_asked = setup->grid.step.spacing;
    /* In a wrong unit no frequency makes sense, and a room of a kilometre would take hours. */
    if (code == 0)
        code = wrong_unit ? FAILURE_CAPACITY : choose_as_a_run(check, survey, &why);
    if (code == FAILURE_INPUT) {
        const double spacing =
            given ? report->spacing_asked
                  : setup->model.sound_speed / (room_points_per_wavelength(request) * ESTIMATE_FMAX_UNKNOWN);
        if (fine_leak_bytes(&setup->model.mesh, spacing) > machine_memory_available() / 2)
            code = failure_set(&why, FAILURE_CAPACITY, "that one does not fit this machine");
        else
            code = given ? room_grid_resolution(&setup->request, &setup->model, request->fmax, &setup->grid,
                                                &why)
                         : take_spacing(setup, spacing, &why);
    }
    if (code == FAILURE_CAPACITY) {
        report->spacing = fmax(survey, report->spacing_asked);
        TRY(take_spacing(setup, report->spacing, failure));
        if (given && report->spacing > report->spacing_asked && !wrong_unit)
            report_coarser(report, &why);
        report->spacing_unknown = !given;
        return 0;
    }
    if (code != 0)
        return failure_forward(failure, &why);
    report->spacing = report->spacing_asked = setup->grid.step.spacing;
    return 0;
}

/* ---- all of it ---- */

void room_check_free(struct room_check *check)
{
    room_setup_free(&check->setup);
    check_report_free(&check->report);
    cavity_map_free(&check->map);
    free(check->place);
    free(check->seed);
    voxels_free(&check->voxels);
    for (size_t g = 0; g < check->grids; g++)
        receiver_grid_free(&check->grid[g]);
    free(check->grid);
    *check = (struct room_check){0};
}

static int take_positions(struct room_check *check, struct failure *failure)
{
    const struct room_points *points = &check->setup.points;
    const size_t count = points->sources + points->receivers;
    check->place = malloc((count + 1) * sizeof *check->place);
    if (check->place == NULL)
        return failure_memory(failure, count * sizeof *check->place, "positions");
    for (size_t i = 0; i < count; i++)
        memcpy(check->place[i], points->point[i].position, sizeof *check->place);
    return 0;
}

/* Run a piece of work that takes about this share of the check. */
static int begin_piece(struct room_check *check, const char *what, double share, struct failure *failure)
{
    check->share[0] = check->share[1];
    check->share[1] += share;
    TRY(interrupt_stop(failure));
    return check->progress(check->context, check, what, check->share[0], failure);
}

static int run_all(const struct room_request *request, struct room_check *check, struct failure *failure)
{
    struct room_request silent = *request;
    silent.quiet = silent.silent = silent.points.audience = true; /* the report has facts and warnings */
    TRY(begin_piece(check, "reading the model", 0.05, failure));
    TRY(room_setup_read(&silent, &check->setup, failure));
    check->voxelise = room_voxelise_options(&check->setup.request, &check->setup.model);
    TRY(take_positions(check, failure));
    TRY(check_absorption(&check->setup, &check->report, failure));
    TRY(begin_piece(check, "looking for crossing faces", 0.05, failure));
    TRY(check_model(&check->setup, &check->report, failure));
    TRY(begin_piece(check, "choosing the grid", 0.1, failure));
    TRY(choose_grid(check, failure));
    TRY(begin_piece(check, "looking for closed spaces and leaks", 0.3, failure));
    TRY(check_points(check, failure));
    if (check->seed_count > 0) {
        TRY(begin_piece(check, "looking for narrow openings", 0.1, failure));
        TRY(check_air(check, failure));
        TRY(check_audience(check, failure));
        TRY(begin_piece(check, "looking for surfaces that no air reaches", 0.1, failure));
        TRY(check_reached(check, failure));
        TRY(begin_piece(check, "looking for cracks", 0.3, failure));
        if (check->report.spacing == check->report.spacing_asked)
            TRY(check_finer(check, failure));
    }
    return interrupt_stop(failure);
}

int room_check_run(const struct room_request *request, room_check_progress *progress, void *context,
                   struct room_check *check, struct failure *failure)
{
    check->progress = progress;
    check->context = context;
    const int code = run_all(request, check, failure);
    if (code != 0 && code != FAILURE_INTERRUPTED)
        return code;
    check_report_sort(&check->report);
    const int complete = check_report_complete(&check->report, code == 0 ? failure : NULL);
    return code != 0 ? code : complete;
}
