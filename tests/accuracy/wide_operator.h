/** The operator of a grid of either scheme, written out: K as a list of links and one of plaquettes, taken
 * from records and extra links alone, and the masses. For suites that judge masses and weights by what K
 * does, not by how they were found.
 *
 *   u' K u = sum over links w (u_i - u_j)^2 - 1/6 sum over plaquettes b (u0 - u1 - u2 + u3)^2
 */
#ifndef TESTS_WIDE_OPERATOR_H
#define TESTS_WIDE_OPERATOR_H

#include "blocks/cut_masses.h"
#include "tests/support/test_support.h"

struct wide_link {
    size_t end[2];
    double weight;
};
struct wide_plaquette {
    size_t node[4]; /* 00 10 01 11 */
    double weight;
};

/** Owned, wide_operator_free(). Nodes are numbered by their index in pressure arrays; what is not air has
 * mass 1 and no link. */
struct wide_operator {
    size_t nodes, links, plaquettes;
    struct wide_link *link;
    struct wide_plaquette *plaquette;
    double *mass;
    bool *air;
};

static inline void wide_operator_free(struct wide_operator *of)
{
    free(of->link);
    free(of->plaquette);
    free(of->mass);
    free(of->air);
    *of = (struct wide_operator){0};
}

static inline bool wide_has_record(const struct block_grid *grid, block_id b, unsigned slot)
{
    return grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1;
}

/* Links and plaquettes towards + of a node of a block. */
static inline void wide_add_dense(const struct block_grid *grid, block_id b, unsigned slot,
                                  struct wide_operator *out)
{
    const size_t i = (size_t)b * BLOCK_NODES + slot;
    const bool has = wide_has_record(grid, b, slot);
    const uint64_t record = has ? block_cut_record(grid, b, slot) : 0;
    size_t at[3];
    for (unsigned a = 0; a < 3; a++) {
        bool leaves;
        const unsigned there = block_slot_beside(slot, 2 * a + 1, &leaves);
        const block_id block = leaves ? grid->block[b].neighbour[2 * a + 1] : b;
        const double open = has ? grid->cut[record].open[2 * a + 1] / 200.0 : 1;
        at[a] = (size_t)block * BLOCK_NODES + there;
        if (open > 0)
            out->link[out->links++] = (struct wide_link){{i, at[a]}, open};
    }
    for (unsigned e = 3; grid->isotropic && e < EDGES; e += 4) {
        unsigned beyond;
        const unsigned there = block_slot_across(slot, e, &beyond);
        const block_id block = beyond == 0            ? b
                               : beyond <= DIRECTIONS ? grid->block[b].neighbour[beyond - 1]
                                                      : grid->edge[b][beyond - 1 - DIRECTIONS];
        const double weight = has ? grid->plaquette[record][e] / 200.0 : 1;
        if (weight > 0)
            out->plaquette[out->plaquettes++] = (struct wide_plaquette){
                {i, at[edge_first_axis(e)], at[edge_second_axis(e)], (size_t)block * BLOCK_NODES + there},
                weight};
    }
}

/** Ends the test without memory. Masses are 1 before they are chosen. */
static inline struct wide_operator wide_operator_of(const struct block_grid *grid)
{
    struct wide_operator out = {.nodes = ((size_t)grid->blocks + 1) * BLOCK_NODES};
    out.link = malloc((3 * out.nodes + grid->extra_links) * sizeof *out.link);
    out.plaquette = malloc(3 * out.nodes * sizeof *out.plaquette);
    out.mass = malloc(out.nodes * sizeof *out.mass);
    out.air = calloc(out.nodes, 1);
    if (out.link == NULL || out.plaquette == NULL || out.mass == NULL || out.air == NULL)
        abort();
    for (size_t i = 0; i < out.nodes; i++)
        out.mass[i] = 1;
    for (block_id b = 1; b <= grid->blocks; b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            const size_t i = (size_t)b * BLOCK_NODES + slot;
            out.air[i] = block_is_air(grid, b, slot);
            if (wide_has_record(grid, b, slot) && grid->lambda2 > 0)
                out.mass[i] = cut_mass(grid, block_cut_record(grid, b, slot));
            if (out.air[i] && b < block_list_first(grid))
                wide_add_dense(grid, b, slot, &out);
        }
    for (uint64_t n = 0; n < grid->extra_nodes; n++)
        for (unsigned k = 0; k < grid->extra_node[n].links; k++) {
            const struct extra_link *const link = &grid->extra_link[grid->extra_node[n].first + k];
            const size_t i = (size_t)grid->extra_node[n].block * BLOCK_NODES + grid->extra_node[n].slot,
                         j = (size_t)link->block * BLOCK_NODES + link->slot;
            if (i < j)
                out.link[out.links++] =
                    (struct wide_link){{i, j}, (link->open - link->crossed / 6.0) / 200.0};
        }
    return out;
}

