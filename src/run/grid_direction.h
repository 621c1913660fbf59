/** Directional receivers (ambisonics, and a measured head, which implies them): stencils of the gradient at
 * every receiver, a four-channel response next to every mono one, and its lateral figures. And dummy heads:
 * their two ears in one file.
 */
#ifndef SRC_GRID_DIRECTION_H
#define SRC_GRID_DIRECTION_H

#include "src/response/acoustics/lateral_figures.h"
#include "src/run_folder/run_model.h"
#include "src/run/grid_parts.h"
#include "src/run/receiver_map.h"
#include "src/setup/orientation.h"

/** Directional results of one response. */
struct grid_direction {
    char file[GRID_FILE_MAX]; /* empty: not written */
    double azimuth;           /* of the front [degrees] */
    size_t towards;           /* the source that the receiver is turned to; setup->points.sources: none */
    struct lateral_figures lateral;
    char file_binaural[GRID_FILE_MAX]; /* empty: not written */
};

/** Make stencils, fronts and memory for the figures, in run->gradient, run->look and run->direction;
 * grid_run_free() frees them. Nothing without directional receivers. FAILURE_INPUT of look_read(),
 * FAILURE_CAPACITY. */
int grid_direction_place(struct grid_run *run, struct failure *failure);

/** Make and write the four-channel response of a pair whose mono response (`sample`) and figures are known,
 * its lateral figures and, unless run->ears is NULL, the two-channel response. */
int grid_direction_write(struct grid_run *run, size_t source, size_t receiver,
                         const struct run_output *output, const float *sample, struct failure *failure);

/** Record the files, the front and the lateral figures of a pair, if it has any. With `shifted` (may be NULL)
 * the spreads too. False without memory. */
bool grid_direction_record(struct record_response *response, const struct grid_run *run, size_t pair,
                           const struct grid_run *shifted);

/* ---- dummy heads, whose two ears are receivers like any others ---- */

/** The earliest arrival of sound [s], as response_make() takes it. Both ears of a head have that of the
 * nearer one, so that its effect on the phase near the highest frequency is the same. */
double grid_ears_first(const struct grid_run *run, size_t source, size_t receiver);

/** Called before the files of a receiver are written. `sample` of a left ear is kept; that of a right ear is
 * written with it to "<prefix><source>_<head>_binaural.wav", and both pairs, which have their figures, get
 * IACC up to `highest` [Hz]. Nothing for other receivers. */
int grid_ears_write(struct grid_run *run, size_t source, size_t receiver, const struct run_output *output,
                    const float *sample, double highest, struct failure *failure);

/** Record the names of these files in the response of an ear, if both ears were written. False without
 * memory.
 * @param shifted may be NULL */
bool grid_ears_record(struct record_response *response, const struct grid_run *run, size_t pair,
                      const struct grid_run *shifted);

#endif
