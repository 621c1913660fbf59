/** The order in which threads step blocks several steps at a time, so that pressures are read from memory
 * once for all of these steps.
 *
 * Step t of a block reads step t-1 of the blocks around it: across its faces and edges, and at the other ends
 * of its extra links. It overwrites its own values of step t-2. So it may run once these blocks have made
 * step t-1, and then none of them has made step t+1, since that needs step t of this block. No second copy
 * of the field is needed, and the bits are those of single steps.
 *
 * Each thread has a compact range of blocks. In round 0 it walks along it, and makes further steps of blocks
 * as soon as they may run. What waits for the range of another thread is left for the next round. There are
 * as many rounds as steps, and all threads wait for one another after each:
 *
 *   thread 0   round 0: runs of step 1, 2, 1, 2, 3, .. │ round 1: steps 2 and 3 at its border │ round 2 ..
 *   thread 1   round 0: ..                             │ ..                                   │
 *
 * So every step of a block around a block is made by the same thread earlier, or in an earlier round. The
 * order depends on the grid and the number of threads alone.
 */
#ifndef KERNELS_STEP_FRONTS_H
#define KERNELS_STEP_FRONTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "kernels/scheme/engine_parts.h"

#define FRONT_STEPS_MOST 3

/** Step `step`, from 1, of blocks first .. last-1. */
struct front_run {
    block_id first, last;
    uint8_t step;
    bool driven; /* a source has nodes in them */
};

/** The runs of a thread in a round, in order; owned. */
struct front_list {
    struct front_run *run;
    size_t runs, room;
};

struct step_fronts {
    unsigned steps;          /* and rounds */
    int lists;               /* of each round */
    struct front_list *list; /* (rounds, lists) owned */
    /* Receivers by the block of their first node. All blocks of a receiver count as around each other: when
     * step t of that block is due, the others hold the same step as it, or the next beside it. */
    size_t *receiver;     /* (receivers) owned */
    block_id *read_first; /* (receivers) that block of each; owned */
    size_t sources, receivers;
    _Atomic uint64_t *taken; /* (lists) the phase in which each was begun last, counted from 1; owned */
};

/** Nodes of sources and receivers in pressure arrays of blocks; borrowed. */
struct front_taps {
    size_t sources, receivers;
    const struct engine_tap *source, *receiver;
};

/** Make the order for 2 .. FRONT_STEPS_MOST steps, a list for each thread. False without memory, or if there
 * are more lists than blocks; `out` may then be freed. O(blocks x steps), shared by the threads; some bytes a
 * block. */
bool step_fronts_make(const struct block_grid *grid, const struct front_taps *taps, int lists, unsigned steps,
                      struct step_fronts *out);
void step_fronts_free(struct step_fronts *fronts);

/** Share of the steps of blocks that are made after the first round. O(runs). */
double step_fronts_late(const struct step_fronts *fronts);

static inline struct front_list *step_fronts_list(const struct step_fronts *fronts, unsigned round, int list)
{
    return &fronts->list[round * (unsigned)fronts->lists + (unsigned)list];
}

/** Begin a list in a phase (step_barrier.h). False if a thread has begun it, or if that phase is over. */
static inline bool step_fronts_take(struct step_fronts *fronts, int list, uint64_t phase)
{
    uint64_t seen = atomic_load_explicit(&fronts->taken[list], memory_order_relaxed);
    return seen <= phase &&
           atomic_compare_exchange_strong_explicit(&fronts->taken[list], &seen, phase + 1,
                                                   memory_order_relaxed, memory_order_relaxed);
}

#endif
