#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mpi/ranks.h"
#include "src/response/acoustics/figure_report.h"
#include "src/response/acoustics/figure_summary.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/cli/variant_runs.h"
#include "src/base/options/messages.h"
#include "src/setup/project/project_input.h"
#include "src/run_folder/run_geometry.h"
#include "src/run/map_files.h"
#include "src/run/prepare_grid.h"
#include "src/run/room_leaks.h"
#include "src/run/run_identity.h"
#include "src/run/simulation.h"
#include "src/setup/room_engine.h"
#include "src/setup/room_voxelise.h"
#include "src/response/signal/response.h"
#include "src/base/table/json_values.h"

static void simulation_free(struct simulation *simulation)
{
    output_folder_undo(&simulation->folder);
    grid_run_free(&simulation->shifted);
    grid_run_free(&simulation->run);
    room_grid_free(&simulation->shifted_grid);
    room_notices_free(&simulation->shifted_notices);
    run_model_free(&simulation->model);
    room_setup_free(&simulation->setup);
    head_filters_free(&simulation->ears);
    checkpoint_folder_free(&simulation->checkpoint);
}

/* ---- before the first step ---- */

/* The second grid, as far as it can be refused; what is odd there is warned of once, of the first grid. */
static int prepare_shifted(struct simulation *simulation, struct failure *failure)
{
    struct room_setup *setup = &simulation->setup;
    struct grid_run *run = &simulation->shifted;
    TRY(room_voxelise_shifted(setup, &simulation->shifted_grid, failure));
    run->setup = setup;
    run->grid = &simulation->shifted_grid;
    run->notices = &simulation->shifted_notices;
    run->notices->quiet = setup->notices.quiet;
    run->needs = estimate_needs_of_grid(setup, run->grid, &simulation->estimate);
    run->ears = simulation->run.ears;
    return grid_run_place(run, failure);
}

/* The measured head. */
static int prepare_ears(struct simulation *simulation, const char *path, struct failure *failure)
{
    struct head_data head = {0};
    TRY(head_data_read(path, &head, failure));
    simulation->ears_mislabelled = head.mislabelled;
    const int code = head_filters_make(&head, RESPONSE_RATE, &simulation->ears, failure);
    head_data_free(&head);
    simulation->run.ears = &simulation->ears;
    return code;
}

/* Room, air, engine: everything that can be refused, before the folder is made. */
static int prepare(struct simulation *simulation, const struct options *options,
                   const struct checkpoint_command *begun, struct failure *failure)
{
    struct room_setup *setup = &simulation->setup;
    struct grid_run *run = &simulation->run;
    run->setup = setup;
    run->grid = &setup->grid;
    run->notices = &setup->notices;
    if (options->request.listening.head != NULL)
        TRY(prepare_ears(simulation, options->request.listening.head, failure));
    struct room_request request = options->request;
    request.model.complete = request.points.audience = true;
    request.plan.fmax_kept = begun->fmax;
    request.grid.no_leak_file = options->resume != NULL;
    request.grid.find_leak_paths = options->request.grid.open || options->request.grid.seal > 0;
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, setup, failure));
    if (simulation->ears_mislabelled)
        room_warn(&setup->notices, HEAD_MISLABELLED_SENTENCE, options->request.listening.head);
    TRY(room_hosts_ask(&setup->hosts, failure));
    TRY(prepare_grid(setup, &simulation->estimate, &run->needs, failure));
    TRY(estimate_check_disk(&run->needs, options->output, failure));
    TRY(room_leaks_find(setup, &simulation->model, failure));
    progress_json_begin("engine", NULL);
    TRY(grid_run_place(run, failure));
    if (options->request.plan.repeat_shifted)
        TRY(prepare_shifted(simulation, failure));
    TRY(grid_run_start(run, failure));
    return interrupt_stop(failure);
}

/* ---- checkpoints ---- */

#define CHECKPOINT_APART 600.0 /* where none is asked for [s] */
#define SLOW_UPDATES     2e8   /* of nodes a second, where no speed was measured */
#define LOST_WORDS       "run it again, with --checkpoint 1min so that no more than that is lost"

/* Seconds from one checkpoint to the next; INFINITY: only when it is interrupted; 0: none. A run that goes on
 * and shall get no more has the ones that are there. */
static double checkpoint_spacing(const struct simulation *simulation, const struct options *options,
                                 bool goes_on)
{
    const struct room_needs *needs = &simulation->run.needs;
    const double predicted = needs->seconds > 0 ? needs->seconds : needs->updates / SLOW_UPDATES;
    if (goes_on && options->discard) /* what is there stays as it is */
        return INFINITY;
    if (options_given(options, "checkpoint"))
        return options->checkpoint > 0 ? options->checkpoint : goes_on ? INFINITY : 0;
    return goes_on || predicted > CHECKPOINT_APART ? CHECKPOINT_APART : options->discard ? 0 : INFINITY;
}

