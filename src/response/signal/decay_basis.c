#include "src/response/signal/decay_basis.h"

#include <math.h>
#include <stdlib.h>

#define RASTER  192
#define DECADES 9.0

struct cross {
    double g[RASTER], t[RASTER];
    double residual[RASTER][RASTER]; /* of g, t */
    double u[DECAY_BASIS_RANK][RASTER], v[DECAY_BASIS_RANK][RASTER];
};

static void fill_raster(struct cross *cross, double gmax, double tmax)
{
    for (int i = 0; i < RASTER; i++) {
        const double part = i == 0 ? 0.0 : pow(10.0, -DECADES * (RASTER - 1 - i) / (RASTER - 2));
        cross->g[i] = gmax * part;
        cross->t[i] = tmax * part;
    }
    for (int i = 0; i < RASTER; i++)
        for (int j = 0; j < RASTER; j++)
            cross->residual[i][j] = exp(-cross->g[i] * cross->t[j]);
}

static double find_largest(const struct cross *cross, int *row, int *column)
{
    double most = 0.0;
    for (int i = 0; i < RASTER; i++)
        for (int j = 0; j < RASTER; j++)
            if (fabs(cross->residual[i][j]) > most) {
                most = fabs(cross->residual[i][j]);
                *row = i;
                *column = j;
            }
    return most;
}

int decay_basis_make(double gmax, double tmax, struct decay_basis *out, struct failure *failure)
{
    struct cross *cross = malloc(sizeof *cross);
    if (cross == NULL)
        return failure_memory(failure, (unsigned long long)sizeof *cross, "the losses of the air");
    fill_raster(cross, gmax, tmax);
    *out = (struct decay_basis){0};
    int row = 0, column = 0;
    /* Half of what is allowed, for what lies between the points of the raster. */
    while (out->rank < DECAY_BASIS_RANK && find_largest(cross, &row, &column) > 0.5 * DECAY_BASIS_DEVIATION) {
        const size_t k = out->rank++;
        const double pivot = cross->residual[row][column];
        out->rate[k] = cross->g[row];
        out->time[k] = cross->t[column];
        for (int i = 0; i < RASTER; i++) {
            cross->u[k][i] = cross->residual[i][column];
            cross->v[k][i] = cross->residual[row][i] / pivot;
        }
        for (size_t l = 0; l <= k; l++) {
            out->at_rate[k][l] = cross->u[l][row];
            out->at_time[k][l] = cross->v[l][column];
        }
        for (int i = 0; i < RASTER; i++)
            for (int j = 0; j < RASTER; j++)
                cross->residual[i][j] -= cross->u[k][i] * cross->v[k][j];
    }
    free(cross);
    return 0;
}

void decay_basis_weights(const struct decay_basis *basis, double t, double *weight)
{
    /* v_k(t) from its definition, then from u and v back to the columns exp(-g time_k) that u came from. */
    for (size_t k = 0; k < basis->rank; k++) {
        double v = exp(-basis->rate[k] * t);
        for (size_t l = 0; l < k; l++)
            v -= basis->at_rate[k][l] * weight[l];
        weight[k] = v / basis->at_rate[k][k];
    }
    for (size_t k = basis->rank; k-- > 0;)
        for (size_t m = k + 1; m < basis->rank; m++)
            weight[k] -= basis->at_time[m][k] * weight[m];
}
