/* Pressure and velocity on a staggered grid (Botteldooren, J. Acoust. Soc. Am. 98, 1995) give the pressures
 * of the 7-point scheme. With V = rho c v, out of a node through each of its faces,
 *
 *   V^{n+1/2} = V^{n-1/2} - lambda (p_j - p_i)                          a link
 *   p^{n+1}   = p^n - lambda [sum of V^{n+1/2} + w (p^{n+1} + p^n)/2]    w = sum of s g over the node's walls
 *
 * The difference of two such steps has no V: p+ - 2p + p- = lambda^2 L p - (lambda w / 2) (p+ - p-), which is
 * scheme.h's. What is left between the two programs is rounding.
 *
 * Bound: let a step of either miss by e at a node. An error that enters the recursion at one step moves a
 * mode of frequency omega by sin(m omega T) / sin(omega T) <= m of itself m steps later, and walls only take
 * from it, so the root of the mean square over nodes is at most e N (N + 1) / 2 after N steps. With M the
 * largest pressure or velocity and eps twice what a rounding may miss of a number, the engine's differences
 * (six of 2 M at most), their sums (three of 4 M, one of 8 M, one of 12 M) cost 22 eps M lambda^2, the rest 3
 * eps M; the staggered step's five sums and two products no more: e = 2 (22/3 + 3) eps M.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/lossy_room.h"

#define STEPS 200
#define SIZE  34 /* of the cross's box, nodes: no multiple of a block's edge, and its corner not on one */
#define ARM   11

struct staggered {
    double *p, *velocity[3]; /* by array place; velocity[d] on the link to the next node along d */
};

/* Three bars that cross; a link in fifty is a thin wall. Materials, open faces and slopes of chance. */
static struct lossy_room *cross_room(void)
{
    const int64_t low[3] = {3, -5, 6};
    struct lossy_room *room = room_blank(SIZE, SIZE, SIZE, low);
    uint8_t *const air = malloc(room_size(room));
    uint64_t random = 23;
    cr_assert(air != NULL);
    room->seed = 5;
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        int within = 0;
        room_node(room, n, node);
        for (int d = 0; d < 3; ++d)
            within += llabs(2 * (node[d] - low[d]) - (SIZE - 1)) < ARM;
        air[n] = within >= 2;
    }
    room_join(room, air, 0.02, &random);
    free(air);
    room_finish(room);
    return room;
}

static double *values(const struct lossy_room *room)
{
    double *const found = calloc(room_size(room), sizeof *found);
    cr_assert(found != NULL);
    return found;
}

/* Returns the largest number of the step. */
static double step(const struct lossy_room *room, const double *wall, double lambda, struct staggered *s)
{
    double largest = 0.0;
    for (size_t n = 0; n < room_size(room); ++n)
        for (int d = 0; d < 3; ++d)
            if (room->link[n] >> (2 * d + 1) & 1)
                s->velocity[d][n] -= lambda * (s->p[n + room_stride(room, d)] - s->p[n]);
    for (size_t n = 0; n < room_size(room); ++n) {
        double out = 0.0;
        for (int d = 0; d < 3; ++d) {
            const double to = room->link[n] >> (2 * d + 1) & 1 ? s->velocity[d][n] : 0.0;
            const double from = room->link[n] >> 2 * d & 1 ? s->velocity[d][n - room_stride(room, d)] : 0.0;
            out += to - from;
            largest = fmax(largest, fabs(to));
        }
        const double kappa = 0.5 * lambda * wall[n];
        s->p[n] = ((1.0 - kappa) * s->p[n] - lambda * out) / (1.0 + kappa);
        largest = fmax(largest, fabs(s->p[n]));
    }
    return largest;
}

/* Both from pressures and velocities of chance. */
static void compare(const struct lossy_room *room, enum layout layout)
{
    const struct engine_options options = {layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    const double courant = room_step(room, 0.0).courant;
    struct engine *const engine = room_engine(room, 0.0, &options);
    struct staggered s = {values(room), {values(room), values(room), values(room)}};
    double *const wall = values(room);
    uint64_t random = 1;
    int64_t node[3];
    for (size_t n = 0; room_air(room, &n, node); ++n) {
        wall[n] = room_wall_sum(room, n);
        s.p[n] = test_uniform(&random, -1.0, 1.0);
        for (int d = 0; d < 3; ++d)
            s.velocity[d][n] = test_uniform(&random, -1.0, 1.0);
        engine_set(engine, 1, node, s.p[n]);
    }
    double largest = step(room, wall, courant, &s);
    for (size_t n = 0; room_air(room, &n, node); ++n)
        engine_set(engine, 0, node, s.p[n]);
    double square = 0.0, size = 0.0, nodes = 0.0;
    for (int t = 0; t < STEPS; ++t) {
        largest = fmax(largest, step(room, wall, courant, &s));
        engine_run(engine, 1, NULL, NULL);
    }
    for (size_t n = 0; room_air(room, &n, node); ++n) {
        square += pow(engine_get(engine, 0, node) - s.p[n], 2.0);
        size += s.p[n] * s.p[n];
        ++nodes;
    }
    const double bound = 0.5 * STEPS * (STEPS + 1.0) * 2.0 * (22.0 / 3.0 + 3.0) * largest * DBL_EPSILON;
    (void)fprintf(stderr, "%s: %.0f nodes, %d steps, rms %.3f, difference %.1e rms, bound %.1e\n",
                  layout == LAYOUT_BOX ? "box" : "blocks", nodes, STEPS, sqrt(size / nodes),
                  sqrt(square / nodes), bound);
    cr_assert(size > 1e-4 * nodes && sqrt(square / nodes) <= bound);
    engine_free(engine);
    free(s.p);
    for (int d = 0; d < 3; ++d)
        free(s.velocity[d]);
    free(wall);
}

Test(staggered_grid, pressures_are_those_of_the_seven_point_scheme_to_rounding)
{
    struct lossy_room *const room = cross_room();
    for (int layout = 0; layout < 2; ++layout)
        compare(room, (enum layout)layout);
    room_free(room);
}
