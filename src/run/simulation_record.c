#include "src/response/further/echo_criterion.h"
#include "src/run/whole_band.h"
#include "src/run/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mpi/ranks.h"

#include "rooms/text/table_text.h"
#include "src/base/interrupt.h"
#include "src/base/options/failure_text.h"
#include "src/run/energy_report.h"
#include "src/run_folder/absorption_error.h"
#include "src/run_folder/figure_record.h"
#include "src/run/grid_direction.h"
#include "src/run/map_files.h"
#include "src/run/setup_record.h"
#include "src/response/signal/response.h"

static size_t count_pairs(const struct grid_run *run)
{
    size_t count = 0;
    for (size_t p = 0; run->pair != NULL && p < run->setup->points.sources * run->setup->points.receivers;
         p++)
        count += run->pair[p].file[0] != '\0';
    return count;
}

size_t simulation_responses(const struct grid_run *run)
{
    size_t count = count_pairs(run);
    for (size_t m = 0; run->map != NULL && m < run->setup->points.sources * run->grid->receiver_grids; m++)
        count += run->map[m].file[0] != '\0';
    return count;
}

/* Pair `p` (source * receivers + receiver) of the offset grid; NULL where there is none. */
static const struct grid_pair *shifted_pair(const struct simulation *simulation, size_t p)
{
    const struct grid_pair *pair = simulation->shifted.pair;
    return pair != NULL && pair[p].file[0] != '\0' ? &pair[p] : NULL;
}

static double energy_change(const struct field_record *field)
{
    return field->energy_end / field->energy_start - 1;
}

static bool fill_source(struct record_run *record, const struct simulation *simulation, size_t s)
{
    const struct room_setup *setup = &simulation->setup;
    const struct source_progress *source = &simulation->run.source[s];
    const struct field_record *field = &source->monitor.record;
    record->steps = (double)source->steps;
    record->steps_before_emission = (double)source->lead;
    record->seconds = source->seconds;
    record->energy_start = field->energy_start;
    record->energy_end = field->energy_end;
    record->energy_change = energy_change(field);
    record->energy_rise = field->energy_rise;
    record->mean_pressure_start = field->mean_start;
    record->mean_pressure_end = field->mean_end;
    record->mean_pressure_drift = field->mean_drift;
    bool ranged = true;
    double centre[OCTAVE_BANDS_MAX];
    if (!isnan(source_least_range(source)))
        ranged =
            json_numbers_set(&record->decay_range, source->range, octave_centres(setup->grid.fmax, centre));
    record->capped = source->capped != 0;
    record->interrupted = source->interrupted;
    if (s < simulation->shifted.sources_run) {
        const struct source_progress *shifted = &simulation->shifted.source[s];
        record->seconds_shifted = shifted->seconds;
        record->energy_change_spread = fabs(energy_change(&shifted->monitor.record) - record->energy_change);
    }
    record->energy = json_make(&record_energy_table);
    return ranged && json_text_set(&record->source, setup->points.point[s].name) && record->energy != NULL &&
           energy_report_record(record->energy, source, setup);
}

static bool fill_runs(struct run_model *model, const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run;
    uint64_t steps = 0, longest = 0, lead = 0;
    size_t runs = 0, filled = 0;
    for (size_t s = 0; s < run->sources_run; s++)
        runs += !setup->points.point[s].member;
    if (!JSON_LIST_MAKE(&record_run_table, &model->runs, runs))
        return false;
    model->seconds = 0;
    for (size_t s = 0; s < run->sources_run; s++) {
        const struct source_progress *source = &run->source[s];
        if (setup->points.point[s].member)
            continue;
        if (!fill_source(&model->runs.item[filled++], simulation, s))
            return false;
        steps += source->steps;
        longest = source->steps > longest ? source->steps : longest;
        lead = source->lead;
        model->seconds += source->seconds;
    }
    const bool boxed = setup->request.engine.layout == LAYOUT_BOX;
    model->steps = (double)longest;
    model->steps_before_emission = (double)lead;
    const double share = response_share(&setup->grid.step, setup->grid.fmax);
    model->duration = share * (longest > lead ? (double)(longest - lead) : 0.0) / setup->grid.step.rate;
    if (share < 1.0)
        model->warp_share = 1.0 - share;
    model->duration_automatic = setup->request.plan.duration == 0;
    *(boxed ? &model->seconds_per_step_box : &model->seconds_per_step_blocks) =
        model->seconds / (double)steps;
    model->node_updates_per_second =
        (double)steps * (boxed ? run->needs.box_nodes : run->needs.stored_nodes) / model->seconds;
    if (run->needs.seconds_steps > 0)
        model->seconds_predicted = run->needs.seconds_steps;
    return true;
}

