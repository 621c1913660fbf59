#include "src/bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/base/print_json.h"
#include "src/setup/project/project.h"
#include "src/run/setup_record.h"
#include "src/base/table/json_values.h"

#define GIGA 1e9

/* Node updates per second, and their share of the limit. */
static double rate_of(const struct bench_case *entry)
{
    return entry->nodes / entry->speed.seconds_per_step;
}

static double share_of(const struct bench_case *entry)
{
    return rate_of(entry) / entry->speed.limit;
}

/* Node updates per second of the streaming limit, the highest of all cases; 0 while not measured. */
static double limit_of(const struct bench *bench, int precision)
{
    double limit = 0;
    for (size_t i = 0; i < bench->cases; i++)
        if (bench->entry[i].precision == precision && bench->entry[i].timed)
            limit = fmax(limit, bench->entry[i].speed.limit);
    return limit;
}

/* The largest cross that was timed in a layout, or NULL. */
static const struct bench_case *cross_in(const struct bench *bench, int precision, int layout)
{
    const struct bench_case *found = NULL;
    for (size_t i = 0; i < bench->cases; i++) {
        const struct bench_case *entry = &bench->entry[i];
        if (entry->room.shape == BENCH_CROSS && entry->precision == precision && entry->layout == layout &&
            entry->timed && (found == NULL || entry->room.nodes > found->room.nodes))
            found = entry;
    }
    return found;
}

/* Seconds per step of the box over those of the blocks, of the same cross; 0 while not measured. */
static double cross_speedup(const struct bench *bench, int precision)
{
    const struct bench_case *blocks = cross_in(bench, precision, LAYOUT_BLOCKS),
                            *box = cross_in(bench, precision, LAYOUT_BOX);
    return blocks != NULL && box != NULL && blocks->room.nodes == box->room.nodes
               ? box->speed.seconds_per_step / blocks->speed.seconds_per_step
               : 0;
}

/* ---- words ---- */

static void print_time(double seconds)
{
    if (seconds < 1e-3)
        printf(" %9.2f us a step", seconds * 1e6);
    else
        printf(" %9.3f ms a step", seconds * 1e3);
}

static void print_host_case(const struct bench_case *entry)
{
    printf("%-7s %-6s %s", bench_shape_name[entry->room.shape], bench_layout_name[entry->layout],
           bench_precision_name[entry->precision]);
    if (entry->timed)
        printf(" %7.3f Gnode/s  %5.3f of the limit (median %5.3f) %9.3f ms a step", rate_of(entry) / GIGA,
               share_of(entry), entry->speed.median_share, entry->speed.seconds_per_step * 1e3);
    printf("  wrong=%" PRIu64 "/%" PRIu64 "\n", entry->tally.wrong, entry->tally.compared);
}

static void print_device_case(const struct bench_case *entry)
{
    char name[BENCH_NAME_MAX];
    printf("%-14s %-10s %s", bench_room_name(entry->room.shape, entry->room.nodes, name),
           bench_layout_name[entry->layout], bench_precision_name[entry->precision]);
    if (entry->timed) {
        print_time(entry->speed.seconds_per_step);
        printf(" %7.1f Gnode/s  %5.3f of copy at %2.0f bytes (median %5.3f)", rate_of(entry) / GIGA,
               share_of(entry), bench_node_bytes(entry->precision, entry->layout), entry->speed.median_share);
    }
    printf("  wrong=%" PRIu64 "/%" PRIu64 "\n", entry->tally.wrong, entry->tally.compared);
}

/* Share of the copy rate for the traffic that our own kernels are measured by. */
static double seed_share(const struct bench *bench, const struct bench_seed_case *entry, double seconds)
{
    return entry->speed.nodes / seconds *
           bench_node_bytes((int)entry->kernel.precision, (int)entry->kernel.layout) / bench->copy_rate;
}

