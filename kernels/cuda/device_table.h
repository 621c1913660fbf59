/** The functions of CUDA that the program uses, as a table: those of the CUDA files where nvcc was at hand,
 * or fakes that a test puts in its place. The functions of base/device.h, device_engine.h and
 * device_yardstick.h go by it.
 */
#ifndef KERNELS_DEVICE_TABLE_H
#define KERNELS_DEVICE_TABLE_H

#include "kernels/cuda/base/device.h"
#include "kernels/cuda/base/device_check.h"
#include "kernels/cuda/device_engine.h"
#include "kernels/cuda/device_port.h"
#include "kernels/cuda/device_yardstick.h"

struct device_table {
    /** By the same names there. */
    const char *(*toolkit)(void);
    bool (*driver_installed)(void);
    int (*find_card)(unsigned card, struct device *out, struct failure *failure);
    unsigned (*count)(void);
    bool (*reach)(unsigned one, unsigned other);
    double (*room_bytes)(const struct device *device, const struct device_room *room);
    int (*copy_rate)(uint64_t bytes, int passes, double *rate, struct failure *failure);
    int (*link_rate)(unsigned from, unsigned to, uint64_t bytes, int passes, double *rate,
                     struct failure *failure);
    int (*engine_create)(struct device_engine **out, const struct device_request *request,
                         struct failure *failure);
    double (*yardstick_bytes)(const struct block_grid *grid, const struct device_yardstick *request);
    int (*yardstick)(const struct block_grid *grid, const struct device_yardstick *request,
                     struct device_yardstick_speed *speed, struct failure *failure);
    int (*failure)(int cuda_error, const char *call, const char *purpose, struct failure *failure);

    /** Of the ports of engines (device_port.h), all but the last two with FAILURE_OUTPUT: an event of a card;
     * .. */
    int (*signal_make)(unsigned card, void **out, struct failure *failure);
    /** .. everything that is on the port's stream now comes before it; .. */
    int (*signal_send)(const struct device_port *port, void *signal, struct failure *failure);
    /** .. what is put on the port's stream from now on comes after what was sent last, from any card; .. */
    int (*signal_await)(const struct device_port *port, void *signal, struct failure *failure);
    /** .. is all that comes before it over? The host does not wait. */
    int (*signal_passed)(void *signal, bool *passed, struct failure *failure);
    /** Put a copy of `bytes` on the stream of `port`: to port->in + to, from `from` in the memory of a card
     * that it reaches (device_reach()). FAILURE_OUTPUT. */
    int (*port_fetch)(const struct device_port *port, uint64_t to, unsigned card, const char *from,
                      uint64_t bytes, struct failure *failure);
    void (*signal_free)(void *signal);
};

/** NULL: this program was built without CUDA, and no device is ever found. Put in its place before anything
 * is asked, by tests alone. */
extern const struct device_table *device_table;

#endif
