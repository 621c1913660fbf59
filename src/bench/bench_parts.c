#include "src/bench/bench_parts.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/engine/engine_fill.h"
#include "kernels/mpi/ranks.h"
#include "kernels/parts/engine_in_parts.h"
#include "kernels/parts/local_parts.h"
#include "src/base/interrupt.h"
#include "src/base/print_json.h"
#include "src/base/sorted_doubles.h"
#include "src/bench/bench.h"
#include "src/bench/bench_traffic.h"
#include "src/run/plan/step_time.h"
#include "src/run/setup_record.h"
#include "src/base/table/json_values.h"
#include "kernels/mpi/room_hosts.h"

#define SECONDS      60.0 /* of measuring all, unless given */
#define EDGE         256  /* of shapes, likewise */
#define TURN_SECONDS 0.15 /* long compared with the start of a batch and its end in all parts */
#define ROUNDS_LEAST 5
#define ROUNDS_MOST  1000
#define CHECK_STEPS  6

/* Result for a room in parts. */
struct parts_speed {
    double seconds, seconds_one; /* of a step, best of the rounds: in parts, in one */
    double share;                /* median over rounds: seconds_one / (seconds x `singles`) */
    uint64_t bytes;              /* sent by all parts in a step */
};

/* ---- a room, an engine --------------------------------------------------------------------------------- */

/* Takes `link` over. `rigid`: walls do not absorb. `bytes`: sent by all parts in a step. */
static int make_engine(const struct bench_room *room, const struct engine_options *options, bool rigid,
                       struct part_link *link, struct engine **out, uint64_t *bytes, struct failure *failure)
{
    struct bench_traffic traffic;
    double *const none = calloc(room->materials + 1, sizeof *none);
    struct part_setup setup = {
        .options = *options, .materials = room->materials, .admittance = rigid ? none : room->admittance};
    int code = none == NULL ? failure_memory(failure, room->materials * sizeof *none, "admittances") : 0;
    if (code == 0)
        code = bench_step(room, 0, rigid, &setup.step, failure);
    if (!rigid && room->walls.count > 0) {
        setup.walls = &room->walls;
        setup.materials = room->walls.count;
        setup.admittance = NULL;
    }
    if (code != 0)
        link->end(link->context);
    if (code == 0)
        code = bench_count_traffic(link, &traffic, failure);
    if (code == 0)
        code = engine_in_parts(out, &room->blocks, &setup, PARTITION_WALL_COST, link, failure);
    free(none);
    if (code == 0) {
        *bytes = traffic.bytes;
        engine_fill(*out, BENCH_FILL_SEED);
        code = engine_failed(*out, failure);
    }
    return code;
}

/* ---- timing -------------------------------------------------------------------------------------------- */

/* Compare the fields after the same steps. */
static int check_same(struct engine *one, struct engine *parts, struct failure *failure)
{
    engine_run(one, CHECK_STEPS, NULL, NULL);
    engine_run(parts, CHECK_STEPS, NULL, NULL);
    const uint64_t expected = engine_hash(one), found = engine_hash(parts);
    TRY(engine_failed(parts, failure));
    return expected == found
               ? 0
               : failure_set(failure, FAILURE_ANSWER_NO, "%s: the field differs from that of one part",
                             engine_description(parts));
}

static uint64_t steps_of_turn(struct engine *engine)
{
    const double step = step_time(engine, 2, NULL, NULL);
    return (uint64_t)fmin(fmax(ceil(TURN_SECONDS / fmax(step, 1e-7)), 2.0), 1e6);
}

/* Step both in turns. `singles`: how many times the threads of `one` the parts have. */
static int time_engines(struct engine *one, struct engine *parts, unsigned singles, double seconds,
                        struct parts_speed *out, struct failure *failure)
{
    TRY(check_same(one, parts, failure));
    double *const share = malloc(ROUNDS_MOST * sizeof *share);
    if (share == NULL)
        return failure_memory(failure, ROUNDS_MOST * sizeof *share, "measured shares");
    const uint64_t steps_one = steps_of_turn(one), steps = steps_of_turn(parts);
    const double end = progress_clock() + seconds;
    size_t rounds = 0;
    int code = 0;
    out->seconds = out->seconds_one = INFINITY;
    while (code == 0 && (rounds < ROUNDS_LEAST || (rounds < ROUNDS_MOST && progress_clock() < end))) {
        /* One step that brings the field back into the caches is not timed. */
        engine_run(one, 1, NULL, NULL);
        const double of_one = step_time(one, steps_one, NULL, NULL);
        engine_run(parts, 1, NULL, NULL);
        const double of_parts = step_time(parts, steps, NULL, NULL);
        share[rounds++] = of_one / (of_parts * singles);
        out->seconds_one = fmin(out->seconds_one, of_one);
        out->seconds = fmin(out->seconds, of_parts);
        code = engine_failed(parts, failure);
        code = code == 0 ? interrupt_stop(failure) : code;
    }
    out->share = sort_for_median(share, rounds);
    free(share);
    return code;
}

