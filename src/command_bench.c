/** `transept bench`: check every case, then time it against the streaming limit. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/machine_memory.h"
#include "src/bench_check.h"
#include "src/bench_measure.h"
#include "src/commands.h"
#include "src/estimate.h"
#include "src/progress_line.h"

#define GIGA           1e9
#define ARRAY_CACHES   8          /* default of --arrays; fewer say little about memory */
#define FIELD_CACHES   3          /* both levels of a room in single precision, unless --nodes */
#define CACHE_UNKNOWN  (32 << 20) /* [bytes] */
#define STREAM_SHARE   4          /* the limit's arrays take at most one part in four of the memory */
#define PREDICTED_PART 0.95       /* of what is left, that rooms may be predicted to take */
#define EDGE_LEAST     320        /* of rooms sized by the cache */
#define EDGE_REFERENCE 96         /* the reference takes its time */
#define CHECK_EDGE     48
#define LAYOUTS        2
#define PRECISIONS     2

static const char *const shape_words[] = {"all", "cube", "sphere", "cross", "church", NULL};
static const char *const layout_name[LAYOUTS] = {"blocks", "box"};
static const char *const precision_name[PRECISIONS] = {"single", "double"};

struct bench_options {
    int64_t edge;  /* 0: by the caches and the memory */
    double time;   /* [s] */
    int shape;     /* index into shape_words */
    double arrays; /* each array of the limit is so many times the last cache */
};

static const struct option_spec bench_option_table[] = {
    {.name = "shape",
     .kind = OPTION_WORD,
     .value = "WORD",
     .standard = "all",
     .words = shape_words,
     .at = offsetof(struct bench_options, shape),
     .group = "What is stepped",
     .help = "the rooms"},
    {.name = "nodes",
     .kind = OPTION_COUNT,
     .low = BENCH_EDGE_LEAST,
     .high = BENCH_EDGE_MOST,
     .value = "N",
     .at = offsetof(struct bench_options, edge),
     .help = "every room holds about N x N x N nodes of air (default: so many that their fields are 3 times "
             "the last cache, or what fits the memory)"},
    {.name = "arrays",
     .kind = OPTION_NUMBER,
     .low = 0.01,
     .high = 1000,
     .value = "X",
     .standard = "8",
     .at = offsetof(struct bench_options, arrays),
     .help = "each of the two arrays of the streaming limit is X times the last cache, or what fits the "
             "memory; with less than 8 the limit is that of the cache"},
    {.name = "time",
     .kind = OPTION_TIME,
     .above_low = true,
     .low = 0,
     .high = 86400,
     .value = "TIME",
     .standard = "1min",
     .at = offsetof(struct bench_options, time),
     .help = "time for measuring; making rooms and checking come on top"},
};

/* One layout and precision of one room. */
struct bench_case {
    bool checked, timed;
    struct bench_tally tally;
    double nodes; /* stored ones in blocks, those of the box in the box */
    char engine[96];
    struct bench_speed speed;
};

struct bench {
    const struct options *options;
    struct bench_options own;
    int threads;
    uint64_t cache, available; /* [bytes] */
    int64_t edge;
    struct stream_limit limit;
    struct bench_case cases[BENCH_SHAPES][PRECISIONS][LAYOUTS];
    struct progress_line progress;
};

static bool is_wanted(const struct bench *bench, int shape)
{
    return bench->own.shape == 0 || bench->own.shape == shape + 1;
}

static struct engine_options engine_options_of(const struct bench *bench, int precision, int layout)
{
    return (struct engine_options){
        .layout = (enum layout)layout,
        .precision = (enum precision)precision,
        .backend = bench->options->backend == OPTION_BACKEND_REFERENCE ? BACKEND_REFERENCE : BACKEND_CPU,
        .simd = SIMD_AUTO,
        .threads = bench->threads};
}

