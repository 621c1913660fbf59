#include "geometry/cell/air_parts.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"

#define BATCH 512 /* blocks whose parts wait to be appended */

static const char purpose[] = "the air in voxels at walls";

/** Data of one block to be appended. Reused. */
struct block_parts {
    size_t count, area_count, link_count;
    struct voxel_cell *cell;
    uint8_t *state;
    struct voxel_area *area;
    struct part_link *link;
    size_t cell_room, state_room, area_room, link_room;
};

/** The work on one block. */
struct listing {
    const struct cell_field *field;
    const struct contact_face *face;
    struct block_cut *cut;
    struct block_parts *out;
    size_t block[27]; /* numbers of the blocks in the window, where they are needed */
    struct failure *failure;
};

void air_parts_free(struct air_parts *parts)
{
    free(parts->first);
    free(parts->first_area);
    free(parts->cell);
    free(parts->state);
    free(parts->area);
    free(parts->link);
    *parts = (struct air_parts){0};
}

/** Index of a part in cell[]; NO_PART for a whole voxel and outside. */
static uint32_t find_part(const struct air_parts *parts, uint64_t id)
{
    if (id >= PART_FACE || part_is_whole(id))
        return NO_PART;
    size_t first = parts->first[id >> 16];
    const size_t end = parts->first[(id >> 16) + 1];
    size_t count = end - first;
    while (count != 0) {
        const size_t half = count / 2;
        if (parts->cell[first + half].slot < (id & 0xFFFF)) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first < end && parts->cell[first].slot == (id & 0xFFFF) ? (uint32_t)first : NO_PART;
}

static void block_parts_free(struct block_parts *parts)
{
    free(parts->cell);
    free(parts->state);
    free(parts->area);
    free(parts->link);
}

static void next_voxel(const int at[3], int direction, int next[3])
{
    memcpy(next, at, 3 * sizeof *next);
    next[direction / 2] += direction % 2 == 0 ? -1 : 1;
}

static bool in_box(const struct listing *listing, const int at[3])
{
    int64_t node[3];
    cell_window_node(&listing->cut->window, at, node);
    return lattice_has(&listing->field->flood->field->lattice, node);
}

static uint64_t id_of(const struct listing *listing, const int at[3], unsigned part)
{
    return part_id(listing->block[cell_window_block(at)], cell_slot(at), part);
}

static int add_link(const struct listing *listing, uint64_t a, uint64_t b, double open, int direction)
{
    struct block_parts *out = listing->out;
    if (!(open > 0))
        return 0;
    struct part_link *grown =
        array_room(out->link, &out->link_room, out->link_count + 1, sizeof *grown, purpose, listing->failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    out->link = grown;
    out->link[out->link_count++] =
        (struct part_link){.end = {a, b}, .open = (float)open, .direction = (uint8_t)direction};
    return 0;
}

#define AREAS_AT_FIRST 24

/** Areas by material, rising; once full, further areas are added to the largest. */
struct area_sum {
    int count;
    double area[AREAS_AT_FIRST];
    uint16_t material[AREAS_AT_FIRST];
};

static int largest_of(const struct area_sum *sum)
{
    int largest = 0;
    for (int i = 1; i < sum->count; i++)
        if (sum->area[i] > sum->area[largest])
            largest = i;
    return largest;
}

static void add_area(struct area_sum *sum, uint16_t material, double area)
{
    int i = 0;
    while (i < sum->count && sum->material[i] < material)
        i++;
    if (i < sum->count && sum->material[i] == material) {
        sum->area[i] += area;
        return;
    }
    if (sum->count == AREAS_AT_FIRST) {
        sum->area[largest_of(sum)] += area;
        return;
    }
    for (int k = sum->count++; k > i; k--) {
        sum->area[k] = sum->area[k - 1];
        sum->material[k] = sum->material[k - 1];
    }
    sum->area[i] = area;
    sum->material[i] = material;
}

static void limit_areas(struct area_sum *sum, int most)
{
    while (sum->count > most) {
        int least = 0;
        for (int i = 1; i < sum->count; i++)
            if (sum->area[i] < sum->area[least])
                least = i;
        const double area = sum->area[least];
        sum->count--;
        for (int i = least; i < sum->count; i++) {
            sum->area[i] = sum->area[i + 1];
            sum->material[i] = sum->material[i + 1];
        }
        sum->area[largest_of(sum)] += area;
    }
}

/** List the areas of a part of the voxel that was cut last; with room for areas of open faces if it may get
 * some. */
static int list_areas(const struct listing *listing, size_t p, bool at_edge, double open_face,
                      struct voxel_cell *cell)
{
    const struct cell_parts *last = &listing->cut->last;
    struct block_parts *out = listing->out;
    struct area_sum sum = {0};
    for (uint32_t i = 0; i < last->part[p].patches; i++) {
        const struct cell_patch *patch = &last->patch[last->part[p].first_patch + i];
        add_area(&sum, listing->face[patch->triangle].material[patch->back ? FACE_BACK : FACE_FRONT],
                 patch->area);
    }
    limit_areas(&sum, VOXELS_AREAS_MAX - at_edge);
    if (at_edge)
        add_area(&sum, VOXELS_OPEN_FACE, open_face);
    struct voxel_area *grown = array_room(out->area, &out->area_room, out->area_count + VOXELS_AREAS_MAX,
                                          sizeof *grown, purpose, listing->failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    out->area = grown;
    cell->areas = (uint16_t)sum.count;
    for (int i = 0; i < sum.count; i++)
        out->area[out->area_count++] =
            (struct voxel_area){.area = (float)sum.area[i], .material = sum.material[i]};
    return 0;
}

/** Add a part to the list; its openings to voxels without triangles are known. */
static int list_part(const struct listing *listing, const int at[3], unsigned p)
{
    const struct cut_voxel *voxel = block_cut_voxel(listing->cut, at);
    struct cut_part *part = &listing->cut->part[voxel->first_part + p];
    const struct cell_window *window = &listing->cut->window;
    struct block_parts *out = listing->out;
    const bool dense = p == voxel->dense, open_scene = listing->field->room->open;
    struct voxel_cell cell = {.volume = (float)part->volume, .slot = (uint16_t)part_id(0, cell_slot(at), p)};
    double open_face = 0;
    bool at_edge = false;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int next[3];
        next_voxel(at, direction, next);
        at_edge = at_edge || (open_scene && !in_box(listing, next));
        if (part->face[direction] <= CELL_OPENING_LEAST || cell_window_met(window, next))
            continue;
        const double open = part->face[direction] * (double)part->factor[direction];
        if (cell_window_air(window, next)) {
            if (dense)
                cell.open[direction] = (float)open;
            else
                TRY(add_link(listing, id_of(listing, at, p), id_of(listing, next, PART_WHOLE), open,
                             direction));
            continue;
        }
        if (open_scene && !in_box(listing, next))
            open_face += open;
        if (part->state == PART_OPEN)
            TRY(add_link(listing, id_of(listing, at, p), PART_OUTSIDE, open, direction));
    }
    TRY(list_areas(listing, p, at_edge, open_face, &cell));
    struct voxel_cell *grown =
        array_room(out->cell, &out->cell_room, out->count + 1, sizeof *grown, purpose, listing->failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    out->cell = grown;
    uint8_t *state =
        array_room(out->state, &out->state_room, out->count + 1, sizeof *state, purpose, listing->failure);
    if (state == NULL)
        return FAILURE_CAPACITY;
    out->state = state;
    out->cell[out->count] = cell;
    out->state[out->count] = (uint8_t)(part->state | (dense ? PART_DENSE : 0));
    part->record = (uint32_t)out->count++;
    return 0;
}

/** List openings between faces of the box of an open scene and parts outside that are not air. */
static int list_open_faces(const struct listing *listing, const int at[3], const struct cut_part *part)
{
    if (!listing->field->room->open || in_box(listing, at))
        return 0;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int next[3];
        next_voxel(at, direction, next);
        if (!cell_window_met(&listing->cut->window, next) && cell_window_air(&listing->cut->window, next) &&
            part->face[direction] > CELL_OPENING_LEAST)
            TRY(add_link(listing, id_of(listing, next, PART_WHOLE), PART_FACE,
                         part->face[direction] * (double)part->factor[direction], direction ^ 1));
    }
    return 0;
}

static int list_voxel(const struct listing *listing, const int at[3])
{
    TRY(block_cut_voxel_at(listing->field, listing->cut, at, listing->failure));
    const struct cut_voxel *voxel = block_cut_voxel(listing->cut, at);
    for (uint32_t p = 0; p < voxel->parts; p++) {
        const struct cut_part *part = &listing->cut->part[voxel->first_part + p];
        TRY(part->state != PART_NOT ? list_part(listing, at, p) : list_open_faces(listing, at, part));
    }
    return 0;
}

/** The opening between part `a` of a voxel and `b` of the next one up the axis, both cut. */
static int list_opening(const struct listing *listing, const int at[3], unsigned a, int axis,
                        const int next[3], unsigned b)
{
    const int up = 2 * axis + 1;
    const struct cut_voxel *from = block_cut_voxel(listing->cut, at),
                           *to = block_cut_voxel(listing->cut, next);
    const struct cut_part *here = &listing->cut->part[from->first_part + a],
                          *there = &listing->cut->part[to->first_part + b];
    const bool not_here = here->state == PART_NOT, not_there = there->state == PART_NOT;
    const bool faces =
        listing->field->room->open && not_here != not_there && !in_box(listing, not_here ? at : next);
    if ((not_here && not_there) ||
        ((not_here || not_there) && !faces && (not_here ? there : here)->state == PART_AIR))
        return 0;
    const double open = block_cut_opening(listing->cut, at, a, axis, b);
    const double left = opening_left(open, here->factor[up], there->factor[up ^ 1]);
    if (!not_here && !not_there) {
        if (a != from->dense || b != to->dense)
            return add_link(listing, id_of(listing, at, a), id_of(listing, next, b), left, up);
        listing->out->cell[here->record].open[up] = (float)left;
        return 0;
    }
    const uint64_t id = not_here ? id_of(listing, next, b) : id_of(listing, at, a);
    if ((not_here ? there : here)->state == PART_OPEN)
        TRY(add_link(listing, id, PART_OUTSIDE, left, not_here ? up ^ 1 : up));
    return faces ? add_link(listing, id, PART_FACE, left, not_here ? up ^ 1 : up) : 0;
}

static int list_openings(const struct listing *listing, const int at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int next[3];
        next_voxel(at, 2 * axis + 1, next);
        if (!cell_window_met(&listing->cut->window, next) ||
            listing->block[cell_window_block(next)] == SIZE_MAX)
            continue;
        if (!block_cut_voxel(listing->cut, next)->cut)
            TRY(block_cut_voxel_at(listing->field, listing->cut, next, listing->failure));
        const unsigned from = block_cut_voxel(listing->cut, at)->parts,
                       to = block_cut_voxel(listing->cut, next)->parts;
        for (unsigned a = 0; a < from; a++)
            for (unsigned b = 0; b < to; b++)
                TRY(list_opening(listing, at, a, axis, next, b));
    }
    return 0;
}

static void slot_place(unsigned slot, int at[3])
{
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (int)(slot >> 3 * axis & 7);
}

static int list_block(const struct cell_field *field, const struct contact_face *face, size_t block,
                      struct block_cut *cut, struct block_parts *out, struct failure *failure)
{
    struct listing listing = {.field = field, .face = face, .cut = cut, .out = out, .failure = failure};
    out->count = out->area_count = out->link_count = 0;
    const size_t bin = cell_field_bin(field, field->block[block]);
    if (bin == SIZE_MAX || !field->wanted[bin])
        return 0;
    TRY(block_cut_start(field, field->block[block], true, cut, failure));
    listing.block[CELL_WINDOW_MIDDLE] = block;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        static const int step[3] = {1, 3, 9};
        int32_t next[3];
        box_place_next(field->block[block], direction, next);
        listing.block[CELL_WINDOW_MIDDLE + (direction % 2 == 0 ? -1 : 1) * step[direction / 2]] =
            cell_field_block(field, next);
    }
    const uint64_t *met = cut->window.met[CELL_WINDOW_MIDDLE];
    int at[3];
    for (unsigned slot = 0; slot < 512; slot++)
        if (block_bits_has(met, slot)) {
            slot_place(slot, at);
            TRY(list_voxel(&listing, at));
        }
    for (unsigned slot = 0; slot < 512; slot++)
        if (block_bits_has(met, slot)) {
            slot_place(slot, at);
            TRY(list_openings(&listing, at));
        }
    return 0;
}

