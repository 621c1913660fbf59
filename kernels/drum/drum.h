/** Membranes coupled to the air of a room.
 *
 * The room's u is the velocity potential: pressure rho u_t, so that the air holds rho h H joules
 * (engine_energy()) and a source drives volume velocity. A membrane lies level between two planes of nodes,
 * and a wall of the room, as wide as it is, cuts the links between these. The nodes just above it and just
 * below it are its ports. Membrane and air are stepped alternately, half a step apart:
 *
 *   u is known at (n - 1/2) k and n + 1/2, w at n k
 *   pressure at n k:    p_i = rho (u_i[n + 1/2] - u_i[n - 1/2]) / k
 *   w[n + 1]:           P_j = sum over ports below of J_ji p_i - sum over ports above of J_ji p_i
 *   u[n + 3/2]:         q_i = sum over j of g^2 J_ji v_j above, less that below, v = (w[n + 1] - w[n]) / k
 *
 * A port is half a cell from the membrane. The air between moves with the membrane: rho h / 2 on either side
 * is added to sigma, and the losses keep their 2 sigma s0 and 2 sigma s1. Without it the load of the air
 * lacks half a cell, an error of first order in h (a fifth of the load on mode (1,1) of a timpano at 4 cm).
 * With it the error is of second order (3 %). `sigma` below includes it.
 *
 * J interpolates between the four ports around a node of the membrane; each row of either side has the sum 1.
 * The transpose distributes the flow. So no energy is lost between both, and the energy of membrane and air,
 *
 *   E = rho h H(u[n + 1/2], u[n - 1/2]) + E_membrane(w[n], w[n - 1]) + k/2 g^2 v'P
 *
 * with the last v and the next P, changes only by walls, losses and mallets: in a step the membrane receives
 * k/2 (v + v-)'P- and the air -k/2 v'(P + P-), and the sum of both is the change of k/2 v'P. The scheme is
 * explicit. E bounds the field, so membrane and air are stable in any room if at every port
 *
 *   (mass_i - least_i) / lambda^2  >=  rho A_i / (2 sigma h slack),   A_i = sum over j of g^2 J_ji
 *
 * (|v'P| <= sum J (theta v^2 + p^2/theta) / 2 in the share that air and membrane (membrane.h) keep free;
 * least_i is the mass that the air alone needs, cut_masses.h). At a flat membrane the left side is 0.83 for
 * lambda^2 = 0.9/3, and 0.89 for 0.45 in the isotropic scheme; the right side is 0.2 for 5 cm and 0.26 kg/m2.
 * A node at the edge of a kettle that does not meet the condition is not a port; its neighbours
 * replace it.
 *
 * A mallet acts with F/2 (1 - cos(2 pi t / T)) newtons for T seconds on the four nodes around its place.
 * Below it the slope, and so the rise of the tension, grows with the logarithm of 1/g, since it acts on a
 * point.
 */
#ifndef KERNELS_DRUM_H
#define KERNELS_DRUM_H

#include "kernels/drum/membrane.h"
#include "kernels/engine/engine.h"

/** Largest share of the greatest lambda^2 of the isotropic scheme at which the nodes next to membranes have
 * mass to spare at conformal walls. With it the least spare of timpani is that of the standard scheme or
 * more; with 0.7 it is half of that, and with 0.8 most are refused, for nodes that a kettle cuts (spacings of
 * 40 to 100 mm). */
#define DRUM_SHARE_MOST 0.6

struct drum_site {
    const char *name; /* for messages */
    struct membrane_kind kind;
    double centre[3]; /* [m] */
    double depth;     /* of the kettle below it, half an ellipsoid; 0: no kettle [m] */
};

struct drum_strike {
    size_t drum;
    double time;           /* when the blow begins [s] */
    double place[2];       /* from the centre, below the radius [m] */
    double force, contact; /* largest force, downwards [N], and its duration [s] */
};

struct drum_facts {
    size_t nodes, above, below; /* of the membrane; ports */
    double pitch;               /* [m] */
    double rise;  /* largest mean of the tension over 20 ms after a blow, less that at rest [N/m] */
    double spare; /* least ratio of the sides of the condition over the ports, > 1 */
};

struct drums;

/** Place drums at rest in a room that has their surfaces. `grid` is whole; strikes are
 * copied. FAILURE_INPUT for a membrane that the grid cannot represent (membrane.h), that has no ports or
 * loses more than a third of them to the condition; for a mallet outside its membrane. FAILURE_CAPACITY. */
int drums_create(struct drums **out, const struct block_grid *grid, const struct time_step *step,
                 double air_density, const struct drum_site *site, size_t count,
                 const struct drum_strike *strike, size_t strikes, struct failure *failure);

/** Make each a port of an engine of that grid and step, in one part or in several. Failures of
 * engine_add_port(). Free them after the last step of the engine. */
int drums_join(struct drums *drums, struct engine *engine, struct failure *failure);
void drums_free(struct drums *drums);

struct drum_facts drums_facts(const struct drums *drums, size_t drum);
const struct membrane *drums_membrane(const struct drums *drums, size_t drum);

/** Energy of membranes and coupling, E - rho h H; work of the mallets since the start; energy lost in
 * membranes since then; all in J. `engine` is theirs. O(nodes of membranes). */
double drums_energy(const struct drums *drums, const struct engine *engine);
double drums_work(const struct drums *drums);
double drums_lost(const struct drums *drums);

#endif