/* ---- timed cases --------------------------------------------------------------------------------------- */

/* Parts in this process share the threads of one. Each rank has as many, on one host or several. */
struct arrangement {
    unsigned parts, singles;
    int threads_one, threads_part;
    bool ranks;
    size_t hosts;
};

static int arrange_parts(const struct bench *bench, struct arrangement *out, struct failure *failure)
{
    struct room_hosts hosts = {0};
    TRY(room_hosts_ask(&hosts, failure));
    *out = (struct arrangement){.parts = hosts.ranks > 1 ? hosts.ranks : (unsigned)bench->own.parts,
                                .singles = 1,
                                .threads_one = bench->threads,
                                .threads_part = bench->threads,
                                .ranks = hosts.ranks > 1,
                                .hosts = hosts.ranks > 1 ? hosts.count : 1};
    room_hosts_free(&hosts);
    if (!out->ranks)
        return 0;
    const int all = bench->threads * (int)out->parts;
    if (out->hosts == 1 && all <= omp_get_num_procs())
        out->threads_one = all;
    else
        out->singles = out->parts;
    return 0;
}

static int make_link(const struct arrangement *arrangement, struct part_link *out, struct failure *failure)
{
    return arrangement->ranks ? ranks_table->parts(out, failure)
                              : local_parts(arrangement->parts, out, failure);
}

static int time_case(const struct bench *bench, const struct arrangement *arrangement,
                     const struct bench_room *room, int precision, double seconds, struct parts_speed *out,
                     struct failure *failure)
{
    const bool rigid = room->shape == BENCH_CUBE;
    struct engine_options options = bench_engine_options(bench, precision, LAYOUT_BLOCKS);
    struct engine *one = NULL, *parts = NULL;
    struct part_link link;
    TRY(interrupt_stop(failure));
    options.threads = arrangement->threads_one;
    int code = bench_engine(room, &options, 0, rigid, &one, failure);
    options.threads = arrangement->threads_part;
    if (code == 0)
        code = make_link(arrangement, &link, failure);
    if (code == 0)
        code = make_engine(room, &options, rigid, &link, &parts, &out->bytes, failure);
    if (code == 0)
        code = time_engines(one, parts, arrangement->singles, seconds, out, failure);
    engine_free(parts);
    engine_free(one);
    return code;
}

static void print_case(const struct bench_room *room, int precision, const struct parts_speed *speed)
{
    const double nodes = bench_room_stored(room, LAYOUT_BLOCKS);
    printf("%-7s %-9s %s %7.3f Gnode/s  %5.3f of one part (median; best of either %5.3f)  %.3g MB a step "
           "between "
           "parts\n",
           bench_shape_name[room->shape],
           scheme_words[room->blocks.isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD],
           bench_precision_name[precision], nodes / speed->seconds / 1e9, speed->share,
           speed->share > 0 ? speed->seconds_one / speed->seconds : 0, (double)speed->bytes / 1e6);
    (void)fflush(stdout);
}

static void add_case(cJSON *cases, const struct bench_room *room, int precision,
                     const struct arrangement *arrangement, const struct parts_speed *speed)
{
    const double nodes = bench_room_stored(room, LAYOUT_BLOCKS);
    JSON_PUT(json_append_object(cases), {"shape", OF_TEXT(bench_shape_name[room->shape])},
             {"scheme", OF_TEXT(scheme_words[room->blocks.isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD])},
             {"precision", OF_TEXT(bench_precision_name[precision])},
             {"hard", OF_TRUTH(room->shape == BENCH_CUBE)}, {"nodes", OF_NUMBER(nodes)},
             {"wall_nodes", OF_NUMBER(room->blocks.wall_nodes)},
             {"node_updates_per_second", OF_NUMBER(nodes / speed->seconds)},
             {"node_updates_per_second_one_part", OF_NUMBER(nodes / speed->seconds_one)},
             {"share_of_one_part", OF_NUMBER(speed->share)},
             {"compared_with", OF_NUMBER(arrangement->singles)}, {"bytes_a_step", OF_NUMBER(speed->bytes)});
}

