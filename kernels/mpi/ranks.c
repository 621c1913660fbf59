#include "kernels/mpi/ranks.h"

#include <limits.h>
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks/parts/part_arrays.h"
#include "kernels/cuda/base/device.h"
#include "kernels/cuda/device_engine.h"
#include "kernels/cuda/device_port.h"
#include "kernels/engine/engine_back_ends.h"
#include "kernels/engine/engine_state.h"
#include "kernels/machine/machine_memory.h"
#include "kernels/mpi/rank_messages.h"
#include "kernels/mpi/rank_nccl.h"

#ifdef TRANSEPT_HAS_NCCL
static const struct rank_nccl_table *const nccl = &rank_nccl_found;
#else
static const struct rank_nccl_table *const nccl = NULL;
#endif

/* Orders beside those of part_server.h. */
enum { RANK_START = PART_ORDERS, RANK_CHECK, RANK_JOIN, RANK_HOST, RANK_STOP, RANK_WORD, RANK_END };

struct order {
    int order;
    uint64_t argument, in_bytes, out_bytes;
};

/* ---- MPI itself ---------------------------------------------------------------------------------------- */

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

#if defined(OMPI_MAJOR_VERSION)
#define LIBRARY                                                                                              \
    "Open MPI " STRING(OMPI_MAJOR_VERSION) "." STRING(OMPI_MINOR_VERSION) "." STRING(OMPI_RELEASE_VERSION)
#elif defined(MPICH_VERSION)
#define LIBRARY "MPICH " MPICH_VERSION
#else
#define LIBRARY "MPI " STRING(MPI_VERSION) "." STRING(MPI_SUBVERSION)
#endif

static int nccl_version(void)
{
    return nccl != NULL ? nccl->version : 0;
}

/* Number of processes that were started together, from the environment of the launcher; 1 without one. */
static long count_expected(void)
{
    static const char *const size[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
        const char *const text = getenv(size[n]);
        const long count = text != NULL ? strtol(text, NULL, 10) : 1;
        if (count > 1)
            return count;
    }
    return 1;
}

static bool expect_several(void)
{
    return count_expected() > 1;
}

static int start_mpi(int *argc, char ***argv, struct failure *failure)
{
    int level = 0;
    /* Without a launcher Open MPI would start a daemon and make a folder that are not needed. */
    (void)setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_FUNNELED)
        return failure_set(failure, FAILURE_CAPACITY, "MPI (%s) cannot be started for a program with threads",
                           LIBRARY);
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    /* With an mpirun or srun of another MPI every process is alone, and all would do the same. */
    if (rank_count() == 1)
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "this is one of %ld processes that were started together, but %s sees no other",
                        count_expected(), LIBRARY),
            failure, ADVICE_OWN_MPIRUN, 0);
    return rank_meet(failure);
}

/* ---- devices ------------------------------------------------------------------------------------------- */

static unsigned number_on_host(void)
{
    static const char *const number[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK",
                                         "SLURM_LOCALID"};
    for (size_t n = 0; n < sizeof number / sizeof *number; n++) {
        const char *const text = getenv(number[n]);
        if (text != NULL && *text != '\0')
            return (unsigned)strtoul(text, NULL, 10);
    }
    return rank_own();
}

/* True if MPI accepts messages in device memory. */
static bool takes_device_memory(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;
#elif defined(MPIX_GPU_SUPPORT_CUDA)
    int takes = 0;
    return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &takes) == MPI_SUCCESS && takes != 0;
#else
    return false;
#endif
}

/* ---- values of a step ---------------------------------------------------------------------------------- */

/* The part of a rank. */
struct rank_part {
    struct part_server *server;
    MPI_Request *request; /* (2 peers) */
    MPI_Status *status;   /* likewise */
    enum halo_way way;    /* unless HALO_HOST, messages are read from and written to .. */
    struct device_port port;
    struct rank_nccl *nccl; /* with HALO_QUEUED */
    uint64_t step;          /* exchanges until now */
};

