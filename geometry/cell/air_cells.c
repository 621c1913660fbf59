#include "geometry/cell/air_cells.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/air/contact_face.h"
#include "geometry/base/array_room.h"
#include "geometry/cell/air_parts.h"

static const char purpose[] = "the cells of the air";

/** An opening or area of an air voxel without triangles that is not whole. */
struct narrowed {
    uint64_t voxel;    /* block x 512 + slot */
    uint8_t direction; /* of the opening, or FACE_AREA: area of open faces */
    float value;
};
#define FACE_AREA DIRECTIONS

/** A voxel of air without triangles that is listed as a cell. */
struct whole_cell {
    uint64_t voxel;
    float open[DIRECTIONS], face_area;
};

struct packing {
    int threads;
    struct contact_face *face;
    struct cell_field field;
    struct air_parts parts;
    size_t narrowed_count, narrowed_room;
    struct narrowed *narrowed;
    size_t whole_count;
    struct whole_cell *whole;
    uint32_t *block; /* (field.block_count) number in voxels */
    size_t piece_room, detail_room, opening_room, piece_area_count, piece_area_room;
    uint64_t *piece_id; /* (piece_count) */
    size_t piece_id_room;
    struct voxel_area *piece_area;
    struct voxels voxels;
    struct failure *failure;
};

static void packing_free(struct packing *packing)
{
    free(packing->face);
    cell_field_free(&packing->field);
    air_parts_free(&packing->parts);
    free(packing->narrowed);
    free(packing->whole);
    free(packing->block);
    free(packing->piece_id);
    free(packing->piece_area);
    voxels_free(&packing->voxels);
}

static bool has_state(const struct air_parts *parts, size_t at, unsigned state)
{
    return (parts->state[at] & (PART_STATE | state)) == (PART_AIR | state);
}

/** The part that is the node of each listed voxel of a block. */
static void find_nodes(const struct packing *packing, size_t block, uint32_t node[512])
{
    const struct air_parts *parts = &packing->parts;
    memset(node, 0xFF, 512 * sizeof *node);
    if (block == SIZE_MAX)
        return;
    for (size_t i = parts->first[block]; i < parts->first[block + 1]; i++)
        if (has_state(parts, i, PART_DENSE))
            node[parts->cell[i].slot >> 7] = (uint32_t)i;
}

/** Copy the openings between known nodes from the lower node to the other. */
static void share_openings(struct packing *packing)
{
    struct air_parts *parts = &packing->parts;
#pragma omp parallel for schedule(dynamic, 64) num_threads(packing->threads)
    for (size_t block = 0; block < packing->field.block_count; block++) {
        if (parts->first[block] == parts->first[block + 1])
            continue;
        uint32_t here[512], below[3][512];
        find_nodes(packing, block, here);
        for (int axis = 0; axis < 3; axis++) {
            int32_t next[3];
            box_place_next(packing->field.block[block], 2 * axis, next);
            find_nodes(packing, cell_field_block(&packing->field, next), below[axis]);
        }
        for (unsigned slot = 0; slot < 512; slot++)
            for (int axis = 0; axis < 3 && here[slot] != NO_PART; axis++) {
                const unsigned stride = 1u << 3 * axis;
                const uint32_t low =
                    (slot >> 3 * axis & 7) == 0 ? below[axis][slot + 7 * stride] : here[slot - stride];
                if (low != NO_PART)
                    parts->cell[here[slot]].open[2 * axis] = parts->cell[low].open[2 * axis + 1];
            }
    }
}

