/** Who steps which units: each thread its share, in pieces, and then pieces of the threads that are behind.
 *
 * Shares are equal in number, but a block at a wall takes three times as long as one of open air, and a
 * thread may be kept from its processor; whoever is done takes on what is left. The same thread begins the
 * same share in every step, so that what a core's own cache holds, or the memory next to it, is used again.
 * Bits do not depend on who steps what (step.h). A box is stepped in tiles that span its planes, so there a
 * share is one piece.
 */
#ifndef KERNELS_ENGINE_SHARE_H
#define KERNELS_ENGINE_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** How far a thread's share is: the first unit that nobody has taken, in steps of either parity. */
struct engine_share {
    _Alignas(128) _Atomic uint64_t next[2];
};

struct engine;

/** Part `thread` of `threads` of the units of the engine's layout: contiguous, in order, disjoint, complete.
 */
void engine_share_of(const struct engine *engine, int thread, int threads, uint64_t *first, uint64_t *last);

/** Lay out the thread's share for the steps of a parity, while no thread is in one of them; all must know of
 * it before the first is. */
void engine_share_open(struct engine *engine, int thread, int threads, unsigned parity);

/** Take units first .. last-1 of a step: of the thread's own share, else of another's. False when all are
 * taken. */
bool engine_share_take(struct engine *engine, int thread, int threads, unsigned parity, uint64_t *first,
                       uint64_t *last);

#endif
