#include "src/base/progress_json.h"
#include "src/run/watch/batch_watch.h"
#include "src/run/watch/wave_picture.h"
#include "src/run/grid_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "kernels/mpi/ranks.h"
#include "src/base/interrupt.h"
#include "src/base/words/words.h"
#include "src/run/grid_direction.h"
#include "src/run/grid_radiation.h"
#include "src/run/receiver_map.h"
#include "src/run_folder/result_file.h"
#include "src/run/source_run.h"
#include "src/run/whole_band.h"
#include "src/setup/room_engine.h"
#include "src/response/further/echo_criterion.h"
#include "src/run/echo_path.h"
#include "src/response/signal/response.h"
#include "src/response/signal/warp.h"

/* Taps that are fitted to a band hold their place in the least squares only [h]. */
#define FITTED_SHIFT 0.02

void grid_run_stop(struct grid_run *run)
{
    engine_free(run->engine);
    box_grid_free(&run->box);
    run->engine = NULL;
}

void grid_run_free(struct grid_run *run)
{
    grid_run_stop(run);
    whole_band_free(run->whole);
    free(run->description);
    free(run->stencil);
    grid_radiation_free(run);
    free(run->followed);
    free(run->followed_onset);
    free(run->gradient);
    free(run->left_ear);
    free(run->look);
    free(run->direction);
    for (size_t p = 0; run->pair != NULL && p < run->setup->points.sources * run->setup->points.receivers;
         p++)
        free(run->pair[p].thirds);
    free(run->pair);
    for (size_t m = 0; run->map != NULL && m < run->setup->points.sources * run->grid->receiver_grids; m++)
        receiver_map_free(&run->map[m]);
    free(run->map);
    for (size_t s = 0; run->source != NULL && s < run->setup->points.sources; s++)
        source_progress_free(&run->source[s]);
    free(run->source);
    *run = (struct grid_run){0};
}

/* ---- before the first step ---- */

/* Sources, receivers, and the points of the receiver grids: where they are, and the air nodes they belong to.
 */
struct places {
    size_t count;
    double (*position)[3];
    int64_t (*node)[3];
};

static int list_places(const struct grid_run *run, struct places *places, struct failure *failure)
{
    const struct room_points *points = &run->setup->points;
    const size_t named = points->sources + points->receivers, count = named + run->grid->grid_points;
    places->position = calloc(count, sizeof *places->position);
    places->node = calloc(count, sizeof *places->node);
    if (places->position == NULL || places->node == NULL)
        return failure_memory(failure, count * sizeof *places->position, "positions");
    for (; places->count < named; places->count++)
        memcpy(places->position[places->count], points->point[places->count].position,
               sizeof *places->position);
    memcpy(places->node, run->grid->findings.seed_node, named * sizeof *places->node);
    for (size_t g = 0; g < run->grid->receiver_grids; g++) {
        const struct receiver_grid *grid = &run->grid->receiver_grid[g];
        memcpy(places->position + places->count, grid->position, grid->count * sizeof *places->position);
        memcpy(places->node + places->count, grid->node, grid->count * sizeof *places->node);
        places->count += grid->count;
    }
    return 0;
}

static int make_stencils(struct grid_run *run, const struct places *places, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    run->stencil = calloc(places->count, sizeof *run->stencil);
    if (run->stencil == NULL)
        return failure_memory(failure, places->count * sizeof *run->stencil, "sources and receivers");
    for (size_t i = 0; i < places->count; i++) {
        const struct room_point *point = &setup->points.point[i];
        if (run->silent && i < setup->points.sources)
            continue;
        TRY(room_tap(setup, run->grid, places->position[i], places->node[i], &run->stencil[i], failure));
        const bool fitted =
            run->stencil[i].used == INTERPOLATION_FITTED || run->stencil[i].used == INTERPOLATION_MIRRORED;
        if (i < setup->points.sources + setup->points.receivers &&
            run->stencil[i].shift > (fitted ? FITTED_SHIFT * run->grid->step.spacing : 1e-9))
            room_warn(run->notices, "%s %s is so near a wall that it acts %.2g m from its position",
                      point->kind == SEED_SOURCE ? SAID("source") : SAID("receiver"), point->name,
                      run->stencil[i].shift);
    }
    return 0;
}

