#include "kernels/parts/local_parts.h"

#include "kernels/cuda/base/device.h"
#include "kernels/cuda/device_engine.h"
#include "kernels/cuda/device_table.h"
#include "kernels/engine/engine_state.h"

#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct local;

/* One part: its thread, and the values that it sent in the last two steps. A sender is never two steps ahead
 * of a reader, because it waits for the values of the reader in between. */
struct local_part {
    struct local *all;
    struct part_server *server;
    pthread_t thread;
    bool runs;                          /* the thread was started */
    const struct part_request *request; /* to serve, or NULL */
    int code;
    struct failure failure;
    char *sent[2];
    uint64_t step; /* number of steps sent, for its own thread */
    pthread_mutex_t mutex;
    pthread_cond_t sending;
    uint64_t posted; /* and for the others */
    bool locks;      /* both locks exist */
    /* On a device with HALO_QUEUED: */
    struct device_port port;
    void *signal[2];         /* port.out[0] and [1] are complete */
    struct failure carrying; /* failure of a transfer */
};

struct local {
    unsigned parts;
    struct local_part *part;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool over;
    const unsigned *card; /* (parts) NULL: processors; owned */
    enum halo_way way;
    const struct device_table *table; /* with devices */
};

/* ---- values of a step ---------------------------------------------------------------------------------- */

/* Signal that the values of one more step are sent. */
static void post_values(struct local_part *part)
{
    part->step++;
    (void)pthread_mutex_lock(&part->mutex);
    part->posted = part->step;
    (void)pthread_cond_broadcast(&part->sending);
    (void)pthread_mutex_unlock(&part->mutex);
}

static void begin_exchange(void *context)
{
    struct local_part *const part = context;
    const struct part_server *const server = part->server;
    memcpy(part->sent[part->step & 1], server->out, (size_t)(server->part.sends * server->real_bytes));
    post_values(part);
}

/* This part as a peer of the other one. */
static const struct part_peer *mirror_of(const struct local_part *other, unsigned part)
{
    const struct part_peer *mirror = other->server->part.peer;
    while (mirror->part != part)
        mirror++;
    return mirror;
}

/* Wait until the other part has sent the values of this step. */
static void wait_for(struct local_part *other, uint64_t step)
{
    (void)pthread_mutex_lock(&other->mutex);
    while (other->posted < step)
        (void)pthread_cond_wait(&other->sending, &other->mutex);
    (void)pthread_mutex_unlock(&other->mutex);
}

static void take_from(const struct local_part *part, const struct part_peer *peer)
{
    struct local_part *const other = &part->all->part[peer->part];
    const struct part_server *const server = part->server;
    const struct part_peer *const mirror = mirror_of(other, server->part.part);
    wait_for(other, part->step);
    memcpy((char *)server->in + peer->receive * server->real_bytes,
           other->sent[(part->step - 1) & 1] + mirror->send * server->real_bytes,
           (size_t)(peer->receives * server->real_bytes));
}

static void finish_exchange(void *context)
{
    const struct local_part *const part = context;
    for (unsigned n = 0; n < part->server->part.peers; n++)
        take_from(part, &part->server->part.peer[n]);
}

/* ---- on devices that reach one another -----------------------------------------------------------------
 *
 * Host threads only put work on streams. An event is sent before its step is posted and awaited after, so
 * that each wait is for the event of this step. port.out[n & 1] is written again two steps later, by a gather
 * after the values that the readers sent one step later. A reader sends these after its copy, on its stream.
 */

static void keep_carrying(struct local_part *part, int code, const struct failure *failure)
{
    if (code != 0 && part->carrying.code == FAILURE_NONE)
        part->carrying = *failure;
}

static void begin_queued(void *context)
{
    struct local_part *const part = context;
    struct failure failure = {0};
    keep_carrying(part, part->all->table->signal_send(&part->port, part->signal[part->step & 1], &failure),
                  &failure);
    post_values(part);
}

