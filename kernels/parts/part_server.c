#include "kernels/parts/part_server.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/engine/engine_recheck.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"
#include "kernels/parts/part_flows.h"
#include "kernels/parts/part_image.h"

/* ---- chains of sums ------------------------------------------------------------------------------------ */

/* Units or wall entries of a run: numbers in the whole room, and of the first in the part. */
struct span {
    uint64_t first, last, local;
};

static struct span units_of(const struct part_grid *part, unsigned run)
{
    if (run == 0)
        return (struct span){part->first, (uint64_t)part->first + part->dense, 1};
    return (struct span){part->list_first, (uint64_t)part->list_first + part->grid.list_blocks,
                         (uint64_t)part->dense + 1};
}

static struct span entries_of(const struct part_grid *part, unsigned run)
{
    const uint64_t *const first = part->grid.wall_first, dense = first[part->dense + 1];
    if (run == 0)
        return (struct span){part->wall, part->wall + dense, 0};
    return (struct span){part->list_wall, part->list_wall + (part->grid.walls - dense), dense};
}

/* The pieces or chunks that a sum over the whole room is made of: the n-th begins at `from` n / count. */
struct pieces {
    uint64_t origin, length, count;
};

static struct pieces energy_pieces(const struct part_grid *part)
{
    return (struct pieces){1, part->whole_blocks, engine_energy_pieces_of(part->whole_blocks)};
}

static uint64_t piece_begin(const struct pieces *pieces, uint64_t n)
{
    return pieces->origin + pieces->length * n / pieces->count;
}

/* The piece that a unit is in. */
static uint64_t piece_of(const struct pieces *pieces, uint64_t unit)
{
    uint64_t low = 0, high = pieces->count;
    LOWER_BOUND(low, high, at, piece_begin(pieces, at + 1) <= unit);
    return low;
}

/* The pieces that lie in a span as a whole: `first` .. `end` - 1. */
static void whole_pieces(const struct pieces *pieces, const struct span *span, uint64_t *first, uint64_t *end)
{
    *first = *end = 0;
    if (span->first == span->last)
        return;
    *first = piece_of(pieces, span->first);
    *first += piece_begin(pieces, *first) < span->first;
    *end = piece_of(pieces, span->last - 1);
    *end += piece_begin(pieces, *end + 1) <= span->last;
    *end = *end < *first ? *first : *end;
}

static void make_energies(struct part_server *server)
{
    const struct pieces pieces = energy_pieces(&server->part);
    for (unsigned run = 0; run < 2; run++) {
        const struct span span = units_of(&server->part, run);
        uint64_t first, end;
        whole_pieces(&pieces, &span, &first, &end);
        const uint64_t shift = span.local - span.first, at_once = ENGINE_LOOK_UNITS / 64 / 2;
        for (uint64_t from = first, to; from < end; from = to) {
            to = end - from < at_once ? end : from + at_once;
            if (!engine_energy_look(server->engine, piece_begin(&pieces, from) + shift,
                                    piece_begin(&pieces, to) + shift))
                return;
#pragma omp parallel for schedule(dynamic)
            for (uint64_t n = from; n < to; n++) {
                struct engine_energy_sums sums = {0};
                engine_energy_add(server->engine, piece_begin(&pieces, n) + shift,
                                  piece_begin(&pieces, n + 1) + shift, &sums);
                server->piece[run][n - first] = engine_energy_total(server->engine, &sums);
            }
        }
    }
}

static void chain_energy(const struct part_server *server, unsigned run, struct part_energy *chain)
{
    const struct pieces pieces = energy_pieces(&server->part);
    const struct span span = units_of(&server->part, run);
    uint64_t first, end;
    whole_pieces(&pieces, &span, &first, &end);
    for (uint64_t unit = span.first, n; unit < span.last;) {
        n = piece_of(&pieces, unit);
        const uint64_t stop = piece_begin(&pieces, n + 1), to = stop < span.last ? stop : span.last;
        if (n >= first && n < end) {
            chain->total += server->piece[run][n - first];
        } else {
            if (engine_energy_look(server->engine, unit - span.first + span.local,
                                   to - span.first + span.local))
                engine_energy_add(server->engine, unit - span.first + span.local,
                                  to - span.first + span.local, &chain->open);
            if (to == stop) {
                chain->total += engine_energy_total(server->engine, &chain->open);
                chain->open = (struct engine_energy_sums){0};
            }
        }
        unit = to;
    }
}

