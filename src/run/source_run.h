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
#include "src/run/watch/energy_ledger.h"
#include "src/run/watch/field_monitor.h"
#include "src/run/checkpoint/source_saved.h"
#include "src/response/signal/response.h"

#define SOURCE_RUN_FALL 50.0 /* what every octave has to fall by before an automatic run ends [dB] */

/** Looks at the field while a source runs, between steps; the steps themselves are the same ones. */
struct source_run_snapshots {
    const uint64_t *step; /* (count) of the run, from 1 on, rising: after so many steps */
    size_t count;
    int (*take)(void *context, const struct engine *engine, size_t index, struct failure *failure);
    void *context;
};

/** Is given what the engine's receivers heard in every batch, and nothing of it is kept: for receivers that
 * are many and each of use for a while. */
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
    double push, sum;                   /* as field_monitor_drive() */
};

struct source_run_settings {
    struct time_step step;   /* of the engine; of the standard scheme only its rate is used */
    double fmax;             /* [Hz] */
    double duration;         /* after the emission [s]; 0: automatic */
    double first_duration;   /* automatic: start with this long (1.3 x the longest Sabine or Eyring time) [s],
                                and at least until all channels have ended */
    double longest_duration; /* automatic: stop here, `capped` (15) [s] */
    const struct air_losses *losses; /* that the responses will get (octave_decay_in_air()); NULL: none */
    uint64_t stored_nodes; /* updated in a step, for the rate of the progress line; 0 leaves the rate out */
    const struct field_room *room; /* for watching energy and mean pressure; NULL: they are not watched */
    const char *label;             /* of the progress line: "S1 (1 of 2)"; may be NULL */
    FILE *progress;                /* the progress line goes here (a terminal or a log); NULL: quiet */
    /* Receivers whose decay is followed for the automatic duration, by number; NULL: all of them. Following
     * costs 30 operations a band and step, which hundreds of receivers would notice. */
    const size_t *followed;
    size_t followed_count;
    /* Kept while the source runs; NULL: none. The engine then has one more receiver at the stencil of each
     * source, in their order, after the others. */
    struct energy_ledger *ledger;
    const struct response_drive *drive; /* of the source, instead of response_drive_make(); borrowed */
    /* Taps that are driven at once, each by its own, in place of `source`; leads are alike. The first is of
     * order 0, and its push is the room's. NULL: `source` alone. */
    const struct source_channel *channel;
    size_t channels;
    const struct source_run_snapshots
        *snapshots;                   /* one that fails ends the run with its failure; NULL: none */
    const struct source_run_ear *ear; /* with no receivers and no ledger; NULL: none */
    struct source_keeper *keeper; /* is given the run now and then, and when it is interrupted; NULL: none */
    const volatile sig_atomic_t *interrupt; /* set by Ctrl-C; may be NULL */
    bool hurried; /* nothing is made of an interrupted run once interrupt_overdue(): its end is not looked at
                     then */
    double patience; /* a batch that takes longer [s], and far longer than before, ends the program
                        (batch_watch.h); 0: none does */
};

struct source_run_result {
    uint64_t steps; /* done, also when interrupted; those before the emission included */
    uint64_t lead;  /* steps before the emission: response_lead() */
    double *raw;    /* (receivers, steps) row by row; owned, free(); NULL without receivers */
    double seconds; /* wall time of stepping */
    bool interrupted;
    bool capped; /* automatic duration reached longest_duration before every octave had fallen by 50 dB */
    struct field_record field; /* energy and mean pressure since the end of the drive */
    double fall; /* the least that any octave has fallen at any receiver (octave_decay.h) [dB] */
};

/** Steps that a source with so many before its emission is planned with first, and has at most. */
void source_run_plan(const struct source_run_settings *settings, uint64_t lead, uint64_t *first,
                     uint64_t *longest);

/** Reset the engine and drive source `source` (of `sources`; the others stay silent) with
 * response_drive_make(). Steps are response_lead() + ceil(duration x rate / response_share()). Automatic:
 * starts with first_duration and goes on in pieces of a tenth until every octave band below fmax
 * (octave_decay.h: upper edge <= fmax, from 63 Hz; below 89 Hz there is none and the run ends with
 * first_duration) has fallen by 50 dB at every receiver that is followed. FAILURE_SIMULATION when the field
 * is not finite: steps between which it happened, node and place [m]; looked at every 512 steps, or so far
 * apart that there are 200 looks in the steps that were planned first, at once when a receiver is not finite,
 * and at the end of the drive and of the run. No clock decides when there is a look, nor when the ledger gets
 * a sample: a run gives the same figures twice. In rooms of more than 2^18 nodes samples are 512 steps apart
 * at least too, unless there would be fewer than four; that is 1 % of the time at most for each. The same
 * where the energy or the mean pressure of the field grew by more than rounding explains (field_monitor.h),
 * and where blocks of a step, computed again every engine_recheck_apart() steps once nothing drives the
 * field, are not what the reference makes of them. What was computed is in `out` also then, up to the last
 * step at which every receiver was finite. FAILURE_OUTPUT or FAILURE_CAPACITY as engine_failed(); the batches
 * before that one are in `out`, and so is all of an automatic run that finds no memory to go on.
 * FAILURE_INPUT as response_check(). What settings->keeper has of this source is where the run begins, and it
 * gives what it would have given without, seconds apart. The level on the progress line is that of the octave
 * and receiver that has fallen least. `out` need not be initialised; it is valid (to be freed) whatever is
 * returned. */
int source_run(struct engine *engine, const struct lattice *lattice, size_t source, size_t sources,
               size_t receivers, const struct source_run_settings *settings, struct source_run_result *out,
               struct failure *failure);

#endif
