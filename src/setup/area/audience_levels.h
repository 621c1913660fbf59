/** Levels: neighbouring samples of one height, or on one slope. A floor, a stage, a tier, a step, a table. */
#ifndef SRC_AUDIENCE_LEVELS_H
#define SRC_AUDIENCE_LEVELS_H

#include "src/setup/area/audience_samples.h"

#define AUDIENCE_LEVEL 0.05 /* [m]: steps within a level */
#define AUDIENCE_STEP  0.5  /* [m]: highest step for people */
#define AUDIENCE_SEAT  0.3  /* [m]: lowest seat over its floor */
#define AUDIENCE_LOOKS 16   /* most places that are looked for at once */

enum audience_verdict {
    AUDIENCE_UNJUDGED,
    AUDIENCE_SITS,
    AUDIENCE_STAGE,
    AUDIENCE_PLACE,
    AUDIENCE_HIDDEN,
    AUDIENCE_OBJECT
};

/** A level, or several that were joined. */
struct audience_level {
    size_t count;           /* samples */
    size_t first;           /* the first of them */
    size_t wide;            /* those whose neighbours on all four sides are of the level */
    size_t seats;           /* those of seats by name */
    size_t votes;           /* for `material`, less those against it */
    uint16_t material;      /* of most of it */
    double middle[3];       /* mean of the samples' positions [m] */
    double low, high, area; /* [m], [m2] */
    bool big;               /* more than furniture */
    bool goes_on_up;        /* by a step lower than a seat */
    bool seen;
    /* Given by audience_floor.c: */
    enum audience_verdict verdict;
    bool stood;  /* a source stands on it */
    size_t twin; /* number of the level that a part of it became; 0: none */
};

/** Two samples side by side, and how much higher the second is [m]: 0 or more. */
struct audience_step {
    uint32_t low, high;
    double rise;
};

/** Zeroed is empty; freed by audience_levels_free(). */
struct audience_levels {
    const struct receiver_air *air;
    struct receiver_air sight;        /* the same, but nothing is looked through */
    struct audience_samples *samples; /* borrowed */
    size_t steps, count;
    size_t main;                  /* number of the main floor, once it is known */
    struct audience_step *step;   /* (steps) owned */
    uint32_t *of;                 /* (samples) number of the level; owned */
    uint32_t *parent;             /* (samples) of groups, whose root is their first sample; owned */
    struct audience_level *level; /* (count; room for twice as many) owned */
};

/** Find and measure them. FAILURE_CAPACITY for memory. O(samples log samples). */
int audience_levels_find(const struct receiver_air *air, struct audience_samples *samples,
                         struct audience_levels *out, struct failure *failure);
void audience_levels_free(struct audience_levels *levels);

/** Join the levels where people sit that steps lead from one to another, and so with places; and the small
 * ones where people sit with `main`. Sorted by verdict, then from the largest. FAILURE_CAPACITY for memory.
 */
int audience_levels_join(struct audience_levels *levels, struct failure *failure);

/** Look from big levels that see nothing yet. True if people on a fifth of one see one of these places, or
 * the air above it up to 8 m or to what is there. */
bool audience_levels_look(struct audience_levels *levels, size_t count, const double (*place)[3]);

/** True if most of a level has the sky above, as the ground in the open and roofs do. */
bool audience_level_is_open(const struct audience_levels *levels, size_t number);

/** True if a level hangs in the air under a roof and meets a wall, as a gallery does. A cloud meets none, and
 * a case has no air of the room in it. */
bool audience_level_hangs(const struct audience_levels *levels, size_t number);

#endif
