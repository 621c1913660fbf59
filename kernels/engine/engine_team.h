/** An engine of several parts (kernels/parts), as engine.c sees it: what engine.h promises of one room is
 * done by others. `room.blocks` of such an engine is the whole room, and it has no field of its own.
 */
#ifndef KERNELS_ENGINE_TEAM_H
#define KERNELS_ENGINE_TEAM_H

#include <stdbool.h>

#include "blocks/block_layout.h"
#include "geometry/base/failure.h"
#include "kernels/scheme/engine_parts.h"

struct engine;

/** Functions of engine.h by the same names, where all that a caller could have wrong is checked. */
struct engine_team {
    void (*free)(struct engine *engine);
    int (*add)(struct engine *engine, bool source, const struct stencil *stencil,
               const struct engine_tap *found,
               struct failure *failure); /* `found`: pressure indices in the whole room */
    void (*run)(struct engine *engine, uint64_t steps, const double *drive, double *output);
    void (*reset)(struct engine *engine);
    double (*get)(struct engine *engine, int level, uint64_t index, const int64_t node[3]);
    void (*set)(struct engine *engine, int level, uint64_t index, const int64_t node[3], double value);
    void (*read_block)(struct engine *engine, uint32_t block, double values[BLOCK_NODES]);
    struct engine_partial (*measure)(struct engine *engine);
    double (*energy)(struct engine *engine);
    void (*absorbed)(struct engine *engine, double *absorbed);
    uint64_t (*hash)(struct engine *engine);
    void (*fill)(struct engine *engine, uint64_t seed);
    uint64_t (*bytes)(const struct engine *engine);
    uint32_t (*threads)(const struct engine *engine); /* of all parts together */

    /** engine_image.h: planes of a wall entry, or 0; the sums of what was absorbed, `*count` of them; and the
     * blocks first .. last-1. */
    uint32_t (*planes)(const struct engine *engine);
    double *(*sums)(const struct engine *engine, uint32_t *count);
    int (*move_image)(struct engine *engine, bool set, uint32_t first, uint32_t last, void *bytes,
                      struct failure *failure);

    /** engine_recheck.h, in every part: before a step, false where the engine is lost, and after it. */
    bool (*doubt)(struct engine *engine);
    int (*trust)(struct engine *engine, struct failure *failure);
};

#endif
