/** Is a field that nothing drives any more still the room's? Its energy may only fall, and its mean may not
 * run away. What rounding may do to both is known, so more than that ends a run.
 *
 * With roundoff e (2^-24 or 2^-53), N nodes, |u| = sqrt(sum u^2) and |w| that of the field less its mean
 * (with conformal walls means and sums are by mass, and N is the sum of the masses: there lambda2 K / mass is
 * 4 at most in that norm, as it is of whole nodes in the plain one, so that all below holds as it stands),
 * one step of scheme.h in delta form is off by r, |r| <= e (|u| + 32 |w|): the new pressure is rounded once,
 * all else is made of differences. Steps round independently of each other.
 *
 * Energy: a step adds (1 + kappa) r (u_new - u_old) / (2 lambda2) at each node, that is at most 2 |r| |w| /
 * lambda2 (where kappa > 1 the wall takes more than that); n steps sqrt(n) times as much, and n |r|^2 /
 * lambda2. Coefficients of walls are rounded too, which lets what they hold grow by 2 e a step. Such growth
 * is allowed over the least energy seen so far.
 *
 * Mean: the drive q adds up to 0; its running sum is Q. Walls that take nothing leave the mean at lambda2 / h
 * sum Q / N. Rounding moves it as errors that are summed twice, |r| / N sqrt(n^3 / 3) after n steps, and the
 * rounding of q by n e lambda2 / h sum |q| / N. Walls that take something let it move as the sound plays on
 * them, but not far: u[n] is v[n] - v[n - 1], where v answers to Q. The energy of v never grows by itself, N
 * mean^2 / (2 lambda2) is a part of it (a constant field is stretched nowhere), and each sample of Q adds
 * lambda2 / h |Q| P / sqrt(2 lambda2) to its root, P^2 = sum of weight^2 / mass over the source's nodes
 * (stencil_push()): small masses move farther. So |mean| <= lambda2 / h sum |Q| P / sqrt(N), whatever the
 * walls are, as long as they are passive.
 */
#ifndef SRC_FIELD_MONITOR_H
#define SRC_FIELD_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/engine/engine.h"

/** What has to be known of the room that is run. */
struct field_room {
    double lambda2, spacing; /* (-), [m] */
    uint64_t air_nodes;
    double mass; /* of all nodes: air_nodes, or with conformal walls what they have [h^3] */
    double push; /* of the source: stencil_push() */
    enum precision precision;
    bool hard; /* no wall takes anything */
};

/** What a look at the field found. */
struct field_look {
    uint64_t step;
    double energy;      /* engine_energy() */
    double mean;        /* engine_health() */
    double mean_square; /* engine_health() */
};

/** For run.json. NaN before the first look, near apart. */
struct field_record {
    double energy_start, energy_end; /* at the end of the drive, at the last look (-) */
    double energy_rise;              /* largest above the least before it, as a share of energy_start (-) */
    double mean_start, mean_end;     /* of the pressure, in the units of the engine's output */
    double mean_drift;               /* the farthest from mean_start */
    uint64_t near;                   /* first step at which the mean's drift was near the sound; 0: none */
    double near_share;               /* how much of the field's level it was then, at most 1 (-) */
};

struct field_monitor {
    struct field_room room;
    double constant, most; /* the mean between hard walls; the largest between any */
    double drive;          /* lambda2 / h sum |q| */
    uint64_t looks;
    struct field_record record;
    struct field_look last, least; /* the newest look, and that of least energy */
    double variance, bias;         /* what rounding may have added to the energy since `least` */
    double loudest;                /* |r| of the loudest look */
    /* The largest means before step span / 2, from there to span, and since; the newest look is before 2
     * span. */
    uint64_t span;
    double early, between, recent;
};

/** Before the first look. `drive` (count) is that of the one source, from step 0 on. */
void field_monitor_start(const struct field_room *room, const double *drive, size_t count,
                         struct field_monitor *monitor);

/** One more drive at once, into a tap with that push, whose weights add up to `sum`: 1, or 0 of a multipole,
 * which moves no mean between hard walls. */
void field_monitor_drive(struct field_monitor *monitor, double push, double sum, const double *drive,
                         size_t count);

/** Judge a look; the first is at the end of the drive, or as soon after as there is one. Steps rise.
 * FAILURE_SIMULATION, with the steps between which it happened, the amount, the limit and what to do, when
 * the energy grew or the mean ran away. The drift is near the sound when it is a tenth of the field's level
 * and, where walls take something, the mean is twice what it was in the first quarter of the run (or half).
 */
int field_monitor_look(struct field_monitor *monitor, const struct field_look *look, struct failure *failure);

#endif
