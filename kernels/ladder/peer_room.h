/** A rigid room of blocks that any scheme of peer_schemes.h steps. The schemes share it, so that their speeds
 * can be compared. In place, as everything here: u_old becomes the new pressure.
 *
 *   v = fma(lambda^2 / parts, S, u - u_old),  u_new = u + v,  S = fma(w_o, u(x + o) - u, S) offset by offset
 *
 * Pressures: 512 values a block, slot x + 8y + 64z, block 0 is the empty one and stays 0; the grid's own
 * places. A block of FCC holds the nodes of even i + j + k of two blocks of the grid, side by side in x:
 * i = 2x + ((y + z) & 1).
 *
 * A node is *free* where all its offsets are there with their own weights. The others have records: the place
 * of the node that each offset leads to, relative to the node's own in a tile of a block and what surrounds
 * it; the node's own place where it leads nowhere.
 */
#ifndef KERNELS_LADDER_PEER_ROOM_H
#define KERNELS_LADDER_PEER_ROOM_H

#include "blocks/plaquettes.h"
#include "kernels/ladder/peer_schemes.h"
#include "kernels/scheme/engine_kinds.h"

/** A tile: rows of 16 values, of which the block's own eight are 4 .. 11; (8 + 2 reach)^2 rows. */
#define PEER_ROW   16
#define PEER_LEFT  4
#define PEER_TILE  (PEER_ROW * (BLOCK_EDGE + 2 * PEER_REACH_MOST) * (BLOCK_EDGE + 2 * PEER_REACH_MOST))
#define PEER_ROUND 27

/** Arrays are owned; `grid` and `scheme` are borrowed. Start zeroed. */
struct peer_room {
    const struct block_grid *grid;
    const struct peer_scheme *scheme;
    double lambda2;
    int offsets, reach, axes; /* axes: most along which an offset goes at once */
    struct peer_offset offset[PEER_OFFSETS_MOST];
    int shift[2][PEER_OFFSETS_MOST]; /* place in a tile, of a row with even and odd y + z */
    uint32_t blocks;
    uint64_t air_nodes;            /* that the scheme steps */
    block_id *home;                /* (blocks of the grid + 1) the block here */
    block_id (*part)[2];           /* (blocks + 1) the block of the grid, of FCC the two; 0: none */
    block_id (*round)[PEER_ROUND]; /* (blocks + 1) the blocks around, (dx+1) + 3 (dy+1) + 9 (dz+1); 0: none */
    uint64_t (*free)[BLOCK_EDGE];  /* (blocks + 1) by plane z, bit x + 8y */
    uint64_t *first;               /* (blocks + 2) records of block b: first[b] .. first[b + 1] */
    uint16_t *slot;                /* (records) rising in a block */
    int16_t *target;               /* (records, offsets) */
    int16_t *weight;               /* (records, offsets) with PEER_PLAQUETTES, else NULL: the scheme's */
    float *gain;                   /* (records) lambda^2 / (parts mass), where the grid has masses; or NULL */
};

/** Make a room of a grid of stairs (block_grid_pack() of voxels without cells); for PEER_PLAQUETTES a grid
 * after block_grid_widen(), with masses for lambda2 (cut_masses.h) or none yet (then a node's is 1, and
 * lambda2 up to 1/3 is safe). FAILURE_CAPACITY for memory. O(nodes at walls). */
int peer_room_create(const struct block_grid *grid, const struct peer_scheme *scheme, double lambda2,
                     struct peer_room *out, struct failure *failure);
void peer_room_free(struct peer_room *room);

/** Bytes of everything but pressures that a step reads. */
uint64_t peer_room_bytes(const struct peer_room *room);

/** Index into the pressures of a node of the grid that the scheme steps. */
uint64_t peer_index(const struct peer_room *room, block_id b, unsigned slot);

/** The node of the grid at a slot of a block of the room; false where that is not air. */
bool peer_grid_node(const struct peer_room *room, uint64_t id, unsigned at, block_id *b, unsigned *slot);

/** Find the target of offset o of a node of the grid, and its weight; *b and *slot are the node, then the
 * target. 0: none. It reads link bytes and plaquettes only. Records are made by it, and the reference uses
 * nothing else. */
int peer_follow(const struct peer_room *room, int o, block_id *b, unsigned *slot);

/** lambda^2 / (parts mass) of a node of the grid. */
double peer_gain(const struct peer_room *room, block_id b, unsigned slot);

/** One step of the blocks `first` .. `last` - 1; u and u_old point at block 0. By precision. */
typedef void peer_step_function(const struct peer_room *room, const void *u, void *u_old, uint64_t first,
                                uint64_t last);
extern peer_step_function *const peer_reference[2];
extern peer_step_function *const peer_portable[2];
#if defined(__x86_64__)
extern peer_step_function *const peer_avx2[2];
#endif

/** The fastest that this processor has. */
peer_step_function *const *peer_fastest(void);

#endif
