#include "blocks/field_hash.h"
#include "src/run/plan/layout_pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/progress_json.h"
#include "src/base/progress_line.h"
#include "src/base/sorted_doubles.h"
#include "src/run/plan/step_time.h"

struct pair_run {
    const struct layout_pair *pair;
    const struct layout_pair_settings *settings;
    struct layout_pair_result *out;
    double *drive;      /* (sources, batch) */
    double *output[2];  /* (receivers, batch) */
    double *seconds[2]; /* (steps) of a step, by timed batch */
    double latest[2];   /* of a step, in the last batch [s] */
};

/* ---- noise ---- */

/* Few bits, so that single precision holds it exactly; at rest (u = u_old), so that its mean does not drift.
 */
static double noise_at(const int64_t node[3])
{
    uint64_t state = 1;
    for (int axis = 0; axis < 3; axis++)
        state = field_mix(state + (uint64_t)node[axis] + UINT64_C(0x9E3779B97F4A7C15));
    return ((double)(state >> 54) - 511.5) / 65536;
}

void layout_pair_excite(const struct layout_pair *pair)
{
    const struct block_grid *grid = pair->grid;
    /* Copy a device's field to the host once, here, before several threads need it. */
    for (int layout = 0; layout < 2; layout++)
        engine_map(pair->engine[layout]);
#pragma omp parallel for schedule(static)
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            if (!block_is_air(grid, b, slot))
                continue;
            block_node(&grid->block[b], slot, node);
            const double value = noise_at(node);
            for (int layout = 0; layout < 2; layout++)
                for (int level = 0; level < 2; level++)
                    engine_set(pair->engine[layout], level, node, value);
        }
}

/* ---- differences ---- */

/* A lost device explains all other errors. */
static int engines_failed(const struct layout_pair *pair, struct failure *failure)
{
    TRY(engine_failed(pair->engine[LAYOUT_BLOCKS], failure));
    return engine_failed(pair->engine[LAYOUT_BOX], failure);
}

/* True if equal and finite; -0 is 0. Other equal numbers have equal bits. */
static bool is_same(double a, double b)
{
    return isfinite(a) && isfinite(b) && a == b;
}

static const char *who_is_not_finite(double blocks, double box)
{
    return !isfinite(blocks) && !isfinite(box) ? "both layouts" : !isfinite(blocks) ? "blocks" : "the box";
}

static int refuse_sample(const struct pair_run *run, uint64_t step, size_t receiver, double blocks,
                         double box, struct failure *failure)
{
    const char *name = run->settings->receiver_name[receiver];
    if (!isfinite(blocks) || !isfinite(box))
        return failure_set(failure, FAILURE_ANSWER_NO,
                           "not identical: at step %llu the sample of receiver %s is not finite in %s (%g in "
                           "blocks, %g in the box)",
                           (unsigned long long)step, name, who_is_not_finite(blocks, box), blocks, box);
    return failure_set(
        failure, FAILURE_ANSWER_NO,
        "not identical: at step %llu the sample of receiver %s is %.17g in blocks and %.17g in the box; this "
        "is a fault of the program: please report it",
        (unsigned long long)step, name, blocks, box);
}

/* Compare rows of `steps` samples from `at` of the output: the first step at which a receiver differs,
 * and the first such receiver. */
static int compare_rows(struct pair_run *run, uint64_t first_step, size_t at, uint64_t steps,
                        struct failure *failure)
{
    const double *blocks = run->output[LAYOUT_BLOCKS] + at, *box = run->output[LAYOUT_BOX] + at;
    for (uint64_t n = 0; n < steps; n++)
        for (size_t r = 0; r < run->pair->receivers; r++) {
            run->out->samples++;
            if (!is_same(blocks[r * steps + n], box[r * steps + n]))
                return refuse_sample(run, first_step + n, r, blocks[r * steps + n], box[r * steps + n],
                                     failure);
        }
    return 0;
}

/* The batch's samples, as run_batch() wrote them: the first step's, then the rows of the others. */
static int compare_samples(struct pair_run *run, uint64_t steps, struct failure *failure)
{
    const uint64_t warm = steps > 1 ? 1 : 0, first = run->out->steps - steps;
    TRY(compare_rows(run, first, 0, warm, failure));
    return compare_rows(run, first + warm, warm * run->pair->receivers, steps - warm, failure);
}

