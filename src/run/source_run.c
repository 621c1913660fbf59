#include "src/run/source_run.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_recheck.h"
#include "src/response/acoustics/octave_decay.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/base/progress_line.h"
#include "src/run/watch/batch_watch.h"
#include "src/setup/engine_rows.h"
#include "src/response/signal/response.h"

#define BATCH_STEPS_MAX 512
#define BATCH_SECONDS   0.075 /* an interrupt waits no longer than about this */
/* Looks at the whole field come at steps that no clock has a say in, so that a run gives the same figures
 * twice. Health and energy are three passes over the pressures, which cost as much as three to five steps. */
#define LOOK_STEPS 512 /* between two looks, a power of two: 1 % of the time at most */
#define LOOKS_MOST 200 /* of the planned steps: in a small room a look costs more than its nodes */
#define LEDGER_SMALL                                                                                         \
    (UINT64_C(1) << 18)      /* nodes of a room of which all samples of a ledger are free: 0.1 s */
#define LEDGER_FEWEST    4   /* samples, however far apart LOOK_STEPS would have them */
#define AUTOMATIC_GROWTH 0.1 /* of the duration so far, per piece */

struct run {
    struct engine *engine;
    const struct lattice *lattice;
    size_t source, sources;
    struct engine_rows rows; /* what is kept counts as receivers */
    const struct source_run_settings *settings;
    struct source_run_result *out;

    uint64_t planned, longest;    /* steps */
    uint64_t capacity;            /* steps that fit into a row of out->raw */
    uint64_t begun;               /* steps that were there when this process began */
    struct response_drive signal; /* of the source; of several channels lead and the longest count alone */
    struct source_channel alone;  /* the source, where it has no channels of its own .. */
    const struct source_channel *channel; /* .. else those */
    size_t channels;
    double *drive;  /* (sources, BATCH_STEPS_MAX) */
    double *output; /* (rows_in_all(), BATCH_STEPS_MAX) */
    struct octave_decay decay;

    size_t taken; /* snapshots taken so far */
    struct field_monitor monitor;
    struct batch_watch *watch;
    struct batch_rate rate;
    uint64_t recheck_apart; /* steps (engine_recheck.h) */
    uint64_t energy_step;   /* of the newest look at the energy */
    double energy;
    struct progress_line line;
    uint64_t look_apart;  /* steps between looks at the field */
    uint64_t health_step; /* the field was finite then */
    double kept_time;     /* when settings->keeper was last given the run [s] */
    double loudest;       /* largest mean square seen */
    double field_level;   /* mean square re loudest [dB]; NaN before the first look */
};

static uint64_t steps_of(double seconds, double rate)
{
    return (uint64_t)fmax(1.0, ceil(seconds * rate * (1.0 - 1e-12)));
}

static bool automatic(const struct run *run)
{
    return !(run->settings->duration > 0.0);
}

void source_run_plan(const struct source_run_settings *settings, uint64_t lead, uint64_t *first,
                     uint64_t *longest)
{
    const bool fixed = settings->duration > 0.0;
    const double most = fixed ? settings->duration : settings->longest_duration,
                 least = fixed ? most : fmin(settings->first_duration, most);
    /* Seconds of a run for one of a response. A drive of one's own gets no response: its time is the run's.
     */
    const double share = settings->drive != NULL ? 1.0 : response_share(&settings->step, settings->fmax);
    *longest = lead + steps_of(most / share, settings->step.rate);
    *first = lead + steps_of(least / share, settings->step.rate);
}

/* Rows become `capacity` steps wide, in place: hundreds of them are too many to be in memory twice. */
static int widen_rows(struct run *run, uint64_t capacity, struct failure *failure)
{
    struct source_run_result *out = run->out;
    if (run->rows.receivers == 0 || capacity <= run->capacity)
        return 0;
    const bool fits = capacity < SIZE_MAX / sizeof(double) / run->rows.receivers;
    double *raw = fits ? realloc(out->raw, (size_t)(run->rows.receivers * capacity + 1) * sizeof *raw) : NULL;
    if (raw == NULL)
        return failure_memory(
            failure, fits ? (unsigned long long)(run->rows.receivers * capacity * sizeof *raw) : UINT64_MAX,
            "the responses of the receivers");
    for (size_t r = run->rows.receivers; r-- > 1;)
        memmove(raw + r * capacity, raw + r * run->capacity, (size_t)out->steps * sizeof *raw);
    out->raw = raw;
    run->capacity = capacity;
    return 0;
}

