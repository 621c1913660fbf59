#include "src/run/walk/walk_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/run/grid_radiation.h"
#include "src/run/prepare_grid.h"
#include "src/setup/room_engine.h"
#include "src/response/signal/integrator.h"
#include "src/response/signal/low_pass.h"
#include "src/run/watch/batch_watch.h"

#define PI            3.14159265358979323846
#define A_WAVE        8.0 /* receivers to a wavelength at fmax */
#define POINTS        8   /* of the interpolation between them */
#define LEG_LEAST     4   /* receivers of a leg */
#define DECAYS        1.5 /* likely lengths of a response, which end 45 dB down or more, after the dry sound */
#define FADES         0.5  /* until it has decayed to e^-12 [s] */
#define SETTLES       2.0  /* until an integrator's initial value has decayed to e^-48 of it [s] */
#define MEETING_APART 1e-3 /* between two checks [s] */

void walk_steps_free(struct walk_steps *steps)
{
    if (steps->run.setup != NULL)
        grid_run_free(&steps->run);
    room_setup_free(&steps->setup);
    room_notices_free(&steps->unheard);
    free(steps->heard.first);
    free(steps->sounds.first);
    free(steps->asked);
    *steps = (struct walk_steps){0};
}

/* ---- places along a walk ---- */

/* How many a leg has after its first one. */
static size_t gaps_of(const struct walk_path *path, size_t leg, double apart)
{
    const double gaps = ceil((path->along[leg + 1] - path->along[leg]) / apart);
    return gaps < LEG_LEAST - 1 ? LEG_LEAST - 1 : (size_t)gaps;
}

static int line_up(struct walk_line *line, const struct walk_path *path, double apart,
                   struct failure *failure)
{
    line->path = path;
    line->first = calloc(path->corners, sizeof *line->first);
    if (line->first == NULL)
        return failure_memory(failure, path->corners * sizeof *line->first, "a walk");
    for (size_t c = 0; c + 1 < path->corners; c++)
        line->first[c + 1] = line->first[c] + gaps_of(path, c, apart);
    line->places = line->first[path->corners - 1] + 1;
    if (line->places > WALK_RECEIVERS_MOST)
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "a walk of %.1f m has %zu places, an eighth of a wavelength apart; the limit is %d",
                        walk_path_length(path), line->places, WALK_RECEIVERS_MOST),
            failure, "use a shorter walk, or lower the highest frequency");
    return 0;
}

/* As receivers of a request. */
static void ask_for(const struct walk_line *line, const char *name, struct option_place *asked)
{
    const struct walk_path *path = line->path;
    for (size_t r = 0, leg = 0; r < line->places; r++) {
        while (leg + 2 < path->corners && r > line->first[leg + 1])
            leg++;
        const size_t gaps = path->corners > 1 ? line->first[leg + 1] - line->first[leg] : 1;
        const double share = (double)(r - line->first[leg]) / (double)gaps;
        const double length = path->corners > 1 ? path->along[leg + 1] - path->along[leg] : 0.0;
        walk_path_place(path, path->along[leg] + share * length, asked[r].position);
        (void)snprintf(asked[r].name, sizeof asked[r].name, "%s-%zu", name, r);
    }
}

/* The places about a point of the walk, and their weights. */
static size_t weights_at(const struct walk_line *line, double along, size_t *first, double weight[POINTS])
{
    const struct walk_path *path = line->path;
    size_t leg = 0;
    while (leg + 2 < path->corners && along > path->along[leg + 1])
        leg++;
    const size_t gaps = path->corners > 1 ? line->first[leg + 1] - line->first[leg] : 0;
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
    *first = line->first[leg] + at;
    return count;
}

/* How far one has come at a time from the start [m]. */
static double along_at(const struct walk_path *path, double seconds)
{
    return fmin(fmax(seconds * path->speed, 0.0), walk_path_length(path));
}

