/** Values from card to card by NCCL, for ranks whose MPI takes no messages in a card's memory: put on the
 * stream on which they are gathered and scattered (HALO_QUEUED), so that no host waits for a step.
 *
 * A table of functions, which is NULL where NCCL was not found at build time.
 */
#ifndef KERNELS_RANK_NCCL_H
#define KERNELS_RANK_NCCL_H

#include "blocks/parts/part_grid.h"
#include "kernels/cuda/device_port.h"

#define RANK_NCCL_ID 128

struct rank_nccl;
/** A pause between two looks of who waits; false: wait no longer, since a rank is lost. */
typedef bool rank_nccl_pause(unsigned *looks);

struct rank_nccl_table {
    /** What the program was built with, as 22703 for 2.27.3. */
    int version;
    /** Rank 0 makes it, all join with it. FAILURE_OUTPUT, as all that follow. */
    int (*id)(char id[RANK_NCCL_ID], struct failure *failure);
    /** All ranks at once, each on a card of its own, that of its port: one for two of them is waited for
     * without end. Fails where not all come within a minute. Borrows the port's stream and buffers. */
    int (*join)(unsigned ranks, unsigned own, const char id[RANK_NCCL_ID], const struct device_port *port,
                rank_nccl_pause *pause, struct rank_nccl **out, struct failure *failure);
    /** Without `whole` it leaves what is under way, as after a rank was lost. */
    void (*free)(struct rank_nccl *nccl, bool whole);

    /** Put the messages of an exchange with the peers of a part on the stream. */
    int (*exchange)(struct rank_nccl *nccl, const struct part_grid *part, unsigned real_bytes,
                    struct failure *failure);
    /** Until the exchange before the newest is over, so that nobody runs far ahead of what may never come. */
    int (*follow)(struct rank_nccl *nccl, rank_nccl_pause *pause, struct failure *failure);
};

#ifdef TRANSEPT_HAS_NCCL
extern const struct rank_nccl_table rank_nccl_found;
#endif

#endif
