/** Is the space that is taken the one that is meant?
 *
 * Taken is the air of the sources. Of a model with several spaces that may be another than the largest,
 * be it closed or open to the outside (largest_space.h): a sacristy, or, where a hall's door stands open, the
 * inside of its gallery. That is reported in one sentence with both volumes and places.
 *
 * Such a space looks like furniture where nowhere in it is AUTOMATIC_CLEARANCE from every surface, which is
 * what a place for a source or a listener needs. automatic_place.h finds a place so clear where there is one,
 * so the clearance of a source that was placed automatically decides. The largest space is never furniture.
 */
#ifndef SRC_ROOM_SPACE_H
#define SRC_ROOM_SPACE_H

#include "src/setup/room_setup.h"

/** A space that is not larger by more than this share is not reported: volumes of coarse cells. */
#define ROOM_SPACE_MARGIN 0.1

/** The model's largest space, where it is larger than that of the `count` places, of `volume` [m3], and holds
 * none of them; else zeroed. Looked at only where the model's box has room for one.
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

/** How far the first source is from any surface [m] where a larger space is known and that makes the one
 * taken look like furniture, and nobody gave a position by hand; else infinity. By hand are positions of the
 * command line, of the model and of a project, but not those that `new` writes into one, which it calls S1,
 * near and far. FAILURE_CAPACITY for memory. O(triangles log triangles). */
int room_space_tightness(const struct room_setup *setup, double *clearance, struct failure *failure);

/** After a grid was made: fill setup->grid.larger. FAILURE_INPUT where room_space_tightness() finds
 * furniture, unless setup->request.grid.any_space, with the leak path of an open larger space, which is
 * written. Other failures as room_space_larger(). */
int room_space_judge(struct room_setup *setup, struct failure *failure);

/** Warn of setup->grid.larger; or, where no larger space is known, of a cavity that is small beside the
 * model. */
void room_space_print(struct room_setup *setup);

/** Where setup->grid.lattice encloses no air, as `failure` says: the same with the leak path of the largest
 * space, which is written. Returns FAILURE_INPUT, or other failures as room_space_larger(). */
int room_space_refuse_none(const struct room_setup *setup, struct failure *failure);

/** Is a largest cavity of `volume` [m3] likely no room, but the inside of a piece of furniture in a room that
 * has no walls to tell it by? Under 5 % of the model's bounding box and under 30 m3: a small room may well
 * stand in large terrain. */
bool room_cavity_is_small(const struct room_setup *setup, double volume);

#endif
