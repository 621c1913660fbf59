#include "kernels/engine/engine_layer.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_wall_entries.h"
#include "kernels/engine/engine_walls.h"
#include "kernels/scheme/sheet_law.h"

#define STATES LAYER_STATES

/* ---- which nodes -------------------------------------------------------------------------------------- */

/* Find the faces that a node is behind, and its depths. Returns their number. */
static unsigned normals_of(const struct block_grid *grid, const int64_t node[3],
                           struct layer_normal normal[3])
{
    unsigned count = 0;
    for (unsigned d = 0; d < DIRECTIONS; ++d) {
        const int64_t depth = block_layer_depth(grid, node, (int)d);
        if (depth > 0 && count < 3)
            normal[count++] = (struct layer_normal){.depth = (uint8_t)depth, .outward = (uint8_t)d};
    }
    return count;
}

/* True if a node of the box of a block is in the layer. */
static bool touches_layer(const struct block_grid *grid, const struct block *block)
{
    if (block->place[0] == BLOCK_NO_PLACE)
        return false;
    bool touches = false;
    for (unsigned d = 0; d < DIRECTIONS; ++d) {
        const int64_t low = (int64_t)block->place[d / 2] * BLOCK_EDGE;
        touches = touches || (grid->layer[d] > 0 &&
                              (d % 2 == 0 ? low < grid->layer[d]
                                          : low + BLOCK_EDGE > grid->lattice.nodes[d / 2] - grid->layer[d]));
    }
    return touches;
}

static uint64_t index_of(const struct engine *engine, block_id block, unsigned slot)
{
    const struct step_room *room = &engine->room;
    return room->box == NULL ? (uint64_t)block * BLOCK_NODES + slot
                             : box_grid_block_index(room->box, room->blocks, block, slot);
}

/* ---- properties of a node ----------------------------------------------------------------------------- */

static uint64_t neighbour_of(const struct engine *engine, uint64_t index, unsigned d)
{
    const struct step_room *room = &engine->room;
    return room->box != NULL ? step_box_neighbour(room->box, index, d)
                             : step_block_neighbour(&room->blocks->block[index / BLOCK_NODES],
                                                    index / BLOCK_NODES, (unsigned)(index % BLOCK_NODES), d);
}

static unsigned opening_of(const struct engine *engine, uint64_t index, unsigned d)
{
    const struct block_grid *const grid = engine->room.blocks;
    if (engine->room.box == NULL && index / BLOCK_NODES > grid->blocks) {
        uint64_t low = 0, high = grid->ghost_opens;
        LOWER_BOUND(low, high, at, grid->ghost_open[at].index < index);
        return grid->ghost_open[low].open[d];
    }
    const uint64_t record = engine_record(engine, index);
    if (record != UINT64_MAX)
        return engine_cut(engine, record)->open[d];
    return engine_links(engine, index) >> d & 1 ? CUT_WHOLE : 0;
}

/* 2 a b / (a + b). */
static double pair_of(unsigned a, unsigned b)
{
    return a == 0 || b == 0 ? 0.0 : 2.0 * a * b / (a + b);
}

static unsigned plaquette_of(const struct engine *engine, uint64_t index, unsigned edge)
{
    const uint64_t record = engine_record(engine, index);
    if (record == UINT64_MAX)
        return CUT_WHOLE;
    return engine->room.box != NULL ? engine->room.box->plaquette[record][edge]
                                    : engine->room.blocks->plaquette[record][edge];
}

/* Share of the first direction in the plaquette of a node between two directions. It follows the proof of b
 * (blocks/plaquettes.h): a half if all is open, and more if only the first direction is stretched. */