static void keep_path(struct grid_run *run, size_t source, size_t receiver, const struct onset_path *path)
{
    const struct room_setup *setup = run->setup;
    struct grid_pair *pair = &run->pair[source * setup->points.receivers + receiver];
    const struct room_point *from = &setup->points.point[source],
                            *to = &setup->points.point[setup->points.sources + receiver];
    pair->path = *path;
    pair->distance = vector_distance(from->position, to->position);
    if (pair->distance < run->grid->step.spacing)
        room_warn(run->notices,
                  "receiver %s is %.2g m from source %s, less than the grid spacing of %.3g m: its level "
                  "depends on the grid",
                  to->name, pair->distance, from->name, run->grid->step.spacing);
}

/* From one source to all receivers and points. */
static int find_paths_from(struct grid_run *run, size_t source, const struct places *places,
                           struct onset_path *path, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    const size_t first = setup->points.sources;
    const double *from = places->position[source], (*to)[3] = (const double(*)[3])places->position + first;
    struct failure inner = {0};
    const int code =
        onset_find(&setup->model.mesh, &run->grid->packed, from, places->node[source], places->count - first,
                   to, (const int64_t(*)[3])places->node + first, path, &inner);
    if (code != 0)
        return failure_wrap(failure, &inner, "source \"%s\": ", setup->points.point[source].name);
    for (size_t r = 0; r < setup->points.receivers; r++)
        keep_path(run, source, r, path++);
    to += setup->points.receivers;
    for (size_t g = 0; g < run->grid->receiver_grids; g++) {
        struct receiver_map *map = &run->map[source * run->grid->receiver_grids + g];
        TRY(receiver_map_start(run->grid->receiver_grid[g].count, map, failure));
        for (size_t i = 0; i < map->points; i++) {
            map->path[i] = *path++;
            map->distance[i] = vector_distance(from, *to++);
        }
    }
    return 0;
}

static int find_paths(struct grid_run *run, const struct places *places, struct failure *failure)
{
    struct onset_path *path = calloc(places->count, sizeof *path);
    int code = path == NULL ? failure_memory(failure, places->count * sizeof *path, "paths") : 0;
    for (size_t s = 0; code == 0 && s < run->setup->points.sources; s++)
        code = find_paths_from(run, s, places, path, failure);
    free(path);
    return code;
}

static int place_all(struct grid_run *run, struct places *places, struct failure *failure)
{
    TRY(list_places(run, places, failure));
    TRY(make_stencils(run, places, failure));
    TRY(grid_direction_place(run, failure));
    if (run->silent)
        return 0;
    TRY(grid_radiation_place(run, failure));
    TRY(find_paths(run, places, failure));
    grid_radiation_join_paths(run);
    return 0;
}

/* Receivers that decide when an automatic run ends: all, and some points of every receiver grid,
 * since following hundreds would take longer than a GPU's steps. */
#define FOLLOWED_OF_GRID 16

static int list_followed(struct grid_run *run, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    const size_t most = setup->points.receivers + run->grid->receiver_grids * FOLLOWED_OF_GRID;
    size_t first = row_of_grid_point(&run->rows, 0);
    run->followed = calloc(most + 1, sizeof *run->followed);
    run->followed_onset = calloc(most + 1, sizeof *run->followed_onset);
    if (run->followed == NULL || run->followed_onset == NULL)
        return failure_memory(failure, most * sizeof *run->followed, "a list of receivers");
    for (size_t r = 0; r < setup->points.receivers; r++)
        run->followed[run->followed_count++] = row_of_receiver(&run->rows, r);
    for (size_t g = 0; g < run->grid->receiver_grids; g++) {
        const size_t points = run->grid->receiver_grid[g].count;
        const size_t some = points < FOLLOWED_OF_GRID ? points : FOLLOWED_OF_GRID;
        for (size_t i = 0; i < some; i++)
            run->followed[run->followed_count++] = first + (2 * i + 1) * points / (2 * some);
        first += points;
    }
    return 0;
}

