/** Prints the figures of responses, at the end of a run and of `analyse`. One table, octaves across:
 *
 *     figures of 6 responses  63 Hz   125 Hz   250 Hz
 *     EDT [s], mean            2.01     1.87     1.60
 *       standard deviation     0.14     0.08     0.03
 *     T20 [s], mean            2.26     2.17        -
 *     ..
 *     decay range, least [dB]  52.1     50.8     31.0
 *     Sabine, expected [s]     1.94     1.94     1.93
 *
 * Where rays took part, the second row has the origin of each octave. Figures with error bars have a row of
 * them:
 *
 *     from                    waves    waves     rays
 *     EDT [s], mean            2.01     1.87     1.60
 *       standard deviation     0.14     0.08     0.03
 *       error bar                               0.12?
 *
 * and below it the single numbers, the absent figures and decays that are not straight with their reasons,
 * and, for directional channels, the lateral figures in the same columns. */
#ifndef SRC_FIGURE_REPORT_H
#define SRC_FIGURE_REPORT_H

#include <stdio.h>

#include "src/response/acoustics/figure_summary.h"
#include "src/response/acoustics/statistical_reverberation.h"
#include "src/base/table/table.h"

/** Origin and error bars of the means; NaN: no error bar. */
struct figure_bars {
    const char *from[OCTAVE_BANDS_MAX]; /* "waves", "rays"; borrowed */
    double error[PRESSURE_FIGURES][OCTAVE_BANDS_MAX];
    double steps[PRESSURE_FIGURES][OCTAVE_BANDS_MAX]; /* the change by scattering [JND] */
    double single[ALL_FIGURES];                       /* of the single numbers */
};

/** The table, at most 100 columns wide; `bars` (without error bars) and `expected` may be NULL. Prints
 * nothing if no octave is reported. */
void figure_report_print(FILE *stream, const struct figure_summary *summary, const struct figure_bars *bars,
                         const struct statistical_reverberation *expected);

/** The means of a summary of thirds: their frequencies down the rows, figures across; the mean of T30 from
 * 400 to 1250 Hz; marks as above; reasons, which would be too long, are only mentioned. Nothing without
 * thirds. */
void figure_report_thirds(FILE *stream, const struct figure_summary *summary);

/** The row of heads of a table by octave, `label` before them; and such a table, printed and freed. */
void figure_report_heads(struct table *table, const char *label, size_t octaves, const int hz[]);
void figure_report_table(FILE *stream, struct table *table, size_t octaves);

#endif
