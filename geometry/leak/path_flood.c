#include "geometry/leak/path_flood.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/voxel/block_bits.h"

/* State of a block position: flags, and the direction of the step into a reached block without cuts. */
#define HAS_CUTS       1u
#define REACHED        2u
#define DIRECTION_BITS 4

#define NO_PIECE UINT32_MAX

/** Nodes of a block with cuts that its own links join. */
struct piece {
    uint64_t air[8];
    int32_t place[3];
    uint32_t next;   /* of the same block, or NO_PIECE */
    uint32_t parent; /* piece from which it was entered; NO_PIECE: a block without cuts, or the start */
    uint32_t direction;
};

/** The front: a piece, or the position of a block without cuts. */
struct front {
    uint64_t *entry; /* piece index << 1 | 1, or position << 1 */
    size_t count, room;
};

struct path_search {
    const struct cut_field *field;
    uint8_t *state;  /* by position */
    uint32_t *first; /* (block_count) first piece of each block with cuts */
    struct piece *piece;
    size_t piece_count, piece_room;
    struct front now, later;
    uint64_t air_nodes;
    bool escaped;
    uint64_t exit_entry;
    int64_t exit_node[3];
    int exit_direction;
    struct failure *failure;
};

static int push_entry(struct path_search *search, uint64_t entry)
{
    struct front *front = &search->later;
    if (front->count == front->room) {
        uint64_t *grown = array_room(front->entry, &front->room, front->count + 1, sizeof *grown,
                                     "the front of the flood fill", search->failure);
        if (grown == NULL)
            return FAILURE_CAPACITY;
        front->entry = grown;
    }
    front->entry[front->count++] = entry;
    return 0;
}

/** As block_bits_cross(); `block` and `behind` are NULL without cuts. */
static uint64_t cross_face(const uint64_t air[8], const struct cut_block *block,
                           const struct cut_block *behind, int direction, uint64_t bits[8])
{
    return block_bits_cross(air, block != NULL ? block->cut : NULL, behind != NULL ? behind->cut : NULL,
                            (enum direction)direction, bits);
}

/** Make the piece around a bit of a block with cuts; its index is search->piece_count - 1 afterwards. */
static int add_piece(struct path_search *search, const struct cut_block *block, const uint64_t seed[8],
                     uint32_t parent, int direction)
{
    if (search->piece_count == search->piece_room) {
        const size_t room = search->piece_room != 0 ? search->piece_room + search->piece_room / 2 : 4096;
        if (room > NO_PIECE)
            return failure_set(
                search->failure, FAILURE_CAPACITY,
                "the search for a leak at a spacing of %.4g m has more than %zu parts of blocks "
                "near walls: use a coarser spacing",
                search->field->lattice.spacing, search->piece_room);
        struct piece *grown = realloc(search->piece, room * sizeof *grown);
        if (grown == NULL)
            return failure_memory(search->failure, room * sizeof *grown, "the search for a leak");
        search->piece = grown;
        search->piece_room = room;
    }
    struct piece *piece = &search->piece[search->piece_count];
    uint64_t inside[8];
    uint32_t *first = &search->first[block - search->field->block];
    memcpy(piece->place, block->place, sizeof piece->place);
    memcpy(piece->air, seed, sizeof piece->air);
    block_bits_inside(&search->field->lattice, block->place, inside);
    block_bits_fill(piece->air, block->cut, inside);
    piece->parent = parent;
    piece->direction = (uint32_t)direction;
    piece->next = *first;
    *first = (uint32_t)search->piece_count;
    search->air_nodes += block_bits_count(piece->air);
    return push_entry(search, (uint64_t)search->piece_count++ << 1 | 1);
}

/** Enter a block without cuts: all of its nodes in the box are one piece. */
static int enter_open(struct path_search *search, const int32_t place[3], uint64_t position, int direction)
{
    const int64_t *nodes = search->field->lattice.nodes;
    uint64_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t left = nodes[axis] - (int64_t)place[axis] * 8;
        count *= left < 8 ? (uint64_t)left : 8;
    }
    search->state[position] = (uint8_t)(REACHED | (unsigned)direction << DIRECTION_BITS);
    search->air_nodes += count;
    return push_entry(search, position << 1);
}

