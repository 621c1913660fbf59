/** Modulation transfer and STI of responses on paper and in JSON, beside the figures of figure_report.h. */
#ifndef SRC_SPEECH_REPORT_H
#define SRC_SPEECH_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "src/acoustics/speech_transmission.h"

/** Several responses together; zeroed is empty. */
struct speech_summary {
    size_t responses;
    bool with_levels;
    double mti[SPEECH_OCTAVES]; /* sums over those that have it */
    size_t count[SPEECH_OCTAVES];
    double sti, sti_squares; /* sums over those that have it */
    size_t sti_count;
    char why[200]; /* the first reason for an absent STI; empty: none is absent */
};

/** @param levels what `speech` was made with; may be NULL */
void speech_summary_add(struct speech_summary *summary, const struct speech_transmission *speech,
                        const struct speech_levels *levels);

/** Mean modulation transfer index in octave `band` of a response (0: 63 Hz, which has none); NaN where no
 * response has it. */
double speech_summary_mti(const struct speech_summary *summary, size_t band);

/** STI and its standard deviation, or why there is none and that what stands in the table is modulation
 * transfer; wrapped at 100 columns. */
void speech_report_print(FILE *stream, const struct speech_summary *summary);

/** `mti` in the octaves of a response (`bands` from 63 Hz on), null where absent, with the reason in
 * `mti_why`; `sti`, null where absent, with the reason in `sti_why`. */
void speech_record_response(cJSON *object, const struct speech_transmission *speech, size_t bands);

/** The means: `mti` likewise, `sti` and `sti_deviation`, null where absent. */
void speech_record_means(cJSON *object, const struct speech_summary *summary, size_t bands);

/** The levels that were given: `speech_level_db`, `noise_level_db`, null where not. */
void speech_record_levels(cJSON *object, const struct speech_levels *levels);

#endif
