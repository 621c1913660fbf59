/** Closes cracks in a model.
 *
 * A hole is closed if it is no wider than the width, measured across it: if a ball of that diameter does not
 * pass. This depends on the model alone, so a width closes the same holes on every grid. There are two steps.
 *
 * seal_mesh() adds ribbons of triangles that bridge every crack up to the width; the exact link test then
 * cuts the links. A ribbon starts at an open edge, or at a sharp one (solid parts that do not touch have no
 * open edges), and ends on the nearest other wall in the cross-section of that edge, if that is no further
 * than the width; fans fill the corners between the ribbons of several edges (seal_fans.h). Ribbons are
 * finite strips: where panels meet at odd angles they may leave a hole, through which the links of a fine
 * grid slip.
 *
 * seal_plug() closes such a hole once a path through it is known. Where the path comes within half the width
 * of a wall, it fills the space that a ball of the width cannot enter. room_cuts_make() repeats this until no
 * path leads out, or only one that is wider than the width everywhere. Every plug cuts a link of the path, so
 * this ends. Plugs stay within 0.58 widths of the walls, so a hole that a ball of 1.16 widths passes stays
 * open.
 *
 * Ribbons in the middle of the air must not become walls. How a voxeliser uses them:
 *   1. make one cut field of the original mesh (`plain`) and one of the mesh with ribbons and plugs
 * (`sealed`);
 *   2. flood over links uncut in `sealed`;
 *   3. seal_pockets(): continue from the seeds it returns (nooks that a ribbon closed although they lead
 *      nowhere), until there are none: one may be behind another;
 *   4. cut in the result only links that `plain` cuts, and links from air to a node that is not air. A link
 *      with air at both ends that only `sealed` cuts is a ribbon in free air: it stays uncut. Materials of
 *      links that `plain` does not cut come from the ribbon, which carries its edge's material;
 *   5. seal_places() lists what was closed. */
#ifndef GEOMETRY_SEAL_H
#define GEOMETRY_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/clearance.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/voxel_findings.h"
#include "geometry/voxel/voxels.h"

/** Copy `in` and add ribbons across cracks up to `width` [m]. Triangles and vertices of `in` come first,
 * unchanged and in the same order; ribbons follow from triangle in->triangle_count on, inside the bounding
 * box of `in`.
 * @param[out] out  owned by the caller (mesh_free), untouched on failure; markers are not copied
 * @return 0; FAILURE_INPUT for a width that is not positive and finite; FAILURE_CAPACITY for memory. Time
 * O(length of open and sharp edges / width) look-ups in a tree of the triangles. */
int seal_mesh(const struct mesh *in, double width, struct mesh *out, struct failure *failure);

/** Plug a path out of `sealed`, found by a grid of `spacing`: add to the mesh a closed surface around the
 * place of the path nearest to path->gap, inside the model's box, that is within half of `width` from a wall,
 * made of cells of a twelfth of the width (four sub-steps of the grid at least, to outlive snapping). The
 * beginning of the path, until it leaves the wall beside which it begins, does not count.
 * @param[in]  walls    of the model without ribbons
 * @param[out] plugged  false, and `sealed` unchanged, if there is no such place: the path is wider
 * FAILURE_CAPACITY for memory. A distance to the walls for each width of the path, and some 10,000 more. */
int seal_plug(const struct clearance *walls, const struct voxel_leak *path, double width, double spacing,
              struct mesh *sealed, bool *plugged, struct failure *failure);

/** Nodes from which to continue the flood (step 3): one in each pocket that ribbons separate from `air` and
 * that does not reach the outside. A pocket is at most twice the width (or 2 h) deep: its nodes times h over
 * the links into it. `*seed` is owned by the caller (free), NULL when `*seed_count` is 0. `air` needs its
 * blocks' air sets only. */
int seal_pockets(const struct cut_field *plain, const struct cut_field *sealed, const struct voxels *air,
                 double width, int64_t (**seed)[3], size_t *seed_count, struct failure *failure);

/** The cracks that were closed: links cut by `sealed` and not by `plain` that join a node of `air` with
 * another, gathered into places (links within two nodes of each other), largest (widest, then most links)
 * first.
 * @param[in]  sealed_mesh  of seal_mesh(), with the same `width`
 * @param[out] place        (*place_count) owned by the caller (free); position is a link's midpoint near the
 *                          place's centre, width the widest crack bridged there (that of the seal where only
 *                          a plug closed it)
 * @param[out] links        sealed links in all */
int seal_places(const struct cut_field *plain, const struct cut_field *sealed, const struct mesh *sealed_mesh,
                double width, const struct voxels *air, struct voxel_place **place, size_t *place_count,
                uint64_t *links, struct failure *failure);

#endif
