#include "blocks/piece_plaquettes.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/block_grid.h"
#include "blocks/cube_bound.h"
#include "blocks/open_window.h"

#define WHAT "plaquettes of further pieces of air"

/* ---- lists that grow --------------------------------------------------------------------------------- */

struct items {
    uint64_t count, room;
    size_t size; /* of one */
    char *item;
    bool full; /* no memory was left */
};

/* Room for `more` items, which the caller counts in; NULL without memory. */
static void *more_items(struct items *items, uint64_t more)
{
    if (items->count + more > items->room) {
        const uint64_t room = 2 * items->room + more + 64;
        char *const grown = realloc(items->item, room * items->size);
        if (grown == NULL) {
            items->full = true;
            return NULL;
        }
        items->item = grown;
        items->room = room;
    }
    return items->item + items->count * items->size;
}

static void push_item(struct items *items, const void *item)
{
    void *const to = more_items(items, 1);
    if (to == NULL)
        return;
    memcpy(to, item, items->size);
    items->count++;
}

/* Append a thread's items to those of all; they are sorted later, so the order of threads does not matter. */
static void join_items(struct items *all, struct items *own)
{
#pragma omp critical(piece_items)
    {
        void *const to = own->full ? NULL : more_items(all, own->count);
        if (to != NULL && own->count > 0)
            memcpy(to, own->item, own->count * own->size);
        if (to != NULL)
            all->count += own->count;
        all->full = all->full || own->full;
    }
    free(own->item);
}

static int check_items(const struct items *items, struct failure *failure)
{
    return items->full ? failure_memory(failure, (items->count + 1) * items->size, WHAT) : 0;
}

/* Sort by their first two numbers of 64 bits, and remove all but one of those with equal ones. */
static int by_numbers(const void *one, const void *two)
{
    uint64_t a[2], b[2];
    memcpy(a, one, sizeof a);
    memcpy(b, two, sizeof b);
    const int n = a[0] == b[0];
    return (a[n] > b[n]) - (a[n] < b[n]);
}

static void sort_items(struct items *items)
{
    if (items->count > 0)
        qsort(items->item, items->count, items->size, by_numbers);
}

static void keep_different(struct items *items)
{
    uint64_t kept = 0;
    sort_items(items);
    for (uint64_t n = 0; n < items->count; n++) {
        const char *const from = items->item + n * items->size;
        if (kept == 0 || memcmp(from, items->item + (kept - 1) * items->size, items->size) != 0)
            memmove(items->item + kept++ * items->size, from, items->size);
    }
    items->count = kept;
}

/* ---- places -------------------------------------------------------------------------------------------- */

#define KEY_BITS 21
#define KEY_MASK ((UINT64_C(1) << KEY_BITS) - 1)
#define KEY_ZERO 64 /* voxels may lie before the lattice */

static uint64_t key_of(const int64_t voxel[3])
{
    return (uint64_t)(voxel[0] + KEY_ZERO) | (uint64_t)(voxel[1] + KEY_ZERO) << KEY_BITS |
           (uint64_t)(voxel[2] + KEY_ZERO) << 2 * KEY_BITS;
}
static void voxel_of(uint64_t key, int64_t voxel[3])
{
    for (int a = 0; a < 3; a++)
        voxel[a] = (int64_t)(key >> a * KEY_BITS & KEY_MASK) - KEY_ZERO;
}

/* A pair of numbers: a list node and its voxel's key, or a square (its lowest voxel and its normal). */
struct pair {
    uint64_t key, other;
};

struct pieces {
    const struct block_grid *grid;
    struct items at; /* struct pair: voxel, node; rising */
};

static uint64_t first_list_node(const struct block_grid *grid)
{
    return (uint64_t)block_list_first(grid) * BLOCK_NODES;
}
static bool is_listed(const struct block_grid *grid, uint64_t node)
{
    return node >= first_list_node(grid);
}

