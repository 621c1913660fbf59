#include "geometry/base/join_groups.h"
#include "geometry/leak/link_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/voxel/node_map.h"

void lattice_link_middle(const struct lattice *lattice, const struct lattice_link *link, double middle[3])
{
    lattice_position(lattice, link->low, middle);
    middle[link->axis] += 0.5 * lattice->spacing;
}

int link_groups_make(const struct lattice_link *link, size_t count, uint32_t *group, size_t *groups,
                     struct failure *failure)
{
    struct node_map first = {0};
    int code = 0;
    *groups = 0;
    if (count >= NODE_MAP_NONE)
        return failure_set(failure, FAILURE_CAPACITY, "%zu links are too many to gather; at most %u can be",
                           count, NODE_MAP_NONE - 1);
    /* group[] holds parents at first; a root is the first link of its group. */
    for (size_t n = 0; n < count; ++n) {
        group[n] = (uint32_t)n;
        for (int around = 0; around < 125; ++around) {
            const int64_t node[3] = {link[n].low[0] + around % 5 - 2, link[n].low[1] + around / 5 % 5 - 2,
                                     link[n].low[2] + around / 25 - 2};
            const uint32_t other = node_map_get(&first, node);
            if (other == NODE_MAP_NONE)
                continue;
            const uint32_t a = group_root(group, other), b = group_root(group, (uint32_t)n);
            group[a > b ? a : b] = a < b ? a : b;
        }
        if (node_map_get(&first, link[n].low) == NODE_MAP_NONE &&
            (code = node_map_set(&first, link[n].low, (uint32_t)n, failure)) != 0)
            goto done;
    }
    for (size_t n = 0; n < count; ++n)
        group[n] = group_root(group, (uint32_t)n);
    /* A root precedes the rest of its group, so its number is known by then. */
    for (size_t n = 0; n < count; ++n)
        group[n] = group[n] == n ? (uint32_t)(*groups)++ : group[group[n]];
done:
    node_map_free(&first);
    return code;
}

int link_groups_places(const struct lattice *lattice, const struct lattice_link *link, size_t count,
                       const uint32_t *group, size_t groups, struct voxel_place *place,
                       struct failure *failure)
{
    if (groups == 0)
        return 0;
    double(*sum)[3] = calloc(groups, sizeof *sum);
    double *nearest = malloc(groups * sizeof *nearest);
    int code = 0;
    if (sum == NULL || nearest == NULL) {
        code = failure_memory(failure, groups * (sizeof *sum + sizeof *nearest), "a list of places");
        goto done;
    }
    for (size_t n = 0; n < groups; ++n) {
        place[n] = (struct voxel_place){.links = 0};
        nearest[n] = INFINITY;
    }
    double middle[3], offset[3];
    for (size_t n = 0; n < count; ++n) {
        lattice_link_middle(lattice, &link[n], middle);
        vector_along(sum[group[n]], 1, middle, sum[group[n]]);
        ++place[group[n]].links;
    }
    for (size_t n = 0; n < count; ++n) {
        struct voxel_place *at = &place[group[n]];
        lattice_link_middle(lattice, &link[n], middle);
        vector_along(middle, -1 / (double)at->links, sum[group[n]], offset);
        if (vector_dot(offset, offset) < nearest[group[n]]) {
            nearest[group[n]] = vector_dot(offset, offset);
            memcpy(at->position, middle, sizeof middle);
        }
    }
done:
    free(sum);
    free(nearest);
    return code;
}
