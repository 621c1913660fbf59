#include "src/run/source_run.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_recheck.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/base/progress_line.h"
#include "src/run/watch/batch_watch.h"
#include "src/run/watch/wave_picture.h"
#include "src/setup/engine_rows.h"
#include "src/response/signal/response.h"

#define BATCH_STEPS_MAX 512
#define BATCH_SECONDS   0.075 /* an interrupt waits no longer than about this */
/* The whole field is checked ("a look") at steps that do not depend on a clock, so that a run gives the same
 * figures twice. Health and energy are three passes over the pressures, at the cost of three to five
 * steps. */
#define LOOK_STEPS 512 /* between two looks, a power of two: 1 % of the time at most */
#define LOOKS_MOST 200 /* of the planned steps: in a small room a look costs more than its nodes */
#define LEDGER_SMALL                                                                                         \
    (UINT64_C(1) << 18) /* nodes of a room of which all samples of a ledger are free: 0.1 s */
#define LEDGER_FEWEST 4 /* samples, however far apart LOOK_STEPS would have them */

struct run {
    struct engine *engine;
    const struct lattice *lattice;
    size_t source, sources;
    struct engine_rows rows; /* `receivers` counts all rows that are kept */
    const struct source_run_settings *settings;
    struct source_progress *now;

    uint64_t begun;               /* steps that were there when this process began */
    struct response_drive signal; /* of the source; of several channels lead and the longest count alone */
    struct source_channel alone;  /* the source, if it has no channels of its own .. */
    const struct source_channel *channel; /* .. else those */
    size_t channels;
    double *drive;   /* (sources, BATCH_STEPS_MAX) */
    double *output;  /* (rows_in_all(), BATCH_STEPS_MAX) */
    uint64_t likely; /* steps; 0 once the decay has been measured */

    size_t taken; /* snapshots taken so far */
    struct batch_watch *watch;
    struct batch_rate rate;
    uint64_t recheck_apart; /* steps (engine_recheck.h) */
    struct progress_line line;
    double kept_time; /* when settings->keeper last saved [s] */
    double pictured;  /* time that the last picture shows [s]; NAN: none */
};

static struct energy_ledger *ledger_of(const struct run *run)
{
    return source_has_ledger(run->now) ? &run->now->ledger : NULL;
}

static uint64_t steps_of(double seconds, double rate)
{
    return (uint64_t)fmax(1.0, ceil(seconds * rate * (1.0 - 1e-12)));
}

/* Set the interval of checks from the steps planned first. */
static void space_looks(const struct source_run_settings *settings, struct source_progress *progress)
{
    struct energy_ledger *ledger = &progress->ledger;
    progress->look_apart = LOOK_STEPS;
    while (LOOKS_MOST * progress->look_apart < progress->planned)
        progress->look_apart *= 2;
    energy_ledger_clear(ledger, progress->planned);
    const bool small = settings->room == NULL || settings->room->air_nodes <= LEDGER_SMALL;
    while (!small && ledger->apart < LOOK_STEPS && progress->planned >= 2 * LEDGER_FEWEST * ledger->apart)
        energy_ledger_decimate(ledger);
}

/* Seconds of a response for one of a run. A drive of one's own, or none, gets no response: its time is the
 * run's. */
static double share_of(const struct source_run_settings *settings)
{
    const bool silent = settings->channels > 0 && settings->channel->drive->count == 0;
    return settings->drive != NULL || silent ? 1.0 : response_share(&settings->step, settings->fmax);
}

void source_run_plan(const struct source_run_settings *settings, uint64_t lead, struct source_progress *out)
{
    const bool fixed = settings->duration > 0.0;
    const double most = fixed ? settings->duration : settings->longest_duration,
                 least = fixed ? most : fmin(settings->first_duration, most);
    const double share = share_of(settings);
    out->lead = lead;
    out->limit = lead + steps_of(most / share, settings->step.rate);
    out->planned = lead + steps_of(least / share, settings->step.rate);
    space_looks(settings, out);
}

