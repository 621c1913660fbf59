/** The layer behind open faces in rows (kernels/scheme/layer_tables.h): how they are made, and how processors
 * step them.
 *
 * In blocks, pressures around the rows of a block are first copied into a tile of 10^3 nodes, from which all
 * neighbours of a row are loads without a search. Rows of one plane have the same coefficients, so
 * coefficients that were among the last REMEMBERED of their kind are stored once.
 */
#ifndef KERNELS_STEP_LAYER_H
#define KERNELS_STEP_LAYER_H

#include "geometry/base/failure.h"
#include "kernels/scheme/layer_tables.h"
#include "kernels/scheme/sheet_law.h"
#include "kernels/scheme/step.h"

/** Places of the tile in reals: rows of x = -1 .. 8, of which 0 is at LAYER_TILE_X. A row is in one line of
 * 64 bytes in single precision. */
#define LAYER_TILE_ROW   16
#define LAYER_TILE_PLANE (10 * LAYER_TILE_ROW)
#define LAYER_TILE_X     4
#define LAYER_TILE       (10 * LAYER_TILE_PLANE)

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
