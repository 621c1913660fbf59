#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands.h"
#include "src/energy_report.h"
#include "src/figure_report.h"
#include "src/figure_spread.h"
#include "src/grid_direction.h"
#include "src/grid_run.h"
#include "src/head_filters.h"
#include "src/map_files.h"
#include "src/response.h"
#include "src/run_geometry.h"
#include "src/run_record.h"
#include "src/project.h"
#include "src/variant_runs.h"
#include "src/way_out.h"

struct simulation {
    struct room_setup setup;
    struct room_estimate estimate;
    struct grid_run run;
    struct room_setup shifted_setup; /* --repeat-shifted: the same room, the grid moved by half a cell */
    struct grid_run shifted;
    struct head_filters ears; /* --head */
    struct ways_out ways;     /* of an open or sealed room */
    struct output_folder folder;
    bool partial;
};

static void simulation_free(struct simulation *simulation)
{
    output_folder_undo(&simulation->folder);
    grid_run_free(&simulation->shifted);
    grid_run_free(&simulation->run);
    room_setup_shifted_free(&simulation->shifted_setup);
    ways_out_free(&simulation->ways);
    room_setup_free(&simulation->setup);
    head_filters_free(&simulation->ears);
}

/* ---- before the first step ---- */

/* The second grid, as far as it can be refused; what is odd there is said once, of the first grid. */
static int prepare_shifted(struct simulation *simulation, struct failure *failure)
{
    struct grid_run *run = &simulation->shifted;
    TRY(room_setup_shifted(&simulation->setup, &simulation->shifted_setup, failure));
    run->setup = &simulation->shifted_setup;
    run->needs = estimate_needs_of_grid(run->setup, &simulation->estimate);
    run->ears = simulation->run.ears;
    return grid_run_place(run, failure);
}

/* The head that listens. */
static int prepare_ears(struct simulation *simulation, const char *path, struct failure *failure)
{
    struct head_data head = {0};
    TRY(head_data_read(path, &head, failure));
    const int code = head_filters_make(&head, RESPONSE_RATE, &simulation->ears, failure);
    head_data_free(&head);
    simulation->run.ears = &simulation->ears;
    return code;
}

/* Room, air, engine: everything that can be refused, before the folder is made. */
static int prepare(struct simulation *simulation, const struct options *options, struct failure *failure)
{
    struct room_setup *setup = &simulation->setup;
    struct grid_run *run = &simulation->run;
    run->setup = setup;
    if (options->head != NULL)
        TRY(prepare_ears(simulation, options->head, failure));
    TRY(room_setup_read(options, true, setup, failure));
    setup->find_ways = options->open || options->seal > 0;
    TRY(estimate_make_grid(setup, &simulation->estimate, &run->needs, failure));
    TRY(ways_out_make(setup, &simulation->ways, failure));
    TRY(grid_run_place(run, failure));
    if (options->repeat_shifted)
        TRY(prepare_shifted(simulation, failure));
    TRY(grid_run_start(run, failure));
    return room_interrupted(failure);
}

/* ---- running ---- */

static int run_sources(struct simulation *simulation, struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run_settings settings = {
        .prefix = "ir_", .label = "", .duration = setup->options->duration};
    int code = 0;
    room_say(setup, "%s", simulation->run.description);
    for (size_t s = 0; code == 0 && s < setup->sources; s++)
        code = grid_run_source(&simulation->run, s, &settings, &simulation->folder, failure);
    return code;
}

/* As many steps on the moved grid, source by source. */
static int run_shifted(struct simulation *simulation, struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    struct grid_run *run = &simulation->shifted;
    grid_run_stop(&simulation->run);
    int code = grid_run_start(run, failure);
    for (size_t s = 0; code == 0 && s < setup->sources; s++) {
        const struct grid_source *done = &simulation->run.source[s];
        const double steps = (double)(done->steps - done->lead);
        const struct grid_run_settings settings = {.prefix = "shifted_ir_",
                                                   .label = " on the moved grid",
                                                   .duration = (steps - 0.5) / setup->step.rate};
        code = grid_run_source(run, s, &settings, &simulation->folder, failure);
    }
    return code;
}

/* ---- what is left behind ---- */

static size_t pairs_written(const struct grid_run *run, const struct room_setup *setup)
{
    size_t count = 0;
    for (size_t p = 0; run->pair != NULL && p < setup->sources * setup->receivers; p++)
        count += run->pair[p].file[0] != '\0';
    return count;
}

