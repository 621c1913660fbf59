#include "kernels/parts/part_server.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/engine/engine_image.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_recheck.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_wall_energy.h"
#include "kernels/parts/part_flows.h"

/* ---- a part -------------------------------------------------------------------------------------------- */

static int make_engine(struct part_server *server, const struct part_setup *setup, struct failure *failure)
{
    const struct engine_settings settings = {.back_ends = setup->back_ends,
                                             .blocks = &server->part.grid,
                                             .step = &setup->step,
                                             .materials = setup->materials,
                                             .admittance = setup->admittance,
                                             .walls = setup->walls,
                                             .options = &setup->options,
                                             .card = setup->card,
                                             .open = setup->open};
    return engine_create_with(&server->engine, &settings, failure);
}

/* Zeroed memory in pages of its own, so that a device may lock them; NULL without memory. */
static void *whole_pages(uint64_t bytes)
{
    const size_t page = 4096, whole = ((size_t)bytes / page + 1) * page;
    void *const memory = aligned_alloc(page, whole);
    return memory != NULL ? memset(memory, 0, whole) : NULL;
}

static int make_buffers(struct part_server *server, struct failure *failure)
{
    const struct part_grid *const part = &server->part;
    const uint64_t blocks = part->grid.blocks;
    server->out = whole_pages(part->sends * server->real_bytes);
    server->in = whole_pages(part->receives * server->real_bytes);
    server->outer = calloc((size_t)blocks + 1, sizeof *server->outer);
    if (server->out == NULL || server->in == NULL || server->outer == NULL)
        return failure_memory(failure, (part->sends + part->receives) * server->real_bytes + blocks,
                              "what a part of the room exchanges");
    for (uint32_t n = 0; n < part->surfaces; n++)
        server->outer[part->surface[n]] = true;
    return 0;
}

int part_server_create(struct part_server **out, struct part_grid *part, const struct part_setup *setup,
                       struct failure *failure)
{
    assert(setup->options.layout == LAYOUT_BLOCKS);
    struct part_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        part_grid_free(part);
        return failure_memory(failure, sizeof *server, "a part of the room");
    }
    server->part = *part;
    *part = (struct part_grid){0};
    server->real_bytes = setup->options.precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    server->rows = setup->walls != NULL && setup->walls->ledger ? setup->walls->count + 1 : 0;
    int code = make_buffers(server, failure);
    if (code == 0)
        code = make_engine(server, setup, failure);
    if (code == 0)
        *out = server;
    else
        part_server_free(server);
    return code;
}

/* Free a recheck that was not ended. */
static void drop_recheck(struct part_server *server)
{
    engine_recheck_drop(server->recheck);
    server->recheck = NULL;
}

void part_server_free(struct part_server *server)
{
    if (server == NULL)
        return;
    drop_recheck(server);
    engine_free(server->engine);
    part_grid_free(&server->part);
    free(server->out);
    free(server->in);
    free(server->outer);
    free(server);
}

void part_server_connect(struct part_server *server, enum halo_way way, void *context,
                         void (*begin)(void *context), void (*finish)(void *context))
{
    const struct part_grid *const part = &server->part;
    server->halo = (struct engine_halo){.sends = part->sends,
                                        .receives = part->receives,
                                        .send = part->send,
                                        .receive = part->receive,
                                        .surfaces = part->surfaces,
                                        .surface = part->surface,
                                        .outer = server->outer,
                                        .way = way,
                                        .out = server->out,
                                        .in = server->in,
                                        .context = context,
                                        .begin = begin,
                                        .finish = finish};
    engine_join(server->engine, &server->halo);
}

static int measure_part(const struct part_server *server, struct engine_partial *out)
{
    *out = server->engine->ops->measure(server->engine);
    if (out->bad != UINT64_MAX)
        out->bad = (uint64_t)part_global(&server->part, (block_id)(out->bad / BLOCK_NODES)) * BLOCK_NODES +
                   out->bad % BLOCK_NODES;
    return 0;
}

/* Steps with losses of the air, and the blocks of a recheck, go by the number of steps of the room. */
static int exchange_levels(struct engine *engine, uint64_t steps)
{
    const uint64_t levels = engine_image_form(engine).levels;
    engine->steps = steps;
    for (uint64_t level = 0; level < levels; level++)
        engine_exchange(engine, (int)level);
    return 0;
}

static int set_value(struct engine *engine, int level, const struct part_value *value)
{
    engine_set(engine, level, value->node, value->value);
    return 0;
}

/* u of these nodes, (count, 3), block by block. */
static void read_nodes(const struct engine *engine, uint64_t count, const int64_t *node, double *out)
{
    double values[BLOCK_NODES];
    uint32_t read = 0;
    for (uint64_t n = 0; n < count; ++n) {
        const uint64_t index = engine_node_index(engine, node + 3 * n);
        const uint32_t block = (uint32_t)(index / BLOCK_NODES);
        if (block != read)
            engine_read_block(engine, block, values);
        read = block;
        out[n] = values[index % BLOCK_NODES];
    }
}

static int add_port(struct engine *engine, const struct part_port *port, struct failure *failure)
{
    return engine_add_port(engine, port->count, port->node, port->system, failure);
}

static int give_form(const struct engine *engine, struct part_form *out)
{
    *out =
        (struct part_form){engine_bytes(engine), engine_image_form(engine).planes, (uint32_t)engine->threads};
    return 0;
}

/* Read or write (`in`) the image of the blocks `blocks` >> 32 .. the low bits - 1. */
static int move_image(struct engine *engine, uint64_t blocks, const void *in, void *out,
                      struct failure *failure)
{
    const block_id first = (block_id)(blocks >> 32), end = (block_id)(blocks & UINT32_MAX);
    struct engine_image *image = NULL;
    TRY(engine_image_open(engine, in != NULL, &image, failure));
    const int code = in != NULL ? engine_image_set(image, first, end, in, failure)
                                : engine_image_get(image, first, end, out, failure);
    const int closed = engine_image_close(image, code == 0 ? failure : NULL);
    return code != 0 ? code : closed;
}

static int begin_recheck(struct part_server *server)
{
    drop_recheck(server);
    server->recheck = engine_recheck_begin(server->engine);
    return 0;
}

static int end_recheck(struct part_server *server, struct failure *failure)
{
    struct engine_recheck *const recheck = server->recheck;
    struct failure inner = {0};
    server->recheck = NULL;
    const int code = engine_recheck_end(recheck, server->engine, &inner);
    return code == 0 ? 0 : failure_wrap(failure, &inner, "part %u of the room: ", server->part.part);
}

int part_server_serve(struct part_server *server, const struct part_request *request, struct failure *failure)
{
    struct engine *const engine = server->engine;
    const uint64_t argument = request->argument;
    const void *const in = request->in_bytes > 0 ? request->in : NULL;
    void *const out = request->out_bytes > 0 ? request->out : NULL;
    int code = 0;
    switch (request->order) {
#define CALL(name, answer)                                                                                   \
    case PART_##name:                                                                                        \
        code = answer;                                                                                       \
        break;
        PART_CALLS(CALL)
#undef CALL
    case PART_ORDERS:
        break;
    }
    return code != 0 ? code : engine_failed(engine, failure);
}
