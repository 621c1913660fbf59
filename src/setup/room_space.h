/** Checks that the run uses the intended space.
 *
 * A run has the air of its sources. If the model has several spaces, closed or open to the outside, that may
 * not be the largest (largest_space.h): it may be a sacristy, or the inside of a gallery if the hall's door
 * is open. One sentence reports that with both volumes and places.
 *
 * Such a space looks like furniture if no place in it is AUTOMATIC_CLEARANCE from every surface.
 * automatic_place.h finds such a place if there is one, so the clearance of a source that was placed
 * automatically decides. The largest space is never furniture.
 */
#ifndef SRC_ROOM_SPACE_H
#define SRC_ROOM_SPACE_H

#include "src/setup/room_setup.h"

/** A space that is not larger by more than this share is not reported: volumes of coarse cells. */
#define ROOM_SPACE_MARGIN 0.1

/** Find the model's largest space, if it is larger than that of the `count` places, of `volume` [m3], and
 * holds none of them; else zeroed. Searched only if the model's box has room for one.
 * @param[in] lattice  of the run; NULL: that of largest_space_find(), which no record can make large
 * @param[out] path  its leak path there, where it has one: voxel_leak_free(); zeroed otherwise
 * FAILURE_CAPACITY for memory; FAILURE_INTERRUPTED. Cost: largest_space_find(), and a voxelisation on
 * `lattice` where there is a larger one. */
int room_space_larger(const struct mesh *mesh, const struct lattice *lattice,
                      const struct voxelise_options *options, const double (*place)[3], size_t count,
                      double volume, struct larger_space *out, struct voxel_leak *path,
                      struct failure *failure);

/** "the largest space of the model, about 1960 m3 around 10, 7, 3.5 m, is not closed: a path leads out of it
 * through a gap about 2 m wide at 20, 7, 1 m", into `text`, returned. */
#define ROOM_SPACE_WORDS_MAX 400
const char *room_space_words(const struct larger_space *larger, char text[ROOM_SPACE_WORDS_MAX]);

/** The distance of the first source from any surface [m], if a larger space is known, the space of the run
 * looks like furniture, and no position was given by hand; else infinity. Positions of the command line, the
 * model and a project are by hand, except those that `new` writes into a project (S1, near and far).
 * FAILURE_CAPACITY for memory. O(triangles log triangles). */
int room_space_tightness(const struct room_setup *setup, double *clearance, struct failure *failure);

/** Fill setup->grid.larger after a grid was made. FAILURE_INPUT if room_space_tightness() finds furniture,
 * unless setup->request.grid.any_space; the leak path of an open larger space is written. Other failures as
 * room_space_larger(). */
int room_space_judge(struct room_setup *setup, struct failure *failure);

/** Warn of setup->grid.larger or, if no larger space is known, of a cavity that is small compared with the
 * model. */
void room_space_print(struct room_setup *setup);

/** If setup->grid.lattice encloses no air, as `failure` says: add the leak path of the largest space, which
 * is written. Returns FAILURE_INPUT, or other failures as room_space_larger(). */
int room_space_refuse_none(const struct room_setup *setup, struct failure *failure);

/** True if a largest cavity of `volume` [m3] is probably the inside of furniture in a room without walls:
 * under 5 % of the model's bounding box and under 30 m3, because a small room may be part of a large
 * terrain. */
bool room_cavity_is_small(const struct room_setup *setup, double volume);

#endif
