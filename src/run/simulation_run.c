#include "src/run/simulation.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/interrupt.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/base/table/json_values.h"
#include "src/response/further/echo_criterion.h"
#include "src/response/acoustics/figure_report.h"
#include "src/response/acoustics/figure_summary.h"
#include "src/response/signal/response.h"
#include "src/run/instruments/play.h"
#include "src/run/map_files.h"
#include "src/run/prepare_grid.h"
#include "src/run/room_leaks.h"
#include "src/run/setup_record.h"
#include "src/run/simulation_checkpoints.h"
#include "src/run/whole_band.h"
#include "src/run_folder/run_geometry.h"
#include "src/setup/room_engine.h"
#include "src/setup/room_voxelise.h"
#include "src/setup/room_walls.h"

void simulation_free(struct simulation *simulation)
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
    checkpoint_command_free(&simulation->begun);
}

/* The second grid, as far as it can be refused. Warnings are those of the first grid. */
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

/* Rays are joined where they are asked for, and by themselves where they can be. */
static int prepare_rays(struct simulation *simulation, struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    struct failure inner = {0};
    if (setup->request.plan.rays == RAYS_OFF)
        return 0;
    const int code = whole_band_make(&simulation->run, &simulation->estimate, &simulation->run.whole, &inner);
    if (code != 0 && (setup->request.plan.rays == RAYS_ON || code == FAILURE_INTERRUPTED))
        return failure_forward(failure, &inner);
    if (code == 0) {
        room_walls_say_highest(&setup->model, &setup->notices);
        return 0;
    }
    room_say(&setup->notices, "waves alone, up to %.4g Hz: %s", setup->grid.fmax, inner.sentence);
    return json_text_set(&simulation->model.rays_absent, inner.sentence)
               ? 0
               : failure_memory(failure, sizeof inner.sentence, "a reason");
}

/* Room, air, engine. */
static int prepare_room(struct simulation *simulation, const struct options *options, struct failure *failure)
{
    struct room_setup *setup = &simulation->setup;
    struct grid_run *run = &simulation->run;
    struct room_request request = options->request;
    run->setup = setup;
    run->grid = &setup->grid;
    run->notices = &setup->notices;
    if (request.listening.head != NULL)
        TRY(prepare_ears(simulation, request.listening.head, failure));
    request.model.complete = request.points.audience = simulation->play == NULL;
    request.plan.fmax_kept = simulation->begun.fmax;
    request.grid.no_leak_file = options->resume != NULL;
    request.grid.find_leak_paths = request.grid.open || request.grid.seal > 0;
    if (request.plan.waves_only)
        request.plan.rays = RAYS_OFF;
    if (simulation->play != NULL)
        TRY(play_request(simulation->play, &request, failure));
    request.plan.joins_rays = request.plan.rays != RAYS_OFF;
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, setup, failure));
    if (simulation->ears_mislabelled)
        room_warn(&setup->notices, HEAD_MISLABELLED_SENTENCE, request.listening.head);
    TRY(room_hosts_ask(&setup->hosts, failure));
    if (simulation->play != NULL)
        TRY(play_settle(simulation->play, setup, &simulation->estimate, failure));
    TRY(prepare_grid(setup, &simulation->estimate, &run->needs, failure));
    TRY(estimate_check_disk(&run->needs, options->output, failure));
    TRY(room_leaks_find(setup, &simulation->model, failure));
    progress_json_begin("engine", NULL);
    run->silent = simulation->play != NULL;
    TRY(grid_run_place(run, failure));
    if (simulation->play != NULL)
        TRY(play_place(simulation->play, failure));
    if (request.plan.repeat_shifted)
        TRY(prepare_shifted(simulation, failure));
    TRY(prepare_rays(simulation, failure));
    TRY(grid_run_start(run, failure));
    if (simulation->play != NULL)
        TRY(play_join(simulation->play, run->engine, failure));
    return interrupt_stop(failure);
}

int simulation_prepare(struct simulation *simulation, const struct options *options, struct failure *failure)
{
    run_model_clear(&simulation->model);
    simulation->resumes = simulation_resumes(options);
    simulation->discards = options->discard;
    simulation->watched = options->watch;
    TRY(output_folder_check(options->output, options->request.force || simulation->resumes, failure));
    if (options->discard)
        interrupt_leaves_nothing();
    if (simulation->resumes)
        TRY(checkpoint_command_read(options->output, &simulation->begun, failure));
    TRY(prepare_room(simulation, options, failure));
    return simulation_checkpoints_prepare(simulation, options, failure);
}

int simulation_start(struct simulation *simulation, const struct options *options, struct failure *failure)
{
    /* Also one with the command of another run and nothing else. */
    const bool may_exist = options->request.force || simulation_resumes(options);
    TRY(output_folder_make(&simulation->folder, options->output, may_exist, failure));
    simulation->folder.holds_back = simulation->discards || simulation->play != NULL;
    simulation->folder.is_ours = simulation->play != NULL ? play_name_is_ours : NULL;
    return simulation_checkpoints_start(simulation, options, failure);
}

