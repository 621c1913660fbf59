/** Data that a host engine and its part on a device exchange; usable in C and CUDA. */
#ifndef KERNELS_ENGINE_PARTS_H
#define KERNELS_ENGINE_PARTS_H

#include <stdint.h>

#include "kernels/scheme/stencil.h"

/** A source or receiver: its stencil with the nodes found in the pressure arrays. */
struct engine_tap {
    unsigned count;
    uint64_t index[STENCIL_NODES_MAX];
    double
        weight[STENCIL_NODES_MAX]; /* receiver: of the stencil; source: weight lambda2 / h (1 - q) / mass */
    /* Source and frequency-dependent walls: the node's first entry, which scheme_wall_push() needs, and how
     * many it has; 0 away from walls. */
    uint64_t wall[STENCIL_NODES_MAX];
    unsigned walls[STENCIL_NODES_MAX];
};

/** The findings in a part of the field. */
struct engine_partial {
    double sum;   /* of squares */
    double plain; /* sum of the values themselves */
    double largest;
    uint64_t bad;      /* index of the first node that is not finite, or UINT64_MAX */
    uint8_t apart[96]; /* keeps two threads off one cache line */
};

#endif
