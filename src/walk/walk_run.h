/** A walk through the responses of a run's folder: those of its receivers and of its receiver grids. */
#ifndef SRC_WALK_RUN_H
#define SRC_WALK_RUN_H

#include "src/record/run_read.h"
#include "src/walk/walk_responses.h"

/** Borrowed. */
struct walk_run {
    const char *folder;
    const struct run_model *model;
    const struct run_losses *losses;
    const struct mesh *walls;
};

/** To which sources of the run (points.sources.count) is there a response, but for those at the ears of dummy
 * heads, which are no places here? Of several sources of one name it is the first. FAILURE_CAPACITY. */
int walk_run_sources(const struct run_model *run, bool *heard, struct failure *failure);

/** The room that the folder of a run keeps, for mesh_free(); empty where it keeps none. */
int walk_run_read_walls(const char *in, struct mesh *out, struct failure *failure);

/** What is heard of the source `from`, through its responses of one channel, filled above fmax with
 * `extended`, or of four. FAILURE_INPUT where there are none; failures of walk_responses_make(). */
int walk_run_hear(const struct walk_run *run, const struct record_point *from, const struct walk_path *path,
                  size_t channels, bool extended, struct dry_sound *dry, struct walk_sound *out,
                  struct walk_responses_facts *facts, struct failure *failure);

#endif
