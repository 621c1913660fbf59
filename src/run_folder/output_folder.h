/** The folder of a run: refused, made, filled, without touching anything else in it.
 *
 * A folder that the run made receives each result as soon as it is whole. Where results of an earlier run
 * are, the new ones wait beside them, hidden, until all are whole. Then one rename of the last of them (the
 * record) says so; from there on they replace the old ones one by one, the record last, and only after that
 * what the earlier run left goes. A command that ends before that rename, however it ends, leaves the old
 * results as they were; after it the new ones are all there, and where the command was killed or could not
 * place one of them, the next that writes to the folder or reads it goes on from there.
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
    char *moved;       /* its path since somebody renamed it; owned; NULL: nobody has */
    bool held;         /* `lock` is open, and the folder locked as far as its file system knows locks */
    int lock;          /* results go there, whatever the folder is called by now */
    bool created;      /* made by output_folder_make() */
    bool holds_back;   /* results wait also in a folder that was made; set before the first */
    bool (*is_ours)(const char *name); /* results of an earlier command that go; NULL: those of a run */
};

/** May a run write to `path`? FAILURE_INPUT for something that exists (without `force`; but an empty folder,
 * as mktemp -d makes it, or one with nothing but temporary files of killed commands, is as good as none) or
 * is no folder; FAILURE_OUTPUT where nothing can be written, or the folder that should hold it is missing.
 * Changes nothing.
 */
int output_folder_check(const char *path, bool force, struct failure *failure);

/** Make the folder, or (with `force`, or where it is empty) take the one that is there, and hold it against
 * other runs until output_folder_undo(). FAILURE_INPUT when it was filled meanwhile, or when another run
 * holds it; FAILURE_OUTPUT as output_folder_finish(). */
int output_folder_make(struct output_folder *folder, const char *path, bool force, struct failure *failure);

/** Take over a settled file (also on failure) that is to be in the folder as `name`: put it there, or let
 * it wait. */
int output_folder_put(struct output_folder *folder, const char *name, struct whole_file *settled,
                      struct failure *failure);

/** The same with what json_stage() writes. */
int output_folder_put_json(struct output_folder *folder, const char *name, const cJSON *object,
                           struct failure *failure);

/** The end of a run: put what waits in place, `record`, which was put too, last. Then remove what an earlier
 * run left (as `is_ours` says, or ir_*.wav, shifted_ir_*.wav, map_*.csv, .svg, .glb, .ply, run.json,
 * room.glb, blocks.json; with them what was made of those responses, a report.html and what auralise left,
 * listen_*.wav and listen.json, walk_*.wav and walk.json; temporary files of killed runs) and nothing else;
 * what cannot be removed is named in a line of `warnings`. FAILURE_OUTPUT names what could not be put in
 * place and where it waits. */
int output_folder_publish(struct output_folder *folder, const char *record, FILE *warnings,
                          struct failure *failure);

/** Give up: what waits goes, and the folder too if it was made here and nothing is in it. For every end;
 * after output_folder_publish() has begun to put results in place it removes none of them. */
void output_folder_undo(struct output_folder *folder);

/** Do whole results wait in the folder `path`, because the command that wrote them was killed, or something
 * is in their way? For who reads the folder: output_folder_finish() first. */
bool output_folder_waits(const char *path);

/** Put them in place; nothing where none wait. FAILURE_INPUT while another command does so, FAILURE_OUTPUT
 * names what is in the way. */
int output_folder_finish(const char *path, struct failure *failure);

/** Is this a file that `auralise` makes in a folder: listen_*.wav, listen.json? */
bool output_folder_is_of_auralise(const char *name);
/** Or one of its walks: walk_*.wav, walk.json? */
bool output_folder_is_of_walk(const char *name);

/** Bring `path` up to date; false where no path is known that leads to the folder any more. */
bool output_folder_locate(struct output_folder *folder);

/** "PATH/NAME" of the folder as it is called by now, owned by the caller; NULL when memory ran out. */
char *output_folder_file(const struct output_folder *folder, const char *name);

#endif
