#include "kernels/cpu/step_fronts.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/parts/partition.h"

/* Blocks of a thread's range that it steps once before it looks for those that may be stepped again: few
 * enough that they stay in the second-level cache. */
#define CHUNK 32

struct ids {
    block_id *id;
    size_t count, room;
};

/* Blocks beside those across faces and edges: to[first[b]] .. to[first[b + 1]-1]. */
struct ties {
    uint64_t *first; /* (blocks + 2) */
    struct ids to;
};

struct planner {
    const struct block_grid *grid;
    struct ties ties;
    struct partition shares;
    uint8_t *made, *before; /* (blocks + 1) steps that a block has made: now, and when the round began */
    uint8_t *waits;         /* (blocks + 1) is in a list of those that may run */
    uint8_t *driven;        /* (blocks + 1) */
    struct step_fronts *out;
};

static bool add_id(struct ids *list, block_id id)
{
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 64;
        block_id *const grown = realloc(list->id, room * sizeof *grown);
        if (grown == NULL)
            return false;
        list->id = grown;
        list->room = room;
    }
    list->id[list->count++] = id;
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    const block_id x = *(const block_id *)a, y = *(const block_id *)b;
    return (x > y) - (x < y);
}

static void sort_ids(struct ids *list)
{
    if (list->count > 1)
        qsort(list->id, list->count, sizeof *list->id, compare_ids);
}

/* ---- blocks around a block ----------------------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Pairs of blocks that extra links or a receiver join, from both sides; returns their number. `pair` NULL:
 * count them only. */
static uint64_t find_pairs(const struct block_grid *grid, const struct front_taps *taps, uint64_t *pair)
{
    uint64_t count = 0, latest = 0;
    for (uint64_t n = 0; n < grid->extra_nodes; ++n) {
        const struct extra_node *const node = &grid->extra_node[n];
        for (uint64_t k = node->first; k < node->first + node->links; ++k) {
            const uint64_t found = (uint64_t)node->block << 32 | grid->extra_link[k].block;
            if (found == latest || node->block == grid->extra_link[k].block)
                continue;
            latest = found;
            if (pair != NULL)
                pair[count] = found;
            ++count;
        }
    }
    for (size_t r = 0; r < taps->receivers; ++r) {
        const struct engine_tap *const tap = &taps->receiver[r];
        uint64_t block[STENCIL_NODES_MAX];
        unsigned blocks = 0;
        for (unsigned k = 0; k < tap->count; ++k) {
            unsigned n = 0;
            block[blocks] = tap->index[k] / BLOCK_NODES;
            while (block[n] != block[blocks])
                ++n;
            blocks += n == blocks;
        }
        for (unsigned a = 0; a < blocks; ++a)
            for (unsigned b = 0; b < blocks; ++b)
                if (a != b) {
                    if (pair != NULL)
                        pair[count] = block[a] << 32 | block[b];
                    ++count;
                }
    }
    return count;
}

static bool make_ties(struct planner *plan, const struct front_taps *taps)
{
    const struct block_grid *const grid = plan->grid;
    const uint64_t count = find_pairs(grid, taps, NULL);
    uint64_t *const pair = malloc((count + 1) * sizeof *pair);
    struct ties *const ties = &plan->ties;
    ties->first = calloc((size_t)grid->blocks + 2, sizeof *ties->first);
    bool made = pair != NULL && ties->first != NULL;
    if (made) {
        (void)find_pairs(grid, taps, pair);
        qsort(pair, count, sizeof *pair, compare_pairs);
    }
    for (uint64_t n = 0; made && n < count; ++n)
        if (n == 0 || pair[n] != pair[n - 1]) {
            made = add_id(&ties->to, (block_id)pair[n]);
            ++ties->first[(pair[n] >> 32) + 1];
        }
    for (uint64_t b = 0; made && b <= grid->blocks; ++b)
        ties->first[b + 1] += ties->first[b];
    free(pair);
    return made;
}

/* Number of blocks around a block, those that are not there included; and the n-th, or 0. */
static uint64_t count_around(const struct planner *plan, block_id b)
{
    return DIRECTIONS + EDGES + plan->ties.first[b + 1] - plan->ties.first[b];
}
static block_id block_around(const struct planner *plan, block_id b, uint64_t n)
{
    if (n < DIRECTIONS)
        return plan->grid->block[b].neighbour[n];
    if (n < DIRECTIONS + EDGES)
        return plan->grid->isotropic ? plan->grid->edge[b][n - DIRECTIONS] : 0;
    return plan->ties.to.id[plan->ties.first[b] + n - DIRECTIONS - EDGES];
}

