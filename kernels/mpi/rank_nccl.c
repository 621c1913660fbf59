#include "kernels/mpi/rank_nccl.h"

#include <assert.h>
#include <nccl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/cuda/device_table.h"
#include "kernels/engine/engine_back_ends.h"

#define JOIN_SECONDS 60

struct rank_nccl {
    ncclComm_t comm;
    struct device_port port;
    void *over[2]; /* signals: exchange n, at n & 1 */
    uint64_t exchanges;
};

static int check_result(ncclResult_t result, struct failure *failure)
{
    if (result == ncclSuccess || result == ncclInProgress)
        return 0;
    return failure_set(failure, FAILURE_OUTPUT, "NCCL cannot exchange values between GPUs: %s",
                       ncclGetErrorString(result));
}

static int make_id(char id[RANK_NCCL_ID], struct failure *failure)
{
    ncclUniqueId made;
    static_assert(sizeof made == RANK_NCCL_ID, "an identity travels as bytes");
    TRY(check_result(ncclGetUniqueId(&made), failure));
    memcpy(id, &made, sizeof made);
    return 0;
}

/* Wait for the calls of a communicator that does not block. */
static int await_calls(struct rank_nccl *nccl, rank_nccl_pause *pause, time_t seconds,
                       struct failure *failure)
{
    struct timespec begun, now;
    unsigned looks = 0;
    ncclResult_t state = ncclInProgress;
    (void)clock_gettime(CLOCK_MONOTONIC, &begun);
    for (;;) {
        TRY(check_result(ncclCommGetAsyncError(nccl->comm, &state), failure));
        if (state != ncclInProgress)
            return check_result(state, failure);
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        if (!pause(&looks) || now.tv_sec - begun.tv_sec > seconds)
            return failure_set(failure, FAILURE_OUTPUT,
                               "NCCL could not connect all ranks: one does not answer");
    }
}

static int join_all(struct rank_nccl *nccl, unsigned ranks, unsigned own, const char id[RANK_NCCL_ID],
                    rank_nccl_pause *pause, struct failure *failure)
{
    ncclUniqueId all;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    memcpy(&all, id, sizeof all);
    config.blocking = 0;
    TRY(back_ends_built.device[BACKEND_CUDA]->signal_make(
        nccl->port.card, &nccl->over[0], failure)); /* this also makes the device current in this thread */
    TRY(back_ends_built.device[BACKEND_CUDA]->signal_make(nccl->port.card, &nccl->over[1], failure));
    TRY(check_result(ncclCommInitRankConfig(&nccl->comm, (int)ranks, all, (int)own, &config), failure));
    return await_calls(nccl, pause, JOIN_SECONDS, failure);
}

static void free_communicator(struct rank_nccl *nccl, bool whole)
{
    if (nccl->comm != NULL && whole)
        (void)ncclCommDestroy(nccl->comm);
    else if (nccl->comm != NULL)
        (void)ncclCommAbort(nccl->comm);
    back_ends_built.device[BACKEND_CUDA]->signal_free(nccl->over[0]);
    back_ends_built.device[BACKEND_CUDA]->signal_free(nccl->over[1]);
    free(nccl);
}

static int join_ranks(unsigned ranks, unsigned own, const char id[RANK_NCCL_ID],
                      const struct device_port *port, rank_nccl_pause *pause, struct rank_nccl **out,
                      struct failure *failure)
{
    struct rank_nccl *const nccl = calloc(1, sizeof *nccl);
    *out = NULL;
    if (nccl == NULL)
        return failure_memory(failure, sizeof *nccl, "messages between cards");
    nccl->port = *port;
    const int code = join_all(nccl, ranks, own, id, pause, failure);
    if (code == 0)
        *out = nccl;
    else
        free_communicator(nccl, false);
    return code;
}

static int put_messages(const struct rank_nccl *nccl, const struct part_grid *part, unsigned real,
                        struct failure *failure)
{
    const struct device_port *const port = &nccl->port;
    const char *const out = port->out[nccl->exchanges & 1];
    TRY(check_result(ncclGroupStart(), failure));
    int code = 0;
    for (unsigned n = 0; code == 0 && n < part->peers; n++) {
        const struct part_peer *const peer = &part->peer[n];
        code = check_result(ncclRecv(port->in + peer->receive * real, peer->receives * real, ncclChar,
                                     (int)peer->part, nccl->comm, port->stream),
                            failure);
        if (code == 0)
            code = check_result(ncclSend(out + peer->send * real, peer->sends * real, ncclChar,
                                         (int)peer->part, nccl->comm, port->stream),
                                failure);
    }
    const int ended = check_result(ncclGroupEnd(), code == 0 ? failure : NULL);
    return code != 0 ? code : ended;
}

static int exchange_values(struct rank_nccl *nccl, const struct part_grid *part, unsigned real_bytes,
                           struct failure *failure)
{
    TRY(put_messages(nccl, part, real_bytes, failure));
    nccl->exchanges++;
    return 0;
}

static int await_exchange(struct rank_nccl *nccl, rank_nccl_pause *pause, struct failure *failure)
{
    unsigned looks = 0;
    TRY(await_calls(nccl, pause, JOIN_SECONDS, failure)); /* after this the messages are on the stream */
    TRY(back_ends_built.device[BACKEND_CUDA]->signal_send(&nccl->port, nccl->over[nccl->exchanges & 1],
                                                          failure));
    for (bool passed = nccl->exchanges < 2; !passed;) {
        TRY(back_ends_built.device[BACKEND_CUDA]->signal_passed(nccl->over[(nccl->exchanges + 1) & 1],
                                                                &passed, failure));
        if (!passed && !pause(&looks))
            return failure_set(failure, FAILURE_OUTPUT, "a rank is lost");
    }
    return 0;
}

const struct rank_nccl_table rank_nccl_found = {.version = NCCL_VERSION_CODE,
                                                .id = make_id,
                                                .join = join_ranks,
                                                .free = free_communicator,
                                                .exchange = exchange_values,
                                                .follow = await_exchange};
