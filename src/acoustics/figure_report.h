/** The figures of responses on paper and in JSON: at the end of a run, and of `analyse`.
 *
 * On paper one table, octaves across:
 *
 *     figures of 6 responses  63 Hz   125 Hz   250 Hz
 *     EDT [s], mean            2.01     1.87     1.60
 *       standard deviation     0.14     0.08     0.03
 *     T20 [s], mean            2.26     2.17        -
 *     ..
 *     decay range, least [dB]  52.1     50.8     31.0
 *     Sabine, expected [s]     1.94     1.94     1.93
 *
 * and below it the single numbers, and of what is absent or no straight decay, where and why.
 */
#ifndef SRC_FIGURE_REPORT_H
#define SRC_FIGURE_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "src/acoustics/figure_summary.h"
#include "src/acoustics/statistical_reverberation.h"

/** The table, at most 100 columns wide; `expected` may be NULL. Prints nothing where no octave is reported.
 */
void figure_report_print(FILE *stream, const struct figure_summary *summary,
                         const struct statistical_reverberation *expected);

/** `octaves_hz`, `sabine_s`, `eyring_s` in the octaves of a response up to `highest` [Hz]; null where a time
 * is infinite. */
void figure_record_expected(cJSON *object, double highest, const struct statistical_reverberation *expected);

/** `responses`, `octaves_hz`, and by octave `edt_s` .. `g_db` with `edt_s_deviation` ..; and `single_numbers`
 * with the same. */
void figure_record_means(cJSON *object, const struct figure_summary *summary);

/** One response: `octaves_hz`; `edt_s`, `t20_s`, `t30_s`, `c50_db`, `c80_db`, `d50`, `ts_s`, `g_db`, null
 * where absent, with the reason in `why`; `decay_range_db`, `curvature_percent`, `nonlinearity_permille`;
 * `slope_early_s`, `slope_late_s`, `slope_crossing_db`, null where there is one slope; `single_numbers` with
 * a `why` of its own. With `shifted` (may be NULL) the spread `edt_s_spread`.. of the two. */
void figure_record_response(cJSON *object, const struct acoustic_figures *figures,
                            const struct acoustic_figures *shifted);

#endif
