/** Checks, makes and fills the folder of a run, and changes no other file in it.
 *
 * A folder that the run made receives each result as soon as it is complete. If the folder has results of an
 * earlier run, the new ones are kept beside them under hidden names until all are complete. Then the last of
 * them (the record) is renamed, which marks the new results as complete. After that they replace the old ones
 * one by one, the record last, and then other results of the earlier run are removed. If a command ends
 * before that first rename, the old results are unchanged. If it is killed later, or cannot replace a file,
 * the next command that writes to the folder or reads it continues.
 */
#ifndef SRC_OUTPUT_FOLDER_H
#define SRC_OUTPUT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "geometry/base/whole_file.h"

/** The record of a run. */
#define RUN_RECORD_FILE "run.json"

/** Start zeroed. */
struct output_folder {
    const char *path;  /* borrowed, or `moved` */
    const char *asked; /* its path when it was made; borrowed */
    char *moved;       /* its path if it was renamed meanwhile; owned; else NULL */
    bool held;         /* `lock` is open, and the folder is locked if its file system has locks */
    int lock;          /* of the folder, which may have another name now */
    bool created;      /* made by output_folder_make() */
    bool holds_back;   /* results are kept hidden also in a folder that was made; set before the first */
    bool (*is_ours)(const char *name); /* true: a result that a later command may remove; NULL: of a run */
};

/** Check that a run may write to `path`, and change nothing. FAILURE_INPUT if it is not a folder, or exists
 * (without `force`); a folder that is empty, or has only temporary files of killed commands, is accepted.
 * FAILURE_OUTPUT if it cannot be written, or its parent folder is missing. */
int output_folder_check(const char *path, bool force, struct failure *failure);

/** Make the folder, or use an existing one (with `force`, or if it is empty), and lock it until
 * output_folder_undo(). FAILURE_INPUT if it was filled in the meantime, or another run has locked it;
 * FAILURE_OUTPUT as output_folder_finish(). */
int output_folder_make(struct output_folder *folder, const char *path, bool force, struct failure *failure);

/** Take ownership of a settled file (also on failure) and put it into the folder as `name`, or under a hidden
 * name. */
int output_folder_put(struct output_folder *folder, const char *name, struct whole_file *settled,
                      struct failure *failure);

/** The same with the output of json_stage(). */
int output_folder_put_json(struct output_folder *folder, const char *name, const cJSON *object,
                           struct failure *failure);

/** Finish a run: rename the hidden files to their names, `record` last. Then remove only results of an
 * earlier run and temporary files of killed runs. Results are those of `is_ours`; without it ir_*.wav,
 * shifted_ir_*.wav, map_*.csv, .svg, .glb, .ply, run.json, room.glb, blocks.json, and files made from those
 * responses (report.html, listen_*.wav, listen.json, walk_*.wav, walk.json). A file that cannot be removed is
 * named in a line of `warnings`. FAILURE_OUTPUT names a file that could not be renamed, and its hidden name.
 */
int output_folder_publish(struct output_folder *folder, const char *record, FILE *warnings,
                          struct failure *failure);

/** Remove hidden files, and the folder if it was made here and is empty; unlock it. Call it in any case. Once
 * output_folder_publish() has begun to rename files, it removes none of them. */
void output_folder_undo(struct output_folder *folder);

/** True if complete results are still hidden in the folder `path`, since the command that wrote them was
 * killed or could not rename one. Call output_folder_finish() before reading the folder then. */
bool output_folder_waits(const char *path);

/** Rename them to their names. FAILURE_INPUT while another command does so; FAILURE_OUTPUT names the file
 * that cannot be replaced. */
int output_folder_finish(const char *path, struct failure *failure);

/** True for a file that `auralise` makes in a folder: listen_*.wav, listen.json. */
bool output_folder_is_of_auralise(const char *name);
/** True for a file of a walk: walk_*.wav, walk.json. */
bool output_folder_is_of_walk(const char *name);
/** Never true: nothing is replaced. */
bool output_folder_is_of_none(const char *name);

/** Set `path` to the folder's present path; false if there is none. */
bool output_folder_locate(struct output_folder *folder);

/** "PATH/NAME" with the folder's present path, owned by the caller; NULL without memory. */
char *output_folder_file(const struct output_folder *folder, const char *name);

#endif
