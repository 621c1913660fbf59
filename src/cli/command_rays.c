/** `transept rays`: figures of a room by energy along rays, without a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/base/interrupt.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/base/table/json_values.h"
#include "src/cli/commands.h"
#include "src/rays/ray_room.h"
#include "src/response/acoustics/figure_report.h"
#include "src/run_folder/figure_record.h"
#include "src/setup/room_voxelise.h"
#include "src/setup/room_walls.h"

/* Nodes in the bounding box of the grid on which receivers are placed: some 20 cm in a church. */
#define GRID_NODES 1e6

/* Everything of one call; freed by sounding_free(). */
struct sounding {
    struct room_setup setup;
    size_t places;
    double (*place)[3]; /* (places) receivers, then the points of receiver grids */
    struct ray_room room;
    size_t results;            /* (sources) that were traced */
    struct ray_result *result; /* (sources); zeroed for members of a group */
};

static void sounding_free(struct sounding *sounding)
{
    for (size_t s = 0; s < sounding->results; s++)
        ray_result_free(&sounding->result[s]);
    free(sounding->result);
    free(sounding->place);
    ray_room_free(&sounding->room);
    room_setup_free(&sounding->setup);
}

/* ---- the room ---- */

static int list_places(struct sounding *sounding, struct failure *failure)
{
    const struct room_points *points = &sounding->setup.points;
    const struct room_grid *grid = &sounding->setup.grid;
    const size_t count = points->receivers + grid->grid_points;
    sounding->place = calloc(count + 1, sizeof *sounding->place);
    sounding->result = calloc(points->sources + 1, sizeof *sounding->result);
    if (sounding->place == NULL || sounding->result == NULL)
        return failure_memory(failure, count * sizeof *sounding->place, "positions");
    for (size_t r = 0; r < points->receivers; r++)
        memcpy(sounding->place[sounding->places++], points->point[points->sources + r].position,
               sizeof *sounding->place);
    for (size_t g = 0; g < grid->receiver_grids; g++) {
        const struct receiver_grid *area = &grid->receiver_grid[g];
        memcpy(sounding->place + sounding->places, area->position, area->count * sizeof *area->position);
        sounding->places += area->count;
    }
    return 0;
}

static void aim_sources(struct sounding *sounding)
{
    struct room_setup *setup = &sounding->setup;
    double middle[3] = {0};
    for (size_t r = 0; r < sounding->places; r++)
        for (int axis = 0; axis < 3; axis++)
            middle[axis] += sounding->place[r][axis] / (double)sounding->places;
    for (size_t s = 0; s < setup->points.sources; s++) {
        struct source_direction *direction = &setup->directions.of[s];
        source_front(direction, setup->points.point[s].position, middle, direction->front);
        direction->placed = true;
    }
}

static bool is_on_command_line(const struct room_request *request, const char *option)
{
    bool found = false;
    for (int i = 0; i < request->argument_count && !found; i++)
        found = strncmp(request->argument[i], option, strlen(option)) == 0;
    return found;
}

/* Points of receiver grids take most of the time, and a first look does without. Those of a project that has
 * receivers are left out unless the command line has its own; returns how many grids. */
static size_t leave_grids_out(struct room_request *request)
{
    const size_t count = request->points.receiver_grid.count;
    if (request->points.receiver.count == 0 || is_on_command_line(request, "--receiver-grid"))
        return 0;
    request->points.receiver_grid = (struct option_grids){.none = true};
    return count;
}

