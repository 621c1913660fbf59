#include "kernels/opencl/opencl_table.h"

#include <string.h>
#include <time.h>

#include "kernels/opencl/opencl_device.h"

static const char *toolkit(void)
{
    return opencl_load() != NULL ? "1.2" : NULL;
}

/* A list of devices would load the drivers. */
static bool driver_installed(void)
{
    return opencl_load() != NULL;
}

static bool reach(unsigned one, unsigned other)
{
    return one == other;
}

static int refuse(const char *what, struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY, "OpenCL devices have no %s", what);
}

/* ---- rates --------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds of the fastest of so many copies, after one that does not count. */
static int time_copies(const struct opencl_card *card, opencl_queue queue, const opencl_memory pair[2],
                       uint64_t bytes, int passes, double *least, struct failure *failure)
{
    for (int pass = 0; pass <= passes; ++pass) {
        const double start = now();
        TRY(opencl_check(card->call->EnqueueCopyBuffer(queue, pair[0], pair[1], 0, 0, bytes, 0, NULL, NULL),
                         "a copy", failure));
        TRY(opencl_check(card->call->Finish(queue), "a copy", failure));
        const double taken = now() - start;
        if (pass == 1 || (pass > 1 && taken < *least))
            *least = taken;
    }
    return 0;
}

static int copy_rate(uint64_t bytes, int passes, double *rate, struct failure *failure)
{
    const struct opencl_card *card = NULL;
    opencl_memory pair[2] = {NULL, NULL};
    int32_t error = 0;
    double least = 1.0;
    TRY(opencl_open(0, &card, failure));
    const opencl_queue queue = card->call->CreateCommandQueue(card->context, card->device, 0, &error);
    TRY(opencl_check(error, "a queue", failure));
    int code = 0;
    for (int n = 0; code == 0 && n < 2; ++n) {
        pair[n] = card->call->CreateBuffer(card->context, OPENCL_READ_WRITE, bytes, NULL, &error);
        code = opencl_check(error, "copies", failure);
    }
    if (code == 0)
        code = time_copies(card, queue, pair, bytes, passes, &least, failure);
    for (int n = 0; n < 2; ++n)
        if (pair[n] != NULL)
            (void)card->call->ReleaseMemObject(pair[n]);
    (void)card->call->ReleaseCommandQueue(queue);
    if (code == 0)
        *rate = 2.0 * (double)bytes / least;
    return code;
}

static int link_rate(unsigned from, unsigned to, uint64_t bytes, int passes, double *rate,
                     struct failure *failure)
{
    (void)from;
    (void)to;
    (void)bytes;
    (void)passes;
    (void)rate;
    return refuse("links between them", failure);
}

/* ---- parts of a room ----------------------------------------------------------------------------------- */

static int make_signal(unsigned card, void **out, struct failure *failure)
{
    (void)card;
    (void)out;
    return refuse("parts of a room", failure);
}

const struct device_table device_opencl = {.toolkit = toolkit,
                                           .driver_installed = driver_installed,
                                           .find_card = opencl_find_card,
                                           .count = opencl_count,
                                           .reach = reach,
                                           .room_bytes = opencl_room_bytes,
                                           .copy_rate = copy_rate,
                                           .link_rate = link_rate,
                                           .engine_create = opencl_engine_create,
                                           .signal_make = make_signal};
