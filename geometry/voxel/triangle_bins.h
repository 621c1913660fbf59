/** Triangles on the sub-lattice of lattice.h, and which blocks of links each of them can touch.
 *
 * Inside the voxeliser only. A block's links are those whose low end is one of its 512 nodes; they fill the
 * closed cube from its first node to the first node of the next block.
 */
#ifndef GEOMETRY_TRIANGLE_BINS_H
#define GEOMETRY_TRIANGLE_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/lattice.h"

#define BLOCK_SUBSTEPS_LOG2 13 /* 8 nodes of 1024 sub-steps */

struct snapped_triangle {
    int32_t corner[3][3]; /* by vertex, then axis: odd sub-steps */
    struct face_rank rank;
};

/** Compare two faces that overlap in one plane: below 0 if the first is smaller, above 0 if the second is, 0
 * if they are equal or in two planes. */
static inline int compare_ranks(struct face_rank first, struct face_rank second)
{
    if (first.plane == 0 || first.plane != second.plane)
        return 0;
    return (first.rank > second.rank) - (first.rank < second.rank);
}

/** Place of a block as one number that rises with (z,y,x); places from -1 up. */
static inline uint64_t block_key(const int32_t place[3])
{
    return (uint64_t)(place[2] + 1) << 40 | (uint64_t)(place[1] + 1) << 20 | (uint64_t)(place[0] + 1);
}

static inline void block_key_place(uint64_t key, int32_t place[3])
{
    for (int axis = 0; axis < 3; axis++)
        place[axis] = (int32_t)(key >> 20 * axis & 0xFFFFF) - 1;
}

/** Freed by triangle_bins_free(); zeroed is empty. */
struct triangle_bins {
    struct snapped_triangle *snapped; /* (triangle_count) of the mesh; NULL from triangle_bins_of() */
    size_t block_count;
    uint64_t *key;      /* (block_count) rising */
    size_t *first;      /* (block_count + 1) into triangle */
    uint32_t *triangle; /* per block by rising index */
};

/** Snap and bin. Triangles without area after snapping are in no bin. O(triangles + blocks touched).
 * FAILURE_INPUT for a vertex before node -1 of the lattice, FAILURE_CAPACITY past 2^30 sub-steps or for
 * memory. */
int triangle_bins_make(const struct mesh *mesh, const struct lattice *lattice, struct triangle_bins *out,
                       struct failure *failure);
void triangle_bins_free(struct triangle_bins *bins);

/** Bin triangles that are snapped already: the block at place (0,0,0) starts at sub-step -shift of every
 * axis. FAILURE_CAPACITY. */
int triangle_bins_of(const struct snapped_triangle *snapped, size_t count, int32_t shift,
                     struct triangle_bins *out, struct failure *failure);

/** Cubes of 2^log2 sub-steps, cube (0,0,0) from sub-step -shift of every axis on; those from `first` to
 * `last`. */
struct cube_range {
    int log2;
    int32_t shift, first[3], last[3];
};

/** Call `visit` for every cube of the range that the triangle can touch, and for few others, until it returns
 * something else than 0, which is returned. None for a triangle without area. */
int triangle_cubes(const struct snapped_triangle *snapped, const struct cube_range *range,
                   int (*visit)(void *context, const int32_t place[3]), void *context);

/** Snap every triangle: `out` holds mesh->triangle_count. Failures as above. */
int snap_triangles(const struct mesh *mesh, const struct lattice *lattice, struct snapped_triangle *out,
                   struct failure *failure);

#endif