static size_t followed_count(const struct run *run)
{
    return run->settings->followed != NULL ? run->settings->followed_count : run->rows.receivers;
}

static void choose_channels(struct run *run)
{
    const struct source_run_settings *settings = run->settings;
    run->alone = (struct source_channel){
        .source = run->source, .drive = &run->signal, .push = NAN, .sum = 1.0}; /* the room has its push */
    run->channel = settings->channel != NULL ? settings->channel : &run->alone;
    run->channels = settings->channel != NULL ? settings->channels : 1;
    for (size_t c = 0; settings->channel != NULL && c < run->channels; c++) {
        const struct response_drive *drive = run->channel[c].drive;
        run->signal.lead = drive->lead > 0 ? drive->lead : run->signal.lead;
        run->signal.count = drive->count > run->signal.count ? drive->count : run->signal.count;
    }
}

static int start(struct run *run, struct failure *failure)
{
    const struct source_run_settings *settings = run->settings;
    if (settings->drive != NULL)
        run->signal = *settings->drive;
    else if (settings->channel == NULL)
        TRY(response_drive_make(&settings->step, settings->fmax, &run->signal, failure));
    else
        TRY(response_check(&settings->step, settings->fmax, failure));
    choose_channels(run);
    TRY(octave_decay_make(&settings->step, settings->fmax, followed_count(run), &run->decay, failure));
    if (settings->losses != NULL)
        octave_decay_in_air(&run->decay, &settings->step, settings->losses);
    run->out->lead = run->signal.lead;
    source_run_plan(settings, run->signal.lead, &run->planned, &run->longest);
    run->drive = calloc(run->sources * BATCH_STEPS_MAX, sizeof *run->drive);
    const size_t rows = rows_in_all(&run->rows);
    run->output = calloc(rows * BATCH_STEPS_MAX + 1, sizeof *run->output);
    if (run->drive == NULL || run->output == NULL)
        return failure_memory(failure,
                              (unsigned long long)((run->sources + rows) * BATCH_STEPS_MAX * sizeof(double)),
                              "a batch of steps");
    return widen_rows(run, run->planned, failure);
}

/* Append a batch to the rows; true when every receiver is finite. What comes after the first step at which
 * one is not is dropped. */
static bool keep_output(struct run *run, uint64_t steps)
{
    uint64_t finite = steps;
    for (size_t r = 0; r < run->rows.receivers; r++)
        for (uint64_t n = 0; n < finite; n++)
            if (!isfinite(run->output[r * steps + n]))
                finite = n;
    for (size_t r = 0; r < run->rows.receivers; r++) {
        const double *row = run->output + r * steps;
        memcpy(run->out->raw + r * run->capacity + run->out->steps, row, (size_t)finite * sizeof *row);
    }
    for (size_t f = 0; f < run->decay.receivers; f++) {
        const size_t r = run->settings->followed != NULL ? run->settings->followed[f] : f;
        octave_decay_add(&run->decay, f, run->output + r * steps, (size_t)finite);
    }
    run->out->steps += finite;
    return finite == steps;
}

/* Every so many steps, when the drive has ended, and at the end. */
static bool look_due(const struct run *run)
{
    const uint64_t steps = run->out->steps;
    return steps % run->look_apart == 0 || steps == run->signal.count || steps == run->planned;
}

/* engine_energy(), once for all who want it at a step. */
static double energy_now(struct run *run)
{
    const uint64_t step = engine_steps(run->engine);
    if (run->energy_step != step)
        run->energy = engine_energy(run->engine);
    run->energy_step = step;
    return run->energy;
}

/* Energy and mean, once nothing drives the field any more. */
static int watch_field(struct run *run, const struct engine_health *health, struct failure *failure)
{
    const struct field_look look = {.step = engine_steps(run->engine),
                                    .energy = energy_now(run),
                                    .mean = health->mean,
                                    .mean_square = health->mean_square};
    TRY(engine_failed(run->engine, failure));
    const int code = field_monitor_look(&run->monitor, &look, failure);
    run->out->field = run->monitor.record;
    return code;
}

