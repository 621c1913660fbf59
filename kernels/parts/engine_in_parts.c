#include "kernels/parts/engine_in_parts.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/parts/thin_grid.h"
#include "kernels/engine/engine_image.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_walls.h"
#include "kernels/parts/part_flows.h"

/* A row of the output of a part. */
struct part_row {
    unsigned part;
    size_t row;
};

/* A receiver: a row of the part that has all its nodes, or one row for each node, which are summed here. */
struct parts_receiver {
    unsigned nodes; /* 0: one row */
    struct part_row *row;
    double *weight;
};

struct team_room {
    struct engine *engine;
    struct part_link link;
    struct partition partition;
    struct part_request *request;   /* (parts) */
    size_t *sources, *receivers;    /* (parts) numbers in each part */
    struct part_row *source;        /* rows of drives by part */
    size_t source_rows, *source_of; /* (source_rows) number of the source in the engine */
    struct parts_receiver *receiver;
    size_t receiver_count;
    size_t rows;      /* of engine_absorbed() */
    double *absorbed; /* (rows) since the reset */
    size_t ports;     /* nodes of ports (engine_port.h) that no part steps */
    struct port_place {
        int64_t node[3];
        size_t at, row; /* in port_node; of the drives of its part */
        unsigned part;
    } * port;                /* (ports) in the order of the ports */
    int64_t (*port_node)[3]; /* (ports) the same by part */
    size_t *port_first;      /* (parts + 1) of a part, among these */
    void *answer;            /* (parts) replies: rows, or a struct */
    uint64_t bytes;
    uint32_t planes, threads; /* of a wall entry in images; of all parts together */
    bool set;                 /* the field was set after ghosts were last updated */
    uint64_t steps;           /* done, as the parts count them */
};

static struct team_room *room_of(const struct engine *engine)
{
    return engine->team_room;
}

/* ---- asking -------------------------------------------------------------------------------------------- */

static bool keep_failure(struct engine *engine, int code, const struct failure *failure)
{
    return engine_keep(engine, code, failure);
}

/* Send the same request to every part; each reply has `bytes` in room->answer. */
static bool ask_all(struct team_room *room, enum part_order order, uint64_t argument, uint64_t bytes)
{
    struct failure failure = {0};
    for (unsigned p = 0; p < room->link.parts; p++)
        room->request[p] = (struct part_request){.order = order,
                                                 .argument = argument,
                                                 .out = (char *)room->answer + p * bytes,
                                                 .out_bytes = bytes};
    return keep_failure(room->engine,
                        room->link.ask(room->link.context, room->request, 0, room->link.parts, &failure),
                        &failure);
}

static bool ask_one(struct team_room *room, unsigned p, const struct part_request *request)
{
    struct failure failure = {0};
    return keep_failure(room->engine, room->link.ask(room->link.context, request, p, 1, &failure), &failure);
}

static bool is_lost(const struct engine *engine)
{
    return engine->failure.code != FAILURE_NONE;
}

/* Read the flows that each part gives, or write those that it takes, one part after the other in `bytes`. */
static int move_flows(struct team_room *room, bool take, const uint64_t *count, char *bytes,
                      struct failure *failure)
{
    for (unsigned p = 0; p < room->link.parts; p++) {
        const uint64_t own = count[p] * SHEET_IMAGE_REALS * room->engine->real_bytes;
        room->request[p] = (struct part_request){.order = PART_FLOWS, .argument = take};
        if (take) {
            room->request[p].in = bytes;
            room->request[p].in_bytes = own;
        } else {
            room->request[p].out = bytes;
            room->request[p].out_bytes = own;
        }
        bytes += own;
    }
    return room->link.ask(room->link.context, room->request, 0, room->link.parts, failure);
}

/* Copy the flows between parts from one to the other. */
static int share_flows(struct team_room *room, struct failure *failure)
{
    const size_t flow = SHEET_IMAGE_REALS * room->engine->real_bytes;
    struct part_flows flows;
    TRY(part_flows_find(room->engine->room.blocks, &room->partition, &flows, failure));
    char *const given = malloc((size_t)(2 * flows.flows) * flow + 1);
    int code = given != NULL ? 0 : failure_memory(failure, 2 * flows.flows * flow, "the flows between parts");
    char *const taken = code == 0 ? given + flows.flows * flow : NULL;
    if (code == 0 && flows.flows > 0)
        code = move_flows(room, false, flows.gives, given, failure);
    for (uint64_t n = 0; code == 0 && n < flows.flows; n++)
        memcpy(taken + n * flow, given + flows.given[n] * flow, flow);
    if (code == 0 && flows.flows > 0)
        code = move_flows(room, true, flows.takes, taken, failure);
    free(given);
    part_flows_free(&flows);
    return code;
}

