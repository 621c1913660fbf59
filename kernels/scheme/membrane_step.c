#include "kernels/scheme/membrane_step.h"

#include <stdlib.h>

double membrane_sum_lanes(double lane[MEMBRANE_LANES])
{
    for (size_t half = MEMBRANE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; ++l)
            lane[l] += lane[l + half];
    return lane[0];
}

void membrane_tables_free(struct membrane_tables *tables)
{
    free(tables->near);
    free(tables->diagonal);
    free(tables->joint[0]);
    free(tables->joint[1]);
    free(tables->first);
    free(tables->use);
    free(tables->use_weight);
    free(tables->mallet);
    *tables = (struct membrane_tables){0};
}

static bool allocate(const struct membrane_plan *plan, struct membrane_tables *out)
{
    const size_t nodes = plan->nodes, uses = 2 * nodes * MEMBRANE_CORNERS;
    out->near = calloc(nodes + 1, sizeof *out->near);
    out->diagonal = calloc(nodes + 1, sizeof *out->diagonal);
    out->joint[0] = calloc(nodes + 1, sizeof *out->joint[0]);
    out->joint[1] = calloc(nodes + 1, sizeof *out->joint[1]);
    out->first = calloc((size_t)plan->ports + 2, sizeof *out->first);
    out->use = calloc(uses + 1, sizeof *out->use);
    out->use_weight = calloc(uses + 1, sizeof *out->use_weight);
    out->mallet = calloc((size_t)plan->mallets + 1, sizeof *out->mallet);
    return out->near != NULL && out->diagonal != NULL && out->joint[0] != NULL && out->joint[1] != NULL &&
           out->first != NULL && out->use != NULL && out->use_weight != NULL && out->mallet != NULL;
}

/* first[p + 2] counts, then first[p + 1] is where the next use of p goes. */
static void list_uses(const struct membrane_plan *plan, struct membrane_tables *out)
{
    for (int side = 0; side < 2; ++side)
        for (size_t n = 0; n < plan->nodes; ++n)
            for (unsigned c = 0; c < MEMBRANE_CORNERS; ++c)
                if (plan->joint[side][n].weight[c] != 0)
                    out->first[plan->joint[side][n].port[c] + 2]++;
    for (size_t p = 0; p < plan->ports; ++p)
        out->first[p + 2] += out->first[p + 1];
    for (int side = 0; side < 2; ++side)
        for (size_t n = 0; n < plan->nodes; ++n)
            for (unsigned c = 0; c < MEMBRANE_CORNERS; ++c) {
                const double weight = plan->joint[side][n].weight[c];
                if (weight == 0)
                    continue;
                const uint32_t at = out->first[plan->joint[side][n].port[c] + 1]++;
                out->use[at] = (uint32_t)n;
                out->use_weight[at] = side == 0 ? -weight : weight;
            }
    out->uses = out->first[plan->ports];
}

int membrane_tables_make(const struct membrane_plan *plan, struct membrane_tables *out,
                         struct failure *failure)
{
    const uint64_t places = (uint64_t)plan->side * plan->side;
    uint32_t *const number = malloc((places + 1) * sizeof *number);
    *out = (struct membrane_tables){.terms = plan->terms,
                                    .air_density = plan->air_density,
                                    .nodes = plan->nodes,
                                    .ports = plan->ports,
                                    .mallets = plan->mallets};
    if (number == NULL || !allocate(plan, out)) {
        free(number);
        membrane_tables_free(out);
        return failure_memory(failure, places * sizeof *number, "a membrane");
    }
    for (uint64_t p = 0; p < places; ++p)
        number[p] = plan->nodes;
    for (uint32_t n = 0; n < plan->nodes; ++n)
        number[plan->node[n]] = n;
    for (uint32_t n = 0; n < plan->nodes; ++n) {
        const uint32_t at = plan->node[n], near[] = {at - 1, at + 1, at - plan->side, at + plan->side};
        for (unsigned side = 0; side < MEMBRANE_CORNERS; ++side)
            out->near[n][side] = number[near[side]];
        out->diagonal[n] = plan->diagonal[at];
        out->joint[0][n] = plan->joint[0][n];
        out->joint[1][n] = plan->joint[1][n];
    }
    for (uint32_t m = 0; m < plan->mallets; ++m) {
        out->mallet[m] = plan->mallet[m];
        for (unsigned c = 0; c < MEMBRANE_CORNERS; ++c)
            out->mallet[m].place[c] = number[plan->mallet[m].place[c]];
    }
    free(number);
    list_uses(plan, out);
    return 0;
}
