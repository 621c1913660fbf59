/** The rooms that `bench` steps: cube, sphere, cross and church, all with about as much air.
 *
 * Their size is one number, `edge`: every room holds about edge^3 nodes of air (the cube exactly), so that
 * rates are compared at one size of field. All walls absorb, each material alike.
 */
#ifndef SRC_BENCH_ROOMS_H
#define SRC_BENCH_ROOMS_H

#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "kernels/time_step.h"

enum bench_shape { BENCH_CUBE, BENCH_SPHERE, BENCH_CROSS, BENCH_CHURCH, BENCH_SHAPES };
extern const char *const bench_shape_name[BENCH_SHAPES];

/** Limits of `edge`: below, the church's nave is a few nodes wide; above, the sphere passes
 * SEED_SHAPE_NODES_MAX. */
#define BENCH_EDGE_LEAST 24
#define BENCH_EDGE_MOST  800

/** Random-incidence absorption of every wall (-). */
#define BENCH_ABSORPTION 0.1

/** Everything is owned (bench_room_free()); start zeroed. */
struct bench_room {
    enum bench_shape shape;
    struct block_grid blocks;
    struct box_grid box;
    size_t materials;
    double *admittance; /* (materials) all the same, that of BENCH_ABSORPTION */
};

/** Bytes that a room and its engines in both layouts take at once, predicted from its volume and surface.
 * @param real_bytes 4 or 8 */
int bench_room_bytes(enum bench_shape shape, int64_t edge, unsigned real_bytes, uint64_t *bytes,
                     struct failure *failure);

/** Make both layouts. The church is voxelised from its mesh, the others are drawn node by node.
 * @param threads 0: all processors */
int bench_room_make(enum bench_shape shape, int64_t edge, int threads, struct bench_room *out,
                    struct failure *failure);
void bench_room_free(struct bench_room *room);

#endif
