/** The walls of a room as the options make them: what its surfaces absorb, told, and handed to an engine. */
#ifndef SRC_ROOM_WALLS_H
#define SRC_ROOM_WALLS_H

#include "blocks/box_grid.h"
#include "kernels/engine/engine.h"
#include "src/setup/room_setup.h"

/** Read --materials and --absorption, look every material of setup->mesh up in them and in the library, print
 * the list and warn of what is not as asked for. Fills setup->table, library, area, surface, wall, uncovered;
 * called by room_setup_read(). FAILURE_INPUT where `strict` and nothing covers a material. */
int room_walls_read(struct room_setup *setup, bool strict, struct failure *failure);
void room_walls_free(struct room_setup *setup);

/** Does no wall of the room take anything? The faces of an open scene do. */
bool room_walls_hard(const struct room_setup *setup);

/** The walls as an engine takes them; they borrow from `setup`. `ledger`: keep account of what each material
 * absorbs, engine_absorbed(), unless all are hard: between these an engine needs to remember nothing at its
 * walls, which a device steps faster. */
struct wall_materials room_wall_materials(const struct room_setup *setup, bool ledger);

/** Surfaces of which a run keeps account: materials of the mesh and one for the open faces, as
 * energy_ledger_make() takes them; 0 where all are hard. */
size_t room_ledger_surfaces(const struct room_setup *setup);

/** Make an engine for `grid` with the room's walls, as --walls asks for them.
 * @param box    NULL for LAYOUT_BLOCKS
 * Failures as engine_create_walls(). */
int room_engine_create(struct engine **out, const struct room_setup *setup, const struct block_grid *grid,
                       const struct box_grid *box, const struct engine_options *options, bool ledger,
                       struct failure *failure);

/** Random-incidence absorption at 500 Hz as real admittances, (material_count), for who takes plain walls:
 * `bench`. NULL when memory runs out; free(). */
double *room_plain_walls(const struct room_setup *setup);

/** "an absorption of 1 at 500, 1000 Hz is more than a locally reacting surface reaches; 0.95 is used", or ""
 * where it is not. Into `text`, returned. */
#define ROOM_LIMITED_MAX 200
const char *room_surface_limited(const struct surface *surface, char text[ROOM_LIMITED_MAX]);

#endif
