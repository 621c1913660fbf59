/* Pockets behind seals on the lattice, and a list of the closed cracks. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/vector.h"
#include "geometry/leak/link_groups.h"
#include "geometry/leak/seal.h"
#include "geometry/leak/seal_fans.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/node_map.h"

#define POCKET_NODES_MAX 100000u
#define OPEN_MARK        0u /* nodes of regions other than pockets */
#define POCKET_MARK      1u /* nodes visited, maybe a pocket's */

/* A link that only ribbons cut, between air and another node. */
struct sealed_link {
    int64_t behind[3]; /* the end that is not air */
    uint32_t triangle; /* of the ribbon, seen from the low end */
};

struct links {
    struct lattice_link *link;
    struct sealed_link *seal; /* further data of each */
    size_t count, link_room, seal_room;
};

static void links_free(struct links *links)
{
    free(links->link);
    free(links->seal);
}

static int add_link(struct links *links, const struct lattice_link *link, const struct sealed_link *seal,
                    struct failure *failure)
{
    static const char purpose[] = "the list of sealed links";
    struct lattice_link *link_grown =
        array_room(links->link, &links->link_room, links->count + 1, sizeof *link_grown, purpose, failure);
    if (link_grown != NULL)
        links->link = link_grown;
    struct sealed_link *seal_grown =
        array_room(links->seal, &links->seal_room, links->count + 1, sizeof *seal_grown, purpose, failure);
    if (seal_grown != NULL)
        links->seal = seal_grown;
    if (link_grown == NULL || seal_grown == NULL)
        return FAILURE_CAPACITY;
    links->link[links->count] = *link;
    links->seal[links->count++] = *seal;
    return 0;
}

/* In the order of the field: blocks, axes, slots. */
static int find_links(const struct cut_field *plain, const struct cut_field *sealed, const struct voxels *air,
                      struct links *links, struct failure *failure)
{
    for (size_t n = 0; n < sealed->block_count; ++n) {
        const struct cut_block *block = &sealed->block[n];
        const struct cut_block *same = cut_field_block(plain, block->place);
        uint64_t hit = sealed->first_hit[n];
        for (int axis = 0; axis < 3; ++axis) {
            for (unsigned slot = 0; slot < 512; ++slot) {
                if (!block_bits_has(block->cut[axis], slot))
                    continue;
                const struct cut_hit *found = &sealed->hit[hit++];
                if (same != NULL && block_bits_has(same->cut[axis], slot))
                    continue;
                struct lattice_link link = {.axis = (uint8_t)axis};
                struct sealed_link seal = {.triangle = found->low_triangle};
                int64_t high[3];
                block_bits_node(block->place, slot, link.low);
                memcpy(high, link.low, sizeof high);
                high[axis] += 1;
                const int low_is_air = voxels_is_air(air, link.low);
                if (!low_is_air == !voxels_is_air(air, high))
                    continue;
                memcpy(seal.behind, low_is_air ? high : link.low, sizeof high);
                TRY(add_link(links, &link, &seal, failure));
            }
        }
    }
    return 0;
}

/* The flood of one region behind a seal. */
struct pocket {
    int64_t (*node)[3];
    size_t count, room;
    uint64_t entries; /* links into it that only ribbons cut */
    bool closed;      /* neither outside, nor too large, nor part of a region known as open */
};

