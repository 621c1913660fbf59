/** A circular membrane with a fixed rim, with the time step of its room.
 *
 *   sigma w_tt = (T + Y M) lap w - 2 sigma s0 w_t + 2 sigma s1 lap w_t + P        w = 0 at the rim
 *
 * M is the mean of |grad w|^2 over the membrane, which a stroke stretches (Berger 1955, without bending
 * stiffness: Y = E d / (2 (1 - nu^2)) for Young's modulus E, thickness d and Poisson's ratio nu).
 *
 * w is the displacement upwards [m], P the net pressure upwards [Pa]. Nodes are on a square grid of `pitch` g
 * about the centre. A neighbour at the rim or outside contributes -w / theta to the Laplacian, where theta is
 * the distance to the rim in g (Gibou, Fedkiw, Cheng and Kang 2002: symmetric and of second order). Nodes
 * closer than g/2 to the rim are left out, so theta is between 1/2 and 3/2:
 *
 *   (L w)_j = sum over 4 sides of (w_next - w_j) or -w_j / theta
 *   w+ = ((2 w - (1 - s0 k) w-) + a L w + b L (w - w-) + k^2 P / sigma) / (1 + s0 k)
 *   a = T k^2 / (sigma g^2),  b = 2 s1 k / g^2
 *
 * and the stretch adds c theta (L w)_j to w+, with S(x) = w' (-L) x and
 *
 *   theta = (S(w+) + S(w-))/2,  c = Y k^2 / (A sigma g^2 (1 + s0 k)),  A = pi R^2
 *
 * w+ = p + c theta L w makes S(w+) = S(p) - c theta |L w|^2, so theta = (S(p) + S(w-)) / (2 + c |L w|^2).
 *
 * With v = (w+ - w)/k and m = (v + v-)/2 the energy
 *
 *   E = sigma g^2/2 sum v^2 + T/2 S(w+) + Y/(4 A) S(w+)^2 - sigma s1 k/2 v' (-L) v       [J]
 *
 * changes in a step by exactly k g^2 P'm - k (2 sigma s0 g^2 m'm + 2 sigma s1 m'(-L) m). The sum of a row of
 * |L| is at most 8, so E >= slack sigma g^2/2 sum v^2 with
 *
 *   slack = 1 - 8 (T k^2 / (4 sigma) + s1 k) / g^2
 *
 * so the membrane alone is stable for slack > 0, whatever its stretch, whose energy is a square. The pitch is
 * the finest with a slack of MEMBRANE_SLACK, of which the coupling to the air uses a part (drum.h).
 */
#ifndef KERNELS_MEMBRANE_H
#define KERNELS_MEMBRANE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/membrane_step.h"

#define MEMBRANE_SLACK       0.5
#define MEMBRANE_NODES_LEAST 6    /* across a radius */
#define MEMBRANE_NODES_MOST  1000 /* the same */

struct membrane_kind {
    double radius;    /* [m] */
    double tension;   /* T [N/m] */
    double density;   /* sigma [kg/m2] */
    double loss;      /* s0 [1/s]: all modes decay by exp(-s0 t) */
    double high_loss; /* s1 [m2/s]: a mode of wavenumber q decays also by exp(-s1 q^2 t) */
    double stretch;   /* Y [N/m]; 0: the tension is constant */
};

/** Arrays over a square of `side` x `side` places about the centre, x fastest, its outermost places held at
 * 0: place (x, y) is at ((x - middle) pitch, (y - middle) pitch). Owned: membrane_free(). Start zeroed. */
struct membrane {
    struct membrane_kind kind;
    double pitch, k; /* [m], [s] */
    struct membrane_terms terms;
    double slack; /* (-) */
    double rise;  /* of the tension in the last step, Y theta / A [N/m] */
    size_t side, middle, nodes;
    uint32_t *node;              /* (nodes) places of nodes, rising */
    double *there;               /* (side^2) 1 at nodes, else 0 */
    double *diagonal;            /* (side^2) 4, at the rim the sum of 1/theta and 1 */
    double *w, *w_old, *w_older; /* (side^2) of this step, the one before and the one before that [m] */
    double *pressure;            /* (side^2) P of the next step; 0 outside of nodes [Pa] */
};

/** Make a membrane at rest. @param pitch 0, or, for tests, one coarser than the finest [m]
 * FAILURE_INPUT for invalid values, and for fewer than MEMBRANE_NODES_LEAST or more than MEMBRANE_NODES_MOST
 * nodes across the radius; FAILURE_CAPACITY for memory. */
int membrane_make(const struct membrane_kind *kind, double k, double pitch, struct membrane *out,
                  struct failure *failure);
void membrane_free(struct membrane *membrane);

/** One step. O(side^2). */
void membrane_step(struct membrane *membrane);

/** v at a place [m/s]. */
static inline double membrane_speed(const struct membrane *membrane, size_t place)
{
    return (membrane->w[place] - membrane->w_old[place]) / membrane->k;
}

/** w at (x, y) from the centre [m], linear between nodes; 0 beyond the rim. */
double membrane_at(const struct membrane *membrane, double x, double y);

/** E; the energy lost in the last step; the work of `pressure` in the last step; all in J. O(nodes). */
double membrane_energy(const struct membrane *membrane);
double membrane_lost(const struct membrane *membrane);
double membrane_gained(const struct membrane *membrane);

#endif
