#include "geometry/voxel/node_map.h"

#include <stdlib.h>

#include "geometry/voxel/lattice.h"

_Static_assert(LATTICE_NODES_MAX + 16 < INT64_C(1) << 21, "three coordinates and a mark fit into 64 bits");

static uint64_t key_of(const int64_t node[3])
{
    return UINT64_C(1) << 63 | (uint64_t)(node[2] + 8) << 42 | (uint64_t)(node[1] + 8) << 21 |
           (uint64_t)(node[0] + 8);
}

static size_t probe_slot(const struct node_map *map, uint64_t key)
{
    uint64_t mixed = key * UINT64_C(0x9E3779B97F4A7C15);
    mixed ^= mixed >> 32;
    size_t at = (size_t)mixed & (map->slots - 1);
    while (map->key[at] != 0 && map->key[at] != key)
        at = (at + 1) & (map->slots - 1);
    return at;
}

void node_map_free(struct node_map *map)
{
    free(map->key);
    free(map->value);
    *map = (struct node_map){0};
}

uint32_t node_map_get(const struct node_map *map, const int64_t node[3])
{
    if (map->slots == 0)
        return NODE_MAP_NONE;
    const size_t at = probe_slot(map, key_of(node));
    return map->key[at] != 0 ? map->value[at] : NODE_MAP_NONE;
}

static int grow_map(struct node_map *map, struct failure *failure)
{
    struct node_map wider = {.count = map->count, .slots = map->slots > 0 ? 2 * map->slots : 256};
    wider.key = calloc(wider.slots, sizeof *wider.key);
    wider.value = malloc(wider.slots * sizeof *wider.value);
    if (wider.key == NULL || wider.value == NULL) {
        node_map_free(&wider);
        return failure_memory(failure, wider.slots * 12, "a set of nodes");
    }
    for (size_t n = 0; n < map->slots; ++n) {
        if (map->key[n] != 0) {
            const size_t at = probe_slot(&wider, map->key[n]);
            wider.key[at] = map->key[n];
            wider.value[at] = map->value[n];
        }
    }
    node_map_free(map);
    *map = wider;
    return 0;
}

int node_map_set(struct node_map *map, const int64_t node[3], uint32_t value, struct failure *failure)
{
    if (2 * map->count >= map->slots)
        TRY(grow_map(map, failure));
    const uint64_t key = key_of(node);
    const size_t at = probe_slot(map, key);
    if (map->key[at] == 0) {
        map->key[at] = key;
        ++map->count;
    }
    map->value[at] = value;
    return 0;
}