static int add_node(struct pocket *pocket, struct node_map *seen, const int64_t node[3],
                    struct failure *failure)
{
    int64_t(*grown)[3] = array_room(pocket->node, &pocket->room, pocket->count + 1, sizeof *grown,
                                    "a pocket behind a seal", failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    pocket->node = grown;
    memcpy(pocket->node[pocket->count++], node, sizeof pocket->node[0]);
    return node_map_set(seen, node, POCKET_MARK, failure);
}

static int flood_pocket(const struct cut_field *plain, const struct cut_field *sealed,
                        const struct voxels *air, const int64_t start[3], struct node_map *seen,
                        struct pocket *pocket, struct failure *failure)
{
    pocket->count = 0;
    pocket->entries = 0;
    pocket->closed = true;
    TRY(add_node(pocket, seen, start, failure));
    for (size_t n = 0; n < pocket->count && pocket->closed; ++n) {
        int64_t node[3];
        memcpy(node, pocket->node[n], sizeof node);
        pocket->closed = lattice_has(&sealed->lattice, node);
        for (int direction = 0; direction < DIRECTIONS && pocket->closed; ++direction) {
            int64_t next[3] = {node[0], node[1], node[2]};
            lattice_step(next, direction);
            if (cut_field_is_cut(sealed, node, (enum direction)direction)) {
                pocket->entries +=
                    !cut_field_is_cut(plain, node, (enum direction)direction) && voxels_is_air(air, next);
                continue;
            }
            const uint32_t mark = node_map_get(seen, next);
            if (mark == OPEN_MARK)
                pocket->closed = false;
            else if (mark == NODE_MAP_NONE)
                TRY(add_node(pocket, seen, next, failure));
        }
        if (pocket->count > POCKET_NODES_MAX)
            pocket->closed = false;
    }
    if (!pocket->closed) {
        for (size_t n = 0; n < pocket->count; ++n)
            TRY(node_map_set(seen, pocket->node[n], OPEN_MARK, failure));
    }
    return 0;
}

int seal_pockets(const struct cut_field *plain, const struct cut_field *sealed, const struct voxels *air,
                 double width, int64_t (**seed)[3], size_t *seed_count, struct failure *failure)
{
    struct links links = {0};
    struct node_map seen = {0};
    struct pocket pocket = {0};
    int64_t(*found)[3] = NULL;
    size_t count = 0;
    int code = 0;
    const double depth_nodes = larger(2, 2 * width / sealed->lattice.spacing);

    *seed = NULL;
    *seed_count = 0;
    if ((code = find_links(plain, sealed, air, &links, failure)) != 0 || links.count == 0)
        goto done;
    found = malloc(links.count * sizeof *found);
    if (found == NULL) {
        code = failure_memory(failure, links.count * sizeof *found, "pockets behind seals");
        goto done;
    }
    for (size_t n = 0; n < links.count; ++n) {
        const int64_t *behind = links.seal[n].behind;
        if (node_map_get(&seen, behind) != NODE_MAP_NONE)
            continue;
        if ((code = flood_pocket(plain, sealed, air, behind, &seen, &pocket, failure)) != 0)
            goto done;
        if (pocket.closed && (double)pocket.count <= depth_nodes * (double)pocket.entries)
            memcpy(found[count++], behind, sizeof found[0]);
    }
    if (count > 0) {
        *seed = found;
        *seed_count = count;
        found = NULL;
    }
done:
    links_free(&links);
    free(pocket.node);
    free(found);
    node_map_free(&seen);
    return code;
}

/* The first side of a ribbon's triangle crosses the crack and continues by the margin, unless the model's box
 * clips it: then *clipped is true, and the width is up to the margin less than returned. Sides of a plug are
 * shorter than the margin: it may be as wide as the seal. */
static double ribbon_width(const struct mesh *mesh, uint32_t triangle, double width, const double low[3],
                           const double high[3], bool *clipped)
{
    const double *from = mesh->vertex[mesh->triangle[triangle][0]];
    const double *to = mesh->vertex[mesh->triangle[triangle][1]];
    double across[3];
    vector_subtract(to, from, across);
    *clipped = false;
    for (int axis = 0; axis < 3; ++axis)
        *clipped = *clipped || (to[axis] <= low[axis] && from[axis] > low[axis]) ||
                   (to[axis] >= high[axis] && from[axis] < high[axis]);
    const double length = vector_length(across);
    if (!*clipped && length < 0.99 * SEAL_MARGIN * width) {
        *clipped = true;
        return width;
    }
    return *clipped ? smaller(width, length) : larger(0, length - SEAL_MARGIN * width);
}

/* The widest ribbon of each place; clipped ones count only if there are no others. */
static void measure_places(const struct links *links, const uint32_t *group, const struct mesh *mesh,
                           double width, const double low[3], const double high[3], struct voxel_place *place,
                           size_t count)
{
    for (int pass = 0; pass < 2; ++pass) {
        for (size_t n = 0; n < links->count; ++n) {
            bool clipped;
            const double across = ribbon_width(mesh, links->seal[n].triangle, width, low, high, &clipped);
            struct voxel_place *at = &place[group[n]];
            if (pass == 0 && !clipped)
                at->width = larger(at->width, across);
            else if (pass == 1 && clipped && at->width <= 0)
                at->width = -larger(-at->width, across); /* negative until every link has been seen */
        }
    }
    for (size_t n = 0; n < count; ++n)
        place[n].width = fabs(place[n].width);
}

static int by_size(const void *left, const void *right)
{
    const struct voxel_place *a = left, *b = right;
    if (a->width != b->width)
        return a->width > b->width ? -1 : 1;
    if (a->links != b->links)
        return a->links > b->links ? -1 : 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (a->position[axis] != b->position[axis])
            return a->position[axis] < b->position[axis] ? -1 : 1;
    }
    return 0;
}

int seal_places(const struct cut_field *plain, const struct cut_field *sealed, const struct mesh *sealed_mesh,
                double width, const struct voxels *air, struct voxel_place **place, size_t *place_count,
                uint64_t *links, struct failure *failure)
{
    struct links list = {0};
    uint32_t *group = NULL;
    struct voxel_place *found = NULL;
    size_t count = 0;
    int code = 0;

    *place = NULL;
    *place_count = 0;
    *links = 0;
    double low[3], high[3];
    if ((code = mesh_bounds(sealed_mesh, low, high, failure)) != 0 ||
        (code = find_links(plain, sealed, air, &list, failure)) != 0 || list.count == 0)
        goto done;
    group = malloc(list.count * sizeof *group);
    if (group == NULL) {
        code = failure_memory(failure, list.count * sizeof *group, "the list of sealed places");
        goto done;
    }
    if ((code = link_groups_make(list.link, list.count, group, &count, failure)) != 0)
        goto done;
    found = malloc(count * sizeof *found);
    if (found == NULL) {
        code = failure_memory(failure, count * sizeof *found, "the list of sealed places");
        goto done;
    }
    if ((code = link_groups_places(&sealed->lattice, list.link, list.count, group, count, found, failure)) !=
        0)
        goto done;
    measure_places(&list, group, sealed_mesh, width, low, high, found, count);
    qsort(found, count, sizeof *found, by_size);
    *links = list.count;
    *place = found;
    *place_count = count;
    found = NULL;
done:
    links_free(&list);
    free(group);
    free(found);
    return code;
}
