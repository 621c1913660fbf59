/** The absorption of the surfaces of a room, resolved and printed. */
#ifndef SRC_ROOM_WALLS_H
#define SRC_ROOM_WALLS_H

#include "kernels/scheme/grid_wall.h"
#include "src/setup/room_grid.h"
#include "src/setup/room_model.h"

/** Absorption at all frequencies that `plan` assumes if none is known. */
#define ROOM_MISSING_ABSORPTION 0.1

/** Read the list of materials of the request, look up every material of the mesh in it and in the library,
 * print the list, and warn of differences. Fills model->table, library, area, surface, use, wall, uncovered.
 * FAILURE_INPUT if the model must be complete and nothing covers a material. */
int room_walls_read(const struct room_request *request, struct room_notices *notices,
                    struct room_model *model, struct failure *failure);

/** Print which surfaces have no absorption in octaves that speech needs, where they keep that of the highest
 * octave given: for a command whose results reach as high. */
void room_walls_say_highest(const struct room_model *model, const struct room_notices *notices);

/** Walls for a grid of the isotropic scheme, of which step, fmax, areas and masses are settled: its wall
 * entries get kinds by their nodes' distances from walls along the grid, and every kind the branches that are
 * seen with its surface's absorption once the response was warped (kernels/scheme/grid_wall.h). All nodes of
 * a staircase are half a cell before their walls. Fills grid->kinds and wall; nothing of the standard scheme.
 * Some 20 ms for each different surface and distance. Warns, unless `notices` is NULL, of a surface that is
 * missed by more than a fit may and was not by the model's own. FAILURE_CAPACITY for memory. */
int room_walls_fit(const struct room_request *request, const struct room_model *model,
                   struct room_notices *notices, struct room_grid *grid, struct failure *failure);

/** The view of walls from nodes at a distance; borrows `wall`. */
struct wall_view room_wall_view(const struct grid_wall *wall);

/** "an absorption of 1 at 500, 1000 Hz is more than a locally reacting surface reaches; 0.95 is used", or "".
 * Into `text`, returned. */
#define ROOM_LIMITED_MAX 200
const char *room_surface_limited(const struct surface *surface, char text[ROOM_LIMITED_MAX]);

#endif
