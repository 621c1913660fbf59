#include "kernels/mpi/ranks.h"

#include <limits.h>
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "blocks/parts/part_arrays.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/device_engine.h"
#include "kernels/cuda/device_port.h"
#include "kernels/engine/engine_state.h"
#include "kernels/machine/machine_memory.h"
#include "kernels/mpi/rank_nccl.h"
#include "kernels/mpi/rank_watch.h"

/* Orders beside those of part_server.h, and the kinds of messages. */
enum { RANK_START = PART_ORDERS, RANK_CHECK, RANK_JOIN, RANK_HOST, RANK_STOP, RANK_WORD, RANK_END };
enum { TAG_ORDER = 1, TAG_BYTES, TAG_ANSWER, TAG_VALUES, TAG_LOST };

struct order {
    int order;
    uint64_t argument, in_bytes, out_bytes;
};

/* ---- MPI itself ---------------------------------------------------------------------------------------- */

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const char *ranks_library(void)
{
#if defined(OMPI_MAJOR_VERSION)
    return "Open MPI " STRING(OMPI_MAJOR_VERSION) "." STRING(OMPI_MINOR_VERSION) "." STRING(
        OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
    return "MPICH " MPICH_VERSION;
#else
    return "MPI " STRING(MPI_VERSION) "." STRING(MPI_SUBVERSION);
#endif
}

int ranks_nccl(void)
{
    return rank_nccl_version();
}

/* How many processes were started together, as what started them says; 1 where none does. */
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

bool ranks_expected(void)
{
    return count_expected() > 1;
}

/* What a process is one of exists once in it, as MPI_COMM_WORLD does. */
static struct {
    struct rank_watch watch;
    unsigned lost;  /* a rank that was found gone; watch.ranks: none */
    int64_t looked; /* when it was last looked who is there [ns] */
    char *word;     /* what to say when rank 0 is gone */
} world;

static bool running(void)
{
    int started = 0, over = 0;
    (void)MPI_Initialized(&started);
    (void)MPI_Finalized(&over);
    return started && !over;
}

unsigned ranks_count(void)
{
    int count = 1;
    if (running())
        (void)MPI_Comm_size(MPI_COMM_WORLD, &count);
    return (unsigned)count;
}

unsigned ranks_own(void)
{
    int own = 0;
    if (running())
        (void)MPI_Comm_rank(MPI_COMM_WORLD, &own);
    return (unsigned)own;
}

/* Without its messages a rank can do nothing, and the others would wait for it for ever. */
static void must(int error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (error == MPI_SUCCESS)
        return;
    (void)MPI_Error_string(error, text, &length);
    fprintf(stderr, "transept: rank %u of %u can no longer reach the others (%s): all of them end\n",
            ranks_own(), ranks_count(), text);
    (void)fflush(stderr);
    (void)MPI_Abort(MPI_COMM_WORLD, FAILURE_OUTPUT);
    abort();
}

/* Every rank learns where the others are. */
static int meet(struct failure *failure)
{
    int ranks = 1, own = 0;
    (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &own);
    const struct rank_place here = rank_place_own();
    world.watch = (struct rank_watch){(unsigned)ranks, (unsigned)own, calloc((size_t)ranks, sizeof here)};
    world.lost = world.watch.ranks;
    if (world.watch.place == NULL)
        return failure_memory(failure, (uint64_t)ranks * sizeof here, "where all ranks are");
    must(MPI_Allgather(&here, sizeof here, MPI_BYTE, world.watch.place, sizeof here, MPI_BYTE,
                       MPI_COMM_WORLD));
    return 0;
}

int ranks_start(int *argc, char ***argv, struct failure *failure)
{
    int level = 0;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_FUNNELED)
        return failure_set(failure, FAILURE_CAPACITY, "MPI (%s) cannot be started for a program with threads",
                           ranks_library());
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    /* An mpirun or srun that does not speak to this MPI leaves every process alone: all would do the same. */
    if (ranks_count() == 1)
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "this is one of %ld processes that were started together, but %s sees no other",
                        count_expected(), ranks_library()),
            failure, ADVICE_OWN_MPIRUN, 0);
    return meet(failure);
}

