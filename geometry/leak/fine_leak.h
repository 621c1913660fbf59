/** Does a room that is tight on its own grid leak on a finer one?
 *
 * The whole model is cut again at the finer spacing and the air of every source flooded there. Nothing is
 * left out: "tight" means that at the spacing given back, on a lattice that starts half a spacing inside the
 * model's bounding box, no path over uncut links leads from a source out of that box. It says nothing about
 * openings that this lattice does not see: one is sure to be seen when a cube of twice the spacing can be
 * moved through it, and one narrower than the spacing only by chance.
 *
 * Where it leaks, the gap is searched between the last place of the path that belongs to the sources' air
 * on the coarse grid, and the first one after it that belongs to other air there; both are decided by what
 * can be seen past walls (seed_corners), so that what is narrow elsewhere on the path is not taken for it.
 * The size is twice the clearance at the saddle, as of leak_find().
 */
#ifndef GEOMETRY_FINE_LEAK_H
#define GEOMETRY_FINE_LEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/voxel_findings.h"

struct fine_leak_options {
    double spacing; /* wished [m], as 0.005 */
    double coarse;  /* the run's own [m]: searched as well, and alone when the wished one is not finer */
    uint64_t memory_bytes;                    /* limit on what the search may take; 0: none */
    double seal_width;                        /* as in voxelise_options [m] */
    int threads;                              /* 0: all */
    const volatile sig_atomic_t *interrupted; /* as in voxelise_options */
};

struct fine_leak {
    double spacing;         /* searched, or at which it leaks [m]: `coarse`, or the finest one from the wished
                               one on, in steps of 5 %, that fits in memory_bytes */
    uint64_t bytes;         /* predicted for the spacing searched */
    uint64_t bytes_wished;  /* predicted for the spacing wished */
    uint64_t air_nodes;     /* of the last source's air at `spacing`, when tight */
    bool leaks;             /* else tight at `spacing` */
    size_t source;          /* index of the seed whose air leaks */
    struct voxel_leak leak; /* owned, when leaks: path and gap */
    struct failure why;     /* when leaks: what, where, and what to do */
};
void fine_leak_free(struct fine_leak *found);

/** Memory that a search at `spacing` takes at most, from the triangles and the box of the mesh [bytes]: about
 * 400 for each block of 8x8x8 nodes at a wall and 3 for each block position of the box. */
uint64_t fine_leak_bytes(const struct mesh *mesh, double spacing);

/** Search at the coarse spacing, and if that is tight at the fine one. Seeds that are no sources are ignored.
 * A leak is an answer and no failure. `out` untouched on failure.
 * @return 0; FAILURE_INPUT for a source in a wall or outside the box; FAILURE_CAPACITY for memory. */
int fine_leak_find(const struct mesh *mesh, const struct voxel_seed *seed, size_t seed_count,
                   const struct fine_leak_options *options, struct fine_leak *out, struct failure *failure);

#endif
