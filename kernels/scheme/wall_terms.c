#include "kernels/scheme/wall_terms.h"

#include <math.h>

/* Range of 2D' + E + F'/2 of a branch: far past every wall, and far from overflow of the run's floats. */
#define IMPEDANCE_MIN 1e-12
#define IMPEDANCE_MAX 1e30

static int check_branch(const struct wall_branch *branch, size_t index, size_t m, double impedance,
                        struct failure *failure)
{
    const double value[3] = {branch->D, branch->E, branch->F};
    for (int k = 0; k < 3; ++k)
        if (!(value[k] >= 0.0 && isfinite(value[k])))
            return failure_set(failure, FAILURE_INPUT,
                               "material %zu, branch %zu has %c = %g: it must be finite and not negative",
                               index, m + 1, "DEF"[k], value[k]);
    if (branch->D == 0.0 && branch->E == 0.0 && branch->F == 0.0)
        return failure_set(failure, FAILURE_INPUT,
                           "material %zu, branch %zu has D = E = F = 0: one of them must be positive", index,
                           m + 1);
    if (!(impedance >= IMPEDANCE_MIN && impedance <= IMPEDANCE_MAX))
        return failure_set(
            failure, FAILURE_INPUT,
            "material %zu, branch %zu (D = %g s, E = %g, F = %g /s) resists a step %g times as air does: "
            "%g to %g can be run",
            index, m + 1, branch->D, branch->E, branch->F, impedance, IMPEDANCE_MIN, IMPEDANCE_MAX);
    return 0;
}

int wall_terms_make(const struct wall_material *material, size_t index, const struct time_step *step,
                    bool inertance, struct wall_terms *out, struct failure *failure)
{
    struct wall_terms terms = {.kappa = 0.0};
    struct scheme_material_f64 *scheme = &terms.scheme;
    double beta = 0.0;
    if (material->branches > WALL_BRANCHES_MAX)
        return failure_set(failure, FAILURE_INPUT, "material %zu has %zu branches: the limit is %d", index,
                           material->branches, WALL_BRANCHES_MAX);
    for (size_t m = 0; m < material->branches; ++m) {
        const struct wall_branch *branch = &material->branch[m];
        const double mass = branch->D / step->period, stiffness = branch->F * step->period;
        const double impedance = 2.0 * mass + branch->E + 0.5 * stiffness, b = 1.0 / impedance;
        TRY(check_branch(branch, index, m, impedance, failure));
        beta += b;
        if (!inertance && branch->D == 0.0 && branch->F == 0.0) {
            scheme->conductance += b;
            continue;
        }
        scheme->branch[scheme->branches] = (struct scheme_branch_f64){
            .memory = b * (2.0 * mass - branch->E - 0.5 * stiffness),
            .spring = 2.0 * b * stiffness,
            .gain = b,
            .resistance = branch->E,
        };
        terms.mass[scheme->branches] = mass;
        terms.stiffness[scheme->branches] = stiffness;
        ++scheme->branches;
    }
    const double air = inertance ? beta / step->courant : 0.0, eta = 1.0 + air;
    scheme->pull = beta / eta;
    scheme->next = 1.0 - air / eta;
    scheme->keep = 1.0 + air / eta;
    scheme->drive = 1.0 / eta;
    scheme->back = inertance ? 1.0 / (step->courant * eta) : 0.0;
    terms.kappa = 0.5 * step->courant * scheme->pull;
    *out = terms;
    return 0;
}

void wall_terms_round(const struct wall_terms *terms, struct scheme_material_f32 *out)
{
    const struct scheme_material_f64 *from = &terms->scheme;
    *out = (struct scheme_material_f32){.pull = (float)from->pull,
                                        .keep = (float)from->keep,
                                        .next = (float)from->next,
                                        .drive = (float)from->drive,
                                        .back = (float)from->back,
                                        .conductance = (float)from->conductance,
                                        .branches = from->branches};
    for (unsigned m = 0; m < from->branches; ++m) {
        out->branch[m] = (struct scheme_branch_f32){
            .memory = (float)from->branch[m].memory,
            .spring = (float)from->branch[m].spring,
            .gain = (float)from->branch[m].gain,
            .resistance = (float)from->branch[m].resistance,
        };
        /* A free branch shrinks by memory + spring/2 a step, 1 without resistance: rounding must not exceed
         * that. */
        const double most = 1.0 - 0.5 * (double)out->branch[m].spring;
        if ((double)out->branch[m].memory > most)
            out->branch[m].memory = (float)most;
        if ((double)out->branch[m].memory > most)
            out->branch[m].memory = nextafterf(out->branch[m].memory, -2.0f);
    }
}
