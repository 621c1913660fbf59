#include "src/run/simulation.h"

#include <math.h>
#include <stdio.h>

#include "src/acoustics/figure_report.h"
#include "src/acoustics/figure_spread.h"
#include "src/options/failure_text.h"
#include "src/run/grid_direction.h"
#include "src/run/map_files.h"
#include "src/run/run_record.h"
#include "src/signal/response.h"

size_t simulation_pairs(const struct grid_run *run, const struct room_setup *setup)
{
    size_t count = 0;
    for (size_t p = 0; run->pair != NULL && p < setup->points.sources * setup->points.receivers; p++)
        count += run->pair[p].file[0] != '\0';
    return count;
}

size_t simulation_responses(const struct grid_run *run, const struct room_setup *setup)
{
    size_t count = simulation_pairs(run, setup);
    for (size_t m = 0; run->map != NULL && m < setup->points.sources * setup->grid.receiver_grids; m++)
        count += run->map[m].file[0] != '\0';
    return count;
}

struct energy_room simulation_energy_room(const struct room_setup *setup, uint64_t lead)
{
    return (struct energy_room){.materials = setup->model.mesh.material_count,
                                .name = setup->model.mesh.material,
                                .area = setup->model.area,
                                .wall = setup->grid.areas.material,
                                .rate = setup->grid.step.rate,
                                .lead = lead,
                                .open = setup->grid.findings.open_face_links > 0};
}

const struct grid_pair *simulation_shifted_pair(const struct simulation *simulation, size_t p)
{
    const struct grid_pair *pair = simulation->shifted.pair;
    return pair != NULL && pair[p].file[0] != '\0' ? &pair[p] : NULL;
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
        cJSON_AddStringToObject(entry, "source", setup->points.point[s].name);
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
        const struct energy_room room = simulation_energy_room(setup, source->lead);
        energy_report_record(entry, &source->ledger, &room);
        cJSON_AddItemToArray(runs, entry);
        steps += source->steps;
        longest = source->steps > longest ? source->steps : longest;
        lead = source->lead;
        seconds += source->seconds;
    }
    const bool boxed = setup->request.engine.layout == LAYOUT_BOX;
    cJSON_AddNumberToObject(object, "steps", (double)longest);
    cJSON_AddNumberToObject(object, "steps_before_emission", (double)lead);
    cJSON_AddNumberToObject(object, "duration_s",
                            (longest > lead ? (double)(longest - lead) : 0.0) / setup->grid.step.rate);
    cJSON_AddBoolToObject(object, "duration_automatic", setup->request.plan.duration == 0);
    cJSON_AddNumberToObject(object, "seconds", seconds);
    cJSON_AddNumberToObject(object, boxed ? "seconds_per_step_box" : "seconds_per_step_blocks",
                            seconds / (double)steps);
    cJSON_AddNumberToObject(object, "node_updates_per_second",
                            (double)steps * (boxed ? run->needs.box_nodes : run->needs.stored_nodes) /
                                seconds);
    if (run->needs.seconds > 0)
        cJSON_AddNumberToObject(object, "seconds_predicted", run->needs.seconds);
}