static int prepare_room(const struct options *options, struct sounding *sounding, struct failure *failure)
{
    struct room_setup *setup = &sounding->setup;
    struct room_request request = options->request;
    if (rays_are_absent())
        return ray_scene_make(NULL, NULL, NULL, failure);
    request.model.complete = request.points.audience = request.points.place_receiver = true;
    const size_t left_out = leave_grids_out(&request);
    request.grid.scheme = SCHEME_STANDARD; /* the grid is for places alone */
    request.engine.walls = WALLS_STAIRCASE;
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, setup, failure));
    room_walls_say_highest(&setup->model, &setup->notices);
    if (left_out > 0)
        room_say(&setup->notices,
                 "left out, to be fast: %zu receiver grid%s of the project; --receiver-grid audience traces "
                 "points where people sit",
                 left_out, left_out == 1 ? "" : "s");
    progress_json_begin("grid", NULL);
    TRY(room_grid_spacing(&setup->request, &setup->model, room_spacing_of_nodes(&setup->model, GRID_NODES),
                          &setup->grid, failure));
    TRY(room_voxelise(setup, failure));
    TRY(list_places(sounding, failure));
    aim_sources(sounding);
    TRY(ray_room_make(setup, (const double(*)[3])sounding->place, sounding->places, &sounding->room,
                      failure));
    return ray_room_refuse_near(&sounding->room, failure);
}

static int trace_sources(const struct options *options, struct sounding *sounding, struct failure *failure)
{
    const struct room_points *points = &sounding->setup.points;
    for (size_t s = 0; s < points->sources; s++) {
        const struct ray_room_settings settings = {.noise = options->request.plan.ray_noise / 100,
                                                   .speech = points->receivers,
                                                   .label = points->point[s].name,
                                                   .progress = options->request.quiet ? NULL : stderr};
        sounding->results = s + 1;
        if (points->point[s].member)
            continue;
        progress_json_begin("rays", points->point[s].name);
        TRY(ray_room_trace(&sounding->room, s, &settings, &sounding->result[s], failure));
    }
    return 0;
}

/* ---- results ---- */

static bool has_result(const struct sounding *sounding, size_t source, size_t place)
{
    return sounding->result[source].figures != NULL && sounding->room.place[place].radius > 0;
}

static bool fill_response(struct record_response *record, const struct sounding *sounding, size_t source,
                          size_t place, struct figure_summary *summary)
{
    const struct ray_result *result = &sounding->result[source];
    const struct room_points *points = &sounding->setup.points;
    const double sti_error = place < points->receivers ? result->sti_spread[place] : NAN;
    struct acoustic_figures figures = {.reference = FIGURES_REFERENCE, .strength = NAN};
    struct speech_transmission speech = {0};
    struct further_figures further;
    ray_figures_put(&result->figures[place], 0, &figures);
    ray_speech_put(&result->energy, place, 0, &speech);
    further_figures_clear(&further);
    further_figures_derive(&figures, vector_distance(points->point[source].position, sounding->place[place]),
                           sounding->setup.grid.findings.air_volume, sounding->setup.model.sound_speed,
                           &further);
    further_summary_add(summary, &further);
    figure_summary_add(summary, &figures);
    speech_summary_add(&summary->speech, &speech, NULL);
    return record_fill_figures(record, &figures, NULL) &&
           record_fill_speech(record, &speech, figures.bands) && record_fill_further(record, &further) &&
           record_fill_rays(record, 0, result->spread[place].value[0], result->error[place].value[0], NULL,
                            sti_error);
}

/* All places with a result, source by source: as responses of `model`, and together. */
static int fill_responses(const struct sounding *sounding, struct run_model *model,
                          struct figure_summary *summary, struct failure *failure)
{
    const size_t most = sounding->results * sounding->places;
    size_t count = 0;
    run_model_clear(model);
    *summary = (struct figure_summary){0};
    bool filled = JSON_LIST_MAKE(&record_response_table, &model->responses, most);
    for (size_t s = 0; filled && s < sounding->results; s++)
        for (size_t r = 0; filled && r < sounding->places; r++)
            if (has_result(sounding, s, r))
                filled = fill_response(&model->responses.item[count++], sounding, s, r, summary);
    if (!filled)
        return failure_memory(failure, most * sizeof *model->responses.item, "the figures of rays");
    model->responses.count = count;
    return 0;
}