static void finish_queued(void *context)
{
    struct local_part *const part = context;
    const struct part_server *const server = part->server;
    const struct device_table *const table = part->all->table;
    const unsigned turn = (part->step - 1) & 1;
    for (unsigned n = 0; n < server->part.peers; n++) {
        const struct part_peer *const peer = &server->part.peer[n];
        struct local_part *const other = &part->all->part[peer->part];
        const struct part_peer *const mirror = mirror_of(other, server->part.part);
        struct failure failure = {0};
        wait_for(other, part->step);
        int code = table->signal_await(&part->port, other->signal[turn], &failure);
        if (code == 0)
            code = table->port_fetch(&part->port, peer->receive * server->real_bytes, other->port.card,
                                     other->port.out[turn] + mirror->send * server->real_bytes,
                                     peer->receives * server->real_bytes, &failure);
        keep_carrying(part, code, &failure);
    }
}

/* ---- threads ------------------------------------------------------------------------------------------- */

static void *serve_requests(void *context)
{
    struct local_part *const part = context;
    struct local *const all = part->all;
    (void)pthread_mutex_lock(&all->mutex);
    for (;;) {
        while (part->request == NULL && !all->over)
            (void)pthread_cond_wait(&all->changed, &all->mutex);
        if (part->request == NULL)
            break;
        (void)pthread_mutex_unlock(&all->mutex);
        part->code = part_server_serve(part->server, part->request, &part->failure);
        if (part->code == 0 && part->carrying.code != FAILURE_NONE)
            part->code = failure_forward(&part->failure, &part->carrying);
        (void)pthread_mutex_lock(&all->mutex);
        part->request = NULL;
        (void)pthread_cond_broadcast(&all->changed);
    }
    (void)pthread_mutex_unlock(&all->mutex);
    return NULL;
}

static int ask_parts(void *context, const struct part_request *request, unsigned first, unsigned count,
                     struct failure *failure)
{
    struct local *const all = context;
    if (count == 1)
        return part_server_serve(all->part[first].server, request, failure);
    (void)pthread_mutex_lock(&all->mutex);
    for (unsigned n = 0; n < count; n++)
        all->part[first + n].request = &request[n];
    (void)pthread_cond_broadcast(&all->changed);
    int code = 0;
    for (unsigned n = 0; n < count; n++) {
        struct local_part *const part = &all->part[first + n];
        while (part->request != NULL)
            (void)pthread_cond_wait(&all->changed, &all->mutex);
        if (code == 0 && part->code != 0)
            code = failure_forward(failure, &part->failure);
    }
    (void)pthread_mutex_unlock(&all->mutex);
    return code;
}

static void end_parts(void *context)
{
    struct local *const all = context;
    (void)pthread_mutex_lock(&all->mutex);
    all->over = true;
    (void)pthread_cond_broadcast(&all->changed);
    (void)pthread_mutex_unlock(&all->mutex);
    for (unsigned p = 0; p < all->parts; p++) {
        struct local_part *const part = &all->part[p];
        if (part->runs)
            (void)pthread_join(part->thread, NULL);
        part_server_free(part->server);
        for (int n = 0; n < 2; n++)
            if (part->signal[n] != NULL)
                all->table->signal_free(part->signal[n]);
        free(part->sent[0]);
        free(part->sent[1]);
        if (part->locks) {
            (void)pthread_cond_destroy(&part->sending);
            (void)pthread_mutex_destroy(&part->mutex);
        }
    }
    (void)pthread_cond_destroy(&all->changed);
    (void)pthread_mutex_destroy(&all->mutex);
    free((void *)all->card);
    free(all->part);
    free(all);
}

/* ---- creation ------------------------------------------------------------------------------------------ */

static int connect_queued(struct local_part *part, struct failure *failure)
{
    const struct device_table *const table = part->all->table;
    part_server_connect(part->server, HALO_QUEUED, part, begin_queued, finish_queued);
    TRY(engine_failed(part->server->engine, failure));
    part->server->engine->device->ops->port(part->server->engine->device, &part->port);
    TRY(table->signal_make(part->port.card, &part->signal[0], failure));
    return table->signal_make(part->port.card, &part->signal[1], failure);
}

