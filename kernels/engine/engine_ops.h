/** The operations of a back end, as a table: on the CPU (engine_host.c), on a CUDA device (engine_device.c),
 * or in several parts (../parts/engine_in_parts.c). They implement the functions of the same names in
 * engine.h, which check the arguments first. NULL: the back end does not have the operation. Files that need
 * other operations of a device call them directly (engine_ask.h).
 */
#ifndef KERNELS_ENGINE_OPS_H
#define KERNELS_ENGINE_OPS_H

#include <stdbool.h>

#include "blocks/block_layout.h"
#include "geometry/base/failure.h"
#include "kernels/scheme/engine_parts.h"

struct air_loss;
struct engine;
struct engine_image;
struct engine_materials;
struct engine_port_system;

struct engine_ops {
    /** Make the field at rest, wall coefficients, sheets and layer. Options, room and walls are set. NULL:
     * made elsewhere. */
    int (*start)(struct engine *engine, const struct engine_materials *materials, struct failure *failure);
    void (*free)(struct engine *engine);
    /** `found`: pressure indices in the room. */
    int (*add)(struct engine *engine, bool source, const struct stencil *stencil,
               const struct engine_tap *found, struct failure *failure);
    void (*run)(struct engine *engine, uint64_t steps, const double *drive, double *output);
    void (*reset)(struct engine *engine);
    void (*evict)(const struct engine *engine);
    /** Make the states of these losses of the air; there may be none. */
    int (*make_air)(struct engine *engine, const struct air_loss *loss, struct failure *failure);

    /** Copy both levels to the host (engine.u, engine.u_old) if they are newer elsewhere. False if the engine
     * is lost. NULL: the engine has no field on the host. */
    bool (*fetch)(struct engine *engine);
    /** map: the levels on the host may be set from now on. send: copy them to the device, if they were set;
     * false if the engine is lost. NULL: the levels on the host are the field. */
    void (*map)(struct engine *engine);
    bool (*send)(struct engine *engine);
    double (*get)(struct engine *engine, int level, uint64_t index, const int64_t node[3]);
    void (*set)(struct engine *engine, int level, uint64_t index, const int64_t node[3], double value);
    /** False when the engine is lost. */
    bool (*read_level)(struct engine *engine, int level, uint32_t block, double values[BLOCK_NODES]);
    void (*fill)(struct engine *engine, uint64_t seed);

    struct engine_partial (*measure)(struct engine *engine);
    double (*energy)(struct engine *engine);
    void (*absorbed)(struct engine *engine, double *absorbed);
    uint64_t (*hash)(struct engine *engine);
    uint64_t (*bytes)(const struct engine *engine);
    uint32_t (*threads)(const struct engine *engine); /* of all parts together */

    /** Of a part of a room (engine_halo.h). */
    void (*exchange)(struct engine *engine, int level);

    /** engine_image.h, for rooms in parts: planes of a wall entry, or 0; the `*count` sums of absorbed
     * energy; the blocks first .. last-1. NULL: from the engine's own arrays. */
    uint32_t (*planes)(const struct engine *engine);
    double *(*sums)(const struct engine *engine, uint32_t *count);
    int (*move_image)(struct engine *engine, bool set, uint32_t first, uint32_t last, void *bytes,
                      struct failure *failure);
    /** Begin an image. NULL: move_image moves it. */
    int (*open_image)(struct engine_image *image, struct failure *failure);
    /** The second copy of engine_image_open_copy(); false without memory. NULL: not supported. */
    bool (*copy_image)(struct engine_image *image);

    /** engine_port.h, for rooms in parts: find the nodes in their parts; *apart true if one of these steps
     * the system. NULL: they are here. */
    int (*join_port)(struct engine *engine, size_t count, const int64_t (*node)[3],
                     const struct engine_port_system *system, bool *apart, struct failure *failure);

    /** engine_recheck.h, in every part: before a step (false if the engine is lost) and after it. NULL: the
     * engine checks itself. */
    bool (*begin_recheck)(struct engine *engine);
    int (*end_recheck)(struct engine *engine, struct failure *failure);
};

extern const struct engine_ops engine_on_host, engine_on_device;

/* Losses of the air (engine_air.c) between steps on processors: set states of the values begin .. end-1 to 0;
 * whether the step of that number, from 0, ends with losses; these values of u (step n) and u_new. */
int engine_make_air_on_host(struct engine *engine, const struct air_loss *loss, struct failure *failure);
void engine_free_air(struct engine *engine);
uint64_t engine_air_bytes(const struct engine *engine);
void engine_zero_air(const struct engine *engine, uint64_t begin, uint64_t end);
bool engine_air_is_due(const struct engine *engine, uint64_t step);
void engine_step_air(const struct engine *engine, void *u, void *u_new, uint64_t begin, uint64_t end);
/* u (0), u_old (1), a state of the losses (2 on), on the host; NULL: a state on a device. */
void *engine_level(const struct engine *engine, unsigned level);

/* Shared by the tables of the CPU and of a device (engine_here.c). */
void engine_describe(struct engine *engine, const char *name, const char *threads);
void engine_free_here(struct engine *engine);
int engine_add_here(struct engine *engine, bool source, const struct stencil *stencil,
                    const struct engine_tap *found, struct failure *failure);
double engine_get_here(struct engine *engine, int level, uint64_t index, const int64_t node[3]);
void engine_set_here(struct engine *engine, int level, uint64_t index, const int64_t node[3], double value);
bool engine_read_here(struct engine *engine, int level, uint32_t block, double values[BLOCK_NODES]);
void engine_absorbed_here(struct engine *engine, double *absorbed);
uint32_t engine_threads_here(const struct engine *engine);

/* Of a device (engine_image.c). */
int engine_open_image_on_device(struct engine_image *image, struct failure *failure);
bool engine_copy_image_on_device(struct engine_image *image);

/* Of the CPU, in the files of their subjects. */
int engine_open_image_on_host(struct engine_image *image, struct failure *failure);
bool engine_copy_image_on_host(struct engine_image *image);
void engine_fill_on_host(struct engine *engine, uint64_t seed);
struct engine_partial engine_measure_on_host(struct engine *engine);
double engine_energy_on_host(struct engine *engine);
uint64_t engine_hash_on_host(struct engine *engine);
void engine_exchange_on_host(struct engine *engine, int level);

#endif
