/* The schemes of the literature in one table: the cost of a second of sound of a church with each.
 *
 *   cmake -B build/default -DTRANSEPT_LADDER=on && cmake --build build/default --target bench_peers
 *   build/default/kernels/bench_peers                  the built-in church to 1400 Hz
 *   build/default/kernels/bench_peers 710 4 10 1       fmax [Hz]; million nodes of the room that is timed;
 *                                                      rounds; threads
 *
 * Points a wavelength are those where the worst phase error of any direction is 1 % (peer_schemes.h), without
 * and with an output warp that removes the dispersion that all directions share; its stretch makes a run
 * longer. Nodes are the air's volume in cells, GB the memory of pressures and topology, TB 12 bytes a node
 * and step: read u, read u_old, write u_old. Walls are rigid stairs. Every loop must first produce the bits
 * of the reference in a small room of the same shape, else status 1. Then limit (stream_limit.h) and schemes
 * take turns on one grid, single precision: rates are of nodes of air that the scheme steps, the best round,
 * and "share" the median of the limit's share, by stored nodes. Time is that of processors over the number of
 * threads, so that other work on the machine counts less. Seconds are nodes times steps over that rate; "at
 * limit" is the same at the limit. The isotropic scheme is timed at lambda^2 = .6, for which the masses of
 * its nodes are made; its loop is the same at every other. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blocks/cut_masses.h"
#include "geometry/room/voxeliser.h"
#include "kernels/ladder/peer_room.h"
#include "kernels/machine/machine_memory.h"
#include "kernels/machine/stream_limit.h"
#include "kernels/scheme/fill_value.h"
#include "rooms/shapes/room_shape.h"

#define SOUND_SPEED   343.2
#define PHASE_ERROR   0.01
#define ISOTROPIC     0.6 /* lambda^2 that rooms are stepped with, for the sake of the nodes at walls */
#define CHECK_SPACING 0.4
#define CHECK_STEPS   5
#define ROUNDS_MOST   100
#define STEPS         4 /* of a round */

struct timed {
    struct peer_room room;
    double best; /* nodes of air a second */
    double share[ROUNDS_MOST];
};

/* ---- rooms ---- */

/* The built-in church, for any scheme. */
static int make_church(double spacing, int threads, struct block_grid *grid, struct failure *failure)
{
    struct mesh mesh = {0};
    struct voxels voxels = {0};
    struct lattice lattice;
    struct cut_masses masses;
    double low[3], high[3];
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "bench"};
    const struct voxelise_options options = {.threads = threads};
    int code = room_build(room_shape_find("church"), NULL, &mesh, failure);
    if (code == 0)
        code = mesh_bounds(&mesh, low, high, failure);
    if (code == 0)
        code = lattice_fit(low, high, spacing, NULL, &lattice, failure);
    if (code == 0) {
        memcpy(seed.position, mesh.marker[0].position, sizeof seed.position);
        code = voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, failure);
    }
    if (code == 0)
        code = block_grid_pack(&voxels, grid, failure);
    if (code == 0)
        code = block_grid_widen(grid, failure);
    if (code == 0)
        code = cut_masses_make(grid, ISOTROPIC, &masses, failure);
    voxels_free(&voxels);
    mesh_free(&mesh);
    return code;
}

static double stable_lambda2(int scheme)
{
    return scheme == PEER_19 ? ISOTROPIC : peer_scheme[scheme].lambda2;
}

/* Whole numbers in the air, 0 elsewhere. */
static void fill_room_level(const struct peer_room *room, int level, float *u)
{
    memset(u, 0, ((size_t)room->blocks + 1) * BLOCK_NODES * sizeof *u);
#pragma omp parallel for schedule(static)
    for (uint64_t id = 1; id <= room->blocks; ++id)
        for (unsigned at = 0; at < BLOCK_NODES; ++at) {
            block_id b;
            unsigned slot;
            int64_t node[3];
            if (!peer_grid_node(room, id, at, &b, &slot))
                continue;
            block_node(&room->grid->block[b], slot, node);
            u[id * BLOCK_NODES + at] = (float)fill_level(fill_bits(node[0], node[1], node[2], 1), level);
        }
}

static void run_steps(peer_step_function *step, const struct peer_room *room, float *u, float *u_old,
                      int steps, int threads)
{
    const uint64_t blocks = room->blocks;
#pragma omp parallel num_threads(threads)
    for (int t = 0; t < steps; ++t) {
        const uint64_t part = (uint64_t)omp_get_thread_num(), parts = (uint64_t)omp_get_num_threads();
        step(room, t & 1 ? u_old : u, t & 1 ? u : u_old, 1 + blocks * part / parts,
             1 + blocks * (part + 1) / parts);
#pragma omp barrier
    }
}