/* Rows become `capacity` steps wide, in place: hundreds of them are too many to be in memory twice. */
static int widen_rows(struct run *run, uint64_t capacity, struct failure *failure)
{
    struct source_progress *now = run->now;
    if (run->rows.receivers == 0 || capacity <= now->capacity)
        return 0;
    const bool fits = capacity < SIZE_MAX / sizeof(double) / run->rows.receivers;
    double *raw = fits ? realloc(now->raw, (size_t)(run->rows.receivers * capacity + 1) * sizeof *raw) : NULL;
    if (raw == NULL)
        return failure_memory(
            failure, fits ? (unsigned long long)(run->rows.receivers * capacity * sizeof *raw) : UINT64_MAX,
            "the responses of the receivers");
    for (size_t r = run->rows.receivers; r-- > 1;)
        memmove(raw + r * capacity, raw + r * now->capacity, (size_t)now->steps * sizeof *raw);
    now->raw = raw;
    now->capacity = capacity;
    return 0;
}

/* Rows become tight, in place. */
static void pack_rows(struct source_progress *now)
{
    for (size_t r = 1; now->raw != NULL && r < now->rows; r++)
        memmove(now->raw + r * now->steps, now->raw + r * now->capacity,
                (size_t)now->steps * sizeof *now->raw);
    now->capacity = now->steps;
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
        const uint64_t end = run->channel[c].first + drive->count;
        run->signal.count = end > run->signal.count ? (size_t)end : run->signal.count;
    }
}

static int prepare_run(struct run *run, struct failure *failure)
{
    const struct source_run_settings *settings = run->settings;
    if (settings->drive != NULL)
        run->signal = *settings->drive;
    else if (settings->channel == NULL)
        TRY(response_drive_make(&settings->step, settings->fmax, &run->signal, failure));
    else
        TRY(response_check(&settings->step, settings->fmax, failure));
    choose_channels(run);
    source_run_plan(settings, run->signal.lead, run->now);
    run->likely =
        run->signal.lead + steps_of(settings->likely_duration / share_of(settings), settings->step.rate);
    run->drive = calloc(run->sources * BATCH_STEPS_MAX + 1, sizeof *run->drive);
    const size_t rows = rows_in_all(&run->rows);
    run->output = calloc(rows * BATCH_STEPS_MAX + 1, sizeof *run->output);
    if (run->drive == NULL || run->output == NULL)
        return failure_memory(failure,
                              (unsigned long long)((run->sources + rows) * BATCH_STEPS_MAX * sizeof(double)),
                              "a batch of steps");
    return widen_rows(run, run->now->planned, failure);
}

/* Append a batch to the rows, up to the first step with a value that is not finite. True if all are
 * finite. */
static bool keep_output(struct run *run, uint64_t steps)
{
    uint64_t finite = steps;
    for (size_t r = 0; r < run->rows.receivers; r++)
        for (uint64_t n = 0; n < finite; n++)
            if (!isfinite(run->output[r * steps + n]))
                finite = n;
    for (size_t r = 0; r < run->rows.receivers; r++) {
        const double *row = run->output + r * steps;
        memcpy(run->now->raw + r * run->now->capacity + run->now->steps, row, (size_t)finite * sizeof *row);
    }
    run->now->steps += finite;
    return finite == steps;
}

/* Every so many steps, when the drive has ended, and at the end. */
static bool is_look_due(const struct run *run)
{
    const uint64_t steps = run->now->steps;
    return steps % run->now->look_apart == 0 || steps == run->signal.count || steps == run->now->planned;
}

/* engine_energy(), once for all who want it at a step. */
static double energy_now(struct run *run)
{
    const uint64_t step = engine_steps(run->engine);
    if (run->now->energy_step != step)
        run->now->energy = engine_energy(run->engine);
    run->now->energy_step = step;
    return run->now->energy;
}

/* Energy and mean, once nothing drives the field any more. */
static int watch_field(struct run *run, const struct engine_health *health, struct failure *failure)
{
    const struct field_look look = {.step = engine_steps(run->engine),
                                    .energy = energy_now(run),
                                    .mean = health->mean,
                                    .mean_square = health->mean_square};
    TRY(engine_failed(run->engine, failure));
    return field_monitor_look(&run->now->monitor, &look, failure);
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
                "the pressure is not finite at node (%lld, %lld, %lld), at %.3f, %.3f, %.3f m; it became so "
                "between step %llu and step %llu",
                (long long)health.bad_node[0], (long long)health.bad_node[1], (long long)health.bad_node[2],
                place[0], place[1], place[2], (unsigned long long)run->now->health_step,
                (unsigned long long)step),
            failure, ADVICE_STEADIER, 0);
    }
    if (!receivers_finite)
        return failure_set(failure, FAILURE_SIMULATION,
                           "the pressure at a receiver is not finite at step %llu although the field is: "
                           "please report this",
                           (unsigned long long)run->now->steps);
    if (run->settings->room != NULL && step >= run->signal.count)
        TRY(watch_field(run, &health, failure));
    run->now->loudest = fmax(run->now->loudest, health.mean_square);
    run->now->field_level =
        run->now->loudest > 0.0 ? 10.0 * log10(health.mean_square / run->now->loudest) : 0.0;
    run->now->health_step = step;
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
        energy_ledger_step(ledger_of(run), drive, pressure);
    }
}