static int find_pieces(const struct block_grid *grid, struct pieces *out, struct failure *failure)
{
    *out = (struct pieces){.grid = grid, .at = {.size = sizeof(struct pair)}};
    for (uint64_t n = 0; n < grid->list_nodes; n++)
        push_item(&out->at, &(const struct pair){key_of(grid->list_voxel[n]), first_list_node(grid) + n});
    sort_items(&out->at);
    return check_items(&out->at, failure);
}

/* Cubes (`squares` false; `other` 0) or squares with list nodes in their voxels. */
static struct items places_of(const struct block_grid *grid, bool squares)
{
    struct items places = {.size = sizeof(struct pair)};
    for (uint64_t n = 0; n < grid->list_nodes; n++)
        for (unsigned v = 0; v < CUBE_CORNERS; v++)
            for (unsigned normal = 0; normal < (squares ? 3 : 1); normal++) {
                int64_t low[3];
                for (unsigned a = 0; a < 3; a++)
                    low[a] = grid->list_voxel[n][a] - (v >> a & 1);
                if (!squares || (v >> normal & 1) == 0)
                    push_item(&places, &(const struct pair){key_of(low), normal});
            }
    keep_different(&places);
    return places;
}

/* ---- the nodes of a cube or a square, and their links ----------------------------------------------------
 */

struct graph {
    unsigned count;
    uint64_t *node;
    uint8_t *voxel; /* x + 2y + 4z */
    uint8_t *open;  /* (count, count) of CUT_WHOLE */
};

/* Nodes of a voxel, written to `node` unless it is NULL. */
static unsigned nodes_of(const struct pieces *pieces, const int64_t voxel[3], uint64_t *node)
{
    const struct block_grid *const grid = pieces->grid;
    const struct pair *const at = (const struct pair *)pieces->at.item;
    const uint64_t dense = block_grid_index(grid, voxel), key = key_of(voxel);
    unsigned count = 0;
    if (dense != UINT64_MAX &&
        block_is_air(grid, (block_id)(dense / BLOCK_NODES), (unsigned)(dense % BLOCK_NODES))) {
        if (node != NULL)
            node[count] = dense;
        count++;
    }
    uint64_t low = 0, high = pieces->at.count;
    LOWER_BOUND(low, high, n, at[n].key < key);
    for (; low < pieces->at.count && at[low].key == key; low++, count++)
        if (node != NULL)
            node[count] = at[low].other;
    return count;
}

static bool has_record(const struct block_grid *grid, uint64_t node)
{
    const unsigned slot = (unsigned)(node % BLOCK_NODES);
    return grid->marks[grid->block[node / BLOCK_NODES].tile].cut[slot >> 6] >> (slot & 63) & 1;
}

static const struct extra_link *extra_between(const struct block_grid *grid, uint64_t from, uint64_t to)
{
    uint64_t low = 0, high = grid->extra_nodes;
    LOWER_BOUND(low, high, n,
                (uint64_t)grid->extra_node[n].block * BLOCK_NODES + grid->extra_node[n].slot < from);
    if (low == grid->extra_nodes ||
        (uint64_t)grid->extra_node[low].block * BLOCK_NODES + grid->extra_node[low].slot != from)
        return NULL;
    for (unsigned k = 0; k < grid->extra_node[low].links; k++) {
        const struct extra_link *const link = &grid->extra_link[grid->extra_node[low].first + k];
        if ((uint64_t)link->block * BLOCK_NODES + link->slot == to)
            return link;
    }
    return NULL;
}

/* How far a node is open to one in the next voxel in a direction. */
static unsigned open_between(const struct block_grid *grid, uint64_t from, uint64_t to, unsigned d)
{
    if (is_listed(grid, from) || is_listed(grid, to)) {
        const struct extra_link *const link = extra_between(grid, from, to);
        return link != NULL ? link->open : 0;
    }
    const block_id b = (block_id)(from / BLOCK_NODES);
    const unsigned slot = (unsigned)(from % BLOCK_NODES);
    return has_record(grid, from) ? grid->cut[block_cut_record(grid, b, slot)].open[d]
           : grid->tile[grid->block[b].tile][slot] >> d & 1 ? CUT_WHOLE
                                                            : 0;
}

