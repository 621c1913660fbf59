#include "src/run/instruments/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/options/option_values.h"
#include "src/base/options/options.h"
#include "src/base/progress_json.h"
#include "src/run/instruments/drum_mesh.h"
#include "src/run/source_run.h"
#include "src/run/watch/batch_watch.h"
#include "src/setup/room_engine.h"

#define AFTER_LAST 3.0 /* of an automatic duration [s] */

void play_free(struct play *play)
{
    drums_free(play->drums);
    source_progress_free(&play->progress);
    free(play->sound);
    mesh_free(&play->mesh);
    free(play->seed);
    free(play->site);
    free(play->hard.text);
    score_free(&play->score);
    *play = (struct play){0};
}

/* ---- the request --------------------------------------------------------------------------------------- */

/* Drums and strokes that were asked for. */
static int read_score(struct play *play, struct failure *failure)
{
    const struct play_options *const asked = play->asked;
    struct score *const score = &play->score;
    if (asked->score != NULL)
        TRY(score_read(asked->score, score, failure));
    for (size_t d = 0; d < asked->drum.count; d++)
        TRY(score_add_drum(score, &asked->drum.place[d], (double)d, failure));
    for (size_t d = 0; asked->linear && d < score->drums; d++)
        score->drum[d].stretch = 0;
    if (score->drums == 0 || score->strikes == 0)
        return failure_set(failure, FAILURE_INPUT, "there is nothing to play: %s",
                           score->drums == 0 ? "no drum is given" : "no drum is struck");
    return 0;
}

/* Seeds in the air on both sides of a membrane. */
static void place_seeds(struct play *play, size_t drum)
{
    const struct drum_site *const site = &play->site[drum];
    struct option_place *const above = &play->seed[drum], *const below = above + play->score.drums;
    memcpy(above->position, site->centre, sizeof above->position);
    memcpy(below->position, site->centre, sizeof below->position);
    above->position[2] += site->kind.radius / 2;
    below->position[2] -= site->depth > 0 ? site->depth / 2 : site->kind.radius / 2;
    (void)snprintf(above->name, sizeof above->name, "%s", play->score.drum[drum].name);
    /* No drum has this name. */
    (void)snprintf(below->name, sizeof below->name, "%.40s %u below", play->score.drum[drum].name,
                   (unsigned)drum + 1);
}

/* What a play does as a simulation does not. */
static void limit_request(struct play *play, struct room_request *request)
{
    request->model.addition = &play->mesh;
    request->model.air_in_steps = true;
    request->points.source = (struct option_places){
        .count = 2 * play->score.drums, .below = play->score.drums, .place = play->seed};
    request->points.receiver_grid = (struct option_grids){.none = true};
    request->points.by_hand = request->points.place_receiver = true;
    if (request->listening.dummy_head.option == NULL)
        request->listening.dummy_head = (struct option_texts){0}; /* a project's, of fine grids */
    if (request->listening.look.option == NULL)
        request->listening.look = (struct option_texts){0}; /* a project's, towards its sources */
    request->radiation = (struct radiation_request){0};
    request->grid.drums = true;
    request->engine.layout = LAYOUT_BLOCKS;
    if (request->engine.backend == OPTION_BACKEND_AUTO && request->engine.devices == NULL)
        request->engine.backend = OPTION_BACKEND_CPU;
    request->plan.rays = RAYS_OFF;
    request->plan.repeat_shifted = false;
    request->plan.bands = BANDS_OCTAVE;
    request->plan.duration = play->duration;
}

static int refuse_unheard(const struct score *score, double duration, struct failure *failure)
{
    for (size_t n = 0; n < score->strikes; n++)
        if (score->strike[n].time >= duration)
            return failure_set(
                failure, FAILURE_INPUT,
                "stroke %zu, on %s, begins at %.6g s, but the sound ends at %.6g s: use a longer duration",
                n + 1, score->drum[score->strike[n].drum].name, score->strike[n].time, duration);
    return 0;
}

