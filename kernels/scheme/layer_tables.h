/** Tables of an engine for the layer behind the open faces of its room, usable in C and CUDA
 * (kernels/engine/engine_layer.h). */
#ifndef KERNELS_LAYER_TABLES_H
#define KERNELS_LAYER_TABLES_H

#include <stddef.h>
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
    uint8_t shares;      /* has it any? */
};

/** The blocks around a block and itself, by (x + 1) + 3 (y + 1) + 9 (z + 1); 0 where there is none. */
struct layer_place {
    uint32_t block[27];
};

/** Places of the nodes around one: by (x + 1) + 3 (y + 1) + 9 (z + 1), each -1, 0 or 1. Borrowed. */
struct layer_around {
    SCHEME_SHARED const struct layer_place *place; /* in blocks: which block, .. */
    SCHEME_SHARED const uint16_t
        *code;          /* .. (512, 27) by slot: number in the place, times 512, and slot there */
    int64_t offset[27]; /* in a box: from a node's index */
};

/** The nodes in the order of the grid's blocks, as they are saved: place in the list, block, normals before.
 */
struct layer_saved {
    uint64_t node, block, normals;
};

/* ---- in rows of eight nodes, as all back ends but the reference step them -------------------------------
 */

#define LAYER_LANES  8u
#define LAYER_STATES 3u /* of a normal */
#define LAYER_TERMS  9u /* coefficients of a depth: struct scheme_layer */

/** A row of a block, or up to eight nodes of a row of a box, the first and last of the layer. Each lane goes
 * through the roundings of layer_flows() and scheme_layer(); coefficients of lanes that are not in the layer
 * are 0. */
struct layer_row {
    uint64_t index;  /* pressure index of its first lane */
    uint32_t first;  /* its normals, up to those of the next row */
    uint32_t wall;   /* its wall nodes, likewise */
    uint32_t weight; /* number of its gains */
    uint32_t place;  /* of layer_place, in blocks */
    uint8_t lanes;   /* which are in the layer */
};

/** A direction that one or more nodes of a row have as normal. */
struct layer_row_normal {
    uint32_t side;   /* number of its openings */
    uint16_t depths; /* number of its terms */
    uint8_t outward, shares;
};

struct layer_row_side {
    int16_t weight[2][LAYER_LANES]; /* of the link towards the room and the one away from it */
    uint8_t share[2][4][LAYER_LANES];
};

/** A node with states of walls. */
struct layer_row_wall {
    uint64_t entry, held; /* first, and where V of its branches are in held_walls */
    uint32_t count, lane;
};

/** Rows of a block in y and z that one or more rows of the layer lie in. */
struct layer_reach {
    uint8_t low[2], high[2];
};

/** A list of different values. */
struct layer_values {
    uint64_t count, room;
    size_t bytes; /* of one */
    void *value;
};

/** Reals are the run's. All owned but `around`. */
struct step_layer {
    uint64_t rows, normals, walls, helds;
    struct layer_row *row;           /* (rows + 1) rising by index */
    struct layer_row_normal *normal; /* (normals) */
    struct layer_row_wall *wall;     /* (walls) */
    struct layer_reach *reach;       /* (places) */
    struct layer_values side;        /* struct layer_row_side */
    struct layer_values weight;      /* (2, 8) gain and -damp of engine_layer */
    struct layer_values depths;      /* (8) bytes */
    void *terms;                     /* (depths, 9, 8) now, then, keep of both links and the node */
    void *state;                     /* (normals, 3, 8) */
    void *loss;                      /* (rows, 8) */
    void *held;                      /* (rows, 8) u_old as before a step */
    void *held_walls;                /* (helds) V of every branch of every entry, likewise */
    const struct layer_around *around;
    int64_t stride[3]; /* of a box */
};

/** Reals are the run's. All owned. */
struct engine_layer {
    uint64_t nodes, normals, places;
    struct layer_node *node;     /* (nodes + 1) rising by index */
    struct layer_normal *normal; /* (normals) */
    struct layer_place *place;   /* (places) in blocks */
    struct layer_around around;  /* of these; `code` owned */
    void *terms;                 /* (LAYER_CELLS) struct scheme_layer of the run's real */
    void *gain, *damp; /* (nodes) lambda2 / (CUT_WHOLE mass (1 + kappa + d/2)), d/2 / (1 + kappa + d/2) */
    void *state;       /* (normals, 3) */
    void *loss;        /* (nodes) since engine_absorbed() was last called */
    void *held;        /* (helds) u_old and V of every branch of every entry, as before a step */
    uint64_t helds;
    double *worth;             /* (nodes) of a loss in the units of engine_energy() */
    struct layer_saved *saved; /* (nodes + 1) in a box; NULL in blocks, where the orders are the same */
    struct step_layer *rows;   /* has gains, states, losses and held values; NULL: these lists have */
};

SCHEME_FUNCTION uint64_t layer_beside(const struct layer_around *around, const struct layer_node *node, int k)
{
    if (around->code == NULL)
        return node->index + (uint64_t)around->offset[k];
    const unsigned code = around->code[(node->index & 511u) * 27u + (unsigned)k];
    return (uint64_t)around->place[node->place].block[code >> 9] * 512u + (code & 511u);
}

/** The flows of a node along a normal, outwards: from the room to the node, and from it away from the room.
 */
#define LAYER_FLOWS_DEFINE(real, suffix)                                                                     \
    SCHEME_FUNCTION void SCHEME_NAME(layer_flows, suffix)(                                                   \
        const struct layer_around *around, const struct layer_node *node, const struct layer_normal *of,     \
        SCHEME_SHARED const real *u, real flow[2])                                                           \
    {                                                                                                        \
        const int axis = of->outward >> 1, power = axis == 0 ? 1 : axis == 1 ? 3 : 9;                        \
        const int out = of->outward & 1 ? power : -power;                                                    \
        const real here = u[node->index], inner = u[layer_beside(around, node, 13 - out)],                   \
                   outer = u[layer_beside(around, node, 13 + out)];                                          \
        real in_beside = (real)0, out_beside = (real)0;                                                      \
        int in_shares = 0, out_shares = 0;                                                                   \
        for (int k = 0; of->shares && k < 4; ++k) {                                                          \
            const int across = (axis + 1 + (k >> 1)) % 3;                                                    \
            const int there = 13 + (k & 1 ? 1 : -1) * (across == 0 ? 1 : across == 1 ? 3 : 9);               \
            const real near = u[layer_beside(around, node, there)],                                          \
                       in_far = u[layer_beside(around, node, there - out)],                                  \
                       out_far = u[layer_beside(around, node, there + out)];                                 \
            in_beside += (real)of->share[0][k] * (in_far - near);                                            \
            out_beside += (real)of->share[1][k] * (out_far - near);                                          \
            in_shares += of->share[0][k];                                                                    \
            out_shares += of->share[1][k];                                                                   \
        }                                                                                                    \
        flow[0] = -SCHEME_NAME(scheme_layer_flow, suffix)((real)(6 * of->open[0] - in_shares), inner - here, \
                                                          in_beside);                                        \
        flow[1] = SCHEME_NAME(scheme_layer_flow, suffix)((real)(6 * of->open[1] - out_shares), outer - here, \
                                                         out_beside);                                        \
    }
LAYER_FLOWS_DEFINE(float, f32)
LAYER_FLOWS_DEFINE(double, f64)

#endif
