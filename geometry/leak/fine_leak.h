/** Searches, on a finer grid, for leaks of a room that is closed on its own grid.
 *
 * The whole model is cut again at the finer spacing and the air of every source is flooded there. "Closed"
 * means that, at the returned spacing, on a lattice that starts half a spacing inside the model's bounding
 * box, no path over uncut links leads from a source out of that box. Smaller openings may exist. An opening
 * is found with certainty if a cube of twice the spacing can pass through it, and by chance if it is narrower
 * than the spacing.
 *
 * At a leak, the gap is searched between the last place of the path in the sources' air on the coarse grid
 * and the next one in other air there. Both are decided by visibility past walls (seed_corners), so that
 * other narrow places of the path are not reported. The size is twice the clearance at the saddle, as in
 * leak_find(). */
#ifndef GEOMETRY_FINE_LEAK_H
#define GEOMETRY_FINE_LEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/voxel_findings.h"

struct fine_leak_options {
    double spacing; /* requested [m], as 0.005 */
    double coarse;  /* the run's own [m]: searched as well, and alone if the requested one is not finer */
    uint64_t memory_bytes;                    /* limit on the memory of the search; 0: none */
    double seal_width;                        /* as in voxelise_options [m] */
    int threads;                              /* 0: all */
    const volatile sig_atomic_t *interrupted; /* as in voxelise_options */
};

struct fine_leak {
    double spacing; /* searched, or at which it leaks [m]: `coarse`, or the finest one from the requested
                       spacing on, in steps of 5 %, that fits in memory_bytes */
    uint64_t bytes; /* predicted for the spacing searched */
    uint64_t bytes_wished;  /* predicted for the requested spacing */
    uint64_t air_nodes;     /* of the last source's air at `spacing`, if closed */
    bool leaks;             /* false: closed at `spacing` */
    size_t source;          /* index of the seed whose air leaks */
    struct voxel_leak leak; /* owned, when leaks: path and gap */
    struct failure why;     /* if it leaks: place, size and remedy */
};
void fine_leak_free(struct fine_leak *found);

/** Most memory of a search at `spacing`, from the triangles and the box of the mesh [bytes]: about 400 for
 * each block of 8x8x8 nodes at a wall and 3 for each block position of the box. */
uint64_t fine_leak_bytes(const struct mesh *mesh, double spacing);

/** Search at the coarse spacing and, if that is closed, at the fine one. Only sources among the seeds count.
 * A leak is a result, not a failure. `out` untouched on failure.
 * @return 0; FAILURE_INPUT for a source in a wall or outside the box; FAILURE_CAPACITY for memory. */
int fine_leak_find(const struct mesh *mesh, const struct voxel_seed *seed, size_t seed_count,
                   const struct fine_leak_options *options, struct fine_leak *out, struct failure *failure);

#endif
