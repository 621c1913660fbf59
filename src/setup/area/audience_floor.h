/** Where people sit, found from the room's geometry; names of materials are hints.
 *
 * Each level of the room (audience_levels.h) gets one verdict:
 *
 *   main    the largest level, lower than a source, that is seen from a source or the air above it, and is
 *           no stage with one and no roof
 *   stage   on which a source stands, raised by up to RAISED_MOST, if the others hold as many people; or
 *           any other so raised over the main floor, such as an altar's: unless a quarter of it has seats,
 *           or it is large or one of several tiers, and much nearer to the main floor than to the source
 *   place   the part of a floor without seats that is NEARER to a source, or to what is called an altar,
 *           than the audience is: around it, and behind it
 *   hidden  of which less than a fifth is seen: an attic, another storey
 *   object  small or narrow: steps, furniture, ledges
 *   sits    any other. Higher than RAISED_MOST over the main floor it must go on from a lower tier in
 *           steps, or hang in the air at a wall (or be called floor or seats): a gallery
 *
 * A seat is given the floor beneath it: seats by name, and objects of the height of one, with no step on
 * to more. A name says nothing against this, but what is called a wall, a ceiling or an altar is no gallery.
 * What is called the floor of an audience is a floor and not a seat. */
#ifndef SRC_AUDIENCE_FLOOR_H
#define SRC_AUDIENCE_FLOOR_H

#include "src/setup/area/audience_levels.h"

/** Zeroed is empty; freed by audience_floor_free(). */
struct audience_floor {
    struct audience_samples samples; /* owned */
    size_t parts;                    /* those where people sit first, then by verdict, then by area */
    struct audience_level *part; /* (parts) levels that are not objects; where people sit, those that go on
                                    in steps are one; owned */
    uint32_t *part_of;           /* (samples.count) `parts` or more: an object; owned */
};

/** FAILURE_INPUT if nobody can sit anywhere; FAILURE_CAPACITY for memory. O(samples log triangles). */
int audience_floor_find(const struct receiver_air *air, struct audience_floor *out, struct failure *failure);
void audience_floor_free(struct audience_floor *floor);

/** What a point on a face is part of, as the nearest sample is; its floor is moved beneath a seat.
 * AUDIENCE_OBJECT also where there is no sample. */
enum audience_verdict audience_floor_stand(const struct audience_floor *floor, struct floor_point *point);

/** Area where people sit, in plan: as the box of its samples [m]. */
void audience_floor_box(const struct audience_floor *floor, double low[2], double high[2]);

/** "684 m2 at 0 m (Sandstein), 46 m2 at 3.7 m (Empore); nobody on 97 m2 at 0.48 m (Sandstein: raised like a
 * stage)" */
#define AUDIENCE_WORDS_MAX 600
const char *audience_floor_words(const struct audience_floor *floor, const struct mesh *mesh,
                                 char words[AUDIENCE_WORDS_MAX]);

#endif