/* Update ghosts and the flows between parts, if the field or the number of steps was set. */
static bool make_current(struct team_room *room)
{
    const uint64_t steps = room->engine->steps;
    struct failure failure = {0};
    if ((room->set || room->steps != steps) && ask_all(room, PART_EXCHANGE, steps, 0)) {
        room->steps = steps;
        room->set = !keep_failure(room->engine, share_flows(room, &failure), &failure);
    }
    return !is_lost(room->engine);
}

/* ---- sources and receivers ----------------------------------------------------------------------------- */

/* The members of a part that part_local() uses. */
static struct part_grid own_blocks(const struct team_room *room, unsigned p)
{
    const struct partition *const cut = &room->partition;
    return (struct part_grid){.first = cut->dense[p],
                              .dense = cut->dense[p + 1] - cut->dense[p],
                              .list_first = cut->list[p],
                              .grid.list_blocks = cut->list[p + 1] - cut->list[p]};
}

static unsigned owner_of(const struct team_room *room, uint64_t index)
{
    return partition_owner(&room->partition, (block_id)(index / BLOCK_NODES));
}

static int add_to_part(struct team_room *room, unsigned p, bool source, const struct stencil *stencil,
                       struct failure *failure)
{
    const struct part_request request = {
        .order = PART_ADD, .argument = source, .in = stencil, .in_bytes = sizeof *stencil};
    TRY(room->link.ask(room->link.context, &request, p, 1, failure));
    ++*(source ? &room->sources[p] : &room->receivers[p]);
    return 0;
}

/* Give each part its nodes of a source, in their order. */
static int add_source(struct team_room *room, const struct stencil *stencil, const struct engine_tap *found,
                      struct failure *failure)
{
    struct stencil *const own = malloc(sizeof *own);
    int code = own == NULL ? failure_memory(failure, sizeof *own, "a source") : 0;
    for (unsigned p = 0; code == 0 && p < room->link.parts; p++) {
        *own = *stencil;
        own->count = 0;
        for (unsigned n = 0; n < stencil->count; n++)
            if (owner_of(room, found->index[n]) == p) {
                memcpy(own->node[own->count], stencil->node[n], sizeof stencil->node[n]);
                own->weight[own->count++] = stencil->weight[n];
            }
        if (own->count == 0)
            continue;
        struct part_row *const rows = realloc(room->source, (room->source_rows + 1) * sizeof *rows);
        room->source = rows != NULL ? rows : room->source;
        size_t *const of = realloc(room->source_of, (room->source_rows + 1) * sizeof *of);
        room->source_of = of != NULL ? of : room->source_of;
        if (rows == NULL || of == NULL) {
            code = failure_memory(failure, (room->source_rows + 1) * sizeof *rows, "sources");
            continue;
        }
        room->source[room->source_rows] = (struct part_row){p, room->sources[p]};
        room->source_of[room->source_rows] = room->engine->sources;
        code = add_to_part(room, p, true, own, failure);
        room->source_rows += code == 0;
    }
    free(own);
    return code;
}

/* Add one row of part p. */
static int add_row(struct team_room *room, unsigned p, const struct stencil *stencil, struct part_row *row,
                   struct failure *failure)
{
    *row = (struct part_row){p, room->receivers[p]};
    return add_to_part(room, p, false, stencil, failure);
}

/* Add each node as a receiver of its part. */
static int add_nodes(struct team_room *room, const struct stencil *stencil, const struct engine_tap *found,
                     struct parts_receiver *receiver, struct failure *failure)
{
    struct stencil *const one = malloc(sizeof *one);
    int code = one == NULL ? failure_memory(failure, sizeof *one, "a receiver") : 0;
    receiver->nodes = stencil->count;
    for (unsigned n = 0; code == 0 && n < stencil->count; n++) {
        *one = (struct stencil){.count = 1, .weight = {1.0}, .used = stencil->used};
        memcpy(one->node[0], stencil->node[n], sizeof one->node[0]);
        receiver->weight[n] = stencil->weight[n];
        code = add_row(room, owner_of(room, found->index[n]), one, &receiver->row[n], failure);
    }
    free(one);
    return code;
}

