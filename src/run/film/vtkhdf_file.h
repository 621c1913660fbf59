/** Pictures as VTKHDF 1.0, which ParaView opens from 5.11 on: HDF5 files, one a time.
 *
 * A node is a cell with the node in its middle. Cell data of every file:
 *
 *   pressure       float, in the film's unit (film_pulse.h); 0 without air
 *   vtkGhostType   byte, 0 for air, 32 otherwise: a hidden cell, which ParaView leaves out
 *
 * Both a slice and the whole field are an OverlappingAMR of one level. (ParaView 5.11 reads no cell data of
 * an ImageData.) A slice is one box, a cell thick. The boxes of the field are the blocks of the grid, joined
 * to larger ones (block_boxes.h), since thousands of boxes would make ParaView slow. All data are compressed
 * (deflate).
 *
 * Files of this version hold no times: a series beside them (film_files.c) gives each its time. It is called
 * .hdf.series, which ParaView 5.11 knows too.
 *
 * Format: "VTKHDF file format", docs.vtk.org. */
#ifndef SRC_VTKHDF_FILE_H
#define SRC_VTKHDF_FILE_H

#include "geometry/base/whole_file.h"
#include "src/draw/picture_plane.h"

/** Write plane->value under the temporary name of `path`, settled. FAILURE_OUTPUT when it cannot be written,
 * FAILURE_CAPACITY for memory. */
int vtkhdf_stage_plane(const char *path, const struct picture_plane *plane, const struct lattice *lattice,
                       struct whole_file *out, struct failure *failure);

/** Write the pressure in all blocks of `grid`, likewise; block by block, so that no copy of
 * the field is made. Also FAILURE_OUTPUT as engine_failed(). */
int vtkhdf_stage_blocks(const char *path, const struct block_grid *grid, const struct engine *engine,
                        const struct picture_pressure *pressure, struct whole_file *out,
                        struct failure *failure);

#endif
