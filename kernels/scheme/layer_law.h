/** A layer behind the open faces of a room that absorbs sound from all directions and reflects almost
 * nothing.
 *
 * Behind a face the walls continue as they end in it, and the normal part of the operator is stretched into
 * the complex plane (perfectly matched layer, Berenger 1994; Chew and Weedon 1994; with the frequency shift
 * of Kuzuoglu and Mittra 1996). To the flow F on a link along the normal, and to the difference of a node's
 * flows, the layer adds the part
 *
 *   H(s) = -sigma / (s + sigma + alpha),   s = 2/T (z - 1)/(z + 1)
 *
 * with values of their own for every link and node: the node moves by (F+ + H F+) - (F- + H F-), times 1 + H
 * of the node, where it would move by F+ - F-. Everything else is as in the room, walls included. The filters
 * are in the operator's normal part alone, so faces that meet add up. A node is also damped a little,
 * (d/2)(u_new - u_old), and the last one has an admittance of 1.
 *
 * Where (trapezoidal in time) the stretch is exact to second order, eight cells suffice, if sigma, alpha and
 * d are fitted to both schemes' exact discrete reflection. The fit also keeps the face passive: the real part
 * of its discrete admittance is not negative at any frequency for any wave along it, evanescent ones
 * included, which a layer of this kind otherwise amplifies. tests/layer/ holds both; ACCURACY.md has the
 * table.
 *
 * On the isotropic scheme F is a link's difference and its half of the plaquettes that it is on, which is
 * positive by itself: sum of (u_j - u)^2 less (1/6) sum of shares (u_j - u - (v_j - v))^2, so nothing
 * negative is left where several normals are stretched at once (edges and corners). If only one is, its share
 * is three quarters. With the exact share of 1 the shortest waves along a face would run backwards on the
 * normal, and grow.
 */
#ifndef KERNELS_LAYER_LAW_H
#define KERNELS_LAYER_LAW_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/scheme/scheme.h"
#include "kernels/scheme/time_step.h"

#define LAYER_CELLS       8
#define LAYER_SHARE_ALONE 0.75

/** H as a recursion: out = now in + m, m <- then in + keep m. */
struct scheme_filter_f32 {
    float now, then, keep;
};
struct scheme_filter_f64 {
    double now, then, keep;
};

/** A node at depth 1 .. LAYER_CELLS: its link towards the room, the one away from it, itself. */
struct scheme_layer_f32 {
    struct scheme_filter_f32 link[2], node;
};
struct scheme_layer_f64 {
    struct scheme_filter_f64 link[2], node;
};

#ifdef __cplusplus
extern "C" {
#endif

/** Coefficients at a depth, 1 .. LAYER_CELLS, for a Courant number. */
struct scheme_layer_f64 layer_terms(enum scheme scheme, unsigned depth, double courant);
struct scheme_layer_f32 layer_terms_round(const struct scheme_layer_f64 *terms);
/** d of a depth. */
double layer_damping(enum scheme scheme, unsigned depth);

#ifdef __cplusplus
}
#endif

#define SCHEME_LAYER_DEFINE(real, suffix, fused)                                                             \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_filter, suffix)(const struct scheme_filter_##suffix *filter,     \
                                                            real in, real *state)                            \
    {                                                                                                        \
        const real out = fused(filter->now, in, *state);                                                     \
        *state = fused(filter->then, in, filter->keep * *state);                                             \
        return out;                                                                                          \
    }                                                                                                        \
    /* The flow of a link: `own` its difference, which counts `weight`, and the sum over its plaquettes of   \
     * share times the difference beside it. */                                                              \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_layer_flow, suffix)(real weight, real own, real beside)          \
    {                                                                                                        \
        return fused(weight, own, beside);                                                                   \
    }                                                                                                        \
    /* The change of a node whose links' filters gave `taken` more outwards than inwards. */                 \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_layer_node, suffix)(const struct scheme_filter_##suffix *node,   \
                                                                real in, real out, real taken, real *state)  \
    {                                                                                                        \
        return taken + SCHEME_NAME(scheme_filter, suffix)(node, (out - in) + taken, state);                  \
    }                                                                                                        \
    /* The change of a node in addition to that of the sweep, without its gain: `in` and `out` are the       \
     * flows u - u_inner and u_outer - u. Three states: of both links and the node. */                       \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_layer, suffix)(const struct scheme_layer_##suffix *layer,        \
                                                           real in, real out, real state[3])                 \
    {                                                                                                        \
        const real inner = SCHEME_NAME(scheme_filter, suffix)(&layer->link[0], in, &state[0]);               \
        const real outer = SCHEME_NAME(scheme_filter, suffix)(&layer->link[1], out, &state[1]);              \
        return SCHEME_NAME(scheme_layer_node, suffix)(&layer->node, in, out, outer - inner, &state[2]);      \
    }                                                                                                        \
    /* The push of a node: `sum` over its normals, y its change in the sweep. */                             \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_layer_push, suffix)(real gain, real sum, real damp, real y)      \
    {                                                                                                        \
        return fused(gain, sum, -(damp * y));                                                                \
    }                                                                                                        \
    /* `loss` plus the energy that the push took from the room. */                                           \
    SCHEME_FUNCTION real SCHEME_NAME(scheme_layer_loss, suffix)(real loss, real push, real y)                \
    {                                                                                                        \
        return fused(-push, y + push, loss);                                                                 \
    }

SCHEME_LAYER_DEFINE(float, f32, fmaf)
SCHEME_LAYER_DEFINE(double, f64, fma)

#endif
