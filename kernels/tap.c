#include "kernels/tap.h"

#include <math.h>

/* A position this close to a lattice plane [h] may be counted to the cell on either side: the voxeliser
 * decides cells on the sub-lattice, and its base node is believed. */
#define CELL_TOLERANCE (1.0 / LATTICE_SUBSTEPS)

/* Along each axis: the first node of the stencil, how many, and their weights. */
struct stencil {
    int64_t first[3];
    int count[3];
    double weight[3][4];
};

/* Lower corner of the cell that holds `coordinate` and has `base` as a corner, and where in the cell it lies.
 */
static bool find_cell(const double coordinate[3], const int64_t base[3], int64_t low[3], double fraction[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        /* The range is checked before the conversion to integer, which a NaN would not survive. */
        if (!(fabs(coordinate[axis] - (double)base[axis]) <= 1.0 + CELL_TOLERANCE))
            return false;
        low[axis] = (int64_t)floor(coordinate[axis]);
        if (base[axis] < low[axis])
            low[axis] = base[axis];
        if (base[axis] > low[axis] + 1)
            low[axis] = base[axis] - 1;
        fraction[axis] = fmin(1.0, fmax(0.0, coordinate[axis] - (double)low[axis]));
    }
    return true;
}

/* Nodes whose weight is exactly 0 are left out, so a position on a node needs that node only. */
static struct stencil make_stencil(const int64_t low[3], const double fraction[3], const int64_t base[3],
                                   enum interpolation interpolation)
{
    struct stencil s;
    for (int axis = 0; axis < 3; ++axis) {
        const double t = fraction[axis];
        if ((t == 0.0 && base[axis] == low[axis]) || (t == 1.0 && base[axis] == low[axis] + 1)) {
            s.first[axis] = base[axis];
            s.count[axis] = 1;
            s.weight[axis][0] = 1.0;
        } else if (interpolation == INTERPOLATION_LINEAR) {
            s.first[axis] = low[axis];
            s.count[axis] = 2;
            s.weight[axis][0] = 1.0 - t;
            s.weight[axis][1] = t;
        } else {
            s.first[axis] = low[axis] - 1;
            s.count[axis] = 4;
            s.weight[axis][0] = -t * (t - 1.0) * (t - 2.0) / 6.0;
            s.weight[axis][1] = (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0;
            s.weight[axis][2] = -(t + 1.0) * t * (t - 2.0) / 2.0;
            s.weight[axis][3] = (t + 1.0) * t * (t - 1.0) / 6.0;
        }
    }
    return s;
}

static unsigned stencil_size(const struct stencil *s)
{
    return (unsigned)(s->count[0] * s->count[1] * s->count[2]);
}

/* Node n of the stencil, x fastest; its place along each axis goes to `at`. */
static void stencil_node(const struct stencil *s, unsigned n, int at[3], int64_t node[3])
{
    at[0] = (int)n % s->count[0];
    at[1] = (int)n / s->count[0] % s->count[1];
    at[2] = (int)n / (s->count[0] * s->count[1]);
    for (int axis = 0; axis < 3; ++axis)
        node[axis] = s->first[axis] + at[axis];
}

/* Which nodes of the stencil does `base` reach over uncut links that stay inside it? Sets the bits of
 * `reached`. Sweeps until nothing changes: at most 64 nodes. Returns false when any link inside is cut. */
static bool join(const struct block_grid *grid, const struct stencil *s, const int64_t base[3],
                 uint64_t *reached)
{
    const unsigned size = stencil_size(s);
    const int stride[3] = {1, s->count[0], s->count[0] * s->count[1]};
    uint8_t links[TAP_NODES_MAX];
    uint64_t joined = 0;
    bool all_uncut = true;
    for (unsigned n = 0; n < size; ++n) {
        int at[3];
        int64_t node[3];
        stencil_node(s, n, at, node);
        links[n] = block_grid_links(grid, node);
        if (node[0] == base[0] && node[1] == base[1] && node[2] == base[2])
            joined |= UINT64_C(1) << n;
        for (int axis = 0; axis < 3; ++axis)
            if (at[axis] + 1 < s->count[axis] && !(links[n] >> (2 * axis + 1) & 1))
                all_uncut = false;
    }
    uint64_t before;
    do {
        before = joined;
        for (unsigned n = 0; n < size; ++n) {
            if (!(joined >> n & 1))
                continue;
            int at[3];
            int64_t node[3];
            stencil_node(s, n, at, node);
            for (int axis = 0; axis < 3; ++axis) {
                if (at[axis] > 0 && (links[n] >> (2 * axis) & 1))
                    joined |= UINT64_C(1) << (n - (unsigned)stride[axis]);
                if (at[axis] + 1 < s->count[axis] && (links[n] >> (2 * axis + 1) & 1))
                    joined |= UINT64_C(1) << (n + (unsigned)stride[axis]);
            }
        }
    } while (joined != before);
    *reached = joined;
    return all_uncut;
}

static void fill_tap(const struct stencil *s, uint64_t reached, const int64_t base[3], struct tap *tap)
{
    double sum = 0.0;
    tap->count = 0;
    for (unsigned n = 0; n < stencil_size(s); ++n) {
        int at[3];
        if (!(reached >> n & 1))
            continue;
        int64_t *node = tap->node[tap->count];
        stencil_node(s, n, at, node);
        const double weight = s->weight[0][at[0]] * s->weight[1][at[1]] * s->weight[2][at[2]];
        tap->weight[tap->count++] = weight;
        sum += weight;
    }
    /* A position on the far side of its cell from the only corners it is joined to: nothing sensible to
     * rescale. */
    if (!(sum > 1e-6)) {
        tap->count = 1;
        for (int axis = 0; axis < 3; ++axis)
            tap->node[0][axis] = base[axis];
        tap->weight[0] = sum = 1.0;
    }
    if (reached != (UINT64_MAX >> (64u - stencil_size(s))))
        for (unsigned n = 0; n < tap->count; ++n)
            tap->weight[n] /= sum;
}

int tap_make(const struct block_grid *grid, const double position[3], const int64_t base[3],
             enum interpolation wanted, struct tap *out, struct failure *failure)
{
    double coordinate[3], fraction[3];
    int64_t low[3];
    lattice_coordinate(&grid->lattice, position, coordinate);
    if (!find_cell(coordinate, base, low, fraction))
        return failure_set(
            failure, FAILURE_INPUT,
            "the node (%lld,%lld,%lld) is no corner of the cell that holds (%.4f, %.4f, %.4f) m",
            (long long)base[0], (long long)base[1], (long long)base[2], position[0], position[1],
            position[2]);
    if (block_grid_links(grid, base) == 0)
        return failure_set(
            failure, FAILURE_INPUT,
            "the node (%lld,%lld,%lld) at (%.4f, %.4f, %.4f) m is not air: a source or receiver must "
            "stand in air",
            (long long)base[0], (long long)base[1], (long long)base[2], position[0], position[1],
            position[2]);

    uint64_t reached = 0;
    struct stencil stencil = make_stencil(low, fraction, base, wanted);
    const bool uncut = join(grid, &stencil, base, &reached);
    out->used = wanted;
    if (wanted == INTERPOLATION_CUBIC && !uncut) {
        stencil = make_stencil(low, fraction, base, INTERPOLATION_LINEAR);
        (void)join(grid, &stencil, base, &reached);
        out->used = INTERPOLATION_LINEAR;
    }
    fill_tap(&stencil, reached, base, out);

    double shift2 = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double away = 0.0;
        for (unsigned n = 0; n < out->count; ++n)
            away += out->weight[n] * ((double)out->node[n][axis] - coordinate[axis]);
        shift2 += away * away;
    }
    out->shift = sqrt(shift2) * grid->lattice.spacing;
    return 0;
}

bool tap_touches_wall(const struct block_grid *grid, const struct tap *tap)
{
    for (unsigned k = 0; k < tap->count; k++)
        if (block_grid_links(grid, tap->node[k]) != BLOCK_LINKS_ALL)
            return true;
    return false;
}
