#include "kernels/mpi/room_hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef TRANSEPT_HAS_MPI
extern const struct ranks_table ranks_of_mpi;
const struct ranks_table *const ranks_table = &ranks_of_mpi;
#else
const struct ranks_table *const ranks_table = NULL;
#endif

static struct room_host *host_of(struct room_hosts *hosts, const struct rank_host *rank, unsigned number)
{
    for (size_t h = 0; h < hosts->count; h++)
        if (strcmp(hosts->host[h].name, rank->name) == 0)
            return &hosts->host[h];
    struct room_host *const host = &hosts->host[hosts->count++];
    *host = (struct room_host){.first = number, .each = INFINITY};
    memcpy(host->name, rank->name, sizeof host->name);
    return host;
}

int room_hosts_of(const struct rank_host *rank, unsigned ranks, struct room_hosts *out,
                  struct failure *failure)
{
    struct room_hosts hosts = {.ranks = ranks, .host = calloc(ranks, sizeof *hosts.host)};
    if (hosts.host == NULL)
        return failure_memory(failure, ranks * sizeof *hosts.host, "the hosts of ranks");
    for (unsigned n = 0; n < ranks; n++) {
        struct room_host *const host = host_of(&hosts, &rank[n], n);
        host->ranks++;
        /* Ranks may be in control groups with limits of their own, so one of them may see less. */
        host->available = fmax(host->available, (double)rank[n].shared);
        if (n > 0)
            host->each = fmin(host->each, (double)rank[n].own);
    }
    *out = hosts;
    return 0;
}

int room_hosts_ask(struct room_hosts *out, struct failure *failure)
{
    const unsigned ranks = ranks_count();
    if (ranks < 2)
        return 0;
    struct rank_host *const rank = calloc(ranks, sizeof *rank);
    if (rank == NULL)
        return failure_memory(failure, ranks * sizeof *rank, "the hosts of ranks");
    ranks_table->hosts(rank);
    const int code = room_hosts_of(rank, ranks, out, failure);
    free(rank);
    return code;
}

void room_hosts_free(struct room_hosts *hosts)
{
    free(hosts->host);
    *hosts = (struct room_hosts){0};
}

double room_host_bytes(const struct room_host *host, double first, double each)
{
    return host->first == 0 ? first + (host->ranks - 1) * each : host->ranks * each;
}

const struct room_host *room_hosts_lacking(const struct room_hosts *hosts, double first, double each,
                                           double share, bool *missing_alone)
{
    for (size_t h = 0; h < hosts->count; h++) {
        const struct room_host *const host = &hosts->host[h];
        *missing_alone = !(each <= share * host->each);
        if (*missing_alone || !(room_host_bytes(host, first, each) <= share * host->available))
            return host;
    }
    return NULL;
}