static void leave(void)
{
    (void)MPI_Finalize();
    free(world.watch.place);
    free(world.word);
    world.watch = (struct rank_watch){0};
    world.lost = 0;
    world.word = NULL;
}

/* ---- who is still there -------------------------------------------------------------------------------- */

bool ranks_lost(void)
{
    return world.lost < world.watch.ranks;
}

/* On rank 0. */
static int tell_lost(struct failure *failure)
{
    const struct rank_place *const place = &world.watch.place[world.lost];
    return failure_set(failure, FAILURE_OUTPUT,
                       "rank %u of %u (process %lld) has ended before its work was done: nothing can be "
                       "computed without it",
                       world.lost, world.watch.ranks, (long long)place->process);
}

/* Of rank 0 the others can only tell. */
static void end_without_rank_0(void)
{
    if (world.word != NULL && !ranks_lost() && rank_watch_speaks(&world.watch)) {
        fprintf(stderr, "transept: rank 0 of %u (process %lld), which writes the results, has ended: %s\n",
                world.watch.ranks, (long long)world.watch.place[0].process, world.word);
        (void)fflush(stderr);
    }
    _exit(FAILURE_OUTPUT);
}

/* What a rank above 0 has seen is rank 0's to tell and to end. */
static void report_lost(void)
{
    MPI_Request request;
    const unsigned gone = rank_watch_gone(&world.watch, 1);
    if (gone == world.watch.ranks || ranks_lost())
        return;
    world.lost = gone;
    must(MPI_Isend(&world.lost, 1, MPI_UNSIGNED, 0, TAG_LOST, MPI_COMM_WORLD, &request));
    must(MPI_Request_free(&request));
}

static void hear_of_lost(void)
{
    int there = 0;
    MPI_Status status;
    must(MPI_Iprobe(MPI_ANY_SOURCE, TAG_LOST, MPI_COMM_WORLD, &there, &status));
    if (there)
        must(MPI_Recv(&world.lost, 1, MPI_UNSIGNED, status.MPI_SOURCE, TAG_LOST, MPI_COMM_WORLD, &status));
}

/* Where one of the others is gone, rank 0 waits no longer. Another rank goes on waiting for what rank 0 does,
 * or ends here. */
static void look_round(void)
{
    if (world.watch.own == 0) {
        world.lost = rank_watch_gone(&world.watch, 1);
        if (!ranks_lost())
            hear_of_lost();
    } else {
        if (rank_watch_gone(&world.watch, 0) == 0)
            end_without_rank_0();
        report_lost();
    }
}

/* On rank 0: what it waits for will not come, and nothing of MPI is called any more but MPI_Abort(), since
 * messages that are under way have memory that may be gone. */
static bool over(void)
{
    return ranks_lost() && world.watch.own == 0;
}

#define LOOKS_ALONE  2000    /* then it lets others run between two looks, .. */
#define LOOKS_AWAKE  20000   /* .. and then it sleeps */
#define ROUNDS_APART 5000000 /* between two looks at who is there [ns] */
#define SECOND       INT64_C(1000000000)

static void look_round_at_times(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t time = (int64_t)now.tv_sec * SECOND + now.tv_nsec;
    if (time - world.looked < ROUNDS_APART)
        return;
    world.looked = time;
    look_round();
}

/* Looks for a while, then lets others run, then sleeps: ranks may outnumber processors, and they wait for
 * long while rank 0 voxelises or writes. */
static void wait_a_while(unsigned *looks, long most_nanoseconds)
{
    const struct timespec pause = {0, most_nanoseconds};
    ++*looks;
    if (*looks <= LOOKS_ALONE)
        return;
    if (*looks > LOOKS_AWAKE)
        (void)nanosleep(&pause, NULL);
    else
        (void)sched_yield();
    look_round_at_times();
}

/* `status` (count) is of no use, but gcc takes MPICH's MPI_STATUSES_IGNORE for an array without room. */
static void wait_for_all(int count, MPI_Request *request, MPI_Status *status, long nanoseconds)
{
    unsigned looks = 0;
    for (int done = 0; !done && !over();) {
        must(MPI_Testall(count, request, &done, status));
        if (!done)
            wait_a_while(&looks, nanoseconds);
    }
}

