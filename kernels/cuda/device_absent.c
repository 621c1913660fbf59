/* What takes the place of the CUDA files where there was no nvcc: no device is ever found. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <assert.h>
#include <stddef.h>

#include "kernels/cuda/base/device.h"
#include "kernels/cuda/base/device_check.h"
#include "kernels/cuda/device_engine.h"
#include "kernels/cuda/device_port.h"
#include "kernels/cuda/device_yardstick.h"

#define ABSENT "this program was built without CUDA"

const char *device_toolkit(void)
{
    return NULL;
}

bool device_driver_installed(void)
{
    return false;
}

int device_find(struct device *out, struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY, ABSENT);
}

unsigned device_count(void)
{
    return 0;
}

int device_find_card(unsigned card, struct device *out, struct failure *failure)
{
    return device_find(out, failure);
}

bool device_reach(unsigned one, unsigned other)
{
    return false;
}

double device_room_bytes(const struct device *device, const struct device_room *room)
{
    return 0.0;
}

int device_copy_rate(uint64_t bytes, int passes, double *rate, struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY, ABSENT);
}

int device_link_rate(unsigned from, unsigned to, uint64_t bytes, int passes, double *rate,
                     struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY, ABSENT);
}

int device_engine_create(struct device_engine **out, const struct device_request *request,
                         struct failure *failure)
{
    const int code = failure_set(failure, FAILURE_CAPACITY, "no CUDA device can be used: " ABSENT);
    (void)failure_fix(code, failure, "install the CUDA Toolkit and build again");
    return failure_advise(code, failure, ADVICE_PROCESSORS, 0);
}

/* No engine of a device can exist, so nobody can ask for signals between two. */
static int never(struct failure *failure)
{
    assert(!"no device engine without CUDA");
    return failure_set(failure, FAILURE_CAPACITY, ABSENT);
}

#define NEVER(name, ...)                                                                                     \
    int name(__VA_ARGS__, struct failure *failure)                                                           \
    {                                                                                                        \
        return never(failure);                                                                               \
    }

NEVER(device_signal_make, unsigned card, void **out)
NEVER(device_signal_send, const struct device_port *port, void *signal)
NEVER(device_signal_await, const struct device_port *port, void *signal)
NEVER(device_signal_passed, void *signal, bool *passed)
NEVER(device_port_fetch, const struct device_port *port, uint64_t to, unsigned card, const char *from,
      uint64_t bytes)

void device_signal_free(void *signal)
{
    assert(signal == NULL);
}

double device_yardstick_bytes(const struct block_grid *grid, const struct device_yardstick *request)
{
    return 0.0;
}

int device_yardstick(const struct block_grid *grid, const struct device_yardstick *request,
                     struct device_yardstick_speed *speed, struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY, ABSENT);
}

NEVER(device_failure, int cuda_error, const char *call, const char *purpose)