/** Enter the block at `place` at the given bits, from a piece or (NO_PIECE) from a block without cuts. */
static int enter_block(struct path_search *search, const int32_t place[3], const struct cut_block *block,
                       uint64_t bits[8], uint32_t parent, int direction)
{
    if (block == NULL) {
        const uint64_t position = box_place_index(search->field->blocks, place);
        return (search->state[position] & REACHED) != 0 ? 0 : enter_open(search, place, position, direction);
    }
    for (uint32_t p = search->first[block - search->field->block]; p != NO_PIECE; p = search->piece[p].next)
        for (int z = 0; z < 8; z++)
            bits[z] &= ~search->piece[p].air[z];
    for (int z = 0; z < 8; z++)
        while (bits[z] != 0) {
            uint64_t seed[8] = {0};
            seed[z] = bits[z] & (~bits[z] + 1);
            TRY(add_piece(search, block, seed, parent, direction));
            for (int plane = 0; plane < 8; plane++)
                bits[plane] &= ~search->piece[search->piece_count - 1].air[plane];
        }
    return 0;
}

/** True if air leaves the box in this direction; the place is stored. */
static bool leaves_box(struct path_search *search, uint64_t entry, const int32_t place[3],
                       const uint64_t air[8], enum direction direction)
{
    uint64_t edge[8];
    block_bits_edge(&search->field->lattice, place, direction, edge);
    for (unsigned z = 0; z < 8; z++)
        for (uint64_t left = air[z] & edge[z]; left != 0; left &= left - 1) {
            int64_t node[3];
            block_bits_node(place, 64 * z + (unsigned)__builtin_ctzll(left), node);
            if (cut_field_is_cut(search->field, node, direction))
                continue;
            search->escaped = true;
            search->exit_entry = entry;
            search->exit_direction = (int)direction;
            memcpy(search->exit_node, node, sizeof node);
            return true;
        }
    return false;
}

/** Place and air of an entry. */
static void air_of(const struct path_search *search, uint64_t entry, int32_t place[3], uint64_t air[8])
{
    if ((entry & 1) != 0) {
        memcpy(place, search->piece[entry >> 1].place, 3 * sizeof *place);
        memcpy(air, search->piece[entry >> 1].air, 8 * sizeof *air);
    } else {
        box_place_at(search->field->blocks, entry >> 1, place);
        block_bits_inside(&search->field->lattice, place, air);
    }
}

static int expand_entry(struct path_search *search, uint64_t entry)
{
    const struct cut_field *field = search->field;
    const bool is_piece = (entry & 1) != 0;
    bool has_air = is_piece; /* rarely needed for a block without cuts */
    uint64_t air[8];
    int32_t place[3];
    if (is_piece)
        air_of(search, entry, place, air);
    else
        box_place_at(field->blocks, entry >> 1, place);
    const struct cut_block *block = is_piece ? cut_field_block(field, place) : NULL;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int32_t next[3];
        box_place_next(place, direction, next);
        const bool inside = box_has_place(field->blocks, next);
        const uint64_t position = inside ? box_place_index(field->blocks, next) : 0;
        const uint8_t state = inside ? search->state[position] : HAS_CUTS;
        if ((state & (HAS_CUTS | REACHED)) == REACHED)
            continue;
        if (!is_piece && (state & HAS_CUTS) == 0) { /* every link between them is uncut */
            TRY(enter_open(search, next, position, direction));
            continue;
        }
        if (!has_air)
            air_of(search, entry, place, air);
        has_air = true;
        if (!inside) {
            if (leaves_box(search, entry, place, air, (enum direction)direction))
                return 0;
            continue;
        }
        const struct cut_block *behind = (state & HAS_CUTS) != 0 ? cut_field_block(field, next) : NULL;
        uint64_t bits[8];
        if (cross_face(air, block, behind, direction, bits) != 0)
            TRY(enter_block(search, next, behind, bits, is_piece ? (uint32_t)(entry >> 1) : NO_PIECE,
                            direction));
    }
    return 0;
}

