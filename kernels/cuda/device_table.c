#include "kernels/cuda/device_table.h"

#include <stddef.h>

#define ABSENT "this program was built without CUDA"

static int report_absence(struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY, ABSENT);
}

const char *device_toolkit(const struct device_table *table)
{
    return table != NULL ? table->toolkit() : NULL;
}

bool device_driver_installed(const struct device_table *table)
{
    return table != NULL && table->driver_installed();
}

int device_find(const struct device_table *table, struct device *out, struct failure *failure)
{
    return device_find_card(table, 0, out, failure);
}

int device_find_card(const struct device_table *table, unsigned card, struct device *out,
                     struct failure *failure)
{
    return table != NULL ? table->find_card(card, out, failure) : report_absence(failure);
}

unsigned device_count(const struct device_table *table)
{
    return table != NULL ? table->count() : 0;
}

bool device_reach(const struct device_table *table, unsigned one, unsigned other)
{
    return table != NULL && table->reach(one, other);
}

double device_room_bytes(const struct device_table *table, const struct device *device,
                         const struct device_room *room)
{
    return table != NULL ? table->room_bytes(device, room) : 0.0;
}

int device_copy_rate(const struct device_table *table, uint64_t bytes, int passes, double *rate,
                     struct failure *failure)
{
    return table != NULL ? table->copy_rate(bytes, passes, rate, failure) : report_absence(failure);
}

int device_link_rate(const struct device_table *table, unsigned from, unsigned to, uint64_t bytes, int passes,
                     double *rate, struct failure *failure)
{
    return table != NULL ? table->link_rate(from, to, bytes, passes, rate, failure) : report_absence(failure);
}

int device_engine_create(const struct device_table *table, struct device_engine **out,
                         const struct device_request *request, struct failure *failure)
{
    if (table != NULL)
        return table->engine_create(out, request, failure);
    const int code = failure_set(failure, FAILURE_CAPACITY, "no CUDA device can be used: " ABSENT);
    (void)failure_fix(code, failure, "install the CUDA Toolkit and build again");
    return failure_advise(code, failure, ADVICE_PROCESSORS, 0);
}

bool device_has_yardstick(const struct device_table *table)
{
    return table != NULL && table->yardstick != NULL;
}

double device_yardstick_bytes(const struct device_table *table, const struct block_grid *grid,
                              const struct device_yardstick *request)
{
    return table != NULL ? table->yardstick_bytes(grid, request) : 0.0;
}

int device_yardstick(const struct device_table *table, const struct block_grid *grid,
                     const struct device_yardstick *request, struct device_yardstick_speed *speed,
                     struct failure *failure)
{
    return table != NULL ? table->yardstick(grid, request, speed, failure) : report_absence(failure);
}