int grid_run_place(struct grid_run *run, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    run->pair = calloc(setup->points.sources * setup->points.receivers + 1, sizeof *run->pair);
    run->map = calloc(setup->points.sources * run->grid->receiver_grids + 1, sizeof *run->map);
    run->source = calloc(setup->points.sources, sizeof *run->source);
    if (run->pair == NULL || run->map == NULL || run->source == NULL)
        return failure_memory(failure, setup->points.sources * setup->points.receivers * sizeof *run->pair,
                              "responses");
    run->rows = room_engine_rows(setup, run->grid->grid_points, !run->silent);
    TRY(list_followed(run, failure));
    struct places places = {0};
    const int code = place_all(run, &places, failure);
    free(places.position);
    free(places.node);
    return code;
}

/* Sources, and receivers in the order of engine_rows.h. */
static int add_stencils(struct grid_run *run, struct failure *failure)
{
    const struct engine_rows *rows = &run->rows;
    const struct stencil *source = run->silent ? NULL : grid_radiation_taps(run),
                         *pressure = run->stencil + run->setup->points.sources;
    for (size_t c = 0; !run->silent && c < grid_radiation_channels(run); c++)
        TRY(engine_add_source(run->engine, &source[c], failure));
    for (size_t p = 0; p < rows_of_pressure(rows); p++)
        TRY(engine_add_receiver(run->engine, &pressure[p], failure));
    for (size_t g = 0; g < 3 * rows->directional; g++)
        TRY(engine_add_receiver(run->engine, &run->gradient[g], failure));
    for (size_t s = 0; s < rows->sources; s++)
        TRY(engine_add_receiver(run->engine, &source[s], failure));
    return 0;
}

int grid_run_start(struct grid_run *run, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    const struct engine_options options = room_engine_options(setup, run->needs.stored_nodes);
    const bool boxed = options.layout == LAYOUT_BOX;
    if (boxed)
        TRY(box_grid_from_blocks(&run->grid->packed, &run->box, failure));
    if (ranks_count() > 1) /* while it is whole */
        run->grid->hash = block_grid_hash(&run->grid->packed);
    const int code =
        room_engine_is_in_parts(setup)
            ? room_engine_in_parts(&run->engine, setup, run->grid, &run->grid->packed, &run->grid->step,
                                   &options, !run->silent, failure)
            : room_engine_create(&run->engine, setup, run->grid, &run->grid->packed, boxed ? &run->box : NULL,
                                 &run->grid->step, &options, !run->silent, failure);
    run->engine_lost = code == FAILURE_OUTPUT; /* a device alone can fail so */
    if (code != 0)
        return code;
    TRY(add_stencils(run, failure));
    run->description = strdup(engine_description(run->engine));
    return run->description == NULL ? failure_memory(failure, 100, "a name") : 0;
}

/* ---- running ---- */

/* A receiver at its source records it at once: one sample later is as good. */
static double onset_of(const struct grid_run *run, const struct grid_pair *pair)
{
    return fmax(pair->path.length / run->setup->model.sound_speed, 1.0 / RESPONSE_RATE);
}

static int find_figures(struct grid_run *run, struct grid_pair *pair, const struct run_output *output,
                        const float *sample, struct failure *failure)
{
    const double onset = onset_of(run, pair);
    TRY(acoustic_figures_make(sample, pair->samples, RESPONSE_RATE, run->grid->fmax, onset, FIGURES_REFERENCE,
                              &pair->figures, failure));
    further_figures_clear(&pair->further);
    TRY(response_check_time(&output->chain));
    if (run->setup->request.plan.bands == BANDS_THIRD && pair->thirds == NULL)
        pair->thirds = malloc(sizeof *pair->thirds);
    if (run->setup->request.plan.bands == BANDS_THIRD && pair->thirds == NULL)
        return failure_memory(failure, sizeof *pair->thirds, "the figures of thirds");
    if (pair->thirds != NULL)
        TRY(third_figures_make(sample, pair->samples, RESPONSE_RATE, run->grid->fmax, onset,
                               FIGURES_REFERENCE, pair->thirds, failure));
    return speech_transmission_make(sample, pair->samples, RESPONSE_RATE, run->grid->fmax, onset, NULL,
                                    &pair->speech, failure);
}