/* Is there room on the disk for the checkpoints beside the results? Where checkpoints were not asked for, a
 * run goes on without. */
static int check_space(struct simulation *simulation, const struct options *options, bool goes_on,
                       struct failure *failure)
{
    const struct grid_run *run = &simulation->run;
    const size_t rows = rows_kept(&run->rows), sources = simulation->setup.points.sources;
    const double ended = (double)(sources * (options->request.plan.repeat_shifted ? 2 : 1) * rows) *
                         run->needs.steps * sizeof(double);
    struct failure inner = {0};
    if (simulation->keep_apart == 0 || goes_on ||
        checkpoint_space(options->output,
                         3 * source_keep_bytes(run->engine, rows, run->needs.steps) + ended +
                             run->needs.bytes_disk,
                         &inner) == 0)
        return 0;
    if (options_given(options, "checkpoint"))
        return failure_fix(failure_forward(failure, &inner), failure,
                           "give another -o, or --checkpoint 0 for none");
    if (isfinite(simulation->keep_apart))
        message_warning(stderr, "", "%s: none are made", inner.sentence);
    simulation->keep_apart = 0;
    return 0;
}

/* Unknown for want of memory: then it has. */
static bool has_record(const char *folder)
{
    char *record = path_in(folder, "%s", RUN_RECORD_FILE);
    const bool has = record == NULL || access(record, F_OK) == 0;
    free(record);
    return has;
}

/* Before the folder is made: what can be refused. Another run's command with nothing else beside it is no
 * run to go on with. */
static int prepare_checkpoints(struct simulation *simulation, const struct options *options,
                               struct checkpoint_command *begun, struct failure *failure)
{
    const bool goes_on = begun->json != NULL;
    struct failure other = {0};
    cJSON *identity = NULL;
    simulation->keep_apart = checkpoint_spacing(simulation, options, goes_on);
    TRY(check_space(simulation, options, goes_on, failure));
    if (simulation->keep_apart == 0)
        return 0;
    int code = run_identity(simulation, &identity, failure);
    const int started = checkpoint_folder_start(&simulation->checkpoint, options->output, identity,
                                                code == 0 ? failure : NULL);
    code = code != 0 ? code : started;
    if (code == 0 && goes_on && checkpoint_command_check(&simulation->checkpoint, begun, &other) != 0) {
        if (options->resume != NULL || has_record(options->output) || checkpoint_is_any(options->output))
            return failure_forward(failure, &other);
        checkpoint_command_free(begun);
        simulation->goes_on = false;
        simulation->keep_apart = checkpoint_spacing(simulation, options, false);
    }
    simulation->keep = (struct source_keep){.folder = &simulation->checkpoint,
                                            .notices = &simulation->setup.notices,
                                            .beside = simulation->setup.backend.backend == BACKEND_CUDA,
                                            .discards = options->discard,
                                            .spacing_asked = options_given(options, "checkpoint")};
    return code;
}

/* Rank 0 may be what is killed: then another one says how to go on. */
static void leave_word(const struct simulation *simulation, const struct options *options)
{
    char word[1200];
    if (simulation->keep.folder != NULL && isfinite(simulation->keep_apart))
        (void)snprintf(
            word, sizeof word,
            "transept simulate --resume %s goes on from its newest checkpoint, or anew where there "
            "is none yet",
            options->output);
    else
        (void)snprintf(word, sizeof word, "%s", LOST_WORDS);
    if (ranks_table != NULL)
        ranks_table->leave_word(word);
}

/* In the folder, which is ours now. Where no checkpoint was asked for or is due, a disk that takes none is no
 * trouble yet. */
static int start_checkpoints(struct simulation *simulation, const struct options *options, bool goes_on,
                             struct failure *failure)
{
    simulation->checkpoint.held = &simulation->folder.lock;
    checkpoint_remove(options->output, !goes_on);
    leave_word(simulation, options);
    if (simulation->keep.folder == NULL || goes_on)
        return 0;
    const struct checkpoint_command begun = {
        .argument_count = options->request.argument_count,
        .argument = options->request.argument,
        .input = project_input_text(),
        .fmax = simulation->setup.grid.fmax_automatic ? simulation->setup.grid.fmax : 0};
    const bool needed = isfinite(simulation->keep_apart);
    const int code = checkpoint_command_write(&simulation->checkpoint, &begun, needed ? failure : NULL);
    if (code == 0 || needed)
        return code;
    simulation->keep.folder = NULL;
    return 0;
}

/* ---- running ---- */

