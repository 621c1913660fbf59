#include "blocks/cut_masses.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/block_grid.h"
#include "blocks/cube_needs.h"
#include "blocks/link_tiles.h"
#include "geometry/base/lower_bound.h"

#define UNIT          (1 << 24) /* parts of a voxel that masses are counted in */
#define DISTANCE_MOST 5
#define NEAR_MOST     512  /* nodes at which a search stops: within five links there are 230 without pieces */
#define RINGS         2048 /* nodes whose lenders are searched at a time */
#define NEAR_SLOTS    1024 /* of the hash table of a search, a power of two */

const double *cut_masses_shares(bool isotropic, size_t *count)
{
    static const double share[2][4] = {{.9, .85, .8, .7}, {.8, .7, .6, .5}};
    *count = 4;
    return share[isotropic];
}

double cut_masses_least(double lambda2, unsigned open)
{
    return lambda2 / 2 * open / CUT_WHOLE * cut_masses_margin(open);
}

double cut_masses_least_of_need(double lambda2, uint64_t need)
{
    return lambda2 / 4 * (double)need / CUBE_NEED_ONE * (need == CUBE_NEED_AMID ? 1 : CUT_MASSES_MARGIN);
}

/* In units. Blocks with cut nodes have a page; others get one when a node of theirs lends. Every node of a
 * block without a page is a whole open one or not air. */
struct page {
    int32_t mass[BLOCK_NODES], least[BLOCK_NODES];
    uint32_t need[BLOCK_NODES]; /* input of least_of(), independent of lambda^2 */
    block_id block;
    uint64_t extra, extra_past; /* the block's extra nodes, by rising slot */
};

struct cut_ledger {
    const struct block_grid *grid;
    double lambda2;
    int32_t least;     /* of a whole open node */
    uint32_t *page_of; /* (blocks + 1) number + 1; 0: none */
    size_t own;        /* pages that exist before any loan */
    size_t pages, room;
    struct page *page;
    uint64_t *lacking; /* (lacking_room) nodes that lack mass, in their order */
    size_t lacking_room;
    uint64_t volume, lent;     /* units */
    struct piece_needs pieces; /* of an isotropic grid, while pages are made */
};

void cut_ledger_free(struct cut_ledger *ledger)
{
    if (ledger == NULL)
        return;
    free(ledger->page_of);
    free(ledger->page);
    free(ledger->lacking);
    free(ledger);
}

/* ---- pages -----------------------------------------------------------------------------------------------
 */

static int32_t in_units(double mass)
{
    return (int32_t)ceil(mass * UNIT);
}

static int32_t volume_units(unsigned parts)
{
    return (int32_t)((parts * (int64_t)UNIT + CUT_WHOLE / 2) / CUT_WHOLE);
}

static unsigned sum_openings(const struct cut_cell *cut)
{
    unsigned sum = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        sum += cut->open[d];
    return sum;
}

/* Need of a whole open node. */
static uint32_t need_whole(const struct block_grid *grid)
{
    return grid->isotropic ? (uint32_t)CUBE_NEED_AMID : 6 * CUT_WHOLE;
}

/* Least mass by the links of a node, or in the isotropic scheme by its cubes. */
static int32_t least_of(const struct cut_ledger *ledger, uint32_t need)
{
    return in_units(ledger->grid->isotropic ? cut_masses_least_of_need(ledger->lambda2, need)
                                            : cut_masses_least(ledger->lambda2, need));
}

/* A page of whole open nodes. */
static struct page *open_page(const struct cut_ledger *ledger, block_id b)
{
    struct page *const page = &ledger->page[ledger->page_of[b] - 1];
    const uint32_t need = need_whole(ledger->grid);
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
        page->mass[slot] = (int32_t)UNIT, page->least[slot] = ledger->least, page->need[slot] = need;
    page->block = b;
    page->extra = page->extra_past = ledger->grid->extra_nodes;
    return page;
}