int play_request(struct play *play, struct room_request *request, struct failure *failure)
{
    static const char *const hard[] = {DRUM_MEMBRANE_MATERIAL "=0", DRUM_KETTLE_MATERIAL "=0"};
    struct score *const score = &play->score;
    const double speed = air_sound_speed(request->model.air.temperature);
    bool kettles = false;
    if (request->engine.backend == OPTION_BACKEND_OPENCL)
        return failure_advise(failure_set(failure, FAILURE_INPUT, "an OpenCL device steps no membranes"),
                              failure, ADVICE_PROCESSORS, 0);
    TRY(read_score(play, failure));
    play->air_density = air_impedance(&request->model.air) / speed;
    TRY(score_tune(score, play->air_density, speed, failure));
    play->duration = play->asked->duration > 0 ? play->asked->duration
                                               : score->strike[score->strikes - 1].time + AFTER_LAST;
    if (!play->filmed)
        TRY(refuse_unheard(score, play->duration, failure));
    play->seed = calloc(2 * score->drums, sizeof *play->seed);
    play->site = calloc(score->drums, sizeof *play->site);
    if (play->seed == NULL || play->site == NULL)
        return failure_memory(failure, score->drums * sizeof *play->site, "drums");
    for (size_t d = 0; d < score->drums; d++) {
        play->site[d] = score_site(score, d);
        TRY(drum_mesh_add(&play->mesh, &play->site[d], failure));
        kettles |= play->site[d].depth > 0;
        place_seeds(play, d);
    }
    for (size_t n = 0; n < request->surfaces.absorption.count; n++)
        TRY(option_text_add(request->surfaces.absorption.text[n], &play->hard, failure));
    play->hard.option = request->surfaces.absorption.option;
    for (size_t n = 0; n < 1 + (size_t)kettles; n++)
        TRY(option_text_add(hard[n], &play->hard, failure));
    request->surfaces.absorption = play->hard;
    limit_request(play, request);
    return 0;
}

/* ---- in the room --------------------------------------------------------------------------------------- */

/* Move the surfaces of a drum up; they are among the vertices from `first` on. */
static void lift_drum(struct mesh *mesh, size_t first, size_t count, const struct drum_site *site, double by)
{
    for (size_t v = first; v < first + count; v++) {
        double *const at = mesh->vertex[v];
        if (hypot(at[0] - site->centre[0], at[1] - site->centre[1]) <= 1.01 * site->kind.radius &&
            at[2] <= site->centre[2] + 1e-9 && at[2] >= site->centre[2] - site->depth - 1e-9)
            at[2] += by;
    }
}

static int refuse_overlap(const struct drum_site *one, const struct drum_site *two, struct failure *failure)
{
    const double apart = hypot(one->centre[0] - two->centre[0], one->centre[1] - two->centre[1]);
    const bool beside = apart >= 1.02 * (one->kind.radius + two->kind.radius) ||
                        one->centre[2] < two->centre[2] - two->depth ||
                        two->centre[2] < one->centre[2] - one->depth;
    return beside ? 0
                  : failure_set(failure, FAILURE_INPUT,
                                "the drums %s and %s overlap: their centres are %.4g m apart, and their "
                                "radii add up to %.4g m",
                                one->name, two->name, apart, one->kind.radius + two->kind.radius);
}