static struct source_keep *keep_of(struct simulation *simulation)
{
    return simulation->keep.folder != NULL ? &simulation->keep : NULL;
}

/* Does nothing else keep what an interrupted run has? */
static bool is_unhurried(const struct simulation *simulation)
{
    return simulation->keep.folder == NULL && !simulation->discards;
}

static int run_sources(struct simulation *simulation, struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run_settings settings = {.prefix = "ir_",
                                               .label = "",
                                               .duration = setup->request.plan.duration,
                                               .keep = keep_of(simulation),
                                               .keep_apart = simulation->keep_apart,
                                               .unhurried = is_unhurried(simulation)};
    int code = 0;
    room_say(&setup->notices, "%s", simulation->run.description);
    for (size_t s = 0; code == 0 && s < setup->points.sources; s++)
        code = grid_run_source(&simulation->run, s, &settings, &simulation->folder, failure);
    return code;
}

/* As long on the offset grid, source by source: conformal walls may give it another time step. */
static int run_shifted(struct simulation *simulation, struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    struct grid_run *run = &simulation->shifted;
    const double share = response_share(&setup->grid.step, setup->grid.fmax);
    grid_run_stop(&simulation->run);
    int code = grid_run_start(run, failure);
    for (size_t s = 0; code == 0 && s < setup->points.sources; s++) {
        const struct source_progress *done = &simulation->run.source[s];
        const double steps = (double)(done->steps - done->lead);
        const struct grid_run_settings settings = {.prefix = "shifted_ir_",
                                                   .label = " on the offset grid",
                                                   .duration = (steps - 0.5) / setup->grid.step.rate * share,
                                                   .keep = keep_of(simulation),
                                                   .first_number = setup->points.sources,
                                                   .keep_apart = simulation->keep_apart,
                                                   .unhurried = is_unhurried(simulation)};
        code = grid_run_source(run, s, &settings, &simulation->folder, failure);
    }
    return code;
}

/* ---- what is left behind ---- */

/* Receivers so near a source that little of the room arrives. */
static void warn_near(struct simulation *simulation)
{
    struct room_setup *setup = &simulation->setup;
    struct figure_summary summary;
    grid_run_summary(&simulation->run, &summary);
    const double least =
        figure_least_distance(&summary, setup->grid.findings.air_volume, setup->model.sound_speed);
    for (size_t p = 0; p < setup->points.sources * setup->points.receivers; p++) {
        const struct grid_pair *pair = &simulation->run.pair[p];
        if (pair->file[0] != '\0' && pair->distance < least)
            room_warn(&setup->notices, FIGURE_NEAR_SENTENCE,
                      setup->points.point[setup->points.sources + p % setup->points.receivers].name,
                      pair->distance, setup->points.point[p / setup->points.receivers].name, least);
    }
}

/* What an earlier process left to go on with is the user's. */
static int discard(struct simulation *simulation, struct failure *failure)
{
    if (!simulation->goes_on && output_folder_locate(&simulation->folder))
        checkpoint_remove(simulation->folder.path, true);
    output_folder_undo(&simulation->folder);
    return failure_set(failure, FAILURE_INTERRUPTED, "interrupted; %s",
                       simulation->goes_on ? "what the run had before is as it was"
                                           : "nothing of it is left");
}