/* Nearer than the grid's spacing a level would be that of the grid. */
static int refuse_meeting(const struct walk_steps *steps, struct failure *failure)
{
    const struct walk_path *heard = steps->heard.path, *sounds = steps->sounds.path;
    const double end = walk_path_seconds(walk_path_longer(heard, sounds));
    for (double t = 0.0; t <= end; t += MEETING_APART) {
        double from[3], to[3];
        walk_path_place(sounds, along_at(sounds, t), from);
        walk_path_place(heard, along_at(heard, t), to);
        if (vector_distance(from, to) < steps->setup.grid.step.spacing)
            return failure_set(failure, FAILURE_INPUT,
                               "the source meets the listener at %.3f,%.3f,%.3f m after %.2f s, nearer than "
                               "the grid spacing of %.3g m",
                               to[0], to[1], to[2], t, steps->setup.grid.step.spacing);
    }
    return 0;
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
    struct engine_rows *rows = &steps->run.rows;
    rows->sources = 0; /* there is no ledger */
    rows->receivers = steps->heard.places;
    rows->directional = rows->directional > 0 ? rows->receivers : 0;
    TRY(grid_run_start(&steps->run, failure));
    const struct stencil *tap = steps->run.stencil + steps->setup.points.sources + steps->heard.places;
    for (size_t i = 0; i < steps->sounds.places; i++)
        TRY(engine_add_source(steps->run.engine, &tap[i], failure));
    return room_engine_lose_in_air(steps->run.engine, &steps->setup, failure);
}

int walk_steps_prepare(const struct room_request *asked, const struct walk_path *path,
                       const struct walk_path *sounds, size_t channels, struct walk_steps *out,
                       struct failure *failure)
{
    struct room_request request = *asked;
    struct failure why = {0};
    const double apart = air_sound_speed(request.model.air.temperature) / (A_WAVE * request.grid.fmax);
    out->channels = channels;
    TRY(line_up(&out->heard, path, apart, failure));
    if (sounds != NULL)
        TRY(line_up(&out->sounds, sounds, apart, failure));
    const size_t places = out->heard.places + out->sounds.places;
    out->asked = calloc(places, sizeof *out->asked);
    if (out->asked == NULL)
        return failure_memory(failure, places * sizeof *out->asked, "a walk");
    ask_for(&out->heard, "walk", out->asked);
    if (sounds != NULL)
        ask_for(&out->sounds, "source-walk", out->asked + out->heard.places);
    request.points.receiver = (struct option_places){.count = places, .place = out->asked};
    request.points.source_walks = sounds != NULL;
    request.points.receiver_grid = (struct option_grids){.none = true};
    request.points.audience = request.points.place_receiver = false;
    request.listening = (struct listening_request){.ambisonics = channels > 1};
    request.plan.rows_pass = true;
    request.model.air_in_steps = true;
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, &out->setup, failure));
    for (size_t r = 0; r < out->setup.points.receivers; r++)
        out->setup.points.point[out->setup.points.sources + r].noun = "place";
    TRY(walk_path_refuse_walls(path, &out->setup.model.mesh, failure));
    if (sounds != NULL && walk_path_refuse_walls(sounds, &out->setup.model.mesh, &why) != 0)
        return failure_wrap(failure, &why, "the source cannot walk: ");
    struct room_needs needs;
    TRY(room_hosts_ask(&out->setup.hosts, failure));
    if (prepare_grid(&out->setup, &out->estimate, &needs, &why) != 0)
        return failure_wrap(failure, &why, "the walk cannot be stepped: ");
    if (sounds != NULL)
        TRY(refuse_meeting(out, failure));
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
    struct response_drive click;    /* of a source that has one tap, or moves; owned */
    struct grid_drives clicks;      /* of one that has several; owned */
    struct response_drive *played;  /* (count) owned */
    struct source_channel *channel; /* (count) owned; of no use to a source that has one tap */
    size_t count;
    bool alone; /* it has one */
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

static int make_room(struct drives *out, size_t count, struct failure *failure)
{
    out->count = count;
    out->played = calloc(count, sizeof *out->played);
    out->channel = calloc(count, sizeof *out->channel);
    return out->played == NULL || out->channel == NULL
               ? failure_memory(failure, count * sizeof *out->channel, "the drives of a source")
               : 0;
}

