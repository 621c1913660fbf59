/** One part of a room being stepped, and what can be asked of it. Whoever holds the whole room
 * (engine_in_parts.h) asks; parts are in the same process (local_parts.h) or in others (src/path, MPI), and
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

/** Calls of engine.h and of what stands on it that go to a part; answers are written to `out`. */
enum part_order {
    PART_ADD, /* argument: a source (1) or a receiver (0). in: struct stencil, nodes of this part */
    PART_RUN, /* argument: steps. in: drive (sources, steps), or nothing; out: (receivers, steps), or nothing
               */
    PART_RESET,    /* */
    PART_FILL,     /* argument: seed */
    PART_EXCHANGE, /* all parts at once: both levels, after the field was set */
    PART_GET,      /* argument: level. in: lattice node int64_t[3]; out: double */
    PART_SET,      /* argument: level. in: struct part_value */
    PART_READ,     /* argument: block of this part. out: double[BLOCK_NODES] */
    PART_MEASURE,  /* out: struct engine_partial, `bad` a pressure index of the whole room */
    PART_HASH,     /* out: uint64_t; hashes of parts add up */
    PART_ENERGY,   /* out: double, engine_energy() of the part */
    PART_ABSORBED, /* out: double[rows], engine_absorbed() of the part since the last time */
    PART_FORM,  /* argument: planes of a wall entry in images from now on, 0: as before. out: struct part_form
                 */
    PART_IMAGE, /* argument: first block of this part << 32 | the one after the last. The image of these, to
                   `out`, or set from `in`: then ghosts are not right before PART_EXCHANGE */
    PART_FLOWS, /* as part_flows.h has them, given to `out` (argument 0) or taken from `in` (1); those between
                   parts are not right before both */
    PART_BEGIN_RECHECK, /* argument: steps done. Before a step that nothing drives: engine_recheck_begin() */
    PART_END_RECHECK,   /* after it: engine_recheck_end() */
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
