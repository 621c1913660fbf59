/** The update of one node, written once, for C, CUDA and OpenCL C, float and double. Everything else is loops
 * around it.
 *
 * 7-point leapfrog in delta form (numbers stay exact fixed points for constants, so fp32 has no growing DC):
 *
 *   d  = u - u_old
 *   S  = ((x-) + (x+)) + ((y-) + (y+)) + ((z-) + (z+)),  each term  neighbour - u,  +0 where the link is cut
 *   v  = fma(lambda2, S, d)
 *   u_new = u + v                          away from walls
 *   u_new = u + fma(-q, d + v, v)          at a wall node, q = kappa / (1 + kappa)
 *
 * which is u_new = u + [(1 - kappa)(u - u_old) + lambda2 S] / (1 + kappa) with kappa = lambda/2 sum(s g) over
 * the materials a node touches (s effective cut faces, g specific admittance): Bilbao, Hamilton, Botts,
 * Savioja, IEEE/ACM TASLP 24 (2016), for frequency-independent admittance. The order above is the definition:
 * back ends produce its bits.
 *
 * Cut nodes (conformal walls, blocks/block_layout.h): a node with a record has an opening a_k in parts of
 * CUT_WHOLE in every direction and gain = lambda2 / (CUT_WHOLE mass), and
 *
 *   S  = ((a_0 (x-) + a_1 (x+)) + (a_2 (y-) + a_3 (y+))) + (a_4 (z-) + a_5 (z+))       +0 where a_k is 0
 *   v  = fma(gain, S, d)
 *   E  = a_0 (u_0 - u) + a_1 (u_1 - u) + ..,  v = fma(gain, E, v)     over its extra links, where it has any
 *
 * each product and each sum of E rounded, in their order. dv = d + v and walls are as above, with kappa /
 * mass for kappa and share / mass for share; sources weigh lambda2/h / mass. In double precision gain is the
 * stored float as a double.
 *
 * Isotropic scheme, 19 points: K = sum over links alpha (u_i - u_j)^2 - 1/6 sum over plaquettes b (u00 - u10
 * - u01 + u11)^2, a plaquette being the square of four nodes in a coordinate plane (blocks/plaquettes.h).
 * With P(c) the sum of the four in-plane (x, y) face differences of the node c about itself, D of its four xy
 * edges, Z of its two z faces:
 *
 *   S  = fma(6, Z, fma(2, P(z), D) + (P(z-1) + P(z+1))),   P = ((x-) + (x+)) + ((y-) + (y+)),
 *   v  = fma(lambda2 / 6, S, d)                             D = ((--) + (++)) + ((+-) + (-+))
 *
 * at a whole node, one that has no record. At one with a record (all that are not wholly open with all twelve
 * plaquettes, of staircases too; gain = lambda2 / (6 CUT_WHOLE mass)) every face counts 6 a_k - n_k, n_k the
 * sum of the b of the four plaquettes on that link, every edge its b:
 *
 *   S  = faces + ((XY + XZ) + YZ),  faces as the S of 7 points, XY, XZ, YZ as D
 *   v  = fma(gain, S, d),  and with extra links once more as above, of which each counts 6 a_k
 *
 * Then walls as ever.
 *
 * Frequency-dependent walls (numerics of Bilbao et al. with half a cell of air in series, wall_terms.h): each
 * entry of a node has M branches with the states V and g of step n - 1/2, and
 *
 *   c_m = fma(memory_m, V_m, -(spring_m g_m))        what V_m becomes if the node keeps still
 *   P   = fma(next, sum c, keep sum V)
 *   w   = v, then fma(-share, fma(pull, dv, P), w) for each of the node's entries in their order
 *   u_new = u + w,   y = (dv - v) + w                [u_new - u_old]
 *   p   = fma(drive, y, -(back (sum c - sum V)))     through the inertance
 *   V_m <- fma(gain_m, p, c_m),   g_m <- fma(1/2, V_m before + V_m after, g_m)
 *
 * sums over m = 0, 1, .. from 0. A source adds to a wall node after its step; scheme_wall_push() adds this to
 * its states. fma is used exactly where it is written and nowhere else (compile with contraction off). Stable
 * for lambda2 <= 1/3 on any geometry.
 */
#ifndef KERNELS_SCHEME_H
#define KERNELS_SCHEME_H

#ifdef __cplusplus
#include <cmath>
#else
#include <math.h>
#endif

#ifdef __CUDACC__
#define SCHEME_FUNCTION static __host__ __device__ __forceinline__
#else
#define SCHEME_FUNCTION static inline
#endif