static int make_room(struct cut_ledger *ledger, size_t room, struct failure *failure)
{
    struct page *page = realloc(ledger->page, room * sizeof *page);
    if (page == NULL)
        return failure_memory(failure, room * sizeof *page, "masses near walls");
    ledger->page = page;
    ledger->room = room;
    return 0;
}

static int add_page(struct cut_ledger *ledger, block_id b, struct failure *failure)
{
    if (ledger->pages == ledger->room)
        TRY(make_room(ledger, ledger->room + ledger->room / 8 + 64, failure));
    ledger->page_of[b] = (uint32_t)++ledger->pages;
    (void)open_page(ledger, b);
    return 0;
}

/* Openings of the nodes with records, with those of their extra links; extra nodes begin at page->extra. */
static void need_of_links(const struct cut_ledger *ledger, struct page *page)
{
    const struct block_grid *const grid = ledger->grid;
    const block_id b = page->block;
    const uint64_t *const cut = grid->marks[grid->block[b].tile].cut;
    uint64_t record = grid->cut_first[b], extra = page->extra;
    for (unsigned z = 0; z < BLOCK_EDGE; z++)
        for (uint64_t rest = cut[z]; rest != 0; rest &= rest - 1, record++) {
            const unsigned slot = 64 * z + (unsigned)__builtin_ctzll(rest);
            unsigned open = sum_openings(&grid->cut[record]);
            if (extra < grid->extra_nodes && grid->extra_node[extra].block == b &&
                grid->extra_node[extra].slot == slot) {
                const struct extra_node *const node = &grid->extra_node[extra++];
                for (unsigned k = 0; k < node->links; k++)
                    open += grid->extra_link[node->first + k].open;
            }
            page->need[slot] = open;
        }
}

/* Needs of all nodes by their cubes. */
static void need_of_cubes(const struct cut_ledger *ledger, struct page *page)
{
    struct cube_needs needs;
    cube_needs(ledger->grid, page->block, page->extra, &ledger->pieces, &needs);
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
        page->need[slot] = needs.need[slot] < UINT32_MAX ? (uint32_t)needs.need[slot] : UINT32_MAX;
}

/* Make a page of the ledger's own. */
static void make_page(const struct cut_ledger *ledger, block_id b)
{
    struct page *const page = open_page(ledger, b);
    page->extra = block_extra_from(ledger->grid, b);
    page->extra_past = block_extra_from(ledger->grid, b + 1);
    if (ledger->grid->isotropic)
        need_of_cubes(ledger, page);
    else
        need_of_links(ledger, page);
}

/* Reset the page to the state before any loan; return the volume of its nodes with records. */
static uint64_t begin_page(const struct cut_ledger *ledger, struct page *page)
{
    const struct block_grid *const grid = ledger->grid;
    const uint64_t *const cut = grid->marks[grid->block[page->block].tile].cut;
    uint64_t volume = 0, record = grid->cut_first[page->block];
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        const bool has = cut[slot >> 6] >> (slot & 63) & 1;
        page->mass[slot] = has ? volume_units(grid->cut[record++].volume) : UNIT;
        page->least[slot] = least_of(ledger, page->need[slot]);
        volume += has ? (uint64_t)page->mass[slot] : 0;
    }
    return volume;
}

/* True if the block has nodes whose least mass differs from that of a whole open one. */
static bool has_page(const struct cut_ledger *ledger, block_id b)
{
    const struct block_grid *const grid = ledger->grid;
    if (grid->cut_first[b] != grid->cut_first[b + 1])
        return true;
    if (!grid->isotropic)
        return false;
    struct cube_needs needs;
    cube_needs(grid, b, grid->extra_nodes, &ledger->pieces, &needs);
    return !needs.alone;
}

