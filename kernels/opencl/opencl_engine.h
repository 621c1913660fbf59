/** The part of an engine on an OpenCL device: its members, for the files of this folder.
 *
 * Fields, wall entries, sheets and layers are numbered as on the host. A step is a row of passes, each a
 * kernel over its items; pass_order[] has them in turn. Everything goes through one queue, in order.
 */
#ifndef KERNELS_OPENCL_ENGINE_H
#define KERNELS_OPENCL_ENGINE_H

#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "kernels/cuda/device_engine.h"
#include "kernels/opencl/opencl_device.h"
#include "kernels/scheme/step.h"
#include "kernels/opencl/step_listed.h"
#include "kernels/scheme/air_loss.h"

#define OPENCL_BUFFERS 48
#define OPENCL_GROUP   64 /* work items of a group */
#define OPENCL_COLUMNS 64 /* of a block: work items that step it */

enum opencl_pass_id {
    PASS_FLOW_SHEETS,
    PASS_HOLD_SHEETS,
    PASS_HOLD_LAYER,
    PASS_READ_TAPS,
    PASS_WHOLE,
    PASS_LIST,
    PASS_PUSH_TAPS,
    PASS_PUSH_SHEETS,
    PASS_PUSH_LAYER, /* .. the last of a step without losses of the air */
    PASS_KEEP_SHEETS,
    PASS_AIR,
    PASS_SHIFT_SHEETS,
    PASS_READ_ENDS, /* of links that sheets cut */
    OPENCL_PASSES
};

/** Arguments 0 and 1 of every kernel are u and u_old. */
struct opencl_pass {
    opencl_kernel kernel; /* owned */
    uint64_t items;       /* 0: the pass is left out */
    size_t group;         /* work items of a group; 0: OPENCL_GROUP */
    unsigned arguments;   /* set so far */
};

/** Sources and receivers. Their weights stay on the host, which adds in double. */
struct opencl_taps {
    uint64_t sources, receivers, nodes, pushes; /* nodes of all receivers; pushes of all sources */
    uint64_t batch;                             /* steps between visits of the host */
    uint32_t *receiver_nodes;                   /* (receivers) owned, as all */
    double *receiver_weight;                    /* (nodes) */
    uint32_t *push_source;                      /* (pushes) in the order of struct step_driven */
    double *push_weight;
    void *pushed, *sampled; /* (batch, pushes), (batch, nodes) reals */
    opencl_memory push, sample, driven, node;
};

struct opencl_engine {
    struct device_engine base;
    const struct opencl_card *card;
    opencl_queue queue;        /* owned, as all buffers */
    opencl_queue second_queue; /* of the copy for checkpoints; NULL: no copy yet */
    /* u, u_old, states of the air, of walls, losses. */
    opencl_memory copied[2 + AIR_LOSS_STATES + 2];
    opencl_program program;
    opencl_memory buffer[OPENCL_BUFFERS];
    uint64_t size[OPENCL_BUFFERS]; /* of each [bytes] */
    unsigned buffers;
    uint64_t bytes;
    const struct step_room *room; /* borrowed */
    uint64_t length;
    unsigned real; /* bytes of a real */
    unsigned now;  /* which level is u */
    opencl_memory level[2];
    opencl_memory state, share, loss, material, wall_row; /* NULL without */
    struct opencl_pass pass[OPENCL_PASSES];
    struct opencl_taps taps;
    uint64_t links; /* that sheets cut */
    opencl_memory flows, ends;
    uint64_t layer_nodes, layer_normals;
    opencl_memory filters, taken;
    unsigned every; /* steps between losses of the air; 0: none */
    opencl_memory air[AIR_LOSS_STATES], air_terms;
};

/** Make a buffer of the engine, with a copy of `from`, or zeros where that is NULL. FAILURE_CAPACITY. No
 * bytes: *out is NULL. */
