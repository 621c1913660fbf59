/* Measures of a field: finite values, level, energy, hash. */
#include <assert.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_block_energy.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_share.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_wall_energy.h"

/* Lattice node at a pressure index; the voxel of a list node. */
static void index_node(const struct engine *engine, uint64_t index, int64_t node[3])
{
    const struct box_grid *box = engine->room.box;
    const uint64_t list = engine_list_node(engine, index);
    if (list != UINT64_MAX) {
        memcpy(node, engine->room.blocks->list_voxel[list], sizeof engine->room.blocks->list_voxel[list]);
        return;
    }
    if (box != NULL) {
        const uint64_t row = (uint64_t)box->nodes[0] + 2, rows = (uint64_t)box->nodes[1] + 2;
        node[0] = box->low[0] + (int64_t)(index % row) - 1;
        node[1] = box->low[1] + (int64_t)(index / row % rows) - 1;
        node[2] = box->low[2] + (int64_t)(index / row / rows) - 1;
        return;
    }
    block_node(&engine->room.blocks->block[index / BLOCK_NODES], index % BLOCK_NODES, node);
}

/* The first record at or after a pressure index, for a box; record_at() advances it. */
static uint64_t record_from(const struct engine *engine, uint64_t index)
{
    return engine->room.box != NULL ? step_box_record_from(engine->room.box, index) : 0;
}

static uint64_t record_at(const struct engine *engine, uint64_t index, uint64_t *cut)
{
    const struct box_grid *box = engine->room.box;
    if (box == NULL)
        return engine_record(engine, index);
    return *cut < box->cuts && box->cut_node[*cut] == index ? (*cut)++ : UINT64_MAX;
}

/* Measure each thread's share of u, in order. Returns the number of shares. */
static int measure_shares(const struct engine *engine)
{
    for (int t = 0; t < engine->threads; ++t)
        engine->partial[t] = (struct engine_partial){.bad = UINT64_MAX};
#pragma omp parallel num_threads(engine->threads)
    {
        const int thread = omp_get_thread_num();
        uint64_t first, last;
        engine_share_of(engine, thread, omp_get_num_threads(), &first, &last);
        const uint64_t begin = step_unit_index(&engine->room, first),
                       end = step_unit_index(&engine->room, last);
        struct engine_partial found = {.bad = UINT64_MAX};
        uint64_t cut = record_from(engine, begin);
        for (uint64_t index = begin; index < end; ++index) {
            const double value = engine_value(engine, engine->u, index);
            const double mass = engine_mass(engine, record_at(engine, index, &cut));
            if (!isfinite(value)) {
                found.bad = index;
                break;
            }
            found.sum += mass * (value * value);
            found.plain += mass * value;
            found.largest = fmax(found.largest, fabs(value));
        }
        engine->partial[thread] = found;
    }
    return engine->threads;
}

struct engine_partial engine_measure_on_host(struct engine *engine)
{
    struct engine_partial whole = {.bad = UINT64_MAX};
    const int parts = measure_shares(engine);
    for (int t = 0; t < parts; ++t) {
        const struct engine_partial *part = &engine->partial[t];
        if (whole.bad == UINT64_MAX)
            whole.bad = part->bad;
        whole.largest = fmax(whole.largest, part->largest);
        whole.sum += part->sum;
        whole.plain += part->plain;
    }
    return whole;
}

struct engine_health engine_health(const struct engine *engine)
{
    /* Does not change the field. */
    const struct engine_partial whole = engine->ops->measure((struct engine *)engine);
    struct engine_health health = {.finite = whole.bad == UINT64_MAX,
                                   .largest = whole.largest,
                                   .mean_square = whole.sum,
                                   .mean = whole.plain};
    if (!health.finite && engine->failure.code == FAILURE_NONE)
        index_node(engine, whole.bad, health.bad_node);
    if (engine->room.blocks->air_nodes > 0) {
        const double mass = cut_masses_sum(engine->room.blocks);
        health.mean_square /= mass;
        health.mean /= mass;
    }
    return health;
}

