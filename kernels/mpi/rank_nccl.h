/** Exchange of values between devices by NCCL, for ranks whose MPI cannot read device memory. Messages are on
 * the stream that gathers and scatters the values (HALO_QUEUED), so the host does not wait for a step.
 *
 * A table of functions; NULL without NCCL at build time.
 */
#ifndef KERNELS_RANK_NCCL_H
#define KERNELS_RANK_NCCL_H

#include "blocks/parts/part_grid.h"
#include "kernels/cuda/device_port.h"

#define RANK_NCCL_ID 128

struct rank_nccl;
/** Pause between two tests; false: stop waiting, since a rank is lost. */
typedef bool rank_nccl_pause(unsigned *looks);

struct rank_nccl_table {
    /** The version that the program was built with, as 22703 for 2.27.3. */
    int version;
    /** Rank 0 makes an identity; all join with it. FAILURE_OUTPUT, like all functions here. */
    int (*id)(char id[RANK_NCCL_ID], struct failure *failure);
    /** Join all ranks at once, each on a device of its own, that of its port; NCCL never returns if two ranks
     * share one. Fails if not all ranks join within a minute. Borrows the stream and buffers of the port. */
    int (*join)(unsigned ranks, unsigned own, const char id[RANK_NCCL_ID], const struct device_port *port,
                rank_nccl_pause *pause, struct rank_nccl **out, struct failure *failure);
    /** Without `whole` it abandons messages on their way, as after a rank was lost. */
    void (*free)(struct rank_nccl *nccl, bool whole);

    /** Put the messages of an exchange with the peers of a part on the stream. */
    int (*exchange)(struct rank_nccl *nccl, const struct part_grid *part, unsigned real_bytes,
                    struct failure *failure);
    /** Wait for the exchange before the newest, so that no host runs far ahead of a lost rank. */
    int (*follow)(struct rank_nccl *nccl, rank_nccl_pause *pause, struct failure *failure);
};

#ifdef TRANSEPT_HAS_NCCL
extern const struct rank_nccl_table rank_nccl_found;
#endif

#endif
