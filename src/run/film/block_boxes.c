#include "src/run/film/block_boxes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct key {
    int32_t place[3];
    block_id id;
};

static int32_t cube_of(int32_t place)
{
    return place >= 0 ? place / BLOCK_BOX_EDGE : -((BLOCK_BOX_EDGE - 1 - place) / BLOCK_BOX_EDGE);
}

/* By cube, then by place, z first. */
static int in_order(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    for (int d = 2; d >= 0; d--) {
        const int32_t p = cube_of(x->place[d]), q = cube_of(y->place[d]);
        if (p != q)
            return p < q ? -1 : 1;
    }
    for (int d = 2; d >= 0; d--)
        if (x->place[d] != y->place[d])
            return x->place[d] < y->place[d] ? -1 : 1;
    return 0;
}

struct joining {
    const struct block_grid *grid;
    bool *taken; /* (blocks + 1) */
};

/* Are all the blocks from `place` on there, and in no box yet? With `take` they are, and are put into one. */
static bool all_free(const struct joining *joining, const int32_t place[3], const int32_t blocks[3],
                     bool take)
{
    for (int32_t z = 0; z < blocks[2]; z++)
        for (int32_t y = 0; y < blocks[1]; y++)
            for (int32_t x = 0; x < blocks[0]; x++) {
                const int32_t at[3] = {place[0] + x, place[1] + y, place[2] + z};
                const block_id id = block_grid_find(joining->grid, at);
                if (id == 0 || joining->taken[id])
                    return false;
                joining->taken[id] = take;
            }
    return true;
}

/* The largest box from `place` on, grown along x, then y, then z, within its cube. */
static struct block_box grow_box(const struct joining *joining, const int32_t place[3])
{
    struct block_box box = {.blocks = {1, 1, 1}};
    memcpy(box.place, place, sizeof box.place);
    for (int d = 0; d < 3; d++)
        for (;;) {
            /* The next layer along d. */
            int32_t from[3], layer[3];
            memcpy(from, box.place, sizeof from);
            memcpy(layer, box.blocks, sizeof layer);
            from[d] += box.blocks[d];
            layer[d] = 1;
            if (cube_of(from[d]) != cube_of(place[d]) || !all_free(joining, from, layer, false))
                break;
            box.blocks[d]++;
        }
    return box;
}

int block_boxes_make(const struct block_grid *grid, struct block_box **out, size_t *out_count,
                     struct failure *failure)
{
    const size_t blocks = block_list_first(grid) - 1; /* that have a place */
    struct joining joining = {.grid = grid, .taken = calloc(blocks + 1, sizeof *joining.taken)};
    struct key *key = malloc((blocks + 1) * sizeof *key);
    struct block_box *box = malloc((blocks + 1) * sizeof *box);
    size_t count = 0;
    int code = 0;
    if (joining.taken == NULL || key == NULL || box == NULL) {
        code = failure_memory(failure, blocks * (sizeof *key + sizeof *box), "the boxes of a field");
        goto done;
    }
    for (size_t b = 0; b < blocks; b++) {
        memcpy(key[b].place, grid->block[b + 1].place, sizeof key[b].place);
        key[b].id = (block_id)(b + 1);
    }
    qsort(key, blocks, sizeof *key, in_order);
    for (size_t b = 0; b < blocks; b++) {
        if (joining.taken[key[b].id])
            continue;
        box[count] = grow_box(&joining, key[b].place);
        (void)all_free(&joining, box[count].place, box[count].blocks, true);
        count++;
    }
    *out = box;
    *out_count = count;
    box = NULL;
done:
    free(box);
    free(key);
    free(joining.taken);
    return code;
}