static void begin_exchange(void *context)
{
    struct rank_part *const part = context;
    const struct part_server *const server = part->server;
    const unsigned peers = server->part.peers, real = server->real_bytes;
    if (rank_is_over())
        return;
    const bool device = part->way == HALO_DEVICE;
    char *const in = device ? part->port.in : server->in;
    const char *const out = device ? part->port.out[part->step & 1] : server->out;
    part->step++;
    for (unsigned n = 0; n < peers; n++) {
        const struct part_peer *const peer = &server->part.peer[n];
        rank_must(MPI_Irecv(in + peer->receive * real, (int)(peer->receives * real), MPI_BYTE,
                            (int)peer->part, RANK_TAG_VALUES, MPI_COMM_WORLD, &part->request[n]));
    }
    for (unsigned n = 0; n < peers; n++) {
        const struct part_peer *const peer = &server->part.peer[n];
        rank_must(MPI_Isend(out + peer->send * real, (int)(peer->sends * real), MPI_BYTE, (int)peer->part,
                            RANK_TAG_VALUES, MPI_COMM_WORLD, &part->request[peers + n]));
    }
}

static void finish_exchange(void *context)
{
    const struct rank_part *const part = context;
    rank_wait_for_all((int)(2 * part->server->part.peers), part->request, part->status,
                      RANK_PAUSE_FOR_VALUES);
    part->server->engine->stopped = rank_is_over();
}

static bool pause_for_cards(unsigned *looks)
{
    rank_wait_a_while(looks, RANK_PAUSE_FOR_VALUES);
    return !rank_is_over();
}

/* A failure here is a failure of the engine, which must not use values that have not arrived. */
static void note_failure(const struct rank_part *part, int code, struct failure *inner)
{
    if (code != 0)
        (void)engine_keep(part->server->engine, code, inner);
}

static void begin_queued(void *context)
{
    const struct rank_part *const part = context;
    struct failure inner = {0};
    if (!rank_is_over() && engine_failed(part->server->engine, NULL) == 0)
        note_failure(part, nccl->exchange(part->nccl, &part->server->part, part->server->real_bytes, &inner),
                     &inner);
}

static void finish_queued(void *context)
{
    const struct rank_part *const part = context;
    struct failure inner = {0};
    if (!rank_is_over() && engine_failed(part->server->engine, NULL) == 0)
        note_failure(part, nccl->follow(part->nccl, pause_for_cards, &inner), &inner);
    part->server->engine->stopped = rank_is_over();
}

/* Each process of a host uses a device of its own, as long as there are enough. */
static unsigned own_card(void)
{
    const unsigned cards = device_count(back_ends_built.device[BACKEND_CUDA]);
    return cards > 0 ? number_on_host() % cards : 0;
}

static int make_part(struct rank_part *part, struct part_grid *grid, const struct part_setup *setup,
                     struct failure *failure)
{
    for (unsigned n = 0; n < grid->peers; n++)
        if (grid->peer[n].sends > INT_MAX / sizeof(double) ||
            grid->peer[n].receives > INT_MAX / sizeof(double)) {
            part_grid_free(grid);
            return failure_set(failure, FAILURE_CAPACITY,
                               "two parts of the room exchange more than 2 GB in a step: use more ranks");
        }
    struct part_setup own = *setup;
    if (backend_is_device(own.options.backend))
        own.card = own_card();
    TRY(part_server_create(&part->server, grid, &own, failure));
    const size_t requests = 2 * (size_t)part->server->part.peers;
    part->request = malloc((requests + 1) * sizeof *part->request);
    part->status = malloc((requests + 1) * sizeof *part->status);
    if (part->request == NULL || part->status == NULL)
        return failure_memory(failure, requests * (sizeof *part->request + sizeof *part->status),
                              "messages between parts");
    return 0;
}

/* The ways in which a rank can exchange values, and its device. */
struct rank_way {
    enum halo_way way;
    unsigned char card[16];
};

