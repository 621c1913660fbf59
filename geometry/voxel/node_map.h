/** A map from lattice nodes to numbers, for sparse sets of nodes. */
#ifndef GEOMETRY_NODE_MAP_H
#define GEOMETRY_NODE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

#define NODE_MAP_NONE UINT32_MAX

/** Owned, freed by node_map_free(); zeroed is empty. Nodes from -8 to LATTICE_NODES_MAX + 8 along an axis. */
struct node_map {
    size_t count, slots;
    uint64_t *key; /* 0: free */
    uint32_t *value;
};

void node_map_free(struct node_map *map);

/** The number of a node, or NODE_MAP_NONE. O(1). */
uint32_t node_map_get(const struct node_map *map, const int64_t node[3]);

/** Give a node a number other than NODE_MAP_NONE, in place of an earlier one. FAILURE_CAPACITY for memory. */
int node_map_set(struct node_map *map, const int64_t node[3], uint32_t value, struct failure *failure);

#endif