static const char *backend_name(const struct bench *bench)
{
    return bench->options->backend == OPTION_BACKEND_REFERENCE ? "reference" : "cpu";
}

__attribute__((format(printf, 2, 3))) static void show(struct bench *bench, const char *format, ...)
{
    char text[160];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    const double now = progress_clock();
    if (progress_line_due(&bench->progress, now))
        progress_line_show(&bench->progress, now, text);
}

/* ---- sizes ---- */

static int largest_bytes(const struct bench *bench, int64_t edge, uint64_t *bytes, struct failure *failure)
{
    *bytes = 0;
    for (int shape = 0; shape < BENCH_SHAPES; shape++) {
        uint64_t room = 0;
        if (!is_wanted(bench, shape))
            continue;
        TRY(bench_room_bytes((enum bench_shape)shape, edge, sizeof(double), &room, failure));
        *bytes = room > *bytes ? room : *bytes;
    }
    return 0;
}

/* Choose the rooms' size and make the limit's arrays; what does not fit is refused before it is allocated. */
static int choose_sizes(struct bench *bench, struct failure *failure)
{
    char needed[32], has[32], each[32];
    const bool reference = bench->options->backend == OPTION_BACKEND_REFERENCE;
    const uint64_t wanted = (uint64_t)(bench->own.arrays * (double)bench->cache),
                   most = bench->available / (2 * STREAM_SHARE);
    const uint64_t array = wanted < most ? wanted : most;
    const double left = PREDICTED_PART * (double)(bench->available - 2 * array);
    uint64_t bytes = 0;
    if (bench->own.edge > 0) {
        bench->edge = bench->own.edge;
        TRY(largest_bytes(bench, bench->edge, &bytes, failure));
    } else {
        const double filling = ceil(cbrt(FIELD_CACHES * (double)bench->cache / (2 * sizeof(float))) / 8) * 8;
        bench->edge = reference ? EDGE_REFERENCE : (int64_t)fmin(fmax(filling, EDGE_LEAST), BENCH_EDGE_MOST);
        TRY(largest_bytes(bench, bench->edge, &bytes, failure));
        while ((double)bytes > left && bench->edge - 8 >= BENCH_EDGE_LEAST) {
            bench->edge -= 8;
            TRY(largest_bytes(bench, bench->edge, &bytes, failure));
        }
    }
    if ((double)bytes > left)
        return failure_set(failure, FAILURE_CAPACITY,
                           "rooms of --nodes %" PRId64 " take %s (%" PRIu64
                           " bytes) beside the arrays of the streaming limit (2 x %s), and this machine has "
                           "%s free: use a smaller --nodes, at least %d, or one --shape",
                           bench->edge, format_bytes((double)bytes, needed), bytes,
                           format_bytes((double)array, each), format_bytes((double)bench->available, has),
                           BENCH_EDGE_LEAST);
    TRY(stream_limit_create(&bench->limit, array, bench->threads, failure));
    if (bench->options->quiet)
        return 0;
    (void)fprintf(stderr,
                  "%d thread%s; streaming limit over two arrays of %s, %.1f times the last cache (%s)%s\n",
                  bench->threads, bench->threads == 1 ? "" : "s", format_bytes((double)array, each),
                  (double)array / (double)bench->cache, format_bytes((double)bench->cache, has),
                  array < wanted                     ? "; it should be more, but memory does not allow it"
                  : bench->own.arrays < ARRAY_CACHES ? "; it should be 8 times to tell of memory"
                                                     : "");
    const double field = 2.0 * sizeof(float) * pow((double)bench->edge, 3);
    (void)fprintf(stderr,
                  "rooms of about %" PRId64 "^3 nodes of air: fields of %s in single precision, %.2g times "
                  "the last cache%s\n",
                  bench->edge, format_bytes(field, each), field / (double)bench->cache,
                  field < (double)bench->cache ? ", so they step faster than memory allows" : "");
    return 0;
}

/* ---- one room ---- */

