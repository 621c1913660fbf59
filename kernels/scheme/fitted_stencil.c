#include "kernels/scheme/fitted_stencil.h"

#include <math.h>
#include <string.h>

#include "kernels/scheme/near_walls.h"
#include "kernels/scheme/stencil.h"
#include "kernels/scheme/wave_fit.h"

#define PI 3.14159265358979323846

#define EDGE  WAVE_FIT_LINE
#define NODES (EDGE * EDGE * EDGE)

/* A place this close to a node along an axis [h] takes the nodes of that plane alone. */
#define NODE_TOLERANCE 1e-9

#define MOVED_MOST  2   /* nodes that a box is moved by */
#define BEYOND_MOST 0.9 /* that a cut node's centre lies behind its wall [h]: half a voxel's diagonal */

/* Assumed root mean square error of a node's pressure, relative to the field. First of any node; then of one
 * that is heavier or lighter than its air, as this part of kappa^2 (mass - volume) / (sum of openings), its
 * change by the scheme's balance. */
#define ROUGH    1e-3
#define BORROWED 1.0

/* The nodes around a place, x fastest. */
struct box {
    int64_t node[NODES][3];
    struct near_cell cell[NODES];
    bool seen[NODES]; /* by the place's base, along open links that lead away from it */
    bool whole;       /* all links between them are, and no sheet is on one */
};

static void see_from(const struct block_grid *grid, const struct stencil_place *place, const int64_t first[3],
                     struct box *box)
{
    static const unsigned stride[3] = {1, EDGE, EDGE * EDGE};
    box->whole = true;
    for (unsigned n = 0; n < NODES; n++) {
        bool base = true;
        for (int k = 0; k < 3; k++) {
            box->node[n][k] = first[k] + (int64_t)(n / stride[k] % EDGE);
            base = base && box->node[n][k] == place->base[k];
        }
        box->cell[n] = near_walls_cell(grid, box->node[n]);
        box->seen[n] = base;
        for (int k = 0; k < 3; k++)
            if (n / stride[k] % EDGE + 1 < EDGE && (!(box->cell[n].open[2 * k + 1] >= 1.0) ||
                                                    ((unsigned)box->cell[n].sheets >> (2 * k + 1) & 1u) != 0))
                box->whole = false;
    }
    bool grows = true;
    while (grows) {
        grows = false;
        for (unsigned n = 0; n < NODES; n++)
            for (int d = 0; box->seen[n] && d < 6; d++) {
                const int k = d / 2, to = (int)(n / stride[k] % EDGE) + (d % 2 == 1 ? 1 : -1);
                const int64_t away = box->node[n][k] - place->base[k];
                if (to < 0 || to >= EDGE || !(box->cell[n].open[d] > 0.0) ||
                    ((unsigned)box->cell[n].sheets >> d & 1u) != 0 || (d % 2 == 1 ? away < 0 : away > 0))
                    continue;
                const unsigned next = d % 2 == 1 ? n + stride[k] : n - stride[k];
                grows = grows || !box->seen[next];
                box->seen[next] = true;
            }
    }
}

/* Sheets that do not act as mirrors leave a side of the box empty. The box is moved away from that side,
 * towards more nodes, as long as it holds the base. */
static void choose_box(const struct block_grid *grid, const struct stencil_place *place, struct box *box)
{
    int64_t first[3];
    bool sheets = false, moved = false;
    for (int k = 0; k < 3; k++)
        first[k] = place->low[k] - 2;
    see_from(grid, place, first, box);
    for (unsigned n = 0; n < NODES; n++)
        sheets = sheets || (box->seen[n] && box->cell[n].sheets != 0);
    for (int k = 0; sheets && k < 3; k++) {
        int64_t low = place->base[k], high = low;
        for (unsigned n = 0; n < NODES; n++)
            if (box->seen[n]) {
                low = box->node[n][k] < low ? box->node[n][k] : low;
                high = box->node[n][k] > high ? box->node[n][k] : high;
            }
        const int64_t below = low - first[k], above = first[k] + EDGE - 1 - high;
        for (int m = 0; m < MOVED_MOST; m++)
            if (above == 0 && m < below && first[k] < place->base[k])
                first[k]++;
            else if (below == 0 && m < above && first[k] + EDGE - 1 > place->base[k])
                first[k]--;
        moved = moved || first[k] != place->low[k] - 2;
    }
    if (moved)
        see_from(grid, place, first, box);
    box->whole = box->whole && !moved;
}

