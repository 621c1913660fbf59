#include "geometry/leak/path_flood.h"

#include <stdlib.h>
#include <string.h>

#define COLUMN_0 UINT64_C(0x0101010101010101) /* x = 0 of every y */
#define COLUMN_7 UINT64_C(0x8080808080808080)
#define ROW_0    UINT64_C(0x00000000000000FF) /* y = 0 */
#define ROW_7    UINT64_C(0xFF00000000000000)

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
    uint32_t parent; /* piece it was entered from; NO_PIECE: a block without cuts, or the start */
    uint32_t direction;
};

/** Where the front is: a piece, or the position of a block without cuts. */
struct front {
    uint64_t *entry; /* piece index << 1 | 1, or position << 1 */
    size_t count, room;
};

struct way_search {
    const struct link_blocks *links;
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

static uint64_t position_of(const struct link_blocks *links, const int32_t place[3])
{
    return ((uint64_t)place[2] * (uint64_t)links->blocks[1] + (uint64_t)place[1]) *
               (uint64_t)links->blocks[0] +
           (uint64_t)place[0];
}

static void place_of(const struct link_blocks *links, uint64_t position, int32_t place[3])
{
    const uint64_t row = position / (uint64_t)links->blocks[0];
    place[0] = (int32_t)(position % (uint64_t)links->blocks[0]);
    place[1] = (int32_t)(row % (uint64_t)links->blocks[1]);
    place[2] = (int32_t)(row / (uint64_t)links->blocks[1]);
}

static bool in_box(const struct link_blocks *links, const int32_t place[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < 0 || place[axis] >= links->blocks[axis])
            return false;
    return true;
}

static void inside_of(const struct link_blocks *links, const int32_t place[3], uint64_t inside[8])
{
    int64_t count[3];
    for (int axis = 0; axis < 3; axis++) {
        count[axis] = links->lattice.nodes[axis] - (int64_t)place[axis] * 8;
        count[axis] = count[axis] < 8 ? count[axis] : 8;
    }
    const uint64_t columns = COLUMN_0 * ((UINT64_C(1) << count[0]) - 1);
    const uint64_t rows = count[1] == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * count[1]) - 1;
    for (int z = 0; z < 8; z++)
        inside[z] = z < count[2] ? columns & rows : 0;
}

static int push(struct way_search *search, uint64_t entry)
{
    struct front *front = &search->later;
    if (front->count == front->room) {
        const size_t room = front->room != 0 ? 2 * front->room : 1024;
        uint64_t *grown = realloc(front->entry, room * sizeof *grown);
        if (grown == NULL)
            return failure_memory(search->failure, room * sizeof *grown, "the front of the flood fill");
        front->entry = grown;
        front->room = room;
    }
    front->entry[front->count++] = entry;
    return 0;
}

/** Grow `air` over the block's own uncut links until nothing changes. */
static void fill(uint64_t air[8], const struct link_block *block, const uint64_t inside[8])
{
    bool changed = true;
    for (int sweep = 0; changed; sweep++) {
        changed = false;
        for (int step = 0; step < 8; step++) {
            const int z = sweep % 2 == 0 ? step : 7 - step;
            const uint64_t along_x = ~block->cut[0][z] & ~COLUMN_7 & inside[z] & inside[z] >> 1;
            const uint64_t along_y = ~block->cut[1][z] & inside[z] & inside[z] >> 8;
            uint64_t a = air[z], before;
            if (z > 0)
                a |= air[z - 1] & ~block->cut[2][z - 1] & inside[z];
            if (z < 7)
                a |= air[z + 1] & ~block->cut[2][z] & inside[z];
            do {
                before = a;
                a |= (a & along_x) << 1 | (a >> 1 & along_x);
                a |= (a & along_y) << 8 | (a >> 8 & along_y);
            } while (a != before);
            changed = changed || a != air[z];
            air[z] = a;
        }
    }
}

/** Air that steps over uncut links through a face of its block, as bits of the block behind it. `block` and
 * `behind` are NULL without cuts. */
static uint64_t step_through(const uint64_t air[8], const struct link_block *block,
                             const struct link_block *behind, int direction, uint64_t bits[8])
{
    const int axis = direction / 2;
    uint64_t any = 0;
    for (int z = 0; z < 8; z++) {
        const int other = axis == 2 ? 7 - z : z; /* the plane that z comes from */
        uint64_t from = air[other];
        if (direction % 2 != 0 && block != NULL)
            from &= ~block->cut[axis][other];
        switch (direction) {
        case DIRECTION_XM:
            from = (from & COLUMN_0) << 7;
            break;
        case DIRECTION_XP:
            from = (from & COLUMN_7) >> 7;
            break;
        case DIRECTION_YM:
            from = (from & ROW_0) << 56;
            break;
        case DIRECTION_YP:
            from = (from & ROW_7) >> 56;
            break;
        case DIRECTION_ZM:
            from = z == 7 ? from : 0;
            break;
        default:
            from = z == 0 ? from : 0;
            break;
        }
        if (direction % 2 == 0 && behind != NULL)
            from &= ~behind->cut[axis][z];
        bits[z] = from;
        any |= from;
    }
    return any;
}

