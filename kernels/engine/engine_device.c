/* An engine whose field is on a device: the copy on the host, and failures of the device. */
#include <math.h>
#include <stdlib.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_back_ends.h"
#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_halo.h"
#include "kernels/engine/engine_layer.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_wall_energy.h"
#include "kernels/engine/engine_walls.h"
#include "kernels/machine/machine_memory.h"

/* ---- creation ------------------------------------------------------------------------------------------ */

static int start_device(struct engine *engine, const struct engine_materials *materials,
                        struct failure *failure)
{
    const struct device_request request = {engine->options.layout, engine->options.precision,
                                           &engine->room,          engine->card,
                                           engine->length,         engine->any_rounding};
    TRY(engine_fill_walls(engine, materials, false, failure));
    TRY(device_engine_create(engine->back_ends->device[engine->options.backend], &engine->device, &request,
                             failure));
    const struct device_ops *const ops = engine->device->ops;
    TRY(engine_make_sheets(engine, failure));
    if (engine->sheets != NULL)
        TRY(ops->set_sheets(engine->device, engine->sheets, failure));
    TRY(engine_make_layer(engine, failure));
    if (engine->layer != NULL)
        TRY(ops->set_layer(engine->device, engine->layer, failure));
    engine->place = FIELD_ON_DEVICE;
    engine_describe(engine, engine->device->name, "");
    if (ops->measure != NULL)
        return 0;
    engine->partial = calloc((size_t)engine->threads, sizeof *engine->partial);
    engine->energy = calloc(engine_energy_pieces(engine), sizeof *engine->energy);
    return engine->partial != NULL && engine->energy != NULL
               ? 0
               : failure_memory(failure, (uint64_t)engine->threads * sizeof *engine->partial,
                                "sums of threads");
}

static void free_device(struct engine *engine)
{
    if (engine->device != NULL)
        engine->device->ops->free(engine->device);
    engine_free_here(engine);
}

/* ---- the copy on the host ------------------------------------------------------------------------------ */

/* Allocate the copy of both levels. */
static int make_copy(struct engine *engine, struct failure *failure)
{
    const uint64_t bytes = engine_level_bytes(engine);
    if (engine->memory != NULL)
        return 0;
    const uint64_t pressures = engine_second_level(engine) + bytes, available = machine_memory_available();
    if (pressures > available)
        return failure_advise(
            failure_set(failure, FAILURE_CAPACITY,
                        "a copy of the device's pressures takes %llu bytes, and this machine has %llu "
                        "bytes free",
                        (unsigned long long)pressures, (unsigned long long)available),
            failure, ADVICE_COARSER_GRID, 0);
    engine->memory = machine_memory_allocate(pressures);
    if (engine->memory == NULL)
        return failure_memory(failure, pressures, "a copy of the device's pressures");
    engine->u = engine->memory;
    engine->u_old = (char *)engine->memory + engine_second_level(engine);
    return 0;
}

static bool fetch_field(struct engine *engine)
{
    struct failure failure = {0};
    if (engine->failure.code != FAILURE_NONE || engine->place != FIELD_ON_DEVICE)
        return engine->failure.code == FAILURE_NONE;
    if (!engine_keep(engine, make_copy(engine, &failure), &failure) ||
        !ENGINE_ASK(engine, read, 0, engine->u, &engine->failure) ||
        !ENGINE_ASK(engine, read, 1, engine->u_old, &engine->failure))
        return false;
    engine->place = FIELD_ON_BOTH;
    return true;
}

static bool send_field(struct engine *engine)
{
    if (engine->failure.code != FAILURE_NONE || engine->place != FIELD_ON_HOST)
        return engine->failure.code == FAILURE_NONE;
    if (!ENGINE_ASK(engine, write, 0, engine->u, &engine->failure) ||
        !ENGINE_ASK(engine, write, 1, engine->u_old, &engine->failure))
        return false;
    engine->place = FIELD_ON_BOTH;
    return true;
}

static void map_field(struct engine *engine)
{
    if (fetch_field(engine))
        engine->place = FIELD_ON_HOST;
}

/* ---- stepping ------------------------------------------------------------------------------------------ */