static int look_at_field(struct run *run, bool receivers_finite, struct failure *failure)
{
    const struct engine_health health = engine_health(run->engine);
    TRY(engine_failed(run->engine, failure));
    const uint64_t step = engine_steps(run->engine);
    if (!health.finite) {
        double place[3];
        lattice_position(run->lattice, health.bad_node, place);
        return failure_advise(
            failure_set(
                failure, FAILURE_SIMULATION,
                "the pressure is not finite at node (%lld, %lld, %lld), at %.3f, %.3f, %.3f m; it became "
                "so between step %llu and step %llu",
                (long long)health.bad_node[0], (long long)health.bad_node[1], (long long)health.bad_node[2],
                place[0], place[1], place[2], (unsigned long long)run->health_step, (unsigned long long)step),
            failure, ADVICE_STEADIER, 0);
    }
    if (!receivers_finite)
        return failure_set(failure, FAILURE_SIMULATION,
                           "the pressure at a receiver is not finite at step %llu although the field is: "
                           "please report this",
                           (unsigned long long)run->out->steps);
    if (run->settings->room != NULL && step >= run->signal.count)
        TRY(watch_field(run, &health, failure));
    run->loudest = fmax(run->loudest, health.mean_square);
    run->field_level = run->loudest > 0.0 ? 10.0 * log10(health.mean_square / run->loudest) : 0.0;
    run->health_step = step;
    return 0;
}

/* The drives of the source in a batch, and the outputs of receivers at its stencils. */
static void keep_drive(struct run *run, uint64_t steps)
{
    double drive[LEDGER_CHANNELS], pressure[LEDGER_CHANNELS];
    for (uint64_t n = 0; n < steps; n++) {
        for (size_t c = 0; c < run->channels; c++) {
            const size_t source = run->channel[c].source;
            drive[c] = run->drive[source * steps + n];
            pressure[c] = engine_row(run->output, steps, row_of_source(&run->rows, source))[n];
        }
        energy_ledger_step_all(run->settings->ledger, drive, pressure);
    }
}

/* How far apart looks are, from what was planned first. */
static void space_looks(struct run *run)
{
    struct energy_ledger *ledger = run->settings->ledger;
    run->look_apart = LOOK_STEPS;
    while (LOOKS_MOST * run->look_apart < run->planned)
        run->look_apart *= 2;
    if (ledger == NULL)
        return;
    energy_ledger_clear(ledger, run->planned);
    const bool small = run->settings->room == NULL || run->settings->room->air_nodes <= LEDGER_SMALL;
    while (!small && ledger->apart < LOOK_STEPS && run->planned >= 2 * LEDGER_FEWEST * ledger->apart)
        energy_ledger_decimate(ledger);
}

static int keep_energy(struct run *run, struct failure *failure)
{
    struct energy_ledger *ledger = run->settings->ledger;
    const double stored = energy_now(run);
    if (ledger->surfaces > 0)
        engine_absorbed(run->engine, ledger->scratch);
    TRY(engine_failed(run->engine, failure));
    energy_ledger_sample(ledger, engine_steps(run->engine), stored);
    return 0;
}

/* A run of automatic length ends when what is planned is done and every octave has fallen. */
static double share_done(const struct run *run)
{
    const double steps = (double)run->out->steps / (double)run->planned,
                 fall = run->out->fall / SOURCE_RUN_FALL;
    return automatic(run) && run->decay.bands > 0 && isfinite(fall) ? fmin(steps, fmax(fall, 0)) : steps;
}

static void show_progress(struct run *run, double begin, double now)
{
    const struct source_run_settings *settings = run->settings;
    const uint64_t steps = run->out->steps;
    const double speed = (double)(steps - run->begun) / fmax(now - begin, 1e-9); /* steps per second */
    char rate[40] = "", left[40], level[40] = "";
    const double updates = speed * (double)settings->stored_nodes;
    if (settings->stored_nodes > 0)
        snprintf(rate, sizeof rate, "  %.4g %s", updates < 1e9 ? updates * 1e-6 : updates * 1e-9,
                 updates < 1e9 ? "Mnode/s" : "Gnode/s");
    const double seconds = (double)(run->planned - steps) / speed;
    const unsigned long long whole = (unsigned long long)fmin(ceil(seconds), 1e9);
    if (whole < 3600)
        snprintf(left, sizeof left, "%llu:%02llu left", whole / 60, whole % 60);
    else
        snprintf(left, sizeof left, "%llu:%02llu:%02llu left", whole / 3600, whole / 60 % 60, whole % 60);
    /* The slowest octave is what a run waits for. */
    const bool followed = run->decay.receivers > 0 && run->decay.bands > 0;
    const double fall = followed ? run->out->fall : -run->field_level;
    if (isfinite(fall))
        snprintf(level, sizeof level, "  level %.0f dB", 0.0 - round(fall)); /* 0 - 0 is not "-0" */
    char text[240];
    snprintf(text, sizeof text, "%s%s%3.0f %%%s  %s%s", settings->label != NULL ? settings->label : "",
             settings->label != NULL ? "  " : "", floor(100.0 * (double)steps / (double)run->planned), rate,
             left, level);
    progress_line_show(&run->line, now, text);
}