static bool fill_response(struct record_response *response, const struct simulation *simulation, size_t p)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_pair *pair = &simulation->run.pair[p], *other = shifted_pair(simulation, p);
    response->distance = pair->distance;
    response->direct_path_clear = pair->path.straight;
    response->path = pair->path.length;
    response->onset = pair->path.length / setup->model.sound_speed;
    response->samples = (double)pair->samples;
    if (other != NULL) {
        response->path_spread = fabs(other->path.length - response->path);
        response->onset_spread = fabs(other->path.length / setup->model.sound_speed - response->onset);
    }
    return json_text_set(&response->file, pair->file) &&
           (other == NULL || json_text_set(&response->file_shifted, other->file)) &&
           json_text_set(&response->source, setup->points.point[p / setup->points.receivers].name) &&
           json_text_set(&response->receiver,
                         setup->points.point[setup->points.sources + p % setup->points.receivers].name) &&
           record_fill_figures(response, &pair->figures, other != NULL ? &other->figures : NULL) &&
           record_fill_thirds(response, pair->thirds, other != NULL ? other->thirds : NULL) &&
           record_fill_speech(response, &pair->speech, pair->figures.bands) &&
           record_fill_further(response, &pair->further) &&
           (pair->echo_path[ECHO_SPEECH][0] == '\0' ||
            json_text_set(&response->echo_speech_path, pair->echo_path[ECHO_SPEECH])) &&
           (pair->echo_path[ECHO_MUSIC][0] == '\0' ||
            json_text_set(&response->echo_music_path, pair->echo_path[ECHO_MUSIC])) &&
           (simulation->run.whole == NULL ||
            whole_band_record_response(simulation->run.whole, p / setup->points.receivers,
                                       p % setup->points.receivers, response)) &&
           grid_ears_record(response, &simulation->run, p, other != NULL ? &simulation->shifted : NULL) &&
           grid_direction_record(response, &simulation->run, p, other != NULL ? &simulation->shifted : NULL);
}

/* Records the pairs that were written. */
static bool fill_responses(struct run_model *model, const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    size_t count = 0;
    if (!JSON_LIST_MAKE(&record_response_table, &model->responses, count_pairs(&simulation->run)))
        return false;
    for (size_t p = 0; p < setup->points.sources * setup->points.receivers; p++)
        if (simulation->run.pair[p].file[0] != '\0' &&
            !fill_response(&model->responses.item[count++], simulation, p))
            return false;
    return true;
}

/* Where the ranks were, and the most that each has held: the program itself and MPI included. */
static bool fill_ranks(struct run_model *model, const struct room_needs *needs)
{
    const unsigned ranks = ranks_count();
    if (ranks < 2)
        return true;
    struct rank_host *const host = calloc(ranks, sizeof *host);
    bool made = host != NULL && JSON_LIST_MAKE(&record_rank_table, &model->ranks, ranks);
    if (made)
        ranks_table->hosts(host);
    for (unsigned n = 0; made && n < ranks; n++) {
        struct record_rank *const rank = &model->ranks.item[n];
        rank->bytes_predicted = n == 0 ? needs->bytes_peak : needs->bytes_rank;
        rank->bytes_peak = (double)host[n].peak;
        made = json_text_set(&rank->host, host[n].name);
    }
    free(host);
    return made;
}