static int keep_energy(struct run *run, struct failure *failure)
{
    struct energy_ledger *ledger = ledger_of(run);
    const double stored = energy_now(run);
    if (ledger->surfaces > 0)
        engine_absorbed(run->engine, ledger->scratch);
    TRY(engine_failed(run->engine, failure));
    energy_ledger_sample(ledger, engine_steps(run->engine), stored);
    return 0;
}

/* Steps that the run will have, as far as it is known. */
static double expected_steps(const struct run *run)
{
    return (double)(run->likely > run->now->planned ? run->likely : run->now->planned);
}

/* For programs: the field, a picture of it where it is time for one, and the share that is done. */
static int tell_progress(struct run *run, struct failure *failure)
{
    const struct source_progress *now = run->now;
    bool taken = false;
    if (run->settings->picture != NULL)
        TRY(wave_picture_take(run->settings->picture, run->engine, &taken, failure));
    if (taken)
        run->pictured = ((double)now->steps - (double)now->lead) / run->settings->step.rate;
    progress_json_field(now->field_level, source_least_range(now), run->pictured);
    progress_json_show((double)now->steps / expected_steps(run));
    return 0;
}

static void show_progress(struct run *run, double begin, double now)
{
    const struct source_run_settings *settings = run->settings;
    const uint64_t steps = run->now->steps;
    const double speed = (double)(steps - run->begun) / fmax(now - begin, 1e-9); /* steps per second */
    char rate[40] = "", left[40], level[40] = "";
    const double updates = speed * (double)settings->stored_nodes;
    if (settings->stored_nodes > 0)
        snprintf(rate, sizeof rate, "  %.4g %s", updates < 1e9 ? updates * 1e-6 : updates * 1e-9,
                 updates < 1e9 ? "Mnode/s" : "Gnode/s");
    const double seconds = (expected_steps(run) - (double)steps) / speed;
    const unsigned long long whole = (unsigned long long)fmin(ceil(seconds), 1e9);
    if (whole < 3600)
        snprintf(left, sizeof left, "%llu:%02llu left", whole / 60, whole % 60);
    else
        snprintf(left, sizeof left, "%llu:%02llu:%02llu left", whole / 3600, whole / 60 % 60, whole % 60);
    if (isfinite(run->now->field_level))
        snprintf(level, sizeof level, "  level %.0f dB", 0.0 + round(run->now->field_level)); /* not "-0" */
    char text[240];
    snprintf(text, sizeof text, "%s%s%3.0f %%%s  %s%s", settings->label != NULL ? settings->label : "",
             settings->label != NULL ? "  " : "", floor(100.0 * (double)steps / expected_steps(run)), rate,
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
                  "the simulation has become slow: %.3g steps per second for a minute, after %.3g: the "
                  "machine is hot, short of power or shared (for a GPU see `nvidia-smi -q -d PERFORMANCE`)\n",
                  run->rate.slow_at, run->rate.best);
}

/* True if some blocks of the next step are computed again; only after the drive. */
static bool is_recheck_due(const struct run *run, uint64_t steps)
{
    return steps >= run->signal.count && steps % run->recheck_apart == 0;
}

/* Such a step is a separate batch. */
static uint64_t next_recheck(const struct run *run)
{
    const uint64_t steps = run->now->steps, from = steps > run->signal.count ? steps : run->signal.count;
    const uint64_t past = from % run->recheck_apart;
    if (is_recheck_due(run, steps))
        return steps + 1;
    return past == 0 ? from : from - past + run->recheck_apart;
}

/* The latest step at which a batch may end: a check of the field, a sample for the ledger, the end of the
 * drive, the planned end, a snapshot, or the step before or after one that is recomputed. */