/* ---- a thread in a round ------------------------------------------------------------------------------- */

static bool is_own(const struct planner *plan, int thread, block_id b)
{
    const struct partition *const of = &plan->shares;
    return (of->dense[thread] <= b && b < of->dense[thread + 1]) ||
           (of->list[thread] <= b && b < of->list[thread + 1]);
}

/* May a block make its next step? */
static bool is_ready(const struct planner *plan, int thread, block_id b)
{
    const unsigned made = plan->made[b];
    const uint64_t around = count_around(plan, b);
    if (made == plan->out->steps)
        return false;
    for (uint64_t n = 0; n < around; ++n) {
        const block_id other = block_around(plan, b, n);
        if (other != 0 && (is_own(plan, thread, other) ? plan->made : plan->before)[other] < made)
            return false;
    }
    return true;
}

/* Blocks of a chunk that may run: ready[t] for step t + 1. */
struct ready {
    struct ids step[FRONT_STEPS_MOST];
};

static bool add_ready(struct planner *plan, int thread, block_id b, struct ready *ready)
{
    if (plan->waits[b] || !is_ready(plan, thread, b))
        return true;
    plan->waits[b] = 1;
    return add_id(&ready->step[plan->made[b]], b);
}

/* Add the next step of a block to the list. */
static bool add_step(struct planner *plan, block_id b, struct front_list *list)
{
    struct front_run *const last = list->runs > 0 ? &list->run[list->runs - 1] : NULL;
    const uint8_t step = ++plan->made[b];
    plan->waits[b] = 0;
    if (last != NULL && last->last == b && last->step == step) {
        ++last->last;
        last->driven = last->driven || plan->driven[b];
        return true;
    }
    if (list->runs == list->room) {
        const size_t room = 2 * list->room + 64;
        struct front_run *const grown = realloc(list->run, room * sizeof *grown);
        if (grown == NULL)
            return false;
        list->run = grown;
        list->room = room;
    }
    list->run[list->runs++] = (struct front_run){b, b + 1, step, plan->driven[b] != 0};
    return true;
}

/* Make all steps that may run, beginning with those in `ready`. */
static bool step_ready(struct planner *plan, int thread, struct ready *ready, struct front_list *list)
{
    bool made = true;
    for (unsigned t = 0; t < plan->out->steps; ++t) {
        struct ids *const now = &ready->step[t];
        sort_ids(now);
        for (size_t k = 0; made && k < now->count; ++k)
            made = add_step(plan, now->id[k], list);
        for (size_t k = 0; made && k < now->count; ++k) {
            const block_id b = now->id[k];
            const uint64_t around = count_around(plan, b);
            made = add_ready(plan, thread, b, ready);
            for (uint64_t n = 0; made && n < around; ++n) {
                const block_id other = block_around(plan, b, n);
                if (other != 0 && plan->made[other] == t + 1 && is_own(plan, thread, other))
                    made = add_ready(plan, thread, other, ready);
            }
        }
        now->count = 0;
    }
    return made;
}

/* List blocks come with the first block that is tied to them. */
static bool visit_block(struct planner *plan, int thread, block_id b, struct ready *ready)
{
    const block_id lists = block_list_first(plan->grid);
    bool made = add_ready(plan, thread, b, ready);
    for (uint64_t n = plan->ties.first[b]; made && b < lists && n < plan->ties.first[b + 1]; ++n)
        if (plan->ties.to.id[n] >= lists && is_own(plan, thread, plan->ties.to.id[n]))
            made = add_ready(plan, thread, plan->ties.to.id[n], ready);
    return made;
}

static bool plan_range(struct planner *plan, int thread, block_id first, block_id end, struct ready *ready,
                       struct front_list *list)
{
    bool made = true;
    for (block_id b = first; made && b < end; ++b) {
        made = visit_block(plan, thread, b, ready);
        if (made && ((b - first) % CHUNK == CHUNK - 1 || b + 1 == end))
            made = step_ready(plan, thread, ready, list);
    }
    return made;
}

