#include <string.h>

#include "blocks/box_grid.h"
#include "blocks/field_hash.h"

static uint64_t hash_value(uint64_t place, unsigned real_bytes, const void *field, uint64_t index)
{
    return field_hash_at(place, real_bytes == sizeof(float) ? field_bits_f32(((const float *)field)[index])
                                                            : field_bits_f64(((const double *)field)[index]));
}

/* The place of a node in one number, not yet mixed. */
static uint64_t place_of(const struct block_grid *grid, block_id b, unsigned slot)
{
    int64_t node[3];
    if (b >= block_list_first(grid))
        return field_list_place_from((const int64_t(*)[3])grid->list_voxel,
                                     (uint64_t)(b - block_list_first(grid)) * BLOCK_NODES + slot,
                                     grid->list_before);
    block_node(&grid->block[b], slot, node);
    return field_place(node[0], node[1], node[2]);
}

static uint64_t hash_plaquettes(const uint8_t plaquette[EDGES])
{
    uint64_t eight;
    uint32_t four;
    memcpy(&eight, plaquette, sizeof eight);
    memcpy(&four, plaquette + sizeof eight, sizeof four);
    return field_mix(eight) + four;
}

/* The records of one block. */
static uint64_t hash_cuts(const struct block_grid *grid, block_id b)
{
    const uint64_t *const cut = grid->marks[grid->block[b].tile].cut;
    uint64_t sum = 0, record = grid->cut_first[b];
    for (unsigned z = 0; z < BLOCK_EDGE; z++)
        for (uint64_t rest = cut[z]; rest != 0; rest &= rest - 1, record++) {
            const uint64_t place = place_of(grid, b, 64 * z + (unsigned)__builtin_ctzll(rest));
            uint64_t openings;
            uint32_t gain;
            memcpy(&openings, &grid->cut[record], sizeof openings);
            memcpy(&gain, &grid->gain[record], sizeof gain);
            uint64_t hash = field_mix(field_mix(place ^ UINT64_C(0xC07)) + openings) + gain;
            if (grid->isotropic)
                hash = field_mix(hash) + hash_plaquettes(grid->plaquette[record]);
            sum += field_mix(hash);
        }
    return sum;
}

static uint64_t hash_links(const struct block_grid *grid)
{
    uint64_t sum = 0;
    for (uint64_t n = 0; n < grid->extra_nodes; n++) {
        const struct extra_node *const node = &grid->extra_node[n];
        const uint64_t from = field_mix(place_of(grid, node->block, node->slot));
        for (uint64_t k = node->first; k < node->first + node->links; k++) {
            const struct extra_link *const link = &grid->extra_link[k];
            sum += field_mix(field_mix(from + place_of(grid, link->block, link->slot)) + link->open +
                             ((uint64_t)(uint16_t)link->crossed << 8));
        }
    }
    return sum;
}

/* In a part, only those that begin in it. */
static uint64_t hash_sheets(const struct block_grid *grid)
{
    uint64_t sum = 0;
    for (uint64_t n = 0; n < grid->sheets && grid->sheet[n].block <= grid->blocks; n++) {
        const struct sheet_link *const link = &grid->sheet[n];
        uint32_t layers;
        memcpy(&layers, &link->layers, sizeof layers);
        const uint64_t place = field_mix(place_of(grid, link->block, link->slot) ^ UINT64_C(0x5EE7));
        uint64_t hash = field_mix(place + ((uint64_t)link->material << 32 | layers)) +
                        ((uint64_t)link->axis << 8 | link->share);
        if (link->material < grid->laws) {
            uint64_t law[4];
            _Static_assert(sizeof law == sizeof *grid->law, "a law is four doubles");
            memcpy(law, &grid->law[link->material], sizeof law);
            for (int part = 0; part < 4; part++)
                hash = field_mix(hash) + law[part];
        }
        sum += field_mix(hash);
    }
    return sum;
}

uint64_t block_grid_hash(const struct block_grid *grid)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (block_id b = 1; b <= grid->blocks; b++) {
        const struct block *const block = &grid->block[b];
        for (unsigned slot = 0; b < block_list_first(grid) && slot < BLOCK_NODES; slot++) {
            const uint8_t links = grid->tile[block->tile][slot];
            int64_t node[3];
            block_node(block, slot, node);
            if (links != 0)
                sum += field_mix(field_mix(field_place(node[0], node[1], node[2])) + links);
        }
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
            const struct wall *const wall = &grid->wall[w];
            uint32_t weight;
            memcpy(&weight, &wall->weight, sizeof weight);
            const uint64_t place = field_mix(place_of(grid, b, wall->slot & WALL_SLOT));
            sum +=
                field_mix(field_mix(place ^ UINT64_C(0x57A11)) + ((uint64_t)wall->material << 32 | weight));
        }
        if (grid->has_records)
            sum += hash_cuts(grid, b);
    }
    return sum + hash_links(grid) + hash_sheets(grid);
}

uint64_t block_field_hash(const struct block_grid *grid, unsigned real_bytes, const void *field)
{
    static const struct tile_marks no_marks;
    const block_id first = block_list_first(grid);
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (block_id b = 1; b < first; b++) {
        const struct block *const block = &grid->block[b];
        const uint8_t *const links = grid->tile[block->tile];
        const uint64_t *const cut = grid->has_records ? grid->marks[block->tile].cut : no_marks.cut;
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            if (links[slot] == 0 && (cut[slot >> 6] >> (slot & 63) & 1) == 0)
                continue;
            block_node(block, slot, node);
            sum += hash_value(field_place(node[0], node[1], node[2]), real_bytes, field,
                              (uint64_t)b * BLOCK_NODES + slot);
        }
    }
    for (uint64_t n = 0; n < grid->list_nodes; n++)
        sum += hash_value(field_list_place_from((const int64_t(*)[3])grid->list_voxel, n, grid->list_before),
                          real_bytes, field, (uint64_t)first * BLOCK_NODES + n);
    return sum;
}

/* Nodes of a box whose links are all extra links: those of the lattice; list nodes come after them. */
static uint64_t hash_linkless(const struct box_grid *grid, unsigned real_bytes, const void *field)
{
    const uint64_t row = (uint64_t)grid->nodes[0] + 2, plane = row * ((uint64_t)grid->nodes[1] + 2);
    uint64_t sum = 0;
    for (uint64_t c = 0; c < grid->cuts; c++) {
        const uint64_t index = grid->cut_node[c];
        const int64_t x = (int64_t)(index % row) - 1, y = (int64_t)(index % plane / row) - 1,
                      z = (int64_t)(index / plane) - 1;
        if (grid->links[index] == 0 && z < grid->list_plane)
            sum += hash_value(field_place(grid->low[0] + x, grid->low[1] + y, grid->low[2] + z), real_bytes,
                              field, index);
    }
    for (uint64_t n = 0; n < grid->list_nodes; n++)
        sum += hash_value(field_list_place((const int64_t(*)[3])grid->list_voxel, n), real_bytes, field,
                          box_grid_list_index(grid, n));
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
                    sum += hash_value(field_place(grid->low[0] + x, grid->low[1] + y, grid->low[2] + z),
                                      real_bytes, field, index);
            }
    return grid->has_records ? sum + hash_linkless(grid, real_bytes, field) : sum;
}