static inline double wide_twist(const struct wide_plaquette *of, const double *u)
{
    return (u[of->node[0]] - u[of->node[1]]) - (u[of->node[2]] - u[of->node[3]]);
}

/** K u into `out`. */
static inline void wide_operate(const struct wide_operator *of, const double *u, double *out)
{
    memset(out, 0, of->nodes * sizeof *out);
    for (size_t n = 0; n < of->links; n++) {
        const size_t i = of->link[n].end[0], j = of->link[n].end[1];
        const double flow = of->link[n].weight * (u[i] - u[j]);
        out[i] += flow;
        out[j] -= flow;
    }
    for (size_t n = 0; n < of->plaquettes; n++) {
        const size_t *const at = of->plaquette[n].node;
        const double twist = of->plaquette[n].weight / 6 * wide_twist(&of->plaquette[n], u);
        out[at[0]] -= twist;
        out[at[1]] += twist;
        out[at[2]] += twist;
        out[at[3]] -= twist;
    }
}

/** Below how many eigenvalues of a symmetric tridiagonal matrix lies x? (Sturm) */
static inline size_t wide_below(const double *diagonal, const double *beside, size_t count, double x)
{
    size_t below = 0;
    double pivot = 1;
    for (size_t n = 0; n < count; n++) {
        pivot = diagonal[n] - x - (n > 0 ? beside[n - 1] * beside[n - 1] / pivot : 0);
        pivot = pivot == 0 ? 1e-300 : pivot;
        below += pivot < 0;
    }
    return below;
}

/** Least and greatest eigenvalue of M^-1 K by so many Lanczos steps (at most 1000) from a random field: never
 * outside the spectrum but by rounding, and close to its ends. */
static inline void wide_spectrum(const struct wide_operator *of, size_t steps, uint64_t seed, double ends[2])
{
    double *const last = calloc(of->nodes, sizeof *last), *const now = calloc(of->nodes, sizeof *now),
                  *const next = calloc(of->nodes, sizeof *next),
                  *const field = calloc(of->nodes, sizeof *field);
    double diagonal[1000], beside[1000], norm = 0;
    if (last == NULL || now == NULL || next == NULL || field == NULL || steps > 1000)
        abort();
    for (size_t i = 0; i < of->nodes; i++)
        now[i] = of->air[i] ? test_uniform(&seed, -1, 1) : 0;
    for (size_t i = 0; i < of->nodes; i++)
        norm += now[i] * now[i];
    for (size_t i = 0; i < of->nodes; i++)
        now[i] /= sqrt(norm);
    for (size_t n = 0; n < steps; n++) {
        double dot = 0, length = 0;
        for (size_t i = 0; i < of->nodes; i++)
            field[i] = now[i] / sqrt(of->mass[i]);
        wide_operate(of, field, next);
        for (size_t i = 0; i < of->nodes; i++) {
            next[i] /= sqrt(of->mass[i]);
            dot += next[i] * now[i];
        }
        for (size_t i = 0; i < of->nodes; i++) {
            next[i] -= dot * now[i] + (n > 0 ? beside[n - 1] * last[i] : 0);
            length += next[i] * next[i];
        }
        diagonal[n] = dot;
        beside[n] = sqrt(length);
        for (size_t i = 0; i < of->nodes; i++) {
            last[i] = now[i];
            now[i] = next[i] / beside[n];
        }
    }
    for (int end = 0; end < 2; end++) {
        double low = -1e3, high = 1e3;
        for (int round = 0; round < 80; round++) {
            const double middle = (low + high) / 2;
            const bool above = wide_below(diagonal, beside, steps, middle) >= (end == 0 ? 1 : steps);
            *(above ? &high : &low) = middle;
        }
        ends[end] = (low + high) / 2;
    }
    free(last);
    free(now);
    free(next);
    free(field);
}

#endif