/** True if air, or undecided parts, of the block open to a voxel with triangles in the next one. */
static int find_crossing(const struct cell_field *field, struct block_cut *cut, int direction, bool *reaches,
                         struct failure *failure)
{
    const int axis = direction / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    int at[3], next[3];
    at[axis] = direction % 2 == 0 ? 0 : 7;
    *reaches = false;
    for (at[v] = 0; at[v] < 8; at[v]++)
        for (at[u] = 0; at[u] < 8; at[u]++) {
            next_voxel(at, direction, next);
            if (!cell_window_met(&cut->window, at) || !cell_window_met(&cut->window, next))
                continue;
            if (!block_cut_voxel(cut, at)->cut)
                TRY(block_cut_voxel_at(field, cut, at, failure));
            const struct cut_voxel *voxel = block_cut_voxel(cut, at);
            for (uint32_t p = 0; p < voxel->parts && !*reaches; p++)
                *reaches = cut->part[voxel->first_part + p].state != PART_NOT &&
                           cut->part[voxel->first_part + p].face[direction] > CELL_OPENING_LEAST;
            if (*reaches)
                return 0;
        }
    return 0;
}

/** Mark the blocks that air may enter from block `bin`. */
static int mark_next_blocks(struct cell_field *field, size_t bin, struct block_cut *cut,
                            struct failure *failure)
{
    int32_t place[3];
    bool started = false;
    block_key_place(field->bins.key[bin], place);
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int32_t next[3];
        bool reaches, wanted;
        box_place_next(place, direction, next);
        const size_t other = cell_field_bin(field, next);
        if (other == SIZE_MAX)
            continue;
#pragma omp atomic read
        wanted = field->wanted[other];
        if (wanted)
            continue;
        if (!started)
            TRY(block_cut_start(field, place, false, cut, failure));
        started = true;
        TRY(find_crossing(field, cut, direction, &reaches, failure));
        if (reaches) {
#pragma omp atomic write
            field->wanted[other] = true;
        }
    }
    return 0;
}

