/** Records the energy of a run: given by the source, stored in the room, absorbed by each surface.
 *
 * Energies are those of engine.h (engine_energy(), engine_absorbed()). The energy of the source is computed
 * independently: drive sample q at step n does the work
 *
 *     q[n] (R[n+1] - R[n-1]) / (2 h)
 *
 * with R the output of a receiver at the source's own stencil (the adjoint weights) and h the spacing; for
 * several stencils it is the sum over them. So injected = stored + absorbed is a check, to rounding. Losses
 * of the air are applied to responses later and are not included.
 *
 * Samples are taken at even steps, a power of two apart, as often as LEDGER_SAMPLES allow at first. When they
 * would be too many, their distance is doubled and those in between are dropped. The steps depend on the
 * planned number of steps and on the room alone. */
#ifndef SRC_ENERGY_LEDGER_H
#define SRC_ENERGY_LEDGER_H

#include "blocks/wall_kinds.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "src/response/signal/response.h"

#define LEDGER_CHANNELS RESPONSE_DRIVES_MOST /* taps that may be driven at once */
#define LEDGER_SAMPLES  200

struct energy_sample {
    uint64_t step;
    double injected, stored; /* injected: NaN until the drive of the steps before is known */
};

/** Owned, freed by energy_ledger_free(); zeroed is empty. */
struct energy_ledger {
    double spacing;  /* [m] */
    size_t surfaces; /* materials of the mesh, then the open faces; 0 without absorption */
    bool at_wall;   /* set by the caller: the source's stencil touches a wall, and its work on the wall is not
                       recorded */
    uint64_t apart; /* steps between samples */
    size_t samples;
    struct energy_sample sample[LEDGER_SAMPLES]; /* steps rise; the last step may be odd */
    double *absorbed;                            /* (LEDGER_SAMPLES, surfaces) */
    double *scratch;                             /* (surfaces, or kinds and 1) behind them */
    const struct wall_kinds *kinds;              /* of the grid's walls; borrowed; NULL: none */

    uint64_t steps;  /* of the source's own receivers so far */
    size_t channels; /* taps of the source that are driven together, set by the caller; 0 counts as 1 */
    double pressure[LEDGER_CHANNELS][2]; /* at those taps, the last two, newest first */
    double drive[LEDGER_CHANNELS];       /* of the source at the newest */
    double injected;                     /* up to `steps` - 1 */
};

static inline size_t energy_ledger_channels(const struct energy_ledger *ledger)
{
    return ledger->channels > 0 ? ledger->channels : 1;
}

/** @param surfaces materials and 1; 0: engine_absorbed() is not called FAILURE_CAPACITY without memory. */
int energy_ledger_make(double spacing, size_t surfaces, struct energy_ledger *out, struct failure *failure);

/** The engine's account has `kinds` of walls, each of a surface: energy_ledger_sample() adds them up. */
int energy_ledger_of_kinds(struct energy_ledger *ledger, const struct wall_kinds *kinds,
                           struct failure *failure);
void energy_ledger_free(struct energy_ledger *ledger);

/** Reset, for a run of about so many steps. */
void energy_ledger_clear(struct energy_ledger *ledger, uint64_t steps);

/** Add one step: the drives of the taps (ledger->channels) in it, and the pressures at their own receivers
 * just before. */
void energy_ledger_step(struct energy_ledger *ledger, const double *drive, const double *pressure);

/** The step of the next sample after `step`. */
uint64_t energy_ledger_next(const struct energy_ledger *ledger, uint64_t step);

/** Add a sample at `step`, the number of calls of energy_ledger_step(): the stored energy, and in
 * ledger->scratch (surfaces; kinds and 1) the absorbed energies, which become those by surface. A sample at
 * the same step is replaced. */
void energy_ledger_sample(struct energy_ledger *ledger, uint64_t step, double stored);

/** True if the newest sample is at `step`. */
bool energy_ledger_ends_at(const struct energy_ledger *ledger, uint64_t step);

/** Double the distance of samples from now on. */
void energy_ledger_decimate(struct energy_ledger *ledger);

/** After the run: drop a last sample whose drive is not completely known. */
void energy_ledger_close(struct energy_ledger *ledger);

/** Row of `absorbed` of a sample. */
const double *energy_ledger_absorbed(const struct energy_ledger *ledger, size_t sample);

/** The largest |injected - stored - absorbed| of all samples as a share of the total injected energy. NaN if
 * a value is not finite, without samples, or without injected energy. */
double energy_ledger_imbalance(const struct energy_ledger *ledger);

#endif
