/** `compare RUN measured.wav..`: measured responses as the second of two runs (run_compare.h), paired with
 * the responses of the first.
 *
 *     FILE.wav                the names of a source and of a receiver of the run are words of the file's
 * name: hall_S1_R2.wav. A run with one source needs the receiver's alone. FILE.wav=SOURCE,NAME    by name
 *     FILE.wav=[SOURCE,]x,y,z the receiver of the run nearest to that position, at most MEASURED_NEAR away
 *
 *     TABLE.csv[=WORD]        figures in a table, by the names in it (measured_table.h); no other file with
 * it
 *
 * FILE.wav@2 is channel 2. Figures, and decays, count from the direct sound of each response, so that
 * recordings need no common start.
 *
 * Uncertainty, as that of rays one that nine of ten are within (record_error.h): files of one pair are
 * repetitions, whose mean is compared and whose scatter is its error bar, 1.645 s / sqrt(n). A single file
 * has that of T20 and T30 alone, by ISO 3382-2 (section 7.1, with n = 10 for an impulse response), B = 0.71
 * times the centre:
 *
 *     s(T20) = 0.88 T20 sqrt((1 + 1.90 / n) / (B T20))     s(T30) = 0.55 T30 sqrt((1 + 1.52 / n) / (B T30))
 */
#ifndef SRC_MEASURED_RUN_H
#define SRC_MEASURED_RUN_H

#include "src/cli/analysis_list.h"
#include "src/cli/measured/measured_table.h"
#include "src/run_folder/run_folder.h"

#define MEASURED_NEAR 0.5 /* [m] */

/** One file, and the response of the run that it is compared with. */
struct measured_file {
    char *path;                             /* without what follows the `=`; owned */
    const struct record_response *response; /* of the run; borrowed */
    double distance;               /* of its receiver from the given position [m]; NaN: paired by name */
    struct analysis_list analysis; /* one response, with its decays; owned */
};

/** Zeroed is empty, freed by measured_run_free(). Borrows the run. */
struct measured_run {
    struct run_folder shown; /* the run with the measured responses instead of its own; borrows */
    size_t pairs;
    struct record_response *item; /* (pairs) shallow, of `file`; owned */
    size_t *first;                /* (pairs) number of its first file; owned */
    size_t files;
    struct measured_file *file;  /* owned */
    struct measured_table table; /* instead of files */
    size_t unknown;              /* responses of it that the run lacks */
};

/** True if `subject` is such an argument by its form. */
bool measured_is_file(const char *subject);

/** FAILURE_INPUT names the file and what it could be paired with, or as analysis_list_of(). */
int measured_run_read(const struct options *options, const struct run_folder *run, const char *const *subject,
                      size_t count, struct measured_run *out, struct failure *failure);
void measured_run_free(struct measured_run *measured);

#endif