/* Those that follow from its figures, which are complete, and from the sound of its file, up to `highest`. */
static int find_further(const struct grid_run *run, struct grid_pair *pair, const float *sample,
                        double highest, struct failure *failure)
{
    further_figures_derive(&pair->figures, pair->distance, run->grid->findings.air_volume,
                           run->setup->model.sound_speed, &pair->further);
    return echo_criterion_make(sample, pair->samples, RESPONSE_RATE, highest, onset_of(run, pair),
                               &pair->further, failure);
}

static int write_response(struct grid_run *run, size_t source, size_t receiver,
                          const struct run_output *output, const float *sample, struct failure *failure)
{
    const struct room_points *points = &run->setup->points;
    struct grid_pair *pair = &run->pair[source * points->receivers + receiver];
    char name[GRID_FILE_MAX];
    snprintf(name, sizeof name, "%s%s_%s.wav", output->prefix, points->point[source].name,
             points->point[points->sources + receiver].name);
    TRY(result_put_wav(output->folder, name, sample, pair->samples, 1, RESPONSE_RATE, failure));
    memcpy(pair->file, name, sizeof name);
    return 0;
}

static int make_response(struct grid_run *run, size_t source, size_t receiver,
                         const struct run_output *output, float **sample, struct failure *failure)
{
    struct grid_pair *pair = &run->pair[source * run->setup->points.receivers + receiver];
    TRY(response_check_time(&output->chain));
    return response_make(
        &output->chain, engine_row(output->raw, output->steps, row_of_receiver(&run->rows, receiver)),
        (size_t)output->steps, grid_ears_first(run, source, receiver), sample, &pair->samples, failure);
}

static int write_pair(struct grid_run *run, size_t source, size_t receiver, const struct run_output *output,
                      struct failure *failure)
{
    struct grid_pair *pair = &run->pair[source * run->setup->points.receivers + receiver];
    float *sample = NULL;
    TRY(make_response(run, source, receiver, output, &sample, failure));
    int code = find_figures(run, pair, output, sample, failure);
    if (code == 0)
        code = grid_ears_write(run, source, receiver, output, sample, run->grid->fmax, failure);
    if (code == 0)
        code = find_further(run, pair, sample, run->grid->fmax, failure);
    if (code == 0)
        code = write_response(run, source, receiver, output, sample, failure);
    if (code == 0 && run->rows.directional > 0)
        code = grid_direction_write(run, source, receiver, output, sample, failure);
    free(sample);
    return code;
}

/* Of the whole band, once the waves of all receivers are known. */
static int join_pairs(struct grid_run *run, size_t source, const struct run_output *output, float **wave,
                      struct failure *failure)
{
    const size_t receivers = run->setup->points.receivers;
    for (size_t r = 0; r < receivers; r++) {
        TRY(make_response(run, source, r, output, &wave[r], failure));
        TRY(find_figures(run, &run->pair[source * receivers + r], output, wave[r], failure));
    }
    TRY(whole_band_settle(run->whole, source, failure));
    whole_band_warn(run->whole, source, run->notices);
    for (size_t r = 0; r < receivers; r++) {
        struct grid_pair *pair = &run->pair[source * receivers + r];
        float *joined = malloc((pair->samples + 1) * sizeof *joined);
        int code = joined == NULL ? failure_memory(failure, pair->samples * sizeof *joined, "a response")
                                  : whole_band_response(run->whole, source, r, 1, 0, wave[r], pair->samples,
                                                        joined, failure);
        if (code == 0)
            code = grid_ears_write(run, source, r, output, joined, WHOLE_BAND_HIGHEST, failure);
        if (code == 0)
            code = write_response(run, source, r, output, joined, failure);
        if (code == 0)
            whole_band_figures(run->whole, source, r, &pair->figures, &pair->speech);
        if (code == 0)
            code = find_further(run, pair, joined, WHOLE_BAND_HIGHEST, failure);
        if (code == 0)
            code = echo_paths_name(run->whole, source, r, onset_of(run, pair), &pair->further,
                                   pair->echo_path, failure);
        free(joined);
        if (code != 0)
            return code;
        if (run->rows.directional > 0)
            TRY(grid_direction_write(run, source, r, output, wave[r], failure));
    }
    return 0;
}