static bool plan_thread(struct planner *plan, unsigned round, int thread)
{
    struct front_list *const list = step_fronts_list(plan->out, round, thread);
    const struct partition *const of = &plan->shares;
    struct ready ready = {0};
    const bool made = plan_range(plan, thread, of->dense[thread], of->dense[thread + 1], &ready, list) &&
                      plan_range(plan, thread, of->list[thread], of->list[thread + 1], &ready, list);
    for (unsigned t = 0; t < FRONT_STEPS_MOST; ++t)
        free(ready.step[t].id);
    return made;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

struct home {
    block_id block;
    size_t receiver;
};

static int compare_homes(const void *a, const void *b)
{
    const struct home *const x = a, *const y = b;
    return x->block != y->block ? compare_ids(&x->block, &y->block)
                                : (x->receiver > y->receiver) - (x->receiver < y->receiver);
}

static bool sort_receivers(const struct front_taps *taps, struct step_fronts *out)
{
    struct home *const home = malloc((taps->receivers + 1) * sizeof *home);
    out->receiver = malloc((taps->receivers + 1) * sizeof *out->receiver);
    out->read_first = malloc((taps->receivers + 1) * sizeof *out->read_first);
    const bool made = home != NULL && out->receiver != NULL && out->read_first != NULL;
    for (size_t r = 0; made && r < taps->receivers; ++r)
        home[r] = (struct home){(block_id)(taps->receiver[r].index[0] / BLOCK_NODES), r};
    if (made)
        qsort(home, taps->receivers, sizeof *home, compare_homes);
    for (size_t r = 0; made && r < taps->receivers; ++r) {
        out->receiver[r] = home[r].receiver;
        out->read_first[r] = home[r].block;
    }
    free(home);
    return made;
}

static bool plan_rounds(struct planner *plan)
{
    const size_t blocks = (size_t)plan->grid->blocks + 1;
    bool made = true;
    for (unsigned round = 0; made && round < plan->out->steps; ++round) {
        memcpy(plan->before, plan->made, blocks);
#pragma omp parallel for num_threads(plan->out->lists) schedule(static, 1) reduction(&& : made)
        for (int thread = 0; thread < plan->out->lists; ++thread)
            made = plan_thread(plan, round, thread) && made;
    }
    return made;
}

bool step_fronts_make(const struct block_grid *grid, const struct front_taps *taps, int lists, unsigned steps,
                      struct step_fronts *out)
{
    const size_t blocks = (size_t)grid->blocks + 1;
    struct planner plan = {.grid = grid, .out = out};
    *out = (struct step_fronts){
        .steps = steps, .lists = lists, .sources = taps->sources, .receivers = taps->receivers};
    out->list = calloc((size_t)lists * steps, sizeof *out->list);
    plan.made = calloc(4 * blocks, 1);
    bool made = plan.made != NULL && out->list != NULL && sort_receivers(taps, out) &&
                make_ties(&plan, taps) && (out->taken = calloc((size_t)lists, sizeof *out->taken)) != NULL &&
                partition_make(grid, (unsigned)lists, PARTITION_WALL_COST, &plan.shares, NULL) == 0;
    if (made) {
        plan.before = plan.made + blocks;
        plan.waits = plan.before + blocks;
        plan.driven = plan.waits + blocks;
        for (size_t s = 0; s < taps->sources; ++s)
            for (unsigned k = 0; k < taps->source[s].count; ++k)
                plan.driven[taps->source[s].index[k] / BLOCK_NODES] = 1;
        made = plan_rounds(&plan);
    }
    free(plan.made);
    free(plan.ties.first);
    free(plan.ties.to.id);
    partition_free(&plan.shares);
    return made;
}

double step_fronts_late(const struct step_fronts *fronts)
{
    uint64_t all = 0, late = 0;
    for (unsigned round = 0; round < fronts->steps; ++round)
        for (int n = 0; n < fronts->lists; ++n) {
            const struct front_list *const list = step_fronts_list(fronts, round, n);
            for (size_t r = 0; r < list->runs; ++r) {
                const uint64_t blocks = list->run[r].last - list->run[r].first;
                all += blocks;
                late += round > 0 ? blocks : 0;
            }
        }
    return all > 0 ? (double)late / (double)all : 0.0;
}

void step_fronts_free(struct step_fronts *fronts)
{
    for (size_t n = 0; fronts->list != NULL && n < (size_t)fronts->lists * fronts->steps; ++n)
        free(fronts->list[n].run);
    free(fronts->list);
    free(fronts->receiver);
    free(fronts->read_first);
    free(fronts->taken);
    *fronts = (struct step_fronts){0};
}