static struct rank_way own_way(const struct rank_part *part)
{
    struct rank_way own = {.way = HALO_HOST};
    struct device card;
    if (part->server->engine->device == NULL)
        return own;
    own.way = takes_device_memory() ? HALO_DEVICE : nccl_version() > 0 ? HALO_QUEUED : HALO_HOST;
    if (own.way == HALO_QUEUED &&
        device_find_card(back_ends_built.device[BACKEND_CUDA], own_card(), &card, NULL) != 0)
        own.way = HALO_HOST;
    else if (own.way == HALO_QUEUED)
        memcpy(own.card, card.identity, sizeof own.card);
    return own;
}

static int join_part(struct rank_part *part, enum halo_way way, const char *id, struct failure *failure)
{
    const bool queued = way == HALO_QUEUED;
    if (part->nccl != NULL)
        nccl->free(part->nccl, false); /* if not all ranks could join */
    part->nccl = NULL;
    part->way = way;
    part_server_connect(part->server, way, part, queued ? begin_queued : begin_exchange,
                        queued ? finish_queued : finish_exchange);
    TRY(engine_failed(part->server->engine, failure));
    if (way != HALO_HOST)
        part->server->engine->device->ops->port(part->server->engine->device, &part->port);
    return queued
               ? nccl->join(rank_count(), rank_own(), id, &part->port, pause_for_cards, &part->nccl, failure)
               : 0;
}

static void drop_part(struct rank_part *part)
{
    if (part->nccl != NULL)
        nccl->free(part->nccl, !rank_is_over());
    part_server_free(part->server);
    free(part->request);
    free(part->status);
    *part = (struct rank_part){0};
}

/* ---- rank 0 -------------------------------------------------------------------------------------------- */

struct ranks {
    struct rank_part own; /* part 0 */
    char what[24];
};

static void send_order(int to, int order, const struct part_request *request)
{
    const struct order message = {order, request->argument, request->in_bytes, request->out_bytes};
    rank_send(&message, sizeof message, to, RANK_TAG_ORDER);
    rank_send(request->in, request->in_bytes, to, RANK_TAG_BYTES);
}

/* Receive a code, then the failure or the reply. */
static int receive_answer(int from, const struct part_request *request, struct failure *failure)
{
    int code = 0;
    struct failure theirs = {0};
    rank_receive(&code, sizeof code, from, RANK_TAG_ANSWER);
    if (code == 0)
        rank_receive(request->out, request->out_bytes, from, RANK_TAG_BYTES);
    else
        rank_receive(&theirs, sizeof theirs, from, RANK_TAG_BYTES);
    return code == 0 ? 0 : failure_wrap(failure, &theirs, "rank %d: ", from);
}

static int ask_ranks(void *context, const struct part_request *request, unsigned first, unsigned count,
                     struct failure *failure)
{
    struct ranks *const ranks = context;
    int code = 0;
    for (unsigned n = 0; n < count; n++)
        if (first + n > 0)
            send_order((int)(first + n), (int)request[n].order, &request[n]);
    if (first == 0)
        code = part_server_serve(ranks->own.server, &request[0], failure);
    for (unsigned n = 0; n < count; n++)
        if (first + n > 0) {
            const int theirs = receive_answer((int)(first + n), &request[n], code == 0 ? failure : NULL);
            code = code == 0 ? theirs : code;
        }
    return rank_is_over() ? rank_tell_lost(failure) : code;
}

/* The settings of a part as a message; admittances or materials follow, then the arrays of the part. */
struct setup_message {
    struct engine_options options;
    struct time_step step;
    size_t materials;
    bool walls, inertance, ledger, open;
    struct part_grid part; /* its pointers are invalid in a message */
};

