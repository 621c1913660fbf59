#include "src/run/instruments/play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mpi/ranks.h"
#include "src/base/interrupt.h"
#include "src/base/progress_line.h"
#include "src/run/instruments/drum_mesh.h"
#include "src/base/options/option_values.h"
#include "src/setup/room_engine.h"
#include "src/response/signal/response.h"

#define AFTER_LAST 3.0 /* of an automatic duration [s] */
#define BATCH      256 /* steps between two checks for Ctrl-C and of the field */

void play_free(struct play *play)
{
    engine_free(play->engine);
    drums_free(play->drums);
    for (size_t s = 0; s < play->sounds; s++)
        free(play->sound[s].sample);
    free(play->sound);
    mesh_free(&play->mesh);
    free(play->seed);
    free(play->site);
    free(play->hard.text);
    score_free(&play->score);
    *play = (struct play){0};
}

/* ---- the request --------------------------------------------------------------------------------------- */

static int refuse_request(const struct play *play, const struct room_request *request,
                          struct failure *failure)
{
    if (play->score.drums == 0 || play->score.strikes == 0)
        return failure_set(failure, FAILURE_INPUT, "there is nothing to play: %s",
                           play->score.drums == 0 ? "no drum is given" : "no drum is struck");
    if (ranks_count() > 1)
        return failure_set(failure, FAILURE_INPUT,
                           "drums are played by one process, and %u were started: start it without mpirun",
                           ranks_count());
    if (request->engine.devices != NULL)
        return failure_set(failure, FAILURE_INPUT,
                           "drums are played in one part: on processors or one device");
    if (request->engine.layout != LAYOUT_BLOCKS)
        return failure_set(failure, FAILURE_INPUT, "drums are played in blocks, not in a bounding box");
    return 0;
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

int play_request(struct play *play, struct room_request *request, double duration, struct failure *failure)
{
    static const char *const hard[] = {DRUM_MEMBRANE_MATERIAL "=0", DRUM_KETTLE_MATERIAL "=0"};
    struct score *const score = &play->score;
    const double speed = air_sound_speed(request->model.air.temperature);
    bool kettles = false;
    TRY(refuse_request(play, request, failure));
    play->air_density = air_impedance(&request->model.air) / speed;
    TRY(score_tune(score, play->air_density, speed, failure));
    play->duration = duration > 0 ? duration : score->strike[score->strikes - 1].time + AFTER_LAST;
    TRY(refuse_unheard(score, play->duration, failure));
    play->seed = calloc(2 * score->drums, sizeof *play->seed);
    play->site = calloc(score->drums, sizeof *play->site);
    if (play->seed == NULL || play->site == NULL)
        return failure_memory(failure, score->drums * sizeof *play->site, "drums");
    for (size_t d = 0; d < score->drums; d++) {
        struct drum_site *const site = &play->site[d];
        *site = score_site(score, d);
        TRY(drum_mesh_add(&play->mesh, site, failure));
        kettles |= site->depth > 0;
        for (int below = 0; below < 2; below++) {
            struct option_place *const seed = &play->seed[2 * d + (size_t)below];
            const double away = below && site->depth > 0 ? site->depth / 2 : site->kind.radius / 2;
            memcpy(seed->position, site->centre, sizeof seed->position);
            seed->position[2] += below ? -away : away;
            (void)snprintf(seed->name, sizeof seed->name, "%.40s_%u_%s", score->drum[d].name, (unsigned)d + 1,
                           below ? "below" : "above");
        }
    }
    for (size_t n = 0; n < request->surfaces.absorption.count; n++)
        TRY(option_text_add(request->surfaces.absorption.text[n], &play->hard, failure));
    play->hard.option = request->surfaces.absorption.option;
    for (size_t n = 0; n < 1 + (size_t)kettles; n++)
        TRY(option_text_add(hard[n], &play->hard, failure));
    request->surfaces.absorption = play->hard;
    request->model.addition = &play->mesh;
    request->points.source = (struct option_places){.count = 2 * score->drums, .place = play->seed};
    request->points.by_hand = true;
    request->grid.scheme = SCHEME_STANDARD;
    if (request->engine.backend == OPTION_BACKEND_AUTO)
        request->engine.backend = OPTION_BACKEND_CPU;
    return 0;
}

/* ---- in the room --------------------------------------------------------------------------------------- */

/* Move the surfaces of a drum up; they are among the last vertices of the model (model_request.addition). */
static void lift_drum(struct mesh *mesh, size_t own, const struct drum_site *site, double by)
{
    for (size_t v = mesh->vertex_count - own; v < mesh->vertex_count; v++) {
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

int play_settle(struct play *play, struct room_setup *setup, struct failure *failure)
{
    const struct lattice *const lattice = &setup->grid.lattice;
    const double h = lattice->spacing;
    struct mesh room = setup->model.mesh; /* without the drums, which are its last sources */
    double room_low[3], room_high[3];
    room.vertex_count -= play->mesh.vertex_count;
    room.triangle_count -= play->mesh.triangle_count;
    TRY(mesh_bounds(&room, room_low, room_high, failure));
    play->setup = setup;
    for (size_t d = 0; d < play->score.drums; d++) {
        struct drum_site *const site = &play->site[d];
        for (size_t other = 0; other < d; other++)
            TRY(refuse_overlap(&play->site[other], site, failure));
        const double faces = (site->centre[2] - lattice->origin[2]) / h - 0.5;
        const double by = (round(faces) - faces) * h;
        for (int axis = 0; axis < 3; axis++) {
            const double half = axis < 2 ? site->kind.radius : 0;
            const double low = axis == 2 ? site->centre[2] - site->depth : site->centre[axis] - half;
            if (low <= room_low[axis] || site->centre[axis] + half >= room_high[axis])
                return failure_set(failure, FAILURE_INPUT,
                                   "the drum %s does not fit into the model, which goes from %.4g to %.4g m "
                                   "along %c: it would go from %.4g to %.4g m",
                                   site->name, room_low[axis], room_high[axis], "xyz"[axis], low,
                                   site -> centre[axis] + half);
        }
        lift_drum(&setup->model.mesh, play->mesh.vertex_count, site, by);
        site->centre[2] += by;
    }
    return 0;
}

int play_start(struct play *play, double stored_nodes, struct failure *failure)
{
    struct room_setup *const setup = play->setup;
    const struct room_points *const points = &setup->points;
    const struct engine_options options = room_engine_options(setup, stored_nodes);
    TRY(room_engine_create(&play->engine, setup, &setup->grid, &setup->grid.packed, NULL, &setup->grid.step,
                           &options, false, failure));
    TRY(room_engine_lose_in_air(play->engine, setup, failure));
    for (size_t r = points->sources; r < points->sources + points->receivers; r++) {
        struct stencil tap;
        TRY(room_tap(setup, &setup->grid, points->point[r].position, setup->grid.findings.seed_node[r], &tap,
                     failure));
        TRY(engine_add_receiver(play->engine, &tap, failure));
    }
    return drums_create(&play->drums, play->engine, &setup->grid.packed, &setup->grid.step, play->air_density,
                        play->site, play->score.drums, play->score.strike, play->score.strikes, failure);
}

/* ---- played -------------------------------------------------------------------------------------------- */

static void show_progress(struct progress_line *line, const struct play *play, uint64_t done)
{
    char text[80];
    const double now = progress_clock();
    if (!progress_line_due(line, now))
        return;
    (void)snprintf(text, sizeof text, "%.2f of %.2f s of sound, %.0f %%",
                   (double)done / play->setup->grid.step.rate, play->duration,
                   100.0 * (double)done / (double)play->steps);
    progress_line_show(line, now, text);
}

/* (receivers, steps) of u. */
static int step_all(struct play *play, double *raw, FILE *progress, struct failure *failure)
{
    const size_t receivers = play->setup->points.receivers;
    double *const piece = calloc(receivers * BATCH, sizeof *piece);
    struct progress_line line;
    int code = 0;
    if (piece == NULL)
        return failure_memory(failure, receivers * BATCH * sizeof *piece, "what is heard");
    progress_line_start(&line, progress, progress_clock());
    for (uint64_t done = 0; code == 0 && done < play->steps;) {
        const uint64_t now = play->steps - done < BATCH ? play->steps - done : BATCH;
        engine_run(play->engine, now, NULL, piece);
        code = engine_failed(play->engine, failure);
        for (size_t r = 0; code == 0 && r < receivers; r++) {
            memcpy(raw + r * play->steps + done, piece + r * now, now * sizeof *raw);
            if (!isfinite(piece[r * now + now - 1]))
                code = failure_set(failure, FAILURE_SIMULATION, "the field is not finite by step %llu",
                                   (unsigned long long)(done + now));
        }
        done += now;
        show_progress(&line, play, done);
        if (code == 0)
            code = interrupt_stop(failure);
    }
    progress_line_end(&line);
    free(piece);
    return code;
}

static int make_sound(struct play *play, size_t receiver, double *raw, struct failure *failure)
{
    const struct room_setup *const setup = play->setup;
    struct play_sound *const sound = &play->sound[receiver];
    double square = 0;
    sound->name = setup->points.point[setup->points.sources + receiver].name;
    /* At time n k: the gain of u from step n to step n + 1 (drum.h). */
    for (uint64_t n = 0; n + 1 < play->steps; n++)
        raw[n] = play->air_density * setup->grid.step.rate * (raw[n + 1] - raw[n]);
    TRY(response_of_sound(raw, play->steps - 1, setup->grid.step.rate, setup->grid.fmax, &sound->sample,
                          &sound->frames, failure));
    for (size_t n = 0; n < sound->frames; n++) {
        sound->peak = fmax(sound->peak, fabs((double)sound->sample[n]));
        square += (double)sound->sample[n] * (double)sound->sample[n];
    }
    sound->level = 10 * log10(fmax(square / (double)sound->frames, 1e-30) / (20e-6 * 20e-6));
    return 0;
}

int play_run(struct play *play, FILE *progress, struct failure *failure)
{
    const struct time_step *const step = &play->setup->grid.step;
    const size_t receivers = play->setup->points.receivers;
    TRY(response_check(step, play->setup->grid.fmax, failure));
    play->steps = (uint64_t)ceil(play->duration * step->rate) + 2;
    double *const raw = calloc(receivers * play->steps, sizeof *raw);
    play->sound = calloc(receivers, sizeof *play->sound);
    if (raw == NULL || play->sound == NULL) {
        free(raw);
        return failure_memory(failure, receivers * play->steps * sizeof *raw, "what is heard");
    }
    const double start = progress_clock();
    int code = step_all(play, raw, progress, failure);
    play->seconds = progress_clock() - start;
    play->work = drums_work(play->drums);
    play->held = play->air_density * step->spacing * engine_energy(play->engine) +
                 drums_energy(play->drums, play->engine);
    for (size_t r = 0; code == 0 && r < receivers; r++) {
        play->sounds = r + 1;
        code = make_sound(play, r, raw + r * play->steps, failure);
    }
    free(raw);
    return code;
}

bool play_name_is_ours(const char *name)
{
    const size_t length = strlen(name);
    return strcmp(name, PLAY_RECORD_FILE) == 0 ||
           (length > 10 && strncmp(name, "heard_", 6) == 0 && strcmp(name + length - 4, ".wav") == 0);
}