/* Once, on a line of its own. */
static void warn_of_slowness(struct run *run, uint64_t steps, double seconds)
{
    if (!batch_rate_add(&run->rate, steps, seconds) || run->settings->progress == NULL)
        return;
    progress_line_end(&run->line);
    (void)fprintf(run->settings->progress,
                  "steps have become slow: %.3g a second for a minute, and there were %.3g: the machine is "
                  "hot, short of "
                  "power or shared (of a card `nvidia-smi -q -d PERFORMANCE` tells)\n",
                  run->rate.slow_at, run->rate.best);
}

/* Of the step after so many, once nothing drives the field, some blocks are computed again. */
static bool rechecks(const struct run *run, uint64_t steps)
{
    return steps >= run->signal.count && steps % run->recheck_apart == 0;
}

/* Such a step is a batch of its own. */
static uint64_t recheck_stop(const struct run *run)
{
    const uint64_t steps = run->out->steps, from = steps > run->signal.count ? steps : run->signal.count;
    const uint64_t past = from % run->recheck_apart;
    if (rechecks(run, steps))
        return steps + 1;
    return past == 0 ? from : from - past + run->recheck_apart;
}

/* The step at which a batch ends at the latest: that of a look at the field, of a sample for the ledger, the
 * end of the drive, the planned end, a snapshot, or one before a step that is checked, or behind it. */
static uint64_t next_stop(const struct run *run)
{
    const uint64_t driven = run->signal.count, steps = run->out->steps;
    const uint64_t check = recheck_stop(run);
    uint64_t stop = (steps / run->look_apart + 1) * run->look_apart;
    if (check < stop)
        stop = check;
    if (run->planned < stop)
        stop = run->planned;
    if (steps < driven && driven < stop)
        stop = driven;
    if (run->settings->ledger != NULL) {
        const uint64_t sample = energy_ledger_next(run->settings->ledger, steps);
        stop = sample < stop ? sample : stop;
    }
    const struct source_run_snapshots *snapshots = run->settings->snapshots;
    if (snapshots != NULL && run->taken < snapshots->count && snapshots->step[run->taken] < stop)
        stop = snapshots->step[run->taken];
    return stop;
}

/* A batch aims at BATCH_SECONDS of wall time. */
static uint64_t next_batch(uint64_t batch, double seconds)
{
    const double wanted = (double)batch * BATCH_SECONDS / fmax(seconds, 1e-6);
    return (uint64_t)fmin(fmax(wanted, 1.0), fmin(2.0 * (double)batch, BATCH_STEPS_MAX));
}

static int take_looks(struct run *run, struct failure *failure)
{
    const struct source_run_snapshots *snapshots = run->settings->snapshots;
    while (snapshots != NULL && run->taken < snapshots->count &&
           snapshots->step[run->taken] == run->out->steps)
        TRY(snapshots->take(snapshots->context, run->engine, run->taken++, failure));
    return 0;
}

/* ---- kept, and gone on with ---- */

static struct source_saved saved_of(struct run *run)
{
    const struct source_run_result *out = run->out;
    return (struct source_saved){.steps = out->steps,
                                 .lead = out->lead,
                                 .planned = run->planned,
                                 .look_apart = run->look_apart,
                                 .health_step = run->health_step,
                                 .energy_step = run->energy_step,
                                 .energy = run->energy,
                                 .loudest = run->loudest,
                                 .field_level = run->field_level,
                                 .seconds = out->seconds,
                                 .fall = out->fall,
                                 .capped = out->capped,
                                 .longest = run->longest,
                                 .monitor = &run->monitor,
                                 .ledger = run->settings->ledger,
                                 .rows = run->rows.receivers,
                                 .capacity = run->capacity,
                                 .raw = out->raw};
}

static int keep(struct run *run, source_keeper_save *save, struct failure *failure)
{
    const struct source_saved now = saved_of(run);
    const int code = save(run->settings->keeper, &now, run->engine, failure);
    run->kept_time = progress_clock();
    return code;
}

