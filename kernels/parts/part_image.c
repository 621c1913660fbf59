#include "kernels/parts/part_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_image.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"

uint32_t part_image_planes(const struct engine *engine)
{
    return engine_image_form(engine).planes;
}

/* As the engine of the part has it. */
static int move_own(struct engine *engine, bool set, block_id first, block_id last, void *bytes,
                    struct failure *failure)
{
    struct engine_image *image = NULL;
    TRY(engine_image_open(engine, set, &image, failure));
    const int code = set ? engine_image_set(image, first, last, bytes, failure)
                         : engine_image_get(image, first, last, bytes, failure);
    const int closed = engine_image_close(image, code == 0 ? failure : NULL);
    return code != 0 ? code : closed;
}

/* From one to the other, or back. */
static void move_bytes(bool set, char **own, char **whole, uint64_t bytes)
{
    memcpy(set ? *own : *whole, set ? *whole : *own, (size_t)bytes);
    *own += bytes;
    *whole += bytes;
}

/* Between entries of the part's planes and of the room's. */
static void spread_planes(const struct engine *engine, uint32_t planes, bool set, block_id first,
                          block_id last, char *own, char *whole)
{
    const struct block_grid *const grid = engine->room.blocks;
    const uint64_t real = engine->real_bytes, own_entry = part_image_planes(engine) * real,
                   more = planes * real - own_entry;
    for (block_id block = first; block < last; block++) {
        move_bytes(set, &own, &whole, 2 * BLOCK_NODES * real);
        for (uint64_t w = grid->wall_first[block]; w < grid->wall_first[block + 1]; w++) {
            if (!set)
                memset(whole, 0, (size_t)more);
            whole += more;
            move_bytes(set, &own, &whole, own_entry);
        }
        if (grid->sheets > 0)
            move_bytes(set, &own, &whole,
                       (block_sheet_from(grid, (uint64_t)block + 1) - block_sheet_from(grid, block)) *
                           SHEET_IMAGE_REALS * real);
    }
}

int part_image_move(struct engine *engine, uint32_t planes, bool set, block_id first, block_id last,
                    void *bytes, struct failure *failure)
{
    assert(first >= 1 && first <= last && last <= engine->room.blocks->blocks + 1);
    if (planes == part_image_planes(engine))
        return move_own(engine, set, first, last, bytes, failure);
    const uint64_t size = engine_image_bytes(engine, first, last);
    char *const own = malloc((size_t)size + 1);
    if (own == NULL)
        return failure_memory(failure, size, "a piece of a part's field");
    if (set)
        spread_planes(engine, planes, true, first, last, own, bytes);
    const int code = move_own(engine, set, first, last, own, failure);
    if (code == 0 && !set)
        spread_planes(engine, planes, false, first, last, own, bytes);
    free(own);
    return code;
}