/** Drop air without openings, and choose the node of every voxel: the known one, or else the largest part. */
static void choose_nodes(struct packing *packing)
{
    struct air_parts *parts = &packing->parts;
    for (size_t i = 0; i < parts->link_count; i++) {
        const struct part_link *link = &parts->link[i];
        if (!part_end_is_air(parts, link, 0) || !part_end_is_air(parts, link, 1))
            continue;
        for (int end = 0; end < 2; end++)
            if (link->at[end] != NO_PART)
                parts->state[link->at[end]] |= PART_CONNECTED;
    }
#pragma omp parallel for schedule(dynamic, 64) num_threads(packing->threads)
    for (size_t block = 0; block < packing->field.block_count; block++)
        for (size_t i = parts->first[block], next; i < parts->first[block + 1]; i = next) {
            size_t node = SIZE_MAX;
            for (next = i;
                 next < parts->first[block + 1] && parts->cell[next].slot >> 7 == parts->cell[i].slot >> 7;
                 next++) {
                for (int direction = 0; direction < DIRECTIONS; direction++)
                    if (parts->cell[next].open[direction] > 0)
                        parts->state[next] |= PART_CONNECTED;
                if (!has_state(parts, next, PART_CONNECTED))
                    parts->state[next] = PART_NOT;
                else if (node == SIZE_MAX || (parts->state[next] & PART_DENSE) != 0)
                    node = next;
            }
            if (node != SIZE_MAX)
                parts->state[node] |= PART_DENSE;
        }
}

static int add_narrowed(struct packing *packing, uint64_t voxel, int direction, float value)
{
    struct narrowed *grown =
        array_room(packing->narrowed, &packing->narrowed_room, packing->narrowed_count + 1, sizeof *grown,
                   purpose, packing->failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    packing->narrowed = grown;
    packing->narrowed[packing->narrowed_count++] = (struct narrowed){voxel, (uint8_t)direction, value};
    return 0;
}

/** Area of an open face at a part, which is stored in its last area. */
static void add_face_area(struct air_parts *parts, uint64_t id, size_t at, float area)
{
    size_t last = parts->first_area[id >> 16];
    for (size_t i = parts->first[id >> 16]; i <= at; i++)
        last += parts->cell[i].areas;
    parts->area[last - 1].area += area;
}

/** Store links: openings between nodes in these, all others in the list. */
static int place_links(struct packing *packing)
{
    struct air_parts *parts = &packing->parts;
    struct voxels *voxels = &packing->voxels;
    for (size_t i = 0; i < parts->link_count; i++) {
        const struct part_link *link = &parts->link[i];
        struct voxel_opening opening = {.open = link->open};
        bool nodes = true;
        for (int end = 0; end < 2; end++) {
            const bool piece = link->at[end] != NO_PART && !has_state(parts, link->at[end], PART_DENSE);
            nodes = nodes && !piece;
            opening.end[end] = piece ? VOXELS_PIECE | link->end[end] : link->end[end];
        }
        if (!part_end_is_air(parts, link, 0))
            continue;
        if (link->end[1] == PART_FACE) {
            if (link->at[0] == NO_PART)
                TRY(add_narrowed(packing, PART_VOXEL(link->end[0]), FACE_AREA, link->open));
            else
                add_face_area(parts, link->end[0], link->at[0], link->open);
            continue;
        }
        if (!part_end_is_air(parts, link, 1))
            continue;
        if (nodes) {
            if (link->at[0] != NO_PART)
                parts->cell[link->at[0]].open[link->direction] = link->open;
            if (link->at[1] != NO_PART)
                parts->cell[link->at[1]].open[link->direction ^ 1] = link->open;
            continue;
        }
        struct voxel_opening *grown =
            array_room(voxels->opening, &packing->opening_room, voxels->opening_count + 1, sizeof *grown,
                       purpose, packing->failure);
        if (grown == NULL)
            return FAILURE_CAPACITY;
        voxels->opening = grown;
        voxels->opening[voxels->opening_count++] = opening;
    }
    return 0;
}

/** Reduced openings of air voxels without triangles in one block, from their neighbours. */
static int narrow_neighbours(struct packing *packing, size_t block)
{
    const struct cell_field *field = &packing->field;
    static const int step[3] = {1, 3, 9};
    struct cell_window window;
    uint32_t node[512];
    size_t number[27];
    cell_window_look(field, field->block[block], &window);
    find_nodes(packing, block, node);
    number[CELL_WINDOW_MIDDLE] = block;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int32_t next[3];
        box_place_next(field->block[block], direction, next);
        number[CELL_WINDOW_MIDDLE + (direction % 2 == 0 ? -1 : 1) * step[direction / 2]] =
            cell_field_block(field, next);
    }
    for (unsigned slot = 0; slot < 512; slot++) {
        if (!block_bits_has(window.met[CELL_WINDOW_MIDDLE], slot))
            continue;
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int next[3];
            for (int axis = 0; axis < 3; axis++)
                next[axis] = (int)(slot >> 3 * axis & 7);
            next[direction / 2] += direction % 2 == 0 ? -1 : 1;
            if (cell_window_met(&window, next) || !cell_window_air(&window, next))
                continue;
            const float open = node[slot] != NO_PART ? packing->parts.cell[node[slot]].open[direction] : 0;
            if (open == 1)
                continue;
            const uint64_t voxel = (uint64_t)number[cell_window_block(next)] << 9 | cell_slot(next);
            int result;
#pragma omp critical(air_cells_narrowed)
            result = add_narrowed(packing, voxel, direction ^ 1, open);
            TRY(result);
        }
    }
    return 0;
}

