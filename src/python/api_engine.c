#include <math.h>
#include <stdlib.h>

#include "blocks/box_grid.h"
#include "kernels/engine/engine_field.h"
#include "src/python/api_room.h"
#include "src/python/transept.h"
#include "src/setup/room_engine.h"

struct transept_engine {
    const struct transept_room *room; /* borrowed */
    struct box_grid box;              /* of LAYOUT_BOX; else zeroed */
    struct engine *engine;
};

enum tap_kind { TAP_SOURCE, TAP_RECEIVER, TAP_GRADIENT };

/* ---- making ---- */

static int make_engine(struct transept_engine *made, struct failure *failure)
{
    const struct room_setup *setup = &made->room->setup;
    const struct block_grid *packed = &setup->grid.packed;
    const struct engine_options options = room_engine_options(setup, made->room->needs.stored_nodes);
    const bool boxed = options.layout == LAYOUT_BOX;
    if (room_engine_is_in_parts(setup))
        return failure_set(failure, FAILURE_INPUT,
                           "an engine whose field is read uses one device: give one, or the CPUs");
    if (boxed)
        TRY(box_grid_from_blocks(packed, &made->box, failure));
    return room_engine_create(&made->engine, setup, &setup->grid, packed, boxed ? &made->box : NULL,
                              &setup->grid.step, &options, false, failure);
}

int transept_engine_make(const struct transept_room *room, struct transept_engine **out,
                         struct failure *failure)
{
    struct transept_engine *made = calloc(1, sizeof *made);
    if (made == NULL)
        return failure_memory(failure, sizeof *made, "an engine");
    made->room = room;
    const int code = make_engine(made, failure);
    if (code != 0) {
        transept_engine_free(made);
        return code;
    }
    *out = made;
    return 0;
}

void transept_engine_free(struct transept_engine *engine)
{
    engine_free(engine->engine);
    box_grid_free(&engine->box);
    free(engine);
}

/* ---- sources and receivers ---- */

static int add_tap(struct transept_engine *engine, int kind, const struct stencil *stencil,
                   struct failure *failure)
{
    return kind == TAP_SOURCE ? engine_add_source(engine->engine, stencil, failure)
                              : engine_add_receiver(engine->engine, stencil, failure);
}

static int find_tap(const struct transept_engine *engine, int kind, const double position[3],
                    const int64_t node[3], struct stencil *out, struct failure *failure)
{
    const struct room_setup *setup = &engine->room->setup;
    return kind >= TAP_GRADIENT
               ? room_gradient_tap(setup, &setup->grid, position, node, kind - TAP_GRADIENT, out, failure)
               : room_tap(setup, &setup->grid, position, node, out, failure);
}

/* The nearest corner of the position's cell that is air; ties go to the first in (z,y,x). */
static bool find_node(const struct transept_engine *engine, const double position[3], int64_t node[3])
{
    const struct block_grid *grid = &engine->room->setup.grid.packed;
    double coordinate[3], nearest = INFINITY;
    lattice_coordinate(&grid->lattice, position, coordinate);
    for (unsigned corner = 0; corner < 8; corner++) {
        int64_t at[3];
        double distance = 0;
        for (unsigned axis = 0; axis < 3; axis++) {
            /* Rejects NaN, too, and values beyond any lattice. */
            if (!(fabs(coordinate[axis]) < 1e6))
                return false;
            at[axis] = (int64_t)floor(coordinate[axis]) + (corner >> axis & 1);
            distance += pow(coordinate[axis] - (double)at[axis], 2);
        }
        uint64_t index;
        transept_room_index(engine->room, 1, at, &index);
        if (index == UINT64_MAX || !(distance < nearest))
            continue;
        nearest = distance;
        for (unsigned axis = 0; axis < 3; axis++)
            node[axis] = at[axis];
    }
    return isfinite(nearest);
}

int transept_engine_add(struct transept_engine *engine, int kind, const double position[3],
                        struct failure *failure)
{
    int64_t node[3];
    struct stencil stencil;
    if (!find_node(engine, position, node))
        return failure_set(failure, FAILURE_INPUT,
                           "(%.10g, %.10g, %.10g) m is not in the air of this grid: no corner of its cell, "
                           "of %.3g m, can be reached by sound",
                           position[0], position[1], position[2],
                           engine->room->setup.grid.packed.lattice.spacing);
    TRY(find_tap(engine, kind, position, node, &stencil, failure));
    return add_tap(engine, kind, &stencil, failure);
}

