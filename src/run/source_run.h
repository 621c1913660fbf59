/** Running one source to the end: steps in batches, progress, health, interruption, automatic duration. */
#ifndef SRC_SOURCE_RUN_H
#define SRC_SOURCE_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "geometry/base/failure.h"
#include "geometry/voxel/lattice.h"
#include "kernels/engine/engine.h"
#include "src/run/source_progress.h"
#include "src/run/watch/decay_ranges.h"

/** Snapshots of the field between the steps of a source. They do not change the steps. */
struct source_run_snapshots {
    const uint64_t *step; /* (count) of the run, from 1 on, rising: after so many steps */
    size_t count;
    int (*take)(void *context, const struct engine *engine, size_t index, struct failure *failure);
    void *context;
};

/** Gets the output of the engine's receivers in every batch; it is not kept. For many receivers, each used
 * for a while. */
struct source_run_ear {
    size_t rows; /* all receivers of the engine */
    /* `output` (rows, steps), of the steps from `first` on; a failure ends the run with it. */
    int (*hear)(void *context, const double *output, uint64_t first, uint64_t steps, struct failure *failure);
    void *context;
};

/** One of the taps that a source drives at once. */
struct source_channel {
    size_t source;                      /* of the engine */
    const struct response_drive *drive; /* silent where it has no samples; borrowed */
    uint64_t first;                     /* step of its first sample */
    double push, sum;                   /* as field_monitor_drive() */
};

struct wave_picture;

struct source_run_settings {
    struct time_step step;          /* of the engine; of the standard scheme only its rate is used */
    double fmax;                    /* [Hz] */
    double duration;                /* after the emission [s]; 0: automatic */
    double first_duration;          /* automatic: the first piece, until all channels have ended [s] */
    double likely_duration;         /* automatic: for the time left during that piece; 0: the same [s] */
    double longest_duration;        /* automatic: stop here, `capped` (15) [s] */
    const struct decay_rows *decay; /* whose decay ends an automatic run; borrowed; NULL: it has its first
                                       piece alone */
    uint64_t stored_nodes; /* updated in a step, for the rate of the progress line; 0 leaves the rate out */
    const struct field_room *room; /* for watching energy and mean pressure; NULL: they are not watched */
    const char *label;             /* of the progress line: "S1 (1 of 2)"; may be NULL */
    FILE *progress;                /* the progress line goes here (a terminal or a log); NULL: quiet */
    const struct response_drive *drive; /* of the source, instead of response_drive_make(); borrowed */
    /* Taps that are driven at once, each by its own drive, in place of `source`; leads are equal. The first
     * is of order 0, and its push is the room's. NULL: `source` alone. */
    const struct source_channel *channel;
    size_t channels;
    const struct source_run_snapshots
        *snapshots;                   /* one that fails ends the run with its failure; NULL: none */
    struct wave_picture *picture;     /* of the wave as it is stepped (wave_picture.h); NULL: none */
    const struct source_run_ear *ear; /* with no receivers and no ledger; NULL: none */
    struct source_keeper *keeper; /* is given the run now and then, and when it is interrupted; NULL: none */
    const volatile sig_atomic_t *interrupt; /* set by Ctrl-C; may be NULL */
    bool drops_overdue; /* after interrupt_overdue() the end of an interrupted run is not checked */
    double patience;    /* a batch that takes longer [s], and far longer than before, ends the program
                           (batch_watch.h); 0: none does */
};

/** Set the members known before the first step of a source with `lead` steps before its emission: planned,
 * limit, look_apart, and the spacing of its ledger. */
void source_run_plan(const struct source_run_settings *settings, uint64_t lead, struct source_progress *out);

/** Reset the engine and drive source `source` (of `sources`; the others stay silent) with
 * response_drive_make().
 *
 * `progress` is zeroed, except its ledger and `driven`. With a ledger the engine has one more receiver at the
 * stencil of each source, in their order, after the others. `progress` must be freed in any case.
 *
 * Length: response_lead() + ceil(duration x rate / response_share()) steps. An automatic run starts with
 * first_duration and continues in pieces until decay_ranges_find() finds every octave decayed at every
 * receiver that is followed. Its pieces follow from their samples alone, so a resumed run has the same.
 *
 * The field is checked every 512 steps, or less often so that there are 200 checks in the steps planned
 * first; at the end of the drive and of the run; and at once if a receiver is not finite. Samples of the
 * ledger are as far apart in rooms of more than 2^18 nodes, unless there would be fewer than four. Each takes
 * 1 % of the time at most. No clock decides when, so a run gives the same figures twice.
 *
 * FAILURE_SIMULATION: the field is not finite (steps between which it became so, node and place [m]); or its
 * energy or mean pressure grew by more than rounding explains (field_monitor.h); or recomputed blocks of a
 * step differ from the reference. They are recomputed every engine_recheck_apart() steps after the drive.
 * `progress` then has the output up to the last step at which every receiver was finite. FAILURE_OUTPUT or
 * FAILURE_CAPACITY as engine_failed(): `progress` has the batches before; also FAILURE_CAPACITY if an
 * automatic run finds no memory to continue: it then has all of them. FAILURE_INPUT as response_check().
 *
 * A source that settings->keeper has begins there. Its result is that of an uninterrupted run, except
 * seconds. */
int source_run(struct engine *engine, const struct lattice *lattice, size_t source, size_t sources,
               size_t receivers, const struct source_run_settings *settings, struct source_progress *progress,
               struct failure *failure);

#endif
