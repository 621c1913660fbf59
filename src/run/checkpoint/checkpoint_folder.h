/** The files with which another process can resume a run. They are in the run's folder, and removed at its
 * end.
 *
 *   checkpoint.command      who began it: arguments, folder that they were given in, highest frequency, and
 *                           the identity; a folder with this file is unfinished
 *   checkpoint.1, .2        the newest two checkpoints of the source that is run
 *   checkpoint.source-N     what the source N gave, N counted from 0 through all grids of the run
 *
 * All but the first are files of chunks (chunk_file.h) that begin with "run", the identity (run_identity.h).
 * Files appear whole (whole_file.h).
 */
#ifndef SRC_CHECKPOINT_FOLDER_H
#define SRC_CHECKPOINT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "src/run/checkpoint/chunk_file.h"

#define CHECKPOINT_COMMAND  "checkpoint.command"
#define CHECKPOINT_NAME_MAX 48

/** Start zeroed; checkpoint_folder_free(). */
struct checkpoint_folder {
    const char *path; /* of the run's folder; borrowed */
    const int *held;  /* its descriptor, for who holds it open: it may be renamed; borrowed; NULL */
    cJSON *identity;  /* owned */
    char *words;      /* the same as text; owned */
};

/** Takes `identity` over, also on failure. FAILURE_CAPACITY for memory. */
int checkpoint_folder_start(struct checkpoint_folder *folder, const char *path, cJSON *identity,
                            struct failure *failure);
void checkpoint_folder_free(struct checkpoint_folder *folder);

/** True for the folder of an unfinished run. */
bool checkpoint_is_unfinished(const char *path);

/** The command that began an unfinished run. Zeroed is empty; checkpoint_command_free(). */
struct checkpoint_command {
    cJSON *json;           /* owned; what follows is in it */
    const char *directory; /* that paths in the arguments are relative to */
    int argument_count;
    char **argument;   /* (argument_count) after the word `simulate`; the list is owned */
    const char *input; /* the project that came in on standard input; NULL: none did */
    double fmax;       /* that was chosen; 0: none was to be [Hz] */
    size_t done;       /* of several runs, in their order */
    const cJSON *identity;
};

/** FAILURE_INPUT names the fault of the file. */
int checkpoint_command_read(const char *path, struct checkpoint_command *out, struct failure *failure);
void checkpoint_command_free(struct checkpoint_command *command);

/** Mark the folder as unfinished: `begun` has arguments, input, fmax and done. FAILURE_OUTPUT,
 * FAILURE_CAPACITY. */
int checkpoint_command_write(const struct checkpoint_folder *folder, const struct checkpoint_command *begun,
                             struct failure *failure);

/** FAILURE_INPUT with the first difference if the command began another run. */
int checkpoint_command_check(const struct checkpoint_folder *folder, const struct checkpoint_command *command,
                             struct failure *failure);

/** True if there is a checkpoint or a result of a source. */
bool checkpoint_is_any(const char *path);

/** Remove temporary files of killed processes and, with `all`, every file of checkpoints, the command first,
 * so that the folder is not unfinished. The folder must be held. */
void checkpoint_remove(const char *path, bool all);

/** FAILURE_CAPACITY with the bytes if fewer are free in the file system of `path`, which need not exist. */
int checkpoint_space(const char *path, double bytes, struct failure *failure);

/** Begin `name` in the folder: open it and write its first chunk. The caller abandons or commits it.
 */
int checkpoint_begin(const struct checkpoint_folder *folder, const char *name, struct whole_file *file,
                     struct chunk_writer *writer, struct failure *failure);

/** Open it again and check its run. FAILURE_INPUT: another run, with the difference; CHUNK_DAMAGED. `*path`
 * is the caller's, free() after chunk_close(); NULL and no failure: no checkpoint. */
int checkpoint_open(const struct checkpoint_folder *folder, const char *name, struct chunk_reader *reader,
                    char **path, struct failure *failure);

#endif
