/* The schemes of the literature in one table: the cost of a second of sound of a church with each.
 *
 *   cmake -B build/default -DTRANSEPT_LADDER=on && cmake --build build/default --target bench_peers
 *   build/default/kernels/bench_peers                  the built-in church to 1400 Hz
 *   build/default/kernels/bench_peers 710 4 10 1       fmax [Hz]; million nodes of the room that is timed;
 *                                                      rounds; threads
 *
 * peer_table.h says what its columns are. Every loop must first produce the bits of the reference in a small
 * room of the same shape, else status 1. Then limit (stream_limit.h) and schemes take turns on one grid,
 * single precision: rates are of nodes of air that the scheme steps, the best round, and "share" the median
 * of the limit's share, by stored nodes. Time is that of processors over the number of threads, so that other
 * work on the machine counts less. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/ladder/peer_table.h"
#include "kernels/machine/machine_memory.h"
#include "kernels/machine/stream_limit.h"

#define CHECK_SPACING 0.4
#define CHECK_STEPS   5
#define ROUNDS_MOST   100
#define STEPS         4 /* of a round */

/* ---- stepping ---- */

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
    TRY(peer_room_create(grid, &peer_scheme[scheme], peer_stable_lambda2(scheme), &room, failure));
    const size_t length = ((size_t)room.blocks + 1) * BLOCK_NODES;
    float *field[4];
    int code = 0;
    for (int f = 0; f < 4; ++f) {
        field[f] = malloc(length * sizeof(float));
        if (field[f] == NULL)
            code = failure_memory(failure, length * sizeof(float), "a field");
        else
            peer_fill(&room, f & 1, field[f]);
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
    int code = peer_church(CHECK_SPACING, threads, &grid, failure);
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

static int time_all(struct peer_timed timed[PEER_SCHEMES], double share[PEER_SCHEMES][ROUNDS_MOST],
                    uint64_t blocks, int rounds, int threads, double *limit_rate, struct failure *failure)
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
            peer_fill(room, 0, u);
            peer_fill(room, 1, u_old);
            const double start = read_clock(threads);
            (void)stream_limit_pass(&limit, PRECISION_SINGLE, STEPS);
            const double between = read_clock(threads);
            run_steps(peer_fastest()[PRECISION_SINGLE], room, u, u_old, STEPS, threads);
            const double seconds = (read_clock(threads) - between) / STEPS;
            const double streamed = stream_limit_nodes(&limit, PRECISION_SINGLE) * STEPS / (between - start);
            const double stored = (double)room->blocks * BLOCK_NODES;
            timed[s].best = fmax(timed[s].best, (double)room->air_nodes / seconds);
            share[s][round] = stored / seconds / streamed;
            *limit_rate = fmax(*limit_rate, streamed);
        }
    stream_limit_free(&limit);
    free(u);
    free(u_old);
    return code;
}

/* ---- the table ---- */

static int time_schemes(double fmax, double spacing, int rounds, int threads, struct failure *failure)
{
    struct block_grid grid = {0};
    struct peer_timed timed[PEER_SCHEMES] = {{.best = 0}};
    double share[PEER_SCHEMES][ROUNDS_MOST];
    double limit_rate = 0;
    int code = peer_church(spacing, threads, &grid, failure);
    for (int s = 0; code == 0 && s < PEER_SCHEMES; ++s)
        code = peer_room_create(&grid, &peer_scheme[s], peer_stable_lambda2(s), &timed[s].room, failure);
    if (code == 0)
        code = time_all(timed, share, grid.blocks, rounds, threads, &limit_rate, failure);
    if (code == 0) {
        const double volume = (double)grid.air_nodes * pow(grid.lattice.spacing, 3);
        (void)printf(
            "\nchurch of %.0f m3 to %g Hz; timed at %.1f mm, %.2f M nodes, %d threads; limit %.3f Gnode/s\n",
            volume, fmax, grid.lattice.spacing * 1e3, (double)grid.air_nodes * 1e-6, threads,
            limit_rate * 1e-9);
        (void)printf("%-20s %10s %12s %10s %10s\n", "scheme", "neighbours", "Mnode/s", "share", "at walls");
        for (int s = 0; s < PEER_SCHEMES; ++s)
            (void)printf("%-20s %10d %12.1f %10.3f %9.1f%%\n", peer_scheme[s].name, timed[s].room.offsets,
                         timed[s].best * 1e-6, find_median(share[s], rounds),
                         100 * (double)timed[s].room.first[timed[s].room.blocks + 1] /
                             (double)timed[s].room.air_nodes);
        peer_print_tables(timed, volume, fmax, limit_rate);
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