/* Of a source at its place. */
static int make_drives(const struct walk_steps *steps, size_t source, const double *dry, size_t count,
                       struct drives *out, struct failure *failure)
{
    const struct room_grid *grid = steps->run.grid;
    TRY(grid_radiation_drives(&steps->run, source, &out->clicks, failure));
    out->alone = out->clicks.count == 0;
    TRY(make_room(out, out->alone ? 1 : out->clicks.count, failure));
    if (out->alone) {
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

/* ---- the drives of a source that moves ---- */

/* When a place plays: the samples of the dry sound from `first` to before `end`. */
struct turn {
    size_t first, end;
};

/* How far the source has come with sample n of the volume velocity, which is the sum of the samples up to
 * there: half a sample later. */
static double sounds_along(const struct walk_steps *steps, size_t n)
{
    return along_at(steps->sounds.path, ((double)n + 0.5) / steps->run.grid->step.rate);
}

/* (places) */
static struct turn *list_turns(const struct walk_steps *steps, size_t count)
{
    struct turn *turn = calloc(steps->sounds.places, sizeof *turn);
    for (size_t n = 0; turn != NULL && n < count; n++) {
        double weight[POINTS];
        size_t first;
        const size_t some = weights_at(&steps->sounds, sounds_along(steps, n), &first, weight);
        for (size_t i = first; i < first + some; i++) {
            turn[i].first = turn[i].end == 0 ? n : turn[i].first;
            turn[i].end = n + 2; /* also the step in which it falls silent */
        }
    }
    return turn;
}

/* What one place plays: the steps of `flow` (count), the volume velocity, times its weight. */
static void weigh_flow(const struct walk_steps *steps, size_t place, const struct turn *turn,
                       const double *flow, size_t count, double *out)
{
    double before = 0.0;
    for (size_t n = turn->first; n < turn->end; n++) {
        double weight[POINTS], now = 0.0;
        size_t first;
        if (n < count) {
            const size_t some = weights_at(&steps->sounds, sounds_along(steps, n), &first, weight);
            now = place >= first && place < first + some ? flow[n] * weight[place - first] : 0.0;
        }
        out[n - turn->first] = now - before;
        before = now;
    }
}

static int make_moving(const struct walk_steps *steps, const struct turn *turn, const double *flow,
                       size_t count, struct drives *out, struct failure *failure)
{
    const struct grid_run *run = &steps->run;
    const size_t first = grid_radiation_channels(run),
                 after = steps->setup.points.sources + steps->heard.places;
    for (size_t i = 0; i < steps->sounds.places; i++) {
        const size_t length = turn[i].end - turn[i].first;
        out->channel[i] =
            (struct source_channel){.source = first + i,
                                    .drive = &out->played[i],
                                    .first = turn[i].first,
                                    .push = stencil_push(&run->grid->packed, &run->stencil[after + i]),
                                    .sum = 1.0};
        double *part = malloc((length + 1) * sizeof *part);
        if (part == NULL)
            return failure_memory(failure, length * sizeof *part, "the drive of a source");
        weigh_flow(steps, i, &turn[i], flow, count, part);
        const int code = length > 0 ? play_tap(&out->click, part, length, &out->played[i], failure) : 0;
        free(part);
        if (code != 0)
            return code;
    }
    return 0;
}

/* `dry` (count) becomes the volume velocity. */
static int make_moving_drives(const struct walk_steps *steps, double *dry, size_t count, struct drives *out,
                              struct failure *failure)
{
    const struct room_grid *grid = steps->run.grid;
    struct integrator integrator;
    integrator_make(grid->step.rate, &integrator);
    integrator_run(&integrator, dry, count);
    TRY(make_room(out, steps->sounds.places, failure));
    TRY(response_drive_make(&grid->step, grid->fmax, &out->click, failure));
    struct turn *turn = list_turns(steps, count);
    const int code = turn == NULL
                         ? failure_memory(failure, steps->sounds.places * sizeof *turn, "the turns of places")
                         : make_moving(steps, turn, dry, count, out, failure);
    free(turn);
    return code;
}

/* ---- the ear ---- */

struct ear {
    const struct walk_steps *steps;
    double rate; /* [Hz] */
    uint64_t lead, frames;
    struct integrator *integrator; /* (receivers, channels) owned */
    double *row;                   /* (receivers that are near, channels, steps) integrated; owned */
    size_t room;                   /* of `row` [values] */
    double *mixed;                 /* (channels, frames) W, and along x, y, z; owned */
};

/* The receivers about the listener at a step, and their weights. */
static size_t weights_of_step(const struct ear *ear, uint64_t step, size_t *first, double weight[POINTS])
{
    const struct walk_line *line = &ear->steps->heard;
    const double seconds = ((double)step - (double)ear->lead) / ear->rate;
    return weights_at(line, along_at(line->path, seconds), first, weight);
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
    const size_t channels = ear->steps->channels;
    double weight[POINTS];
    size_t from, to, some;
    /* The receivers in use now, or before the integrators of others have settled. */
    (void)weights_of_step(ear, first, &from, weight);
    some = weights_of_step(ear, first + steps + (uint64_t)(SETTLES * ear->rate), &to, weight);
    to += some;
    TRY(integrate_rows(ear, from, to, output, steps, failure));
    for (uint64_t n = first < ear->lead ? ear->lead - first : 0; n < steps; n++) {
        const uint64_t frame = first + n - ear->lead;
        size_t begin;
        if (frame >= ear->frames)
            break;
        some = weights_of_step(ear, first + n, &begin, weight);
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
    const size_t receivers = ear->steps->heard.places, channels = ear->steps->channels;
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
    const struct field_room room = {.lambda2 = run->grid->step.lambda2,
                                    .spacing = run->grid->step.spacing,
                                    .air_nodes = run->grid->packed.air_nodes,
                                    .mass = cut_masses_sum(&run->grid->packed),
                                    .push = drives->alone
                                                ? stencil_push(&run->grid->packed, &run->stencil[source])
                                                : drives->channel[0].push,
                                    .precision = setup->request.engine.precision,
                                    .hard = room_walls_hard(setup) && engine_air_loss(run->engine) == NULL};
    const struct source_run_ear heard = {.rows = rows_in_all(&run->rows), .hear = hear_block, .context = ear};
    const struct source_run_settings settings = {
        .step = run->grid->step,
        .fmax = run->grid->fmax,
        .duration = ((double)ear->frames - 0.5) / ear->rate,
        .stored_nodes = (uint64_t)run->needs.stored_nodes,
        .room = &room,
        .label = setup->points.point[source].name,
        .progress = setup->notices.quiet ? NULL : stderr,
        .drive = drives->alone ? &drives->played[0] : NULL,
        .channel = drives->alone ? NULL : drives->channel,
        .channels = drives->alone ? 0 : drives->count,
        .ear = &heard,
        .interrupt = &interrupt_seen,
        .drops_overdue = true,
        .patience = backend_is_device(setup->backend.backend) ? BATCH_PATIENCE : 0.0};
    struct source_progress result = {0};
    progress_json_begin("steps", setup->points.point[source].name);
    const int code =
        source_run(run->engine, &run->grid->lattice, grid_radiation_first(run, source),
                   grid_radiation_channels(run) + steps->sounds.places, 0, &settings, &result, failure);
    source_progress_free(&result);
    return code == 0 && result.interrupted ? failure_interrupted(failure) : code;
}

int walk_steps_make(struct walk_steps *steps, size_t source, struct dry_sound *dry, struct walk_sound *out,
                    struct failure *failure)
{
    const bool moves = steps->sounds.path != NULL;
    const struct room_grid *grid = steps->run.grid;
    const double rate = grid->step.rate;
    double sounds = 0.0, *sample = NULL;
    const size_t times =
                     walk_dry_times(dry, walk_path_longer(steps->heard.path, steps->sounds.path), &sounds),
                 count = (size_t)ceil(sounds * rate),
                 played = count + (moves ? (size_t)ceil(FADES * rate) : 0); /* a volume velocity fades */
    struct drives drives = {0};
    struct ear ear = {.steps = steps,
                      .rate = rate,
                      .lead =
                          response_lead(&grid->step, grid->fmax) + grid_radiation_longer(&steps->run, source),
                      .frames = count + (uint64_t)ceil(DECAYS * steps->run.needs.duration * rate)};
    int code = walk_dry_at(dry, times, rate, played, &sample, failure);
    if (code == 0)
        code = moves ? make_moving_drives(steps, sample, played, &drives, failure)
                     : make_drives(steps, source, sample, played, &drives, failure);
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