static int start_part(void *context, unsigned p, struct part_grid *grid, const struct part_setup *setup,
                      struct failure *failure)
{
    struct local *const all = context;
    struct local_part *const part = &all->part[p];
    struct part_setup own = *setup;
    const int threads = own.options.threads > 0 ? own.options.threads : omp_get_max_threads();
    const uint64_t bytes =
        grid->sends * (own.options.precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double));
    own.options.threads = threads / (int)all->parts > 1 ? threads / (int)all->parts : 1;
    if (all->card != NULL)
        own.card = all->card[p];
    TRY(part_server_create(&part->server, grid, &own, failure));
    if (all->way == HALO_QUEUED)
        return connect_queued(part, failure);
    part->sent[0] = malloc((size_t)bytes + 1);
    part->sent[1] = malloc((size_t)bytes + 1);
    if (part->sent[0] == NULL || part->sent[1] == NULL)
        return failure_memory(failure, 2 * bytes, "what parts of the room exchange");
    part_server_connect(part->server, HALO_HOST, part, begin_exchange, finish_exchange);
    return 0;
}

static int start_threads(void *context, struct failure *failure)
{
    struct local *const all = context;
    for (unsigned p = 0; p < all->parts; p++) {
        struct local_part *const part = &all->part[p];
        const int error = pthread_create(&part->thread, NULL, serve_requests, part);
        if (error != 0)
            return failure_set(failure, FAILURE_CAPACITY,
                               "the system cannot start a thread for part %u of %u (error %d)", p + 1,
                               all->parts, error);
        part->runs = true;
    }
    return 0;
}

/* Make both or neither. Returns the error number of the system. */
static int make_locks(pthread_mutex_t *mutex, pthread_cond_t *changed)
{
    int error = pthread_mutex_init(mutex, NULL);
    if (error != 0)
        return error;
    error = pthread_cond_init(changed, NULL);
    if (error != 0)
        (void)pthread_mutex_destroy(mutex);
    return error;
}

static int no_lock(struct failure *failure, int error)
{
    return failure_set(failure, FAILURE_CAPACITY, "the system cannot create another lock (error %d)", error);
}

static int make_link(unsigned parts, struct part_link *out, struct failure *failure)
{
    struct local *all = calloc(1, sizeof *all);
    if (all != NULL)
        all->part = calloc(parts > 0 ? parts : 1, sizeof *all->part);
    if (all == NULL || all->part == NULL) {
        free(all);
        return failure_memory(failure, parts * sizeof *all->part, "a room in parts");
    }
    const int error = make_locks(&all->mutex, &all->changed);
    if (error != 0) {
        free(all->part);
        free(all);
        return no_lock(failure, error);
    }
    all->parts = parts;
    for (unsigned p = 0; p < parts; p++)
        all->part[p].all = all;
    for (unsigned p = 0; p < parts; p++) {
        const int own = make_locks(&all->part[p].mutex, &all->part[p].sending);
        if (own != 0) {
            end_parts(all);
            return no_lock(failure, own);
        }
        all->part[p].locks = true;
    }
    *out = (struct part_link){.context = all,
                              .parts = parts,
                              .what = "parts",
                              .here = true,
                              .start = start_part,
                              .started = start_threads,
                              .ask = ask_parts,
                              .end = end_parts};
    return 0;
}

int local_parts(unsigned parts, struct part_link *out, struct failure *failure)
{
    return make_link(parts, out, failure);
}

enum halo_way local_devices_way(const struct device_table *table, unsigned cards, const unsigned *card)
{
    bool reach = true;
    for (unsigned n = 1; n < cards; n++)
        for (unsigned m = 0; m < n; m++)
            reach = device_reach(table, card[m], card[n]) && reach;
    return reach ? HALO_QUEUED : HALO_HOST;
}

int local_devices(const struct device_table *table, unsigned cards, const unsigned *card, enum halo_way way,
                  struct part_link *out, struct failure *failure)
{
    assert(way != HALO_DEVICE);
    unsigned *const own = malloc((cards + (size_t)1) * sizeof *own);
    if (own == NULL)
        return failure_memory(failure, cards * sizeof *own, "a room in parts");
    memcpy(own, card, cards * sizeof *own);
    const int code = make_link(cards, out, failure);
    if (code != 0) {
        free(own);
        return code;
    }
    struct local *const all = out->context;
    all->table = table;
    all->card = own;
    all->way = way;
    out->what = way == HALO_QUEUED ? "cards" : "cards through the host";
    return 0;
}
