/** Where people sit, found from the room's geometry; names of materials are hints.
 *
 * All faces flatter than 45 degrees are sampled in plan. A sample is kept if its ears are in the air of the
 * sources, with HEADROOM above the floor that nothing but seats enters. Neighbours of one height, or on one
 * slope, are a level: a floor, a stage, a tier, a step, a seat. Each level gets one verdict:
 *
 *   main     the largest level, lower than a source, that is seen from a source or the air above it, and on
 * which none stands raised stage    on which a source stands, raised by up to RAISED_MOST over larger floors;
 * or any other so raised over the main floor, such as an altar's: unless a quarter of it has seats, or it is
 * large or one of several tiers, and much nearer to the audience than to the source hidden   of which less
 * than a fifth is seen: an attic, another storey object   small or narrow: steps, furniture, ledges sits any
 * other. Higher than RAISED_MOST over the main floor it must go on from a lower tier in steps, or hang in the
 * air at a wall (or be called floor or seats): a gallery
 *
 * A seat is given the floor beneath it: seats by name, and objects of the height of one, with no step on to
 * more. A name says nothing against this, but what is called a wall, a ceiling or an altar is no gallery. */
#ifndef SRC_AUDIENCE_FLOOR_H
#define SRC_AUDIENCE_FLOOR_H

#include "blocks/block_grid.h"
#include "geometry/voxel/clearance.h"
#include "rooms/materials/surface_use.h"
#include "src/setup/area/receiver_area.h"

/** The air around the points of a receiver grid. */
struct receiver_air {
    const struct clearance *tree; /* of the room's mesh */
    const enum surface_use
        *use; /* (material_count) of its materials, as their names say; NULL: none is known */
    const struct block_grid *grid; /* the run's */
    size_t sources;
    const double (*source)[3]; /* (sources) positions [m]: less than a cell from one no point is kept */
};

enum audience_verdict { AUDIENCE_SITS, AUDIENCE_STAGE, AUDIENCE_HIDDEN, AUDIENCE_OBJECT };

/** Levels that are not objects, in parts: those where people sit are one where they go on in steps. */
struct audience_part {
    enum audience_verdict verdict;
    double area;              /* [m2] */
    double height, low, high; /* of its floor: the mean, and from where to where [m] */
    uint16_t material;        /* of the most of it */
};

/** Zeroed is empty; freed by audience_floor_free(). */
struct audience_floor {
    double spacing;            /* of the samples [m] */
    double first[2];           /* plan of column 0, row 0 [m] */
    size_t count;              /* samples */
    struct floor_point *point; /* (count) sorted by row, column; `position` on the floor; owned */
    uint32_t *part;            /* (count) UINT32_MAX: an object; owned */
    size_t parts;
    struct audience_part *part_of; /* (parts) where people sit first, then by area; owned */
};

/** FAILURE_INPUT if nobody can sit anywhere; FAILURE_CAPACITY
 * for memory. O(samples log triangles); at most about RECEIVER_AREA_POINTS_MAX samples. */
int audience_floor_find(const struct receiver_air *air, struct audience_floor *out, struct failure *failure);
void audience_floor_free(struct audience_floor *floor);

/** What a point on a face is part of, as the nearest sample is; its floor is moved beneath a seat.
 * AUDIENCE_OBJECT also where there is no sample. */
enum audience_verdict audience_floor_stand(const struct audience_floor *floor, const struct receiver_air *air,
                                           struct floor_point *point);

/** Area where people sit, in plan: as the box of its samples [m]. */
void audience_floor_box(const struct audience_floor *floor, double low[2], double high[2]);

/** "684 m2 at 0 m (Sandstein), 46 m2 at 3.7 m (Empore); nobody on 97 m2 at 0.48 m (Sandstein: raised like a
 * stage)" */
#define AUDIENCE_WORDS_MAX 600
const char *audience_floor_words(const struct audience_floor *floor, const struct mesh *mesh,
                                 char words[AUDIENCE_WORDS_MAX]);

/** True if nothing but seats is on the way between two places. */
bool audience_sees(const struct receiver_air *air, const double from[3], const double to[3]);

#endif
