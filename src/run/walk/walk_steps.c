#include "src/run/walk/walk_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/run/grid_radiation.h"
#include "src/run/prepare_grid.h"
#include "src/setup/room_engine.h"
#include "src/response/signal/integrator.h"
#include "src/response/signal/low_pass.h"
#include "src/run/watch/batch_watch.h"

#define PI        3.14159265358979323846
#define A_WAVE    8.0 /* receivers to a wavelength at fmax */
#define POINTS    8   /* of the interpolation between them */
#define LEG_LEAST 4   /* receivers of a leg */
#define DECAYS    1.5 /* likely lengths of a response, which end 45 dB down or more, after the dry sound */
#define SETTLES   2.0 /* until an integrator's initial value has decayed to e^-48 of it [s] */
#define AXES      3

void walk_steps_free(struct walk_steps *steps)
{
    if (steps->run.setup != NULL)
        grid_run_free(&steps->run);
    room_setup_free(&steps->setup);
    room_notices_free(&steps->unheard);
    free(steps->first);
    free(steps->place);
    free(steps->asked);
    *steps = (struct walk_steps){0};
}

/* ---- receivers along the walk ---- */

/* How many a leg has after its first one. */
static size_t gaps_of(const struct walk_path *path, size_t leg, double apart)
{
    const double gaps = ceil((path->along[leg + 1] - path->along[leg]) / apart);
    return gaps < LEG_LEAST - 1 ? LEG_LEAST - 1 : (size_t)gaps;
}

static int line_up(struct walk_steps *steps, const struct walk_path *path, double apart,
                   struct failure *failure)
{
    steps->first = calloc(path->corners, sizeof *steps->first);
    if (steps->first == NULL)
        return failure_memory(failure, path->corners * sizeof *steps->first, "a walk");
    for (size_t c = 0; c + 1 < path->corners; c++)
        steps->first[c + 1] = steps->first[c] + gaps_of(path, c, apart);
    steps->receivers = steps->first[path->corners - 1] + 1;
    if (steps->receivers > WALK_RECEIVERS_MOST)
        return failure_fix(
            failure_set(
                failure, FAILURE_INPUT,
                "a walk of %.1f m is read at %zu places, an eighth of a wavelength apart; the limit is %d",
                walk_path_length(path), steps->receivers, WALK_RECEIVERS_MOST),
            failure, "use a shorter walk, or lower the highest frequency");
    steps->place = calloc(steps->receivers, sizeof *steps->place);
    steps->asked = calloc(steps->receivers, sizeof *steps->asked);
    if (steps->place == NULL || steps->asked == NULL)
        return failure_memory(failure, steps->receivers * sizeof *steps->asked, "a walk");
    for (size_t r = 0, leg = 0; r < steps->receivers; r++) {
        while (leg + 2 < path->corners && r > steps->first[leg + 1])
            leg++;
        const size_t gaps = path->corners > 1 ? steps->first[leg + 1] - steps->first[leg] : 1;
        const double share = (double)(r - steps->first[leg]) / (double)gaps;
        const double length = path->corners > 1 ? path->along[leg + 1] - path->along[leg] : 0.0;
        walk_path_place(path, path->along[leg] + share * length, steps->place[r]);
        memcpy(steps->asked[r].position, steps->place[r], sizeof steps->asked[r].position);
        (void)snprintf(steps->asked[r].name, sizeof steps->asked[r].name, "walk-%zu", r);
    }
    return 0;
}

/* The receivers about a place of the walk, and their weights. */
static size_t weights_at(const struct walk_steps *steps, const struct walk_path *path, double along,
                         size_t *first, double weight[POINTS])
{
    size_t leg = 0;
    while (leg + 2 < path->corners && along > path->along[leg + 1])
        leg++;
    const size_t gaps = path->corners > 1 ? steps->first[leg + 1] - steps->first[leg] : 0;
    const size_t count = gaps + 1 < POINTS ? gaps + 1 : POINTS;
    if (gaps == 0) {
        *first = 0;
        weight[0] = 1.0;
        return 1;
    }
    const double length = path->along[leg + 1] - path->along[leg];
    const double x = fmin(fmax((along - path->along[leg]) / length, 0.0), 1.0) * (double)gaps;
    const double begin = floor(x) - (double)(count / 2 - 1), most = (double)(gaps + 1 - count);
    const size_t at = (size_t)fmin(fmax(begin, 0.0), most);
    for (size_t i = 0; i < count; i++) {
        weight[i] = 1.0;
        for (size_t j = 0; j < count; j++)
            if (j != i)
                weight[i] *= (x - (double)(at + j)) / ((double)i - (double)j);
    }
    *first = steps->first[leg] + at;
    return count;
}