static uint64_t count_bits(const uint64_t bits[8])
{
    uint64_t count = 0;
    for (int z = 0; z < 8; z++)
        count += (uint64_t)__builtin_popcountll(bits[z]);
    return count;
}

/** Make the piece around a bit of a block with cuts; its index is search->piece_count - 1 afterwards. */
static int add_piece(struct way_search *search, const struct link_block *block, const uint64_t seed[8],
                     uint32_t parent, int direction)
{
    if (search->piece_count == search->piece_room) {
        const size_t room = search->piece_room != 0 ? search->piece_room + search->piece_room / 2 : 4096;
        if (room > NO_PIECE)
            return failure_set(
                search->failure, FAILURE_CAPACITY,
                "the search for a leak at a spacing of %.4g m has more than %zu parts of blocks "
                "near walls: use a coarser spacing",
                search->links->lattice.spacing, search->piece_room);
        struct piece *grown = realloc(search->piece, room * sizeof *grown);
        if (grown == NULL)
            return failure_memory(search->failure, room * sizeof *grown, "the search for a leak");
        search->piece = grown;
        search->piece_room = room;
    }
    struct piece *piece = &search->piece[search->piece_count];
    uint64_t inside[8];
    uint32_t *first = &search->first[block - search->links->block];
    memcpy(piece->place, block->place, sizeof piece->place);
    memcpy(piece->air, seed, sizeof piece->air);
    inside_of(search->links, block->place, inside);
    fill(piece->air, block, inside);
    piece->parent = parent;
    piece->direction = (uint32_t)direction;
    piece->next = *first;
    *first = (uint32_t)search->piece_count;
    search->air_nodes += count_bits(piece->air);
    return push(search, (uint64_t)search->piece_count++ << 1 | 1);
}

/** Enter a block without cuts: all of its nodes in the box are one piece. */
static int enter_open(struct way_search *search, const int32_t place[3], uint64_t position, int direction)
{
    const int64_t *nodes = search->links->lattice.nodes;
    uint64_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t left = nodes[axis] - (int64_t)place[axis] * 8;
        count *= left < 8 ? (uint64_t)left : 8;
    }
    search->state[position] = (uint8_t)(REACHED | (unsigned)direction << DIRECTION_BITS);
    search->air_nodes += count;
    return push(search, position << 1);
}

/** Enter the block at `place` at the given bits, from a piece or (NO_PIECE) from a block without cuts. */
static int enter(struct way_search *search, const int32_t place[3], const struct link_block *block,
                 uint64_t bits[8], uint32_t parent, int direction)
{
    if (block == NULL) {
        const uint64_t position = position_of(search->links, place);
        return (search->state[position] & REACHED) != 0 ? 0 : enter_open(search, place, position, direction);
    }
    for (uint32_t p = search->first[block - search->links->block]; p != NO_PIECE; p = search->piece[p].next)
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

/** Nodes of the block at the box's last layer in a direction. */
static uint64_t layer_bits(const struct link_blocks *links, const int32_t place[3], int direction, int z)
{
    const int axis = direction / 2;
    const int64_t node = direction % 2 == 0 ? 0 : links->lattice.nodes[axis] - 1;
    if (node >> 3 != place[axis])
        return 0;
    const int at = (int)(node & 7);
    return axis == 0 ? COLUMN_0 << at : axis == 1 ? ROW_0 << 8 * at : z == at ? UINT64_MAX : 0;
}

/** Does air leave the box in this direction? Then note where. */
static bool leaves(struct way_search *search, uint64_t entry, const int32_t place[3], const uint64_t air[8],
                   int direction)
{
    for (int z = 0; z < 8; z++)
        for (uint64_t left = air[z] & layer_bits(search->links, place, direction, z); left != 0;
             left &= left - 1) {
            const int row = __builtin_ctzll(left);
            const int64_t node[3] = {(int64_t)place[0] * 8 + (row & 7), (int64_t)place[1] * 8 + (row >> 3),
                                     (int64_t)place[2] * 8 + z};
            if (link_blocks_is_cut(search->links, node, (enum direction)direction))
                continue;
            search->escaped = true;
            search->exit_entry = entry;
            search->exit_direction = direction;
            memcpy(search->exit_node, node, sizeof node);
            return true;
        }
    return false;
}

static int expand(struct way_search *search, uint64_t entry)
{
    const struct link_blocks *links = search->links;
    const struct link_block *block = NULL;
    const bool is_piece = (entry & 1) != 0;
    uint64_t air[8];
    int32_t place[3];
    if (is_piece) {
        memcpy(place, search->piece[entry >> 1].place, sizeof place);
        memcpy(air, search->piece[entry >> 1].air, sizeof air);
        block = link_blocks_find(links, place);
    } else {
        place_of(links, entry >> 1, place);
        inside_of(links, place, air);
    }
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        const int axis = direction / 2;
        int32_t next[3] = {place[0], place[1], place[2]};
        next[axis] += direction % 2 == 0 ? -1 : 1;
        if (!in_box(links, next)) {
            if (leaves(search, entry, place, air, direction))
                return 0;
            continue;
        }
        const uint64_t position = position_of(links, next);
        const uint8_t state = search->state[position];
        if ((state & (HAS_CUTS | REACHED)) == REACHED)
            continue;
        if (!is_piece && (state & HAS_CUTS) == 0) { /* every link between them is uncut */
            TRY(enter_open(search, next, position, direction));
            continue;
        }
        const struct link_block *behind = (state & HAS_CUTS) != 0 ? link_blocks_find(links, next) : NULL;
        uint64_t bits[8];
        if (step_through(air, block, behind, direction, bits) != 0)
            TRY(enter(search, next, behind, bits, is_piece ? (uint32_t)(entry >> 1) : NO_PIECE, direction));
    }
    return 0;
}

