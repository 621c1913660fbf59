/** The progress of a source: all that its steps have made so far, beside the field in the engine. The stepper
 * (source_run.h) works on it, a checkpoint keeps it whole, and the records of a run read it at the end.
 */
#ifndef SRC_SOURCE_PROGRESS_H
#define SRC_SOURCE_PROGRESS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/engine/engine.h"
#include "src/response/signal/band_filters.h"
#include "src/run/watch/energy_ledger.h"
#include "src/run/watch/field_monitor.h"

/** Zeroed is empty, except for members that the caller sets. source_progress_free(). */
struct source_progress {
    uint64_t steps;          /* done; those before the emission included */
    uint64_t lead;           /* steps before the emission: response_lead() */
    uint64_t planned, limit; /* steps: planned so far; at most */
    uint64_t look_apart;     /* steps between two looks at the field */
    uint64_t health_step;    /* the field was finite then */
    uint64_t energy_step;    /* of `energy` */
    uint64_t capped;         /* 1: an automatic run came to its limit before every octave had decayed */
    double energy;           /* engine_energy() when it was last measured */
    double loudest;          /* largest mean square so far */
    double field_level;      /* mean square relative to that [dB]; NaN before the first look */
    double seconds;          /* wall time of stepping */
    double range[OCTAVE_BANDS_MAX]; /* of an automatic run when it was last measured (decay_ranges.h) [dB];
                                       NaN before */
    struct field_monitor monitor;   /* energy and mean pressure since the end of the drive */
    struct energy_ledger ledger;    /* made by the caller, or zeroed: none is kept */

    /* Not copied as is into a checkpoint: the caller's facts, and rows, which have any length. */
    uint64_t driven;   /* set by the caller: nothing drives the field after so many steps; 0: 2 lead + 2 */
    bool interrupted;  /* by Ctrl-C */
    size_t rows;       /* receivers whose samples are kept */
    uint64_t capacity; /* values from one row to the next */
    double *raw;       /* (rows, capacity), `steps` of each; owned; NULL without rows */
};

/** The least range of any octave [dB]; NaN before the first measurement, infinite without octaves. */
static inline double source_least_range(const struct source_progress *progress)
{
    double least = NAN;
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        least = fmin(least, progress->range[b]);
    return least;
}

static inline bool source_has_ledger(const struct source_progress *progress)
{
    return progress->ledger.absorbed != NULL;
}

void source_progress_free(struct source_progress *progress);

struct source_keeper;

/** Save the progress and the engine's image. A write error is the keeper's to report; a failure here ends the
 * run, and is one of the engine. */
typedef int source_keeper_save(struct source_keeper *keeper, const struct source_progress *now,
                               struct engine *engine, struct failure *failure);

/** Saves and loads the progress of a source while it runs. */
struct source_keeper {
    void *context;
    double apart; /* seconds of a clock from the end of one `save` to the next; `save` may change it */

    /** Called now and then. The rows so far are read until the next `save` or `settle`: until then they stay
     * where they are, and more may follow them. All else of `now` is copied at once. */
    source_keeper_save *save;

    /** Called when the run is interrupted. A checkpoint that is being written then counts as the last. */
    source_keeper_save *save_last;

    /** Wait until the last checkpoint is written or has failed. */
    void (*settle)(struct source_keeper *keeper);

    /** Load the newest checkpoint. `run` is a run before its first step, whose lead, planned, limit,
     * look_apart, rows, monitor and ledger bound what is loaded. If a checkpoint is found, all of `run` and
     * the engine are filled; its rows are packed. Otherwise, and after a failure, `run` is unchanged and
     * `run->steps` is 0. */
    int (*load)(struct source_keeper *keeper, struct source_progress *run, struct engine *engine,
                struct failure *failure);
};

#endif
