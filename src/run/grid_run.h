/** One room on one grid: made ready to be stepped, stepped source by source, its responses written.
 *
 * `simulate` makes one of them, and for a repeated run a second one, on a grid offset by half a cell, after
 * the first has given its pressures back.
 */
#ifndef SRC_GRID_RUN_H
#define SRC_GRID_RUN_H

#include "src/run/grid_parts.h"
#include "src/run/checkpoint/source_keep.h"

/** Stencils and paths on run->grid: what can still be wrong with positions. run->setup, grid, notices and
 * needs are set by the caller. FAILURE_INPUT, FAILURE_CAPACITY. */
int grid_run_place(struct grid_run *run, struct failure *failure);

/** The engine, after grid_run_place(). FAILURE_CAPACITY with the bytes; FAILURE_OUTPUT when the device fails.
 */
int grid_run_start(struct grid_run *run, struct failure *failure);

/** What tells one run of a source from another. */
struct grid_run_settings {
    const char *prefix;       /* of the files, as in struct run_output */
    const char *label;        /* behind the source's name on the progress line; "" for none */
    double duration;          /* [s]; 0: automatic, from run->needs.duration on */
    struct source_keep *keep; /* of checkpoints; NULL: none */
    size_t first_number;      /* of the grid's first source among those of all grids */
    double keep_apart;        /* [s] */
    bool unhurried;           /* nothing else keeps what there is: after Ctrl-C responses of receivers, not of
                                 receiver grids, take the time that they take */
};

/** Run one source to its end and put its responses into `folder`. FAILURE_INTERRUPTED after Ctrl-C,
 * FAILURE_SIMULATION when the field went wrong, FAILURE_OUTPUT or FAILURE_CAPACITY with run->engine_lost when
 * the device failed, FAILURE_CAPACITY when memory ran out while an automatic run grew: what was computed up
 * to then is written, where it makes a response; after Ctrl-C as far as time is left (interrupt_overdue()).
 */
int grid_run_source(struct grid_run *run, size_t source, const struct grid_run_settings *settings,
                    struct output_folder *folder, struct failure *failure);

/** The figures of all responses that were written; borrows from `run`. */
void grid_run_summary(const struct grid_run *run, struct figure_summary *out);

/** Give the pressures back; figures and names stay. */
void grid_run_stop(struct grid_run *run);
void grid_run_free(struct grid_run *run);

#endif
