/** Reads a checkpoint of a source. It is read apart from the run, which changes only if the whole file is
 * valid and belongs to this run. Otherwise another file, or a new start, can be tried.
 *
 *   "run"       the identity (checkpoint_folder.h)
 *   "source"    struct source_about
 *   "progress"  struct source_progress, whole, less what a run knows by itself (progress_check.h)
 *   "absorbed"  the energies of its ledger (samples, surfaces), if it has one
 *   "row"       a row, in pieces of SOURCE_PIECE_BYTES; row after row
 *   "form", "sums", "row"s of the state of a port, "blocks"..
 *               the engine's image (engine_image.h), unless the source has ended
 *   "end"
 */
#ifndef SRC_SOURCE_READ_H
#define SRC_SOURCE_READ_H

#include "src/run/checkpoint/checkpoint_folder.h"
#include "src/run/source_progress.h"

/** The source and the number of a checkpoint. */
struct source_about {
    uint64_t number;     /* of the source, through all grids */
    uint64_t serial;     /* of the checkpoint, from 1 on */
    uint64_t has_ledger; /* 1 or 0 */
};
#define SOURCE_SERIAL_MOST (UINT64_C(1) << 31)

/** Bytes of a chunk of a row at most, and of a piece of blocks unless that is one block. */
#define SOURCE_PIECE_BYTES ((uint64_t)8 << 20)
/** Bytes before the content of a piece of blocks: its first block and the one after its last. */
#define SOURCE_PIECE_HEAD (2 * sizeof(uint64_t))

/** Read the serial number of the checkpoint `name` of source `number`; 0: none, or one of another source.
 * Failures as source_read(). */
int source_read_serial(const struct checkpoint_folder *folder, const char *name, size_t number,
                       const struct source_progress *run, uint64_t *serial, struct failure *failure);

/** Read all of it into `run` (source_keeper.load()) and the engine; NULL: the source has ended. CHUNK_DAMAGED
 * names the fault. FAILURE_INPUT: another run or version, or it cannot be opened. FAILURE_CAPACITY: memory.
 * Failures of the engine. After a failure `run` is unchanged, and the engine must be reset. */
int source_read(const struct checkpoint_folder *folder, const char *name, size_t number,
                struct source_progress *run, struct engine *engine, struct failure *failure);

#endif
