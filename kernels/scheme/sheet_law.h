/** The law of the flow through a sheet, on one link, as steps use it.
 *
 * A link between two nodes is a plug of air: its flow V follows the pressures at its ends, rho h dV/dt = p_i
 * - p_j. A sheet in it balances a part of that difference,
 *
 *   rho h dV/dt + Z V = p_i - p_j,   Z = R_s + j omega m_s + R_p || j omega m_p
 *
 * In the units of a step p is the time derivative of u, and V is u_i - u_j without a sheet; masses count in
 * rho h and resistances in rho h / T. With bars for the mean over a step and e for the change of u_i - u_j,
 *
 *   (V+ - V) + R_s Vbar + m_s (V+ - V) + R_p (Vbar - wbar) = e,   m_p (w+ - w) = R_p (Vbar - wbar)
 *
 * w the speed of the sheet's own mass where air also passes through its pores. Solved for the two changes:
 *
 *   half = (V - w) + (V+ - V)/2,   w+ = w + d half,   V+ = V + a (e - R_s V - c (V - w))
 *   d = R_p / (m_p + R_p/2),  c = m_p d,  a = 1 / (1 + m_s + R_s/2 + c/2)
 *
 * A node gets -alpha V instead of -alpha (u_i - u_j), alpha the opening of the link. Explicit, local, and
 * passive: with f = u_i - u_j - V, the part that the sheet holds back, a link has the energy
 *
 *   alpha/2 V (u_i - u_j - f)(a step later) + alpha/2 (m_s V^2 + m_p w^2)
 *
 * in which the change of f alone costs alpha Vbar (f+ - f) = alpha (R_s Vbar^2 + R_p (Vbar - wbar)^2) and the
 * gain of the masses. So a room with sheets is stable wherever it is without: lambda2 <= 1/3, or the masses
 * of cut_masses.h, in any geometry.
 */
#ifndef KERNELS_SHEET_LAW_H
#define KERNELS_SHEET_LAW_H

#include <stdbool.h>
#include <stddef.h>

#include "blocks/block_layout.h"
#include "kernels/scheme/scheme.h"
#include "kernels/scheme/time_step.h"

/** The physical properties of a sheet. */
struct sheet {
    double flow_resistance; /* [Pa s/m] */
    double mass;            /* [kg/m2]; INFINITY: held still */
    bool series;            /* air passes only by moving it: resistance is its loss; else it has pores */
};

struct scheme_sheet_f32 {
    float a, c, d, resistance, pores;
};
struct scheme_sheet_f64 {
    double a, c, d, resistance, pores;
};

#ifdef __cplusplus
extern "C" {
#endif

/** Its law on a lattice, without a correction of dispersion. `impedance` rho c of the air [Pa s/m]. */
struct sheet_law sheet_law_of(const struct sheet *sheet, double impedance, const struct time_step *step);

/** True if it has any effect. */
bool sheet_law_holds(const struct sheet_law *law);

/** Coefficients of so many layers. */
struct scheme_sheet_f64 sheet_law_terms(const struct sheet_law *law, double layers);
struct scheme_sheet_f32 sheet_law_round(const struct scheme_sheet_f64 *terms);

#ifdef __cplusplus
}
#endif

#define SCHEME_SHEET_DEFINE(real, suffix, fused)                                                             \
    /* V and w of one step later, from the change e of u_i - u_j. Returns `loss` plus what it absorbed,      \
     * R_s Vbar^2 + R_p (Vbar - wbar)^2, in units of alpha. */                                               \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_sheet, suffix)(const struct scheme_sheet_##suffix *sheet,        \
                                                           real e, real *v, real *w, real loss)              \
    {                                                                                                        \
        const real apart = *v - *w;                                                                          \
        const real x = sheet->a * fused(-sheet->resistance, *v, fused(-sheet->c, apart, e));                 \
        const real middle = fused((real)0.5, x, apart);                                                      \
        const real y = sheet->d * middle;                                                                    \
        const real mean = fused((real)0.5, x, *v);                                                           \
        const real slip = fused((real)-0.5, y, middle);                                                      \
        *v = *v + x;                                                                                         \
        *w = *w + y;                                                                                         \
        return fused(sheet->pores * slip, slip, fused(sheet->resistance * mean, mean, loss));                \
    }                                                                                                        \
    /* The change of a node: `weight` times the flow that each of its sheets holds back, in their order. */  \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_sheet_push, suffix)(real push, real weight, real difference,     \
                                                                real v)                                      \
    {                                                                                                        \
        return fused(weight, difference - v, push);                                                          \
    }                                                                                                        \
    /* scheme_wall_push(), and `loss` corrected: `held` are the V before the step, y the change of the node  \
     * without the push. */                                                                                  \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_sheet_wall, suffix)(                                             \
        SCHEME_SHARED const struct scheme_material_##suffix *material, SCHEME_SHARED real *state,            \
        size_t stride, size_t springs, SCHEME_SHARED const real *held, real y, real push, real loss)         \
    {                                                                                                        \
        const real p = material->drive * push;                                                               \
        for (unsigned m = 0; m < material->branches; ++m) {                                                  \
            const real more = material->branch[m].gain * p, twice = held[m] + state[m * stride];             \
            loss = fused(material->branch[m].resistance * more, fused((real)2, twice, more), loss);          \
            state[m * stride] += more;                                                                       \
            state[springs + m * stride] = fused((real)0.5, more, state[springs + m * stride]);               \
        }                                                                                                    \
        return fused(material->conductance * push, fused((real)2, y, push), loss);                           \
    }

SCHEME_SHEET_DEFINE(float, f32, fmaf)
SCHEME_SHEET_DEFINE(double, f64, fma)

#endif
