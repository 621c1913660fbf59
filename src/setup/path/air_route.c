#include "src/setup/path/air_route.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/block_numbering.h"
#include "geometry/base/search_queue.h"
#include "geometry/base/vector.h"

#define NO_PART UINT16_MAX
#define NOWHERE UINT64_MAX

static const int slot_step[DIRECTIONS] = {-1, 1, -8, 8, -64, 64};

static int slot_coordinate(unsigned slot, int axis)
{
    return (int)(slot >> (3 * axis)) & 7;
}

/* Does the link of `slot` in `direction` leave its block? */
static bool leaves_block(unsigned slot, int direction)
{
    return slot_coordinate(slot, direction / 2) == (direction % 2 != 0 ? 7 : 0);
}

/* ---- parts of a tile ---- */

/* Label the parts of one tile by floods over its links; `part` receives a number per slot. */
static uint16_t label_tile(const uint8_t links[BLOCK_NODES], uint16_t part[BLOCK_NODES])
{
    uint16_t count = 0, queue[BLOCK_NODES];
    memset(part, 0xff, BLOCK_NODES * sizeof *part);
    for (unsigned seed = 0; seed < BLOCK_NODES; seed++) {
        if (part[seed] != NO_PART || links[seed] == 0)
            continue;
        unsigned head = 0, tail = 0;
        queue[tail++] = (uint16_t)seed;
        part[seed] = count;
        while (head < tail) {
            const unsigned slot = queue[head++];
            for (int d = 0; d < DIRECTIONS; d++) {
                if ((links[slot] >> d & 1) == 0 || leaves_block(slot, d))
                    continue;
                const unsigned next = (unsigned)((int)slot + slot_step[d]);
                if (part[next] == NO_PART) {
                    part[next] = count;
                    queue[tail++] = (uint16_t)next;
                }
            }
        }
        count++;
    }
    return count;
}

/* The slot of a part that is nearest to its mean place. */
static uint16_t centre_slot(const uint16_t part[BLOCK_NODES], uint16_t which)
{
    double mean[3] = {0}, least = INFINITY;
    unsigned members = 0, best = 0;
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
        if (part[slot] == which) {
            members++;
            for (int axis = 0; axis < 3; axis++)
                mean[axis] += slot_coordinate(slot, axis);
        }
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        if (part[slot] != which)
            continue;
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double off = slot_coordinate(slot, axis) - mean[axis] / members;
            square += off * off;
        }
        if (square < least) {
            least = square;
            best = slot;
        }
    }
    return (uint16_t)best;
}

static int find_parts(const struct block_grid *grid, struct air_route *route, struct failure *failure)
{
    uint16_t part[BLOCK_NODES];
    route->tile = calloc(grid->tiles, sizeof *route->tile);
    if (route->tile == NULL)
        return failure_memory(failure, grid->tiles * sizeof *route->tile, "routes through the air");
    for (uint32_t t = 0; t < grid->tiles; t++) {
        struct tile_parts *tile = &route->tile[t];
        tile->count = label_tile(grid->tile[t], part);
        if (tile->count == 0)
            continue;
        tile->first = centre_slot(part, 0);
        if (tile->count == 1)
            continue;
        tile->slot = malloc(tile->count * sizeof *tile->slot);
        tile->part = malloc(sizeof part);
        if (tile->slot == NULL || tile->part == NULL)
            return failure_memory(failure, sizeof part, "routes through the air");
        memcpy(tile->part, part, sizeof part);
        for (uint16_t p = 0; p < tile->count; p++)
            tile->slot[p] = centre_slot(part, p);
    }
    return 0;
}

/* ---- the graph ---- */

struct place {
    block_id block;
    uint16_t part;
};

static const struct tile_parts *parts_of(const struct air_route *route, block_id block)
{
    return &route->tile[route->grid->block[block].tile];
}

static uint64_t number_of(const struct air_route *route, struct place place)
{
    return route->first[place.block] + place.part;
}

