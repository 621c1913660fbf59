#include "kernels/engine/engine_sheets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/sheets/sheet_links.h"
#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_wall_entries.h"
#include "kernels/engine/engine_walls.h"

enum { FLOW, MOVED, DIFFERENCE, PLANES };
_Static_assert(PLANES == SHEET_PLANES, "states are counted");

/* ---- what there is ------------------------------------------------------------------------------------- */

/* Pressure index in the layout that is stepped. */
static uint64_t index_of(const struct engine *engine, uint64_t block, unsigned slot)
{
    const struct step_room *room = &engine->room;
    return room->box == NULL ? block * BLOCK_NODES + slot
                             : box_grid_block_index(room->box, room->blocks, (block_id)block, slot);
}

static void find_ends(const struct engine *engine, const struct sheet_link *link, uint64_t end[2])
{
    const struct block_grid *grid = engine->room.blocks;
    bool leaves;
    const unsigned slot = block_slot_beside(link->slot, 2U * link->axis + 1, &leaves);
    end[0] = index_of(engine, link->block, link->slot);
    end[1] = index_of(engine, sheet_link_high(grid, link), slot);
}

static bool is_own(const struct engine *engine, uint64_t index)
{
    return engine->room.box != NULL || index / BLOCK_NODES <= engine->room.blocks->blocks;
}

/* The opening of either end, since a part may have only one of them. */
static double opening_of(const struct engine *engine, const struct sheet_link *link, const uint64_t end[2])
{
    const unsigned high = !is_own(engine, end[0]);
    const uint64_t record = engine_record(engine, end[high]);
    return record == UINT64_MAX
               ? 1.0
               : (double)engine_cut(engine, record)->open[2U * link->axis + !high] / CUT_WHOLE;
}

static struct sheet_law stack_layers(const struct sheet_law *law, double layers)
{
    return (struct sheet_law){layers * law->resistance, layers * law->mass, layers * law->pores_resistance,
                              layers * law->pores_mass};
}

/* Make links, their ends and their laws. */
static int make_links(struct engine *engine, struct failure *failure)
{
    const struct block_grid *grid = engine->room.blocks;
    struct engine_sheets *const sheets = engine->sheets;
    for (uint64_t n = 0; n < sheets->links; ++n) {
        const struct sheet_link *const link = &grid->sheet[n];
        if (link->material >= grid->laws)
            return failure_set(failure, FAILURE_INPUT,
                               "a sheet cuts a link of the grid, and its material %u has no properties",
                               link->material);
        find_ends(engine, link, sheets->end[n]);
        sheets->material[n] = link->material;
        sheets->law[n] = stack_layers(&grid->law[link->material], (double)link->layers);
        sheets->opening[n] = opening_of(engine, link, sheets->end[n]);
        const struct scheme_sheet_f64 terms = sheet_law_terms(&sheets->law[n], 1);
        if (engine->real_bytes == sizeof(float))
            ((struct scheme_sheet_f32 *)sheets->terms)[n] = sheet_law_round(&terms);
        else
            ((struct scheme_sheet_f64 *)sheets->terms)[n] = terms;
    }
    return 0;
}

/* ---- which nodes -------------------------------------------------------------------------------------- */

struct end_of_link {
    uint64_t index, link;
    unsigned high, axis;
};

/* The links of a node are in the order of directions, which is the same in every part. */
static int by_index(const void *one, const void *two)
{
    const struct end_of_link *a = one, *b = two;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return (int)(2 * a->axis + a->high) - (int)(2 * b->axis + b->high);
}

/* lambda^2 alpha / mass times 1 - q. */
static double weight_of(const struct engine *engine, const struct end_of_link *end)
{
    const double mass = engine_mass(engine, engine_record(engine, end->index));
    const double weight = engine->room.lambda2 * engine->sheets->opening[end->link] / mass *
                          (1.0 - engine_wall_q_at(engine, end->index));
    return end->high ? -weight : weight;
}

