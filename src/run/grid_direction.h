/** What directional receivers (ambisonics, and a head, which implies them) add to a run: stencils of the
 * gradient beside every receiver, a four-channel response beside every mono one, and the lateral figures of
 * it. And what dummy heads add: their two ears in one file.
 */
#ifndef SRC_GRID_DIRECTION_H
#define SRC_GRID_DIRECTION_H

#include "src/response/acoustics/lateral_figures.h"
#include "src/run_folder/run_model.h"
#include "src/run/grid_parts.h"
#include "src/setup/orientation.h"

/** Of one response. */
struct grid_direction {
    char file[GRID_FILE_MAX]; /* empty: not written */
    double azimuth;           /* of the front [degrees] */
    size_t towards;           /* the source that the receiver is turned to; setup->points.sources: none */
    struct lateral_figures lateral;
    char file_binaural[GRID_FILE_MAX]; /* empty: not written */
};

/** Stencils, fronts and memory for the figures, in run->gradient, run->look and run->direction, which
 * grid_run_free() gives back. Nothing without directional receivers. FAILURE_INPUT of look_read(),
 * FAILURE_CAPACITY. */
int grid_direction_place(struct grid_run *run, struct failure *failure);

/** Make and write the four-channel response of a pair whose mono response (`sample`) and figures are known,
 * its lateral figures, and where run->ears is not NULL the two-channel one. */
int grid_direction_write(struct grid_run *run, size_t source, size_t receiver,
                         const struct run_output *output, const float *sample, struct failure *failure);

/** Into its response the files, the front and the lateral figures of a pair; nothing where it has none. With
 * `shifted` (may be NULL) the spreads too. False without memory. */
bool grid_direction_record(struct record_response *response, const struct grid_run *run, size_t pair,
                           const struct grid_run *shifted);

/* ---- dummy heads, whose two ears are receivers like any others ---- */

/** When sound may arrive first [s], as response_make() takes it: of an ear when it may at the first of the
 * two, so that what that makes of the phase near the highest frequency is the same for both. */
double grid_ears_first(const struct grid_run *run, size_t source, size_t receiver);

/** Before the files of a receiver: `sample` of a left ear is kept, of a right one written beside what was
 * kept, left and right, to "<prefix><source>_<head>_binaural.wav". Nothing of other receivers. */
int grid_ears_write(struct grid_run *run, size_t source, size_t receiver, const struct run_output *output,
                    const float *sample, struct failure *failure);

/** The names of these files into the response of an ear, where both of its head were written. False without
 * memory.
 * @param shifted may be NULL */
bool grid_ears_record(struct record_response *response, const struct grid_run *run, size_t pair,
                      const struct grid_run *shifted);

#endif
