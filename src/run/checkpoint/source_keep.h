/** The keeper of a run's sources: their checkpoints, and what those that have ended gave, in the run's folder
 * (checkpoint/checkpoint_folder.h).
 *
 * A checkpoint is written over the older of the two that are kept, so that there is always a whole one. It is
 * read apart from the run (source_read.h), but for the engine's image, which is put in piece by piece: where
 * that turns out to be damaged, the one before replaces all of it. The form of a file says nothing of layout,
 * back end, threads or parts.
 *
 * The steps wait while one is written; or (`beside`) while the field is copied, and a thread writes it while
 * they go on, where there is memory for the copy. The next one waits for it, and so does the end of a source;
 * where a run is interrupted meanwhile, it is the last.
 */
#ifndef SRC_SOURCE_KEEP_H
#define SRC_SOURCE_KEEP_H

#include "src/run/checkpoint/checkpoint_folder.h"
#include "src/run/checkpoint/source_saved.h"
#include "src/setup/room_notices.h"

/** Start zeroed, but for `folder` and `notices`. */
struct source_keep {
    struct source_keeper keeper;            /* first; of the source `number` */
    const struct checkpoint_folder *folder; /* borrowed */
    const struct room_notices *notices;     /* what is printed goes by its quietness; never into the record */
    bool beside;                            /* steps go on while a copy is written, where that can be */
    bool discards;                          /* an interrupted run leaves none of its own */
    bool spacing_asked;                     /* else checkpoints are as far apart as 1 % of the time allows */
    size_t number;                          /* of the source, through all grids */
    uint64_t serial;                        /* of the newest checkpoint */
    bool second;                            /* the next is written to checkpoint.2 */
    uint64_t saved, copied, failed;         /* checkpoints so far; written beside the steps; lost */
    double seconds, longest;                /* the steps waited, in all and at most */
    uint64_t bytes;                         /* of the newest */
    struct checkpoint_writing *writing;     /* at work; owned; NULL: none */
};

/** Bytes of a checkpoint of `engine` with so many rows and steps. */
double source_keep_bytes(const struct engine *engine, size_t rows, double steps);

/** The keeper of source `number`, every `apart` seconds. */
void source_keep_start(struct source_keep *keep, size_t number, double apart);

/** What an ended source gave is kept; a warning where it cannot be. `saved` is as source_keeper.save() gets
 * it, its monitor's record and its ledger those at the end. */
void source_keep_ended(struct source_keep *keep, const struct source_saved *saved);

/** That of source `number`, as source_keeper.load() gives it; `steps` stays 0 where there is none, or only a
 * damaged one, of which a warning is printed. FAILURE_INPUT where it is of another run. */
int source_keep_find_ended(struct source_keep *keep, struct source_saved *run, struct failure *failure);

/** In a line how many there were and what they took; nothing where there were none. */
void source_keep_report(const struct source_keep *keep);

#endif