static void make_nodes(struct engine *engine, const struct end_of_link *end, uint64_t ends)
{
    struct engine_sheets *const sheets = engine->sheets;
    uint64_t nodes = 0;
    for (uint64_t n = 0; n < ends; ++n) {
        if (n == 0 || end[n].index != end[n - 1].index) {
            struct sheet_node node = {.index = end[n].index, .first = n};
            if (engine->room.walls != NULL)
                node.walls = engine_wall_at(engine, node.index, &node.wall);
            node.held = sheets->helds;
            sheets->helds += node.walls > 0 ? 1 + (uint64_t)node.walls * engine->walls.branches : 0;
            sheets->node[nodes++] = node;
        }
        /* The low end writes; if another part has it, the high end. */
        const bool writes = !end[n].high || !is_own(engine, sheets->end[end[n].link][0]);
        sheets->use[n] = 2 * end[n].link + (writes ? SHEET_WRITES : 0);
        engine_put(engine, sheets->weight, n, weight_of(engine, &end[n]));
    }
    sheets->node[nodes] = (struct sheet_node){.index = UINT64_MAX, .first = ends};
    sheets->nodes = nodes;
    sheets->uses = ends;
}

static int find_nodes(struct engine *engine, struct failure *failure)
{
    struct engine_sheets *const sheets = engine->sheets;
    uint64_t ends = 0;
    struct end_of_link *end = malloc((2 * sheets->links + 1) * sizeof *end);
    if (end == NULL)
        return failure_memory(failure, 2 * sheets->links * sizeof *end, "the nodes at sheets");
    for (uint64_t n = 0; n < sheets->links; ++n)
        for (unsigned high = 0; sheet_law_holds(&sheets->law[n]) && high < 2; ++high)
            if (is_own(engine, sheets->end[n][high]))
                end[ends++] =
                    (struct end_of_link){sheets->end[n][high], n, high, engine->room.blocks->sheet[n].axis};
    qsort(end, ends, sizeof *end, by_index);
    make_nodes(engine, end, ends);
    free(end);
    sheets->held = calloc(sheets->helds + 1, engine->real_bytes);
    return sheets->held == NULL
               ? failure_memory(failure, sheets->helds * engine->real_bytes, "the nodes at sheets")
               : 0;
}

/* ---- made and freed ------------------------------------------------------------------------------------ */

uint64_t engine_sheet_bytes(const struct engine *engine)
{
    return engine->sheets == NULL ? 0 : engine_sheet_bytes_of(engine->sheets->links, engine->real_bytes);
}

static int allocate_sheets(struct engine_sheets *sheets, unsigned real_bytes, struct failure *failure)
{
    const uint64_t links = sheets->links;
    sheets->end = calloc(links + 1, sizeof *sheets->end);
    sheets->material = calloc(links + 1, sizeof *sheets->material);
    sheets->opening = calloc(links + 1, sizeof *sheets->opening);
    sheets->law = calloc(links + 1, sizeof *sheets->law);
    sheets->terms = calloc(links + 1, sheet_terms_bytes(real_bytes));
    sheets->state[0] = calloc(PLANES * links + 1, real_bytes);
    sheets->state[1] = calloc(PLANES * links + 1, real_bytes);
    sheets->loss = calloc(links + 1, real_bytes);
    sheets->node = calloc(2 * links + 1, sizeof *sheets->node);
    sheets->use = calloc(2 * links + 1, sizeof *sheets->use);
    sheets->weight = calloc(2 * links + 1, real_bytes);
    if (sheets->end == NULL || sheets->material == NULL || sheets->opening == NULL || sheets->law == NULL ||
        sheets->terms == NULL || sheets->state[0] == NULL || sheets->state[1] == NULL ||
        sheets->loss == NULL || sheets->node == NULL || sheets->use == NULL || sheets->weight == NULL)
        return failure_memory(failure, engine_sheet_bytes_of(links, real_bytes), "the flows through sheets");
    return 0;
}

int engine_make_sheets(struct engine *engine, struct failure *failure)
{
    const uint64_t links = engine->room.blocks->sheets;
    if (links == 0)
        return 0;
    engine->sheets = calloc(1, sizeof *engine->sheets);
    if (engine->sheets == NULL)
        return failure_memory(failure, sizeof *engine->sheets, "the flows through sheets");
    engine->sheets->links = links;
    TRY(allocate_sheets(engine->sheets, engine->real_bytes, failure));
    TRY(make_links(engine, failure));
    return find_nodes(engine, failure);
}

void engine_free_sheets(struct engine *engine)
{
    struct engine_sheets *const sheets = engine->sheets;
    if (sheets == NULL)
        return;
    free(sheets->end);
    free(sheets->material);
    free(sheets->opening);
    free(sheets->law);
    free(sheets->terms);
    free(sheets->state[0]);
    free(sheets->state[1]);
    free(sheets->loss);
    free(sheets->node);
    free(sheets->use);
    free(sheets->weight);
    free(sheets->held);
    free(sheets);
    engine->sheets = NULL;
}

