#include "kernels/parts/part_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_image.h"
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

/* Between entries of the part's planes and of the room's. */
static void spread(const struct engine *engine, uint32_t planes, bool set, block_id first, block_id last,
                   char *own, char *whole)
{
    const uint64_t *const wall = engine->room.blocks->wall_first;
    const uint64_t real = engine->real_bytes, levels = 2 * BLOCK_NODES * real;
    const uint64_t own_entry = part_image_planes(engine) * real, whole_entry = planes * real;
    for (block_id block = first; block < last; block++) {
        memcpy(set ? own : whole, set ? whole : own, (size_t)levels);
        own += levels;
        whole += levels;
        for (uint64_t w = wall[block]; w < wall[block + 1]; w++) {
            char *const there = whole + (whole_entry - own_entry);
            if (!set)
                memset(whole, 0, (size_t)(whole_entry - own_entry));
            memcpy(set ? own : there, set ? there : own, (size_t)own_entry);
            own += own_entry;
            whole += whole_entry;
        }
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
        spread(engine, planes, true, first, last, own, bytes);
    const int code = move_own(engine, set, first, last, own, failure);
    if (code == 0 && !set)
        spread(engine, planes, false, first, last, own, bytes);
    free(own);
    return code;
}
