/** Input and results of voxelising: seeds, options, leaks, cracks, exposure (voxeliser.h). */
#ifndef GEOMETRY_VOXEL_FINDINGS_H
#define GEOMETRY_VOXEL_FINDINGS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum seed_kind { SEED_SOURCE, SEED_RECEIVER };

/** A place that must be air. Air is flooded from all sources; a receiver must lie in air that a source
 * reaches.
 */
struct voxel_seed {
    enum seed_kind kind;
    const char *name;   /* for sentences; borrowed */
    const char *noun;   /* in sentences before the name; borrowed. NULL: source or receiver */
    double position[3]; /* [m] */
};

/** `source "pulpit"`, or "the receiver" without a name. Into `title`, returned. */
#define SEED_TITLE_MAX 200
const char *voxel_seed_title(const struct voxel_seed *seed, char title[SEED_TITLE_MAX]);

struct voxelise_options {
    double seal_width;    /* close cracks up to this width [m]; 0: none */
    bool open;            /* accept an open scene: faces of the lattice's box absorb */
    bool cells;           /* conformal walls: the open part of every voxel (voxels.h), and no contacts */
    bool find_leak_paths; /* find where air leaves the box, or would without sealing */
    int threads;          /* 0: all */
    /* (material_count) the material behind every material of the mesh, on the side from which its corners run
     * clockwise; NULL: both sides are the same; borrowed. */
    const uint16_t *back_material;
    /* Set by Ctrl-C: floods end with FAILURE_INTERRUPTED; borrowed, may be NULL. */
    const volatile sig_atomic_t *interrupted;
};

/** A leak: the path from a seed to the outside and the gap that it passes. */
struct voxel_leak {
    size_t point_count;
    double (*point)[3]; /* path over node positions, from the seed's node to outside the box [m]; owned */
    double gap[3];      /* centre of the narrowest place of the best leak path [m] */
    double gap_size;    /* its width: twice the largest clearance from walls there [m] */
    double gap_length;  /* of a crack between edges, whose exact width is known there; 0: unknown [m] */
};

/** A crack that was sealed, or an opening that is narrow for the spacing. */
struct voxel_place {
    double position[3]; /* [m] */
    double width;       /* [m] */
    uint64_t links;     /* links concerned */
};

/** A leak path that did not stop a run. */
struct voxel_leak_path {
    size_t seed;            /* the source that it starts from */
    bool sealed;            /* only ribbons closed it; else it is open */
    struct voxel_leak leak; /* owned */
    size_t exit;            /* by which it leaves the box; VOXEL_NO_EXIT if unknown */
};
#define VOXEL_NO_EXIT SIZE_MAX

/** An exit of the air of an open scene at the faces of its box: links within two nodes of one another. */
struct voxel_exit {
    double position[3]; /* middle of the link nearest to the middle of all [m] */
    uint64_t links;
    int face;  /* of the box: the direction in which the first link leaves it (enum direction) */
    bool flat; /* true: all links leave it in this direction */
};

/** Exposed area of one material of the mesh, measured by lattice lines: h^2 sum |n.e| over crossings, the
 * area on average. `front / met` of the material's area faces air: exactly 1 if all of it does, 0 if it is
 * not in air or no line met it. */
struct voxel_exposure {
    double met;         /* of all its triangles, hidden or not [m2] */
    double front, back; /* of the sides from which its corners run counter-clockwise and clockwise, as far as
                           they face air [m2] */
};

/** Findings that do not stop a run; arrays owned, freed by voxel_findings_free(). */
struct voxel_findings {
    size_t sealed_count; /* cracks closed, largest first */
    struct voxel_place *sealed;
    uint64_t sealed_links;
    size_t narrow_count; /* openings under three nodes wide between parts of the air, at most 16 listed */
    struct voxel_place *narrow;
    uint64_t open_face_links; /* links cut at the faces of an open scene */
    /* With find_leak_paths: the widest leak path of each of the first sources, one through each gap; and the
     * exits of an open scene. */
    size_t path_count, exit_count;
    struct voxel_leak_path *path;
    struct voxel_exit *exit;
    struct voxel_exposure *exposure; /* (material_count) of the mesh */
    double air_volume;               /* of the air up to the walls of the mesh (air_volume.h) [m3] */
    bool air_volume_is_cells; /* the walls do not determine it: volume of the air's cells, nodes times h^3 */
    int64_t (*seed_node)[3];  /* (seed_count, 3) the node each seed belongs to, in the order of the seeds:
                                 the nearest air node of its cell that no wall hides from it */
};

void voxel_leak_free(struct voxel_leak *leak);
void voxel_findings_free(struct voxel_findings *findings);

#endif