/** Mark all blocks that air may reach through voxels without air nodes. */
static int mark_reachable_blocks(struct cell_field *field, int threads, struct block_cut *cut,
                                 struct failure *failure)
{
    const size_t blocks = field->bins.block_count;
    uint32_t *list = malloc((blocks + 1) * sizeof *list);
    bool *seen = calloc(blocks + 1, sizeof *seen);
    size_t count = 1;
    int result = 0;
    if (list == NULL || seen == NULL)
        result = failure_memory(failure, blocks * sizeof *list, purpose);
    while (result == 0 && count > 0) {
        count = 0;
        for (size_t bin = 0; bin < blocks; bin++)
            if (field->wanted[bin] && !seen[bin]) {
                seen[bin] = true;
                list[count++] = (uint32_t)bin;
            }
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
        for (size_t i = 0; i < count; i++) {
            struct failure own = {0};
            const int failed = mark_next_blocks(field, list[i], &cut[omp_get_thread_num()], &own);
            if (failed != 0) {
#pragma omp critical(air_parts_failure)
                {
                    result = failed;
                    (void)failure_forward(failure, &own);
                }
            }
        }
    }
    free(list);
    free(seen);
    return result;
}

/** List the places that are marked or have air of the flood, in order. */
static int list_places(struct cell_field *field, struct failure *failure)
{
    const struct flood *flood = field->flood;
    const int64_t *blocks = flood->field->blocks;
    const uint64_t places = (uint64_t)blocks[0] * (uint64_t)blocks[1] * (uint64_t)blocks[2];
    size_t count = 0;
    for (uint64_t i = 0; i < places; i++)
        count += (flood->state[i] & FLOOD_REACHED) != 0;
    for (size_t bin = 0; bin < field->bins.block_count; bin++)
        count += field->wanted[bin];
    field->block = malloc((count + 1) * sizeof *field->block);
    if (field->block == NULL)
        return failure_memory(failure, count * sizeof *field->block, "the blocks of the air");
    size_t bin = 0;
    uint64_t index = 0;
    for (int32_t z = 0; z < blocks[2]; z++)
        for (int32_t y = 0; y < blocks[1]; y++)
            for (int32_t x = 0; x <= blocks[0]; x++) {
                const int32_t place[3] = {x, y, z};
                const uint64_t key = block_key(place);
                for (; bin < field->bins.block_count && field->bins.key[bin] < key; bin++)
                    if (field->wanted[bin])
                        block_key_place(field->bins.key[bin], field->block[field->block_count++]);
                if (x == blocks[0] || (flood->state[index++] & FLOOD_REACHED) == 0)
                    continue;
                memcpy(field->block[field->block_count++], place, sizeof place);
                bin += bin < field->bins.block_count && field->bins.key[bin] == key;
            }
    for (; bin < field->bins.block_count; bin++)
        if (field->wanted[bin])
            block_key_place(field->bins.key[bin], field->block[field->block_count++]);
    return 0;
}