/* Of pointers to a room's arrays; OpenCL C names their memory (kernels/opencl/prelude.cl). */
#ifndef SCHEME_SHARED
#define SCHEME_SHARED
#endif

/* Both precisions of a function share its name in C++. */
#ifdef __cplusplus
#define SCHEME_NAME(name, suffix) name
#else
#define SCHEME_NAME(name, suffix) name##_##suffix
#endif

#include "kernels/scheme/wall_material.h"

/* A branch's coefficients are read as one word. */
#ifdef __cplusplus
#define SCHEME_ALIGNED alignas(16)
#elif defined(__OPENCL_VERSION__)
#define SCHEME_ALIGNED __attribute__((aligned(16)))
#else
#define SCHEME_ALIGNED _Alignas(16)
#endif

/** Coefficients of one branch and of one material (wall_terms.h makes them). */
struct scheme_branch_f32 {
    SCHEME_ALIGNED float memory;
    float spring, gain, resistance;
};
struct scheme_material_f32 {
    struct scheme_branch_f32 branch[WALL_BRANCHES_MAX];
    float pull, keep, next, drive, back, conductance;
    unsigned branches;
};
struct scheme_branch_f64 {
    SCHEME_ALIGNED double memory;
    double spring, gain, resistance;
};
struct scheme_material_f64 {
    struct scheme_branch_f64 branch[WALL_BRANCHES_MAX];
    double pull, keep, next, drive, back, conductance;
    unsigned branches;
};

