/** The folder of a run: refused, made, filled, without touching anything else in it.
 *
 * A folder that the run made receives each result as soon as it is whole. Where results of an earlier run
 * stand, the new ones wait beside them under temporary names until all are written; only then the old ones
 * go. So a full disk or a crash never costs both.
 */
#ifndef SRC_OUTPUT_FOLDER_H
#define SRC_OUTPUT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/whole_file.h"

/** Start zeroed. */
struct output_folder {
    const char *path; /* borrowed */
    bool held;        /* `lock` is open, and so the folder locked */
    int lock;
    bool created; /* made by output_folder_make() */
    size_t waiting_count;
    struct whole_file *waiting;        /* settled, to be put in place by output_folder_publish(); owned */
    bool (*is_ours)(const char *name); /* results of an earlier command that go; NULL: those of a run */
};

/** May a run write to `path`? FAILURE_INPUT for something that exists (without `force`) or is no folder;
 * FAILURE_OUTPUT where nothing can be written, or the folder that should hold it is missing. Changes nothing.
 */
int output_folder_check(const char *path, bool force, struct failure *failure);

/** Make the folder, or (with `force`) take the one that is there, and hold it against other runs until
 * output_folder_undo(). FAILURE_INPUT when it came into being meanwhile, or when another run holds it. */
int output_folder_make(struct output_folder *folder, const char *path, bool force, struct failure *failure);

/** Take over a settled file whose place is in the folder (also on failure): put it there, or let it wait. */
int output_folder_put(struct output_folder *folder, struct whole_file *settled, struct failure *failure);

/** The end of a run: remove what an earlier one left (as `is_ours` says, or ir_*.wav, shifted_ir_*.wav,
 * map_*.csv, map_*.svg, run.json, room.glb, blocks.json; with them what was made of those responses, a
 * report.html and what auralise left, listen_*.wav and listen.json; temporary files of killed runs) and
 * nothing else, and put the waiting files in place. */
int output_folder_publish(struct output_folder *folder, struct failure *failure);

/** Give up: waiting files go, and the folder too if it was made here and nothing stands in it. For every end;
 * after output_folder_publish() it removes nothing that a run wrote. */
void output_folder_undo(struct output_folder *folder);

/** "PATH/NAME", owned by the caller; NULL when memory ran out. */
char *output_folder_file(const struct output_folder *folder, const char *name);

#endif
