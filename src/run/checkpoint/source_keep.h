/** Keeps checkpoints of a run's sources, and the results of those that have ended, in the run's folder
 * (checkpoint_folder.h).
 *
 * A checkpoint replaces the older of two, so that there is always a whole one. It is read apart from the run
 * (source_read.h), except for the engine's image, which is loaded piece by piece: if that is damaged, the
 * checkpoint before replaces all of it. A file does not depend on layout, back end, threads or parts.
 *
 * Steps wait while a checkpoint is written. With `beside` they wait only while the field is copied, if there
 * is memory for the copy, and a thread writes it. The next checkpoint waits for that thread, and so does the
 * end of a source. If a run is interrupted meanwhile, that checkpoint is its last.
 */
#ifndef SRC_SOURCE_KEEP_H
#define SRC_SOURCE_KEEP_H

#include "src/run/checkpoint/checkpoint_folder.h"
#include "src/run/source_progress.h"
#include "src/setup/room_notices.h"

/** Start zeroed, except `folder` and `notices`. */
struct source_keep {
    struct source_keeper keeper;            /* first; of the source `number` */
    const struct checkpoint_folder *folder; /* borrowed */
    const struct room_notices *notices;     /* for its quietness; nothing goes into the record */
    bool beside;                            /* steps continue while a copy is written, if that is possible */
    bool discards;                          /* an interrupted run leaves no checkpoint of its own */
    bool spacing_asked;                     /* else checkpoints are as far apart as 1 % of the time allows */
    size_t number;                          /* of the source, through all grids */
    uint64_t serial;                        /* of the newest checkpoint */
    bool second;                            /* the next is written to checkpoint.2 */
    uint64_t saved, copied, failed;         /* checkpoints so far; written beside the steps; lost */
    double seconds, longest;                /* the steps waited, in all and at most */
    uint64_t bytes;                         /* of the newest */
    struct checkpoint_writing *writing;     /* at work; owned; NULL: none */
};

/** Bytes of a checkpoint of `engine` with this number of rows and steps. */
double source_keep_bytes(const struct engine *engine, size_t rows, double steps);

/** Start to keep source `number`, every `apart` seconds. */
void source_keep_start(struct source_keep *keep, size_t number, double apart);

/** Keep the results of a source that has ended; print a warning if they cannot be written. */
void source_keep_ended(struct source_keep *keep, const struct source_progress *progress);

/** Find those of source `number`, into `run` as source_keeper.load() does. `steps` stays 0 if there are none,
 * or only damaged ones, of which a warning is printed. FAILURE_INPUT: they are of another run. */
int source_keep_find_ended(struct source_keep *keep, struct source_progress *run, struct failure *failure);

/** Print in a line how many checkpoints there were and how long they took; nothing without any. */
void source_keep_report(const struct source_keep *keep);

#endif
