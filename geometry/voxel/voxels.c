#include "geometry/voxel/voxels.h"

#include <stdbool.h>
#include <stdlib.h>

#include "geometry/voxel/block_bits.h"

static const char *const direction_name[DIRECTIONS] = {"-x", "+x", "-y", "+y", "-z", "+z"};

void voxels_free(struct voxels *voxels)
{
    free(voxels->block);
    free(voxels->detail);
    free(voxels->contact);
    free(voxels->cell);
    free(voxels->area);
    free(voxels->piece);
    free(voxels->opening);
    *voxels = (struct voxels){0};
}

uint64_t voxels_bytes(const struct voxels *voxels)
{
    return (uint64_t)voxels->block_count * sizeof *voxels->block +
           (uint64_t)voxels->detail_count * sizeof *voxels->detail +
           (uint64_t)voxels->contact_count * sizeof *voxels->contact +
           (uint64_t)voxels->cell_count * sizeof *voxels->cell +
           (uint64_t)voxels->area_count * sizeof *voxels->area +
           (uint64_t)voxels->piece_count * sizeof *voxels->piece +
           (uint64_t)voxels->opening_count * sizeof *voxels->opening;
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

/** The block of a node; NULL outside every block. */
static const struct voxel_block *block_of(const struct voxels *voxels, const int64_t node[3])
{
    int32_t place[3];
    for (int axis = 0; axis < 3; axis++)
        if (node[axis] >> 3 < INT32_MIN || node[axis] >> 3 > INT32_MAX)
            return NULL;
    block_bits_place(node, place);
    const size_t found = voxels_find(voxels, place);
    return found != SIZE_MAX ? &voxels->block[found] : NULL;
}

int voxels_is_air(const struct voxels *voxels, const int64_t node[3])
{
    const struct voxel_block *block = block_of(voxels, node);
    return block != NULL && (block->detail == VOXELS_OPEN_AIR ||
                             block_bits_has(voxels->detail[block->detail].air, block_bits_slot(node)));
}

int voxels_is_cut(const struct voxels *voxels, const int64_t node[3], enum direction direction)
{
    const struct voxel_block *block = block_of(voxels, node);
    return block != NULL && block->detail != VOXELS_OPEN_AIR &&
           block_bits_has(voxels->detail[block->detail].cut[direction], block_bits_slot(node));
}

/** Add one block to the count of air nodes and to the bounding box of the air. */
static void measure_block(const struct voxel_block *block, const uint64_t air[8], uint64_t *nodes,
                          int64_t low[3], int64_t high[3])
{
    uint64_t any = 0;
    int first_z = 8, last_z = 0;
    for (int z = 0; z < 8; z++) {
        if (air[z] == 0)
            continue;
        *nodes += (uint64_t)__builtin_popcountll(air[z]);
        any |= air[z];
        first_z = first_z < z ? first_z : z;
        last_z = z;
    }
    const int first_y = __builtin_ctzll(any) >> 3, last_y = (63 - __builtin_clzll(any)) >> 3;
    any |= any >> 32;
    any |= any >> 16;
    any |= any >> 8;
    any &= 0xFF;
    const int first[3] = {__builtin_ctzll(any), first_y, first_z};
    const int last[3] = {63 - __builtin_clzll(any), last_y, last_z};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t start = (int64_t)block->place[axis] * 8;
        low[axis] = start + first[axis] < low[axis] ? start + first[axis] : low[axis];
        high[axis] = start + last[axis] > high[axis] ? start + last[axis] : high[axis];
    }
}

void voxels_measure(struct voxels *voxels)
{
    static const uint64_t full[8] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                     UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    for (int axis = 0; axis < 3; axis++) {
        voxels->air_low[axis] = INT64_MAX;
        voxels->air_high[axis] = INT64_MIN;
    }
    for (size_t b = 0; b < voxels->block_count; b++) {
        const struct voxel_block *block = &voxels->block[b];
        measure_block(block, block->detail == VOXELS_OPEN_AIR ? full : voxels->detail[block->detail].air,
                      &voxels->air_nodes, voxels->air_low, voxels->air_high);
    }
}

