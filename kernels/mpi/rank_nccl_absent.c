/* In place of rank_nccl.c where NCCL was not found. */
#include <assert.h>

#include "kernels/mpi/rank_nccl.h"

int rank_nccl_version(void)
{
    return 0;
}

static int never(void)
{
    assert(false);
    return FAILURE_OUTPUT;
}

int rank_nccl_id(char id[RANK_NCCL_ID], struct failure *failure)
{
    (void)id;
    (void)failure;
    return never();
}

int rank_nccl_join(unsigned ranks, unsigned own, const char id[RANK_NCCL_ID], const struct device_port *port,
                   rank_nccl_pause *pause, struct rank_nccl **out, struct failure *failure)
{
    (void)ranks;
    (void)own;
    (void)id;
    (void)port;
    (void)pause;
    (void)out;
    (void)failure;
    return never();
}

void rank_nccl_free(struct rank_nccl *nccl, bool whole)
{
    (void)nccl;
    (void)whole;
    assert(nccl == NULL);
}

int rank_nccl_exchange(struct rank_nccl *nccl, const struct part_grid *part, unsigned real_bytes,
                       struct failure *failure)
{
    (void)nccl;
    (void)part;
    (void)real_bytes;
    (void)failure;
    return never();
}

int rank_nccl_follow(struct rank_nccl *nccl, rank_nccl_pause *pause, struct failure *failure)
{
    (void)nccl;
    (void)pause;
    (void)failure;
    return never();
}