/** The entry from which `entry` was entered: of the pieces beside a block without cuts the first one made,
 * which existed before the block was reached, so paths do not form circles. */
static uint64_t parent_of(const struct path_search *search, uint64_t entry, int *direction)
{
    const struct cut_field *field = search->field;
    const bool is_piece = (entry & 1) != 0;
    int32_t place[3], from[3];
    uint64_t bits[8];
    air_of(search, entry, place, bits);
    *direction =
        is_piece ? (int)search->piece[entry >> 1].direction : search->state[entry >> 1] >> DIRECTION_BITS;
    box_place_next(place, *direction ^ 1, from);
    const uint64_t position = box_place_index(field->blocks, from);
    if (is_piece && search->piece[entry >> 1].parent != NO_PIECE)
        return (uint64_t)search->piece[entry >> 1].parent << 1 | 1;
    if (is_piece || (search->state[position] & HAS_CUTS) == 0)
        return position << 1;
    const struct cut_block *block = cut_field_block(field, from);
    uint32_t best = NO_PIECE;
    for (uint32_t p = search->first[block - field->block]; p != NO_PIECE; p = search->piece[p].next)
        if (p < best && cross_face(search->piece[p].air, block, NULL, *direction, bits) != 0)
            best = p;
    return (uint64_t)best << 1 | 1;
}

/** Walk from the end of the path through the nodes `air` of its block to the nearest of `goal`. */
static int walk_to_nearest(const struct path_search *search, const uint64_t air[8], const uint64_t goal[8],
                           struct node_path *path)
{
    const int64_t *start = path->node[path->count - 1];
    int32_t place[3];
    int from[512], queue[512], head = 0, tail = 0;
    const int first = (int)block_bits_slot(start);
    block_bits_place(start, place);
    for (int slot = 0; slot < 512; slot++)
        from[slot] = -1;
    from[first] = first;
    queue[tail++] = first;
    int at = first;
    int64_t node[3];
    while (head < tail) {
        at = queue[head++];
        if (block_bits_has(goal, (unsigned)at))
            break;
        block_bits_node(place, (unsigned)at, node);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            const int step = 1 << 3 * (direction / 2), local = at / step & 7;
            if (local == (direction % 2 == 0 ? 0 : 7))
                continue;
            const int next = at + (direction % 2 == 0 ? -step : step);
            if (from[next] >= 0 || !block_bits_has(air, (unsigned)next) ||
                cut_field_is_cut(search->field, node, (enum direction)direction))
                continue;
            from[next] = at;
            queue[tail++] = next;
        }
    }
    int steps = 0;
    for (; at != first; at = from[at])
        queue[steps++] = at; /* the queue is no longer needed */
    while (steps > 0) {
        block_bits_node(place, (unsigned)queue[--steps], node);
        TRY(node_path_add(path, node, search->failure));
    }
    return 0;
}

/** Nodes of `air` from which a step in `direction` over an uncut link leads to one of `beyond`, the air of
 * the block behind. */
static void find_steps_between(const struct path_search *search, const int32_t place[3],
                               const uint64_t air[8], const int32_t next[3], const uint64_t beyond[8],
                               int direction, uint64_t goal[8])
{
    const struct cut_block *block = cut_field_block(search->field, place),
                           *behind = cut_field_block(search->field, next);
    uint64_t bits[8];
    (void)cross_face(air, block, behind, direction, bits);
    for (int z = 0; z < 8; z++)
        bits[z] &= beyond[z];
    /* Back through the same face; its links are known to be uncut. */
    (void)cross_face(bits, NULL, NULL, direction ^ 1, goal);
}

