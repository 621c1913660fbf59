/* An engine on an OpenCL device: creation, the field, batches of steps. */
#include "kernels/opencl/opencl_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/opencl/opencl_table.h"

static struct opencl_engine *of(struct device_engine *device)
{
    return (struct opencl_engine *)device;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

int opencl_make(struct opencl_engine *engine, uint64_t bytes, const void *from, const char *what,
                opencl_memory *out, struct failure *failure)
{
    const struct opencl_card *const card = engine->card;
    int32_t error = 0;
    *out = NULL;
    if (bytes == 0)
        return 0;
    if (bytes > card->largest_buffer)
        return failure_set(failure, FAILURE_CAPACITY,
                           "%s take %llu bytes, and one buffer of the OpenCL device holds at most %llu", what,
                           (unsigned long long)bytes, (unsigned long long)card->largest_buffer);
    if (engine->buffers == OPENCL_BUFFERS)
        return failure_set(failure, FAILURE_CAPACITY, "an engine has at most %d buffers on an OpenCL device",
                           OPENCL_BUFFERS);
    const opencl_memory made =
        card->call->CreateBuffer(card->context, OPENCL_READ_WRITE, bytes, NULL, &error);
    TRY(opencl_check(error, what, failure));
    engine->size[engine->buffers] = bytes;
    engine->buffer[engine->buffers++] = made;
    engine->bytes += bytes;
    TRY(from != NULL ? opencl_write(engine, made, 0, bytes, from, failure)
                     : opencl_zero(engine, made, 0, bytes, failure));
    *out = made;
    return 0;
}

void opencl_drop(struct opencl_engine *engine, opencl_memory *buffer)
{
    for (unsigned n = 0; *buffer != NULL && n < engine->buffers; ++n)
        if (engine->buffer[n] == *buffer) {
            (void)engine->card->call->ReleaseMemObject(*buffer);
            engine->bytes -= engine->size[n];
            engine->buffer[n] = engine->buffer[--engine->buffers];
            engine->size[n] = engine->size[engine->buffers];
        }
    *buffer = NULL;
}

/* From a buffer to the host, or with `write` to it. */
static int move_by(const struct opencl_engine *engine, opencl_queue queue, opencl_memory buffer,
                   uint64_t offset, uint64_t bytes, void *host, bool write, struct failure *failure)
{
    const struct opencl *const call = engine->card->call;
    if (bytes == 0)
        return 0;
    return write
               ? opencl_check(call->EnqueueWriteBuffer(queue, buffer, 1, offset, bytes, host, 0, NULL, NULL),
                              "a copy from the host", failure)
               : opencl_check(call->EnqueueReadBuffer(queue, buffer, 1, offset, bytes, host, 0, NULL, NULL),
                              "a copy to the host", failure);
}

int opencl_read(struct opencl_engine *engine, opencl_memory from, uint64_t offset, uint64_t bytes, void *to,
                struct failure *failure)
{
    return move_by(engine, engine->queue, from, offset, bytes, to, false, failure);
}

int opencl_write(struct opencl_engine *engine, opencl_memory to, uint64_t offset, uint64_t bytes,
                 const void *from, struct failure *failure)
{
    return move_by(engine, engine->queue, to, offset, bytes, (void *)from, true, failure);
}

int opencl_zero(struct opencl_engine *engine, opencl_memory buffer, uint64_t offset, uint64_t bytes,
                struct failure *failure)
{
    static const uint8_t zero;
    return bytes == 0 ? 0
                      : opencl_check(engine->card->call->EnqueueFillBuffer(engine->queue, buffer, &zero, 1,
                                                                           offset, bytes, 0, NULL, NULL),
                                     "zeros", failure);
}

/* ---- passes -------------------------------------------------------------------------------------------- */

int opencl_begin_pass(struct opencl_engine *engine, enum opencl_pass_id id, const char *kernel,
                      uint64_t items, struct failure *failure)
{
    struct opencl_pass *const pass = &engine->pass[id];
    int32_t error = 0;
    if (pass->kernel == NULL)
        pass->kernel = engine->card->call->CreateKernel(engine->program, kernel, &error);
    pass->items = items;
    pass->arguments = 2;
    TRY(opencl_check(error, kernel, failure));
    opencl_argue_u64(engine, id, items);
    return 0;
}

void opencl_argue(struct opencl_engine *engine, enum opencl_pass_id id, size_t bytes, const void *value)
{
    struct opencl_pass *const pass = &engine->pass[id];
    /* A wrong argument makes the launch fail. */
    (void)engine->card->call->SetKernelArg(pass->kernel, pass->arguments++, bytes, value);
}

void opencl_argue_memory(struct opencl_engine *engine, enum opencl_pass_id id, opencl_memory buffer)
{
    opencl_argue(engine, id, sizeof buffer, buffer != NULL ? &buffer : NULL);
}

void opencl_argue_u64(struct opencl_engine *engine, enum opencl_pass_id id, uint64_t value)
{
    opencl_argue(engine, id, sizeof value, &value);
}

void opencl_argue_walls(struct opencl_engine *engine, enum opencl_pass_id id)
{
    const struct step_walls *const walls = engine->room->walls;
    const uint32_t branches = walls != NULL ? walls->branches : 0;
    opencl_argue(engine, id, sizeof branches, &branches);
    opencl_argue_u64(engine, id, walls != NULL ? walls->stride : 0);
    opencl_argue_memory(engine, id, engine->state);
}

int opencl_launch(struct opencl_engine *engine, enum opencl_pass_id id, unsigned which,
                  struct failure *failure)
{
    const struct opencl *const call = engine->card->call;
    struct opencl_pass *const pass = &engine->pass[id];
    const size_t group = pass->group > 0 ? pass->group : OPENCL_GROUP,
                 items = (pass->items + group - 1) / group * group;
    if (pass->items == 0)
        return 0;
    for (unsigned n = 0; n < 2; ++n)
        (void)call->SetKernelArg(pass->kernel, n, sizeof(opencl_memory),
                                 &engine->level[engine->now ^ which ^ n]);
    return opencl_check(
        call->EnqueueNDRangeKernel(engine->queue, pass->kernel, 1, NULL, &items, &group, 0, NULL, NULL),
        "a step", failure);
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* Step n of a batch, after so many in all. */
static int step_once(struct opencl_engine *engine, uint64_t n, uint64_t begun, struct failure *failure)
{
    struct opencl_taps *const taps = &engine->taps;
    const struct opencl *const call = engine->card->call;
    const uint64_t sample = n * taps->nodes, push = n * taps->pushes;
    if (taps->nodes > 0)
        (void)call->SetKernelArg(engine->pass[PASS_READ_TAPS].kernel, 5, sizeof sample, &sample);
    if (taps->pushes > 0)
        (void)call->SetKernelArg(engine->pass[PASS_PUSH_TAPS].kernel, 5, sizeof push, &push);
    for (enum opencl_pass_id id = PASS_FLOW_SHEETS; id <= PASS_PUSH_LAYER; ++id)
        TRY(opencl_launch(engine, id, 0, failure));
    for (enum opencl_pass_id id = PASS_KEEP_SHEETS;
         engine->every > 0 && (begun + 1) % engine->every == 0 && id <= PASS_SHIFT_SHEETS; ++id)
        TRY(opencl_launch(engine, id, 0, failure));
    engine->now ^= 1;
    return 0;
}

static int run_batch(struct opencl_engine *engine, uint64_t begun, uint64_t first, uint64_t steps,
                     uint64_t all, const double *drive, double *output, struct failure *failure)
{
    const uint64_t driven = engine->pass[PASS_PUSH_TAPS].items, sampled = engine->pass[PASS_READ_TAPS].items;
    int code = 0;
    if (drive == NULL)
        engine->pass[PASS_PUSH_TAPS].items = 0;
    else
        code = opencl_send_pushes(engine, first, steps, all, drive, failure);
    if (output == NULL)
        engine->pass[PASS_READ_TAPS].items = 0;
    for (uint64_t n = 0; code == 0 && n < steps; ++n)
        code = step_once(engine, n, begun + first + n, failure);
    engine->pass[PASS_PUSH_TAPS].items = driven;
    engine->pass[PASS_READ_TAPS].items = sampled;
    if (code == 0 && output != NULL)
        code = opencl_fetch_samples(engine, first, steps, all, output, failure);
    return code;
}

static int run(struct device_engine *device, uint64_t begun, uint64_t steps, const double *drive,
               double *output, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    for (uint64_t done = 0, now; done < steps; done += now) {
        now = steps - done < engine->taps.batch ? steps - done : engine->taps.batch;
        TRY(run_batch(engine, begun, done, now, steps, drive, output, failure));
        TRY(opencl_check(engine->card->call->Finish(engine->queue), "a step", failure));
    }
    return 0;
}

static uint64_t wall_entries(const struct opencl_engine *engine)
{
    return engine->room->box != NULL ? engine->room->box->walls : engine->room->blocks->walls;
}

static int reset(struct device_engine *device, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    const struct step_walls *const walls = engine->room->walls;
    for (unsigned n = 0; n < 2; ++n)
        TRY(opencl_zero(engine, engine->level[n], 0, engine->length * engine->real, failure));
    if (engine->state != NULL)
        TRY(opencl_zero(engine, engine->state, 0, 2 * walls->branches * walls->stride * engine->real,
                        failure));
    if (engine->loss != NULL)
        TRY(opencl_zero(engine, engine->loss, 0, wall_entries(engine) * engine->real, failure));
    engine->now = 0;
    return opencl_zero_lists(engine, failure);
}

/* ---- the field ----------------------------------------------------------------------------------------- */

static opencl_memory level_of(const struct opencl_engine *engine, int level)
{
    return level < 2 ? engine->level[engine->now ^ (unsigned)level] : engine->air[level - 2];
}

static int read_part(struct device_engine *device, int level, uint64_t first, uint64_t count, void *values,
                     struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    return opencl_read(engine, level_of(engine, level), first * engine->real, count * engine->real, values,
                       failure);
}

static int write_part(struct device_engine *device, int level, uint64_t first, uint64_t count,
                      const void *values, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    return opencl_write(engine, level_of(engine, level), first * engine->real, count * engine->real, values,
                        failure);
}

static int read_level(struct device_engine *device, int level, void *values, struct failure *failure)
{
    return read_part(device, level, 0, of(device)->length, values, failure);
}

static int write_level(struct device_engine *device, int level, const void *values, struct failure *failure)
{
    return write_part(device, level, 0, of(device)->length, values, failure);
}

/* ---- walls --------------------------------------------------------------------------------------------- */

/* The planes of states and, where there is such a buffer, losses, `stride` reals apart, to the host or from
 * it. */
static int move_planes(const struct opencl_engine *engine, opencl_queue queue, opencl_memory state,
                       opencl_memory loss, uint64_t first, uint64_t count, void *values, uint64_t stride,
                       bool write, struct failure *failure)
{
    const struct step_walls *const walls = engine->room->walls;
    const uint64_t bytes = count * engine->real;
    char *at = values;
    if (walls == NULL)
        return 0;
    for (unsigned plane = 0; plane < 2 * walls->branches; ++plane, at += stride * engine->real)
        TRY(move_by(engine, queue, state, (plane * walls->stride + first) * engine->real, bytes, at, write,
                    failure));
    return loss == NULL ? 0 : move_by(engine, queue, loss, first * engine->real, bytes, at, write, failure);
}

static int read_states(struct device_engine *device, uint64_t first, uint64_t count, void *state,
                       uint64_t stride, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    return move_planes(engine, engine->queue, engine->state, NULL, first, count, state, stride, false,
                       failure);
}

static int take_losses(struct device_engine *device, void *loss, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    const uint64_t bytes = wall_entries(engine) * engine->real;
    TRY(opencl_read(engine, engine->loss, 0, bytes, loss, failure));
    return opencl_zero(engine, engine->loss, 0, bytes, failure);
}

static int read_entries(struct device_engine *device, uint64_t first, uint64_t count, void *values,
                        struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    return move_planes(engine, engine->queue, engine->state, engine->loss, first, count, values, count, false,
                       failure);
}

static int write_entries(struct device_engine *device, uint64_t first, uint64_t count, const void *values,
                         struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    return move_planes(engine, engine->queue, engine->state, engine->loss, first, count, (void *)values,
                       count, true, failure);
}

/* ---- a second copy, which another thread reads by a queue of its own ------------------------------------
 */

enum { COPY_U, COPY_AIR = 2, COPY_STATE = COPY_AIR + AIR_LOSS_STATES, COPY_LOSS };

static uint64_t copied_bytes(const struct opencl_engine *engine, unsigned n)
{
    const struct step_walls *const walls = engine->room->walls;
    if (n < COPY_STATE)
        return n < COPY_AIR || engine->air[n - COPY_AIR] != NULL ? engine->length * engine->real : 0;
    if (n == COPY_STATE)
        return engine->state != NULL ? 2 * walls->branches * walls->stride * engine->real : 0;
    return engine->loss != NULL ? wall_entries(engine) * engine->real : 0;
}

void opencl_drop_copy(struct opencl_engine *engine)
{
    const uint64_t bytes = engine->bytes;
    for (unsigned n = COPY_U; n <= COPY_LOSS; ++n)
        opencl_drop(engine, &engine->copied[n]);
    engine->bytes = bytes;
    if (engine->second_queue != NULL)
        (void)engine->card->call->ReleaseCommandQueue(engine->second_queue);
    engine->second_queue = NULL;
}

/* False without memory. */
static bool make_copies(struct opencl_engine *engine)
{
    const uint64_t bytes = engine->bytes;
    int32_t error = 0;
    bool made = true;
    if (engine->second_queue != NULL)
        return true;
    for (unsigned n = COPY_U; made && n <= COPY_LOSS; ++n)
        made =
            opencl_make(engine, copied_bytes(engine, n), NULL, "a checkpoint", &engine->copied[n], NULL) == 0;
    if (made)
        engine->second_queue =
            engine->card->call->CreateCommandQueue(engine->card->context, engine->card->device, 0, &error);
    made = made && error == 0;
    if (!made)
        opencl_drop_copy(engine);
    engine->bytes = bytes;
    return made;
}

static int copy(struct device_engine *device, bool *made, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    const struct opencl *const call = engine->card->call;
    const opencl_memory from[] = {level_of(engine, 0), level_of(engine, 1), engine->air[0], engine->air[1],
                                  engine->air[2],      engine->state,       engine->loss};
    *made = engine->room->box == NULL && make_copies(engine);
    for (unsigned n = COPY_U; *made && n <= COPY_LOSS; ++n)
        if (engine->copied[n] != NULL)
            TRY(opencl_check(call->EnqueueCopyBuffer(engine->queue, from[n], engine->copied[n], 0, 0,
                                                     copied_bytes(engine, n), 0, NULL, NULL),
                             "a checkpoint", failure));
    return *made ? opencl_check(call->Finish(engine->queue), "a checkpoint", failure) : 0;
}

static int read_copied_part(struct device_engine *device, int level, uint64_t first, uint64_t count,
                            void *values, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    return move_by(engine, engine->second_queue, engine->copied[level], first * engine->real,
                   count * engine->real, values, false, failure);
}

static int read_copied_entries(struct device_engine *device, uint64_t first, uint64_t count, void *values,
                               struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    return move_planes(engine, engine->second_queue, engine->copied[COPY_STATE], engine->copied[COPY_LOSS],
                       first, count, values, count, false, failure);
}

/* ---- a part of a room ---------------------------------------------------------------------------------- */

static int join(struct device_engine *device, const struct engine_halo *halo, struct failure *failure)
{
    (void)device;
    (void)halo;
    return failure_set(failure, FAILURE_INPUT, "an OpenCL device steps a whole room, not a part of one");
}

/* ---- membranes ----------------------------------------------------------------------------------------- */

static int add_port(struct device_engine *device, uint64_t count, const uint64_t *index, const double *weight,
                    const struct membrane_plan *plan, struct failure *failure)
{
    (void)device;
    (void)count;
    (void)index;
    (void)weight;
    (void)plan;
    return failure_advise(failure_set(failure, FAILURE_INPUT, "an OpenCL device steps no membranes"), failure,
                          ADVICE_PROCESSORS, 0);
}

static int move_port(struct device_engine *device, uint64_t port, double *state, bool back,
                     struct failure *failure)
{
    (void)port;
    (void)state;
    (void)back;
    return add_port(device, 0, NULL, NULL, NULL, failure);
}

/* ---- creation ------------------------------------------------------------------------------------------ */

static void free_engine(struct device_engine *device)
{
    struct opencl_engine *const engine = of(device);
    const struct opencl *const call = engine->card->call;
    if (engine->queue != NULL)
        (void)call->Finish(engine->queue);
    for (unsigned id = 0; id < OPENCL_PASSES; ++id)
        if (engine->pass[id].kernel != NULL)
            (void)call->ReleaseKernel(engine->pass[id].kernel);
    opencl_free_taps(engine);
    for (unsigned n = 0; n < engine->buffers; ++n)
        (void)call->ReleaseMemObject(engine->buffer[n]);
    if (engine->queue != NULL)
        (void)call->ReleaseCommandQueue(engine->queue);
    if (engine->second_queue != NULL)
        (void)call->ReleaseCommandQueue(engine->second_queue);
    free(engine);
}

static uint64_t count_bytes(const struct device_engine *device)
{
    return ((const struct opencl_engine *)device)->bytes;
}

/* Measures of the field are those of the host, of a copy (../engine/engine_device.c). */
static const struct device_ops operations = {.set_taps = opencl_set_taps,
                                             .run = run,
                                             .reset = reset,
                                             .read = read_level,
                                             .write = write_level,
                                             .read_part = read_part,
                                             .write_part = write_part,
                                             .read_states = read_states,
                                             .take_losses = take_losses,
                                             .read_entries = read_entries,
                                             .write_entries = write_entries,
                                             .copy = copy,
                                             .read_copied_part = read_copied_part,
                                             .read_copied_entries = read_copied_entries,
                                             .set_sheets = opencl_set_sheets,
                                             .read_sheets = opencl_read_sheets,
                                             .write_sheets = opencl_write_sheets,
                                             .forget_sheet_losses = opencl_forget_sheet_losses,
                                             .set_layer = opencl_set_layer,
                                             .move_layer = opencl_move_layer,
                                             .set_air = opencl_set_air,
                                             .add_port = add_port,
                                             .move_port = move_port,
                                             .join = join,
                                             .free = free_engine,
                                             .bytes = count_bytes};

static int start(struct opencl_engine *engine, const struct device_request *request, struct failure *failure)
{
    const struct opencl_kind kind = {request->precision == PRECISION_DOUBLE, request->room->blocks->isotropic,
                                     request->room->box != NULL};
    const uint64_t level = engine->length * engine->real;
    struct device device;
    int32_t error = 0;
    TRY(opencl_find_card(request->card, &device, failure));
    TRY(opencl_open(request->card, &engine->card, failure));
    const struct device_room room = opencl_count_room(request);
    const double bytes = opencl_room_bytes(&device, &room);
    if (bytes > (double)device.bytes_total)
        return failure_advise(
            failure_set(failure, FAILURE_CAPACITY,
                        "the pressures of %llu nodes in %s precision and their walls take %.0f bytes on the "
                        "device, and %s has %llu bytes",
                        (unsigned long long)engine->length, engine->real == 4 ? "single" : "double", bytes,
                        device.name, (unsigned long long)device.bytes_total),
            failure, engine->real == 4 ? ADVICE_LESS_ON_DEVICE : ADVICE_LESS_ON_DEVICE_OR_SINGLE, 0);
    bool same = false;
    TRY(opencl_build(request->card, kind, &engine->program, &same, failure));
    if (!same && !request->any_rounding)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "%s rounds otherwise than processors (it joins products with sums, "
                                          "or takes the least numbers as 0), so its results would differ",
                                          device.name),
                              failure, ADVICE_ANY_BITS, 0);
    engine->queue =
        engine->card->call->CreateCommandQueue(engine->card->context, engine->card->device, 0, &error);
    TRY(opencl_check(error, "a queue", failure));
    for (unsigned n = 0; n < 2; ++n)
        TRY(opencl_make(engine, level, NULL, "pressures", &engine->level[n], failure));
    TRY(opencl_send_room(engine, request->room->wall_q, failure));
    (void)snprintf(engine->base.name, sizeof engine->base.name, "opencl %s%s", device.name,
                   same ? "" : ", other bits");
    return opencl_set_taps(&engine->base, 0, NULL, 0, NULL, failure);
}

int opencl_engine_create(struct device_engine **out, const struct device_request *request,
                         struct failure *failure)
{
    struct opencl_engine *const engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return failure_memory(failure, sizeof *engine, "an engine");
    engine->base.ops = &operations;
    engine->base.card = request->card;
    engine->room = request->room;
    engine->length = request->length;
    engine->real = request->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    const int code = start(engine, request, failure);
    if (code == 0)
        *out = &engine->base;
    else if (engine->card != NULL)
        free_engine(&engine->base);
    else
        free(engine);
    return code;
}
