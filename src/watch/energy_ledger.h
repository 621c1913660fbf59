/** Where the energy of a run goes: what the source gives, what the room holds, what each surface takes.
 *
 * Energies are those of engine.h (engine_energy(), engine_absorbed()). What the source gives is worked out
 * without either: drive sample q at step n does the work
 *
 *     q[n] (R[n+1] - R[n-1]) / (2 h)
 *
 * with R the output of a receiver at the source's own stencil (the adjoint weights) and h the spacing; of
 * several stencils that are driven at once it is the sum over them. So
 * injected = stored + absorbed is a check, to rounding. The air takes its part of the responses later and of
 * none of this.
 *
 * Samples are taken at even steps, a power of two apart, as often as LEDGER_SAMPLES allow at first. When
 * there would be more they are taken twice as far apart, and those in between are dropped. Which steps these
 * are depends on the planned number of steps and on the room alone.
 */
#ifndef SRC_ENERGY_LEDGER_H
#define SRC_ENERGY_LEDGER_H

#include "blocks/wall_kinds.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "src/signal/response.h"

#define LEDGER_CHANNELS RESPONSE_DRIVES_MOST /* taps that may be driven at once */
#define LEDGER_SAMPLES  200

struct energy_sample {
    uint64_t step;
    double injected, stored; /* injected: NaN until the drive of the steps before is known */
};

/** Owned, freed by energy_ledger_free(); zeroed is empty. */
struct energy_ledger {
    double spacing;  /* [m] */
    size_t surfaces; /* materials of the mesh, then the open faces; 0 where nothing absorbs */
    bool at_wall;    /* set by the caller: the source's stencil touches a wall, and what it pushes into that
                        is in no account */
    uint64_t apart;  /* steps between samples */
    size_t samples;
    struct energy_sample sample[LEDGER_SAMPLES]; /* steps rise; the last may be off the even steps */
    double *absorbed;                            /* (LEDGER_SAMPLES, surfaces) */
    double *scratch;                             /* (surfaces, or kinds and 1) behind them */
    const struct wall_kinds *kinds;              /* of the grid's walls; borrowed; NULL: there are none */

    uint64_t steps;  /* of the source's own receivers so far */
    size_t channels; /* taps of the source that are driven at once, set by the caller; 0 counts as 1 */
    double pressure[LEDGER_CHANNELS][2]; /* there, the last two, newest first */
    double drive[LEDGER_CHANNELS];       /* of the source at the newest */
    double injected;                     /* up to `steps` - 1 */
};

static inline size_t energy_ledger_channels(const struct energy_ledger *ledger)
{
    return ledger->channels > 0 ? ledger->channels : 1;
}

/** @param surfaces materials and 1; 0: engine_absorbed() is not asked
 * FAILURE_CAPACITY without memory. */
int energy_ledger_make(double spacing, size_t surfaces, struct energy_ledger *out, struct failure *failure);

/** The engine keeps account of `kinds` of walls, each of a surface: energy_ledger_sample() adds them up. */
int energy_ledger_of_kinds(struct energy_ledger *ledger, const struct wall_kinds *kinds,
                           struct failure *failure);
void energy_ledger_free(struct energy_ledger *ledger);

/** Back to an empty one, for a run of about so many steps. */
void energy_ledger_clear(struct energy_ledger *ledger, uint64_t steps);

/** One step more: the drive of the source in it, and the pressure at its own receiver just before. */
void energy_ledger_step(struct energy_ledger *ledger, double drive, double pressure);

/** The same of ledger->channels taps. */
void energy_ledger_step_all(struct energy_ledger *ledger, const double *drive, const double *pressure);

/** The next step at which a sample is wanted, after `step`. */
uint64_t energy_ledger_next(const struct energy_ledger *ledger, uint64_t step);

/** A sample at `step`, as many as energy_ledger_step() was called for: what is stored, and in ledger->scratch
 * (surfaces; kinds and 1) what has been absorbed, left as by surface. A sample at the same step is replaced.
 */
void energy_ledger_sample(struct energy_ledger *ledger, uint64_t step, double stored);

/** Is there a sample at `step`, the newest? */
bool energy_ledger_ends_at(const struct energy_ledger *ledger, uint64_t step);

/** Take samples twice as far apart from now on. */
void energy_ledger_decimate(struct energy_ledger *ledger);

/** After the run: drop a last sample of which not all of the drive is known. */
void energy_ledger_close(struct energy_ledger *ledger);

/** Row of `absorbed` of a sample. */
const double *energy_ledger_absorbed(const struct energy_ledger *ledger, size_t sample);

/** The largest |injected - stored - absorbed| of all samples as a share of what the source gave in all. NaN
 * where anything is not finite, without samples, or where the source gave nothing. */
double energy_ledger_imbalance(const struct energy_ledger *ledger);

#endif