static uint64_t next_stop(const struct run *run)
{
    const uint64_t driven = run->signal.count, steps = run->now->steps;
    const uint64_t check = next_recheck(run);
    uint64_t stop = (steps / run->now->look_apart + 1) * run->now->look_apart;
    if (check < stop)
        stop = check;
    if (run->now->planned < stop)
        stop = run->now->planned;
    if (steps < driven && driven < stop)
        stop = driven;
    if (ledger_of(run) != NULL) {
        const uint64_t sample = energy_ledger_next(ledger_of(run), steps);
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
           snapshots->step[run->taken] == run->now->steps)
        TRY(snapshots->take(snapshots->context, run->engine, run->taken++, failure));
    return 0;
}

/* ---- checkpoints ---- */

static int save_run(struct run *run, source_keeper_save *save, struct failure *failure)
{
    const int code = save(run->settings->keeper, run->now, run->engine, failure);
    run->kept_time = progress_clock();
    return code;
}

/* Before rows move, and the engine goes. */
static void settle_keeper(const struct run *run)
{
    struct source_keeper *keeper = run->settings->keeper;
    if (keeper != NULL)
        keeper->settle(keeper);
}

/* If the keeper has this source, continue from there. */
static int resume_run(struct run *run, struct failure *failure)
{
    struct source_keeper *keeper = run->settings->keeper;
    const struct source_run_snapshots *snapshots = run->settings->snapshots;
    struct source_progress *now = run->now;
    TRY(keeper->load(keeper, now, run->engine, failure));
    if (now->steps == 0)
        return 0;
    while (snapshots != NULL && run->taken < snapshots->count && snapshots->step[run->taken] <= now->steps)
        run->taken++;
    return widen_rows(run, now->planned, failure);
}

/* Tell the monitor the drives of the field. */
static void start_monitor(struct run *run)
{
    const struct field_room *room = run->settings->room, none = {0};
    const struct response_drive *first = run->channels > 0 ? run->channel[0].drive : &run->signal;
    field_monitor_start(room != NULL ? room : &none, first->sample, first->sample != NULL ? first->count : 0,
                        &run->now->monitor);
    for (size_t c = 1; room != NULL && c < run->channels; c++)
        if (run->channel[c].drive->sample != NULL)
            field_monitor_drive(&run->now->monitor, run->channel[c].push, run->channel[c].sum,
                                run->channel[c].drive->sample, run->channel[c].drive->count);
}

static bool is_save_due(const struct run *run)
{
    const struct source_keeper *keeper = run->settings->keeper;
    return keeper != NULL && run->now->steps < run->now->planned &&
           progress_clock() - run->kept_time >= keeper->apart;
}

/* ---- stepped ---- */

/* At the end of the planned steps of an automatic run: is it that of the run? */
static int plan_on(struct run *run, struct failure *failure)
{
    struct source_progress *now = run->now;
    const struct source_run_settings *settings = run->settings;
    struct decay_ranges decay;
    TRY(decay_ranges_find(settings->decay, now->raw, now->capacity, now->steps, &decay, failure));
    memcpy(now->range, decay.range, sizeof now->range);
    run->likely = 0;
    now->capped = decay.more > 0.0 && now->planned == now->limit;
    if (!(decay.more > 0.0) || now->capped != 0)
        return 0;
    const uint64_t more = now->planned + steps_of(decay.more / share_of(settings), settings->step.rate);
    now->planned = more < now->limit ? more : now->limit;
    settle_keeper(run);
    return widen_rows(run, now->planned, failure);
}