/** The entry that `entry` was entered from: of the pieces beside a block without cuts the first one made,
 * which was there before the block was reached, so that ways never run in circles. */
static uint64_t parent_of(const struct way_search *search, uint64_t entry, int *direction)
{
    const struct link_blocks *links = search->links;
    int32_t place[3];
    if ((entry & 1) != 0) {
        const struct piece *piece = &search->piece[entry >> 1];
        *direction = (int)piece->direction;
        if (piece->parent != NO_PIECE)
            return (uint64_t)piece->parent << 1 | 1;
        memcpy(place, piece->place, sizeof place);
        place[*direction / 2] += *direction % 2 == 0 ? 1 : -1;
        return position_of(links, place) << 1;
    }
    place_of(links, entry >> 1, place);
    *direction = search->state[entry >> 1] >> DIRECTION_BITS;
    place[*direction / 2] += *direction % 2 == 0 ? 1 : -1;
    const uint64_t position = position_of(links, place);
    if ((search->state[position] & HAS_CUTS) == 0)
        return position << 1;
    const struct link_block *block = link_blocks_find(links, place);
    uint32_t best = NO_PIECE;
    for (uint32_t p = search->first[block - links->block]; p != NO_PIECE; p = search->piece[p].next) {
        uint64_t bits[8];
        if (p < best && step_through(search->piece[p].air, block, NULL, *direction, bits) != 0)
            best = p;
    }
    return (uint64_t)best << 1 | 1;
}

static bool bit_of(const uint64_t bits[8], int slot)
{
    return (bits[slot >> 6] >> (slot & 63) & 1) != 0;
}

/** Walk from the end of the way through the nodes `air` of its block to the nearest of `goal`. */
static int walk(const struct way_search *search, const uint64_t air[8], const uint64_t goal[8],
                struct node_path *way)
{
    static const int stride[3] = {1, 8, 64};
    const int64_t *start = way->node[way->count - 1];
    const int64_t corner[3] = {start[0] & ~(int64_t)7, start[1] & ~(int64_t)7, start[2] & ~(int64_t)7};
    int from[512], queue[512], head = 0, tail = 0;
    const int first = (int)((start[0] & 7) + 8 * (start[1] & 7) + 64 * (start[2] & 7));
    for (int slot = 0; slot < 512; slot++)
        from[slot] = -1;
    from[first] = first;
    queue[tail++] = first;
    int at = first;
    while (head < tail) {
        at = queue[head++];
        if (bit_of(goal, at))
            break;
        const int64_t node[3] = {corner[0] + (at & 7), corner[1] + (at >> 3 & 7), corner[2] + (at >> 6)};
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            const int step = stride[direction / 2], local = at / step & 7;
            if (local == (direction % 2 == 0 ? 0 : 7))
                continue;
            const int next = at + (direction % 2 == 0 ? -step : step);
            if (from[next] >= 0 || !bit_of(air, next) ||
                link_blocks_is_cut(search->links, node, (enum direction)direction))
                continue;
            from[next] = at;
            queue[tail++] = next;
        }
    }
    int steps = 0;
    for (; at != first; at = from[at])
        queue[steps++] = at; /* the queue is done with */
    while (steps > 0) {
        const int slot = queue[--steps];
        const int64_t node[3] = {corner[0] + (slot & 7), corner[1] + (slot >> 3 & 7),
                                 corner[2] + (slot >> 6)};
        TRY(node_path_add(way, node, search->failure));
    }
    return 0;
}

