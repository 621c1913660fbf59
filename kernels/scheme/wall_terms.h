/** From a material's branches to the coefficients that steps use.
 *
 * With D' = D/T, F' = F T, b = 1/(2D' + E + F'/2), d = 2D' - E - F'/2, beta = sum b and s effective cut faces
 * (Bilbao, Hamilton, Botts, Savioja, IEEE/ACM TASLP 24, 2016):
 *
 *   eta   = 1 + beta/lambda with the inertance, else 1
 *   c_m   = b d V - 2 b F' g
 *   C     = sum(c - V)
 *   P     = sum(c + V) - [inertance] beta/(lambda eta) C
 *   kappa = lambda/2 sum(s beta/eta)                      over the node's entries, as the next sum
 *   u_new = (2u + lambda2 L u - u_old - sum(lambda s/2 P) + kappa u_old)/(1 + kappa)
 *   V <- b (u_new - u_old - [inertance] C/lambda)/eta + c
 *   g <- g + (V before + V after)/2
 *
 * The inertance is h/(2c) of mass in series with the whole wall: positive mass, so still passive, and stable
 * for lambda2 <= 1/3 whatever the geometry, the weights and the number of branches.
 *
 * Without inertance a branch of resistance alone needs no state (its V only changes sign): it becomes
 * conductance, which counts in kappa and in the ledger.
 */
#ifndef KERNELS_WALL_TERMS_H
#define KERNELS_WALL_TERMS_H

#include "kernels/scheme/scheme.h"
#include "kernels/scheme/time_step.h"

/** One material's coefficients in double; a run in single precision rounds them once. */
struct wall_terms {
    struct scheme_material_f64 scheme;
    double kappa; /* of one face: lambda beta/(2 eta); a node's is the sum of weight times this */
    /* For energies, by branch of `scheme`: D' and F'. */
    double mass[WALL_BRANCHES_MAX], stiffness[WALL_BRANCHES_MAX];
};

/** FAILURE_INPUT names material, branch (from 1) and value: one that is not finite or is negative, all 0, a
 * branch whose 2D' + E + F'/2 is outside 1e-12 .. 1e30, or the number of branches past WALL_BRANCHES_MAX;
 * `index` is the material's in sentences. */
int wall_terms_make(const struct wall_material *material, size_t index, const struct time_step *step,
                    bool inertance, struct wall_terms *out, struct failure *failure);

/** Energy of branch m of a face with the states V and g, and of the air before the wall through which `flow`
 * = sum V passes, in units of s/(2 lambda): D' V^2 + F' g^2 and, with inertance, flow^2/(2 lambda).
 */
SCHEME_FUNCTION double wall_terms_branch_energy(const struct wall_terms *terms, unsigned m, double v,
                                                double g)
{
    return terms->mass[m] * v * v + terms->stiffness[m] * g * g;
}
SCHEME_FUNCTION double wall_terms_air_energy(bool inertance, double lambda, double flow)
{
    return inertance ? flow * flow / (2.0 * lambda) : 0.0;
}

/** Terms in the run's real. */
void wall_terms_round(const struct wall_terms *terms, struct scheme_material_f32 *out);

#endif