static void print_words(const struct sounding *sounding, const struct run_model *model,
                        const struct figure_summary *summary)
{
    struct figure_bars bars;
    double rays = 0, seconds = 0, noise = 0, gaps = 0;
    for (size_t s = 0; s < sounding->results; s++) {
        rays += (double)sounding->result[s].energy.rays;
        seconds += sounding->result[s].seconds;
        noise = fmax(noise, sounding->result[s].noise_reached);
        gaps = fmax(gaps, sounding->result[s].gaps);
    }
    if (gaps >= RAY_GAPS_LEAST)
        printf(
            "gaps of the model would let out %.0f %% of the sound; they are closed for rays, as on a grid of "
            "%.2g m\n",
            100 * gaps, sounding->setup.grid.step.spacing);
    printf("%.0f rays, and a quarter as many to vary the scattering, in %.1f s; noise %.2g %%\n", rays,
           seconds, 100 * noise);
    figure_report_print(stdout, summary, record_fill_bars(model, &bars) ? &bars : NULL, NULL);
}

/* ---- JSON ---- */

static void add_noise(cJSON *entry, const struct ray_figures *noise)
{
    cJSON *object = json_object_in(entry, "noise");
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        JSON_PUT(object, {figure_kind[f].name, cJSON_CreateDoubleArray(noise->value[f], RAY_OCTAVES)});
}

/* `record`: NULL without a result. */
static void add_response(cJSON *list, const struct sounding *sounding, size_t source, size_t place,
                         const struct record_response *record)
{
    const struct room_points *points = &sounding->setup.points;
    cJSON *entry = json_append_object(list);
    JSON_PUT(entry, {"source", OF_TEXT(points->point[source].name)});
    if (place < points->receivers)
        JSON_PUT(entry, {"receiver", OF_TEXT(points->point[points->sources + place].name)});
    JSON_PUT(entry, {"position_m", OF_POINT(sounding->place[place])},
             {"radius_m", OF_NUMBER(sounding->room.place[place].radius)});
    if (record == NULL)
        return;
    (void)json_write(&record_figures_table, record, entry);
    add_noise(entry, &sounding->result[source].noise[place]);
}

static int print_object(const struct sounding *sounding, const struct run_model *model,
                        struct failure *failure)
{
    const struct record_response *record = model->responses.item;
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"program", OF_TEXT("transept")}, {"version", OF_TEXT(TRANSEPT_VERSION)});
    cJSON *runs = json_list_in(object, "runs"), *responses = json_list_in(object, "responses");
    for (size_t s = 0; s < sounding->results; s++) {
        const struct ray_result *result = &sounding->result[s];
        if (result->figures == NULL)
            continue;
        JSON_PUT(json_append_object(runs), {"source", OF_TEXT(sounding->setup.points.point[s].name)},
                 {"rays", OF_NUMBER(result->energy.rays)}, {"noise", OF_NUMBER(result->noise_reached)},
                 {"gaps", OF_NUMBER(result->gaps)}, {"seconds", OF_NUMBER(result->seconds)});
        for (size_t r = 0; r < sounding->places; r++)
            add_response(responses, sounding, s, r, has_result(sounding, s, r) ? record++ : NULL);
    }
    return print_json(object, failure);
}

static int show(const struct options *options, const struct sounding *sounding, struct failure *failure)
{
    struct run_model model;
    struct figure_summary summary;
    int code = fill_responses(sounding, &model, &summary, failure);
    if (code == 0 && options->json)
        code = print_object(sounding, &model, failure);
    else if (code == 0 && !options->request.quiet)
        print_words(sounding, &model, &summary);
    run_model_free(&model);
    return code;
}

int command_rays(const struct options *options, struct failure *failure)
{
    struct sounding sounding = {0};
    interrupt_ends = 1;
    int code = prepare_room(options, &sounding, failure);
    if (code == 0)
        code = trace_sources(options, &sounding, failure);
    if (code == 0)
        code = show(options, &sounding, failure);
    sounding_free(&sounding);
    return code;
}