/* Share of a link between dense nodes that a sheet leaves to plaquettes. */
static unsigned share_between(const struct block_grid *grid, uint64_t low_end, unsigned axis)
{
    const block_id b = (block_id)(low_end / BLOCK_NODES);
    for (uint64_t n = grid->sheets > 0 && !is_listed(grid, low_end) ? block_sheet_from(grid, b)
                                                                    : grid->sheets;
         n < grid->sheets && grid->sheet[n].block == b; n++)
        if (grid->sheet[n].slot == low_end % BLOCK_NODES && grid->sheet[n].axis == axis)
            return grid->sheet[n].share;
    return CUT_WHOLE;
}

/* Read the voxels of a cube, or those whose place on the axis `normal` is 0 (3: all). False without memory.
 */
static bool read_graph(const struct pieces *pieces, const int64_t low[3], unsigned normal, struct graph *out)
{
    unsigned count = 0;
    int64_t voxel[CUBE_CORNERS][3];
    for (unsigned v = 0; v < CUBE_CORNERS; v++) {
        for (unsigned a = 0; a < 3; a++)
            voxel[v][a] = low[a] + (v >> a & 1);
        count += (v >> normal & 1) == 0 ? nodes_of(pieces, voxel[v], NULL) : 0;
    }
    out->count = count;
    out->node = calloc(1, count * (sizeof *out->node + 1 + (size_t)count) + 1);
    if (out->node == NULL)
        return false;
    out->voxel = (uint8_t *)(out->node + count);
    out->open = out->voxel + count;
    for (unsigned v = 0, n = 0; v < CUBE_CORNERS; v++) {
        const unsigned more = (v >> normal & 1) == 0 ? nodes_of(pieces, voxel[v], out->node + n) : 0;
        memset(out->voxel + n, (int)v, more);
        n += more;
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++) {
            const unsigned apart = out->voxel[i] ^ out->voxel[j];
            if (apart == 1 || apart == 2 || apart == 4)
                out->open[i * count + j] =
                    (uint8_t)open_between(pieces->grid, out->node[i], out->node[j],
                                          2 * (apart >> 1) + ((out->voxel[j] & apart) != 0));
        }
    return true;
}

/* ---- cycles -------------------------------------------------------------------------------------------- */

/* The nodes 00, 10, 01, 11 of a cycle. */
typedef void cycle_visit(void *context, const struct pieces *pieces, const struct graph *graph,
                         const unsigned node[4]);

/* Visit the cycles of a square with this normal, at place `side` on it. */
static void visit_cycles(const struct pieces *pieces, const struct graph *graph, unsigned normal,
                         unsigned side, cycle_visit *visit, void *context)
{
    const unsigned first = normal == 0, second = normal == 2 ? 1 : 2, n = graph->count;
    const unsigned low = side << normal, right = low | 1U << first, up = low | 1U << second;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; graph->voxel[i] == low && j < n; j++)
            for (unsigned k = 0; graph->voxel[j] == right && graph->open[i * n + j] > 0 && k < n; k++)
                for (unsigned l = 0; graph->voxel[k] == up && graph->open[i * n + k] > 0 && l < n; l++)
                    if (graph->voxel[l] == (right | up) && graph->open[j * n + l] > 0 &&
                        graph->open[k * n + l] > 0)
                        visit(context, pieces, graph, (const unsigned[4]){i, j, k, l});
}

static unsigned axis_between(const struct graph *graph, unsigned i, unsigned j)
{
    return (unsigned)(graph->voxel[i] ^ graph->voxel[j]) >> 1U;
}