/* The first node with different pressures, in the order of the blocks. */
static bool find_node(const struct layout_pair *pair, int64_t node[3])
{
    const struct block_grid *grid = pair->grid;
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            if (!block_is_air(grid, b, slot))
                continue;
            block_node(&grid->block[b], slot, node);
            if (!is_same(engine_get(pair->engine[LAYOUT_BLOCKS], 0, node),
                         engine_get(pair->engine[LAYOUT_BOX], 0, node)))
                return true;
        }
    return false;
}

static int compare_fields(struct pair_run *run, uint64_t last, struct failure *failure)
{
    const struct layout_pair *pair = run->pair;
    const unsigned long long step = run->out->steps;
    uint64_t hash[2];
    bool finite = true;
    for (int layout = 0; layout < 2; layout++) {
        hash[layout] = engine_hash(pair->engine[layout]);
        finite = finite && engine_health(pair->engine[layout]).finite;
    }
    TRY(engines_failed(pair, failure));
    run->out->hashes++;
    run->out->hash = hash[LAYOUT_BLOCKS];
    if (finite && hash[LAYOUT_BLOCKS] == hash[LAYOUT_BOX])
        return 0;
    int64_t node[3];
    char where[300] = "yet no node differs, so the hash itself is at fault",
         before[60] = "the first compared";
    if (last > 0)
        snprintf(before, sizeof before, "nothing differed at step %llu", (unsigned long long)last);
    if (find_node(pair, node)) {
        double position[3];
        lattice_position(&pair->grid->lattice, node, position);
        snprintf(where, sizeof where,
                 "first at node (%lld, %lld, %lld), at %.3f, %.3f, %.3f m: %.17g in blocks, %.17g in the box",
                 (long long)node[0], (long long)node[1], (long long)node[2], position[0], position[1],
                 position[2], engine_get(pair->engine[LAYOUT_BLOCKS], 0, node),
                 engine_get(pair->engine[LAYOUT_BOX], 0, node));
    }
    TRY(engines_failed(pair, failure));
    if (!finite)
        return failure_set(failure, FAILURE_ANSWER_NO,
                           "not identical: pressures are not finite at step %llu (%s), %s", step, before,
                           where);
    return failure_set(failure, FAILURE_ANSWER_NO,
                       "not identical: the hash of the field at step %llu (%s) is %016llx in blocks and "
                       "%016llx in the box, %s; this is a fault of the program: please report it",
                       step, before, (unsigned long long)hash[LAYOUT_BLOCKS],
                       (unsigned long long)hash[LAYOUT_BOX], where);
}

/* ---- stepping ---- */

/* Run a batch in one layout. The first step loads its field into the caches in place of the other
 * layout's, and is not timed unless it is the only one. */
static void run_batch(struct pair_run *run, int layout, uint64_t steps)
{
    const struct layout_pair *pair = run->pair;
    const uint64_t warm = steps > 1 ? 1 : 0, timed = steps - warm;
    if (warm > 0)
        engine_run(pair->engine[layout], warm, run->drive, run->output[layout]);
    run->latest[layout] = step_time(pair->engine[layout], timed, run->drive + warm * pair->sources,
                                    run->output[layout] + warm * pair->receivers);
    if (warm > 0 || run->settings->steps == 1)
        run->seconds[layout][run->out->batches] = run->latest[layout];
}

/* Steps of the next batch: about LAYOUT_PAIR_BATCH_SECONDS of the slower layout, not past the next hash. */
static uint64_t next_batch(const struct pair_run *run)
{
    const uint64_t done = run->out->steps, left = run->settings->steps - done;
    const uint64_t to_hash = LAYOUT_PAIR_HASH_STEPS - done % LAYOUT_PAIR_HASH_STEPS;
    const uint64_t most = to_hash < left ? to_hash : left;
    if (done == 0)
        return most < 2 ? most : 2;
    const double slower = fmax(run->latest[LAYOUT_BLOCKS], run->latest[LAYOUT_BOX]);
    const double wanted = 1 + fmax(1, floor(LAYOUT_PAIR_BATCH_SECONDS / fmax(slower, 1e-9)));
    return wanted < (double)most ? (uint64_t)wanted : most;
}

