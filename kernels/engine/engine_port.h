/** Nodes that are coupled to another system with a step of its own, such as a membrane. An engine may have
 * several such ports.
 *
 * Within step n the step function of a port is called after all of u[n+1] is computed, sources and sheets
 * included. It gets the values of its nodes in u[n] and returns volume velocities into the air, q[i] [m3/s]
 * if u is a velocity potential. Node i of u[n+1] gets lambda2 / h q[i] (1 - q_i) / mass_i, as from a source
 * of weight 1 (engine.h), in the order of the ports and their nodes, each rounded once to the run's real.
 */
#ifndef KERNELS_ENGINE_PORT_H
#define KERNELS_ENGINE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

struct engine;
struct membrane_plan;

/** Takes the values of the nodes and returns flows, both (count). Called by one thread at a time. */
typedef void engine_port_step(void *context, const double *value, double *flow);

/** The other system. */
struct engine_port_system {
    engine_port_step *step;
    size_t state; /* doubles that it keeps from one step to the next */
    void (*get_state)(const void *context, double *state);
    void (*set_state)(void *context, const double *state); /* NULL: at rest */
    void *context;                                         /* borrowed */
    const struct membrane_plan *plan; /* the same as tables, for a device; borrowed. NULL: none */
};

/** Add a port to an engine, whose system is at rest. No node is in two ports. FAILURE_INPUT for a node that
 * is not air, and for an engine of a part of a room on processors; on a device also without a plan, and for a
 * node at a wall with branches. FAILURE_CAPACITY for memory.
 *
 * A device steps it by its plan, without the host: the state is copied there before engine_run(), and back
 * after it. In a room in parts on devices of this process a port whose nodes are all in one part is stepped
 * there. Else it steps where the whole room is, and its nodes are read from their parts before every step:
 * two messages to each part. */
int engine_add_port(struct engine *engine, size_t count, const int64_t (*node)[3],
                    const struct engine_port_system *system, struct failure *failure);

/** The state of all systems for engine_image.h, in the order of the ports: doubles, 0 without a port; read
 * and set. `state` NULL: at rest, as after engine_reset(). */
size_t engine_port_state(const struct engine *engine);
void engine_port_get_state(const struct engine *engine, double *state);
void engine_port_set_state(struct engine *engine, const double *state);

/** True if a step changes one of the blocks first .. first + count - 1 through a port; in a room in parts
 * any of them counts. */
bool engine_port_touches(const struct engine *engine, uint32_t first, uint32_t count);

/** Within engines: every thread calls it after it has stepped `done` of `all` units from `u` to `u_new`. The
 * thread that completes them steps the ports; true for that thread. */
bool engine_step_port(const struct engine *engine, const void *u, void *u_new, uint64_t done, uint64_t all);
void engine_free_port(struct engine *engine);

/** Within engines on a device: copy the states there, or with `back` from there. False: the engine is lost.
 */
bool engine_move_ports(struct engine *engine, bool back);

/** Within a room in parts: step the ports that no part steps from `value` to their flows, both
 * (engine_port_nodes()), port after port. */
size_t engine_port_nodes(const struct engine *engine);
void engine_port_flows(const struct engine *engine, const double *value, double *flow);

#endif
