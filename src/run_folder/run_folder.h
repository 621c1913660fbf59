/** Reads the folder of a run for a report or a comparison, without any path of the machine that it ran on. */
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

/** Read the folder `path`, or that of the run.json `path`. FAILURE_INPUT names the fault: not a folder, no
 * run.json in it, or one that is larger than 256 MB, not JSON, or not of a run. FAILURE_CAPACITY without
 * memory. */
int run_folder_read(const char *path, struct run_folder *out, struct failure *failure);
void run_folder_free(struct run_folder *folder);

/** The path of a file of the folder; owned by the caller, NULL without memory. */
char *run_folder_file(const struct run_folder *folder, const char *name);

/** Reduce every path in `record`, with slashes or backslashes, to its last name, in place. Paths are: in all
 * strings each word that begins with a slash, `./`, `../`, `~`, `C:\` or `file:`; whole values of `file`;
 * arguments with a slash; and names of materials, sources and receivers that are a whole path. `report`, the
 * project's texts for the page, is not changed. */
void run_folder_strip(cJSON *record);

/** The same for sentences about files of `folder`, without the folder's path as it was given. */
void run_folder_strip_of(const struct run_folder *folder, cJSON *words);

#endif