/* At the small size: both layouts and precisions. */
static int check_small(struct bench *bench, int shape, struct failure *failure)
{
    struct bench_room room = {0};
    const int64_t edge = bench->edge < CHECK_EDGE ? bench->edge : CHECK_EDGE;
    int code = bench_room_make((enum bench_shape)shape, edge, bench->threads, &room, failure);
    for (int precision = 0; code == 0 && precision < PRECISIONS; precision++)
        for (int layout = 0; code == 0 && layout < LAYOUTS; layout++) {
            const struct engine_options options = engine_options_of(bench, precision, layout);
            struct bench_case *entry = &bench->cases[shape][precision][layout];
            show(bench, "%s: checking", bench_shape_name[shape]);
            entry->checked = true;
            code = bench_check_small(&room, &options, &entry->tally, failure);
        }
    bench_room_free(&room);
    return code;
}

/* A difference between the two says nothing about which of them is wrong. */
static int check_pair(const struct bench_room *room, struct engine *const engine[LAYOUTS],
                      struct bench_case pair[LAYOUTS], struct failure *failure)
{
    struct bench_tally tally = {0, 0};
    const int code = bench_check_same(room, engine[LAYOUT_BLOCKS], engine[LAYOUT_BOX], &tally, failure);
    for (int layout = 0; layout < LAYOUTS; layout++) {
        pair[layout].tally.compared += tally.compared;
        pair[layout].tally.wrong += tally.wrong;
    }
    return code;
}

/* Both layouts at full size: the same field after some steps, then timed, then still the same. */
static int run_pair(struct bench *bench, const struct bench_room *room, int precision, double seconds,
                    struct failure *failure)
{
    struct bench_case *pair = bench->cases[room->shape][precision];
    struct engine *engine[LAYOUTS] = {NULL, NULL};
    struct bench_speed speed[LAYOUTS];
    const double nodes[LAYOUTS] = {[LAYOUT_BLOCKS] = (double)room->blocks.blocks * BLOCK_NODES,
                                   [LAYOUT_BOX] = (double)room->box.nodes[0] * (double)room->box.nodes[1] *
                                                  (double)room->box.nodes[2]};
    int code = 0;
    for (int layout = 0; code == 0 && layout < LAYOUTS; layout++) {
        const struct engine_options options = engine_options_of(bench, precision, layout);
        show(bench, "%s, %s, %s: filling", bench_shape_name[room->shape], layout_name[layout],
             precision_name[precision]);
        if ((code = room_interrupted(failure)) == 0)
            code = bench_engine(room, &options, 0, false, &engine[layout], failure);
        if (code == 0) {
            pair[layout].nodes = nodes[layout];
            (void)snprintf(pair[layout].engine, sizeof pair[layout].engine, "%s",
                           engine_description(engine[layout]));
            engine_run(engine[layout], BENCH_CHECK_STEPS, NULL, NULL);
        }
    }
    if (code == 0)
        code = check_pair(room, engine, pair, failure);
    if (code == 0) {
        show(bench, "%s, %s: timing", bench_shape_name[room->shape], precision_name[precision]);
        code =
            bench_measure(&bench->limit, (enum precision)precision, engine, nodes, seconds, speed, failure);
    }
    /* Everything that was timed is looked at once more. */
    if (code == 0)
        code = check_pair(room, engine, pair, failure);
    if (code == 0 && !engine_health(engine[LAYOUT_BLOCKS]).finite)
        code = failure_set(failure, FAILURE_ANSWER_NO,
                           "wrong value: %s (%s) is not finite after %" PRIu64 " steps",
                           bench_shape_name[room->shape], engine_description(engine[LAYOUT_BLOCKS]),
                           engine_steps(engine[LAYOUT_BLOCKS]));
    for (int layout = 0; layout < LAYOUTS; layout++) {
        if (code == 0) {
            pair[layout].speed = speed[layout];
            pair[layout].timed = true;
        }
        engine_free(engine[layout]);
    }
    return code;
}

