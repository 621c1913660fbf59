/** A path of nodes through the air. */
#ifndef GEOMETRY_NODE_PATH_H
#define GEOMETRY_NODE_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

/** Neighbours along an axis, joined by uncut links. Owned: free(node); zeroed is empty. */
struct node_path {
    size_t count, room;
    int64_t (*node)[3];
};

/** Append a node. FAILURE_CAPACITY for memory. */
int node_path_add(struct node_path *path, const int64_t node[3], struct failure *failure);

#endif
