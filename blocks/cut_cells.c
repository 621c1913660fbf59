#include "blocks/cut_cells.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/link_tiles.h"
#include "geometry/base/lower_bound.h"

/* ---- openings of pieces ----------------------------------------------------------------------------------
 */

static int by_end(const void *a, const void *b)
{
    const struct opening_side *left = a, *right = b;
    if (left->end != right->end)
        return left->end < right->end ? -1 : 1;
    return (left->opening > right->opening) - (left->opening < right->opening);
}

/* True if the grid has a link for the opening. */
static bool is_link(const struct cut_room *room, const struct voxel_opening *opening)
{
    return cut_parts(opening->open) > 0 &&
           (room->slivers.count == 0 || (cut_slivers_gone(&room->slivers, opening->end[0]) == NULL &&
                                         cut_slivers_gone(&room->slivers, opening->end[1]) == NULL));
}

/* Find, from both ends of all openings, the pieces to keep and the nodes with openings to pieces. */
static int find_ends(struct cut_room *room, const struct opening_side *side, size_t sides,
                     struct failure *failure)
{
    const struct voxels *const voxels = room->voxels;
    const size_t bytes = voxels->piece_count + sides * sizeof *room->end;
    room->kept = calloc(voxels->piece_count, 1);
    room->end = malloc(sides * sizeof *room->end);
    if (room->kept == NULL || room->end == NULL)
        return failure_memory(failure, bytes, "openings of pieces");
    for (size_t s = 0; s < sides; s++) {
        const uint64_t end = side[s].end;
        if (!is_link(room, &room->opening[side[s].opening]))
            continue;
        room->links++;
        if (end & VOXELS_PIECE)
            room->kept[end & ~VOXELS_PIECE] = true;
        else if (room->ends == 0 || end != room->end[room->ends - 1])
            room->end[room->ends++] = end;
    }
    room->links /= 2; /* seen from both ends */
    for (size_t p = 0; p < voxels->piece_count; p++)
        room->list_nodes += room->kept[p];
    return 0;
}

/* Both ends of all openings, rising; owned by the caller. */
static int sort_sides(const struct voxel_opening *opening, size_t openings, struct opening_side **out,
                      struct failure *failure)
{
    const size_t sides = 2 * openings;
    struct opening_side *const side = *out = malloc((sides + 1) * sizeof *side);
    if (side == NULL)
        return failure_memory(failure, sides * sizeof *side, "openings of pieces");
    for (size_t s = 0; s < sides; s++)
        side[s] = (struct opening_side){opening[s / 2].end[s % 2], s / 2};
    qsort(side, sides, sizeof *side, by_end);
    return 0;
}

/* Join the openings of the voxels and those of slabs. */
static int join_openings(struct cut_room *room, struct failure *failure)
{
    const size_t own = room->voxels->opening_count;
    if (room->slabs.openings == 0)
        return 0;
    room->openings = own + room->slabs.openings;
    room->opening = room->joined = malloc(room->openings * sizeof *room->joined);
    if (room->joined == NULL)
        return failure_memory(failure, room->openings * sizeof *room->joined, "openings of slabs");
    if (own > 0)
        memcpy(room->joined, room->voxels->opening, own * sizeof *room->joined);
    memcpy(room->joined + own, room->slabs.opening, room->slabs.openings * sizeof *room->joined);
    return 0;
}

int cut_room_start(const struct voxels *voxels, bool merge_slabs, struct cut_room *out,
                   struct failure *failure)
{
    *out = (struct cut_room){.voxels = voxels, .openings = voxels->opening_count, .opening = voxels->opening};
    if (!voxels->cells)
        return 0;
    struct opening_side *side = NULL;
    int code = sort_sides(out->opening, out->openings, &side, failure);
    if (code == 0)
        code = cut_slivers_find(voxels, side, 2 * out->openings, &out->slivers, failure);
    if (code == 0 && merge_slabs)
        code = cut_slabs_find(voxels, side, 2 * out->openings, &out->slivers, &out->slabs, failure);
    if (code == 0)
        code = join_openings(out, failure);
    if (code == 0 && out->joined != NULL) {
        free(side);
        code = sort_sides(out->opening, out->openings, &side, failure);
    }
    if (code == 0 && out->openings > 0)
        code = find_ends(out, side, 2 * out->openings, failure);
    free(side);
    if (code != 0)
        cut_room_free(out);
    return code;
}

