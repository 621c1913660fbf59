/* What single precision costs over a long run between hard walls, where nothing ever dies away: the same room
 * in single and in double, receiver by receiver.
 *
 *   long_run ROOM [--steps N] [options of `transept simulate`]
 *
 * 150,000 steps by default. Every surface is made hard, whatever its name. Only the first source
 * is driven. A receiver's line has
 *
 *   drift   of the engine's output: largest mean of the difference of both precisions over 0.1 s, which is
 *           what lies below the band, relative to the peak of the output; and the same of the response
 *   error   of the response (response_make(), 10 Hz to fmax): root of the mean square of the difference,
 *           relative to the response; then that of the last eighth
 *
 * The field's own figures (field_monitor.h) come before them. Status: 0 no drift above -80 dB and no error
 * above 1e-4, 1 otherwise, else that of the failure. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/request_from_options.h"
#include "src/base/options/failure_text.h"
#include "src/run/grid_run.h"
#include "src/run/prepare_grid.h"
#include "src/run/source_run.h"
#include "src/setup/room_engine.h"
#include "src/response/signal/response.h"
#include "tests/support/precision_error.h"

#define STEPS     150000
#define DRIFT_MAX 1e-4 /* -80 dB */
#define ERROR_MAX 1e-4
#define WINDOW    0.1 /* [s] */

struct long_run {
    struct room_setup setup;
    struct room_estimate estimate;
    struct grid_run run;
    struct source_run_result result[2]; /* by enum precision */
};

static double decibels(double share)
{
    return 20 * log10(fmax(share, 1e-300));
}

/* The room on its grid, with hard walls. */
static int prepare(struct long_run *both, const struct options *options, struct failure *failure)
{
    struct room_setup *setup = &both->setup;
    struct room_request request = request_from_options(options);
    request.model.complete = true;
    both->run.setup = setup;
    both->run.grid = &setup->grid;
    both->run.notices = &setup->notices;
    TRY(room_setup_read(&request, setup, failure));
    TRY(prepare_grid(setup, &both->estimate, &both->run.needs, failure));
    for (size_t m = 0; m < setup->model.mesh.material_count; m++)
        setup->model.wall[m].branches = 0;
    return grid_run_place(&both->run, failure);
}

static int run_one(struct long_run *both, struct options *options, uint64_t steps, enum precision precision,
                   struct failure *failure)
{
    const struct room_setup *setup = &both->setup;
    struct source_run_result *result = &both->result[precision];
    const double lead = (double)response_lead(&setup->grid.step, setup->grid.fmax);
    both->setup.request.engine.precision = precision;
    TRY(grid_run_start(&both->run, failure));
    const struct field_room room = {.lambda2 = setup->grid.step.lambda2,
                                    .spacing = setup->grid.step.spacing,
                                    .air_nodes = setup->grid.packed.air_nodes,
                                    .mass = cut_masses_sum(&setup->grid.packed),
                                    .push = stencil_push(&setup->grid.packed, &both->run.stencil[0]),
                                    .precision = precision,
                                    .hard = true};
    /* grid_run_start() has added a receiver at every source for it. */
    struct energy_ledger ledger = {0};
    TRY(energy_ledger_make(setup->grid.step.spacing, room_ledger_surfaces(setup), &ledger, failure));
    if (setup->grid.kinds.count > 0)
        TRY(energy_ledger_of_kinds(&ledger, &setup->grid.kinds, failure));
    const struct source_run_settings settings = {.step = setup->grid.step,
                                                 .fmax = setup->grid.fmax,
                                                 .duration =
                                                     ((double)steps - lead - 0.5) / setup->grid.step.rate,
                                                 .stored_nodes = (uint64_t)both->run.needs.stored_nodes,
                                                 .room = &room,
                                                 .label = both->run.description,
                                                 .ledger = &ledger,
                                                 .progress = options->quiet ? NULL : stderr};
    const int code = source_run(both->run.engine, &setup->grid.lattice, 0, setup->points.sources,
                                setup->points.receivers, &settings, result, failure);
    energy_ledger_free(&ledger);
    if (code != 0)
        return code;
    const struct field_record *field = &result->field;
    const double level = sqrt(2 * setup->grid.step.lambda2 * field->energy_start / (double)room.air_nodes);
    (void)printf(
        "# %s: %llu air nodes, %llu steps of %.4g ms; energy %.6g, %+.1e at the end, rise %.1e; mean "
        "%.6e, drift %.1e, %.1f dB of the level\n",
        both->run.description, (unsigned long long)room.air_nodes, (unsigned long long)result->steps,
        1e3 * result->seconds / (double)result->steps, field->energy_start,
        field->energy_end / field->energy_start - 1, field->energy_rise, field->mean_start, field->mean_drift,
        decibels(field->mean_drift / level));
    grid_run_stop(&both->run);
    free(both->run.description);
    both->run.description = NULL;
    return 0;
}

