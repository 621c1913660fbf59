/** A random room for tests: any air, any cut links, several materials, made densely and without the library.
 *
 * Half of it is solid speckle with randomly cut links, the other half open air, so that packed grids have
 * blocks of every kind. Its region is aligned with no block.
 */
#ifndef TESTS_VOXEL_ROOM_H
#define TESTS_VOXEL_ROOM_H

#include "tests/support/link_grids.h"
#include "tests/support/test_support.h"

struct voxel_room {
    int64_t low[3], nodes[3]; /* every node outside is solid */
    size_t count;
    bool *air;
    uint8_t *links;     /* (count) symmetric; 0 also for air that is cut off on all sides */
    uint16_t *material; /* (count, 6) */
    uint16_t *cosine;   /* (count, 6) */
};

static inline size_t voxel_room_index(const struct voxel_room *room, int64_t x, int64_t y, int64_t z)
{
    return (size_t)((z * room->nodes[1] + y) * room->nodes[0] + x);
}

/* Index of the neighbour in a direction, or SIZE_MAX outside. */
static inline size_t voxel_room_beside(const struct voxel_room *room, int64_t x, int64_t y, int64_t z, int d)
{
    int64_t at[3] = {x, y, z};
    at[d / 2] += d & 1 ? 1 : -1;
    if (at[d / 2] < 0 || at[d / 2] >= room->nodes[d / 2])
        return SIZE_MAX;
    return voxel_room_index(room, at[0], at[1], at[2]);
}

static inline struct voxel_room voxel_room_make(uint64_t seed)
{
    struct voxel_room room = {.low = {-19, 5, -3}, .nodes = {61, 37, 43}};
    room.count = (size_t)(room.nodes[0] * room.nodes[1] * room.nodes[2]);
    room.air = malloc(room.count);
    room.links = calloc(room.count, 1);
    room.material = malloc(room.count * DIRECTIONS * sizeof *room.material);
    room.cosine = malloc(room.count * DIRECTIONS * sizeof *room.cosine);
    if (room.air == NULL || room.links == NULL || room.material == NULL || room.cosine == NULL)
        abort();
    for (size_t n = 0; n < room.count; n++) {
        const bool wild = (int64_t)n % room.nodes[0] < 29;
        room.air[n] = !wild || test_random(&seed) % 8 != 0;
        for (int d = 0; d < DIRECTIONS; d++) {
            const uint64_t pick = test_random(&seed) % 8;
            room.material[n * DIRECTIONS + (size_t)d] = (uint16_t)(pick == 0   ? VOXELS_NO_MATERIAL
                                                                   : pick == 1 ? VOXELS_OPEN_FACE
                                                                               : pick);
            room.cosine[n * DIRECTIONS + (size_t)d] =
                (uint16_t)(test_random(&seed) % (VOXELS_COSINE_ONE + 1));
        }
    }
    for (int64_t z = 0; z < room.nodes[2]; z++)
        for (int64_t y = 0; y < room.nodes[1]; y++)
            for (int64_t x = 0; x < room.nodes[0]; x++)
                for (int d = 1; d < DIRECTIONS; d += 2) {
                    const size_t here = voxel_room_index(&room, x, y, z),
                                 there = voxel_room_beside(&room, x, y, z, d);
                    if (there == SIZE_MAX || !room.air[here] || !room.air[there] ||
                        (x < 29 && test_random(&seed) % 4 == 0))
                        continue;
                    room.links[here] |= (uint8_t)(1u << d);
                    room.links[there] |= (uint8_t)(1u << (d ^ 1));
                }
    return room;
}

static inline void voxel_room_free(struct voxel_room *room)
{
    free(room->air);
    free(room->links);
    free(room->material);
    free(room->cosine);
}

static inline void voxel_room_wall_at(void *context, const int64_t node[3], enum direction direction,
                                      uint16_t *material, uint16_t *cosine)
{
    const struct voxel_room *room = context;
    const size_t n =
        voxel_room_index(room, node[0] - room->low[0], node[1] - room->low[1], node[2] - room->low[2]);
    *material = room->material[n * DIRECTIONS + (size_t)direction];
    *cosine = room->cosine[n * DIRECTIONS + (size_t)direction];
}

/* The room as the voxeliser would hand it over; air without links is in it too, as a flood may leave it. */
static inline struct voxels voxel_room_voxels(const struct voxel_room *room)
{
    return link_voxels(room->low, room->nodes, room->links, room->air, voxel_room_wall_at,
                       (void *)(uintptr_t)room);
}

static inline bool same_bytes(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

/* Every array and figure of two grids, bit for bit. */
static inline bool voxel_room_same_grid(const struct block_grid *a, const struct block_grid *b)
{
    return a->blocks == b->blocks && a->tiles == b->tiles && a->walls == b->walls &&
           a->wall_nodes == b->wall_nodes && a->air_nodes == b->air_nodes && a->find_slots == b->find_slots &&
           same_bytes(a->air_low, b->air_low, sizeof a->air_low) &&
           same_bytes(a->air_high, b->air_high, sizeof a->air_high) &&
           same_bytes(a->block, b->block, ((size_t)a->blocks + 1) * sizeof *a->block) &&
           same_bytes(a->tile, b->tile, (size_t)a->tiles * BLOCK_NODES) &&
           same_bytes(a->wall_first, b->wall_first, ((size_t)a->blocks + 2) * sizeof *a->wall_first) &&
           same_bytes(a->wall, b->wall, (size_t)a->walls * sizeof *a->wall) &&
           same_bytes(a->find_table, b->find_table, (size_t)a->find_slots * sizeof *a->find_table);
}

#endif
