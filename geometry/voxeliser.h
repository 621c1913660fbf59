/** From triangles to air: the exact closed link test, the flood, and what can be wrong with a room.
 *
 * A wall cuts a link when any triangle meets the closed segment between the two nodes, decided in integers on
 * the sub-lattice of lattice.h. Air is what a flood over uncut links reaches from the seeds. Time grows with
 * the surface and the occupied blocks; memory with the blocks, except one byte per block position of the box.
 */
#ifndef GEOMETRY_VOXELISER_H
#define GEOMETRY_VOXELISER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/mesh.h"
#include "geometry/voxels.h"

enum seed_kind { SEED_SOURCE, SEED_RECEIVER };

/** A place that must be air. Air is flooded from all sources; a receiver must lie in air that a source
 * reaches.
 */
struct voxel_seed {
    enum seed_kind kind;
    const char *name;   /* for sentences; borrowed */
    double position[3]; /* [m] */
};

struct voxelise_options {
    double seal_width; /* close cracks up to this width [m]; 0: none */
    bool open;         /* accept an open scene: faces of the lattice's box absorb */
    bool find_ways;    /* tell in the findings where the air gets out, or would without sealing */
    int threads;       /* 0: all */
    /* (material_count) the material behind every material of the mesh, away from the side that its corners
     * run counter-clockwise on; NULL: both sides are the same; borrowed. */
    const uint16_t *back_material;
    /* Set by Ctrl-C: floods end with FAILURE_INTERRUPTED; borrowed, may be NULL. */
    const volatile sig_atomic_t *interrupted;
};

/** A leak: the way from a seed to the outside and the gap it goes through. */
struct voxel_leak {
    size_t point_count;
    double (*point)[3]; /* path over node positions, from the seed's node to outside the box [m]; owned */
    double gap[3];      /* centre of the narrowest place of the best way out [m] */
    double gap_size;    /* its width: twice the largest clearance from walls there [m] */
};

/** A crack that --seal closed, or an opening that is narrow for the spacing. */
struct voxel_place {
    double position[3]; /* [m] */
    double width;       /* [m] */
    uint64_t links;     /* links concerned */
};

/** A way out that did not stop a run. */
struct voxel_way {
    size_t seed;            /* the source that it starts from */
    bool sealed;            /* only ribbons closed it; else it is open */
    struct voxel_leak leak; /* owned */
    size_t exit;            /* by which it leaves the box, VOXEL_NO_EXIT where that is none of those */
};
#define VOXEL_NO_EXIT SIZE_MAX

/** Where the air of an open scene meets the faces of its box: links within two nodes of one another. */
struct voxel_exit {
    double position[3]; /* middle of the link nearest to the middle of all [m] */
    uint64_t links;
    int face;  /* of the box: the direction in which the first link leaves it (enum direction) */
    bool flat; /* so do all */
};

/** What the air has of one material of the mesh, measured by lattice lines: h^2 sum |n.e| over crossings, the
 * area on average. `front / met` of the material's area faces air: 1 without noise where all of it does, 0
 * where it stands in no air or no line met it. */
struct voxel_exposure {
    double met;         /* of all its triangles, hidden or not [m2] */
    double front, back; /* of the sides that its corners run counter-clockwise and clockwise on, where they
                           face air [m2] */
};

/** Findings that do not stop a run; arrays owned, freed by voxel_findings_free(). */
struct voxel_findings {
    size_t sealed_count; /* cracks closed, largest first */
    struct voxel_place *sealed;
    uint64_t sealed_links;
    size_t narrow_count; /* openings under three nodes wide between parts of the air, at most 16 listed */
    struct voxel_place *narrow;
    uint64_t open_face_links; /* links cut at the faces of an open scene */
    /* With find_ways: the widest way out of each of the first sources, one through each gap; and where the
     * air of an open scene leaves its box. */
    size_t way_count, exit_count;
    struct voxel_way *way;
    struct voxel_exit *exit;
    struct voxel_exposure *exposure; /* (material_count) of the mesh */
    double air_volume;               /* of the air up to the walls as they are drawn (air_volume.h) [m3] */
    bool air_volume_is_cells;        /* they do not tell it: it is that of the air's cells, nodes times h^3 */
    int64_t (*seed_node)[3]; /* (seed_count, 3) the node each seed belongs to, in the order of the seeds:
                                the nearest air node of its cell that no wall hides from it */
};

void voxel_leak_free(struct voxel_leak *leak);
void voxel_findings_free(struct voxel_findings *findings);

/** Voxelise `mesh` on `lattice` with the air that `seed[0..seed_count)` reach.
 * @param[out] out       owned by the caller on success (voxels_free), untouched on failure
 * @param[out] findings  may be NULL
 * @param[out] leak      may be NULL; filled (and owned) when the failure is a leak
 * @return 0; FAILURE_INPUT for a leak, or for a seed outside, in a wall, or in a cavity that no source
 *         reaches (the sentence names it, the place and the nearest valid point); FAILURE_CAPACITY.
 * The result does not depend on the number of threads.
 *
 * A source whose air has a way out of the box stands outside, or in a room that leaks: outside, when more
 * than a third of 100 evenly spread directions from it meet no wall. A seed lies in a wall when no node of
 * its cell can be seen from it past the walls, or when it is within h/1024 of a wall and no node itself.
 * The nearest valid point is a node: for a receiver in the air of the sources; for a source in the air of the
 * other sources that are enclosed, or in any enclosed cavity when there is no such source. */
int voxelise(const struct mesh *mesh, const struct lattice *lattice, const struct voxel_seed *seed,
             size_t seed_count, const struct voxelise_options *options, struct voxels *out,
             struct voxel_findings *findings, struct voxel_leak *leak, struct failure *failure);

/** Enclosed cavities of the mesh, largest first, at most `limit`: a point in each (a node as far from the
 * walls as a coarse search finds) and its volume. For commands that need a place when no source is given.
 * `*count` is how many there are in `cavity`. FAILURE_INPUT when nothing is enclosed. */
struct voxel_cavity {
    double position[3]; /* a node of it, well clear of walls [m] */
    uint64_t air_nodes;
};
int voxel_cavities(const struct mesh *mesh, const struct lattice *lattice,
                   const struct voxelise_options *options, size_t limit, struct voxel_cavity *cavity,
                   size_t *count, struct failure *failure);

#endif