static void air_of(const struct way_search *search, uint64_t entry, int32_t place[3], uint64_t air[8])
{
    if ((entry & 1) != 0) {
        memcpy(place, search->piece[entry >> 1].place, 3 * sizeof *place);
        memcpy(air, search->piece[entry >> 1].air, 8 * sizeof *air);
    } else {
        place_of(search->links, entry >> 1, place);
        inside_of(search->links, place, air);
    }
}

/** Nodes of `air` from which a step in `direction` over an uncut link leads to one of `beyond`, the air of
 * the block behind. */
static void doors(const struct way_search *search, const int32_t place[3], const uint64_t air[8],
                  const int32_t next[3], const uint64_t beyond[8], int direction, uint64_t goal[8])
{
    const struct link_block *block = link_blocks_find(search->links, place),
                            *behind = link_blocks_find(search->links, next);
    uint64_t bits[8];
    (void)step_through(air, block, behind, direction, bits);
    for (int z = 0; z < 8; z++)
        bits[z] &= beyond[z];
    /* Back through the same face; its links are known to be uncut. */
    (void)step_through(bits, NULL, NULL, direction ^ 1, goal);
}

static int trace(const struct way_search *search, uint64_t start_entry, const int64_t start[3],
                 struct node_path *way)
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
        result = failure_memory(search->failure, count * sizeof *entry, "the way of a leak");
        goto done;
    }
    entry[count] = search->exit_entry;
    for (size_t n = count; n > 0; n--)
        entry[n - 1] = parent_of(search, entry[n], &direction[n - 1]);
    if ((result = node_path_add(way, start, search->failure)) != 0)
        goto done;
    for (size_t n = 0; n <= count && result == 0; n++) {
        int32_t place[3], next[3];
        uint64_t air[8], beyond[8], goal[8] = {0};
        air_of(search, entry[n], place, air);
        int step = search->exit_direction;
        if (n < count) {
            step = direction[n];
            air_of(search, entry[n + 1], next, beyond);
            doors(search, place, air, next, beyond, step, goal);
        } else {
            goal[search->exit_node[2] & 7] =
                UINT64_C(1) << ((search->exit_node[0] & 7) | (search->exit_node[1] & 7) << 3);
        }
        if ((result = walk(search, air, goal, way)) != 0)
            goto done;
        int64_t node[3];
        memcpy(node, way->node[way->count - 1], sizeof node);
        node[step / 2] += step % 2 == 0 ? -1 : 1;
        result = node_path_add(way, node, search->failure);
    }
done:
    free(entry);
    free(direction);
    return result;
}

int path_flood(const struct link_blocks *links, const int64_t node[3], bool *escaped, struct node_path *way,
               uint64_t *air_nodes, struct failure *failure)
{
    struct way_search search = {.links = links, .failure = failure};
    struct node_path found = {0};
    int result = 0;
    const uint64_t positions =
        (uint64_t)links->blocks[0] * (uint64_t)links->blocks[1] * (uint64_t)links->blocks[2];
    search.state = calloc((size_t)positions, 1);
    search.first = malloc((links->block_count + 1) * sizeof *search.first);
    if (search.state == NULL || search.first == NULL) {
        result = failure_memory(failure, positions + links->block_count * sizeof *search.first,
                                "the search for a leak");
        goto done;
    }
    memset(search.first, 0xff, (links->block_count + 1) * sizeof *search.first);
    for (size_t b = 0; b < links->block_count; b++)
        if (in_box(links, links->block[b].place))
            search.state[position_of(links, links->block[b].place)] = HAS_CUTS;
    const int32_t place[3] = {(int32_t)(node[0] >> 3), (int32_t)(node[1] >> 3), (int32_t)(node[2] >> 3)};
    uint64_t bits[8] = {0};
    bits[node[2] & 7] = UINT64_C(1) << ((node[0] & 7) | (node[1] & 7) << 3);
    if ((result = enter(&search, place, link_blocks_find(links, place), bits, NO_PIECE, 0)) != 0)
        goto done;
    const uint64_t start_entry = search.later.entry[0];
    while (search.later.count != 0 && !search.escaped) {
        if (links->interrupted != NULL && *links->interrupted != 0) {
            result = failure_set(failure, FAILURE_INTERRUPTED, "interrupted; nothing was written");
            goto done;
        }
        const struct front turned = search.now;
        search.now = search.later;
        search.later = turned;
        search.later.count = 0;
        for (size_t i = 0; i < search.now.count && !search.escaped; i++)
            if ((result = expand(&search, search.now.entry[i])) != 0)
                goto done;
    }
    if (search.escaped && (result = trace(&search, start_entry, node, &found)) != 0)
        goto done;
    *escaped = search.escaped;
    *air_nodes = search.air_nodes;
    if (search.escaped) {
        *way = found;
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
