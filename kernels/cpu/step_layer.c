#include "kernels/cpu/step_layer.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/machine/machine_memory.h"

#define REMEMBERED 64u
#define TERMS      LAYER_TERMS

/* ---- coefficients -------------------------------------------------------------------------------------- */

/* The number of a value, which is added unless it was among the last. UINT32_MAX without memory. */
static uint32_t number_of(struct layer_values *values, const void *value)
{
    const size_t bytes = values->bytes;
    for (uint64_t back = 1; back <= values->count && back <= REMEMBERED; ++back)
        if (memcmp((char *)values->value + (values->count - back) * bytes, value, bytes) == 0)
            return (uint32_t)(values->count - back);
    if (values->count == values->room) {
        const uint64_t room = 2 * values->room + REMEMBERED;
        void *const grown = machine_memory_allocate(room * bytes);
        if (grown == NULL)
            return UINT32_MAX;
        if (values->count > 0)
            memcpy(grown, values->value, values->count * bytes);
        free(values->value);
        values->value = grown;
        values->room = room;
    }
    memcpy((char *)values->value + values->count * bytes, value, bytes);
    return (uint32_t)values->count++;
}

static void put_real(void *array, uint64_t at, double value, unsigned real_bytes)
{
    if (real_bytes == sizeof(float))
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}
static double get_real(const void *array, uint64_t at, unsigned real_bytes)
{
    return real_bytes == sizeof(float) ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

/* The terms of eight lanes of those depths, 0 for depth 0. The struct of a depth is nine reals in this order.
 */
_Static_assert(sizeof(struct scheme_layer_f32) == TERMS * sizeof(float), "nine coefficients");
_Static_assert(sizeof(struct scheme_layer_f64) == TERMS * sizeof(double), "nine coefficients");

static void spread_terms(struct step_layer *layer, const struct engine_layer *from, unsigned real_bytes)
{
    for (uint64_t n = 0; n < layer->depths.count; ++n)
        for (unsigned lane = 0; lane < LAYER_LANES; ++lane) {
            const unsigned depth = ((const uint8_t *)layer->depths.value)[n * LAYER_LANES + lane];
            for (unsigned t = 0; t < TERMS; ++t)
                put_real(layer->terms, (n * TERMS + t) * LAYER_LANES + lane,
                         depth == 0 ? 0.0 : get_real(from->terms, (depth - 1) * TERMS + t, real_bytes),
                         real_bytes);
        }
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* The first lane of a row that begins with this node, and the end of the row that it may not pass. */
static uint64_t row_start(const struct box_grid *box, uint64_t index, uint64_t *end)
{
    const uint64_t edge = box == NULL ? LAYER_LANES : (uint64_t)box->nodes[0] + 2, past = index % edge;
    *end = box == NULL || edge - past < LAYER_LANES ? index - past + edge : index + LAYER_LANES;
    return box == NULL ? index - past : index;
}

/* Describe one direction of the nodes from .. to-1 of a row. False without memory. */
static bool make_normal(struct step_layer *layer, const struct engine_layer *from, uint64_t row,
                        uint64_t begin, uint64_t end, unsigned outward, struct layer_row_normal *out)
{
    struct layer_row_side side = {0};
    uint8_t depths[LAYER_LANES] = {0};
    bool shares = false;
    for (uint64_t n = begin; n < end; ++n)
        for (uint64_t k = from->node[n].first; k < from->node[n + 1].first; ++k) {
            const struct layer_normal *const normal = &from->normal[k];
            const uint64_t lane = from->node[n].index - layer->row[row].index;
            if (normal->outward != outward)
                continue;
            depths[lane] = normal->depth;
            shares = shares || normal->shares;
            for (unsigned s = 0; s < 2; ++s) {
                int weight = 6 * normal->open[s];
                for (unsigned j = 0; j < 4; ++j) {
                    side.share[s][j][lane] = normal->share[s][j];
                    weight -= normal->share[s][j];
                }
                side.weight[s][lane] = (int16_t)weight;
            }
        }
    const uint32_t one = number_of(&layer->side, &side), other = number_of(&layer->depths, depths);
    *out = (struct layer_row_normal){one, (uint16_t)other, (uint8_t)outward, shares};
    return one != UINT32_MAX && other < UINT16_MAX;
}

static unsigned directions_of(const struct engine_layer *from, uint64_t begin, uint64_t end)
{
    unsigned directions = 0;
    for (uint64_t k = from->node[begin].first; k < from->node[end].first; ++k)
        directions |= 1U << from->normal[k].outward;
    return directions;
}

/* Gains of the nodes of a row. */
static bool weigh_row(struct step_layer *layer, const struct engine_layer *from, uint64_t row, uint64_t begin,
                      uint64_t end, unsigned real_bytes)
{
    double space[2 * LAYER_LANES] = {0}; /* in the run's real */
    for (uint64_t n = begin; n < end; ++n) {
        const uint64_t lane = from->node[n].index - layer->row[row].index;
        put_real(space, lane, get_real(from->gain, n, real_bytes), real_bytes);
        put_real(space, LAYER_LANES + lane, -get_real(from->damp, n, real_bytes), real_bytes);
    }
    layer->row[row].weight = number_of(&layer->weight, space);
    return layer->row[row].weight != UINT32_MAX;
}

/* Of the nodes of a row, in blocks: its y and z are reached. */
static void reach(struct step_layer *layer, const struct layer_row *row, bool first)
{
    struct layer_reach *const reach = &layer->reach[row->place];
    const uint8_t at[2] = {(uint8_t)(row->index >> 3 & 7), (uint8_t)(row->index >> 6 & 7)};
    for (int axis = 0; axis < 2; ++axis) {
        reach->low[axis] = first || at[axis] < reach->low[axis] ? at[axis] : reach->low[axis];
        reach->high[axis] = first || at[axis] > reach->high[axis] ? at[axis] : reach->high[axis];
    }
}

/* Count rows, their normals and wall nodes, or, where `layer->row` exists, fill them in. False without
 * memory. */
static bool visit_rows(struct step_layer *layer, struct engine_layer *from, const struct box_grid *box,
                       unsigned real_bytes, uint64_t branches)
{
    const bool fill = layer->row != NULL;
    uint64_t rows = 0, normals = 0, walls = 0, held = 0, end;
    bool made = true;
    for (uint64_t n = 0, begin = 0; made && begin < from->nodes; begin = n, ++rows) {
        const uint64_t start = row_start(box, from->node[begin].index, &end);
        for (n = begin; n < from->nodes && from->node[n].index < end; ++n)
            ;
        struct layer_row *const row = fill ? &layer->row[rows] : NULL;
        if (fill)
            *row = (struct layer_row){.index = start,
                                      .first = (uint32_t)normals,
                                      .wall = (uint32_t)walls,
                                      .place = from->node[begin].place};
        for (unsigned d = 0, found = directions_of(from, begin, n); d < DIRECTIONS; ++d) {
            if (!(found >> d & 1))
                continue;
            if (fill)
                made = made && make_normal(layer, from, rows, begin, n, d, &layer->normal[normals]);
            ++normals;
        }
        for (uint64_t k = begin; k < n; ++k) {
            const uint32_t count = from->node[k].walls;
            if (fill) {
                const unsigned lane = (unsigned)(from->node[k].index - start);
                row->lanes |= (uint8_t)(1U << lane);
                from->node[k].held = rows * LAYER_LANES + lane;
                if (count > 0)
                    layer->wall[walls] = (struct layer_row_wall){from->node[k].wall, held, count, lane};
            }
            walls += count > 0;
            held += count * branches;
        }
        if (fill) {
            made = made && weigh_row(layer, from, rows, begin, n, real_bytes);
            if (box == NULL)
                reach(layer, row, rows == 0 || layer->row[rows - 1].place != row->place);
        }
    }
    if (fill)
        layer->row[rows] = (struct layer_row){
            .index = UINT64_MAX, .first = (uint32_t)normals, .wall = (uint32_t)walls, .place = UINT32_MAX};
    layer->rows = rows;
    layer->normals = normals;
    layer->walls = walls;
    layer->helds = held;
    return made;
}

/* Zeros, aligned for vectors. */
static void *zeros(uint64_t bytes)
{
    void *const memory = machine_memory_allocate(bytes + 1);
    return memory == NULL ? NULL : memset(memory, 0, bytes);
}

static bool make_layer(struct step_layer *layer, struct engine_layer *from, const struct box_grid *box,
                       unsigned real_bytes, uint64_t branches)
{
    layer->side.bytes = sizeof(struct layer_row_side);
    layer->weight.bytes = (size_t)2 * LAYER_LANES * real_bytes;
    layer->depths.bytes = LAYER_LANES;
    layer->around = &from->around;
    for (int axis = 0; axis < 3; ++axis)
        layer->stride[axis] = from->around.offset[axis == 0 ? 14 : axis == 1 ? 16 : 22];
    (void)visit_rows(layer, from, box, real_bytes, branches);
    layer->row = calloc(layer->rows + 1, sizeof *layer->row);
    layer->normal = calloc(layer->normals + 1, sizeof *layer->normal);
    layer->wall = calloc(layer->walls + 1, sizeof *layer->wall);
    layer->reach = calloc(from->places + 1, sizeof *layer->reach);
    layer->state = zeros(step_layer_states(layer) * real_bytes);
    layer->loss = zeros(layer->rows * LAYER_LANES * real_bytes);
    layer->held = zeros(layer->rows * LAYER_LANES * real_bytes);
    layer->held_walls = calloc(layer->helds + 1, real_bytes);
    if (layer->row == NULL || layer->normal == NULL || layer->wall == NULL || layer->reach == NULL ||
        layer->state == NULL || layer->loss == NULL || layer->held == NULL || layer->held_walls == NULL ||
        !visit_rows(layer, from, box, real_bytes, branches))
        return false;
    layer->terms = zeros(layer->depths.count * TERMS * LAYER_LANES * real_bytes);
    if (layer->terms == NULL)
        return false;
    spread_terms(layer, from, real_bytes);
    return true;
}

int step_layer_make(struct engine_layer *from, const struct box_grid *box, unsigned real_bytes,
                    uint64_t branches, struct step_layer **out, struct failure *failure)
{
    struct step_layer *const layer = calloc(1, sizeof *layer);
    if (layer != NULL && make_layer(layer, from, box, real_bytes, branches)) {
        *out = layer;
        return 0;
    }
    const uint64_t bytes = layer == NULL ? sizeof *layer : step_layer_bytes(layer, real_bytes);
    step_layer_free(layer);
    return failure_memory(failure, bytes, "rows of the layer behind open faces");
}

void step_layer_free(struct step_layer *layer)
{
    if (layer == NULL)
        return;
    free(layer->row);
    free(layer->normal);
    free(layer->wall);
    free(layer->reach);
    free(layer->side.value);
    free(layer->weight.value);
    free(layer->depths.value);
    free(layer->terms);
    free(layer->state);
    free(layer->loss);
    free(layer->held);
    free(layer->held_walls);
    free(layer);
}

uint64_t step_layer_bytes(const struct step_layer *layer, unsigned real_bytes)
{
    return layer->rows * (sizeof *layer->row + 2 * (uint64_t)LAYER_LANES * real_bytes) +
           layer->normals * sizeof *layer->normal + step_layer_states(layer) * real_bytes +
           layer->walls * sizeof *layer->wall + layer->helds * real_bytes +
           layer->side.room * layer->side.bytes + layer->weight.room * layer->weight.bytes +
           layer->depths.count * TERMS * LAYER_LANES * real_bytes;
}

uint64_t step_layer_state(const struct step_layer *layer, uint64_t lane, unsigned outward, unsigned s)
{
    uint64_t k = layer->row[lane / LAYER_LANES].first;
    while (layer->normal[k].outward != outward)
        ++k;
    return (k * LAYER_STATES + s) * LAYER_LANES + lane % LAYER_LANES;
}

/* ---- stepped ------------------------------------------------------------------------------------------- */

uint64_t step_layer_from(const struct step_layer *layer, uint64_t index)
{
    uint64_t low = 0, high = layer->rows;
    LOWER_BOUND(low, high, at, layer->row[at].index < index);
    return low;
}

static inline __attribute__((always_inline)) void hold_rows(const struct step_layer *layer,
                                                            const struct step_walls *walls, const size_t real,
                                                            const char *u_old, uint64_t first, uint64_t last)
{
    const bool box = layer->stride[0] != 0;
    for (uint64_t n = first; n < last; ++n) {
        const char *const from = u_old + layer->row[n].index * real;
        char *const to = (char *)layer->held + n * LAYER_LANES * real;
        if (box) /* values that follow the row may be another thread's */
            memcpy(to, from, (size_t)(32 - __builtin_clz(layer->row[n].lanes)) * real);
        else
            memcpy(to, from, LAYER_LANES * real);
    }
    for (uint64_t n = layer->row[first].wall; n < layer->row[last].wall; ++n) {
        const struct layer_row_wall *const wall = &layer->wall[n];
        char *held = (char *)layer->held_walls + wall->held * real;
        for (uint64_t e = wall->entry; e < wall->entry + wall->count; ++e)
            for (unsigned m = 0; m < walls->branches; ++m, held += real)
                memcpy(held, (const char *)walls->state + (m * walls->stride + e) * real, real);
    }
}

void step_layer_hold(const struct step_layer *layer, const struct step_walls *walls, unsigned real_bytes,
                     const void *u_old, uint64_t first, uint64_t last)
{
    if (real_bytes == sizeof(float))
        hold_rows(layer, walls, sizeof(float), u_old, first, last);
    else
        hold_rows(layer, walls, sizeof(double), u_old, first, last);
}