/** Append `more` items to an array. */
#define APPEND(array, room, count, from, more)                                                               \
    do {                                                                                                     \
        void *grown_ =                                                                                       \
            array_room((array), &(room), (count) + (more) + 1, sizeof *(array), purpose, failure);           \
        if (grown_ == NULL)                                                                                  \
            return FAILURE_CAPACITY;                                                                         \
        (array) = grown_;                                                                                    \
        if ((more) > 0)                                                                                      \
            memcpy((array) + (count), (from), (more) * sizeof *(array));                                     \
    } while (0)

static int append_block(struct air_parts *all, const struct block_parts *block, struct failure *failure)
{
    APPEND(all->cell, all->cell_room, all->count, block->cell, block->count);
    APPEND(all->state, all->state_room, all->count, block->state, block->count);
    APPEND(all->area, all->area_room, all->area_count, block->area, block->area_count);
    APPEND(all->link, all->link_room, all->link_count, block->link, block->link_count);
    all->count += block->count;
    all->area_count += block->area_count;
    all->link_count += block->link_count;
    return 0;
}

static int list_all(const struct cell_field *field, const struct contact_face *face, int threads,
                    struct block_cut *cut, struct block_parts *batch, struct air_parts *all,
                    struct failure *failure)
{
    const volatile sig_atomic_t *interrupted = field->flood->field->interrupted;
    int result = 0;
    for (size_t first = 0; first < field->block_count; first += BATCH) {
        const size_t end = first + BATCH < field->block_count ? first + BATCH : field->block_count;
        if (interrupted != NULL && *interrupted != 0)
            return failure_interrupted(failure);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (size_t block = first; block < end; block++) {
            struct failure own = {0};
            const int failed =
                list_block(field, face, block, &cut[omp_get_thread_num()], &batch[block - first], &own);
            if (failed != 0) {
#pragma omp critical(air_parts_failure)
                {
                    result = failed;
                    (void)failure_forward(failure, &own);
                }
            }
        }
        TRY(result);
        for (size_t block = first; block < end; block++) {
            all->first[block] = all->count;
            all->first_area[block] = all->area_count;
            TRY(append_block(all, &batch[block - first], failure));
        }
    }
    all->first[field->block_count] = all->count;
    all->first_area[field->block_count] = all->area_count;
    return 0;
}