/** Voxels without triangles at the faces of an open scene's box. */
static int open_faces(struct packing *packing, size_t block)
{
    const struct cell_field *field = &packing->field;
    const struct lattice *lattice = &field->flood->field->lattice;
    if (!box_has_place(field->flood->field->blocks, field->block[block]))
        return 0;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        uint64_t edge[8];
        struct cell_window window;
        block_bits_edge(lattice, field->block[block], (enum direction)direction, edge);
        if (block_bits_count(edge) == 0)
            continue;
        cell_window_look(field, field->block[block], &window);
        for (unsigned slot = 0; slot < 512; slot++) {
            int at[3], next[3];
            for (int axis = 0; axis < 3; axis++)
                next[axis] = at[axis] = (int)(slot >> 3 * axis & 7);
            next[direction / 2] += direction % 2 == 0 ? -1 : 1;
            if (!block_bits_has(edge, slot) || !cell_window_air(&window, at) ||
                cell_window_met(&window, at) || cell_window_met(&window, next))
                continue;
            TRY(add_narrowed(packing, (uint64_t)block << 9 | slot, direction, 0));
            TRY(add_narrowed(packing, (uint64_t)block << 9 | slot, FACE_AREA, 1));
        }
    }
    return 0;
}

static int compare_narrowed(const void *left, const void *right)
{
    const struct narrowed *a = left, *b = right;
    if (a->voxel != b->voxel)
        return a->voxel < b->voxel ? -1 : 1;
    if (a->direction != b->direction)
        return a->direction < b->direction ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/** List voxels without triangles that have a reduced opening. */
static int list_whole(struct packing *packing)
{
    const size_t blocks = packing->field.block_count;
    int result = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(packing->threads)
    for (size_t block = 0; block < blocks; block++)
        if (packing->parts.first[block] != packing->parts.first[block + 1] ||
            cell_field_bin(&packing->field, packing->field.block[block]) != SIZE_MAX) {
            const int failed = narrow_neighbours(packing, block);
            if (failed != 0) {
#pragma omp atomic write
                result = failed;
            }
        }
    TRY(result);
    for (size_t block = 0; packing->field.room->open && block < blocks; block++)
        TRY(open_faces(packing, block));
    if (packing->narrowed_count > 0)
        qsort(packing->narrowed, packing->narrowed_count, sizeof *packing->narrowed, compare_narrowed);
    for (size_t i = 0; i < packing->narrowed_count; i++)
        packing->whole_count += i == 0 || packing->narrowed[i].voxel != packing->narrowed[i - 1].voxel;
    packing->whole = malloc((packing->whole_count + 1) * sizeof *packing->whole);
    if (packing->whole == NULL)
        return failure_memory(packing->failure, packing->whole_count * sizeof *packing->whole, purpose);
    struct whole_cell *whole = packing->whole;
    for (size_t i = 0; i < packing->narrowed_count; i++) {
        const struct narrowed *narrowed = &packing->narrowed[i];
        if (i == 0 || narrowed->voxel != narrowed[-1].voxel)
            *whole++ = (struct whole_cell){.voxel = narrowed->voxel, .open = {1, 1, 1, 1, 1, 1}};
        if (narrowed->direction == FACE_AREA)
            whole[-1].face_area += narrowed->value;
        else
            whole[-1].open[narrowed->direction] = narrowed->value;
    }
    return 0;
}

/** Read and write positions while cells are packed. */
struct streams {
    size_t part, area, whole; /* next to be read */
    size_t shift;             /* offset of parts in voxels.cell */
    struct voxel_detail *detail;
};

/** Nonzero areas of a cell, rising in material. */
static uint16_t copy_areas(struct voxel_area *to, const struct voxel_area *from, size_t count)
{
    uint16_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (from[i].area > 0)
            to[kept++] = from[i];
    return kept;
}

static bool is_whole_cell(const struct voxel_cell *cell)
{
    bool whole = cell->volume == 1 && cell->areas == 0;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        whole = whole && cell->open[direction] == 1;
    return whole;
}

/** List a cell of the block, unless it is wholly air and open. */
static void put_cell(struct packing *packing, struct streams *streams, const struct voxel_cell *cell)
{
    struct voxels *voxels = &packing->voxels;
    const unsigned slot = cell->slot;
    block_bits_add(streams->detail->air, slot);
    if (is_whole_cell(cell))
        return;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (!(cell->open[direction] > 0))
            block_bits_add(streams->detail->cut[direction], slot);
    voxels->cell[voxels->cell_count++] = *cell;
    voxels->area_count += cell->areas;
    streams->detail->cell_count++;
}

static int put_piece(struct packing *packing, const struct voxel_cell *cell, const struct voxel_area *area,
                     size_t areas, uint64_t id)
{
    struct voxels *voxels = &packing->voxels;
    struct voxel_piece *piece = array_room(voxels->piece, &packing->piece_room, voxels->piece_count + 1,
                                           sizeof *piece, purpose, packing->failure);
    if (piece == NULL)
        return FAILURE_CAPACITY;
    voxels->piece = piece;
    uint64_t *ids = array_room(packing->piece_id, &packing->piece_id_room, voxels->piece_count + 1,
                               sizeof *ids, purpose, packing->failure);
    if (ids == NULL)
        return FAILURE_CAPACITY;
    packing->piece_id = ids;
    struct voxel_area *grown =
        array_room(packing->piece_area, &packing->piece_area_room,
                   packing->piece_area_count + VOXELS_AREAS_MAX, sizeof *grown, purpose, packing->failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    packing->piece_area = grown;
    piece += voxels->piece_count;
    *piece = (struct voxel_piece){.cell = *cell, .first_area = packing->piece_area_count};
    piece->cell.areas = copy_areas(grown + packing->piece_area_count, area, areas);
    packing->piece_area_count += piece->cell.areas;
    packing->piece_id[voxels->piece_count++] = id;
    return 0;
}

/** The next cells of a block, from parts and from voxels without triangles. */
static int pack_cells(struct packing *packing, size_t block, struct streams *streams)
{
    const struct air_parts *parts = &packing->parts;
    struct voxels *voxels = &packing->voxels;
    while (true) {
        const bool part_left = streams->part < parts->first[block + 1];
        const bool whole_left =
            streams->whole < packing->whole_count && packing->whole[streams->whole].voxel >> 9 == block;
        if (!part_left && !whole_left)
            return 0;
        struct voxel_cell cell = {0};
        if (part_left)
            cell = voxels->cell[streams->shift + streams->part];
        const uint16_t number = cell.slot;
        cell.slot >>= 7;
        if (!part_left ||
            (whole_left && (packing->whole[streams->whole].voxel & 511) < (unsigned)cell.slot)) {
            const struct whole_cell *whole = &packing->whole[streams->whole++];
            cell = (struct voxel_cell){.volume = 1, .slot = (uint16_t)(whole->voxel & 511)};
            memcpy(cell.open, whole->open, sizeof cell.open);
            const struct voxel_area area = {.area = whole->face_area, .material = VOXELS_OPEN_FACE};
            cell.areas = copy_areas(voxels->area + voxels->area_count, &area, 1);
            put_cell(packing, streams, &cell);
            continue;
        }
        const size_t at = streams->part++, areas = cell.areas;
        const struct voxel_area *area = voxels->area + streams->shift + streams->area;
        streams->area += areas;
        if (has_state(parts, at, PART_DENSE)) {
            cell.areas = copy_areas(voxels->area + voxels->area_count, area, areas);
            put_cell(packing, streams, &cell);
        } else if (has_state(parts, at, 0)) {
            TRY(put_piece(packing, &cell, area, areas, (uint64_t)block << 16 | number));
        }
    }
}

static bool is_full(const uint64_t bits[8])
{
    uint64_t all = UINT64_MAX;
    for (int z = 0; z < 8; z++)
        all &= bits[z];
    return all == UINT64_MAX;
}

static int pack_block(struct packing *packing, size_t block, struct streams *streams)
{
    const struct cell_field *field = &packing->field;
    struct voxels *voxels = &packing->voxels;
    const size_t bin = cell_field_bin(field, field->block[block]), pieces = voxels->piece_count;
    struct voxel_detail detail = {.first_cell = voxels->cell_count, .first_area = voxels->area_count};
    streams->detail = &detail;
    cell_field_air(field, field->block[block], detail.air);
    for (int z = 0; z < 8 && bin != SIZE_MAX; z++)
        detail.air[z] &= ~field->met[bin][z];
    TRY(pack_cells(packing, block, streams));
    if (block_bits_count(detail.air) == 0)
        return 0;
    packing->block[block] = (uint32_t)voxels->block_count;
    struct voxel_block *to = &voxels->block[voxels->block_count++];
    memcpy(to->place, field->block[block], sizeof to->place);
    to->detail = VOXELS_OPEN_AIR;
    for (size_t p = pieces; p < voxels->piece_count; p++)
        voxels->piece[p].block = packing->block[block];
    if (detail.cell_count == 0 && is_full(detail.air))
        return 0;
    struct voxel_detail *grown = array_room(voxels->detail, &packing->detail_room, voxels->detail_count + 1,
                                            sizeof *grown, purpose, packing->failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    voxels->detail = grown;
    to->detail = (uint32_t)voxels->detail_count;
    voxels->detail[voxels->detail_count++] = detail;
    return 0;
}

/** Number of an end of an opening in voxels. */
static uint64_t final_end(const struct packing *packing, uint64_t end)
{
    if ((end & VOXELS_PIECE) == 0)
        return (uint64_t)packing->block[end >> 16] << 9 | (PART_VOXEL(end) & 511);
    const uint64_t id = end & ~VOXELS_PIECE;
    size_t first = 0, count = packing->voxels.piece_count;
    while (count != 0) {
        const size_t half = count / 2;
        if (packing->piece_id[first + half] < id) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return VOXELS_PIECE | first;
}

static int compare_openings(const void *left, const void *right)
{
    const struct voxel_opening *a = left, *b = right;
    for (int e = 0; e < 2; e++)
        if (a->end[e] != b->end[e])
            return a->end[e] < b->end[e] ? -1 : 1;
    return 0;
}

/** Release the unused end of an array. */
static void *shrink_array(void *array, size_t bytes)
{
    void *small = realloc(array, bytes + 1);
    return small != NULL ? small : array;
}

static int pack_air(struct packing *packing)
{
    struct voxels *voxels = &packing->voxels;
    struct air_parts *parts = &packing->parts;
    struct streams streams = {.shift = packing->whole_count};
    const size_t more = packing->whole_count, blocks = packing->field.block_count;
    /* Cells are packed in place: parts lie further up in the same array. */
    voxels->cell = realloc(parts->cell, (parts->count + more + 1) * sizeof *voxels->cell);
    if (voxels->cell == NULL)
        return failure_memory(packing->failure, (parts->count + more) * sizeof *voxels->cell, purpose);
    parts->cell = NULL;
    voxels->area = realloc(parts->area, (parts->area_count + more + 1) * sizeof *voxels->area);
    if (voxels->area == NULL)
        return failure_memory(packing->failure, (parts->area_count + more) * sizeof *voxels->area, purpose);
    parts->area = NULL;
    memmove(voxels->cell + more, voxels->cell, parts->count * sizeof *voxels->cell);
    memmove(voxels->area + more, voxels->area, parts->area_count * sizeof *voxels->area);
    voxels->block = malloc((blocks + 1) * sizeof *voxels->block);
    packing->block = malloc((blocks + 1) * sizeof *packing->block);
    if (voxels->block == NULL || packing->block == NULL || blocks >= VOXELS_OPEN_AIR)
        return failure_memory(packing->failure, blocks * sizeof *voxels->block, purpose);
    for (size_t block = 0; block < blocks; block++)
        TRY(pack_block(packing, block, &streams));
    if (packing->piece_area_count > 0)
        memcpy(voxels->area + voxels->area_count, packing->piece_area,
               packing->piece_area_count * sizeof *voxels->area);
    for (size_t p = 0; p < voxels->piece_count; p++)
        voxels->piece[p].first_area += voxels->area_count;
    voxels->area_count += packing->piece_area_count;
    for (size_t i = 0; i < voxels->opening_count; i++) {
        struct voxel_opening *opening = &voxels->opening[i];
        const uint64_t a = final_end(packing, opening->end[0]), b = final_end(packing, opening->end[1]);
        opening->end[0] = a < b ? a : b;
        opening->end[1] = a < b ? b : a;
    }
    if (voxels->opening_count > 0)
        qsort(voxels->opening, voxels->opening_count, sizeof *voxels->opening, compare_openings);
    voxels->cell = shrink_array(voxels->cell, voxels->cell_count * sizeof *voxels->cell);
    voxels->area = shrink_array(voxels->area, voxels->area_count * sizeof *voxels->area);
    voxels->detail = shrink_array(voxels->detail, voxels->detail_count * sizeof *voxels->detail);
    voxels->block = shrink_array(voxels->block, voxels->block_count * sizeof *voxels->block);
    voxels->cells = true;
    voxels_measure(voxels);
    return 0;
}

int air_cells_make(const struct room_cuts *room, const uint16_t *back, const struct flood *flood,
                   struct voxels *out, struct failure *failure)
{
    struct packing packing = {.threads = room->threads > 0 ? room->threads : omp_get_max_threads(),
                              .voxels = {.lattice = flood->field->lattice},
                              .failure = failure};
    int result = 0;
    if ((result = contact_faces_make(room->mesh, &packing.voxels.lattice, back, &packing.face, failure)) !=
            0 ||
        (result = cell_field_make(room, flood, packing.threads, &packing.field, failure)) != 0 ||
        (result = air_parts_make(&packing.field, packing.face, packing.threads, &packing.parts, failure)) !=
            0 ||
        (result = air_parts_decide(&packing.parts, failure)) != 0)
        goto done;
    share_openings(&packing);
    choose_nodes(&packing);
    if ((result = place_links(&packing)) != 0 || (result = list_whole(&packing)) != 0 ||
        (result = pack_air(&packing)) != 0)
        goto done;
    *out = packing.voxels;
    packing.voxels = (struct voxels){0};
done:
    packing_free(&packing);
    return result;
}