/* Where the second grid is and what it holds; the spreads of all figures are beside them. */
static bool fill_shifted(struct run_model *model, const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    const struct room_grid *shifted = &simulation->shifted_grid;
    const double h = setup->grid.step.spacing;
    model->repeat_shifted = setup->request.plan.repeat_shifted;
    if (!model->repeat_shifted)
        return true;
    struct record_shifted_grid *grid = model->shifted_grid = json_make(&record_shifted_grid_table);
    if (grid == NULL)
        return false;
    memcpy(grid->grid_origin, shifted->lattice.origin, sizeof grid->grid_origin);
    const double nodes = (double)shifted->packed.air_nodes - (double)setup->grid.packed.air_nodes;
    model->air_nodes_spread = fabs(nodes);
    model->air_volume_spread = fabs(shifted->findings.air_volume - setup->grid.findings.air_volume);
    model->cells_volume_spread =
        fabs(room_cells(&shifted->packed) - room_cells(&setup->grid.packed)) * h * h * h;
    return record_fill_size(&grid->size, shifted, setup, &simulation->shifted.needs);
}

/* Who listens to binaural responses, and where to. */
static bool fill_head(struct run_model *model, const struct listening_request *asked)
{
    if (asked->head == NULL)
        return true;
    struct record_head *head = model->head = json_make(&record_head_table);
    if (head == NULL)
        return false;
    head->yaw = asked->yaw;
    head->pitch = asked->pitch;
    head->roll = asked->roll;
    return json_text_set(&head->file, asked->head);
}

#define FREE_FIELD "in free field at r metres |sum x[n] exp(-j 2 pi f n / rate_hz)| = 1/r"

static bool fill_calibration(struct run_model *model, const struct room_setup *setup)
{
    struct record_calibration *calibration = model->calibration = json_make(&record_calibration_table);
    if (calibration == NULL)
        return false;
    model->ambisonics = room_has_gradients(&setup->request);
    calibration->rate = RESPONSE_RATE;
    calibration->from = 30;
    calibration->to = setup->grid.fmax;
    char quantity[400];
    bool directed = false, together = false;
    for (size_t s = 0; s < setup->directions.count; s++) {
        directed = directed || source_has_direction(&setup->directions.of[s]);
        together = together || setup->directions.of[s].members > 0;
    }
    (void)snprintf(quantity, sizeof quantity, FREE_FIELD "%s%s%s",
                   setup->request.model.air_method == AIR_OFF ? ""
                                                              : ", less the loss of the air over r metres",
                   directed ? "; of a source with a directivity on its axis" : "",
                   together ? "; of sources that sound together for each alone, times its gain" : "");
    return json_text_set(&calibration->quantity, quantity) &&
           json_text_set(&calibration->time_zero, "sample 0 is the emission") &&
           json_text_set(&calibration->ambisonics,
                         model->ambisonics
                             ? "AmbiX: channels W, Y, Z, X (ACN), SN3D; W is the mono response; X front "
                               "(look_azimuth_deg, from the room's +x towards +y), Y left, Z up; a plane "
                               "wave from the front has X = W"
                             : NULL);
}

/* How many results of the simulated sources have no file. */
struct undone {
    size_t missing, of;
};

static void count_undone(const struct grid_run *run, struct undone *responses, struct undone *maps)
{
    const size_t receivers = run->setup->points.receivers, grids = run->setup->grid.receiver_grids;
    for (size_t p = 0; p < run->sources_run * receivers; p++) {
        const bool run_alone = !run->setup->points.point[p / receivers].member;
        responses->of += run_alone;
        responses->missing += run_alone && run->pair[p].file[0] == '\0';
    }
    for (size_t m = 0; m < run->sources_run * grids; m++) {
        const bool run_alone = !run->setup->points.point[m / grids].member;
        maps->of += run_alone;
        maps->missing += run_alone && (!run->map[m].tabled || (run->map[m].figures[0].bands > 0 &&
                                                               run->map[m].drawn < PRESSURE_FIGURES));
    }
}

