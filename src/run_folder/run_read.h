/** A finished run: the run.json of its folder, read again. */
#ifndef SRC_RUN_READ_H
#define SRC_RUN_READ_H

#include "geometry/base/failure.h"
#include "src/response/acoustics/statistical_reverberation.h"
#include "src/run_folder/run_model.h"
#include "src/response/signal/air.h"

#define RUN_RECORD_MOST ((size_t)256 << 20) /* bytes of a run.json */

/** Is there a run.json in `folder`? */
bool run_is_in(const char *folder);

/** Which folders in `folder` are of runs, such as those of variants: their names in order, "base, carpet", at
 * most three and then "and others", as many as `size` bytes (> 0) hold whole. Returns how many there are; 0
 * also without memory. */
size_t runs_within(const char *folder, char *text, size_t size);

/** Read `folder`/run.json; `out` is freed by run_model_free(). FAILURE_INPUT names it and what is wrong: not
 * there, larger than 256 MB, no JSON, not of a run, of another format, a file name with a path in it.
 * FAILURE_CAPACITY without memory. `out` is empty then.
 *
 * Distances, onsets and the box are absent where they cannot be; the speed of sound is then what the air has.
 */
int run_model_read(const char *folder, struct run_model *out, struct failure *failure);

/** FAILURE_INPUT where `run`, read from `path`, has another format than RUN_FORMAT: another version wrote it.
 */
int run_format_check(const struct run_model *run, const char *path, struct failure *failure);

/** Files of a response in its run's folder, the mono one first; returns how many. Not those of an offset
 * grid.
 */
#define RUN_RESPONSE_FILES 4
size_t run_response_files(const struct record_response *response, const char *file[RUN_RESPONSE_FILES]);

/** The map of a receiver grid whose responses are in a file called `file`, or NULL. */
const struct record_map *run_model_find_map(const struct run_model *run, const char *file);

/** The response that has a file called `file`, or NULL; of what run_model_read() read. O(log responses). */
const struct record_response *run_model_find(const struct run_model *run, const char *file);

/** What takes the sound of a run. Zeroed is empty, freed by run_losses_free(). */
struct run_losses {
    struct air air; /* that of a usual room where the run does not have it */
    bool lossy;     /* air took its part of the responses */
    size_t surface_count;
    struct statistical_surface
        *surface; /* in the octaves from 63 Hz to 16 kHz; none where a material lacks some */
};

/** FAILURE_CAPACITY without memory. */
int run_losses_make(const struct run_model *run, struct run_losses *out, struct failure *failure);
void run_losses_free(struct run_losses *losses);

#endif
