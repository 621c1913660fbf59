/* The schemes of the literature, as kernels/ladder/bench_peers.c compares them. */
#include <math.h>

#include "blocks/cut_masses.h"
#include "kernels/ladder/peer_room.h"
#include "rooms/shapes/seed_shape.h"
#include "tests/support/lossy_room.h"
#include "tests/support/voxel_room.h"

#define PI 3.14159265358979323846

/* ---- rooms ---- */

static struct block_grid grid_of(struct voxels *voxels)
{
    struct block_grid grid = {0};
    MUST(block_grid_pack(voxels, &grid, &failure));
    MUST(block_grid_widen(&grid, &failure));
    voxels_free(voxels);
    return grid;
}

/* Speckle, cut links and open air. */
static struct block_grid random_grid(uint64_t seed)
{
    struct voxel_room room = voxel_room_make(seed);
    struct voxels voxels = voxel_room_voxels(&room);
    voxel_room_free(&room);
    return grid_of(&voxels);
}

/* The same with masses for the isotropic scheme, and the lambda^2 at which a scheme is stable there. */
static struct block_grid grid_for(uint64_t seed, int scheme, double *lambda2)
{
    struct block_grid grid = random_grid(seed);
    struct cut_masses masses;
    *lambda2 = peer_scheme[scheme].lambda2;
    if (scheme == PEER_19) {
        *lambda2 = 0.6;
        MUST(cut_masses_make(&grid, *lambda2, &masses, &failure));
    }
    return grid;
}

/* An empty box, aligned with no block. */
static struct block_grid box_grid_of(const int64_t nodes[3])
{
    const size_t count = (size_t)(nodes[0] * nodes[1] * nodes[2]);
    uint8_t *links = malloc(count);
    cr_assert(links != NULL);
    memset(links, BLOCK_LINKS_ALL, count);
    struct voxels voxels = link_voxels((int64_t[3]){-5, 3, 6}, nodes, links, NULL, NULL, NULL);
    free(links);
    return grid_of(&voxels);
}

static struct peer_room room_on(const struct block_grid *grid, int scheme, double lambda2)
{
    struct peer_room room = {0};
    MUST(peer_room_create(grid, &peer_scheme[scheme], lambda2, &room, &failure));
    return room;
}

/* ---- fields in double precision, one value a slot of the room, block 0 among them ---- */

static size_t length_of(const struct peer_room *room)
{
    return ((size_t)room->blocks + 1) * BLOCK_NODES;
}

static double *field(const struct peer_room *room)
{
    double *const values = calloc(length_of(room), sizeof *values);
    cr_assert(values != NULL);
    return values;
}

static void fill_random(const struct peer_room *room, uint64_t seed, double *u)
{
    block_id b;
    unsigned slot;
    for (size_t n = BLOCK_NODES; n < length_of(room); ++n)
        u[n] = peer_grid_node(room, n / BLOCK_NODES, n % BLOCK_NODES, &b, &slot) ? test_uniform(&seed, -1, 1)
                                                                                 : 0;
}

static void step(peer_step_function *const *steps, const struct peer_room *room, const double *u,
                 double *u_old)
{
    steps[PRECISION_DOUBLE](room, u, u_old, 1, (uint64_t)room->blocks + 1);
}

/* -lambda^2 M^-1 K u, from a step out of rest. */
static void apply(peer_step_function *const *steps, const struct peer_room *room, const double *u,
                  double *out)
{
    memcpy(out, u, length_of(room) * sizeof *out);
    step(steps, room, u, out);
    for (size_t n = 0; n < length_of(room); ++n)
        out[n] -= u[n];
}

/* <a, M b>, M the masses of the nodes. */
static double product(const struct peer_room *room, const double *a, const double *b)
{
    double sum = 0;
    block_id at;
    unsigned slot;
    for (size_t n = BLOCK_NODES; n < length_of(room); ++n)
        if (peer_grid_node(room, n / BLOCK_NODES, n % BLOCK_NODES, &at, &slot))
            sum += a[n] * b[n] * room->lambda2 / (room->scheme->parts * peer_gain(room, at, slot));
    return sum;
}

/* ---- symbols ---- */

