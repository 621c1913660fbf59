/** A room's links for the voxeliser's floods: with ribbons that seal cracks, on request, and without.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_ROOM_CUTS_H
#define GEOMETRY_ROOM_CUTS_H

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/triangle_bins.h"
#include "geometry/voxel/voxel_findings.h"

/** Freed by room_cuts_free(); zeroed is empty. Filled by room_cuts_make(); its meshes must not change
 * afterwards, since `snapped` and the fields depend on them. */
struct room_cuts {
    const struct mesh *walls;         /* the caller's mesh, which hides nodes from seeds */
    const struct mesh *mesh;          /* mesh of `field`: the caller's, or &sealed, with ribbons last */
    struct mesh sealed;               /* with ribbons; empty without sealing */
    struct cut_field field;           /* links for floods */
    struct cut_field plain;           /* without ribbons; empty without sealing */
    struct snapped_triangle *snapped; /* (mesh->triangle_count) */
    bool open;
    int threads;
};

/** Make the links. To close cracks, the air around each of `position[0..count)` inside a room is flooded, and
 * gaps on its leak path are plugged (seal_plug()) until there is no leak path, or only one wider than the
 * seal. `mesh` is borrowed, and so is `out->sealed` by `out->mesh`: do not copy the struct. Failures of
 * cut_field_make() and seal_mesh(). */
int room_cuts_make(const struct mesh *mesh, const struct lattice *lattice,
                   const struct voxelise_options *options, const double (*position)[3], size_t count,
                   struct room_cuts *out, struct failure *failure);
void room_cuts_free(struct room_cuts *room);

#endif