static void run_device(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    bool sound = send_field(engine);
    if (sound && !engine->taps_sent)
        engine->taps_sent = sound = ENGINE_ASK(engine, set_taps, engine->sources, engine->source,
                                               engine->receivers, engine->receiver, &engine->failure);
    sound = sound && engine_move_ports(engine, false);
    if (sound)
        sound = ENGINE_ASK(engine, run, engine->steps, steps, drive, output, &engine->failure) &&
                engine_move_ports(engine, true);
    else
        engine_complete_exchanges(engine, steps);
    if (!sound && output != NULL)
        for (uint64_t n = 0; n < engine->receivers * steps; ++n)
            output[n] = NAN;
    engine->place = FIELD_ON_DEVICE;
    engine->steps += steps;
}

static int make_air_on_device(struct engine *engine, const struct air_loss *loss, struct failure *failure)
{
    TRY(engine_failed(engine, failure));
    TRY(engine->device->ops->set_air(engine->device, loss, failure));
    engine_describe(engine, engine->device->name, "");
    return 0;
}

static void reset_device(struct engine *engine)
{
    (void)ENGINE_ASK(engine, reset, &engine->failure);
    engine->place = FIELD_ON_DEVICE;
    engine_forget_absorbed(engine);
}

/* ---- measures of the field -----------------------------------------------------------------------------
 *
 * By the device, to which a newer field on the host is sent first; or by the host, of a copy, where the
 * device has no such operations (measure, energy, wall_energy, add_absorbed, hash, fill: all or none). */

static bool measures(const struct engine *engine)
{
    return engine->device->ops->measure != NULL;
}

static void fill_device(struct engine *engine, uint64_t seed)
{
    if (measures(engine)) {
        (void)ENGINE_ASK(engine, fill, seed, &engine->failure);
        engine->place = FIELD_ON_DEVICE;
    } else if (ENGINE_ASK(engine, reset, &engine->failure)) {
        engine->place = FIELD_ON_DEVICE;
        map_field(engine);
        if (engine->failure.code == FAILURE_NONE)
            engine_fill_on_host(engine, seed);
    }
}

static struct engine_partial measure_device(struct engine *engine)
{
    struct engine_partial whole = {.sum = NAN, .plain = NAN, .largest = NAN, .bad = BLOCK_NODES};
    if (!measures(engine))
        return fetch_field(engine) ? engine_measure_on_host(engine) : whole;
    if (send_field(engine))
        (void)ENGINE_ASK(engine, measure, &whole, &engine->failure);
    return whole;
}

static double sum_energy(struct engine *engine)
{
    double sum = NAN, held = 0.0;
    if (!measures(engine))
        return fetch_field(engine) ? engine_energy_on_host(engine) + engine_fetched_wall_energy(engine) : NAN;
    if (!send_field(engine) || !ENGINE_ASK(engine, energy, &sum, &engine->failure))
        return NAN;
    sum += engine_sheet_energy(engine);
    if (engine->room.walls == NULL || engine->walls.branches == 0)
        return sum;
    return ENGINE_ASK(engine, wall_energy, engine->terms, engine->step.courant, engine->inertance, &held,
                      &engine->failure)
               ? sum + held
               : NAN;
}

static uint64_t hash_field(struct engine *engine)
{
    uint64_t found = 0;
    if (!measures(engine))
        return fetch_field(engine) ? engine_hash_on_host(engine) : found;
    if (send_field(engine))
        (void)ENGINE_ASK(engine, hash, &found, &engine->failure);
    return found;
}

static uint64_t count_bytes(const struct engine *engine)
{
    return engine->device->ops->bytes(engine->device);
}

/* ---- a part of a room ---------------------------------------------------------------------------------- */

/* A lost engine exchanges too, since the others wait for its values. */
static void exchange_level(struct engine *engine, int level)
{
    if (send_field(engine)) {
        (void)ENGINE_ASK(engine, exchange, level, &engine->failure);
        engine->place = FIELD_ON_DEVICE;
    } else {
        engine_complete_exchanges(engine, 1);
    }
}

const struct engine_ops engine_on_device = {.start = start_device,
                                            .free = free_device,
                                            .add = engine_add_here,
                                            .run = run_device,
                                            .reset = reset_device,
                                            .make_air = make_air_on_device,
                                            .fetch = fetch_field,
                                            .map = map_field,
                                            .send = send_field,
                                            .get = engine_get_here,
                                            .set = engine_set_here,
                                            .read_level = engine_read_here,
                                            .fill = fill_device,
                                            .measure = measure_device,
                                            .energy = sum_energy,
                                            .absorbed = engine_absorbed_here,
                                            .open_image = engine_open_image_on_device,
                                            .copy_image = engine_copy_image_on_device,
                                            .hash = hash_field,
                                            .bytes = count_bytes,
                                            .threads = engine_threads_here,
                                            .exchange = exchange_level};