/* Before rows move, and the engine goes. */
static void settle(const struct run *run)
{
    struct source_keeper *keeper = run->settings->keeper;
    if (keeper != NULL)
        keeper->settle(keeper);
}

/* The decays are those of the rows so far, in batches of any length. */
static void follow_again(struct run *run)
{
    for (size_t f = 0; f < run->decay.receivers; f++) {
        const size_t r = run->settings->followed != NULL ? run->settings->followed[f] : f;
        const double *row = run->out->raw + r * run->capacity;
        for (uint64_t n = 0; n < run->out->steps; n += BATCH_STEPS_MAX) {
            const uint64_t left = run->out->steps - n,
                           count = left < BATCH_STEPS_MAX ? left : BATCH_STEPS_MAX;
            memcpy(run->output, row + n, (size_t)count * sizeof *row);
            octave_decay_add(&run->decay, f, run->output, (size_t)count);
        }
    }
    run->out->fall = octave_decay_least_fall(&run->decay);
}

/* Where the keeper has this source, go on from there. */
static int go_on(struct run *run, struct failure *failure)
{
    struct source_keeper *keeper = run->settings->keeper;
    const struct source_run_snapshots *snapshots = run->settings->snapshots;
    struct source_run_result *out = run->out;
    struct source_saved from = saved_of(run);
    TRY(keeper->load(keeper, &from, run->engine, failure));
    if (from.steps == 0)
        return 0;
    if (from.rows > 0) {
        free(out->raw);
        out->raw = from.raw;
        run->capacity = from.steps;
    }
    out->steps = from.steps;
    out->seconds = from.seconds;
    out->capped = from.capped;
    out->field = run->monitor.record;
    run->planned = from.planned;
    run->look_apart = from.look_apart;
    run->health_step = from.health_step;
    run->energy_step = from.energy_step;
    run->energy = from.energy;
    run->loudest = from.loudest;
    run->field_level = from.field_level;
    while (snapshots != NULL && run->taken < snapshots->count && snapshots->step[run->taken] <= out->steps)
        run->taken++;
    TRY(widen_rows(run, run->planned, failure));
    follow_again(run);
    return 0;
}

/* What the monitor knows of what drives the field. */
static void watch_drives(struct run *run)
{
    const struct field_room *room = run->settings->room, none = {0};
    const struct response_drive *first = run->channels > 0 ? run->channel[0].drive : &run->signal;
    field_monitor_start(room != NULL ? room : &none, first->sample, first->sample != NULL ? first->count : 0,
                        &run->monitor);
    for (size_t c = 1; room != NULL && c < run->channels; c++)
        if (run->channel[c].drive->sample != NULL)
            field_monitor_drive(&run->monitor, run->channel[c].push, run->channel[c].sum,
                                run->channel[c].drive->sample, run->channel[c].drive->count);
}

static bool keep_due(const struct run *run)
{
    const struct source_keeper *keeper = run->settings->keeper;
    return keeper != NULL && run->out->steps < run->planned &&
           progress_clock() - run->kept_time >= keeper->apart;
}

/* ---- stepped ---- */