/* ---- are the values right? ---- */

static int check_scheme(const struct block_grid *grid, int scheme, int threads, struct failure *failure)
{
    struct peer_room room = {0};
    TRY(peer_room_create(grid, &peer_scheme[scheme], stable_lambda2(scheme), &room, failure));
    const size_t length = ((size_t)room.blocks + 1) * BLOCK_NODES;
    float *field[4];
    int code = 0;
    for (int f = 0; f < 4; ++f) {
        field[f] = malloc(length * sizeof(float));
        if (field[f] == NULL)
            code = failure_memory(failure, length * sizeof(float), "a field");
        else
            fill_room_level(&room, f & 1, field[f]);
    }
    uint64_t wrong = 0;
    if (code == 0) {
        run_steps(peer_reference[PRECISION_SINGLE], &room, field[0], field[1], CHECK_STEPS, 1);
        run_steps(peer_fastest()[PRECISION_SINGLE], &room, field[2], field[3], CHECK_STEPS, threads);
        for (size_t n = 0; n < length; ++n)
            wrong += field[0][n] == field[2][n] && field[1][n] == field[3][n] ? 0 : 1;
        (void)printf("%-20s %8" PRIu64 " nodes, %" PRIu64 " at walls, wrong=%" PRIu64 "\n",
                     peer_scheme[scheme].name, room.air_nodes, room.first[room.blocks + 1], wrong);
    }
    if (wrong != 0)
        code = failure_set(failure, FAILURE_ANSWER_NO, "%s: %" PRIu64 " values are not the reference's",
                           peer_scheme[scheme].name, wrong);
    for (int f = 0; f < 4; ++f)
        free(field[f]);
    peer_room_free(&room);
    return code;
}

/* Rows of all schemes; and the volume of the church [m3]. */
static int check_schemes(int threads, double *volume, struct failure *failure)
{
    struct block_grid grid = {0};
    int code = make_church(CHECK_SPACING, threads, &grid, failure);
    *volume = (double)grid.air_nodes * pow(CHECK_SPACING, 3);
    for (int s = 0; code == 0 && s < PEER_SCHEMES; ++s)
        code = check_scheme(&grid, s, threads, failure);
    block_grid_free(&grid);
    return code;
}

/* ---- how fast are they? ---- */

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double find_median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare_values);
    return value[count / 2];
}

/* Seconds that processors have spent on this, over the number of threads. */
static double read_clock(int threads)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec) / threads;
}

static int time_all(struct timed timed[PEER_SCHEMES], uint64_t blocks, int rounds, int threads,
                    double *limit_rate, struct failure *failure)
{
    const uint64_t bytes = (blocks + 1) * BLOCK_NODES * sizeof(float);
    struct stream_limit limit = {0};
    float *const u = machine_memory_allocate(bytes), *const u_old = machine_memory_allocate(bytes);
    int code = u == NULL || u_old == NULL ? failure_memory(failure, 2 * bytes, "pressures") : 0;
    if (code == 0)
        code = stream_limit_create(&limit, bytes, threads, failure);
    for (int round = 0; code == 0 && round < rounds; ++round)
        for (int s = 0; s < PEER_SCHEMES; ++s) {
            const struct peer_room *const room = &timed[s].room;
            fill_room_level(room, 0, u);
            fill_room_level(room, 1, u_old);
            const double start = read_clock(threads);
            (void)stream_limit_pass(&limit, PRECISION_SINGLE, STEPS);
            const double between = read_clock(threads);
            run_steps(peer_fastest()[PRECISION_SINGLE], room, u, u_old, STEPS, threads);
            const double seconds = (read_clock(threads) - between) / STEPS;
            const double streamed = stream_limit_nodes(&limit, PRECISION_SINGLE) * STEPS / (between - start);
            const double stored = (double)room->blocks * BLOCK_NODES;
            timed[s].best = fmax(timed[s].best, (double)room->air_nodes / seconds);
            timed[s].share[round] = stored / seconds / streamed;
            *limit_rate = fmax(*limit_rate, streamed);
        }
    stream_limit_free(&limit);
    free(u);
    free(u_old);
    return code;
}

/* ---- the table ---- */

