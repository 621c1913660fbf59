#include "src/base/table/number_text.h"
#include "src/base/interrupt.h"
#include "src/bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>

#include "kernels/scheme/scheme.h"
#include "src/base/sorted_doubles.h"
#include "src/bench/bench_device_rooms.h"
#include "src/bench/bench_far_end.h"
#include "src/bench/bench_points.h"
#include "src/bench/bench_textbook.h"
#include "src/run/plan/estimate.h"
#include "src/setup/room_setup.h"

#define COPY_BYTES   (UINT64_C(4) << 30) /* of each array, or a quarter of the free memory */
#define COPY_PASSES  10
#define CASE_SECONDS 0.5 /* of measuring, unless given */

/* A round is long compared with its start, and a batch with the pause between two of them. */
#define ROUND_SECONDS 0.1
#define STEP_LEAST    2e-6 /* [s] */
#define STEPS_LEAST   16
#define ROUNDS_LEAST  5
#define ROUNDS_MOST   101
#define SEED_ROUNDS   5

/* ---- small rooms ---- */

/* A few blocks, some hundreds, and more than the processors of a GPU hold at once, so that every kernel of a
 * device takes part. */
static const int64_t check_edges[] = {24, 48, 130};

/* ---- one case ---- */

/* The same number of steps in both layouts, so that their fields can be compared afterwards. */
static int time_engine(struct bench *bench, const struct bench_room *room, struct engine *engine,
                       double seconds, struct bench_case *entry, struct failure *failure)
{
    const double traffic =
        bench_room_stored(room, LAYOUT_BLOCKS) * bench_node_bytes(entry->precision, LAYOUT_BLOCKS);
    const double predicted = fmax(traffic / bench->copy_rate, STEP_LEAST);
    const uint64_t steps = (uint64_t)fmin(fmax(ROUND_SECONDS / predicted, STEPS_LEAST), BENCH_BATCH);
    const int rounds = (int)fmin(fmax(seconds / ((double)steps * predicted), ROUNDS_LEAST), ROUNDS_MOST);
    double round[ROUNDS_MOST] = {0}, taken = 0;
    TRY(bench_run_points(engine, steps, &taken, failure)); /* is not timed */
    for (int r = 0; r < rounds; r++) {
        TRY(interrupt_stop(failure));
        TRY(bench_run_points(engine, steps, &taken, failure));
        round[r] = taken / (double)steps;
    }
    const double median = sort_for_median(round, (size_t)rounds);
    entry->speed.seconds_per_step = round[0];
    entry->speed.limit = bench->copy_rate / bench_node_bytes(entry->precision, entry->layout);
    entry->speed.median_share = entry->nodes / median / entry->speed.limit;
    return 0;
}

/* Check both ends of the field with the recurrence; it does not cover the user's cut cells. */
static int check_ends(const struct bench_room *room, const struct engine_options *options,
                      struct bench_tally *tally, struct failure *failure)
{
    struct engine *engine = NULL;
    if (!bench_room_has_textbook(room))
        return 0;
    int code = bench_engine(room, options, BENCH_TEXTBOOK_COURANT, true, &engine, failure);
    if (code == 0) {
        engine_run(engine, BENCH_FAR_STEPS, NULL, NULL);
        code = bench_check_far_end(room, engine, tally, failure);
    }
    engine_free(engine);
    return code;
}

static int hash_of(const struct engine *engine, uint64_t *hash, struct failure *failure)
{
    *hash = engine_hash(engine);
    return engine_failed(engine, failure);
}

static int time_case(struct bench *bench, const struct bench_room *room, struct engine *engine,
                     double seconds, struct bench_case *entry, uint64_t hash[2], struct failure *failure)
{
    (void)snprintf(entry->engine, sizeof entry->engine, "%s", engine_description(engine));
    TRY(bench_add_points(room, engine, failure));
    TRY(bench_run_points(engine, BENCH_CHECK_STEPS, NULL, failure));
    TRY(hash_of(engine, &hash[0], failure));
    TRY(time_engine(bench, room, engine, seconds, entry, failure));
    TRY(hash_of(engine, &hash[1], failure));
    TRY(bench_check_finite(room, engine, failure));
    entry->timed = true;
    return 0;
}

/* `hash` before and after the timing. */
static int run_case(struct bench *bench, const struct bench_room *room, double seconds,
                    struct bench_case *entry, uint64_t hash[2], struct failure *failure)
{
    const struct engine_options options = bench_engine_options(bench, entry->precision, entry->layout);
    struct engine *engine = NULL;
    bench_show(bench, "%s, %s, %s", bench_shape_name[room->shape], bench_layout_name[entry->layout],
               bench_precision_name[entry->precision]);
    TRY(check_ends(room, &options, &entry->tally, failure));
    TRY(interrupt_stop(failure));
    TRY(bench_engine(room, &options, 0, false, &engine, failure));
    const int code = time_case(bench, room, engine, seconds, entry, hash, failure);
    engine_free(engine);
    return code;
}

