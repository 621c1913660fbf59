/** A room stepped in parts, as one engine with all functions of engine.h.
 *
 *   engine_in_parts()                                              part_server, one for each part
 *   grid of the whole room, sources, receivers   ── part_link ──>  engine of the part
 *
 * Fields and outputs are bit for bit those of one part: the same kernels step the nodes, and a receiver whose
 * nodes are in several parts is summed here in the order of its stencil. Energy, ledger and the sums of
 * engine_health() are added over the parts, so they are equal to rounding.
 */
#ifndef KERNELS_ENGINE_IN_PARTS_H
#define KERNELS_ENGINE_IN_PARTS_H

#include "kernels/engine/engine.h"
#include "kernels/parts/part_server.h"

/** The connection to the parts. */
struct part_link {
    void *context;
    unsigned parts;
    const char *what; /* "parts", for engine_description() */
    bool here;        /* the parts are in this process */
    /** Give part p its grid, the last part first. Takes the grid, also on failure. May return before the part
     * is made; a later call then reports its failure. */
    int (*start)(void *context, unsigned p, struct part_grid *part, const struct part_setup *setup,
                 struct failure *failure);
    /** Wait until all parts are made. */
    int (*started)(void *context, struct failure *failure);
    /** Let part first + n serve request[n], n < count, all at the same time. */
    int (*ask)(void *context, const struct part_request *request, unsigned first, unsigned count,
               struct failure *failure);
    /** End all parts and free `context`. */
    void (*end)(void *context);
};

/** Divide a room and make its engine. LAYOUT_BLOCKS. `blocks` is borrowed and must outlive the engine. If
 * setup->spare is not NULL, it is the same grid and is thinned; parts are cut and sent one at a time, so that
 * there is at most one beside it. `link` is copied and ended with the engine, also on failure. Failures as
 * engine_create_walls(), partition_make(), and of the link. */
int engine_in_parts(struct engine **out, const struct block_grid *blocks, const struct part_setup *setup,
                    double wall_cost, const struct part_link *link, struct failure *failure);

#endif
