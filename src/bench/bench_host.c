#include "src/base/table/number_text.h"
#include "src/base/interrupt.h"
#include "src/bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "kernels/machine/machine_memory.h"
#include "src/run/plan/estimate.h"
#include "src/setup/room_setup.h"

#define SECONDS        60.0 /* of measuring, unless given */
#define FIELD_CACHES   3    /* both levels of a room in single precision, unless a size is given */
#define STREAM_SHARE   4    /* the limit's arrays take at most one part in four of the memory */
#define PREDICTED_PART 0.95 /* of the rest, for the predicted bytes of rooms */
#define EDGE_LEAST     320  /* of rooms sized by the cache */
#define EDGE_REFERENCE 96   /* the reference is slow */
#define CHECK_EDGE     48
#define CHECK_NODES    4e6 /* of the user's room: larger ones are only compared with one another */

/* ---- sizes ---- */

static bool wants_box(const struct bench *bench)
{
    return bench->own.layout != LAYOUT_BLOCKS + 1;
}

static int largest_bytes(const struct bench *bench, int64_t edge, uint64_t *bytes, struct failure *failure)
{
    *bytes = 0;
    for (enum bench_shape shape = 0; shape < BENCH_SHAPES; shape++) {
        uint64_t room = 0;
        if (!bench_wants_shape(bench, shape))
            continue;
        TRY(bench_room_bytes(shape, bench_room_nodes(shape, edge), sizeof(double), wants_box(bench), &room,
                             failure));
        *bytes = room > *bytes ? room : *bytes;
    }
    return 0;
}

/* Choose the size of the shapes so that `left` bytes hold them; a size that does not fit is refused
 * before it is allocated. `array`: of the limit. */
static int choose_edge(struct bench *bench, double left, uint64_t array, struct failure *failure)
{
    char needed[32], has[32], each[32];
    const bool reference = bench->choice.backend == BACKEND_REFERENCE;
    uint64_t bytes = 0;
    const double filling = ceil(cbrt(FIELD_CACHES * (double)bench->cache / (2 * sizeof(float))) / 8) * 8;
    bench->edge = bench->own.edge > 0 ? bench->own.edge
                  : reference         ? EDGE_REFERENCE
                                      : (int64_t)fmin(fmax(filling, EDGE_LEAST), BENCH_EDGE_MOST);
    TRY(largest_bytes(bench, bench->edge, &bytes, failure));
    while (bench->own.edge == 0 && (double)bytes > left && bench->edge - 8 >= BENCH_EDGE_LEAST) {
        bench->edge -= 8;
        TRY(largest_bytes(bench, bench->edge, &bytes, failure));
    }
    if ((double)bytes > left)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "rooms of about %" PRId64 "^3 nodes take %s (%" PRIu64
                                          " bytes) next to the arrays that measure the bandwidth (2 x %s), "
                                          "and this machine has %s free",
                                          bench->edge, format_bytes((double)bytes, needed), bytes,
                                          format_bytes((double)array, each),
                                          format_bytes((double)bench->available, has)),
                              failure, ADVICE_SMALLER_SHAPES_OR_ONE, 0);
    const double field = 2.0 * sizeof(float) * pow((double)bench->edge, 3);
    bench_say(bench,
              "rooms of about %" PRId64 "^3 nodes of air: fields of %s in single precision, %.2g times the "
              "last cache%s",
              bench->edge, format_bytes(field, each), field / (double)bench->cache,
              field < (double)bench->cache ? ", so the speed is partly that of the cache" : "");
    bench_add_shapes(bench, bench->edge, false);
    return 0;
}