static void show_progress(const struct pair_run *run, struct progress_line *line, double begin, double now)
{
    const double steps = (double)run->settings->steps, done = (double)run->out->steps;
    const double left = ceil((now - begin) / done * (steps - done));
    char text[120];
    snprintf(text, sizeof text, "both layouts  %3.0f %%  step %.0f  %.0f:%02.0f left  identical so far",
             floor(100 * done / steps), done, floor(left / 60), fmod(left, 60));
    progress_line_show(line, now, text);
}

/* Drive sample n of every source. */
static double kick_value(uint64_t n)
{
    return n == 0 ? 1.0 : n == 1 ? -1.0 : 0.0;
}

/* As run_batch() takes it: the first step of every source, then the others row by row. */
static void fill_drive(struct pair_run *run, uint64_t steps)
{
    const size_t sources = run->pair->sources;
    const uint64_t warm = steps > 1 ? 1 : 0, timed = steps - warm, done = run->out->steps;
    for (size_t s = 0; s < sources; s++) {
        run->drive[s] = kick_value(done);
        for (uint64_t n = 0; n < timed; n++)
            run->drive[warm * sources + s * timed + n] = kick_value(done + warm + n);
    }
}

static int run_steps(struct pair_run *run, struct progress_line *line, struct failure *failure)
{
    const double begin = progress_clock();
    uint64_t last_hash = 0;
    int turns = 0;
    while (run->out->steps < run->settings->steps) {
        if (run->settings->interrupt != NULL && *run->settings->interrupt != 0)
            return failure_set(failure, FAILURE_INTERRUPTED,
                               "interrupted after %llu of %llu steps, identical so far",
                               (unsigned long long)run->out->steps, (unsigned long long)run->settings->steps);
        const uint64_t steps = next_batch(run);
        fill_drive(run, steps);
        const int first = turns++ & 1;
        run_batch(run, first, steps);
        run_batch(run, 1 - first, steps);
        TRY(engines_failed(run->pair, failure));
        run->out->batches += steps > 1 || run->settings->steps == 1;
        run->out->steps += steps;
        TRY(compare_samples(run, steps, failure));
        if (run->out->steps % LAYOUT_PAIR_HASH_STEPS == 0 || run->out->steps == run->settings->steps) {
            TRY(compare_fields(run, last_hash, failure));
            last_hash = run->out->steps;
        }
        const double now = progress_clock();
        progress_json_show((double)run->out->steps / (double)run->settings->steps);
        if (progress_line_due(line, now))
            show_progress(run, line, begin, now);
    }
    return 0;
}

static void take_medians(struct pair_run *run)
{
    const size_t count = run->out->batches;
    for (int layout = 0; layout < 2 && count > 0; layout++)
        run->out->seconds_per_step[layout] = sort_for_median(run->seconds[layout], count);
}

double layout_pair_bytes(uint64_t steps, size_t sources, size_t receivers)
{
    const double rows = ((double)sources + 2 * (double)receivers) * LAYOUT_PAIR_HASH_STEPS;
    return (rows + 2 * (double)steps + 5) * (double)sizeof(double);
}

int layout_pair_run(const struct layout_pair *pair, const struct layout_pair_settings *settings,
                    struct layout_pair_result *out, struct failure *failure)
{
    struct pair_run run = {.pair = pair, .settings = settings, .out = out};
    struct progress_line line;
    *out = (struct layout_pair_result){0};
    int code = 0;
    /* One more of each, so that no array is empty. */
    run.drive = calloc(pair->sources * LAYOUT_PAIR_HASH_STEPS + 1, sizeof *run.drive);
    bool all = run.drive != NULL;
    for (int layout = 0; layout < 2; layout++) {
        run.output[layout] = calloc(pair->receivers * LAYOUT_PAIR_HASH_STEPS + 1, sizeof *run.output[layout]);
        run.seconds[layout] = calloc((size_t)settings->steps + 1, sizeof *run.seconds[layout]);
        all = all && run.output[layout] != NULL && run.seconds[layout] != NULL;
    }
    progress_line_start(&line, settings->progress, progress_clock());
    if (!all)
        code = failure_memory(
            failure, (unsigned long long)layout_pair_bytes(settings->steps, pair->sources, pair->receivers),
            "the samples and times of both layouts");
    else
        code = run_steps(&run, &line, failure);
    progress_line_end(&line);
    if (all)
        take_medians(&run);
    out->identical = code == 0;
    for (int layout = 0; layout < 2; layout++) {
        free(run.output[layout]);
        free(run.seconds[layout]);
    }
    free(run.drive);
    return code;
}
