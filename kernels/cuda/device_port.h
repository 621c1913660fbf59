/** The place of the values that an engine on a device exchanges with other parts of the room, for the code
 * that transfers them (../parts, ../mpi); usable in C and CUDA.
 *
 *   gather ──> out[n & 1] ── copies, messages ──> in ──> scatter        n: exchanges before this one
 *
 * Functions that use it: device_table.h. A stream and an event are void * here: CUDA's own headers are not
 * for C.
 */
#ifndef KERNELS_DEVICE_PORT_H
#define KERNELS_DEVICE_PORT_H

/** In the memory of a device; borrowed from the engine. */
struct device_port {
    unsigned card;
    void *stream; /* gathers and scatters, in this order */
    char *out[2], *in;
};

#endif
