/** Nodes that are coupled to another system with a step of its own, such as a membrane.
 *
 * Within step n the step function of the port is called after all of u[n+1] is computed, sources and sheets
 * included. It gets the values of its nodes in u[n] and returns volume velocities into the air, q[i] [m3/s]
 * if u is a velocity potential. Node i of u[n+1] gets lambda2 / h q[i] (1 - q_i) / mass_i, as from a source
 * of weight 1 (engine.h), in the order of the nodes, each rounded once to the run's real.
 */
#ifndef KERNELS_ENGINE_PORT_H
#define KERNELS_ENGINE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

struct engine;

/** Takes the values of the nodes and returns flows, both (count). Called by one thread at a time. */
typedef void engine_port_step(void *context, const double *value, double *flow);

/** Set the port of an engine; `context` is borrowed. FAILURE_INPUT for an engine that has a port or is in
 * parts, for a node that is not air, and on a device for a node at a wall with branches. FAILURE_CAPACITY for
 * memory. On a device the port steps on the host, between two small copies. */
int engine_set_port(struct engine *engine, size_t count, const int64_t (*node)[3], engine_port_step *step,
                    void *context, struct failure *failure);

/** Within engines: every thread calls it after it has stepped `done` of `all` units from `u` to `u_new`. The
 * thread that completes them steps the port; true for that thread. */
bool engine_step_port(const struct engine *engine, const void *u, void *u_new, uint64_t done, uint64_t all);
void engine_free_port(struct engine *engine);

#endif
