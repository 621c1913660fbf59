/** `compare RESPONSE RESPONSE..`: single responses, of runs or measured, as run_compare() takes runs.
 *
 * A response is FILE.wav, or FILE.wav@7 for channel 7, such as a point of a receiver grid. A file that the
 * run.json beside it names has the figures of the run, of a point those of its map's table. Another one was
 * measured: it has those of `analyse`. */
#ifndef SRC_COMPARED_RESPONSE_H
#define SRC_COMPARED_RESPONSE_H

#include <cjson/cJSON.h>

#include "src/cli/analysis_list.h"
#include "src/run_folder/run_folder.h"

/** Zeroed is empty, freed by compared_response_free(). */
struct compared_response {
    struct run_folder shown;       /* a run with that response alone; borrows from what follows */
    struct record_response alone;  /* that response; borrows likewise */
    struct run_folder run;         /* its run; zeroed: measured */
    struct record_response point;  /* of a receiver grid: its figures; owned */
    struct analysis_list analysis; /* of that response: its decays, and figures if it was measured */
};

/** True if `subject` is such a file by its name. */
bool compared_is_response(const char *subject);

/** FAILURE_INPUT names the fault: as analysis_list_of(), or several channels of which none is chosen. `out`
 * keeps its place while it is in use. */
int compared_response_read(const char *subject, const struct options *options, struct compared_response *out,
                           struct failure *failure);
void compared_response_free(struct compared_response *response);

/** A measured response has no set-up. If the other is of a run, it borrows that one's, so that nothing but
 * the responses differs. */
void compared_response_share(struct compared_response *measured, const struct compared_response *other);

/** The level curve of each octave after the onset: a list of {octave_hz, step_s, level_db}. The caller's;
 * NULL without memory. */
cJSON *compared_response_decays(const struct compared_response *response);
cJSON *compared_decays(const struct analysis_response *of);

#endif
