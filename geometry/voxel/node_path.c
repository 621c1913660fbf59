#include "geometry/voxel/node_path.h"

#include <string.h>

#include "geometry/base/array_room.h"

int node_path_add(struct node_path *path, const int64_t node[3], struct failure *failure)
{
    int64_t(*grown)[3] =
        array_room(path->node, &path->room, path->count + 1, sizeof *grown, "the path of a leak", failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    path->node = grown;
    memcpy(path->node[path->count++], node, sizeof path->node[0]);
    return 0;
}