static unsigned weigh_cycle(const struct pieces *pieces, const struct graph *graph, const unsigned node[4])
{
    static const unsigned ends[4][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
    unsigned open[4], share[4];
    for (unsigned s = 0; s < 4; s++) {
        const unsigned i = node[ends[s][0]], j = node[ends[s][1]];
        open[s] = graph->open[i * graph->count + j];
        share[s] = is_listed(pieces->grid, graph->node[j])
                       ? CUT_WHOLE
                       : share_between(pieces->grid, graph->node[i], axis_between(graph, i, j));
    }
    return plaquette_weight_shared(open, open + 2, share, share + 2);
}

static bool has_list_node(const struct pieces *pieces, const struct graph *graph, const unsigned node[4])
{
    bool has = false;
    for (unsigned n = 0; n < 4; n++)
        has = has || is_listed(pieces->grid, graph->node[node[n]]);
    return has;
}

/* ---- plaquettes ---------------------------------------------------------------------------------------- */

/* A link from one end. */
struct link_from {
    uint64_t from, to;
    int open, crossed;
};

struct square {
    struct items *links;
    unsigned *uses; /* of each node: in how many cycles it is */
};

static void count_uses(void *context, const struct pieces *pieces, const struct graph *graph,
                       const unsigned node[4])
{
    (void)pieces;
    (void)graph;
    for (unsigned n = 0; n < 4; n++)
        ((struct square *)context)->uses[node[n]]++;
}

static void add_cycle(void *context, const struct pieces *pieces, const struct graph *graph,
                      const unsigned node[4])
{
    /* Its links, then its diagonals. */
    static const unsigned ends[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}};
    const struct square *const square = context;
    bool may = has_list_node(pieces, graph, node);
    for (unsigned n = 0; n < 4; n++)
        may = may && square->uses[node[n]] == 1 && has_record(pieces->grid, graph->node[node[n]]);
    const int b = may ? (int)weigh_cycle(pieces, graph, node) : 0;
    for (unsigned n = 0; b > 0 && n < 12; n++) {
        const uint64_t one = graph->node[node[ends[n / 2][n % 2]]],
                       other = graph->node[node[ends[n / 2][1 - n % 2]]];
        push_item(square->links, &(const struct link_from){one, other, 0, n < 8 ? b : -b});
    }
}

/* True if one of the four voxels is in the layer behind an open face. */
static bool in_layer(const struct block_grid *grid, const int64_t low[3], unsigned normal)
{
    bool in = false;
    for (unsigned v = 0; block_has_layer(grid) && v < CUBE_CORNERS; v++)
        in = in || ((v >> normal & 1) == 0 &&
                    block_in_layer(grid, (const int64_t[3]){low[0] + (v & 1), low[1] + (v >> 1 & 1),
                                                            low[2] + (v >> 2)}));
    return in;
}

static void add_square(const struct pieces *pieces, const struct pair *at, struct items *links)
{
    const unsigned normal = (unsigned)at->other;
    int64_t low[3];
    struct graph graph = {0};
    voxel_of(at->key, low);
    if (in_layer(pieces->grid, low, normal))
        return;
    struct square square = {.links = links};
    if (read_graph(pieces, low, normal, &graph) &&
        (square.uses = calloc(graph.count + 1, sizeof *square.uses)) != NULL) {
        visit_cycles(pieces, &graph, normal, 0, count_uses, &square);
        visit_cycles(pieces, &graph, normal, 0, add_cycle, &square);
    } else {
        links->full = true;
    }
    free(square.uses);
    free(graph.node);
}

static void push_links_there(const struct block_grid *grid, struct items *links)
{
    for (uint64_t n = 0; n < grid->extra_nodes; n++)
        for (unsigned k = 0; k < grid->extra_node[n].links; k++) {
            const struct extra_node *const node = &grid->extra_node[n];
            const struct extra_link *const link = &grid->extra_link[node->first + k];
            push_item(links, &(const struct link_from){(uint64_t)node->block * BLOCK_NODES + node->slot,
                                                       (uint64_t)link->block * BLOCK_NODES + link->slot,
                                                       link->open, 0});
        }
}