static int start_rank(void *context, unsigned p, struct part_grid *part, const struct part_setup *setup,
                      struct failure *failure)
{
    struct ranks *const ranks = context;
    if (p == 0)
        return make_part(&ranks->own, part, setup, failure);
    const struct part_request request = {.order = PART_ORDERS};
    struct setup_message message = {.options = setup->options,
                                    .step = setup->step,
                                    .materials = setup->materials,
                                    .walls = setup->walls != NULL,
                                    .inertance = setup->walls != NULL && setup->walls->inertance,
                                    .ledger = setup->walls != NULL && setup->walls->ledger,
                                    .open = setup->open,
                                    .part = *part};
    struct part_array array[PART_ARRAYS];
    send_order((int)p, RANK_START, &request);
    rank_send(&message, sizeof message, (int)p, RANK_TAG_BYTES);
    if (setup->walls != NULL)
        rank_send(setup->walls->material, setup->walls->count * sizeof *setup->walls->material, (int)p,
                  RANK_TAG_BYTES);
    else
        rank_send(setup->admittance, setup->materials * sizeof *setup->admittance, (int)p, RANK_TAG_BYTES);
    part_arrays(part, array);
    for (int n = 0; n < PART_ARRAYS; n++)
        rank_send(*array[n].where, array[n].bytes, (int)p, RANK_TAG_BYTES);
    part_grid_free(part);
    return rank_is_over() ? rank_tell_lost(failure) : 0;
}

/* The way that all ranks support. NCCL never returns if two ranks use one device. */
static enum halo_way common_way(const struct rank_way *of, unsigned ranks)
{
    enum halo_way way = of[0].way;
    for (unsigned p = 1; p < ranks; p++) {
        way = of[p].way == way ? way : HALO_HOST;
        for (unsigned other = 0; way == HALO_QUEUED && other < p; other++)
            if (memcmp(of[p].card, of[other].card, sizeof of[p].card) == 0)
                way = HALO_HOST;
    }
    return way;
}

/* Check that all parts are made, and find how they exchange values. */
static int check_all(const struct ranks *ranks, enum halo_way *way, struct failure *failure)
{
    const unsigned count = rank_count();
    struct part_request request = {.order = PART_ORDERS};
    struct rank_way *const of = calloc(count, sizeof *of);
    if (of == NULL)
        return failure_memory(failure, count * sizeof *of, "the cards of ranks");
    int code = 0;
    of[0] = own_way(&ranks->own);
    for (unsigned p = 1; p < count; p++)
        send_order((int)p, RANK_CHECK, &request);
    for (unsigned p = 1; p < count; p++) {
        request.out = &of[p];
        request.out_bytes = sizeof of[p];
        const int theirs = receive_answer((int)p, &request, code == 0 ? failure : NULL);
        code = code == 0 ? theirs : code;
    }
    *way = common_way(of, count);
    free(of);
    return rank_is_over() ? rank_tell_lost(failure) : code;
}

static int join_all(struct ranks *ranks, enum halo_way way, struct failure *failure)
{
    char id[RANK_NCCL_ID] = "";
    if (way == HALO_QUEUED)
        TRY(nccl->id(id, failure));
    const struct part_request request = {.argument = (uint64_t)way, .in = id, .in_bytes = sizeof id};
    for (unsigned p = 1; p < rank_count(); p++)
        send_order((int)p, RANK_JOIN, &request);
    int code = join_part(&ranks->own, way, id, failure);
    const struct part_request none = {.order = PART_ORDERS};
    for (unsigned p = 1; p < rank_count(); p++) {
        const int answer = receive_answer((int)p, &none, code == 0 ? failure : NULL);
        code = code == 0 ? answer : code;
    }
    return rank_is_over() ? rank_tell_lost(failure) : code;
}

static int await_start(void *context, struct failure *failure)
{
    struct ranks *const ranks = context;
    static const char *const words[] = {
        [HALO_HOST] = "ranks", [HALO_DEVICE] = "ranks from card to card", [HALO_QUEUED] = "ranks by NCCL"};
    enum halo_way way = HALO_HOST;
    struct failure inner = {0};
    TRY(check_all(ranks, &way, failure));
    int code = join_all(ranks, way, &inner);
    /* NCCL has no connection between the hosts. */
    if (code == FAILURE_OUTPUT && way == HALO_QUEUED && !rank_is_over()) {
        way = HALO_HOST;
        inner = (struct failure){0};
        code = join_all(ranks, way, &inner);
    }
    (void)snprintf(ranks->what, sizeof ranks->what, "%s", words[way]);
    return code == 0 ? 0 : failure_forward(failure, &inner);
}