/* Block of a numbered part, by binary search. */
static struct place place_of(const struct air_route *route, uint64_t number)
{
    block_id low = 1, high = route->grid->blocks;
    while (low < high) {
        const block_id middle = low + (high - low + 1) / 2;
        if (route->first[middle] <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return (struct place){low, (uint16_t)(number - route->first[low])};
}

static void position_of(const struct air_route *route, struct place place, double position[3])
{
    const struct tile_parts *tile = parts_of(route, place.block);
    int64_t node[3];
    block_node(&route->grid->block[place.block], tile->slot != NULL ? tile->slot[place.part] : tile->first,
               node);
    lattice_position(&route->grid->lattice, node, position);
}

static uint16_t part_at(const struct tile_parts *tile, unsigned slot)
{
    return tile->part != NULL ? tile->part[slot] : 0;
}

/* Parts on the other side of one face, reached by uncut links from this part. */
static unsigned through_face(const struct air_route *route, struct place from, int direction,
                             struct place out[64])
{
    const struct block_grid *grid = route->grid;
    const struct block *block = &grid->block[from.block];
    const block_id next = block->neighbour[direction];
    if (next == 0)
        return 0;
    const struct tile_parts *here = parts_of(route, from.block), *there = parts_of(route, next);
    if (block->tile == TILE_FULL && there->count == 1) {
        out[0] = (struct place){next, 0};
        return 1;
    }
    unsigned found = 0;
    const int axis = direction / 2, back = -7 * slot_step[direction];
    for (unsigned u = 0; u < 64; u++) {
        const unsigned low = u & 7, high = u >> 3, face = direction % 2 != 0 ? 7 : 0;
        const unsigned slot = axis == 0   ? face | low << 3 | high << 6
                              : axis == 1 ? low | face << 3 | high << 6
                                          : low | high << 3 | face << 6;
        if ((grid->tile[block->tile][slot] >> direction & 1) == 0 || part_at(here, slot) != from.part)
            continue;
        const uint16_t part = part_at(there, (unsigned)((int)slot + back));
        unsigned i = 0;
        while (i < found && out[i].part != part)
            i++;
        if (i == found)
            out[found++] = (struct place){next, part};
    }
    return found;
}

/* ---- shortest distances ---- */

struct search {
    struct air_route *route;
    struct search_heap heap; /* by length */
    uint64_t number;         /* of the part that is being left */
    double length;
    double position[3];
    int code; /* not 0: no memory */
    struct failure *failure;
};

static void relax_node(struct search *search, struct place to)
{
    double position[3];
    position_of(search->route, to, position);
    const double length = search->length + vector_distance(position, search->position);
    const uint64_t number = number_of(search->route, to);
    if (!(length < search->route->length[number]))
        return;
    search->route->length[number] = length;
    search->route->previous[number] = search->number;
    if (search->code == 0)
        search->code =
            search_heap_push(&search->heap, length, number, "routes through the air", search->failure);
}

/* Relax everything reached through one face, then through faces of axes not yet used: the 26 neighbours. */
static void relax_neighbours(struct search *search, struct place from, unsigned axes_used)
{
    struct place next[64];
    for (int d = 0; d < DIRECTIONS; d++) {
        if ((axes_used >> d / 2 & 1) != 0)
            continue;
        const unsigned found = through_face(search->route, from, d, next);
        for (unsigned i = 0; i < found; i++) {
            relax_node(search, next[i]);
            relax_neighbours(search, next[i], axes_used | 1u << d / 2);
        }
    }
}

static struct place place_of_node(const struct air_route *route, const int64_t node[3])
{
    int32_t place[3];
    for (int axis = 0; axis < 3; axis++)
        place[axis] = (int32_t)block_place_of(node[axis]);
    const block_id block = block_grid_find(route->grid, place);
    return (struct place){block, part_at(parts_of(route, block), block_slot(node[0], node[1], node[2]))};
}

static int search_all(struct air_route *route, uint64_t start, struct failure *failure)
{
    const struct block_grid *grid = route->grid;
    const uint64_t parts = route->first[grid->blocks + 1];
    route->length = malloc(parts * sizeof *route->length);
    route->previous = malloc(parts * sizeof *route->previous);
    if (route->length == NULL || route->previous == NULL)
        return failure_memory(failure, parts * 16, "routes through the air");
    for (uint64_t p = 0; p < parts; p++) {
        route->length[p] = INFINITY;
        route->previous[p] = NOWHERE;
    }
    struct search search = {.route = route, .failure = failure};
    route->length[start] = 0;
    search.code = search_heap_push(&search.heap, 0, start, "routes through the air", failure);
    while (search.heap.count > 0 && search.code == 0) {
        const struct keyed_entry top = search_heap_pop(&search.heap);
        if (top.key > route->length[top.entry])
            continue;
        const struct place place = place_of(route, top.entry);
        search.number = top.entry;
        search.length = top.key;
        position_of(route, place, search.position);
        relax_neighbours(&search, place, 0);
    }
    search_heap_free(&search.heap);
    return search.code;
}

static int search_from(struct air_route *route, const int64_t node[3], struct failure *failure)
{
    const struct block_grid *grid = route->grid;
    TRY(find_parts(grid, route, failure));
    route->first = malloc(((size_t)grid->blocks + 2) * sizeof *route->first);
    if (route->first == NULL)
        return failure_memory(failure, ((uint64_t)grid->blocks + 2) * 8, "routes through the air");
    route->first[0] = route->first[1] = 0;
    for (block_id b = 1; b <= grid->blocks; b++)
        route->first[b + 1] = route->first[b] + parts_of(route, b)->count;
    memcpy(route->start_node, node, sizeof route->start_node);
    return search_all(route, number_of(route, place_of_node(route, node)), failure);
}

int air_route_search(const struct block_grid *grid, const int64_t node[3], struct air_route *out,
                     struct failure *failure)
{
    struct air_route route = {.grid = grid};
    const int code = search_from(&route, node, failure);
    if (code == 0)
        *out = route;
    else
        air_route_free(&route);
    return code;
}

void air_route_free(struct air_route *route)
{
    for (uint32_t t = 0; route->tile != NULL && t < route->grid->tiles; t++) {
        free(route->tile[t].slot);
        free(route->tile[t].part);
    }
    free(route->tile);
    free(route->first);
    free(route->length);
    free(route->previous);
    *route = (struct air_route){0};
}

/* ---- from parts back to nodes ---- */

/* The blocks that a route runs through, and a flood over their nodes. */
struct corridor {
    block_id *block; /* rising */
    size_t count;
    uint32_t *previous; /* (count, 512) node before, by block index * 512 + slot */
    uint32_t *queue;
};

static int compare_ids(const void *a, const void *b)
{
    const block_id x = *(const block_id *)a, y = *(const block_id *)b;
    return (x > y) - (x < y);
}

/* Two consecutive parts lie in neighbouring blocks: the way between them stays in the box that both span. */
static bool corridor_make(const struct air_route *route, uint64_t end, struct corridor *corridor)
{
    const struct block_grid *grid = route->grid;
    size_t parts = 1, kept = 0;
    for (uint64_t p = end; p != NOWHERE; p = route->previous[p])
        parts++;
    corridor->block = malloc(8 * parts * sizeof *corridor->block);
    if (corridor->block == NULL)
        return false;
    block_id at = place_of(route, end).block;
    for (uint64_t p = end; p != NOWHERE; p = route->previous[p]) {
        const block_id before = place_of(route, p).block;
        const int32_t *from = grid->block[before].place, *to = grid->block[at].place;
        for (unsigned c = 0; c < 8; c++) {
            const int32_t place[3] = {(c & 1 ? from : to)[0], (c & 2 ? from : to)[1], (c & 4 ? from : to)[2]};
            const block_id block = block_grid_find(grid, place);
            if (block != 0)
                corridor->block[corridor->count++] = block;
        }
        at = before;
    }
    qsort(corridor->block, corridor->count, sizeof *corridor->block, compare_ids);
    for (size_t i = 0; i < corridor->count; i++)
        if (kept == 0 || corridor->block[i] != corridor->block[kept - 1])
            corridor->block[kept++] = corridor->block[i];
    corridor->count = kept;
    corridor->previous = malloc(kept * BLOCK_NODES * sizeof *corridor->previous);
    corridor->queue = malloc(kept * BLOCK_NODES * sizeof *corridor->queue);
    return corridor->previous != NULL && corridor->queue != NULL && kept < UINT32_MAX / BLOCK_NODES;
}

static size_t corridor_index(const struct corridor *corridor, block_id block)
{
    const block_id *found =
        bsearch(&block, corridor->block, corridor->count, sizeof *corridor->block, compare_ids);
    return found == NULL ? SIZE_MAX : (size_t)(found - corridor->block);
}

static uint32_t corridor_node(const struct air_route *route, const struct corridor *corridor,
                              const int64_t node[3])
{
    const size_t index = corridor_index(corridor, place_of_node(route, node).block);
    return (uint32_t)(index * BLOCK_NODES + block_slot(node[0], node[1], node[2]));
}

/* Breadth first from `start` until `end`. */
static bool corridor_flood(const struct block_grid *grid, struct corridor *corridor, uint32_t start,
                           uint32_t end)
{
    size_t head = 0, tail = 0;
    memset(corridor->previous, 0xff, corridor->count * BLOCK_NODES * sizeof *corridor->previous);
    corridor->queue[tail++] = start;
    corridor->previous[start] = start;
    while (head < tail) {
        const uint32_t at = corridor->queue[head++];
        if (at == end)
            return true;
        const struct block *block = &grid->block[corridor->block[at / BLOCK_NODES]];
        const unsigned slot = at % BLOCK_NODES;
        for (int d = 0; d < DIRECTIONS; d++) {
            if ((grid->tile[block->tile][slot] >> d & 1) == 0)
                continue;
            size_t index = at / BLOCK_NODES;
            int next = (int)slot + slot_step[d];
            if (leaves_block(slot, d)) {
                index = corridor_index(corridor, block->neighbour[d]);
                next = (int)slot - 7 * slot_step[d];
            }
            if (index == SIZE_MAX)
                continue;
            const uint32_t to = (uint32_t)(index * BLOCK_NODES + (size_t)next);
            if (corridor->previous[to] == UINT32_MAX) {
                corridor->previous[to] = at;
                corridor->queue[tail++] = to;
            }
        }
    }
    return false;
}

static int not_joined(const double from[3], const double to[3], struct failure *failure)
{
    return failure_fix(
        failure_set(failure, FAILURE_INPUT,
                    "no path through the air leads from (%g, %g, %g) m to the receiver at (%g, "
                    "%g, %g) m, which is in another cavity",
                    from[0], from[1], from[2], to[0], to[1], to[2]),
        failure, "give each cavity a run of its own");
}

int air_route_trace(const struct air_route *route, const double from[3], const double to[3],
                    const int64_t to_node[3], double (**point)[3], size_t *count, struct failure *failure)
{
    const struct block_grid *grid = route->grid;
    struct corridor corridor = {0};
    int code = 0;
    const uint64_t end = number_of(route, place_of_node(route, to_node));
    if (!isfinite(route->length[end]))
        return not_joined(from, to, failure);
    if (!corridor_make(route, end, &corridor)) {
        code = failure_memory(failure, corridor.count * BLOCK_NODES * 8, "a route through the air");
        goto done;
    }
    const uint32_t first = corridor_node(route, &corridor, route->start_node);
    const uint32_t last = corridor_node(route, &corridor, to_node);
    if (!corridor_flood(grid, &corridor, first, last)) {
        code = not_joined(from, to, failure);
        goto done;
    }
    size_t nodes = 1;
    for (uint32_t at = last; at != first; at = corridor.previous[at])
        nodes++;
    double(*line)[3] = malloc((nodes + 2) * sizeof *line);
    if (line == NULL) {
        code = failure_memory(failure, (nodes + 2) * sizeof *line, "a route through the air");
        goto done;
    }
    memcpy(line[0], from, sizeof line[0]);
    memcpy(line[nodes + 1], to, sizeof line[0]);
    uint32_t at = last;
    for (size_t n = nodes; n > 0; n--, at = corridor.previous[at]) {
        int64_t node[3];
        block_node(&grid->block[corridor.block[at / BLOCK_NODES]], at % BLOCK_NODES, node);
        lattice_position(&grid->lattice, node, line[n]);
    }
    *point = line;
    *count = nodes + 2;
done:
    free(corridor.block);
    free(corridor.previous);
    free(corridor.queue);
    return code;
}