/* Make one of several links between the same nodes. */
static void merge_links(struct items *links)
{
    struct link_from *const link = (struct link_from *)links->item;
    uint64_t kept = 0;
    sort_items(links);
    for (uint64_t n = 0; n < links->count; n++)
        if (kept > 0 && link[kept - 1].from == link[n].from && link[kept - 1].to == link[n].to) {
            link[kept - 1].open += link[n].open;
            link[kept - 1].crossed += link[n].crossed;
        } else {
            link[kept++] = link[n];
        }
    links->count = kept;
}

/* Give the grid these links instead of its own. */
static int replace_links(const struct items *links, struct block_grid *grid, struct failure *failure)
{
    const struct link_from *const link = (const struct link_from *)links->item;
    uint64_t nodes = 0;
    for (uint64_t n = 0; n < links->count; n++)
        nodes += n == 0 || link[n].from != link[n - 1].from;
    struct extra_node *const node = calloc(nodes + 1, sizeof *node);
    struct extra_link *const to = calloc(links->count + 1, sizeof *to);
    if (node == NULL || to == NULL) {
        free(node);
        free(to);
        return failure_memory(failure, nodes * sizeof *node + links->count * sizeof *to, WHAT);
    }
    nodes = 0;
    for (uint64_t n = 0; n < links->count; n++) {
        if (n == 0 || link[n].from != link[n - 1].from)
            node[nodes++] = (struct extra_node){.block = (uint32_t)(link[n].from / BLOCK_NODES),
                                                .slot = (uint16_t)(link[n].from % BLOCK_NODES),
                                                .first = n};
        node[nodes - 1].links++;
        to[n] = (struct extra_link){.block = (uint32_t)(link[n].to / BLOCK_NODES),
                                    .slot = (uint16_t)(link[n].to % BLOCK_NODES),
                                    .crossed = (int16_t)link[n].crossed,
                                    .open = (uint8_t)link[n].open};
    }
    free(grid->extra_node);
    free(grid->extra_link);
    grid->extra_node = node;
    grid->extra_link = to;
    grid->extra_nodes = nodes;
    grid->extra_links = links->count;
    return 0;
}

int piece_plaquettes_add(struct block_grid *grid, struct failure *failure)
{
    struct pieces pieces = {0};
    struct items links = {.size = sizeof(struct link_from)};
    if (grid->list_nodes == 0)
        return 0;
    struct items squares = places_of(grid, true);
    int code = check_items(&squares, failure);
    if (code == 0)
        code = find_pieces(grid, &pieces, failure);
    if (code == 0) {
#pragma omp parallel
        {
            struct items own = {.size = sizeof(struct link_from)};
#pragma omp for schedule(dynamic, 256)
            for (uint64_t n = 0; n < squares.count; n++)
                add_square(&pieces, (const struct pair *)squares.item + n, &own);
            join_items(&links, &own);
        }
        push_links_there(grid, &links);
        code = check_items(&links, failure);
    }
    if (code == 0) {
        merge_links(&links);
        code = replace_links(&links, grid, failure);
    }
    free(links.item);
    free(squares.item);
    free(pieces.at.item);
    return code;
}

/* ---- needs --------------------------------------------------------------------------------------------- */

/* A cube, its connected parts, and K_c in parts of 1 / (12 CUT_WHOLE). */
struct cube {
    unsigned *part; /* (count) the first node of the part */
    int *k;         /* (count, count) */
    bool *plain;    /* (count) of the part that begins with the node: all its cycles are plaquettes */
};

static void subtract_cycle(void *context, const struct pieces *pieces, const struct graph *graph,
                           const unsigned node[4])
{
    static const int sign[4] = {1, -1, -1, 1};
    const struct cube *const cube = context;
    int b = 0;
    if (!has_list_node(pieces, graph, node)) {
        b = (int)weigh_cycle(pieces, graph, node);
    } else {
        const struct extra_link *const diagonal =
            extra_between(pieces->grid, graph->node[node[0]], graph->node[node[3]]);
        b = diagonal != NULL ? -diagonal->crossed : 0;
        if (b == 0)
            cube->plain[cube->part[node[0]]] = false;
    }
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            cube->k[node[i] * graph->count + node[j]] -= b * sign[i] * sign[j];
}

