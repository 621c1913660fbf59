#include "kernels/cuda/device_table.h"

#include <stddef.h>

#ifdef TRANSEPT_HAS_CUDA
extern const struct device_table device_cuda;
const struct device_table *device_table = &device_cuda;
#else
const struct device_table *device_table = NULL;
#endif

#define ABSENT "this program was built without CUDA"

static int fail_without_cuda(struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY, ABSENT);
}

const char *device_toolkit(void)
{
    return device_table != NULL ? device_table->toolkit() : NULL;
}

bool device_driver_installed(void)
{
    return device_table != NULL && device_table->driver_installed();
}

int device_find(struct device *out, struct failure *failure)
{
    return device_find_card(0, out, failure);
}

int device_find_card(unsigned card, struct device *out, struct failure *failure)
{
    return device_table != NULL ? device_table->find_card(card, out, failure) : fail_without_cuda(failure);
}

unsigned device_count(void)
{
    return device_table != NULL ? device_table->count() : 0;
}

bool device_reach(unsigned one, unsigned other)
{
    return device_table != NULL && device_table->reach(one, other);
}

double device_room_bytes(const struct device *device, const struct device_room *room)
{
    return device_table != NULL ? device_table->room_bytes(device, room) : 0.0;
}

int device_copy_rate(uint64_t bytes, int passes, double *rate, struct failure *failure)
{
    return device_table != NULL ? device_table->copy_rate(bytes, passes, rate, failure)
                                : fail_without_cuda(failure);
}

int device_link_rate(unsigned from, unsigned to, uint64_t bytes, int passes, double *rate,
                     struct failure *failure)
{
    return device_table != NULL ? device_table->link_rate(from, to, bytes, passes, rate, failure)
                                : fail_without_cuda(failure);
}

int device_engine_create(struct device_engine **out, const struct device_request *request,
                         struct failure *failure)
{
    if (device_table != NULL)
        return device_table->engine_create(out, request, failure);
    const int code = failure_set(failure, FAILURE_CAPACITY, "no CUDA device can be used: " ABSENT);
    (void)failure_fix(code, failure, "install the CUDA Toolkit and build again");
    return failure_advise(code, failure, ADVICE_PROCESSORS, 0);
}

double device_yardstick_bytes(const struct block_grid *grid, const struct device_yardstick *request)
{
    return device_table != NULL ? device_table->yardstick_bytes(grid, request) : 0.0;
}

int device_yardstick(const struct block_grid *grid, const struct device_yardstick *request,
                     struct device_yardstick_speed *speed, struct failure *failure)
{
    return device_table != NULL ? device_table->yardstick(grid, request, speed, failure)
                                : fail_without_cuda(failure);
}
