/** A checkpoint of a source read again. It is read apart from the run: what the run has changes only where
 * all of the file is whole and can be of this run, so that another file, or a new beginning, can be tried.
 */
#ifndef SRC_SOURCE_READ_H
#define SRC_SOURCE_READ_H

#include "src/run/checkpoint/checkpoint_folder.h"
#include "src/run/checkpoint/source_saved.h"

/** What a file says of itself, its "source" chunk. */
struct source_about {
    uint64_t number; /* of the source, through all grids */
    uint64_t serial; /* of the checkpoint, from 1 on */
    uint64_t rows, has_ledger, surfaces;
};
#define SOURCE_SERIAL_MOST (UINT64_C(1) << 31)

/** Values of rows are in chunks of so many bytes at most, and blocks in pieces of so many or one block. */
#define SOURCE_PIECE_BYTES ((uint64_t)8 << 20)
/** Of such a piece: the first block and the one after the last. Then what they hold. */
#define SOURCE_PIECE_HEAD (2 * sizeof(uint64_t))

/** Serial number of the checkpoint `name` of source `number`; 0: there is none, or it is of another source.
 * Failures as source_read(). */
int source_read_serial(const struct checkpoint_folder *folder, const char *name, size_t number,
                       const struct source_saved *run, uint64_t *serial, struct failure *failure);

/** All of it into `run` (source_keeper.load()) and the engine, NULL: of a source that has ended.
 * CHUNK_DAMAGED says what is wrong with it; FAILURE_INPUT where it is of another run or version, or cannot be
 * opened; FAILURE_CAPACITY for memory; failures of the engine. After any `run` is as it was; the engine must
 * be reset. */
int source_read(const struct checkpoint_folder *folder, const char *name, size_t number,
                struct source_saved *run, struct engine *engine, struct failure *failure);

#endif