static int check_link(const struct voxels *voxels, const int64_t node[3], int direction, int cut,
                      struct failure *failure)
{
    int64_t next[3] = {node[0], node[1], node[2]};
    lattice_step(next, direction);
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

/** Check the contacts of one block against its cut links. */
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
            if (!block_bits_has(detail->cut[direction], slot))
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

/** Index of the cell of a slot; SIZE_MAX if the voxel is wholly air and open, or not listed. */
static size_t find_cell(const struct voxels *voxels, size_t block, unsigned slot)
{
    if (voxels->block[block].detail == VOXELS_OPEN_AIR)
        return SIZE_MAX;
    const struct voxel_detail *detail = &voxels->detail[voxels->block[block].detail];
    for (uint32_t i = 0; i < detail->cell_count; i++)
        if (voxels->cell[detail->first_cell + i].slot == slot)
            return (size_t)detail->first_cell + i;
    return SIZE_MAX;
}

/** Opening of an air node, listed or not. */
static float opening_of(const struct voxels *voxels, size_t block, unsigned slot, int direction)
{
    const size_t cell = find_cell(voxels, block, slot);
    return cell != SIZE_MAX ? voxels->cell[cell].open[direction] : 1;
}

static int check_areas(const struct voxels *voxels, const struct voxel_cell *cell, uint64_t first,
                       struct failure *failure)
{
    if (cell->areas > VOXELS_AREAS_MAX || first + cell->areas > voxels->area_count || !(cell->volume > 0) ||
        !(cell->volume < 1 + 1e-6f))
        return failure_set(failure, FAILURE_INPUT,
                           "a cell of volume %g has areas %llu to %llu, but there are %zu",
                           (double)cell->volume, (unsigned long long)first,
                           (unsigned long long)(first + cell->areas), voxels->area_count);
    for (uint64_t a = first; a < first + cell->areas; a++)
        if (!(voxels->area[a].area > 0) || voxels->area[a].reserved != 0 ||
            (a > first && voxels->area[a].material <= voxels->area[a - 1].material))
            return failure_set(failure, FAILURE_INPUT, "area %llu is %g of material %u, out of order",
                               (unsigned long long)a, (double)voxels->area[a].area, voxels->area[a].material);
    return 0;
}

/** Check the cells of one block against its air and cuts, and its openings against the other ends. */
static int check_cells(const struct voxels *voxels, size_t at, struct failure *failure)
{
    const struct voxel_block *block = &voxels->block[at];
    const struct voxel_detail *detail = &voxels->detail[block->detail];
    uint64_t area = detail->first_area;
    if (detail->first_cell + detail->cell_count > voxels->cell_count)
        return failure_set(failure, FAILURE_INPUT, "block %zu has cells to %llu, but there are %zu", at,
                           (unsigned long long)(detail->first_cell + detail->cell_count), voxels->cell_count);
    for (uint32_t i = 0; i < detail->cell_count; i++) {
        const struct voxel_cell *cell = &voxels->cell[detail->first_cell + i];
        if (cell->slot > 511 || (i > 0 && cell->slot <= cell[-1].slot) ||
            !block_bits_has(detail->air, cell->slot))
            return failure_set(failure, FAILURE_INPUT,
                               "cell %u of block %zu is of slot %u, which is out of order or not air", i, at,
                               cell->slot);
        TRY(check_areas(voxels, cell, area, failure));
        area += cell->areas;
    }
    for (unsigned slot = 0; slot < 512; slot++)
        for (int direction = 0; direction < DIRECTIONS && block_bits_has(detail->air, slot); direction++) {
            const float open = opening_of(voxels, at, slot, direction);
            int64_t next[3];
            block_bits_node(block->place, slot, next);
            lattice_step(next, direction);
            const struct voxel_block *other = block_of(voxels, next);
            const float back = voxels_is_air(voxels, next)
                                   ? opening_of(voxels, (size_t)(other - voxels->block),
                                                block_bits_slot(next), direction ^ 1)
                                   : 0;
            if (open != back || (open > 0) == block_bits_has(detail->cut[direction], slot))
                return failure_set(failure, FAILURE_INPUT,
                                   "slot %u of block %zu opens %s by %g, from the other end by %g", slot, at,
                                   direction_name[direction], (double)open, (double)back);
        }
    return 0;
}

/** The voxel of an end of an opening; false if there is none. */
static bool voxel_of_end(const struct voxels *voxels, uint64_t end, int64_t node[3])
{
    const uint64_t piece = end & ~VOXELS_PIECE;
    if ((end & VOXELS_PIECE) != 0 ? piece >= voxels->piece_count : end >> 9 >= voxels->block_count)
        return false;
    const struct voxel_block *block =
        &voxels->block[(end & VOXELS_PIECE) != 0 ? voxels->piece[piece].block : end >> 9];
    const unsigned slot = (end & VOXELS_PIECE) != 0 ? voxels->piece[piece].cell.slot : (unsigned)(end & 511);
    block_bits_node(block->place, slot, node);
    return voxels_is_air(voxels, node);
}

/** Check further pieces of voxels and their openings. */
static int check_pieces(const struct voxels *voxels, struct failure *failure)
{
    for (size_t p = 0; p < voxels->piece_count; p++) {
        const struct voxel_piece *piece = &voxels->piece[p];
        if (piece->block >= voxels->block_count || piece->cell.slot > 511 ||
            (p > 0 && ((uint64_t)piece->block << 9) + piece->cell.slot <
                          ((uint64_t)piece[-1].block << 9) + piece[-1].cell.slot))
            return failure_set(failure, FAILURE_INPUT, "piece %zu is out of order", p);
        TRY(check_areas(voxels, &piece->cell, piece->first_area, failure));
    }
    for (size_t o = 0; o < voxels->opening_count; o++) {
        const struct voxel_opening *opening = &voxels->opening[o];
        int64_t a[3], b[3];
        bool neighbours =
            voxel_of_end(voxels, opening->end[0], a) && voxel_of_end(voxels, opening->end[1], b);
        if (neighbours)
            neighbours = llabs(a[0] - b[0]) + llabs(a[1] - b[1]) + llabs(a[2] - b[2]) == 1;
        if (!neighbours || opening->end[0] >= opening->end[1] || (opening->end[1] & VOXELS_PIECE) == 0 ||
            !(opening->open > 0) ||
            (o > 0 && (opening->end[0] < opening[-1].end[0] ||
                       (opening->end[0] == opening[-1].end[0] && opening->end[1] <= opening[-1].end[1]))))
            return failure_set(failure, FAILURE_INPUT,
                               "opening %zu of %g joins no neighbours, or is out of order", o,
                               (double)opening->open);
    }
    return 0;
}

/** Check air, cuts and links of one block; of a block of open air, only its faces. */
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
        if (detail != NULL && !block_bits_has(detail->air, slot))
            continue;
        found++;
        int64_t node[3];
        block_bits_node(block->place, slot, node);
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = node[axis] < low[axis] ? node[axis] : low[axis];
            high[axis] = node[axis] > high[axis] ? node[axis] : high[axis];
            const unsigned along = slot >> 3 * axis & 7;
            for (int up = 0; up < 2; up++) {
                const int direction = 2 * axis + up;
                const int cut = detail != NULL && block_bits_has(detail->cut[direction], slot);
                if (detail != NULL || along == (up ? 7u : 0u))
                    TRY(check_link(voxels, node, direction, cut, failure));
            }
        }
    }
    if (found == 0)
        return failure_set(failure, FAILURE_INPUT, "block %zu at place (%d, %d, %d) holds no air", at,
                           block->place[0], block->place[1], block->place[2]);
    *air_nodes += found;
    if (detail == NULL)
        return 0;
    return voxels->cells ? check_cells(voxels, at, failure) : check_contacts(voxels, at, failure);
}

int voxels_check(const struct voxels *voxels, struct failure *failure)
{
    uint64_t air_nodes = 0;
    uint64_t details = 0, contacts = 0;
    int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, high[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    /* The order comes first: all checks below find blocks by place. */
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
    if (voxels->cells)
        TRY(check_pieces(voxels, failure));
    for (int axis = 0; axis < 3 && air_nodes != 0; axis++)
        if (low[axis] != voxels->air_low[axis] || high[axis] != voxels->air_high[axis])
            return failure_set(failure, FAILURE_INPUT,
                               "the air runs from node %lld to %lld along %c, but %lld to %lld are stated",
                               (long long)low[axis], (long long)high[axis], "xyz"[axis],
                               (long long)voxels -> air_low[axis], (long long)voxels -> air_high[axis]);
    return 0;
}