static int trace_path(const struct path_search *search, uint64_t start_entry, const int64_t start[3],
                      struct node_path *path)
{
    uint64_t *entry = NULL;
    int *direction = NULL, result = 0;
    size_t count = 0;
    int ignored;
    for (uint64_t at = search->exit_entry; at != start_entry; at = parent_of(search, at, &ignored))
        count++;
    entry = malloc((count + 1) * sizeof *entry);
    direction = malloc((count + 1) * sizeof *direction);
    if (entry == NULL || direction == NULL) {
        result = failure_memory(search->failure, count * sizeof *entry, "the path of a leak");
        goto done;
    }
    entry[count] = search->exit_entry;
    for (size_t n = count; n > 0; n--)
        entry[n - 1] = parent_of(search, entry[n], &direction[n - 1]);
    if ((result = node_path_add(path, start, search->failure)) != 0)
        goto done;
    for (size_t n = 0; n <= count && result == 0; n++) {
        int32_t place[3], next[3];
        uint64_t air[8], beyond[8], goal[8] = {0};
        air_of(search, entry[n], place, air);
        int step = search->exit_direction;
        if (n < count) {
            step = direction[n];
            air_of(search, entry[n + 1], next, beyond);
            find_steps_between(search, place, air, next, beyond, step, goal);
        } else {
            block_bits_add(goal, block_bits_slot(search->exit_node));
        }
        if ((result = walk_to_nearest(search, air, goal, path)) != 0)
            goto done;
        int64_t node[3];
        memcpy(node, path->node[path->count - 1], sizeof node);
        lattice_step(node, step);
        result = node_path_add(path, node, search->failure);
    }
done:
    free(entry);
    free(direction);
    return result;
}

int path_flood(const struct cut_field *field, const int64_t node[3], bool *escaped, struct node_path *path,
               uint64_t *air_nodes, struct failure *failure)
{
    struct path_search search = {.field = field, .failure = failure};
    struct node_path found = {0};
    int result = 0;
    const uint64_t positions =
        (uint64_t)field->blocks[0] * (uint64_t)field->blocks[1] * (uint64_t)field->blocks[2];
    search.state = calloc((size_t)positions, 1);
    search.first = malloc((field->block_count + 1) * sizeof *search.first);
    if (search.state == NULL || search.first == NULL) {
        result = failure_memory(failure, positions + field->block_count * sizeof *search.first,
                                "the search for a leak");
        goto done;
    }
    memset(search.first, 0xff, (field->block_count + 1) * sizeof *search.first);
    for (size_t b = 0; b < field->block_count; b++)
        if (box_has_place(field->blocks, field->block[b].place))
            search.state[box_place_index(field->blocks, field->block[b].place)] = HAS_CUTS;
    int32_t place[3];
    uint64_t bits[8] = {0};
    block_bits_place(node, place);
    block_bits_add(bits, block_bits_slot(node));
    if ((result = enter_block(&search, place, cut_field_block(field, place), bits, NO_PIECE, 0)) != 0)
        goto done;
    const uint64_t start_entry = search.later.entry[0];
    while (search.later.count != 0 && !search.escaped) {
        if (field->interrupted != NULL && *field->interrupted != 0) {
            result = failure_interrupted(failure);
            goto done;
        }
        const struct front turned = search.now;
        search.now = search.later;
        search.later = turned;
        search.later.count = 0;
        for (size_t i = 0; i < search.now.count && !search.escaped; i++)
            if ((result = expand_entry(&search, search.now.entry[i])) != 0)
                goto done;
    }
    if (search.escaped && (result = trace_path(&search, start_entry, node, &found)) != 0)
        goto done;
    *escaped = search.escaped;
    *air_nodes = search.air_nodes;
    if (search.escaped) {
        *path = found;
        found = (struct node_path){0};
    }
done:
    free(found.node);
    free(search.state);
    free(search.first);
    free(search.piece);
    free(search.now.entry);
    free(search.later.entry);
    return result;
}