/* Sum over the extra links of the units first .. last-1, both ends of each. */
static double extra_energy(const struct engine *engine, uint64_t first, uint64_t last)
{
    double sum = 0.0;
    const struct block_grid *grid = engine->room.blocks;
    const struct box_grid *box = engine->room.box;
    if (!grid->has_records)
        return sum;
    const uint64_t from = box != NULL ? step_box_extra_from(box, step_unit_index(&engine->room, first))
                                      : block_extra_from(grid, first);
    const uint64_t to = box != NULL ? step_box_extra_from(box, step_unit_index(&engine->room, last))
                                    : block_extra_from(grid, last);
    for (uint64_t n = from; n < to; ++n) {
        const uint64_t own = box != NULL ? box->extra_node[n].node
                                         : (uint64_t)grid->extra_node[n].block * BLOCK_NODES +
                                               grid->extra_node[n].slot,
                       begin = box != NULL ? box->extra_node[n].first : grid->extra_node[n].first;
        const unsigned links = box != NULL ? box->extra_node[n].links : grid->extra_node[n].links;
        for (uint64_t link = begin; link < begin + links; ++link) {
            const uint64_t other = box != NULL ? box->extra_link[link].node
                                               : (uint64_t)grid->extra_link[link].block * BLOCK_NODES +
                                                     grid->extra_link[link].slot;
            const int open = box != NULL ? box->extra_link[link].open : grid->extra_link[link].open,
                      crossed = box != NULL ? box->extra_link[link].crossed : grid->extra_link[link].crossed;
            sum += (open - crossed / 6.0) / CUT_WHOLE *
                   (engine_value(engine, engine->u, other) - engine_value(engine, engine->u, own)) *
                   (engine_value(engine, engine->u_old, other) - engine_value(engine, engine->u_old, own));
        }
    }
    return sum;
}

/* (u_j - u_i) of u times that of u_old. */
static double multiply_differences(const struct engine *engine, uint64_t i, uint64_t j)
{
    return (engine_value(engine, engine->u, j) - engine_value(engine, engine->u, i)) *
           (engine_value(engine, engine->u_old, j) - engine_value(engine, engine->u_old, i));
}

/* Sum over the dense links of a node of the box, each once, from its low end. */
static double sum_links(const struct engine *engine, uint64_t index, uint64_t record)
{
    const unsigned links = engine_links(engine, index);
    double sum = 0.0;
    for (unsigned d = DIRECTION_XP; d < DIRECTIONS; d += 2)
        if (links >> d & 1)
            sum += (record == UINT64_MAX ? 1.0 : (double)engine_cut(engine, record)->open[d] / CUT_WHOLE) *
                   multiply_differences(engine, index, step_box_neighbour(engine->room.box, index, d));
    return sum;
}

/* A whole node. */
#define W CUT_WHOLE
static const struct cut_cell whole_cell = {{W, W, W, W, W, W}, W, 0};
static const uint8_t whole_plaquettes[EDGES] = {W, W, W, W, W, W, W, W, W, W, W, W};
#undef W

/* The isotropic operator as pairs: links with the weight (6 alpha - n) / 6 from their low end, diagonals of
 * plaquettes with b / 6 from the end with the lower second coordinate. */
static double sum_isotropic_links(const struct engine *engine, uint64_t index, uint64_t record)
{
    const struct box_grid *const box = engine->room.box;
    const struct cut_cell *const cut = record == UINT64_MAX ? &whole_cell : &box->cut[record];
    const uint8_t *const plaquette = record == UINT64_MAX ? whole_plaquettes : box->plaquette[record];
    int weight[DIRECTIONS];
    double sum = 0.0;
    step_face_weights(cut, plaquette, weight);
    for (unsigned d = DIRECTION_XP; d < DIRECTIONS; d += 2)
        if (weight[d] != 0)
            sum += weight[d] *
                   multiply_differences(engine, index, step_box_neighbour(engine->room.box, index, d));
    for (unsigned e = 0; e < EDGES; ++e)
        if ((edge_second_direction(e) & 1) && plaquette[e] != 0)
            sum += plaquette[e] * multiply_differences(engine, index, step_box_across(box, index, e));
    return sum / (6.0 * CUT_WHOLE);
}