static void record_responses(cJSON *object, const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    cJSON *responses = cJSON_AddArrayToObject(object, "responses");
    for (size_t p = 0; p < setup->points.sources * setup->points.receivers; p++) {
        const struct grid_pair *pair = &simulation->run.pair[p],
                               *other = simulation_shifted_pair(simulation, p);
        if (pair->file[0] == '\0')
            continue;
        const double onset = other != NULL ? other->path.length / setup->model.sound_speed : NAN;
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "file", pair->file);
        if (other != NULL)
            cJSON_AddStringToObject(entry, "file_shifted", other->file);
        cJSON_AddStringToObject(entry, "source", setup->points.point[p / setup->points.receivers].name);
        cJSON_AddStringToObject(
            entry, "receiver", setup->points.point[setup->points.sources + p % setup->points.receivers].name);
        cJSON_AddNumberToObject(entry, "distance_m", pair->distance);
        cJSON_AddBoolToObject(entry, "direct_path_clear", pair->path.straight);
        add_figure(entry, "path_m", pair->path.length, other != NULL ? &other->path.length : NULL);
        add_figure(entry, "onset_s", pair->path.length / setup->model.sound_speed,
                   other != NULL ? &onset : NULL);
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
    const struct room_setup *setup = &simulation->setup;
    const struct room_grid *shifted = &simulation->shifted_grid;
    const double h = setup->grid.step.spacing;
    cJSON_AddBoolToObject(object, "repeat_shifted", setup->request.plan.repeat_shifted);
    if (!setup->request.plan.repeat_shifted)
        return;
    cJSON *entry = cJSON_AddObjectToObject(object, "shifted_grid");
    cJSON_AddItemToObject(entry, "grid_origin_m", cJSON_CreateDoubleArray(shifted->lattice.origin, 3));
    record_size(entry, shifted, &setup->backend, &simulation->shifted.needs);
    const double nodes = (double)shifted->packed.air_nodes - (double)setup->grid.packed.air_nodes;
    cJSON_AddNumberToObject(object, "air_nodes_spread", fabs(nodes));
    cJSON_AddNumberToObject(object, "air_volume_m3_spread",
                            fabs(shifted->findings.air_volume - setup->grid.findings.air_volume));
    cJSON_AddNumberToObject(object, "cells_volume_m3_spread", fabs(nodes) * h * h * h);
}

/* Who listens to binaural responses, and where to. */
static void record_head(cJSON *object, const struct listening_request *asked)
{
    if (asked->head == NULL)
        return;
    cJSON *head = cJSON_AddObjectToObject(object, "head");
    cJSON_AddStringToObject(head, "file", asked->head);
    cJSON_AddNumberToObject(head, "yaw_deg", asked->yaw);
    cJSON_AddNumberToObject(head, "pitch_deg", asked->pitch);
    cJSON_AddNumberToObject(head, "roll_deg", asked->roll);
}

cJSON *simulation_record(const struct simulation *simulation, const struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run;
    char text[FAILURE_TEXT_MAX];
    cJSON *object = cJSON_CreateObject();
    record_room(object, "simulate", setup);
    cJSON_AddBoolToObject(object, "partial", simulation->partial);
    if (simulation->partial)
        cJSON_AddStringToObject(object, "partial_because",
                                failure->sentence[0] != '\0' ? failure_text(failure, text) : "interrupted");
    record_size(object, &setup->grid, &setup->backend, &run->needs);
    cJSON_AddStringToObject(object, "engine", run->description);
    record_runs(object, simulation);
    record_points(object, setup, run->tap);
    record_air(object, setup);
    cJSON_AddBoolToObject(object, "ambisonics", room_has_gradients(&setup->request));
    record_head(object, &setup->request.listening);
    cJSON *calibration = cJSON_AddObjectToObject(object, "calibration");
    cJSON_AddStringToObject(
        calibration, "quantity",
        setup->request.model.air_method == AIR_OFF
            ? "in free field at r metres |sum x[n] exp(-j 2 pi f n / rate_hz)| = 1/r"
            : "in free field at r metres |sum x[n] exp(-j 2 pi f n / rate_hz)| = 1/r, less the loss of the "
              "air over r metres");
    cJSON_AddNumberToObject(calibration, "rate_hz", RESPONSE_RATE);
    cJSON_AddNumberToObject(calibration, "from_hz", 30);
    cJSON_AddNumberToObject(calibration, "to_hz", setup->grid.fmax);
    cJSON_AddStringToObject(calibration, "time_zero", "sample 0 is the emission");
    if (room_has_gradients(&setup->request))
        cJSON_AddStringToObject(
            calibration, "ambisonics",
            "AmbiX: channels W, Y, Z, X (ACN), SN3D; W is the mono response; X front "
            "(look_azimuth_deg, from the room's +x towards +y), Y left, Z up; a plane wave "
            "from the front has X = W");
    figure_record_expected(object, setup->grid.fmax, &simulation->estimate.reverberation);
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