static int make_pages(struct cut_ledger *ledger, struct failure *failure)
{
    const struct block_grid *const grid = ledger->grid;
    ledger->page_of = calloc((size_t)grid->blocks + 1, sizeof *ledger->page_of);
    if (ledger->page_of == NULL)
        return failure_memory(failure, ((size_t)grid->blocks + 1) * sizeof *ledger->page_of,
                              "masses of nodes");
#pragma omp parallel for schedule(dynamic, 256)
    for (block_id b = 1; b <= grid->blocks; b++)
        ledger->page_of[b] = has_page(ledger, b);
    for (block_id b = 1; b <= grid->blocks; b++)
        if (ledger->page_of[b] != 0)
            ledger->page_of[b] = (uint32_t)++ledger->own;
    TRY(make_room(ledger, ledger->own + ledger->own / 8 + 64, failure));
#pragma omp parallel for schedule(dynamic, 256)
    for (block_id b = 1; b <= grid->blocks; b++)
        if (ledger->page_of[b] != 0)
            make_page(ledger, b);
    ledger->pages = ledger->own;
    return 0;
}

int cut_ledger_make(const struct block_grid *grid, struct cut_ledger **out, struct failure *failure)
{
    assert(grid->has_records && grid->lambda2 == 0);
    struct cut_ledger *const ledger = calloc(1, sizeof *ledger);
    if (ledger == NULL)
        return failure_memory(failure, sizeof *ledger, "masses of nodes");
    ledger->grid = grid;
    int code = grid->isotropic ? piece_needs_make(grid, &ledger->pieces, failure) : 0;
    if (code == 0)
        code = make_pages(ledger, failure);
    piece_needs_free(&ledger->pieces);
    if (code != 0)
        cut_ledger_free(ledger);
    else
        *out = ledger;
    return code;
}

/* Forget all loans and compute needs for this lambda^2. */
static void begin_balance(struct cut_ledger *ledger, double lambda2)
{
    const struct block_grid *const grid = ledger->grid;
    for (; ledger->pages > ledger->own; ledger->pages--)
        ledger->page_of[ledger->page[ledger->pages - 1].block] = 0;
    ledger->lambda2 = lambda2;
    ledger->least = least_of(ledger, need_whole(grid));
    ledger->lent = 0;
    uint64_t volume = (grid->air_nodes - grid->cuts) * (uint64_t)UNIT;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : volume)
    for (size_t p = 0; p < ledger->own; p++)
        volume += begin_page(ledger, &ledger->page[p]);
    ledger->volume = volume;
}

/* Mass beyond the least; negative if mass is lacking. */
static int32_t surplus_of(const struct cut_ledger *ledger, uint64_t node)
{
    const uint32_t number = ledger->page_of[node / BLOCK_NODES];
    if (number == 0)
        return UNIT - ledger->least;
    const struct page *const page = &ledger->page[number - 1];
    return page->mass[node % BLOCK_NODES] - page->least[node % BLOCK_NODES];
}

/* The page must exist; lending makes it. */
static int32_t *mass_at(struct cut_ledger *ledger, uint64_t node)
{
    return &ledger->page[ledger->page_of[node / BLOCK_NODES] - 1].mass[node % BLOCK_NODES];
}

/* ---- neighbours ------------------------------------------------------------------------------------------
 */

/* Nodes at so many links from one, in the order in which they are reached. */
struct ring {
    unsigned count;
    uint64_t node[NEAR_MOST];
};

/* Nodes within a few links of one, nearest first. */
struct near {
    uint64_t node[NEAR_MOST];
    uint16_t slot[NEAR_SLOTS]; /* place in `node` + 1 by open addressing; 0: free */
};

static void add_near_node(struct near *near, unsigned *count, uint64_t node)
{
    unsigned at = (unsigned)(node * UINT64_C(0x9E3779B97F4A7C15) >> 54);
    for (; near->slot[at] != 0; at = (at + 1) % NEAR_SLOTS)
        if (near->node[near->slot[at] - 1U] == node)
            return;
    if (*count == NEAR_MOST)
        return;
    near->node[*count] = node;
    near->slot[at] = (uint16_t)++ * count;
}

