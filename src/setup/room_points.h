/** Sources and receivers: those of the request, or the markers of the model; or places that are chosen when
 * the air is known.
 */
#ifndef SRC_ROOM_POINTS_H
#define SRC_ROOM_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/room/voxeliser.h"
#include "src/setup/head/dummy_head.h"
#include "src/setup/room_model.h"

struct room_point {
    enum seed_kind kind;
    bool of_model;              /* a marker, not an option */
    char name[OPTION_NAME_MAX]; /* letters, digits, _ and -; unique among its kind */
    double position[3];         /* [m] */
    bool group;                 /* of a source: several that sound together, at the place of the first .. */
    bool member;                /* .. or one of such, which is not run by itself (source_directions.h) */
    const char *noun; /* in sentences, of the air at a drum or a walk; borrowed. NULL: as its kind */
};

/** Owned: room_points_free(). */
struct room_points {
    size_t sources, receivers;
    size_t below; /* of the sources, the last so many are the air below the drums, which come first */
    struct room_point *point; /* (sources + receivers): sources, groups last; receivers; room for two more */
    bool source_is_cavity;    /* no source was given: point 0 is in the largest enclosed cavity */
    bool receiver_is_placed;  /* none was given: the last point is in the air of the sources */
    double source_clearance, receiver_clearance; /* of both from any surface [m] */
    size_t heads; /* dummy heads, each with two of the receivers, the left ear and behind it the right one */
    struct dummy_head *head;         /* (heads) owned */
    double floor_points, floor_most; /* points of the floors of all receiver grids, of the largest: what they
                                        may have before they are laid out in the air (room_grid.h) */
};

/** Add an audience, and a receiver to listen at, if `request` wants an audience, the room has no receiver and
 * no receiver grid, and a surface is known as a floor or as seats. */
void room_points_audience(const struct room_model *model, struct point_request *request);

/** Collect sources and receivers. FAILURE_INPUT: a name that the model does not have, names that are not
 * unique, too many, or none if the model must be complete. FAILURE_CAPACITY: memory. */
int room_points_collect(const struct room_request *request, const struct room_model *model,
                        const struct room_notices *notices, struct room_points *out, struct failure *failure);

/** Check again, after source_groups_collect(), that names are unique and not too many. */
int room_points_check(const struct room_request *request, const struct room_points *points,
                      struct failure *failure);

/** Print them. FAILURE_INPUT if the model must be complete and a receiver is at a source. */
int room_points_print(const struct room_request *request, const struct room_points *points,
                      const struct room_notices *notices, struct failure *failure);
/** Check that the receiver grids are areas of this room, and set the most points that they may have:
 * floor_points and floor_most. FAILURE_INPUT as receiver_area_make(). */
int room_points_floors(const struct point_request *request, const struct room_model *model,
                       struct room_points *points, struct failure *failure);
/** The number of the point with that name, of `length` characters; `count`: none. */
size_t room_points_find(const struct room_point *point, size_t count, const char *name, size_t length);

/** A dummy head, by its name of `length` characters, or by the number of a receiver; NULL: none. */
const struct dummy_head *room_points_head(const struct room_points *points, const char *name, size_t length);
const struct dummy_head *room_points_head_of(const struct room_points *points, size_t receiver);

/** The number of the receiver that is a head's left ear. */
size_t room_points_left_ear(const struct room_points *points, const struct dummy_head *head);

/** Replace receivers that are heads by their ears. `heads` (count) are taken over. FAILURE_INPUT if the name
 * of a file of two ears is taken. */
int room_points_give_ears(struct room_points *points, struct dummy_head *heads, size_t count,
                          struct failure *failure);

/** Their names as "A, B", as many as fit. */
#define ROOM_POINTS_LIST 400
const char *room_points_list(const struct room_point *point, size_t count, char text[ROOM_POINTS_LIST]);

/** Number of sources that may be named: without the air below drums. */
size_t room_points_named(const struct room_points *points);

/** Number of sources that are run: without members of groups. */
size_t room_points_runs(const struct room_points *points);
void room_points_free(struct room_points *points);

/** True if a run has directional receivers. */
bool room_has_gradients(const struct room_request *request);

#endif
