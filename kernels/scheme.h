/** The update of one node, written once, for C and CUDA, float and double. Everything else is loops around
 * it.
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
 * back ends give its bits. fma stands exactly where it is written and nowhere else (compile with contraction
 * off). Stable for lambda2 <= 1/3 on any geometry.
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

#define SCHEME_DEFINE(real, suffix, fused)                                                                   \
    /* Sum of the six differences in the one order that counts. */                                           \
    SCHEME_FUNCTION real scheme_sum_##suffix(real xm, real xp, real ym, real yp, real zm, real zp)           \
    {                                                                                                        \
        return ((xm + xp) + (ym + yp)) + (zm + zp);                                                          \
    }                                                                                                        \
    /* v: how far a node away from walls moves, from d = u - u_old. */                                       \
    SCHEME_FUNCTION real scheme_move_##suffix(real d, real sum, real lambda2)                                \
    {                                                                                                        \
        return fused(lambda2, sum, d);                                                                       \
    }                                                                                                        \
    /* The new pressure of a wall node from v and dv = d + v. q = 0 gives the bits of u + v for every finite \
     * field, so the wall term may be left out away from walls. */                                           \
    SCHEME_FUNCTION real scheme_wall_##suffix(real u, real v, real dv, real q)                               \
    {                                                                                                        \
        return u + fused(-q, dv, v);                                                                         \
    }                                                                                                        \
    /* One node: six differences summed in, the new pressure out. */                                         \
    SCHEME_FUNCTION real scheme_update_##suffix(real u, real u_old, real sum, real lambda2, real q)          \
    {                                                                                                        \
        const real d = u - u_old;                                                                            \
        const real v = scheme_move_##suffix(d, sum, lambda2);                                                \
        return scheme_wall_##suffix(u, v, d + v, q);                                                         \
    }

SCHEME_DEFINE(float, f32, fmaf)
SCHEME_DEFINE(double, f64, fma)

/** Courant limit of the scheme, 1/sqrt(3), and the default back-off from it. */
#define SCHEME_COURANT_LIMIT   0.57735026918962576
#define SCHEME_COURANT_DEFAULT (0.999 * SCHEME_COURANT_LIMIT)

#endif