static int run_steps(struct run *run, struct failure *failure)
{
    struct source_run_result *out = run->out;
    const volatile sig_atomic_t *interrupt = run->settings->interrupt;
    struct energy_ledger *ledger = run->settings->ledger;
    const struct source_run_ear *ear = run->settings->ear;
    const double begin = progress_clock();
    uint64_t batch = 1; /* a step of a large room may take seconds */
    run->begun = out->steps;
    progress_json_show(share_done(run));
    progress_line_start(&run->line, run->settings->progress, begin);
    while (out->steps < run->planned) {
        if (interrupt != NULL && *interrupt != 0) {
            out->interrupted = true;
            if (run->settings->keeper != NULL && out->steps > 0)
                TRY(keep(run, run->settings->keeper->save_last, failure));
            break;
        }
        const uint64_t left = next_stop(run) - out->steps;
        const uint64_t steps = batch < left ? batch : left;
        memset(run->drive, 0, (size_t)(run->sources * steps) * sizeof *run->drive);
        for (size_t c = 0; c < run->channels; c++) {
            const struct response_drive *drive = run->channel[c].drive;
            for (uint64_t n = 0; drive->sample != NULL && n < steps && out->steps + n < drive->count; n++)
                run->drive[run->channel[c].source * steps + n] = drive->sample[out->steps + n];
        }
        struct engine_recheck *check = rechecks(run, out->steps) ? engine_recheck_begin(run->engine) : NULL;
        const double before = progress_clock();
        batch_watch_begin(run->watch, steps);
        engine_run(run->engine, steps, run->drive, rows_in_all(&run->rows) > 0 ? run->output : NULL);
        const double after = progress_clock();
        batch_watch_end(run->watch, steps, after - before);
        warn_of_slowness(run, steps, after - before);
        out->seconds += after - before;
        TRY(engine_recheck_end(check, run->engine, failure)); /* of this batch nothing is sound */
        if (steps == batch || after - before > BATCH_SECONDS)
            batch = next_batch(steps, after - before);

        const bool finite = keep_output(run, steps);
        if (ear != NULL)
            TRY(ear->hear(ear->context, run->output, out->steps - steps, steps, failure));
        if (ledger != NULL)
            keep_drive(run, steps);
        if (!finite || look_due(run))
            TRY(look_at_field(run, finite, failure));
        if (ledger != NULL && out->steps % ledger->apart == 0)
            TRY(keep_energy(run, failure));
        TRY(take_looks(run, failure));
        if (progress_line_due(&run->line, after))
            show_progress(run, begin, after);

        out->fall = octave_decay_least_fall(&run->decay);
        if (out->steps == run->planned && automatic(run)) {
            if (out->fall < SOURCE_RUN_FALL && run->planned < run->longest) {
                const uint64_t more = run->planned + (uint64_t)ceil(AUTOMATIC_GROWTH * (double)run->planned);
                run->planned = more < run->longest ? more : run->longest;
                settle(run);
                TRY(widen_rows(run, run->planned, failure));
            } else {
                out->capped = out->fall < SOURCE_RUN_FALL;
            }
        }
        progress_json_show(share_done(run));
        if (keep_due(run))
            TRY(keep(run, run->settings->keeper->save, failure));
    }
    const bool hurries = run->settings->hurried && interrupt_overdue();
    if (out->interrupted && out->steps > 0 && !hurries)
        TRY(look_at_field(run, true, failure)); /* so that what is kept is known to be sound */
    if (ledger != NULL && out->steps > 0) {
        if (!energy_ledger_ends_at(ledger, out->steps) && !hurries)
            TRY(keep_energy(run, failure));
        energy_ledger_close(ledger);
    }
    if (run->settings->progress != NULL && out->steps > run->begun)
        show_progress(run, begin, progress_clock());
    return 0;
}

int source_run(struct engine *engine, const struct lattice *lattice, size_t source, size_t sources,
               size_t receivers, const struct source_run_settings *settings, struct source_run_result *out,
               struct failure *failure)
{
    struct run run = {.engine = engine,
                      .lattice = lattice,
                      .source = source,
                      .sources = sources,
                      .rows = {.receivers = receivers,
                               .grid_points = settings->ear != NULL ? settings->ear->rows : 0,
                               .sources = settings->ledger != NULL ? sources : 0},
                      .settings = settings,
                      .out = out,
                      .field_level = NAN};
    /* As many rows as the engine reads and writes. */
    assert(settings->channels <= LEDGER_CHANNELS || settings->ledger == NULL);
    assert(engine_sources(engine) == sources);
    assert(engine_receivers(engine) == rows_in_all(&run.rows));
    *out = (struct source_run_result){0};
    engine_reset(engine);
    run.recheck_apart = engine_recheck_apart(engine);
    run.watch = settings->patience > 0.0 ? batch_watch_start(settings->patience) : NULL;
    int code = start(&run, failure);
    watch_drives(&run);
    out->field = run.monitor.record;
    if (code == 0)
        space_looks(&run);
    if (code == 0 && settings->keeper != NULL)
        code = go_on(&run, failure);
    run.kept_time = progress_clock();
    if (code == 0)
        code = run_steps(&run, failure);
    batch_watch_stop(run.watch);
    settle(&run);
    progress_line_end(&run.line);
    /* Rows are made tight in place, so that this works after a failure too. */
    for (size_t r = 1; out->raw != NULL && r < receivers; r++)
        memmove(out->raw + r * out->steps, out->raw + r * run.capacity,
                (size_t)out->steps * sizeof *out->raw);
    octave_decay_free(&run.decay);
    if (settings->drive == NULL && settings->channel == NULL)
        response_drive_free(&run.signal);
    free(run.drive);
    free(run.output);
    return code;
}