/* The other ends of all links of a node. */
static void reach_beside(const struct cut_ledger *ledger, uint64_t node, struct near *near, unsigned *count)
{
    const struct block_grid *const grid = ledger->grid;
    const block_id b = (block_id)(node / BLOCK_NODES);
    const unsigned slot = (unsigned)(node % BLOCK_NODES);
    const struct block *const block = &grid->block[b];
    const unsigned links = grid->tile[block->tile][slot];
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        bool leaves;
        if ((links >> d & 1) == 0)
            continue;
        const unsigned there = block_slot_beside(slot, d, &leaves);
        add_near_node(near, count, (uint64_t)(leaves ? block->neighbour[d] : b) * BLOCK_NODES + there);
    }
    if (ledger->page_of[b] == 0)
        return;
    const struct page *const page = &ledger->page[ledger->page_of[b] - 1];
    uint64_t low = page->extra, high = page->extra_past;
    LOWER_BOUND(low, high, at, grid->extra_node[at].slot < slot);
    for (; low < page->extra_past && grid->extra_node[low].slot == slot; low++)
        for (uint64_t k = grid->extra_node[low].first;
             k < grid->extra_node[low].first + grid->extra_node[low].links; k++)
            if (grid->extra_link[k].open > 0)
                add_near_node(near, count,
                              (uint64_t)grid->extra_link[k].block * BLOCK_NODES + grid->extra_link[k].slot);
}

static void find_ring(const struct cut_ledger *ledger, uint64_t node, unsigned distance, struct ring *ring)
{
    struct near near;
    unsigned count = 0, first = 0, past;
    memset(near.slot, 0, sizeof near.slot);
    add_near_node(&near, &count, node);
    for (unsigned d = 1; d <= distance; d++, first = past) {
        past = count;
        for (unsigned n = first; n < past; n++)
            reach_beside(ledger, near.node[n], &near, &count);
    }
    ring->count = count - first;
    memcpy(ring->node, near.node + first, ring->count * sizeof *ring->node);
}

/* ---- lending ---------------------------------------------------------------------------------------------
 */

/* Take the lacking mass from the nodes of a ring, in proportion to their surplus; units that do not divide
 * come from the first of them. */
static int borrow_mass(struct cut_ledger *ledger, uint64_t node, const struct ring *ring,
                       struct failure *failure)
{
    int64_t have = 0;
    for (unsigned n = 0; n < ring->count; n++) {
        const int32_t surplus = surplus_of(ledger, ring->node[n]);
        have += surplus > 0 ? surplus : 0;
    }
    const int64_t lack = -(int64_t)surplus_of(ledger, node), take = lack < have ? lack : have;
    if (take == 0)
        return 0;
    int64_t rest = take;
    int32_t part[NEAR_MOST];
    for (unsigned n = 0; n < ring->count; n++) {
        const int32_t surplus = surplus_of(ledger, ring->node[n]);
        part[n] = surplus > 0 ? (int32_t)(surplus * take / have) : 0;
        rest -= part[n];
    }
    for (unsigned n = 0; n < ring->count; n++) {
        if (rest > 0 && part[n] < surplus_of(ledger, ring->node[n])) {
            part[n]++;
            rest--;
        }
        if (part[n] == 0)
            continue;
        if (ledger->page_of[ring->node[n] / BLOCK_NODES] == 0)
            TRY(add_page(ledger, (block_id)(ring->node[n] / BLOCK_NODES), failure));
        *mass_at(ledger, ring->node[n]) -= part[n];
    }
    assert(rest == 0);
    *mass_at(ledger, node) += (int32_t)take;
    ledger->lent += (uint64_t)take;
    return 0;
}

/* List nodes that lack mass, in order. Lending makes no others: no node gives mass that it needs. */
static int list_lacking(struct cut_ledger *ledger, size_t *count, struct failure *failure)
{
    *count = 0;
    for (size_t p = 0; p < ledger->own; p++) /* pages are in the order of blocks */
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            if (ledger->page[p].mass[slot] >= ledger->page[p].least[slot])
                continue;
            if (*count == ledger->lacking_room) {
                const size_t room = ledger->lacking_room + ledger->lacking_room / 2 + 1024;
                uint64_t *const grown = realloc(ledger->lacking, room * sizeof *grown);
                if (grown == NULL)
                    return failure_memory(failure, room * sizeof *grown, "nodes that lack mass");
                ledger->lacking = grown;
                ledger->lacking_room = room;
            }
            ledger->lacking[(*count)++] = (uint64_t)ledger->page[p].block * BLOCK_NODES + slot;
        }
    return 0;
}