/* Which share of the run the steps or the rays of a source are, as predicted. */
static void tell_part(const struct grid_run *run, size_t source, bool rays)
{
    const struct room_points *points = &run->setup->points;
    const size_t runs = room_points_runs(points), grids = run->setup->request.plan.repeat_shifted ? 2 : 1;
    const double of_rays = run->whole != NULL ? run->needs.seconds_rays : 0, steps = run->needs.seconds_steps,
                 share = of_rays > 0 ? steps / (steps + of_rays) : 1, count = (double)(grids * runs);
    size_t before = run->grid == &run->setup->grid ? 0 : runs;
    for (size_t s = 0; s < source; s++)
        before += !points->point[s].member;
    progress_json_part(before + 1, grids * runs, ((double)before + (rays ? share : 0)) / count,
                       ((double)before + (rays ? 1 : share)) / count, (double)grids * (steps + of_rays));
}

static int write_joined(struct grid_run *run, size_t source, const struct run_output *output,
                        struct failure *failure)
{
    const size_t receivers = run->setup->points.receivers;
    float **wave = calloc(receivers + 1, sizeof *wave);
    if (wave == NULL)
        return failure_memory(failure, receivers * sizeof *wave, "responses");
    tell_part(run, source, true);
    int code = whole_band_trace(run->whole, source, failure);
    progress_json_begin("responses", run->setup->points.point[source].name);
    if (code == 0)
        code = join_pairs(run, source, output, wave, failure);
    for (size_t r = 0; r < receivers; r++)
        free(wave[r]);
    free(wave);
    return code;
}

static int write_waves(struct grid_run *run, size_t source, const struct run_output *output,
                       struct failure *failure)
{
    const size_t receivers = run->setup->points.receivers;
    for (size_t r = 0; r < receivers; r++) {
        progress_json_piece(r, receivers);
        TRY(write_pair(run, source, r, output, failure));
    }
    return 0;
}

/* The responses of all receivers, and of all points of all receiver grids. If rays of
 * the source could not be traced to their end they are those of the waves. */
static int write_all(struct grid_run *run, size_t source, const struct run_output *output,
                     struct failure *failure)
{
    size_t point = 0;
    if (run->whole != NULL) {
        const int code = write_joined(run, source, output, failure);
        if (code != 0 && !whole_band_is_traced(run->whole, source))
            TRY(write_waves(run, source, output, failure));
        TRY(code);
    } else {
        TRY(write_waves(run, source, output, failure));
    }
    for (size_t g = 0; g < run->grid->receiver_grids; g++) {
        TRY(receiver_map_write(run->setup, source, g, output, row_of_grid_point(&run->rows, point),
                               &run->map[source * run->grid->receiver_grids + g], failure));
        if (run->whole != NULL)
            whole_band_map_figures(run->whole, source, point, run->grid->receiver_grid[g].count,
                                   run->map[source * run->grid->receiver_grids + g].figures);
        point += run->grid->receiver_grid[g].count;
    }
    if (run->whole != NULL)
        whole_band_finish(run->whole, source);
    return 0;
}

/* source_run(), unless a keeper has what the source gave. */
static int run_or_find(struct grid_run *run, size_t source, const struct grid_run_settings *settings,
                       struct source_run_settings *of_source, struct failure *failure)
{
    struct source_keep *keep = settings->keep;
    struct source_progress *progress = &run->source[source];
    if (keep != NULL) {
        const uint64_t lead =
            response_lead(&run->grid->step, run->grid->fmax) + grid_radiation_longer(run, source);
        source_keep_start(keep, settings->first_number + source, settings->keep_apart);
        progress->rows = rows_kept(&run->rows);
        source_run_plan(of_source, lead, progress);
        TRY(source_keep_find_ended(keep, progress, failure));
        if (progress->steps > 0)
            return 0;
        of_source->keeper = &keep->keeper;
    }
    TRY(source_run(run->engine, &run->grid->lattice, grid_radiation_first(run, source),
                   grid_radiation_channels(run), rows_kept(&run->rows), of_source, progress, failure));
    if (keep != NULL && !progress->interrupted)
        source_keep_ended(keep, progress);
    return 0;
}

