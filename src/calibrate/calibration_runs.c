#include "src/calibrate/calibration_runs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/run/simulation.h"
#include "src/run_folder/run_read.h"
#include "src/setup/project/project.h"

/* Give the surfaces of the project the absorption of the next run. */
static int give_absorption(const struct calibration *calibration, struct surface_table *table,
                           struct failure *failure)
{
    for (size_t s = 0; s < calibration->surfaces; s++) {
        const struct calibrated_surface *surface = &calibration->surface[s];
        struct surface_entry entry = {.giver = SURFACE_BY_PROJECT,
                                      .form = SURFACE_OCTAVES,
                                      .scattering = surface->scattering,
                                      .audience = NAN,
                                      .guessed = surface->guessed};
        memcpy(entry.absorption, surface->value, sizeof entry.absorption);
        if (!surface->stays && calibrated_surface_changed(surface))
            TRY(surface_table_append(table, &entry, surface->name, strlen(surface->name), failure));
    }
    return 0;
}

/* The options of one run: what a calibration has no use for is left out. */
static struct options options_of_run(const struct options *options, const char *folder, bool first)
{
    struct options one = *options;
    struct room_request *request = &one.request;
    one.output = folder;
    one.json = one.watch = false;
    one.discard = true;
    request->points.receiver_grid = (struct option_grids){.none = true};
    request->listening = (struct listening_request){0};
    request->plan.repeat_shifted = false;
    request->silent = !first; /* warnings are those of the first */
    return one;
}

static int simulate(struct calibration *calibration, const struct options *options,
                    const struct measured_times *measured, struct failure *failure)
{
    struct simulation simulation = {0};
    int code = simulation_prepare(&simulation, options, failure);
    if (code == 0 && calibration->runs == 0)
        code = calibration_begin(calibration, &simulation.setup, measured, failure);
    interrupt_ends = 0;
    if (code == 0)
        code = simulation_start(&simulation, options, failure);
    simulation.setup.request.quiet = true; /* its words on standard output */
    if (code == 0)
        code = simulation_run(&simulation, false, failure);
    simulation_free(&simulation);
    return code;
}

static int run_once(struct calibration *calibration, const struct options *options,
                    const struct measured_times *measured, struct failure *failure)
{
    char *folder = path_in(options->output, "run_%zu", calibration->runs + 1);
    struct run_model run = {0};
    if (folder == NULL)
        return failure_memory(failure, strlen(options->output), "a path");
    const struct options one = options_of_run(options, folder, calibration->runs == 0);
    if (!options->request.quiet)
        fprintf(stderr, "run %zu of at most %d\n", calibration->runs + 1, CALIBRATION_RUNS);
    int code = simulate(calibration, &one, measured, failure);
    if (code == 0)
        code = run_model_read(folder, &run, failure);
    if (code == 0)
        code = calibration_take(calibration, &run, failure);
    run_model_free(&run);
    free(folder);
    return code;
}

int calibration_runs(struct calibration *calibration, const struct options *options, struct project *project,
                     const struct measured_times *measured, struct failure *failure)
{
    int code = output_folder_check(options->output, false, failure);
    if (code != 0)
        return failure_advise(code, failure, ADVICE_OTHER_OUTPUT, 0);
    const bool made = mkdir(options->output, 0777) == 0;
    if (!made && errno != EEXIST)
        return failure_set(failure, FAILURE_OUTPUT, "%s cannot be made: %s", options->output,
                           strerror(errno));
    code = run_once(calibration, options, measured, failure);
    while (code == 0 && !calibration_is_met(calibration) && calibration->runs < CALIBRATION_RUNS) {
        code = calibration_change(calibration, failure);
        if (code == 0)
            code = give_absorption(calibration, &project->material, failure);
        if (code == 0)
            code = run_once(calibration, options, measured, failure);
    }
    if (made)
        (void)rmdir(options->output); /* unless something is in it */
    return code;
}