/* Files of responses: of pairs, and of receiver grids. */
static size_t written(const struct grid_run *run, const struct room_setup *setup)
{
    size_t count = pairs_written(run, setup);
    for (size_t m = 0; run->map != NULL && m < setup->sources * setup->receiver_grids; m++)
        count += run->map[m].file[0] != '\0';
    return count;
}

/* A figure and, where the moved grid gave it too, the spread of the two. */
static void add_figure(cJSON *object, const char *name, double value, const double *shifted)
{
    char spread[80];
    cJSON_AddNumberToObject(object, name, value);
    snprintf(spread, sizeof spread, "%s_spread", name);
    if (shifted != NULL)
        cJSON_AddNumberToObject(object, spread, fabs(*shifted - value));
}

static double energy_change(const struct grid_source *source)
{
    return source->field.energy_end / source->field.energy_start - 1;
}

static struct energy_room energy_room(const struct room_setup *setup, uint64_t lead)
{
    return (struct energy_room){.materials = setup->mesh.material_count,
                                .name = setup->mesh.material,
                                .area = setup->area,
                                .wall = setup->areas.material,
                                .rate = setup->step.rate,
                                .lead = lead,
                                .open = setup->findings.open_face_links > 0};
}

static void record_runs(cJSON *object, const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run, *shifted = &simulation->shifted;
    uint64_t steps = 0, longest = 0, lead = 0;
    double seconds = 0;
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (size_t s = 0; s < run->sources_run; s++) {
        const struct grid_source *source = &run->source[s];
        const bool both = s < shifted->sources_run;
        const double change = both ? energy_change(&shifted->source[s]) : NAN;
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "source", setup->point[s].name);
        cJSON_AddNumberToObject(entry, "steps", (double)source->steps);
        cJSON_AddNumberToObject(entry, "steps_before_emission", (double)source->lead);
        cJSON_AddNumberToObject(entry, "seconds", source->seconds);
        if (both)
            cJSON_AddNumberToObject(entry, "seconds_shifted", shifted->source[s].seconds);
        cJSON_AddNumberToObject(entry, "energy_start", source->field.energy_start);
        cJSON_AddNumberToObject(entry, "energy_end", source->field.energy_end);
        add_figure(entry, "energy_change", energy_change(source), both ? &change : NULL);
        cJSON_AddNumberToObject(entry, "energy_rise", source->field.energy_rise);
        cJSON_AddNumberToObject(entry, "mean_pressure_start", source->field.mean_start);
        cJSON_AddNumberToObject(entry, "mean_pressure_end", source->field.mean_end);
        cJSON_AddNumberToObject(entry, "mean_pressure_drift", source->field.mean_drift);
        cJSON_AddBoolToObject(entry, "capped", source->capped);
        cJSON_AddBoolToObject(entry, "interrupted", source->interrupted);
        const struct energy_room room = energy_room(setup, source->lead);
        energy_report_record(entry, &source->ledger, &room);
        cJSON_AddItemToArray(runs, entry);
        steps += source->steps;
        longest = source->steps > longest ? source->steps : longest;
        lead = source->lead;
        seconds += source->seconds;
    }
    const bool boxed = setup->options->layout == LAYOUT_BOX;
    cJSON_AddNumberToObject(object, "steps", (double)longest);
    cJSON_AddNumberToObject(object, "steps_before_emission", (double)lead);
    cJSON_AddNumberToObject(object, "duration_s",
                            (longest > lead ? (double)(longest - lead) : 0.0) / setup->step.rate);
    cJSON_AddBoolToObject(object, "duration_automatic", setup->options->duration == 0);
    cJSON_AddNumberToObject(object, "seconds", seconds);
    cJSON_AddNumberToObject(object, boxed ? "seconds_per_step_box" : "seconds_per_step_blocks",
                            seconds / (double)steps);
    cJSON_AddNumberToObject(object, "node_updates_per_second",
                            (double)steps * (boxed ? run->needs.box_nodes : run->needs.stored_nodes) /
                                seconds);
    if (run->needs.seconds > 0)
        cJSON_AddNumberToObject(object, "seconds_predicted", run->needs.seconds);
}

/* The pair of the moved grid, or NULL where there is none. */
static const struct grid_pair *shifted_pair(const struct simulation *simulation, size_t p)
{
    const struct grid_pair *pair = simulation->shifted.pair;
    return pair != NULL && pair[p].file[0] != '\0' ? &pair[p] : NULL;
}

