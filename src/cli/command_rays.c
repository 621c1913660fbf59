/** `transept rays`: figures of a room by energy along rays, without a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        const struct ray_room_settings settings = {.noise = options->ray_noise / 100,
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

static void place_figures(const struct ray_result *result, size_t place, struct acoustic_figures *figures,
                          struct speech_transmission *speech)
{
    *figures = (struct acoustic_figures){.reference = FIGURES_REFERENCE, .strength = NAN};
    *speech = (struct speech_transmission){0};
    ray_figures_put(&result->figures[place], 0, figures);
    ray_speech_put(&result->energy, place, 0, speech);
}

static bool has_result(const struct sounding *sounding, size_t source, size_t place)
{
    return sounding->result[source].figures != NULL && sounding->room.place[place].radius > 0;
}

static void summarise(const struct sounding *sounding, struct figure_summary *summary)
{
    struct acoustic_figures figures;
    struct speech_transmission speech;
    *summary = (struct figure_summary){0};
    for (size_t s = 0; s < sounding->results; s++)
        for (size_t r = 0; r < sounding->places; r++)
            if (has_result(sounding, s, r)) {
                place_figures(&sounding->result[s], r, &figures, &speech);
                figure_summary_add(summary, &figures);
                speech_summary_add(&summary->speech, &speech, NULL);
            }
}

/* Root mean square over all pairs of what scattering changes, or of noise, in just noticeable differences. */
static double mean_steps(const struct sounding *sounding, bool noise, enum figure figure, size_t octave)
{
    double sum = 0, count = 0;
    for (size_t s = 0; s < sounding->results; s++)
        for (size_t r = 0; r < sounding->places; r++) {
            if (!has_result(sounding, s, r))
                continue;
            const struct ray_result *result = &sounding->result[s];
            const double value = result->figures[r].value[figure][octave];
            const double change = (noise ? result->noise : result->spread)[r].value[figure][octave];
            const double steps = ray_figure_steps(figure, value, value + change);
            if (isfinite(steps)) {
                sum += steps * steps;
                count++;
            }
        }
    return sqrt(sum / count);
}

static void print_uncertainty(const struct sounding *sounding)
{
    static const enum figure shown[] = {FIGURE_EDT, FIGURE_T30, FIGURE_C80, FIGURE_D50, FIGURE_G};
    struct table table;
    int hz[RAY_OCTAVES];
    char label[32];
    bool unsure = false;
    for (int o = 0; o < RAY_OCTAVES; o++)
        hz[o] = octave_nominal(ray_octave_centre(o));
    table_begin(&table, "uncertainty");
    figure_report_heads(&table, "uncertainty [JND]", RAY_OCTAVES, hz);
    for (size_t f = 0; f < sizeof shown / sizeof *shown; f++) {
        (void)snprintf(label, sizeof label, "%s, scattering", figure_kind[shown[f]].word);
        TABLE_ROW_WORDS(&table, label);
        for (size_t o = 0; o < RAY_OCTAVES; o++) {
            const double steps = mean_steps(sounding, false, shown[f], o);
            unsure = unsure || steps > RAY_UNSURE;
            TABLE_VALUE_CELL(&table, steps, 1, 1);
        }
    }
    TABLE_ROW_WORDS(&table, "G, number of rays");
    for (size_t o = 0; o < RAY_OCTAVES; o++)
        TABLE_VALUE_CELL(&table, mean_steps(sounding, true, FIGURE_G, o), 1, 1);
    figure_report_table(stdout, &table, RAY_OCTAVES);
    printf("  scattering: change with half or twice the scattering of all surfaces, rms of all pairs\n");
    if (unsure)
        printf("  figures that change by more than %.0f JND are unsure: absorption is unevenly distributed, "
               "and scattering decides\n",
               RAY_UNSURE);
}

static void print_words(const struct sounding *sounding)
{
    struct figure_summary summary;
    double rays = 0, seconds = 0, noise = 0;
    for (size_t s = 0; s < sounding->results; s++) {
        rays += (double)sounding->result[s].energy.rays;
        seconds += sounding->result[s].seconds;
        noise = fmax(noise, sounding->result[s].noise_reached);
    }
    summarise(sounding, &summary);
    printf("%.0f rays, and a quarter as many to vary the scattering, in %.1f s; noise %.2g %%\n", rays,
           seconds, 100 * noise);
    figure_report_print(stdout, &summary, NULL);
    print_uncertainty(sounding);
}

/* ---- JSON ---- */

static void add_uncertainty(cJSON *entry, const char *name, const struct ray_figures *of)
{
    cJSON *object = json_object_in(entry, name);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        JSON_PUT(object, {figure_kind[f].name, cJSON_CreateDoubleArray(of->value[f], RAY_OCTAVES)});
}

static void add_response(cJSON *list, const struct sounding *sounding, size_t source, size_t place)
{
    const struct room_points *points = &sounding->setup.points;
    const struct ray_result *result = &sounding->result[source];
    struct acoustic_figures figures;
    struct speech_transmission speech;
    struct record_response record;
    cJSON *entry = json_append_object(list);
    JSON_PUT(entry, {"source", OF_TEXT(points->point[source].name)});
    if (place < points->receivers)
        JSON_PUT(entry, {"receiver", OF_TEXT(points->point[points->sources + place].name)});
    JSON_PUT(entry, {"position_m", OF_POINT(sounding->place[place])},
             {"radius_m", OF_NUMBER(sounding->room.place[place].radius)});
    if (!has_result(sounding, source, place))
        return;
    place_figures(result, place, &figures, &speech);
    json_clear(&record_figures_table, &record);
    if (record_fill_figures(&record, &figures, NULL) && record_fill_speech(&record, &speech, figures.bands))
        (void)json_write(&record_figures_table, &record, entry);
    json_free_members(&record_figures_table, &record);
    add_uncertainty(entry, "noise", &result->noise[place]);
    add_uncertainty(entry, "scattering", &result->spread[place]);
    add_uncertainty(entry, "error", &result->error[place]);
}

static int print_object(const struct sounding *sounding, struct failure *failure)
{
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"program", OF_TEXT("transept")}, {"version", OF_TEXT(TRANSEPT_VERSION)});
    cJSON *runs = json_list_in(object, "runs"), *responses = json_list_in(object, "responses");
    for (size_t s = 0; s < sounding->results; s++) {
        const struct ray_result *result = &sounding->result[s];
        if (result->figures == NULL)
            continue;
        JSON_PUT(json_append_object(runs), {"source", OF_TEXT(sounding->setup.points.point[s].name)},
                 {"rays", OF_NUMBER(result->energy.rays)}, {"noise", OF_NUMBER(result->noise_reached)},
                 {"seconds", OF_NUMBER(result->seconds)});
        for (size_t r = 0; r < sounding->places; r++)
            add_response(responses, sounding, s, r);
    }
    return print_json(object, failure);
}

int command_rays(const struct options *options, struct failure *failure)
{
    struct sounding sounding = {0};
    interrupt_ends = 1;
    int code = prepare_room(options, &sounding, failure);
    if (code == 0)
        code = trace_sources(options, &sounding, failure);
    if (code == 0 && options->json)
        code = print_object(&sounding, failure);
    else if (code == 0 && !options->request.quiet)
        print_words(&sounding);
    sounding_free(&sounding);
    return code;
}