Test(peers, every_symbol_is_k_squared_and_its_greatest_value_sets_the_limit)
{
    for (int s = 0; s < PEER_SCHEMES; ++s) {
        uint64_t random = 1;
        double most = 0;
        for (int trial = 0; trial < 200; ++trial) {
            double k[3], square = 0;
            for (int axis = 0; axis < 3; ++axis) {
                k[axis] = test_uniform(&random, -1e-2, 1e-2);
                square += k[axis] * k[axis];
            }
            cr_assert(test_near(peer_symbol(&peer_scheme[s], k), square, 0.12 * square * square));
        }
        for (int z = 0; z <= 16; ++z)
            for (int y = 0; y <= 16; ++y)
                for (int x = 0; x <= 16; ++x)
                    most = fmax(most, peer_symbol(&peer_scheme[s],
                                                  (double[3]){x * PI / 16, y * PI / 16, z * PI / 16}));
        cr_assert(test_near(peer_scheme[s].lambda2 * most, 4, 1e-12), "%s: %.17g", peer_scheme[s].name,
                  peer_scheme[s].lambda2 * most);
    }
}

/* Points a wavelength of the literature and of papers of ours: phase errors of .5, 1, 2 %, plain and warped.
 */
Test(peers, points_needed_are_those_of_the_literature)
{
    static const struct {
        int scheme;
        double plain[3], warped[3];
    } known[] = {
        {PEER_7, {14.8, 10.5, 7.5}, {10.6, 7.6, 5.5}},    {PEER_13, {10.7, 7.65, 5.6}, {7.7, 5.66, 4.3}},
        {PEER_19, {9.2, 6.6, 4.8}, {3.54, 3.08, 2.72}},   {PEER_27, {10.5, 7.4, 5.3}, {7.5, 5.4, 3.9}},
        {PEER_LEGGY_2, {9.0, 6.3, 4.4}, {5.1, 4.3, 3.6}}, {PEER_LEGGY_3, {8.6, 6.1, 4.4}, {3.9, 3.45, 3.0}},
        {PEER_LEGGY_4, {8.3, 5.9, 4.2}, {3.4, 3.1, 2.8}}};
    static const double error[3] = {0.005, 0.01, 0.02};
    for (size_t n = 0; n < sizeof known / sizeof *known; ++n)
        for (int e = 0; e < 3; ++e) {
            const struct peer_scheme *const scheme = &peer_scheme[known[n].scheme];
            const double plain = peer_points(scheme, scheme->lambda2, error[e], false);
            const double warped = peer_points(scheme, scheme->lambda2, error[e], true);
            cr_assert(test_near(plain, known[n].plain[e], 0.06), "%s: %g", scheme->name, plain);
            cr_assert(test_near(warped, known[n].warped[e], 0.06), "%s: %g", scheme->name, warped);
        }
}

/* ---- steps ---- */

/* u+ - 2u + u- of a plane wave is -lambda^2 F(k) u wherever all offsets are there. */
Test(peers, plane_waves_obey_the_symbol)
{
    const int64_t nodes[3] = {33, 29, 31};
    struct block_grid grid = box_grid_of(nodes);
    uint64_t random = 7;
    for (int s = 0; s < PEER_SCHEMES; ++s) {
        struct peer_room room = room_on(&grid, s, peer_scheme[s].lambda2);
        double *const u = field(&room), *const old = field(&room), *const kept = field(&room);
        peer_step_function *const *const loops[] = {peer_reference, peer_portable, peer_fastest()};
        for (int trial = 0; trial < 12; ++trial) {
            double k[3];
            for (int axis = 0; axis < 3; ++axis)
                k[axis] = test_uniform(&random, -PI, PI);
            const double phase = test_uniform(&random, 0, 2 * PI), before = test_uniform(&random, 0, 2 * PI);
            for (size_t n = BLOCK_NODES; n < length_of(&room); ++n) {
                block_id b;
                unsigned slot;
                int64_t node[3];
                if (!peer_grid_node(&room, n / BLOCK_NODES, n % BLOCK_NODES, &b, &slot))
                    continue;
                block_node(&grid.block[b], slot, node);
                const double at = k[0] * (double)node[0] + k[1] * (double)node[1] + k[2] * (double)node[2];
                u[n] = cos(at + phase);
                old[n] = kept[n] = cos(at + before);
            }
            step(loops[trial % 3], &room, u, old);
            const double factor = room.lambda2 * peer_symbol(&peer_scheme[s], k);
            size_t seen = 0;
            for (size_t n = BLOCK_NODES; n < length_of(&room); ++n) {
                if ((room.free[n / BLOCK_NODES][n % BLOCK_NODES / 64] >> n % 64 & 1) == 0)
                    continue;
                ++seen;
                const double difference = old[n] - 2 * u[n] + kept[n];
                cr_assert(test_near(difference, -factor * u[n], 1e-13), "%s: %g, not %g", peer_scheme[s].name,
                          difference, -factor * u[n]);
            }
            const int64_t walls = 2 * peer_reach(&peer_scheme[s]);
            const int64_t inner = (nodes[0] - walls) * (nodes[1] - walls) * (nodes[2] - walls);
            cr_assert(seen >= (size_t)(peer_scheme[s].half ? inner / 2 : inner));
        }
        free(u);
        free(old);
        free(kept);
        peer_room_free(&room);
    }
    block_grid_free(&grid);
}

