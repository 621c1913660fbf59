/** The hosts of the ranks that step a room (kernels/mpi/ranks.h), and their free memory. */
#ifndef KERNELS_ROOM_HOSTS_H
#define KERNELS_ROOM_HOSTS_H

#include "kernels/mpi/ranks.h"

/** A host; its ranks need not follow one another. */
struct room_host {
    char name[RANK_HOST_NAME];
    unsigned first, ranks; /* the lowest rank, and the number of ranks */
    double available;      /* bytes free to all of them together */
    double each;           /* least bytes that one of them may use alone (ulimit -v), without rank 0 */
};

/** Zeroed: one process steps the room. */
struct room_hosts {
    unsigned ranks;
    size_t count;
    struct room_host *host; /* (count) owned; rank 0 is on the first */
};

/** Ask all ranks; does nothing with one rank. FAILURE_CAPACITY for memory. */
int room_hosts_ask(struct room_hosts *out, struct failure *failure);
void room_hosts_free(struct room_hosts *hosts);

/** Collect the ranks of ranks_table->hosts() by host. FAILURE_CAPACITY for memory. */
int room_hosts_of(const struct rank_host *rank, unsigned ranks, struct room_hosts *out,
                  struct failure *failure);

/** The first host without memory for `first` bytes on rank 0 and `each` on each other rank, if ranks may use
 * `share` of the free memory; NULL: none. `missing_alone`: a single rank exceeds its own limit. */
const struct room_host *room_hosts_lacking(const struct room_hosts *hosts, double first, double each,
                                           double share, bool *missing_alone);

/** Bytes that the ranks of a host need. */
double room_host_bytes(const struct room_host *host, double first, double each);

#endif