static uint8_t share_of(const struct engine *engine, uint64_t index, unsigned d, unsigned across, bool alone)
{
    unsigned edge = 0;
    while (!((edge_first_direction(edge) == d && edge_second_direction(edge) == across) ||
             (edge_first_direction(edge) == across && edge_second_direction(edge) == d)))
        ++edge;
    const unsigned b = plaquette_of(engine, index, edge);
    if (b == 0)
        return 0;
    const double along = pair_of(opening_of(engine, index, d),
                                 opening_of(engine, neighbour_of(engine, index, across), d)),
                 beside = pair_of(opening_of(engine, index, across),
                                  opening_of(engine, neighbour_of(engine, index, d), across));
    if (alone && along == CUT_WHOLE && beside == CUT_WHOLE)
        return (uint8_t)(b * LAYER_SHARE_ALONE);
    return along > 0 ? (uint8_t)(b * along / (along + beside)) : 0;
}

/* True if a node and its neighbour are each behind at most one face. */
static bool is_alone(const struct block_grid *grid, const int64_t at[3], unsigned across)
{
    struct layer_normal normal[3];
    int64_t beside[3] = {at[0], at[1], at[2]};
    lattice_step(beside, (int)across);
    return normals_of(grid, at, normal) < 2 && normals_of(grid, beside, normal) < 2;
}

static void describe_normal(const struct engine *engine, uint64_t index, const int64_t at[3],
                            struct layer_normal *normal)
{
    const struct block_grid *grid = engine->room.blocks;
    const unsigned axis = (unsigned)normal->outward >> 1U;
    for (unsigned side = 0; side < 2; ++side) {
        const unsigned d = normal->outward ^ (side == 0 ? 1U : 0U);
        normal->open[side] = (uint8_t)opening_of(engine, index, d);
        for (unsigned k = 0; grid->isotropic && normal->open[side] > 0 && k < 4; ++k) {
            const unsigned across = 2 * ((axis + 1 + k / 2) % 3) + k % 2;
            normal->share[side][k] = share_of(engine, index, d, across, is_alone(grid, at, across));
            normal->shares = 1;
        }
    }
}

/* Coefficients of a node, and the energy of a unit of its loss. */
static void weigh_node(const struct engine *engine, uint64_t n, const struct layer_normal *normal,
                       unsigned normals)
{
    struct engine_layer *const layer = engine->layer;
    const uint64_t index = layer->node[n].index;
    const double mass = engine_mass(engine, engine_record(engine, index)), lambda2 = engine->room.lambda2;
    const double still = 1.0 - engine_wall_q_at(engine, index); /* 1 / (1 + kappa) */
    double damping = 0.0;
    for (unsigned k = 0; k < normals; ++k)
        damping += 0.5 * layer_damping(engine->step.scheme, normal[k].depth);
    engine_put(engine, layer->gain, n, lambda2 / (6.0 * CUT_WHOLE * mass) * still / (1.0 + damping * still));
    engine_put(engine, layer->damp, n, damping * still / (1.0 + damping * still));
    layer->worth[n] = mass / (2.0 * lambda2 * still);
}

/* ---- made and freed ----------------------------------------------------------------------------------- */

uint64_t engine_layer_bytes_of(uint64_t nodes, unsigned real_bytes)
{
    /* One normal a node, except at edges and corners; on processors, rows of half their lanes with
     * coefficients of their own: states, loss, held value and two gains of eight. */
    const uint64_t row = sizeof(struct layer_row) + sizeof(struct layer_row_normal) +
                         sizeof(struct layer_row_side) + (STATES + 4) * (uint64_t)LAYER_LANES * real_bytes;
    return nodes * (sizeof(struct layer_node) + sizeof(struct layer_normal) + sizeof(double) +
                    row / (LAYER_LANES / 2));
}

uint64_t engine_layer_bytes(const struct engine *engine)
{
    const struct engine_layer *const layer = engine->layer;
    if (layer == NULL)
        return 0;
    return layer->nodes * (sizeof(struct layer_node) + sizeof(double)) +
           layer->normals * sizeof(struct layer_normal) + layer->places * sizeof(struct layer_place) +
           (layer->rows != NULL
                ? step_layer_bytes(layer->rows, engine->real_bytes)
                : (3 * layer->nodes + STATES * layer->normals + layer->helds) * engine->real_bytes);
}