int play_settle(struct play *play, struct room_setup *setup, struct room_estimate *estimate,
                struct failure *failure)
{
    TRY(estimate_choose_resolution(setup, true, estimate, failure));
    setup->request.plan.fmax_kept = setup->grid.fmax; /* chosen once */
    for (size_t s = 1; s < setup->points.sources; s++)
        setup->points.point[s].member = true; /* there is one run */
    const struct lattice *const lattice = &setup->grid.lattice;
    const double h = lattice->spacing;
    struct mesh room = setup->model.mesh; /* without drums and heads */
    double room_low[3], room_high[3];
    room.vertex_count = setup->model.own_vertices;
    room.triangle_count = setup->model.own_triangles;
    TRY(mesh_bounds(&room, room_low, room_high, failure));
    play->setup = setup;
    for (size_t d = 0; d < play->score.drums; d++) {
        struct drum_site *const site = &play->site[d];
        for (size_t other = 0; other < d; other++)
            TRY(refuse_overlap(&play->site[other], site, failure));
        const double faces = (site->centre[2] - lattice->origin[2]) / h - 0.5;
        double by = (round(faces) - faces) * h;
        if (site->centre[2] - site->depth + by <= room_low[2])
            by += h;
        for (int axis = 0; axis < 3; axis++) {
            const double half = axis < 2 ? site->kind.radius : 0;
            const double low = axis == 2 ? site->centre[2] - site->depth + by : site->centre[axis] - half;
            const double high = axis == 2 ? site->centre[2] + by : site->centre[axis] + half;
            if (low <= room_low[axis] || high >= room_high[axis])
                return failure_set(failure, FAILURE_INPUT,
                                   "the drum %s does not fit into the model, which goes from %.4g to %.4g m "
                                   "along %c: it would go from %.4g to %.4g m",
                                   site->name, room_low[axis], room_high[axis], "xyz"[axis], low, high);
        }
        lift_drum(&setup->model.mesh, setup->model.own_vertices, play->mesh.vertex_count, site, by);
        site->centre[2] += by;
    }
    return 0;
}

int play_place(struct play *play, struct failure *failure)
{
    struct room_setup *const setup = play->setup;
    TRY(drums_create(&play->drums, &setup->grid.packed, &setup->grid.step, play->air_density, play->site,
                     play->score.drums, play->score.strike, play->score.strikes, failure));
    for (size_t d = 0; d < play->score.drums; d++) {
        const struct score_drum *const drum = &play->score.drum[d];
        const struct drum_facts facts = drums_facts(play->drums, d);
        room_say(
            &setup->notices,
            "drum %s at %.3f, %.3f, %.3f m: %.4g N/m, (1,1) near %.1f Hz in air; %zu nodes, %zu of the air "
            "above and %zu below",
            drum->name, play->site[d].centre[0], play->site[d].centre[1], play->site[d].centre[2],
            drum->tension, drum->frequency, facts.nodes, facts.above, facts.below);
    }
    return 0;
}

int play_join(struct play *play, struct engine *engine, struct failure *failure)
{
    TRY(room_engine_lose_in_air(engine, play->setup, failure));
    play->air_losses = room_engine_air_losses(engine);
    return drums_join(play->drums, engine, failure);
}

/* ---- played -------------------------------------------------------------------------------------------- */

int play_run(struct play *play, const struct grid_run *run, struct source_keep *keep, struct failure *failure)
{
    static const struct response_drive silence;
    const struct source_channel none = {.drive = &silence};
    const struct source_run_settings settings = {
        .step = run->grid->step,
        .fmax = run->grid->fmax,
        .duration = play->duration + 2 / run->grid->step.rate, /* a pressure is between two steps */
        .stored_nodes = (uint64_t)run->needs.stored_nodes,
        .label = play->score.drums == 1 ? play->score.drum[0].name : "drums",
        .progress = run->notices->quiet ? NULL : stderr,
        .channel = &none,
        .channels = 1,
        .keeper = keep != NULL ? &keep->keeper : NULL,
        .interrupt = &interrupt_seen,
        .patience = backend_is_device(run->setup->backend.backend) ? BATCH_PATIENCE : 0};
    progress_json_begin("steps", NULL);
    TRY(source_run(run->engine, &run->grid->lattice, 0, 0, rows_kept(&run->rows), &settings, &play->progress,
                   failure));
    play->work = drums_work(play->drums);
    play->held = play->air_density * run->grid->step.spacing * engine_energy(run->engine) +
                 drums_energy(play->drums, run->engine);
    return play->progress.interrupted ? FAILURE_INTERRUPTED : engine_failed(run->engine, failure);
}

bool play_name_is_ours(const char *name)
{
    const size_t length = strlen(name);
    return strcmp(name, PLAY_RECORD_FILE) == 0 ||
           (length > 10 && strncmp(name, "heard_", 6) == 0 && strcmp(name + length - 4, ".wav") == 0);
}