static void find_parts(const struct graph *graph, struct cube *cube)
{
    const unsigned n = graph->count;
    for (unsigned i = 0; i < n; i++) {
        cube->part[i] = i;
        cube->plain[i] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < n; j++)
                if (graph->open[i * n + j] > 0 && cube->part[j] < cube->part[i]) {
                    cube->part[i] = cube->part[j];
                    changed = true;
                }
    }
}

static void push_need(struct items *needs, uint64_t node, uint64_t need)
{
    if (need > 0)
        push_item(needs, &(const struct piece_need){node, need});
}

/* The need of a part with one node a voxel. */
static void bound_part(const struct pieces *pieces, const struct graph *graph, const int at[CUBE_CORNERS],
                       struct items *needs)
{
    uint8_t open[1][CUBE_LINKS] = {{0}}, share[1][CUBE_LINKS];
    uint32_t need[1][CUBE_CORNERS];
    for (unsigned n = 0; n < CUBE_LINKS; n++) {
        const unsigned axis = n / 4, first = axis == 0, second = axis == 2 ? 1 : 2;
        const unsigned i = (n & 1) << first | (n >> 1 & 1) << second, j = i | 1U << axis;
        share[0][n] = CUT_WHOLE;
        if (at[i] < 0 || at[j] < 0)
            continue;
        open[0][n] = graph->open[(unsigned)at[i] * graph->count + (unsigned)at[j]];
        if (!is_listed(pieces->grid, graph->node[at[j]]))
            share[0][n] = (uint8_t)share_between(pieces->grid, graph->node[at[i]], axis);
    }
    cube_bound_shared((const uint8_t(*)[CUBE_LINKS])open, (const uint8_t(*)[CUBE_LINKS])share, 1, need);
    for (unsigned v = 0; v < CUBE_CORNERS; v++)
        if (at[v] >= 0)
            push_need(needs, graph->node[at[v]], need[0][v]);
}

/* Sums of rows, which need no proof since diag(y) - K_c has a dominant diagonal. */
static void sum_rows(const struct graph *graph, const struct cube *cube, unsigned part, struct items *needs)
{
    for (unsigned i = part; i < graph->count; i++) {
        int64_t sum = 0;
        for (unsigned j = 0; j < graph->count; j++)
            sum += abs(cube->k[i * graph->count + j]);
        if (cube->part[i] == part)
            push_need(needs, graph->node[i],
                      ((uint64_t)sum * CUBE_NEED_ONE + 12 * CUT_WHOLE - 1) / (12 * CUT_WHOLE));
    }
}

static void need_of_part(const struct pieces *pieces, const struct graph *graph, const struct cube *cube,
                         unsigned part, struct items *needs)
{
    int at[CUBE_CORNERS];
    bool plain = cube->plain[part];
    memset(at, -1, sizeof at);
    for (unsigned i = part; i < graph->count; i++)
        if (cube->part[i] == part) {
            plain = plain && at[graph->voxel[i]] < 0;
            at[graph->voxel[i]] = (int)i;
        }
    if (plain)
        bound_part(pieces, graph, at, needs);
    else
        sum_rows(graph, cube, part, needs);
}

static void need_of_cube(const struct pieces *pieces, const struct pair *of, struct items *needs)
{
    int64_t low[3];
    struct graph graph = {0};
    voxel_of(of->key, low);
    if (!read_graph(pieces, low, 3, &graph)) {
        needs->full = true;
        return;
    }
    const unsigned n = graph.count;
    struct cube cube = {.part = calloc(n + 1, sizeof *cube.part),
                        .k = calloc((size_t)n * n + 1, sizeof *cube.k),
                        .plain = calloc(n + 1, sizeof *cube.plain)};
    if (cube.part == NULL || cube.k == NULL || cube.plain == NULL) {
        needs->full = true;
    } else {
        find_parts(&graph, &cube);
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < n; j++) {
                cube.k[i * n + i] += 3 * graph.open[i * n + j];
                cube.k[i * n + j] -= 3 * graph.open[i * n + j];
            }
        for (unsigned square = 0; square < 6; square++)
            visit_cycles(pieces, &graph, square / 2, square % 2, subtract_cycle, &cube);
        for (unsigned i = 0; i < n; i++)
            if (cube.part[i] == i)
                need_of_part(pieces, &graph, &cube, i, needs);
    }
    free(cube.part);
    free(cube.k);
    free(cube.plain);
    free(graph.node);
}