/* Time one room in the requested precisions. */
static int run_room(struct bench *bench, const struct arrangement *arrangement, const struct bench_room *room,
                    double seconds, cJSON *cases, struct failure *failure)
{
    for (int precision = 0; precision < BENCH_PRECISIONS; precision++) {
        struct parts_speed speed = {0};
        if (!bench_wants(bench, precision, LAYOUT_BLOCKS))
            continue;
        bench_show(bench, "%s, %s: timing", bench_shape_name[room->shape], bench_precision_name[precision]);
        TRY(time_case(bench, arrangement, room, precision, seconds, &speed, failure));
        progress_line_end(&bench->progress);
        if (cases != NULL)
            add_case(cases, room, precision, arrangement, &speed);
        else
            print_case(room, precision, &speed);
    }
    return 0;
}

/* True for a rigid cube and the church, or for the requested shape. */
static bool wants_shape(const struct bench *bench, enum bench_shape shape)
{
    return bench->own.shape == 0 ? shape == BENCH_CUBE || shape == BENCH_CHURCH
                                 : bench->own.shape == (int)shape + 1;
}

static int run_shapes(struct bench *bench, const struct arrangement *arrangement, double time, cJSON *cases,
                      struct failure *failure)
{
    const bool both = !options_given(bench->options, "scheme");
    const int64_t edge = bench->own.edge > 0 ? bench->own.edge : EDGE;
    const double count =
        (bench->own.shape == 0 ? 2 : 1) * (both ? 2 : 1) * (bench->own.precision == 0 ? 2 : 1);
    int code = 0;
    for (enum bench_shape shape = 0; code == 0 && shape < BENCH_SHAPES; shape++)
        for (int scheme = 0; code == 0 && wants_shape(bench, shape) && scheme < 2; scheme++) {
            struct bench_room room = {0};
            if (!both && scheme != (int)bench->request.grid.scheme)
                continue;
            bench_show(bench, "%s: making the room", bench_shape_name[shape]);
            code = bench_room_make(shape, (enum scheme)scheme, bench_room_nodes(shape, edge),
                                   arrangement->threads_one, &room, failure);
            if (code == 0)
                code = run_room(bench, arrangement, &room, time / count, cases, failure);
            bench_room_free(&room);
        }
    return code;
}

static int run_users(struct bench *bench, const struct arrangement *arrangement, double time, cJSON *cases,
                     struct failure *failure)
{
    struct bench_room room = {0};
    int code = bench_room_read(&bench->request, &room, failure);
    if (code == 0)
        code =
            run_room(bench, arrangement, &room, time / (bench->own.precision == 0 ? 2 : 1), cases, failure);
    bench_room_free(&room);
    return code;
}

bool bench_wants_parts(const struct bench *bench)
{
    return bench->own.parts > 0 || ranks_count() > 1;
}

int bench_parts(struct bench *bench, struct failure *failure)
{
    struct arrangement arrangement;
    TRY(arrange_parts(bench, &arrangement, failure));
    const int each = arrangement.ranks ? arrangement.threads_part
                     : arrangement.threads_part < (int)arrangement.parts
                         ? 1
                         : arrangement.threads_part / (int)arrangement.parts;
    bench_say(bench, "%u %s of %d thread%s each, compared with %s%d thread%s in one part", arrangement.parts,
              arrangement.ranks ? "ranks" : "parts", each, each == 1 ? "" : "s",
              arrangement.singles > 1 ? "as many times " : "", arrangement.threads_one,
              arrangement.threads_one == 1 ? "" : "s");
    const double time = bench->own.time > 0 ? bench->own.time : SECONDS;
    cJSON *object = bench->options->json ? cJSON_CreateObject() : NULL, *cases = NULL;
    if (object != NULL) {
        JSON_PUT(object, {"version", OF_TEXT(TRANSEPT_VERSION)}, {"parts", OF_NUMBER(arrangement.parts)},
                 {"ranks", OF_TRUTH(arrangement.ranks)}, {"hosts", OF_NUMBER(arrangement.hosts)},
                 {"threads", OF_NUMBER(bench->threads)});
        cases = json_list_in(object, "cases");
    }
    const int code = bench->options->subject != NULL ? run_users(bench, &arrangement, time, cases, failure)
                                                     : run_shapes(bench, &arrangement, time, cases, failure);
    if (object == NULL)
        return code;
    if (code == 0)
        return print_json(object, failure);
    cJSON_Delete(object);
    return code;
}
