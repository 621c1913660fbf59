/** Where a run's room is not closed, or was sealed: `leaks` of run.json.
 *
 * Of an open scene
 *   - the widest leak path of every source (the first ones), through a gap of its own; of others nothing is
 *     known, as `check` reports one leak at a time;
 *   - where such a gap lies in the box around the model, all other openings of one face of that box:
 *     through them air gets out as well, and their areas are known from the grid.
 * Of a closed one the cracks that sealing closed, widest first, and the way that led out through one.
 */
#ifndef SRC_WAY_OUT_H
#define SRC_WAY_OUT_H

#include "src/record/run_model.h"
#include "src/setup/room_setup.h"

/** Cracks, and openings of the box, that are listed: the widest, and the largest. */
#define WAYS_OUT_TOLD 16

struct way_out {
    bool sealed;        /* closed for the run */
    const char *from;   /* the source that the path starts at; borrowed from the setup; NULL without a path */
    double position[3]; /* the narrowest place of the way; of an opening in the box about its middle [m] */
    double width;       /* twice the clearance there, or of a crack as it was sealed; NaN: not measured [m] */
    double area;        /* of the opening in the box around the model, from the grid; NaN: not known [m2] */
    size_t points;
    double (*point)[3]; /* (points) the shortest from the source to `position`, and on out of the box; NULL
                           where no way was searched; owned [m] */
};

/** Zeroed is empty, freed by ways_out_free(). */
struct ways_out {
    size_t count, room;
    struct way_out *way;
};

/** From the findings of a room that was filled with `find_ways`; empty for one that was not, or is closed.
 * Open ones first. FAILURE_CAPACITY for memory. A shortest path takes a second at most. */
int ways_out_make(const struct room_setup *setup, struct ways_out *out, struct failure *failure);
void ways_out_free(struct ways_out *ways);

/** Into the model as `leaks`; false without memory. */
bool ways_out_record(struct run_model *model, const struct ways_out *ways);

#endif
