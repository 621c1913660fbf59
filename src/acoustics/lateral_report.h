/** The lateral figures of several responses, on paper below the table of figure_report.h and in its columns,
 * and in JSON:
 *
 *     from the sides           63 Hz   125 Hz   250 Hz
 *     LF, mean                  0.21     0.19     0.24
 *       standard deviation      0.08     0.06     0.05
 */
#ifndef SRC_LATERAL_REPORT_H
#define SRC_LATERAL_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "src/acoustics/figure_summary.h"
#include "src/acoustics/lateral_figures.h"

enum lateral_figure { LATERAL_LF, LATERAL_LFC, LATERAL_LJ, LATERAL_FIGURES };

struct lateral_summary {
    size_t responses, bands;
    double centre[OCTAVE_BANDS_MAX]; /* [Hz] */
    struct figure_mean octave[OCTAVE_BANDS_MAX][LATERAL_FIGURES], single[LATERAL_FIGURES];
};

/** From a zeroed summary, one response after another. */
void lateral_summary_add(struct lateral_summary *summary, const struct lateral_figures *figures);

/** Nothing where there is no response. */
void lateral_report_print(FILE *stream, const struct lateral_summary *summary);

/** Means: `lf`, `lfc`, `lj_db` and `lf_deviation`.. by octave, `lf_single`, `lfc_single`, `lj_single_db`. */
void lateral_record_means(cJSON *object, const struct lateral_summary *summary);

/** One response: `lf`, `lfc`, `lj_db` by octave, `lf_single`, `lfc_single`, `lj_single_db`; null where
 * absent, and why in `lateral_why`. With `shifted` (may be NULL) `lf_spread`.. of the two. */
void lateral_record_response(cJSON *object, const struct lateral_figures *figures,
                             const struct lateral_figures *shifted);

#endif
