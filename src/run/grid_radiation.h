/** Sources with a direction and groups of sources on the grid of a run: their taps, their drives, and the
 * arrival of their sound. Any other source has one tap, its stencil, and the drive of source_run().
 */
#ifndef SRC_GRID_RADIATION_H
#define SRC_GRID_RADIATION_H

#include "src/run/grid_parts.h"
#include "src/run/source_run.h"

/** After the stencils of all places: make the taps of all sources, and their fronts. FAILURE_CAPACITY. Warns
 * if walls around a source leave few nodes for its taps. */
int grid_radiation_place(struct grid_run *run, struct failure *failure);
void grid_radiation_free(struct grid_run *run);

/** Give a group the path of the member that is heard first, longer by its delay. */
void grid_radiation_join_paths(struct grid_run *run);

/** Taps of all sources; those of one source are adjacent, in the order of sources. */
size_t grid_radiation_channels(const struct grid_run *run);
const struct stencil *grid_radiation_taps(const struct grid_run *run);
size_t grid_radiation_first(const struct grid_run *run, size_t source);

/** Steps by which the lead of its run is longer than response_lead(). */
size_t grid_radiation_longer(const struct grid_run *run, size_t source);

/** True if any of its taps touches a wall. */
bool grid_radiation_at_wall(const struct grid_run *run, size_t source);

/** The drives of a run of a source; `channel` NULL: source_run() makes the drive. Owned. */
struct grid_drives {
    size_t count;
    struct source_channel *channel;
    struct response_drive *drive; /* (count) */
    uint64_t driven;              /* steps, as source_progress has it; 0: 2 lead + 2 */
};
int grid_radiation_drives(const struct grid_run *run, size_t source, struct grid_drives *out,
                          struct failure *failure);
void grid_drives_free(struct grid_drives *drives);

#endif
