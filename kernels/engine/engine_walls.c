#include "kernels/engine/engine_walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_wall_entries.h"
#include "kernels/machine/machine_memory.h"

/* ---- entries of a node --------------------------------------------------------------------------------- */

unsigned engine_wall_at(const struct engine *engine, uint64_t index, uint64_t *first)
{
    uint64_t wall, end;
    unsigned count = 1;
    if (engine->room.box != NULL) {
        const struct box_grid *box = engine->room.box;
        wall = step_box_wall_from(box, index);
        end = box->walls;
        if (wall == end || box->wall[wall].node != index)
            return 0;
    } else {
        const struct block_grid *grid = engine->room.blocks;
        wall = grid->wall_first[index / BLOCK_NODES];
        end = grid->wall_first[index / BLOCK_NODES + 1];
        while (wall < end && grid->wall[wall].slot != index % BLOCK_NODES)
            ++wall;
        if (wall == end)
            return 0;
    }
    *first = wall;
    while (wall + count < end && wall_continues(engine, wall + count))
        ++count;
    return count;
}

/* ---- materials ----------------------------------------------------------------------------------------- */

static const struct wall_material open_face = {.branches = 1, .branch = {{.E = 1.0}}};
static const struct wall_material hard = {.branches = 0};

/* Terms of a row of the table. */
static int make_row(const struct wall_materials *walls, size_t row, const struct time_step *step,
                    struct wall_terms *out, struct failure *failure)
{
    const struct wall_material *material = row < walls->count    ? &walls->material[row]
                                           : row == walls->count ? &open_face
                                                                 : &hard;
    return wall_terms_make(material, row, step, walls->inertance, out, failure);
}

int engine_check_materials(const struct engine *engine, const struct engine_materials *materials,
                           struct failure *failure)
{
    if (materials->count > VOXELS_NO_MATERIAL)
        return failure_set(failure, FAILURE_INPUT, "the table of materials has %zu rows: the limit is %u",
                           materials->count, (unsigned)VOXELS_NO_MATERIAL);
    for (size_t m = 0; m < materials->count; ++m)
        if (materials->walls != NULL) {
            struct wall_terms terms;
            TRY(make_row(materials->walls, m, &engine->step, &terms, failure));
        } else if (!(materials->admittance[m] >= 0.0 && isfinite(materials->admittance[m]))) {
            return failure_set(
                failure, FAILURE_INPUT,
                "material %zu has the specific admittance %g: it must be finite and not negative", m,
                materials->admittance[m]);
        }
    const uint64_t walls = engine_wall_count(engine);
    for (uint64_t wall = 0; wall < walls; ++wall) {
        const uint16_t material = wall_material(engine, wall);
        if (material < VOXELS_NO_MATERIAL && material >= materials->count)
            return failure_set(
                failure, FAILURE_INPUT, "wall entry %llu names material %u, but the table %s %zu",
                (unsigned long long)wall, (unsigned)material,
                materials->walls != NULL ? "of materials has" : "of admittances has", materials->count);
    }
    return 0;
}

bool engine_has_open_face(const struct engine *engine)
{
    const uint64_t entries = engine_wall_count(engine);
    bool open = false;
    for (uint64_t wall = 0; !open && wall < entries; ++wall)
        open = wall_material(engine, wall) == VOXELS_OPEN_FACE;
    return open;
}

bool engine_walls_have_states(const struct engine_materials *materials)
{
    const struct wall_materials *const walls = materials->walls;
    return walls->ledger || wall_materials_states(walls) > 0 || (walls->inertance && materials->open);
}

/* The rows in the run's real, for the steps. */
static void *round_rows(const struct engine *engine, size_t rows)
{
    if (engine->real_bytes == sizeof(float)) {
        struct scheme_material_f32 *row = malloc(rows * sizeof *row);
        for (size_t m = 0; row != NULL && m < rows; ++m)
            wall_terms_round(&engine->terms[m], &row[m]);
        return row;
    }
    struct scheme_material_f64 *row = malloc(rows * sizeof *row);
    for (size_t m = 0; row != NULL && m < rows; ++m)
        row[m] = engine->terms[m].scheme;
    return row;
}