static void print_row(const struct timed *timed, double lambda2, double points, bool warped, double volume,
                      double fmax, double limit_rate)
{
    const struct peer_room *const room = &timed->room;
    const double h = SOUND_SPEED / fmax / points,
                 stretch = warped ? peer_stretch(room->scheme, lambda2, points) : 1;
    const double nodes = volume / (h * h * h) * (room->scheme->half ? 0.5 : 1);
    const double steps = SOUND_SPEED / h / sqrt(lambda2) / stretch;
    const double stored = (double)room->blocks * BLOCK_NODES, air = (double)room->air_nodes;
    const double bytes = (8 * stored + (double)peer_room_bytes(room)) / air;
    (void)printf("%-20s %7.4f %6.2f %9.2f %8.0f %7.2f %8.3f %9.1f %9.1f\n", room->scheme->name, lambda2,
                 points, nodes * 1e-6, steps, nodes * bytes * 1e-9, nodes * steps * 12e-12,
                 nodes * steps / timed->best, nodes * steps * stored / air / limit_rate);
}

static void print_tables(const struct timed timed[PEER_SCHEMES], double volume, double fmax,
                         double limit_rate)
{
    for (int warped = 0; warped < 2; ++warped) {
        (void)printf("\n%-20s %7s %6s %9s %8s %7s %8s %9s %9s\n", warped ? "warped" : "not warped", "lambda2",
                     "points", "M nodes", "steps/s", "GB", "TB/s", "s/s", "at limit");
        for (int s = 0; s < PEER_SCHEMES; ++s)
            for (int second = 0; second < (s == PEER_19 ? 2 : 1); ++second) {
                const double lambda2 = second ? ISOTROPIC : peer_scheme[s].lambda2;
                print_row(&timed[s], lambda2, peer_points(&peer_scheme[s], lambda2, PHASE_ERROR, warped),
                          warped, volume, fmax, limit_rate);
            }
    }
    (void)printf("with the points that walls and receivers ask for\n");
    for (int points = 5; points <= 6; ++points)
        print_row(&timed[PEER_19], ISOTROPIC, points, true, volume, fmax, limit_rate);
}

static int time_schemes(double fmax, double spacing, int rounds, int threads, struct failure *failure)
{
    struct block_grid grid = {0};
    struct timed timed[PEER_SCHEMES] = {{.best = 0}};
    double limit_rate = 0;
    int code = make_church(spacing, threads, &grid, failure);
    for (int s = 0; code == 0 && s < PEER_SCHEMES; ++s)
        code = peer_room_create(&grid, &peer_scheme[s], stable_lambda2(s), &timed[s].room, failure);
    if (code == 0)
        code = time_all(timed, grid.blocks, rounds, threads, &limit_rate, failure);
    if (code == 0) {
        const double volume = (double)grid.air_nodes * pow(grid.lattice.spacing, 3);
        (void)printf(
            "\nchurch of %.0f m3 to %g Hz; timed at %.1f mm, %.2f M nodes, %d threads; limit %.3f Gnode/s\n",
            volume, fmax, grid.lattice.spacing * 1e3, (double)grid.air_nodes * 1e-6, threads,
            limit_rate * 1e-9);
        (void)printf("%-20s %10s %12s %10s %10s\n", "scheme", "neighbours", "Mnode/s", "share", "at walls");
        for (int s = 0; s < PEER_SCHEMES; ++s)
            (void)printf("%-20s %10d %12.1f %10.3f %9.1f%%\n", peer_scheme[s].name, timed[s].room.offsets,
                         timed[s].best * 1e-6, find_median(timed[s].share, rounds),
                         100 * (double)timed[s].room.first[timed[s].room.blocks + 1] /
                             (double)timed[s].room.air_nodes);
        print_tables(timed, volume, fmax, limit_rate);
    }
    for (int s = 0; s < PEER_SCHEMES; ++s)
        peer_room_free(&timed[s].room);
    block_grid_free(&grid);
    return code;
}

int main(int argc, char **argv)
{
    const double fmax = argc > 1 ? strtod(argv[1], NULL) : 1400;
    const double nodes = argc > 2 ? strtod(argv[2], NULL) * 1e6 : 8e6;
    const int rounds = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 10;
    const int threads = argc > 4 ? (int)strtol(argv[4], NULL, 10) : omp_get_num_procs();
    struct failure failure = {0};
    double volume = 0;
    int code = 0;
    if (!(fmax > 0 && nodes >= 1e5 && nodes <= 1e9 && rounds > 0 && rounds <= ROUNDS_MOST && threads > 0))
        code = failure_set(&failure, FAILURE_INPUT, "bench_peers [fmax] [million nodes] [rounds] [threads]");
    if (code == 0)
        code = check_schemes(threads, &volume, &failure);
    if (code == 0)
        code = time_schemes(fmax, cbrt(volume / nodes), rounds, threads, &failure);
    if (code != 0)
        (void)fprintf(stderr, "bench_peers: %s\n", failure.sentence);
    return code;
}
