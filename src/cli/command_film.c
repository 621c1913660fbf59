/** `transept film`: pictures of the waves in a room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/table/number_text.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/run/film/film.h"
#include "src/run/instruments/play.h"
#include "src/run/plan/estimate.h"
#include "src/setup/project/project.h"
#include "src/run/watch/batch_watch.h"
#include "src/run/prepare_grid.h"
#include "src/run/setup_record.h"
#include "src/setup/room_engine.h"
#include "src/base/table/json_values.h"

struct filming {
    struct options options; /* lists are borrowed; the duration is the film's */
    struct film_options *own;
    struct room_setup setup;
    struct room_estimate estimate;
    struct room_needs needs;
    struct film film;
    struct output_folder folder;
    struct play_options asked; /* of the drums */
    struct play play;
    struct engine *engine;
    struct stencil tap;
    struct source_progress result;
};

static void filming_free(struct filming *filming)
{
    output_folder_undo(&filming->folder);
    engine_free(filming->engine);
    play_free(&filming->play);
    film_free(&filming->film);
    room_setup_free(&filming->setup);
    source_progress_free(&filming->result);
}

/* ---- before the first step ---- */

static int make_engine(struct filming *filming, struct failure *failure)
{
    struct room_setup *setup = &filming->setup;
    const struct engine_options options = room_engine_options(setup, filming->needs.stored_nodes);
    const bool played = filming->film.play != NULL;
    if (!played)
        TRY(room_tap(setup, &setup->grid, setup->points.point[0].position, setup->grid.findings.seed_node[0],
                     &filming->tap, failure));
    TRY(room_engine_create(&filming->engine, setup, &setup->grid, &setup->grid.packed, NULL,
                           &setup->grid.step, &options, false, failure));
    TRY(played ? play_join(&filming->play, filming->engine, failure)
               : room_engine_lose_in_air(filming->engine, setup, failure));
    filming->film.air_losses = room_engine_air_losses(filming->engine);
    return played ? 0 : engine_add_source(filming->engine, &filming->tap, failure);
}

/* Set up room, air, planes and engine, before the folder is made, so that every refusal comes first. */
static int prepare_film(struct filming *filming, struct failure *failure)
{
    struct room_setup *setup = &filming->setup;
    struct film_options *own = filming->own;
    TRY(film_options_read(own, failure));
    struct plan_request *plan = &filming->options.request.plan;
    plan->duration = 0.001; /* at least until the last picture */
    if (own->slice_times > 0)
        plan->duration = fmax(plan->duration, own->slice_time[own->slice_times - 1]);
    if (own->field_times > 0)
        plan->duration = fmax(plan->duration, own->field_time[own->field_times - 1]);
    /* Outputs that a project sets for its runs are ignored. */
    filming->options.request.engine.layout = LAYOUT_BLOCKS;
    filming->options.request.model.air_in_steps = true;
    plan->repeat_shifted = false;
    const bool played = filming->asked.score != NULL || filming->asked.drum.count > 0;
    struct room_request request = filming->options.request;
    filming->asked.duration = plan->duration;
    filming->play = (struct play){.asked = &filming->asked, .filmed = true};
    if (!played && options_given(&filming->options, "linear"))
        return failure_fix(
            failure_set(failure, FAILURE_INPUT, "--linear is for membranes, and there is no drum"), failure,
            "leave it out, or give --drum or --score");
    if (played) {
        if (options_given(&filming->options, "source")) /* drums are the sources of their film */
            return failure_fix(failure_set(failure, FAILURE_INPUT, "--source is not for a film of drums"),
                               failure, "leave it out, or leave out the drums");
        TRY(play_request(&filming->play, &request, failure));
    }
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, setup, failure));
    if (played)
        TRY(play_settle(&filming->play, setup, &filming->estimate, failure));
    TRY(prepare_grid(setup, &filming->estimate, &filming->needs, failure));
    if (played)
        TRY(play_place(&filming->play, failure));
    else if (setup->points.sources > 1)
        room_say(&setup->notices, "the film is of %s, the first of %zu sources; --source names another",
                 setup->points.point[0].name, setup->points.sources);
    if (setup->directions.count > 0 && source_has_direction(&setup->directions.of[0]))
        room_warn(&setup->notices, "in a film %s is omnidirectional", setup->points.point[0].name);
    filming->film = (struct film){.setup = setup,
                                  .own = filming->own,
                                  .folder = &filming->folder,
                                  .play = played ? &filming->play : NULL};
    progress_json_begin("engine", NULL);
    TRY(film_prepare(&filming->film, failure));
    TRY(make_engine(filming, failure));
    return interrupt_stop(failure);
}

/* ---- running ---- */

