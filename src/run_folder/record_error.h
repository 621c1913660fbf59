/** Error bars of figures, from the records of responses (`error` and `scattering` of struct record_response):
 * of rays, and of absorption in all octaves (absorption_error.h). Nine of ten responses are within theirs.
 *
 * The error bar of a mean, of 500 and 1000 Hz or over responses, is the mean of the error bars. What
 * absorption, scattering and the join change is common to the octaves and the responses of a room, so that
 * errors are taken as fully correlated: a mean has no smaller error. An octave of waves without one counts
 * with 0.
 *
 * NaN: there is no error bar, since all of it is from waves without an account, or the figure is absent. */
#ifndef SRC_RECORD_ERROR_H
#define SRC_RECORD_ERROR_H

#include "src/run_folder/run_model.h"

/** True if an octave of a response is computed by rays. */
bool record_is_from_rays(const struct record_response *response, size_t band);

/** The same for the octave with centre `octave` [Hz] of a run, its means and maps. */
bool record_rays_hold(const struct run_model *run, double octave);

/** Of a figure in an octave of a response. */
double record_octave_error(const struct record_response *response, enum figure figure, size_t band);

/** Of a single number of a response; of STI as it was recorded. */
double record_single_error(const struct record_response *response, enum figure figure);

/** Of the means over the responses of a run: of an octave of its responses, of a single number. */
double record_mean_error(const struct run_model *run, enum figure figure, size_t band);
double record_mean_single_error(const struct run_model *run, enum figure figure);

/** The change with half or twice the scattering [JND], of a response and as the root mean square over those
 * of a run. A figure is unsure if it is more than FIGURE_UNSURE. */
double record_scattering_steps(const struct record_response *response, enum figure figure, size_t band);
double record_mean_scattering_steps(const struct run_model *run, enum figure figure, size_t band);

#endif
