/** The units that each thread steps: its own share, in pieces, and then pieces of slower threads.
 *
 * Shares have equal numbers of units, but a block at a wall takes three times as long as one in open air, and
 * the system may suspend a thread. Each thread begins the same share in every step, so that it finds its data
 * in its cache and in the nearest memory. The bits do not depend on the thread (step.h). A box is stepped in
 * tiles that span its planes, so its share is one piece.
 */
#ifndef KERNELS_ENGINE_SHARE_H
#define KERNELS_ENGINE_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** The last step in which pieces of a share were taken, and how many; starts as 0. */
struct engine_share {
    _Alignas(128) _Atomic uint64_t taken;
};

/** Units first .. last-1 of the share of thread `share`. */
struct engine_piece {
    uint64_t first, last;
    int share;
    bool opens; /* the first piece of its share in this step */
};

struct engine;

/** Part `thread` of `threads` of the units of the engine's layout: contiguous, in order, disjoint, complete.
 */
void engine_share_of(const struct engine *engine, int thread, int threads, uint64_t *first, uint64_t *last);

/** Take a piece of a step: of the thread's own share, else of another's. False when all are taken, or when
 * that step is over. Steps count from 0 over the life of an engine. */
bool engine_share_take(struct engine *engine, int thread, int threads, uint64_t step,
                       struct engine_piece *piece);

#endif