int air_parts_make(struct cell_field *field, const struct contact_face *face, int threads,
                   struct air_parts *out, struct failure *failure)
{
    struct air_parts all = {0};
    struct block_cut *cut = calloc((size_t)threads, sizeof *cut);
    struct block_parts *batch = calloc(BATCH, sizeof *batch);
    int result = 0;
    if (cut == NULL || batch == NULL) {
        result = failure_memory(failure, (size_t)threads * sizeof *cut + BATCH * sizeof *batch, purpose);
        goto done;
    }
    if ((result = mark_reachable_blocks(field, threads, cut, failure)) != 0 ||
        (result = list_places(field, failure)) != 0)
        goto done;
    all.first = calloc(field->block_count + 1, sizeof *all.first);
    all.first_area = calloc(field->block_count + 1, sizeof *all.first_area);
    if (all.first == NULL || all.first_area == NULL) {
        result = failure_memory(failure, 2 * field->block_count * sizeof *all.first, purpose);
        goto done;
    }
    if ((result = list_all(field, face, threads, cut, batch, &all, failure)) != 0)
        goto done;
    if (all.count >= NO_PART || all.link_count >= NO_PART) {
        result = failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                            "%zu pieces of voxels with %zu openings are too many", all.count,
                                            all.link_count),
                                failure, ADVICE_LARGER_SPACING, 0);
        goto done;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < all.link_count; i++)
        for (int end = 0; end < 2; end++)
            all.link[i].at[end] = find_part(&all, all.link[i].end[end]);
    *out = all;
    all = (struct air_parts){0};
done:
    for (int i = 0; i < threads && cut != NULL; i++)
        block_cut_free(&cut[i]);
    for (int i = 0; i < BATCH && batch != NULL; i++)
        block_parts_free(&batch[i]);
    free(cut);
    free(batch);
    air_parts_free(&all);
    return result;
}
