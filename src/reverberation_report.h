/** Reverberation times at the end of a run: what its responses show, beside Sabine's and Eyring's estimates.
 *
 * On paper one table, octaves across:
 *
 *     reverberation [s]       63 Hz   125 Hz   250 Hz
 *     EDT, mean of 6           2.01     1.87     1.60
 *       standard deviation     0.14     0.08     0.03
 *     T30, mean of 6           2.26     2.17        -
 *     ..
 *     Sabine                   1.94     1.94     1.93
 *
 * and below it, of what is absent or no straight decay, where and why. In JSON every response has its own
 * figures, and the means stand beside the estimates.
 */
#ifndef SRC_REVERBERATION_REPORT_H
#define SRC_REVERBERATION_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "src/decay_times.h"
#include "src/statistical_reverberation.h"

#define REVERBERATION_FIGURES 3 /* EDT, T20, T30 */

/** A decay is called curved or uneven above these (ISO 3382-2, annex B). */
#define REVERBERATION_CURVATURE    10.0 /* [%] */
#define REVERBERATION_NONLINEARITY 10.0 /* [per mille] */

/** What an octave is called [Hz], 63 to 16000, by its exact centre [Hz]. */
int reverberation_nominal(double centre);

/** One octave of all responses of a run. */
struct reverberation_octave {
    double centre; /* [Hz] */
    size_t count;  /* of responses that report it */
    struct {
        size_t count;   /* of responses that have it */
        double mean;    /* [s] */
        double squares; /* sum of the squared distances from it [s2] */
    } figure[REVERBERATION_FIGURES];
    size_t curved, uneven; /* responses above the limits */
    size_t lacking;        /* responses without one of the figures */
    const char *why;       /* of the first of them; borrowed */
};

struct reverberation_summary {
    size_t responses, bands;
    struct reverberation_octave octave[OCTAVE_BANDS_MAX];
};

/** From a zeroed summary, one response after another; `times` is borrowed while it is used. */
void reverberation_summary_add(struct reverberation_summary *summary, const struct decay_times *times);

/** The table, at most 100 columns wide. Prints nothing where no octave is reported. */
void reverberation_print(FILE *stream, const struct reverberation_summary *summary,
                         const struct statistical_reverberation *expected);

/** `octaves_hz`, `sabine_s`, `eyring_s` in the octaves of a response up to `highest` [Hz]; null where a time
 * is infinite. */
void reverberation_record_expected(cJSON *object, double highest,
                                   const struct statistical_reverberation *expected);

/** `edt_s`, `t20_s`, `t30_s` and `edt_s_deviation`.. by octave, and `responses`. */
void reverberation_record_means(cJSON *object, const struct reverberation_summary *summary);

/** One response: `edt_s`, `t20_s`, `t30_s`, null where absent, with the reason in `why`;
 * `curvature_percent` and `nonlinearity_permille`, null likewise. With `shifted` (may be NULL) the spread
 * `edt_s_spread`.. of the two. */
void reverberation_record_times(cJSON *object, const struct decay_times *times,
                                const struct decay_times *shifted);

#endif
