/** Values from card to card by NCCL, for ranks whose MPI takes no messages in a card's memory: put on the
 * stream on which they are gathered and scattered (HALO_QUEUED), so that no host waits for a step.
 *
 * Where NCCL was not found at build time (`rank_nccl_absent.c`) nothing but rank_nccl_version() is to be
 * called.
 */
#ifndef KERNELS_RANK_NCCL_H
#define KERNELS_RANK_NCCL_H

#include "blocks/parts/part_grid.h"
#include "kernels/cuda/device_port.h"

/** What the program was built with, as 22703 for 2.27.3; 0: without. */
int rank_nccl_version(void);

#define RANK_NCCL_ID 128
/** Rank 0 makes it, all join with it. FAILURE_OUTPUT, as all that follow. */
int rank_nccl_id(char id[RANK_NCCL_ID], struct failure *failure);

struct rank_nccl;
/** A pause between two looks of who waits; false: wait no longer, since a rank is lost. */
typedef bool rank_nccl_pause(unsigned *looks);

/** All ranks at once, each on a card of its own, that of its port: one for two of them is waited for without
 * end. Fails where not all come within a minute. Borrows the port's stream and buffers. */
int rank_nccl_join(unsigned ranks, unsigned own, const char id[RANK_NCCL_ID], const struct device_port *port,
                   rank_nccl_pause *pause, struct rank_nccl **out, struct failure *failure);
/** NULL is accepted. Without `whole` it leaves what is under way, as after a rank was lost. */
void rank_nccl_free(struct rank_nccl *nccl, bool whole);

/** Put the messages of an exchange with the peers of a part on the stream. */
int rank_nccl_exchange(struct rank_nccl *nccl, const struct part_grid *part, unsigned real_bytes,
                       struct failure *failure);
/** Until the exchange before the newest is over, so that nobody runs far ahead of what may never come. */
int rank_nccl_follow(struct rank_nccl *nccl, rank_nccl_pause *pause, struct failure *failure);

#endif