#define PAUSE_FOR_VALUES 50000 /* [ns] */
#define PAUSE_FOR_BYTES  200000

/* Any number of bytes: a count of MPI is an int. */
#define CHUNK (UINT64_C(1) << 30)

static void send_bytes(const void *bytes, uint64_t count, int to, int tag)
{
    MPI_Request request;
    MPI_Status status;
    for (uint64_t at = 0; at < count && !over(); at += CHUNK) {
        must(MPI_Isend((const char *)bytes + at, (int)(count - at < CHUNK ? count - at : CHUNK), MPI_BYTE, to,
                       tag, MPI_COMM_WORLD, &request));
        wait_for_all(1, &request, &status, PAUSE_FOR_BYTES);
    }
}

/* Nothing is received once a rank is lost. */
static void receive_bytes(void *bytes, uint64_t count, int from, int tag)
{
    MPI_Request request;
    MPI_Status status;
    for (uint64_t at = 0; at < count && !over(); at += CHUNK) {
        must(MPI_Irecv((char *)bytes + at, (int)(count - at < CHUNK ? count - at : CHUNK), MPI_BYTE, from,
                       tag, MPI_COMM_WORLD, &request));
        wait_for_all(1, &request, &status, PAUSE_FOR_BYTES);
    }
}

/* ---- devices ------------------------------------------------------------------------------------------- */

unsigned ranks_on_host(void)
{
    static const char *const number[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK",
                                         "SLURM_LOCALID"};
    for (size_t n = 0; n < sizeof number / sizeof *number; n++) {
        const char *const text = getenv(number[n]);
        if (text != NULL && *text != '\0')
            return (unsigned)strtoul(text, NULL, 10);
    }
    return ranks_own();
}

/* May messages be in a device's memory? */
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

/* What a rank steps. */
struct rank_part {
    struct part_server *server;
    MPI_Request *request; /* (2 peers) */
    MPI_Status *status;   /* likewise */
    enum halo_way way;    /* but for HALO_HOST messages go from and to .. */
    struct device_port port;
    struct rank_nccl *nccl; /* with HALO_QUEUED */
    uint64_t step;          /* exchanges until now */
};

static void begin(void *context)
{
    struct rank_part *const part = context;
    const struct part_server *const server = part->server;
    const unsigned peers = server->part.peers, real = server->real_bytes;
    if (over())
        return;
    const bool device = part->way == HALO_DEVICE;
    char *const in = device ? part->port.in : server->in;
    const char *const out = device ? part->port.out[part->step & 1] : server->out;
    part->step++;
    for (unsigned n = 0; n < peers; n++) {
        const struct part_peer *const peer = &server->part.peer[n];
        must(MPI_Irecv(in + peer->receive * real, (int)(peer->receives * real), MPI_BYTE, (int)peer->part,
                       TAG_VALUES, MPI_COMM_WORLD, &part->request[n]));
    }
    for (unsigned n = 0; n < peers; n++) {
        const struct part_peer *const peer = &server->part.peer[n];
        must(MPI_Isend(out + peer->send * real, (int)(peer->sends * real), MPI_BYTE, (int)peer->part,
                       TAG_VALUES, MPI_COMM_WORLD, &part->request[peers + n]));
    }
}

static void finish(void *context)
{
    const struct rank_part *const part = context;
    wait_for_all((int)(2 * part->server->part.peers), part->request, part->status, PAUSE_FOR_VALUES);
    part->server->engine->stopped = over();
}

static bool pause_for_cards(unsigned *looks)
{
    wait_a_while(looks, PAUSE_FOR_VALUES);
    return !over();
}

/* What fails here is the engine's failure: nothing is computed with values that have not come. */
static void note(const struct rank_part *part, int code, struct failure *inner)
{
    if (code != 0)
        (void)engine_keep(part->server->engine, code, inner);
}

static void begin_queued(void *context)
{
    const struct rank_part *const part = context;
    struct failure inner = {0};
    if (!over() && engine_failed(part->server->engine, NULL) == 0)
        note(part, rank_nccl_exchange(part->nccl, &part->server->part, part->server->real_bytes, &inner),
             &inner);
}