static int allocate_layer(struct engine_layer *layer, unsigned real, struct failure *failure)
{
    const uint64_t nodes = layer->nodes, normals = layer->normals;
    layer->node = calloc(nodes + 1, sizeof *layer->node);
    layer->normal = calloc(normals + 1, sizeof *layer->normal);
    layer->place = calloc(layer->places + 1, sizeof *layer->place);
    layer->around.place = layer->place;
    layer->terms = calloc(LAYER_CELLS, sizeof(struct scheme_layer_f64));
    layer->gain = calloc(nodes + 1, real);
    layer->damp = calloc(nodes + 1, real);
    layer->loss = calloc(nodes + 1, real);
    layer->state = calloc(STATES * normals + 1, real);
    layer->worth = calloc(nodes + 1, sizeof *layer->worth);
    return layer->node == NULL || layer->normal == NULL || layer->place == NULL || layer->terms == NULL ||
                   layer->gain == NULL || layer->damp == NULL || layer->loss == NULL ||
                   layer->state == NULL || layer->worth == NULL
               ? failure_memory(failure, engine_layer_bytes_of(nodes, real), "the layer behind open faces")
               : 0;
}

/* Call `visit` (NULL: only count) for every node of the layer in blocks first .. last-1, in their order. */
struct layer_counts {
    uint64_t nodes, normals, places;
};
typedef void layer_visit(struct engine *engine, block_id block, unsigned slot,
                         const struct layer_normal *normal, unsigned normals, struct layer_counts *so_far);

static struct layer_counts visit_nodes(struct engine *engine, uint64_t first, uint64_t last,
                                       layer_visit *visit)
{
    const struct block_grid *grid = engine->room.blocks;
    struct layer_counts count = {0};
    for (block_id b = (block_id)first; b < last && b < block_list_first(grid); ++b) {
        if (!touches_layer(grid, &grid->block[b]))
            continue;
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
            int64_t node[3];
            struct layer_normal normal[3] = {0};
            block_node(&grid->block[b], slot, node);
            const unsigned normals = block_is_air(grid, b, slot) ? normals_of(grid, node, normal) : 0;
            if (normals == 0)
                continue;
            if (visit != NULL)
                visit(engine, b, slot, normal, normals, &count);
            ++count.nodes;
            count.normals += normals;
        }
        ++count.places;
    }
    return count;
}

static void make_node(struct engine *engine, block_id block, unsigned slot, const struct layer_normal *normal,
                      unsigned normals, struct layer_counts *so_far)
{
    (void)normal;
    (void)normals;
    engine->layer->node[so_far->nodes] = (struct layer_node){.index = index_of(engine, block, slot),
                                                             .first = so_far->nodes,
                                                             .place = (uint32_t)so_far->places,
                                                             .wall = (uint64_t)block << 9 | slot};
}

static void make_places(struct engine *engine)
{
    const struct block_grid *grid = engine->room.blocks;
    struct layer_place *place = engine->layer->place;
    static const int power[3] = {1, 3, 9};
    for (block_id b = 1; b < block_list_first(grid); ++b) {
        if (!touches_layer(grid, &grid->block[b]))
            continue;
        place->block[13] = b;
        for (unsigned d = 0; d < DIRECTIONS; ++d)
            place->block[13 + (d % 2 == 0 ? -1 : 1) * power[d / 2]] = grid->block[b].neighbour[d];
        for (unsigned e = 0; grid->isotropic && e < EDGES; ++e) {
            const unsigned one = edge_first_direction(e), two = edge_second_direction(e);
            place->block[13 + (one % 2 == 0 ? -1 : 1) * power[one / 2] +
                         (two % 2 == 0 ? -1 : 1) * power[two / 2]] = grid->edge[b][e];
        }
        ++place;
    }
}

