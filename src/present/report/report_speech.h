/** The finding about speech, and the names of speech transmission indices.
 *
 * The names are those of IEC 60268-16: below 0.30 bad, from there poor, from 0.45 fair, from 0.60 good, from
 * 0.75 excellent; as quoted by Audiomatica, CLIO user's manual, section 15.6 (STI calculation). Only that was
 * read (in a stored copy of November 2026).
 */
#ifndef SRC_REPORT_SPEECH_H
#define SRC_REPORT_SPEECH_H

#include <stdbool.h>

#include "src/present/report/report_model.h"

/** For the source that is understood worst, by STI where the run has it, else by D50 (report_findings.h).
 * False where it has neither. */
bool report_speech_find(const struct report_run *run, struct report_finding *out);

/** The name of an index; NULL of NaN. */
const char *report_speech_word(double sti, enum report_verdict *verdict);

#endif
