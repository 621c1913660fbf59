/** One part of a room being stepped, and what can be asked of it. Whoever holds the whole room
 * (engine_in_parts.h) asks; parts are in the same process (local_parts.h) or in others (MPI), and
 * answer alike.
 */
#ifndef KERNELS_PART_SERVER_H
#define KERNELS_PART_SERVER_H

#include "blocks/parts/part_grid.h"
#include "kernels/engine/engine_halo.h"
#include "kernels/scheme/engine_kinds.h"
#include "kernels/scheme/engine_parts.h"
#include "kernels/scheme/time_step.h"
#include "kernels/scheme/wall_material.h"

/** What every part of a room is made with, but for its grid. Borrowed. */
struct part_setup {
    struct engine_options options;
    struct time_step step;
    size_t materials;
    const double *admittance;           /* (materials), or NULL and .. */
    const struct wall_materials *walls; /* .. these */
    struct block_grid *spare; /* the grid of the whole room, to be thinned (thin_grid.h) before the last part
                                 is made; NULL: it stays as it is */
    unsigned card;            /* BACKEND_CUDA: which; the link may choose another */
};

/** What goes to a part: a name, and how the part answers, from `engine` and of a request `argument`, `in` and
 * `out`. A new operation is a line here, and its function in the table of engine_in_parts.c. Fields are not
 * right before PART_EXCHANGE where one was set or an image put in.
 *
 *   ADD             a source (1) or a receiver (0): struct stencil, nodes of this part
 *   RUN             steps: drive (sources, steps), or nothing; gives (receivers, steps), or nothing
 *   FILL            seed
 *   EXCHANGE        all parts at once: both levels, after the field was set
 *   SET             level: struct part_value
 *   READ            level << 32 | block of this part: double[BLOCK_NODES]
 *   MEASURE         struct engine_partial, `bad` a pressure index of the whole room
 *   HASH            uint64_t; hashes of parts add up
 *   ENERGY          double, engine_energy() of the part
 *   ABSORBED        double[rows], engine_absorbed() of the part since the last time
 *   FORM            planes of a wall entry in images from now on, 0: as before; gives struct part_form
 *   IMAGE           first block of this part << 32 | the one after the last: their image, given or taken
 *   FLOWS           as part_flows.h has them, given (0) or taken (1); right between parts after both
 *   BEGIN_RECHECK   steps done, before a step that nothing drives: engine_recheck_begin()
 *   END_RECHECK     after it: engine_recheck_end()
 */
#define PART_CALLS(CALL)                                                                                     \
    CALL(ADD, (argument != 0 ? engine_add_source : engine_add_receiver)(engine, in, failure))                \
    CALL(RUN, (engine_run(engine, argument, in, out), 0))                                                    \
    CALL(RESET, (engine_reset(engine), 0))                                                                   \
    CALL(FILL, (engine_fill(engine, argument), 0))                                                           \
    CALL(EXCHANGE, (engine_exchange(engine, 0), engine_exchange(engine, 1), 0))                              \
    CALL(SET, set_value(engine, (int)argument, in))                                                          \
    CALL(READ, (engine_read_level(engine, (int)(argument >> 32), (uint32_t)argument, out), 0))               \
    CALL(MEASURE, measure(server, out))                                                                      \
    CALL(HASH, (*(uint64_t *)out = engine_hash(engine), 0))                                                  \
    CALL(ENERGY, (*(double *)out = engine_energy(engine), 0))                                                \
    CALL(ABSORBED, (engine_absorbed(engine, out), engine_forget_absorbed(engine), 0))                        \
    CALL(FORM, give_form(server, (uint32_t)argument, out))                                                   \
    CALL(IMAGE, move_image(server, argument, in, out, failure))                                              \
    CALL(FLOWS,                                                                                              \
         argument != 0 ? part_flows_take(engine, in, failure) : part_flows_give(engine, out, failure))       \
    CALL(BEGIN_RECHECK, begin_recheck(server, argument))                                                     \
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

struct part_form {
    uint64_t bytes;           /* engine_bytes() */
    uint32_t planes, threads; /* planes of its own wall entries; threads that step it */
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
    uint32_t planes;                /* of a wall entry in the image of the whole room */
    struct engine_recheck *recheck; /* between PART_BEGIN_RECHECK and PART_END_RECHECK */
};

/** `part` is taken, also on failure. Nothing is exchanged before part_server_connect(). Failures as
 * engine_create() and engine_create_walls(). */
int part_server_create(struct part_server **out, struct part_grid *part, const struct part_setup *setup,
                       struct failure *failure);
void part_server_free(struct part_server *server);

/** How values of a step get to the others; as struct engine_halo has it. A device may fail at it: whatever is
 * asked next says so. */
void part_server_connect(struct part_server *server, enum halo_way way, void *context,
                         void (*begin)(void *context), void (*finish)(void *context));

/** Answer. FAILURE_INPUT and FAILURE_MEMORY of sources and receivers; PART_IMAGE fails as
 * part_image_move(), PART_END_RECHECK as engine_recheck_end(), with the part before it; a device that fails,
 * as engine_failed() has it; nothing else fails. */
int part_server_serve(struct part_server *server, const struct part_request *request,
                      struct failure *failure);

#endif