static const struct bench_case *ours_beside(const struct bench *bench, const struct bench_seed_case *seed)
{
    for (size_t i = 0; i < bench->cases; i++) {
        const struct bench_case *entry = &bench->entry[i];
        if (entry->room.shape == seed->room.shape && entry->room.nodes == seed->room.nodes &&
            entry->precision == (int)seed->kernel.precision && entry->layout == (int)seed->kernel.layout &&
            entry->timed)
            return entry;
    }
    return NULL;
}

static void print_seed_case(const struct bench *bench, const struct bench_seed_case *entry)
{
    const struct bench_case *ours = ours_beside(bench, entry);
    char name[BENCH_NAME_MAX];
    printf("%-14s seed's %-3s %s", bench_room_name(entry->room.shape, entry->room.nodes, name),
           entry->kernel.layout == LAYOUT_BOX ? "box" : "aos", bench_precision_name[entry->kernel.precision]);
    print_time(entry->speed.best);
    printf(" %7.1f Gnode/s  %5.3f of copy at %2.0f bytes (median %5.3f)",
           entry->speed.nodes / entry->speed.best / GIGA, seed_share(bench, entry, entry->speed.best),
           bench_node_bytes((int)entry->kernel.precision, (int)entry->kernel.layout),
           seed_share(bench, entry, entry->speed.median));
    if (ours != NULL)
        printf("  ours is %.2f times as fast", entry->speed.best / ours->speed.seconds_per_step);
    printf("\n");
}

void bench_print_words(const struct bench *bench)
{
    const bool device = backend_is_device(bench->choice.backend);
    if (bench->request.grid.scheme == SCHEME_ISOTROPIC)
        printf("the isotropic scheme, 19 points\n");
    if (device && bench->copy_rate > 0)
        printf("%s: copy %.0f GB/s, read and written bytes counted\n", bench->choice.device.name,
               bench->copy_rate / GIGA);
    for (int precision = 0; !device && precision < BENCH_PRECISIONS; precision++)
        if (limit_of(bench, precision) > 0)
            printf("limit   %6s %s %7.3f Gnode/s\n", "", bench_precision_name[precision],
                   limit_of(bench, precision) / GIGA);
    for (size_t i = 0; i < bench->cases; i++)
        if (device)
            print_device_case(&bench->entry[i]);
        else
            print_host_case(&bench->entry[i]);
    for (size_t i = 0; i < bench->seed_cases; i++)
        print_seed_case(bench, &bench->seed_entry[i]);
    for (int precision = 0; precision < (device ? BENCH_PRECISIONS : 1); precision++) {
        const double speedup = cross_speedup(bench, precision);
        if (speedup > 0)
            printf("the cross is %.2f times as fast%s in blocks as in its box%s%s (%.3f against %.3f ms a "
                   "step)\n",
                   speedup, device ? " per node of air" : "", device ? ", " : "",
                   device ? bench_precision_name[precision] : "",
                   cross_in(bench, precision, LAYOUT_BLOCKS)->speed.seconds_per_step * 1e3,
                   cross_in(bench, precision, LAYOUT_BOX)->speed.seconds_per_step * 1e3);
    }
}

/* ---- JSON ---- */

/* Null while not measured. */
static cJSON *json_rate(double value)
{
    return OF_NUMBER(value > 0 ? value : NAN);
}

static cJSON *json_begin(const struct bench_target *room, int precision, int layout)
{
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"shape", OF_TEXT(bench_shape_name[room->shape])},
             {"shape_nodes", json_rate((double)room->nodes)}, {"layout", OF_TEXT(bench_layout_name[layout])},
             {"precision", OF_TEXT(bench_precision_name[precision])});
    return object;
}

