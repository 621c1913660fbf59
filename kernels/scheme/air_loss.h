/** Losses of the air, as a stage of its own between two steps.
 *
 * With v = u_new - u, and up to three states z_i of each node, one for each law of loss:
 *
 *   d_i = v - z_i,   z_i += follow_i d_i,   u_new -= D,   u += D   with D = (sum share_i d_i) / 2
 *
 * so v loses sum(share_i d_i), and the mean of u and u_new stays. It is done after every step whose number
 * (from 1) is a multiple of `every`.
 *
 * The energy does not grow, whatever the walls are. Energy of a step is v.P v / 2 + w.A w / 2 with w = (u_new
 * + u) / 2, A the stiffness and P = M - A/4, positive by the Courant limit, and states of walls. Only v
 * changes here, so with states of energy z.P z share / (2 follow) the energy changes by
 *
 *   sum share_i d_i.P d_i (-1 + follow_i / 2) + |sum share_i d_i|^2 / 2 <= sum share_i d_i.P d_i (sum share +
 * follow_i - 2) / 2
 *
 * (Cauchy and Schwarz), which is not positive where sum share + follow_i <= 2.
 *
 * A wave of frequency f loses, as a share of its amplitude each time (to first order in `share`, at every f):
 *
 *   g S / (follow^2 + (1 - follow) S),   S = 4 sin^2(pi f every T),   g = share / 2 (1 - (follow + share) /
 * 2)
 *
 * S is near f^2, so with y = (1 - follow) / follow^2 this is the law of a relaxation, f^2 / (1 + f^2 /
 * f_i^2), at y = 1/S(f_i); y = 0, the classical losses, is z = v of the time before. A relaxation also
 * changes the speed of sound, as in air (Kramers and Kronig): by .03 % from one end to the other for oxygen
 * at 20 C, and less for nitrogen. */
#ifndef KERNELS_AIR_LOSS_H
#define KERNELS_AIR_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/scheme/engine_kinds.h"

#define AIR_LOSS_STATES 3

struct air_loss {
    unsigned states; /* 0: no losses */
    unsigned every;  /* steps from one time to the next, at least 1 */
    double follow[AIR_LOSS_STATES], share[AIR_LOSS_STATES];
};

/** True if the energy cannot grow. */
bool air_loss_is_stable(const struct air_loss *loss);

/** The loss of amplitude at one time, g S / (..) above, summed over states. @param turn f every T */
double air_loss_share(const struct air_loss *loss, double turn);

/** Add the state with g / (follow^2 + (1 - follow) S) = 1 / (P + Q S), that is y = Q / P. False if there is
 * none: P <= 0, S of its pole below 4, or a loss that is too great. */
bool air_loss_add(struct air_loss *loss, double P, double Q);

/** Reals a value that are read and written for these losses in a step, on the average. */
static inline double air_loss_traffic(const struct air_loss *loss)
{
    return (4.0 + 2.0 * loss->states) / loss->every;
}

/** On `count` values of each array, in the run's real. `state` has as many pointers as loss->states. The
 * roundings do not depend on the processor: no fma. */
void air_loss_step(const struct air_loss *loss, enum precision precision, void *u, void *u_new,
                   void *const state[AIR_LOSS_STATES], uint64_t count);

#endif