void engine_zero_sheets(struct engine *engine)
{
    struct engine_sheets *const sheets = engine->sheets;
    if (sheets == NULL)
        return;
    for (int copy = 0; copy < 2; ++copy)
        memset(sheets->state[copy], 0, (size_t)(PLANES * sheets->links * engine->real_bytes));
    memset(sheets->loss, 0, (size_t)(sheets->links * engine->real_bytes));
}

/* ---- stepped ------------------------------------------------------------------------------------------- */

void engine_begin_sheets(struct engine *engine)
{
    struct engine_sheets *const sheets = engine->sheets;
    for (uint64_t n = 0; sheets != NULL && n < sheets->links; ++n)
        if (engine->real_bytes == sizeof(float)) {
            const float *const old = engine->u_old;
            ((float *)sheets->state[sheets->now])[DIFFERENCE * sheets->links + n] =
                old[sheets->end[n][0]] - old[sheets->end[n][1]];
        } else {
            const double *const old = engine->u_old;
            ((double *)sheets->state[sheets->now])[DIFFERENCE * sheets->links + n] =
                old[sheets->end[n][0]] - old[sheets->end[n][1]];
        }
}

#define DEFINE_SHIFT(real, suffix)                                                                           \
    static void shift_##suffix(const struct engine_sheets *sheets, const real *u_old, real *state)           \
    {                                                                                                        \
        real *const before = state + DIFFERENCE * sheets->links;                                             \
        for (uint64_t n = 0; n < sheets->links; ++n) {                                                       \
            const real difference = u_old[sheets->end[n][0]] - u_old[sheets->end[n][1]];                     \
            if (sheet_law_holds(&sheets->law[n]))                                                            \
                state[n] += difference - before[n];                                                          \
            before[n] = difference;                                                                          \
        }                                                                                                    \
    }
DEFINE_SHIFT(float, f32)
DEFINE_SHIFT(double, f64)

void engine_shift_sheets(const struct engine *engine, const void *u_old, uint64_t n)
{
    const struct engine_sheets *const sheets = engine->sheets;
    void *const state = sheets->state[(sheets->now + n) & 1];
    if (engine->real_bytes == sizeof(float))
        shift_f32(sheets, u_old, state);
    else
        shift_f64(sheets, u_old, state);
}

/* The push of one node. */
#define DEFINE_NODE(real, suffix)                                                                            \
    static real push_##suffix(const struct engine_sheets *sheets, const struct sheet_node *node,             \
                              const real *u, unsigned now)                                                   \
    {                                                                                                        \
        const struct scheme_sheet_##suffix *const terms = sheets->terms;                                     \
        const real *const old = sheets->state[now], *const weight = sheets->weight;                          \
        real *const next = sheets->state[now ^ 1], *const loss = sheets->loss, push = 0;                     \
        const uint64_t links = sheets->links;                                                                \
        for (uint64_t n = node[0].first; n < node[1].first; ++n) {                                           \
            const uint64_t link = sheets->use[n] >> 1;                                                       \
            const real difference = u[sheets->end[link][0]] - u[sheets->end[link][1]];                       \
            const bool writes = (sheets->use[n] & SHEET_WRITES) != 0;                                        \
            real v = old[link], w = old[MOVED * links + link];                                               \
            const real taken = scheme_sheet_##suffix(                                                        \
                &terms[link], difference - old[DIFFERENCE * links + link], &v, &w, writes ? loss[link] : 0); \
            push = scheme_sheet_push_##suffix(push, weight[n], difference, v);                               \
            if (writes) {                                                                                    \
                next[link] = v;                                                                              \
                next[MOVED * links + link] = w;                                                              \
                next[DIFFERENCE * links + link] = difference;                                                \
                loss[link] = taken;                                                                          \
            }                                                                                                \
        }                                                                                                    \
        return push;                                                                                         \
    }
DEFINE_NODE(float, f32)
DEFINE_NODE(double, f64)

static uint64_t first_node(const struct engine_sheets *sheets, uint64_t begin)
{
    uint64_t low = 0, high = sheets->nodes;
    LOWER_BOUND(low, high, at, sheets->node[at].index < begin);
    return low;
}