int engine_make_materials(struct engine *engine, const struct engine_materials *materials,
                          struct failure *failure)
{
    const struct wall_materials *const walls = materials->walls;
    const size_t rows = walls->count + 2;
    const uint64_t entries = engine_wall_count(engine);
    /* Lines of 64 bytes in a plane of states: an odd number, so that the planes of an entry use different
     * cache sets. */
    const uint64_t line = 64 / engine->real_bytes, lines = (entries + 2 * line - 1) / line | 1u;
    engine->walls = (struct step_walls){
        .stride = lines * line, .ledger = walls->ledger, .materials = (uint16_t)walls->count};
    engine->inertance = walls->inertance;
    engine->terms = calloc(rows, sizeof *engine->terms);
    if (engine->terms == NULL)
        return failure_memory(failure, rows * sizeof *engine->terms, "wall materials");
    for (size_t row = 0; row < rows; ++row) {
        TRY(make_row(walls, row, &engine->step, &engine->terms[row], failure));
        if (row < walls->count && engine->terms[row].scheme.branches > engine->walls.branches)
            engine->walls.branches = engine->terms[row].scheme.branches;
    }
    if (engine->walls.branches == 0 && materials->open)
        engine->walls.branches = engine->terms[walls->count].scheme.branches;
    engine->walls.material = round_rows(engine, rows);
    if (walls->ledger)
        engine->absorbed = calloc(walls->count + 1, sizeof *engine->absorbed);
    if (engine->walls.material == NULL || (walls->ledger && engine->absorbed == NULL))
        return failure_memory(failure, rows * sizeof(struct scheme_material_f64), "wall materials");
    engine->room.walls = &engine->walls;
    return 0;
}

/* ---- arrays by wall entry ------------------------------------------------------------------------------ */

static uint64_t state_bytes(const struct engine *engine)
{
    return 2 * engine->walls.branches * engine->walls.stride * engine->real_bytes;
}

/* The plan that the steps of this engine need, counted; none for the reference and devices. */
static struct step_plan count_plan(const struct engine *engine)
{
    struct step_plan plan = {.lanes = 0};
    const struct engine_options *const options = &engine->options;
    unsigned width = 8, lanes = 8;
    if (options->backend != BACKEND_CPU)
        return plan;
#if defined(__x86_64__)
    if (engine->advance == step_avx2[options->layout][options->precision])
        width = 32 / engine->real_bytes;
    if (engine->advance == step_avx512[options->layout][options->precision])
        width = lanes = 64 / engine->real_bytes;
#endif
    step_plan_count(&engine->room, lanes, width, &plan);
    return plan;
}

uint64_t engine_wall_bytes(const struct engine *engine)
{
    const uint64_t entries = engine_wall_count(engine) * engine->real_bytes;
    struct step_plan plan = engine->plan;
    const uint64_t bytes = entries + step_plan_bytes(&engine->room, &plan);
    if (engine->room.walls == NULL)
        return bytes;
    return bytes + state_bytes(engine) + (engine->walls.ledger ? entries : 0);
}

/* Allocate reals by entry, with space for a vector that starts at the last entry. */
static void *by_entry(const struct engine *engine)
{
    return machine_memory_allocate((engine_wall_count(engine) + 16) * engine->real_bytes);
}

/* The value of a face of a material; `of` is the table. */
typedef double face_value(const void *of, uint16_t material);

static double admittance_of(const void *of, uint16_t material)
{
    const double *const admittance = of;
    if (material == VOXELS_OPEN_FACE)
        return 1.0;
    if (material == VOXELS_NO_MATERIAL)
        return 0.0;
    return admittance[material];
}

static double kappa_of(const void *of, uint16_t material)
{
    const struct engine *const engine = of;
    return engine->terms[step_wall_row(&engine->walls, material)].kappa;
}

/* Sum over the faces of the node whose first entry is `wall`; *end is past its last. */
static double node_sum(const struct engine *engine, uint64_t wall, face_value *face, const void *of,
                       uint64_t *end)
{
    const uint64_t walls = engine_wall_count(engine);
    uint64_t next = wall;
    double sum = 0.0;
    do {
        sum += wall_weight(engine, next) * face(of, wall_material(engine, next));
        ++next;
    } while (next < walls && wall_continues(engine, next));
    *end = next;
    return sum;
}

/* Mass of the node whose first entry is `wall`. *block is at or before its block, and is advanced. */
static double node_mass(const struct engine *engine, uint64_t wall, uint64_t *block)
{
    const struct block_grid *grid = engine->room.blocks;
    if (!grid->has_records)
        return 1.0;
    if (engine->room.box != NULL)
        return engine_mass(engine, engine_record(engine, engine->room.box->wall[wall].node));
    while (grid->wall_first[*block + 1] <= wall)
        ++*block;
    return engine_mass(engine,
                       engine_record(engine, *block * BLOCK_NODES + (grid->wall[wall].slot & WALL_SLOT)));
}

static void fill_wall_q(struct engine *engine, const double *admittance)
{
    const uint64_t walls = engine_wall_count(engine);
    uint64_t next, block = 0;
    for (uint64_t wall = 0; wall < walls; wall = next) {
        const double sum = node_sum(engine, wall, admittance_of, admittance, &next);
        const double kappa = 0.5 * engine->step.courant * sum / node_mass(engine, wall, &block);
        const double q = kappa / (1.0 + kappa);
        engine_put(engine, engine->wall_q, wall, q);
        for (uint64_t entry = wall + 1; entry < next; ++entry)
            engine_put(engine, engine->wall_q, entry, 0.0);
    }
}

