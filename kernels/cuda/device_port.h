/** Where the values are that an engine of a device exchanges with other parts of the room, for those who
 * carry them (../parts, ../mpi); plain enough for C and CUDA.
 *
 *   gather ──> out[n & 1] ── copies, messages ──> in ──> scatter        n: exchanges before this one
 *
 * What is done with it: device_table.h. A stream and an event are void * here: CUDA's own headers are not for
 * C.
 */
#ifndef KERNELS_DEVICE_PORT_H
#define KERNELS_DEVICE_PORT_H

/** In the memory of a card; borrowed from the engine. */
struct device_port {
    unsigned card;
    void *stream; /* gathers and scatters, in this order */
    char *out[2], *in;
};

#endif
