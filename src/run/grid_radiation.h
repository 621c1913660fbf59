/** Sources with a direction, and sources that sound together, on the grid of a run: their taps, their drives,
 * and when their sound arrives. A source without either has one tap, the stencil that it always had, and the
 * drive of source_run().
 */
#ifndef SRC_GRID_RADIATION_H
#define SRC_GRID_RADIATION_H

#include "src/run/grid_parts.h"
#include "src/run/source_run.h"

/** After the stencils of all places: taps of all sources, and where each points. FAILURE_CAPACITY; a warning
 * where walls around a source leave its taps little to work with. */
int grid_radiation_place(struct grid_run *run, struct failure *failure);
void grid_radiation_free(struct grid_run *run);

/** Of what sounds together the path of the member that is heard first, longer by what its delay lasts. */
void grid_radiation_join_paths(struct grid_run *run);

/** Taps of all sources; those of one stand together, in the order of sources. */
size_t grid_radiation_channels(const struct grid_run *run);
const struct stencil *grid_radiation_taps(const struct grid_run *run);
size_t grid_radiation_first(const struct grid_run *run, size_t source);

/** Steps by which the lead of its run is longer than response_lead(). */
size_t grid_radiation_longer(const struct grid_run *run, size_t source);

/** Does any of its taps touch a wall? */
bool grid_radiation_at_wall(const struct grid_run *run, size_t source);

/** What a run of a source drives; `channel` NULL where source_run() makes the drive. Owned. */
struct grid_drives {
    size_t count;
    struct source_channel *channel;
    struct response_drive *drive; /* (count) */
    uint64_t driven;              /* steps, as grid_source has it; 0: 2 lead + 2 */
};
int grid_radiation_drives(const struct grid_run *run, size_t source, struct grid_drives *out,
                          struct failure *failure);
void grid_drives_free(struct grid_drives *drives);

#endif
