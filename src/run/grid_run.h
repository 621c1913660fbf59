/** One room on one grid: prepared, stepped source by source, its responses written.
 *
 * `simulate` makes one, and for a repeated run a second one on a grid offset by half a cell, after the first
 * has freed its pressures.
 */
#ifndef SRC_GRID_RUN_H
#define SRC_GRID_RUN_H

#include "src/run/grid_parts.h"
#include "src/run/checkpoint/source_keep.h"

/** Make stencils and paths on run->grid: positions can still be refused. run->setup, grid, notices and
 * needs are set by the caller. FAILURE_INPUT, FAILURE_CAPACITY. */
int grid_run_place(struct grid_run *run, struct failure *failure);

/** Make the engine, after grid_run_place(). FAILURE_CAPACITY with the bytes; FAILURE_OUTPUT: the device
 * failed.
 */
int grid_run_start(struct grid_run *run, struct failure *failure);

/** The settings of a run of a source. */
struct grid_run_settings {
    const char *prefix;       /* of the files, as in struct run_output */
    const char *label;        /* behind the source's name on the progress line; "" for none */
    double duration;          /* [s]; 0: automatic, from run->needs.first_duration on */
    struct source_keep *keep; /* of checkpoints; NULL: none */
    size_t first_number;      /* of the grid's first source among those of all grids */
    double keep_apart;        /* [s] */
    bool watched;            /* a picture of the wave is in the folder while it is stepped (wave_picture.h) */
    bool finishes_responses; /* after Ctrl-C responses of receivers, not of receiver grids, are finished:
                                nothing else keeps them */
};

/** Run one source to its end and put its responses into `folder`. FAILURE_INTERRUPTED: Ctrl-C.
 * FAILURE_SIMULATION: the field is wrong. FAILURE_OUTPUT or FAILURE_CAPACITY with run->engine_lost: the
 * device failed. FAILURE_CAPACITY: no memory for an automatic run to continue. After these, the computed part
 * is written if it makes a response; after Ctrl-C only as long as interrupt_overdue() allows.
 */
int grid_run_source(struct grid_run *run, size_t source, const struct grid_run_settings *settings,
                    struct output_folder *folder, struct failure *failure);

/** The figures of all responses that were written; borrows from `run`. */
void grid_run_summary(const struct grid_run *run, struct figure_summary *out);

/** Those of its thirds; of no responses where none were asked for. */
void grid_run_thirds(const struct grid_run *run, struct figure_summary *out);

/** Free the pressures; figures and names stay. */
void grid_run_stop(struct grid_run *run);
void grid_run_free(struct grid_run *run);

#endif
