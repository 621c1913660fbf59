#include "src/check/room_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/leak/fine_leak.h"
#include "kernels/machine/machine_memory.h"
#include "src/check/check_model.h"
#include "src/plan/estimate.h"

/* ---- the grid ---- */

/* Nodes of the bounding box of a first look, which takes a fraction of a second. */
#define FIRST_LOOK_NODES 6e6
/* Where nothing tells what a run would take: this octave edge [Hz]. */
#define FMAX_UNKNOWN 355.0

static double first_look_spacing(const struct room_setup *setup)
{
    double volume = 1;
    for (int axis = 0; axis < 3; axis++)
        volume *= fmax(setup->high[axis] - setup->low[axis], 1e-3);
    return cbrt(volume / FIRST_LOOK_NODES);
}

/* Take a grid that is not the run's. */
static int take_spacing(struct room_setup *setup, double spacing, struct failure *failure)
{
    TRY(time_step_choose(spacing, setup->sound_speed, setup->options->courant, &setup->step, failure));
    TRY(room_setup_lattice(setup, spacing, &setup->lattice, failure));
    setup->points = setup->options->points;
    setup->fmax = setup->sound_speed / (setup->points * spacing);
    return 0;
}

/* The resolution as `simulate` would choose it, with the points that a first look finds in good air. Without
 * any the largest cavity is taken. FAILURE_INPUT where nothing is enclosed. */
static int choose_as_a_run(struct room_check *check, struct failure *failure)
{
    struct room_setup *setup = &check->setup;
    const struct voxelise_options voxelise = room_voxelise_options(&check->setup);
    const size_t sources = setup->sources, receivers = setup->receivers;
    struct room_point *const all = setup->point, *good = calloc(sources + receivers + 1, sizeof *good);
    double(*place)[3] = malloc((sources + receivers + 1) * sizeof *place);
    struct lattice lattice;
    struct cavity_map map = {0};
    struct room_estimate estimate = {0};
    int code = 0;
    if (good == NULL || place == NULL) {
        code = failure_memory(failure, (sources + receivers + 1) * sizeof *good, "positions");
        goto done;
    }
    for (size_t i = 0; i < sources + receivers; i++)
        memcpy(place[i], all[i].position, sizeof *place);
    if ((code = room_setup_lattice(setup, first_look_spacing(setup), &lattice, failure)) != 0 ||
        (code = cavity_map_make(&setup->mesh, &lattice, &voxelise, CHECK_CAVITIES, (const double(*)[3])place,
                                sources + receivers, &map, failure)) != 0)
        goto done;
    if (map.count == 0) {
        code = failure_set(failure, FAILURE_INPUT, "nothing is enclosed at %g m", lattice.spacing);
        goto done;
    }
    setup->sources = setup->receivers = 0;
    int32_t home = -1;
    for (size_t i = 0; i < sources + receivers; i++) {
        if (i < sources && home < 0)
            home = map.place_cavity[i];
        if (home < 0 || map.place_cavity[i] != home)
            continue;
        good[setup->sources + setup->receivers] = all[i];
        *(i < sources ? &setup->sources : &setup->receivers) += 1;
    }
    setup->point = good;
    code = estimate_choose_resolution(setup, false, &estimate, failure);
    setup->point = all;
    setup->sources = sources;
    setup->receivers = receivers;
    setup->source_is_cavity = false;
done:
    cavity_map_free(&map);
    free(place);
    free(good);
    return code;
}

static int tell_coarser(struct room_check *check, const char *why, struct failure *failure)
{
    struct check_report *report = &check->report;
    char spacing[CHECK_LENGTH_MAX], asked[CHECK_LENGTH_MAX];
    struct check_finding finding = check_finding_make(CHECK_DOUBTFUL, CHECK_SPACING);
    finding.value = report->spacing;
    snprintf(finding.sentence, sizeof finding.sentence,
             "The model was looked at on a grid of %s instead of the run's %s: %.700s.",
             check_length(report->spacing, spacing), check_length(report->spacing_asked, asked), why);
    snprintf(finding.advice, sizeof finding.advice,
             "Choose an --fmax that this machine can run; what is said here holds for the coarser grid.");
    return check_report_add(report, &finding, failure);
}

/* Asked for outright or chosen; a coarser one where that does not fit this machine. */
static int choose_grid(struct room_check *check, struct failure *failure)
{
    struct room_setup *setup = &check->setup;
    struct check_report *report = &check->report;
    const struct options *options = &check->options;
    const bool given = options->fmax > 0 || options->spacing > 0;
    const double coarse = first_look_spacing(setup);
    struct failure why = {0};
    int code = 0;
    if (given) {
        code = room_setup_resolution(setup, options->fmax, &why);
        if (code == FAILURE_INPUT) { /* options that contradict one another */
            if (failure != NULL)
                *failure = why;
            return code;
        }
        report->spacing_asked = setup->step.spacing;
    }
    /* In the wrong unit no frequency makes sense, and a room of a kilometre takes hours to look at. */
    if (check_unit_is_wrong(setup) && code == 0)
        code = FAILURE_CAPACITY;
    else if (code == 0)
        code = choose_as_a_run(check, &why);
    if (code == FAILURE_INPUT) {
        const double spacing =
            given ? report->spacing_asked : setup->sound_speed / (options->points * FMAX_UNKNOWN);
        const bool fits = fine_leak_bytes(&setup->mesh, spacing) <= machine_memory_available() / 2;
        code = fits ? given ? room_setup_resolution(setup, options->fmax, &why)
                            : take_spacing(setup, spacing, &why)
                    : FAILURE_CAPACITY;
        if (code == FAILURE_CAPACITY)
            snprintf(why.sentence, sizeof why.sentence, "that one does not fit this machine");
    }
    if (code == FAILURE_CAPACITY) {
        const double spacing = fmax(coarse, report->spacing_asked);
        TRY(take_spacing(setup, spacing, failure));
        report->spacing = spacing;
        if (given && spacing > report->spacing_asked && !check_unit_is_wrong(setup))
            TRY(tell_coarser(check, why.sentence, failure));
        report->spacing_unknown = !given;
        return 0;
    }
    if (code != 0) {
        if (failure != NULL && failure->code == FAILURE_NONE)
            *failure = why;
        return code;
    }
    report->spacing = setup->step.spacing;
    report->spacing_asked = setup->step.spacing;
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

int room_check_run(const struct options *options, room_check_progress *progress, void *context,
                   struct room_check *check, struct failure *failure)
{
    const struct step_names names = {progress, context};
    struct room_setup *setup = &check->setup;
    check->options = *options;
    check->options.quiet = true; /* facts and warnings are told by the report */
    setup->silent = true;
    TRY(begin(&names, "reading the model", failure));
    TRY(room_setup_read(&check->options, false, setup, failure));
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