/* Every node of the list that lacks mass takes it across `distance` links, in order; those that still lack
 * some stay on the list. All threads search lenders, for RINGS nodes at a time. */
static int lend_across(struct cut_ledger *ledger, unsigned distance, struct ring *ring, size_t *count,
                       struct failure *failure)
{
    uint64_t *const lacking = ledger->lacking;
    size_t still = 0;
    for (size_t from = 0; from < *count; from += RINGS) {
        const size_t some = *count - from < RINGS ? *count - from : RINGS;
#pragma omp parallel for schedule(dynamic, 16)
        for (size_t n = 0; n < some; n++)
            find_ring(ledger, lacking[from + n], distance, &ring[n]);
        for (size_t n = 0; n < some; n++) {
            const uint64_t node = lacking[from + n];
            TRY(borrow_mass(ledger, node, &ring[n], failure));
            if (surplus_of(ledger, node) < 0)
                lacking[still++] = node;
        }
    }
    *count = still;
    return 0;
}

/* Lend first across one link, then across two, and so on. */
static int lend_masses(struct cut_ledger *ledger, struct failure *failure)
{
    size_t count = 0;
    struct ring *const ring = malloc(RINGS * sizeof *ring);
    int code = ring == NULL ? failure_memory(failure, RINGS * sizeof *ring, "nodes that lend mass")
                            : list_lacking(ledger, &count, failure);
    for (unsigned distance = 1; code == 0 && distance <= DISTANCE_MOST; distance++)
        code = lend_across(ledger, distance, ring, &count, failure);
    free(ring);
    return code;
}

/* Add the mass that could not be lent, and report totals. Only nodes with a page have changed. */
static void settle_masses(const struct cut_ledger *ledger, struct cut_masses *out)
{
    const struct block_grid *const grid = ledger->grid;
    uint64_t before = 0, after = 0, added = 0, borrowers = 0, lenders = 0;
    double largest = 1;
#pragma omp parallel for schedule(dynamic, 256)                                                              \
    reduction(+ : before, after, added, borrowers, lenders) reduction(max : largest)
    for (block_id b = 1; b <= grid->blocks; b++) {
        if (ledger->page_of[b] == 0)
            continue;
        struct page *const page = &ledger->page[ledger->page_of[b] - 1];
        const uint64_t *const cut = grid->marks[grid->block[b].tile].cut;
        uint64_t record = grid->cut_first[b];
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            const bool has = cut[slot >> 6] >> (slot & 63) & 1;
            const int32_t volume = has ? volume_units(grid->cut[record++].volume) : UNIT;
            const int32_t lack = page->least[slot] - page->mass[slot];
            if (lack > 0) {
                page->mass[slot] += lack;
                added += (uint64_t)lack;
            }
            borrowers += page->mass[slot] > volume;
            lenders += page->mass[slot] < volume;
            const double times = (double)page->mass[slot] / volume;
            largest = times > largest ? times : largest;
            before += (uint64_t)volume;
            after += (uint64_t)page->mass[slot];
        }
    }
    assert(after == before + added);
    *out = (struct cut_masses){.lambda2 = ledger->lambda2,
                               .volume = (double)ledger->volume / UNIT,
                               .lent = (double)ledger->lent / UNIT,
                               .added = (double)added / UNIT,
                               .borrowers = borrowers,
                               .lenders = lenders,
                               .largest = largest};
}

int cut_ledger_share_out(struct cut_ledger *ledger, double lambda2, struct cut_masses *out,
                         struct failure *failure)
{
    assert(lambda2 > 0 && (ledger->grid->isotropic ? 4 * lambda2 <= 3 : 3 * lambda2 <= 1));
    begin_balance(ledger, lambda2);
    TRY(lend_masses(ledger, failure));
    settle_masses(ledger, out);
    return 0;
}