/* A difference between the two does not show which of them is wrong, nor how many nodes are. */
static int compare_hashes(const struct bench_room *room, struct bench_case *const pair[BENCH_LAYOUTS],
                          uint64_t hash[BENCH_LAYOUTS][2], struct failure *failure)
{
    for (int when = 0; when < 2; when++) {
        const bool equal = hash[LAYOUT_BLOCKS][when] == hash[LAYOUT_BOX][when];
        for (int layout = 0; layout < BENCH_LAYOUTS; layout++) {
            pair[layout]->tally.compared += room->blocks.air_nodes;
            pair[layout]->tally.wrong += !equal;
        }
        if (!equal)
            return failure_set(
                failure, FAILURE_ANSWER_NO,
                "wrong value: %s holds another field in blocks than in its box (%s precision, "
                "%s the timing: hash %016" PRIx64 " against %016" PRIx64
                "): do not use this build on this device",
                bench_shape_name[room->shape], bench_precision_name[pair[LAYOUT_BLOCKS]->precision],
                when == 0 ? "before" : "after", hash[LAYOUT_BLOCKS][when], hash[LAYOUT_BOX][when]);
    }
    return 0;
}

static int run_pair(struct bench *bench, const struct bench_target *target, struct bench_room *room,
                    int precision, double seconds, struct failure *failure)
{
    const enum bench_shape kind = target->shape == BENCH_ROOM ? BENCH_CHURCH : target->shape;
    struct bench_case *pair[BENCH_LAYOUTS] = {NULL, NULL};
    uint64_t hash[BENCH_LAYOUTS][2] = {{0}};
    for (int layout = 0; layout < BENCH_LAYOUTS; layout++) {
        bool fits = true;
        if (!bench_wants(bench, precision, layout) || (layout == LAYOUT_BOX && target->blocks_only))
            continue;
        TRY(bench_fits_device(bench, target, room, precision, layout, &fits, failure));
        if (fits && layout == LAYOUT_BOX)
            TRY(bench_make_target_box(bench, target, room, &fits, failure));
        if (!fits)
            continue;
        pair[layout] = bench_case_of(bench, target, precision, layout);
        pair[layout]->nodes = bench_room_stored(room, (enum layout)layout);
        pair[layout]->tally = bench->small[kind][precision][layout];
        TRY(run_case(bench, room, seconds, pair[layout], hash[layout], failure));
    }
    if (pair[LAYOUT_BLOCKS] == NULL || pair[LAYOUT_BOX] == NULL)
        return 0;
    return compare_hashes(room, pair, hash, failure);
}

/* ---- the seed's kernels ---- */

static int run_seed(struct bench *bench, const struct bench_target *target, const struct bench_room *room,
                    int precision, struct failure *failure)
{
    for (int layout = BENCH_LAYOUTS - 1; layout >= 0; layout--) {
        struct bench_seed_case entry = {.room = *target,
                                        .kernel = {.layout = (enum layout)layout,
                                                   .precision = (enum precision)precision,
                                                   .lambda2 = SCHEME_COURANT_DEFAULT * SCHEME_COURANT_DEFAULT,
                                                   .admittance = room->admittance[0],
                                                   .steps = STEPS_LEAST,
                                                   .rounds = SEED_ROUNDS}};
        struct device now;
        char name[BENCH_NAME_MAX], what[96];
        bench_room_name(target->shape, target->nodes, name);
        bench_show(bench, "%s, the first published kernels, %s", name, bench_precision_name[precision]);
        TRY(interrupt_stop(failure));
        TRY(device_find_card(backend_choice_devices(&bench->choice), bench->choice.card[0], &now, failure));
        const double bytes =
            device_yardstick_bytes(backend_choice_devices(&bench->choice), &room->blocks, &entry.kernel);
        if (bytes > (double)now.bytes_free) {
            (void)snprintf(what, sizeof what, "%s with the first published %s, %s,", name,
                           layout == LAYOUT_BOX ? "box" : "blocks", bench_precision_name[precision]);
            TRY(bench_leave_out(bench, false, what, bytes, (double)now.bytes_free, now.name, failure));
            continue;
        }
        TRY(device_yardstick(backend_choice_devices(&bench->choice), &room->blocks, &entry.kernel,
                             &entry.speed, failure));
        bench->seed_entry[bench->seed_cases++] = entry;
    }
    return 0;
}