static cJSON *json_of_case(const struct bench *bench, const struct bench_case *entry)
{
    cJSON *object = json_begin(&entry->room, entry->precision, entry->layout);
    JSON_PUT(object, {"backend", OF_TEXT(backend_word(bench->choice.backend))},
             {"engine", OF_TEXT(entry->engine)});
    /* The shapes have plain walls (make_shape()). */
    JSON_PUT(
        object,
        {"walls",
         OF_TEXT(project_option("walls")->words[entry->room.shape == BENCH_ROOM ? bench->request.engine.walls
                                                                                : WALLS_FIRST_ORDER])},
        {"values_compared", OF_NUMBER(entry->tally.compared)},
        {"values_wrong", OF_NUMBER(entry->tally.wrong)}, {"nodes", OF_NUMBER(entry->nodes)},
        {"node_updates_per_second", json_rate(entry->timed ? rate_of(entry) : 0)},
        {"share_of_limit", json_rate(entry->timed ? share_of(entry) : 0)},
        {"median_share_of_limit", json_rate(entry->timed ? entry->speed.median_share : 0)});
    if (backend_is_device(bench->choice.backend))
        JSON_PUT(object, {"bytes_a_node", OF_NUMBER(bench_node_bytes(entry->precision, entry->layout))});
    else
        JSON_PUT(object,
                 {"stream_node_updates_per_second", json_rate(entry->timed ? entry->speed.limit : 0)});
    JSON_PUT(object, {"seconds_per_step", json_rate(entry->timed ? entry->speed.seconds_per_step : 0)});
    return object;
}

static cJSON *json_of_seed(const struct bench *bench, const struct bench_seed_case *entry)
{
    const int precision = (int)entry->kernel.precision, layout = (int)entry->kernel.layout;
    cJSON *object = json_begin(&entry->room, precision, layout);
    JSON_PUT(object, {"nodes", OF_NUMBER(entry->speed.nodes)},
             {"node_updates_per_second", OF_NUMBER(entry->speed.nodes / entry->speed.best)},
             {"share_of_limit", OF_NUMBER(seed_share(bench, entry, entry->speed.best))},
             {"median_share_of_limit", OF_NUMBER(seed_share(bench, entry, entry->speed.median))},
             {"bytes_a_node", OF_NUMBER(bench_node_bytes(precision, layout))},
             {"seconds_per_step", OF_NUMBER(entry->speed.best)});
    return object;
}

int bench_print_json(const struct bench *bench, struct failure *failure)
{
    const bool device = backend_is_device(bench->choice.backend);
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"version", OF_TEXT(TRANSEPT_VERSION)},
             {"scheme", OF_TEXT(scheme_words[bench->request.grid.scheme])});
    record_backend(object, &bench->choice);
    JSON_PUT(object, {"threads", OF_NUMBER(bench->threads)});
    if (device) {
        JSON_PUT(object, {"bytes_copy_array", OF_NUMBER(bench->copy_bytes)},
                 {"copy_bytes_per_second", json_rate(bench->copy_rate)});
    } else {
        JSON_PUT(object, {"bytes_last_cache", OF_NUMBER(bench->cache)},
                 {"bytes_stream_array", OF_NUMBER(bench->limit.bytes)},
                 {"edge_nodes", json_rate((double)bench->edge)},
                 {"stream_node_updates_per_second", json_rate(limit_of(bench, PRECISION_SINGLE))},
                 {"stream_node_updates_per_second_double", json_rate(limit_of(bench, PRECISION_DOUBLE))});
    }
    cJSON *cases = json_list_in(object, "cases");
    for (size_t i = 0; i < bench->cases; i++)
        json_append(cases, json_of_case(bench, &bench->entry[i]));
    if (device) {
        cJSON *seed = json_list_in(object, "seed_kernels");
        for (size_t i = 0; i < bench->seed_cases; i++)
            json_append(seed, json_of_seed(bench, &bench->seed_entry[i]));
    }
    JSON_PUT(object, {"cross_speedup", json_rate(cross_speedup(bench, PRECISION_SINGLE))});
    if (device)
        JSON_PUT(object, {"cross_speedup_double", json_rate(cross_speedup(bench, PRECISION_DOUBLE))});
    return print_json(object, failure);
}
