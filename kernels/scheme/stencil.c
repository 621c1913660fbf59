#include "kernels/scheme/stencil.h"

#include <math.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "blocks/sheets/sheet_links.h"

/* A gradient this close to a node [h] is taken symmetrically about it. */
#define NODE_TOLERANCE 1e-6

/* Along each axis: the first node of the product, how many, and their weights. */
struct product {
    int64_t first[3];
    int count[3];
    double weight[3][5];
};

#define PRODUCT_MAX 80 /* 5 x 4 x 4, of which the middle 16 have weight 0 */

/* Nodes whose weight is exactly 0 are left out, so a position on a node needs that node only. */
static struct product make_product(const int64_t low[3], const double fraction[3], const int64_t base[3],
                                   enum interpolation interpolation)
{
    struct product s;
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

static unsigned product_size(const struct product *s)
{
    return (unsigned)(s->count[0] * s->count[1] * s->count[2]);
}

/* Node n of the product, x fastest; its place along each axis goes to `at`. */
static void product_node(const struct product *s, unsigned n, int at[3], int64_t node[3])
{
    at[0] = (int)n % s->count[0];
    at[1] = (int)n / s->count[0] % s->count[1];
    at[2] = (int)n / (s->count[0] * s->count[1]);
    for (int axis = 0; axis < 3; ++axis)
        node[axis] = s->first[axis] + at[axis];
}

/* Find the nodes of the stencil that `base` reaches over uncut links inside it, by sweeps until nothing
 * changes. Returns false when any link inside is cut. */
static bool join_nodes(const struct block_grid *grid, const struct product *s, const int64_t base[3],
                       bool reached[PRODUCT_MAX])
{
    const unsigned size = product_size(s);
    const int stride[3] = {1, s->count[0], s->count[0] * s->count[1]};
    uint8_t links[PRODUCT_MAX];
    bool all_uncut = true;
    for (unsigned n = 0; n < size; ++n) {
        int at[3];
        int64_t node[3];
        product_node(s, n, at, node);
        links[n] = sheet_links_past(grid, node);
        reached[n] = node[0] == base[0] && node[1] == base[1] && node[2] == base[2];
        for (int axis = 0; axis < 3; ++axis)
            if (at[axis] + 1 < s->count[axis] && !(links[n] >> (2 * axis + 1) & 1))
                all_uncut = false;
    }
    bool grows = true;
    while (grows) {
        grows = false;
        for (unsigned n = 0; n < size; ++n) {
            int at[3];
            int64_t node[3];
            product_node(s, n, at, node);
            for (int d = 0; reached[n] && d < 6; ++d) {
                const int axis = d / 2, to = at[axis] + (d % 2 == 1 ? 1 : -1);
                if (to < 0 || to >= s->count[axis] || !(links[n] >> d & 1))
                    continue;
                const unsigned next = n + (unsigned)((to - at[axis]) * stride[axis]);
                grows = grows || !reached[next];
                reached[next] = true;
            }
        }
    }
    return all_uncut;
}

static void hold_node(const int64_t node[3], double weight, struct stencil *stencil)
{
    stencil->count = 1;
    for (int axis = 0; axis < 3; ++axis)
        stencil->node[0][axis] = node[axis];
    stencil->weight[0] = weight;
}

static void fill_stencil(const struct product *s, const bool reached[PRODUCT_MAX], const int64_t base[3],
                         struct stencil *stencil)
{
    double sum = 0.0;
    bool all = true;
    stencil->count = 0;
    for (unsigned n = 0; n < product_size(s); ++n) {
        int at[3];
        all = all && reached[n];
        if (!reached[n])
            continue;
        int64_t *node = stencil->node[stencil->count];
        product_node(s, n, at, node);
        const double weight = s->weight[0][at[0]] * s->weight[1][at[1]] * s->weight[2][at[2]];
        stencil->weight[stencil->count++] = weight;
        sum += weight;
    }
    /* The position is on the far side of its cell from the only corners that it is joined to: rescaling is
     * pointless. */
    if (!(sum > 1e-6)) {
        hold_node(base, 1.0, stencil);
        return;
    }
    if (!all)
        for (unsigned n = 0; n < stencil->count; ++n)
            stencil->weight[n] /= sum;
}

int stencil_make(const struct block_grid *grid, const double position[3], const int64_t asked[3],
                 enum interpolation wanted, struct stencil *out, struct failure *failure)
{
    struct stencil_place place;
    TRY(stencil_place_find(grid, position, asked, &place, failure));