/* Sizes of rooms, and the limit's arrays. */
static int prepare_host(struct bench *bench, struct failure *failure)
{
    char has[32], each[32];
    bench->available = machine_memory_available();
    const double arrays = bench->own.arrays > 0 ? bench->own.arrays : BENCH_ARRAY_CACHES;
    const uint64_t wanted = (uint64_t)(arrays * (double)bench->cache),
                   most = bench->available / (2 * STREAM_SHARE);
    const uint64_t array = wanted < most ? wanted : most;
    const double left = PREDICTED_PART * (double)(bench->available - 2 * array);
    if (bench->targets == 0)
        TRY(choose_edge(bench, left, array, failure));
    TRY(stream_limit_create(&bench->limit, array, bench->threads, failure));
    bench_say(bench,
              "%d thread%s; memory bandwidth over two arrays of %s, %.1f times the last-level cache (%s)%s",
              bench->threads, bench->threads == 1 ? "" : "s", format_bytes((double)array, each),
              (double)array / (double)bench->cache, format_bytes((double)bench->cache, has),
              array < wanted                ? "; it should be more, but memory does not allow it"
              : arrays < BENCH_ARRAY_CACHES ? "; it should be 8 times to measure memory"
                                            : "");
    return 0;
}

/* ---- one room ---- */

/* A difference between the two does not show which of them is wrong. */
static int check_pair(const struct bench_room *room, struct engine *const engine[BENCH_LAYOUTS],
                      struct bench_case *const pair[BENCH_LAYOUTS], struct failure *failure)
{
    struct bench_tally tally = {0, 0};
    int code = 0;
    if (engine[LAYOUT_BLOCKS] != NULL && engine[LAYOUT_BOX] != NULL)
        code = bench_check_same(room, engine[LAYOUT_BLOCKS], engine[LAYOUT_BOX], &tally, failure);
    for (int layout = 0; layout < BENCH_LAYOUTS; layout++) {
        if (pair[layout] == NULL)
            continue;
        pair[layout]->tally.compared += tally.compared;
        pair[layout]->tally.wrong += tally.wrong;
    }
    return code;
}

/* Time the requested layouts at full size: the fields are compared after some steps, and again after
 * timing. */
static int run_pair(struct bench *bench, const struct bench_target *target, const struct bench_room *room,
                    int precision, double seconds, struct failure *failure)
{
    struct bench_case *pair[BENCH_LAYOUTS] = {NULL, NULL};
    struct engine *engine[BENCH_LAYOUTS] = {NULL, NULL};
    struct bench_speed speed[BENCH_LAYOUTS];
    double nodes[BENCH_LAYOUTS] = {0, 0};
    int code = 0;
    for (int layout = 0; code == 0 && layout < BENCH_LAYOUTS; layout++) {
        if (!bench_wants(bench, precision, layout))
            continue;
        const struct engine_options options = bench_engine_options(bench, precision, layout);
        bench_show(bench, "%s, %s, %s: filling", bench_shape_name[room->shape], bench_layout_name[layout],
                   bench_precision_name[precision]);
        pair[layout] = bench_case_of(bench, target, precision, layout);
        pair[layout]->nodes = nodes[layout] = bench_room_stored(room, (enum layout)layout);
        pair[layout]->tally = bench->small[room->shape][precision][layout];
        if ((code = interrupt_stop(failure)) == 0)
            code = bench_engine(room, &options, 0, false, &engine[layout], failure);
        if (code == 0)
            engine_run(engine[layout], BENCH_CHECK_STEPS, NULL, NULL);
    }
    if (code == 0)
        code = check_pair(room, engine, pair, failure);
    if (code == 0) {
        bench_show(bench, "%s, %s: timing", bench_shape_name[room->shape], bench_precision_name[precision]);
        code =
            bench_measure(&bench->limit, (enum precision)precision, engine, nodes, seconds, speed, failure);
    }
    if (code == 0) /* once more after the timing */
        code = check_pair(room, engine, pair, failure);
    for (int layout = 0; layout < BENCH_LAYOUTS; layout++) {
        if (engine[layout] == NULL)
            continue;
        (void)snprintf(pair[layout]->engine, sizeof pair[layout]->engine, "%s",
                       engine_description(engine[layout]));
        if (code == 0)
            code = bench_check_finite(room, engine[layout], failure);
        if (code == 0) {
            pair[layout]->speed = speed[layout];
            pair[layout]->timed = true;
        }
        engine_free(engine[layout]);
    }
    return code;
}

