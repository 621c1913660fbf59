/** Sabine's and Eyring's times of a room, from the air of its grid, the surfaces facing it and their
 * absorption.
 *
 * Areas are those of the walls as the scheme weighs them. A surface without air of the room does not count,
 * and one with air on both sides counts twice. The volume is that of the grid's cells, which the simulation
 * that they are compared with has, not the one up to the walls that users see (air_volume.h). Absorption is
 * what the walls made of a material take in the mean over an octave. An open face counts as the wall it is
 * there.
 */
#ifndef SRC_ROOM_REVERBERATION_H
#define SRC_ROOM_REVERBERATION_H

#include "blocks/wall_kinds.h"
#include "src/response/acoustics/statistical_reverberation.h"
#include "src/setup/room_model.h"

/** In every octave from 63 Hz to 16 kHz, for any fmax. `lossy`: with the losses of model->air. `kinds`:
 * those that the grid's entries were sorted by, or NULL. O(walls). */
void room_reverberation_make(const struct room_model *model, const struct block_grid *grid,
                             const struct wall_kinds *kinds, bool lossy,
                             struct statistical_reverberation *out);

/** The surface that faces the air of a grid, of sheets both sides [m2]. */
double room_reverberation_surface(const struct block_grid *grid);

/** The longest time in the octaves of a response up to `highest` [Hz], or at 63 Hz without any [s];
 * infinite without absorption. */
double room_reverberation_longest(const struct statistical_reverberation *times, double highest);

#endif
