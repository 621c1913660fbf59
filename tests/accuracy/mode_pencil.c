#include "tests/accuracy/mode_pencil.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/link_grids.h"
#include <criterion/criterion.h>

#define PI 3.14159265358979323846

/* ---- dispersion ---- */

static double complex squared(double complex x)
{
    return x * x;
}

static double complex symbol(double complex kappa)
{
    const double complex axis = squared(2 * csin(kappa / 2)), each = squared(2 * csin(kappa / sqrt(8)));
    return 0.5 * (axis + 2 * each - each * each / 6);
}

double complex mode_theta(const struct time_step *step, double complex kappa)
{
    return step->scheme != SCHEME_ISOTROPIC ? step->courant * kappa
                                            : 2 * casin(0.5 * step->courant * csqrt(symbol(kappa)));
}

double complex mode_kappa(const struct time_step *step, double complex theta)
{
    double complex kappa = theta / step->courant;
    for (int n = 0; n < 30 && step->scheme == SCHEME_ISOTROPIC; n++) {
        const double complex small = 1e-5,
                             slope = (mode_theta(step, kappa + small) - mode_theta(step, kappa - small)) /
                                     (2 * small);
        kappa -= (mode_theta(step, kappa) - theta) / slope;
    }
    return kappa;
}

/* ---- what rings ---- */

struct fields {
    size_t modes, nodes;
    double complex *sounds; /* (modes, nodes) */
    double *weight;         /* (modes, nodes) */
    double *value;          /* (nodes) */
};

static void make_fields(const struct mode_pencil *pencil, struct fields *fields)
{
    const struct block_grid *blocks = pencil->blocks;
    const size_t nodes = ((size_t)blocks->blocks + 1) * BLOCK_NODES;
    *fields = (struct fields){pencil->modes, nodes, calloc(pencil->modes * nodes, sizeof(double complex)),
                              calloc(pencil->modes * nodes, sizeof(double)), calloc(nodes, sizeof(double))};
    cr_assert(fields->sounds != NULL && fields->weight != NULL && fields->value != NULL);
    for (size_t m = 0; m < pencil->modes; m++) {
        double norm = 0;
        for (size_t n = BLOCK_NODES; n < nodes; n++) {
            if (!(pencil->mass[n] > 0))
                continue;
            int64_t node[3];
            double heard;
            block_node(&blocks->block[n / BLOCK_NODES], (unsigned)(n % BLOCK_NODES), node);
            pencil->shape(pencil->context, m, node, &fields->sounds[m * nodes + n], &heard);
            fields->weight[m * nodes + n] = pencil->mass[n] * heard;
            norm += pencil->mass[n] * heard * heard;
        }
        for (size_t n = 0; n < nodes; n++) {
            fields->sounds[m * nodes + n] /= sqrt(norm);
            fields->weight[m * nodes + n] /= sqrt(norm);
        }
    }
}

static void read_with_all(const struct mode_pencil *pencil, const struct engine *engine,
                          struct fields *fields, double complex turn, double complex *column)
{
    for (uint32_t b = 1; b <= pencil->blocks->blocks; b++)
        engine_read_block(engine, b, fields->value + (size_t)b * BLOCK_NODES);
    for (size_t m = 0; m < fields->modes; m++) {
        const double *const weight = fields->weight + m * fields->nodes;
        double sum = 0;
        for (size_t n = BLOCK_NODES; n < fields->nodes; n++)
            sum += weight[n] * fields->value[n];
        column[m] += turn * sum;
    }
}