static void add_node(const int64_t node[3], double weight, struct stencil *out)
{
    memcpy(out->node[out->count], node, sizeof out->node[0]);
    out->weight[out->count++] = weight;
}

/* Six weights along each axis, and their product. */
static void fit_free(const struct stencil_place *place, double kappa_most, int slope, double spacing,
                     const struct box *box, struct stencil *out)
{
    double line[3][EDGE];
    for (int k = 0; k < 3; k++) {
        const double t = place->fraction[k];
        const bool on_node = k != slope && fmin(t, 1.0 - t) <= NODE_TOLERANCE;
        if (!on_node)
            wave_fit_line(kappa_most, t, k == slope, line[k]);
        for (int m = 0; on_node && m < EDGE; m++)
            line[k][m] = m == (t > 0.5 ? 3 : 2);
    }
    for (unsigned n = 0; n < NODES; n++) {
        const double weight = line[0][n % EDGE] * line[1][n / EDGE % EDGE] * line[2][n / (EDGE * EDGE)];
        if (weight != 0.0)
            add_node(box->node[n], slope < 0 ? weight : weight / spacing, out);
    }
}

static double floor_of(const struct near_cell *cell, double kappa_most)
{
    double open = 0.0;
    for (int d = 0; d < 6; d++)
        open += cell->open[d];
    const double moved = BORROWED * kappa_most * kappa_most * (cell->mass - cell->volume) / open;
    return ROUGH * ROUGH + (open > 0.0 ? moved * moved : 0.0);
}

static bool is_behind(const struct wave_mirrors *walls, const double at[3])
{
    for (unsigned p = 0; p < walls->count; p++) {
        double beyond = -walls->offset[p];
        for (int k = 0; k < 3; k++)
            beyond += walls->normal[p][k] * at[k];
        if (beyond > BEYOND_MOST)
            return true;
    }
    return false;
}

/* All nodes that are seen, with their images in the walls near by, with no weights yet. */
static void gather_nodes(const struct block_grid *grid, const struct stencil_place *place, double kappa_most,
                         const struct box *box, struct wave_mirrors *walls, double at[NODES][3],
                         double floor[NODES], struct stencil *out)
{
    int64_t node[NODES][3];
    unsigned seen = 0;
    for (unsigned n = 0; n < NODES; n++)
        if (box->seen[n])
            memcpy(node[seen++], box->node[n], sizeof node[0]);
    near_walls_find(grid, (const int64_t(*)[3])node, seen, place->coordinate, walls);
    for (unsigned n = 0; n < NODES; n++) {
        if (!box->seen[n])
            continue;
        for (int k = 0; k < 3; k++)
            at[out->count][k] = (double)box->node[n][k];
        if (is_behind(walls, at[out->count]))
            continue;
        floor[out->count] = floor_of(&box->cell[n], kappa_most);
        add_node(box->node[n], 0.0, out);
    }
}

static int fit_beside_walls(const struct block_grid *grid, const struct stencil_place *place,
                            double kappa_most, int slope, const struct box *box, struct wave_mirrors *walls,
                            struct stencil *out, struct failure *failure)
{
    double at[NODES][3], floor[NODES], misfit;
    gather_nodes(grid, place, kappa_most, box, walls, at, floor, out);
    TRY(wave_fit_nodes(kappa_most, walls, out->count, (const double(*)[3])at, floor, place->coordinate, slope,
                       out->weight, &misfit, failure));
    for (unsigned m = 0; slope >= 0 && m < out->count; m++)
        out->weight[m] /= grid->lattice.spacing;
    out->used = INTERPOLATION_MIRRORED;
    return 0;
}

