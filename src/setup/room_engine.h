/** The engine of a room: its walls, and the requested back end and layout. */
#ifndef SRC_ROOM_ENGINE_H
#define SRC_ROOM_ENGINE_H

#include "blocks/box_grid.h"
#include "kernels/engine/engine.h"
#include "src/setup/engine_rows.h"
#include "src/setup/room_setup.h"

/** The back end of setup->backend with the requested layout, precision and threads. Without a given number of
 * threads a small room is stepped by one, because synchronisation would take longer than the work. */
struct engine_options room_engine_options(const struct room_setup *setup, double stored_nodes);
#define ROOM_NODES_PER_THREAD 32768.0

/** The rows of its output with this number of points of receiver grids; `ledger`: with those of the sources.
 */
struct engine_rows room_engine_rows(const struct room_setup *setup, size_t grid_points, bool ledger);

/** True if all walls are rigid. The faces of an open scene are not. */
bool room_walls_hard(const struct room_setup *setup);

/** The walls as an engine takes them for a grid of the room, the setup's or another; they borrow from both.
 * `ledger`: record what each material absorbs (engine_absorbed()), unless all walls are rigid: then an engine
 * stores nothing at its walls, and a device steps faster. */
struct wall_materials room_wall_materials(const struct room_setup *setup, const struct room_grid *grid,
                                          bool ledger);

/** Number of surfaces of the ledger, as energy_ledger_make() takes it: materials of the mesh, and one for the
 * open faces; 0 if all walls are rigid. */
size_t room_ledger_surfaces(const struct room_setup *setup);

/** Make an engine for `packed`, of `grid` or like it, with the room's walls.
 * @param box    NULL for LAYOUT_BLOCKS
 * @param step   of that grid
 * Failures as engine_create_walls(). */
int room_engine_create(struct engine **out, const struct room_setup *setup, const struct room_grid *grid,
                       const struct block_grid *packed, const struct box_grid *box,
                       const struct time_step *step, const struct engine_options *options, bool ledger,
                       struct failure *failure);

/** The same in parts: one for each rank of MPI, called by rank 0 (kernels/mpi/ranks.h), or for each of
 * several GPUs. With ranks `packed` is thin afterwards (blocks/parts/thin_grid.h). FAILURE_INPUT for any
 * layout but blocks. */
bool room_engine_is_in_parts(const struct room_setup *setup);
int room_engine_in_parts(struct engine **out, const struct room_setup *setup, const struct room_grid *grid,
                         struct block_grid *packed, const struct time_step *step,
                         const struct engine_options *options, bool ledger, struct failure *failure);

/** Has the request losses of the air within the steps: model.air_in_steps, and --air not off? */
bool room_loses_in_steps(const struct room_setup *setup);
/** Those within steps of this rate [Hz] up to fmax [Hz], by air_loss_fit(); 0 states if it has none. */
void room_air_loss(const struct room_setup *setup, double rate, double fmax, struct air_loss *out);

/** Let the air lose sound within the steps of an engine of setup->grid, as above: for what no filter can do
 * afterwards. Resets the engine. FAILURE_CAPACITY. */
int room_engine_lose_in_air(struct engine *engine, const struct room_setup *setup, struct failure *failure);

/** "within the steps" or "none": the losses of the air in an engine, for records. */
const char *room_engine_air_losses(const struct engine *engine);

/** The nodes of a source or receiver on `grid`, from its air node there: stencil_make(), or in the isotropic
 * scheme stencil_make_fitted() for its band, unless linear interpolation is requested. */
int room_tap(const struct room_setup *setup, const struct room_grid *grid, const double position[3],
             const int64_t node[3], struct stencil *out, struct failure *failure);
/** The same of the derivative along an axis. */
int room_gradient_tap(const struct room_setup *setup, const struct room_grid *grid, const double position[3],
                      const int64_t node[3], int axis, struct stencil *out, struct failure *failure);

/** Random-incidence absorption at 500 Hz as real admittances, by number of the grid's wall entries (as many
 * as room_wall_materials() has), for plain walls (`bench`). NULL without memory; free(). */
double *room_plain_walls(const struct room_setup *setup);

#endif
