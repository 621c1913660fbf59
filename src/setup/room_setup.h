/** A room in its parts: request, model, points, grid, back end.
 *
 *   room_setup_read()       file -> model, walls, points; prints their facts
 *   room_grid_resolution()  fmax or spacing -> time step and lattice
 *   room_voxelise()         voxelise and pack -> setup->grid
 *
 * Shared by every command that takes a ROOM. Each part is made and freed by its own header.
 */
#ifndef SRC_ROOM_SETUP_H
#define SRC_ROOM_SETUP_H

#include "src/setup/backend_choice.h"
#include "src/setup/room_grid.h"
#include "kernels/mpi/room_hosts.h"
#include "src/setup/room_model.h"
#include "src/setup/room_notices.h"
#include "src/setup/room_points.h"
#include "src/base/options/room_request.h"
#include "src/setup/radiation/array_table.h"
#include "src/setup/source_directions.h"

/** Start zeroed; owned: room_setup_free(). The request borrows, as room_request.h says. */
struct room_setup {
    struct room_request request;
    struct array_tables arrays; /* what the request's tables of loudspeakers say; it borrows them */
    struct room_notices notices;
    struct room_model model;
    struct room_points points;
    struct source_directions directions; /* of the sources */
    struct room_grid grid;
    struct backend_choice backend;
    struct room_hosts hosts; /* asked by commands that step in ranks; else zeroed */
};

/** Read the model, its materials and its points, in that order, for `request`, which is copied.
 * FAILURE_INPUT also for missing absorption, sources or receivers if the model must be complete; else missing
 * absorption is ROOM_MISSING_ABSORPTION with a notice. FAILURE_CAPACITY, before anything is read: the back
 * end `cuda` without a device. */
int room_setup_read(const struct room_request *request, struct room_setup *out, struct failure *failure);
void room_setup_free(struct room_setup *setup);

#endif