/* ---- the room ---- */

static int place_all(struct walk_steps *steps, struct failure *failure)
{
    steps->run = (struct grid_run){.setup = &steps->setup,
                                   .grid = &steps->setup.grid,
                                   .notices = &steps->unheard,
                                   .needs = steps->run.needs};
    steps->unheard = (struct room_notices){.quiet = true, .silent = true};
    TRY(grid_run_place(&steps->run, failure));
    steps->run.rows.sources = 0; /* there is no ledger */
    return grid_run_start(&steps->run, failure);
}

int walk_steps_prepare(const struct room_request *asked, const struct walk_path *path, size_t channels,
                       struct walk_steps *out, struct failure *failure)
{
    struct room_request request = *asked;
    struct failure why = {0};
    out->channels = channels;
    TRY(line_up(out, path, air_sound_speed(request.model.air.temperature) / (A_WAVE * request.grid.fmax),
                failure));
    request.points.receiver = (struct option_places){.count = out->receivers, .place = out->asked};
    request.points.receiver_grid = (struct option_grids){.none = true};
    request.points.audience = request.points.place_receiver = false;
    request.listening = (struct listening_request){.ambisonics = channels > 1};
    request.plan.rows_pass = true;
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, &out->setup, failure));
    TRY(walk_path_refuse_walls(path, &out->setup.model.mesh, failure));
    struct room_needs needs;
    TRY(room_hosts_ask(&out->setup.hosts, failure));
    if (prepare_grid(&out->setup, &out->estimate, &needs, &why) != 0)
        return failure_wrap(failure, &why, "the walk cannot be stepped: ");
    out->run.needs = needs;
    progress_json_begin("engine", NULL);
    return place_all(out, failure);
}

/* ---- the drive ---- */

/* The drive of a tap for the whole sound, from that for one click. */
static int play_tap(const struct response_drive *click, const double *dry, size_t count,
                    struct response_drive *out, struct failure *failure)
{
    const size_t whole = count + click->count;
    double *sample = calloc(whole, sizeof *sample);
    if (sample == NULL)
        return failure_memory(failure, whole * sizeof *sample, "the drive of a source");
    const struct low_pass filter = {.count = click->count, .tap = click->sample};
    memcpy(sample, dry, count * sizeof *sample);
    const int code = low_pass_apply(&filter, sample, whole, failure);
    if (code != 0) {
        free(sample);
        return code;
    }
    *out = (struct response_drive){.lead = click->lead, .count = whole, .sample = sample};
    return 0;
}

struct drives {
    struct response_drive click;   /* of a source that has one tap; owned */
    struct grid_drives clicks;     /* of one that has several; owned */
    struct response_drive *played; /* (count) owned */
    struct source_channel *channel;
    size_t count;
};

static void drives_free(struct drives *drives)
{
    for (size_t c = 0; drives->played != NULL && c < drives->count; c++)
        response_drive_free(&drives->played[c]);
    free(drives->played);
    free(drives->channel);
    response_drive_free(&drives->click);
    grid_drives_free(&drives->clicks);
}

static int make_drives(const struct walk_steps *steps, size_t source, const double *dry, size_t count,
                       struct drives *out, struct failure *failure)
{
    const struct room_grid *grid = steps->run.grid;
    TRY(grid_radiation_drives(&steps->run, source, &out->clicks, failure));
    out->count = out->clicks.count > 0 ? out->clicks.count : 1;
    out->played = calloc(out->count, sizeof *out->played);
    out->channel = calloc(out->count, sizeof *out->channel);
    if (out->played == NULL || out->channel == NULL)
        return failure_memory(failure, out->count * sizeof *out->channel, "the drives of a source");
    if (out->clicks.count == 0) {
        TRY(response_drive_make(&grid->step, grid->fmax, &out->click, failure));
        TRY(play_tap(&out->click, dry, count, &out->played[0], failure));
    }
    for (size_t c = 0; c < out->clicks.count; c++) {
        const struct response_drive *click = out->clicks.channel[c].drive;
        out->channel[c] = out->clicks.channel[c];
        out->channel[c].drive = &out->played[c];
        if (click->sample != NULL)
            TRY(play_tap(click, dry, count, &out->played[c], failure));
    }
    return 0;
}