/* ---- to the grid -----------------------------------------------------------------------------------------
 */

/* Rounded so that the mass of the gain is no less. */
static float gain_of(const struct block_grid *grid, double lambda2, int32_t mass)
{
    const double exact = lambda2 / (block_gain_parts(grid) * ((double)mass / UNIT));
    const float gain = (float)exact;
    return (double)gain > exact ? nextafterf(gain, 0) : gain;
}

/* Mark whole nodes of a block that lent mass as cut nodes. Returns their number. */
static unsigned mark_lenders(const struct cut_ledger *ledger, block_id b, struct tile_marks *marks)
{
    const struct block_grid *const grid = ledger->grid;
    const uint8_t *const links = grid->tile[grid->block[b].tile];
    unsigned lenders = 0;
    *marks = grid->marks[grid->block[b].tile];
    for (unsigned slot = 0; ledger->page_of[b] != 0 && slot < BLOCK_NODES; slot++) {
        const uint64_t bit = UINT64_C(1) << (slot & 63);
        if (links[slot] == 0 || marks->cut[slot >> 6] & bit ||
            ledger->page[ledger->page_of[b] - 1].mass[slot] == UNIT)
            continue;
        marks->cut[slot >> 6] |= bit;
        lenders++;
    }
    return lenders;
}

/* Records, gains and plaquettes of a block whose new marks are in `next`. */
static void write_records(const struct cut_ledger *ledger, block_id b, uint64_t first,
                          const struct tile_marks *marks, struct block_grid *next)
{
    const struct block_grid *const grid = ledger->grid;
    const uint64_t *const was = grid->marks[grid->block[b].tile].cut;
    const struct cut_cell whole = {.open = {CUT_WHOLE, CUT_WHOLE, CUT_WHOLE, CUT_WHOLE, CUT_WHOLE, CUT_WHOLE},
                                   .volume = CUT_WHOLE};
    uint64_t old = grid->cut_first[b], record = first;
    for (unsigned z = 0; z < BLOCK_EDGE; z++)
        for (uint64_t rest = marks->cut[z]; rest != 0; rest &= rest - 1, record++) {
            const unsigned bit = (unsigned)__builtin_ctzll(rest);
            const struct page *const page = &ledger->page[ledger->page_of[b] - 1];
            const bool has = was[z] >> bit & 1;
            next->cut[record] = has ? grid->cut[old] : whole;
            next->gain[record] = gain_of(grid, ledger->lambda2, page->mass[64 * z + bit]);
            if (grid->isotropic && has)
                memcpy(next->plaquette[record], grid->plaquette[old], sizeof *next->plaquette);
            else if (grid->isotropic)
                memset(next->plaquette[record], CUT_WHOLE, sizeof *next->plaquette);
            old += has;
        }
}

/* Make the changed parts of the grid: marks and tiles, records, gains. `tile_of` (blocks + 1). */
static int make_records(const struct cut_ledger *ledger, uint32_t *tile_of, struct block_grid *next,
                        struct failure *failure)
{
    const struct block_grid *const grid = ledger->grid;
    struct tile_set tiles = {0};
    struct tile_marks marks;
    int code = 0;
    next->cut_first = calloc((size_t)grid->blocks + 2, sizeof *next->cut_first);
    if (next->cut_first == NULL)
        return failure_memory(failure, ((size_t)grid->blocks + 2) * sizeof *next->cut_first,
                              "ranges of cut nodes");
    for (block_id b = 1; b <= grid->blocks; b++)
        next->cut_first[b + 1] = next->cut_first[b] + grid->cut_first[b + 1] - grid->cut_first[b] +
                                 mark_lenders(ledger, b, &marks);
    next->cuts = next->cut_first[grid->blocks + 1];
    TRY(block_grid_allocate_records(next, grid->isotropic, failure));
    code = tile_set_start(&tiles, true, failure);
    for (block_id b = 1; code == 0 && b <= grid->blocks; b++) {
        if (ledger->page_of[b] == 0 && grid->block[b].tile == TILE_FULL) {
            tile_of[b] = TILE_FULL;
            continue;
        }
        (void)mark_lenders(ledger, b, &marks);
        code = tile_set_add(&tiles, grid->tile[grid->block[b].tile], &marks, &tile_of[b], failure);
        write_records(ledger, b, next->cut_first[b], &marks, next);
    }
    if (code == 0)
        tile_set_give(&tiles, next);
    tile_set_free(&tiles);
    return code;
}

