/** Modulation transfer and STI of responses, printed beside the figures of figure_report.h. */
#ifndef SRC_SPEECH_REPORT_H
#define SRC_SPEECH_REPORT_H

#include <stdio.h>

#include "src/response/acoustics/speech_transmission.h"

/** Several responses together; zeroed is empty. */
struct speech_summary {
    size_t responses;
    bool with_levels;
    double mti[SPEECH_OCTAVES]; /* sums over responses that have it */
    size_t count[SPEECH_OCTAVES];
    double sti, sti_squares; /* sums over responses that have it */
    size_t sti_count;
    char why[200]; /* the first reason for an absent STI; empty: all have one */
};

/** @param levels levels of `speech`; may be NULL */
void speech_summary_add(struct speech_summary *summary, const struct speech_transmission *speech,
                        const struct speech_levels *levels);

/** Mean modulation transfer index in octave `band` of a response (0: 63 Hz, without an index); NaN if no
 * response has it. */
double speech_summary_mti(const struct speech_summary *summary, size_t band);

/** Print STI, its error bar (NaN: none) and its standard deviation, or the reason for its absence and the
 * available modulation transfer; wrapped at 100 columns. */
void speech_report_print(FILE *stream, const struct speech_summary *summary, double error);

/** Standard deviation of the STI; NaN for fewer than two. */
double speech_summary_deviation(const struct speech_summary *summary);

#endif