/* The onsets of the rows that are followed, of a source. */
static void find_onsets(const struct grid_run *run, size_t source, double *onset)
{
    const size_t receivers = run->setup->points.receivers;
    for (size_t f = 0; f < run->followed_count; f++) {
        size_t point = run->followed[f];
        if (point < receivers) {
            onset[f] = onset_of(run, &run->pair[source * receivers + point]);
            continue;
        }
        const struct receiver_map *map = &run->map[source * run->grid->receiver_grids];
        for (point -= receivers; point >= map->points; map++)
            point -= map->points;
        onset[f] = map->path[point].length / run->setup->model.sound_speed;
    }
}

static int run_source(struct grid_run *run, size_t source, const struct grid_run_settings *settings,
                      const struct grid_drives *drives, struct output_folder *folder, struct failure *failure)
{
    struct room_setup *setup = run->setup;
    const struct room_request *request = &setup->request;
    struct source_progress *progress = &run->source[source];
    char label[OPTION_NAME_MAX + 80];
    size_t number = 1;
    for (size_t s = 0; s < source; s++)
        number += !setup->points.point[s].member;
    snprintf(label, sizeof label, "%s (%zu of %zu)%s", setup->points.point[source].name, number,
             room_points_runs(&setup->points), settings->label);
    const struct response_chain chain = {
        .step = run->grid->step,
        .fmax = run->grid->fmax,
        .longer = grid_radiation_longer(run, source),
        /* never twice */
        .method = engine_air_loss(run->engine) != NULL ? AIR_OFF : request->model.air_method,
        .air = &setup->model.air};
    find_onsets(run, source, run->followed_onset);
    const struct decay_rows decay = {.chain = chain,
                                     .count = run->followed_count,
                                     .row = run->followed,
                                     .onset = run->followed_onset,
                                     .threads = (int)request->engine.threads};
    const struct field_room room = {.lambda2 = run->grid->step.lambda2,
                                    .spacing = run->grid->step.spacing,
                                    .air_nodes = run->grid->packed.air_nodes,
                                    .mass = cut_masses_sum(&run->grid->packed),
                                    .push = drives->channel != NULL
                                                ? drives->channel[0].push
                                                : stencil_push(&run->grid->packed, &run->stencil[source]),
                                    .precision = request->engine.precision,
                                    .hard = room_walls_hard(setup)};
    struct source_run_settings source_settings = {
        .step = run->grid->step,
        .fmax = run->grid->fmax,
        .duration = settings->duration,
        .first_duration = run->needs.first_duration,
        .likely_duration = run->needs.duration,
        .longest_duration = DURATION_LONGEST,
        .decay = &decay,
        .stored_nodes =
            (uint64_t)(request->engine.layout == LAYOUT_BOX ? run->needs.box_nodes : run->needs.stored_nodes),
        .room = &room,
        .label = label,
        .progress = run->notices->quiet ? NULL : stderr,
        .channel = drives->channel,
        .channels = drives->count,
        .interrupt = &interrupt_seen,
        .drops_overdue = !settings->finishes_responses,
        .patience = backend_is_device(setup->backend.backend) ? BATCH_PATIENCE : 0.0,
    };
    TRY(energy_ledger_make(run->grid->step.spacing, room_ledger_surfaces(setup), &progress->ledger, failure));
    if (run->grid->kinds.count > 0)
        TRY(energy_ledger_of_kinds(&progress->ledger, &run->grid->kinds, failure));
    progress->ledger.channels = drives->count;
    progress->ledger.at_wall = grid_radiation_at_wall(run, source);
    progress->driven = drives->driven;
    struct wave_picture picture = {0};
    if (settings->watched && ranks_count() == 1)
        wave_picture_start(&picture, &run->grid->packed, setup->points.point[source].position[2],
                           folder->path);
    source_settings.picture = &picture;
    tell_part(run, source, false);
    progress_json_begin("steps", setup->points.point[source].name);
    int code = run_or_find(run, source, settings, &source_settings, failure);
    wave_picture_end(&picture);
    const struct field_record *field = &progress->monitor.record;
    run->sources_run = source + 1;
    run->engine_lost = engine_failed(run->engine, NULL) != 0;
    if (progress->capped != 0)
        room_warn(
            run->notices,
            "%s: stopped at %.0f s, when the octave that decayed least had %.1f dB of decay; %g dB were "
            "asked for",
            setup->points.point[source].name, DURATION_LONGEST, source_least_range(progress),
            DECAY_RANGE_T30);
    if (field->near > 0)
        room_warn_advise(
            run->notices, ADVICE_DOUBLE_OR_SHORTER, 0,
            "%s: from step %llu on, %.0f %% of the field or more is a drift of its mean pressure, which is "
            "rounding, not sound",
            setup->points.point[source].name, (unsigned long long)field->near,
            floor(100.0 * field->near_share));
    /* Also of a run that went wrong, as far as it came; then that is what is reported. Not where a rank was
     * lost: mpirun leaves the others a second, in which that is to be said. */
    const bool cut_short = code == FAILURE_SIMULATION || (run->engine_lost && !ranks_lost()) ||
                           (code == FAILURE_CAPACITY && progress->steps > progress->lead);
    int written = code == 0 || cut_short ? 0 : code;
    const bool warped = run->grid->step.scheme == SCHEME_ISOTROPIC;
    struct warp warp = {0}; /* that all responses of this run share */
    struct run_output output = {.prefix = settings->prefix,
                                .folder = folder,
                                .raw = progress->raw,
                                .steps = progress->steps,
                                .whole = run->whole,
                                .chain = chain};
    output.chain.warp = warped ? &warp : NULL;
    output.chain.check = settings->finishes_responses ? NULL : interrupt_check;
    if (written == 0)
        written = response_check_time(&output.chain);
    progress_json_begin("responses", setup->points.point[source].name);
    if (written == 0 && progress->steps > progress->lead) {
        struct failure *told = cut_short ? NULL : failure;
        if (warped)
            written = warp_make(&run->grid->step, run->grid->fmax, (size_t)progress->lead,
                                (size_t)progress->steps, RESPONSE_RATE, &warp, told);
        if (written == 0)
            written = write_all(run, source, &output, told);
    }
    warp_free(&warp);
    if (code == 0)
        code = written;
    if (code == 0 && progress->interrupted)
        code = FAILURE_INTERRUPTED;
    free(progress->raw);
    progress->raw = NULL;
    return code;
}