const char *simulation_interrupted(const struct simulation *simulation, char text[SIMULATION_INTERRUPTED_MAX])
{
    const struct room_setup *setup = &simulation->setup;
    const double asked = setup->request.plan.duration,
                 share = response_share(&setup->grid.step, setup->grid.fmax);
    struct undone responses = {0}, maps = {0};
    text[0] = '\0';
    for (size_t s = 0; s < simulation->run.sources_run; s++) {
        const struct source_progress *source = &simulation->run.source[s];
        const double after = source->steps > source->lead ? (double)(source->steps - source->lead) : 0;
        if (source->interrupted)
            text_append(text, SIMULATION_INTERRUPTED_MAX,
                        "interrupted: the responses of %s end after %.3g s of the %.3g s %s",
                        setup->points.point[s].name, share * after / setup->grid.step.rate,
                        asked > 0 ? asked : simulation->run.needs.duration,
                        asked > 0 ? "asked for" : "that were expected");
    }
    count_undone(&simulation->run, &responses, &maps);
    if (interrupt_overdue() && responses.missing + maps.missing > 0)
        text_append(text, SIMULATION_INTERRUPTED_MAX,
                    "%s; left undone: ", text[0] == '\0' ? "interrupted" : "");
    if (interrupt_overdue() && responses.missing > 0)
        text_append(text, SIMULATION_INTERRUPTED_MAX, "%zu of %zu responses%s", responses.missing,
                    responses.of, maps.missing > 0 ? ", " : "");
    if (interrupt_overdue() && maps.missing > 0)
        text_append(text, SIMULATION_INTERRUPTED_MAX, "%zu of %zu maps", maps.missing, maps.of);
    size_t sources = 0;
    for (size_t s = simulation->run.sources_run; s < setup->points.sources; s++)
        if (!setup->points.point[s].member)
            text_append(text, SIMULATION_INTERRUPTED_MAX, "%s%s",
                        sources++ > 0     ? ", "
                        : text[0] == '\0' ? "interrupted; sources without a result: "
                                          : "; sources without a result: ",
                        setup->points.point[s].name);
    return text;
}

static bool fill_model(struct run_model *model, const struct simulation *simulation,
                       const struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run;
    struct figure_summary summary, thirds;
    struct failure memory;
    grid_run_summary(run, &summary);
    grid_run_thirds(run, &thirds);
    model->means = json_make(&record_means_table);
    char text[FAILURE_TEXT_MAX], interrupted[SIMULATION_INTERRUPTED_MAX];
    const char *because = failure->sentence[0] != '\0' ? failure_text(failure, text)
                          : simulation_interrupted(simulation, interrupted)[0] != '\0' ? interrupted
                                                                                       : "interrupted";
    model->format = RUN_FORMAT;
    model->partial = simulation->partial;
    return json_text_set(&model->partial_because, simulation->partial ? because : NULL) &&
           json_text_set(&model->engine, run->description) && fill_ranks(model, &run->needs) &&
           record_fill_subject(model, "simulate", setup, run->stencil) &&
           record_fill_size(&model->size, &setup->grid, setup, &run->needs) && fill_runs(model, simulation) &&
           record_fill_page(&model->page, setup->request.model.project) && record_fill_air(model, setup) &&
           fill_head(model, &setup->request.listening) && fill_calibration(model, setup) &&
           record_fill_expected(model, setup->grid.fmax, &simulation->estimate.reverberation) &&
           model->means != NULL && record_fill_means(model->means, &summary) &&
           record_fill_third_means(model->means, &thirds) && fill_responses(model, simulation) &&
           map_files_record(model, run, simulation->shifted.map != NULL ? &simulation->shifted : NULL) &&
           (run->whole == NULL || whole_band_record(run->whole, model)) && fill_shifted(model, simulation) &&
           absorption_error_fill(model, &memory) == 0;
}

cJSON *simulation_record(struct simulation *simulation, const struct failure *failure)
{
    cJSON *const object = cJSON_CreateObject();
    if (object != NULL && fill_model(&simulation->model, simulation, failure) &&
        json_write(&run_model_table, &simulation->model, object))
        return object;
    cJSON_Delete(object);
    return NULL;
}