/* run.json, and the same on standard output for --json. A folder without any response is taken away again. */
static int leave(struct simulation *simulation, const struct options *options, int code,
                 struct failure *failure)
{
    simulation->partial = code != 0;
    (void)output_folder_locate(&simulation->folder);
    /* Where the disk is full, what is there already is worth more than a part of what was to replace it. */
    const bool engine_lost = simulation->run.engine_lost || simulation->shifted.engine_lost;
    const bool keep_old = code == FAILURE_OUTPUT && !simulation->folder.created && !engine_lost;
    /* What is computed so far is in the checkpoint; what --force is to replace goes when there is all of it.
     */
    const bool spares = code == FAILURE_INTERRUPTED && options->request.force && !simulation->goes_on &&
                        simulation->keep.folder != NULL && has_record(simulation->folder.path);
    if (code == FAILURE_INTERRUPTED && simulation->discards)
        return discard(simulation, failure);
    if (keep_old || spares || simulation_responses(&simulation->run) == 0) {
        output_folder_undo(&simulation->folder);
        if (spares)
            failure_set(failure, FAILURE_INTERRUPTED, "interrupted; the results of the run before stay");
        else if (code == FAILURE_INTERRUPTED && checkpoint_is_any(simulation->folder.path))
            failure_set(failure, FAILURE_INTERRUPTED,
                        "interrupted; of what was computed no response is made yet");
        else if (code == FAILURE_INTERRUPTED)
            failure_interrupted(failure);
        return code;
    }
    struct failure second = {0};
    const struct grid_run *shifted = simulation->shifted.map != NULL ? &simulation->shifted : NULL;
    warn_near(simulation);
    progress_json_begin("maps", NULL);
    int written_code = map_files_write(&simulation->run, shifted, &simulation->folder, &second);
    if (written_code == FAILURE_INTERRUPTED) {
        code = code == 0 ? FAILURE_INTERRUPTED : code;
        simulation->partial = true;
        written_code = 0;
    }
    if (code == FAILURE_INTERRUPTED && simulation->discards)
        return discard(simulation, failure);
    progress_json_begin("record", NULL);
    cJSON *record = simulation_record(simulation, failure);
    const struct mesh whole = mesh_whole(&simulation->setup.model.mesh);
    if (written_code == 0)
        written_code = run_geometry_put(&whole, &simulation->setup.grid.packed, &simulation->folder, &second);
    if (written_code == 0)
        written_code = output_folder_put_json(&simulation->folder, RUN_RECORD_FILE, record, &second);
    if (written_code == 0)
        written_code = output_folder_publish(&simulation->folder, RUN_RECORD_FILE, stderr, &second);
    if (written_code == 0 && options->json) {
        JSON_PUT(record, {"directory", OF_TEXT(simulation->folder.path)});
        written_code = print_json(record, &second);
        record = NULL;
    } else if (written_code == 0 && !options->request.quiet) {
        simulation_print(simulation);
    }
    cJSON_Delete(record);
    if (written_code != 0)
        return failure_forward(failure, &second);
    if (code == FAILURE_INTERRUPTED)
        failure_set(failure, FAILURE_INTERRUPTED, "interrupted; what was computed is in %s, marked partial",
                    simulation->folder.path);
    return code;
}

/* All sources, and what they leave. */
static int run_all(struct simulation *simulation, const struct options *options, struct failure *failure)
{
    struct output_folder *folder = &simulation->folder;
    int code = run_sources(simulation, failure);
    if (code == 0 && options->request.plan.repeat_shifted)
        code = run_shifted(simulation, failure);
    const bool keeps = simulation->keep.folder != NULL;
    if (keeps)
        source_keep_report(&simulation->keep);
    if (keeps && code != 0 && output_folder_locate(folder) && !checkpoint_is_any(folder->path))
        checkpoint_remove(folder->path, true);
    code = leave(simulation, options, code, failure);
    if (keeps && code == 0 && output_folder_locate(folder))
        checkpoint_remove(folder->path, true);
    else if (keeps && checkpoint_is_unfinished(folder->path))
        failure_fix(code, failure, "transept simulate --resume %s goes on with it", folder->path);
    else if (ranks_lost())
        failure_fix(code, failure, "%s", LOST_WORDS);
    return code;
}

static int simulate(const struct options *options, struct failure *failure)
{
    struct simulation simulation = {0};
    struct checkpoint_command begun = {0};
    run_model_clear(&simulation.model);
    if (options->output == NULL)
        return failure_set(failure, FAILURE_INPUT, "simulate needs -o DIR, a folder for the results");
    const bool goes_on =
        (options->resume != NULL || !options->request.force) && checkpoint_is_unfinished(options->output);
    if (options->discard && options->request.force && checkpoint_is_unfinished(options->output))
        return failure_set(
            failure, FAILURE_INPUT,
            "%s holds a run that has not ended: --force takes it away before the first step, and "
            "--discard would not bring it back; give one of them",
            options->output);
    int code = output_folder_check(options->output, options->request.force || goes_on, failure);
    simulation.goes_on = goes_on;
    simulation.discards = options->discard;
    if (options->discard)
        interrupt_leaves_nothing();
    if (code == 0 && goes_on)
        code = checkpoint_command_read(options->output, &begun, failure);
    if (code == 0)
        code = prepare(&simulation, options, &begun, failure);
    if (code == 0)
        code = prepare_checkpoints(&simulation, options, &begun, failure);
    interrupt_ends = 0;
    if (code == 0)
        code = output_folder_make(&simulation.folder, options->output, options->request.force || goes_on,
                                  failure);
    simulation.folder.holds_back = simulation.discards;
    if (code == 0)
        code = start_checkpoints(&simulation, options, simulation.goes_on, failure);
    if (code == 0)
        code = run_all(&simulation, options, failure);
    simulation_free(&simulation);
    checkpoint_command_free(&begun);
    return code;
}

int command_simulate(const struct command *command, int argc, char **argv, struct failure *failure)
{
    if (resumed_run_asked(argc, argv))
        return resumed_run(command, argc, argv, simulate, failure);
    TRY(options_refuse_second(command->bit, argc, argv, NULL, failure));
    return simulate_with(command, argc, argv, NULL, simulate, failure);
}
