/** Membranes in the air of a room: which nodes they move, and what these press back.
 *
 * The room's u is the velocity potential: pressure rho u_t, so that the air holds rho h H joules
 * (engine_energy()) and a source drives volume velocity. A membrane lies level between two planes of nodes,
 * and a wall of the room, as wide as it is, cuts the links between these. The nodes just above it and just
 * below it are its ports. Membrane and air take turns, half a step apart:
 *
 *   u is known at (n - 1/2) k and n + 1/2, w at n k
 *   pressure at n k:    p_i = rho (u_i[n + 1/2] - u_i[n - 1/2]) / k
 *   w[n + 1]:           P_j = sum over ports below of J_ji p_i - sum over ports above of J_ji p_i
 *   u[n + 3/2]:         q_i = sum over j of g^2 J_ji v_j above, less that below, v = (w[n + 1] - w[n]) / k
 *
 * A port is half a cell from the membrane. The air between moves with it, as inertia: rho h / 2 on either
 * side is added to sigma, losses keeping their 2 sigma s0 and 2 sigma s1. Without it the load of the air is
 * short by a half-cell's, first order in h (a fifth of that on mode (1,1) of a timpano at 4 cm); with it the
 * error is second order (3 %). `sigma` below is with it.
 *
 * J interpolates between the four ports about a node of the membrane, each row of either side adding up to 1,
 * and goes back transposed. What leaves one then reaches the other, and the energy of both together,
 *
 *   E = rho h H(u[n + 1/2], u[n - 1/2]) + E_membrane(w[n], w[n - 1]) + k/2 g^2 v'P
 *
 * with the last v and the P that comes next, changes by what walls, losses and mallets take and give alone:
 * what the membrane gets in a step, k/2 (v + v-)'P-, and what the air gets, -k/2 v'(P + P-), differ by the
 * change of k/2 v'P. Everything is explicit. E bounds the
 * field, so both together are stable in any room, if at every port
 *
 *   mass_i / lambda^2 - (sum of its openings)/2  >=  rho A_i / (2 sigma h slack),   A_i = sum over j of g^2
 * J_ji
 *
 * (|v'P| <= sum J (theta v^2 + p^2/theta) / 2 in the share that air (cut_masses.h) and membrane (membrane.h)
 * keep free): .83 of a whole node next to a flat membrane at lambda^2 = .9/3, against .2 for 5 cm and
 * 0.26 kg/m2. A node that has not so much, at a kettle's edge, is no port: its neighbours stand in for it.
 *
 * A mallet pushes with F/2 (1 - cos(2 pi t / T)) newtons for T seconds on the four nodes about its place.
 */
#ifndef KERNELS_DRUM_H
#define KERNELS_DRUM_H

#include "kernels/drum/membrane.h"
#include "kernels/engine/engine.h"

struct drum_site {
    const char *name; /* for sentences */
    struct membrane_kind kind;
    double centre[3]; /* [m] */
    double depth;     /* of the kettle below it, half an ellipsoid; 0: there is none [m] */
};

struct drum_strike {
    size_t drum;
    double time;           /* the blow begins [s] */
    double place[2];       /* from the centre, below the radius [m] */
    double force, contact; /* greatest [N] downwards, and how long [s] */
};

struct drum_facts {
    size_t nodes, above, below; /* of the membrane; ports */
    double pitch;               /* [m] */
    double spare; /* least over the ports of what the condition has left over what it asks, > 1 */
};

struct drums;

/** Hang drums into a room that has their surfaces, at rest, and make them the engine's port. `grid` and
 * `step` are the engine's (the standard scheme); strikes are copied. FAILURE_INPUT for the isotropic scheme,
 * whose warp has not been shown right for what changes in time; a membrane that the grid does not carry
 * (membrane.h), that finds no ports or loses more than a third of them to the condition; a mallet that
 * misses. Failures of engine_set_port(). To be freed after the engine was last stepped. */
int drums_create(struct drums **out, struct engine *engine, const struct block_grid *grid,
                 const struct time_step *step, double air_density, const struct drum_site *site, size_t count,
                 const struct drum_strike *strike, size_t strikes, struct failure *failure);
void drums_free(struct drums *drums);

struct drum_facts drums_facts(const struct drums *drums, size_t drum);
const struct membrane *drums_membrane(const struct drums *drums, size_t drum);

/** Energy of membranes and coupling, E less rho h H [J]; what mallets have given since the start, and what
 * losses of membranes took of it. `engine` is theirs. O(nodes of membranes). */
double drums_energy(const struct drums *drums, const struct engine *engine);
double drums_work(const struct drums *drums);
double drums_lost(const struct drums *drums);

#endif