void cut_room_free(struct cut_room *room)
{
    cut_slivers_free(&room->slivers);
    cut_slabs_free(&room->slabs);
    free(room->joined);
    free(room->kept);
    free(room->end);
    free(room->list);
    *room = (struct cut_room){0};
}

/* First of the ends that is not below `end`. */
static size_t ends_from(const struct cut_room *room, uint64_t end)
{
    size_t low = 0, high = room->ends;
    LOWER_BOUND(low, high, at, room->end[at] < end);
    return low;
}

/* ---- one block -------------------------------------------------------------------------------------------
 */

/* Add the record and wall entries of one node or piece; nothing for a whole open one. */
static void add_node(const struct voxel_cell *cell, const struct voxel_area *area, bool extra, unsigned slot,
                     struct cut_block *out)
{
    struct cut_cell cut = {.volume = cut_parts(cell->volume)};
    cut.volume = cut.volume > 0 ? cut.volume : 1;
    bool whole = cut.volume == CUT_WHOLE && !extra;
    for (int d = 0; d < DIRECTIONS; d++) {
        cut.open[d] = out->links[slot] >> d & 1 ? cut_parts(cell->open[d]) : 0;
        whole = whole && cut.open[d] == CUT_WHOLE;
    }
    const unsigned first = out->walls;
    for (unsigned m = 0; m < cell->areas; m++) {
        const unsigned mark = out->walls > first ? WALL_CONTINUES : 0;
        if (area[m].area > 0)
            out->wall[out->walls++] = (struct wall){(uint16_t)(slot | mark), area[m].material, area[m].area};
    }
    const uint64_t bit = UINT64_C(1) << (slot & 63);
    if (out->walls > first) {
        out->marks.wall[slot >> 6] |= bit;
        out->wall_nodes++;
    } else if (whole) {
        return;
    }
    out->marks.cut[slot >> 6] |= bit;
    out->cut[out->cuts++] = cut;
}

/* The same with the slivers from *merged on that the node or piece absorbs; *merged moves past them. */
static void add_with_slivers(const struct cut_slivers *slivers, size_t *merged, uint64_t into,
                             const struct voxel_cell *cell, const struct voxel_area *area, bool extra,
                             unsigned slot, struct cut_block *out)
{
    if (*merged == slivers->count || slivers->merged[*merged].into != into) {
        add_node(cell, area, extra, slot, out);
        return;
    }
    struct voxel_area sum[VOXELS_AREAS_MAX];
    struct voxel_cell larger = *cell;
    unsigned areas = cut_slivers_add_areas(sum, 0, area, cell->areas);
    for (; *merged < slivers->count && slivers->merged[*merged].into == into; ++*merged) {
        const struct merged_sliver *const sliver = &slivers->merged[*merged];
        larger.volume += sliver->cell->volume;
        areas = cut_slivers_add_areas(sum, areas, sliver->area, sliver->cell->areas);
    }
    larger.areas = (uint16_t)areas;
    add_node(&larger, sum, extra, slot, out);
}

/* Further pieces n x 512 .. of the list. */
static void list_block(const struct cut_room *room, size_t n, struct cut_block *out)
{
    const struct voxels *const voxels = room->voxels;
    const size_t first = n * BLOCK_NODES;
    size_t piece = SIZE_MAX, passed = 0;
    for (unsigned slot = 0; slot < BLOCK_NODES && first + slot < room->list_nodes; slot++) {
        if (room->list != NULL)
            piece = room->list[first + slot];
        else /* in their own order, only kept pieces */
            while (passed <= first + slot)
                passed += room->kept[++piece];
        const uint64_t into = VOXELS_PIECE | piece;
        size_t merged = cut_slivers_into(&room->slivers, into);
        add_with_slivers(&room->slivers, &merged, into, &voxels->piece[piece].cell,
                         voxels->area + voxels->piece[piece].first_area, true, slot, out);
    }
}

/* Links of nodes without a cell are whole or cut. Nodes with a cell have openings, and lose those too narrow
 * for a byte. */