int grid_run_source(struct grid_run *run, size_t source, const struct grid_run_settings *settings,
                    struct output_folder *folder, struct failure *failure)
{
    struct grid_drives drives = {0};
    if (run->setup->points.point[source].member) { /* it sounds with others, and not by itself */
        run->sources_run = source + 1;
        return 0;
    }
    int code = grid_radiation_drives(run, source, &drives, failure);
    if (code == 0)
        code = run_source(run, source, settings, &drives, folder, failure);
    grid_drives_free(&drives);
    return code;
}

void grid_run_summary(const struct grid_run *run, struct figure_summary *out)
{
    *out = (struct figure_summary){0};
    for (size_t p = 0; run->pair != NULL && p < run->setup->points.sources * run->setup->points.receivers;
         p++)
        if (run->pair[p].file[0] != '\0') {
            figure_summary_add(out, &run->pair[p].figures);
            speech_summary_add(&out->speech, &run->pair[p].speech, NULL);
            further_summary_add(out, &run->pair[p].further);
            if (run->direction != NULL && run->direction[p].file[0] != '\0')
                lateral_summary_add(out, &run->direction[p].lateral);
        }
}

void grid_run_thirds(const struct grid_run *run, struct figure_summary *out)
{
    *out = (struct figure_summary){0};
    for (size_t p = 0; run->pair != NULL && p < run->setup->points.sources * run->setup->points.receivers;
         p++)
        if (run->pair[p].file[0] != '\0' && run->pair[p].thirds != NULL)
            third_summary_add(out, run->pair[p].thirds);
}