void engine_hold_sheets(const struct engine *engine, const void *u_old, uint64_t begin, uint64_t end)
{
    const struct engine_sheets *const sheets = engine->sheets;
    const struct step_walls *const walls = &engine->walls;
    const size_t real = engine->real_bytes;
    if (sheets == NULL || sheets->helds == 0)
        return;
    for (uint64_t at = first_node(sheets, begin); at < sheets->nodes && sheets->node[at].index < end; ++at) {
        const struct sheet_node *const node = &sheets->node[at];
        char *held = (char *)sheets->held + node->held * real;
        if (node->walls == 0)
            continue;
        memcpy(held, (const char *)u_old + node->index * real, real);
        for (uint64_t entry = node->wall; entry < node->wall + node->walls; ++entry)
            for (unsigned m = 0; m < walls->branches; ++m)
                memcpy(held += real, (const char *)walls->state + (m * walls->stride + entry) * real, real);
    }
}

/* Update the walls of a node that got `push` after its step. */
#define DEFINE_WALLS(real, suffix)                                                                           \
    static void push_walls_##suffix(const struct engine *engine, const struct sheet_node *node, real moved,  \
                                    real push)                                                               \
    {                                                                                                        \
        const struct step_walls *const walls = &engine->walls;                                               \
        const real *held = (const real *)engine->sheets->held + node->held;                                  \
        const real y = moved - *held++;                                                                      \
        real *const loss = walls->loss;                                                                      \
        for (uint64_t entry = node->wall; entry < node->wall + node->walls; ++entry) {                       \
            const unsigned row = step_wall_row(walls, wall_material(engine, entry));                         \
            const real taken = scheme_sheet_wall_##suffix(                                                   \
                &((const struct scheme_material_##suffix *)walls->material)[row],                            \
                (real *)walls->state + entry, walls->stride, walls->branches * walls->stride, held, y, push, \
                loss != NULL ? loss[entry] : 0);                                                             \
            held += walls->branches;                                                                         \
            if (loss != NULL)                                                                                \
                loss[entry] = taken;                                                                         \
        }                                                                                                    \
    }
DEFINE_WALLS(float, f32)
DEFINE_WALLS(double, f64)

void engine_step_sheets(const struct engine *engine, const void *u, void *u_new, uint64_t begin, uint64_t end,
                        uint64_t n, const bool *outer, bool wanted)
{
    const struct engine_sheets *const sheets = engine->sheets;
    if (sheets == NULL)
        return;
    const unsigned now = (unsigned)((sheets->now + n) & 1);
    for (uint64_t at = first_node(sheets, begin); at < sheets->nodes && sheets->node[at].index < end; ++at) {
        const struct sheet_node *const node = &sheets->node[at];
        if (outer != NULL && outer[node->index / BLOCK_NODES] != wanted)
            continue;
        if (engine->real_bytes == sizeof(float)) {
            float *const new = &((float *)u_new)[node->index];
            const float push = push_f32(sheets, node, u, now);
            if (node->walls > 0)
                push_walls_f32(engine, node, *new, push);
            *new += push;
        } else {
            double *const new = &((double *)u_new)[node->index];
            const double push = push_f64(sheets, node, u, now);
            if (node->walls > 0)
                push_walls_f64(engine, node, *new, push);
            *new += push;
        }
    }
}

/* ---- figures ------------------------------------------------------------------------------------------- */

/* For every link: u_i - u_j of u and of u_old, V, w, loss. */
typedef double sheet_values[5];

static bool read_here(struct engine *engine, double (*values)[5])
{
    const struct engine_sheets *const sheets = engine->sheets;
    const void *const state = sheets->state[sheets->now];
    for (uint64_t n = 0; n < sheets->links; ++n) {
        const uint64_t *const end = sheets->end[n];
        values[n][0] = engine_value(engine, engine->u, end[0]) - engine_value(engine, engine->u, end[1]);
        values[n][1] =
            engine_value(engine, engine->u_old, end[0]) - engine_value(engine, engine->u_old, end[1]);
        values[n][2] = engine_value(engine, state, n);
        values[n][3] = engine_value(engine, state, MOVED * sheets->links + n);
        values[n][4] = engine_value(engine, sheets->loss, n);
    }
    return true;
}

static void write_here(struct engine *engine, const double (*values)[SHEET_IMAGE_REALS])
{
    struct engine_sheets *const sheets = engine->sheets;
    void *const state = sheets->state[sheets->now];
    for (uint64_t n = 0; n < sheets->links; ++n) {
        engine_put(engine, state, FLOW * sheets->links + n, values[n][0]);
        engine_put(engine, state, MOVED * sheets->links + n, values[n][1]);
        engine_put(engine, sheets->loss, n, values[n][2]);
    }
}

/* NULL without memory or if the engine is lost. free(). */
static sheet_values *values_of(struct engine *engine)
{
    const struct engine_sheets *const sheets = engine->sheets;
    struct failure failure = {0};
    sheet_values *const values = calloc(sheets->links + 1, sizeof *values);
    if (values == NULL) {
        (void)engine_keep(
            engine, failure_memory(&failure, sheets->links * sizeof *values, "the flows through sheets"),
            &failure);
        return NULL;
    }
    if (engine->device == NULL
            ? read_here(engine, values)
            : engine->ops->send(engine) && ENGINE_ASK(engine, read_sheets, values, &engine->failure))
        return values;
    free(values);
    return NULL;
}

/* A link in two parts counts in the part in which it begins. */
static bool counts_link(const struct engine *engine, uint64_t link)
{
    return is_own(engine, engine->sheets->end[link][0]);
}

double engine_sheet_energy(const struct engine *engine)
{
    const struct engine_sheets *const sheets = engine->sheets;
    double sum = 0.0;
    if (sheets == NULL)
        return sum;
    /* Does not change the field. */
    sheet_values *const values = values_of((struct engine *)engine);
    if (values == NULL)
        return NAN;
    for (uint64_t n = 0; n < sheets->links; ++n) {
        const struct sheet_law *const law = &sheets->law[n];
        const double later = values[n][0], now = values[n][1], v = values[n][2], w = values[n][3];
        const double moved = isfinite(law->pores_mass) ? law->pores_mass * (w * w) : 0.0;
        if (counts_link(engine, n) && sheet_law_holds(law))
            sum += 0.5 * sheets->opening[n] *
                   (v * (v + (later - now)) - later * now + law->mass * (v * v) + moved);
    }
    free(values);
    return sum;
}

bool engine_collect_sheets(struct engine *engine, double *absorbed)
{
    struct engine_sheets *const sheets = engine->sheets;
    if (sheets == NULL)
        return true;
    sheet_values *const values = values_of(engine);
    if (values == NULL)
        return false;
    for (uint64_t n = 0; n < sheets->links; ++n)
        if (counts_link(engine, n))
            absorbed[sheets->material[n]] += sheets->opening[n] * values[n][4];
    free(values);
    if (engine->device != NULL)
        return ENGINE_ASK(engine, forget_sheet_losses, &engine->failure);
    memset(sheets->loss, 0, (size_t)(sheets->links * engine->real_bytes));
    return true;
}

int engine_sheets_get(struct engine *engine, void *reals, struct failure *failure)
{
    sheet_values *const values = values_of(engine);
    if (values == NULL)
        return failure_forward(failure, &engine->failure);
    for (uint64_t n = 0; n < SHEET_IMAGE_REALS * engine->sheets->links; ++n)
        engine_put(engine, reals, n, values[n / SHEET_IMAGE_REALS][2 + n % SHEET_IMAGE_REALS]);
    free(values);
    return 0;
}

int engine_sheets_set(struct engine *engine, const void *reals, struct failure *failure)
{
    const uint64_t count = SHEET_IMAGE_REALS * engine->sheets->links;
    double(*const values)[SHEET_IMAGE_REALS] = calloc(engine->sheets->links + 1, sizeof *values);
    if (values == NULL)
        return failure_memory(failure, count * sizeof(double), "the flows through sheets");
    for (uint64_t n = 0; n < count; ++n)
        values[n / SHEET_IMAGE_REALS][n % SHEET_IMAGE_REALS] = engine_value(engine, reals, n);
    bool sound = true;
    if (engine->device == NULL)
        write_here(engine, (const double(*)[SHEET_IMAGE_REALS])values);
    else
        sound =
            ENGINE_ASK(engine, write_sheets, (const double(*)[SHEET_IMAGE_REALS])values, &engine->failure);
    free(values);
    return sound ? 0 : failure_forward(failure, &engine->failure);
}

bool engine_sheets_among(const struct engine *engine, uint64_t first, uint64_t last)
{
    const struct block_grid *grid = engine->room.blocks;
    bool among = false;
    for (uint64_t n = 0; !among && n < grid->sheets; ++n) {
        const struct sheet_link *const link = &grid->sheet[n];
        const block_id other = sheet_link_high(grid, link);
        among = (link->block >= first && link->block < last) || (other >= first && other < last);
    }
    return among;
}
