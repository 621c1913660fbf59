/** Nodes that another system sees after every step and moves: a membrane, or whatever else has a step of its
 * own.
 *
 * Within step n the port's step is called once all of u[n+1] is made, sources and sheets included, with the
 * values that its nodes had in u[n]. What it answers are volume velocities into the air there, q[i] [m3/s]
 * where u is a velocity potential: node i of u[n+1] gets lambda2 / h q[i] (1 - q_i) / mass_i, as from a
 * source of weight 1 (engine.h), in the order of the nodes, each rounded once to the run's real.
 */
#ifndef KERNELS_ENGINE_PORT_H
#define KERNELS_ENGINE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

struct engine;

/** Values of the nodes in, flows out, both (count). Called by one thread at a time, never before it returned.
 */
typedef void engine_port_step(void *context, const double *value, double *flow);

/** Give an engine its port; `context` is borrowed. FAILURE_INPUT for an engine that has one or is several
 * parts, for a node that is not air, and on a device for one at a wall whose branches it would move;
 * FAILURE_CAPACITY for memory. On a device the port's step runs on the host, between two small copies. */
int engine_set_port(struct engine *engine, size_t count, const int64_t (*node)[3], engine_port_step *step,
                    void *context, struct failure *failure);

/** Inside of engines, of a step from `u` that makes `u_new`: called by every thread once it has stepped
 * `done` of `all` units. Whoever brings the last of them steps the port; true for that one. */
bool engine_step_port(const struct engine *engine, const void *u, void *u_new, uint64_t done, uint64_t all);
void engine_free_port(struct engine *engine);

#endif