/* Chunks of wall entries have a fixed length, and the last may be shorter. */
static uint64_t chunk_end(const struct part_grid *part, uint64_t n)
{
    const uint64_t end = (n + 1) * ENGINE_LOSS_CHUNK;
    return end < part->whole_walls ? end : part->whole_walls;
}

static void whole_chunks(const struct part_grid *part, const struct span *span, uint64_t *first,
                         uint64_t *end)
{
    *first = (span->first + ENGINE_LOSS_CHUNK - 1) / ENGINE_LOSS_CHUNK;
    *end = *first;
    while (*end * ENGINE_LOSS_CHUNK < span->last && chunk_end(part, *end) <= span->last)
        ++*end;
}

static void make_losses(struct part_server *server)
{
    for (unsigned run = 0; run < 2; run++) {
        const struct span span = entries_of(&server->part, run);
        uint64_t first, end;
        whole_chunks(&server->part, &span, &first, &end);
        const uint64_t shift = span.local - span.first;
        for (uint64_t from = first, to; from < end; from = to) {
            to = end - from < ENGINE_LOOK_CHUNKS ? end : from + ENGINE_LOOK_CHUNKS;
            if (!engine_loss_look(server->engine, from * ENGINE_LOSS_CHUNK + shift,
                                  chunk_end(&server->part, to - 1) + shift))
                return;
#pragma omp parallel for schedule(dynamic)
            for (uint64_t n = from; n < to; n++) {
                double *const sum = server->chunk[run] + (n - first) * server->rows;
                memset(sum, 0, server->rows * sizeof *sum);
                engine_loss_add(server->engine, n * ENGINE_LOSS_CHUNK + shift,
                                chunk_end(&server->part, n) + shift, sum);
            }
        }
    }
}

static void add_rows(double *to, const double *from, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        to[row] += from[row];
}

static void chain_losses(const struct part_server *server, unsigned run, double *chain)
{
    const struct span span = entries_of(&server->part, run);
    const size_t rows = server->rows;
    double *const open = chain + rows;
    uint64_t first, end;
    whole_chunks(&server->part, &span, &first, &end);
    for (uint64_t entry = span.first; entry < span.last;) {
        const uint64_t n = entry / ENGINE_LOSS_CHUNK, stop = chunk_end(&server->part, n),
                       to = stop < span.last ? stop : span.last;
        if (n >= first && n < end) {
            add_rows(chain, server->chunk[run] + (n - first) * rows, rows);
        } else {
            if (engine_loss_look(server->engine, entry - span.first + span.local,
                                 to - span.first + span.local))
                engine_loss_add(server->engine, entry - span.first + span.local, to - span.first + span.local,
                                open);
            if (to == stop) {
                add_rows(chain, open, rows);
                memset(open, 0, rows * sizeof *open);
            }
        }
        entry = to;
    }
}

/* ---- a part -------------------------------------------------------------------------------------------- */

static int make_engine(struct part_server *server, const struct part_setup *setup, struct failure *failure)
{
    return engine_create_part(&server->engine, &server->part.grid, &setup->step,
                              setup->walls != NULL ? setup->walls->count : setup->materials,
                              setup->admittance, setup->walls, &setup->options, setup->card, failure);
}

/* Zeros in pages of their own, so that a device may lock them; NULL without memory. */
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
    uint64_t bytes = (part->sends + part->receives) * server->real_bytes + blocks;
    server->out = whole_pages(part->sends * server->real_bytes);
    server->in = whole_pages(part->receives * server->real_bytes);
    server->outer = calloc((size_t)blocks + 1, sizeof *server->outer);
    bool there = server->out != NULL && server->in != NULL && server->outer != NULL;
    for (unsigned run = 0; run < 2; run++) {
        const struct span units = units_of(part, run), entries = entries_of(part, run);
        const size_t pieces = (size_t)(units.last - units.first) / 32 + 2,
                     chunks = (size_t)(entries.last - entries.first) / ENGINE_LOSS_CHUNK + 2;
        server->piece[run] = calloc(pieces, sizeof *server->piece[run]);
        server->chunk[run] = calloc(chunks * (server->rows + 1), sizeof *server->chunk[run]);
        there = there && server->piece[run] != NULL && server->chunk[run] != NULL;
        bytes += (pieces + chunks * server->rows) * sizeof(double);
    }
    if (!there)
        return failure_memory(failure, bytes, "what a part of the room exchanges");
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
    if (code == 0) {
        server->planes = part_image_planes(server->engine);
        *out = server;
    } else {
        part_server_free(server);
    }
    return code;
}

