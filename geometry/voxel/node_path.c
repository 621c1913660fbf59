#include "geometry/voxel/node_path.h"

#include <stdlib.h>
#include <string.h>

int node_path_add(struct node_path *way, const int64_t node[3], struct failure *failure)
{
    if (way->count == way->room) {
        const size_t room = way->room > 0 ? 2 * way->room : 256;
        int64_t(*grown)[3] = realloc(way->node, room * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, room * sizeof *grown, "the path of a leak");
        way->node = grown;
        way->room = room;
    }
    memcpy(way->node[way->count++], node, sizeof way->node[0]);
    return 0;
}
