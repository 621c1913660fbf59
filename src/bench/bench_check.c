#include "src/bench/bench_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/engine/engine_fill.h"
#include "src/bench/bench_textbook.h"

int bench_step(const struct bench_room *room, double courant, bool rigid, struct time_step *out,
               struct failure *failure)
{
    const bool remember = !rigid && room->walls.count > 0;
    *out = room->step;
    return room->blocks.has_records
               ? 0
               : time_step_choose(SCHEME_STANDARD, remember ? room->blocks.lattice.spacing : 1.0, 343.2,
                                  courant, out, failure);
}

int bench_engine(const struct bench_room *room, const struct engine_options *options, double courant,
                 bool rigid, struct engine **out, struct failure *failure)
{
    struct time_step step;
    double *none = NULL;
    const bool remember = !rigid && room->walls.count > 0;
    TRY(bench_step(room, courant, rigid, &step, failure));
    if (rigid && (none = calloc(room->materials, sizeof *none)) == NULL)
        return failure_memory(failure, room->materials * sizeof *none, "admittances");
    const struct box_grid *box = options->layout == LAYOUT_BOX ? &room->box : NULL;
    const struct engine_settings settings = {.blocks = &room->blocks,
                                             .box = box,
                                             .step = &step,
                                             .materials = room->materials,
                                             .admittance = remember ? NULL
                                                           : rigid  ? none
                                                                    : room->admittance,
                                             .walls = remember ? &room->walls : NULL,
                                             .options = options,
                                             .card = room->card};
    int code = engine_create_with(out, &settings, failure);
    free(none);
    if (code == 0) {
        engine_fill(*out, BENCH_FILL_SEED);
        code = engine_failed(*out, failure);
    }
    return code;
}

/* The expected value of a node. NAN differs from every value, except where the reference has no value. */
typedef double expected_value(const void *context, const int64_t node[3]);

static double engine_expects(const void *context, const int64_t node[3])
{
    return engine_get(context, 0, node);
}

/* Compare every node of the air; the sentence names the first that differs. */
static int count_wrong(const struct bench_room *room, const struct engine *engine, expected_value *expected,
                       const void *context, bool may_not_know, const char *judge, struct bench_tally *tally,
                       struct failure *failure)
{
    const struct block_grid *grid = &room->blocks;
    int64_t first[3] = {0};
    uint64_t wrong = 0, compared = 0;
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            if (!block_is_air(grid, b, slot))
                continue;
            int64_t node[3];
            block_node(&grid->block[b], slot, node);
            const double value = expected(context, node);
            if (may_not_know && isnan(value))
                continue;
            compared++;
            if (engine_get(engine, 0, node) == value)
                continue;
            for (int axis = 0; wrong == 0 && axis < 3; axis++)
                first[axis] = node[axis];
            wrong++;
        }
    TRY(engine_failed(engine, failure));
    tally->compared += compared;
    tally->wrong += wrong;
    if (wrong == 0)
        return 0;
    return failure_set(failure, FAILURE_ANSWER_NO,
                       "wrong value: %s (%s) has %" PRIu64 " of %" PRIu64 " pressures other than %s after "
                       "%" PRIu64 " steps; the first, at node (%" PRId64 ",%" PRId64 ",%" PRId64
                       "), is %.17g and should be %.17g: do not use this build on this machine",
                       bench_shape_name[room->shape], engine_description(engine), wrong, compared, judge,
                       engine_steps(engine), first[0], first[1], first[2], engine_get(engine, 0, first),
                       expected(context, first));
}

int bench_check_same(const struct bench_room *room, const struct engine *engine,
                     const struct engine *expected, struct bench_tally *tally, struct failure *failure)
{
    const uint64_t hash = engine_hash(engine), other = engine_hash(expected);
    TRY(engine_failed(engine, failure));
    TRY(engine_failed(expected, failure));
    if (hash == other) {
        tally->compared += room->blocks.air_nodes;
        return 0;
    }
    return count_wrong(room, engine, engine_expects, expected, false, engine_description(expected), tally,
                       failure);
}

int bench_check_finite(const struct bench_room *room, const struct engine *engine, struct failure *failure)
{
    const struct engine_health health = engine_health(engine);
    TRY(engine_failed(engine, failure));
    if (health.finite)
        return 0;
    return failure_set(failure, FAILURE_ANSWER_NO,
                       "wrong value: %s (%s) is not finite after %" PRIu64 " steps, at node (%" PRId64
                       ",%" PRId64 ",%" PRId64 ") first",
                       bench_shape_name[room->shape], engine_description(engine), engine_steps(engine),
                       health.bad_node[0], health.bad_node[1], health.bad_node[2]);
}

/* ---- the textbook recurrence ---- */