int transept_engine_add_point(struct transept_engine *engine, int kind, size_t point, struct failure *failure)
{
    const struct room_setup *setup = &engine->room->setup;
    struct stencil stencil;
    if (point >= setup->points.sources + setup->points.receivers)
        return failure_set(failure, FAILURE_INPUT,
                           "the room has %zu sources and receivers, and no number %zu",
                           setup->points.sources + setup->points.receivers, point);
    if (kind == TAP_SOURCE &&
        (setup->request.radiation.directivity.count > 0 || setup->request.radiation.together.count > 0))
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "sources with a directivity, and those that sound together, are for "
                                       "whole runs: those of an engine are omnidirectional"),
                           failure, "give the engine sources of its own");
    TRY(find_tap(engine, kind, setup->points.point[point].position, setup->grid.findings.seed_node[point],
                 &stencil, failure));
    return add_tap(engine, kind, &stencil, failure);
}

int transept_engine_add_node(struct transept_engine *engine, int kind, const int64_t node[3],
                             struct failure *failure)
{
    struct stencil stencil = {.count = 1, .node = {{node[0], node[1], node[2]}}, .weight = {1.0}};
    if (kind >= TAP_GRADIENT)
        return failure_set(failure, FAILURE_INPUT, "one node has no derivative: give a place");
    return add_tap(engine, kind, &stencil, failure);
}

void transept_engine_counts(const struct transept_engine *engine, size_t count[2])
{
    count[0] = engine_sources(engine->engine);
    count[1] = engine_receivers(engine->engine);
}

/* ---- stepping ---- */

int transept_engine_run(struct transept_engine *engine, uint64_t steps, const double *drive, double *output,
                        struct failure *failure)
{
    engine_run(engine->engine, steps, drive, output);
    return engine_failed(engine->engine, failure);
}

uint64_t transept_engine_steps(const struct transept_engine *engine)
{
    return engine_steps(engine->engine);
}

void transept_engine_reset(struct transept_engine *engine)
{
    engine_reset(engine->engine);
}

/* ---- the field ---- */

int transept_engine_see(struct transept_engine *engine, int level, const void **value, uint64_t *length,
                        unsigned *real_bytes, struct failure *failure)
{
    struct engine_field field;
    TRY(engine_field_see(engine->engine, level, &field, failure));
    *value = field.value;
    *length = field.length;
    *real_bytes = field.real_bytes;
    return 0;
}

int transept_engine_put(struct transept_engine *engine, int level, uint64_t length, const double *value,
                        struct failure *failure)
{
    struct engine_field field;
    TRY(engine_field_see(engine->engine, level, &field, failure));
    if (field.length != length)
        return failure_set(failure, FAILURE_INPUT, "a field of this engine has %llu values, not %llu",
                           (unsigned long long)field.length, (unsigned long long)length);
    return engine_field_put(engine->engine, level, value, failure);
}

int transept_engine_sample(struct transept_engine *engine, size_t count, const double *position,
                           double *value, struct failure *failure)
{
    for (size_t i = 0; i < count; i++) {
        int64_t node[3];
        struct stencil stencil;
        value[i] = NAN;
        if (!find_node(engine, position + 3 * i, node) ||
            find_tap(engine, TAP_RECEIVER, position + 3 * i, node, &stencil, NULL) != 0)
            continue;
        value[i] = 0;
        for (unsigned n = 0; n < stencil.count; n++)
            value[i] += stencil.weight[n] * engine_get(engine->engine, 0, stencil.node[n]);
    }
    return engine_failed(engine->engine, failure);
}

int transept_engine_energy(struct transept_engine *engine, double *energy, struct failure *failure)
{
    *energy = engine_energy(engine->engine);
    return engine_failed(engine->engine, failure);
}

uint64_t transept_engine_hash(struct transept_engine *engine)
{
    return engine_hash(engine->engine);
}

uint64_t transept_engine_bytes(const struct transept_engine *engine)
{
    return engine_bytes(engine->engine);
}

const char *transept_engine_description(const struct transept_engine *engine)
{
    return engine_description(engine->engine);
}