    bool reached[PRODUCT_MAX];
    struct product product = make_product(place.low, place.fraction, place.base, wanted);
    const bool uncut = join_nodes(grid, &product, place.base, reached);
    out->used = wanted;
    if (wanted == INTERPOLATION_CUBIC && !uncut) {
        product = make_product(place.low, place.fraction, place.base, INTERPOLATION_LINEAR);
        (void)join_nodes(grid, &product, place.base, reached);
        out->used = INTERPOLATION_LINEAR;
    }
    fill_stencil(&product, reached, place.base, out);

    double shift2 = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double away = 0.0;
        for (unsigned n = 0; n < out->count; ++n)
            away += out->weight[n] * ((double)out->node[n][axis] - place.coordinate[axis]);
        shift2 += away * away;
    }
    out->shift = sqrt(shift2) * grid->lattice.spacing;
    return 0;
}

/* Along `axis` the derivative [1/h] in place of the value. */
static void differentiate_line(double t, int64_t low, int axis, struct product *s)
{
    static const double on_node[5] = {1.0 / 16.0, -10.0 / 16.0, 0.0, 10.0 / 16.0, -1.0 / 16.0};
    double *const weight = s->weight[axis];
    if (t < NODE_TOLERANCE || t > 1.0 - NODE_TOLERANCE) {
        s->first[axis] = low + (t > 0.5) - 2;
        s->count[axis] = 5;
        for (int n = 0; n < 5; ++n)
            weight[n] = on_node[n];
        return;
    }
    /* Lagrange's weights of the links at -1/2, 1/2 and 3/2. */
    const double link[3] = {0.5 * (t - 0.5) * (t - 1.5), -(t + 0.5) * (t - 1.5), 0.5 * (t + 0.5) * (t - 0.5)};
    s->first[axis] = low - 1;
    s->count[axis] = 4;
    weight[0] = -link[0];
    weight[1] = link[0] - link[1];
    weight[2] = link[1] - link[2];
    weight[3] = link[2];
}

/* Nodes with a weight, times `scale`; if there are none, `base` with weight 0. */
static void fill_gradient(const struct product *s, const double *weight, double scale, const int64_t base[3],
                          struct stencil *stencil)
{
    stencil->count = 0;
    for (unsigned n = 0; n < product_size(s); ++n) {
        int at[3];
        int64_t node[3];
        if (weight[n] == 0.0)
            continue;
        product_node(s, n, at, node);
        for (int axis = 0; axis < 3; ++axis)
            stencil->node[stencil->count][axis] = node[axis];
        stencil->weight[stencil->count++] = weight[n] * scale;
    }
    if (stencil->count == 0)
        hold_node(base, 0.0, stencil);
}

/* Four rows of links or fewer run along the axis through the corners of the cell. In each there are the link
 * of the cell and the one beyond the corner that is nearer; between their middles the difference is linear,
 * and 0 where the link is cut. Rows of which `base` reaches neither corner within the cell count for nothing.
 * Air moves through a sheet: if one is on either link, the slope is that of the next link without one on that
 * side.
 */
static void fill_gradient_at_wall(const struct block_grid *grid, const int64_t low[3],
                                  const double fraction[3], const int64_t base[3], int axis,
                                  struct stencil *stencil)
{
    const bool nearer = fraction[axis] < 0.5; /* the link beyond is that below the cell */
    const double within = nearer ? 0.5 + fraction[axis] : 1.5 - fraction[axis];
    struct product cell = make_product(low, fraction, base, INTERPOLATION_LINEAR);
    cell.first[axis] = low[axis];
    cell.count[axis] = 2;
    cell.weight[axis][0] = cell.weight[axis][1] = 1.0;
    struct product box = cell;
    box.first[axis] = low[axis] - 1;
    box.count[axis] = 4;
    const unsigned step = axis == 0 ? 1u : (unsigned)(axis == 1 ? box.count[0] : box.count[0] * box.count[1]);
    const unsigned across =
        axis == 0 ? 1u : (unsigned)(axis == 1 ? cell.count[0] : cell.count[0] * cell.count[1]);
    bool reached[PRODUCT_MAX];
    (void)join_nodes(grid, &cell, base, reached);