static void finish_queued(void *context)
{
    const struct rank_part *const part = context;
    struct failure inner = {0};
    if (!over() && engine_failed(part->server->engine, NULL) == 0)
        note(part, rank_nccl_follow(part->nccl, pause_for_cards, &inner), &inner);
    part->server->engine->stopped = over();
}

/* Of the processes of a host, each takes a card of its own while there are any. */
static unsigned own_card(void)
{
    const unsigned cards = device_count();
    return cards > 0 ? ranks_on_host() % cards : 0;
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
    if (own.options.backend == BACKEND_CUDA)
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

/* How a rank would exchange values, and the card on which it steps. */
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
    own.way = takes_device_memory() ? HALO_DEVICE : ranks_nccl() > 0 ? HALO_QUEUED : HALO_HOST;
    if (own.way == HALO_QUEUED && device_find_card(own_card(), &card, NULL) != 0)
        own.way = HALO_HOST;
    else if (own.way == HALO_QUEUED)
        memcpy(own.card, card.identity, sizeof own.card);
    return own;
}

static int join_part(struct rank_part *part, enum halo_way way, const char *id, struct failure *failure)
{
    const bool queued = way == HALO_QUEUED;
    rank_nccl_free(part->nccl, false); /* where not all could join */
    part->nccl = NULL;
    part->way = way;
    part_server_connect(part->server, way, part, queued ? begin_queued : begin,
                        queued ? finish_queued : finish);
    TRY(engine_failed(part->server->engine, failure));
    if (way != HALO_HOST)
        device_engine_port(part->server->engine->device, &part->port);
    return queued ? rank_nccl_join(world.watch.ranks, world.watch.own, id, &part->port, pause_for_cards,
                                   &part->nccl, failure)
                  : 0;
}

static void drop_part(struct rank_part *part)
{
    rank_nccl_free(part->nccl, !over());
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
    send_bytes(&message, sizeof message, to, TAG_ORDER);
    send_bytes(request->in, request->in_bytes, to, TAG_BYTES);
}

/* A code, and with it why, or what was asked for. */
static int receive_answer(int from, const struct part_request *request, struct failure *failure)
{
    int code = 0;
    struct failure theirs = {0};
    receive_bytes(&code, sizeof code, from, TAG_ANSWER);
    if (code == 0)
        receive_bytes(request->out, request->out_bytes, from, TAG_BYTES);
    else
        receive_bytes(&theirs, sizeof theirs, from, TAG_BYTES);
    return code == 0 ? 0 : failure_wrap(failure, &theirs, "rank %d: ", from);
}

static int ask(void *context, const struct part_request *request, unsigned first, unsigned count,
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
    return over() ? tell_lost(failure) : code;
}

/* What every part is made with, as it travels; admittances or materials follow, then the arrays of the part.
 */
struct setup_message {
    struct engine_options options;
    struct time_step step;
    size_t materials;
    bool walls, inertance, ledger;
    struct part_grid part; /* its pointers mean nothing on the way */
};

static int start(void *context, unsigned p, struct part_grid *part, const struct part_setup *setup,
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
                                    .part = *part};
    struct part_array array[PART_ARRAYS];
    send_order((int)p, RANK_START, &request);
    send_bytes(&message, sizeof message, (int)p, TAG_BYTES);
    if (setup->walls != NULL)
        send_bytes(setup->walls->material, setup->walls->count * sizeof *setup->walls->material, (int)p,
                   TAG_BYTES);
    else
        send_bytes(setup->admittance, setup->materials * sizeof *setup->admittance, (int)p, TAG_BYTES);
    part_arrays(part, array);
    for (int n = 0; n < PART_ARRAYS; n++)
        send_bytes(*array[n].where, array[n].bytes, (int)p, TAG_BYTES);
    part_grid_free(part);
    return over() ? tell_lost(failure) : 0;
}

/* As all can. NCCL would wait for ever for two ranks on one card. */
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

