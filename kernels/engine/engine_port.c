#include "kernels/engine/engine_port.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_wall_entries.h"
#include "kernels/engine/engine_walls.h"

struct engine_port {
    struct engine_port *next;
    size_t count;
    bool apart; /* a part of the room steps it */
    struct port_node {
        uint64_t index, wall;
        double weight;
        unsigned walls;
        block_id block;
    } * node;             /* (count) */
    double *value, *flow; /* (count) */
    double *state;        /* (system.state) on its way to a device and back */
    struct engine_port_system system;
    _Atomic uint64_t stepped; /* units of this step, of the first port */
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

static int send_port(struct engine *engine, const struct engine_port *port, struct failure *failure)
{
    uint64_t *const index = calloc(port->count + 1, sizeof *index);
    double *const weight = calloc(port->count + 1, sizeof *weight);
    int code = 0;
    if (index == NULL || weight == NULL)
        code = failure_memory(failure, port->count * (sizeof *index + sizeof *weight), "membranes");
    for (size_t n = 0; code == 0 && n < port->count; ++n) {
        index[n] = port->node[n].index;
        weight[n] = port->node[n].weight;
        if (walls_move(engine, &port->node[n]))
            code = failure_set(
                failure, FAILURE_INPUT,
                "a membrane touches an absorbing wall, which a device does not support: leave a cell "
                "between them, or use the CPU");
    }
    if (code == 0)
        code = engine->device->ops->add_port(engine->device, port->count, index, weight, port->system.plan,
                                             failure);
    free(index);
    free(weight);
    return code;
}

static void free_port(struct engine_port *port)
{
    free(port->node);
    free(port->value);
    free(port->flow);
    free(port->state);
    free(port);
}

static int make_port(struct engine *engine, const int64_t (*node)[3], struct engine_port *port,
                     struct failure *failure)
{
    port->node = calloc(port->count + 1, sizeof *port->node);
    port->value = calloc(port->count + 1, sizeof *port->value);
    port->flow = calloc(port->count + 1, sizeof *port->flow);
    port->state = calloc(port->system.state + 1, sizeof *port->state);
    if (port->node == NULL || port->value == NULL || port->flow == NULL || port->state == NULL)
        return failure_memory(failure, port->count * sizeof *port->node, "membranes");
    if (engine->ops->join_port != NULL)
        return engine->ops->join_port(engine, port->count, node, &port->system, &port->apart, failure);
    TRY(fill_port(engine, port, node, failure));
    return engine->device != NULL ? send_port(engine, port, failure) : 0;
}

int engine_add_port(struct engine *engine, size_t count, const int64_t (*node)[3],
                    const struct engine_port_system *system, struct failure *failure)
{
    if (engine->halo != NULL && engine->device == NULL)
        return failure_set(failure, FAILURE_INPUT, "membranes are joined to a room, not to a part of it");
    if (engine->device != NULL && system->plan == NULL)
        return failure_set(failure, FAILURE_INPUT, "a device cannot step this system: use the CPU");
    struct engine_port *const port = calloc(1, sizeof *port), **end = &engine->port;
    if (port == NULL)
        return failure_memory(failure, sizeof *port, "membranes");
    port->count = count;
    port->system = *system;
    const int code = make_port(engine, node, port, failure);
    if (code != 0) {
        free_port(port);
        return code;
    }
    while (*end != NULL)
        end = &(*end)->next;
    *end = port;
    return 0;
}

void engine_free_port(struct engine *engine)
{
    for (struct engine_port *port; (port = engine->port) != NULL;) {
        engine->port = port->next;
        free_port(port);
    }
}

size_t engine_port_state(const struct engine *engine)
{
    size_t state = 0;
    for (const struct engine_port *port = engine->port; port != NULL; port = port->next)
        state += port->system.state;
    return state;
}

void engine_port_get_state(const struct engine *engine, double *state)
{
    for (const struct engine_port *port = engine->port; port != NULL;
         state += port->system.state, port = port->next)
        port->system.get_state(port->system.context, state);
}

void engine_port_set_state(struct engine *engine, const double *state)
{
    for (const struct engine_port *port = engine->port; port != NULL; port = port->next) {
        port->system.set_state(port->system.context, state);
        state = state != NULL ? state + port->system.state : NULL;
    }
}

bool engine_move_ports(struct engine *engine, bool back)
{
    uint64_t number = 0;
    bool sound = true;
    for (const struct engine_port *port = engine->port; sound && port != NULL; port = port->next, ++number) {
        if (!back)
            port->system.get_state(port->system.context, port->state);
        sound = ENGINE_ASK(engine, move_port, number, port->state, back, &engine->failure);
        if (sound && back)
            port->system.set_state(port->system.context, port->state);
    }
    return sound;
}

bool engine_port_touches(const struct engine *engine, uint32_t first, uint32_t count)
{
    if (engine->ops->join_port != NULL)
        return engine->port != NULL;
    for (const struct engine_port *port = engine->port; port != NULL; port = port->next)
        for (size_t n = 0; n < port->count; ++n)
            if (port->node[n].block >= first && port->node[n].block - first < count)
                return true;
    return false;
}

size_t engine_port_nodes(const struct engine *engine)
{
    size_t nodes = 0;
    for (const struct engine_port *port = engine->port; port != NULL; port = port->next)
        nodes += port->apart ? 0 : port->count;
    return nodes;
}

void engine_port_flows(const struct engine *engine, const double *value, double *flow)
{
    for (const struct engine_port *port = engine->port; port != NULL; port = port->next)
        if (!port->apart) {
            port->system.step(port->system.context, value, flow);
            value += port->count;
            flow += port->count;
        }
}

static void step_port(const struct engine *engine, struct engine_port *port, const void *u, void *u_new)
{
    for (size_t n = 0; n < port->count; ++n)
        port->value[n] = engine_value(engine, u, port->node[n].index);
    port->system.step(port->system.context, port->value, port->flow);
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
}

bool engine_step_port(const struct engine *engine, const void *u, void *u_new, uint64_t done, uint64_t all)
{
    struct engine_port *const first = engine->port;
    if (done == 0 || atomic_fetch_add(&first->stepped, done) + done < all)
        return false;
    atomic_store(&first->stepped, 0);
    for (struct engine_port *port = first; port != NULL; port = port->next)
        step_port(engine, port, u, u_new);
    return true;
}
