/** Checks a field after the end of the drive: its energy must fall, and its mean must stay bounded. The
 * effect of rounding on both is known; a larger change ends the run.
 *
 * Let e be the roundoff (2^-24 or 2^-53), N the number of nodes, |u| = sqrt(sum u^2) and |w| that of the
 * field less its mean. One step of scheme.h in delta form has an error r, |r| <= e (|u| + 32 |w|): the new
 * pressure is rounded once, all else consists of differences. With conformal walls means and sums are by
 * mass, and N is the sum of the masses. lambda2 K / mass is at most 4 in that norm, as for whole nodes in the
 * plain one, so the rest is unchanged. Steps round independently of each other.
 *
 * Energy: a step adds (1 + kappa) r (u_new - u_old) / (2 lambda2) at each node, that is at most 2 |r| |w| /
 * lambda2 (if kappa > 1 the wall absorbs more than that); n steps sqrt(n) times as much, and n |r|^2 /
 * lambda2. Coefficients of walls are rounded too, so their stored energy may grow by 2 e a step. Such growth
 * is allowed over the least energy seen so far.
 *
 * Mean: the drive q adds up to 0; its running sum is Q. Rigid walls leave the mean at lambda2 / h sum Q / N.
 * Rounding moves it as errors that are summed twice, |r| / N sqrt(n^3 / 3) after n steps, and the rounding of
 * q by n e lambda2 / h sum |q| / N. With absorbing walls the mean moves, but not far: u[n] is v[n] - v[n -
 * 1], where v is the response to Q. The energy of v never grows by itself, N mean^2 / (2 lambda2) is a part
 * of it (a constant field has no gradient), and each sample of Q adds lambda2 / h |Q| P / sqrt(2 lambda2) to
 * its root, P^2 = sum of weight^2 / mass over the source's nodes (stencil_push()): small masses move farther.
 * So |mean| <= lambda2 / h sum |Q| P / sqrt(N) for any passive walls. */
#ifndef SRC_FIELD_MONITOR_H
#define SRC_FIELD_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/engine/engine.h"

/** Facts about the room of the run. */
struct field_room {
    double lambda2, spacing; /* (-), [m] */
    uint64_t air_nodes;
    double mass; /* of all nodes: air_nodes, or the sum of masses with conformal walls [h^3] */
    double push; /* of the source: stencil_push() */
    enum precision precision;
    bool hard; /* true: all walls are rigid */
};

/** The state of the field at a check. */
struct field_look {
    uint64_t step;
    double energy;      /* engine_energy() */
    double mean;        /* engine_health() */
    double mean_square; /* engine_health() */
};

/** For run.json. NaN before the first check, except near. */
struct field_record {
    double energy_start, energy_end; /* at the end of the drive, at the last check (-) */
    double energy_rise;              /* largest above the least before it, as a share of energy_start (-) */
    double mean_start, mean_end;     /* of the pressure, in the units of the engine's output */
    double mean_drift;               /* the farthest from mean_start */
    uint64_t near;     /* first step at which the mean's drift was comparable with the sound; 0: none */
    double near_share; /* the drift then over the field's level, at most 1 (-) */
};

struct field_monitor {
    struct field_room room;
    double constant, most; /* the mean with rigid walls; the bound for any walls */
    double drive;          /* lambda2 / h sum |q| */
    uint64_t looks;
    struct field_record record;
    struct field_look last, least; /* the newest check, and that of least energy */
    double variance, bias;         /* possible increase of the energy since `least` by rounding */
    double loudest;                /* |r| of the loudest check */
    /* The largest means before step span / 2, from there to span, and since; the newest check is before 2
     * span. */
    uint64_t span;
    double early, between, recent;
};

/** Call before the first check. `drive` (count) is that of the one source, from step 0 on. */
void field_monitor_start(const struct field_room *room, const double *drive, size_t count,
                         struct field_monitor *monitor);

/** Add a simultaneous drive, into a tap with that push, whose weights sum to `sum`: 1, or 0 for a multipole,
 * which does not change the mean with rigid walls. */
void field_monitor_drive(struct field_monitor *monitor, double push, double sum, const double *drive,
                         size_t count);

/** Evaluate a check; the first is at the end of the drive or soon after. Steps rise. FAILURE_SIMULATION, with
 * the steps, the amount, the limit and the remedy, if the energy grew or the mean exceeded its bound. The
 * drift counts as comparable with the sound if it is a tenth of the field's level and, with absorbing walls,
 * the mean is twice what it was in the first quarter of the run (or half). */
int field_monitor_look(struct field_monitor *monitor, const struct field_look *look, struct failure *failure);

#endif
