#include "kernels/engine/engine.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device_table.h"
#include "kernels/engine/engine_back_ends.h"
#include "kernels/engine/engine_halo.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_walls.h"
#include "kernels/opencl/opencl_table.h"

#ifdef TRANSEPT_HAS_CUDA
#define CUDA &device_cuda
#else
#define CUDA NULL
#endif

const struct engine_back_ends back_ends_built = {
    .engine = {[BACKEND_REFERENCE] = &engine_on_host,
               [BACKEND_CPU] = &engine_on_host,
               [BACKEND_CUDA] = &engine_on_device,
               [BACKEND_OPENCL] = &engine_on_device},
    .device = {[BACKEND_CUDA] = CUDA, [BACKEND_OPENCL] = &device_opencl}};

/* ---- creation ------------------------------------------------------------------------------------------ */

/* Walls without states: the sums of 1/E. Returns NULL without memory. */
static double *admittances_of(const struct wall_materials *walls)
{
    double *admittance = calloc(walls->count + 1, sizeof *admittance);
    for (size_t m = 0; admittance != NULL && m < walls->count; ++m)
        for (size_t b = 0; b < walls->material[m].branches; ++b)
            admittance[m] += 1.0 / walls->material[m].branch[b].E;
    return admittance;
}

static int choose_walls(struct engine *engine, const struct engine_materials *given,
                        struct engine_materials *chosen, double **owned, struct failure *failure)
{
    *chosen = *given;
    TRY(engine_check_materials(engine, given, failure));
    if (given->walls == NULL)
        return 0;
    chosen->open = given->open || engine_has_open_face(engine);
    if (engine_walls_have_states(chosen))
        return engine_make_materials(engine, chosen, failure);
    chosen->admittance = *owned = admittances_of(given->walls);
    chosen->walls = NULL;
    return *owned == NULL ? failure_memory(failure, given->count * sizeof **owned, "admittances") : 0;
}

/* A grid is for one scheme, and its masses for one lambda^2; conformal walls have no inertance. */
static int check_masses(const struct block_grid *grid, const struct time_step *step,
                        const struct engine_materials *materials, struct failure *failure)
{
    if (grid->isotropic != (step->scheme == SCHEME_ISOTROPIC))
        return failure_set(failure, FAILURE_INPUT, "the grid is for %d points, and the step for %d",
                           grid->isotropic ? 19 : 7, step->scheme == SCHEME_ISOTROPIC ? 19 : 7);
    if (!grid->has_records)
        return 0;
    if (grid->lambda2 == 0.0)
        return failure_set(failure, FAILURE_INPUT, "the nodes of the grid have no masses yet");
    if (grid->lambda2 != step->lambda2)
        return failure_set(failure, FAILURE_INPUT,
                           "the masses of the grid's nodes are for lambda^2 = %.9g, and the step has %.9g",
                           grid->lambda2, step->lambda2);
    if (materials->walls != NULL && materials->walls->inertance)
        return failure_set(failure, FAILURE_INPUT,
                           "%s have no half cell of air in front, but the materials have an inertance for it",
                           grid->isotropic ? "walls of the 19-point scheme" : "conformal walls");
    return 0;
}

int engine_create_with(struct engine **out, const struct engine_settings *settings, struct failure *failure)
{
    const struct block_grid *const blocks = settings->blocks;
    const struct box_grid *const box = settings->box;
    const struct engine_options *const options = settings->options;
    const struct engine_materials materials = {
        .count = settings->walls != NULL ? settings->walls->count : settings->materials,
        .admittance = settings->walls != NULL ? NULL : settings->admittance,
        .walls = settings->walls,
        .open = settings->open};
    assert(blocks != NULL);
    assert((options->layout == LAYOUT_BOX) == (box != NULL));
    assert(box == NULL || (box->has_records == blocks->has_records && box->isotropic == blocks->isotropic));
    TRY(check_masses(blocks, settings->step, &materials, failure));

    /* Aligned for the barrier; its size is a multiple of that. */
    struct engine *engine = aligned_alloc(_Alignof(struct engine), sizeof *engine);
    if (engine == NULL)
        return failure_memory(failure, sizeof *engine, "an engine");
    memset(engine, 0, sizeof *engine);
    engine->back_ends = settings->back_ends != NULL ? settings->back_ends : &back_ends_built;
    engine->ops = engine->back_ends->engine[options->backend];
    engine->options = *options;
    engine->card = settings->card;
    engine->any_rounding = settings->any_rounding;
    engine->threads = options->backend == BACKEND_REFERENCE ? 1
                      : options->threads > 0                ? options->threads
                                                            : omp_get_max_threads();
    engine->room.blocks = blocks;
    engine->room.box = box;
    engine->room.lambda2 = settings->step->lambda2;
    engine->step = *settings->step;
    engine->real_bytes = options->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    engine->length =
        box != NULL ? box->length : ((uint64_t)blocks->blocks + blocks->ghosts + 1) * BLOCK_NODES;
    int error = step_barrier_init(&engine->barrier);
    if (error == 0 && (error = step_barrier_init(&engine->step_end)) != 0)
        step_barrier_destroy(&engine->barrier);
    if (error != 0) {
        free(engine);
        return failure_set(failure, FAILURE_CAPACITY, "the system cannot create another lock (error %d)",
                           error);
    }
    struct engine_materials chosen;
    double *owned = NULL;
    int code = choose_walls(engine, &materials, &chosen, &owned, failure);
    if (code == 0)
        code = engine->ops->start(engine, &chosen, failure);
    free(owned);
    if (code == 0) {
        *out = engine;
        engine = NULL;
    }
    engine_free(engine);
    return code;
}

