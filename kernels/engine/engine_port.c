#include "kernels/engine/engine_port.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_wall_entries.h"
#include "kernels/engine/engine_walls.h"

struct engine_port {
    size_t count;
    struct port_node {
        uint64_t index, wall;
        double weight;
        unsigned walls;
        block_id block;
    } * node;             /* (count) */
    double *value, *flow; /* (count) */
    struct engine_port_system system;
    _Atomic uint64_t stepped; /* units of this step */
};

static int fill_port(const struct engine *engine, struct engine_port *port, const int64_t (*node)[3],
                     struct failure *failure)
{
    for (size_t n = 0; n < port->count; ++n) {
        struct port_node *const at = &port->node[n];
        at->index = engine_node_index(engine, node[n]);
        if (at->index == UINT64_MAX)
            return failure_set(failure, FAILURE_INPUT,
                               "a membrane is joined to node (%lld,%lld,%lld), which is not air",
                               (long long)node[n][0], (long long)node[n][1], (long long)node[n][2]);
        at->block = (block_id)(block_grid_index(engine->room.blocks, node[n]) / BLOCK_NODES);
        at->weight = engine->step.lambda2 / engine->step.spacing /
                     engine_mass(engine, engine_record(engine, at->index)) *
                     (1.0 - engine_wall_q_at(engine, at->index));
        if (engine->room.walls != NULL)
            at->walls = engine_wall_at(engine, at->index, &at->wall);
    }
    return 0;
}

/* True if a push changes states of walls there. */
static bool walls_move(const struct engine *engine, const struct port_node *at)
{
    for (uint64_t entry = at->wall; entry < at->wall + at->walls; ++entry)
        if (engine->terms[step_wall_row(&engine->walls, wall_material(engine, entry))].scheme.branches > 0)
            return true;
    return false;
}

/* A device_exchange. */
static void exchange_samples(void *context, const double *value, double *push)
{
    const struct engine_port *const port = context;
    port->system.step(port->system.context, value, port->flow);
    for (size_t n = 0; n < port->count; ++n)
        push[n] = port->node[n].weight * port->flow[n];
}

static int send_port(struct engine *engine, struct engine_port *port, struct failure *failure)
{
    uint64_t *const index = calloc(port->count + 1, sizeof *index);
    int code = index == NULL ? failure_memory(failure, port->count * sizeof *index, "membranes") : 0;
    for (size_t n = 0; code == 0 && n < port->count; ++n) {
        index[n] = port->node[n].index;
        if (walls_move(engine, &port->node[n]))
            code = failure_set(
                failure, FAILURE_INPUT,
                "a membrane touches an absorbing wall, which a device does not support: leave a cell "
                "between them, or use the CPU");
    }
    if (code == 0)
        code = engine->device->ops->set_port(engine->device, port->count, index, exchange_samples, port,
                                             failure);
    free(index);
    return code;
}

int engine_set_port(struct engine *engine, size_t count, const int64_t (*node)[3],
                    const struct engine_port_system *system, struct failure *failure)
{
    if (engine->halo != NULL)
        return failure_set(failure, FAILURE_INPUT, "membranes are joined to a room, not to a part of it");
    if (engine->port != NULL)
        return failure_set(failure, FAILURE_INPUT, "the engine has membranes already");
    struct engine_port *const port = calloc(1, sizeof *port);
    if (port == NULL)
        return failure_memory(failure, sizeof *port, "membranes");
    engine->port = port;
    port->count = count;
    port->system = *system;
    port->node = calloc(count + 1, sizeof *port->node);
    port->value = calloc(count + 1, sizeof *port->value);
    port->flow = calloc(count + 1, sizeof *port->flow);
    int code = port->node == NULL || port->value == NULL || port->flow == NULL
                   ? failure_memory(failure, count * sizeof *port->node, "membranes")
               : engine->ops->join_port != NULL ? engine->ops->join_port(engine, count, node, failure)
                                                : fill_port(engine, port, node, failure);
    if (code == 0 && engine->device != NULL)
        code = send_port(engine, port, failure);
    if (code != 0)
        engine_free_port(engine);
    return code;
}

void engine_free_port(struct engine *engine)
{
    if (engine->port == NULL)
        return;
    free(engine->port->node);
    free(engine->port->value);
    free(engine->port->flow);
    free(engine->port);
    engine->port = NULL;
}

size_t engine_port_state(const struct engine *engine)
{
    return engine->port != NULL ? engine->port->system.state : 0;
}

void engine_port_get_state(const struct engine *engine, double *state)
{
    if (engine->port != NULL)
        engine->port->system.get_state(engine->port->system.context, state);
}

void engine_port_set_state(struct engine *engine, const double *state)
{
    if (engine->port != NULL)
        engine->port->system.set_state(engine->port->system.context, state);
}

bool engine_port_touches(const struct engine *engine, uint32_t first, uint32_t count)
{
    const struct engine_port *const port = engine->port;
    if (port == NULL || engine->ops->join_port != NULL)
        return port != NULL;
    for (size_t n = 0; n < port->count; ++n)
        if (port->node[n].block >= first && port->node[n].block - first < count)
            return true;
    return false;
}

size_t engine_port_nodes(const struct engine *engine)
{
    return engine->port != NULL ? engine->port->count : 0;
}

void engine_port_flows(const struct engine *engine, const double *value, double *flow)
{
    engine->port->system.step(engine->port->system.context, value, flow);
}

bool engine_step_port(const struct engine *engine, const void *u, void *u_new, uint64_t done, uint64_t all)
{
    struct engine_port *const port = engine->port;
    if (done == 0 || atomic_fetch_add(&port->stepped, done) + done < all)
        return false;
    atomic_store(&port->stepped, 0);
    for (size_t n = 0; n < port->count; ++n)
        port->value[n] = engine_value(engine, u, port->node[n].index);
    engine_port_flows(engine, port->value, port->flow);
    for (size_t n = 0; n < port->count; ++n) {
        const struct port_node *const at = &port->node[n];
        const double push = at->weight * port->flow[n];
        if (engine->real_bytes == sizeof(float))
            ((float *)u_new)[at->index] += (float)push;
        else
            ((double *)u_new)[at->index] += push;
        if (at->walls > 0)
            engine_push_walls(engine, at->wall, at->walls, push);
    }
    return true;
}