static int add_receiver(struct team_room *room, const struct stencil *stencil, const struct engine_tap *found,
                        struct failure *failure)
{
    struct parts_receiver *const grown =
        realloc(room->receiver, (room->receiver_count + 1) * sizeof *room->receiver);
    if (grown == NULL)
        return failure_memory(failure, (room->receiver_count + 1) * sizeof *grown, "receivers");
    room->receiver = grown;
    bool together = true;
    for (unsigned n = 1; n < stencil->count; n++)
        together = together && owner_of(room, found->index[n]) == owner_of(room, found->index[0]);
    struct parts_receiver *const receiver = &grown[room->receiver_count];
    const size_t nodes = together ? 1 : stencil->count;
    *receiver = (struct parts_receiver){.row = malloc(nodes * sizeof *receiver->row),
                                        .weight = malloc(nodes * sizeof *receiver->weight)};
    room->receiver_count++;
    if (receiver->row == NULL || receiver->weight == NULL)
        return failure_memory(failure, nodes * (sizeof *receiver->row + sizeof *receiver->weight),
                              "receivers");
    return together ? add_row(room, owner_of(room, found->index[0]), stencil, receiver->row, failure)
                    : add_nodes(room, stencil, found, receiver, failure);
}

static int team_add(struct engine *engine, bool source, const struct stencil *stencil,
                    const struct engine_tap *found, struct failure *failure)
{
    return source ? add_source(room_of(engine), stencil, found, failure)
                  : add_receiver(room_of(engine), stencil, found, failure);
}

/* The nodes of the ports, part by part. */
static void sort_ports(struct team_room *room)
{
    size_t at = 0;
    for (unsigned p = 0; p < room->link.parts; p++) {
        room->port_first[p] = at;
        for (size_t n = 0; n < room->ports; n++)
            if (room->port[n].part == p) {
                memcpy(room->port_node[at], room->port[n].node, sizeof *room->port_node);
                room->port[n].at = at++;
            }
    }
    room->port_first[room->link.parts] = at;
}

/* The nodes of a port become sources of their parts. */
static int join_nodes(struct team_room *room, size_t count, const int64_t (*node)[3], struct stencil *one,
                      struct failure *failure)
{
    *one = (struct stencil){.count = 1, .weight = {1.0}};
    for (size_t n = 0; n < count; n++) {
        const unsigned p = owner_of(room, engine_node_index(room->engine, node[n]));
        struct port_place *const at = &room->port[room->ports];
        *at = (struct port_place){.row = room->sources[p], .part = p};
        memcpy(at->node, node[n], sizeof at->node);
        memcpy(one->node[0], node[n], sizeof one->node[0]);
        TRY(add_to_part(room, p, true, one, failure));
        room->ports++;
    }
    sort_ports(room);
    return 0;
}

static int join_here(struct team_room *room, size_t count, const int64_t (*node)[3], struct failure *failure)
{
    const size_t all = room->ports + count + 1;
    struct stencil *const one = malloc(sizeof *one);
    struct port_place *const port = realloc(room->port, all * sizeof *port);
    room->port = port != NULL ? port : room->port;
    int64_t(*const by_part)[3] = realloc(room->port_node, all * sizeof *by_part);
    room->port_node = by_part != NULL ? by_part : room->port_node;
    if (room->port_first == NULL)
        room->port_first = calloc((size_t)room->link.parts + 1, sizeof *room->port_first);
    const int code = one == NULL || port == NULL || by_part == NULL || room->port_first == NULL
                         ? failure_memory(failure, all * (sizeof *port + sizeof *by_part), "membranes")
                         : join_nodes(room, count, node, one, failure);
    free(one);
    return code;
}