Test(peers, every_loop_gives_the_bits_of_the_reference_in_random_rooms)
{
    const uint64_t seed = 1;
    for (int s = 0; s < PEER_SCHEMES; ++s) {
        double lambda2;
        struct block_grid grid = grid_for(seed, s, &lambda2);
        struct peer_room room = room_on(&grid, s, lambda2);
        const size_t length = length_of(&room);
        uint64_t cells = 0;
        for (size_t n = 0; n < length; ++n) {
            block_id b;
            unsigned slot;
            cells += n >= BLOCK_NODES && peer_grid_node(&room, n / BLOCK_NODES, n % BLOCK_NODES, &b, &slot);
        }
        cr_assert(cells == room.air_nodes && room.first[room.blocks + 1] > 1000);
        double *const start[2] = {field(&room), field(&room)};
        double *const u[2] = {field(&room), field(&room)};
        double *const kept = field(&room);
        for (int level = 0; level < 2; ++level)
            fill_random(&room, seed + (uint64_t)level, start[level]);
        for (int precision = 0; precision < 2; ++precision)
            for (int loop = 0; loop < 3; ++loop) {
                peer_step_function *const step_of = (loop == 0   ? peer_reference
                                                     : loop == 1 ? peer_portable
                                                                 : peer_fastest())[precision];
                for (int level = 0; level < 2; ++level)
                    for (size_t n = 0; n < length; ++n) {
                        if (precision == PRECISION_DOUBLE)
                            u[level][n] = start[level][n];
                        else
                            ((float *)u[level])[n] = (float)start[level][n];
                    }
                for (int t = 0; t < 3; ++t)
                    step_of(&room, u[t & 1], u[~t & 1], 1, (uint64_t)room.blocks + 1);
                for (size_t n = 0; n < length; ++n) {
                    const double value = precision == PRECISION_DOUBLE ? u[1][n] : (double)((float *)u[1])[n];
                    if (loop == 0)
                        kept[n] = value;
                    cr_assert(value == kept[n], "%s, loop %d", peer_scheme[s].name, loop);
                }
            }
        for (int level = 0; level < 2; ++level) {
            free(start[level]);
            free(u[level]);
        }
        free(kept);
        peer_room_free(&room);
        block_grid_free(&grid);
    }
}

/* <a, K b> = <K a, b>, K 1 = 0, and <a, K a> within 0 and what the limit allows, 4 / lambda^2 <a, M a>. */
Test(peers, every_operator_is_symmetric_and_within_its_limit_in_any_geometry)
{
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        for (int s = 0; s < PEER_SCHEMES; ++s) {
            double lambda2;
            struct block_grid grid = grid_for(seed, s, &lambda2);
            struct peer_room room = room_on(&grid, s, lambda2);
            double *const a = field(&room), *const b = field(&room), *const ka = field(&room),
                          *const kb = field(&room);
            fill_random(&room, seed, a);
            fill_random(&room, seed + 50, b);
            apply(peer_fastest(), &room, a, ka);
            apply(peer_fastest(), &room, b, kb);
            const double size = sqrt(product(&room, ka, ka) * product(&room, b, b));
            cr_assert(test_near(product(&room, ka, b), product(&room, kb, a), 1e-13 * size), "%s",
                      peer_scheme[s].name);
            /* The greatest eigenvalue by powers of K, the least by powers of 4 - lambda^2 K. */
            for (int power = 0; power < 25; ++power) {
                const double quotient = -product(&room, a, ka) / product(&room, a, a);
                cr_assert(quotient > 0 && quotient <= 4 + 1e-9, "%s: %g", peer_scheme[s].name, quotient);
                const double norm = sqrt(product(&room, ka, ka));
                for (size_t n = 0; n < length_of(&room); ++n)
                    a[n] = ka[n] / norm;
                apply(peer_fastest(), &room, a, ka);
            }
            for (int power = 0; power < 25; ++power) {
                for (size_t n = 0; n < length_of(&room); ++n)
                    b[n] += kb[n] / 4;
                const double norm = sqrt(product(&room, b, b));
                for (size_t n = 0; n < length_of(&room); ++n)
                    b[n] /= norm;
                apply(peer_fastest(), &room, b, kb);
                const double quotient = -product(&room, b, kb);
                cr_assert(quotient > -1e-12, "%s: %g", peer_scheme[s].name, quotient);
            }
            for (size_t n = 0; n < length_of(&room); ++n)
                a[n] = n >= BLOCK_NODES ? 0.1 : 0;
            apply(peer_reference, &room, a, ka);
            cr_assert(product(&room, ka, ka) == 0);
            free(a);
            free(b);
            free(ka);
            free(kb);
            peer_room_free(&room);
            block_grid_free(&grid);
        }
    }
}