int cut_ledger_give(const struct cut_ledger *ledger, struct block_grid *grid, struct failure *failure)
{
    struct block_grid next = {0};
    assert(grid == ledger->grid && grid->lambda2 == 0 && ledger->lambda2 > 0);
    uint32_t *tile_of = calloc((size_t)grid->blocks + 1, sizeof *tile_of);
    int code = tile_of == NULL
                   ? failure_memory(failure, ((size_t)grid->blocks + 1) * sizeof *tile_of, "tiles of blocks")
                   : make_records(ledger, tile_of, &next, failure);
    if (code == 0) {
        block_grid_take_records(grid, &next, tile_of);
        grid->lambda2 = ledger->lambda2;
    }
    block_grid_free(&next);
    free(tile_of);
    return code;
}

int cut_masses_make(struct block_grid *grid, double lambda2, struct cut_masses *out, struct failure *failure)
{
    struct cut_ledger *ledger = NULL;
    struct cut_masses masses;
    TRY(cut_ledger_make(grid, &ledger, failure));
    int code = cut_ledger_share_out(ledger, lambda2, &masses, failure);
    if (code == 0)
        code = cut_ledger_give(ledger, grid, failure);
    if (code == 0)
        *out = masses;
    cut_ledger_free(ledger);
    return code;
}

/* ---- of a finished grid ----------------------------------------------------------------------------------
 */

static bool has_record(const struct block_grid *grid, block_id b, unsigned slot)
{
    return grid->has_records && (grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1) != 0;
}

/* Openings of a node and of its extra links. */
static unsigned sum_links(const struct block_grid *grid, block_id b, unsigned slot)
{
    unsigned open = has_record(grid, b, slot)
                        ? sum_openings(&grid->cut[block_cut_record(grid, b, slot)])
                        : CUT_WHOLE * (unsigned)__builtin_popcount(grid->tile[grid->block[b].tile][slot]);
    for (uint64_t n = block_extra_from(grid, b); n < grid->extra_nodes && grid->extra_node[n].block == b; n++)
        for (unsigned k = 0; grid->extra_node[n].slot == slot && k < grid->extra_node[n].links; k++)
            open += grid->extra_link[grid->extra_node[n].first + k].open;
    return open;
}

int cut_masses_surplus(const struct block_grid *grid, double lambda2, size_t count, const uint64_t *node,
                       double *surplus, struct failure *failure)
{
    struct piece_needs pieces = {0};
    struct cube_needs needs;
    block_id known = 0;
    if (grid->isotropic)
        TRY(piece_needs_make(grid, &pieces, failure));
    for (size_t n = 0; n < count; n++) {
        const block_id b = (block_id)(node[n] / BLOCK_NODES);
        const unsigned slot = (unsigned)(node[n] % BLOCK_NODES);
        if (node[n] == UINT64_MAX) {
            surplus[n] = -1;
            continue;
        }
        if (grid->isotropic && b != known)
            cube_needs(grid, known = b, block_extra_from(grid, b), &pieces, &needs);
        surplus[n] = has_record(grid, b, slot) ? cut_mass(grid, block_cut_record(grid, b, slot)) : 1;
        if (!grid->isotropic)
            surplus[n] -= cut_masses_least(lambda2, sum_links(grid, b, slot));
        else if (needs.alone && grid->cut_first[b] == grid->cut_first[b + 1])
            surplus[n] -= cut_masses_least_of_need(lambda2, CUBE_NEED_AMID);
        else
            surplus[n] -= cut_masses_least_of_need(lambda2, needs.need[slot]);
    }
    piece_needs_free(&pieces);
    return 0;
}
