#include <string.h>

#include "blocks/box_grid.h"
#include "blocks/field_hash.h"

static uint64_t hash_place(int64_t x, int64_t y, int64_t z)
{
    return field_mix(field_place(x, y, z));
}

static uint64_t hash_links(int64_t x, int64_t y, int64_t z, uint8_t links)
{
    return links == 0 ? 0 : field_mix(hash_place(x, y, z) + links);
}

static uint64_t hash_wall(int64_t x, int64_t y, int64_t z, uint16_t material, float weight)
{
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return field_mix(field_mix(hash_place(x, y, z) ^ UINT64_C(0x57A11)) + ((uint64_t)material << 32 | bits));
}

static uint64_t hash_value(int64_t x, int64_t y, int64_t z, unsigned real_bytes, const void *field,
                           uint64_t index)
{
    return field_hash_value(x, y, z,
                            real_bytes == sizeof(float) ? field_bits_f32(((const float *)field)[index])
                                                        : field_bits_f64(((const double *)field)[index]));
}

/* Lattice node of a slot. */
static void slot_node(const struct block *block, unsigned slot, int64_t node[3])
{
    for (int a = 0; a < 3; a++)
        node[a] = (int64_t)block->place[a] * BLOCK_EDGE + (slot >> (3 * a) & 7);
}

uint64_t block_grid_hash(const struct block_grid *grid)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (block_id b = 1; b <= grid->blocks; b++) {
        const struct block *const block = &grid->block[b];
        int64_t node[3];
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            slot_node(block, slot, node);
            sum += hash_links(node[0], node[1], node[2], grid->tile[block->tile][slot]);
        }
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
            slot_node(block, grid->wall[w].slot & WALL_SLOT, node);
            sum += hash_wall(node[0], node[1], node[2], grid->wall[w].material, grid->wall[w].weight);
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
            slot_node(block, slot, node);
            sum += hash_value(node[0], node[1], node[2], real_bytes, field, (uint64_t)b * BLOCK_NODES + slot);
        }
    }
    return sum;
}

uint64_t box_grid_hash(const struct box_grid *grid)
{
    const uint64_t row = (uint64_t)(grid->nodes[0] + 2), column = (uint64_t)(grid->nodes[1] + 2);
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t z = 0; z < grid->nodes[2]; z++)
        for (int64_t y = 0; y < grid->nodes[1]; y++)
            for (int64_t x = 0; x < grid->nodes[0]; x++)
                sum += hash_links(grid->low[0] + x, grid->low[1] + y, grid->low[2] + z,
                                  grid->links[box_index(grid, x, y, z)]);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (uint64_t w = 0; w < grid->walls; w++) {
        const uint64_t node = grid->wall[w].node & ~BOX_WALL_CONTINUES;
        sum += hash_wall(
            grid->low[0] + (int64_t)(node % row) - 1, grid->low[1] + (int64_t)(node / row % column) - 1,
            grid->low[2] + (int64_t)(node / row / column) - 1, grid->wall[w].material, grid->wall[w].weight);
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