/* The part that has all these nodes; the number of parts: none. */
static int find_part(const struct team_room *room, size_t count, const int64_t (*node)[3], unsigned *part,
                     struct failure *failure)
{
    for (size_t n = 0; n < count; n++) {
        const uint64_t index = engine_node_index(room->engine, node[n]);
        if (index == UINT64_MAX)
            return failure_set(failure, FAILURE_INPUT,
                               "a membrane is joined to node (%lld,%lld,%lld), which is not air",
                               (long long)node[n][0], (long long)node[n][1], (long long)node[n][2]);
        const unsigned owner = owner_of(room, index);
        *part = n == 0 || owner == *part ? owner : room->link.parts;
    }
    return 0;
}

/* A device that cannot step it at a wall with branches leaves it to the host. */
static int team_join_port(struct engine *engine, size_t count, const int64_t (*node)[3],
                          const struct engine_port_system *system, bool *apart, struct failure *failure)
{
    struct team_room *const room = room_of(engine);
    unsigned part = room->link.parts;
    TRY(find_part(room, count, node, &part, failure));
    if (room->link.here && engine->options.backend == BACKEND_CUDA && part < room->link.parts) {
        const struct part_port port = {count, node, system};
        const struct part_request request = {.order = PART_PORT, .in = &port, .in_bytes = sizeof port};
        struct failure inner = {0};
        const int code = room->link.ask(room->link.context, &request, part, 1, &inner);
        *apart = code == 0;
        if (code != FAILURE_INPUT)
            return code == 0 ? 0 : failure_forward(failure, &inner);
    }
    return join_here(room, count, node, failure);
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Starts of the rows of each part, one part after the other. */
static void rows_begin(const size_t *rows, unsigned parts, size_t *begin)
{
    begin[0] = 0;
    for (unsigned p = 0; p < parts; p++)
        begin[p + 1] = begin[p] + rows[p];
}

static void sum_receiver(const struct parts_receiver *receiver, const size_t *begin, const double *raw,
                         uint64_t steps, double *row)
{
    if (receiver->nodes == 0) {
        memcpy(row, raw + (begin[receiver->row->part] + receiver->row->row) * steps,
               (size_t)steps * sizeof *row);
        return;
    }
    for (uint64_t n = 0; n < steps; n++) {
        double sum = 0.0;
        for (unsigned k = 0; k < receiver->nodes; k++)
            sum +=
                receiver->weight[k] * raw[(begin[receiver->row[k].part] + receiver->row[k].row) * steps + n];
        row[n] = sum;
    }
}

/* Arrays of a batch of steps. */
struct batch {
    size_t *drive_begin, *raw_begin; /* (parts + 1) */
    double *drive, *raw;
};

static void batch_free(struct batch *batch)
{
    free(batch->drive_begin);
    free(batch->raw_begin);
    free(batch->drive);
    free(batch->raw);
}

static int batch_make(const struct team_room *room, uint64_t steps, struct batch *out,
                      struct failure *failure)
{
    const unsigned parts = room->link.parts;
    struct batch batch = {.drive_begin = malloc(((size_t)parts + 1) * sizeof *batch.drive_begin),
                          .raw_begin = malloc(((size_t)parts + 1) * sizeof *batch.raw_begin)};
    uint64_t bytes = 2 * ((uint64_t)parts + 1) * sizeof *batch.raw_begin;
    if (batch.drive_begin != NULL && batch.raw_begin != NULL) {
        rows_begin(room->sources, parts, batch.drive_begin);
        rows_begin(room->receivers, parts, batch.raw_begin);
        const size_t driven = batch.drive_begin[parts] * (size_t)steps + 1,
                     heard = batch.raw_begin[parts] * (size_t)steps + 1;
        batch.drive = malloc(driven * sizeof *batch.drive);
        batch.raw = malloc(heard * sizeof *batch.raw);
        bytes = (driven + heard) * sizeof *batch.raw;
    }
    if (batch.drive == NULL || batch.raw == NULL) {
        batch_free(&batch);
        return failure_memory(failure, bytes, "the samples of a room in parts");
    }
    *out = batch;
    return 0;
}

/* `flow`: of the port, in a batch of one step; NULL without one. */
static int run_batch(struct team_room *room, uint64_t steps, const double *drive, const double *flow,
                     double *output, struct failure *failure)
{
    struct batch batch = {0};
    TRY(batch_make(room, steps, &batch, failure));
    for (size_t r = 0; drive != NULL && r < room->source_rows; r++)
        memcpy(batch.drive + (batch.drive_begin[room->source[r].part] + room->source[r].row) * steps,
               drive + room->source_of[r] * steps, (size_t)steps * sizeof *drive);
    for (size_t n = 0; flow != NULL && n < room->ports; n++)
        batch.drive[batch.drive_begin[room->port[n].part] + room->port[n].row] = flow[n];
    for (unsigned p = 0; p < room->link.parts; p++)
        room->request[p] = (struct part_request){
            .order = PART_RUN,
            .argument = steps,
            .in = batch.drive + batch.drive_begin[p] * steps,
            .in_bytes = drive != NULL ? room->sources[p] * steps * sizeof *drive : 0,
            .out = batch.raw + batch.raw_begin[p] * steps,
            .out_bytes = output != NULL ? room->receivers[p] * steps * sizeof *output : 0};
    const int code = room->link.ask(room->link.context, room->request, 0, room->link.parts, failure);
    for (size_t r = 0; code == 0 && output != NULL && r < room->receiver_count; r++)
        sum_receiver(&room->receiver[r], batch.raw_begin, batch.raw, steps, output + r * steps);
    batch_free(&batch);
    return code;
}

/* u at the nodes of the port; `apart` has room for them part by part. */
static int read_port(struct team_room *room, double *apart, double *value, struct failure *failure)
{
    for (unsigned p = 0; p < room->link.parts; p++) {
        const size_t first = room->port_first[p], count = room->port_first[p + 1] - first;
        room->request[p] = (struct part_request){.order = PART_NODES,
                                                 .argument = count,
                                                 .in = room->port_node + first,
                                                 .in_bytes = count * sizeof *room->port_node,
                                                 .out = apart + first,
                                                 .out_bytes = count * sizeof *apart};
    }
    TRY(room->link.ask(room->link.context, room->request, 0, room->link.parts, failure));
    for (size_t n = 0; n < room->ports; n++)
        value[n] = apart[room->port[n].at];
    return 0;
}

/* With a port, step by step. */
static int run_with_port(struct team_room *room, uint64_t steps, const double *drive, double *output,
                         struct failure *failure)
{
    const size_t ports = room->ports, sources = room->engine->sources, heard = room->receiver_count,
                 count = 3 * ports + sources + heard;
    double *const value = calloc(count + 1, sizeof *value), *const apart = value + ports,
                  *const flow = apart + ports, *const now = flow + ports, *const row = now + sources;
    int code = value == NULL ? failure_memory(failure, count * sizeof *value, "membranes") : 0;
    for (uint64_t n = 0; code == 0 && n < steps; n++) {
        for (size_t s = 0; drive != NULL && s < sources; s++)
            now[s] = drive[s * steps + n];
        code = read_port(room, apart, value, failure);
        if (code != 0)
            break;
        engine_port_flows(room->engine, value, flow);
        code = run_batch(room, 1, now, flow, output != NULL ? row : NULL, failure);
        for (size_t r = 0; code == 0 && output != NULL && r < heard; r++)
            output[r * steps + n] = row[r];
    }
    free(value);
    return code;
}

static void team_run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    struct team_room *const room = room_of(engine);
    struct failure failure = {0};
    if (steps > 0 && make_current(room))
        (void)keep_failure(engine,
                           room->ports > 0 ? run_with_port(room, steps, drive, output, &failure)
                                           : run_batch(room, steps, drive, NULL, output, &failure),
                           &failure);
    for (uint64_t n = 0; is_lost(engine) && output != NULL && n < room->receiver_count * steps; n++)
        output[n] = NAN;
    engine->steps += steps;
    room->steps += steps;
}

