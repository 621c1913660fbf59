/** Where the values are that an engine of a device exchanges with other parts of the room, for those who
 * carry them (../parts, ../mpi); plain enough for C and CUDA.
 *
 *   gather ──> out[n & 1] ── copies, messages ──> in ──> scatter        n: exchanges before this one
 *
 * A stream and an event are void * here: CUDA's own headers are not for C.
 */
#ifndef KERNELS_DEVICE_PORT_H
#define KERNELS_DEVICE_PORT_H

#include "geometry/base/failure.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In the memory of a card; borrowed from the engine. */
struct device_port {
    unsigned card;
    void *stream; /* gathers and scatters, in this order */
    char *out[2], *in;
};

/** An event of a card. FAILURE_OUTPUT, as all that follow. */
int device_signal_make(unsigned card, void **out, struct failure *failure);
void device_signal_free(void *signal);
/** Everything that is on the port's stream now comes before it. */
int device_signal_send(const struct device_port *port, void *signal, struct failure *failure);
/** What is put on the port's stream from now on comes after what was sent last; from any card. */
int device_signal_await(const struct device_port *port, void *signal, struct failure *failure);
/** Is all that comes before it over? The host does not wait. */
int device_signal_passed(void *signal, bool *passed, struct failure *failure);
/** Put a copy of `bytes` on the stream of `port`: to port->in + to, from `from` in the memory of a card that
 * it reaches (device_reach()). */
int device_port_fetch(const struct device_port *port, uint64_t to, unsigned card, const char *from,
                      uint64_t bytes, struct failure *failure);

#ifdef __cplusplus
}
#endif

#endif