/* They are reported next to large crosses and spheres of which both layouts are timed. */
static bool wants_seed(const struct bench *bench, const struct bench_target *target)
{
    return (target->shape == BENCH_CROSS || target->shape == BENCH_SPHERE) && !target->blocks_only &&
           bench->own.layout == 0 && bench->request.grid.scheme == SCHEME_STANDARD &&
           device_has_yardstick(backend_choice_devices(&bench->choice));
}

/* ---- all of it ---- */

static int run_target(struct bench *bench, const struct bench_target *target, double seconds,
                      struct failure *failure)
{
    const enum bench_shape kind = target->shape == BENCH_ROOM ? BENCH_CHURCH : target->shape;
    struct bench_room room = {0};
    bool made = false;
    /* Read the model first, so that an invalid one is reported at once. */
    int code = bench_make_target(bench, target, &room, &made, failure);
    room.card = bench->choice.card[0];
    for (size_t i = 0; i < sizeof check_edges / sizeof *check_edges; i++)
        if (code == 0 && made && !bench->small_checked[kind])
            code = bench_check_shape(bench, kind, check_edges[i], failure);
    bench->small_checked[kind] = bench->small_checked[kind] || made;
    if (code == FAILURE_ANSWER_NO)
        bench_show_checks(bench, target, kind);
    for (int precision = 0; code == 0 && made && precision < BENCH_PRECISIONS; precision++) {
        if (bench->own.precision != 0 && bench->own.precision != precision + 1)
            continue;
        code = run_pair(bench, target, &room, precision, seconds, failure);
        if (code == 0 && wants_seed(bench, target))
            code = run_seed(bench, target, &room, precision, failure);
    }
    bench_room_free(&room);
    return code;
}

/* The rooms of the published figures, and small ones that fit a second-level cache. */
static void choose_targets(struct bench *bench)
{
    static const struct bench_target standard[] = {
        {.shape = BENCH_CUBE, .nodes = 768},
        {.shape = BENCH_SPHERE, .nodes = 768},
        {.shape = BENCH_CROSS, .nodes = 512},
        {.shape = BENCH_CROSS, .nodes = 48, .blocks_only = true},
        {.shape = BENCH_CROSS, .nodes = 96, .blocks_only = true},
        {.shape = BENCH_CHURCH, .nodes = 512},
    };
    if (bench->own.edge > 0)
        bench_add_shapes(bench, bench->own.edge, true);
    for (size_t i = 0; bench->own.edge == 0 && i < sizeof standard / sizeof *standard; i++) {
        const enum bench_shape shape = standard[i].shape;
        const bool usual = shape == BENCH_SPHERE || shape == BENCH_CROSS;
        if (bench_wants_shape(bench, shape) && (usual || bench->own.shape != 0))
            bench->target[bench->targets++] = standard[i];
    }
}

int bench_on_device(struct bench *bench, struct failure *failure)
{
    const uint64_t quarter = bench->choice.device.bytes_free / 4;
    char bytes[32], each[32];
    bench->copy_bytes = quarter < COPY_BYTES ? quarter : COPY_BYTES;
    TRY(device_copy_rate(backend_choice_devices(&bench->choice), bench->copy_bytes, COPY_PASSES,
                         &bench->copy_rate, failure));
    bench_say(bench, "%s, %s free; copies %.0f GB/s within its memory (two arrays of %s, read and written)",
              bench->choice.device.name, format_bytes((double)bench->choice.device.bytes_free, bytes),
              bench->copy_rate * 1e-9, format_bytes((double)bench->copy_bytes, each));
    if (bench->targets == 0)
        choose_targets(bench);
    const double cases = (double)bench->targets * (bench->own.precision == 0 ? BENCH_PRECISIONS : 1) *
                         (bench->own.layout == 0 ? BENCH_LAYOUTS : 1);
    const double seconds = bench->own.time > 0 ? bench->own.time / cases : CASE_SECONDS;
    int code = 0;
    for (size_t t = 0; code == 0 && t < bench->targets; t++)
        code = run_target(bench, &bench->target[t], seconds, failure);
    if (code == 0 && bench->cases == 0)
        code =
            failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                       "none of these rooms fits %s, which has %s (%" PRIu64 " bytes) free",
                                       bench->choice.device.name,
                                       format_bytes((double)bench->choice.device.bytes_free, bytes),
                                       bench->choice.device.bytes_free),
                           failure, ADVICE_SMALLER_SHAPES, 0);
    return code;
}