#define SCHEME_DEFINE(real, suffix, fused)                                                                   \
    /* Sum of the six differences in the one order that counts. */                                           \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_sum, suffix)(real xm, real xp, real ym, real yp, real zm,        \
                                                         real zp)                                            \
    {                                                                                                        \
        return ((xm + xp) + (ym + yp)) + (zm + zp);                                                          \
    }                                                                                                        \
    /* a (u_j - u): the term of a link with an opening of a parts; a whole link may count 1. */              \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_link, suffix)(unsigned open, real neighbour, real u)             \
    {                                                                                                        \
        return open == 0 ? (real)0 : (real)open * (neighbour - u);                                           \
    }                                                                                                        \
    /* v: how far a node away from walls moves, from d = u - u_old. For a cut node with its gain for         \
     * lambda2, and again from that v with the sum over extra links. */                                      \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_move, suffix)(real d, real sum, real lambda2)                    \
    {                                                                                                        \
        return fused(lambda2, sum, d);                                                                       \
    }                                                                                                        \
    /* The isotropic scheme. Sum of four differences in a plane, of opposite neighbours first: faces (-0 +0  \
     * -0 +0) or edges (-- ++ +- -+). */                                                                     \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_plane, suffix)(real a0, real a1, real b0, real b1)               \
    {                                                                                                        \
        return (a0 + a1) + (b0 + b1);                                                                        \
    }                                                                                                        \
    /* Of a whole node: `own`, `below`, `above` its plane's four faces and those of the nodes below and      \
     * above about their own centres, `edges` its plane's four edges, z its two differences along z. */      \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_isotropic_sum, suffix)(real own, real below, real above,         \
                                                                   real edges, real z)                       \
    {                                                                                                        \
        return fused((real)6, z, fused((real)2, own, edges) + (below + above));                              \
    }                                                                                                        \
    /* w (u_j - u) of a cut node: 6 open - (sum of b on the link), or b; whole numbers of either sign. */    \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_weighted, suffix)(int weight, real neighbour, real u)            \
    {                                                                                                        \
        return weight == 0 ? (real)0 : (real)weight * (neighbour - u);                                       \
    }                                                                                                        \
    /* Of a cut node: scheme_sum() of its faces, scheme_plane() of its edges in xy, xz, yz. */               \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_isotropic_cut, suffix)(real faces, real xy, real xz, real yz)    \
    {                                                                                                        \
        return faces + ((xy + xz) + yz);                                                                     \
    }                                                                                                        \
    /* The new pressure of a wall node from v and dv = d + v. q = 0 gives the bits of u + v for every finite \
     * field, so the wall term may be left out away from walls. */                                           \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_wall, suffix)(real u, real v, real dv, real q)                   \
    {                                                                                                        \
        return u + fused(-q, dv, v);                                                                         \
    }                                                                                                        \
    /* One node: six differences summed in, the new pressure out. */                                         \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_update, suffix)(real u, real u_old, real sum, real lambda2,      \
                                                            real q)                                          \
    {                                                                                                        \
        const real d = u - u_old;                                                                            \
        const real v = SCHEME_NAME(scheme_move, suffix)(d, sum, lambda2);                                    \
        return SCHEME_NAME(scheme_wall, suffix)(u, v, d + v, q);                                             \
    }                                                                                                        \
    /* fma(pull, dv, P) of an entry of so many branches, and sum c - sum V; `state` points at V of branch 0, \
     * `springs` values on is g of branch 0, and `stride` values on the next branch. */                      \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_wall_pull, suffix)(                                              \
        SCHEME_SHARED const struct scheme_material_##suffix *material, unsigned branches,                    \
        SCHEME_SHARED const real *state, size_t stride, size_t springs, real dv, real *change)               \
    {                                                                                                        \
        real sum_c = 0, sum_v = 0;                                                                           \
        for (unsigned m = 0; m < branches; ++m) {                                                            \
            const real v = state[m * stride], g = state[springs + m * stride];                               \
            sum_c += fused(material->branch[m].memory, v, -(material->branch[m].spring * g));                \
            sum_v += v;                                                                                      \
        }                                                                                                    \
        *change = sum_c - sum_v;                                                                             \
        return fused(material->pull, dv, fused(material->next, sum_c, material->keep * sum_v));              \
    }                                                                                                        \
    /* w after one more entry. */                                                                            \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_wall_take, suffix)(real w, real share, real pull)                \
    {                                                                                                        \
        return fused(-share, pull, w);                                                                       \
    }                                                                                                        \
    /* New states from y and sum c - sum V. Returns `loss` plus the energy that the entry absorbed:          \
     * in units of s / (4 lambda), sum E (V before + V after)^2. */                                          \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_wall_keep, suffix)(                                              \
        SCHEME_SHARED const struct scheme_material_##suffix *material, unsigned branches,                    \
        SCHEME_SHARED real *state, size_t stride, size_t springs, real y, real change, real loss)            \
    {                                                                                                        \
        const real p = fused(material->drive, y, -(material->back * change));                                \
        for (unsigned m = 0; m < branches; ++m) {                                                            \
            SCHEME_SHARED const struct scheme_branch_##suffix *branch = &material->branch[m];                \
            const real v = state[m * stride], g = state[springs + m * stride];                               \
            const real c = fused(branch->memory, v, -(branch->spring * g));                                  \
            const real after = fused(branch->gain, p, c), twice = v + after;                                 \
            state[m * stride] = after;                                                                       \
            state[springs + m * stride] = fused((real)0.5, twice, g);                                        \
            loss = fused(branch->resistance * twice, twice, loss);                                           \
        }                                                                                                    \
        return fused(material->conductance * y, y, loss);                                                    \
    }                                                                                                        \
    /* A source has moved the node by `push` after its step. */                                              \
    SCHEME_FUNCTION void SCHEME_NAME(scheme_wall_push, suffix)(                                              \
        SCHEME_SHARED const struct scheme_material_##suffix *material, SCHEME_SHARED real *state,            \
        size_t stride, size_t springs, real push)                                                            \
    {                                                                                                        \
        const real p = material->drive * push;                                                               \
        for (unsigned m = 0; m < material->branches; ++m) {                                                  \
            const real more = material->branch[m].gain * p;                                                  \
            state[m * stride] += more;                                                                       \
            state[springs + m * stride] = fused((real)0.5, more, state[springs + m * stride]);               \
        }                                                                                                    \
    }                                                                                                        \
    /* Losses of the air (air_loss.h): a state takes its part of v = u_new - u, and follows it. */           \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_air, suffix)(real v, real part, real follow, real * state)       \
    {                                                                                                        \
        const real d = v - *state;                                                                           \
        *state += follow * d;                                                                                \
        return part * d;                                                                                     \
    }

SCHEME_DEFINE(float, f32, fmaf)
SCHEME_DEFINE(double, f64, fma)

/** Courant limit of the scheme, 1/sqrt(3), and the default back-off from it. */
#define SCHEME_COURANT_LIMIT   0.57735026918962576
#define SCHEME_COURANT_DEFAULT (0.999 * SCHEME_COURANT_LIMIT)
/** For the isotropic scheme: sqrt(3)/2, and sqrt(.6), which leaves nodes some mass to lend to cut cells. */
#define SCHEME_ISOTROPIC_COURANT_LIMIT   0.86602540378443865
#define SCHEME_ISOTROPIC_COURANT_DEFAULT 0.77459666924148338

#endif
