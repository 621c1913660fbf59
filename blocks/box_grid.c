#include "blocks/box_grid.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/wall_entries.h"

void box_grid_free(struct box_grid *grid)
{
    free(grid->links);
    free(grid->wall);
    *grid = (struct box_grid){0};
}

uint64_t box_grid_index(const struct box_grid *grid, const int64_t node[3])
{
    int64_t at[3];
    for (int a = 0; a < 3; a++) {
        if (node[a] < grid->low[a] || node[a] - grid->low[a] >= grid->nodes[a])
            return UINT64_MAX;
        at[a] = node[a] - grid->low[a];
    }
    return box_index(grid, at[0], at[1], at[2]);
}

int box_grid_allocate(struct box_grid *box, struct failure *failure)
{
    uint64_t length = 1;
    for (int a = 0; a < 3; a++)
        if (box->nodes[a] < 1 || __builtin_mul_overflow(length, (uint64_t)box->nodes[a] + 2, &length) ||
            length > SIZE_MAX / 64)
            return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                              "a bounding box of %lld x %lld x %lld nodes cannot be held",
                                              (long long)box->nodes[0], (long long)box->nodes[1],
                                              (long long)box->nodes[2]),
                                  failure, ADVICE_BLOCKS_OR_COARSER, 0);
    box->length = length;
    box->links = calloc(length, 1);
    if (box->links == NULL)
        return failure_memory(failure, length, "the link bytes of the bounding box");
    return 0;
}

/* Links that both ends agree on, in the coordinates of the array that the caller gave. */
struct bare_links {
    const int64_t *nodes;
    const uint8_t *links;
};

static uint8_t bare_link(const struct bare_links *bare, int64_t x, int64_t y, int64_t z)
{
    const int64_t at[3] = {x, y, z};
    const size_t row = (size_t)bare->nodes[0], plane = row * (size_t)bare->nodes[1];
    const size_t here = (size_t)z * plane + (size_t)y * row + (size_t)x;
    const size_t step[3] = {1, row, plane};
    uint8_t kept = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        const int a = d / 2;
        const bool outward = d & 1 ? at[a] + 1 == bare->nodes[a] : at[a] == 0;
        if (outward || (bare->links[here] >> d & 1) == 0)
            continue;
        const size_t there = d & 1 ? here + step[a] : here - step[a];
        kept |= (uint8_t)((bare->links[there] >> (d ^ 1) & 1) << d);
    }
    return kept;
}

/* Tight bounds of the nodes that keep a link; false when there are none. */
static bool bare_bounds(const struct bare_links *bare, int64_t first[3], int64_t last[3])
{
    bool any = false;
    for (int64_t z = 0; z < bare->nodes[2]; z++)
        for (int64_t y = 0; y < bare->nodes[1]; y++)
            for (int64_t x = 0; x < bare->nodes[0]; x++) {
                if (bare_link(bare, x, y, z) == 0)
                    continue;
                const int64_t at[3] = {x, y, z};
                for (int a = 0; a < 3; a++) {
                    first[a] = !any || at[a] < first[a] ? at[a] : first[a];
                    last[a] = !any || at[a] > last[a] ? at[a] : last[a];
                }
                any = true;
            }
    return any;
}

/* Append the wall entries of one node; `capacity` is that of box->wall. */
static int add_walls(struct box_grid *box, uint64_t *capacity, uint64_t index, const struct wall *entry,
                     unsigned entries, struct failure *failure)
{
    if (box->walls + entries > *capacity) {
        const uint64_t more = 2 * *capacity + 64;
        struct box_wall *wall = realloc(box->wall, more * sizeof *wall);
        if (wall == NULL)
            return failure_memory(failure, more * sizeof *wall, "wall nodes of the bounding box");
        box->wall = wall;
        *capacity = more;
    }
    for (unsigned e = 0; e < entries; e++)
        box->wall[box->walls++] = (struct box_wall){.node = index | (e > 0 ? BOX_WALL_CONTINUES : 0),
                                                    .material = entry[e].material,
                                                    .weight = entry[e].weight};
    box->wall_nodes += entries > 0;
    return 0;
}

int box_grid_from_links(const int64_t low[3], const int64_t nodes[3], const uint8_t *links,
                        box_wall_at *wall_at, void *context, struct box_grid *out, struct failure *failure)
{
    const struct bare_links bare = {.nodes = nodes, .links = links};
    struct box_grid box = {.lattice = {.spacing = 1}};
    int64_t first[3] = {0}, last[3] = {0};
    uint64_t capacity = 0;
    int code = 0;
    if (!bare_bounds(&bare, first, last))
        return failure_set(failure, FAILURE_INPUT,
                           "no node of the %lld x %lld x %lld link bytes keeps a link", (long long)nodes[0],
                           (long long)nodes[1], (long long)nodes[2]);
    for (int a = 0; a < 3; a++) {
        box.low[a] = low[a] + first[a];
        box.nodes[a] = last[a] - first[a] + 1;
        box.lattice.nodes[a] = low[a] + nodes[a];
    }
    if ((code = box_grid_allocate(&box, failure)) != 0)
        goto done;
    for (int64_t z = first[2]; z <= last[2]; z++)
        for (int64_t y = first[1]; y <= last[1]; y++)
            for (int64_t x = first[0]; x <= last[0]; x++) {
                const uint64_t index = box_index(&box, x - first[0], y - first[1], z - first[2]);
                const int64_t node[3] = {low[0] + x, low[1] + y, low[2] + z};
                const uint8_t kept = bare_link(&bare, x, y, z);
                if (kept == 0)
                    continue;
                struct voxel_contact contact[DIRECTIONS];
                struct wall entry[DIRECTIONS];
                unsigned contacts = 0;
                for (int d = 0; d < DIRECTIONS; d++) {
                    if (kept >> d & 1)
                        continue;
                    contact[contacts] =
                        (struct voxel_contact){.direction = (uint8_t)d, .cosine = VOXELS_COSINE_ONE};
                    if (wall_at != NULL)
                        wall_at(context, node, (enum direction)d, &contact[contacts].material,
                                &contact[contacts].cosine);
                    contacts++;
                }
                box.links[index] = kept;
                box.air_nodes++;
                if ((code = add_walls(&box, &capacity, index, entry,
                                      wall_entries_merge(contact, contacts, entry), failure)) != 0)
                    goto done;
            }
    *out = box;
    box = (struct box_grid){0};
done:
    box_grid_free(&box);
    return code;
}
