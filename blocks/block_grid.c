#include "blocks/block_grid.h"

#include <string.h>

#include "blocks/block_assembly.h"
#include "blocks/block_numbering.h"
#include "blocks/wall_entries.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bit planes are spread into bytes eight at a time");

static const struct voxel_detail *detail_of(const struct voxels *voxels, size_t index)
{
    const uint32_t detail = voxels->block[index].detail;
    return detail == VOXELS_OPEN_AIR ? NULL : &voxels->detail[detail];
}

static void voxel_place(const void *room, size_t index, int32_t place[3])
{
    const struct voxels *voxels = room;
    memcpy(place, voxels->block[index].place, sizeof voxels->block[index].place);
}

/* Eight bits to the lowest bits of eight bytes. */
static uint64_t spread_row(uint64_t bits)
{
    const uint64_t one_each = (bits & 0xFF) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (one_each + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & UINT64_C(0x0101010101010101);
}

static bool voxel_links(const void *room, size_t index, uint8_t links[BLOCK_NODES])
{
    const struct voxel_detail *detail = detail_of(room, index);
    if (detail == NULL)
        return false;
    for (int z = 0; z < BLOCK_EDGE; z++) {
        for (int y = 0; y < BLOCK_EDGE; y++) {
            uint64_t row = 0;
            for (int d = 0; d < DIRECTIONS; d++)
                row |= spread_row((detail->air[z] & ~detail->cut[d][z]) >> (8 * y)) << d;
            memcpy(links + 64 * z + 8 * y, &row, sizeof row);
        }
    }
    return true;
}

static unsigned voxel_walls(const void *room, size_t index, struct wall *entry)
{
    const struct voxels *voxels = room;
    const struct voxel_detail *detail = detail_of(room, index);
    if (detail == NULL)
        return 0;
    const struct voxel_contact *const contact = voxels->contact + detail->first_contact;
    unsigned entries = 0;
    for (unsigned c = 0, next; c < detail->contact_count; c = next) {
        const unsigned slot = contact[c].slot;
        for (next = c + 1; next < detail->contact_count && contact[next].slot == slot; next++)
            continue;
        uint64_t all_cut = UINT64_MAX;
        for (int d = 0; d < DIRECTIONS; d++)
            all_cut &= detail->cut[d][slot >> 6];
        if ((all_cut >> (slot & 63) & 1) == 0)
            entries += wall_entries_merge(contact + c, next - c, entry + entries);
    }
    return entries;
}

static struct block_supply voxel_supply(const struct voxels *voxels)
{
    return (struct block_supply){.room = voxels,
                                 .lattice = voxels->lattice,
                                 .count = voxels->block_count,
                                 .place = voxel_place,
                                 .links = voxel_links,
                                 .walls = voxel_walls};
}

int block_grid_pack(const struct voxels *voxels, struct block_grid *out, struct failure *failure)
{
    const struct block_supply supply = voxel_supply(voxels);
    return block_grid_assemble(&supply, out, failure);
}

int block_grid_measure(const struct voxels *voxels, struct block_grid *out, struct failure *failure)
{
    const struct block_supply supply = voxel_supply(voxels);
    return block_supply_count(&supply, out, failure);
}

block_id block_grid_find(const struct block_grid *grid, const int32_t place[3])
{
    if (grid->find_slots == 0)
        return 0;
    const uint32_t mask = grid->find_slots - 1;
    for (uint32_t slot = block_find_start(place) & mask; grid->find_table[slot] != 0;
         slot = (slot + 1) & mask) {
        const block_id b = grid->find_table[slot];
        if (memcmp(grid->block[b].place, place, sizeof grid->block[b].place) == 0)
            return b;
    }
    return 0;
}

uint8_t block_grid_links(const struct block_grid *grid, const int64_t node[3])
{
    int32_t place[3];
    for (int a = 0; a < 3; a++) {
        const int64_t at = block_place_of(node[a]);
        if (at < INT32_MIN || at > INT32_MAX)
            return 0;
        place[a] = (int32_t)at;
    }
    const block_id b = block_grid_find(grid, place);
    return b == 0 ? 0 : grid->tile[grid->block[b].tile][block_slot(node[0], node[1], node[2])];
}

struct block_bytes block_grid_bytes(const struct block_grid *grid, unsigned real_bytes)
{
    const uint64_t reals = 2 * (uint64_t)real_bytes;
    struct block_bytes bytes = {
        .blocks = ((uint64_t)grid->blocks + 1) * (BLOCK_NODES * reals + sizeof(struct block)) +
                  (uint64_t)grid->tiles * BLOCK_NODES,
        .walls = grid->walls * (sizeof(struct wall) + real_bytes) +
                 ((uint64_t)grid->blocks + 2) * sizeof *grid->wall_first,
        .ideal = grid->air_nodes * (reals + 1),
        .seed_blocks = (uint64_t)grid->blocks * BLOCK_SEED_BYTES,
        .stored_nodes = (uint64_t)grid->blocks * BLOCK_NODES,
    };
    if (grid->blocks > 0) {
        uint64_t with_halo = 1;
        bytes.box_nodes = 1;
        for (int a = 0; a < 3; a++) {
            const uint64_t nodes = (uint64_t)(grid->air_high[a] - grid->air_low[a] + 1);
            bytes.box_nodes *= nodes;
            with_halo *= nodes + 2;
        }
        bytes.box = with_halo * (reals + 1);
    }
    return bytes;
}