/* The cube in the lists of the blocks that its corners are in. */
static void list_cube(const struct block_grid *grid, const struct pair *of, struct items *cubes)
{
    int64_t low[3];
    voxel_of(of->key, low);
    for (unsigned v = 0; v < CUBE_CORNERS; v++) {
        int32_t place[3];
        uint32_t cube = 0, edge = 1;
        for (unsigned a = 0; a < 3; a++, edge *= OPEN_WINDOW - 1) {
            const int64_t at = low[a] + (v >> a & 1);
            place[a] = (int32_t)((at + BLOCK_EDGE * KEY_ZERO) / BLOCK_EDGE - KEY_ZERO);
            cube += edge * (uint32_t)(low[a] - (int64_t)place[a] * BLOCK_EDGE + 1);
        }
        const block_id block = block_grid_find(grid, place);
        if (block != 0)
            push_item(cubes, &(const struct pair){block, cube});
    }
}

static void merge_needs(struct items *needs)
{
    struct piece_need *const need = (struct piece_need *)needs->item;
    uint64_t kept = 0;
    sort_items(needs);
    for (uint64_t n = 0; n < needs->count; n++)
        if (kept > 0 && need[kept - 1].node == need[n].node)
            need[kept - 1].need += need[n].need;
        else
            need[kept++] = need[n];
    needs->count = kept;
}

int piece_needs_make(const struct block_grid *grid, struct piece_needs *out, struct failure *failure)
{
    struct pieces pieces = {0};
    struct items needs = {.size = sizeof(struct piece_need)}, listed = {.size = sizeof(struct pair)};
    *out = (struct piece_needs){0};
    if (grid->list_nodes == 0)
        return 0;
    struct items cubes = places_of(grid, false);
    int code = check_items(&cubes, failure);
    if (code == 0)
        code = find_pieces(grid, &pieces, failure);
    if (code == 0) {
#pragma omp parallel
        {
            struct items own = {.size = sizeof(struct piece_need)};
#pragma omp for schedule(dynamic, 64)
            for (uint64_t n = 0; n < cubes.count; n++)
                need_of_cube(&pieces, (const struct pair *)cubes.item + n, &own);
            join_items(&needs, &own);
        }
        for (uint64_t n = 0; n < cubes.count; n++)
            list_cube(grid, (const struct pair *)cubes.item + n, &listed);
        code = check_items(&needs, failure);
    }
    if (code == 0)
        code = check_items(&listed, failure);
    if (code == 0) {
        merge_needs(&needs);
        keep_different(&listed);
        out->cube = malloc((listed.count + 1) * sizeof *out->cube);
        if (out->cube == NULL)
            code = failure_memory(failure, listed.count * sizeof *out->cube, WHAT);
    }
    for (uint64_t n = 0; code == 0 && n < listed.count; n++) {
        const struct pair *const from = (const struct pair *)listed.item + n;
        out->cube[out->cubes++] = (struct piece_cube){(block_id)from->key, (uint32_t)from->other};
    }
    if (code == 0) {
        out->nodes = needs.count;
        out->node = (struct piece_need *)needs.item;
    } else {
        free(needs.item);
    }
    free(listed.item);
    free(cubes.item);
    free(pieces.at.item);
    return code;
}

void piece_needs_free(struct piece_needs *needs)
{
    free(needs->cube);
    free(needs->node);
    *needs = (struct piece_needs){0};
}
