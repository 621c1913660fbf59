#include "kernels/drum/membrane.h"

#include <math.h>
#include <stdlib.h>

#define PI        3.14159265358979323846
#define ROW_MOST  8.0 /* a row of |L| */
#define RIM_LEAST 0.5 /* theta */

/* ---- made ---------------------------------------------------------------------------------------------- */

static int check_kind(const struct membrane_kind *kind, struct failure *failure)
{
    const struct {
        double value;
        const char *name, *unit;
        bool may_be_zero;
    } of[] = {{kind->radius, "radius", "m", false},
              {kind->tension, "tension", "N/m", false},
              {kind->density, "surface density", "kg/m2", false},
              {kind->loss, "loss", "1/s", true},
              {kind->high_loss, "high loss", "m2/s", true},
              {kind->stretch, "stretch", "N/m", true}};
    for (size_t n = 0; n < sizeof of / sizeof *of; ++n)
        if (!isfinite(of[n].value) || of[n].value < 0 || (of[n].value == 0 && !of[n].may_be_zero))
            return failure_set(failure, FAILURE_INPUT, "a membrane has a %s of %g %s: it must be %s",
                               of[n].name, of[n].value, of[n].unit,
                               of[n].may_be_zero ? "0 or more" : "above 0");
    return 0;
}

/* Distance of the rim from a place along an axis, in either direction [pitches]. */
static double to_rim(double along, double across, double radius, int way)
{
    const double half = radius * radius - across * across;
    return half <= 0 ? 0 : sqrt(half) - way * along;
}

/* True if there is a node at (x, y), in pitches from the centre. */
static bool is_node(double x, double y, double radius)
{
    for (int way = -1; way <= 1; way += 2)
        if (to_rim(x, y, radius, way) < RIM_LEAST || to_rim(y, x, radius, way) < RIM_LEAST)
            return false;
    return true;
}

static void lay_out(struct membrane *out)
{
    const double radius = out->kind.radius / out->pitch;
    out->nodes = 0;
    for (size_t place = 0; place < out->side * out->side; ++place) {
        const double x = (double)(place % out->side) - (double)out->middle,
                     y = (double)(place / out->side) - (double)out->middle;
        if (!is_node(x, y, radius))
            continue;
        out->node[out->nodes++] = (uint32_t)place;
        out->there[place] = 1;
        for (int way = -1; way <= 1; way += 2) {
            out->diagonal[place] += is_node(x + way, y, radius) ? 1 : 1 / to_rim(x, y, radius, way);
            out->diagonal[place] += is_node(x, y + way, radius) ? 1 : 1 / to_rim(y, x, radius, way);
        }
    }
}

/* Y / A */
static double stretch_over_area(const struct membrane_kind *kind)
{
    return kind->stretch / (PI * kind->radius * kind->radius);
}

static struct membrane_terms terms_of(const struct membrane *membrane)
{
    const struct membrane_kind *const kind = &membrane->kind;
    const double k = membrane->k, g2 = membrane->pitch * membrane->pitch;
    const double keep = 1 / (1 + kind->loss * k), b = 2 * kind->high_loss * k / g2 * keep;
    const double stretch = stretch_over_area(kind);
    return (struct membrane_terms){.now = 2 * keep,
                                   .old = (1 - kind->loss * k) * keep,
                                   .push = k * k / kind->density * keep,
                                   .a = kind->tension * k * k / (kind->density * g2) * keep + b,
                                   .b = b,
                                   .stretch = stretch,
                                   .c = stretch * k * k / (kind->density * g2) * keep,
                                   .k = k,
                                   .area = g2,
                                   .loss = kind->loss * g2,
                                   .high_loss = kind->high_loss,
                                   .lost = 2 * kind->density * k};
}

int membrane_make(const struct membrane_kind *kind, double k, double pitch, struct membrane *out,
                  struct failure *failure)
{
    TRY(check_kind(kind, failure));
    const double needed = ROW_MOST * (kind->tension * k * k / (4 * kind->density) + kind->high_loss * k);
    const double across = kind->radius / fmax(pitch, sqrt(needed / (1 - MEMBRANE_SLACK)));
    if (!(across >= MEMBRANE_NODES_LEAST) || !(across <= MEMBRANE_NODES_MOST))
        return failure_set(
            failure, FAILURE_INPUT,
            "a membrane of radius %.4g m, %.4g N/m and %.4g kg/m2 would have %.3g nodes across its radius "
            "with a time step of %.3g s, and can have %d to %d: %s",
            kind->radius, kind->tension, kind->density, across, k, MEMBRANE_NODES_LEAST, MEMBRANE_NODES_MOST,
            across < MEMBRANE_NODES_LEAST ? "take a finer grid, a shorter time step or less tension"
                                          : "take a coarser grid or more tension");
    const size_t half = (size_t)across, side = 2 * half + 3, places = side * side;
    *out = (struct membrane){
        .kind = *kind, .pitch = kind->radius / (double)half, .k = k, .side = side, .middle = half + 1};
    out->slack = 1 - needed / (out->pitch * out->pitch);
    out->node = calloc(places, sizeof *out->node);
    double **const array[] = {&out->there, &out->diagonal, &out->w,
                              &out->w_old, &out->w_older,  &out->pressure};
    bool whole = out->node != NULL;
    for (size_t n = 0; n < sizeof array / sizeof *array; ++n)
        whole = (*array[n] = calloc(places, sizeof **array[n])) != NULL && whole;
    if (!whole) {
        membrane_free(out);
        return failure_memory(failure, 6 * places * sizeof(double), "a membrane");
    }
    lay_out(out);
    out->terms = terms_of(out);
    return 0;
}

