/** The layer behind open faces (kernels/scheme/layer_tables.h) as processors step it: in rows of eight nodes.
 *
 * A row is a row of a block, or up to eight nodes of a row of a box, the first and last of the layer. Each
 * lane goes through the roundings of layer_flows() and scheme_layer(); coefficients of lanes that are not in
 * the layer are 0. In blocks, pressures around the rows of a block are first copied into a tile of 10^3
 * nodes, from which all neighbours of a row are loads without a search. Rows of one plane have the same
 * coefficients, so coefficients that were among the last REMEMBERED of their kind are stored once.
 */
#ifndef KERNELS_STEP_LAYER_H
#define KERNELS_STEP_LAYER_H

#include "geometry/base/failure.h"
#include "kernels/scheme/layer_tables.h"
#include "kernels/scheme/sheet_law.h"
#include "kernels/scheme/step.h"

#define LAYER_LANES  8u
#define LAYER_STATES 3u /* of a normal */

/** Places of the tile in reals: rows of x = -1 .. 8, of which 0 is at LAYER_TILE_X. A row is in one line of
 * 64 bytes in single precision. */
#define LAYER_TILE_ROW   16
#define LAYER_TILE_PLANE (10 * LAYER_TILE_ROW)
#define LAYER_TILE_X     4
#define LAYER_TILE       (10 * LAYER_TILE_PLANE)

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

/** Add what the layer does to the rows first .. last-1. */
typedef void step_layer_function(const struct step_layer *layer, const struct step_room *room, const void *u,
                                 void *u_new, uint64_t first, uint64_t last);
/** By precision. */
extern step_layer_function *const step_layer_portable[2];
#if defined(__x86_64__)
extern step_layer_function *const step_layer_avx2[2];
#endif

/** Make rows of the nodes of `from`, which must have gains; at rest. Writes the lane of each node, row times
 * 8 plus lane, into its `held`.
 * @param box      NULL in blocks
 * @param branches of an entry of walls
 * @return FAILURE_MEMORY */
int step_layer_make(struct engine_layer *from, const struct box_grid *box, unsigned real_bytes,
                    uint64_t branches, struct step_layer **out, struct failure *failure);
void step_layer_free(struct step_layer *layer);

/** Reals in `state`. */
static inline uint64_t step_layer_states(const struct step_layer *layer)
{
    return layer->normals * LAYER_STATES * LAYER_LANES;
}

/** Where state s of the normal towards `outward` of a node is, by the node's lane. */
uint64_t step_layer_state(const struct step_layer *layer, uint64_t lane, unsigned outward, unsigned s);

/** First row at or past a pressure index. O(log rows). */
uint64_t step_layer_from(const struct step_layer *layer, uint64_t index);

/** Keep u_old, and the states of walls, of rows first .. last-1. */
void step_layer_hold(const struct step_layer *layer, const struct step_walls *walls, unsigned real_bytes,
                     const void *u_old, uint64_t first, uint64_t last);

uint64_t step_layer_bytes(const struct step_layer *layer, unsigned real_bytes);

#endif