/* ---- running ---- */

static struct grid_run_settings run_settings(struct simulation *simulation)
{
    return (struct grid_run_settings){.prefix = "ir_",
                                      .label = "",
                                      .duration = simulation->setup.request.plan.duration,
                                      .keep = simulation_keep(simulation),
                                      .keep_apart = simulation->keep_apart,
                                      .watched = simulation->watched,
                                      .finishes_responses =
                                          simulation->keep.folder == NULL && !simulation->discards};
}

static int run_sources(struct simulation *simulation, struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run_settings settings = run_settings(simulation);
    int code = 0;
    room_say(&setup->notices, "%s", simulation->run.description);
    for (size_t s = 0; code == 0 && s < setup->points.sources; s++)
        code = grid_run_source(&simulation->run, s, &settings, &simulation->folder, failure);
    return code;
}

static int play_drums(struct simulation *simulation, struct failure *failure)
{
    struct source_keep *const keep = simulation_keep(simulation);
    room_say(&simulation->setup.notices, "%s", simulation->run.description);
    if (keep != NULL)
        source_keep_start(keep, 0, simulation->keep_apart);
    return play_run(simulation->play, &simulation->run, keep, failure);
}

/* As long on the offset grid, source by source: conformal walls may give it another time step. */
static int run_shifted(struct simulation *simulation, struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    struct grid_run *run = &simulation->shifted;
    const double share = response_share(&setup->grid.step, setup->grid.fmax);
    struct grid_run_settings settings = run_settings(simulation);
    settings.prefix = "shifted_ir_";
    settings.label = " on the offset grid";
    settings.first_number = setup->points.sources;
    grid_run_stop(&simulation->run);
    int code = grid_run_start(run, failure);
    for (size_t s = 0; code == 0 && s < setup->points.sources; s++) {
        const struct source_progress *done = &simulation->run.source[s];
        const double steps = (double)(done->steps - done->lead);
        settings.duration = (steps - 0.5) / setup->grid.step.rate * share;
        code = grid_run_source(run, s, &settings, &simulation->folder, failure);
    }
    return code;
}

/* ---- what is left ---- */

/* Near a source little of the room is heard. */
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

/* Echoes that half of the listeners would perceive, of speech or else of music. */
static void warn_of_echoes(struct simulation *simulation)
{
    struct room_setup *setup = &simulation->setup;
    for (size_t p = 0; p < setup->points.sources * setup->points.receivers; p++) {
        const struct grid_pair *pair = &simulation->run.pair[p];
        const int kind =
            pair->further.single[FIGURE_ECHO_SPEECH] >= echo_limit[ECHO_SPEECH] ? ECHO_SPEECH : ECHO_MUSIC;
        const double value = pair->further.single[echo_figure[kind]];
        const char *path = pair->echo_path[kind];
        if (pair->file[0] != '\0' && value >= echo_limit[kind])
            room_warn(&setup->notices, ECHO_SENTENCE,
                      setup->points.point[setup->points.sources + p % setup->points.receivers].name,
                      setup->points.point[p / setup->points.receivers].name,
                      kind == ECHO_SPEECH ? SAID("speech") : SAID("music"), value, echo_limit[kind],
                      1000.0 * pair->further.echo_time[kind], path[0] != '\0' ? SAID(", reflected by ") : "",
                      path);
    }
}

/* Nothing of this process stays; what an earlier one left to be resumed is the user's. */
static int discard_results(struct simulation *simulation, struct failure *failure)
{
    if (!simulation->resumes)
        simulation_checkpoints_remove(simulation);
    output_folder_undo(&simulation->folder);
    return failure_set(failure, FAILURE_INTERRUPTED, "interrupted; %s",
                       simulation->resumes ? "earlier results of the run are unchanged"
                                           : "nothing of it is left");
}

/* An interrupted run with a checkpoint leaves the results of an earlier one, which --force is to replace. */
static bool spares_old(const struct simulation *simulation, int code)
{
    return code == FAILURE_INTERRUPTED && simulation->setup.request.force && !simulation->resumes &&
           simulation->keep.folder != NULL && simulation_has_record(simulation->folder.path);
}

/* If the disk is full, old results are worth more than a part of what was to replace them. */
static bool keeps_old(const struct simulation *simulation, int code)
{
    const bool engine_lost = simulation->run.engine_lost || simulation->shifted.engine_lost;
    return code == FAILURE_OUTPUT && !simulation->folder.created && !engine_lost;
}

/* A folder without any response of this run is as it was. */
static int undo_results(struct simulation *simulation, int code, bool spares, struct failure *failure)
{
    output_folder_undo(&simulation->folder);
    if (spares)
        failure_set(failure, FAILURE_INTERRUPTED, "interrupted; the results of the earlier run stay");
    else if (code == FAILURE_INTERRUPTED && checkpoint_is_any(simulation->folder.path))
        failure_set(failure, FAILURE_INTERRUPTED, "interrupted before the first %s was made",
                    simulation->play != NULL ? "sound" : "response");
    else if (code == FAILURE_INTERRUPTED)
        failure_interrupted(failure);
    return code;
}

