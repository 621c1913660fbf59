/** Renders a walk through the responses of a run's folder, those of its receivers and of its receiver grids.
 */
#ifndef SRC_WALK_RUN_H
#define SRC_WALK_RUN_H

#include "src/run_folder/run_read.h"
#include "src/run/walk/walk_responses.h"

/** Borrowed. */
struct walk_run {
    const char *folder;
    const struct run_model *model;
    const struct mesh *walls;
};

/** Mark the sources of the run (points.sources.count) that have a response, not counting those at the ears of
 * dummy heads. The first of several sources of one name counts. FAILURE_CAPACITY. */
int walk_run_sources(const struct run_model *run, bool *heard, struct failure *failure);

/** The room stored in the folder of a run, for mesh_free(); empty if there is none. */
int walk_run_read_walls(const char *in, struct mesh *out, struct failure *failure);

/** Render the sound of the source `from`, through its responses of one channel or of four. FAILURE_INPUT
 * without responses; failures of walk_responses_make(). */
int walk_run_hear(const struct walk_run *run, const struct record_point *from, const struct walk_path *path,
                  size_t channels, struct dry_sound *dry, struct walk_sound *out,
                  struct walk_responses_facts *facts, struct failure *failure);

#endif
