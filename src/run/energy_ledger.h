/** Where the energy of a run goes: what the source gives, what the room holds, what each surface takes.
 *
 * Energies are those of engine.h (engine_energy(), engine_absorbed()). What the source gives is worked out
 * without either: drive sample q at step n does the work
 *
 *     q[n] (R[n+1] - R[n-1]) / (2 h)
 *
 * with R what a receiver of the source's own taps hears (the adjoint weights) and h the spacing. So injected
 * = stored + absorbed is a check, to rounding. The air takes its part of the responses later and of none of
 * this.
 *
 * A room is looked at at even steps, a power of two apart, as often as LEDGER_SAMPLES allow at first. When
 * there would be more, or looking takes too long, samples are taken twice as far apart, and those in between
 * are dropped.
 */
#ifndef SRC_ENERGY_LEDGER_H
#define SRC_ENERGY_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

#define LEDGER_SAMPLES 200

struct energy_sample {
    uint64_t step;
    double injected, stored; /* injected: NaN until the drive of the steps before has been heard */
};

/** Owned, freed by energy_ledger_free(); zeroed is empty. */
struct energy_ledger {
    double spacing;  /* [m] */
    size_t surfaces; /* materials of the mesh, then the open faces; 0 where nothing absorbs */
    bool at_wall;    /* set by the caller: the source's taps touch a wall, and what it pushes into that is in
                        no account */
    uint64_t apart;  /* steps between samples */
    size_t samples;
    struct energy_sample *sample; /* (LEDGER_SAMPLES), steps rise; the last may stand off the even steps */
    double *absorbed;             /* (LEDGER_SAMPLES, surfaces) */
    double *scratch;              /* (surfaces) */

    uint64_t heard;     /* samples of the source's own receiver so far */
    double pressure[2]; /* the last two of them, newest first */
    double drive;       /* what the source said at the newest */
    double injected;    /* up to step `heard` - 1 */
};

/** @param surfaces materials and 1; 0: engine_absorbed() is not asked
 * FAILURE_CAPACITY without memory. */
int energy_ledger_make(double spacing, size_t surfaces, struct energy_ledger *out, struct failure *failure);
void energy_ledger_free(struct energy_ledger *ledger);

/** Back to an empty one, for a run of about so many steps. */
void energy_ledger_clear(struct energy_ledger *ledger, uint64_t steps);

/** Is there a sample at `step`, the newest? */
bool energy_ledger_ends_at(const struct energy_ledger *ledger, uint64_t step);

/** What the source says in the next step and what its own receiver heard just before it. */
void energy_ledger_hear(struct energy_ledger *ledger, double drive, double pressure);

/** The next step at which a sample is wanted, after `step`. */
uint64_t energy_ledger_next(const struct energy_ledger *ledger, uint64_t step);

/** A sample at `step`, of which `heard` steps are known: what is stored, and ledger->scratch (surfaces) what
 * has been absorbed. A sample at the same step is replaced. */
void energy_ledger_take(struct energy_ledger *ledger, uint64_t step, double stored);

/** Looking takes too long: take samples twice as far apart from now on. */
void energy_ledger_thin(struct energy_ledger *ledger);

/** After the run: drop a last sample of which the drive has not been heard to its end. */
void energy_ledger_close(struct energy_ledger *ledger);

/** Row of `absorbed` of a sample. */
const double *energy_ledger_absorbed(const struct energy_ledger *ledger, size_t sample);

/** The largest |injected - stored - absorbed| of all samples as a share of what the source gave in all. NaN
 * where anything is not finite, without samples, or where the source gave nothing. */
double energy_ledger_imbalance(const struct energy_ledger *ledger);

#endif