    double weight[PRODUCT_MAX] = {0.0}, sum = 0.0;
    for (unsigned n = 0; n < product_size(&cell); ++n) {
        int at[3];
        int64_t node[3], upper[3];
        product_node(&cell, n, at, node);
        if (at[axis] != 0 || !(reached[n] || reached[n + across]))
            continue;
        const double share = cell.weight[0][at[0]] * cell.weight[1][at[1]] * cell.weight[2][at[2]];
        for (int d = 0; d < 3; ++d)
            upper[d] = node[d] + (d == axis);
        const enum direction towards = (enum direction)(2 * axis + 1), back = (enum direction)(2 * axis);
        const bool crossed = sheet_link_at(grid, node, towards) != NULL,
                   below = crossed ? reached[n] : nearer;
        const bool stops =
            below ? sheet_link_at(grid, node, back) != NULL : sheet_link_at(grid, upper, towards) != NULL;
        const double inner = crossed ? 0.0 : stops ? 1.0 : within;
        /* In the box: the node below the link of the cell, and the one below the link beyond. */
        const unsigned lower = (unsigned)(at[0] + box.count[0] * (at[1] + box.count[1] * at[2])) + step,
                       beyond = below ? lower - step : lower + step;
        const unsigned up = 1u << towards, down = 1u << back;
        sum += share;
        if (reached[n] && reached[n + across] && (block_grid_links(grid, node) & up)) {
            weight[lower] -= share * inner;
            weight[lower + step] += share * inner;
        }
        if (!stops && (below ? reached[n] && (block_grid_links(grid, node) & down)
                             : reached[n + across] && (block_grid_links(grid, upper) & up))) {
            weight[beyond] -= share * (1.0 - inner);
            weight[beyond + step] += share * (1.0 - inner);
        }
    }
    fill_gradient(&box, weight, sum > 1e-6 ? 1.0 / (sum * grid->lattice.spacing) : 0.0, base, stencil);
}

int stencil_make_gradient(const struct block_grid *grid, const double position[3], const int64_t asked[3],
                          enum interpolation wanted, int axis, struct stencil *out, struct failure *failure)
{
    struct stencil_place place;
    bool reached[PRODUCT_MAX];
    TRY(stencil_place_find(grid, position, asked, &place, failure));
    struct product product = make_product(place.low, place.fraction, place.base, wanted);
    differentiate_line(place.fraction[axis], place.low[axis], axis, &product);
    out->shift = 0.0;
    out->used = INTERPOLATION_LINEAR;
    if (wanted == INTERPOLATION_LINEAR || !join_nodes(grid, &product, place.base, reached)) {
        fill_gradient_at_wall(grid, place.low, place.fraction, place.base, axis, out);
        return 0;
    }
    double weight[PRODUCT_MAX];
    for (unsigned n = 0; n < product_size(&product); ++n) {
        int at[3];
        int64_t node[3];
        product_node(&product, n, at, node);
        weight[n] = product.weight[0][at[0]] * product.weight[1][at[1]] * product.weight[2][at[2]];
    }
    out->used = wanted;
    fill_gradient(&product, weight, 1.0 / grid->lattice.spacing, place.base, out);
    return 0;
}

const char *stencil_interpolation(enum interpolation interpolation)
{
    static const char *const name[] = {[INTERPOLATION_CUBIC] = "cubic",
                                       [INTERPOLATION_LINEAR] = "linear",
                                       [INTERPOLATION_FITTED] = "fitted",
                                       [INTERPOLATION_MIRRORED] = "mirrored"};
    return name[interpolation];
}

double stencil_push(const struct block_grid *grid, const struct stencil *stencil)
{
    double sum = 0.0;
    for (unsigned k = 0; k < stencil->count; k++) {
        const uint64_t index = block_grid_index(grid, stencil->node[k]);
        const block_id b = (block_id)(index / BLOCK_NODES);
        const unsigned slot = (unsigned)(index % BLOCK_NODES);
        const bool cut =
            grid->has_records && grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63u) & 1u;
        const double mass = cut ? cut_mass(grid, block_cut_record(grid, b, slot)) : 1.0;
        sum += stencil->weight[k] * stencil->weight[k] / mass;
    }
    return sqrt(sum);
}

bool stencil_touches_wall(const struct block_grid *grid, const struct stencil *stencil)
{
    for (unsigned k = 0; k < stencil->count; k++) {
        const uint64_t index = block_grid_index(grid, stencil->node[k]);
        const unsigned slot = (unsigned)(index % BLOCK_NODES);
        if (grid->has_records
                ? grid->marks[grid->block[index / BLOCK_NODES].tile].wall[slot >> 6] >> (slot & 63u) & 1u
                : block_grid_links(grid, stencil->node[k]) != BLOCK_LINKS_ALL)
            return true;
    }
    return false;
}