int engine_create(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                  const struct time_step *step, const double *admittance, size_t material_count,
                  const struct engine_options *options, struct failure *failure)
{
    const struct engine_settings settings = {.blocks = blocks,
                                             .box = box,
                                             .step = step,
                                             .materials = material_count,
                                             .admittance = admittance,
                                             .options = options};
    return engine_create_with(out, &settings, failure);
}

int engine_create_walls(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                        const struct time_step *step, const struct wall_materials *walls,
                        const struct engine_options *options, struct failure *failure)
{
    const struct engine_settings settings = {
        .blocks = blocks, .box = box, .step = step, .walls = walls, .options = options};
    return engine_create_with(out, &settings, failure);
}

void engine_free(struct engine *engine)
{
    if (engine != NULL)
        engine->ops->free(engine);
}

uint64_t engine_wall_entry_bytes(const struct wall_materials *walls, enum precision precision)
{
    const uint64_t real = precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    return walls == NULL ? real : real * (1 + 2 * wall_materials_states(walls) + walls->ledger);
}

/* ---- taps ---------------------------------------------------------------------------------------------- */

/* Find the nodes of a stencil, with its weights. */
static int find_tap(const struct engine *engine, const struct stencil *stencil, struct engine_tap *out,
                    struct failure *failure)
{
    struct engine_tap found = {.count = stencil->count};
    if (stencil->count == 0 || stencil->count > STENCIL_NODES_MAX)
        return failure_set(failure, FAILURE_INPUT, "a source or receiver has %u nodes: it must have 1 to %d",
                           stencil->count, STENCIL_NODES_MAX);
    for (unsigned n = 0; n < stencil->count; ++n) {
        const int64_t *node = stencil->node[n];
        found.index[n] = engine_node_index(engine, node);
        found.weight[n] = stencil->weight[n];
        if (found.index[n] == UINT64_MAX)
            return failure_set(
                failure, FAILURE_INPUT,
                "a source or receiver is joined to the node (%lld,%lld,%lld), which is not air",
                (long long)node[0], (long long)node[1], (long long)node[2]);
        if (!isfinite(stencil->weight[n]))
            return failure_set(failure, FAILURE_INPUT,
                               "a source or receiver has the weight %g at a node: it must be finite",
                               stencil->weight[n]);
    }
    *out = found;
    return 0;
}

int engine_add_source(struct engine *engine, const struct stencil *stencil, struct failure *failure)
{
    struct engine_tap found;
    TRY(find_tap(engine, stencil, &found, failure));
    TRY(engine->ops->add(engine, true, stencil, &found, failure));
    ++engine->sources;
    return 0;
}

int engine_add_receiver(struct engine *engine, const struct stencil *stencil, struct failure *failure)
{
    struct engine_tap found;
    TRY(find_tap(engine, stencil, &found, failure));
    TRY(engine->ops->add(engine, false, stencil, &found, failure));
    ++engine->receivers;
    return 0;
}

size_t engine_sources(const struct engine *engine)
{
    return engine->sources;
}

size_t engine_receivers(const struct engine *engine)
{
    return engine->receivers;
}

/* ---- stepping ------------------------------------------------------------------------------------------ */

void engine_run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    engine->ops->run(engine, steps, drive, output);
}

void engine_evict(const struct engine *engine)
{
    if (engine->ops->evict != NULL)
        engine->ops->evict(engine);
}

uint64_t engine_steps(const struct engine *engine)
{
    return engine->steps;
}

void engine_reset(struct engine *engine)
{
    engine->ops->reset(engine);
    engine_port_set_state(engine, NULL);
    engine->steps = 0;
}

void engine_map(struct engine *engine)
{
    if (engine->ops->map != NULL)
        engine->ops->map(engine);
}

double engine_get(const struct engine *engine, int level, const int64_t node[3])
{
    const uint64_t index = engine_node_index(engine, node);
    assert(index != UINT64_MAX);
    /* Changes only the copy of the field. */
    return engine->ops->get((struct engine *)engine, level, index, node);
}

void engine_set(struct engine *engine, int level, const int64_t node[3], double value)
{
    const uint64_t index = engine_node_index(engine, node);
    assert(index != UINT64_MAX);
    engine->ops->set(engine, level, index, node, value);
}

uint64_t engine_bytes(const struct engine *engine)
{
    return engine->ops->bytes(engine);
}

enum precision engine_precision(const struct engine *engine)
{
    return engine->options.precision;
}

const char *engine_description(const struct engine *engine)
{
    return engine->description;
}
