/** Fills the figures of responses in the model of run.json and `analyse --json` (run_model.h). All functions
 * that fill return false without memory. */
#ifndef SRC_FIGURE_RECORD_H
#define SRC_FIGURE_RECORD_H

#include "src/response/acoustics/figure_report.h"
#include "src/response/acoustics/figure_summary.h"
#include "src/response/acoustics/statistical_reverberation.h"
#include "src/run_folder/run_model.h"

/** All figures of the pressure by octave, with the reason if one is absent; decay range, curvature,
 * nonlinearity, and slopes if there are two; single numbers, and the level of the band. With `shifted` (may
 * be NULL) the spread of the two. */
bool record_fill_figures(struct record_response *response, const struct acoustic_figures *figures,
                         const struct acoustic_figures *shifted);

/** The same of its thirds, as response->thirds: without figures none. */
bool record_fill_thirds(struct record_response *response, const struct third_figures *figures,
                        const struct third_figures *shifted);

/** The marks of the decay in an octave (figure_table.h), from its curvature, nonlinearity and slopes. */
unsigned record_marks(const struct record_response *response, size_t band);

/** Modulation transfer in the octaves of the response (`bands` from 63 Hz on), STI, and why one is absent. */
bool record_fill_speech(struct record_response *response, const struct speech_transmission *speech,
                        size_t bands);

/** LF, LFC, LJ likewise; `shifted` may be NULL. */
bool record_fill_lateral(struct record_response *response, const struct lateral_figures *figures,
                         const struct lateral_figures *shifted);

/** Those of further_figures.h that are there, in the octaves of the response, and when the echoes come. */
bool record_fill_further(struct record_response *response, const struct further_figures *figures);

/** The origin of each octave. Of those from rays, which follow `waves` octaves of waves: the change by
 * scattering, the error bar, and of it the part of interference (may be NULL). NaN: STI has no error bar.
 * @param change, error, interference (PRESSURE_FIGURES, OCTAVE_BANDS_MAX) */
bool record_fill_rays(struct record_response *response, size_t waves, const double *change,
                      const double *error, const double *interference, double sti_error);

/** Origin and error bars of the means over the responses of `run`; false if no figure has one. An octave
 * of several origins is "mixed". */
bool record_fill_bars(const struct run_model *run, struct figure_bars *out);

/** Means and standard deviations. */
bool record_fill_means(struct record_means *means, const struct figure_summary *summary);

/** Those of thirds (third_summary_add()), as means->thirds; of no responses none. */
bool record_fill_third_means(struct record_means *means, const struct figure_summary *summary);

/** The octaves of a response up to `highest` [Hz], and the values expected there. */
bool record_fill_expected(struct run_model *run, double highest,
                          const struct statistical_reverberation *expected);

#endif