/* Are all parts there, and how may they exchange values? */
static int check_all(const struct ranks *ranks, enum halo_way *way, struct failure *failure)
{
    const unsigned count = ranks_count();
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
    return over() ? tell_lost(failure) : code;
}

static int join_all(struct ranks *ranks, enum halo_way way, struct failure *failure)
{
    char id[RANK_NCCL_ID] = "";
    if (way == HALO_QUEUED)
        TRY(rank_nccl_id(id, failure));
    const struct part_request request = {.argument = (uint64_t)way, .in = id, .in_bytes = sizeof id};
    for (unsigned p = 1; p < ranks_count(); p++)
        send_order((int)p, RANK_JOIN, &request);
    int code = join_part(&ranks->own, way, id, failure);
    const struct part_request none = {.order = PART_ORDERS};
    for (unsigned p = 1; p < ranks_count(); p++) {
        const int answer = receive_answer((int)p, &none, code == 0 ? failure : NULL);
        code = code == 0 ? answer : code;
    }
    return over() ? tell_lost(failure) : code;
}

static int started(void *context, struct failure *failure)
{
    struct ranks *const ranks = context;
    static const char *const words[] = {
        [HALO_HOST] = "ranks", [HALO_DEVICE] = "ranks from card to card", [HALO_QUEUED] = "ranks by NCCL"};
    enum halo_way way = HALO_HOST;
    struct failure inner = {0};
    TRY(check_all(ranks, &way, failure));
    int code = join_all(ranks, way, &inner);
    /* No way between hosts that NCCL knows. */
    if (code == FAILURE_OUTPUT && way == HALO_QUEUED && !over()) {
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

void ranks_hosts(struct rank_host *out)
{
    const struct part_request none = {.order = PART_ORDERS};
    out[0] = own_host();
    for (unsigned p = 1; p < ranks_count(); p++)
        send_order((int)p, RANK_HOST, &none);
    for (unsigned p = 1; p < ranks_count(); p++)
        receive_bytes(&out[p], sizeof out[p], (int)p, TAG_BYTES);
}

static void tell_all(int order, uint64_t argument, const char *text)
{
    const struct part_request request = {
        .argument = argument, .in = text, .in_bytes = text != NULL ? strlen(text) + 1 : 0};
    for (unsigned p = 1; p < ranks_count(); p++)
        send_order((int)p, order, &request);
}

static void end(void *context)
{
    struct ranks *const ranks = context;
    tell_all(RANK_STOP, 0, NULL);
    if (!over())
        drop_part(&ranks->own);
    free(ranks);
}

int ranks_parts(struct part_link *out, struct failure *failure)
{
    struct ranks *const ranks = calloc(1, sizeof *ranks);
    if (ranks == NULL)
        return failure_memory(failure, sizeof *ranks, "parts of a room");
    *out = (struct part_link){.context = ranks,
                              .parts = ranks_count(),
                              .what = ranks->what,
                              .start = start,
                              .started = started,
                              .ask = ask,
                              .end = end};
    return 0;
}

void ranks_end(int status)
{
    if (!running())
        return;
    if (over()) {
        (void)fflush(NULL);
        (void)MPI_Abort(MPI_COMM_WORLD, status);
    }
    tell_all(RANK_END, (uint64_t)status, NULL);
    leave();
}

void ranks_leave_word(const char *text)
{
    if (running())
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
    /* What does not fit is received all the same: rank 0 sends before it asks how it went. */
    if (code != 0)
        rest = malloc(most < CHUNK ? (size_t)most + 1 : (size_t)CHUNK);
    if (code != 0 && rest == NULL)
        must(MPI_ERR_NO_MEM);
    for (int n = 0; n < PART_ARRAYS; n++) {
        if (code == 0)
            receive_bytes(*array[n].where, array[n].bytes, 0, TAG_BYTES);
        for (uint64_t at = 0; code != 0 && at < array[n].bytes; at += CHUNK)
            receive_bytes(rest, array[n].bytes - at < CHUNK ? array[n].bytes - at : CHUNK, 0, TAG_BYTES);
    }
    free(rest);
    if (code != 0)
        part_grid_free(part);
    return code;
}

static int receive_start(struct rank_part *part, struct failure *failure)
{
    struct setup_message message;
    receive_bytes(&message, sizeof message, 0, TAG_BYTES);
    const size_t each = message.walls ? sizeof(struct wall_material) : sizeof(double);
    void *const table = malloc(message.materials * each + 1);
    if (table == NULL) /* a few kilobytes */
        must(MPI_ERR_NO_MEM);
    receive_bytes(table, message.materials * each, 0, TAG_BYTES);
    int code = receive_part(&message.part, failure);
    const struct wall_materials walls = {message.materials, table, message.inertance, message.ledger};
    const struct part_setup setup = {.options = message.options,
                                     .step = message.step,
                                     .materials = message.materials,
                                     .admittance = message.walls ? NULL : table,
                                     .walls = message.walls ? &walls : NULL};
    if (code == 0)
        code = make_part(part, &message.part, &setup, failure);
    free(table);
    return code;
}

static void receive_word(uint64_t bytes)
{
    char *const word = malloc((size_t)bytes + 1);
    if (word == NULL)
        must(MPI_ERR_NO_MEM);
    receive_bytes(word, bytes, 0, TAG_BYTES);
    free(world.word);
    world.word = word;
}

static void answer(int code, const struct failure *failure, const void *out, uint64_t bytes)
{
    send_bytes(&code, sizeof code, 0, TAG_ANSWER);
    if (code == 0)
        send_bytes(out, bytes, 0, TAG_BYTES);
    else
        send_bytes(failure, sizeof *failure, 0, TAG_BYTES);
}

static void receive_join(struct rank_part *part, const struct order *order)
{
    char id[RANK_NCCL_ID];
    struct failure failure = {0};
    receive_bytes(id, sizeof id, 0, TAG_BYTES);
    const int code = join_part(part, (enum halo_way)order->argument, id, &failure);
    answer(code, &failure, NULL, 0);
}

/* An order of part_server.h, with its bytes in and out. */
static void serve_order(const struct rank_part *part, const struct order *order)
{
    struct failure failure = {0};
    char *const in = malloc((size_t)order->in_bytes + 1), *const out = malloc((size_t)order->out_bytes + 1);
    if (in == NULL || out == NULL)
        must(MPI_ERR_NO_MEM);
    receive_bytes(in, order->in_bytes, 0, TAG_BYTES);
    const struct part_request request = {
        (enum part_order)order->order, order->argument, in, order->in_bytes, out, order->out_bytes};
    const int code = part_server_serve(part->server, &request, &failure);
    answer(code, &failure, out, order->out_bytes);
    free(in);
    free(out);
}

/* Rank 0 hears of an interrupt too, keeps what there is, and ends the others. */
static void leave_interrupts_to_rank_0(void)
{
    static const int interrupt[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&ignore.sa_mask);
    for (size_t n = 0; n < sizeof interrupt / sizeof *interrupt; n++)
        (void)sigaction(interrupt[n], &ignore, NULL);
}

int ranks_serve(void)
{
    struct rank_part part = {0};
    struct failure trouble = {0};
    struct order order;
    int created = 0;
    leave_interrupts_to_rank_0();
    for (;;) {
        receive_bytes(&order, sizeof order, 0, TAG_ORDER);
        if (order.order == RANK_END)
            break;
        if (order.order == RANK_START) {
            created = receive_start(&part, &trouble);
        } else if (order.order == RANK_WORD) {
            receive_word(order.in_bytes);
        } else if (order.order == RANK_CHECK) {
            const struct rank_way way = created == 0 ? own_way(&part) : (struct rank_way){.way = HALO_HOST};
            answer(created, &trouble, &way, sizeof way);
        } else if (order.order == RANK_JOIN) {
            receive_join(&part, &order);
        } else if (order.order == RANK_HOST) {
            const struct rank_host host = own_host();
            send_bytes(&host, sizeof host, 0, TAG_BYTES);
        } else if (order.order == RANK_STOP) {
            drop_part(&part);
            trouble = (struct failure){0};
            created = 0;
        } else {
            serve_order(&part, &order);
        }
    }
    drop_part(&part);
    leave();
    return (int)order.argument;
}
