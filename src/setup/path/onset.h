/** Finds the time at which sound first arrives: along the straight line if that is clear, else along the
 * shortest path through the air. */
#ifndef SRC_ONSET_H
#define SRC_ONSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "geometry/mesh/mesh.h"

struct onset_path {
    double length; /* [m] */
    bool straight; /* the straight line is clear */
};

/** Shortest paths from one place to `count` others: `node` and `nodes` are their air nodes. Straight ones are
 * exact. For the others the route is the shortest over the connected parts of 8x8x8 blocks, each joined to
 * its 26 neighbours. Distances on that graph are at most 13 % too long, so either of two routes that differ
 * by less may be chosen. The route is then shortened against the mesh, and its length is right within about
 * the grid spacing. O(blocks log blocks) once for all hidden places, O(triangles) for every step of that.
 * FAILURE_CAPACITY for memory; FAILURE_INPUT if the air does not join them. */
int onset_find(const struct mesh *mesh, const struct block_grid *grid, const double from[3],
               const int64_t from_node[3], size_t count, const double (*to)[3], const int64_t (*to_node)[3],
               struct onset_path *out, struct failure *failure);

#endif