/* lambda s / (2 mass (1 + kappa)) of every entry. */
static void fill_shares(const struct engine *engine, void *share)
{
    const uint64_t walls = engine_wall_count(engine);
    uint64_t next, block = 0;
    for (uint64_t wall = 0; wall < walls; wall = next) {
        const double mass = node_mass(engine, wall, &block);
        const double kappa = node_sum(engine, wall, kappa_of, engine, &next) / mass;
        for (uint64_t entry = wall; entry < next; ++entry)
            engine_put(engine, share, entry,
                       0.5 * engine->step.courant * (wall_weight(engine, entry) / mass) / (1.0 + kappa));
    }
}

int engine_plan_steps(struct engine *engine, struct failure *failure)
{
    engine->plan = count_plan(engine);
    engine->room.plan = &engine->plan;
    return engine->plan.lanes > 0 ? step_plan_make(&engine->room, &engine->plan, failure) : 0;
}

int engine_fill_walls(struct engine *engine, const struct engine_materials *materials, bool states,
                      struct failure *failure)
{
    if (engine->room.walls == NULL) {
        engine->wall_q = by_entry(engine);
        engine->room.wall_q = engine->wall_q;
        if (engine->wall_q == NULL)
            return failure_memory(failure, engine_wall_bytes(engine), "wall coefficients");
        fill_wall_q(engine, materials->admittance);
        return 0;
    }
    void *share = by_entry(engine);
    engine->walls.share = share;
    if (states) {
        engine->walls.state = machine_memory_allocate(state_bytes(engine));
        engine->walls.loss = engine->walls.ledger ? by_entry(engine) : NULL;
    }
    if (share == NULL ||
        (states && (engine->walls.state == NULL || (engine->walls.ledger && engine->walls.loss == NULL))))
        return failure_memory(failure, engine_wall_bytes(engine), "the states of walls");
    fill_shares(engine, share);
    return 0;
}

void engine_zero_walls(struct engine *engine, uint64_t first, uint64_t last)
{
    const struct step_walls *walls = &engine->walls;
    const uint64_t real = engine->real_bytes;
    if (engine->room.walls == NULL || walls->state == NULL)
        return;
    const uint64_t end = last == UINT64_MAX ? walls->stride : last;
    for (unsigned plane = 0; plane < 2 * walls->branches; ++plane)
        memset((char *)walls->state + (plane * walls->stride + first) * real, 0,
               (size_t)((end - first) * real));
    const uint64_t entries = engine_wall_count(engine);
    if (walls->loss != NULL)
        memset((char *)walls->loss + first * real, 0,
               (size_t)(((end < entries ? end : entries) - first) * real));
}

void engine_free_walls(struct engine *engine)
{
    step_plan_free(&engine->plan);
    free(engine->wall_q);
    free((void *)engine->walls.share);
    free(engine->walls.state);
    free(engine->walls.loss);
    free((void *)engine->walls.material);
    free(engine->terms);
    free(engine->absorbed);
}

double engine_wall_q_at(const struct engine *engine, uint64_t index)
{
    uint64_t wall = 0;
    const unsigned count = engine_wall_at(engine, index, &wall);
    if (count == 0)
        return 0.0;
    if (engine->room.walls == NULL)
        return engine_value(engine, engine->wall_q, wall);
    double q = 0.0;
    for (unsigned n = 0; n < count; ++n) {
        const unsigned row = step_wall_row(&engine->walls, wall_material(engine, wall + n));
        const double pull =
            engine->real_bytes == sizeof(float)
                ? (double)((const struct scheme_material_f32 *)engine->walls.material)[row].pull
                : ((const struct scheme_material_f64 *)engine->walls.material)[row].pull;
        q += engine_value(engine, engine->walls.share, wall + n) * pull;
    }
    return q;
}

void engine_push_walls(const struct engine *engine, uint64_t wall, unsigned entries, double push)
{
    const struct step_walls *walls = &engine->walls;
    const uint64_t springs = walls->branches * walls->stride;
    for (uint64_t entry = wall; entry < wall + entries; ++entry) {
        const unsigned row = step_wall_row(walls, wall_material(engine, entry));
        if (engine->real_bytes == sizeof(float))
            scheme_wall_push_f32(&((const struct scheme_material_f32 *)walls->material)[row],
                                 (float *)walls->state + entry, walls->stride, springs, (float)push);
        else
            scheme_wall_push_f64(&((const struct scheme_material_f64 *)walls->material)[row],
                                 (double *)walls->state + entry, walls->stride, springs, push);
    }
}

bool engine_read_states(struct engine *engine, uint64_t first, uint64_t count, void *values, uint64_t stride)
{
    const struct step_walls *const walls = &engine->walls;
    const uint64_t real = engine->real_bytes;
    if (engine->device != NULL)
        return ENGINE_ASK(engine, read_states, first, count, values, stride, &engine->failure);
    for (unsigned plane = 0; plane < 2 * walls->branches; ++plane)
        memcpy((char *)values + plane * stride * real,
               (const char *)walls->state + (plane * walls->stride + first) * real, count * real);
    return true;
}
