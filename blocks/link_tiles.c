#include "blocks/link_tiles.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bit planes are spread into bytes eight at a time");

static const struct tile_marks no_marks;

/* Eight bits to the lowest bits of eight bytes. */
static uint64_t spread_row(uint64_t bits)
{
    const uint64_t one_each = (bits & 0xFF) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (one_each + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & UINT64_C(0x0101010101010101);
}

void link_tile_read(const struct voxel_detail *detail, uint8_t links[BLOCK_NODES])
{
    for (int z = 0; z < BLOCK_EDGE; z++) {
        for (int y = 0; y < BLOCK_EDGE; y++) {
            uint64_t row = 0;
            for (int d = 0; d < DIRECTIONS; d++)
                row |= spread_row((detail->air[z] & ~detail->cut[d][z]) >> (8 * y)) << d;
            memcpy(links + 64 * z + 8 * y, &row, sizeof row);
        }
    }
}

static uint64_t content_hash(const uint8_t links[BLOCK_NODES], const struct tile_marks *marks)
{
    uint64_t hash = UINT64_C(0x243F6A8885A308D3);
    for (size_t i = 0; i < BLOCK_NODES; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, links + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    for (int z = 0; z < BLOCK_EDGE; z++) {
        if ((marks->cut[z] | marks->wall[z]) == 0)
            continue;
        hash = (hash ^ marks->cut[z] ^ marks->wall[z] << 32 ^ marks->wall[z] >> 32 ^ (uint64_t)z) *
               UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

static const struct tile_marks *marks_of(const struct tile_set *set, uint32_t number)
{
    return set->has_records ? &set->marks[number] : &no_marks;
}

/* The slot that holds the tile, or the free slot where it belongs. */
static uint32_t find_slot(const struct tile_set *set, const uint8_t links[BLOCK_NODES],
                          const struct tile_marks *marks)
{
    uint32_t slot = (uint32_t)content_hash(links, marks) & (set->slots - 1);
    while (set->table[slot] != 0 && (memcmp(set->tile[set->table[slot] - 1], links, BLOCK_NODES) != 0 ||
                                     memcmp(marks_of(set, set->table[slot] - 1), marks, sizeof *marks) != 0))
        slot = (slot + 1) & (set->slots - 1);
    return slot;
}

static int grow_table(struct tile_set *set, struct failure *failure)
{
    if (set->capacity >= UINT32_C(1) << 30)
        return failure_advise(
            failure_set(failure, FAILURE_CAPACITY,
                        "more than %u distinct link tiles: the room has too many mixed blocks",
                        set->capacity),
            failure, ADVICE_LARGER_SPACING, 0);
    const uint32_t capacity = set->capacity == 0 ? 64 : 2 * set->capacity;
    const uint32_t slots = 2 * capacity;
    const size_t bytes = (size_t)capacity * BLOCK_NODES;
    uint8_t(*tile)[BLOCK_NODES] = realloc(set->tile, bytes);
    if (tile == NULL)
        return failure_memory(failure, bytes, "link tiles");
    set->tile = tile;
    if (set->has_records) {
        struct tile_marks *marks = realloc(set->marks, capacity * sizeof *marks);
        if (marks == NULL)
            return failure_memory(failure, capacity * sizeof *marks, "marks of link tiles");
        set->marks = marks;
    }
    uint32_t *table = calloc(slots, sizeof *table);
    if (table == NULL)
        return failure_memory(failure, slots * sizeof *table, "the table of link tiles");
    free(set->table);
    set->table = table;
    set->slots = slots;
    set->capacity = capacity;
    for (uint32_t t = 0; t < set->count; t++)
        set->table[find_slot(set, set->tile[t], marks_of(set, t))] = t + 1;
    return 0;
}

int tile_set_add(struct tile_set *set, const uint8_t links[BLOCK_NODES], const struct tile_marks *marks,
                 uint32_t *number, struct failure *failure)
{
    marks = marks != NULL ? marks : &no_marks;
    if (set->count == set->capacity)
        TRY(grow_table(set, failure));
    const uint32_t slot = find_slot(set, links, marks);
    if (set->table[slot] == 0) {
        memcpy(set->tile[set->count], links, BLOCK_NODES);
        if (set->has_records)
            set->marks[set->count] = *marks;
        set->table[slot] = ++set->count;
    }
    *number = set->table[slot] - 1;
    return 0;
}

int tile_set_start(struct tile_set *set, bool has_records, struct failure *failure)
{
    uint8_t links[BLOCK_NODES];
    uint32_t number;
    *set = (struct tile_set){.has_records = has_records};
    memset(links, 0, sizeof links);
    TRY(tile_set_add(set, links, NULL, &number, failure));
    memset(links, BLOCK_LINKS_ALL, sizeof links);
    return tile_set_add(set, links, NULL, &number, failure);
}

void tile_set_give(struct tile_set *set, struct block_grid *grid)
{
    uint8_t(*fitted)[BLOCK_NODES] = realloc(set->tile, (size_t)set->count * BLOCK_NODES);
    grid->tile = fitted != NULL ? fitted : set->tile;
    struct tile_marks *marks = set->has_records ? realloc(set->marks, set->count * sizeof *marks) : NULL;
    grid->marks = marks != NULL ? marks : set->marks;
    grid->tiles = set->count;
    set->tile = NULL;
    set->marks = NULL;
    tile_set_free(set);
}

void tile_set_free(struct tile_set *set)
{
    free(set->tile);
    free(set->marks);
    free(set->table);
    *set = (struct tile_set){0};
}
