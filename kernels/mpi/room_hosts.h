/** The hosts of the ranks that step a room (kernels/mpi/ranks.h), and the memory that can be had there. */
#ifndef KERNELS_ROOM_HOSTS_H
#define KERNELS_ROOM_HOSTS_H

#include "kernels/mpi/ranks.h"

/** Ranks first .. and others between them; `ranks` in all. */
struct room_host {
    char name[RANK_HOST_NAME];
    unsigned first, ranks;
    double available; /* bytes that all of them share */
    double each;      /* that the one with the least can have alone (ulimit -v), rank 0 left out */
};

/** Zeroed: one process steps the room. */
struct room_hosts {
    unsigned ranks;
    size_t count;
    struct room_host *host; /* (count) owned; rank 0 is on the first */
};

/** Ask all ranks; nothing where there is one. FAILURE_MEMORY. */
int room_hosts_ask(struct room_hosts *out, struct failure *failure);
void room_hosts_free(struct room_hosts *hosts);

/** What ranks_hosts() found, by host. FAILURE_MEMORY. */
int room_hosts_of(const struct rank_host *rank, unsigned ranks, struct room_hosts *out,
                  struct failure *failure);

/** The first host that lacks memory for so many bytes on rank 0 and on each of the others when ranks may take
 * `share` of what there is; NULL: all have it. `missing_alone`: one rank alone takes more than it may have.
 */
const struct room_host *room_hosts_lacking(const struct room_hosts *hosts, double first, double each,
                                           double share, bool *missing_alone);

/** Bytes that the ranks of a host take. */
double room_host_bytes(const struct room_host *host, double first, double each);

#endif
