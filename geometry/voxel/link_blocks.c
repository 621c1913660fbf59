#include "geometry/voxel/link_blocks.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/link_test.h"

static uint32_t place_hash(const int32_t place[3])
{
    return (uint32_t)(block_key(place) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

void link_blocks_free(struct link_blocks *links)
{
    free(links->block);
    free(links->find_table);
    *links = (struct link_blocks){0};
}

const struct link_block *link_blocks_find(const struct link_blocks *links, const int32_t place[3])
{
    for (uint32_t slot = place_hash(place);; slot++) {
        const uint32_t entry = links->find_table[slot & (links->find_slots - 1)];
        if (entry == 0)
            return NULL;
        const struct link_block *block = &links->block[entry - 1];
        if (memcmp(block->place, place, sizeof block->place) == 0)
            return block;
    }
}

bool link_blocks_is_cut(const struct link_blocks *links, const int64_t node[3], enum direction direction)
{
    const int axis = (int)direction / 2;
    int64_t low[3] = {node[0], node[1], node[2]};
    low[axis] -= direction % 2 == 0;
    const int32_t place[3] = {(int32_t)(low[0] >> 3), (int32_t)(low[1] >> 3), (int32_t)(low[2] >> 3)};
    const struct link_block *block = link_blocks_find(links, place);
    return block != NULL && block_bits_has(block->cut[axis], block_bits_slot(low));
}

static bool has_cuts(const struct link_block *block)
{
    uint64_t any = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int z = 0; z < 8; z++)
            any |= block->cut[axis][z];
    return any != 0;
}

static int make_find_table(struct link_blocks *links, struct failure *failure)
{
    uint32_t slots = 16;
    while (slots < 2 * links->block_count)
        slots *= 2;
    links->find_table = calloc(slots, sizeof *links->find_table);
    if (links->find_table == NULL)
        return failure_memory(failure, slots * sizeof *links->find_table, "finding blocks by place");
    links->find_slots = slots;
    for (size_t b = 0; b < links->block_count; b++) {
        uint32_t slot = place_hash(links->block[b].place) & (slots - 1);
        while (links->find_table[slot] != 0)
            slot = (slot + 1) & (slots - 1);
        links->find_table[slot] = (uint32_t)b + 1;
    }
    return 0;
}

int link_blocks_make(const struct triangle_bins *bins, const struct lattice *lattice, int threads,
                     struct link_blocks *out, struct failure *failure)
{
    struct link_blocks links = {.lattice = *lattice};
    const size_t bytes = (bins->block_count + 1) * sizeof *links.block;
    bool complete = true;
    int result = 0;
    if (bins->block_count > UINT32_MAX / 4)
        return failure_set(failure, FAILURE_CAPACITY,
                           "%zu blocks touch a wall at a spacing of %.4g m, but at most %u can be numbered",
                           bins->block_count, lattice->spacing, UINT32_MAX / 4);
    for (int axis = 0; axis < 3; axis++)
        links.blocks[axis] = (lattice->nodes[axis] + 7) / 8;
    links.block = malloc(bytes);
    if (links.block == NULL)
        return failure_memory(failure, bytes, "the links that walls cut");
    const int team = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel num_threads(team) reduction(&& : complete)
    {
        struct block_cuts *cuts = malloc(sizeof *cuts);
        complete = cuts != NULL;
#pragma omp for schedule(dynamic, 64)
        for (size_t b = 0; b < bins->block_count; b++) {
            if (!complete)
                continue;
            block_key_place(bins->key[b], cuts->place);
            memset(cuts->cut, 0, sizeof cuts->cut);
            memset(cuts->met, 0, sizeof cuts->met);
            for (size_t i = bins->first[b]; i < bins->first[b + 1]; i++)
                link_test_apply(bins->snapped, bins->triangle[i], cuts);
            memcpy(links.block[b].place, cuts->place, sizeof cuts->place);
            memcpy(links.block[b].cut, cuts->cut, sizeof cuts->cut);
        }
        free(cuts);
    }
    if (!complete) {
        result = failure_memory(failure, sizeof(struct block_cuts), "the links that walls cut");
        goto done;
    }
    for (size_t b = 0; b < bins->block_count; b++)
        if (has_cuts(&links.block[b]))
            links.block[links.block_count++] = links.block[b];
    if ((result = make_find_table(&links, failure)) != 0)
        goto done;
    *out = links;
    links = (struct link_blocks){0};
done:
    link_blocks_free(&links);
    return result;
}
