/** What a back end does for an engine, as a table of functions: on this machine's processors (engine.c), on a
 * CUDA device (engine_device.c), or in several parts (../parts/engine_in_parts.c). Functions are those of
 * engine.h by the same names, where all that a caller could have wrong has been checked. NULL: the back end
 * has it not.
 */
#ifndef KERNELS_ENGINE_OPS_H
#define KERNELS_ENGINE_OPS_H

#include <stdbool.h>

#include "blocks/block_layout.h"
#include "geometry/base/failure.h"
#include "kernels/scheme/engine_parts.h"

struct engine;

struct engine_ops {
    void (*free)(struct engine *engine);
    /** `found`: pressure indices in the room. */
    int (*add)(struct engine *engine, bool source, const struct stencil *stencil,
               const struct engine_tap *found, struct failure *failure);
    void (*run)(struct engine *engine, uint64_t steps, const double *drive, double *output);
    void (*reset)(struct engine *engine);
    void (*evict)(const struct engine *engine);

    /** Make both levels current on this machine (engine.u, engine.u_old); false when the engine is lost.
     * NULL: the engine has no field of its own here. */
    bool (*fetch)(struct engine *engine);
    /** They are set from now on. NULL: they are the field. */
    void (*map)(struct engine *engine);
    double (*get)(struct engine *engine, int level, uint64_t index, const int64_t node[3]);
    void (*set)(struct engine *engine, int level, uint64_t index, const int64_t node[3], double value);
    /** Of either level, in parts of the newest alone. False when the engine is lost. */
    bool (*read_level)(struct engine *engine, int level, uint32_t block, double values[BLOCK_NODES]);
    void (*fill)(struct engine *engine, uint64_t seed);

    struct engine_partial (*measure)(struct engine *engine);
    double (*energy)(struct engine *engine);
    void (*absorbed)(struct engine *engine, double *absorbed);
    uint64_t (*hash)(struct engine *engine);
    uint64_t (*bytes)(const struct engine *engine);
    uint32_t (*threads)(const struct engine *engine); /* of all parts together */

    /** Of a part of a room (engine_halo.h). */
    void (*join)(struct engine *engine);
    void (*exchange)(struct engine *engine, int level);

    /** engine_image.h, in parts: planes of a wall entry, or 0; the sums of what was absorbed, `*count` of
     * them; and the blocks first .. last-1. NULL: as the engine's own arrays have it. */
    uint32_t (*planes)(const struct engine *engine);
    double *(*sums)(const struct engine *engine, uint32_t *count);
    int (*move_image)(struct engine *engine, bool set, uint32_t first, uint32_t last, void *bytes,
                      struct failure *failure);

    /** engine_recheck.h, in every part: before a step, false where the engine is lost, and after it. NULL:
     * done where it is asked for. */
    bool (*begin_recheck)(struct engine *engine);
    int (*end_recheck)(struct engine *engine, struct failure *failure);
};

extern const struct engine_ops engine_on_host, engine_on_device;

/* What the tables of processors and of a device share. */
void engine_free_here(struct engine *engine);
int engine_add_here(struct engine *engine, bool source, const struct stencil *stencil,
                    const struct engine_tap *found, struct failure *failure);
double engine_get_here(struct engine *engine, int level, uint64_t index, const int64_t node[3]);
void engine_set_here(struct engine *engine, int level, uint64_t index, const int64_t node[3], double value);
bool engine_read_here(struct engine *engine, int level, uint32_t block, double values[BLOCK_NODES]);
void engine_absorbed_here(struct engine *engine, double *absorbed);
uint32_t engine_threads_here(const struct engine *engine);

/* Of processors, where their files have them. */
void engine_fill_on_host(struct engine *engine, uint64_t seed);
struct engine_partial engine_measure_on_host(struct engine *engine);
double engine_energy_on_host(struct engine *engine);
uint64_t engine_hash_on_host(struct engine *engine);
void engine_exchange_on_host(struct engine *engine, int level);

#endif