static struct rank_host own_host(void)
{
    struct rank_host host = {
        .shared = machine_memory_shared(), .own = machine_memory_available(), .peak = machine_memory_peak()};
    char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int length = 0;
    (void)MPI_Get_processor_name(name, &length);
    (void)snprintf(host.name, sizeof host.name, "%.*s", (int)sizeof host.name - 1, name);
    return host;
}

static void ask_hosts(struct rank_host *out)
{
    const struct part_request none = {.order = PART_ORDERS};
    out[0] = own_host();
    for (unsigned p = 1; p < rank_count(); p++)
        send_order((int)p, RANK_HOST, &none);
    for (unsigned p = 1; p < rank_count(); p++)
        rank_receive(&out[p], sizeof out[p], (int)p, RANK_TAG_BYTES);
}

static void tell_all(int order, uint64_t argument, const char *text)
{
    const struct part_request request = {
        .argument = argument, .in = text, .in_bytes = text != NULL ? strlen(text) + 1 : 0};
    for (unsigned p = 1; p < rank_count(); p++)
        send_order((int)p, order, &request);
}

static void end_ranks(void *context)
{
    struct ranks *const ranks = context;
    tell_all(RANK_STOP, 0, NULL);
    if (!rank_is_over())
        drop_part(&ranks->own);
    free(ranks);
}

static int link_parts(struct part_link *out, struct failure *failure)
{
    struct ranks *const ranks = calloc(1, sizeof *ranks);
    if (ranks == NULL)
        return failure_memory(failure, sizeof *ranks, "parts of a room");
    *out = (struct part_link){.context = ranks,
                              .parts = rank_count(),
                              .what = ranks->what,
                              .start = start_rank,
                              .started = await_start,
                              .ask = ask_ranks,
                              .end = end_ranks};
    return 0;
}

static void end_all(int status)
{
    if (!rank_is_running())
        return;
    if (rank_is_over()) {
        (void)fflush(NULL);
        (void)MPI_Abort(MPI_COMM_WORLD, status);
    }
    tell_all(RANK_END, (uint64_t)status, NULL);
    rank_leave();
}

static void leave_word(const char *text)
{
    if (rank_is_running())
        tell_all(RANK_WORD, 0, text);
}

/* ---- the others ---------------------------------------------------------------------------------------- */

static int receive_part(struct part_grid *part, struct failure *failure)
{
    struct part_array array[PART_ARRAYS];
    const int code = part_arrays_allocate(part, failure);
    char *rest = NULL;
    uint64_t most = 0;
    part_arrays(part, array);
    for (int n = 0; n < PART_ARRAYS; n++)
        most = array[n].bytes > most ? array[n].bytes : most;
    /* Receive the arrays also without memory for them: rank 0 sends before it checks for failures. */
    if (code != 0)
        rest = malloc(most < RANK_CHUNK ? (size_t)most + 1 : (size_t)RANK_CHUNK);
    if (code != 0 && rest == NULL)
        rank_must(MPI_ERR_NO_MEM);
    for (int n = 0; n < PART_ARRAYS; n++) {
        if (code == 0)
            rank_receive(*array[n].where, array[n].bytes, 0, RANK_TAG_BYTES);
        for (uint64_t at = 0; code != 0 && at < array[n].bytes; at += RANK_CHUNK)
            rank_receive(rest, array[n].bytes - at < RANK_CHUNK ? array[n].bytes - at : RANK_CHUNK, 0,
                         RANK_TAG_BYTES);
    }
    free(rest);
    if (code != 0)
        part_grid_free(part);
    return code;
}

static int receive_start(struct rank_part *part, struct failure *failure)
{
    struct setup_message message;
    rank_receive(&message, sizeof message, 0, RANK_TAG_BYTES);
    const size_t each = message.walls ? sizeof(struct wall_material) : sizeof(double);
    void *const table = malloc(message.materials * each + 1);
    if (table == NULL) /* a few kilobytes */
        rank_must(MPI_ERR_NO_MEM);
    rank_receive(table, message.materials * each, 0, RANK_TAG_BYTES);
    int code = receive_part(&message.part, failure);
    const struct wall_materials walls = {message.materials, table, message.inertance, message.ledger};
    const struct part_setup setup = {.options = message.options,
                                     .step = message.step,
                                     .materials = message.materials,
                                     .admittance = message.walls ? NULL : table,
                                     .walls = message.walls ? &walls : NULL,
                                     .open = message.open};
    if (code == 0)
        code = make_part(part, &message.part, &setup, failure);
    free(table);
    return code;
}