/* ---- the field ----------------------------------------------------------------------------------------- */

static void forget_absorbed(struct team_room *room)
{
    for (size_t row = 0; row < room->rows; row++)
        room->absorbed[row] = 0.0;
}

static void team_reset(struct engine *engine)
{
    struct team_room *const room = room_of(engine);
    (void)ask_all(room, PART_RESET, 0, 0);
    forget_absorbed(room);
    room->set = false;
    room->steps = 0;
}

static void team_fill(struct engine *engine, uint64_t seed)
{
    (void)ask_all(room_of(engine), PART_FILL, seed, 0);
    room_of(engine)->set = true;
}

static void team_set(struct engine *engine, int level, uint64_t index, const int64_t node[3], double value)
{
    const struct part_value put = {{node[0], node[1], node[2]}, value};
    const struct part_request request = {
        .order = PART_SET, .argument = (uint64_t)level, .in = &put, .in_bytes = sizeof put};
    (void)ask_one(room_of(engine), owner_of(room_of(engine), index), &request);
    room_of(engine)->set = true;
}

static bool team_read_level(struct engine *engine, int level, uint32_t block, double values[BLOCK_NODES])
{
    struct team_room *const room = room_of(engine);
    const unsigned p = partition_owner(&room->partition, block);
    const struct part_grid part = own_blocks(room, p);
    const struct part_request request = {.order = PART_READ,
                                         .argument = (uint64_t)level << 32 | part_local(&part, block),
                                         .out = values,
                                         .out_bytes = BLOCK_NODES * sizeof *values};
    const bool sound = ask_one(room, p, &request);
    for (unsigned slot = 0; !sound && slot < BLOCK_NODES; slot++)
        values[slot] = NAN;
    return sound;
}