void membrane_free(struct membrane *membrane)
{
    free(membrane->node);
    free(membrane->there);
    free(membrane->diagonal);
    free(membrane->w);
    free(membrane->w_old);
    free(membrane->w_older);
    free(membrane->pressure);
    *membrane = (struct membrane){0};
}

/* ---- stepped ------------------------------------------------------------------------------------------- */

static inline double get_laplacian(const double *x, size_t side, double diagonal)
{
    return membrane_laplacian(x[-1], x[1], x[-(ptrdiff_t)side], x[side], diagonal, x[0]);
}

/* (L x) at a place. */
static double laplacian_at(const struct membrane *membrane, const double *x, size_t place)
{
    return get_laplacian(x + place, membrane->side, membrane->diagonal[place]);
}

/* Add c theta L w to the prediction p in `next`, and return theta. */
static double add_stretch(const struct membrane *membrane, double *next)
{
    double stretches[MEMBRANE_LANES] = {0}, square[MEMBRANE_LANES] = {0}; /* S(p) + S(w-); |L w|^2 */
    for (size_t n = 0; n < membrane->nodes; ++n) {
        const size_t at = membrane->node[n];
        const double bent = laplacian_at(membrane, membrane->w, at);
        stretches[n % MEMBRANE_LANES] -= (next[at] + membrane->w_old[at]) * bent;
        square[n % MEMBRANE_LANES] += bent * bent;
    }
    const double theta =
        membrane_theta(&membrane->terms, membrane_sum_lanes(stretches), membrane_sum_lanes(square));
    for (size_t n = 0; n < membrane->nodes; ++n)
        next[membrane->node[n]] +=
            membrane->terms.c * theta * laplacian_at(membrane, membrane->w, membrane->node[n]);
    return theta;
}

void membrane_step(struct membrane *membrane)
{
    const size_t side = membrane->side;
    const struct membrane_terms terms = membrane->terms;
    const double *const restrict w = membrane->w, *const restrict w_old = membrane->w_old,
                                 *const restrict there = membrane->there,
                                 *const restrict diagonal = membrane->diagonal,
                                 *const restrict pressure = membrane->pressure;
    double *const restrict next = membrane->w_older;
    for (size_t y = 1; y + 1 < side; ++y) {
        const size_t begin = y * side + 1, end = (y + 1) * side - 1;
        for (size_t n = begin; n < end; ++n)
            next[n] = there[n] * membrane_next(&terms, w[n], w_old[n], pressure[n],
                                               get_laplacian(w + n, side, diagonal[n]));
        for (size_t n = begin; terms.b > 0 && n < end; ++n)
            next[n] -= there[n] * (terms.b * get_laplacian(w_old + n, side, diagonal[n]));
    }
    if (terms.c > 0)
        membrane->rise = terms.stretch * add_stretch(membrane, next);
    membrane->w_older = membrane->w_old;
    membrane->w_old = membrane->w;
    membrane->w = next;
}

/* ---- figures ------------------------------------------------------------------------------------------- */

/* x' (-L) y over the nodes. */
static double sum_stretch(const struct membrane *membrane, const double *x, const double *y)
{
    double sum = 0;
    for (size_t n = 0; n < membrane->nodes; ++n)
        sum -= x[membrane->node[n]] * laplacian_at(membrane, y, membrane->node[n]);
    return sum;
}

double membrane_at(const struct membrane *membrane, double x, double y)
{
    const double at[2] = {x / membrane->pitch + (double)membrane->middle,
                          y / membrane->pitch + (double)membrane->middle};
    const double most = (double)membrane->side - 1;
    if (!(at[0] >= 0 && at[1] >= 0 && at[0] < most && at[1] < most))
        return 0;
    const double *const w = membrane->w + (size_t)at[1] * membrane->side + (size_t)at[0];
    const double right = at[0] - floor(at[0]), up = at[1] - floor(at[1]);
    return (1 - up) * ((1 - right) * w[0] + right * w[1]) +
           up * ((1 - right) * w[membrane->side] + right * w[membrane->side + 1]);
}

double membrane_energy(const struct membrane *membrane)
{
    const struct membrane_kind *const kind = &membrane->kind;
    const double k = membrane->k, g2 = membrane->pitch * membrane->pitch;
    const double *const w = membrane->w, *const w_old = membrane->w_old;
    double moving = 0;
    for (size_t n = 0; n < membrane->nodes; ++n) {
        const double v = membrane_speed(membrane, membrane->node[n]);
        moving += v * v;
    }
    const double stretch = sum_stretch(membrane, w, w_old);
    const double high =
        sum_stretch(membrane, w, w) - 2 * stretch + sum_stretch(membrane, w_old, w_old); /* k^2 v'(-L)v */
    return kind->density * g2 / 2 * moving +
           (kind->tension / 2 + stretch_over_area(kind) / 4 * stretch) * stretch -
           kind->density * kind->high_loss / (2 * k) * high;
}

double membrane_lost(const struct membrane *membrane)
{
    const double *const w = membrane->w, *const w_older = membrane->w_older;
    double sum[MEMBRANE_LANES] = {0};
    for (size_t n = 0; n < membrane->nodes; ++n) {
        const size_t at = membrane->node[n];
        sum[n % MEMBRANE_LANES] +=
            membrane_loss(&membrane->terms, w[at] - w_older[at],
                          laplacian_at(membrane, w, at) - laplacian_at(membrane, w_older, at));
    }
    return membrane->terms.lost * membrane_sum_lanes(sum);
}

double membrane_gained(const struct membrane *membrane)
{
    double sum = 0;
    for (size_t n = 0; n < membrane->nodes; ++n) {
        const size_t at = membrane->node[n];
        sum += membrane->pressure[at] * (membrane->w[at] - membrane->w_older[at]) / 2;
    }
    return membrane->pitch * membrane->pitch * sum;
}
