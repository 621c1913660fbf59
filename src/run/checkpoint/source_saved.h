/** All that the steps of a source have made so far, beside the engine's image: what a run goes on from, and
 * what one that has ended gave. */
#ifndef SRC_SOURCE_SAVED_H
#define SRC_SOURCE_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/engine/engine.h"
#include "src/run/watch/energy_ledger.h"
#include "src/run/watch/field_monitor.h"

struct source_saved {
    uint64_t steps, lead, planned;
    uint64_t look_apart, health_step, energy_step;
    double energy, loudest, field_level;
    double seconds, fall;
    bool capped;
    uint64_t longest;              /* steps that it may have at most: known again */
    struct field_monitor *monitor; /* borrowed */
    struct energy_ledger *ledger;  /* borrowed; NULL: none */
    size_t rows;
    uint64_t capacity; /* values from one row to the next */
    double *raw;       /* (rows, capacity), `steps` of each; NULL without rows */
};

struct source_keeper;

/** Keep it, and the engine's image. What cannot be written is the keeper's own trouble: a failure ends the
 * run, and is that of the engine. */
typedef int source_keeper_save(struct source_keeper *keeper, const struct source_saved *now,
                               struct engine *engine, struct failure *failure);

/** Who keeps a source while it runs. */
struct source_keeper {
    void *context;
    double apart; /* seconds of a clock from the end of one `save` to the next; `save` may change it */

    /** Now and then. The rows so far are read until the next `save` or `settle`: meanwhile they stay where
     * they are, and more may come after them; all else of `now` is not. */
    source_keeper_save *save;

    /** When the run is interrupted: where one is being kept, that one, of the steps a moment ago. */
    source_keeper_save *save_last;

    /** Wait until what was saved last is kept, or told to be lost. */
    void (*settle)(struct source_keeper *keeper);

    /** The newest that was kept. `run` is a run before its first step: lead, what is planned first, longest,
     * looks, rows, monitor and ledger say what can be of it. Where something was kept all of it is filled,
     * and the engine too; rows come tight in memory that is the caller's, free(). Else, and after a failure,
     * nothing of it is changed, and `run->steps` is 0. */
    int (*load)(struct source_keeper *keeper, struct source_saved *run, struct engine *engine,
                struct failure *failure);
};

#endif
