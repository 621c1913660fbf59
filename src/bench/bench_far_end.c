#include "src/bench/bench_far_end.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "kernels/engine/engine_fill.h"
#include "src/bench/bench_textbook.h"

#define LAST_BLOCKS  4 /* of the highest ids */
#define WINDOW_EDGE  (BLOCK_EDGE + 2 * BENCH_FAR_STEPS)
#define WINDOW_NODES (WINDOW_EDGE * WINDOW_EDGE * WINDOW_EDGE)

/* Both levels of a block and of BENCH_FAR_STEPS nodes around it, x fastest. */
struct window {
    uint8_t links[WINDOW_NODES];
    bool whole[WINDOW_NODES]; /* of the isotropic scheme */
    double level[2][WINDOW_NODES];
};

static const size_t window_stride[3] = {1, WINDOW_EDGE, WINDOW_EDGE *WINDOW_EDGE};

/* The start field; nodes that are no air stay 0. */
static void window_start(const struct block_grid *grid, const struct block *block, struct window *window)
{
    for (size_t at = 0; at < WINDOW_NODES; at++) {
        int64_t node[3];
        for (int axis = 0; axis < 3; axis++)
            node[axis] = (int64_t)block->place[axis] * BLOCK_EDGE - BENCH_FAR_STEPS +
                         (int64_t)(at / window_stride[axis] % WINDOW_EDGE);
        window->links[at] = block_grid_links(grid, node);
        window->whole[at] = grid->isotropic && bench_is_whole(grid, node);
        for (int level = 0; level < 2; level++)
            window->level[level][at] =
                window->links[at] != 0 ? engine_fill_value(node, level, BENCH_FILL_SEED) : 0;
    }
}

/* Step the window `steps` times; each step leaves out one more layer of its surface, whose neighbours are not
 * known. Returns the newest level, right over the block. */
static const double *window_run(struct window *window, bool isotropic, uint64_t steps)
{
    double *now = window->level[0], *old = window->level[1];
    for (size_t n = 1; n <= steps; n++) {
        const size_t end = WINDOW_EDGE - n;
        for (size_t z = n; z < end; z++)
            for (size_t y = n; y < end; y++)
                for (size_t x = n; x < end; x++) {
                    const size_t at = x + y * window_stride[1] + z * window_stride[2];
                    old[at] =
                        !isotropic ? bench_textbook(now, old[at], at, window->links[at], window_stride)
                        : window->links[at] == 0
                            ? 0
                            : bench_textbook_isotropic(now, old[at], at, window->whole[at], window_stride);
                }
        double *const swap = now;
        now = old;
        old = swap;
    }
    return now;
}

/* Is the first node of `a` after that of `b` in the order of a box? */
static bool is_after(const struct block *a, const struct block *b)
{
    for (int axis = 2; axis > 0; axis--)
        if (a->place[axis] != b->place[axis])
            return a->place[axis] > b->place[axis];
    return a->place[0] > b->place[0];
}

/* The first, the middle and the last ids, and the ends of the box. Some may come twice. */
static unsigned choose_blocks(const struct block_grid *grid, block_id chosen[BENCH_FAR_BLOCKS])
{
    unsigned count = 0;
    block_id first = 1, last = 1;
    for (block_id b = 2; b <= grid->blocks; b++) {
        first = is_after(&grid->block[first], &grid->block[b]) ? b : first;
        last = is_after(&grid->block[b], &grid->block[last]) ? b : last;
    }
    chosen[count++] = 1;
    chosen[count++] = grid->blocks / 2 + 1;
    chosen[count++] = first;
    chosen[count++] = last;
    for (block_id back = 0; back < LAST_BLOCKS && back < grid->blocks; back++)
        chosen[count++] = grid->blocks - back;
    return count;
}

static int check_block(const struct bench_room *room, const struct engine *engine, block_id id,
                       struct bench_tally *tally, struct failure *failure)
{
    const struct block *const block = &room->blocks.block[id];
    struct window window;
    double found[BLOCK_NODES];
    uint64_t wrong = 0, compared = 0;
    window_start(&room->blocks, block, &window);
    const double *const field = window_run(&window, room->blocks.isotropic, engine_steps(engine));
    engine_read_block(engine, id, found);
    TRY(engine_failed(engine, failure));
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        size_t at = 0;
        int64_t node[3];
        for (int axis = 0; axis < 3; axis++)
            at += (BENCH_FAR_STEPS + (slot >> (3 * axis) & 7)) * window_stride[axis];
        /* What is not known is not compared; what is found is wrong where it is NAN. */
        if (isnan(field[at]))
            continue;
        compared++;
        if (found[slot] == field[at] || wrong++ > 0)
            continue;
        block_node(block, slot, node);
        (void)failure_set(failure, FAILURE_ANSWER_NO,
                          "wrong value: %s (%s) holds %.17g at node (%" PRId64 ",%" PRId64 ",%" PRId64
                          "), slot %u of block %" PRIu32 " of %" PRIu32 ", after %" PRIu64
                          " steps, where whole numbers at lambda^2 = %s give %.17g: do not trust this "
                          "build with a room of this size",
                          bench_shape_name[room->shape], engine_description(engine), found[slot], node[0],
                          node[1], node[2], slot, id, room->blocks.blocks, engine_steps(engine),
                          room->blocks.isotropic ? "3/8" : "1/4", field[at]);
    }
    tally->compared += compared;
    tally->wrong += wrong;
    return wrong == 0 ? 0 : FAILURE_ANSWER_NO;
}

int bench_check_far_end(const struct bench_room *room, const struct engine *engine, struct bench_tally *tally,
                        struct failure *failure)
{
    assert(engine_steps(engine) <= BENCH_FAR_STEPS);
    block_id chosen[BENCH_FAR_BLOCKS];
    const unsigned count = choose_blocks(&room->blocks, chosen);
    int code = 0;
    for (unsigned n = 0; code == 0 && n < count; n++)
        code = check_block(room, engine, chosen[n], tally, failure);
    return code;
}
