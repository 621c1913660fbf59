/** A finished run: the run.json of its folder, read again. */
#ifndef SRC_RUN_READ_H
#define SRC_RUN_READ_H

#include "geometry/base/failure.h"
#include "src/response/acoustics/statistical_reverberation.h"
#include "src/run_folder/run_model.h"
#include "src/response/signal/air.h"

#define RUN_RECORD_MOST ((size_t)256 << 20) /* bytes of a run.json */

/** True if `folder` has a run.json. */
bool run_is_in(const char *folder);

/** List the folders of runs in `folder`, such as those of variants: "base, carpet", at most three names in
 * order and then "and others", as many as fit into `size` bytes (> 0). Returns their number; 0 also without
 * memory. */
size_t runs_within(const char *folder, char *text, size_t size);

/** Read `folder`/run.json; `out` is freed by run_model_free(), and empty on failure. FAILURE_INPUT names the
 * file and its fault: missing, larger than 256 MB, not JSON, not of a run, of another format, or with a path
 * in the name of a file. FAILURE_CAPACITY without memory.
 *
 * Impossible distances, onsets and bounds are absent; an impossible speed of sound becomes that of the air.
 */
int run_model_read(const char *folder, struct run_model *out, struct failure *failure);

/** FAILURE_INPUT if the format of `run`, read from `path`, is not RUN_FORMAT. */
int run_format_check(const struct run_model *run, const char *path, struct failure *failure);

/** List the files of a response in the folder of its run, the mono one first, without those of an offset
 * grid. Returns their number. */
#define RUN_RESPONSE_FILES 4
size_t run_response_files(const struct record_response *response, const char *file[RUN_RESPONSE_FILES]);

/** The map of a receiver grid whose responses are in a file called `file`, or NULL. */
const struct record_map *run_model_find_map(const struct run_model *run, const char *file);

/** The response with a file named `file`, or NULL, in a model from run_model_read(). O(log responses). */
const struct record_response *run_model_find(const struct run_model *run, const char *file);

/** Absorption in a run. Zeroed is empty, freed by run_losses_free(). */
struct run_losses {
    struct air air; /* of a usual room if the run does not record it */
    bool lossy;     /* the responses include losses of the air */
    size_t surface_count;
    struct statistical_surface
        *surface; /* in the octaves from 63 Hz to 16 kHz; none where a material lacks some */
};

/** FAILURE_CAPACITY without memory. */
int run_losses_make(const struct run_model *run, struct run_losses *out, struct failure *failure);
void run_losses_free(struct run_losses *losses);

#endif