/* Places of the 27 nodes around a slot. */
static uint16_t *make_codes(void)
{
    uint16_t *const code = calloc((size_t)27 * BLOCK_NODES, sizeof *code);
    for (unsigned n = 0; code != NULL && n < 27 * BLOCK_NODES; ++n) {
        const unsigned slot = n / 27, k = n % 27;
        const unsigned x = (slot & 7) + k % 3 + 7, y = (slot >> 3 & 7) + k / 3 % 3 + 7,
                       z = (slot >> 6) + k / 9 + 7;
        code[n] = (uint16_t)((x / 8 + 3 * (y / 8) + 9 * (z / 8)) << 9 | block_slot(x, y, z));
    }
    return code;
}

static int by_index(const void *one, const void *two)
{
    const struct layer_node *a = one, *b = two;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Convert lists in the order of the grid to the order of stepping. */
static int finish_layer(struct engine *engine, struct failure *failure)
{
    const struct block_grid *grid = engine->room.blocks;
    struct engine_layer *const layer = engine->layer;
    if (engine->room.box == NULL) {
        layer->around.code = make_codes();
        if (layer->around.code == NULL)
            return failure_memory(failure, 27 * BLOCK_NODES * sizeof(uint16_t),
                                  "the layer behind open faces");
    } else {
        layer->saved = calloc(layer->nodes + 1, sizeof *layer->saved);
        if (layer->saved == NULL)
            return failure_memory(failure, layer->nodes * sizeof *layer->saved,
                                  "the layer behind open faces");
        qsort(layer->node, layer->nodes, sizeof *layer->node, by_index);
        for (int k = 0; k < 27; ++k)
            layer->around.offset[k] = (k % 3 - 1) +
                                      (k / 3 % 3 - 1) * (int64_t)step_box_neighbour(engine->room.box, 0, 3) +
                                      (k / 9 - 1) * (int64_t)step_box_neighbour(engine->room.box, 0, 5);
    }
    uint64_t first = 0;
    for (uint64_t n = 0; n < layer->nodes; ++n) {
        struct layer_node *const node = &layer->node[n];
        struct layer_normal normal[3] = {0};
        int64_t at[3];
        const uint64_t block = node->wall >> 9;
        block_node(&grid->block[block], (unsigned)(node->wall & 511U), at);
        const unsigned normals = normals_of(grid, at, normal);
        if (layer->saved != NULL)
            layer->saved[node->first] = (struct layer_saved){.node = n, .block = block, .normals = normals};
        node->first = first;
        node->wall = 0;
        node->walls = engine->room.walls != NULL ? engine_wall_at(engine, node->index, &node->wall) : 0;
        node->held = layer->helds;
        layer->helds += 1 + (uint64_t)node->walls * engine->walls.branches;
        for (unsigned k = 0; k < normals; ++k) {
            describe_normal(engine, node->index, at, &normal[k]);
            layer->normal[first++] = normal[k];
        }
        weigh_node(engine, n, normal, normals);
    }
    layer->node[layer->nodes] = (struct layer_node){.index = UINT64_MAX, .first = first};
    for (uint64_t n = 0, before = 0; layer->saved != NULL && n <= layer->nodes; ++n) {
        const uint64_t normals = layer->saved[n].normals;
        layer->saved[n].normals = before;
        before += normals;
    }
    layer->held = calloc(layer->helds + 1, engine->real_bytes);
    return layer->held == NULL
               ? failure_memory(failure, layer->helds * engine->real_bytes, "the layer behind open faces")
               : 0;
}

static void make_terms(const struct engine *engine)
{
    for (unsigned depth = 1; depth <= LAYER_CELLS; ++depth) {
        const struct scheme_layer_f64 terms = layer_terms(engine->step.scheme, depth, engine->step.courant);
        if (engine->real_bytes == sizeof(float))
            ((struct scheme_layer_f32 *)engine->layer->terms)[depth - 1] = layer_terms_round(&terms);
        else
            ((struct scheme_layer_f64 *)engine->layer->terms)[depth - 1] = terms;
    }
}

static void free_reals(struct engine_layer *layer)
{
    void **const owned[] = {&layer->gain, &layer->damp, &layer->loss, &layer->state, &layer->held};
    for (unsigned n = 0; n < sizeof owned / sizeof *owned; ++n) {
        free(*owned[n]);
        *owned[n] = NULL;
    }
}

static int make_rows(struct engine *engine, struct failure *failure)
{
    TRY(step_layer_make(engine->layer, engine->room.box, engine->real_bytes, engine->walls.branches,
                        &engine->layer->rows, failure));
    free_reals(engine->layer);
    return 0;
}

int engine_make_layer(struct engine *engine, struct failure *failure)
{
    const struct layer_counts count = block_has_layer(engine->room.blocks)
                                          ? visit_nodes(engine, 1, UINT64_MAX, NULL)
                                          : (struct layer_counts){0};
    if (count.nodes == 0)
        return 0;
    engine->layer = calloc(1, sizeof *engine->layer);
    if (engine->layer == NULL)
        return failure_memory(failure, sizeof *engine->layer, "the layer behind open faces");
    engine->layer->nodes = count.nodes;
    engine->layer->normals = count.normals;
    engine->layer->places = count.places;
    TRY(allocate_layer(engine->layer, engine->real_bytes, failure));
    (void)visit_nodes(engine, 1, UINT64_MAX, make_node);
    make_places(engine);
    make_terms(engine);
    TRY(finish_layer(engine, failure));
    return engine->advance_layer != NULL || engine->options.backend == BACKEND_CUDA
               ? make_rows(engine, failure)
               : 0;
}

void engine_free_layer(struct engine *engine)
{
    struct engine_layer *const layer = engine->layer;
    if (layer == NULL)
        return;
    free(layer->node);
    free(layer->normal);
    free(layer->place);
    free(layer->terms);
    free(layer->worth);
    free_reals(layer);
    step_layer_free(layer->rows);
    free(layer->saved);
    free((void *)layer->around.code);
    free(layer);
    engine->layer = NULL;
}

static void zero_losses(struct engine *engine)
{
    struct engine_layer *const layer = engine->layer;
    if (layer->rows != NULL)
        memset(layer->rows->loss, 0, (size_t)(layer->rows->rows * LAYER_LANES * engine->real_bytes));
    else
        memset(layer->loss, 0, (size_t)(layer->nodes * engine->real_bytes));
}

void engine_zero_layer(struct engine *engine)
{
    struct engine_layer *const layer = engine->layer;
    if (layer == NULL)
        return;
    if (layer->rows != NULL)
        memset(layer->rows->state, 0, (size_t)(step_layer_states(layer->rows) * engine->real_bytes));
    else
        memset(layer->state, 0, (size_t)(STATES * layer->normals * engine->real_bytes));
    zero_losses(engine);
}

/* ---- stepped ------------------------------------------------------------------------------------------ */

static uint64_t first_node(const struct engine_layer *layer, uint64_t begin)
{
    uint64_t low = 0, high = layer->nodes;
    LOWER_BOUND(low, high, at, layer->node[at].index < begin);
    return low;
}

void engine_hold_layer(const struct engine *engine, const void *u_old, uint64_t begin, uint64_t end)
{
    const struct engine_layer *const layer = engine->layer;
    const struct step_walls *const walls = &engine->walls;
    const size_t real = engine->real_bytes;
    if (layer == NULL)
        return;
    if (layer->rows != NULL) {
        step_layer_hold(layer->rows, walls, engine->real_bytes, u_old, step_layer_from(layer->rows, begin),
                        step_layer_from(layer->rows, end));
        return;
    }
    for (uint64_t at = first_node(layer, begin); at < layer->nodes && layer->node[at].index < end; ++at) {
        const struct layer_node *const node = &layer->node[at];
        char *held = (char *)layer->held + node->held * real;
        memcpy(held, (const char *)u_old + node->index * real, real);
        for (uint64_t entry = node->wall; entry < node->wall + node->walls; ++entry)
            for (unsigned m = 0; m < walls->branches; ++m)
                memcpy(held += real, (const char *)walls->state + (m * walls->stride + entry) * real, real);
    }
}

#define DEFINE_NODE(real, suffix)                                                                            \
    static inline __attribute__((always_inline)) void step_node_##suffix(                                    \
        const struct engine *engine, uint64_t n, const real *u, real *u_new)                                 \
    {                                                                                                        \
        const struct engine_layer *const layer = engine->layer;                                              \
        const struct layer_node *const node = &layer->node[n];                                               \
        const struct step_walls *const walls = &engine->walls;                                               \
        const real *held = (const real *)layer->held + node->held;                                           \
        real sum = 0;                                                                                        \
        for (uint64_t k = node[0].first; k < node[1].first; ++k) {                                           \
            const struct layer_normal *const normal = &layer->normal[k];                                     \
            real flow[2];                                                                                    \
            layer_flows_##suffix(&layer->around, node, normal, u, flow);                                     \
            sum += scheme_layer_##suffix(                                                                    \
                &((const struct scheme_layer_##suffix *)layer->terms)[normal->depth - 1], flow[0], flow[1],  \
                (real *)layer->state + STATES * k);                                                          \
        }                                                                                                    \
        const real y = u_new[node->index] - *held++;                                                         \
        const real push = scheme_layer_push_##suffix(((const real *)layer->gain)[n], sum,                    \
                                                     ((const real *)layer->damp)[n], y);                     \
        real *const loss = (real *)layer->loss + n;                                                          \
        *loss = scheme_layer_loss_##suffix(*loss, push, y);                                                  \
        for (uint64_t entry = node->wall; entry < node->wall + node->walls; ++entry) {                       \
            const unsigned row = step_wall_row(walls, wall_material(engine, entry));                         \
            real *const taken = walls->loss;                                                                 \
            const real lost = scheme_sheet_wall_##suffix(                                                    \
                &((const struct scheme_material_##suffix *)walls->material)[row],                            \
                (real *)walls->state + entry, walls->stride, walls->branches * walls->stride, held, y, push, \
                taken != NULL ? taken[entry] : 0);                                                           \
            held += walls->branches;                                                                         \
            if (taken != NULL)                                                                               \
                taken[entry] = lost;                                                                         \
        }                                                                                                    \
        u_new[node->index] += push;                                                                          \
    }
DEFINE_NODE(float, f32)
DEFINE_NODE(double, f64)

void engine_step_layer(const struct engine *engine, const void *u, void *u_new, uint64_t begin, uint64_t end)
{
    const struct engine_layer *const layer = engine->layer;
    if (layer == NULL)
        return;
    if (layer->rows != NULL) {
        engine->advance_layer(layer->rows, &engine->room, u, u_new, step_layer_from(layer->rows, begin),
                              step_layer_from(layer->rows, end));
        return;
    }
    for (uint64_t at = first_node(layer, begin); at < layer->nodes && layer->node[at].index < end; ++at)
        if (engine->real_bytes == sizeof(float))
            step_node_f32(engine, at, u, u_new);
        else
            step_node_f64(engine, at, u, u_new);
}

/* ---- losses and images -------------------------------------------------------------------------------- */

/* Copy losses, and `states`, between the host and the place of the field. */
static bool move_there(struct engine *engine, bool states, bool write)
{
    const struct engine_layer *const layer = engine->layer;
    void *const state = layer->rows != NULL ? layer->rows->state : layer->state, *const loss =
                                                                                     layer->rows != NULL
                                                                                         ? layer->rows->loss
                                                                                         : layer->loss;
    return engine->device == NULL ||
           ENGINE_ASK(engine, move_layer, states ? state : NULL, loss, write, &engine->failure);
}

bool engine_collect_layer(struct engine *engine, double *absorbed)
{
    struct engine_layer *const layer = engine->layer;
    if (layer == NULL)
        return true;
    if (!move_there(engine, false, false))
        return false;
    for (uint64_t n = 0; n < layer->nodes; ++n)
        absorbed[engine->walls.materials] +=
            layer->worth[n] * (layer->rows != NULL
                                   ? engine_value(engine, layer->rows->loss, layer->node[n].held)
                                   : engine_value(engine, layer->loss, n));
    zero_losses(engine);
    return move_there(engine, false, true);
}

/* The n-th node in the order of the grid: its block, its place in the list, and the normals before it. */
static uint64_t block_of(const struct engine_layer *layer, uint64_t n)
{
    return layer->saved != NULL ? layer->saved[n].block : layer->node[n].index / BLOCK_NODES;
}
static uint64_t place_of(const struct engine_layer *layer, uint64_t n)
{
    return layer->saved != NULL ? layer->saved[n].node : n;
}
static uint64_t normals_before(const struct engine_layer *layer, uint64_t n)
{
    return layer->saved != NULL ? layer->saved[n].normals : layer->node[n].first;
}

/* Reals of an image before a block. */
static uint64_t reals_before(const struct engine_layer *layer, uint64_t block)
{
    uint64_t low = 0, high = layer->nodes;
    LOWER_BOUND(low, high, at, block_of(layer, at) < block);
    return low + STATES * normals_before(layer, low);
}

uint64_t engine_layer_reals(const struct engine *engine, uint64_t from, uint64_t to)
{
    if (engine->layer != NULL)
        return reals_before(engine->layer, to) - reals_before(engine->layer, from);
    if (!block_has_layer(engine->room.blocks))
        return 0;
    /* In parts. */
    const struct layer_counts count = visit_nodes((struct engine *)engine, from, to, NULL);
    return count.nodes + STATES * count.normals;
}

/* Where a state of the normal k of a node, or its loss, is. */
static char *state_at(const struct engine_layer *layer, uint64_t n, uint64_t k, unsigned s, size_t real)
{
    if (layer->rows == NULL)
        return (char *)layer->state + (STATES * k + s) * real;
    return (char *)layer->rows->state +
           step_layer_state(layer->rows, layer->node[n].held, layer->normal[k].outward, s) * real;
}
static char *loss_at(const struct engine_layer *layer, uint64_t n, size_t real)
{
    return layer->rows == NULL ? (char *)layer->loss + n * real
                               : (char *)layer->rows->loss + layer->node[n].held * real;
}

static void move_reals(const struct engine *engine, char *reals, bool set)
{
    const struct engine_layer *const layer = engine->layer;
    const size_t real = engine->real_bytes;
    for (uint64_t n = 0; n < layer->nodes; ++n) {
        const uint64_t at = place_of(layer, n);
        for (uint64_t k = layer->node[at].first; k < layer->node[at + 1].first; ++k)
            for (unsigned s = 0; s < STATES; ++s, reals += real) {
                char *const state = state_at(layer, at, k, s, real);
                memcpy(set ? state : reals, set ? reals : state, real);
            }
        char *const loss = loss_at(layer, at, real);
        memcpy(set ? loss : reals, set ? reals : loss, real);
        reals += real;
    }
}

int engine_layer_get(struct engine *engine, void *reals, struct failure *failure)
{
    if (!move_there(engine, true, false))
        return failure_forward(failure, &engine->failure);
    move_reals(engine, reals, false);
    return 0;
}

int engine_layer_set(struct engine *engine, const void *reals, struct failure *failure)
{
    move_reals(engine, (char *)reals, true);
    return move_there(engine, true, true) ? 0 : failure_forward(failure, &engine->failure);
}

bool engine_layer_among(const struct engine *engine, uint64_t first, uint64_t last)
{
    const struct block_grid *grid = engine->room.blocks;
    bool among = false;
    for (uint64_t b = first; block_has_layer(grid) && b < last && b < block_list_first(grid); ++b)
        among = among || touches_layer(grid, &grid->block[b]);
    return among;
}
