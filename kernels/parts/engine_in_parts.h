/** A room stepped in parts, as one engine: everything of engine.h, whatever their number.
 *
 *   engine_in_parts()  the whole room's grid, sources, receivers ── part_link ──> part_server, one for each
 * part
 *
 * Fields and outputs have the bits of one part: nodes are stepped by the same kernels, and receivers whose
 * nodes are in several parts are summed here in their stencil's order. Energy, ledger and sums of
 * engine_health() are added up over the parts, so they equal those of one part to rounding.
 */
#ifndef KERNELS_ENGINE_IN_PARTS_H
#define KERNELS_ENGINE_IN_PARTS_H

#include "kernels/engine/engine.h"
#include "kernels/parts/part_server.h"

/** How parts are reached. */
struct part_link {
    void *context;
    unsigned parts;
    const char *what; /* "parts", for engine_description() */
    /** Part p gets its grid, which is taken, also on failure; the last one first. It may go on with it after
     * this has returned; what failed then is told by the next. */
    int (*start)(void *context, unsigned p, struct part_grid *part, const struct part_setup *setup,
                 struct failure *failure);
    /** All parts have been started: wait for them. */
    int (*started)(void *context, struct failure *failure);
    /** Part first + n serves request[n], n < count; all at the same time. */
    int (*ask)(void *context, const struct part_request *request, unsigned first, unsigned count,
               struct failure *failure);
    /** The room is over, and so is `context`. */
    void (*end)(void *context);
};

/** `blocks` is borrowed and must outlive the engine; with setup->spare, which must be the same grid, it is
 * thin from then on, and parts are cut and sent one at a time, so that beside it there is never more than
 * one. `link` is copied, and ended with the engine, also on failure. LAYOUT_BLOCKS; on
 * cards or processors as the link has them. Failures as engine_create_walls(), partition_make(), and of the
 * link.
 */
int engine_in_parts(struct engine **out, const struct block_grid *blocks, const struct part_setup *setup,
                    double wall_cost, const struct part_link *link, struct failure *failure);

#endif