static bool is_whole(const struct block_grid *grid, const int64_t node[3])
{
    const uint64_t index = block_grid_index(grid, node);
    if (index == UINT64_MAX)
        return false;
    const uint32_t tile = grid->block[index / BLOCK_NODES].tile;
    const unsigned slot = (unsigned)(index % BLOCK_NODES);
    return grid->tile[tile][slot] == BLOCK_LINKS_ALL &&
           (grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1) == 0;
}

/* Compute both levels over the box with its halo. */
struct textbook {
    const struct box_grid *box;
    bool *whole; /* nodes of the isotropic recurrence; NULL: the other recurrence */
    double *now, *old;
};

static double textbook_expects(const void *context, const int64_t node[3])
{
    const struct textbook *textbook = context;
    return textbook->now[box_grid_index(textbook->box, node)];
}

static void textbook_step(struct textbook *textbook)
{
    const struct box_grid *box = textbook->box;
    const size_t row = (size_t)box->nodes[0] + 2, stride[3] = {1, row, row * ((size_t)box->nodes[1] + 2)};
    for (size_t n = 0; n < box->length; n++)
        textbook->old[n] = textbook->whole == NULL
                               ? bench_textbook(textbook->now, textbook->old[n], n, box->links[n], stride)
                           : box->links[n] == 0 ? 0
                                                : bench_textbook_isotropic(textbook->now, textbook->old[n], n,
                                                                           textbook->whole[n], stride);
    double *swap = textbook->now;
    textbook->now = textbook->old;
    textbook->old = swap;
}

int bench_check_exact(const struct bench_room *room, const struct engine *engine, struct bench_tally *tally,
                      struct failure *failure)
{
    const struct box_grid *box = &room->box;
    const bool isotropic = room->blocks.isotropic;
    struct textbook textbook = {.box = box,
                                .whole = isotropic ? calloc(box->length, sizeof *textbook.whole) : NULL,
                                .now = calloc(box->length, sizeof *textbook.now),
                                .old = calloc(box->length, sizeof *textbook.old)};
    int code = 0;
    if (textbook.now == NULL || textbook.old == NULL || (isotropic && textbook.whole == NULL)) {
        code = failure_memory(failure, 2 * box->length * sizeof *textbook.now, "a check");
        goto done;
    }
    int64_t node[3];
    for (node[2] = box->low[2]; node[2] < box->low[2] + box->nodes[2]; node[2]++)
        for (node[1] = box->low[1]; node[1] < box->low[1] + box->nodes[1]; node[1]++)
            for (node[0] = box->low[0]; node[0] < box->low[0] + box->nodes[0]; node[0]++) {
                const uint64_t index = box_grid_index(box, node);
                if (box->links[index] == 0)
                    continue;
                if (isotropic)
                    textbook.whole[index] = is_whole(&room->blocks, node);
                textbook.now[index] = engine_fill_value(node, 0, BENCH_FILL_SEED);
                textbook.old[index] = engine_fill_value(node, 1, BENCH_FILL_SEED);
            }
    for (uint64_t n = 0; n < engine_steps(engine); n++)
        textbook_step(&textbook);
    code = count_wrong(room, engine, textbook_expects, &textbook, isotropic,
                       isotropic ? "whole numbers at lambda^2 = 3/8 give"
                                 : "whole numbers at lambda^2 = 1/4 give",
                       tally, failure);
done:
    free(textbook.whole);
    free(textbook.now);
    free(textbook.old);
    return code;
}

int bench_check_small(const struct bench_room *room, const struct engine_options *options,
                      struct bench_tally *tally, struct failure *failure)
{
    const struct engine_options reference_options = {
        .layout = LAYOUT_BLOCKS, .precision = options->precision, .backend = BACKEND_REFERENCE};
    struct engine *exact = NULL, *engine = NULL, *reference = NULL;
    const bool has_textbook = bench_room_has_textbook(room);
    int code = has_textbook ? bench_engine(room, options, BENCH_TEXTBOOK_COURANT, true, &exact, failure) : 0;
    if (code == 0 && has_textbook) {
        engine_run(exact, room->blocks.isotropic ? BENCH_ISOTROPIC_STEPS : BENCH_CHECK_STEPS, NULL, NULL);
        code = bench_check_exact(room, exact, tally, failure);
    }
    if (code == 0)
        code = bench_engine(room, options, 0, false, &engine, failure);
    if (code == 0)
        code = bench_engine(room, &reference_options, 0, false, &reference, failure);
    if (code == 0) {
        engine_run(engine, BENCH_CHECK_STEPS, NULL, NULL);
        engine_run(reference, BENCH_CHECK_STEPS, NULL, NULL);
        code = bench_check_same(room, engine, reference, tally, failure);
    }
    engine_free(exact);
    engine_free(engine);
    engine_free(reference);
    return code;
}
