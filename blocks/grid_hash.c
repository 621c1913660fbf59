#include <string.h>

#include "blocks/box_grid.h"
#include "blocks/field_hash.h"

static uint64_t hash_value(int64_t x, int64_t y, int64_t z, unsigned real_bytes, const void *field,
                           uint64_t index)
{
    return field_hash_value(x, y, z,
                            real_bytes == sizeof(float) ? field_bits_f32(((const float *)field)[index])
                                                        : field_bits_f64(((const double *)field)[index]));
}

uint64_t block_grid_hash(const struct block_grid *grid)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (block_id b = 1; b <= grid->blocks; b++) {
        const struct block *const block = &grid->block[b];
        int64_t node[3];
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            const uint8_t links = grid->tile[block->tile][slot];
            block_node(block, slot, node);
            if (links != 0)
                sum += field_mix(field_mix(field_place(node[0], node[1], node[2])) + links);
        }
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
            const struct wall *const wall = &grid->wall[w];
            uint32_t weight;
            memcpy(&weight, &wall->weight, sizeof weight);
            block_node(block, wall->slot & WALL_SLOT, node);
            const uint64_t place = field_mix(field_place(node[0], node[1], node[2]));
            sum +=
                field_mix(field_mix(place ^ UINT64_C(0x57A11)) + ((uint64_t)wall->material << 32 | weight));
        }
    }
    return sum;
}

uint64_t block_field_hash(const struct block_grid *grid, unsigned real_bytes, const void *field)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (block_id b = 1; b <= grid->blocks; b++) {
        const struct block *const block = &grid->block[b];
        const uint8_t *const links = grid->tile[block->tile];
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            if (links[slot] == 0)
                continue;
            block_node(block, slot, node);
            sum += hash_value(node[0], node[1], node[2], real_bytes, field, (uint64_t)b * BLOCK_NODES + slot);
        }
    }
    return sum;
}

uint64_t box_field_hash(const struct box_grid *grid, unsigned real_bytes, const void *field)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t z = 0; z < grid->nodes[2]; z++)
        for (int64_t y = 0; y < grid->nodes[1]; y++)
            for (int64_t x = 0; x < grid->nodes[0]; x++) {
                const uint64_t index = box_index(grid, x, y, z);
                if (grid->links[index] != 0)
                    sum += hash_value(grid->low[0] + x, grid->low[1] + y, grid->low[2] + z, real_bytes, field,
                                      index);
            }
    return sum;
}