static void record_responses(cJSON *object, const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    cJSON *responses = cJSON_AddArrayToObject(object, "responses");
    for (size_t p = 0; p < setup->sources * setup->receivers; p++) {
        const struct grid_pair *pair = &simulation->run.pair[p], *other = shifted_pair(simulation, p);
        if (pair->file[0] == '\0')
            continue;
        const double onset = other != NULL ? other->path.length / setup->sound_speed : NAN;
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "file", pair->file);
        if (other != NULL)
            cJSON_AddStringToObject(entry, "file_shifted", other->file);
        cJSON_AddStringToObject(entry, "source", setup->point[p / setup->receivers].name);
        cJSON_AddStringToObject(entry, "receiver", setup->point[setup->sources + p % setup->receivers].name);
        cJSON_AddNumberToObject(entry, "distance_m", pair->distance);
        cJSON_AddBoolToObject(entry, "direct_path_clear", pair->path.straight);
        add_figure(entry, "path_m", pair->path.length, other != NULL ? &other->path.length : NULL);
        add_figure(entry, "onset_s", pair->path.length / setup->sound_speed, other != NULL ? &onset : NULL);
        cJSON_AddNumberToObject(entry, "samples", (double)pair->samples);
        add_figure(entry, "strength_db", pair->figures.strength,
                   other != NULL ? &other->figures.strength : NULL);
        figure_record_response(entry, &pair->figures, other != NULL ? &other->figures : NULL);
        speech_record_response(entry, &pair->speech, pair->figures.bands);
        grid_direction_record(entry, &simulation->run, p, other != NULL ? &simulation->shifted : NULL);
        cJSON_AddItemToArray(responses, entry);
    }
}

/* Where the second grid stands and what it holds; the spreads of all figures stand beside them. */
static void record_shifted(cJSON *object, const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup, *shifted = &simulation->shifted_setup;
    const double h = setup->step.spacing;
    cJSON_AddBoolToObject(object, "repeat_shifted", setup->options->repeat_shifted);
    if (!setup->options->repeat_shifted)
        return;
    cJSON *entry = cJSON_AddObjectToObject(object, "shifted_grid");
    cJSON_AddItemToObject(entry, "grid_origin_m", cJSON_CreateDoubleArray(shifted->lattice.origin, 3));
    record_size(entry, shifted, &simulation->shifted.needs);
    const double nodes = (double)shifted->grid.air_nodes - (double)setup->grid.air_nodes;
    cJSON_AddNumberToObject(object, "air_nodes_spread", fabs(nodes));
    cJSON_AddNumberToObject(object, "air_volume_m3_spread",
                            fabs(shifted->findings.air_volume - setup->findings.air_volume));
    cJSON_AddNumberToObject(object, "cells_volume_m3_spread", fabs(nodes) * h * h * h);
}

/* Who listens to binaural responses, and where to. */
static void record_head(cJSON *object, const struct options *options)
{
    if (options->head == NULL)
        return;
    cJSON *head = cJSON_AddObjectToObject(object, "head");
    cJSON_AddStringToObject(head, "file", options->head);
    cJSON_AddNumberToObject(head, "yaw_deg", options->yaw);
    cJSON_AddNumberToObject(head, "pitch_deg", options->pitch);
    cJSON_AddNumberToObject(head, "roll_deg", options->roll);
}

/* NULL without memory. */
static cJSON *make_record(const struct simulation *simulation, const struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run;
    cJSON *object = cJSON_CreateObject();
    record_room(object, "simulate", setup);
    cJSON_AddBoolToObject(object, "partial", simulation->partial);
    if (simulation->partial)
        cJSON_AddStringToObject(object, "partial_because",
                                failure->sentence[0] != '\0' ? failure->sentence : "interrupted");
    record_size(object, setup, &run->needs);
    cJSON_AddStringToObject(object, "engine", run->description);
    record_runs(object, simulation);
    record_points(object, setup, run->tap);
    record_air(object, setup);
    cJSON_AddBoolToObject(object, "ambisonics", grid_direction_wanted(setup->options));
    record_head(object, setup->options);
    cJSON *calibration = cJSON_AddObjectToObject(object, "calibration");
    cJSON_AddStringToObject(
        calibration, "quantity",
        setup->options->air == AIR_OFF
            ? "in free field at r metres |sum x[n] exp(-j 2 pi f n / rate_hz)| = 1/r"
            : "in free field at r metres |sum x[n] exp(-j 2 pi f n / rate_hz)| = 1/r, less the loss of the "
              "air over r metres");
    cJSON_AddNumberToObject(calibration, "rate_hz", RESPONSE_RATE);
    cJSON_AddNumberToObject(calibration, "from_hz", 30);
    cJSON_AddNumberToObject(calibration, "to_hz", setup->fmax);
    cJSON_AddStringToObject(calibration, "time_zero", "sample 0 is the emission");
    if (grid_direction_wanted(setup->options))
        cJSON_AddStringToObject(
            calibration, "ambisonics",
            "AmbiX: channels W, Y, Z, X (ACN), SN3D; W is the mono response; X front "
            "(look_azimuth_deg, from the room's +x towards +y), Y left, Z up; a plane wave "
            "from the front has X = W");
    figure_record_expected(object, setup->fmax, &simulation->estimate.reverberation);
    struct figure_summary summary;
    grid_run_summary(run, &summary);
    cJSON *means = cJSON_AddObjectToObject(object, "means");
    figure_record_means(means, &summary);
    struct lateral_summary sides;
    grid_direction_summary(run, &sides);
    lateral_record_means(means, &sides);
    record_responses(object, simulation);
    map_files_record(object, run, simulation->shifted.map != NULL ? &simulation->shifted : NULL);
    record_shifted(object, simulation);
    cJSON *leaks = ways_out_json(&simulation->ways);
    if (leaks != NULL && cJSON_AddItemToObject(object, "leaks", leaks))
        return object;
    cJSON_Delete(leaks);
    cJSON_Delete(object);
    return NULL;
}