/* Distance of the weights' centre from the place, along the walls; towards a wall a mirrored field has no
 * slope. */
static double shift_of(const struct stencil *stencil, const struct stencil_place *place,
                       const struct wave_mirrors *walls)
{
    double away[3] = {0.0}, square = 0.0;
    for (unsigned n = 0; n < stencil->count; n++)
        for (int k = 0; k < 3; k++)
            away[k] += stencil->weight[n] * ((double)stencil->node[n][k] - place->coordinate[k]);
    for (unsigned p = 0; p < walls->count; p++) {
        double towards = 0.0;
        for (int k = 0; k < 3; k++)
            towards += away[k] * walls->normal[p][k];
        for (int k = 0; k < 3; k++)
            away[k] -= towards * walls->normal[p][k];
    }
    for (int k = 0; k < 3; k++)
        square += away[k] * away[k];
    return sqrt(square);
}

static int check_band(double kappa_most, struct failure *failure)
{
    if (!(kappa_most > 0.0 && kappa_most < PI))
        return failure_set(failure, FAILURE_INPUT,
                           "a band to %.3f radians a spacing: more than 2 points a wavelength are needed",
                           kappa_most);
    return 0;
}

static int make_stencil(const struct block_grid *grid, const double position[3], const int64_t base[3],
                        double kappa_most, int slope, struct stencil *out, struct failure *failure)
{
    struct stencil_place place;
    struct wave_mirrors walls = {0};
    struct box box;
    TRY(check_band(kappa_most, failure));
    TRY(stencil_place_find(grid, position, base, &place, failure));
    choose_box(grid, &place, &box);
    out->count = 0;
    out->used = INTERPOLATION_FITTED;
    if (box.whole)
        fit_free(&place, kappa_most, slope, grid->lattice.spacing, &box, out);
    else
        TRY(fit_beside_walls(grid, &place, kappa_most, slope, &box, &walls, out, failure));
    out->shift = slope < 0 ? shift_of(out, &place, &walls) * grid->lattice.spacing : 0.0;
    return 0;
}

int stencil_make_fitted(const struct block_grid *grid, const double position[3], const int64_t base[3],
                        double kappa_most, struct stencil *out, struct failure *failure)
{
    return make_stencil(grid, position, base, kappa_most, -1, out, failure);
}

int stencil_make_fitted_gradient(const struct block_grid *grid, const double position[3],
                                 const int64_t base[3], double kappa_most, int axis, struct stencil *out,
                                 struct failure *failure)
{
    return make_stencil(grid, position, base, kappa_most, axis, out, failure);
}

int stencil_make_multipole(const struct block_grid *grid, const double position[3], const int64_t base[3],
                           double kappa_most, int number, struct stencil *out, double *misfit,
                           struct failure *failure)
{
    struct stencil_place place;
    struct wave_mirrors walls = {0};
    struct box box;
    double at[NODES][3], floor[NODES], found = 0.0;
    TRY(check_band(kappa_most, failure));
    TRY(stencil_place_find(grid, position, base, &place, failure));
    choose_box(grid, &place, &box);
    out->count = 0;
    out->used = box.whole ? INTERPOLATION_FITTED : INTERPOLATION_MIRRORED;
    out->shift = 0.0;
    gather_nodes(grid, &place, kappa_most, &box, &walls, at, floor, out);
    TRY(wave_fit_multipole(kappa_most, &walls, out->count, (const double(*)[3])at, floor, place.coordinate,
                           number, out->weight, &found, failure));
    if (misfit != NULL)
        *misfit = found;
    return 0;
}