/* At a flat wall midway between nodes mirrors and plaquettes are exact, so cosines are modes of a box. */
Test(peers, a_box_rings_as_the_symbol_says)
{
    const int64_t nodes[3] = {13, 9, 11};
    struct block_grid grid = box_grid_of(nodes);
    static const int exact[] = {PEER_7, PEER_19, PEER_LEGGY_2, PEER_LEGGY_3, PEER_LEGGY_4};
    for (int s = 0; s < 5; ++s) {
        struct peer_room room = room_on(&grid, exact[s], 0.2);
        double *const u = field(&room), *const ku = field(&room);
        for (int q = 0; q < 60; ++q) {
            double k[3];
            const int of[3] = {q % 5 * 3, q / 5 % 3 * 4, q / 15 % 4 * 3};
            for (int axis = 0; axis < 3; ++axis)
                k[axis] = PI * of[axis] / (double)nodes[axis];
            for (size_t n = BLOCK_NODES; n < length_of(&room); ++n) {
                block_id b;
                unsigned slot;
                int64_t node[3];
                if (!peer_grid_node(&room, n / BLOCK_NODES, n % BLOCK_NODES, &b, &slot))
                    continue;
                block_node(&grid.block[b], slot, node);
                u[n] = cos(k[0] * ((double)node[0] + 5.5)) * cos(k[1] * ((double)node[1] - 2.5)) *
                       cos(k[2] * ((double)node[2] - 5.5));
            }
            apply(peer_fastest(), &room, u, ku);
            const double factor = 0.2 * peer_symbol(&peer_scheme[exact[s]], k);
            for (size_t n = 0; n < length_of(&room); ++n)
                cr_assert(test_near(ku[n], -factor * u[n], 1e-13));
        }
        free(u);
        free(ku);
        peer_room_free(&room);
    }
    block_grid_free(&grid);
}

/* A u along one axis, from link bytes. */
static void path_laplacian(const struct peer_room *room, int axis, const double *u, double *out)
{
    for (size_t n = BLOCK_NODES; n < length_of(room); ++n) {
        block_id b;
        unsigned slot;
        out[n] = 0;
        if (!peer_grid_node(room, n / BLOCK_NODES, n % BLOCK_NODES, &b, &slot))
            continue;
        int64_t node[3];
        block_node(&room->grid->block[b], slot, node);
        for (int side = -1; side <= 1; side += 2) {
            const unsigned d = 2 * (unsigned)axis + (side > 0);
            if ((block_grid_links(room->grid, node) >> d & 1) == 0)
                continue;
            int64_t beside[3] = {node[0], node[1], node[2]};
            beside[axis] += side;
            out[n] += u[n] - u[block_grid_index(room->grid, beside)];
        }
    }
}

/* -L = sum over axes and k of c_k A^k, c_k = 2 ((k-1)!)^2 / (2k)!. */
Test(peers, a_leggy_scheme_is_a_sum_of_powers_of_the_laplacians_of_paths)
{
    static const double c[4] = {1, 1.0 / 12, 1.0 / 90, 1.0 / 560};
    struct block_grid grid = random_grid(11);
    for (int m = 2; m <= 4; ++m) {
        struct peer_room room = room_on(&grid, PEER_LEGGY_2 + m - 2, 0.2);
        double *const u = field(&room), *const ku = field(&room), *const sum = field(&room);
        double *power = field(&room), *next = field(&room);
        fill_random(&room, 5, u);
        apply(peer_fastest(), &room, u, ku);
        for (int axis = 0; axis < 3; ++axis) {
            memcpy(power, u, length_of(&room) * sizeof *u);
            for (int k = 0; k < m; ++k) {
                path_laplacian(&room, axis, power, next);
                double *const swap = power;
                power = next;
                next = swap;
                for (size_t n = 0; n < length_of(&room); ++n)
                    sum[n] += c[k] * power[n];
            }
        }
        for (size_t n = 0; n < length_of(&room); ++n)
            cr_assert(test_near(ku[n], -0.2 * sum[n], 1e-13));
        free(u);
        free(ku);
        free(sum);
        free(power);
        free(next);
        peer_room_free(&room);
    }
    block_grid_free(&grid);
}
