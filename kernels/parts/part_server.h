/** One part of a room and the requests that it serves. The whole room (engine_in_parts.h) sends them; parts
 * are in the same process (local_parts.h) or in others (../mpi/ranks.h).
 */
#ifndef KERNELS_PART_SERVER_H
#define KERNELS_PART_SERVER_H

#include "blocks/parts/part_grid.h"
#include "kernels/engine/engine_halo.h"
#include "kernels/scheme/engine_kinds.h"
#include "kernels/scheme/engine_parts.h"
#include "kernels/scheme/time_step.h"
#include "kernels/scheme/wall_material.h"

/** The settings of all parts of a room, without their grids. Borrowed. */
struct part_setup {
    struct engine_options options;
    struct time_step step;
    size_t materials;
    const double *admittance;           /* (materials), or NULL and .. */
    const struct wall_materials *walls; /* .. these */
    bool open;                          /* a wall entry of the room is an open face */
    struct block_grid *spare; /* the grid of the whole room, to be thinned (thin_grid.h) before the last part
                                 is made; NULL: it is not changed */
    const struct engine_back_ends *back_ends; /* NULL: back_ends_built */
    unsigned card;                            /* BACKEND_CUDA: which; the link may choose another */
};

/** The requests: a name, and the call that serves it, from `engine` and from `argument`, `in` and `out` of
 * the request. A new operation is a line here, and its function in the table of engine_in_parts.c. After SET,
 * FILL or IMAGE, ghosts are outdated until EXCHANGE.
 *
 *                   argument                            in                       out
 *   ADD             1 source, 0 receiver                struct stencil           -
 *   RUN             steps                               (sources, steps) or -    (receivers, steps) or -
 *   AIR             -                                   struct air_loss          -
 *   PORT            -                                   struct part_port         -
 *   RESET           -                                   -                        -
 *   FILL            seed                                -                        -
 *   EXCHANGE        steps done (all parts at once)      -                        -
 *   SET             level                               struct part_value        -
 *   READ            level << 32 | block of the part     -                        double[BLOCK_NODES]
 *   NODES           number of nodes                     (number) int64_t[3]      (number) double
 *   MEASURE         -                                   -                        struct engine_partial
 *   HASH            -                                   -                        uint64_t
 *   ENERGY          -                                   -                        double
 *   ABSORBED        -                                   -                        double[rows]
 *   FORM            -                                   -                        struct part_form
 *   IMAGE           first block << 32 | end             image, or -              image, or -
 *   FLOWS           0 give, 1 take (part_flows.h)       flows, or -              flows, or -
 *   BEGIN_RECHECK   -                                   -                        -
 *   END_RECHECK     -                                   -                        -
 *
 * `bad` of MEASURE is a pressure index of the whole room. Hashes and energies of parts add up. ABSORBED is
 * the energy since the last ABSORBED.
 */
#define PART_CALLS(CALL)                                                                                     \
    CALL(ADD, (argument != 0 ? engine_add_source : engine_add_receiver)(engine, in, failure))                \
    CALL(RUN, (engine_run(engine, argument, in, out), 0))                                                    \
    CALL(AIR, engine_set_air(engine, in, failure))                                                           \
    CALL(PORT, add_port(engine, in, failure))                                                                \
    CALL(RESET, (engine_reset(engine), 0))                                                                   \
    CALL(FILL, (engine_fill(engine, argument), 0))                                                           \
    CALL(EXCHANGE, exchange_levels(engine, argument))                                                        \
    CALL(SET, set_value(engine, (int)argument, in))                                                          \
    CALL(READ, (engine_read_level(engine, (int)(argument >> 32), (uint32_t)argument, out), 0))               \
    CALL(NODES, (read_nodes(engine, argument, in, out), 0))                                                  \
    CALL(MEASURE, measure_part(server, out))                                                                 \
    CALL(HASH, (*(uint64_t *)out = engine_hash(engine), 0))                                                  \
    CALL(ENERGY, (*(double *)out = engine_energy(engine), 0))                                                \
    CALL(ABSORBED, (engine_absorbed(engine, out), engine_forget_absorbed(engine), 0))                        \
    CALL(FORM, give_form(engine, out))                                                                       \
    CALL(IMAGE, move_image(engine, argument, in, out, failure))                                              \
    CALL(FLOWS,                                                                                              \
         argument != 0 ? part_flows_take(engine, in, failure) : part_flows_give(engine, out, failure))       \
    CALL(BEGIN_RECHECK, begin_recheck(server))                                                               \
    CALL(END_RECHECK, end_recheck(server, failure))

enum part_order {
#define CALL(name, answer) PART_##name,
    PART_CALLS(CALL)
#undef CALL
        PART_ORDERS
};

struct part_value {
    int64_t node[3];
    double value;
};

/** A port (engine_port.h); in the process of the room alone. */
struct engine_port_system;
struct part_port {
    size_t count;
    const int64_t (*node)[3];
    const struct engine_port_system *system;
};

struct part_form {
    uint64_t bytes;           /* engine_bytes() */
    uint32_t planes, threads; /* planes of wall entries, equal in all parts; threads that step it */
};

struct part_request {
    enum part_order order;
    uint64_t argument;
    const void *in;
    uint64_t in_bytes;
    void *out;
    uint64_t out_bytes;
};

struct engine_recheck;

struct part_server {
    struct part_grid part;
    struct engine *engine;
    struct engine_halo halo;
    unsigned real_bytes;
    void *out, *in; /* values of a step, in the order of part.send and part.receive; owned, as all below */
    bool *outer;
    size_t rows;                    /* of engine_absorbed(); 0 without a ledger */
    struct engine_recheck *recheck; /* between PART_BEGIN_RECHECK and PART_END_RECHECK */
};

/** Make the engine of a part. Takes `part`, also on failure. It exchanges nothing before
 * part_server_connect(). Failures as engine_create() and engine_create_walls(). */
int part_server_create(struct part_server **out, struct part_grid *part, const struct part_setup *setup,
                       struct failure *failure);
void part_server_free(struct part_server *server);

/** Set how values travel to the other parts, as in struct engine_halo. If a device fails here, the next
 * request reports it. */
void part_server_connect(struct part_server *server, enum halo_way way, void *context,
                         void (*begin)(void *context), void (*finish)(void *context));

/** Serve a request. FAILURE_INPUT and FAILURE_CAPACITY of sources and receivers; PART_AIR fails as
 * engine_set_air(), PART_IMAGE as engine_image.h; PART_END_RECHECK as engine_recheck_end(), with the number
 * of the part; a device as engine_failed(). Nothing else fails. */
int part_server_serve(struct part_server *server, const struct part_request *request,
                      struct failure *failure);

#endif