static int run_shape(struct bench *bench, int shape, double seconds, struct failure *failure)
{
    struct bench_room room = {0};
    TRY(check_small(bench, shape, failure));
    TRY(room_interrupted(failure));
    show(bench, "%s: making the room", bench_shape_name[shape]);
    int code = bench_room_make((enum bench_shape)shape, bench->edge, bench->threads, &room, failure);
    for (int precision = 0; code == 0 && precision < PRECISIONS; precision++)
        code = run_pair(bench, &room, precision, seconds, failure);
    bench_room_free(&room);
    return code;
}

/* ---- results ---- */

static double rate_of(const struct bench_case *entry)
{
    return entry->nodes / entry->speed.seconds_per_step;
}

static double share_of(const struct bench_case *entry)
{
    return rate_of(entry) / entry->speed.limit;
}

/* Node updates per second of the streaming limit, the best beside any case; 0 while not measured. */
static double limit_of(const struct bench *bench, int precision)
{
    double limit = 0;
    for (int shape = 0; shape < BENCH_SHAPES; shape++)
        limit = fmax(limit, bench->cases[shape][precision][LAYOUT_BLOCKS].speed.limit);
    return limit;
}

/* Seconds per step of the box over those of the blocks, single precision; 0 while not measured. */
static double cross_speedup(const struct bench *bench)
{
    const struct bench_case *pair = bench->cases[BENCH_CROSS][PRECISION_SINGLE];
    return pair[LAYOUT_BLOCKS].timed && pair[LAYOUT_BOX].timed
               ? pair[LAYOUT_BOX].speed.seconds_per_step / pair[LAYOUT_BLOCKS].speed.seconds_per_step
               : 0;
}

static void print_words(const struct bench *bench)
{
    for (int precision = 0; precision < PRECISIONS; precision++)
        if (limit_of(bench, precision) > 0)
            printf("limit   %6s %s %7.3f Gnode/s\n", "", precision_name[precision],
                   limit_of(bench, precision) / GIGA);
    for (int shape = 0; shape < BENCH_SHAPES; shape++)
        for (int precision = 0; precision < PRECISIONS; precision++)
            for (int layout = 0; layout < LAYOUTS; layout++) {
                const struct bench_case *entry = &bench->cases[shape][precision][layout];
                if (!entry->checked)
                    continue;
                printf("%-7s %-6s %s", bench_shape_name[shape], layout_name[layout],
                       precision_name[precision]);
                if (entry->timed)
                    printf(" %7.3f Gnode/s  %5.3f of the limit (median %5.3f) %9.3f ms a step",
                           rate_of(entry) / GIGA, share_of(entry), entry->speed.median_share,
                           entry->speed.seconds_per_step * 1e3);
                printf("  wrong=%" PRIu64 "/%" PRIu64 "\n", entry->tally.wrong, entry->tally.compared);
            }
    const struct bench_case *pair = bench->cases[BENCH_CROSS][PRECISION_SINGLE];
    if (cross_speedup(bench) > 0)
        printf("the cross is %.2f times as fast in blocks as in its box (%.3f against %.3f ms a step)\n",
               cross_speedup(bench), pair[LAYOUT_BLOCKS].speed.seconds_per_step * 1e3,
               pair[LAYOUT_BOX].speed.seconds_per_step * 1e3);
}