static void detail_links(const struct voxels *voxels, const struct voxel_detail *detail,
                         struct cut_block *out)
{
    link_tile_read(detail, out->links);
    for (uint32_t c = 0; c < detail->cell_count; c++) {
        const struct voxel_cell *const cell = &voxels->cell[detail->first_cell + c];
        for (int d = 0; d < DIRECTIONS; d++)
            if (cut_parts(cell->open[d]) == 0)
                out->links[cell->slot] &= (uint8_t) ~(1u << d);
    }
}

/* Links of slivers that are merged, and to them. */
static void close_links(const struct cut_slivers *slivers, uint64_t first, struct cut_block *out)
{
    for (size_t g = cut_slivers_from(slivers, first);
         g < slivers->count && slivers->by_from[g].from < first + BLOCK_NODES; g++)
        out->links[slivers->by_from[g].from % BLOCK_NODES] = 0;
    for (size_t m = cut_slivers_into(slivers, first);
         m < slivers->count && slivers->merged[m].into < first + BLOCK_NODES; m++)
        if (slivers->merged[m].direction < DIRECTIONS)
            out->links[slivers->merged[m].into % BLOCK_NODES] &=
                (uint8_t) ~(1u << slivers->merged[m].direction);
}

/* Set the link bits of openings that slabs changed. */
static void change_links(const struct cut_slabs *slabs, uint64_t first, struct cut_block *out)
{
    for (size_t f = cut_slabs_from(slabs, first);
         f < slabs->faces && slabs->face[f].node < first + BLOCK_NODES; f++) {
        const unsigned slot = (unsigned)(slabs->face[f].node % BLOCK_NODES),
                       bit = 1u << slabs->face[f].direction;
        out->links[slot] =
            (uint8_t)(cut_parts(slabs->face[f].open) > 0 ? out->links[slot] | bit : out->links[slot] & ~bit);
    }
}

/* A cell with its openings after slabs changed them. */
static struct voxel_cell changed_cell(const struct cut_slabs *slabs, uint64_t node,
                                      const struct voxel_cell *cell)
{
    struct voxel_cell changed = *cell;
    for (size_t f = cut_slabs_from(slabs, node); f < slabs->faces && slabs->face[f].node == node; f++)
        changed.open[slabs->face[f].direction] = slabs->face[f].open;
    return changed;
}

