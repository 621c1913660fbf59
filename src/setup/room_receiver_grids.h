/** The receiver grids of a room: laid out in its air, and on another of its grids. */
#ifndef SRC_ROOM_RECEIVER_GRIDS_H
#define SRC_ROOM_RECEIVER_GRIDS_H

#include "src/setup/room_setup.h"

/** Lay them out in the air of setup->grid and print how many points each has. Failures of
 * receiver_grid_make(). */
int room_receiver_grids_make(struct room_setup *setup, struct failure *failure);

/** The same points in the air of another grid of the room. */
int room_receiver_grids_move(const struct room_grid *from, struct room_grid *to, struct failure *failure);

/** Interval of the samples of their responses to `highest` [Hz] that are stored (kept_response.h); with rays
 * all are. */
size_t room_maps_every(const struct room_setup *setup, double highest);

/** Points of all receiver grids; and the bytes of responses of `duration` [s] to `highest` [Hz] of the
 * largest of them while they are made. Before there is a grid all points of their floors count. */
double room_grid_points_most(const struct room_setup *setup);
double room_maps_bytes(const struct room_setup *setup, double highest, double duration);

#endif