static double team_get(struct engine *engine, int level, uint64_t index, const int64_t node[3])
{
    double values[BLOCK_NODES];
    (void)node;
    (void)team_read_level(engine, level, (uint32_t)(index / BLOCK_NODES), values);
    return values[index % BLOCK_NODES];
}

static struct engine_partial team_measure(struct engine *engine)
{
    struct team_room *const room = room_of(engine);
    const struct engine_partial *const part = room->answer;
    if (!ask_all(room, PART_MEASURE, 0, sizeof *part))
        return (struct engine_partial){.sum = NAN, .plain = NAN, .largest = NAN, .bad = BLOCK_NODES};
    struct engine_partial all = {.bad = UINT64_MAX};
    for (unsigned p = 0; p < room->link.parts; p++) {
        all.sum += part[p].sum;
        all.plain += part[p].plain;
        all.largest = fmax(all.largest, part[p].largest);
        all.bad = part[p].bad < all.bad ? part[p].bad : all.bad;
    }
    return all;
}

static uint64_t team_hash(struct engine *engine)
{
    struct team_room *const room = room_of(engine);
    const uint64_t *const hash = room->answer;
    uint64_t sum = 0;
    if (ask_all(room, PART_HASH, 0, sizeof *hash))
        for (unsigned p = 0; p < room->link.parts; p++)
            sum += hash[p];
    return sum;
}

static double team_energy(struct engine *engine)
{
    struct team_room *const room = room_of(engine);
    const double *const energy = room->answer;
    double sum = 0.0;
    if (!make_current(room) || !ask_all(room, PART_ENERGY, 0, sizeof *energy))
        return NAN;
    for (unsigned p = 0; p < room->link.parts; p++)
        sum += energy[p];
    return sum;
}

static void team_absorbed(struct engine *engine, double *absorbed)
{
    struct team_room *const room = room_of(engine);
    assert(room->rows > 0);
    const double *const part = room->answer;
    const bool sound = ask_all(room, PART_ABSORBED, 0, room->rows * sizeof *part);
    for (size_t n = 0; sound && n < room->link.parts * room->rows; n++)
        room->absorbed[n % room->rows] += part[n];
    for (size_t row = 0; row < room->rows; row++)
        absorbed[row] = sound ? room->absorbed[row] : NAN;
}

static uint64_t team_bytes(const struct engine *engine)
{
    return room_of(engine)->bytes;
}

/* ---- images and checks --------------------------------------------------------------------------------- */

static uint32_t team_planes(const struct engine *engine)
{
    return room_of(engine)->planes;
}

static uint32_t team_threads(const struct engine *engine)
{
    return room_of(engine)->threads;
}

static double *team_sums(const struct engine *engine, uint32_t *count)
{
    *count = (uint32_t)room_of(engine)->rows;
    return room_of(engine)->absorbed;
}

/* End of the consecutive blocks of a part from `block` on, at most `last`. */
static uint32_t run_end(const struct part_grid *part, block_id block, uint32_t last)
{
    const block_id end =
        block >= part->list_first ? part->list_first + part->grid.list_blocks : part->first + part->dense;
    return end < last ? end : last;
}

