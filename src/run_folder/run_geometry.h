/** Writes the geometry of a run into its folder: the mesh that was simulated and the blocks that were stored.
 * A report draws the room from them, without the model. */
#ifndef SRC_RUN_GEOMETRY_H
#define SRC_RUN_GEOMETRY_H

#include "blocks/block_grid.h"
#include "geometry/mesh/mesh.h"
#include "src/run_folder/output_folder.h"

#define RUN_MESH_FILE   "room.glb"
#define RUN_BLOCKS_FILE "blocks.json"

/** Put both files into the folder.
 *
 * - room.glb: `mesh` in metres, materials by name, glTF's axes (y up).
 * - blocks.json: `origin_m`, the corner of the cell of lattice node 0 (half a spacing below it), room axes;
 * `edge_m` of a block; `runs`, an array of [x, y, z, count]: blocks in a row along x, the first at origin +
 * edge (x, y, z), sorted by z, y, x.
 *
 * FAILURE_OUTPUT as whole_file_open(); FAILURE_CAPACITY for memory, 12 bytes a block. O(blocks log blocks).
 */
int run_geometry_put(const struct mesh *mesh, const struct block_grid *grid, struct output_folder *folder,
                     struct failure *failure);

#endif