bool cut_room_block(const struct cut_room *room, size_t index, struct cut_block *out)
{
    static const struct voxel_detail open_air = {.air = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                                         UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    static const struct voxel_cell whole = {.open = {1, 1, 1, 1, 1, 1}, .volume = 1};
    const struct voxels *const voxels = room->voxels;
    const struct cut_slivers *const slivers = &room->slivers;
    const uint64_t first = (uint64_t)index * BLOCK_NODES;
    size_t merged = cut_slivers_into(slivers, first);
    const bool takes = merged < slivers->count && slivers->merged[merged].into < first + BLOCK_NODES;
    if (index < voxels->block_count && voxels->block[index].detail == VOXELS_OPEN_AIR && !takes)
        return false;
    memset(&out->marks, 0, sizeof out->marks);
    out->cuts = out->walls = out->wall_nodes = 0;
    if (index >= voxels->block_count) {
        memset(out->links, 0, sizeof out->links);
        list_block(room, index - voxels->block_count, out);
        return true;
    }
    const uint32_t number = voxels->block[index].detail;
    const struct voxel_detail *const detail = number == VOXELS_OPEN_AIR ? &open_air : &voxels->detail[number];
    detail_links(voxels, detail, out);
    close_links(slivers, first, out);
    change_links(&room->slabs, first, out);
    const struct voxel_cell *cell = voxels->cell + detail->first_cell, *const past =
                                                                           cell + detail->cell_count;
    const struct voxel_area *area = voxels->area + detail->first_area;
    size_t end = ends_from(room, first);
    while (true) {
        const uint64_t node = cell < past ? first + cell->slot : UINT64_MAX,
                       into = merged < slivers->count ? slivers->merged[merged].into : UINT64_MAX;
        if (into < node && into < first + BLOCK_NODES) {
            const struct voxel_cell taker = changed_cell(&room->slabs, into, &whole);
            add_with_slivers(slivers, &merged, into, &taker, NULL, false, (unsigned)(into % BLOCK_NODES),
                             out);
            continue;
        }
        if (cell == past)
            return true;
        while (end < room->ends && room->end[end] < node)
            end++;
        const bool extra = end < room->ends && room->end[end] == node;
        const struct voxel_cell changed = changed_cell(&room->slabs, node, cell);
        if (out->links[cell->slot] != 0 || extra)
            add_with_slivers(slivers, &merged, node, &changed, area, extra, cell->slot, out);
        area += cell->areas;
        cell++;
    }
}

/* ---- the whole grid --------------------------------------------------------------------------------------
 */

struct numbered_piece {
    block_id id;
    uint32_t piece;
};

static int by_id_then_piece(const void *a, const void *b)
{
    const struct numbered_piece *left = a, *right = b;
    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return (left->piece > right->piece) - (left->piece < right->piece);
}

int cut_room_number(struct cut_room *room, const block_id *id, struct failure *failure)
{
    const struct voxels *const voxels = room->voxels;
    const size_t count = room->list_nodes,
                 bytes = count * (sizeof *room->list + sizeof(struct numbered_piece));
    if (count == 0)
        return 0;
    struct numbered_piece *numbered = malloc(count * sizeof *numbered);
    room->list = malloc(count * sizeof *room->list);
    if (numbered == NULL || room->list == NULL) {
        free(numbered);
        return failure_memory(failure, bytes, "numbering further pieces of air");
    }
    size_t filled = 0;
    for (size_t p = 0; p < voxels->piece_count; p++)
        if (room->kept[p])
            numbered[filled++] = (struct numbered_piece){id[voxels->piece[p].block], (uint32_t)p};
    qsort(numbered, count, sizeof *numbered, by_id_then_piece);
    for (size_t n = 0; n < count; n++)
        room->list[n] = numbered[n].piece;
    free(numbered);
    return 0;
}

static int fill_records(const struct cut_room *room, const uint32_t *index, struct block_grid *grid,
                        struct failure *failure)
{
    uint64_t *const first = grid->cut_first = calloc((size_t)grid->blocks + 2, sizeof *first);
    if (first == NULL)
        return failure_memory(failure, ((size_t)grid->blocks + 2) * sizeof *first, "ranges of cut nodes");
    for (block_id b = 1; b <= grid->blocks; b++) {
        first[b + 1] = first[b];
        for (int z = 0; z < BLOCK_EDGE; z++)
            first[b + 1] += (uint64_t)__builtin_popcountll(grid->marks[grid->block[b].tile].cut[z]);
    }
    grid->cuts = first[grid->blocks + 1];
    /* One more than needed, so that a room without cut nodes has arrays too. */
    const size_t count = (size_t)grid->cuts + 1;
    grid->cut = malloc(count * sizeof *grid->cut);
    grid->gain = calloc(count, sizeof *grid->gain);
    if (grid->cut == NULL || grid->gain == NULL)
        return failure_memory(failure, count * (sizeof *grid->cut + sizeof *grid->gain), "cut nodes");
#pragma omp parallel for schedule(dynamic, 1024)
    for (block_id b = 1; b <= grid->blocks; b++) {
        struct cut_block block;
        if (first[b + 1] > first[b] && cut_room_block(room, index[b - 1], &block))
            memcpy(grid->cut + first[b], block.cut, block.cuts * sizeof *block.cut);
    }
    return 0;
}

/* A link from one end: from, to = block x 512 + slot in the grid. */
struct sorted_link {
    uint64_t from, to;
    uint8_t open;
};

static int by_from_then_to(const void *a, const void *b)
{
    const struct sorted_link *left = a, *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return (left->to > right->to) - (left->to < right->to);
}

/* Position of an end in the grid, as block x 512 + slot; `node` (piece_count) holds the positions of pieces.
 */
static uint64_t node_of(uint64_t end, const block_id *id, const uint64_t *node)
{
    return end & VOXELS_PIECE ? node[end & ~VOXELS_PIECE]
                              : (uint64_t)id[end / BLOCK_NODES] * BLOCK_NODES + end % BLOCK_NODES;
}

/* Both ends of every opening, in the grid's order. */
static void sort_links(const struct cut_room *room, const block_id *id, const uint64_t *node,
                       struct sorted_link *link)
{
    size_t links = 0;
    for (size_t o = 0; o < room->openings; o++) {
        const struct voxel_opening *const opening = &room->opening[o];
        const uint8_t open = cut_parts(opening->open);
        uint64_t end[2];
        if (!is_link(room, opening))
            continue;
        for (int e = 0; e < 2; e++)
            end[e] = node_of(opening->end[e], id, node);
        link[links++] = (struct sorted_link){end[0], end[1], open};
        link[links++] = (struct sorted_link){end[1], end[0], open};
    }
    qsort(link, links, sizeof *link, by_from_then_to);
}

static int fill_links(const struct cut_room *room, const block_id *id, struct block_grid *grid,
                      struct failure *failure)
{
    const struct voxels *const voxels = room->voxels;
    const size_t links = 2 * room->links,
                 bytes = voxels->piece_count * sizeof(uint64_t) +
                         links * (sizeof(struct sorted_link) + sizeof *grid->extra_link);
    uint64_t *node = malloc((voxels->piece_count + 1) * sizeof *node);
    struct sorted_link *link = malloc((links + 1) * sizeof *link);
    int code = 0;
    grid->extra_nodes = room->ends + room->list_nodes;
    grid->extra_links = links;
    grid->merged = room->slivers.nodes;
    grid->extra_node = calloc((size_t)grid->extra_nodes + 1, sizeof *grid->extra_node);
    grid->extra_link = calloc(links + 1, sizeof *grid->extra_link);
    grid->list_voxel = malloc((room->list_nodes + 1) * sizeof *grid->list_voxel);
    grid->merged_node = malloc((room->slivers.nodes + 1) * sizeof *grid->merged_node);
    if (grid->merged_node == NULL || node == NULL || link == NULL || grid->extra_node == NULL ||
        grid->extra_link == NULL || grid->list_voxel == NULL) {
        code = failure_memory(failure, bytes, "further pieces of air");
        goto done;
    }
    for (size_t n = 0; n < room->list_nodes; n++) {
        const struct voxel_piece *const piece = &voxels->piece[room->list[n]];
        const int32_t *const place = voxels->block[piece->block].place;
        const struct block block = {.place = {place[0], place[1], place[2]}};
        block_node(&block, piece->cell.slot, grid->list_voxel[n]);
        node[room->list[n]] = (uint64_t)block_list_first(grid) * BLOCK_NODES + n;
    }
    for (size_t m = 0; m < grid->merged; m++) {
        const struct merged_sliver *const sliver = &room->slivers.by_from[m];
        const uint64_t into = node_of(sliver->into, id, node);
        struct merged_node *const out = &grid->merged_node[m];
        memcpy(out->place, voxels->block[sliver->from / BLOCK_NODES].place, sizeof out->place);
        out->slot = (uint16_t)(sliver->from % BLOCK_NODES);
        out->into = (uint16_t)(into % BLOCK_NODES);
        out->block = (uint32_t)(into / BLOCK_NODES);
    }
    sort_links(room, id, node, link);
    struct extra_node *extra = grid->extra_node;
    for (size_t k = 0; k < links; k++) {
        if (k > 0 && link[k].from != link[k - 1].from)
            extra++;
        if (extra->links++ == 0) {
            extra->block = (uint32_t)(link[k].from / BLOCK_NODES);
            extra->slot = (uint16_t)(link[k].from % BLOCK_NODES);
            extra->first = k;
        }
        grid->extra_link[k] = (struct extra_link){.block = (uint32_t)(link[k].to / BLOCK_NODES),
                                                  .slot = (uint16_t)(link[k].to % BLOCK_NODES),
                                                  .open = link[k].open};
    }
done:
    free(node);
    free(link);
    return code;
}

int cut_room_fill(const struct cut_room *room, const block_id *id, const uint32_t *index,
                  struct block_grid *grid, struct failure *failure)
{
    TRY(fill_records(room, index, grid, failure));
    return fill_links(room, id, grid, failure);
}