static int team_move_image(struct engine *engine, bool set, uint32_t first, uint32_t last, void *bytes,
                           struct failure *failure)
{
    struct team_room *const room = room_of(engine);
    char *at = bytes;
    TRY(engine_failed(engine, failure));
    for (block_id block = first, end; block < last; block = end) {
        const unsigned p = partition_owner(&room->partition, block);
        const struct part_grid part = own_blocks(room, p);
        end = run_end(&part, block, last);
        const uint64_t local = part_local(&part, block), count = engine_image_bytes(engine, block, end);
        const struct part_request request = {.order = PART_IMAGE,
                                             .argument = local << 32 | (local + (end - block)),
                                             .in = set ? at : NULL,
                                             .in_bytes = set ? count : 0,
                                             .out = set ? NULL : at,
                                             .out_bytes = set ? 0 : count};
        struct failure inner = {0};
        const int code = room->link.ask(room->link.context, &request, p, 1, &inner);
        if (code != FAILURE_CAPACITY) /* without memory the engine is not lost */
            (void)keep_failure(engine, code, &inner);
        if (code != 0)
            return failure_forward(failure, &inner);
        at += count;
    }
    room->set = room->set || set;
    return 0;
}

static bool team_begin_recheck(struct engine *engine)
{
    return make_current(room_of(engine)) && ask_all(room_of(engine), PART_BEGIN_RECHECK, 0, 0);
}

/* A difference in a part does not lose the engine; a part that does not reply does. */
static int team_end_recheck(struct engine *engine, struct failure *failure)
{
    struct team_room *const room = room_of(engine);
    for (unsigned p = 0; p < room->link.parts; p++)
        room->request[p] = (struct part_request){.order = PART_END_RECHECK};
    struct failure inner = {0};
    const int code = room->link.ask(room->link.context, room->request, 0, room->link.parts, &inner);
    if (code == FAILURE_OUTPUT)
        (void)keep_failure(engine, code, &inner);
    return code == 0 ? 0 : failure_forward(failure, &inner);
}

/* ---- creation ------------------------------------------------------------------------------------------ */

static int add_up_parts(struct team_room *room, struct failure *failure)
{
    const struct part_form *const form = room->answer;
    const bool sound = ask_all(room, PART_FORM, 0, sizeof *form);
    room->bytes = room->threads = 0;
    for (unsigned p = 0; sound && p < room->link.parts; p++) {
        room->bytes += form[p].bytes;
        room->threads += form[p].threads;
        room->planes = form[p].planes;
    }
    return sound ? 0 : engine_failed(room->engine, failure);
}

static int ask_for_air(struct team_room *room, const struct air_loss *loss, struct failure *failure)
{
    for (unsigned p = 0; p < room->link.parts; p++)
        room->request[p] = (struct part_request){.order = PART_AIR, .in = loss, .in_bytes = sizeof *loss};
    return room->link.ask(room->link.context, room->request, 0, room->link.parts, failure);
}

/* In all parts, or in none. */
static int team_make_air(struct engine *engine, const struct air_loss *loss, struct failure *failure)
{
    static const struct air_loss none = {0};
    struct team_room *const room = room_of(engine);
    struct failure inner = {0};
    const int code = ask_for_air(room, loss, &inner);
    if (code == 0)
        return add_up_parts(room, failure);
    if (code == FAILURE_OUTPUT)
        (void)keep_failure(engine, code, &inner);
    else
        (void)ask_for_air(room, &none, NULL);
    return failure_forward(failure, &inner);
}

static void team_free(struct engine *engine)
{
    struct team_room *const room = room_of(engine);
    room->link.end(room->link.context);
    for (size_t r = 0; r < room->receiver_count; r++) {
        free(room->receiver[r].row);
        free(room->receiver[r].weight);
    }
    free(room->receiver);
    free(room->source);
    free(room->source_of);
    engine_free_air(engine);
    engine_free_port(engine);
    free(room->port);
    free(room->port_node);
    free(room->port_first);
    free(room->sources);
    free(room->receivers);
    free(room->request);
    free(room->absorbed);
    free(room->answer);
    partition_free(&room->partition);
    free(room);
    free(engine);
}

