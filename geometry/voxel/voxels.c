#include "geometry/voxel/voxels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const direction_name[DIRECTIONS] = {"-x", "+x", "-y", "+y", "-z", "+z"};

void voxels_free(struct voxels *voxels)
{
    free(voxels->block);
    free(voxels->detail);
    free(voxels->contact);
    *voxels = (struct voxels){0};
}

uint64_t voxels_bytes(const struct voxels *voxels)
{
    return (uint64_t)voxels->block_count * sizeof *voxels->block +
           (uint64_t)voxels->detail_count * sizeof *voxels->detail +
           (uint64_t)voxels->contact_count * sizeof *voxels->contact;
}

static int compare_places(const int32_t a[3], const int32_t b[3])
{
    for (int axis = 2; axis >= 0; axis--)
        if (a[axis] != b[axis])
            return a[axis] < b[axis] ? -1 : 1;
    return 0;
}

size_t voxels_find_from(const struct voxels *voxels, const int32_t place[3])
{
    size_t first = 0, count = voxels->block_count;
    while (count != 0) {
        const size_t half = count / 2;
        if (compare_places(voxels->block[first + half].place, place) < 0) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

size_t voxels_find(const struct voxels *voxels, const int32_t place[3])
{
    const size_t first = voxels_find_from(voxels, place);
    const bool found = first < voxels->block_count && compare_places(voxels->block[first].place, place) == 0;
    return found ? first : SIZE_MAX;
}

/** Block and slot of a node; SIZE_MAX outside every block. */
static size_t find_node(const struct voxels *voxels, const int64_t node[3], unsigned *row, unsigned *z)
{
    int32_t place[3];
    for (int axis = 0; axis < 3; axis++) {
        const int64_t at = node[axis] >> 3;
        if (at < INT32_MIN || at > INT32_MAX)
            return SIZE_MAX;
        place[axis] = (int32_t)at;
    }
    *row = (unsigned)(node[0] & 7) | (unsigned)(node[1] & 7) << 3;
    *z = (unsigned)(node[2] & 7);
    return voxels_find(voxels, place);
}

int voxels_is_air(const struct voxels *voxels, const int64_t node[3])
{
    unsigned row, z;
    const size_t block = find_node(voxels, node, &row, &z);
    if (block == SIZE_MAX)
        return 0;
    const uint32_t detail = voxels->block[block].detail;
    return detail == VOXELS_OPEN_AIR || (voxels->detail[detail].air[z] >> row & 1) != 0;
}

int voxels_is_cut(const struct voxels *voxels, const int64_t node[3], enum direction direction)
{
    unsigned row, z;
    const size_t block = find_node(voxels, node, &row, &z);
    if (block == SIZE_MAX || voxels->block[block].detail == VOXELS_OPEN_AIR)
        return 0;
    return (voxels->detail[voxels->block[block].detail].cut[direction][z] >> row & 1) != 0;
}

/** The node next to `node` in a direction. */
static void step(const int64_t node[3], int direction, int64_t next[3])
{
    memcpy(next, node, 3 * sizeof *next);
    next[direction / 2] += direction % 2 == 0 ? -1 : 1;
}

static void slot_node(const struct voxel_block *block, unsigned slot, int64_t node[3])
{
    node[0] = (int64_t)block->place[0] * 8 + (slot & 7);
    node[1] = (int64_t)block->place[1] * 8 + (slot >> 3 & 7);
    node[2] = (int64_t)block->place[2] * 8 + (slot >> 6);
}

static int check_link(const struct voxels *voxels, const int64_t node[3], int direction, int cut,
                      struct failure *failure)
{
    int64_t next[3];
    step(node, direction, next);
    const int next_air = voxels_is_air(voxels, next);
    if (!cut && !next_air)
        return failure_set(
            failure, FAILURE_INPUT,
            "the link %s of air node (%lld, %lld, %lld) is not cut, but leads to a node that is not air",
            direction_name[direction], (long long)node[0], (long long)node[1], (long long)node[2]);
    if (next_air && voxels_is_cut(voxels, next, (enum direction)(direction ^ 1)) != cut)
        return failure_set(failure, FAILURE_INPUT,
                           "the link %s of air node (%lld, %lld, %lld) is %s there, but not at its other end",
                           direction_name[direction], (long long)node[0], (long long)node[1],
                           (long long)node[2], cut ? "cut" : "uncut");
    return 0;
}

/** Contacts of one block against its cut links. */
static int check_contacts(const struct voxels *voxels, size_t at, struct failure *failure)
{
    const struct voxel_block *block = &voxels->block[at];
    const struct voxel_detail *detail = &voxels->detail[block->detail];
    size_t next = (size_t)detail->first_contact;
    const size_t end = next + detail->contact_count;
    if (detail->first_contact > voxels->contact_count || end > voxels->contact_count)
        return failure_set(failure, FAILURE_INPUT, "block %zu has contacts %zu to %zu, but there are %zu", at,
                           next, end, voxels->contact_count);
    for (unsigned slot = 0; slot < 512; slot++)
        for (unsigned direction = 0; direction < DIRECTIONS; direction++) {
            if ((detail->cut[direction][slot >> 6] >> (slot & 63) & 1) == 0)
                continue;
            if (next == end || voxels->contact[next].slot != slot ||
                voxels->contact[next].direction != direction)
                return failure_set(failure, FAILURE_INPUT,
                                   "the cut link %s of slot %u in block %zu has no contact in its place",
                                   direction_name[direction], slot, at);
            if (voxels->contact[next].cosine > VOXELS_COSINE_ONE || voxels->contact[next].reserved != 0)
                return failure_set(
                    failure, FAILURE_INPUT,
                    "contact %zu has cosine %u above one (%d) or a reserved byte %u that is not 0", next,
                    voxels->contact[next].cosine, VOXELS_COSINE_ONE, voxels->contact[next].reserved);
            next++;
        }
    if (next != end)
        return failure_set(failure, FAILURE_INPUT, "block %zu has %zu contacts more than cut links", at,
                           end - next);
    return 0;
}

/** Air, cuts and links of one block. A block of open air only has its faces checked. */
static int check_block(const struct voxels *voxels, size_t at, uint64_t *air_nodes, int64_t low[3],
                       int64_t high[3], struct failure *failure)
{
    const struct voxel_block *block = &voxels->block[at];
    const struct voxel_detail *detail = NULL;
    if (block->detail != VOXELS_OPEN_AIR) {
        if (block->detail >= voxels->detail_count)
            return failure_set(failure, FAILURE_INPUT, "block %zu has detail %u, but there are %zu", at,
                               block->detail, voxels->detail_count);
        detail = &voxels->detail[block->detail];
        for (int direction = 0; direction < DIRECTIONS; direction++)
            for (int z = 0; z < 8; z++)
                if ((detail->cut[direction][z] & ~detail->air[z]) != 0)
                    return failure_set(failure, FAILURE_INPUT,
                                       "block %zu has a cut link %s at a node that is not air", at,
                                       direction_name[direction]);
    }
    uint64_t found = 0;
    for (unsigned slot = 0; slot < 512; slot++) {
        if (detail != NULL && (detail->air[slot >> 6] >> (slot & 63) & 1) == 0)
            continue;
        found++;
        int64_t node[3];
        slot_node(block, slot, node);
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = node[axis] < low[axis] ? node[axis] : low[axis];
            high[axis] = node[axis] > high[axis] ? node[axis] : high[axis];
            const unsigned along = slot >> 3 * axis & 7;
            for (int up = 0; up < 2; up++) {
                const int direction = 2 * axis + up;
                const int cut = detail != NULL && (detail->cut[direction][slot >> 6] >> (slot & 63) & 1) != 0;
                if (detail != NULL || along == (up ? 7u : 0u))
                    TRY(check_link(voxels, node, direction, cut, failure));
            }
        }
    }
    if (found == 0)
        return failure_set(failure, FAILURE_INPUT, "block %zu at place (%d, %d, %d) holds no air", at,
                           block->place[0], block->place[1], block->place[2]);
    *air_nodes += found;
    return detail != NULL ? check_contacts(voxels, at, failure) : 0;
}

int voxels_check(const struct voxels *voxels, struct failure *failure)
{
    uint64_t air_nodes = 0;
    uint64_t details = 0, contacts = 0;
    int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, high[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    /* Order first: everything below looks blocks up by place. */
    for (size_t at = 1; at < voxels->block_count; at++)
        if (compare_places(voxels->block[at - 1].place, voxels->block[at].place) >= 0)
            return failure_set(failure, FAILURE_INPUT,
                               "block %zu at place (%d, %d, %d) does not come after the block before it", at,
                               voxels->block[at].place[0], voxels->block[at].place[1],
                               voxels->block[at].place[2]);
    for (size_t at = 0; at < voxels->block_count; at++) {
        const struct voxel_block *block = &voxels->block[at];
        TRY(check_block(voxels, at, &air_nodes, low, high, failure));
        if (block->detail != VOXELS_OPEN_AIR) {
            if (block->detail != details || voxels->detail[block->detail].first_contact != contacts)
                return failure_set(
                    failure, FAILURE_INPUT,
                    "block %zu has detail %u and contacts from %llu, but %llu and %llu come next", at,
                    block->detail, (unsigned long long)voxels->detail[block->detail].first_contact,
                    (unsigned long long)details, (unsigned long long)contacts);
            contacts += voxels->detail[block->detail].contact_count;
            details++;
        }
    }
    if (details != voxels->detail_count || contacts != voxels->contact_count ||
        air_nodes != voxels->air_nodes)
        return failure_set(
            failure, FAILURE_INPUT,
            "the blocks hold %llu details, %llu contacts and %llu air nodes, but %zu, %zu and %llu "
            "are stated",
            (unsigned long long)details, (unsigned long long)contacts, (unsigned long long)air_nodes,
            voxels->detail_count, voxels->contact_count, (unsigned long long)voxels->air_nodes);
    for (int axis = 0; axis < 3 && air_nodes != 0; axis++)
        if (low[axis] != voxels->air_low[axis] || high[axis] != voxels->air_high[axis])
            return failure_set(failure, FAILURE_INPUT,
                               "the air runs from node %lld to %lld along %c, but %lld to %lld are stated",
                               (long long)low[axis], (long long)high[axis], "xyz"[axis],
                               (long long)voxels -> air_low[axis], (long long)voxels -> air_high[axis]);
    return 0;
}
