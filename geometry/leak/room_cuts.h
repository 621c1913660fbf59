/** A room's links as the voxeliser floods them: with sealing ribbons where cracks are to be closed, and
 * without.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_ROOM_CUTS_H
#define GEOMETRY_ROOM_CUTS_H

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/triangle_bins.h"
#include "geometry/voxel/voxel_findings.h"

/** Freed by room_cuts_free(); zeroed is empty. Made whole by room_cuts_make(); nothing may be added to its
 * meshes afterwards, as `snapped` and the fields are of them as they are. */
struct room_cuts {
    const struct mesh *walls; /* the caller's mesh: what hides nodes from seeds */
    const struct mesh
        *mesh; /* what `field` was made from: the caller's mesh, or &sealed, where ribbons come last */
    struct mesh sealed;               /* with ribbons; empty without sealing */
    struct cut_field field;           /* what floods go by */
    struct cut_field plain;           /* without ribbons; empty without sealing */
    struct snapped_triangle *snapped; /* (mesh->triangle_count) */
    bool open;
    int threads;
};

/** Where cracks are to be closed, the air around each of `position[0..count)` that stands inside a room is
 * flooded, and what ribbons leave open on its leak path is plugged (seal_plug()) until there is no leak path
 * any more or only one that is wider than the seal. `mesh` is borrowed, and so is `out->sealed` by
 * `out->mesh`: do not copy the struct. Failures of cut_field_make() and seal_mesh(). */
int room_cuts_make(const struct mesh *mesh, const struct lattice *lattice,
                   const struct voxelise_options *options, const double (*position)[3], size_t count,
                   struct room_cuts *out, struct failure *failure);
void room_cuts_free(struct room_cuts *room);

#endif
