#include "kernels/scheme/layer_law.h"

/* sigma and alpha of the link towards the room and of the node, times h/c, and d. */
static const struct layer_cell {
    double sigma[2], alpha[2], damping;
} cells[2][LAYER_CELLS] = {[SCHEME_STANDARD] =
                               {
                                   {{0, 0.003706}, {0, 0.243018}, 0.003624},
                                   {{0.124971, 0.250344}, {0.234270, 0.170038}, 0.000002},
                                   {{0.370081, 0.499748}, {0.135438, 0.116047}, 0.000002},
                                   {{0.833977, 1.338332}, {0.097041, 0.088604}, 0.000104},
                                   {{2.096186, 2.652479}, {0.087859, 0.092818}, 0.000503},
                                   {{3.490827, 4.379462}, {0.071271, 0.099363}, 0.000000},
                                   {{3.578116, 7.449040}, {0.054333, 0.227291}, 0.005779},
                                   {{14.518259, 0.913182}, {0.038974, 0.003046}, 0.000744},
                               },
                           [SCHEME_ISOTROPIC] = {
                               {{0, 0.000851}, {0, 0.280821}, 0.005253},
                               {{0.098008, 0.253761}, {0.053972, 0.088717}, 0.000354},
                               {{0.493515, 0.703750}, {0.202344, 0.225427}, 0.000207},
                               {{1.095106, 1.612031}, {0.161130, 0.157314}, 0.000248},
                               {{2.352334, 3.319104}, {0.141295, 0.182627}, 0.000596},
                               {{4.657341, 13.633829}, {0.167843, 0.671407}, 0.002735},
                               {{4.769177, 13.829642}, {0.074770, 0.942799}, 0.001783},
                               {{1.052704, 2.201414}, {0.094115, 0.408260}, 0.000803},
                           }};

/* (z + 1) sigma / ((z - 1) + (sigma + alpha)(z + 1)), sigma and alpha times T/2, with its sign. */
static struct scheme_filter_f64 filter_of(double sigma, double alpha, double courant)
{
    const double s = 0.5 * courant * sigma, all = s + 0.5 * courant * alpha;
    const double now = -s / (1 + all), keep = (1 - all) / (1 + all);
    return (struct scheme_filter_f64){.now = now, .then = now + keep * now, .keep = keep};
}

static struct scheme_filter_f64 link_of(const struct layer_cell *cell, unsigned depth, double courant)
{
    return depth > LAYER_CELLS ? (struct scheme_filter_f64){0}
                               : filter_of(cell[depth - 1].sigma[0], cell[depth - 1].alpha[0], courant);
}

struct scheme_layer_f64 layer_terms(enum scheme scheme, unsigned depth, double courant)
{
    const struct layer_cell *const cell = cells[scheme];
    return (struct scheme_layer_f64){
        .link = {link_of(cell, depth, courant), link_of(cell, depth + 1, courant)},
        .node = filter_of(cell[depth - 1].sigma[1], cell[depth - 1].alpha[1], courant)};
}

static struct scheme_filter_f32 round_filter(const struct scheme_filter_f64 *filter)
{
    return (struct scheme_filter_f32){(float)filter->now, (float)filter->then, (float)filter->keep};
}

struct scheme_layer_f32 layer_terms_round(const struct scheme_layer_f64 *terms)
{
    return (struct scheme_layer_f32){.link = {round_filter(&terms->link[0]), round_filter(&terms->link[1])},
                                     .node = round_filter(&terms->node)};
}

double layer_damping(enum scheme scheme, unsigned depth)
{
    return cells[scheme][depth - 1].damping;
}
