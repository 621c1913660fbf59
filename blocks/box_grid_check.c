#include <stdbool.h>

#include "blocks/box_grid.h"

#define EXPLAIN(failure, ...) failure_set(failure, FAILURE_ANSWER_NO, __VA_ARGS__)

/* Where the walk through the nodes stands, and what it has counted. */
struct walk {
    uint64_t wall;
    uint64_t air_nodes, wall_nodes;
};

static int check_node(const struct box_grid *grid, int64_t x, int64_t y, int64_t z, struct walk *walk,
                      struct failure *failure)
{
    const int64_t at[3] = {x, y, z};
    const uint64_t index = box_index(grid, x, y, z);
    const uint8_t links = grid->links[index];
    const long long lx = (long long)(grid->low[0] + x), ly = (long long)(grid->low[1] + y),
                    lz = (long long)(grid->low[2] + z);
    bool halo = false;
    for (int a = 0; a < 3; a++)
        halo = halo || at[a] < 0 || at[a] >= grid->nodes[a];
    if (halo && links != 0)
        return EXPLAIN(failure, "node (%lld,%lld,%lld) of the halo has link byte 0x%02x", lx, ly, lz, links);
    if (links > BLOCK_LINKS_ALL)
        return EXPLAIN(failure, "node (%lld,%lld,%lld): link byte 0x%02x has more than six bits", lx, ly, lz,
                       links);
    for (int d = 0; d < DIRECTIONS && !halo; d++) {
        const uint64_t stride = box_stride(grid, d / 2), there = d & 1 ? index + stride : index - stride;
        if ((links >> d & 1) != (grid->links[there] >> (d ^ 1) & 1))
            return EXPLAIN(failure, "node (%lld,%lld,%lld): its link in direction %d is one-sided", lx, ly,
                           lz, d);
    }
    const unsigned cut = (unsigned)__builtin_popcount((unsigned)links ^ BLOCK_LINKS_ALL);
    const bool wall_node = cut > 0 && cut < DIRECTIONS;
    const uint64_t first = walk->wall;
    double weight = 0;
    for (; walk->wall < grid->walls; walk->wall++) {
        const struct box_wall *const wall = &grid->wall[walk->wall];
        if ((wall->node & ~BOX_WALL_CONTINUES) != index)
            break;
        const bool continues = (wall->node & BOX_WALL_CONTINUES) != 0;
        if (continues != (walk->wall > first) || wall->reserved != 0 || !(wall->weight >= 0) ||
            (continues && wall->material <= wall[-1].material))
            return EXPLAIN(failure, "node (%lld,%lld,%lld): wall entry %llu is malformed or out of order", lx,
                           ly, lz, (unsigned long long)walk->wall);
        weight += (double)wall->weight;
    }
    if (wall_node != (walk->wall > first))
        return EXPLAIN(failure, "node (%lld,%lld,%lld): %u cut links and %llu wall entries", lx, ly, lz, cut,
                       (unsigned long long)(walk->wall - first));
    if (!(weight <= WALL_SCALE_MAX * (double)cut))
        return EXPLAIN(failure, "node (%lld,%lld,%lld): wall weights sum to %g with %u cut links", lx, ly, lz,
                       weight, cut);
    walk->air_nodes += links != 0;
    walk->wall_nodes += wall_node;
    return 0;
}

int box_grid_check(const struct box_grid *grid, struct failure *failure)
{
    struct walk walk = {0};
    uint64_t length = 1;
    for (int a = 0; a < 3; a++)
        length *= (uint64_t)(grid->nodes[a] + 2);
    if (grid->links == NULL || grid->length != length)
        return EXPLAIN(failure, "a box of %llu link bytes for %lld x %lld x %lld nodes and their halo",
                       (unsigned long long)grid->length, (long long)grid->nodes[0], (long long)grid->nodes[1],
                       (long long)grid->nodes[2]);
    for (int64_t z = -1; z <= grid->nodes[2]; z++)
        for (int64_t y = -1; y <= grid->nodes[1]; y++)
            for (int64_t x = -1; x <= grid->nodes[0]; x++)
                TRY(check_node(grid, x, y, z, &walk, failure));
    if (walk.wall != grid->walls)
        return EXPLAIN(failure, "wall entry %llu is out of order or at no node",
                       (unsigned long long)walk.wall);
    if (walk.air_nodes != grid->air_nodes || walk.wall_nodes != grid->wall_nodes)
        return EXPLAIN(failure, "%llu air and %llu wall nodes counted, %llu and %llu stated",
                       (unsigned long long)walk.air_nodes, (unsigned long long)walk.wall_nodes,
                       (unsigned long long)grid->air_nodes, (unsigned long long)grid->wall_nodes);
    return 0;
}