/* ---- the ear ---- */

struct ear {
    const struct walk_steps *steps;
    const struct walk_path *path;
    double rate; /* [Hz] */
    uint64_t lead, frames;
    struct integrator *integrator; /* (receivers, channels) owned */
    double *row;                   /* (receivers that are near, channels, steps) integrated; owned */
    size_t room;                   /* of `row` [values] */
    double *mixed;                 /* (channels, frames) W, and along x, y, z; owned */
};

/* How far the listener has come at a step [m]. */
static double along_at(const struct ear *ear, uint64_t step)
{
    const double seconds = ((double)step - (double)ear->lead) / ear->rate;
    return fmin(fmax(seconds * ear->path->speed, 0.0), walk_path_length(ear->path));
}

static size_t row_of(const struct ear *ear, size_t receiver, size_t channel)
{
    const struct engine_rows *rows = &ear->steps->run.rows;
    return channel == 0 ? row_of_receiver(rows, receiver) : row_of_gradient(rows, receiver, channel - 1);
}

static int integrate_rows(struct ear *ear, size_t from, size_t to, const double *output, uint64_t steps,
                          struct failure *failure)
{
    const size_t channels = ear->steps->channels, wanted = (to - from) * channels * steps;
    if (wanted > ear->room) {
        double *row = realloc(ear->row, wanted * sizeof *row);
        if (row == NULL)
            return failure_memory(failure, wanted * sizeof *row, "what is heard on the walk");
        ear->row = row;
        ear->room = wanted;
    }
    for (size_t r = from; r < to; r++)
        for (size_t c = 0; c < channels; c++) {
            double *row = ear->row + ((r - from) * channels + c) * steps;
            memcpy(row, engine_row(output, steps, row_of(ear, r, c)), steps * sizeof *row);
            (c == 0 ? integrator_run : integrator_run_twice)(&ear->integrator[r * channels + c], row, steps);
        }
    return 0;
}

static int hear_block(void *context, const double *output, uint64_t first, uint64_t steps,
                      struct failure *failure)
{
    struct ear *ear = context;
    const struct walk_steps *of = ear->steps;
    const size_t channels = of->channels;
    double weight[POINTS];
    size_t from, to, some;
    /* The receivers in use now, or before the integrators of others have settled. */
    (void)weights_at(of, ear->path, along_at(ear, first), &from, weight);
    some = weights_at(of, ear->path, along_at(ear, first + steps + (uint64_t)(SETTLES * ear->rate)), &to,
                      weight);
    to += some;
    TRY(integrate_rows(ear, from, to, output, steps, failure));
    for (uint64_t n = first < ear->lead ? ear->lead - first : 0; n < steps; n++) {
        const uint64_t frame = first + n - ear->lead;
        size_t begin;
        if (frame >= ear->frames)
            break;
        some = weights_at(of, ear->path, along_at(ear, first + n), &begin, weight);
        for (size_t c = 0; c < channels; c++) {
            double sum = 0.0;
            for (size_t i = 0; i < some; i++)
                sum += weight[i] * ear->row[((begin - from + i) * channels + c) * steps + n];
            ear->mixed[c * ear->frames + frame] = sum;
        }
    }
    return 0;
}

/* The sound at the listener, calibrated: frames of AmbiX in the axes of the room. */
static int take_frames(struct ear *ear, struct walk_sound *out, struct failure *failure)
{
    static const enum ambisonic_channel place[] = {AMBISONIC_W, AMBISONIC_X, AMBISONIC_Y, AMBISONIC_Z};
    const size_t channels = ear->steps->channels, frames = (size_t)ear->frames;
    float *sample = malloc((frames * channels + 1) * sizeof *sample);
    if (sample == NULL)
        return failure_memory(failure, frames * channels * sizeof *sample, "what is heard on the walk");
    for (size_t c = 0; c < channels; c++) {
        double *heard = ear->mixed + c * frames;
        const double calibration =
            4.0 * PI * (c == 0 ? 1.0 : ear->steps->setup.model.sound_speed / ear->rate);
        if (c > 0)
            integrator_over_cosine(heard, frames);
        for (size_t n = 0; n < frames; n++)
            sample[n * channels + (size_t)place[c]] = (float)(calibration * heard[n]);
    }
    *out = (struct walk_sound){.rate = ear->rate, .frames = frames, .channels = channels, .sample = sample};
    return 0;
}

