/** The sheets of a room that sound goes through: told from its walls, hung into its grid, given their laws.
 *
 *   room_walls_read()    materials of kind sheet -> room_sheets_tell(): triangles that are no walls any more
 *   fill of a grid       packed -> room_sheets_hang() -> widened, masses -> room_sheets_give()
 */
#ifndef SRC_ROOM_SHEETS_H
#define SRC_ROOM_SHEETS_H

#include "kernels/scheme/sheet_fit.h"
#include "src/setup/room_setup.h"

/** The sheet of a material, of which model->surface[m].is_sheet. */
struct sheet room_sheet(const struct room_model *model, size_t m);

/** Put the triangles of materials that are sheets behind those of walls (mesh_set_sheets()). Nothing without
 * any. FAILURE_INPUT for a sheet that is given a back; FAILURE_CAPACITY. */
int room_sheets_tell(struct room_model *model, struct failure *failure);

/** Hang them into a grid that is packed, not yet widened, on `lattice`. FAILURE_CAPACITY. */
int room_sheets_hang(const struct room_setup *setup, const struct lattice *lattice, struct block_grid *packed,
                     struct failure *failure);

/** Give their laws to a grid whose time step stands. FAILURE_CAPACITY. */
int room_sheets_give(const struct room_setup *setup, const struct time_step *step, struct block_grid *packed,
                     struct failure *failure);

/** Areas: of a sheet both sides are exposed, as its links in the grid have them. */
void room_sheets_measure(const struct room_setup *setup, const struct block_grid *packed,
                         struct wall_areas *areas);

/** About how many links they cut on a grid of that spacing, and what so many take in the grid and in an
 * engine. */
double room_sheet_links(const struct room_model *model, double spacing);
double room_sheet_bytes(const struct room_setup *setup, double links);

/** Of every sheet its area and what its law misses. */
void room_sheets_print(struct room_setup *setup);

#endif