/* The room, run.json, and the change to the new results. */
static int publish_results(struct simulation *simulation, const cJSON *record, struct failure *failure)
{
    const struct mesh whole = mesh_whole(&simulation->setup.model.mesh);
    TRY(run_geometry_put(&whole, &simulation->setup.grid.packed, &simulation->folder, failure));
    TRY(output_folder_put_json(&simulation->folder, RUN_RECORD_FILE, record, failure));
    return output_folder_publish(&simulation->folder, RUN_RECORD_FILE, stderr, failure);
}

/* The record of drums that were played. */
static cJSON *make_played(const struct simulation *simulation)
{
    cJSON *object = cJSON_CreateObject();
    record_setup(object, "play", &simulation->setup, NULL, &simulation->run.needs);
    play_record(object, simulation->play);
    return object;
}

/* On standard output. Takes `record` over. */
static int print_results(const struct simulation *simulation, cJSON *record, bool json,
                         struct failure *failure)
{
    if (json) {
        JSON_PUT(record, {"directory", OF_TEXT(simulation->folder.path)});
        return print_json(record, failure);
    }
    cJSON_Delete(record);
    if (!simulation->setup.request.quiet && simulation->play != NULL)
        play_print(simulation->play, simulation->folder.path);
    else if (!simulation->setup.request.quiet)
        simulation_print(simulation);
    return 0;
}

/* leave_results() of drums that were played. */
static int leave_sounds(struct simulation *simulation, bool json, int code, struct failure *failure)
{
    (void)output_folder_locate(&simulation->folder);
    if (code == 0) {
        progress_json_begin("sounds", NULL);
        code = play_write(simulation->play, &simulation->run, simulation_keep(simulation),
                          &simulation->folder, failure);
    }
    if (code == FAILURE_INTERRUPTED && simulation->discards)
        return discard_results(simulation, failure);
    if (code != 0)
        return undo_results(simulation, code, spares_old(simulation, code), failure);
    cJSON *record = make_played(simulation);
    code = output_folder_put_json(&simulation->folder, PLAY_RECORD_FILE, record, failure);
    if (code == 0)
        code = output_folder_publish(&simulation->folder, PLAY_RECORD_FILE, stderr, failure);
    if (code == 0)
        return print_results(simulation, record, json, failure);
    cJSON_Delete(record);
    return code;
}

/* What the run leaves in its folder, and says of it, where its sources ended with `code`. */
static int leave_results(struct simulation *simulation, bool json, int code, struct failure *failure)
{
    simulation->partial = code != 0;
    (void)output_folder_locate(&simulation->folder);
    const bool spares = spares_old(simulation, code);
    if (code == FAILURE_INTERRUPTED && simulation->discards)
        return discard_results(simulation, failure);
    if (spares || keeps_old(simulation, code) || simulation_responses(&simulation->run) == 0)
        return undo_results(simulation, code, spares, failure);
    struct failure second = {0};
    const struct grid_run *shifted = simulation->shifted.map != NULL ? &simulation->shifted : NULL;
    warn_near(simulation);
    warn_of_echoes(simulation);
    progress_json_begin("maps", NULL);
    int written = map_files_write(&simulation->run, shifted, &simulation->folder, &second);
    if (written == FAILURE_INTERRUPTED) {
        code = code == 0 ? FAILURE_INTERRUPTED : code;
        simulation->partial = true;
        written = 0;
    }
    if (code == FAILURE_INTERRUPTED && simulation->discards)
        return discard_results(simulation, failure);
    progress_json_begin("record", NULL);
    cJSON *record = simulation_record(simulation, failure);
    if (written == 0)
        written = publish_results(simulation, record, &second);
    if (written == 0)
        written = print_results(simulation, record, json, &second);
    else
        cJSON_Delete(record);
    if (written != 0)
        return failure_forward(failure, &second);
    if (code == FAILURE_INTERRUPTED)
        failure_set(failure, FAILURE_INTERRUPTED, "interrupted; what was computed is in %s, marked partial",
                    simulation->folder.path);
    return code;
}

int simulation_run(struct simulation *simulation, bool json, struct failure *failure)
{
    struct output_folder *folder = &simulation->folder;
    const bool keeps = simulation->keep.folder != NULL;
    int code = simulation->play != NULL ? play_drums(simulation, failure) : run_sources(simulation, failure);
    if (code == 0 && simulation->setup.request.plan.repeat_shifted)
        code = run_shifted(simulation, failure);
    if (keeps)
        source_keep_report(&simulation->keep);
    if (keeps && code != 0 && output_folder_locate(folder) && !checkpoint_is_any(folder->path))
        simulation_checkpoints_remove(simulation);
    code = (simulation->play != NULL ? leave_sounds : leave_results)(simulation, json, code, failure);
    if (keeps && code == 0)
        simulation_checkpoints_remove(simulation);
    return code;
}