static void receive_word(uint64_t bytes)
{
    char *const word = malloc((size_t)bytes + 1);
    if (word == NULL)
        rank_must(MPI_ERR_NO_MEM);
    rank_receive(word, bytes, 0, RANK_TAG_BYTES);
    rank_keep_word(word);
}

static void send_answer(int code, const struct failure *failure, const void *out, uint64_t bytes)
{
    rank_send(&code, sizeof code, 0, RANK_TAG_ANSWER);
    if (code == 0)
        rank_send(out, bytes, 0, RANK_TAG_BYTES);
    else
        rank_send(failure, sizeof *failure, 0, RANK_TAG_BYTES);
}

static void receive_join(struct rank_part *part, const struct order *order)
{
    char id[RANK_NCCL_ID];
    struct failure failure = {0};
    rank_receive(id, sizeof id, 0, RANK_TAG_BYTES);
    const int code = join_part(part, (enum halo_way)order->argument, id, &failure);
    send_answer(code, &failure, NULL, 0);
}

/* Serve a request of part_server.h. */
static void serve_order(const struct rank_part *part, const struct order *order)
{
    struct failure failure = {0};
    char *const in = malloc((size_t)order->in_bytes + 1), *const out = malloc((size_t)order->out_bytes + 1);
    if (in == NULL || out == NULL)
        rank_must(MPI_ERR_NO_MEM);
    rank_receive(in, order->in_bytes, 0, RANK_TAG_BYTES);
    const struct part_request request = {
        (enum part_order)order->order, order->argument, in, order->in_bytes, out, order->out_bytes};
    const int code = part_server_serve(part->server, &request, &failure);
    send_answer(code, &failure, out, order->out_bytes);
    free(in);
    free(out);
}

/* Rank 0 receives the interrupt too, writes the results so far, and ends the others. */
static void leave_interrupts_to_rank_0(void)
{
    static const int interrupt[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&ignore.sa_mask);
    for (size_t n = 0; n < sizeof interrupt / sizeof *interrupt; n++)
        (void)sigaction(interrupt[n], &ignore, NULL);
}

static int serve_rank_0(void)
{
    struct rank_part part = {0};
    struct failure trouble = {0};
    struct order order;
    int created = 0;
    leave_interrupts_to_rank_0();
    for (;;) {
        rank_receive(&order, sizeof order, 0, RANK_TAG_ORDER);
        if (order.order == RANK_END)
            break;
        if (order.order == RANK_START) {
            created = receive_start(&part, &trouble);
        } else if (order.order == RANK_WORD) {
            receive_word(order.in_bytes);
        } else if (order.order == RANK_CHECK) {
            const struct rank_way way = created == 0 ? own_way(&part) : (struct rank_way){.way = HALO_HOST};
            send_answer(created, &trouble, &way, sizeof way);
        } else if (order.order == RANK_JOIN) {
            receive_join(&part, &order);
        } else if (order.order == RANK_HOST) {
            const struct rank_host host = own_host();
            rank_send(&host, sizeof host, 0, RANK_TAG_BYTES);
        } else if (order.order == RANK_STOP) {
            drop_part(&part);
            trouble = (struct failure){0};
            created = 0;
        } else {
            serve_order(&part, &order);
        }
    }
    drop_part(&part);
    rank_leave();
    return (int)order.argument;
}

const struct ranks_table ranks_of_mpi = {.library = LIBRARY,
                                         .nccl = nccl_version,
                                         .expected = expect_several,
                                         .start = start_mpi,
                                         .count = rank_count,
                                         .own = rank_own,
                                         .serve = serve_rank_0,
                                         .hosts = ask_hosts,
                                         .parts = link_parts,
                                         .end = end_all,
                                         .lost = rank_is_lost,
                                         .leave_word = leave_word};
