/** The schemes of the literature that could step a room on a cubic lattice, as data: the neighbours and their
 * weights, the largest time step, the dispersion, and the points a wavelength that a scheme needs.
 *
 *   u+ - 2u + u- = lambda^2 sum over offsets o of w_o (u(x + o) - u(x))        second order in time, all
 *   symbol  F(k) = sum of w_o (1 - cos k.o), k in radians a spacing: k^2 + O(k^4)
 *
 * `weight`, of the shells face, edge, corner, and two, three and four nodes away along an axis, is in whole
 * parts of 1 / parts. 13-point FCC steps every other node of the lattice, those of even i + j + k. Leggy
 * schemes of M are of order 2M in space. Sources: Kowalczyk and van Walstijn 2011 (compact ones); Hamilton
 * and Bilbao 2013 (FCC), Fornberg 1988 (leggy weights). lambda^2 at the limit is 4 / max F.
 */
#ifndef KERNELS_LADDER_PEER_SCHEMES_H
#define KERNELS_LADDER_PEER_SCHEMES_H

#include <stdbool.h>

#define PEER_SHELLS       6
#define PEER_OFFSETS_MOST 26
#define PEER_REACH_MOST   4

/** The treatment of an offset at a rigid wall midway between two nodes. */
enum peer_walls {
    PEER_CUT,        /* it is left out where no shortest way along uncut links leads there: a graph Laplacian,
                        of positive weights, so stable at the limit in any geometry */
    PEER_MIRROR,     /* it is reflected at every cut link of its axis: sum of c_k A^k, A the Laplacian of the
                        uncut links along that axis (Hamilton's images are the case of one wall) */
    PEER_PLAQUETTES, /* links less a sixth of the whole plaquettes (blocks/plaquettes.h) */
};

struct peer_scheme {
    const char *name;
    double lambda2; /* greatest (-) */
    int parts;
    int weight[PEER_SHELLS];
    enum peer_walls walls;
    bool half; /* steps nodes of even i + j + k only */
};

enum { PEER_7, PEER_13, PEER_19, PEER_27, PEER_LEGGY_2, PEER_LEGGY_3, PEER_LEGGY_4, PEER_SCHEMES };
extern const struct peer_scheme peer_scheme[PEER_SCHEMES];

struct peer_offset {
    int by[3];
    int weight; /* of 1 / parts */
};

/** Those with a weight, shell by shell; returns how many. */
int peer_offsets(const struct peer_scheme *scheme, struct peer_offset out[PEER_OFFSETS_MOST]);

/** Nodes of the farthest offset along an axis. */
int peer_reach(const struct peer_scheme *scheme);

double peer_symbol(const struct peer_scheme *scheme, const double k[3]);

/** Points a wavelength (spacings, of FCC too) from which on the phase velocity of a plane wave of that
 * length, in any direction, is within `error` (0.01) of c. With `warped` a wave of F(k) is heard at the
 * frequency kappa c / h of F(k) = the middle of the symbol's least and greatest over directions at kappa: the
 * output warp; lambda^2 then has no influence. Directions are 91 of a forty-eighth of the sphere, its corners
 * among them. */
double peer_points(const struct peer_scheme *scheme, double lambda2, double error, bool warped);

/** (d theta / d kappa) / lambda at so many points a wavelength under the warp: the share of a run's length
 * that becomes response. */
double peer_stretch(const struct peer_scheme *scheme, double lambda2, double points);

#endif
