#include "src/check/room_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/leak/fine_leak.h"
#include "kernels/machine/machine_memory.h"
#include "src/check/check_model.h"
#include "src/options/failure_text.h"
#include "src/plan/estimate.h"

/* ---- the grid ---- */

/* Where nothing tells what a run would take: this octave edge [Hz]. */
#define FMAX_UNKNOWN 355.0

/* Take a grid that is not the run's. */
static int take_spacing(struct room_setup *setup, double spacing, struct failure *failure)
{
    struct room_grid *grid = &setup->grid;
    TRY(room_grid_spacing(&setup->request.grid, &setup->model, spacing, grid, failure));
    grid->points_per_wavelength = setup->request.grid.points_per_wavelength;
    grid->fmax = setup->model.sound_speed / (grid->points_per_wavelength * spacing);
    return 0;
}

static double first_look_spacing(const struct room_setup *setup)
{
    return room_spacing_of_nodes(&setup->model, ESTIMATE_SURVEY_NODES);
}

/* The resolution as `simulate` would choose it, with the points that a first look finds in good air. Without
 * any the largest cavity is taken. FAILURE_INPUT where nothing is enclosed. */
static int choose_as_a_run(struct room_check *check, struct failure *failure)
{
    struct room_setup *setup = &check->setup;
    const struct voxelise_options voxelise =
        room_voxelise_options(&check->setup.request, &check->setup.model);
    const struct room_points all = setup->points;
    const size_t count = all.sources + all.receivers;
    struct room_points good = all;
    double(*place)[3] = malloc((count + 1) * sizeof *place);
    struct lattice lattice;
    struct cavity_map map = {0};
    struct room_estimate estimate = {0};
    int code = 0;
    good.sources = good.receivers = 0;
    good.point = calloc(count + 1, sizeof *good.point);
    if (good.point == NULL || place == NULL) {
        code = failure_memory(failure, (count + 1) * sizeof *good.point, "positions");
        goto done;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(place[i], all.point[i].position, sizeof *place);
    if ((code = room_lattice(&setup->request.grid, &setup->model, first_look_spacing(setup), &lattice,
                             failure)) != 0 ||
        (code = cavity_map_make(&setup->model.mesh, &lattice, &voxelise, CHECK_CAVITIES,
                                (const double(*)[3])place, count, &map, failure)) != 0)
        goto done;
    if (map.count == 0) {
        code = failure_set(failure, FAILURE_INPUT, "nothing is enclosed at %g m", lattice.spacing);
        goto done;
    }
    int32_t home = -1;
    for (size_t i = 0; i < count; i++) {
        if (i < all.sources && home < 0)
            home = map.place_cavity[i];
        if (home < 0 || map.place_cavity[i] != home)
            continue;
        good.point[good.sources + good.receivers] = all.point[i];
        *(i < all.sources ? &good.sources : &good.receivers) += 1;
    }
    setup->points = good;
    code = estimate_choose_resolution(setup, false, &estimate, failure);
    setup->points = all;
done:
    cavity_map_free(&map);
    free(place);
    free(good.point);
    return code;
}

static int tell_coarser(struct room_check *check, const char *why, struct failure *failure)
{
    struct check_report *report = &check->report;
    char spacing[CHECK_LENGTH_MAX], asked[CHECK_LENGTH_MAX];
    struct check_finding finding = check_finding_make(CHECK_DOUBTFUL, CHECK_SPACING);
    finding.value = report->spacing;
    snprintf(finding.sentence, sizeof finding.sentence,
             "The model was checked on a grid of %s instead of the run's %s: %.700s.",
             check_length(report->spacing, spacing), check_length(report->spacing_asked, asked), why);
    snprintf(finding.advice, sizeof finding.advice,
             "Choose an --fmax that this machine can run; these findings are of the coarser grid.");
    return check_report_add(report, &finding, failure);
}

/* Asked for outright or chosen; a coarser one where that does not fit this machine. */
static int choose_grid(struct room_check *check, struct failure *failure)
{
    struct room_setup *setup = &check->setup;
    struct check_report *report = &check->report;
    const struct grid_request *request = &setup->request.grid;
    const bool given = request->fmax > 0 || request->spacing > 0;
    const double coarse = first_look_spacing(setup);
    struct failure why = {0};
    char text[FAILURE_TEXT_MAX];
    int code = 0;
    if (given) {
        code = room_grid_resolution(request, &setup->model, request->fmax, &setup->grid, &why);
        if (code == FAILURE_INPUT) { /* options that contradict one another */
            if (failure != NULL)
                *failure = why;
            return code;
        }
        report->spacing_asked = setup->grid.step.spacing;
    }
    /* In the wrong unit no frequency makes sense, and a room of a kilometre takes hours to look at. */
    if (check_unit_is_wrong(setup) && code == 0)
        code = FAILURE_CAPACITY;
    else if (code == 0)
        code = choose_as_a_run(check, &why);
    if (code == FAILURE_INPUT) {
        const double spacing =
            given ? report->spacing_asked
                  : setup->model.sound_speed / (request->points_per_wavelength * FMAX_UNKNOWN);
        const bool fits = fine_leak_bytes(&setup->model.mesh, spacing) <= machine_memory_available() / 2;
        code = fits ? given ? room_grid_resolution(request, &setup->model, request->fmax, &setup->grid, &why)
                            : take_spacing(setup, spacing, &why)
                    : FAILURE_CAPACITY;
        if (code == FAILURE_CAPACITY)
            failure_set(&why, FAILURE_CAPACITY, "that one does not fit this machine");
    }
    if (code == FAILURE_CAPACITY) {
        const double spacing = fmax(coarse, report->spacing_asked);
        TRY(take_spacing(setup, spacing, failure));
        report->spacing = spacing;
        if (given && spacing > report->spacing_asked && !check_unit_is_wrong(setup))
            TRY(tell_coarser(check, failure_text(&why, text), failure));
        report->spacing_unknown = !given;
        return 0;
    }
    if (code != 0) {
        if (failure != NULL && failure->code == FAILURE_NONE)
            *failure = why;
        return code;
    }
    report->spacing = setup->grid.step.spacing;
    report->spacing_asked = setup->grid.step.spacing;
    return 0;
}

/* ---- all of it ---- */

void room_check_free(struct room_check *check)
{
    room_setup_free(&check->setup);
    check_report_free(&check->report);
    cavity_map_free(&check->map);
    free(check->seed);
    voxels_free(&check->voxels);
    *check = (struct room_check){0};
}

/* Names of the work, one before each step. */
struct step_names {
    room_check_progress *progress;
    void *context;
};

static int begin(const struct step_names *names, const char *what, struct failure *failure)
{
    if (names->progress != NULL)
        names->progress(names->context, what);
    return room_interrupted(failure);
}

int room_check_run(const struct room_request *request, room_check_progress *progress, void *context,
                   struct room_check *check, struct failure *failure)
{
    const struct step_names names = {progress, context};
    struct room_setup *setup = &check->setup;
    struct room_request unsaid = *request;
    unsaid.quiet = unsaid.silent = true; /* facts and warnings are in the report */
    TRY(begin(&names, "reading the model", failure));
    TRY(room_setup_read(&unsaid, setup, failure));
    TRY(check_absorption(setup, &check->report, failure));
    TRY(begin(&names, "looking for crossing faces", failure));
    TRY(check_model(setup, &check->report, failure));
    TRY(begin(&names, "choosing the grid", failure));
    TRY(choose_grid(check, failure));
    TRY(begin(&names, "looking for closed spaces and leaks", failure));
    TRY(check_points(check, failure));
    if (check->seed_count > 0 && check->seed[0].kind == SEED_SOURCE) {
        TRY(begin(&names, "looking for narrow openings", failure));
        TRY(check_air(check, failure));
        TRY(begin(&names, "looking for surfaces that no air reaches", failure));
        TRY(check_reached(check, failure));
        TRY(begin(&names, "looking for leaks on a grid of 5 mm", failure));
        if (check->report.spacing == check->report.spacing_asked)
            TRY(check_finer(check, failure));
    }
    TRY(room_interrupted(failure));
    check_report_sort(&check->report);
    return 0;
}
