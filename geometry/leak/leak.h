/** Finds a leak: the path on which a flood leaves the model, and the gap that it passes.
 *
 * The clearance of a place is its distance to the nearest wall. Among all paths from the seed to the outside
 * the widest one is sought: the path whose smallest clearance is largest (a maximin path; the flood always
 * grows at its clearest front node). The gap is the node q with the greatest ratio of an earlier clearance to
 * its own, so a seed beside a wall or a wide door of a side room is not reported. Then the saddle of the
 * exact clearance (point to triangle) is searched around q; the size of the gap is twice the clearance at the
 * saddle: the side of a square hole, the diameter of a round one, the width of a slot. If a path never
 * narrows, as under a missing roof, the gap is the point where it leaves the lattice's box. The size is then
 * twice the clearance there: at most the opening's width.
 *
 * The search is coarse far from walls: single nodes within a block of a wall, whole blocks of 8x8x8
 * elsewhere. */
#ifndef GEOMETRY_LEAK_H
#define GEOMETRY_LEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/voxel_findings.h"

/** Sealing is suggested up to this size [m]; wider gaps are doors, windows or missing walls. */
#define LEAK_SEAL_SUGGESTED 0.1

/** Width to seal for a gap of that size, in tenths of a centimetre [cm]: a tenth and 3 mm more, because the
 * gap was measured at one place. */
double leak_seal_centimetres(double gap_size);

#define LEAK_WIDTH_MAX 32
/** "1.23 m", "4.5 cm", "0.7 mm", or "less than 0.1 mm": the width of a gap for a sentence. Into `text`,
 * returned. */
const char *leak_width(double gap_size, char text[LEAK_WIDTH_MAX]);

/** True if the path leads at the gap through a sheet of the mesh, which does not seal; its material is in
 * `material`. O(points of the path x sheets). */
bool leak_through_sheet(const struct mesh *mesh, const struct voxel_leak *leak, uint16_t *material);

/** Set the remedy for a leak through such a sheet. Returns `code`. */
int leak_fix_sheet(int code, const struct mesh *mesh, uint16_t material, struct failure *failure);

/** Find the widest path from `seed_node` out of the lattice's box over links that `field` leaves uncut.
 * @param[in] mesh       the walls for clearances: the mesh of `field` without sealing triangles, since the
 * gap of the model is reported
 * @param[in] seed_node  a node of the box; seed_name is put into the sentence unchanged (`source "S1"`)
 * @param[out] out  filled on a leak: point[] are nodes, neighbours along an axis joined by uncut links, the
 * first is seed_node and the last lies outside the box; free with voxel_leak_free()
 * @return 0 when the seed's air is enclosed (`out` zeroed); FAILURE_INPUT for a leak, with the seed, the
 * place and size of the gap and what to do; FAILURE_CAPACITY for memory. Time O(nodes in blocks near walls +
 * blocks of the box); memory about 1.3 bytes a node in blocks within a block of a wall, 2 bytes a block
 * position of the box, and a tree over the triangles. */
int leak_find(const struct mesh *mesh, const struct cut_field *field, const int64_t seed_node[3],
              const char *seed_name, struct voxel_leak *out, struct failure *failure);

#endif