static int run_film(struct filming *filming, struct failure *failure)
{
    struct room_setup *setup = &filming->setup;
    struct film *film = &filming->film;
    const struct source_run_snapshots snapshots = {
        .step = film->step, .count = film->frames, .take = film_take, .context = film};
    const struct field_room room = {.lambda2 = setup->grid.step.lambda2,
                                    .spacing = setup->grid.step.spacing,
                                    .air_nodes = setup->grid.packed.air_nodes,
                                    .mass = cut_masses_sum(&setup->grid.packed),
                                    .push = stencil_push(&setup->grid.packed, &filming->tap),
                                    .precision = setup->request.engine.precision,
                                    .hard =
                                        room_walls_hard(setup) && engine_air_loss(filming->engine) == NULL};
    const double steps = (double)(film->step[film->frames - 1] - film->pulse.lead);
    const struct source_run_settings settings = {
        .step = setup->grid.step,
        .fmax = setup->grid.fmax,
        .duration = fmax(steps - 0.5, 0.5) / setup->grid.step.rate,
        .stored_nodes = (uint64_t)filming->needs.stored_nodes,
        .room = film->play == NULL ? &room : NULL, /* drums add energy at any time */
        .label = setup->points.point[0].name,
        .progress = setup->notices.quiet ? NULL : stderr,
        .drive = &film->pulse,
        .snapshots = &snapshots,
        .interrupt = &interrupt_seen,
        .patience = backend_is_device(setup->backend.backend) ? BATCH_PATIENCE : 0.0};
    char bytes[32];
    room_say(&setup->notices, "%s", engine_description(filming->engine));
    room_say(&setup->notices, "%zu times, up to %s of files", film->frames,
             format_bytes(film_bytes(film), bytes));
    if (film_in_own_time(film) != NULL)
        room_say(&setup->notices, "time: %s", film_in_own_time(film));
    progress_json_begin("steps", setup->points.point[0].name);
    const int code = source_run(filming->engine, &setup->grid.lattice, 0, film->play == NULL ? 1 : 0, 0,
                                &settings, &filming->result, failure);
    return code == 0 && filming->result.interrupted ? FAILURE_INTERRUPTED : code;
}

/* ---- files that remain ---- */

static cJSON *make_record(const struct filming *filming, bool partial)
{
    cJSON *object = cJSON_CreateObject();
    record_setup(object, "film", &filming->setup, NULL, &filming->needs);
    film_record(object, &filming->film, &filming->result, partial);
    return object;
}

static void print_words(const struct filming *filming, bool partial)
{
    const struct film *film = &filming->film;
    char time[32];
    printf("%s: %zu files of %zu times%s\n", PATH_SHOWN(filming->folder.path), film->files, film->taken,
           partial ? "; partial, see film.json" : "");
    for (size_t s = 0; s < film->slices && filming->own->files != FILM_VTKHDF; s++) {
        const struct film_slice *slice = &film->slice[s];
        size_t size[2];
        picture_size(&slice->plane, &slice->paint, size);
        printf("%s_*ms.png: %zu x %zu pixels, a node is %u x %u\n", slice->name, size[0], size[1],
               slice->paint.zoom, slice->paint.zoom);
        printf("  ffmpeg -framerate 25 -pattern_type glob -i '%s/%s_*ms.png' -pix_fmt yuv420p %s.mp4\n",
               PATH_SHOWN(filming->folder.path), slice->name, slice->name);
    }
    for (size_t s = 0; s < film->slices && filming->own->files != FILM_PNG; s++)
        printf("%s.hdf.series: for ParaView\n", film->slice[s].name);
    if (film->own->field_times > 0)
        printf("field.hdf.series: for ParaView, %u blocks of 8x8x8\n", filming->setup.grid.packed.blocks);
    printf("pressure 1 is %s; colours are full at %.6g\n", film_unit(film), filming->own->full);
    printf("computed in %s\n", format_seconds(filming->result.seconds, time));
}

/* Write the series, film.json, and the words. After a failure the pictures so far are kept if the folder
 * is the film's own. */
static int leave_folder(struct filming *filming, int code, struct failure *failure)
{
    const bool partial = code != 0;
    if (filming->film.taken == 0 || (code == FAILURE_OUTPUT && !filming->folder.created)) {
        output_folder_undo(&filming->folder);
        if (code == FAILURE_INTERRUPTED)
            failure_interrupted(failure);
        return code;
    }
    struct failure second = {0};
    progress_json_begin("record", NULL);
    cJSON *record = make_record(filming, partial);
    int kept = film_put_series(&filming->film, &second);
    if (kept == 0)
        kept = output_folder_put_json(&filming->folder, FILM_RECORD_FILE, record, &second);
    if (kept == 0)
        kept = output_folder_publish(&filming->folder, FILM_RECORD_FILE, stderr, &second);
    if (kept == 0 && filming->options.json) {
        JSON_PUT(record, {"directory", OF_TEXT(filming->folder.path)});
        kept = print_json(record, &second);
        record = NULL;
    } else if (kept == 0 && !filming->options.request.quiet) {
        print_words(filming, partial);
    }
    cJSON_Delete(record);
    if (code == FAILURE_INTERRUPTED && kept == 0)
        failure_set(failure, FAILURE_INTERRUPTED,
                    "interrupted; the pictures so far are in %s, marked partial", filming->folder.path);
    if (code != 0)
        return code;
    return kept != 0 ? failure_forward(failure, &second) : 0;
}

static int make_film(struct filming *filming, struct failure *failure)
{
    const struct options *options = &filming->options;
    if (options->output == NULL)
        return failure_set(failure, FAILURE_INPUT, "film needs -o DIR, a folder for the pictures");
    TRY(output_folder_check(options->output, options->request.force, failure));
    interrupt_ends = 1;
    TRY(prepare_film(filming, failure));
    interrupt_ends = 0;
    TRY(output_folder_make(&filming->folder, options->output, options->request.force, failure));
    filming->folder.is_ours = film_name_is_ours;
    int code = film_refuse_full_disk(&filming->film, failure);
    if (code == 0)
        code = run_film(filming, failure);
    return leave_folder(filming, code, failure);
}

static int film_with(const struct options *options, struct failure *failure)
{
    struct filming filming = {.options = *options, .own = options->own, .asked = options->play};
    if (options->request.model.project != NULL &&
        options->output == options->request.model.project->value.output)
        filming.options.output = NULL; /* a project's folder is for its runs */
    const int code = make_film(&filming, failure);
    filming_free(&filming);
    return code;
}

int command_film(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct film_options own;
    const struct option_set set = film_option_set(&own);
    int code = film_options_default(&own, failure);
    if (code == 0)
        code = command_with_options(command, argc, argv, &set, film_with, failure);
    film_options_free(&own);
    return code;
}