static const struct engine_ops engine_parts_ops = {.free = team_free,
                                                   .add = team_add,
                                                   .run = team_run,
                                                   .make_air = team_make_air,
                                                   .reset = team_reset,
                                                   .get = team_get,
                                                   .set = team_set,
                                                   .read_level = team_read_level,
                                                   .measure = team_measure,
                                                   .energy = team_energy,
                                                   .absorbed = team_absorbed,
                                                   .hash = team_hash,
                                                   .fill = team_fill,
                                                   .bytes = team_bytes,
                                                   .threads = team_threads,
                                                   .planes = team_planes,
                                                   .sums = team_sums,
                                                   .move_image = team_move_image,
                                                   .join_port = team_join_port,
                                                   .begin_recheck = team_begin_recheck,
                                                   .end_recheck = team_end_recheck};

static const char *backend_name(enum backend backend)
{
    return backend == BACKEND_CUDA     ? "cuda"
           : backend == BACKEND_OPENCL ? "opencl"
           : backend == BACKEND_CPU    ? "cpu"
                                       : "reference";
}

static int start_parts(struct team_room *room, const struct part_setup *setup, double wall_cost,
                       struct failure *failure)
{
    const struct block_grid *const blocks = room->engine->room.blocks;
    const unsigned parts = room->link.parts;
    struct part_setup every = *setup;
    every.open = engine_has_open_face(room->engine);
    TRY(partition_make(blocks, parts, wall_cost, &room->partition, failure));
    /* Part 0 may be in the process of the whole room (MPI): it is made last, after the others were sent. */
    for (unsigned p = parts; p-- > 0;) {
        struct part_grid part;
        TRY(part_grid_make(blocks, &room->partition, p, &part, failure));
        if (p == 0 && setup->spare != NULL)
            block_grid_thin(setup->spare);
        TRY(room->link.start(room->link.context, p, &part, &every, failure));
    }
    TRY(room->link.started(room->link.context, failure));
    return add_up_parts(room, failure);
}

static int make_tables(struct team_room *room, struct failure *failure)
{
    const size_t parts = room->link.parts;
    room->request = calloc(parts, sizeof *room->request);
    room->sources = calloc(parts, sizeof *room->sources);
    room->receivers = calloc(parts, sizeof *room->receivers);
    room->absorbed = calloc(room->rows + 1, sizeof *room->absorbed);
    room->answer = calloc(parts, sizeof(struct engine_partial) + room->rows * sizeof(double));
    if (room->request == NULL || room->sources == NULL || room->receivers == NULL || room->absorbed == NULL ||
        room->answer == NULL)
        return failure_memory(failure, parts * (sizeof *room->request + 2 * sizeof *room->sources),
                              "a room in parts");
    return 0;
}

int engine_in_parts(struct engine **out, const struct block_grid *blocks, const struct part_setup *setup,
                    double wall_cost, const struct part_link *link, struct failure *failure)
{
    assert(setup->options.layout == LAYOUT_BLOCKS);
    struct engine *const engine = aligned_alloc(_Alignof(struct engine), sizeof *engine);
    struct team_room *const room = calloc(1, sizeof *room);
    if (engine == NULL || room == NULL) {
        free(engine);
        free(room);
        link->end(link->context);
        return failure_memory(failure, sizeof *engine + sizeof *room, "a room in parts");
    }
    memset(engine, 0, sizeof *engine);
    *room = (struct team_room){.engine = engine,
                               .link = *link,
                               .rows = setup->walls != NULL && setup->walls->ledger ? setup->walls->count + 1
                                                                                    : 0};
    engine->options = setup->options;
    engine->threads = 1;
    engine->room.blocks = blocks;
    engine->room.lambda2 = setup->step.lambda2;
    engine->step = setup->step;
    engine->real_bytes = setup->options.precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    engine->ops = &engine_parts_ops;
    engine->team_room = room;
    int code = make_tables(room, failure);
    if (code == 0)
        code = start_parts(room, setup, wall_cost, failure);
    (void)snprintf(engine->description, sizeof engine->description, "%s in %u %s, blocks, %s",
                   backend_name(setup->options.backend), link->parts, link->what,
                   setup->options.precision == PRECISION_SINGLE ? "single" : "double");
    if (code == 0)
        *out = engine;
    else
        engine_free(engine);
    return code;
}
