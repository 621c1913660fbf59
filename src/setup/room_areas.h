/** Areas of walls in the grid compared with those of the mesh; and sheets, through which sound passes: placed
 * in the grid, and given their laws.
 *
 *   room_walls_read()    materials of kind sheet -> triangles that no longer are walls (mesh_set_sheets())
 *   fill of a grid       packed -> room_sheets_hang() -> widened, masses -> room_sheets_give()
 */
#ifndef SRC_ROOM_AREAS_H
#define SRC_ROOM_AREAS_H

#include "kernels/scheme/sheet_fit.h"
#include "src/setup/room_setup.h"
#include "src/base/words/words.h"

/** Bring the areas of the materials in `packed` to those of the mesh that face air (wall_areas.h), or only
 * measure them: with first-order walls, and with conformal walls, whose areas are exact. `out` is owned by
 * the caller. FAILURE_CAPACITY for memory. */
int room_rescale_areas(const struct room_setup *setup, struct block_grid *packed,
                       const struct voxel_findings *findings, struct wall_areas *out,
                       struct failure *failure);

/** Print the changes by conformal walls, with a warning if much volume was added. Print which surfaces face
 * air partly or with both sides, and warn of those whose area the grid cannot hold. */
void room_print_areas(struct room_setup *setup);

/* ---- sheets ---- */

/** Place them in a grid on `lattice` that is packed and not yet widened. FAILURE_CAPACITY. */
int room_sheets_hang(const struct room_setup *setup, const struct lattice *lattice, struct block_grid *packed,
                     struct failure *failure);

/** Give their laws to a grid whose time step is settled. FAILURE_CAPACITY. */
int room_sheets_give(const struct room_setup *setup, const struct time_step *step, struct block_grid *packed,
                     struct failure *failure);

/** Measure areas. Both sides of a sheet are exposed, as its links in the grid have them; of two sheets on one
 * link the outer sides. `staircase` counts both sides of all sheets in the grid. */
void room_sheets_measure(const struct room_setup *setup, const struct block_grid *packed,
                         struct wall_areas *areas);

/** Estimate how many links they cut on a grid of that spacing, and the bytes of these in grid and engine. */
double room_sheet_links(const struct room_model *model, double spacing);
double room_sheet_bytes(const struct room_setup *setup, double links);

/** A sheet with less than this part of its area in the grid gets a warning: material, area left [m2], whole
 * area [m2], spacing [m]. */
#define ROOM_SHEET_HUNG 0.8
#define ROOM_SHEET_LOST                                                                                      \
    SAID("the sheet %.100s has %.4g of its %.4g m2 in this grid of %.3g m: the rest is within a cell "       \
         "of a wall or of a sheet of another material, or smaller than a cell; move it farther from "        \
         "them")

/** Print the area of every sheet and the error of its law; warn if a part of a sheet is not in the grid. */
void room_sheets_print(struct room_setup *setup);

#endif