static void add_rate(cJSON *object, const char *name, double value)
{
    if (value > 0)
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static cJSON *json_of_case(const struct bench *bench, int shape, int precision, int layout)
{
    const struct bench_case *entry = &bench->cases[shape][precision][layout];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "shape", bench_shape_name[shape]);
    cJSON_AddStringToObject(object, "layout", layout_name[layout]);
    cJSON_AddStringToObject(object, "precision", precision_name[precision]);
    cJSON_AddStringToObject(object, "backend", backend_name(bench));
    cJSON_AddStringToObject(object, "engine", entry->engine);
    cJSON_AddNumberToObject(object, "values_compared", (double)entry->tally.compared);
    cJSON_AddNumberToObject(object, "values_wrong", (double)entry->tally.wrong);
    cJSON_AddNumberToObject(object, "nodes", entry->nodes);
    add_rate(object, "node_updates_per_second", entry->timed ? rate_of(entry) : 0);
    add_rate(object, "share_of_limit", entry->timed ? share_of(entry) : 0);
    add_rate(object, "median_share_of_limit", entry->timed ? entry->speed.median_share : 0);
    add_rate(object, "stream_node_updates_per_second", entry->speed.limit);
    add_rate(object, "seconds_per_step", entry->timed ? entry->speed.seconds_per_step : 0);
    return object;
}

static cJSON *json_of(const struct bench *bench)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "version", TRANSEPT_VERSION);
    cJSON_AddNumberToObject(object, "threads", bench->threads);
    cJSON_AddNumberToObject(object, "bytes_last_cache", (double)bench->cache);
    cJSON_AddNumberToObject(object, "bytes_stream_array", (double)bench->limit.bytes);
    cJSON_AddNumberToObject(object, "edge_nodes", (double)bench->edge);
    add_rate(object, "stream_node_updates_per_second", limit_of(bench, PRECISION_SINGLE));
    add_rate(object, "stream_node_updates_per_second_double", limit_of(bench, PRECISION_DOUBLE));
    cJSON *cases = cJSON_AddArrayToObject(object, "cases");
    for (int shape = 0; shape < BENCH_SHAPES; shape++)
        for (int precision = 0; precision < PRECISIONS; precision++)
            for (int layout = 0; layout < LAYOUTS; layout++)
                if (bench->cases[shape][precision][layout].checked)
                    cJSON_AddItemToArray(cases, json_of_case(bench, shape, precision, layout));
    add_rate(object, "cross_speedup", cross_speedup(bench));
    return object;
}

static int run(struct bench *bench, struct failure *failure)
{
    const struct options *options = bench->options;
    const uint64_t cache = machine_memory_cache();
    int code = 0, shapes = 0;
    bench->threads = options->backend == OPTION_BACKEND_REFERENCE ? 1
                     : options->threads > 0                       ? (int)options->threads
                                                                  : omp_get_num_procs();
    bench->cache = cache > 0 ? cache : CACHE_UNKNOWN;
    bench->available = machine_memory_available();
    TRY(choose_sizes(bench, failure));
    for (int shape = 0; shape < BENCH_SHAPES; shape++)
        shapes += is_wanted(bench, shape);
    progress_line_start(&bench->progress, options->quiet ? NULL : stderr, progress_clock());
    for (int shape = 0; code == 0 && shape < BENCH_SHAPES; shape++)
        if (is_wanted(bench, shape))
            code = run_shape(bench, shape, bench->own.time / (shapes * PRECISIONS), failure);
    progress_line_end(&bench->progress);
    /* A wrong value is a result too. */
    if (code != 0 && code != FAILURE_ANSWER_NO)
        return code;
    if (!options->json)
        print_words(bench);
    else if (code == 0)
        code = print_json(json_of(bench), failure);
    else
        (void)print_json(json_of(bench), NULL);
    return code;
}

int command_bench(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct options options;
    struct bench bench = {.options = &options, .own = {.time = 60, .arrays = ARRAY_CACHES}};
    const struct option_set own = {.count = sizeof bench_option_table / sizeof *bench_option_table,
                                   .spec = bench_option_table,
                                   .base = &bench.own};
    int code =
        options_parse(command->bit, command->name, command->subject, argc, argv, &own, &options, failure);
    if (code == 0 && options.help)
        help_command(stdout, command, &own);
    else if (code == 0)
        code = run(&bench, failure);
    stream_limit_free(&bench.limit);
    options_free(&options);
    return code;
}