/* One that nothing was asked of. */
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
    for (unsigned run = 0; run < 2; run++) {
        free(server->piece[run]);
        free(server->chunk[run]);
    }
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

static void measure(const struct part_server *server, struct engine_partial *out)
{
    *out = engine_measure(server->engine);
    if (out->bad != UINT64_MAX)
        out->bad = (uint64_t)part_global(&server->part, (block_id)(out->bad / BLOCK_NODES)) * BLOCK_NODES +
                   out->bad % BLOCK_NODES;
}

static void chain_sheets(const struct part_server *server, const struct part_request *request)
{
    struct part_energy *const energy = request->out;
    if (request->order == PART_LOSS_CHAIN)
        (void)engine_collect_sheets(server->engine, request->out);
    else
        energy->sheets = engine_sheet_energy(server->engine, energy->sheets);
}

static void serve_chain(const struct part_server *server, const struct part_request *request)
{
    memcpy(request->out, request->in, (size_t)request->out_bytes);
    if (request->argument == 2)
        chain_sheets(server, request);
    else if (request->order == PART_ENERGY_CHAIN)
        chain_energy(server, (unsigned)request->argument, request->out);
    else
        chain_losses(server, (unsigned)request->argument, request->out);
}

static int move_image(struct part_server *server, const struct part_request *request, struct failure *failure)
{
    const bool set = request->order == PART_PUT;
    void *const bytes = set ? (void *)(uintptr_t)request->in : request->out; /* of PART_PUT only read */
    return part_image_move(server->engine, server->planes, set, (block_id)(request->argument >> 32),
                           (block_id)(request->argument & UINT32_MAX), bytes, failure);
}

/* Which blocks are looked at follows from the number of steps of the room. */
static void begin_recheck(struct part_server *server, uint64_t steps)
{
    drop_recheck(server);
    server->engine->steps = steps;
    server->recheck = engine_recheck_begin(server->engine);
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
    switch (request->order) {
    case PART_SOURCE:
        return engine_add_source(engine, request->in, failure);
    case PART_RECEIVER:
        return engine_add_receiver(engine, request->in, failure);
    case PART_RUN:
        engine_run(engine, request->argument, request->in_bytes > 0 ? request->in : NULL,
                   request->out_bytes > 0 ? request->out : NULL);
        break;
    case PART_RESET:
        engine_reset(engine);
        break;
    case PART_FILL:
        engine_fill(engine, request->argument);
        break;
    case PART_EXCHANGE:
        engine_exchange(engine, 0);
        engine_exchange(engine, 1);
        break;
    case PART_GET:
        *(double *)request->out = engine_get(engine, (int)request->argument, request->in);
        break;
    case PART_SET: {
        const struct part_value *const value = request->in;
        engine_set(engine, (int)request->argument, value->node, value->value);
        break;
    }
    case PART_READ:
        engine_read_block(engine, (uint32_t)request->argument, request->out);
        break;
    case PART_MEASURE:
        measure(server, request->out);
        break;
    case PART_HASH:
        *(uint64_t *)request->out = engine_hash(engine);
        break;
    case PART_ENERGY:
        make_energies(server);
        break;
    case PART_LOSSES:
        make_losses(server);
        break;
    case PART_ENERGY_CHAIN:
    case PART_LOSS_CHAIN:
        serve_chain(server, request);
        if (request->order == PART_LOSS_CHAIN && request->argument == 1)
            engine_loss_clear(engine);
        break;
    case PART_BYTES:
        *(uint64_t *)request->out = engine_bytes(engine);
        break;
    case PART_FORM:
        *(struct part_form *)request->out =
            (struct part_form){part_image_planes(engine), (uint32_t)engine->threads};
        if (request->argument > 0)
            server->planes = (uint32_t)request->argument;
        break;
    case PART_TAKE:
    case PART_PUT:
        return move_image(server, request, failure);
    case PART_GIVE_FLOWS:
        return part_flows_give(engine, request->out, failure);
    case PART_TAKE_FLOWS:
        return part_flows_take(engine, request->in, failure);
    case PART_DOUBT:
        begin_recheck(server, request->argument);
        break;
    case PART_TRUST:
        return end_recheck(server, failure);
    case PART_ORDERS:
        break;
    }
    return engine_failed(engine, failure);
}