/* One receiver's line. */
static int compare(const struct long_run *both, size_t receiver, int *missed, struct failure *failure)
{
    const struct room_setup *setup = &both->setup;
    const size_t steps = (size_t)both->result[0].steps;
    const double first = both->run.pair[receiver].path.length / setup->model.sound_speed;
    const struct response_chain chain = {
        .step = setup->grid.step, .fmax = setup->grid.fmax, .method = AIR_OFF};
    const double *raw[2];
    float *response[2] = {NULL, NULL};
    size_t count = 0;
    int code = 0;
    for (int p = 0; p < 2 && code == 0; p++) {
        raw[p] = both->result[p].raw + receiver * steps;
        code = response_make(&chain, raw[p], steps, first, &response[p], &count, failure);
    }
    if (code == 0) {
        const struct precision_error output =
                                         precision_error_f64(raw[PRECISION_SINGLE], raw[PRECISION_DOUBLE],
                                                             steps, (size_t)(WINDOW * setup->grid.step.rate)),
                                     file = precision_error_f32(response[PRECISION_SINGLE],
                                                                response[PRECISION_DOUBLE], count,
                                                                (size_t)(WINDOW * RESPONSE_RATE));
        const bool good = output.drift <= DRIFT_MAX && file.drift <= DRIFT_MAX && file.whole <= ERROR_MAX &&
                          file.late <= ERROR_MAX;
        *missed += !good;
        (void)printf("%-12s drift %.1f dB, of the response %.1f dB; error %.2e, last eighth %.2e  %s\n",
                     setup->points.point[setup->points.sources + receiver].name, decibels(output.drift),
                     decibels(file.drift), file.whole, file.late * sqrt(PRECISION_PARTS),
                     good ? "PASS" : "MISSED");
    }
    free(response[0]);
    free(response[1]);
    return code;
}

static int check(struct long_run *both, struct options *options, uint64_t steps, int *missed,
                 struct failure *failure)
{
    TRY(prepare(both, options, failure));
    if (steps <= 2 * response_lead(&both->setup.grid.step, both->setup.grid.fmax) + 2)
        return failure_set(failure, FAILURE_INPUT, "%llu steps end before the drive does",
                           (unsigned long long)steps);
    TRY(run_one(both, options, steps, PRECISION_SINGLE, failure));
    TRY(run_one(both, options, steps, PRECISION_DOUBLE, failure));
    for (size_t r = 0; r < both->setup.points.receivers; r++)
        TRY(compare(both, r, missed, failure));
    return 0;
}

int main(int argc, char **argv)
{
    struct long_run both = {0};
    struct options options = {0};
    struct failure failure = {0};
    char text[FAILURE_TEXT_MAX];
    unsigned long long steps = STEPS;
    int missed = 0, kept = 0;
    /* --steps is ours; the rest is simulate's. */
    for (int n = 1; n < argc; n++)
        if (strcmp(argv[n], "--steps") == 0 && n + 1 < argc)
            steps = strtoull(argv[++n], NULL, 10);
        else
            argv[kept++] = argv[n];
    int code = options_parse(COMMAND_SIMULATE, "long_run", "ROOM", kept, argv, NULL, &options, &failure);
    if (code == 0)
        code = check(&both, &options, steps, &missed, &failure);
    if (code != 0)
        (void)fprintf(stderr, "long_run: %s\n", failure_text(&failure, text));
    free(both.result[0].raw);
    free(both.result[1].raw);
    grid_run_free(&both.run);
    room_setup_free(&both.setup);
    options_free(&options);
    return code != 0 ? code : missed != 0;
}
