#include "src/bench/bench_far_end.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/voxels.h"
#include "src/bench/bench_textbook.h"

#define LAST_BLOCKS   4                                                 /* of the highest ids */
#define REACH         ((BENCH_FAR_STEPS + BLOCK_EDGE - 1) / BLOCK_EDGE) /* blocks that a value passes meanwhile */
#define WINDOW        (2 * REACH + 1)
#define WINDOW_MOST   (WINDOW * WINDOW * WINDOW)
#define CONTACTS_MOST (DIRECTIONS * BLOCK_NODES)

/* Copy the air of one block; links that leave the window are cut. */
static unsigned copy_block(const struct block_grid *grid, block_id id, const int32_t low[3],
                           struct voxel_detail *detail, struct voxel_contact *contact)
{
    unsigned contacts = 0;
    *detail = (struct voxel_detail){.air = {0}};
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        const uint64_t bit = UINT64_C(1) << (slot & 63);
        int64_t node[3];
        if (!block_is_air(grid, id, slot))
            continue;
        block_node(&grid->block[id], slot, node);
        const unsigned links = block_grid_links(grid, node);
        detail->air[slot >> 6] |= bit;
        for (unsigned d = 0; d < DIRECTIONS; d++) {
            int64_t beside[3] = {node[0], node[1], node[2]};
            lattice_step(beside, (int)d);
            const int64_t place = (beside[d / 2] - (int64_t)low[d / 2] * BLOCK_EDGE) / BLOCK_EDGE;
            const bool leaves = beside[d / 2] < (int64_t)low[d / 2] * BLOCK_EDGE || place >= WINDOW;
            if ((links >> d & 1) != 0 && !leaves)
                continue;
            detail->cut[d][slot >> 6] |= bit;
            contact[contacts++] = (struct voxel_contact){.slot = (uint16_t)slot,
                                                         .material = VOXELS_NO_MATERIAL,
                                                         .direction = (uint8_t)d,
                                                         .cosine = VOXELS_COSINE_ONE};
        }
    }
    return contacts;
}

/* Copy the blocks around one, REACH to each side, as a room of their own at the same nodes. */
static int cut_window(const struct block_grid *grid, const struct block *middle, struct voxels *out,
                      struct failure *failure)
{
    struct voxels window = {.lattice = grid->lattice,
                            .block = malloc(WINDOW_MOST * sizeof *window.block),
                            .detail = malloc(WINDOW_MOST * sizeof *window.detail),
                            .contact = malloc(WINDOW_MOST * CONTACTS_MOST * sizeof *window.contact)};
    int32_t low[3], place[3];
    if (window.block == NULL || window.detail == NULL || window.contact == NULL) {
        voxels_free(&window);
        return failure_memory(failure, WINDOW_MOST * CONTACTS_MOST * sizeof *window.contact,
                              "the blocks around one that is checked");
    }
    for (int axis = 0; axis < 3; axis++)
        low[axis] = middle->place[axis] - REACH;
    for (place[2] = low[2]; place[2] < low[2] + WINDOW; place[2]++)
        for (place[1] = low[1]; place[1] < low[1] + WINDOW; place[1]++)
            for (place[0] = low[0]; place[0] < low[0] + WINDOW; place[0]++) {
                const block_id id = block_grid_find(grid, place);
                struct voxel_detail *const detail = &window.detail[window.detail_count];
                if (id == 0)
                    continue;
                const unsigned contacts =
                    copy_block(grid, id, low, detail, window.contact + window.contact_count);
                detail->first_contact = window.contact_count;
                detail->contact_count = contacts;
                window.contact_count += contacts;
                window.block[window.block_count] =
                    (struct voxel_block){.detail = (uint32_t)window.detail_count++};
                memcpy(window.block[window.block_count++].place, place, sizeof place);
            }
    voxels_measure(&window);
    *out = window;
    return 0;
}

/* Step the window with the reference, in the engine's precision. */
static int step_window(const struct bench_room *room, const struct engine *engine, const struct block *middle,
                       double expected[BLOCK_NODES], struct failure *failure)
{
    const struct engine_options options = {.layout = LAYOUT_BLOCKS,
                                           .precision = engine_precision(engine),
                                           .backend = BACKEND_REFERENCE,
                                           .simd = SIMD_AUTO,
                                           .threads = 1};
    /* Materials and step are the room's. */
    struct bench_room window = {.shape = room->shape,
                                .materials = room->materials,
                                .admittance = room->admittance,
                                .step = room->step};
    struct voxels voxels = {0};
    struct engine *reference = NULL;
    int code = cut_window(&room->blocks, middle, &voxels, failure);
    if (code == 0)
        code = block_grid_pack(&voxels, &window.blocks, failure);
    if (code == 0 && room->blocks.isotropic)
        code = bench_room_widen(&window, failure);
    if (code == 0)
        code = bench_engine(&window, &options, BENCH_TEXTBOOK_COURANT, true, &reference, failure);
    if (code == 0) {
        engine_run(reference, engine_steps(engine), NULL, NULL);
        engine_read_block(reference, block_grid_find(&window.blocks, middle->place), expected);
    }
    engine_free(reference);
    block_grid_free(&window.blocks);
    voxels_free(&voxels);
    return code;
}

/* True if the first node of `a` comes after that of `b` in the order of a box. */
static bool is_after(const struct block *a, const struct block *b)
{
    for (int axis = 2; axis > 0; axis--)
        if (a->place[axis] != b->place[axis])
            return a->place[axis] > b->place[axis];
    return a->place[0] > b->place[0];
}

/* Choose the first, the middle and the last ids, and the ends of the box. Some may occur twice. */
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
    double found[BLOCK_NODES], expected[BLOCK_NODES];
    uint64_t wrong = 0;
    TRY(step_window(room, engine, block, expected, failure));
    engine_read_block(engine, id, found);
    TRY(engine_failed(engine, failure));
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        int64_t node[3];
        if (found[slot] == expected[slot] || wrong++ > 0)
            continue;
        block_node(block, slot, node);
        (void)failure_set(failure, FAILURE_ANSWER_NO,
                          "wrong value: %s (%s) holds %.17g at node (%" PRId64 ",%" PRId64 ",%" PRId64
                          "), slot %u of block %" PRIu32 " of %" PRIu32 ", after %" PRIu64
                          " steps, where the reference gives %.17g: do not use this build for a room of "
                          "this size",
                          bench_shape_name[room->shape], engine_description(engine), found[slot], node[0],
                          node[1], node[2], slot, id, room->blocks.blocks, engine_steps(engine),
                          expected[slot]);
    }
    tally->compared += BLOCK_NODES;
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