/* ---- words ---- */

/* How far the moved grid is from the first. */
static void print_spread(const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    struct figure_spread spread = {0};
    for (size_t p = 0; p < setup->sources * setup->receivers; p++) {
        const struct grid_pair *other = shifted_pair(simulation, p);
        if (other != NULL)
            figure_spread_add(&spread, &simulation->run.pair[p].figures, &other->figures);
    }
    figure_spread_print(stdout, &spread);
}

/* Which surface took how much. */
static void print_energy(const struct simulation *simulation)
{
    const struct grid_run *run = &simulation->run;
    const struct energy_ledger **ledger = calloc(run->sources_run + 1, sizeof *ledger);
    if (ledger == NULL || run->sources_run == 0) {
        free(ledger);
        return;
    }
    const struct energy_room room = energy_room(&simulation->setup, run->source[0].lead);
    for (size_t s = 0; s < run->sources_run; s++)
        ledger[s] = &run->source[s].ledger;
    energy_report_print(stdout, ledger, run->sources_run, &room);
    free(ledger);
}

/* How many, how long, how loud. */
static void print_responses(const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run;
    char bytes[32];
    double least = INFINITY, most = -INFINITY, samples = 0, longest = 0;
    for (size_t p = 0; p < setup->sources * setup->receivers; p++) {
        const struct grid_pair *pair = &run->pair[p];
        if (pair->file[0] == '\0')
            continue;
        least = fmin(least, pair->figures.strength);
        most = fmax(most, pair->figures.strength);
        samples += (double)pair->samples;
        longest = fmax(longest, (double)pair->samples);
    }
    const size_t count = pairs_written(run, setup);
    if (count == 0) {
        printf("%s%s\n", simulation->folder.path, simulation->partial ? ": partial, see run.json" : "");
        return;
    }
    printf("%s: %zu response%s ir_<source>_<receiver>.wav, %s%s\n", simulation->folder.path, count,
           count == 1 ? "" : "s", format_bytes(4 * samples, bytes),
           simulation->partial ? "; partial, see run.json" : "");
    printf("each is the sound of one source at one receiver: 30 to %.5g Hz, %.3g s long, 48 kHz\n",
           setup->fmax, longest / RESPONSE_RATE);
    if (least < most - 0.05)
        printf("level %.1f to %.1f dB", least, most);
    else
        printf("level %.1f dB", most);
    printf(" over the band; 0 dB is the same source heard 10 m away in the open\n");
}

/* Where the results are, how large they are, and what they show. */
static void print_words(const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run;
    struct figure_summary summary;
    grid_run_summary(run, &summary);
    double seconds = 0, steps = 0;
    for (size_t s = 0; s < run->sources_run; s++) {
        seconds += run->source[s].seconds;
        steps += (double)run->source[s].steps;
    }
    double repeated = 0;
    for (size_t s = 0; s < simulation->shifted.sources_run; s++)
        repeated += simulation->shifted.source[s].seconds;
    char time[32];
    print_responses(simulation);
    figure_report_print(stdout, &summary, &simulation->estimate.reverberation);
    struct lateral_summary sides;
    grid_direction_summary(run, &sides);
    lateral_report_print(stdout, &sides);
    map_files_print(stdout, run);
    print_energy(simulation);
    if (written(&simulation->shifted, setup) > 0)
        print_spread(simulation);
    printf("computed in %s", format_seconds(seconds + repeated, time));
    if (run->needs.seconds > 0)
        printf(" (%s was predicted)", format_seconds(run->needs.seconds, time));
    if (setup->receiver_grids > 0)
        printf(", responses and figures of %zu points in %s", setup->grid_points,
               format_seconds(map_files_seconds(run) + map_files_seconds(&simulation->shifted), time));
    printf(", %.0f million node updates a second; run.json holds every figure\n",
           steps * (setup->options->layout == LAYOUT_BOX ? run->needs.box_nodes : run->needs.stored_nodes) /
               fmax(seconds, 1e-9) / 1e6);
}