/* Sums over the rows first .. last-1 of the box, without extra links. */
static struct block_energy box_energy(const struct engine *engine, uint64_t first, uint64_t last)
{
    const uint64_t begin = step_unit_index(&engine->room, first), end = step_unit_index(&engine->room, last);
    uint64_t cut = record_from(engine, begin);
    struct block_energy sum = {0};
    for (uint64_t index = begin; index < end; ++index) {
        const double now = engine_value(engine, engine->u, index);
        const double old = engine_value(engine, engine->u_old, index);
        const uint64_t record = record_at(engine, index, &cut);
        sum.moving += engine_mass(engine, record) * (now - old) * (now - old);
        if (engine_links(engine, index) != 0)
            sum.stretched += engine->room.blocks->isotropic ? sum_isotropic_links(engine, index, record)
                                                            : sum_links(engine, index, record);
    }
    return sum;
}

/* The energy of the units first .. last-1 and their walls. */
static double energy_of(const struct engine *engine, uint64_t first, uint64_t last)
{
    const struct step_room *room = &engine->room;
    struct block_energy sum = {0};
    double held = 0.0;
    if (room->box != NULL)
        sum = box_energy(engine, first, last);
    for (uint64_t id = first; room->box == NULL && id < last; ++id) {
        const struct block_energy block = engine_block_energy(engine, id);
        sum.moving += block.moving;
        sum.stretched += block.stretched;
    }
    /* Each end has half of an extra link. */
    sum.stretched += 0.5 * extra_energy(engine, first, last);
    if (room->walls != NULL && room->walls->state != NULL)
        held = engine_wall_energy(engine, room->walls->state, engine_unit_wall(engine, first),
                                  engine_unit_wall(engine, last));
    return sum.moving / (2.0 * room->lambda2) + 0.5 * sum.stretched + held / (2.0 * engine->step.courant);
}

double engine_energy(const struct engine *engine)
{
    return engine->ops->energy((struct engine *)engine);
}

double engine_energy_on_host(struct engine *engine)
{
    const uint64_t first = step_first_unit(&engine->room), units = step_last_unit(&engine->room) - first;
    const uint64_t pieces = engine_energy_pieces(engine);
#pragma omp parallel for num_threads(engine->threads) schedule(dynamic)
    for (uint64_t piece = 0; piece < pieces; ++piece)
        engine->energy[piece] =
            energy_of(engine, first + units * piece / pieces, first + units * (piece + 1) / pieces);
    double energy = 0.0;
    for (uint64_t piece = 0; piece < pieces; ++piece)
        energy += engine->energy[piece];
    return energy + engine_sheet_energy(engine);
}

uint64_t engine_hash(const struct engine *engine)
{
    return engine->ops->hash((struct engine *)engine);
}

uint64_t engine_hash_on_host(struct engine *engine)
{
    if (engine->room.box != NULL)
        return box_field_hash(engine->room.box, engine->real_bytes, engine->u);
    return block_field_hash(engine->room.blocks, engine->real_bytes, engine->u);
}

void engine_absorbed(struct engine *engine, double *absorbed)
{
    engine->ops->absorbed(engine, absorbed);
}

void engine_absorbed_here(struct engine *engine, double *absorbed)
{
    assert(engine->absorbed != NULL);
    const bool sound = engine_collect_losses(engine);
    for (unsigned m = 0; m <= engine->walls.materials; ++m)
        absorbed[m] = sound ? engine->absorbed[m] : NAN;
}