/* Read the user's room. Its engines must fit next to the arrays of the limit. */
static int check_users_room(struct bench *bench, struct bench_room *room, struct failure *failure)
{
    const struct block_bytes bytes =
        block_grid_bytes(&room->blocks, bench->own.precision == PRECISION_SINGLE + 1 ? 4 : 8);
    const double walls =
                     (double)bytes.walls +
                     (double)(room->blocks.walls * engine_wall_entry_bytes(&room->walls, PRECISION_DOUBLE)),
                 both = (double)(bytes.blocks + bytes.box) + 2.0 * walls,
                 available = (double)machine_memory_available();
    char needed[32], has[32];
    if (wants_box(bench) && both > available)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "stepping this room with its bounding box takes %s (%.0f bytes), "
                                          "and this machine has %s free",
                                          format_bytes(both, needed), both, format_bytes(available, has)),
                              failure, ADVICE_BLOCKS_OR_COARSER, 0);
    size_t branches = 0;
    for (size_t m = 0; m < room->walls.count; m++)
        if (room->walls.material[m].branches > branches)
            branches = room->walls.material[m].branches;
    bench_say(bench, "walls of up to %zu branches%s; %" PRIu64 " wall entries", branches,
              !room->walls.ledger ? ", first-order"
              : bench->request.engine.walls == WALLS_CONFORMAL
                  ? " where they are, and an account of what they absorb"
              : room->walls.inertance ? " behind half a cell of air and an account of what they absorb"
                                      : " along the faces of cells and an account of what they absorb",
              room->blocks.walls);
    const bool small = bench_room_stored(room, LAYOUT_BLOCKS) <= CHECK_NODES;
    if (wants_box(bench) || small) /* the checks need it */
        TRY(bench_room_add_box(room, failure));
    return small ? bench_check_cases(bench, room, failure) : 0;
}

static int make_shape(struct bench *bench, const struct bench_target *target, struct bench_room *room,
                      struct failure *failure)
{
    TRY(bench_check_shape(bench, target->shape, bench->edge < CHECK_EDGE ? bench->edge : CHECK_EDGE,
                          failure));
    TRY(interrupt_stop(failure));
    bench_show(bench, "%s: making the room", bench_shape_name[target->shape]);
    TRY(bench_room_make(target->shape, bench->request.grid.scheme, target->nodes, bench->threads, room,
                        failure));
    return wants_box(bench) ? bench_room_add_box(room, failure) : 0;
}

int bench_on_host(struct bench *bench, struct failure *failure)
{
    const double time = bench->own.time > 0 ? bench->own.time : SECONDS;
    const double precisions = bench->own.precision == 0 ? BENCH_PRECISIONS : 1;
    const bool users = bench->targets > 0;
    struct bench_room room = {0};
    int code = 0;
    if (users)
        code = bench_room_read(&bench->request, &room, failure);
    if (code == 0)
        code = prepare_host(bench, failure);
    for (size_t t = 0; code == 0 && t < bench->targets; t++) {
        const struct bench_target *const target = &bench->target[t];
        code = users ? check_users_room(bench, &room, failure) : make_shape(bench, target, &room, failure);
        if (code == FAILURE_ANSWER_NO)
            bench_show_checks(bench, target, target->shape);
        for (int precision = 0; code == 0 && precision < BENCH_PRECISIONS; precision++)
            if (bench->own.precision == 0 || bench->own.precision == precision + 1)
                code = run_pair(bench, target, &room, precision, time / precisions / (double)bench->targets,
                                failure);
        bench_room_free(&room);
    }
    bench_room_free(&room);
    return code;
}
