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

void device_engine_free(struct device_engine *device)
{
    assert(device == NULL);
}

/* No engine of a device can exist, so nobody can ask about one. */
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

const char *device_engine_name(const struct device_engine *device)
{
    (void)never(NULL);
    return "cuda";
}

uint64_t device_engine_bytes(const struct device_engine *device)
{
    (void)never(NULL);
    return 0;
}

NEVER(device_engine_set_taps, struct device_engine *device, size_t sources, const struct engine_tap *source,
      size_t receivers, const struct engine_tap *receiver)
NEVER(device_engine_run, struct device_engine *device, uint64_t steps, const double *drive, double *output)
NEVER(device_engine_reset, struct device_engine *device)
NEVER(device_engine_read, struct device_engine *device, int level, void *values)
NEVER(device_engine_write, struct device_engine *device, int level, const void *values)
NEVER(device_engine_read_part, struct device_engine *device, int level, uint64_t first, uint64_t count,
      void *values)
NEVER(device_engine_write_part, struct device_engine *device, int level, uint64_t first, uint64_t count,
      const void *values)
NEVER(device_engine_measure, struct device_engine *device, struct engine_partial *found)
NEVER(device_engine_energy, struct device_engine *device, double *energy)
NEVER(device_engine_hash, struct device_engine *device, uint64_t *hash)
NEVER(device_engine_fill, struct device_engine *device, uint64_t seed)
NEVER(device_engine_wall_energy, struct device_engine *device, const struct wall_terms *terms, double courant,
      bool inertance, double *energy)
NEVER(device_engine_add_absorbed, struct device_engine *device, const struct wall_terms *terms,
      double courant, double *absorbed)
NEVER(device_engine_read_states, struct device_engine *device, void *state)
NEVER(device_engine_read_states_part, struct device_engine *device, uint64_t first, uint64_t count,
      void *state, uint64_t stride)
NEVER(device_engine_take_losses, struct device_engine *device, void *loss)
NEVER(device_engine_read_entries, struct device_engine *device, uint64_t first, uint64_t count, void *values)
NEVER(device_engine_write_entries, struct device_engine *device, uint64_t first, uint64_t count,
      const void *values)
NEVER(device_engine_copy, struct device_engine *device, bool *made)
NEVER(device_engine_read_copied_part, struct device_engine *device, int level, uint64_t first, uint64_t count,
      void *values)
NEVER(device_engine_read_copied_entries, struct device_engine *device, uint64_t first, uint64_t count,
      void *values)

NEVER(device_engine_set_sheets, struct device_engine *device, const struct engine_sheets *sheets)
NEVER(device_engine_read_sheets, struct device_engine *device, double (*out)[5])
NEVER(device_engine_write_sheets, struct device_engine *device, const double (*in)[3])
NEVER(device_engine_forget_sheet_losses, struct device_engine *device)
NEVER(device_engine_set_layer, struct device_engine *device, const struct engine_layer *layer)
NEVER(device_engine_layer, struct device_engine *device, void *state, void *loss, bool write)
NEVER(device_engine_set_port, struct device_engine *device, uint64_t count, const uint64_t *index,
      device_exchange *exchange, void *context)
NEVER(device_engine_join, struct device_engine *device, const struct engine_halo *halo)
NEVER(device_engine_exchange, struct device_engine *device, int level)
NEVER(device_signal_make, unsigned card, void **out)
NEVER(device_signal_send, const struct device_port *port, void *signal)
NEVER(device_signal_await, const struct device_port *port, void *signal)
NEVER(device_signal_passed, void *signal, bool *passed)
NEVER(device_port_fetch, const struct device_port *port, uint64_t to, unsigned card, const char *from,
      uint64_t bytes)

void device_engine_port(const struct device_engine *device, struct device_port *out)
{
    (void)never(NULL);
}

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
