/** A run's folder, read again for a report: its run.json as a tree without any path of the machine it ran on.
 */
#ifndef SRC_RUN_FOLDER_H
#define SRC_RUN_FOLDER_H

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"
#include "src/run_folder/run_model.h"

/** Zeroed is empty, freed by run_folder_free(). */
struct run_folder {
    char *path;             /* of the folder, as given; owned */
    char *name;             /* the folder's last name, for people; owned */
    struct run_model model; /* of its run.json, without paths; owned */
};

/** `path` is the folder, or the run.json in it. FAILURE_INPUT names what is wrong: no folder, no run.json in
 * it, one larger than 256 MB, no JSON, or of no run. FAILURE_CAPACITY without memory. */
int run_folder_read(const char *path, struct run_folder *out, struct failure *failure);
void run_folder_free(struct run_folder *folder);

/** A file of the folder; owned by the caller, NULL without memory. */
char *run_folder_file(const struct run_folder *folder, const char *name);

/** Cut every path in `record` down to its last name, in place, whether its slashes lean to the right or, as
 * on Windows, to the left: in all strings each word that begins with a slash, `./`, `../`, `~`, `C:\` or
 * `file:`; whole values of `file`; arguments with a slash; and names of materials, sources and receivers that
 * are a whole path. What the project says of the page (`report`) stays as it is. */
void run_folder_strip(cJSON *record);

/** The same in a sentence about files of `folder`: what leads to them, as it was given, goes too. */
void run_folder_strip_of(const struct run_folder *folder, cJSON *words);

#endif
