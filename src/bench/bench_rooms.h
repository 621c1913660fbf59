/** Makes the rooms of `bench`: cube, sphere, cross and church, or the user's own.
 *
 * The size of a shape is one number, `nodes`: the edge of a cube, or of each of a cross's five cubes, a
 * sphere's diameter, or for the church the edge of a cube with as much air. All walls absorb; those of the
 * shapes alike. */
#ifndef SRC_BENCH_ROOMS_H
#define SRC_BENCH_ROOMS_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "kernels/engine/engine.h"

struct room_request;

enum bench_shape {
    BENCH_CUBE,
    BENCH_SPHERE,
    BENCH_CROSS,
    BENCH_CHURCH,
    BENCH_SHAPES,
    BENCH_ROOM = BENCH_SHAPES /* the user's; its `nodes` is 0 */
};
extern const char *const bench_shape_name[BENCH_SHAPES + 1];

/** Limits of `edge`, the edge of the cube that holds as many nodes as a room: below, the church's nave is a
 * few nodes wide; above, the sphere nears SEED_SHAPE_NODES_MAX. */
#define BENCH_EDGE_LEAST 24
#define BENCH_EDGE_MOST  2560

/** Random-incidence absorption of every wall of a shape (-). */
#define BENCH_ABSORPTION 0.1

/** Everything is owned (bench_room_free()); start zeroed. */
struct bench_room {
    enum bench_shape shape;
    int64_t nodes;
    unsigned card; /* that its engines on a device use */
    struct block_grid blocks;
    struct box_grid box; /* zeroed until bench_room_add_box() */
    size_t materials;
    double *admittance;          /* (materials) of a shape all the same, that of BENCH_ABSORPTION */
    struct wall_materials walls; /* of the user's room, as a run has them; count 0: plain ones. Owned */
    struct time_step
        step; /* of the user's room, and of shapes of the isotropic scheme: for which masses are */
};

/** Size of the shape that holds about edge^3 nodes of air (the cube exactly), so that rates are compared at
 * one size of field. */
int64_t bench_room_nodes(enum bench_shape shape, int64_t edge);

/** "cross 5 x 512^3", "sphere 768", "room"; into `text`, returned. */
#define BENCH_NAME_MAX 32
const char *bench_room_name(enum bench_shape shape, int64_t nodes, char text[BENCH_NAME_MAX]);

/** Bytes of this machine's memory that a room and its engines take at once, predicted from volume and
 * surface.
 * @param real_bytes of the pressures: 4 or 8, or 0 where they are on a device
 * @param boxed      with the box layout beside the blocks */
int bench_room_bytes(enum bench_shape shape, int64_t nodes, unsigned real_bytes, bool boxed, uint64_t *bytes,
                     struct failure *failure);

/** Make a shape in blocks. The church is voxelised from its mesh, the others are drawn row by row. For the
 * isotropic scheme it is made for lambda^2 = 3/8 (bench_textbook.h), where every node has the mass of its
 * cell.
 * @param threads 0: all processors */
int bench_room_make(enum bench_shape shape, enum scheme scheme, int64_t nodes, int threads,
                    struct bench_room *out, struct failure *failure);

/** Make packed blocks those of the isotropic scheme for lambda^2 = 3/8, and set room->step. */
int bench_room_widen(struct bench_room *room, struct failure *failure);

/** True if its values are known from bench_textbook.h. */
bool bench_room_has_textbook(const struct bench_room *room);

/** The user's room, request->model.file, set up as `plan` does it; missing absorption causes a warning and is
 * set to ROOM_MISSING_ABSORPTION. Its walls absorb at all frequencies as at 500 Hz. */
int bench_room_read(const struct room_request *request, struct bench_room *out, struct failure *failure);

/** Add its bounding box, unless it exists. */
int bench_room_add_box(struct bench_room *room, struct failure *failure);

/** Nodes that a layout stores: 512 a block, or those of the box without halo. */
double bench_room_stored(const struct bench_room *room, enum layout layout);

void bench_room_free(struct bench_room *room);

#endif
