/** What an engine keeps of the layer behind the open faces of its room, plain enough for C and CUDA
 * (kernels/engine/engine_layer.h). */
#ifndef KERNELS_LAYER_TABLES_H
#define KERNELS_LAYER_TABLES_H

#include <stdint.h>

#include "kernels/scheme/layer_law.h"

/** A node of the layer. */
struct layer_node {
    uint64_t index; /* pressure index */
    uint64_t first; /* its normals, up to those of the next node */
    uint64_t wall;  /* first wall entry with states, and how many */
    uint64_t held;  /* where in held */
    uint32_t walls;
    uint32_t place; /* in blocks: which of the places */
};

/** A node and a face that it is behind. */
struct layer_normal {
    uint8_t depth;       /* 1 .. LAYER_CELLS */
    uint8_t outward;     /* direction */
    uint8_t open[2];     /* of the link towards the room and the one away from it, of CUT_WHOLE */
    uint8_t share[2][4]; /* of their plaquettes, towards -, + of the axis after the normal's and of the next,
                            of CUT_WHOLE; a half where all is open. 7 points: 0 */
};

/** The blocks around a block and itself, by (x + 1) + 3 (y + 1) + 9 (z + 1); 0 where there is none. */
struct layer_place {
    uint32_t block[27];
};

/** The nodes in the order of the grid's blocks, as they are saved: place in the list, block, normals before.
 */
struct layer_saved {
    uint64_t node, block, normals;
};

/** Reals are the run's. All owned. */
struct engine_layer {
    uint64_t nodes, normals, places;
    struct layer_node *node;     /* (nodes + 1) rising by index */
    struct layer_normal *normal; /* (normals) */
    struct layer_place *place;   /* (places) in blocks */
    int64_t stride[3];           /* in a box: indices from a node to the next along each axis; else 0 */
    void *terms;                 /* (LAYER_CELLS) struct scheme_layer of the run's real */
    void *gain, *damp; /* (nodes) lambda2 / (CUT_WHOLE mass (1 + kappa + d/2)), d/2 / (1 + kappa + d/2) */
    void *state;       /* (normals, 3) */
    void *loss;        /* (nodes) since engine_absorbed() was last called */
    void *held;        /* (helds) u_old and V of every branch of every entry, as before a step */
    uint64_t helds;
    double *worth;             /* (nodes) of a loss in the units of engine_energy() */
    struct layer_saved *saved; /* (nodes + 1) in a box; NULL in blocks, where the orders are the same */
};

/** Pressure index of the node at (x, y, z) from one, each -1, 0 or 1. */
SCHEME_FUNCTION uint64_t layer_beside(const struct layer_place *place, const int64_t stride[3],
                                      const struct layer_node *node, int x, int y, int z)
{
    if (stride[0] != 0)
        return node->index + (uint64_t)(x * stride[0] + y * stride[1] + z * stride[2]);
    const int slot = (int)(node->index & 511u),
              to[3] = {(slot & 7) + x, (slot >> 3 & 7) + y, (slot >> 6) + z};
    const int which = ((to[0] + 8) >> 3) + 3 * ((to[1] + 8) >> 3) + 9 * ((to[2] + 8) >> 3);
    return (uint64_t)place[node->place].block[which] * 512u +
           (uint64_t)((to[0] & 7) | (to[1] & 7) << 3 | (to[2] & 7) << 6);
}

/** The flow on a link of a node along its normal, outwards: away from the room, or (side 0) from there to the
 * node. */
#define LAYER_FLOW_DEFINE(real, suffix)                                                                      \
    SCHEME_FUNCTION real layer_flow_##suffix(const struct layer_place *place, const int64_t stride[3],       \
                                             const struct layer_node *node, const struct layer_normal *of,   \
                                             int side, const real *u)                                        \
    {                                                                                                        \
        const int axis = of->outward >> 1, up = (of->outward & 1 ? 1 : -1) * (side ? 1 : -1);                \
        if (of->open[side] == 0)                                                                             \
            return (real)0;                                                                                  \
        int to[3] = {0, 0, 0};                                                                               \
        to[axis] = up;                                                                                       \
        const real other = u[layer_beside(place, stride, node, to[0], to[1], to[2])],                        \
                   own = other - u[node->index];                                                             \
        real beside = (real)0;                                                                               \
        int shares = 0;                                                                                      \
        for (int k = 0; k < 4; ++k) {                                                                        \
            if (of->share[side][k] == 0)                                                                     \
                continue;                                                                                    \
            const int across = (axis + 1 + (k >> 1)) % 3;                                                    \
            int there[3] = {0, 0, 0};                                                                        \
            there[across] = k & 1 ? 1 : -1;                                                                  \
            const real near = u[layer_beside(place, stride, node, there[0], there[1], there[2])];            \
            there[axis] = up;                                                                                \
            const real far = u[layer_beside(place, stride, node, there[0], there[1], there[2])];             \
            beside += (real)of->share[side][k] * (far - near);                                               \
            shares += of->share[side][k];                                                                    \
        }                                                                                                    \
        const real flow = scheme_layer_flow_##suffix((real)(6 * of->open[side] - shares), own, beside);      \
        return (side ? flow : -flow);                                                                        \
    }
LAYER_FLOW_DEFINE(float, f32)
LAYER_FLOW_DEFINE(double, f64)

#endif