int opencl_make(struct opencl_engine *engine, uint64_t bytes, const void *from, const char *what,
                opencl_memory *out, struct failure *failure);
/** Release one before the engine is freed. */
void opencl_drop(struct opencl_engine *engine, opencl_memory *buffer);

/** Blocking copies, offset and bytes in bytes. */
int opencl_read(struct opencl_engine *engine, opencl_memory from, uint64_t offset, uint64_t bytes, void *to,
                struct failure *failure);
int opencl_write(struct opencl_engine *engine, opencl_memory to, uint64_t offset, uint64_t bytes,
                 const void *from, struct failure *failure);
int opencl_zero(struct opencl_engine *engine, opencl_memory buffer, uint64_t offset, uint64_t bytes,
                struct failure *failure);

/** Begin a pass over `items`; its arguments follow, after u, u_old and `items`. */
int opencl_begin_pass(struct opencl_engine *engine, enum opencl_pass_id id, const char *kernel,
                      uint64_t items, struct failure *failure);
void opencl_argue(struct opencl_engine *engine, enum opencl_pass_id id, size_t bytes, const void *value);
void opencl_argue_memory(struct opencl_engine *engine, enum opencl_pass_id id, opencl_memory buffer);
#define OPENCL_ARGUE(engine, id, ...)                                                                        \
    for (const opencl_memory *of_ = (const opencl_memory[]){__VA_ARGS__},                                    \
                             *end_ = of_ + sizeof((opencl_memory[]){__VA_ARGS__}) / sizeof *of_;             \
         of_ < end_; ++of_)                                                                                  \
    opencl_argue_memory(engine, id, *of_)
void opencl_argue_u64(struct opencl_engine *engine, enum opencl_pass_id id, uint64_t value);
/** Row of each wall entry, branches, stride, states. */
void opencl_argue_walls(struct opencl_engine *engine, enum opencl_pass_id id);
/** Put the pass on the queue, u being level `which` (0: u as it is now). */
int opencl_launch(struct opencl_engine *engine, enum opencl_pass_id id, unsigned which,
                  struct failure *failure);

/** opencl_room.c: the tables of the room and the passes of a step. */
int opencl_send_room(struct opencl_engine *engine, const void *wall_q, struct failure *failure);

/** Drop the copy for checkpoints, of which a part is made anew. */
void opencl_drop_copy(struct opencl_engine *engine);

/** opencl_taps.c; the arguments of device_ops.h. */
int opencl_set_taps(struct device_engine *device, size_t sources, const struct engine_tap *source,
                    size_t receivers, const struct engine_tap *receiver, struct failure *failure);
void opencl_free_taps(struct opencl_engine *engine);
/** Send the pushes of `steps` from step `first` of a run of `all`, and fetch the samples. */
int opencl_send_pushes(struct opencl_engine *engine, uint64_t first, uint64_t steps, uint64_t all,
                       const double *drive, struct failure *failure);
int opencl_fetch_samples(struct opencl_engine *engine, uint64_t first, uint64_t steps, uint64_t all,
                         double *output, struct failure *failure);

/** opencl_lists.c: sheets, layer, losses of the air; the arguments of device_ops.h. */
int opencl_set_sheets(struct device_engine *device, const struct engine_sheets *sheets,
                      struct failure *failure);
int opencl_read_sheets(struct device_engine *device, double (*out)[5], struct failure *failure);
int opencl_write_sheets(struct device_engine *device, const double (*in)[3], struct failure *failure);
int opencl_forget_sheet_losses(struct device_engine *device, struct failure *failure);
int opencl_set_layer(struct device_engine *device, const struct engine_layer *layer, struct failure *failure);
int opencl_move_layer(struct device_engine *device, void *state, void *loss, bool write,
                      struct failure *failure);
int opencl_set_air(struct device_engine *device, const struct air_loss *loss, struct failure *failure);
int opencl_zero_lists(struct opencl_engine *engine, struct failure *failure);

#endif