static int run_steps(struct run *run, struct failure *failure)
{
    struct source_progress *now = run->now;
    const volatile sig_atomic_t *interrupt = run->settings->interrupt;
    struct energy_ledger *ledger = ledger_of(run);
    const struct source_run_ear *ear = run->settings->ear;
    const double begin = progress_clock();
    uint64_t batch = 1; /* a step of a large room may take seconds */
    run->begun = now->steps;
    progress_json_show((double)now->steps / expected_steps(run));
    progress_line_start(&run->line, run->settings->progress, begin);
    while (now->steps < run->now->planned) {
        if (interrupt != NULL && *interrupt != 0) {
            now->interrupted = true;
            if (run->settings->keeper != NULL && now->steps > 0)
                TRY(save_run(run, run->settings->keeper->save_last, failure));
            break;
        }
        const uint64_t left = next_stop(run) - now->steps;
        const uint64_t pass = engine_pass(run->engine), whole = batch < pass ? pass : batch / pass * pass;
        const uint64_t steps = whole < left ? whole : left;
        memset(run->drive, 0, (size_t)(run->sources * steps) * sizeof *run->drive);
        for (size_t c = 0; c < run->channels; c++) {
            const struct source_channel *channel = &run->channel[c];
            const struct response_drive *drive = channel->drive;
            uint64_t n = channel->first > now->steps ? channel->first - now->steps : 0;
            for (; drive->sample != NULL && n < steps && now->steps + n - channel->first < drive->count; n++)
                run->drive[channel->source * steps + n] = drive->sample[now->steps + n - channel->first];
        }
        struct engine_recheck *check =
            is_recheck_due(run, now->steps) ? engine_recheck_begin(run->engine) : NULL;
        const double before = progress_clock();
        batch_watch_begin(run->watch, steps);
        engine_run(run->engine, steps, run->drive, rows_in_all(&run->rows) > 0 ? run->output : NULL);
        const double after = progress_clock();
        batch_watch_end(run->watch, steps, after - before);
        warn_of_slowness(run, steps, after - before);
        now->seconds += after - before;
        TRY(engine_recheck_end(check, run->engine, failure)); /* of this batch nothing is sound */
        if (steps == whole || after - before > BATCH_SECONDS)
            batch = next_batch(steps, after - before);

        const bool finite = keep_output(run, steps);
        if (ear != NULL)
            TRY(ear->hear(ear->context, run->output, now->steps - steps, steps, failure));
        if (ledger != NULL)
            keep_drive(run, steps);
        if (!finite || is_look_due(run))
            TRY(look_at_field(run, finite, failure));
        if (ledger != NULL && now->steps % ledger->apart == 0)
            TRY(keep_energy(run, failure));
        TRY(take_looks(run, failure));
        if (progress_line_due(&run->line, after))
            show_progress(run, begin, after);

        if (now->steps == now->planned && !(run->settings->duration > 0.0) && run->settings->decay != NULL)
            TRY(plan_on(run, failure));
        TRY(tell_progress(run, failure));
        if (is_save_due(run))
            TRY(save_run(run, run->settings->keeper->save, failure));
    }
    const bool drops = run->settings->drops_overdue && interrupt_overdue();
    if (now->interrupted && now->steps > 0 && !drops)
        TRY(look_at_field(run, true, failure)); /* so that only a checked field is kept */
    if (ledger != NULL && now->steps > 0) {
        if (!energy_ledger_ends_at(ledger, now->steps) && !drops)
            TRY(keep_energy(run, failure));
        energy_ledger_close(ledger);
    }
    if (run->settings->progress != NULL && now->steps > run->begun)
        show_progress(run, begin, progress_clock());
    return 0;
}

int source_run(struct engine *engine, const struct lattice *lattice, size_t source, size_t sources,
               size_t receivers, const struct source_run_settings *settings, struct source_progress *progress,
               struct failure *failure)
{
    struct run run = {.engine = engine,
                      .lattice = lattice,
                      .source = source,
                      .sources = sources,
                      .rows = {.receivers = receivers,
                               .grid_points = settings->ear != NULL ? settings->ear->rows : 0,
                               .sources = source_has_ledger(progress) ? sources : 0},
                      .settings = settings,
                      .now = progress,
                      .pictured = NAN};
    /* As many rows as the engine reads and writes. */
    assert(settings->channels <= LEDGER_CHANNELS || !source_has_ledger(progress));
    assert(engine_sources(engine) == sources);
    assert(engine_receivers(engine) == rows_in_all(&run.rows));
    *progress = (struct source_progress){
        .ledger = progress->ledger, .driven = progress->driven, .rows = receivers, .field_level = NAN};
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        progress->range[b] = NAN;
    engine_reset(engine);
    run.recheck_apart = engine_recheck_apart(engine);
    run.watch = settings->patience > 0.0 ? batch_watch_start(settings->patience) : NULL;
    int code = prepare_run(&run, failure);
    start_monitor(&run);
    if (code == 0 && settings->keeper != NULL)
        code = resume_run(&run, failure);
    run.kept_time = progress_clock();
    if (code == 0)
        code = run_steps(&run, failure);
    batch_watch_stop(run.watch);
    settle_keeper(&run);
    progress_line_end(&run.line);
    pack_rows(progress); /* also after a failure */
    if (settings->drive == NULL && settings->channel == NULL)
        response_drive_free(&run.signal);
    free(run.drive);
    free(run.output);
    return code;
}

void source_progress_free(struct source_progress *progress)
{
    energy_ledger_free(&progress->ledger);
    free(progress->raw);
    *progress = (struct source_progress){0};
}
