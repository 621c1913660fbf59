/** What directional receivers add to a run (--ambisonics, and --head, which implies it): gradient taps beside
 * every receiver, a four-channel response beside every mono one, and the lateral figures of it.
 */
#ifndef SRC_GRID_DIRECTION_H
#define SRC_GRID_DIRECTION_H

#include "src/acoustics/lateral_figures.h"
#include "src/record/run_model.h"
#include "src/run/grid_parts.h"
#include "src/setup/orientation.h"

/** Of one response. */
struct grid_direction {
    char file[sizeof(((struct grid_pair *)0)->file)]; /* empty: not written */
    double look;                                      /* azimuth of the front [degrees] */
    size_t look_source;                               /* that stands there; setup->points.sources: none */
    struct lateral_figures lateral;
    char file_binaural[sizeof(((struct grid_pair *)0)->file)]; /* empty: not written */
};

/** Taps, fronts and room for the figures, in run->gradient, run->look and run->direction, which
 * grid_run_free() gives back. Nothing without --ambisonics. FAILURE_INPUT of orientation_read(),
 * FAILURE_CAPACITY.
 */
int grid_direction_place(struct grid_run *run, struct failure *failure);

/** Make and write the four-channel response of a pair whose mono response is known, its figures, and where
 * run->ears is not NULL the two-channel one.
 * @param sample   (count) the mono response
 * @param output   the rows that the run kept, of `steps` each (engine_rows.h)
 * @param prefix   of the file, as grid_run_settings has it
 * @param pressure acoustic_figures_make() of `sample` */
int grid_direction_write(struct grid_run *run, size_t source, size_t receiver, const char *prefix,
                         struct output_folder *folder, const float *sample, size_t count,
                         const double *output, uint64_t steps, const struct acoustic_figures *pressure,
                         struct failure *failure);

/** Into its response the files, the front and the lateral figures of a pair; nothing where it has none. With
 * `shifted` (may be NULL) the spreads too. False without memory. */
bool grid_direction_record(struct record_response *response, const struct grid_run *run, size_t pair,
                           const struct grid_run *shifted);

#endif