/* Receivers that hear little of the room. */
static void warn_near(struct simulation *simulation)
{
    struct room_setup *setup = &simulation->setup;
    struct figure_summary summary;
    grid_run_summary(&simulation->run, &summary);
    const double least = figure_least_distance(&summary, setup->findings.air_volume, setup->sound_speed);
    for (size_t p = 0; p < setup->sources * setup->receivers; p++) {
        const struct grid_pair *pair = &simulation->run.pair[p];
        if (pair->file[0] != '\0' && pair->distance < least)
            room_warn(setup, FIGURE_NEAR_SENTENCE, setup->point[setup->sources + p % setup->receivers].name,
                      pair->distance, setup->point[p / setup->receivers].name, least);
    }
}

/* run.json, and the same on standard output for --json. A folder without any response is taken away again. */
static int leave(struct simulation *simulation, int code, struct failure *failure)
{
    simulation->partial = code != 0;
    /* Where the disk is full, what is there already is worth more than a part of what was to replace it. */
    const bool engine_lost = simulation->run.engine_lost || simulation->shifted.engine_lost;
    const bool keep_old = code == FAILURE_OUTPUT && !simulation->folder.created && !engine_lost;
    if (keep_old || written(&simulation->run, &simulation->setup) == 0) {
        output_folder_undo(&simulation->folder);
        if (code == FAILURE_INTERRUPTED)
            failure_set(failure, FAILURE_INTERRUPTED, "interrupted; nothing was written");
        return code;
    }
    struct failure second = {0};
    const struct grid_run *shifted = simulation->shifted.map != NULL ? &simulation->shifted : NULL;
    warn_near(simulation);
    cJSON *record = make_record(simulation, failure);
    char *path = output_folder_file(&simulation->folder, "run.json");
    struct whole_file file = {0};
    int written_code = map_files_write(&simulation->run, shifted, &simulation->folder, &second);
    if (written_code == 0)
        written_code =
            path == NULL ? failure_memory(&second, 0, "a path") : record_stage(record, path, &file, &second);
    if (written_code == 0)
        written_code = output_folder_put(&simulation->folder, &file, &second);
    if (written_code == 0)
        written_code =
            run_geometry_put(&simulation->setup.mesh, &simulation->setup.grid, &simulation->folder, &second);
    if (written_code == 0)
        written_code = output_folder_publish(&simulation->folder, &second);
    free(path);
    if (written_code == 0 && simulation->setup.options->json) {
        cJSON_AddStringToObject(record, "directory", simulation->folder.path);
        written_code = print_json(record, &second);
        record = NULL;
    } else if (written_code == 0 && !simulation->setup.options->quiet) {
        print_words(simulation);
    }
    cJSON_Delete(record);
    if (written_code != 0)
        return failure_set(failure, (enum failure_code)written_code, "%s", second.sentence);
    if (code == FAILURE_INTERRUPTED)
        failure_set(failure, FAILURE_INTERRUPTED, "interrupted; what was computed is in %s, marked partial",
                    simulation->folder.path);
    return code;
}

static int simulate(const struct options *options, struct failure *failure)
{
    struct simulation simulation = {0};
    if (options->output == NULL)
        return failure_set(failure, FAILURE_INPUT, "simulate needs -o DIR, a folder for the results");
    int code = output_folder_check(options->output, options->force, failure);
    if (code == 0)
        code = prepare(&simulation, options, failure);
    if (code == 0)
        code = output_folder_make(&simulation.folder, options->output, options->force, failure);
    if (code == 0) {
        code = run_sources(&simulation, failure);
        if (code == 0 && options->repeat_shifted)
            code = run_shifted(&simulation, failure);
        code = leave(&simulation, code, failure);
    }
    simulation_free(&simulation);
    return code;
}

int command_simulate(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct options options;
    int code =
        options_parse(command->bit, command->name, command->subject, argc, argv, NULL, &options, failure);
    const bool all =
        code == 0 && !options.help && options.variant != NULL && strcmp(options.variant, PROJECT_ALL) == 0;
    options_free(&options);
    TRY(code);
    return all ? variant_runs(command, argc, argv, simulate, failure)
               : command_with_options(command, argc, argv, simulate, failure);
}