static int begin_ear(struct ear *ear, struct failure *failure)
{
    const size_t receivers = ear->steps->receivers, channels = ear->steps->channels;
    ear->integrator = malloc(receivers * channels * sizeof *ear->integrator);
    ear->mixed = calloc(channels * ear->frames + 1, sizeof *ear->mixed);
    if (ear->integrator == NULL || ear->mixed == NULL)
        return failure_memory(failure,
                              receivers * channels * sizeof *ear->integrator +
                                  channels * ear->frames * sizeof *ear->mixed,
                              "what is heard on the walk");
    for (size_t i = 0; i < receivers * channels; i++)
        integrator_make(ear->rate, &ear->integrator[i]);
    return 0;
}

/* ---- stepped ---- */

static int step_all(struct walk_steps *steps, size_t source, const struct drives *drives, struct ear *ear,
                    struct failure *failure)
{
    const struct grid_run *run = &steps->run;
    const struct room_setup *setup = &steps->setup;
    const bool alone = drives->clicks.count == 0;
    const struct field_room room = {.lambda2 = run->grid->step.lambda2,
                                    .spacing = run->grid->step.spacing,
                                    .air_nodes = run->grid->packed.air_nodes,
                                    .mass = cut_masses_sum(&run->grid->packed),
                                    .push = alone ? stencil_push(&run->grid->packed, &run->stencil[source])
                                                  : drives->channel[0].push,
                                    .precision = setup->request.engine.precision,
                                    .hard = room_walls_hard(setup)};
    const struct source_run_ear heard = {.rows = rows_in_all(&run->rows), .hear = hear_block, .context = ear};
    const struct source_run_settings settings = {
        .step = run->grid->step,
        .fmax = run->grid->fmax,
        .duration = ((double)ear->frames - 0.5) / ear->rate,
        .stored_nodes = (uint64_t)run->needs.stored_nodes,
        .room = &room,
        .label = setup->points.point[source].name,
        .progress = setup->notices.quiet ? NULL : stderr,
        .drive = alone ? &drives->played[0] : NULL,
        .channel = alone ? NULL : drives->channel,
        .channels = alone ? 0 : drives->count,
        .ear = &heard,
        .interrupt = &interrupt_seen,
        .drops_overdue = true,
        .patience = setup->backend.backend == BACKEND_CUDA ? BATCH_PATIENCE : 0.0};
    struct source_progress result = {0};
    progress_json_begin("steps", setup->points.point[source].name);
    const int code = source_run(run->engine, &run->grid->lattice, grid_radiation_first(run, source),
                                grid_radiation_channels(run), 0, &settings, &result, failure);
    source_progress_free(&result);
    return code == 0 && result.interrupted ? failure_interrupted(failure) : code;
}

int walk_steps_make(struct walk_steps *steps, const struct walk_path *path, size_t source,
                    struct dry_sound *dry, struct walk_sound *out, struct failure *failure)
{
    const struct room_grid *grid = steps->run.grid;
    const double rate = grid->step.rate;
    double sounds = 0.0, *sample = NULL;
    const size_t times = walk_dry_times(dry, path, &sounds), count = (size_t)ceil(sounds * rate);
    struct drives drives = {0};
    struct ear ear = {.steps = steps,
                      .path = path,
                      .rate = rate,
                      .lead =
                          response_lead(&grid->step, grid->fmax) + grid_radiation_longer(&steps->run, source),
                      .frames = count + (uint64_t)ceil(DECAYS * steps->run.needs.duration * rate)};
    int code = walk_dry_at(dry, times, rate, count, &sample, failure);
    if (code == 0)
        code = make_drives(steps, source, sample, count, &drives, failure);
    if (code == 0)
        code = begin_ear(&ear, failure);
    if (code == 0)
        code = step_all(steps, source, &drives, &ear, failure);
    if (code == 0)
        code = take_frames(&ear, out, failure);
    free(sample);
    free(ear.integrator);
    free(ear.row);
    free(ear.mixed);
    drives_free(&drives);
    return code;
}