/* A shape's real part and its imaginary part, each run by itself. */
static void ring(const struct mode_pencil *pencil, struct fields *fields, size_t mode, double complex theta,
                 uint64_t settle, uint64_t span, double complex *before, double complex *after)
{
    static const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    for (int part = 0; part < 2; part++) {
        const double complex turn = part == 0 ? 1 : -I, back = turn * cexp(-I * theta);
        struct engine *const engine =
            engine_of(pencil->blocks, NULL, pencil->step, NULL, 0, pencil->walls, &options);
        for (size_t n = BLOCK_NODES; n < fields->nodes; n++) {
            if (!(pencil->mass[n] > 0))
                continue;
            int64_t node[3];
            const double complex value = fields->sounds[mode * fields->nodes + n];
            block_node(&pencil->blocks->block[n / BLOCK_NODES], (unsigned)(n % BLOCK_NODES), node);
            engine_set(engine, 0, node, creal(value * turn));
            engine_set(engine, 1, node, creal(value * back));
        }
        engine_run(engine, settle, NULL, NULL);
        read_with_all(pencil, engine, fields, part == 0 ? 1 : I, before);
        engine_run(engine, span, NULL, NULL);
        read_with_all(pencil, engine, fields, part == 0 ? 1 : I, after);
        engine_free(engine);
    }
}

/* ---- which is which ---- */

/* Of all pairs of a mode and a shape that are left, the one in which the mode has most of the shape. */
static void assign(size_t modes, const double complex *vector, size_t *mode_of)
{
    double *const share = calloc(modes * modes, sizeof *share);
    cr_assert(share != NULL);
    for (size_t e = 0; e < modes; e++) {
        double sum = 0;
        for (size_t m = 0; m < modes; m++)
            sum += pow(cabs(vector[e * modes + m]), 2);
        for (size_t m = 0; m < modes; m++)
            share[e * modes + m] = pow(cabs(vector[e * modes + m]), 2) / sum;
    }
    for (size_t round = 0; round < modes; round++) {
        size_t best = 0;
        for (size_t at = 1; at < modes * modes; at++)
            best = share[at] > share[best] ? at : best;
        mode_of[best % modes] = best / modes;
        for (size_t k = 0; k < modes; k++)
            share[best / modes * modes + k] = share[k * modes + best % modes] = -1;
    }
    free(share);
}

void mode_pencil_solve(const struct mode_pencil *pencil, double complex *kappa)
{
    const size_t modes = pencil->modes;
    const double period = pencil->step->period;
    const uint64_t settle = (uint64_t)ceil(pencil->settle / period),
                   span = (uint64_t)ceil(pencil->span / period);
    double complex *const
        before = calloc(modes * modes, sizeof *before),
        *const after = calloc(modes * modes, sizeof *after), *const alpha = calloc(modes, sizeof *alpha),
        *const beta = calloc(modes, sizeof *beta), *const vector = calloc(modes * modes, sizeof *vector);
    size_t *const mode_of = calloc(modes, sizeof *mode_of);
    struct fields fields;
    cr_assert(before != NULL && after != NULL && alpha != NULL && beta != NULL && vector != NULL &&
              mode_of != NULL);
    make_fields(pencil, &fields);
    for (size_t m = 0; m < modes; m++)
        ring(pencil, &fields, m, mode_theta(pencil->step, kappa[m]), settle, span, before + m * modes,
             after + m * modes);
    const int size = (int)modes;
    cr_assert(LAPACKE_zggev(LAPACK_COL_MAJOR, 'N', 'V', size, (void *)after, size, (void *)before, size,
                            (void *)alpha, (void *)beta, NULL, 1, (void *)vector, size) == 0);
    assign(modes, vector, mode_of);
    for (size_t m = 0; m < modes; m++) {
        const double complex near = mode_theta(pencil->step, kappa[m]),
                             turned = clog(alpha[mode_of[m]] / beta[mode_of[m]]) / I;
        const double round = 2 * PI * rint((creal(near) * (double)span - creal(turned)) / (2 * PI));
        kappa[m] = mode_kappa(pencil->step, (turned + round) / (double)span);
    }
    free(before);
    free(after);
    free(alpha);
    free(beta);
    free(vector);
    free(mode_of);
    free(fields.sounds);
    free(fields.weight);
    free(fields.value);
}
