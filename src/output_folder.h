/** The folder of a run: refused, made, and cleared of earlier results without touching anything else in it.
 */
#ifndef SRC_OUTPUT_FOLDER_H
#define SRC_OUTPUT_FOLDER_H

#include <stdbool.h>

#include "geometry/failure.h"

/** Start zeroed. */
struct output_folder {
    const char *path; /* borrowed */
    bool created;     /* made by output_folder_make() */
    bool cleared;
};

/** May a run write to `path`? FAILURE_INPUT for something that exists (without `force`) or is no folder;
 * FAILURE_OUTPUT where nothing can be written, or the folder that should hold it is missing. Changes nothing.
 */
int output_folder_check(const char *path, bool force, struct failure *failure);

/** Make the folder unless it is there. */
int output_folder_make(struct output_folder *folder, const char *path, struct failure *failure);

/** Before the first result is written: remove what an earlier run left (ir_*.wav, shifted_ir_*.wav, run.json,
 * temporary files of killed runs), and nothing else. Later calls do nothing. */
int output_folder_clear(struct output_folder *folder, struct failure *failure);

/** After a failure: remove the folder again if it was made here and nothing stands in it. */
void output_folder_undo(struct output_folder *folder);

/** "PATH/NAME", owned by the caller; NULL when memory ran out. */
char *output_folder_file(const struct output_folder *folder, const char *name);

#endif
